//! Tests of the whole layer: files that another reader reads back.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::Error;

const POSITIONS: [[f32; 3]; 4] =
    [[-1.0, 0.0, 0.1], [1.0, 0.0, 0.2], [0.0, 2.5, -0.3], [0.0, 1.0, 4.0]];
const JOINTS: [[u8; 4]; 4] = [[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]];
const WEIGHTS: [[f32; 4]; 4] =
    [[0.5, 0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]];
const IDENTITY: [f32; 16] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
/// The smallest PNG: one grey pixel.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\
    \0\0\0\nIDATx\x9cch\0\0\0\x82\0\x81w\xcdr\xb6\0\0\0\0IEND\xaeB`\x82";

/// A skinned, textured, animated mesh with a sparse morph target: all that
/// a character needs, in four vertices.
fn small_character() -> Vec<u8> {
    let mut plan = BufferPlan::new();
    let mut root = Root::default();
    root.asset.generator = "test".into();
    root.asset.extras = Some(json!({ "format": "test" }));

    let texture = {
        let buffer_view = plan.add_view(PIXEL, ViewOptions::default()).unwrap();
        let image = Image { buffer_view, mime_type: MimeType::Png, name: "pixel".into() };
        let source = Some(root.push(image));
        let sampler = Some(root.push(Sampler {
            mag_filter: Some(MagFilter::Linear),
            min_filter: Some(MinFilter::LinearMipmapLinear),
            ..Sampler::default()
        }));
        root.push(Texture { sampler, source, ..Texture::default() })
    };
    let mut material = Material {
        name: "skin".into(),
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_texture: Some(TextureInfo::new(texture)),
            metallic_factor: 0.0,
            roughness_factor: 0.6,
            ..PbrMetallicRoughness::default()
        },
        alpha_mode: AlphaMode::Mask,
        alpha_cutoff: Some(0.4),
        ..Material::default()
    };
    let sheen = json!({ "sheenRoughnessFactor": json_f32(0.3) });
    material.extensions.insert("KHR_materials_sheen".into(), sheen);
    root.use_extension("KHR_materials_sheen");
    let material = root.push(material);

    let normals = [[0.0, 0.0, 1.0]; 4];
    let attributes = Attributes {
        position: Some(plan.vec3_f32("m", "POSITION", &POSITIONS, MinMax::Write).unwrap()),
        normal: Some(plan.vec3_f32("m", "NORMAL", normals.to_vec(), MinMax::Omit).unwrap()),
        texcoord_0: Some(
            plan.vec2_f32("m", "TEXCOORD_0", vec![[0.25, 0.5]; 4], MinMax::Omit).unwrap(),
        ),
        joints_0: Some(plan.joints_u8("m", &JOINTS).unwrap()),
        weights_0: Some(plan.vec4_f32("m", "WEIGHTS_0", &WEIGHTS, MinMax::Omit).unwrap()),
        ..Attributes::default()
    };
    let indices = plan.indices("m", vec![0, 1, 2, 1, 3, 2], 4, IndexWidth::default()).unwrap();
    let delta = vec![[0.0, -0.25, 0.0], [0.5, 0.0, 0.0]];
    let morph = plan.sparse_vec3_f32("m", "POSITION", 4, vec![1, 3], delta, MinMax::Write).unwrap();
    let mesh = root.push(Mesh {
        name: "m".into(),
        primitives: vec![Primitive {
            attributes,
            indices: Some(indices),
            material: Some(material),
            targets: vec![MorphTarget { position: Some(morph), ..MorphTarget::default() }],
            ..Primitive::default()
        }],
        weights: vec![0.0],
        extras: Some(json!({ "targetNames": ["JawDrop"] })),
    });

    let tip = root.push(Node {
        name: "tip".into(),
        translation: Some([0.0, 1.0, 0.0]),
        ..Node::default()
    });
    let base = root.push(Node { name: "base".into(), children: vec![tip], ..Node::default() });
    let skin = root.push(Skin {
        name: "skeleton".into(),
        inverse_bind_matrices: Some(
            plan.mat4_f32("skeleton", "inverseBindMatrices", vec![IDENTITY; 2]).unwrap(),
        ),
        skeleton: Some(base),
        joints: vec![base, tip],
    });
    let body =
        root.push(Node { name: "m".into(), mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    root.scene =
        Some(root.push(Scene { name: "small".into(), nodes: vec![base, body], extras: None }));

    let mut nod = Animation { name: "nod".into(), ..Animation::default() };
    let input = plan.scalar_f32("nod", "input", vec![0.0, 0.5], MinMax::Write).unwrap();
    let turns = vec![[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]];
    let moves = vec![[0.0, 1.0, 0.0], [0.0, 1.5, 0.0]];
    for (path, output) in [
        (Path::Rotation, plan.keys_vec4_f32("nod", "rotation", turns).unwrap()),
        (Path::Translation, plan.keys_vec3_f32("nod", "translation", moves).unwrap()),
    ] {
        let interpolation = Interpolation::Linear;
        nod.push(tip, path, AnimationSampler { input, interpolation, output });
    }
    let output = plan.scalar_f32("nod", "weights", vec![0.0, 1.0], MinMax::Omit).unwrap();
    let interpolation = Interpolation::Step;
    nod.push(body, Path::Weights, AnimationSampler { input, interpolation, output });
    root.push(nod);

    write_glb(&root, plan).unwrap()
}

/// A file of one primitive.
fn one_primitive(primitive: Primitive, plan: BufferPlan<'_>) -> Vec<u8> {
    let mut root = Root::default();
    let mesh = root.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    root.push(Node { mesh: Some(mesh), ..Node::default() });
    write_glb(&root, plan).unwrap()
}

#[test]
fn another_reader_reads_it_all_back() {
    let file = small_character();
    // The external validator can be given the very file that is tested.
    if let Some(path) = std::env::var_os("DRAMATIS_WRITE_TEST_GLB") {
        std::fs::write(path, &file).unwrap();
    }
    let gltf = gltf::Gltf::from_slice(&file).unwrap();
    let blob = gltf.blob.as_deref().unwrap();
    let buffer = |buffer: gltf::Buffer<'_>| blob.get(..buffer.length());
    let mesh = gltf.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(buffer);
    assert_eq!(reader.read_positions().unwrap().collect::<Vec<_>>(), POSITIONS);
    assert_eq!(reader.read_normals().unwrap().collect::<Vec<_>>(), [[0.0, 0.0, 1.0]; 4]);
    let gltf::mesh::util::ReadTexCoords::F32(texcoords) = reader.read_tex_coords(0).unwrap() else {
        panic!("texture coordinates are floats");
    };
    assert_eq!(texcoords.collect::<Vec<_>>(), [[0.25, 0.5]; 4]);
    let gltf::mesh::util::ReadJoints::U8(joints) = reader.read_joints(0).unwrap() else {
        panic!("joints are bytes");
    };
    assert_eq!(joints.collect::<Vec<_>>(), JOINTS);
    let gltf::mesh::util::ReadWeights::F32(weights) = reader.read_weights(0).unwrap() else {
        panic!("weights are floats");
    };
    assert_eq!(weights.collect::<Vec<_>>(), WEIGHTS);
    let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
    assert_eq!(indices, [0, 1, 2, 1, 3, 2]);
    let bounds = primitive.bounding_box();
    assert_eq!((bounds.min, bounds.max), ([-1.0, 0.0, -0.3], [1.0, 2.5, 4.0]));

    let (morph, normals, _) = reader.read_morph_targets().next().unwrap();
    assert!(normals.is_none());
    assert_eq!(
        morph.unwrap().collect::<Vec<_>>(),
        [[0.0; 3], [0.0, -0.25, 0.0], [0.0; 3], [0.5, 0.0, 0.0]]
    );

    let skin = gltf.skins().next().unwrap();
    let joints: Vec<_> = skin.joints().map(|joint| joint.name().unwrap().to_owned()).collect();
    assert_eq!(joints, ["base", "tip"]);
    assert_eq!(skin.reader(buffer).read_inverse_bind_matrices().unwrap().count(), 2);
    let animation = gltf.animations().next().unwrap();
    for channel in animation.channels() {
        let times: Vec<f32> = channel.reader(buffer).read_inputs().unwrap().collect();
        assert_eq!(times, [0.0, 0.5]);
    }
    assert_eq!(animation.channels().count(), 3);
}

#[test]
fn nothing_empty_is_written() {
    fn walk(at: &str, value: &Value) {
        match value {
            Value::Null => panic!("{at} is null"),
            Value::Array(list) => {
                assert!(!list.is_empty(), "{at} is an empty array");
                list.iter().enumerate().for_each(|(i, item)| walk(&format!("{at}[{i}]"), item));
            }
            Value::Object(map) => {
                assert!(!map.is_empty(), "{at} is an empty object");
                map.iter().for_each(|(key, item)| walk(&format!("{at}.{key}"), item));
            }
            Value::String(text) => assert!(!text.is_empty(), "{at} is an empty text"),
            _ => {}
        }
    }
    let file = small_character();
    let json = read_glb("small.glb", &file).unwrap().json;
    let value: Value = serde_json::from_slice(json).unwrap();
    walk("$", &value);
    let keys: Vec<_> = value.as_object().unwrap().keys().collect();
    assert_eq!(keys[0], "asset");
    assert!(!keys.iter().any(|key| *key == "extensionsRequired"));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(small_character(), small_character());
}

#[test]
fn the_buffer_is_exactly_as_long_as_its_views() {
    let file = small_character();
    let view = read_glb("small.glb", &file).unwrap();
    let value: Value = serde_json::from_slice(view.json).unwrap();
    let views = value["bufferViews"].as_array().unwrap();
    let ends: Vec<u64> = views
        .iter()
        .map(|view| view["byteOffset"].as_u64().unwrap() + view["byteLength"].as_u64().unwrap())
        .collect();
    let length = value["buffers"][0]["byteLength"].as_u64().unwrap();
    assert_eq!(ends.iter().max(), Some(&length));
    assert_eq!(view.bin.unwrap().len() as u64, length.next_multiple_of(4));
    assert!(views.iter().all(|view| view["byteOffset"].as_u64().unwrap() % 4 == 0));
}

#[test]
fn only_what_is_drawn_from_has_a_target() {
    let mut plan = BufferPlan::new();
    plan.vec3_f32("m", "POSITION", &POSITIONS, MinMax::Write).unwrap();
    plan.joints_u8("m", &JOINTS).unwrap();
    plan.indices("m", vec![0, 1, 2], 4, IndexWidth::default()).unwrap();
    plan.sparse_vec3_f32("m", "NORMAL", 4, vec![1], vec![[1.0; 3]], MinMax::Omit).unwrap();
    plan.mat4_f32("s", "inverseBindMatrices", vec![IDENTITY]).unwrap();
    plan.keys_vec3_f32("a", "scale", vec![[1.0; 3]]).unwrap();
    let targets: Vec<_> = plan.views().iter().map(|view| view.target).collect();
    let (vertex, element) = (Some(Target::ArrayBuffer), Some(Target::ElementArrayBuffer));
    assert_eq!(targets, [vertex, vertex, element, None, None, None, None]);
}

#[test]
fn indices_are_wide_enough_to_leave_restart_out() {
    let of = |n_vertices: usize, width: IndexWidth| {
        let mut plan = BufferPlan::new();
        let last = n_vertices as u32 - 1;
        let index = plan.indices("m", vec![0, last, last], n_vertices, width).unwrap();
        (plan.accessors()[index.as_usize()].component_type, plan.byte_length())
    };
    use ComponentType::{U8, U16, U32};
    assert_eq!(of(65535, IndexWidth::AtLeast16), (U16, 6));
    assert_eq!(of(65536, IndexWidth::AtLeast16), (U32, 12));
    assert_eq!(of(255, IndexWidth::AtLeast16), (U16, 6));
    assert_eq!(of(255, IndexWidth::AtLeast8), (U8, 3));
    assert_eq!(of(256, IndexWidth::AtLeast8), (U16, 6));
    assert_eq!(of(65536, IndexWidth::AtLeast8), (U32, 12));
}

#[test]
fn sparse_indices_are_as_narrow_as_the_last_of_them() {
    let of = |last: u32| {
        let mut plan = BufferPlan::new();
        let values = vec![[1.0f32; 3]];
        let index = plan
            .sparse_vec3_f32("m", "POSITION", 100_000, vec![last], values, MinMax::Omit)
            .unwrap();
        let sparse = plan.accessors()[index.as_usize()].sparse.clone().unwrap();
        (sparse.indices.component_type, plan.view_bytes(sparse.indices.buffer_view).unwrap().len())
    };
    use ComponentType::{U8, U16, U32};
    assert_eq!((of(254), of(255)), ((U8, 1), (U16, 2)));
    assert_eq!((of(65534), of(65535)), ((U16, 2), (U32, 4)));
}

#[test]
fn sparse_bounds_count_the_zeros_that_are_not_listed() {
    let of = |n_vertices: usize| {
        let mut plan = BufferPlan::new();
        let values = vec![[-1.0, 2.0, -3.0], [-4.0, 5.0, -0.5]];
        let index = plan
            .sparse_vec3_f32("m", "POSITION", n_vertices, vec![0, 1], values, MinMax::Write)
            .unwrap();
        let accessor = &plan.accessors()[index.as_usize()];
        (accessor.min.clone().unwrap(), accessor.max.clone().unwrap())
    };
    let float = |row: [f32; 3]| Bounds::Float(row.to_vec());
    assert_eq!(of(2), (float([-4.0, 2.0, -3.0]), float([-1.0, 5.0, -0.5])));
    assert_eq!(of(3), (float([-4.0, 0.0, -3.0]), float([0.0, 5.0, 0.0])));
}

#[test]
fn faults_name_the_mesh_the_attribute_and_the_vertex() {
    let mut plan = BufferPlan::new();
    let mut rows = vec![[0.0f32; 3]; 5];
    rows[3][1] = f32::NAN;
    let error = plan.vec3_f32("body", "NORMAL", rows, MinMax::Omit).unwrap_err();
    assert!(matches!(&error, Error::NotFinite { mesh, attribute: "NORMAL", vertex: 3 }
        if mesh == "body"));
    // In sparse data the vertex is the mesh's, not the list's.
    let values = vec![[0.0, 0.0, f32::INFINITY]];
    let error =
        plan.sparse_vec3_f32("body", "POSITION", 9, vec![7], values, MinMax::Write).unwrap_err();
    assert!(matches!(error, Error::NotFinite { vertex: 7, .. }));
    assert_eq!((plan.accessors().len(), plan.byte_length()), (0, 0));
}

#[test]
fn arrays_that_no_reader_could_use_are_refused() {
    let mut plan = BufferPlan::new();
    let width = IndexWidth::default();
    let message = plan.indices("m", vec![0, 1, 4], 4, width).unwrap_err().to_string();
    assert_eq!(
        message,
        "mesh `m`: indices: found 4 at position 2, expected indices below the number of vertices, 4"
    );
    for bad in [4, (1 << 31) - 1, 1 << 31, (1 << 31) + 3, u32::MAX] {
        assert!(plan.indices("m", vec![0, bad, 3], 4, width).is_err(), "{bad}");
    }
    assert!(plan.indices("m", vec![], 4, width).is_err());
    assert!(plan.joints_u8("m", vec![]).is_err());
    assert!(plan.joints_u16("m", vec![[0, 1, 2, 3]]).is_ok());
    assert!(plan.vec3_f32("m", "POSITION", vec![], MinMax::Write).is_err());
    let mut sparse = |n_vertices: usize, indices: &[u32], n_values: usize| {
        let values = vec![[0.0; 3]; n_values];
        let (mesh, attribute) = ("m", "POSITION");
        plan.sparse_vec3_f32(mesh, attribute, n_vertices, indices.to_vec(), values, MinMax::Omit)
            .map_err(|error| error.to_string())
    };
    assert!(sparse(4, &[0, 3], 2).is_ok());
    assert!(sparse(4, &[], 0).unwrap_err().contains("found no elements"));
    assert!(sparse(4, &[0, 1], 1).unwrap_err().contains("2 sparse indices with 1 values"));
    assert!(sparse(4, &[1, 1], 2).unwrap_err().contains("sparse index 1 after 1"));
    assert!(sparse(4, &[2, 1], 2).unwrap_err().contains("sparse index 1 after 2"));
    assert!(sparse(4, &[0, 4], 2).unwrap_err().contains("found sparse index 4"));
}

proptest! {
    /// What was dense, is dense again after having been sparse in a file.
    #[test]
    fn sparse_reads_back_as_the_dense_array(
        dense in prop::collection::vec(
            prop::option::weighted(0.3, prop::array::uniform3(-10.0f32..10.0)),
            1..400,
        )
    ) {
        let (mut indices, mut values) = (vec![], vec![]);
        for (i, row) in dense.iter().enumerate() {
            if let Some(row) = row {
                indices.push(i as u32);
                values.push(*row);
            }
        }
        prop_assume!(!indices.is_empty());
        let dense: Vec<[f32; 3]> = dense.iter().map(|row| row.unwrap_or_default()).collect();

        let mut plan = BufferPlan::new();
        let base = plan.vec3_f32("m", "POSITION", &dense, MinMax::Write).unwrap();
        let target = plan
            .sparse_vec3_f32("m", "POSITION", dense.len(), &indices, &values, MinMax::Write)
            .unwrap();
        // A dense copy of the target is its own base, so their bounds agree.
        prop_assert_eq!(&plan.accessors()[0].min, &plan.accessors()[1].min);
        prop_assert_eq!(&plan.accessors()[0].max, &plan.accessors()[1].max);
        let file = one_primitive(
            Primitive {
                attributes: Attributes { position: Some(base), ..Attributes::default() },
                targets: vec![MorphTarget { position: Some(target), ..MorphTarget::default() }],
                ..Primitive::default()
            },
            plan,
        );
        let gltf = gltf::Gltf::from_slice(&file).unwrap();
        let blob = gltf.blob.as_deref().unwrap();
        let mesh = gltf.meshes().next().unwrap();
        let primitive = mesh.primitives().next().unwrap();
        let reader = primitive.reader(|_| Some(blob));
        let (morph, _, _) = reader.read_morph_targets().next().unwrap();
        prop_assert_eq!(morph.unwrap().collect::<Vec<_>>(), dense);
    }

    /// No bytes at all make the reader panic.
    #[test]
    fn reading_any_bytes_does_not_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = read_glb("any", &bytes);
        // A right header lets the reader come to the chunks.
        let header = b"glTF\x02\0\0\0\0\0\0\0";
        bytes.splice(0..0, header.iter().copied());
        let length = (bytes.len() as u32).to_le_bytes();
        bytes[8..12].copy_from_slice(&length);
        let _ = read_glb("any", &bytes);
    }
}

//! The character that other writers of GLB files were measured with: a body
//! of 13,380 vertices and six smaller meshes, 33,492 in all, 65 joints, face
//! units on three of the meshes, seven materials and three textures.

use dramatis::glb::{
    Attributes, BufferPlan, Image, Index, IndexWidth, Material, Mesh, MimeType, MinMax,
    MorphTarget, Node, PbrMetallicRoughness, Primitive, Root, Scene, Skin, Texture, TextureInfo,
    ViewOptions, write_glb,
};
use serde_json::json;

use super::random::Random;

/// The arrays of a character, as a program has them in memory.
pub struct Arrays {
    parts: Vec<Part>,
    inverse_bind_matrices: Vec<[f32; 16]>,
    images: Vec<Vec<u8>>,
}

/// The arrays of a mesh.
struct Part {
    name: String,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texcoords: Vec<[f32; 2]>,
    joints: Vec<[u8; 4]>,
    weights: Vec<[f32; 4]>,
    indices: Vec<u32>,
    units: Vec<(String, Vec<u32>, Vec<[f32; 3]>)>,
}

impl Arrays {
    /// The same arrays in every run.
    pub fn new() -> Arrays {
        let mut random = Random(1);
        let counts = [(13_380, 26_756, 59), (3_352, 6_700, 20), (3_352, 6_700, 20)];
        let mut parts: Vec<Part> =
            counts.iter().map(|&(v, t, units)| part(&mut random, v, t, units)).collect();
        parts.extend((0..4).map(|_| part(&mut random, 3_352, 6_700, 0)));
        for (i, part) in parts.iter_mut().enumerate() {
            part.name = format!("part{i}");
        }
        let matrix = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
        // Noise, as a PNG's compressed pixels are, of a PNG's size.
        let image = |random: &mut Random| (0..690_000).map(|_| random.next() as u8).collect();
        let images = (0..3).map(|_| image(&mut random)).collect();
        Arrays { parts, inverse_bind_matrices: vec![matrix; 65], images }
    }

    /// The GLB.
    pub fn write(&self) -> Vec<u8> {
        self.try_write().expect("a character that can be written")
    }

    fn try_write(&self) -> dramatis::Result<Vec<u8>> {
        let mut plan = BufferPlan::new();
        let mut root = Root::default();
        let joints: Vec<Index<Node>> = (0..65)
            .map(|i| {
                root.push(Node {
                    name: format!("joint{i}"),
                    translation: Some([0.0, 0.1 * i as f32, 0.02]),
                    rotation: Some([0.0, 0.0, 0.6, 0.8]),
                    ..Node::default()
                })
            })
            .collect();
        for pair in joints.windows(2) {
            root.get_mut(pair[0]).expect("a joint").children.push(pair[1]);
        }
        let matrices = plan.mat4_f32("skin", "inverseBindMatrices", &self.inverse_bind_matrices)?;
        let skin = root.push(Skin {
            name: "skin".into(),
            inverse_bind_matrices: Some(matrices),
            skeleton: Some(joints[0]),
            joints: joints.clone(),
        });
        let mut nodes = vec![joints[0]];
        for (i, part) in self.parts.iter().enumerate() {
            let texture = match self.images.get(i) {
                None => None,
                Some(bytes) => {
                    let buffer_view = plan.add_view(bytes, ViewOptions::default())?;
                    let name = format!("texture{i}");
                    let source =
                        Some(root.push(Image { buffer_view, mime_type: MimeType::Png, name }));
                    Some(root.push(Texture { source, ..Texture::default() }))
                }
            };
            let material = root.push(Material {
                name: format!("material{i}"),
                pbr_metallic_roughness: PbrMetallicRoughness {
                    base_color_texture: texture.map(TextureInfo::new),
                    metallic_factor: 0.0,
                    roughness_factor: 0.6,
                    ..PbrMetallicRoughness::default()
                },
                ..Material::default()
            });
            let mesh = part.mesh(&mut plan, material)?;
            let mesh = Some(root.push(mesh));
            let node = Node { name: part.name.clone(), mesh, skin: Some(skin), ..Node::default() };
            nodes.push(root.push(node));
        }
        root.scene = Some(root.push(Scene { nodes, ..Scene::default() }));
        write_glb(&root, plan)
    }
}

impl Part {
    fn mesh<'a>(
        &'a self,
        plan: &mut BufferPlan<'a>,
        material: Index<Material>,
    ) -> dramatis::Result<Mesh> {
        let name = &self.name;
        let attributes = Attributes {
            position: Some(plan.vec3_f32(name, "POSITION", &self.positions, MinMax::Write)?),
            normal: Some(plan.vec3_f32(name, "NORMAL", &self.normals, MinMax::Omit)?),
            texcoord_0: Some(plan.vec2_f32(name, "TEXCOORD_0", &self.texcoords, MinMax::Omit)?),
            joints_0: Some(plan.joints_u8(name, &self.joints)?),
            weights_0: Some(plan.vec4_f32(name, "WEIGHTS_0", &self.weights, MinMax::Omit)?),
            ..Attributes::default()
        };
        let n = self.positions.len();
        let mut targets = Vec::with_capacity(self.units.len());
        for (_, indices, values) in &self.units {
            let (bounds, attribute) = (MinMax::Write, "POSITION");
            let position = plan.sparse_vec3_f32(name, attribute, n, indices, values, bounds)?;
            targets.push(MorphTarget { position: Some(position), ..MorphTarget::default() });
        }
        let names: Vec<&str> = self.units.iter().map(|unit| unit.0.as_str()).collect();
        Ok(Mesh {
            name: name.clone(),
            primitives: vec![Primitive {
                attributes,
                indices: Some(plan.indices(name, &self.indices, n, IndexWidth::default())?),
                material: Some(material),
                targets,
                ..Primitive::default()
            }],
            weights: vec![0.0; self.units.len()],
            extras: (!names.is_empty()).then(|| json!({ "targetNames": names })),
        })
    }
}

fn part(random: &mut Random, n_vertices: usize, n_triangles: usize, n_units: usize) -> Part {
    let mut vectors = |n: usize| -> Vec<[f32; 3]> { (0..n).map(|_| random.vector()).collect() };
    let (positions, normals) = (vectors(n_vertices), vectors(n_vertices));
    let texcoords = vectors(n_vertices).iter().map(|v| [v[0].abs(), v[1].abs()]).collect();
    let units = (0..n_units)
        .map(|i| {
            let indices = (0..300).map(|k| (k * (n_vertices / 300)) as u32).collect();
            (format!("unit{i}"), indices, vectors(300))
        })
        .collect();
    Part {
        name: String::new(),
        positions,
        normals,
        texcoords,
        joints: (0..n_vertices).map(|_| [random.below(65) as u8, 3, 2, 1]).collect(),
        weights: vec![[0.4, 0.3, 0.2, 0.1]; n_vertices],
        indices: (0..3 * n_triangles).map(|_| random.below(n_vertices) as u32).collect(),
        units,
    }
}

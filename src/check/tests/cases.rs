//! Changes to the good file, each with the rule that it breaks.

use serde_json::{Value, json};

use super::good::*;

/// A change to the good file and the rule that it breaks.
pub type Case = (&'static str, fn(&mut File));

/// Sets a value at a JSON pointer, which may name a new key of an object.
fn set(f: &mut File, pointer: &str, value: Value) {
    let (owner, key) = pointer.rsplit_once('/').unwrap();
    let owner = f.json.pointer_mut(owner).unwrap_or_else(|| panic!("no {owner}"));
    match owner {
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        other => other[key] = value,
    }
}

fn unset(f: &mut File, pointer: &str) {
    let (owner, key) = pointer.rsplit_once('/').unwrap();
    let owner = f.json.pointer_mut(owner).unwrap().as_object_mut().unwrap();
    assert!(owner.shift_remove(key).is_some(), "{pointer}");
}

/// Adds a second primitive to the mesh, like the first.
fn second_primitive(f: &mut File) {
    let first = f.json["meshes"][0]["primitives"][0].clone();
    push(&mut f.json["meshes"][0]["primitives"], first);
}

pub const CASES: &[Case] = &[
    ("json.missing", |f| unset(f, "/asset/version")),
    ("json.missing", |f| unset(f, "/meshes/0/primitives")),
    ("json.type", |f| set(f, "/nodes/0/name", json!(5))),
    ("json.type", |f| set(f, "/nodes/1/translation", json!([0, null, 0]))),
    ("json.range", |f| set(f, "/accessors/0/count", json!(-3))),
    ("json.range", |f| set(f, "/materials/0/alphaCutoff", json!(-1.0))),
    ("json.range", |f| {
        let camera =
            json!({"type": "perspective", "perspective": {"yfov": 1.0, "znear": 2.0, "zfar": 1.0}});
        set(f, "/cameras", json!([camera]));
        set(f, "/nodes/0/camera", json!(0));
    }),
    ("json.length", |f| set(f, "/nodes/1/translation", json!([0, 1]))),
    ("json.length", |f| set(f, "/accessors/0/min", json!([0.0, 0.0]))),
    ("json.empty", |f| set(f, "/cameras", json!([]))),
    ("json.twice", |f| set(f, "/scenes/0/nodes", json!([0, 2, 2]))),
    ("json.value-unknown", |f| set(f, "/materials/0/alphaMode", json!("GLASS"))),
    ("json.value-unknown", |f| set(f, "/samplers/0/wrapS", json!(7))),
    ("json.key-unknown", |f| set(f, "/nodes/0/colour", json!("red"))),
    ("json.integer-as-float", |f| set(f, "/accessors/8/max", json!([3.0]))),
    ("json.integer-as-float", |f| set(f, "/accessors/0/count", json!(4.0))),
    ("json.reference", |f| set(f, "/textures/0/source", json!(9))),
    ("json.reference", |f| set(f, "/animations/0/channels/0/sampler", json!(4))),
    ("json.needs", |f| set(f, "/nodes/0/skin", json!(0))),
    ("json.needs", |f| unset(f, "/images/0/mimeType")),
    ("json.one-of", |f| set(f, "/images/0/uri", json!("data:image/png;base64,iVBORw0KGgo="))),
    ("json.extras", |f| set(f, "/extras", json!(5))),
    ("asset.version", |f| set(f, "/asset/version", json!("1.0"))),
    ("asset.version", |f| set(f, "/asset/version", json!("two"))),
    ("asset.version", |f| set(f, "/asset/minVersion", json!("2.1"))),
    ("asset.minor-version", |f| set(f, "/asset/version", json!("2.9"))),
    ("extension.undeclared", |f| {
        set(f, "/materials/0/extensions", json!({"KHR_materials_unlit": {}}))
    }),
    ("extension.required-unused", |f| {
        set(f, "/extensionsRequired", json!(["KHR_texture_transform"]))
    }),
    ("extension.cannot-be-optional", |f| {
        set(f, "/extensionsUsed", json!(["KHR_mesh_quantization"]))
    }),
    ("extension.place", |f| {
        set(f, "/extensionsUsed", json!(["KHR_materials_sheen"]));
        set(f, "/meshes/0/extensions", json!({"KHR_materials_sheen": {}}));
    }),
    ("extension.name", |f| set(f, "/extensionsUsed", json!(["sheen"]))),
    ("extension.not-checked", |f| {
        set(f, "/extensionsUsed", json!(["KHR_lights_punctual"]));
        set(f, "/extensions", json!({"KHR_lights_punctual": {"lights": 5}}));
    }),
    ("extension.not-checked", |f| set(f, "/extensionsUsed", json!(["ACME_fur"]))),
    ("extension.unused", |f| set(f, "/extensionsUsed", json!(["KHR_materials_unlit"]))),
    ("json.range", |f| {
        set(f, "/extensionsUsed", json!(["KHR_materials_sheen"]));
        set(
            f,
            "/materials/0/extensions",
            json!({"KHR_materials_sheen": {"sheenColorFactor": [2, 0, 0]}}),
        );
    }),
    ("buffer.missing-data", |f| f.bin.clear()),
    ("buffer.no-data", |f| add(&mut f.json["buffers"], json!({"byteLength": 4}))),
    ("buffer.data-uri", |f| {
        add(
            &mut f.json["buffers"],
            json!({"byteLength": 3, "uri": "data:application/octet-stream;base64,AAAA"}),
        );
    }),
    ("buffer.external", |f| {
        add(&mut f.json["buffers"], json!({"byteLength": 4, "uri": "more.bin"}))
    }),
    ("buffer.external", |f| set(f, "/images/0", json!({"uri": "face.png"}))),
    ("buffer.uri-invalid", |f| {
        add(
            &mut f.json["buffers"],
            json!({"byteLength": 9, "uri": "data:application/octet-stream;base64,AAAA"}),
        );
    }),
    ("buffer.uri-invalid", |f| {
        add(&mut f.json["buffers"], json!({"byteLength": 3, "uri": "data:text/plain;base64,AAAA"}));
    }),
    ("glb.bin-length", |f| {
        let more = f.bin.len() + 100;
        set(f, "/buffers/0/byteLength", json!(more));
    }),
    ("glb.bin-extra", |f| f.bin.extend_from_slice(&[0; 40])),
    ("view.range", |f| set(f, "/bufferViews/0/byteLength", json!(100_000))),
    ("view.stride", |f| set(f, "/bufferViews/0/byteStride", json!(14))),
    ("view.stride", |f| set(f, "/bufferViews/0/byteStride", json!(252))),
    ("view.stride", |f| {
        let view = f.view_of(INDICES);
        set(f, &format!("/bufferViews/{view}/byteStride"), json!(4));
    }),
    ("view.use", |f| set(f, "/bufferViews/0/target", json!(34963))),
    ("view.use", |f| set(f, "/images/0/bufferView", json!(0))),
    ("view.target", |f| unset(f, "/bufferViews/0/target")),
    ("view.offset-without-view", |f| set(f, "/accessors/9/byteOffset", json!(0))),
    ("accessor.alignment", |f| {
        set(f, "/accessors/0/byteOffset", json!(2));
        set(f, "/accessors/0/count", json!(3));
    }),
    ("accessor.range", |f| set(f, "/accessors/2/count", json!(400))),
    ("accessor.range", |f| set(f, "/bufferViews/0/byteStride", json!(8))),
    ("accessor.normalized", |f| set(f, "/accessors/0/normalized", json!(true))),
    ("accessor.use", |f| set(f, "/meshes/0/primitives/0/attributes/NORMAL", json!(TURNS))),
    ("accessor.finite", |f| f.poke(0, 4, &f32::NAN.to_le_bytes())),
    ("accessor.finite", |f| f.poke(0, 0, &f32::NEG_INFINITY.to_le_bytes())),
    ("accessor.bounds", |f| set(f, "/accessors/0/max", json!([1.0, 1.25, 0.0]))),
    ("accessor.bounds", |f| set(f, "/accessors/9/min", json!([0.0, 0.25, 0.0]))),
    ("accessor.bounds", |f| set(f, "/accessors/8/max", json!([4]))),
    ("accessor.bounds-value", |f| set(f, "/accessors/8/max", json!([70_000]))),
    ("accessor.bounds-missing", |f| unset(f, "/accessors/0/min")),
    ("accessor.bounds-missing", |f| unset(f, "/accessors/5/max")),
    ("accessor.no-bytes", |f| {
        unset(f, "/accessors/9/sparse");
        set(f, "/accessors/9/max", json!([0, 0, 0]));
    }),
    ("accessor.zeros", |f| unset(f, "/accessors/9/sparse")),
    ("accessor.zeros", |f| unset(f, "/accessors/1/bufferView")),
    ("sparse.count", |f| set(f, "/accessors/9/sparse/count", json!(5))),
    ("sparse.order", |f| {
        let view = f.json["accessors"][TARGET]["sparse"]["indices"]["bufferView"].as_u64().unwrap();
        f.poke(view as usize, 0, &[2, 1]);
    }),
    ("sparse.order", |f| {
        let view = f.json["accessors"][TARGET]["sparse"]["indices"]["bufferView"].as_u64().unwrap();
        f.poke(view as usize, 0, &[1, 9]);
    }),
    ("node.loop", |f| {
        set(f, "/nodes/1/children", json!([0]));
        set(f, "/scenes/0/nodes", json!([2]));
    }),
    ("node.parents", |f| {
        add(&mut f.json["nodes"], json!({"name": "other", "children": [1]}));
        set(f, "/scenes/0/nodes", json!([0, 2, 3]));
    }),
    ("node.matrix", |f| {
        set(f, "/nodes/1/matrix", json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))
    }),
    ("node.matrix", |f| {
        set(f, "/nodes/0/matrix", json!([1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))
    }),
    ("node.rotation", |f| set(f, "/nodes/0/rotation", json!([0.0, 0.0, 0.0, 0.9]))),
    ("node.empty", |f| {
        add(&mut f.json["nodes"], json!({}));
        set(f, "/scenes/0/nodes", json!([0, 2, 3]));
    }),
    ("node.skinned-mesh-moved", |f| set(f, "/nodes/2/translation", json!([1.0, 0.0, 0.0]))),
    ("node.skinned-mesh-not-root", |f| {
        add(&mut f.json["nodes"], json!({"name": "group", "children": [2]}));
        set(f, "/scenes/0/nodes", json!([0, 3]));
    }),
    ("node.skinned-mesh-under-joint", |f| {
        set(f, "/nodes/0/children", json!([1, 2]));
        set(f, "/scenes/0/nodes", json!([0]));
    }),
    ("node.mesh-without-skin", |f| unset(f, "/nodes/2/skin")),
    ("node.skin-without-weights", |f| {
        unset(f, "/meshes/0/primitives/0/attributes/JOINTS_0");
        unset(f, "/meshes/0/primitives/0/attributes/WEIGHTS_0");
    }),
    ("node.joints-not-in-scene", |f| set(f, "/scenes/0/nodes", json!([2]))),
    ("scene.root", |f| set(f, "/scenes/0/nodes", json!([0, 1, 2]))),
    ("name.mesh-as-joint", |f| set(f, "/meshes/0/name", json!("knee"))),
    ("name.mesh-as-joint", |f| set(f, "/nodes/2/name", json!("knee"))),
    ("name.scene-as-joint", |f| set(f, "/scenes/0/name", json!("hip"))),
    ("name.suffix-taken", |f| {
        second_primitive(f);
        set(f, "/nodes/1/name", json!("square_1"));
    }),
    ("name.joint-twice", |f| set(f, "/nodes/1/name", json!("hip"))),
    ("skin.skeleton", |f| set(f, "/skins/0/skeleton", json!(1))),
    ("skin.skeleton", |f| set(f, "/skins/0/joints", json!([0, 2]))),
    ("skin.inverse-bind-matrices", |f| f.poke(f.view_of(BIND), 12, &1f32.to_le_bytes())),
    ("skin.inverse-bind-matrices", |f| set(f, "/accessors/4/count", json!(1))),
    ("skin.inverse-bind-matrices", |f| set(f, "/bufferViews/4/byteStride", json!(64))),
    ("skin.second-unused", |f| add(&mut f.json["skins"], json!({"joints": [1]}))),
    ("skin.joint-scale", |f| set(f, "/nodes/1/scale", json!([1.0, -1.0, 1.0]))),
    ("mesh.attribute-name", |f| set(f, "/meshes/0/primitives/0/attributes/BONES", json!(JOINTS))),
    ("mesh.attribute-sets", |f| set(f, "/meshes/0/primitives/0/attributes/TEXCOORD_2", json!(UV))),
    ("mesh.attribute-sets", |f| unset(f, "/meshes/0/primitives/0/attributes/WEIGHTS_0")),
    ("mesh.attribute-format", |f| {
        set(f, "/meshes/0/primitives/0/attributes/NORMAL", json!(COLOUR))
    }),
    ("mesh.attribute-alignment", |f| {
        // Twelve bytes for four vertices: three of one byte each.
        let view = f.view(&[0; 12], VERTICES);
        let accessor =
            json!({"bufferView": view, "componentType": 5121, "count": 4, "type": "VEC3"});
        let accessor = push(&mut f.json["accessors"], accessor);
        set(f, "/meshes/0/primitives/0/attributes/_IDS", json!(accessor));
    }),
    ("mesh.stride-missing", |f| {
        let accessor = json!({"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"});
        let accessor = push(&mut f.json["accessors"], accessor);
        set(f, "/meshes/0/primitives/0/targets", json!([{"POSITION": TARGET, "NORMAL": accessor}]));
    }),
    ("mesh.attribute-count", |f| set(f, "/accessors/1/count", json!(3))),
    ("mesh.no-position", |f| {
        unset(f, "/meshes/0/primitives/0/attributes/POSITION");
        unset(f, "/meshes/0/primitives/0/targets");
        unset(f, "/meshes/0/weights");
        unset(f, "/meshes/0/extras");
    }),
    ("mesh.tangent-without-normal", |f| {
        unset(f, "/meshes/0/primitives/0/attributes/NORMAL");
        let tangents = f.floats("VEC4", &[1.0, 0.0, 0.0, 1.0].repeat(4), VERTICES);
        set(f, "/meshes/0/primitives/0/attributes/TANGENT", json!(tangents));
    }),
    ("mesh.no-tangents", |f| set(f, "/materials/0/normalTexture", json!({"index": 0}))),
    ("mesh.mode-count", |f| {
        set(f, "/accessors/8/count", json!(5));
        set(f, "/accessors/8/max", json!([2]));
    }),
    ("mesh.degenerate-triangles", |f| f.poke(f.view_of(INDICES), 2, &0u16.to_le_bytes())),
    ("mesh.texture-without-uvs", |f| unset(f, "/meshes/0/primitives/0/attributes/TEXCOORD_0")),
    ("mesh.texture-without-uvs", |f| {
        set(f, "/extensionsUsed", json!(["KHR_texture_transform"]));
        let transform = json!({"KHR_texture_transform": {"texCoord": 1}});
        set(f, "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions", transform);
    }),
    ("mesh.unit-vector", |f| {
        f.poke(f.view_of(NORMAL), 8, &0.98f32.to_le_bytes());
        set(f, "/accessors/1/min", json!([0.0, 0.0, 0.98]));
    }),
    ("mesh.unit-vector", |f| {
        let tangents = f.floats("VEC4", &[1.0, 0.0, 0.0, 0.5].repeat(4), VERTICES);
        set(f, "/meshes/0/primitives/0/attributes/TANGENT", json!(tangents));
    }),
    ("mesh.colour-range", |f| {
        f.poke(f.view_of(COLOUR), 0, &1.5f32.to_le_bytes());
        set(f, "/accessors/10/max", json!([1.5, 0.5, 0.5, 0.5]));
    }),
    ("index.format", |f| set(f, "/accessors/8/componentType", json!(5122))),
    ("index.range", |f| {
        f.poke(f.view_of(INDICES), 0, &4u16.to_le_bytes());
        set(f, "/accessors/8/max", json!([4]));
    }),
    ("index.restart", |f| {
        f.poke(f.view_of(INDICES), 0, &65535u16.to_le_bytes());
        set(f, "/accessors/8/max", json!([65535]));
    }),
    ("index.view-order", |f| {
        let indices = f.view(bytemuck::cast_slice(&[0u16, 1, 2]), Some(34963));
        let accessor =
            json!({"bufferView": indices, "componentType": 5123, "count": 3, "type": "SCALAR"});
        let accessor = push(&mut f.json["accessors"], accessor);
        second_primitive(f);
        set(f, "/meshes/0/primitives/0/indices", json!(accessor));
    }),
    ("weights.joint-range", |f| f.poke(f.view_of(JOINTS), 1, &[2])),
    ("weights.joint-twice", |f| f.poke(f.view_of(JOINTS), 1, &[0])),
    ("weights.unused-joint", |f| f.poke(f.view_of(JOINTS), 2, &[1])),
    ("weights.sum", |f| {
        f.poke(f.view_of(WEIGHTS), 0, &0.499f32.to_le_bytes());
        set(f, "/accessors/3/min", json!([0.499, 0.5, 0.0, 0.0]));
    }),
    ("weights.negative", |f| {
        f.poke(f.view_of(WEIGHTS), 8, &(-0.25f32).to_le_bytes());
        set(f, "/accessors/3/min", json!([0.5, 0.5, -0.25, 0.0]));
    }),
    ("morph.count", |f| {
        second_primitive(f);
        unset(f, "/meshes/0/primitives/1/targets");
    }),
    ("morph.weights", |f| set(f, "/meshes/0/weights", json!([0.0, 0.0]))),
    ("morph.weights", |f| set(f, "/nodes/2/weights", json!([0.0, 0.0]))),
    ("morph.base", |f| {
        unset(f, "/meshes/0/primitives/0/attributes/NORMAL");
        set(f, "/meshes/0/primitives/0/targets", json!([{"POSITION": TARGET, "NORMAL": NORMAL}]));
    }),
    ("morph.base", |f| {
        set(f, "/accessors/9/count", json!(5));
    }),
    ("morph.names", |f| set(f, "/meshes/0/extras/targetNames", json!(["Up", "Down"]))),
    ("morph.names", |f| set(f, "/meshes/0/extras/targetNames", json!([1]))),
    ("morph.name-twice", |f| {
        let targets = json!([{"POSITION": TARGET}, {"POSITION": TARGET}]);
        set(f, "/meshes/0/primitives/0/targets", targets);
        set(f, "/meshes/0/weights", json!([0.0, 0.0]));
        set(f, "/meshes/0/extras/targetNames", json!(["Up", "Up"]));
    }),
    ("morph.mixed-components", |f| {
        set(f, "/extensionsUsed", json!(["KHR_mesh_quantization"]));
        set(f, "/extensionsRequired", json!(["KHR_mesh_quantization"]));
        let view = f.view(&[0; 16], VERTICES);
        set(f, &format!("/bufferViews/{view}/byteStride"), json!(4));
        let small = json!({"bufferView": view, "componentType": 5120, "count": 4, "type": "VEC3",
            "min": [0, 0, 0], "max": [0, 0, 0]});
        let small = push(&mut f.json["accessors"], small);
        let targets = json!([{"POSITION": TARGET}, {"POSITION": small}]);
        set(f, "/meshes/0/primitives/0/targets", targets);
        set(f, "/meshes/0/weights", json!([0.0, 0.0]));
        unset(f, "/meshes/0/extras");
    }),
    ("animation.target", |f| {
        let channel = f.json["animations"][0]["channels"][0].clone();
        add(&mut f.json["animations"][0]["channels"], channel);
    }),
    ("animation.target", |f| {
        set(f, "/animations/0/channels/0/target", json!({"node": 1, "path": "weights"}));
    }),
    ("animation.target-skinned-mesh", |f| {
        set(f, "/animations/0/channels/0/target/node", json!(2));
    }),
    ("animation.input", |f| set(f, "/animations/0/samplers/0/input", json!(TURNS))),
    ("animation.times", |f| {
        f.poke(f.view_of(TIMES), 4, &0f32.to_le_bytes());
        set(f, "/accessors/5/max", json!([0.0]));
    }),
    ("animation.times", |f| {
        f.poke(f.view_of(TIMES), 0, &(-1f32).to_le_bytes());
        set(f, "/accessors/5/min", json!([-1.0]));
    }),
    ("animation.output", |f| {
        set(f, "/animations/0/samplers/0/interpolation", json!("CUBICSPLINE"))
    }),
    ("animation.output", |f| set(f, "/animations/0/channels/0/target/path", json!("scale"))),
    ("animation.quaternion", |f| {
        f.poke(f.view_of(TURNS), 28, &0.7f32.to_le_bytes());
        set(f, "/accessors/6/min", json!([0.0, 0.0, 0.0, 0.7]));
    }),
    ("animation.hemisphere", |f| {
        let flipped = [-0.0f32, -0.6, -0.0, -0.8];
        f.poke(f.view_of(TURNS), 16, bytemuck::cast_slice(&flipped));
        set(f, "/accessors/6/min", json!([0.0, -0.6, 0.0, -0.8]));
        set(f, "/accessors/6/max", json!([0.0, 0.0, 0.0, 1.0]));
    }),
    ("material.cutoff-without-mask", |f| set(f, "/materials/0/alphaCutoff", json!(0.4))),
    ("image.format", |f| {
        let view = f.json["images"][0]["bufferView"].as_u64().unwrap() as usize;
        f.poke(view, 0, b"text");
    }),
    ("image.mime-type", |f| set(f, "/images/0/mimeType", json!("image/jpeg"))),
    ("image.damaged", |f| {
        let view = f.json["images"][0]["bufferView"].as_u64().unwrap() as usize;
        f.poke(view, 16, &[0; 4]);
    }),
    ("image.damaged-data", |f| {
        let view = f.json["images"][0]["bufferView"].as_u64().unwrap() as usize;
        f.poke(view, 49, &[9]);
    }),
    ("image.damaged-data", |f| {
        let view = f.json["images"][0]["bufferView"].as_u64().unwrap();
        set(f, &format!("/bufferViews/{view}/byteLength"), json!(50));
    }),
    ("object.unused", |f| add(&mut f.json["materials"], json!({}))),
    ("object.unused", |f| {
        let sampler = f.json["animations"][0]["samplers"][0].clone();
        add(&mut f.json["animations"][0]["samplers"], sampler);
    }),
];

//! A good file, in parts that can be changed.

use serde_json::{Value, json};

use crate::check::{Report, check_glb};
use crate::glb::of_chunks;

/// A good file in parts: its document, and the bytes of its binary chunk.
#[derive(Clone)]
pub struct File {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl File {
    /// Adds bytes as a view; the answer is its index.
    pub fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let mut view =
            json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.bin.extend_from_slice(bytes);
        self.json["buffers"][0]["byteLength"] = self.bin.len().into();
        push(&mut self.json["bufferViews"], view)
    }

    /// Adds an accessor over floats.
    pub fn floats(&mut self, kind: &str, values: &[f32], target: Option<u32>) -> usize {
        let view = self.view(bytemuck::cast_slice(values), target);
        let n = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let of = |pick: fn(f32, f32) -> f32, start: f32| -> Vec<f32> {
            let slot = |s: usize| values.iter().skip(s).step_by(n).fold(start, |a, b| pick(a, *b));
            (0..n).map(slot).collect()
        };
        let (min, max) = (of(f32::min, f32::INFINITY), of(f32::max, f32::NEG_INFINITY));
        let accessor = json!({"bufferView": view, "componentType": 5126, "type": kind,
            "count": values.len() / n, "min": min, "max": max});
        push(&mut self.json["accessors"], accessor)
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut json = self.json.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        match bin.is_empty() {
            true => of_chunks(&[(b"JSON", &json)]),
            false => of_chunks(&[(b"JSON", &json), (b"BIN\0", &bin)]),
        }
    }

    pub fn check(&self) -> Report {
        check_glb("t.glb", &self.bytes())
    }

    /// Overwrites bytes of a view.
    pub fn poke(&mut self, view: usize, at: usize, bytes: &[u8]) {
        let offset = self.json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize;
        self.bin[offset + at..offset + at + bytes.len()].copy_from_slice(bytes);
    }

    /// The view of an accessor.
    pub fn view_of(&self, accessor: usize) -> usize {
        self.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize
    }
}

pub fn push(list: &mut Value, item: Value) -> usize {
    if list.is_null() {
        *list = json!([]);
    }
    let list = list.as_array_mut().unwrap();
    list.push(item);
    list.len() - 1
}

pub fn add(list: &mut Value, item: Value) {
    push(list, item);
}

// The accessors of the good file, by index.
pub const POSITION: usize = 0;
pub const NORMAL: usize = 1;
pub const UV: usize = 2;
pub const WEIGHTS: usize = 3;
pub const BIND: usize = 4;
pub const TIMES: usize = 5;
pub const TURNS: usize = 6;
pub const JOINTS: usize = 7;
pub const INDICES: usize = 8;
pub const TARGET: usize = 9;
pub const COLOUR: usize = 10;

pub const VERTICES: Option<u32> = Some(34962);

/// A square on two joints, with a picture, a target and a clip.
pub fn good() -> File {
    let mut f = File {
        json: json!({
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0, 2], "name": "all"}],
            "nodes": [
                {"name": "hip", "children": [1]},
                {"name": "knee", "translation": [0.0, 1.0, 0.0]},
                {"name": "square", "mesh": 0, "skin": 0}
            ],
            "skins": [{"joints": [0, 1], "skeleton": 0, "inverseBindMatrices": BIND}],
            "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            "textures": [{"source": 0, "sampler": 0}],
            "samplers": [{"magFilter": 9729}],
            "buffers": [{"byteLength": 0}],
        }),
        bin: Vec::new(),
    };
    let square = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    assert_eq!(f.floats("VEC3", &square, VERTICES), POSITION);
    assert_eq!(f.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4), VERTICES), NORMAL);
    assert_eq!(f.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0], VERTICES), UV);
    assert_eq!(f.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(4), VERTICES), WEIGHTS);
    let mut bind =
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0].repeat(2);
    bind[29] = -1.0;
    assert_eq!(f.floats("MAT4", &bind, None), BIND);
    assert_eq!(f.floats("SCALAR", &[0.0, 1.0], None), TIMES);
    assert_eq!(f.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8], None), TURNS);
    let joints = f.view(&[0u8, 1, 0, 0].repeat(4), VERTICES);
    let accessor = json!({"bufferView": joints, "componentType": 5121, "count": 4, "type": "VEC4"});
    assert_eq!(push(&mut f.json["accessors"], accessor), JOINTS);
    let indices = f.view(bytemuck::cast_slice(&[0u16, 1, 2, 0, 2, 3]), Some(34963));
    let accessor = json!({"bufferView": indices, "componentType": 5123, "count": 6, "type": "SCALAR",
        "min": [0], "max": [3]});
    assert_eq!(push(&mut f.json["accessors"], accessor), INDICES);
    let (which, moved) = (
        f.view(&[1, 2], None),
        f.view(bytemuck::cast_slice(&[0.0f32, 0.25, 0.0, 0.0, 0.5, 0.0]), None),
    );
    let accessor = json!({"componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0],
        "max": [0, 0.5, 0], "sparse": {"count": 2,
        "indices": {"bufferView": which, "componentType": 5121}, "values": {"bufferView": moved}}});
    assert_eq!(push(&mut f.json["accessors"], accessor), TARGET);
    assert_eq!(f.floats("VEC4", &[0.5; 16], VERTICES), COLOUR);
    let picture = f.view(&picture(), None);
    f.json["images"] = json!([{"bufferView": picture, "mimeType": "image/png"}]);
    f.json["meshes"] = json!([{
        "name": "square", "weights": [0.0], "extras": {"targetNames": ["Up"]},
        "primitives": [{"indices": INDICES, "material": 0, "targets": [{"POSITION": TARGET}],
            "attributes": {"POSITION": POSITION, "NORMAL": NORMAL, "TEXCOORD_0": UV,
                "COLOR_0": COLOUR, "JOINTS_0": JOINTS, "WEIGHTS_0": WEIGHTS}}]
    }]);
    f.json["animations"] = json!([{
        "samplers": [{"input": TIMES, "output": TURNS}],
        "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]
    }]);
    f
}

/// A PNG of one grey pixel.
pub fn picture() -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], content: &[u8]| {
        png.extend_from_slice(&(content.len() as u32).to_be_bytes());
        let mut crc = flate2::Crc::new();
        crc.update(kind);
        crc.update(content);
        png.extend_from_slice(kind);
        png.extend_from_slice(content);
        png.extend_from_slice(&crc.sum().to_be_bytes());
    };
    chunk(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    // One row in a stored block of zlib: filter 0, value 128.
    chunk(b"IDAT", &[0x78, 0x01, 0x01, 2, 0, 0xfd, 0xff, 0, 128, 0, 130, 0, 129]);
    chunk(b"IEND", &[]);
    png
}

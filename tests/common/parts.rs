//! Files taken apart, changed and put together again.

#![allow(dead_code, reason = "each test binary uses its own part of this file")]

use serde_json::Value;

/// A character's file taken apart, to be put together again with a change.
#[derive(Clone)]
pub struct File {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl File {
    pub fn of(bytes: &[u8]) -> File {
        let view = dramatis::glb::read_glb("t", bytes).unwrap();
        let json = serde_json::from_slice(view.json).unwrap();
        File { json, bin: view.bin.unwrap_or_default().to_vec() }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut json = self.json.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, content) in [(b"JSON", &json), (b"BIN\0", &self.bin)] {
            file.extend_from_slice(&(content.len() as u32).to_le_bytes());
            file.extend_from_slice(kind);
            file.extend_from_slice(content);
        }
        let length = (file.len() as u32).to_le_bytes();
        file[8..12].copy_from_slice(&length);
        file
    }

    /// The place of an accessor's bytes in the binary chunk.
    pub fn bytes_of(&self, accessor: &Value) -> usize {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        (accessor["byteOffset"].as_u64().unwrap_or(0) + view["byteOffset"].as_u64().unwrap_or(0))
            as usize
    }

    pub fn block(&mut self) -> &mut Value {
        &mut self.json["asset"]["extras"]["dramatis"]
    }
}

/// Takes a key away, which must be there.
pub fn take(value: &mut Value, key: &str) {
    assert!(value.as_object_mut().unwrap().shift_remove(key).is_some(), "no {key}");
}

/// Findings as lines, for comparing and for messages.
pub fn described(report: &dramatis::check::Report) -> Vec<String> {
    let line = |f: &dramatis::check::Finding| {
        format!("{} {}: {}, not {}", f.rule, f.path, f.found, f.expected)
    };
    report.findings.iter().map(line).collect()
}

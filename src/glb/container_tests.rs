//! Tests of the container: exact bytes, limits, and files that lie.

use serde_json::json;

use super::*;
use crate::glb::{Node, Scene, ViewOptions};

/// A valid file with both chunks.
fn small() -> Vec<u8> {
    let mut root = Root::default();
    root.push(Scene { name: "small".into(), ..Scene::default() });
    let mut plan = BufferPlan::new();
    plan.add_view(vec![1u8, 2, 3, 4, 5], ViewOptions::default()).unwrap();
    write_glb(&root, plan).unwrap()
}

/// A file of these chunks, with a header that agrees with them.
pub(crate) fn of_chunks(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, content) in chunks {
        start_chunk(&mut file, kind, content.len() as u32);
        file.extend_from_slice(content);
    }
    set_length(&mut file);
    file
}

fn set_length(file: &mut [u8]) {
    let length = (file.len() as u32).to_le_bytes();
    file[8..12].copy_from_slice(&length);
}

fn message(bytes: &[u8]) -> String {
    read_glb("a.glb", bytes).unwrap_err().to_string()
}

#[test]
fn without_bytes_there_is_neither_buffer_nor_chunk() {
    let file = write_glb(&Root::default(), BufferPlan::new()).unwrap();
    let expected = of_chunks(&[(JSON, br#"{"asset":{"version":"2.0"}} "#)]);
    assert_eq!(file, expected);
    let view = read_glb("a.glb", &file).unwrap();
    assert_eq!(view.bin, None);
}

#[test]
fn the_bytes_are_exact() {
    let json = concat!(
        r#"{"asset":{"version":"2.0"},"scenes":[{"name":"small"}],"#,
        r#""bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":5}],"#,
        r#""buffers":[{"byteLength":5}]}"#
    );
    let padded = format!("{json:<width$}", width = json.len().next_multiple_of(4));
    let expected = of_chunks(&[(JSON, padded.as_bytes()), (BIN, &[1, 2, 3, 4, 5, 0, 0, 0])]);
    let file = small();
    assert_eq!(file, expected);
    assert_eq!(file.capacity(), file.len(), "the file is allocated once");
    let view = read_glb("a.glb", &file).unwrap();
    assert_eq!(view.json, padded.as_bytes());
    assert_eq!(view.bin, Some(&[1, 2, 3, 4, 5, 0, 0, 0][..]));
}

#[test]
fn sizes_are_checked_in_64_bits() {
    assert_eq!(Sizes::of(27, 5).unwrap(), Sizes { file: 64, json: 28, bin: 8 });
    assert_eq!(Sizes::of(28, 0).unwrap(), Sizes { file: 48, json: 28, bin: 0 });
    let max = u64::from(u32::MAX);
    // The longest file is a multiple of 4, so 3 bytes short of the limit.
    let longest = max - 3 - 12 - 8 - 8 - 28;
    assert_eq!(Sizes::of(28, longest).unwrap().file, u32::MAX - 3);
    let error = Sizes::of(28, longest + 1).unwrap_err();
    assert!(matches!(error, Error::Limit { found, limit, .. }
        if found == max + 1 && limit == max));
    assert!(Sizes::of(u64::MAX, u64::MAX).is_err());
}

#[test]
fn a_number_that_is_not_finite_is_refused_with_its_path() {
    let mut root = Root::default();
    root.push(Node::default());
    root.push(Node { rotation: Some([0.0, f32::NAN, 0.0, 1.0]), ..Node::default() });
    let error = write_glb(&root, BufferPlan::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "glTF document: $.nodes[1].rotation[1]: found null, or a number that is not finite, \
         expected a finite number"
    );
}

#[test]
fn null_is_allowed_in_extras() {
    let mut root = Root::default();
    root.asset.extras = Some(json!({ "spec": { "beard": null } }));
    write_glb(&root, BufferPlan::new()).unwrap();
}

#[test]
fn every_truncation_is_an_error() {
    let file = small();
    for length in 0..file.len() {
        assert!(read_glb("a.glb", &file[..length]).is_err(), "{length} bytes");
        // Also when the header agrees with the shorter file, except where a
        // whole chunk was cut off.
        let mut shorter = file[..length].to_vec();
        if length >= HEADER_BYTES {
            set_length(&mut shorter);
        }
        let end_of_json = file.len() - CHUNK_HEADER_BYTES - 8;
        let result = read_glb("a.glb", &shorter);
        assert_eq!(result.is_ok(), length == end_of_json, "{length} bytes");
    }
    let mut longer = file.clone();
    longer.push(0);
    assert!(message(&longer).contains("the file's own length"));
}

#[test]
fn faults_are_told_apart() {
    let file = small();
    let with = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        message(&file)
    };
    assert_eq!(
        with(0, b'G'),
        "a.glb: GLB header: found `GlTF`, expected `glTF`, the mark of a GLB file"
    );
    assert_eq!(with(4, 1), "a.glb: GLB header: found version 1, expected version 2");
    assert!(with(12, 1).contains("chunk 0: found a length of"), "{}", with(12, 1));
    assert!(with(12, 1).ends_with("expected a multiple of 4"));
    assert!(with(15, 0x7f).contains("bytes that follow"));
    assert_eq!(with(16, b'j'), "a.glb: GLB chunk 0: found type `jSON`, expected type `JSON`");
    assert_eq!(message(b"glTF"), "a.glb: GLB header: found 4 bytes, expected at least 12 bytes");
}

#[test]
fn chunks_come_in_order_and_unknown_ones_are_passed_over() {
    let (json, bin) = (b"{}  ", [1, 2, 3, 4]);
    let view = of_chunks(&[(JSON, json), (BIN, &bin), (b"ABCD", &[]), (b"EFGH", &bin)]);
    assert_eq!(read_glb("a", &view).unwrap(), GlbView { json, bin: Some(&bin), unknown_chunks: 2 });
    let view = of_chunks(&[(JSON, json), (b"ABCD", &bin)]);
    assert_eq!(read_glb("a", &view).unwrap(), GlbView { json, bin: None, unknown_chunks: 1 });
    for wrong in [
        of_chunks(&[]),
        of_chunks(&[(BIN, &bin), (JSON, json)]),
        of_chunks(&[(JSON, json), (JSON, json)]),
        of_chunks(&[(JSON, json), (BIN, &bin), (BIN, &bin)]),
        of_chunks(&[(JSON, json), (b"ABCD", &bin), (BIN, &bin)]),
    ] {
        assert!(read_glb("a", &wrong).is_err());
    }
}

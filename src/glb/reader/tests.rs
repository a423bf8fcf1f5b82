use super::*;
use crate::Error;
use crate::glb::container::tests::of_chunks;

/// A GLB of this JSON and these bytes.
fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let json = format!("{json:<width$}", width = json.len().next_multiple_of(4));
    of_chunks(&[(b"JSON", json.as_bytes()), (b"BIN\0", bin)])
}

fn rows(accessor: &AccessorReader<'_>) -> Vec<Vec<f64>> {
    let mut out = Vec::new();
    accessor.for_each(|i, row| {
        assert_eq!(i, out.len());
        out.push(row.to_vec());
    });
    out
}

/// Views over eight bytes (0 to 7) and, from 8 on, the floats 1, 2 and 3.
const DOCUMENT: &str = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":20}],
"bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":12},
{"buffer":0,"byteLength":8,"byteStride":4}],"accessors":["#;

fn with_accessor(accessor: &str) -> Vec<u8> {
    let mut bin: Vec<u8> = (0..8).collect();
    for x in [1f32, 2.0, 3.0] {
        bin.extend_from_slice(&x.to_le_bytes());
    }
    glb(&format!("{DOCUMENT}{accessor}]}}"), &bin)
}

fn read(accessor: &str) -> Vec<Vec<f64>> {
    let bytes = with_accessor(accessor);
    let glb = Glb::open("t.glb", &bytes).unwrap();
    rows(&AccessorReader::open(&glb, "t.glb", 0).unwrap())
}

fn refused(accessor: &str) -> String {
    let bytes = with_accessor(accessor);
    let glb = Glb::open("t.glb", &bytes).unwrap();
    AccessorReader::open(&glb, "t.glb", 0).unwrap_err().to_string()
}

#[test]
fn elements_are_read_packed_strided_and_as_columns() {
    assert_eq!(
        read(r#"{"bufferView":1,"componentType":5126,"count":3,"type":"SCALAR"}"#),
        [[1.0], [2.0], [3.0]]
    );
    assert_eq!(
        read(r#"{"bufferView":0,"componentType":5123,"count":2,"type":"VEC2"}"#),
        [[256.0, 770.0], [1284.0, 1798.0]]
    );
    assert_eq!(
        read(r#"{"bufferView":2,"byteOffset":1,"componentType":5121,"count":2,"type":"VEC2"}"#),
        [[1.0, 2.0], [5.0, 6.0]]
    );
    // The second column of bytes starts at the fourth byte.
    assert_eq!(
        read(r#"{"bufferView":0,"componentType":5120,"count":1,"type":"MAT2"}"#),
        [[0.0, 1.0, 4.0, 5.0]]
    );
}

#[test]
fn sparse_elements_replace_zeros_or_the_base() {
    let sparse = r#""sparse":{"count":2,"indices":{"bufferView":0,"byteOffset":1,
        "componentType":5121},"values":{"bufferView":1}}}"#;
    assert_eq!(
        read(&format!(r#"{{"componentType":5126,"count":4,"type":"SCALAR",{sparse}"#)),
        [[0.0], [1.0], [2.0], [0.0]]
    );
    assert_eq!(
        read(&format!(
            r#"{{"bufferView":1,"componentType":5126,"count":3,"type":"SCALAR",{sparse}"#
        )),
        [[1.0], [1.0], [2.0]]
    );
    // Neither view nor sparse is legal and all zeros.
    assert_eq!(read(r#"{"componentType":5126,"count":2,"type":"SCALAR"}"#), [[0.0], [0.0]]);
}

#[test]
fn what_lies_outside_the_file_is_named() {
    for (accessor, message) in [
        (
            r#"{"bufferView":1,"componentType":5126,"count":4,"type":"SCALAR"}"#,
            "t.glb: $.accessors[0]: found 4 elements of 4 bytes from 0, expected an end within its 12 bytes",
        ),
        (
            r#"{"bufferView":1,"componentType":5126,"count":9007199254740991,"type":"MAT4"}"#,
            "expected an end within its 12 bytes",
        ),
        (
            r#"{"bufferView":9,"componentType":5126,"count":1,"type":"SCALAR"}"#,
            "$.accessors[0].bufferView: found 9, expected the number of one of the 3 buffer views",
        ),
        (
            r#"{"componentType":5126,"count":4000000000,"type":"SCALAR"}"#,
            "$.accessors[0].count: found 4000000000, expected at most 65535 elements",
        ),
        (
            r#"{"bufferView":1,"componentType":5124,"count":1,"type":"SCALAR"}"#,
            "$.accessors[0].componentType: found 5124, expected one of 5120, 5121",
        ),
        (
            r#"{"bufferView":1,"componentType":5126,"count":1,"type":"VEC5"}"#,
            "$.accessors[0].type: found \"VEC5\", expected SCALAR",
        ),
        (
            r#"{"bufferView":1,"componentType":5126,"count":1.5,"type":"SCALAR"}"#,
            "$.accessors[0].count: found 1.5, expected a whole number",
        ),
        (
            r#"{"bufferView":2,"componentType":5126,"count":1,"type":"VEC2"}"#,
            "found a stride of 4, expected at least the element's 8 bytes",
        ),
        (
            r#"{"componentType":5126,"count":2,"type":"SCALAR","sparse":{"count":1,
            "indices":{"bufferView":0,"byteOffset":7,"componentType":5121},
            "values":{"bufferView":1}}}"#,
            "$.accessors[0].sparse.indices element 0: found 7, expected less than",
        ),
        (
            r#"{"componentType":5126,"count":2,"type":"SCALAR","sparse":{"count":0,
            "indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":1}}}"#,
            "$.accessors[0].sparse.count: found 0, expected 1 to 2",
        ),
    ] {
        let found = refused(accessor);
        assert!(found.contains(message), "{found}\nshould have {message}");
    }
}

#[test]
fn json_keeps_what_stands_in_the_file() {
    let text = br#"{"a":1,"b":1.0,"c":"x\n","d":[true,null],"e":18446744073709551615}"#;
    let json = Json::parse("t", text, 1000).unwrap();
    assert_eq!(json.get("a"), Some(&Json::Int(1)));
    assert_eq!(json.get("b"), Some(&Json::Float(1.0)));
    assert_eq!(json.get("b").unwrap().as_index(), Some(1));
    assert_eq!(json.get("c").unwrap().as_str(), Some("x\n"));
    assert_eq!(json.list("d"), [Json::Bool(true), Json::Null]);
    assert_eq!(json.get("e").unwrap().as_index(), None);
    // As in the languages that most readers are written in, a whole number
    // that is too large for 64 signed bits is the nearest double.
    assert_eq!(json.get("e"), Some(&Json::Float(2f64.powi(64))));
    let text = br#"{"a":1,"b":1.0,"c":"x\n","d":[true,null,-2,1e-3],"e":{}}"#;
    let value: serde_json::Value = serde_json::from_slice(text).unwrap();
    assert_eq!(Json::parse("t", text, 1000).unwrap().to_value(), value);
}

#[test]
fn a_key_given_twice_is_refused_in_small_and_large_objects() {
    for n in [1, 15, 16, 17, 100] {
        let keys: Vec<String> = (0..n).map(|i| format!("\"k{i}\":0")).collect();
        let text = format!("{{{}}}", keys.join(","));
        assert!(Json::parse("t", text.as_bytes(), 0).is_ok());
        for again in [0, n - 1] {
            let text = format!("{{{},\"k{again}\":1}}", keys.join(","));
            let e = Json::parse("t", text.as_bytes(), 0).unwrap_err().to_string();
            assert!(e.contains(&format!("the key `k{again}` twice")), "{e}");
        }
    }
}

#[test]
fn json_that_would_fill_the_memory_is_refused() {
    let text = format!("[{}0]", "0,".repeat(1 << 21));
    let error = Json::parse("t.glb", text.as_bytes(), text.len()).unwrap_err();
    assert!(matches!(error, Error::Limit { limit, .. } if limit == 64 << 20));
    // What stands inside a string costs nothing.
    let text = format!("[\"{}\"]", "0,[{:\\\"".repeat(1 << 16));
    assert!(Json::parse("t.glb", text.as_bytes(), text.len()).is_ok());
}

/// Whatever single bits are turned over or bytes cut off, reading ends.
#[test]
fn damaged_files_end_in_an_error_or_a_clean_read() {
    let whole = with_accessor(
        r#"{"componentType":5126,"count":4,"type":"SCALAR","sparse":{"count":2,
        "indices":{"bufferView":0,"byteOffset":1,"componentType":5121},
        "values":{"bufferView":1}}},{"bufferView":1,"componentType":5126,"count":3,
        "type":"SCALAR"}"#,
    );
    let visit = |bytes: &[u8]| -> usize {
        let Ok(glb) = Glb::open("t.glb", bytes) else { return 0 };
        let readers = (0..2).filter_map(|i| AccessorReader::open(&glb, "t.glb", i).ok());
        readers.map(|reader| rows(&reader).len()).sum()
    };
    assert_eq!(visit(&whole), 7);
    for end in 0..whole.len() {
        assert_eq!(visit(&whole[..end]), 0, "cut at {end}");
    }
    let mut refused = 0;
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            refused += usize::from(visit(&bytes) < 7);
        }
    }
    assert!(refused > whole.len(), "only {refused} of the damaged files were noticed");
}

//! Reading GLB files that were damaged: every one ends in an error or a clean
//! read, never in a panic or in more memory than four times the file.
//!
//! One test only, since the allocator counts for the whole process.

mod common;

#[path = "../benches/support/random.rs"]
#[allow(dead_code)] // The benches use more of it.
mod random;

use dramatis::check::{Outcome, check_glb};
use dramatis::glb::reader::{AccessorReader, Glb};
use dramatis::{CharacterSpec, ExportOptions};
use peak_alloc::PeakAlloc;
use random::Random;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What any reading may take besides, such as the text of an error.
const SLACK_BYTES: usize = 1 << 17;

/// What a check may take besides for its findings, of which it keeps 20 for
/// each of a hundred rules, and the places of some more.
const CHECK_BYTES: usize = 1 << 20;

/// Reads the document and, with `data`, every element of every accessor. Says
/// whether all of it could be read.
fn reads(bytes: &[u8], data: bool) -> bool {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let read = || -> dramatis::Result<()> {
        let glb = Glb::open("damaged.glb", bytes)?;
        for i in 0..glb.json.list("accessors").len() {
            let reader = AccessorReader::open(&glb, "damaged.glb", i)?;
            let mut n = 0;
            if data {
                reader.for_each(|_, _| n += 1);
                assert_eq!(n, reader.count);
            }
        }
        Ok(())
    };
    let result = read();
    if let Err(e) = &result {
        assert!(e.to_string().starts_with("damaged.glb: "), "{e}");
    }
    let took = ALLOCATOR.peak_usage().saturating_sub(before);
    // The file itself is the fourth part.
    assert!(took <= 3 * bytes.len() + SLACK_BYTES, "{took} bytes for {}", bytes.len());
    result.is_ok()
}

/// Checks the file: whatever is in it, the checker ends, without panicking and
/// in little memory. Says whether it found no error.
fn checks(bytes: &[u8]) -> bool {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let report = check_glb("damaged.glb", bytes);
    let took = ALLOCATOR.peak_usage().saturating_sub(before);
    assert!(took <= 3 * bytes.len() + CHECK_BYTES, "{took} bytes for {}", bytes.len());
    report.outcome() == Outcome::Accept
}

/// The file cut to `end` bytes, with a header that says so.
fn cut(file: &[u8], end: usize) -> Vec<u8> {
    let mut bytes = file[..end].to_vec();
    if end >= 12 {
        bytes[8..12].copy_from_slice(&(end as u32).to_le_bytes());
    }
    bytes
}

/// A character without its face, whose JSON is short enough to try a change
/// at every byte of it.
fn sample(face_units: bool) -> Vec<u8> {
    let options = ExportOptions { face_units, ..ExportOptions::default() };
    common::exporter().export(&CharacterSpec::new("Ada"), &options).unwrap().bytes
}

/// A file of some 600 bytes with a packed, a strided and a sparse accessor.
fn small() -> Vec<u8> {
    let json = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":64}],"bufferViews":[
        {"buffer":0,"byteLength":24},{"buffer":0,"byteOffset":24,"byteLength":40,"byteStride":8}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"},
        {"bufferView":1,"byteOffset":2,"componentType":5121,"count":5,"type":"VEC4"},
        {"componentType":5126,"count":9,"type":"VEC3","sparse":{"count":1,"indices":
        {"bufferView":0,"componentType":5123},"values":{"bufferView":1}}}],"x":"\u00e9"}"#;
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend_from_slice(&(28 + json.len() as u32 + 64).to_le_bytes());
    file.extend_from_slice(&(json.len() as u32).to_le_bytes());
    file.extend_from_slice(b"JSON");
    file.extend_from_slice(&json);
    file.extend_from_slice(b"\x40\0\0\0BIN\0");
    file.resize(file.len() + 64, 0);
    file
}

#[test]
fn damaged_files_end_in_an_error_or_a_clean_read() {
    let plain = sample(false);
    let json_end = 20 + u32::from_le_bytes(plain[12..16].try_into().unwrap()) as usize;
    assert!(reads(&plain, true));
    assert!(reads(&sample(true), true));

    // As it is, a cut file contradicts its header; mended, its chunks.
    for end in 0..plain.len() {
        assert!(!reads(&plain[..end], false), "cut at {end}");
        // A copy of the whole file for each place would take minutes.
        if end < json_end + 64 || end % 997 == 0 {
            assert!(!reads(&cut(&plain, end), false), "cut at {end}");
        }
    }

    let mut random = Random(1);
    assert!(checks(&plain));
    let (mut noticed, mut told) = (0, 0);
    let mut bytes = plain.clone();
    for at in 20..json_end {
        let was = bytes[at];
        bytes[at] ^= 1 << random.below(8);
        noticed += usize::from(!reads(&bytes, at % 64 == 0));
        // The checker reads the whole file each time.
        if at % 16 == 0 {
            told += usize::from(!checks(&bytes));
        }
        bytes[at] = was;
    }
    assert!(noticed > json_end / 4, "{noticed} of {json_end} flips were noticed");
    assert!(told > json_end / 16 / 2, "{told} of {} flips were told", json_end / 16);
    for end in (0..plain.len()).step_by(4001) {
        assert!(!checks(&cut(&plain, end)), "cut at {end}");
    }

    let small = small();
    assert!(reads(&small, true));
    let mut noticed = 0;
    for _ in 0..100_000 {
        let mut bytes = small.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = b"0123456789-.eE\"[]{}:, "[random.below(22)],
                2 => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, b'0' + random.below(10) as u8),
            }
        }
        // Most changes of length are caught by the header; here it agrees.
        let end = bytes.len();
        let bytes = cut(&bytes, end);
        noticed += usize::from(!reads(&bytes, true));
        checks(&bytes);
    }
    assert!((10_000..100_000).contains(&noticed), "{noticed} of 100000 were noticed");
}

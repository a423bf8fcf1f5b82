//! The GLB container (glTF 2.0, chapter 4): a header, a chunk of JSON and a
//! chunk of bytes.

use std::io;

use serde::Serialize;
use serde_json::Value;

use super::accessors::{Accessor, Buffer, BufferView};
use super::buffers::{BufferPlan, DOCUMENT};
use super::document::Root;
use crate::{Error, Result};

/// The first bytes of every GLB.
const MAGIC: &[u8; 4] = b"glTF";
/// The container's version (section 4.4.2).
const VERSION: u32 = 2;
/// Magic, version and length.
const HEADER_BYTES: usize = 12;
/// A chunk's length and type.
const CHUNK_HEADER_BYTES: usize = 8;
/// Chunks are padded to this (section 4.4.3.1).
const CHUNK_ALIGN: usize = 4;
/// The type of the JSON chunk.
const JSON: &[u8; 4] = b"JSON";
/// The type of the binary chunk.
const BIN: &[u8; 4] = b"BIN\0";

/// Writes a whole GLB file.
///
/// Fails with [`Error::Limit`] when the file would be longer than the
/// 32 bits of its header say, and with [`Error::Input`] when the document
/// has a number that is not finite, which JSON has no words for.
pub fn write_glb(root: &Root, plan: BufferPlan<'_>) -> Result<Vec<u8>> {
    let json = write_json(root, &plan)?;
    let sizes = Sizes::of(json.len() as u64, u64::from(plan.byte_length()))?;
    let mut file = Vec::with_capacity(sizes.file as usize);
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&sizes.file.to_le_bytes());

    // JSON is padded with spaces, bytes with zeros (section 4.4.3).
    start_chunk(&mut file, JSON, sizes.json);
    file.extend_from_slice(&json);
    pad(&mut file, b' ');
    if plan.byte_length() > 0 {
        start_chunk(&mut file, BIN, sizes.bin);
        plan.fill(&mut file);
        pad(&mut file, 0);
    }
    debug_assert_eq!(file.len(), sizes.file as usize);
    Ok(file)
}

/// The lengths that the container's headers say.
#[derive(Debug, PartialEq, Eq)]
struct Sizes {
    /// The whole file.
    file: u32,
    /// The JSON chunk's content with padding.
    json: u32,
    /// The binary chunk's content with padding; the chunk is left out when
    /// it is 0 (section 4.4.3.3).
    bin: u32,
}

impl Sizes {
    /// The lengths for contents that are not padded yet.
    fn of(json: u64, bin: u64) -> Result<Sizes> {
        let padded = |length: u64| length.checked_next_multiple_of(CHUNK_ALIGN as u64);
        let chunk = |length: u64| padded(length)?.checked_add(CHUNK_HEADER_BYTES as u64);
        let file = || {
            let bin = if bin == 0 { 0 } else { chunk(bin)? };
            chunk(json)?.checked_add(bin)?.checked_add(HEADER_BYTES as u64)
        };
        let found = file().unwrap_or(u64::MAX);
        let limit = u64::from(u32::MAX);
        let file = u32::try_from(found).map_err(|_| Error::Limit {
            what: "the length in bytes of the GLB file".into(),
            found,
            limit,
        })?;
        // The parts are shorter than the whole, which fits.
        let part = |length: u64| padded(length).unwrap_or(limit) as u32;
        Ok(Sizes { file, json: part(json), bin: part(bin) })
    }
}

fn start_chunk(file: &mut Vec<u8>, kind: &[u8; 4], length: u32) {
    file.extend_from_slice(&length.to_le_bytes());
    file.extend_from_slice(kind);
}

fn pad(file: &mut Vec<u8>, byte: u8) {
    file.resize(file.len().next_multiple_of(CHUNK_ALIGN), byte);
}

/// The root object of the file (section 5.17), joined of the document and
/// the arrays that the plan keeps.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Whole<'a> {
    #[serde(flatten)]
    root: &'a Root,
    #[serde(skip_serializing_if = "is_empty")]
    accessors: &'a [Accessor],
    #[serde(skip_serializing_if = "is_empty")]
    buffer_views: &'a [BufferView],
    #[serde(skip_serializing_if = "is_empty")]
    buffers: &'a [Buffer],
}

fn is_empty<T>(list: &&[T]) -> bool {
    list.is_empty()
}

/// The JSON chunk's content without padding.
fn write_json(root: &Root, plan: &BufferPlan<'_>) -> Result<Vec<u8>> {
    let buffers = plan.buffers();
    let whole =
        Whole { root, accessors: plan.accessors(), buffer_views: plan.views(), buffers: &buffers };
    let mut json = Vec::new();
    let mut has_null = false;
    let noticing = NoticeNull { seen: &mut has_null };
    whole
        .serialize(&mut serde_json::Serializer::with_formatter(&mut json, noticing))
        .expect("a vector takes all bytes, and all keys of the document are strings");
    if has_null {
        // Only now is the slow way taken that knows where things are.
        let value = serde_json::to_value(&whole).expect("what was JSON once is JSON again");
        if let Some(at) = find_null(&value) {
            let found = "null, or a number that is not finite";
            return Err(Error::input(DOCUMENT, format!("${at}"), found, "a finite number"));
        }
    }
    Ok(json)
}

/// Compact JSON that notices `null`, which is what `serde_json` writes for
/// a number that is not finite.
struct NoticeNull<'a> {
    seen: &'a mut bool,
}

impl serde_json::ser::Formatter for NoticeNull<'_> {
    fn write_null<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        *self.seen = true;
        writer.write_all(b"null")
    }
}

/// The path of the first `null`. In `extras` it is allowed, since they may
/// hold any JSON (section 5.16).
fn find_null(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .find_map(|(i, item)| find_null(item).map(|rest| format!("[{i}]{rest}"))),
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| *key != "extras")
            .find_map(|(key, item)| find_null(item).map(|rest| format!(".{key}{rest}"))),
        _ => None,
    }
}

/// The two chunks of a GLB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlbView<'a> {
    /// The JSON, with the spaces it is padded with.
    pub json: &'a [u8],
    /// The bytes of the first buffer, with up to three zeros of padding.
    pub bin: Option<&'a [u8]>,
    /// How many chunks of other types follow, which are for extensions.
    pub unknown_chunks: usize,
}

/// Reads a GLB's container. It takes what section 4.4 allows and no more:
/// the length is the file's, the JSON comes first and the bytes second,
/// chunks are whole and padded. Chunks of unknown type after those two are
/// passed over, as the specification asks.
///
/// `file` is the name that errors give.
pub fn read_glb<'a>(file: &str, bytes: &'a [u8]) -> Result<GlbView<'a>> {
    let fault = |at: String, found: String, expected: &str| Error::input(file, at, found, expected);
    let Some((header, mut rest)) = bytes.split_at_checked(HEADER_BYTES) else {
        let found = format!("{} bytes", bytes.len());
        return Err(fault("GLB header".into(), found, "at least 12 bytes"));
    };
    if &header[..4] != MAGIC {
        let found = format!("`{}`", header[..4].escape_ascii());
        let expected = match header.trim_ascii_start().first() {
            Some(b'{') => "`glTF`, the mark of a GLB file; this looks like a .gltf's JSON",
            _ => "`glTF`, the mark of a GLB file",
        };
        return Err(fault("GLB header".into(), found, expected));
    }
    let (version, length) = (u32_at(header, 4), u32_at(header, 8));
    if version != VERSION {
        return Err(fault("GLB header".into(), format!("version {version}"), "version 2"));
    }
    if length as usize != bytes.len() {
        let expected = format!("the file's own length, {}", bytes.len());
        return Err(fault("GLB header".into(), format!("a length of {length}"), &expected));
    }

    let mut json = None;
    let mut bin = None;
    let mut n_chunks = 0;
    let mut unknown_chunks = 0;
    while !rest.is_empty() {
        let at = || format!("GLB chunk {n_chunks}");
        let Some((chunk_header, after)) = rest.split_at_checked(CHUNK_HEADER_BYTES) else {
            return Err(fault(at(), format!("{} bytes", rest.len()), "a header of 8 bytes"));
        };
        let length = u32_at(chunk_header, 0) as usize;
        if !length.is_multiple_of(CHUNK_ALIGN) {
            return Err(fault(at(), format!("a length of {length}"), "a multiple of 4"));
        }
        let Some((content, after)) = after.split_at_checked(length) else {
            let expected = format!("at most the {} bytes that follow", after.len());
            return Err(fault(at(), format!("a length of {length}"), &expected));
        };
        let kind: [u8; 4] = [chunk_header[4], chunk_header[5], chunk_header[6], chunk_header[7]];
        match (n_chunks, &kind) {
            (0, JSON) => json = Some(content),
            (0, _) => {
                let found = format!("type `{}`", kind.escape_ascii());
                return Err(fault(at(), found, "type `JSON`"));
            }
            (1, BIN) => bin = Some(content),
            (_, JSON | BIN) => {
                let found = format!("type `{}`", kind.escape_ascii());
                return Err(fault(at(), found, "`JSON` only first and `BIN` only second"));
            }
            _ => unknown_chunks += 1,
        }
        n_chunks += 1;
        rest = after;
    }
    match json {
        Some(json) => Ok(GlbView { json, bin, unknown_chunks }),
        None => Err(fault("GLB chunk 0".into(), "the end of the file".into(), "the JSON chunk")),
    }
}

/// A little-endian number in bytes that are known to be long enough.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
#[path = "container_tests.rs"]
pub(crate) mod tests;

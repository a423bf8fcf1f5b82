//! Buffers and buffer views: lengths, strides, targets.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::context::Check;
use super::rules;
use crate::glb::reader::Json;

/// The binary chunk may be so much longer than the buffer: it is padded to 4
/// bytes, and by many writers to 8.
const MOST_PADDING: usize = 7;
/// What a data URI of a buffer may say that it is.
const BUFFER_TYPES: [&str; 2] = ["application/octet-stream", "application/gltf-buffer"];
/// `target` of indices.
pub const TARGET_INDICES: usize = 34963;
/// `target` of vertex attributes.
pub const TARGET_VERTICES: usize = 34962;

/// A number that is not negative under a key, or `default` when left out.
pub fn number(owner: &Json<'_>, key: &str, default: Option<usize>) -> Option<usize> {
    match owner.get(key) {
        None => default,
        Some(value) => value.as_index(),
    }
}

/// Checks buffers and views.
pub fn run(check: &mut Check<'_, '_>) {
    let unknown = check.glb.unknown_chunks;
    if unknown > 0 {
        let found = format!("{unknown} chunks of unknown types");
        check.add(&rules::GLB_CHUNK, "GLB chunks", found, "a JSON and a binary chunk only");
    }
    buffers(check);
    views(check);
}

fn buffers(check: &mut Check<'_, '_>) {
    let bin = check.glb.bin;
    for (i, buffer) in check.list("buffers").iter().enumerate() {
        let at = format!("$.buffers[{i}]");
        if let Some(uri) = buffer.get("uri") {
            let length = number(buffer, "byteLength", None);
            external(check, &format!("{at}.uri"), uri.as_str().unwrap_or_default(), length);
            continue;
        }
        if buffer.get("extensions").is_some() {
            continue; // a fallback buffer of a compression has no bytes
        }
        let Some(length) = number(buffer, "byteLength", None) else { continue };
        if i > 0 {
            check.add(&rules::BUFFER_NO_DATA, at, "no uri", "a uri, as it is not the first");
        } else if bin.is_empty() {
            check.add(&rules::BUFFER_MISSING, at, "no binary chunk", "one, or a uri");
        } else if length > bin.len() {
            let expected = format!("at most the chunk's {} bytes", bin.len());
            check.add(&rules::GLB_BIN, format!("{at}.byteLength"), length.to_string(), expected);
        } else if bin.len() - length > MOST_PADDING {
            let expected =
                format!("at most {MOST_PADDING} bytes less than the chunk's {}", bin.len());
            let at = format!("{at}.byteLength");
            check.add(&rules::GLB_BIN_EXTRA, at, length.to_string(), expected);
        }
    }
}

/// Whether a URI holds its data itself; schemes are written in any case.
pub fn is_data_uri(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// The media type and the bytes of a data URI (RFC 2397), or nothing for one
/// that is damaged.
pub fn data_uri(uri: &str) -> Option<(&str, Vec<u8>)> {
    let (head, text) = uri.get(5..)?.split_once(',')?;
    match head.strip_suffix(";base64") {
        Some(kind) => Some((kind, STANDARD.decode(text).ok()?)),
        None => {
            let mut bytes = Vec::with_capacity(text.len());
            let mut rest = text.as_bytes();
            while let Some((&first, after)) = rest.split_first() {
                rest = after;
                match first {
                    b'%' => {
                        let digits = std::str::from_utf8(after.get(..2)?).ok()?;
                        bytes.push(u8::from_str_radix(digits, 16).ok()?);
                        rest = &after[2..];
                    }
                    plain => bytes.push(plain),
                }
            }
            Some((head.split(';').next().unwrap_or_default(), bytes))
        }
    }
}

fn external(check: &mut Check<'_, '_>, at: &str, uri: &str, length: Option<usize>) {
    if !is_data_uri(uri) {
        check.add(
            &rules::BUFFER_EXTERNAL,
            at,
            format!("{:?}", shortened(uri)),
            "bytes in the file",
        );
        return;
    }
    let kind = uri[5..].split([';', ',']).next().unwrap_or_default();
    if !BUFFER_TYPES.contains(&kind) {
        let expected = format!("a data URI of {}", BUFFER_TYPES.join(" or "));
        check.add(&rules::BUFFER_URI_BAD, at, format!("{:?}", shortened(kind)), expected);
        return;
    }
    match data_uri(uri) {
        None => check.add(&rules::BUFFER_URI_BAD, at, "a damaged data URI", "one in base64"),
        Some((_, bytes)) if length.is_some_and(|length| bytes.len() < length) => {
            let expected = format!("the buffer's {} bytes", length.unwrap_or_default());
            check.add(&rules::BUFFER_URI_BAD, at, format!("{} bytes", bytes.len()), expected);
        }
        Some(_) => check.add(&rules::BUFFER_URI, at, "a data URI", "bytes in the binary chunk"),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

fn views(check: &mut Check<'_, '_>) {
    for (i, view) in check.list("bufferViews").iter().enumerate() {
        let at = format!("$.bufferViews[{i}]");
        let length = number(view, "byteLength", None);
        if let (Some((_, buffer)), Some(length), Some(offset)) =
            (check.item(view, "buffer", "buffers"), length, number(view, "byteOffset", Some(0)))
            && let Some(whole) = number(buffer, "byteLength", None)
            && offset.checked_add(length).is_none_or(|end| end > whole)
        {
            let expected = format!("an end within the buffer's {whole} bytes");
            check.add(&rules::VIEW_RANGE, &at, format!("{length} bytes from {offset}"), expected);
        }
        let Some(stride) = number(view, "byteStride", None) else { continue };
        let at_stride = format!("{at}.byteStride");
        let target = number(view, "target", None);
        if !stride.is_multiple_of(4) {
            check.add(&rules::VIEW_STRIDE, at_stride, stride.to_string(), "a multiple of 4");
        } else if let Some(length) = length.filter(|length| stride > *length) {
            let expected = format!("at most the view's {length} bytes");
            check.add(&rules::VIEW_STRIDE, at_stride, stride.to_string(), expected);
        } else if target == Some(TARGET_INDICES) {
            let expected = "none on a view of indices";
            check.add(&rules::VIEW_STRIDE, at_stride, stride.to_string(), expected);
        }
    }
}

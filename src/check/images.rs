//! Materials' settings, and images against their bytes.

use std::collections::HashSet;

use super::buffers::{data_uri, is_data_uri, number};
use super::context::{Check, ViewUse};
use super::rules;
use crate::glb::picture::{jpeg_has_end, jpeg_size, media_type};
use crate::glb::reader::Json;

/// How many bytes a PNG begins with before its chunks.
const PNG_MARK_BYTES: usize = 8;

/// Checks materials and images.
pub fn run(check: &mut Check<'_, '_>) {
    for (i, material) in check.list("materials").iter().enumerate() {
        let mode = material.get("alphaMode").and_then(Json::as_str).unwrap_or("OPAQUE");
        if material.get("alphaCutoff").is_some() && mode != "MASK" {
            let at = format!("$.materials[{i}].alphaCutoff");
            let found = format!("a cutoff with alphaMode {mode}");
            check.add(&rules::MATERIAL_CUTOFF, at, found, "a cutoff only with MASK");
        }
    }
    check.summary.images = check.list("images").len();
    let mut looked_at = HashSet::new();
    for (i, image) in check.list("images").iter().enumerate() {
        one(check, &format!("$.images[{i}]"), image, &mut looked_at);
    }
}

fn one(
    check: &mut Check<'_, '_>,
    at: &str,
    image: &Json<'_>,
    looked_at: &mut HashSet<(usize, usize)>,
) {
    if let Some(uri) = image.get("uri").and_then(Json::as_str) {
        let at_uri = format!("{at}.uri");
        if !is_data_uri(uri) {
            check.add(&rules::BUFFER_EXTERNAL, at_uri, "another file", "bytes in the file");
            return;
        }
        match data_uri(uri) {
            None => check.add(&rules::BUFFER_URI_BAD, at_uri, "a damaged data URI", "base64"),
            Some((kind, data)) => {
                check.add(&rules::BUFFER_URI, at_uri, "a data URI", "bytes in the binary chunk");
                if let Some(actual) = of_kind(check, at, &data, Some(kind)) {
                    whole(check, at, &data, actual);
                }
            }
        }
        return;
    }
    let Some((index, view)) = check.item(image, "bufferView", "bufferViews") else { return };
    let at_view = format!("{at}.bufferView");
    check.use_view(index, ViewUse::Image, &at_view);
    if let Some(stride) = view.get("byteStride") {
        let found = format!("a view with byteStride {}", stride.describe());
        check.add(&rules::VIEW_STRIDE, &at_view, found, "a view without it for an image");
    }
    let (Some(0), Some(offset), Some(length)) = (
        number(view, "buffer", None),
        number(view, "byteOffset", Some(0)),
        number(view, "byteLength", None),
    ) else {
        return;
    };
    let content = offset.checked_add(length).and_then(|end| check.glb.bin.get(offset..end));
    let Some(content) = content else { return };
    let declared = image.get("mimeType").and_then(Json::as_str);
    let actual = of_kind(check, at, content, declared);
    // Many images may share one picture, which is looked into once.
    if let Some(actual) = actual.filter(|_| looked_at.insert((offset, length))) {
        whole(check, at, content, actual);
    }
}

/// What a picture is by its first bytes, held against what it is said to be.
fn of_kind(
    check: &mut Check<'_, '_>,
    at: &str,
    bytes: &[u8],
    declared: Option<&str>,
) -> Option<&'static str> {
    let Some(actual) = media_type(bytes) else {
        let start = bytes[..bytes.len().min(8)].escape_ascii().to_string();
        check.add(&rules::IMAGE_FORMAT, at, format!("bytes from {start:?} on"), "a PNG or a JPEG");
        return None;
    };
    if declared.is_some_and(|declared| declared != actual) {
        let found = format!("{:?} for bytes of {actual}", declared.unwrap_or_default());
        check.add(&rules::IMAGE_MIME, format!("{at}.mimeType"), found, actual);
    }
    Some(actual)
}

fn whole(check: &mut Check<'_, '_>, at: &str, bytes: &[u8], actual: &str) {
    // Views of several pictures may overlap. Four bytes count as one number.
    if !check.may_read(bytes.len() / 4, at) {
        return;
    }
    match actual {
        "image/png" => png(check, at, bytes),
        "image/jpeg" => jpeg(check, at, bytes),
        _ => {}
    }
}

/// Walks over a PNG's chunks: header first, checksums right, an end.
fn png(check: &mut Check<'_, '_>, at: &str, bytes: &[u8]) {
    let mut rest = &bytes[PNG_MARK_BYTES..];
    let mut first = true;
    loop {
        let chunk = rest.split_at_checked(8).and_then(|(head, after)| {
            let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
            let (content, after) = after.split_at_checked(length)?;
            let (sum, after) = after.split_at_checked(4)?;
            Some((&head[4..8], content, sum, after))
        });
        let Some((kind, content, sum, after)) = chunk else {
            let rule = if first { &rules::IMAGE_DAMAGED } else { &rules::IMAGE_TAIL };
            check.add(rule, at, "a PNG that breaks off", "its IEND chunk");
            return;
        };
        if first && (kind != b"IHDR" || content.len() != 13) {
            let found = format!("a first chunk {:?}", kind.escape_ascii().to_string());
            check.add(&rules::IMAGE_DAMAGED, at, found, "IHDR");
            return;
        }
        if first {
            let side = |i: usize| {
                u32::from_be_bytes([content[i], content[i + 1], content[i + 2], content[i + 3]])
            };
            if side(0) == 0 || side(4) == 0 {
                let found = format!("{} x {} pixels", side(0), side(4));
                check.add(&rules::IMAGE_DAMAGED, at, found, "at least one pixel");
                return;
            }
        }
        let mut hasher = flate2::Crc::new();
        hasher.update(kind);
        hasher.update(content);
        if hasher.sum().to_be_bytes() != *sum {
            let found = format!("a wrong checksum of chunk {}", kind.escape_ascii());
            check.add(&rules::IMAGE_TAIL, at, found, "an undamaged PNG");
            return;
        }
        if kind == b"IEND" {
            return;
        }
        (rest, first) = (after, false);
    }
}

/// A JPEG has a size and an end.
fn jpeg(check: &mut Check<'_, '_>, at: &str, bytes: &[u8]) {
    match jpeg_size(bytes) {
        None => check.add(&rules::IMAGE_DAMAGED, at, "a JPEG without a frame", "a frame header"),
        Some((0, _) | (_, 0)) => {
            check.add(&rules::IMAGE_DAMAGED, at, "a JPEG frame without pixels", "its size");
        }
        Some(_) if !jpeg_has_end(bytes) => {
            check.add(&rules::IMAGE_TAIL, at, "a JPEG that breaks off", "its end mark");
        }
        Some(_) => {}
    }
}

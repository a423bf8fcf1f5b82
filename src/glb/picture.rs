//! What encoded pictures say of themselves (PNG, JPEG and others by their
//! first bytes).

/// The media type of a picture by its first bytes.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else if bytes.len() >= 12 && &bytes[..4] == b"RIFF" && &bytes[8..12] == b"WEBP" {
        Some("image/webp")
    } else if bytes.starts_with(b"\xabKTX 20\xbb\r\n\x1a\n") {
        Some("image/ktx2")
    } else {
        None
    }
}

/// The width and height in a JPEG's frame header (ITU T.81, B.2.2), found by
/// walking over the segments before it.
pub fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let &[0xff, kind, high, low] = bytes.get(at..at + 4)? else { return None };
        if kind == 0xff {
            at += 1; // a fill byte
            continue;
        }
        // Of C0 to CF, three are tables and an extension.
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            break;
        }
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
    }
    let side = |i: usize| {
        let pair = bytes.get(at + i..at + i + 2)?;
        Some(u32::from(u16::from_be_bytes([pair[0], pair[1]])))
    };
    // Length, precision, size, and three bytes for each component.
    let (length, components) = (side(2)?, u32::from(*bytes.get(at + 9)?));
    let fits = matches!(components, 1..=4) && length == 8 + 3 * components;
    Some((side(7)?, side(5)?)).filter(|_| fits)
}

/// Whether a JPEG has its end mark. Cameras write other pictures and data
/// after it, so it is looked for from the end on.
pub fn jpeg_has_end(bytes: &[u8]) -> bool {
    memchr::memmem::rfind(bytes, &[0xff, 0xd9]).is_some()
}

//! Wavefront OBJ, as far as the base mesh and its proxies use it.
//!
//! Read are `v`, `vt`, `f` and `g`. Everything else (`vn`, `s`, `o`,
//! `usemtl`, `mtllib`, …) is ignored: normals are computed after morphing,
//! and materials come from other files. The numbers stay as written.

use std::collections::HashMap;

use memchr::{memchr, memchr_iter};

use crate::{Error, Result};

/// The group of faces that come before any `g` line.
const DEFAULT_GROUP: &str = "default";

/// A mesh as its file gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Obj {
    /// The vertices as written; in MakeHuman's files in decimetres.
    pub positions: Vec<[f64; 3]>,
    /// The texture coordinates as written, with V upwards.
    pub uvs: Vec<[f32; 2]>,
    /// The faces in file order.
    pub faces: Vec<Face>,
    /// The names that `g` lines give, in order of first use. A group may
    /// have no face.
    pub groups: Vec<String>,
}

/// One polygon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// Three or more corners: an index into the positions and, if given,
    /// one into the texture coordinates. Both count from 0.
    pub corners: Vec<(u32, Option<u32>)>,
    /// The index of the face's group.
    pub group: u16,
}

/// Reads an OBJ file. `file_label` is what messages call it.
pub fn parse_obj(file_label: &str, bytes: &[u8]) -> Result<Obj> {
    let mut obj =
        Obj { positions: Vec::new(), uvs: Vec::new(), faces: Vec::new(), groups: Vec::new() };
    let mut group_numbers: HashMap<String, u16> = HashMap::new();
    let mut current_group: Option<u16> = None;
    // The line of each face, for the check that has to wait for the end.
    let mut face_lines: Vec<usize> = Vec::new();

    for (number, line) in lines(bytes) {
        let mut words = words(line);
        match words.next() {
            Some(b"v") => obj.positions.push(coordinates(file_label, number, words)?),
            Some(b"vt") => {
                let uv: [f64; 2] = coordinates(file_label, number, words)?;
                let uv = uv.map(|x| x as f32);
                if !uv.iter().all(|x| x.is_finite()) {
                    return Err(at_line(file_label, number, line, "two finite numbers"));
                }
                obj.uvs.push(uv);
            }
            Some(b"f") => {
                let counts = (obj.positions.len(), obj.uvs.len());
                let mut corners = Vec::with_capacity(4);
                for word in words {
                    let corner = parse_corner(word, counts).ok_or_else(|| {
                        let expected = "a corner such as 1, 1/2, 1/2/3 or 1//3";
                        at_line(file_label, number, word, expected)
                    })?;
                    corners.push(corner);
                }
                if corners.len() < 3 {
                    return Err(at_line(file_label, number, line, "a face with 3 or more corners"));
                }
                let group = match current_group {
                    Some(group) => group,
                    None => group_number(
                        file_label,
                        DEFAULT_GROUP,
                        &mut obj.groups,
                        &mut group_numbers,
                    )?,
                };
                current_group = Some(group);
                obj.faces.push(Face { corners, group });
                face_lines.push(number);
            }
            Some(b"g") => {
                let name = words.next().map_or(DEFAULT_GROUP.into(), String::from_utf8_lossy);
                let group = group_number(file_label, &name, &mut obj.groups, &mut group_numbers)?;
                current_group = Some(group);
            }
            _ => {}
        }
    }

    if obj.positions.is_empty() {
        return Err(Error::input(file_label, "whole file", "no `v` line", "an OBJ mesh"));
    }
    for (face, number) in obj.faces.iter().zip(face_lines) {
        for &(position, uv) in &face.corners {
            check_index(file_label, number, "vertex", position, obj.positions.len())?;
            if let Some(uv) = uv {
                check_index(file_label, number, "texture coordinate", uv, obj.uvs.len())?;
            }
        }
    }
    Ok(obj)
}

/// The number of a group, which is new at its first use.
fn group_number(
    label: &str,
    name: &str,
    groups: &mut Vec<String>,
    numbers: &mut HashMap<String, u16>,
) -> Result<u16> {
    if let Some(&number) = numbers.get(name) {
        return Ok(number);
    }
    let number = u16::try_from(groups.len()).map_err(|_| Error::Limit {
        what: format!("the number of groups in {label}"),
        found: groups.len() as u64 + 1,
        limit: 1 << 16,
    })?;
    groups.push(name.to_owned());
    numbers.insert(name.to_owned(), number);
    Ok(number)
}

/// The first `N` words as finite numbers. More words are allowed: a `v` line
/// may carry a colour or a weight, a `vt` line a third coordinate.
fn coordinates<'a, const N: usize>(
    label: &str,
    number: usize,
    mut words: impl Iterator<Item = &'a [u8]>,
) -> Result<[f64; N]> {
    let mut values = [0.0; N];
    for value in &mut values {
        let expected = "a finite number";
        let word = words
            .next()
            .ok_or_else(|| Error::input(label, format!("line {number}"), "the end", expected))?;
        *value = parse_finite(word).ok_or_else(|| at_line(label, number, word, expected))?;
    }
    Ok(values)
}

/// `v`, `v/vt`, `v/vt/vn` or `v//vn`, with the indices counted from 0. The
/// counts are those of the lines read so far, which negative indices refer
/// to.
fn parse_corner(word: &[u8], counts: (usize, usize)) -> Option<(u32, Option<u32>)> {
    let mut parts = word.split(|&b| b == b'/');
    let position = parse_index(parts.next()?, counts.0)?;
    let uv = match parts.next() {
        None => None,
        Some(b"") => {
            // An empty texture index is only correct before a normal.
            parts.clone().next()?;
            None
        }
        Some(part) => Some(parse_index(part, counts.1)?),
    };
    if let Some(normal) = parts.next() {
        // The normal is not used, but it has to be an index.
        parse_index(normal, u32::MAX as usize)?;
    }
    if parts.next().is_some() { None } else { Some((position, uv)) }
}

/// An index that counts from 1, or from the end if it is negative.
fn parse_index(digits: &[u8], count: usize) -> Option<u32> {
    if let Some(from_end) = digits.strip_prefix(b"-") {
        let back = parse_u32(from_end)?;
        if back == 0 { None } else { u32::try_from(count).ok()?.checked_sub(back) }
    } else {
        parse_u32(digits)?.checked_sub(1)
    }
}

fn check_index(label: &str, number: usize, what: &str, index: u32, count: usize) -> Result<()> {
    if (index as usize) < count {
        return Ok(());
    }
    let found = format!("{what} {}", u64::from(index) + 1);
    Err(Error::input(label, format!("line {number}"), found, format!("at most {count}")))
}

/// The lines of a text with their numbers, counted from 1, without the line
/// end, be it `\n` or `\r\n`.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    let ends = memchr_iter(b'\n', bytes).chain(std::iter::once(bytes.len()));
    ends.enumerate().map(move |(i, end)| {
        let line = &bytes[start..end];
        start = end + 1;
        (i + 1, line.strip_suffix(b"\r").unwrap_or(line))
    })
}

/// The words of a line, up to a `#`, which begins a comment.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let line = &line[..memchr(b'#', line).unwrap_or(line.len())];
    line.split(|b| b.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

/// A decimal number without a sign.
pub(super) fn parse_u32(digits: &[u8]) -> Option<u32> {
    // Ten digits fit into 64 bits, so the sum cannot overflow.
    if digits.is_empty() || digits.len() > 10 {
        return None;
    }
    let mut value: u64 = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + u64::from(digit - b'0');
    }
    u32::try_from(value).ok()
}

/// A number that is neither infinite nor NaN.
pub(super) fn parse_finite(word: &[u8]) -> Option<f64> {
    fast_float2::parse(word).ok().filter(|x: &f64| x.is_finite())
}

/// An error about a piece of a line, which is shortened if it is long.
pub(super) fn at_line(label: &str, number: usize, found: &[u8], expected: &str) -> Error {
    let shown = String::from_utf8_lossy(&found[..found.len().min(60)]);
    Error::input(label, format!("line {number}"), format!("`{}`", shown.trim()), expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse_obj("m.obj", text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn every_form_of_a_corner_is_read() {
        let text = "# head\r\nmtllib x.mtl\r\no thing\r\nv 0 0 0\r\nv 1 .5 -2e-1 # corner\r\n\
                    v 1 1 0 0.5\r\nv 0 1 0\r\nvt 0 0\r\nvt 1 0 0\r\nvn 0 0 1\r\n\
                    f 1 2 3\r\ng body extra\r\nusemtl m\r\ns off\r\nf 1/1 2/2 3/1 4/2\r\n\
                    g other\r\nf 1//1 2//1 3//1\r\ng body\r\nf -4/-2/1 -3/-1/1 -2/2/1\r\n";
        let obj = parse_obj("m.obj", text.as_bytes()).unwrap();
        assert_eq!(obj.positions.len(), 4);
        assert_eq!(obj.positions[1], [1.0, 0.5, -0.2]);
        assert_eq!(obj.uvs, [[0.0, 0.0], [1.0, 0.0]]);
        assert_eq!(obj.groups, ["default", "body", "other"]);
        let groups: Vec<u16> = obj.faces.iter().map(|f| f.group).collect();
        assert_eq!(groups, [0, 1, 2, 1]);
        assert_eq!(obj.faces[0].corners, [(0, None), (1, None), (2, None)]);
        let quad = [(0, Some(0)), (1, Some(1)), (2, Some(0)), (3, Some(1))];
        assert_eq!(obj.faces[1].corners, quad);
        assert_eq!(obj.faces[2].corners, [(0, None), (1, None), (2, None)]);
        assert_eq!(obj.faces[3].corners, [(0, Some(0)), (1, Some(1)), (2, Some(1))]);
    }

    #[test]
    fn a_positive_index_may_refer_to_a_later_line() {
        let obj = parse_obj("m.obj", b"v 0 0 0\nf 1 2 3\nv 1 0 0\nv 0 1 0").unwrap();
        assert_eq!(obj.faces[0].corners[2], (2, None));
    }

    #[test]
    fn indices_out_of_range_are_errors_with_their_line() {
        let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n";
        let found = message(&format!("{mesh}f 1 2 4\n"));
        assert_eq!(found, "m.obj: line 5: found vertex 4, expected at most 3");
        let found = message(&format!("{mesh}f 1/1 2/2 3/1\n"));
        assert_eq!(found, "m.obj: line 5: found texture coordinate 2, expected at most 1");
        for bad in
            ["0 1 2", "-4 1 2", "1 2 4294967296", "1 2 -0", "1/ 2/ 3/", "a b c", "1/1/1/1 2 3"]
        {
            let found = message(&format!("{mesh}f {bad}\n"));
            assert!(found.starts_with("m.obj: line 5: found `"), "{bad}: {found}");
        }
        let found = message(&format!("{mesh}f 1 2\n"));
        assert!(found.contains("3 or more corners"), "{found}");
    }

    #[test]
    fn numbers_have_to_be_finite() {
        for bad in ["v 0 nan 0", "v inf 0 0", "v 1e999 0 0", "v 0 0", "v 0 x 0", "vt 0 1e39"] {
            let found = message(&format!("\n{bad}\n"));
            assert!(found.starts_with("m.obj: line 2: found "), "{bad}: {found}");
        }
    }

    #[test]
    fn a_file_of_another_kind_is_not_an_empty_mesh() {
        assert!(message("").contains("no `v` line"));
        assert!(parse_obj("m.obj", b"\x89PNG\r\n\x1a\n\xff\xfe").is_err());
    }

    #[test]
    fn lines_and_words_know_both_line_ends() {
        let found: Vec<_> = lines(b"a\r\n\nb").collect();
        let expected: [(usize, &[u8]); 3] = [(1, b"a"), (2, b""), (3, b"b")];
        assert_eq!(found, expected);
        assert_eq!(words(b" a\tb #c").count(), 2);
        assert_eq!(parse_u32(b"4294967295"), Some(u32::MAX));
        assert_eq!(parse_u32(b"4294967296"), None);
        assert_eq!(parse_u32(b""), None);
        assert_eq!(parse_u32(b"+1"), None);
    }
}

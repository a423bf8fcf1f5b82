//! Vertex groups of the base mesh, and which vertex mirrors which.
//!
//! Both come from small files beside the mesh. A MakeHuman folder has no
//! such files, so both can also be taken from the mesh itself.

use std::collections::{BTreeMap, HashMap};

use serde::de::DeserializeOwned;

use crate::{Error, Result};

use super::obj::{Obj, at_line, lines, parse_u32, words};

/// How far from the exact mirror image a vertex may be, in decimetres. The
/// closest two vertices of the base mesh are further apart.
const MIRROR_TOLERANCE: f64 = 1e-3;

/// Reads a JSON object of group names with lists of inclusive ranges,
/// `{"body": [[0, 13379]], …}`. Each group's vertices are ascending.
pub fn parse_vertex_groups(
    label: &str,
    bytes: &[u8],
    n_vertices: usize,
) -> Result<BTreeMap<String, Vec<u32>>> {
    let expected = "an object of lists of ranges `[first, last]`";
    let ranges: BTreeMap<String, Vec<(u32, u32)>> = from_json(label, bytes, expected)?;
    let mut groups = BTreeMap::new();
    for (name, ranges) in ranges {
        let mut vertices = Vec::new();
        for (i, &(first, last)) in ranges.iter().enumerate() {
            if first > last || last as usize >= n_vertices {
                return Err(Error::input(
                    label,
                    format!("$[{name:?}][{i}]"),
                    format!("the range {first} to {last}"),
                    format!("an ascending range of vertices below {n_vertices}"),
                ));
            }
            vertices.extend(first..=last);
            // Overlapping ranges must not let a small file grow without end.
            if vertices.len() > n_vertices {
                vertices.sort_unstable();
                vertices.dedup();
            }
        }
        vertices.sort_unstable();
        vertices.dedup();
        groups.insert(name, vertices);
    }
    Ok(groups)
}

/// The vertices that the faces of each `g` group use, ascending. Several
/// groups may share a vertex.
pub fn groups_from_obj(obj: &Obj) -> BTreeMap<String, Vec<u32>> {
    let mut by_number: Vec<Vec<u32>> = vec![Vec::new(); obj.groups.len()];
    for face in &obj.faces {
        by_number[usize::from(face.group)].extend(face.corners.iter().map(|(v, _)| *v));
    }
    for vertices in &mut by_number {
        vertices.sort_unstable();
        vertices.dedup();
    }
    obj.groups.iter().cloned().zip(by_number).collect()
}

/// Reads a mirror file: a line `vertex partner side` for every vertex, with
/// `l`, `r` or `m` (in the middle, its own partner) as the side. The result
/// gives each vertex's partner.
pub fn parse_mirror(label: &str, bytes: &[u8], n_vertices: usize) -> Result<Vec<u32>> {
    let mut found: Vec<Option<(u32, u8)>> = vec![None; n_vertices];
    for (number, line) in lines(bytes) {
        let mut parts = words(line);
        let Some(first) = parts.next() else { continue };
        let expected = "a line `vertex partner side` with the side l, r or m";
        let fault = || at_line(label, number, line, expected);
        let vertex = parse_u32(first).ok_or_else(fault)?;
        let partner = parts.next().and_then(parse_u32).ok_or_else(fault)?;
        let side = match (parts.next(), parts.next()) {
            (Some(&[side @ (b'l' | b'r' | b'm')]), None) => side,
            _ => return Err(fault()),
        };
        if vertex.max(partner) as usize >= n_vertices {
            return Err(at_line(label, number, line, &format!("vertices below {n_vertices}")));
        }
        if found[vertex as usize].replace((partner, side)).is_some() {
            return Err(at_line(label, number, line, "each vertex once"));
        }
    }
    let mut mirror = Vec::with_capacity(n_vertices);
    for vertex in 0..n_vertices {
        let at = format!("vertex {vertex}");
        let Some((partner, side)) = found[vertex] else {
            return Err(Error::input(label, at, "no line", "a line for every vertex"));
        };
        // A partner without a line of its own is reported when its turn comes.
        let expected_back = match side {
            b'm' => (partner == vertex as u32, (vertex as u32, b'm')),
            b'l' => (partner != vertex as u32, (vertex as u32, b'r')),
            _ => (partner != vertex as u32, (vertex as u32, b'l')),
        };
        let back = found[partner as usize];
        if !expected_back.0 || back.is_some_and(|back| back != expected_back.1) {
            let found = format!("the partner {partner} on side {}", char::from(side));
            let expected = "a partner that names this vertex, on the other side";
            return Err(Error::input(label, at, found, expected));
        }
        mirror.push(partner);
    }
    Ok(mirror)
}

/// Finds each vertex's partner from the places alone: the vertex nearest to
/// its mirror image (x to −x), at most a tenth of a millimetre off. `label`
/// is what messages call the mesh.
pub fn mirror_from_positions(label: &str, positions: &[[f64; 3]]) -> Result<Vec<u32>> {
    let cell = |p: [f64; 3]| p.map(|x| (x / MIRROR_TOLERANCE).floor() as i64);
    let mut grid: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for (i, &p) in positions.iter().enumerate() {
        grid.entry(cell(p)).or_default().push(i as u32);
    }
    let mut mirror: Vec<Option<u32>> = vec![None; positions.len()];
    for (i, &[x, y, z]) in positions.iter().enumerate() {
        if mirror[i].is_some() {
            continue;
        }
        let image = [-x, y, z];
        let centre = cell(image);
        let mut best: Option<(f64, u32)> = None;
        for neighbour in 0..27 {
            let offset = [neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1];
            let key = [0, 1, 2].map(|a| centre[a].saturating_add(offset[a]));
            for &j in grid.get(&key).into_iter().flatten() {
                // A vertex that already has a partner is taken, so that
                // vertices in the same place are paired one to one.
                if mirror[j as usize].is_some() {
                    continue;
                }
                let q = positions[j as usize];
                let distance = (0..3).map(|a| (q[a] - image[a]).abs()).fold(0.0, f64::max);
                let closer = best.is_none_or(|b| (distance, j) < b);
                if distance <= MIRROR_TOLERANCE && closer {
                    best = Some((distance, j));
                }
            }
        }
        let Some((_, partner)) = best else {
            return Err(Error::input(
                label,
                format!("vertex {i}"),
                "no vertex at its mirror image",
                "a mesh that is symmetric in x",
            ));
        };
        mirror[i] = Some(partner);
        mirror[partner as usize] = Some(i as u32);
    }
    Ok(mirror.into_iter().flatten().collect())
}

/// Reads a JSON text into `T`. What serde says about it becomes the message,
/// with the line in the place where messages have it.
pub(super) fn from_json<T: DeserializeOwned>(
    label: &str,
    bytes: &[u8],
    expected: &str,
) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|e| {
        let at = format!("line {}, column {}", e.line(), e.column());
        Error::input(label, at, without_place(&e), expected)
    })
}

/// A serde message without the place that it ends with.
pub(super) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::obj::parse_obj;
    use super::*;

    #[test]
    fn ranges_are_expanded() {
        let text = br#"{"body": [[4, 5], [0, 2], [2, 2]], "none": []}"#;
        let groups = parse_vertex_groups("g.json", text, 6).unwrap();
        assert_eq!(groups["body"], [0, 1, 2, 4, 5]);
        assert!(groups["none"].is_empty());
    }

    #[test]
    fn bad_ranges_are_errors() {
        let message =
            |text: &str| parse_vertex_groups("g.json", text.as_bytes(), 6).unwrap_err().to_string();
        let found = message(r#"{"body": [[0, 1], [2, 6]]}"#);
        assert!(found.starts_with(r#"g.json: $["body"][1]: found the range 2 to 6"#), "{found}");
        assert!(message(r#"{"body": [[3, 2]]}"#).contains("the range 3 to 2"));
        for bad in [r#"{"body": [[1, 2, 3]]}"#, r#"{"body": [[-1, 2]]}"#, "[]", "{", ""] {
            let found = message(bad);
            assert!(found.starts_with("g.json: line 1, column "), "{found}");
            assert!(!found.contains("at line"), "{found}");
        }
    }

    #[test]
    fn groups_come_from_the_faces() {
        let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 9 9 9\n\
                     g a\nf 3 2 1\ng b\nf 2 3 4\ng empty\ng a\nf 1 2 4\n";
        let groups = groups_from_obj(&parse_obj("m.obj", text).unwrap());
        assert_eq!(groups["a"], [0, 1, 2, 3]);
        assert_eq!(groups["b"], [1, 2, 3]);
        assert!(groups["empty"].is_empty());
    }

    #[test]
    fn a_mirror_file_is_read_and_checked() {
        let mirror = parse_mirror("m", b"0 2 r\r\n2 0 l\r\n\r\n1 1 m\r\n", 3).unwrap();
        assert_eq!(mirror, [2, 1, 0]);
        let message = |text: &str| parse_mirror("m", text.as_bytes(), 3).unwrap_err().to_string();
        assert!(message("0 2 r\n2 0 l\n").starts_with("m: vertex 1: found no line"));
        assert!(message("0 2 r\n2 1 l\n1 1 m\n").contains("vertex 0: found the partner 2"));
        assert!(message("0 2 r\n2 0 r\n1 1 m\n").contains("vertex 0"), "both on the right");
        assert!(message("0 0 l\n1 1 m\n2 2 m\n").contains("vertex 0"), "its own partner");
        assert!(message("0 1 m\n1 0 m\n2 2 m\n").contains("vertex 0"), "middle with a partner");
        assert!(message("0 3 r\n").contains("line 1: found `0 3 r`, expected vertices below 3"));
        assert!(message("1 1 m\n1 1 m\n").contains("line 2"));
        for bad in ["0 1", "0 1 x", "0 1 l l", "a 1 l", "0 -1 l"] {
            assert!(message(bad).starts_with("m: line 1: found `"), "{bad}");
        }
    }

    #[test]
    fn a_mirror_is_found_from_the_places() {
        let positions = [
            [-1.0, 2.0, 3.0],
            [0.0, 1.0, 0.0],
            [1.0, 2.0004, 3.0],
            [0.0002, 5.0, 0.0],
            [-0.0002, 5.0, 0.0],
        ];
        assert_eq!(mirror_from_positions("m", &positions).unwrap(), [2, 1, 0, 4, 3]);
        let message = mirror_from_positions("m", &[[1.0, 0.0, 0.0], [-1.0, 0.002, 0.0]]);
        assert!(message.unwrap_err().to_string().starts_with("m: vertex 0: found no vertex"));
    }

    #[test]
    fn vertices_in_the_same_place_are_paired_one_to_one() {
        let positions = [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];
        assert_eq!(mirror_from_positions("m", &positions).unwrap(), [2, 3, 0, 1]);
        let middle = [[0.0; 3], [0.0; 3]];
        assert_eq!(mirror_from_positions("m", &middle).unwrap(), [0, 1]);
    }
}

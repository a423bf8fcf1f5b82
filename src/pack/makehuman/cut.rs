//! Cutting a mesh out of the base mesh: whole groups of faces, or a piece of
//! one with clean edges.

use std::collections::BTreeMap;

use super::obj::Obj;
use crate::pack::{Binding, FitPoint, PartContent, PartVertex};
use crate::{Error, Result};

/// A corner of a face while it is being cut: a mix of base vertices, and its
/// place in the texture (glTF's sense, v downwards).
#[derive(Debug, Clone, PartialEq)]
struct Corner {
    /// Base vertices with their shares, in increasing order of vertex.
    mix: Vec<(u32, f64)>,
    uv: [f64; 2],
}

/// Cuts out all faces of the named groups.
///
/// # Errors
/// [`Error::Input`] when there is no such face or a face has no texture
/// coordinates.
pub fn cut_groups(file: &str, obj: &Obj, groups: &[&str]) -> Result<PartContent> {
    let mut points: BTreeMap<u32, u32> = BTreeMap::new();
    let mut vertices: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let faces: Vec<Vec<(u32, u32)>> = faces_of(file, obj, groups)?;
    for &(position, uv) in faces.iter().flatten() {
        points.insert(position, 0);
        vertices.insert((position, uv), 0);
    }
    // Numbered in the order of the base mesh, so that neighbours in the file
    // stay neighbours and runs of targets stay runs.
    (0..).zip(points.values_mut()).for_each(|(i, p)| *p = i);
    (0..).zip(vertices.values_mut()).for_each(|(i, v)| *v = i);
    let mut triangles = Vec::new();
    for face in &faces {
        let at = |i: usize| obj.positions[face[i].0 as usize];
        for t in fan(face.len(), at) {
            triangles.push(t.map(|i| vertices[&face[i]]));
        }
    }
    let vertices = vertices
        .keys()
        .map(|&(position, uv)| {
            let [u, v] = obj.uvs[uv as usize];
            PartVertex { point: points[&position], uv: [u, 1.0 - v] }
        })
        .collect();
    Ok(PartContent {
        binding: Binding::Base(points.into_keys().collect()),
        vertices,
        triangles,
        covers: Vec::new(),
    })
}

/// A side of a cut: a number for each place of the base mesh, positive where
/// the mesh is kept.
pub type Field<'f> = &'f dyn Fn([f64; 3]) -> f64;

/// Cuts out the part of the groups' faces in which all fields are positive.
/// Faces across an edge are cut through, so the edges are smooth lines and
/// not a staircase of quads. `metres` turns a place of the `Obj` into what
/// the fields are given.
///
/// # Errors
/// As [`cut_groups`].
pub fn cut_fields(
    file: &str,
    obj: &Obj,
    groups: &[&str],
    metres: impl Fn([f64; 3]) -> [f64; 3],
    fields: &[Field<'_>],
) -> Result<PartContent> {
    let place = |corner: &Corner| {
        let mut sum = [0.0; 3];
        for &(v, w) in &corner.mix {
            let p = metres(obj.positions[v as usize]);
            (0..3).for_each(|i| sum[i] += w * p[i]);
        }
        sum
    };
    let mut builder = FitBuilder::default();
    for face in faces_of(file, obj, groups)? {
        let mut polygon: Vec<Corner> = face
            .iter()
            .map(|&(position, uv)| {
                let [u, v] = obj.uvs[uv as usize].map(f64::from);
                Corner { mix: vec![(position, 1.0)], uv: [u, 1.0 - v] }
            })
            .collect();
        for field in fields {
            let values: Vec<f64> = polygon.iter().map(|c| field(place(c))).collect();
            polygon = clip(&polygon, &values);
        }
        builder.add(&polygon, |i| place(&polygon[i]));
    }
    Ok(builder.part)
}

fn faces_of(file: &str, obj: &Obj, groups: &[&str]) -> Result<Vec<Vec<(u32, u32)>>> {
    let wanted: Vec<u16> = (0..)
        .zip(&obj.groups)
        .filter(|(_, name)| groups.contains(&name.as_str()))
        .map(|(i, _)| i)
        .collect();
    let mut faces = Vec::new();
    for face in obj.faces.iter().filter(|f| wanted.contains(&f.group)) {
        let corners: Option<Vec<(u32, u32)>> =
            face.corners.iter().map(|&(position, uv)| Some((position, uv?))).collect();
        faces.push(corners.ok_or_else(|| {
            let at = format!("group `{}`", obj.groups[usize::from(face.group)]);
            Error::input(file, at, "a face without texture coordinates", "`v/vt` corners")
        })?);
    }
    match faces.is_empty() {
        false => Ok(faces),
        true => Err(Error::input(file, "groups", "no faces", format!("faces of {groups:?}"))),
    }
}

/// The part of a polygon where the values are positive (Sutherland and
/// Hodgman, "Reentrant polygon clipping", 1974, for one plane).
fn clip(polygon: &[Corner], values: &[f64]) -> Vec<Corner> {
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for i in 0..polygon.len() {
        let next = (i + 1) % polygon.len();
        if values[i] > 0.0 {
            out.push(polygon[i].clone());
        }
        if (values[i] > 0.0) != (values[next] > 0.0) {
            out.push(between((&polygon[i], values[i]), (&polygon[next], values[next])));
        }
    }
    out
}

/// The corner where a value passes through zero on an edge. The edge's ends
/// are put in order first, so that both faces of the edge get the same bits.
fn between(a: (&Corner, f64), b: (&Corner, f64)) -> Corner {
    let key = |c: &Corner| c.mix.iter().map(|(v, w)| (*v, w.to_bits())).collect::<Vec<_>>();
    let ((a, at), (b, bt)) = if key(a.0) <= key(b.0) { (a, b) } else { (b, a) };
    let t = at / (at - bt);
    let mut mix: BTreeMap<u32, f64> = BTreeMap::new();
    for (corner, share) in [(a, 1.0 - t), (b, t)] {
        for &(v, w) in &corner.mix {
            *mix.entry(v).or_insert(0.0) += w * share;
        }
    }
    let uv = [0, 1].map(|i| a.uv[i] * (1.0 - t) + b.uv[i] * t);
    Corner { mix: mix.into_iter().collect(), uv }
}

/// Triangles of a polygon: quads along their shorter diagonal, which bends
/// less; others as a fan.
fn fan(n: usize, at: impl Fn(usize) -> [f64; 3]) -> Vec<[usize; 3]> {
    let distance = |a: usize, b: usize| {
        let (a, b) = (at(a), at(b));
        (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>()
    };
    let start = usize::from(n == 4 && distance(1, 3) < distance(0, 2));
    (1..n.saturating_sub(1)).map(|i| [start, (start + i) % n, (start + i + 1) % n]).collect()
}

/// Collects cut polygons into a part, sharing equal points and vertices.
#[derive(Default)]
struct FitBuilder {
    part: PartContent,
    points: BTreeMap<Vec<(u32, u64)>, u32>,
    vertices: BTreeMap<(u32, [u64; 2]), u32>,
}

impl FitBuilder {
    fn add(&mut self, polygon: &[Corner], at: impl Fn(usize) -> [f64; 3]) {
        if polygon.len() < 3 {
            return;
        }
        let vertices: Vec<u32> = polygon.iter().map(|c| self.vertex(c)).collect();
        for t in fan(polygon.len(), at) {
            let [a, b, c] = t.map(|i| vertices[i]);
            // Cutting can leave corners that fall on one another.
            if a != b && b != c && c != a {
                self.part.triangles.push([a, b, c]);
            }
        }
    }

    fn vertex(&mut self, corner: &Corner) -> u32 {
        let point = self.point(&corner.mix);
        let next = self.part.vertices.len() as u32;
        let key = (point, corner.uv.map(f64::to_bits));
        *self.vertices.entry(key).or_insert_with(|| {
            self.part.vertices.push(PartVertex { point, uv: corner.uv.map(|x| x as f32) });
            next
        })
    }

    fn point(&mut self, mix: &[(u32, f64)]) -> u32 {
        let key: Vec<(u32, u64)> = mix.iter().map(|(v, w)| (*v, w.to_bits())).collect();
        if let Some(&known) = self.points.get(&key) {
            return known;
        }
        // A point follows three base vertices. Two cuts that meet inside a
        // quad can make four; the smallest share then goes to the others.
        let mut shares = mix.to_vec();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        shares.truncate(3);
        let sum: f64 = shares.iter().map(|(_, w)| w).sum();
        let mut fit = FitPoint { base: [shares[0].0; 3], weights: [0.0; 3], offset: [0.0; 3] };
        for (i, (v, w)) in shares.iter().enumerate() {
            fit.base[i] = *v;
            fit.weights[i] = (w / sum) as f32;
        }
        let Binding::Fit(points) = &mut self.part.binding else {
            self.part.binding = Binding::Fit(vec![fit]);
            self.points.insert(key, 0);
            return 0;
        };
        let index = points.len() as u32;
        points.push(fit);
        self.points.insert(key, index);
        index
    }
}

#[cfg(test)]
mod tests {
    use super::super::obj::parse_obj;
    use super::*;

    /// Two quads side by side in the plane z = 0, x from 0 to 2.
    const STRIP: &str = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\n\
        vt 0 0\nvt .5 0\nvt 1 0\nvt 0 1\nvt .5 1\nvt 1 1\n\
        g strip\nf 1/1 2/2 5/5 4/4\nf 2/2 3/3 6/6 5/5\ng other\nf 1/1 2/2 5/5\n";

    #[test]
    fn whole_groups_are_cut_out() {
        let obj = parse_obj("strip.obj", STRIP.as_bytes()).unwrap();
        let part = cut_groups("strip.obj", &obj, &["strip"]).unwrap();
        assert_eq!(part.binding, Binding::Base(vec![0, 1, 2, 3, 4, 5]));
        assert_eq!(part.vertices.len(), 6);
        assert_eq!(part.vertices[0].uv, [0.0, 1.0]);
        assert_eq!(part.triangles.len(), 4);
        assert!(cut_groups("strip.obj", &obj, &["nothing"]).is_err());
    }

    #[test]
    fn a_field_cuts_through_faces() {
        let obj = parse_obj("strip.obj", STRIP.as_bytes()).unwrap();
        let keep_left = |p: [f64; 3]| 1.25 - p[0];
        let part = cut_fields("strip.obj", &obj, &["strip"], |p| p, &[&keep_left]).unwrap();
        let Binding::Fit(points) = &part.binding else { panic!("{part:?}") };
        assert_eq!((points.len(), part.vertices.len(), part.triangles.len()), (6, 6, 4));
        let cut: Vec<_> = points.iter().filter(|p| p.weights[1] > 0.0).collect();
        assert_eq!(cut.len(), 2);
        for p in cut {
            assert_eq!((p.weights[0], p.weights[1]), (0.75, 0.25));
        }
        let right = part.vertices.iter().map(|v| v.uv[0]).fold(0.0, f32::max);
        assert_eq!(right, 0.625);
    }

    #[test]
    fn both_faces_of_a_cut_edge_share_its_point() {
        let obj = parse_obj("strip.obj", STRIP.as_bytes()).unwrap();
        let keep_low = |p: [f64; 3]| 0.3 - p[1];
        let part = cut_fields("strip.obj", &obj, &["strip"], |p| p, &[&keep_low]).unwrap();
        assert_eq!(part.binding.n_points(), 6);
    }
}

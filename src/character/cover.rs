//! Taking away the skin that garments hide.

use super::build::Part;
use crate::pack::PartView;

/// Removes from a part that lies on the base mesh itself every triangle whose
/// three points are all covered, and then every point and vertex that no
/// triangle uses any more. Normals stay as the whole skin gave them, so an
/// edge under a hem is shaded like its surroundings. `base` names the points'
/// base vertices and is cut down with them.
pub(super) fn remove_covered(part: &mut Part, base: &mut Vec<u32>, worn: &[PartView<'_>]) {
    let n_base = base.iter().map(|v| *v as usize + 1).max().unwrap_or(0);
    let mut covered = vec![false; n_base];
    for &vertex in worn.iter().flat_map(|view| view.covers) {
        if let Some(mark) = covered.get_mut(vertex as usize) {
            *mark = true;
        }
    }
    let hidden =
        |vertex: u32| covered[base[part.vertices[vertex as usize].point as usize] as usize];
    let visible = |t: &[u32; 3]| !t.iter().all(|v| hidden(*v));
    let triangles: Vec<[u32; 3]> = part.triangles.iter().copied().filter(visible).collect();
    if triangles.len() == part.triangles.len() {
        return;
    }
    let mut used = vec![false; part.vertices.len()];
    triangles.as_flattened().iter().for_each(|v| used[*v as usize] = true);
    let mut vertices: Vec<_> =
        part.vertices.iter().zip(&used).filter(|(_, used)| **used).map(|(v, _)| *v).collect();
    let new_vertex = renumber(&used);
    let mut used_points = vec![false; part.points.len()];
    vertices.iter().for_each(|v| used_points[v.point as usize] = true);
    let new_point = renumber(&used_points);
    vertices.iter_mut().for_each(|v| v.point = new_point[v.point as usize]);
    part.vertices = vertices;
    part.triangles = triangles.iter().map(|t| t.map(|v| new_vertex[v as usize])).collect();
    keep(&mut part.points, &used_points);
    keep(&mut part.normals, &used_points);
    keep(&mut part.influences, &used_points);
    keep(base, &used_points);
}

/// The new number of everything that is kept.
fn renumber(kept: &[bool]) -> Vec<u32> {
    let mut next = 0;
    kept.iter()
        .map(|kept| {
            let number = next;
            next += u32::from(*kept);
            number
        })
        .collect()
}

fn keep<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.retain(|_| *kept.next().expect("one mark for each item"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Finish;
    use crate::kernels::skin::Influences;
    use crate::pack::{PartMeta, PartVertex, PointsView};
    use crate::profile::PartKind;

    #[test]
    fn only_triangles_that_are_wholly_covered_go() {
        // Three triangles in a strip of five points; the base vertex of point
        // i is 10 + i.
        let mut part = Part {
            kind: PartKind::Body,
            mesh_name: "body".into(),
            points: (0..5).map(|i| [i as f32, 0.0, 0.0]).collect(),
            normals: vec![[0.0, 1.0, 0.0]; 5],
            influences: vec![Influences::default(); 5],
            vertices: (0..5).map(|point| PartVertex { point, uv: [0.0; 2] }).collect(),
            triangles: vec![[0, 1, 2], [1, 2, 3], [2, 3, 4]],
            shapes: vec![],
            finish: Finish { base_colour: [1.0; 4], roughness: 1.0, double_sided: false },
        };
        let meta = PartMeta {
            name: "sock".into(),
            kind: PartKind::Garment,
            asset: "test:garment/sock".into(),
            double_sided: false,
            stand_off_m: 0.0,
        };
        let sock = |covers| PartView {
            meta: &meta,
            points: PointsView::Base(&[]),
            vertices: &[],
            triangles: &[],
            covers,
        };
        let mut base = vec![10, 11, 12, 13, 14];
        let whole = part.clone();
        remove_covered(&mut part, &mut base, &[sock(&[11, 12])]);
        assert_eq!(part, whole);
        remove_covered(&mut part, &mut base, &[sock(&[10, 11]), sock(&[12])]);
        assert_eq!(part.triangles, [[0, 1, 2], [1, 2, 3]]);
        assert_eq!(part.points, whole.points[1..]);
        assert_eq!(base, [11, 12, 13, 14]);
        assert_eq!(part.vertices.iter().map(|v| v.point).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }
}

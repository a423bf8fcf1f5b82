//! Smooth normals of a triangle mesh.

use glam::Vec3;

/// The unit normal of every point, from the triangles that meet in it.
///
/// Each triangle counts by its area (the length of the cross product), which
/// keeps slivers from bending the normal. Triangles are visited in order, so
/// the sums have the same bits on any number of threads. A point that no
/// triangle of some area touches gets +Y, since glTF wants unit normals
/// (spec 3.7.2.1) and no direction is better than another.
///
/// Give the points that faces share, not the vertices split along UV seams:
/// a seam then does not show.
///
/// # Panics
/// When a triangle names a point that does not exist.
pub fn smooth_normals(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let mut sums = vec![Vec3::ZERO; points.len()];
    for t in triangles {
        let [a, b, c] = t.map(|i| Vec3::from_array(points[i as usize]));
        let normal = (b - a).cross(c - a);
        for &i in t {
            sums[i as usize] += normal;
        }
    }
    sums.iter().map(|n| unit_or_up(*n).to_array()).collect()
}

/// `v` made a unit vector in f32, or +Y when it has no direction.
#[inline]
pub fn unit_or_up(v: Vec3) -> Vec3 {
    // Millimetre triangles give cross products near 1e-7; scaling by the
    // largest component first keeps their squares away from underflow.
    let largest = v.abs().max_element();
    if !(largest.is_finite() && largest > 1e-30) {
        return Vec3::Y;
    }
    let scaled = v / largest;
    scaled / scaled.length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_square_has_one_normal() {
        let points = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
        let normals = smooth_normals(&points, &[[0, 1, 2], [0, 2, 3]]);
        assert!(normals.iter().all(|n| *n == [0., 0., 1.]));
    }

    #[test]
    fn a_larger_triangle_counts_more() {
        // One triangle faces +Z with area 2, the other +X with area 1/2.
        let points = [[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 1.], [0., 1., 0.]];
        let normals = smooth_normals(&points, &[[0, 1, 2], [0, 4, 3]]);
        let n = Vec3::from_array(normals[0]);
        assert!((n - Vec3::new(1., 0., 4.).normalize()).length() < 1e-6, "{n}");
    }

    #[test]
    fn tiny_and_empty_triangles_still_give_unit_normals() {
        let s = 1e-7;
        let points = [[0., 0., 0.], [s, 0., 0.], [0., s, 0.], [5., 5., 5.]];
        let normals = smooth_normals(&points, &[[0, 1, 2]]);
        assert_eq!(normals[0], [0., 0., 1.]);
        assert_eq!(normals[3], [0., 1., 0.]);
    }
}

//! Smooth normals of a triangle mesh.

use glam::{Vec3, Vec3A, Vec3Swizzles};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::vector;

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
    // Four floats a vector are read, added and written at once; three are not.
    let points: Vec<Vec3A> = points.iter().map(|p| Vec3A::from_array(*p)).collect();
    let mut sums = vec![Vec3A::ZERO; points.len()];
    for t in triangles {
        let [a, b, c] = t.map(|i| points[i as usize]);
        let normal = cross(b - a, c - a);
        for &i in t {
            sums[i as usize] += normal;
        }
    }
    let mut normals: Vec<[f32; 3]> = sums.iter().map(|sum| sum.to_array()).collect();
    make_unit(&mut normals);
    normals
}

/// The cross product with each product rounded. glam's own fuses one of them
/// with the subtraction on aarch64, and on x86-64 when it is compiled for
/// processors with FMA: there it gives other bits, and for the cross product
/// of a vector with itself not zero but what was rounded off.
#[inline]
fn cross(a: Vec3A, b: Vec3A) -> Vec3A {
    (a.zxy() * b - a * b.zxy()).zxy()
}

/// Puts [`unit_or_up`] of every vector in its place.
pub fn make_unit(vectors: &mut [[f32; 3]]) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    if vector::detected() {
        let (blocks, rest) = vectors.as_chunks_mut();
        // SAFETY: all that this asks is that the processor has the
        // instructions that were detected above.
        #[allow(unsafe_code)]
        unsafe {
            vector::make_unit(blocks);
        }
        make_unit_scalar(rest);
        return;
    }
    make_unit_scalar(vectors);
}

/// The scalar twin of the vector code: the definition of the result.
pub(super) fn make_unit_scalar(vectors: &mut [[f32; 3]]) {
    for v in vectors {
        *v = unit_or_up(Vec3::from_array(*v)).to_array();
    }
}

/// The largest component of the shortest vector that has a direction.
pub(super) const LEAST: f32 = 1e-30;

/// `v` made a unit vector in f32, or +Y when it has no direction.
#[inline]
pub fn unit_or_up(v: Vec3) -> Vec3 {
    // Millimetre triangles give cross products near 1e-7; scaling by the
    // largest component first keeps their squares away from underflow.
    let largest = v.abs().max_element();
    if !(largest.is_finite() && largest > LEAST) {
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

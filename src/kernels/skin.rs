//! Linear-blend skinning.

use glam::{Affine3A, Mat3A, Vec3};
use rayon::prelude::*;

use super::normals::unit_or_up;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::{joints, vector};

/// Up to four joints that move a vertex. Unused slots have joint 0 and
/// weight 0, as glTF asks of `JOINTS_0`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Influences {
    /// Joint indices into the 65 of the profile.
    pub joints: [u8; 4],
    /// Weights, largest first, summing to 1.
    pub weights: [f32; 4],
}

/// From this many vertices on the work is shared among threads. Below, one
/// thread is done in the time that waking others takes.
const PARALLEL_FROM: usize = 50_000;

/// The vertices that a thread takes at a time: some tens of microseconds.
const CHUNK: usize = 4096;

/// Below this many vertices the matrices are not worth being rearranged. Tests
/// want the vector code to see short slices too.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const VECTOR_FROM: usize = if cfg!(test) { 1 } else { 64 };

/// Moves `positions` and `normals` by the blend of their joints' matrices.
///
/// A normal is turned by the blended linear part and made a unit vector
/// again, or +Y when nothing is left of it. That is exact where the blend is
/// a rotation; where joints disagree the blend also shears, and the inverse
/// transpose would differ by the same order as the blend itself errs.
///
/// Large meshes are shared among rayon's threads. The result has the same
/// bits with any number of threads and on any x86-64 or aarch64 processor.
///
/// # Panics
/// When the three slices differ in length or a joint has no matrix, be its
/// weight 0 or not. In the latter case some vertices may have been moved.
pub fn skin_positions_normals(
    matrices: &[Affine3A],
    influences: &[Influences],
    positions: &mut [[f32; 3]],
    normals: &mut [[f32; 3]],
) {
    assert_eq!(influences.len(), positions.len());
    assert_eq!(influences.len(), normals.len());
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    if influences.len() >= VECTOR_FROM && vector::detected() {
        let rows = joints::rows(matrices);
        let joints = joints::Joints::new(&rows);
        in_chunks(influences, positions, normals, |influences, positions, normals| {
            let (blocks, rest) = influences.as_chunks();
            let (position_blocks, positions) = positions.as_chunks_mut();
            let (normal_blocks, normals) = normals.as_chunks_mut();
            // SAFETY: all that this asks is that the processor has the
            // instructions that were detected above.
            #[allow(unsafe_code)]
            let all_well = unsafe { vector::skin(&joints, blocks, position_blocks, normal_blocks) };
            if !all_well {
                check_joints(matrices.len(), influences);
            }
            skin_scalar(matrices, rest, positions, normals);
        });
        return;
    }
    in_chunks(influences, positions, normals, |influences, positions, normals| {
        skin_scalar(matrices, influences, positions, normals);
    });
}

/// Calls `work` for consecutive vertices of the three slices, which are of
/// equal length: on this thread for small meshes, on all for large ones.
/// Vertices do not depend on one another, so how they are cut changes nothing.
fn in_chunks(
    influences: &[Influences],
    positions: &mut [[f32; 3]],
    normals: &mut [[f32; 3]],
    work: impl Fn(&[Influences], &mut [[f32; 3]], &mut [[f32; 3]]) + Sync,
) {
    if influences.len() < PARALLEL_FROM {
        for ((influences, positions), normals) in
            influences.chunks(CHUNK).zip(positions.chunks_mut(CHUNK)).zip(normals.chunks_mut(CHUNK))
        {
            work(influences, positions, normals);
        }
    } else {
        influences
            .par_chunks(CHUNK)
            .zip(positions.par_chunks_mut(CHUNK))
            .zip(normals.par_chunks_mut(CHUNK))
            .for_each(|((influences, positions), normals)| work(influences, positions, normals));
    }
}

/// Panics when a vertex names a joint that has no matrix.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[cold]
fn check_joints(n_matrices: usize, influences: &[Influences]) {
    for joint in influences.iter().flat_map(|inf| inf.joints) {
        let joint = usize::from(joint);
        assert!(joint < n_matrices, "joint {joint} has no matrix, there are {n_matrices}");
    }
}

/// The scalar twin of the vector code: the definition of the result.
pub(super) fn skin_scalar(
    matrices: &[Affine3A],
    influences: &[Influences],
    positions: &mut [[f32; 3]],
    normals: &mut [[f32; 3]],
) {
    for ((inf, p), n) in influences.iter().zip(positions).zip(normals) {
        let m = blend(matrices, inf);
        *p = m.transform_point3(Vec3::from_array(*p)).to_array();
        *n = unit_or_up(m.transform_vector3(Vec3::from_array(*n))).to_array();
    }
}

/// Turns vectors by the linear part of their vertex's blended matrix:
/// `vectors[k]` by that of the vertex `indices[k]`.
///
/// This takes the differences of a morph target along when its mesh is
/// re-posed: a difference of two points of the same vertex moves by the
/// linear part alone. They are not made unit vectors.
///
/// # Panics
/// When the last two slices differ in length, an index has no influences, or
/// a joint has no matrix.
pub fn turn_vectors(
    matrices: &[Affine3A],
    influences: &[Influences],
    indices: &[u32],
    vectors: &mut [[f32; 3]],
) {
    assert_eq!(indices.len(), vectors.len());
    for (&vertex, v) in indices.iter().zip(vectors) {
        let linear = blend_linear(matrices, &influences[vertex as usize]);
        *v = linear.mul_vec3(Vec3::from_array(*v)).to_array();
    }
}

/// The weighted sum of a vertex's joint matrices.
///
/// # Panics
/// When a joint has no matrix.
#[inline]
pub fn blend(matrices: &[Affine3A], inf: &Influences) -> Affine3A {
    let [a, b, c, d] = inf.joints.map(|joint| &matrices[usize::from(joint)]);
    let [wa, wb, wc, wd] = inf.weights;
    Affine3A {
        matrix3: blend_linear(matrices, inf),
        translation: a.translation * wa
            + b.translation * wb
            + c.translation * wc
            + d.translation * wd,
    }
}

/// The linear part of [`blend`].
///
/// # Panics
/// When a joint has no matrix.
#[inline]
pub fn blend_linear(matrices: &[Affine3A], inf: &Influences) -> Mat3A {
    let [a, b, c, d] = inf.joints.map(|joint| &matrices[usize::from(joint)].matrix3);
    let [wa, wb, wc, wd] = inf.weights;
    *a * wa + *b * wb + *c * wc + *d * wd
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn one_joint_moves_rigidly_and_two_blend() {
        let turn = Affine3A::from_quat(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
        let matrices = [Affine3A::IDENTITY, turn];
        let influences = [
            Influences { joints: [1, 0, 0, 0], weights: [1., 0., 0., 0.] },
            Influences { joints: [0, 1, 0, 0], weights: [0.5, 0.5, 0., 0.] },
        ];
        let mut positions = [[1., 0., 0.], [1., 0., 0.]];
        let mut normals = [[1., 0., 0.], [1., 0., 0.]];
        skin_positions_normals(&matrices, &influences, &mut positions, &mut normals);
        let near = |a: [f32; 3], b: [f32; 3]| {
            assert!(Vec3::from_array(a).distance(Vec3::from_array(b)) < 1e-6, "{a:?} {b:?}");
        };
        near(positions[0], [0., 1., 0.]);
        near(normals[0], [0., 1., 0.]);
        near(positions[1], [0.5, 0.5, 0.]);
        let h = std::f32::consts::FRAC_1_SQRT_2;
        near(normals[1], [h, h, 0.]);
    }

    #[test]
    fn differences_turn_but_do_not_travel() {
        let turn = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let matrices =
            [Affine3A::IDENTITY, Affine3A::from_rotation_translation(turn, Vec3::new(5., 6., 7.))];
        let influences = [
            Influences { joints: [0; 4], weights: [1., 0., 0., 0.] },
            Influences { joints: [1, 0, 0, 0], weights: [1., 0., 0., 0.] },
        ];
        let mut vectors = [[0.25, 0., 0.5], [0.25, 0., 0.5]];
        turn_vectors(&matrices, &influences, &[1, 0], &mut vectors);
        let turned = Vec3::from_array(vectors[0]);
        assert!(turned.distance(Vec3::new(0., 0.25, 0.5)) < 1e-6, "{turned}");
        assert_eq!(vectors[1], [0.25, 0., 0.5]);
    }
}

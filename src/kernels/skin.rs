//! Linear-blend skinning.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

use super::normals::unit_or_up;

/// Up to four joints that move a vertex. Unused slots have joint 0 and
/// weight 0, as glTF asks of `JOINTS_0`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Influences {
    /// Joint indices into the 65 of the profile.
    pub joints: [u8; 4],
    /// Weights, largest first, summing to 1.
    pub weights: [f32; 4],
}

/// Moves `positions` and `normals` by the blend of their joints' matrices.
///
/// A normal is turned by the blended linear part and made a unit vector
/// again. That is exact where the blend is a rotation; where joints disagree
/// the blend also shears, and the inverse transpose would differ by the same
/// order as the blend itself errs.
///
/// # Panics
/// When the three slices differ in length or a joint has no matrix.
pub fn skin_positions_normals(
    matrices: &[Affine3A],
    influences: &[Influences],
    positions: &mut [[f32; 3]],
    normals: &mut [[f32; 3]],
) {
    assert_eq!(influences.len(), positions.len());
    assert_eq!(influences.len(), normals.len());
    for ((inf, p), n) in influences.iter().zip(positions).zip(normals) {
        let m = blend(matrices, inf);
        *p = m.transform_point3(Vec3::from_array(*p)).to_array();
        *n = unit_or_up(m.transform_vector3(Vec3::from_array(*n))).to_array();
    }
}

/// Turns vectors that belong to some of the vertices by the linear part of
/// each one's blended matrix: what skinning does to the difference of two
/// places of one vertex.
///
/// # Panics
/// When `indices` and `vectors` differ in length, or an index has no
/// influences.
pub fn turn_vectors(
    matrices: &[Affine3A],
    influences: &[Influences],
    indices: &[u32],
    vectors: &mut [[f32; 3]],
) {
    assert_eq!(indices.len(), vectors.len());
    for (&i, v) in indices.iter().zip(vectors) {
        let m = blend(matrices, &influences[i as usize]);
        *v = m.transform_vector3(Vec3::from_array(*v)).to_array();
    }
}

/// The weighted sum of a vertex's joint matrices.
#[inline]
pub fn blend(matrices: &[Affine3A], inf: &Influences) -> Affine3A {
    let mut linear = Mat3A::ZERO;
    let mut translation = Vec3A::ZERO;
    for (&joint, &weight) in inf.joints.iter().zip(&inf.weights) {
        let m = &matrices[usize::from(joint)];
        linear += m.matrix3 * weight;
        translation += m.translation * weight;
    }
    Affine3A { matrix3: linear, translation }
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
}

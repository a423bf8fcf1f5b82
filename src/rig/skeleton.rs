//! The joints as they are written: local transforms and inverse bind matrices.

use glam::{DMat4, DQuat, DVec3};

use super::turns::{UalRest, arc, bone_child};
use crate::profile::{N_JOINTS, PARENTS, RestPose, UAL_REST_ROTATIONS};

/// A joint's local transform, as the file's node has it; scale is 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointNode {
    /// In metres, in the parent's frame.
    pub translation: [f32; 3],
    /// A unit quaternion, x y z w.
    pub rotation: [f32; 4],
}

/// The 65 joints in the profile's order.
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    /// Local transforms.
    pub nodes: [JointNode; N_JOINTS],
    /// Inverse bind matrices, column-major: the exact inverses of what the
    /// nodes give, rounded to f32 once.
    pub inverse_bind: [[f32; 16]; N_JOINTS],
}

impl Skeleton {
    /// Joints at given world positions (metres) with given world rotations.
    ///
    /// In the T-pose the local rotations are UAL's own numbers, so that UAL's
    /// clips mean the same here. Translations are solved against the f32
    /// values already written for the parents, so errors do not add up along
    /// a chain.
    pub(super) fn new(
        positions: &[DVec3; N_JOINTS],
        rotations: &[DQuat; N_JOINTS],
        rest_pose: RestPose,
    ) -> Skeleton {
        let mut nodes = [JointNode { translation: [0.0; 3], rotation: [0.0; 4] }; N_JOINTS];
        let mut inverse_bind = [[0.0; 16]; N_JOINTS];
        let mut globals = [DMat4::IDENTITY; N_JOINTS];
        for i in 0..N_JOINTS {
            let (parent, parent_rotation) = match PARENTS[i].map(usize::from) {
                None => (DMat4::IDENTITY, DQuat::IDENTITY),
                Some(p) => (globals[p], rotations[p]),
            };
            let translation = parent.inverse().transform_point3(positions[i]);
            let rotation = match rest_pose {
                RestPose::TPose => UAL_REST_ROTATIONS[i],
                RestPose::Source => written(parent_rotation.inverse() * rotations[i]),
            };
            nodes[i] =
                JointNode { translation: translation.as_vec3().to_array().map(zeroed), rotation };
            globals[i] = parent * node_matrix(&nodes[i]);
            // The last row of a rigid inverse is exactly 0 0 0 1, which the
            // specification asks for (3.7.3.1); rounding must not touch it.
            let mut inverse = globals[i].inverse();
            for (column, last) in [0.0, 0.0, 0.0, 1.0].into_iter().enumerate() {
                inverse.col_mut(column).w = last;
            }
            inverse_bind[i] = inverse.as_mat4().to_cols_array().map(zeroed);
        }
        Skeleton { nodes, inverse_bind }
    }

    /// The joints' world matrices as any reader computes them from the nodes.
    pub fn globals(&self) -> [DMat4; N_JOINTS] {
        let mut globals = [DMat4::IDENTITY; N_JOINTS];
        for i in 0..N_JOINTS {
            let parent = PARENTS[i].map_or(DMat4::IDENTITY, |p| globals[usize::from(p)]);
            globals[i] = parent * node_matrix(&self.nodes[i]);
        }
        globals
    }
}

/// A node's matrix from the f32 that are written, computed in f64. The
/// quaternion is taken as it is: readers do not normalise it either.
fn node_matrix(node: &JointNode) -> DMat4 {
    let rotation = DQuat::from_array(node.rotation.map(f64::from));
    let translation = DVec3::from_array(node.translation.map(f64::from));
    DMat4::from_rotation_translation(rotation, translation)
}

/// -0 is the same place as 0 and only makes files look different.
fn zeroed(x: f32) -> f32 {
    x + 0.0
}

fn written(q: DQuat) -> [f32; 4] {
    // q and -q turn alike; the one with w >= 0 is the shorter way from rest.
    let q = if q.w < 0.0 { -q } else { q }.normalize();
    q.as_quat().to_array().map(zeroed)
}

/// World rotations of the joints for the source's rest pose: UAL's frames,
/// taken back by the T-pose's turns and then aimed so that each bone lies
/// along its joint's +Y again. For the limbs the second step does nothing,
/// since the turns are exactly what aims them; the trunk and the feet are
/// where a character's bones differ from UAL's.
pub(super) fn source_rotations(
    joints: &[DVec3; N_JOINTS],
    turns: &[DQuat; N_JOINTS],
    ual: &UalRest,
) -> [DQuat; N_JOINTS] {
    std::array::from_fn(|i| {
        let frame = turns[i].inverse() * ual.rotations[i];
        let Some(child) = bone_child(i) else {
            return frame;
        };
        let along = (frame * DVec3::Y).normalize();
        match (joints[child] - joints[i]).try_normalize() {
            Some(bone) => arc(along, bone) * frame,
            None => frame,
        }
    })
}

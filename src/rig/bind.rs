//! Binding a character to its skeleton, in the T-pose or as it was sculpted.

use glam::{Affine3A, DAffine3, DQuat, DVec3};

use super::skeleton::{Skeleton, source_rotations};
use super::turns::{UalRest, t_pose_turns};
use crate::character::{Character, Part};
use crate::kernels::skin::{skin_positions_normals, turn_vectors};
use crate::profile::{N_JOINTS, PARENTS, RestPose, j};

/// A character in the pose it is bound in: the pelvis over the origin, the
/// lowest vertex of all meshes at y = 0.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundCharacter<'c> {
    /// The character; its own points are still in the source's rest pose.
    pub character: &'c Character,
    /// Which pose that is.
    pub rest_pose: RestPose,
    /// The joints.
    pub skeleton: Skeleton,
    /// The matrices that posed the points, one per joint.
    pub matrices: [Affine3A; N_JOINTS],
    /// The meshes, in the order of the character's parts.
    pub parts: Vec<BoundPart<'c>>,
}

/// A mesh in the bind pose.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundPart<'c> {
    /// The part it comes from.
    pub part: &'c Part,
    /// Point positions in metres.
    pub points: Vec<[f32; 3]>,
    /// Unit normals of the points.
    pub normals: Vec<[f32; 3]>,
}

impl BoundCharacter<'_> {
    /// Deltas of some of a part's points in the bind pose: each goes through
    /// the linear part of its point's blended matrix, as the point itself did.
    pub fn pose_deltas(&self, part: &Part, points: &[u32], deltas: &mut [[f32; 3]]) {
        turn_vectors(&self.matrices, &part.influences, points, deltas);
    }
}

/// Poses a character and binds it to the 65 joints.
///
/// The re-pose is linear-blend skinning of positions and normals with the
/// weights that are written, so a reader that poses the joints back gets the
/// sculpted shape up to the blend's own distortion.
pub fn bind(character: &Character, rest_pose: RestPose) -> BoundCharacter<'_> {
    let ual = UalRest::new();
    let joints = character.joints.map(DVec3::from_array);
    let turns = t_pose_turns(&joints, &ual);
    let (applied, rotations) = match rest_pose {
        RestPose::TPose => (turns, ual.rotations),
        RestPose::Source => ([DQuat::IDENTITY; N_JOINTS], source_rotations(&joints, &turns, &ual)),
    };
    // Root stands on the floor under the pelvis (design, decision 2).
    let pelvis = joints[j::PELVIS];
    let over_origin = -DVec3::new(pelvis.x, 0.0, pelvis.z);
    let mut posed = pose_joints(&joints, &applied, over_origin);
    let matrices: [Affine3A; N_JOINTS] = std::array::from_fn(|i| {
        let turn = DAffine3::from_rotation_translation(applied[i], posed[i]);
        let m = turn * DAffine3::from_translation(-joints[i]);
        Affine3A::from_mat3_translation(m.matrix3.as_mat3(), m.translation.as_vec3())
    });
    let mut parts: Vec<BoundPart<'_>> =
        character.parts.iter().map(|part| pose_part(part, &matrices)).collect();
    let floor = parts.iter().flat_map(|p| &p.points).map(|p| p[1]).fold(f32::INFINITY, f32::min);
    if floor.is_finite() {
        for point in parts.iter_mut().flat_map(|p| &mut p.points) {
            point[1] -= floor;
        }
        for (i, joint) in posed.iter_mut().enumerate() {
            if i != j::ROOT {
                joint.y -= f64::from(floor);
            }
        }
    }
    let skeleton = Skeleton::new(&posed, &rotations, rest_pose);
    BoundCharacter { character, rest_pose, skeleton, matrices, parts }
}

/// Joint positions after the turns: each joint is carried along by its
/// parent's. Root stays at the origin; everything else moves by `offset`.
fn pose_joints(
    joints: &[DVec3; N_JOINTS],
    turns: &[DQuat; N_JOINTS],
    offset: DVec3,
) -> [DVec3; N_JOINTS] {
    let mut posed = [DVec3::ZERO; N_JOINTS];
    for i in 1..N_JOINTS {
        posed[i] = match PARENTS[i].map(usize::from) {
            None | Some(j::ROOT) => joints[i] + offset,
            Some(p) => posed[p] + turns[p] * (joints[i] - joints[p]),
        };
    }
    posed
}

fn pose_part<'c>(part: &'c Part, matrices: &[Affine3A; N_JOINTS]) -> BoundPart<'c> {
    let (mut points, mut normals) = (part.points.clone(), part.normals.clone());
    skin_positions_normals(matrices, &part.influences, &mut points, &mut normals);
    BoundPart { part, points, normals }
}

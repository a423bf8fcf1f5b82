//! How far each joint turns from the source's rest pose to the T-pose.
//!
//! All turns are world rotations about the joint, found from the joints'
//! positions alone, so they follow any body. Limbs, hands, fingers and thumbs
//! are turned so that each bone lies along UAL's rest direction; the trunk,
//! the neck, the head and the clavicles stay as they are (a turned clavicle
//! drags the chest along with it).

use glam::{DMat3, DQuat, DVec3};

use crate::profile::{N_JOINTS, PARENTS, UAL_REST_ROTATIONS, UAL_REST_TRANSLATIONS, j};

/// UAL's rest pose in world space.
#[derive(Debug, Clone)]
pub(super) struct UalRest {
    pub positions: [DVec3; N_JOINTS],
    pub rotations: [DQuat; N_JOINTS],
}

impl UalRest {
    pub fn new() -> UalRest {
        let mut rest =
            UalRest { positions: [DVec3::ZERO; N_JOINTS], rotations: [DQuat::IDENTITY; N_JOINTS] };
        for i in 0..N_JOINTS {
            let t = DVec3::from_array(UAL_REST_TRANSLATIONS[i].map(f64::from));
            let r = DQuat::from_array(UAL_REST_ROTATIONS[i].map(f64::from)).normalize();
            let (position, rotation) = match PARENTS[i] {
                None => (DVec3::ZERO, DQuat::IDENTITY),
                Some(p) => (rest.positions[usize::from(p)], rest.rotations[usize::from(p)]),
            };
            rest.positions[i] = position + rotation * t;
            rest.rotations[i] = rotation * r;
        }
        rest
    }
}

/// The child that a joint's bone points to, or none where several children
/// share the joint and none of them is the bone (the hand), and at the tips.
pub(super) fn bone_child(joint: usize) -> Option<usize> {
    match joint {
        j::ROOT => None,
        j::PELVIS => Some(j::SPINE_01),
        j::SPINE_03 => Some(j::NECK_01),
        j::HAND_L | j::HAND_R => None,
        _ => (0..N_JOINTS).find(|c| PARENTS[*c].map(usize::from) == Some(joint)),
    }
}

/// The world rotation that takes each joint's bone from the character's rest
/// pose to the T-pose.
pub(super) fn t_pose_turns(joints: &[DVec3; N_JOINTS], ual: &UalRest) -> [DQuat; N_JOINTS] {
    let mut turns = [DQuat::IDENTITY; N_JOINTS];
    for side in [&LEFT, &RIGHT] {
        turn_arm(joints, ual, side, &mut turns);
        turn_fingers(joints, ual, side, &mut turns);
        turn_leg(joints, ual, side, &mut turns);
    }
    turns
}

/// The joints of one side.
struct Limbs {
    upper_arm: usize,
    lower_arm: usize,
    hand: usize,
    index: usize,
    middle: usize,
    pinky: usize,
    /// The first joints of the five fingers; the three that follow each are
    /// its other joints and its tip.
    fingers: [usize; 5],
    thigh: usize,
    calf: usize,
    foot: usize,
    ball: usize,
}

const LEFT: Limbs = Limbs {
    upper_arm: j::UPPERARM_L,
    lower_arm: j::LOWERARM_L,
    hand: j::HAND_L,
    index: j::INDEX_01_L,
    middle: j::MIDDLE_01_L,
    pinky: j::PINKY_01_L,
    fingers: [j::THUMB_01_L, j::INDEX_01_L, j::MIDDLE_01_L, j::RING_01_L, j::PINKY_01_L],
    thigh: j::THIGH_L,
    calf: j::CALF_L,
    foot: j::FOOT_L,
    ball: j::BALL_L,
};

const RIGHT: Limbs = Limbs {
    upper_arm: j::UPPERARM_R,
    lower_arm: j::LOWERARM_R,
    hand: j::HAND_R,
    index: j::INDEX_01_R,
    middle: j::MIDDLE_01_R,
    pinky: j::PINKY_01_R,
    fingers: [j::THUMB_01_R, j::INDEX_01_R, j::MIDDLE_01_R, j::RING_01_R, j::PINKY_01_R],
    thigh: j::THIGH_R,
    calf: j::CALF_R,
    foot: j::FOOT_R,
    ball: j::BALL_R,
};

/// Upper and lower arm: each bone to UAL's direction, twisted so that the
/// elbow's hinge stays the elbow's hinge (UAL's points straight down on the
/// left and up on the right). A nearly straight elbow shows no hinge; the
/// bones are then turned the shortest way.
fn turn_arm(joints: &[DVec3; N_JOINTS], ual: &UalRest, l: &Limbs, turns: &mut [DQuat; N_JOINTS]) {
    let bones = |p: &[DVec3; N_JOINTS]| {
        (direction(p, l.upper_arm, l.lower_arm), direction(p, l.lower_arm, l.hand))
    };
    let (upper, fore) = bones(joints);
    let (ual_upper, ual_fore) = bones(&ual.positions);
    let hinge = upper.cross(fore);
    let ual_hinge = ual_upper.cross(ual_fore);
    // Five degrees of bend show the hinge well enough.
    if hinge.length() > 0.087 {
        turns[l.upper_arm] = frame_to_frame(upper, hinge, ual_upper, ual_hinge);
        turns[l.lower_arm] = frame_to_frame(fore, hinge, ual_fore, ual_hinge);
    } else {
        turns[l.upper_arm] = arc(upper, ual_upper);
        turns[l.lower_arm] = aim(turns[l.upper_arm], fore, ual_fore);
    }
    // The hand has no single bone: its frame is the middle finger's root and
    // the line of knuckles, which puts the palm down.
    let hand =
        |p: &[DVec3; N_JOINTS]| (direction(p, l.hand, l.middle), direction(p, l.pinky, l.index));
    let (middle, knuckles) = hand(joints);
    let (ual_middle, ual_knuckles) = hand(&ual.positions);
    turns[l.hand] = frame_to_frame(middle, knuckles, ual_middle, ual_knuckles);
}

/// Fingers and thumb: each segment is carried along by the one before and
/// then turned the shortest way to UAL's direction, so nothing twists.
fn turn_fingers(
    joints: &[DVec3; N_JOINTS],
    ual: &UalRest,
    l: &Limbs,
    turns: &mut [DQuat; N_JOINTS],
) {
    for first in l.fingers {
        let mut before = turns[l.hand];
        for (segment, turn) in turns.iter_mut().enumerate().skip(first).take(3) {
            let from = direction(joints, segment, segment + 1);
            let to = direction(&ual.positions, segment, segment + 1);
            *turn = aim(before, from, to);
            before = *turn;
        }
        turns[first + 3] = before;
    }
}

/// Thigh and calf to UAL's directions. The foot only turns about the
/// vertical, so that it points where UAL's does and its sole stays as flat on
/// the floor as the character stands: UAL's ankle is higher above its ball
/// than a human foot's, and taking over its pitch would lift the heels. The
/// toes go with the foot.
fn turn_leg(joints: &[DVec3; N_JOINTS], ual: &UalRest, l: &Limbs, turns: &mut [DQuat; N_JOINTS]) {
    let thigh = direction(joints, l.thigh, l.calf);
    turns[l.thigh] = arc(thigh, direction(&ual.positions, l.thigh, l.calf));
    let calf = direction(joints, l.calf, l.foot);
    turns[l.calf] = aim(turns[l.thigh], calf, direction(&ual.positions, l.calf, l.foot));
    let flat = |p: &[DVec3; N_JOINTS]| {
        let d = p[l.ball] - p[l.foot];
        DVec3::new(d.x, 0.0, d.z).try_normalize().unwrap_or(DVec3::Z)
    };
    let yaw = arc(flat(joints), flat(&ual.positions));
    turns[l.foot..=l.foot + 2].fill(yaw);
}

fn direction(p: &[DVec3; N_JOINTS], from: usize, to: usize) -> DVec3 {
    (p[to] - p[from]).try_normalize().unwrap_or(DVec3::Y)
}

/// The shortest rotation that takes unit vector `from` to unit vector `to`.
/// Only products and a square root, so its bits are the same everywhere.
pub(super) fn arc(from: DVec3, to: DVec3) -> DQuat {
    let w = 1.0 + from.dot(to);
    if w < 1e-9 {
        // Opposite vectors: half a turn about any axis at right angles.
        let axis = from.any_orthonormal_vector();
        return DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    let axis = from.cross(to);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, w).normalize()
}

/// Carries `from` along with `before`, then turns it the shortest way.
fn aim(before: DQuat, from: DVec3, to: DVec3) -> DQuat {
    (arc((before * from).normalize(), to) * before).normalize()
}

/// The rotation that takes one pair of a direction and a second vector to
/// another pair; of the second vectors only the part at right angles to the
/// first counts.
fn frame_to_frame(x: DVec3, y: DVec3, to_x: DVec3, to_y: DVec3) -> DQuat {
    match (frame(x, y), frame(to_x, to_y)) {
        (Some(from), Some(to)) => DQuat::from_mat3(&(to * from.transpose())).normalize(),
        // Parallel vectors span no frame; the first alone has to do.
        _ => arc(x, to_x),
    }
}

fn frame(x: DVec3, y: DVec3) -> Option<DMat3> {
    let y = (y - x * x.dot(y)).try_normalize()?;
    Some(DMat3::from_cols(x, y, x.cross(y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_takes_one_vector_to_the_other() {
        let pairs = [
            (DVec3::X, DVec3::Y),
            (DVec3::X, DVec3::X),
            (DVec3::X, DVec3::NEG_X),
            (DVec3::new(0.6, 0.8, 0.0), DVec3::new(0.0, -0.6, 0.8)),
        ];
        for (from, to) in pairs {
            assert!((arc(from, to) * from).distance(to) < 1e-12, "{from} {to}");
        }
    }

    #[test]
    fn a_body_in_uals_pose_does_not_turn() {
        let ual = UalRest::new();
        let turns = t_pose_turns(&ual.positions, &ual);
        for (i, turn) in turns.iter().enumerate() {
            assert!(turn.dot(DQuat::IDENTITY).abs() > 1.0 - 1e-12, "joint {i}: {turn}");
        }
    }

    #[test]
    fn every_limb_bone_lies_along_uals_after_the_turn() {
        let ual = UalRest::new();
        // A body that stands quite otherwise: UAL's, bent about its middle.
        let bend = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.4);
        let joints = ual.positions.map(|p| bend * p * 0.8);
        let turns = t_pose_turns(&joints, &ual);
        for (joint, turn) in turns.iter().enumerate() {
            let limb = (j::UPPERARM_L..j::FOOT_L).contains(&joint)
                || (j::UPPERARM_R..j::FOOT_R).contains(&joint);
            if let (true, Some(child)) = (limb, bone_child(joint)) {
                let turned = *turn * direction(&joints, joint, child);
                let wanted = direction(&ual.positions, joint, child);
                assert!(turned.dot(wanted) > 1.0 - 1e-9, "joint {joint}");
            }
        }
    }
}

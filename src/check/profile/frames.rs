//! The rest pose: UAL's frames, where limbs point, inverse bind matrices, and
//! the floor.

use glam::{DMat4, DQuat, DVec3};

use super::Profile;
use crate::check::context::within;
use crate::check::meshes::lowest;
use crate::check::rules;
use crate::profile::{N_JOINTS, PARENTS, RestPose, UAL_REST_ROTATIONS, UE_JOINTS, j};

/// The profile's millimetre.
const FLOOR_TOLERANCE_M: f64 = 1e-3;
/// How far the root may be from the origin and the pelvis from above it.
const ORIGIN_TOLERANCE_M: f64 = 1e-5;
/// Per component of a quaternion.
const ROTATION_TOLERANCE: f64 = 1e-4;
/// Per element of a matrix.
const BIND_TOLERANCE: f64 = 1e-4;
/// How far an arm's bones may be from X.
const ARM_TOLERANCE_DEGREES: f64 = 3.0;

/// Checks the frames of the 65 joints' nodes.
pub fn run(profile: &mut Profile<'_, '_, '_>, joints: &[usize]) {
    let nodes = profile.list("nodes");
    let rotations: Vec<DQuat> = joints
        .iter()
        .map(|node| {
            nodes[*node].numbers::<4>("rotation").map_or(DQuat::IDENTITY, DQuat::from_array)
        })
        .collect();
    let mut globals = vec![DMat4::IDENTITY; N_JOINTS];
    for i in 0..N_JOINTS {
        let at =
            nodes[joints[i]].numbers::<3>("translation").map_or(DVec3::ZERO, DVec3::from_array);
        let local = DMat4::from_rotation_translation(rotations[i], at);
        globals[i] = PARENTS[i].map_or(local, |parent| globals[usize::from(parent)] * local);
    }
    places(profile, joints, &globals);
    if profile.rest_pose == RestPose::TPose {
        t_pose(profile, joints, &rotations, &globals);
    }
    bind(profile, &globals);
    floor(profile);
}

fn position(globals: &[DMat4], joint: usize) -> DVec3 {
    globals[joint].w_axis.truncate()
}

fn at(joints: &[usize], joint: usize) -> String {
    format!("$.nodes[{}] ({})", joints[joint], UE_JOINTS[joint])
}

/// The root at the origin, the pelvis above it, toes forward.
fn places(profile: &mut Profile<'_, '_, '_>, joints: &[usize], globals: &[DMat4]) {
    let root = position(globals, j::ROOT);
    if !within(root.abs().max_element(), ORIGIN_TOLERANCE_M) {
        let found = format!("the root at {root}");
        profile.add(&rules::PROFILE_REST, at(joints, j::ROOT), found, "it at the origin");
    }
    let pelvis = position(globals, j::PELVIS);
    if !within(pelvis.x.abs().max(pelvis.z.abs()), ORIGIN_TOLERANCE_M) {
        let found = format!("the pelvis at {pelvis}");
        profile.add(
            &rules::PROFILE_REST,
            at(joints, j::PELVIS),
            found,
            "it straight above the root",
        );
    }
    for (foot, ball) in [(j::FOOT_L, j::BALL_L), (j::FOOT_R, j::BALL_R)] {
        let forward = position(globals, ball).z - position(globals, foot).z;
        if forward.is_nan() || forward <= 0.0 {
            let found = format!("toes {forward:.3} m along Z");
            profile.add(&rules::PROFILE_REST, at(joints, foot), found, "toes towards +Z");
        }
    }
}

fn t_pose(
    profile: &mut Profile<'_, '_, '_>,
    joints: &[usize],
    rotations: &[DQuat],
    globals: &[DMat4],
) {
    for (i, found) in rotations.iter().enumerate() {
        let wanted = UAL_REST_ROTATIONS[i].map(f64::from);
        // A quaternion and its negative are the same rotation.
        let off = |sign: f64| {
            let pairs = found.to_array().into_iter().zip(wanted);
            pairs.map(|(a, b)| (sign * a - b).abs()).fold(0.0, f64::max)
        };
        if !within(off(1.0).min(off(-1.0)), ROTATION_TOLERANCE) {
            let at = format!("{}.rotation", at(joints, i));
            let expected = format!("UAL's {wanted:?}");
            profile.add(&rules::PROFILE_REST, at, format!("{:?}", found.to_array()), expected);
        }
    }
    let arms = [
        (DVec3::X, [j::UPPERARM_L, j::LOWERARM_L, j::HAND_L]),
        (DVec3::NEG_X, [j::UPPERARM_R, j::LOWERARM_R, j::HAND_R]),
    ];
    for (along, arm) in arms {
        for pair in arm.windows(2) {
            let bone = position(globals, pair[1]) - position(globals, pair[0]);
            let degrees = bone.angle_between(along).to_degrees();
            if !within(degrees, ARM_TOLERANCE_DEGREES) {
                let found = format!("a bone {degrees:.1} degrees off {along}");
                let expected = format!("within {ARM_TOLERANCE_DEGREES}");
                profile.add(&rules::PROFILE_REST, at(joints, pair[0]), found, expected);
            }
        }
    }
}

fn bind(profile: &mut Profile<'_, '_, '_>, globals: &[DMat4]) {
    // Quantised meshes have their scale in these matrices.
    if profile.check.quantised {
        return;
    }
    let Some(skin) = profile.list("skins").first() else { return };
    let Some((index, _)) = profile.check.item(skin, "inverseBindMatrices", "accessors") else {
        return;
    };
    let Some(reader) = profile.check.open(index) else { return };
    if reader.count != N_JOINTS {
        let found = format!("{} matrices", reader.count);
        let at = format!("$.accessors[{index}].count");
        profile.add(&rules::PROFILE_BIND, at, found, format!("{N_JOINTS}, one per joint"));
    }
    let (mut first, mut n) = (None, 0);
    reader.for_each(|i, row| {
        let (Some(global), Ok(inverse)) = (globals.get(i), <[f64; 16]>::try_from(row)) else {
            return;
        };
        let undone = *global * DMat4::from_cols_array(&inverse);
        let off = undone.to_cols_array().into_iter().zip(DMat4::IDENTITY.to_cols_array());
        let off = off.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if !within(off, BIND_TOLERANCE) {
            first = first.or(Some((i, off)));
            n += 1;
        }
    });
    // One joint that moved throws off all below it, so the first stands for
    // them all.
    if let Some((i, off)) = first {
        let at = format!("$.skins[0].inverseBindMatrices element {i} ({})", UE_JOINTS[i]);
        let found = format!("{off:.2e} off the identity when undone ({n} joints)");
        profile.add(&rules::PROFILE_BIND, at, found, format!("within {BIND_TOLERANCE:.0e}"));
    }
}

/// At rest the skin moves nothing, so positions as stored are where they are,
/// and bounds have been held against them.
fn floor(profile: &mut Profile<'_, '_, '_>) {
    let Ok(lowest) = lowest(profile.check, profile.list("meshes")) else { return };
    let found = lowest.map_or("no positions".into(), |y| format!("the lowest vertex at y = {y} m"));
    if !lowest.is_some_and(|y| y.abs() <= FLOOR_TOLERANCE_M) {
        let expected = format!("0 within {FLOOR_TOLERANCE_M} m");
        profile.add(&rules::PROFILE_FLOOR, "$.meshes", found, expected);
    }
}

//! The face units as rotations of the default rig's bones, from MakeHuman's
//! own pose file or from the table of this program.

use glam::DQuat;
use serde_json::Value;

use super::bvh::{Bvh, Channel, parse_bvh};
use super::unit_recipes::{BONES, RECIPES};
use crate::pack::{RigBone, UnitRotation};
use crate::profile::{FACE_UNITS, face_unit_index};
use crate::{Error, Result};

/// Rotations smaller than this do nothing that shows, in radians.
const SMALLEST_ANGLE: f64 = 1e-6;

/// The units from the table.
///
/// # Errors
/// [`Error::Input`] when the rig lacks a bone of the table.
pub fn units_from_table(rig_label: &str, rig: &[RigBone]) -> Result<Vec<UnitRotation>> {
    let mut out = Vec::new();
    for (unit, recipe) in (0..).zip(RECIPES) {
        for (bone, degrees) in recipe {
            let bone = find_bone(rig_label, rig, BONES[usize::from(*bone)])?;
            let vector = degrees.map(|d| f64::from(d).to_radians());
            out.push(UnitRotation { unit, bone, rotation: to_f32(from_rotation_vector(vector)) });
        }
    }
    Ok(out)
}

/// The units from `face-poseunits.bvh`, whose frames are named in the JSON
/// file beside it.
///
/// MakeHuman takes such a file as Z-up and maps (x, y, z) to (x, z, -y), so
/// that angles a, b, c about X, Y, Z become `Rx(a) Rz(-b) Ry(c)` in its own
/// axes. Offsets and translations are not used: bones stand where the
/// character's are.
///
/// # Errors
/// [`Error::Input`] for a malformed file, a missing unit or a missing bone.
pub fn units_from_bvh(
    (bvh_label, bvh): (&str, &[u8]),
    (names_label, names): (&str, &[u8]),
    rig: &[RigBone],
) -> Result<Vec<UnitRotation>> {
    let bvh = parse_bvh(bvh_label, bvh)?;
    let names: Value = serde_json::from_slice(names).map_err(|e| {
        Error::input(names_label, "$", e.to_string(), "a JSON object with `framemapping`")
    })?;
    let names = names["framemapping"].as_array().filter(|n| n.len() == bvh.frames.len());
    let names = names.ok_or_else(|| {
        let expected = format!("{} names, one for each frame", bvh.frames.len());
        Error::input(names_label, "$.framemapping", "another number of names", expected)
    })?;
    let mut out = Vec::new();
    for (frame, name) in bvh.frames.iter().zip(names) {
        let Some(unit) = name.as_str().and_then(face_unit_index) else {
            // The rest pose, or a unit that the profile does not have.
            continue;
        };
        for joint in 0..bvh.joints.len() {
            let rotation = joint_rotation(&bvh, joint, frame);
            if rotation.xyz().length() > SMALLEST_ANGLE {
                let bone = find_bone(bvh_label, rig, &bvh.joints[joint].name)?;
                out.push(UnitRotation { unit: unit as u32, bone, rotation: to_f32(rotation) });
            }
        }
    }
    out.sort_by_key(|r| (r.unit, r.bone));
    for (unit, name) in (0..).zip(FACE_UNITS) {
        if out.iter().all(|r| r.unit != unit) {
            return Err(Error::input(bvh_label, "frames", "no frame", format!("unit `{name}`")));
        }
    }
    Ok(out)
}

fn joint_rotation(bvh: &Bvh, joint: usize, frame: &[f64]) -> DQuat {
    let joint = &bvh.joints[joint];
    let mut angles = [0.0f64; 3];
    for (i, channel) in joint.channels.iter().enumerate() {
        if let Channel::Rotation(axis) = channel {
            angles[*axis] = frame[joint.first_value + i].to_radians();
        }
    }
    let [a, b, c] = angles;
    from_rotation_vector([a, 0.0, 0.0])
        * from_rotation_vector([0.0, 0.0, -b])
        * from_rotation_vector([0.0, c, 0.0])
}

/// Axis times angle in radians, as a quaternion. The functions of `libm` have
/// the same bits on every system.
fn from_rotation_vector(v: [f64; 3]) -> DQuat {
    let angle = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    if angle < SMALLEST_ANGLE {
        return DQuat::IDENTITY;
    }
    let s = libm::sin(0.5 * angle) / angle;
    DQuat::from_xyzw(v[0] * s, v[1] * s, v[2] * s, libm::cos(0.5 * angle))
}

fn to_f32(q: DQuat) -> [f32; 4] {
    q.to_array().map(|x| x as f32)
}

fn find_bone(label: &str, rig: &[RigBone], name: &str) -> Result<u32> {
    rig.iter().position(|b| b.name == name).and_then(|i| u32::try_from(i).ok()).ok_or_else(|| {
        Error::input(label, format!("bone `{name}`"), "no such bone in the default rig", "one")
    })
}

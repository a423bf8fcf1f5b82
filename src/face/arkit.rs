//! ARKit's 52 face shapes, from the source's own targets.

use glam::Vec3;

use super::units::{Scratch, Shape, bake_bone};
use crate::pack::Pack;

/// ARKit's names (Apple, `ARFaceAnchor.BlendShapeLocation`), by region: eyes,
/// jaw, mouth, brows, cheeks, nose, tongue.
pub const ARKIT_SHAPES: [&str; 52] = [
    "eyeBlinkLeft",
    "eyeLookDownLeft",
    "eyeLookInLeft",
    "eyeLookOutLeft",
    "eyeLookUpLeft",
    "eyeSquintLeft",
    "eyeWideLeft",
    "eyeBlinkRight",
    "eyeLookDownRight",
    "eyeLookInRight",
    "eyeLookOutRight",
    "eyeLookUpRight",
    "eyeSquintRight",
    "eyeWideRight",
    "jawForward",
    "jawLeft",
    "jawRight",
    "jawOpen",
    "mouthClose",
    "mouthFunnel",
    "mouthPucker",
    "mouthLeft",
    "mouthRight",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthDimpleLeft",
    "mouthDimpleRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthRollLower",
    "mouthRollUpper",
    "mouthShrugLower",
    "mouthShrugUpper",
    "mouthPressLeft",
    "mouthPressRight",
    "mouthLowerDownLeft",
    "mouthLowerDownRight",
    "mouthUpperUpLeft",
    "mouthUpperUpRight",
    "browDownLeft",
    "browDownRight",
    "browInnerUp",
    "browOuterUpLeft",
    "browOuterUpRight",
    "cheekPuff",
    "cheekSquintLeft",
    "cheekSquintRight",
    "noseSneerLeft",
    "noseSneerRight",
    "tongueOut",
];

/// Shapes that turn an eyeball: the unit that turns it likewise, and its
/// bone. "In" is towards the nose, so the left eye looks in to the right.
const EYE_TURNS: [(&str, &str, &str); 8] = [
    ("eyeLookDownLeft", "LeftEyeDown", "eye.L"),
    ("eyeLookInLeft", "LeftEyeturnRight", "eye.L"),
    ("eyeLookOutLeft", "LeftEyeturnLeft", "eye.L"),
    ("eyeLookUpLeft", "LeftEyeUp", "eye.L"),
    ("eyeLookDownRight", "RightEyeDown", "eye.R"),
    ("eyeLookInRight", "RightEyeturnLeft", "eye.R"),
    ("eyeLookOutRight", "RightEyeturnRight", "eye.R"),
    ("eyeLookUpRight", "RightEyeUp", "eye.R"),
];

/// The groups of the eyeballs.
const EYE_GROUPS: [&str; 2] = ["helper-l-eye", "helper-r-eye"];

/// Bakes the shapes that the pack has targets for, in ARKit's order; none
/// when it has none.
///
/// Lids, brows, jaw, lips, teeth and tongue move by the source's targets,
/// which are the same for every body. Eyeballs turn about their own bones
/// instead: a target made on one eye would dent another of a different size.
pub fn bake_arkit(pack: &Pack, positions: &[[f32; 3]]) -> Vec<Shape> {
    let mut is_eye = vec![false; positions.len()];
    for range in EYE_GROUPS.iter().filter_map(|name| pack.meta().groups.get(*name)).flatten() {
        let end = (range[1] as usize + 1).min(is_eye.len());
        is_eye[(range[0] as usize).min(end)..end].fill(true);
    }
    let unit_m = pack.meta().target_unit_m;
    let mut scratch = Scratch::new(positions.len());
    let mut shapes = Vec::new();
    for name in ARKIT_SHAPES {
        let Some(target) = pack.find_target(&format!("faceunits01/{name}")) else {
            continue;
        };
        let target = pack.target(target);
        let vertices = target.runs.iter().flat_map(|run| run.start..run.start + run.count);
        for (vertex, delta) in vertices.zip(target.deltas) {
            if !is_eye[vertex as usize] {
                scratch.add(vertex, Vec3::from_array(delta.map(f32::from)) * unit_m);
            }
        }
        if let Some((_, unit, bone)) = EYE_TURNS.iter().find(|(shape, ..)| *shape == name) {
            let eyes = (0u32..).zip(&is_eye).filter(|(_, eye)| **eye).map(|(v, _)| v);
            for (vertex, delta) in bake_bone(pack, positions, unit, bone, eyes) {
                scratch.add(vertex, delta);
            }
        }
        shapes.push(scratch.take(name));
    }
    shapes
}

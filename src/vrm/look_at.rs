//! `lookAt` (VRM 1.0, "lookAt"): by expression, as the skeleton has no eye
//! joints.

use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use crate::character::Part;
use crate::face::PartShape;
use crate::glb::json_f32;
use crate::profile::{PARENTS, PartKind, j};
use crate::rig::BoundCharacter;

/// The shapes that turn the left eye outwards, inwards, down and up: the
/// unit, and ARKit's shape.
const TURNS: [[&str; 2]; 4] = [
    ["LeftEyeturnLeft", "eyeLookOutLeft"],
    ["LeftEyeturnRight", "eyeLookInLeft"],
    ["LeftEyeDown", "eyeLookDownLeft"],
    ["LeftEyeUp", "eyeLookUpLeft"],
];

/// The look-at of a character; nothing without eyes that turn.
///
/// The range maps say how far an eye turns at full weight, so that a gaze
/// meets what it is aimed at. Expressions move both eyes alike, so the
/// outward turn alone counts for the horizontal (the specification's
/// `rangeMapHorizontalOuter`); the inner one is given for readers that ask.
pub fn look_at(bound: &BoundCharacter<'_>) -> Option<Value> {
    let eyes = bound.parts.iter().find(|part| part.part.kind == PartKind::Eyes)?;
    let degrees: Vec<f64> = TURNS
        .iter()
        .enumerate()
        .map(|(i, names)| {
            let shape = eyes.part.shapes.iter().find(|shape| names.contains(&shape.name))?;
            Some(turn_of(eyes.part, shape, i < 2).to_degrees())
        })
        .collect::<Option<_>>()?;
    let range =
        |degrees: f64| json!({ "inputMaxValue": json_f32(degrees as f32), "outputScale": 1.0 });
    let middle = middle_of(&eyes.points);
    Some(json!({
        "type": "expression",
        "offsetFromHeadBone": offset(bound, middle).map(json_f32),
        "rangeMapHorizontalInner": range(degrees[1]),
        "rangeMapHorizontalOuter": range(degrees[0]),
        "rangeMapVerticalDown": range(degrees[2]),
        "rangeMapVerticalUp": range(degrees[3]),
    }))
}

/// The middle of the box around some points.
fn middle_of(points: &[[f32; 3]]) -> DVec3 {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for p in points {
        let p = DVec3::from_array(p.map(f64::from));
        (low, high) = (low.min(p), high.max(p));
    }
    (low + high) / 2.0
}

/// The angle in radians by which a shape turns an eyeball, about Y for the
/// horizontal and about X for the vertical: the rotation in that plane that
/// fits the moved points best.
fn turn_of(part: &Part, shape: &PartShape, horizontal: bool) -> f64 {
    let moved: Vec<(DVec3, DVec3)> = shape
        .points
        .iter()
        .zip(&shape.deltas)
        .map(|(&point, delta)| {
            let from = DVec3::from_array(part.points[point as usize].map(f64::from));
            (from, from + DVec3::from_array(delta.map(f64::from)))
        })
        .collect();
    let n = moved.len().max(1) as f64;
    let middle = moved.iter().map(|(from, _)| *from).sum::<DVec3>() / n;
    let middle_after = moved.iter().map(|(_, to)| *to).sum::<DVec3>() / n;
    let (mut cross, mut dot) = (0.0, 0.0);
    for (from, to) in moved {
        let (a, b) = (from - middle, to - middle_after);
        let ((ax, ay), (bx, by)) = match horizontal {
            true => ((a.z, a.x), (b.z, b.x)),
            false => ((a.y, a.z), (b.y, b.z)),
        };
        cross += ax * by - ay * bx;
        dot += ax * bx + ay * by;
    }
    libm::atan2(cross, dot).abs()
}

/// A place in the head joint's own axes, in metres.
fn offset(bound: &BoundCharacter<'_>, place: DVec3) -> [f32; 3] {
    let (mut rotation, mut position) = (DQuat::IDENTITY, DVec3::ZERO);
    let mut line = vec![j::HEAD];
    while let Some(parent) = PARENTS[line[line.len() - 1]] {
        line.push(usize::from(parent));
    }
    for &joint in line.iter().rev() {
        let node = &bound.skeleton.nodes[joint];
        position += rotation * DVec3::from_array(node.translation.map(f64::from));
        rotation *= DQuat::from_array(node.rotation.map(f64::from));
    }
    let local = rotation.normalize().inverse() * (place - position);
    // Left and right are even on an even face; what is left is rounding.
    local.to_array().map(|x| if x.abs() < 1e-7 { 0.0 } else { x as f32 })
}

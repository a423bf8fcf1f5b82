//! `lookAt`: what it drives, how far, and the right way.

use std::collections::BTreeMap;

use crate::check::context::Check;
use crate::check::rules;
use crate::glb::AccessorType;
use crate::glb::reader::{AccessorReader, Json};

/// The four range maps.
pub const RANGE_MAPS: [&str; 4] = [
    "rangeMapHorizontalInner",
    "rangeMapHorizontalOuter",
    "rangeMapVerticalDown",
    "rangeMapVerticalUp",
];

/// The look presets: the axis along which the eyes' front moves, X or Y, and
/// its sign.
const LOOKS: [(&str, usize, f64); 4] =
    [("lookLeft", 0, 1.0), ("lookRight", 0, -1.0), ("lookUp", 1, 1.0), ("lookDown", 1, -1.0)];

/// Eyes are this near the head's joint, in metres, on any model.
const FARTHEST_EYES_M: f64 = 0.5;

/// Checks the look-at and the expressions it drives.
pub fn run(check: &mut Check<'_, '_>, at: &str, vrm: &Json<'_>, bones: &BTreeMap<String, usize>) {
    let presets = vrm.get("expressions").and_then(|e| e.get("preset"));
    for (name, axis, sign) in LOOKS {
        if let Some(expression) = presets.and_then(|p| p.get(name)) {
            direction(check, name, expression, axis, sign);
        }
    }
    let Some(look_at) = vrm.get("lookAt") else { return };
    let by_bone = look_at.get("type").and_then(Json::as_str) == Some("bone");
    if by_bone && !(bones.contains_key("leftEye") && bones.contains_key("rightEye")) {
        let found = "bone, without the bones leftEye and rightEye";
        check.add(&rules::VRM_LOOK_AT, format!("{at}.type"), found, "both, or type expression");
    }
    if look_at.get("type").and_then(Json::as_str) == Some("expression") {
        for (name, ..) in LOOKS {
            let binds = presets.and_then(|p| p.get(name)).map_or(&[][..], |e| {
                let morphs = e.list("morphTargetBinds");
                if morphs.is_empty() { e.list("textureTransformBinds") } else { morphs }
            });
            if binds.is_empty() {
                let found = format!("expression, without anything in {name}");
                check.add(&rules::VRM_LOOK_AT, format!("{at}.type"), found, "all four looks");
            }
        }
    }
    for key in RANGE_MAPS {
        let Some(map) = look_at.get(key) else { continue };
        let number = |key: &str| map.get(key).and_then(Json::as_f64);
        if number("inputMaxValue").is_some_and(|x| x <= 0.0) {
            let at = format!("{at}.{key}.inputMaxValue");
            check.add(&rules::VRM_RANGE_MAPS, at, "0", "an angle above 0 degrees");
        }
        if let Some(scale) = number("outputScale")
            && (scale <= 0.0 || (!by_bone && scale > 1.0))
        {
            let at = format!("{at}.{key}.outputScale");
            let expected = if by_bone { "degrees above 0" } else { "a weight above 0 and up to 1" };
            check.add(&rules::VRM_RANGE_MAPS, at, scale.to_string(), expected);
        }
    }
    let offset = look_at.numbers::<3>("offsetFromHeadBone");
    if let Some(offset) = offset
        && offset.iter().map(|x| x * x).sum::<f64>().sqrt() > FARTHEST_EYES_M
    {
        let at = format!("{at}.offsetFromHeadBone");
        let expected = format!("metres, within {FARTHEST_EYES_M}");
        check.add(&rules::VRM_LOOK_OFFSET, at, format!("{offset:?}"), expected);
    }
}

/// When an eyeball turns, its front moves one way and its back the other: the
/// sum of the moves, each times how far in front its vertex is, has the sign
/// of the turn. Lids that follow move that way, too.
fn direction(check: &mut Check<'_, '_>, name: &str, expression: &Json<'_>, axis: usize, sign: f64) {
    let mut sum = 0.0;
    for bind in expression.list("morphTargetBinds") {
        let Some((_, node)) = check.item(bind, "node", "nodes") else { continue };
        let Some((_, mesh)) = check.item(node, "mesh", "meshes") else { continue };
        let index = bind.get("index").and_then(Json::as_index).unwrap_or(usize::MAX);
        let weight = bind.get("weight").and_then(Json::as_f64).unwrap_or(0.0);
        for primitive in mesh.list("primitives") {
            let targets = primitive.list("targets");
            let Some(target) = targets.get(index) else { continue };
            let Some(attributes) = primitive.get("attributes") else { continue };
            let deltas = check.item(target, "POSITION", "accessors");
            let positions = check.item(attributes, "POSITION", "accessors");
            let (Some((deltas, _)), Some((positions, _))) = (deltas, positions) else { continue };
            sum += weight * turn_of(check, positions, deltas, axis);
        }
    }
    if sum * sign < 0.0 {
        let at = format!("$.extensions.VRMC_vrm.expressions.preset.{name}");
        let way = ["right or left", "down or up"][axis];
        let found = format!("a turn the other way ({way})");
        let expected = "left at +X, up at +Y, as seen by the model";
        check.add(&rules::VRM_LOOK_DIRECTION, at, found, expected);
    }
}

fn turn_of(check: &mut Check<'_, '_>, positions: usize, deltas: usize, axis: usize) -> f64 {
    let (Some(positions), Some(deltas)) = (check.open(positions), check.open(deltas)) else {
        return 0.0;
    };
    let vectors = |reader: &AccessorReader<'_>| reader.kind == AccessorType::Vec3;
    let work = 12 * positions.count;
    if !vectors(&positions) || !vectors(&deltas) || !check.may_read(work, "$.extensions.VRMC_vrm") {
        return 0.0;
    }
    // The middle of what moves, and then the moves about it.
    let both = |f: &mut dyn FnMut(&[f64], &[f64])| {
        let (mut p, mut d) = (positions.rows(), deltas.rows());
        while let (Some(p), Some(d)) = (p.next_row(), d.next_row()) {
            if d[axis] != 0.0 {
                f(p, d);
            }
        }
    };
    let (mut n, mut z) = (0.0, 0.0);
    both(&mut |p, _| {
        n += 1.0;
        z += p[2];
    });
    let (mut sum, middle) = (0.0, z / f64::max(n, 1.0));
    both(&mut |p, d| sum += (p[2] - middle) * d[axis]);
    if sum.is_finite() { sum } else { 0.0 }
}

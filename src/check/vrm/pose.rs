//! The rest pose: VRM's T-pose, as far as the places of bones tell.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::check::context::Check;
use crate::check::rules;
use crate::glb::reader::local_matrix;

/// How far an arm may be from X, in degrees.
const ARM_DEGREES: f64 = 15.0;
/// How far fingers and feet may be from their axes, in degrees.
const SMALL_BONE_DEGREES: f64 = 25.0;
/// How far a thumb may be from the middle between X and +Z, in degrees.
const THUMB_DEGREES: f64 = 40.0;
/// How far left and right may differ, as a share of the model's height.
const EVEN_SHARE: f64 = 0.03;

/// Checks the places of the human bones at rest.
pub fn run(check: &mut Check<'_, '_>, bones: &BTreeMap<String, usize>) {
    let places = places(check, bones);
    let at = |bone: &str| places.get(bone).copied();
    let path = |bone: &str| format!("$.nodes[{}] ({bone})", bones.get(bone).copied().unwrap_or(0));
    upright_and_facing(check, &at, &path);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let out = DVec3::X * sign;
        limb(check, &at, &path, side, out);
        hand(check, &at, &path, side, out);
    }
    even(check, &at, &path);
}

/// Where the bones are at rest, in world space.
fn places(check: &Check<'_, '_>, bones: &BTreeMap<String, usize>) -> BTreeMap<String, DVec3> {
    let parents = &check.parents;
    let nodes = check.list("nodes");
    let mut places = BTreeMap::new();
    for (bone, &node) in bones {
        let (mut place, mut line, mut walked) = (DVec3::ZERO, Some(node), 0);
        while let Some(here) = line {
            place = local_matrix(&nodes[here]).transform_point3(place);
            walked += 1;
            line = parents[here].filter(|_| walked <= parents.len());
        }
        if place.is_finite() {
            places.insert(bone.clone(), place);
        }
    }
    places
}

/// Where a bone is, and the path of its node.
type At<'f> = &'f dyn Fn(&str) -> Option<DVec3>;
type Path<'f> = &'f dyn Fn(&str) -> String;

fn upright_and_facing(check: &mut Check<'_, '_>, at: At<'_>, path: Path<'_>) {
    let hips = at("hips");
    if let (Some(hips), Some(head)) = (hips, at("head"))
        && head.y <= hips.y
    {
        let found = format!("the head at y = {:.3} m, the hips at {:.3}", head.y, hips.y);
        check.add(&rules::POSE_UPRIGHT, path("head"), found, "the head above the hips");
    }
    for side in ["left", "right"] {
        let foot = format!("{side}Foot");
        if let (Some(hips), Some(foot_at)) = (hips, at(&foot))
            && foot_at.y >= hips.y
        {
            let found = format!("it at y = {:.3} m, the hips at {:.3}", foot_at.y, hips.y);
            check.add(&rules::POSE_UPRIGHT, path(&foot), found, "it below the hips");
        }
        let toes = format!("{side}Toes");
        if let (Some(foot), Some(toes_at)) = (at(&foot), at(&toes)) {
            let mut along = toes_at - foot;
            if along.z <= 0.0 {
                let found = format!("toes {:.3} m along Z", along.z);
                check.add(&rules::POSE_FACING, path(&toes), found, "toes towards +Z");
                continue;
            }
            along.y = 0.0;
            let degrees = along.angle_between(DVec3::Z).to_degrees();
            if degrees > SMALL_BONE_DEGREES {
                let found = format!("a foot {degrees:.0} degrees off Z");
                check.add(&rules::POSE_FEET, path(&toes), found, "feet along Z");
            }
        }
    }
    for bone in ["UpperArm", "UpperLeg"] {
        let (left, right) = (format!("left{bone}"), format!("right{bone}"));
        if let (Some(l), Some(r)) = (at(&left), at(&right))
            && l.x <= r.x
        {
            let found = format!("left at x = {:.3} m, right at {:.3}", l.x, r.x);
            check.add(&rules::POSE_FACING, path(&left), found, "the left at +X");
        }
    }
}

/// A bone's direction against the one it should have.
fn aligned(
    check: &mut Check<'_, '_>,
    rule: &'static crate::check::Rule,
    ends: (Option<DVec3>, Option<DVec3>),
    along: DVec3,
    limit: f64,
    path: String,
) {
    let (Some(from), Some(to)) = ends else { return };
    // Two bones at one place have no direction.
    let Some(bone) = (to - from).try_normalize() else { return };
    let degrees = bone.angle_between(along).to_degrees();
    if degrees > limit {
        let found = format!("a bone {degrees:.0} degrees off ({})", named(along));
        check.add(rule, path, found, format!("within {limit} degrees"));
    }
}

fn named(along: DVec3) -> &'static str {
    match along.x {
        1.0 => "+X",
        -1.0 => "-X",
        _ => "halfway between X and +Z",
    }
}

fn limb(check: &mut Check<'_, '_>, at: At<'_>, path: Path<'_>, side: &str, out: DVec3) {
    for (from, to) in [("UpperArm", "LowerArm"), ("LowerArm", "Hand")] {
        let (from, to) = (format!("{side}{from}"), format!("{side}{to}"));
        let ends = (at(&from), at(&to));
        aligned(check, &rules::POSE_ARMS, ends, out, ARM_DEGREES, path(&from));
    }
}

fn hand(check: &mut Check<'_, '_>, at: At<'_>, path: Path<'_>, side: &str, out: DVec3) {
    for finger in ["Index", "Middle", "Ring", "Little"] {
        let (from, to) = (format!("{side}{finger}Proximal"), format!("{side}{finger}Distal"));
        let ends = (at(&from), at(&to));
        aligned(check, &rules::POSE_FINGERS, ends, out, SMALL_BONE_DEGREES, path(&from));
    }
    let (index, little) = (format!("{side}IndexProximal"), format!("{side}LittleProximal"));
    if let (Some(index_at), Some(little_at)) = (at(&index), at(&little))
        && index_at.z - little_at.z <= (index_at.y - little_at.y).abs()
    {
        let found =
            format!("the index finger {:.3} m before the little one", index_at.z - little_at.z);
        check.add(&rules::POSE_PALMS, path(&index), found, "palms that look down");
    }
    let (from, to) = (format!("{side}ThumbMetacarpal"), format!("{side}ThumbDistal"));
    let between = (out + DVec3::Z).normalize();
    let ends = (at(&from), at(&to));
    aligned(check, &rules::POSE_THUMB, ends, between, THUMB_DEGREES, path(&from));
}

/// Left and right at the same height and as far from the middle.
fn even(check: &mut Check<'_, '_>, at: At<'_>, path: Path<'_>) {
    let Some(height) = at("head").map(|head| head.y.abs().max(0.1)) else { return };
    for bone in ["UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"] {
        let (left, right) = (format!("left{bone}"), format!("right{bone}"));
        let (Some(l), Some(r)) = (at(&left), at(&right)) else { continue };
        let off = (l.x + r.x).abs().max((l.y - r.y).abs()).max((l.z - r.z).abs());
        if off > EVEN_SHARE * height {
            let found = format!("{bone} {off:.3} m apart from its mirror image");
            let expected = format!("within {:.3} m", EVEN_SHARE * height);
            check.add(&rules::POSE_SYMMETRIC, path(&left), found, expected);
        }
    }
}

//! The morph targets: whose names, in which order, and that they move.

use std::collections::BTreeSet;

use super::Profile;
use crate::check::meshes::is_float;
use crate::check::rules;
use crate::face::{ARKIT_SHAPES, VISEMES};
use crate::glb::reader::Json;
use crate::profile::FACE_UNITS;

/// How far a target may move a vertex along an axis. The longest delta of the
/// samples is 0.051 m; files in centimetres or with whole positions are far
/// above.
const LONGEST_DELTA_M: f64 = 0.2;

/// Checks the targets of all meshes, and the block's list of them.
pub fn run(profile: &mut Profile<'_, '_, '_>) {
    let face_names = profile.block.get("faceNames");
    let others: Vec<&str> = match face_names.and_then(Json::as_str) {
        Some("arkit" | "both") => ARKIT_SHAPES.to_vec(),
        Some("oculus") => VISEMES.iter().map(|(name, _)| *name).collect(),
        _ => Vec::new(),
    };
    if let Some(found) = face_names.filter(|_| others.is_empty()) {
        let at = "$.asset.extras.dramatis.faceNames";
        let expected = "nothing, or arkit, both or oculus";
        profile.add(&rules::PROFILE_UNITS, at, found.describe(), expected);
    }
    let known: Vec<&str> = FACE_UNITS.iter().copied().chain(others.iter().copied()).collect();
    let mut on_meshes: BTreeSet<String> = BTreeSet::new();
    for (m, mesh) in profile.list("meshes").iter().enumerate() {
        let at = format!("$.meshes[{m}]");
        one(profile, &at, mesh, &known, &mut on_meshes);
    }
    listed(profile, &others, &on_meshes);
}

fn one(
    profile: &mut Profile<'_, '_, '_>,
    at: &str,
    mesh: &Json<'_>,
    known: &[&str],
    on_meshes: &mut BTreeSet<String>,
) {
    let targets =
        mesh.list("primitives").iter().map(|p| p.list("targets").len()).max().unwrap_or(0);
    let names = mesh.get("extras").and_then(|extras| extras.get("targetNames"));
    let at_names = format!("{at}.extras.targetNames");
    if targets > 0 && names.is_none() {
        let expected = format!("{targets} names, one per target");
        profile.add(&rules::PROFILE_UNITS, &at_names, "nothing", expected);
    }
    let mut before: Option<usize> = None;
    for (i, name) in names.map_or(&[][..], Json::items).iter().enumerate() {
        let place = name.as_str().and_then(|name| known.iter().position(|k| *k == name));
        let at = format!("{at_names}[{i}]");
        match place {
            None => {
                let expected = "a face unit, or a shape that faceNames allows";
                profile.add(&rules::PROFILE_UNITS, at, name.describe(), expected);
            }
            Some(place) if before.is_some_and(|before| place < before) => {
                let expected = format!("it before {}", known[before.unwrap_or(0)]);
                profile.add(&rules::PROFILE_UNITS, at, name.describe(), expected);
            }
            Some(place) => before = Some(place),
        }
        on_meshes.extend(name.as_str().map(str::to_owned));
    }
    if let Some(weights) = mesh.get("weights") {
        let moved = weights.items().iter().position(|w| w.as_f64() != Some(0.0));
        if let Some(i) = moved {
            let (at, found) = (format!("{at}.weights[{i}]"), weights.items()[i].describe());
            profile.add(&rules::PROFILE_DELTAS, at, found, "0");
        }
    } else if targets > 0 {
        let expected = format!("{targets} zeros");
        profile.add(&rules::PROFILE_DELTAS, format!("{at}.weights"), "nothing", expected);
    }
    let primitives = mesh.list("primitives").len();
    for t in 0..targets {
        // Each target is looked for in each primitive.
        if !profile.check.may_read(primitives, at) {
            return;
        }
        deltas(profile, at, mesh, t);
    }
}

/// One target in all primitives. Bounds have been held against the deltas, so
/// they tell how far they reach.
fn deltas(profile: &mut Profile<'_, '_, '_>, at: &str, mesh: &Json<'_>, t: usize) {
    let mut moves = false;
    for (p, primitive) in mesh.list("primitives").iter().enumerate() {
        let Some(target) = primitive.list("targets").get(t) else { continue };
        let at = format!("{at}.primitives[{p}].targets[{t}]");
        for (key, value) in target.members().unwrap_or(&[]) {
            if key != "POSITION" && key != "NORMAL" {
                let at = format!("{at}.{key}");
                profile.add(
                    &rules::PROFILE_DELTAS,
                    at,
                    value.describe(),
                    "POSITION and NORMAL only",
                );
            }
        }
        let Some((_, accessor)) = profile.check.item(target, "POSITION", "accessors") else {
            if target.get("POSITION").is_none() {
                let at = format!("{at}.POSITION");
                profile.add(&rules::PROFILE_DELTAS, at, "nothing", "an accessor");
            }
            continue;
        };
        if !is_float(accessor) {
            moves = true; // quantised, and so in other units than metres
            continue;
        }
        let bounds = ["min", "max"].into_iter().flat_map(|key| accessor.list(key));
        let reach = bounds.filter_map(Json::as_f64).fold(0.0, |reach: f64, x| reach.max(x.abs()));
        moves |= reach > 0.0;
        if reach > LONGEST_DELTA_M {
            let at = format!("{at}.POSITION");
            let expected = format!("at most {LONGEST_DELTA_M} m along an axis");
            profile.add(&rules::PROFILE_DELTAS, at, format!("a delta of {reach} m"), expected);
        }
    }
    if !moves {
        let names = mesh.get("extras").map_or(&[][..], |extras| extras.list("targetNames"));
        let name = names.get(t).map_or("a target".into(), Json::describe);
        let at = format!("{at} target {t}");
        let found = format!("{name}, which moves nothing");
        profile.add(&rules::PROFILE_DELTAS, at, found, "no target for it here");
    }
}

/// The block lists exactly the units that the meshes carry.
fn listed(profile: &mut Profile<'_, '_, '_>, others: &[&str], on_meshes: &BTreeSet<String>) {
    let at = "$.asset.extras.dramatis.faceUnits";
    let units: Vec<&str> =
        profile.block.list("faceUnits").iter().filter_map(Json::as_str).collect();
    let known: BTreeSet<&str> = units.iter().copied().collect();
    for name in on_meshes {
        if !known.contains(name.as_str()) && !others.contains(&name.as_str()) {
            let found = format!("no {name:?}");
            profile.add(&rules::PROFILE_UNITS, at, found, "it, as a mesh has it");
        }
    }
    let mut before = None;
    for (i, unit) in units.iter().enumerate() {
        let at = format!("{at}[{i}]");
        if !on_meshes.contains(*unit) {
            let expected = "a unit that some mesh has";
            profile.add(&rules::PROFILE_UNITS, &at, format!("{unit:?}"), expected);
        }
        let place = FACE_UNITS.iter().position(|known| known == unit);
        if place < before {
            let expected = "the profile's order";
            profile.add(&rules::PROFILE_UNITS, &at, format!("{unit:?}"), expected);
        }
        before = before.max(place);
    }
}

//! Animations: channels, samplers and their keys.

use std::collections::BTreeMap;

use super::accessors::packed;
use super::buffers::number;
use super::context::{Check, Demand, Use};
use super::meshes::format_of;
use super::rules;
use crate::glb::reader::Json;

/// Checks all animations.
pub fn run(check: &mut Check<'_, '_>) {
    super::morphs::node_weights(check);
    check.summary.animations = check.list("animations").len();
    for (a, animation) in check.list("animations").iter().enumerate() {
        let at = format!("$.animations[{a}]");
        let samplers = animation.list("samplers");
        for (s, sampler) in samplers.iter().enumerate() {
            input(check, &format!("{at}.samplers[{s}]"), sampler);
        }
        let mut moved: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        let mut used = vec![false; samplers.len()];
        for (c, channel) in animation.list("channels").iter().enumerate() {
            let at_channel = format!("{at}.channels[{c}]");
            let Some(target) = channel.get("target") else { continue };
            let path = target.get("path").and_then(Json::as_str).unwrap_or_default();
            let node = check.item(target, "node", "nodes");
            if let Some((node, value)) = node {
                if let Some(other) = moved.insert((node, path), c) {
                    let found = format!("{path} of node {node}, as channel {other} has it");
                    let at = format!("{at_channel}.target");
                    check.add(&rules::ANIM_TARGET, at, found, "another target");
                }
                channel_target(check, &at_channel, path, value);
            }
            let index = channel.get("sampler").and_then(Json::as_index);
            match index.and_then(|index| samplers.get(index)) {
                Some(sampler) => {
                    let index = index.unwrap_or_default();
                    used[index] = true;
                    let at = format!("{at}.samplers[{index}]");
                    output(check, &at, sampler, path, node.map(|(_, node)| node));
                }
                None if index.is_some() => {
                    let at = format!("{at_channel}.sampler");
                    let found = index.unwrap_or_default().to_string();
                    let expected = format!("one of the animation's {} samplers", samplers.len());
                    check.add(&rules::JSON_REFERENCE, at, found, expected);
                }
                None => {}
            }
        }
        for (s, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
            check.add(
                &rules::UNUSED,
                format!("{at}.samplers[{s}]"),
                "a sampler that no channel uses",
                "a channel for it",
            );
        }
    }
}

/// What a channel moves must be there to be moved.
fn channel_target(check: &mut Check<'_, '_>, at: &str, path: &str, node: &Json<'_>) {
    let at = format!("{at}.target");
    let trs = matches!(path, "translation" | "rotation" | "scale");
    if trs && node.get("matrix").is_some() {
        let found = format!("{path} of a node with a matrix");
        check.add(&rules::ANIM_TARGET, &at, found, "a node with translation, rotation and scale");
    }
    if trs && node.get("skin").is_some() {
        let found = format!("{path} of a node with a skin");
        check.add(&rules::ANIM_SKINNED, &at, found, "a joint");
    }
    if path == "weights" && targets_of(check, node) == 0 {
        check.add(&rules::ANIM_TARGET, &at, "weights of a mesh without targets", "morph targets");
    }
}

fn targets_of(check: &Check<'_, '_>, node: &Json<'_>) -> usize {
    let mesh = check.item(node, "mesh", "meshes");
    mesh.and_then(|(_, mesh)| mesh.list("primitives").first())
        .map_or(0, |p| p.list("targets").len())
}

fn input(check: &mut Check<'_, '_>, at: &str, sampler: &Json<'_>) {
    let Some((index, accessor)) = check.item(sampler, "input", "accessors") else { return };
    let at = format!("{at}.input");
    check.use_accessor(index, Use::KeyTimes, &at);
    packed(check, index, &rules::ANIM_INPUT, &at, Use::KeyTimes);
    let Some((kind, component, _)) = format_of(accessor) else { return };
    if (kind, component) != ("SCALAR", 5126) {
        let found = format!("{kind} of componentType {component}");
        check.add(&rules::ANIM_INPUT, at, found, "SCALAR of floats (5126)");
        return;
    }
    if accessor.get("min").is_none() || accessor.get("max").is_none() {
        let at = format!("$.accessors[{index}]");
        if !check.has_finding_at(&at) {
            check.add(&rules::ACCESSOR_BOUNDS_MISSING, at, "key times without", "min and max");
        }
    }
    if sampler.get("interpolation").and_then(Json::as_str) == Some("CUBICSPLINE")
        && let Some(count) = number(accessor, "count", None)
        && count < 2
    {
        check.add(&rules::ANIM_INPUT, &at, format!("{count} keys"), "at least 2 for a spline");
    }
    check.demand(index, Demand::Times, &at);
}

fn output(
    check: &mut Check<'_, '_>,
    at: &str,
    sampler: &Json<'_>,
    path: &str,
    node: Option<&Json<'_>>,
) {
    let Some((index, accessor)) = check.item(sampler, "output", "accessors") else { return };
    let at = format!("{at}.output");
    check.use_accessor(index, Use::KeyValues, &at);
    packed(check, index, &rules::ANIM_OUTPUT, &at, Use::KeyValues);
    let Some((kind, component, normalized)) = format_of(accessor) else { return };
    let small = normalized && matches!(component, 5120..=5123);
    let (wanted, right) = match path {
        "translation" | "scale" => {
            ("VEC3 of floats", (kind, component, normalized) == ("VEC3", 5126, false))
        }
        "rotation" => (
            "VEC4 of floats or normalized bytes or shorts",
            kind == "VEC4" && (small || component == 5126),
        ),
        "weights" => (
            "SCALAR of floats or normalized bytes or shorts",
            kind == "SCALAR" && (small || component == 5126),
        ),
        _ => return,
    };
    if !right {
        let found = format!("{kind} of componentType {component}");
        check.add(&rules::ANIM_OUTPUT, &at, found, format!("{wanted} for {path}"));
        return;
    }
    let interpolation = sampler.get("interpolation").and_then(Json::as_str).unwrap_or("LINEAR");
    let stride = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
    let targets = match (path, node) {
        ("weights", Some(node)) => targets_of(check, node),
        ("weights", None) => return,
        _ => 1,
    };
    let keys = check
        .item(sampler, "input", "accessors")
        .and_then(|(_, times)| number(times, "count", None));
    if let (Some(keys), Some(count)) = (keys, number(accessor, "count", None))
        && targets > 0
        && keys.checked_mul(stride * targets) != Some(count)
    {
        let expected = format!("{} for {keys} keys", keys.saturating_mul(stride * targets));
        check.add(&rules::ANIM_OUTPUT, &at, format!("{count} values"), expected);
    }
    if path == "rotation" {
        let linear = interpolation == "LINEAR";
        check.demand(index, Demand::Quaternions { stride, linear }, &at);
    }
}

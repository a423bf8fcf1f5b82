//! Skins: their joints, their root, their inverse bind matrices.

use std::collections::HashSet;

use super::accessors::packed;
use super::context::{Check, Demand, Use};
use super::rules;
use crate::glb::reader::Json;

/// Checks skins and the nodes that use them.
pub fn run(check: &mut Check<'_, '_>) {
    let parents = check.parents.clone();
    let tops = tops(&parents);
    for (i, skin) in check.list("skins").iter().enumerate() {
        let at = format!("$.skins[{i}]");
        let joints = joints_of(skin, parents.len());
        check.summary.joints = check.summary.joints.max(joints.len());
        root(check, &at, skin, &joints, &parents, &tops);
        bind_matrices(check, &at, skin, joints.len());
        for joint in joints {
            if let Some(scale) = check.list("nodes")[joint].numbers::<3>("scale")
                && scale.iter().any(|x| *x <= 0.0)
            {
                let at = format!("$.nodes[{joint}].scale");
                check.add(&rules::SKIN_SCALE, at, format!("{scale:?}"), "more than 0 each");
            }
        }
    }
    second(check);
    skinned_nodes(check, &parents, &tops);
}

/// The nodes of a skin's joints that there are.
pub fn joints_of(skin: &Json<'_>, n_nodes: usize) -> Vec<usize> {
    let joints = skin.list("joints").iter().filter_map(Json::as_index);
    joints.filter(|joint| *joint < n_nodes).collect()
}

/// A skin that nothing uses is a rig on its own, or a leftover beside the one
/// that is used.
fn second(check: &mut Check<'_, '_>) {
    let used: HashSet<usize> = check
        .list("nodes")
        .iter()
        .filter_map(|node| node.get("skin").and_then(Json::as_index))
        .collect();
    for i in 0..check.list("skins").len() {
        if !used.is_empty() && !used.contains(&i) {
            let at = format!("$.skins[{i}]");
            check.add(&rules::SKIN_SECOND, at, "a skin that no node uses", "none beside others");
        }
    }
}

/// The topmost node above each node, so that many deep chains cost no more
/// than one walk over all nodes.
fn tops(parents: &[Option<usize>]) -> Vec<usize> {
    let mut tops = vec![usize::MAX; parents.len()];
    for start in 0..parents.len() {
        let mut chain = Vec::new();
        let mut at = start;
        // A node that is being walked from marks itself, which ends loops.
        while tops[at] == usize::MAX {
            tops[at] = at;
            chain.push(at);
            match parents[at] {
                Some(parent) => at = parent,
                None => break,
            }
        }
        let top = tops[at];
        for node in chain {
            tops[node] = top;
        }
    }
    tops
}

fn root(
    check: &mut Check<'_, '_>,
    skin_at: &str,
    skin: &Json<'_>,
    joints: &[usize],
    parents: &[Option<usize>],
    tops: &[usize],
) {
    let Some(&first) = joints.first() else { return };
    if let Some(other) = joints.iter().find(|joint| tops[**joint] != tops[first]) {
        let found = format!("joint {other} in another tree than joint {first}");
        let at = format!("{skin_at}.joints");
        check.add(&rules::SKIN_ROOT, at, found, "a root in common");
        return;
    }
    let Some((skeleton, _)) = check.item(skin, "skeleton", "nodes") else { return };
    // Each node is walked over once: what is known to be below the skeleton
    // ends the walks of the joints under it.
    let mut below: HashSet<usize> = HashSet::from([skeleton]);
    let outside = joints.iter().find(|&&joint| {
        let mut walked = Vec::new();
        let mut at = Some(joint);
        while let Some(node) = at.filter(|node| !below.contains(node)) {
            walked.push(node);
            // In a loop, which has been told, the walk would have no end.
            at = parents[node].filter(|_| walked.len() <= parents.len());
        }
        let found = at.is_some() && check.may_read(walked.len(), skin_at);
        below.extend(walked);
        !found
    });
    if let Some(joint) = outside {
        let found = format!("node {skeleton}, which is not above joint {joint}");
        let expected = "a node above all joints, or one of them";
        check.add(&rules::SKIN_ROOT, format!("{skin_at}.skeleton"), found, expected);
    }
}

fn bind_matrices(check: &mut Check<'_, '_>, at: &str, skin: &Json<'_>, joints: usize) {
    let Some((index, accessor)) = check.item(skin, "inverseBindMatrices", "accessors") else {
        return;
    };
    let at = format!("{at}.inverseBindMatrices");
    check.use_accessor(index, Use::BindMatrices, &at);
    packed(check, index, &rules::SKIN_IBM, &at, Use::BindMatrices);
    let kind = accessor.get("type").and_then(Json::as_str).unwrap_or_default();
    let component = accessor.get("componentType").and_then(Json::as_int);
    if (kind, component) != ("MAT4", Some(5126)) {
        let found = format!("{kind} of componentType {}", component.unwrap_or_default());
        check.add(&rules::SKIN_IBM, at, found, "MAT4 of floats (5126)");
        return;
    }
    if let Some(count) = accessor.get("count").and_then(Json::as_index)
        && count < joints
    {
        let expected = format!("at least {joints}, one per joint");
        check.add(&rules::SKIN_IBM, &at, format!("{count} matrices"), expected);
    }
    check.demand(index, Demand::BindMatrices { joints }, &at);
}

/// Whether a mesh's primitives have joints and weights.
pub fn is_skinnable(mesh: &Json<'_>) -> bool {
    mesh.list("primitives").iter().any(|primitive| {
        let attributes = primitive.get("attributes");
        attributes.is_some_and(|a| a.get("JOINTS_0").is_some() && a.get("WEIGHTS_0").is_some())
    })
}

fn skinned_nodes(check: &mut Check<'_, '_>, parents: &[Option<usize>], tops: &[usize]) {
    let shown = shown_in(check, tops.len());
    let joints_of_all: HashSet<usize> = check
        .list("skins")
        .iter()
        .flat_map(|skin| skin.list("joints").iter().filter_map(Json::as_index))
        .collect();
    for (i, node) in check.list("nodes").iter().enumerate() {
        let at = format!("$.nodes[{i}]");
        let Some((_, mesh)) = check.item(node, "mesh", "meshes") else { continue };
        if node.get("skin").is_none() {
            if is_skinnable(mesh) {
                let found = "no skin for a mesh with joints and weights";
                check.add(&rules::NODE_SKIN_MISSING, at, found, "a skin");
            }
            continue;
        }
        let bare = mesh.list("primitives").iter().any(|primitive| {
            primitive.get("attributes").is_some_and(|a| a.get("JOINTS_0").is_none())
        });
        if bare {
            let found = "a skin on a mesh without joints";
            check.add(&rules::NODE_SKIN_UNUSABLE, &at, found, "JOINTS_0 in each primitive");
        }
        let moved = [
            ("translation", node.numbers::<3>("translation").is_some_and(|t| t != [0.0; 3])),
            ("rotation", node.numbers::<4>("rotation").is_some_and(|q| q[..3] != [0.0; 3])),
            ("scale", node.numbers::<3>("scale").is_some_and(|s| s != [1.0; 3])),
            ("matrix", node.get("matrix").is_some()),
        ];
        if let Some((key, _)) = moved.into_iter().find(|(_, moved)| *moved) {
            let found = format!("{key} on a node with a skin");
            check.add(&rules::NODE_SKIN_MOVED, format!("{at}.{key}"), found, "no transform");
        }
        if let Some(parent) = parents[i] {
            let found = format!("a skinned mesh under node {parent}");
            let rule = match joints_of_all.contains(&parent) {
                true => &rules::NODE_SKIN_JOINT,
                false => &rules::NODE_SKIN_PLACE,
            };
            check.add(rule, &at, found, "a root of its scene");
        }
        let Some((s, skin)) = check.item(node, "skin", "skins") else { continue };
        // The joints have one root in common, or that has been told.
        let joint = skin.list("joints").first().and_then(Json::as_index);
        let Some(joint) = joint.filter(|joint| *joint < tops.len()) else { continue };
        let (here, there) = (&shown[tops[i]], &shown[tops[joint]]);
        if tops[i] == tops[joint] || !check.may_read(here.len() + there.len(), &at) {
            continue;
        }
        if let Some(scene) = here.iter().find(|scene| there.binary_search(scene).is_err()) {
            let found = format!("joint {joint} of skin {s} outside scene {scene}");
            check.add(&rules::NODE_SKIN_SCENE, &at, found, "all joints in the scene, too");
        }
    }
}

/// The scenes that list each node, rising.
fn shown_in(check: &Check<'_, '_>, nodes: usize) -> Vec<Vec<usize>> {
    let mut shown = vec![Vec::new(); nodes];
    for (k, scene) in check.list("scenes").iter().enumerate() {
        for node in scene.list("nodes").iter().filter_map(Json::as_index) {
            if let Some(scenes) = shown.get_mut(node).filter(|scenes| scenes.last() != Some(&k)) {
                scenes.push(k);
            }
        }
    }
    shown
}

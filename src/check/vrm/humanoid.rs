//! `humanoid`: the human bones and their order.

use std::collections::BTreeMap;

use crate::check::context::{Check, key_in_path};
use crate::check::rules;
use crate::glb::reader::Json;
use crate::profile::VRM_REQUIRED_BONES;

/// The bones of the trunk, with their parents and whether they need them.
const TRUNK: [(&str, &str, bool); 8] = [
    ("spine", "hips", false),
    ("chest", "spine", false),
    ("upperChest", "chest", true),
    ("neck", "upperChest", false),
    ("head", "neck", false),
    ("leftEye", "head", false),
    ("rightEye", "head", false),
    ("jaw", "head", false),
];

/// The bones of one side without their `left` or `right`.
const SIDE: [(&str, &str, bool); 8] = [
    ("UpperLeg", "hips", false),
    ("LowerLeg", "UpperLeg", false),
    ("Foot", "LowerLeg", false),
    ("Toes", "Foot", false),
    ("Shoulder", "upperChest", false),
    ("UpperArm", "Shoulder", false),
    ("LowerArm", "UpperArm", false),
    ("Hand", "LowerArm", false),
];

/// The parent of each bone by VRM's table, and whether the bone may only be
/// there together with it.
fn table() -> BTreeMap<String, (String, bool)> {
    let mut table = BTreeMap::new();
    for (bone, parent, needs) in TRUNK {
        table.insert(bone.to_owned(), (parent.to_owned(), needs));
    }
    for side in ["left", "right"] {
        for (bone, parent, needs) in SIDE {
            let parent = match parent.starts_with(char::is_uppercase) {
                true => format!("{side}{parent}"),
                false => parent.to_owned(),
            };
            table.insert(format!("{side}{bone}"), (parent, needs));
        }
        for finger in ["Thumb", "Index", "Middle", "Ring", "Little"] {
            let bones = match finger {
                "Thumb" => ["Metacarpal", "Proximal", "Distal"],
                _ => ["Proximal", "Intermediate", "Distal"],
            };
            let mut parent = format!("{side}Hand");
            for (i, bone) in bones.iter().enumerate() {
                let name = format!("{side}{finger}{bone}");
                table.insert(name.clone(), (parent, i > 0));
                parent = name;
            }
        }
    }
    table
}

/// Checks the bones. The answer has the node of each bone that is there.
pub fn run(check: &mut Check<'_, '_>, at: &str, vrm: &Json<'_>) -> BTreeMap<String, usize> {
    let listed = vrm.get("humanoid").and_then(|h| h.get("humanBones"));
    let members = listed.and_then(Json::members).unwrap_or(&[]);
    let table = table();
    let mut bones: BTreeMap<String, usize> = BTreeMap::new();
    let mut users: BTreeMap<usize, String> = BTreeMap::new();
    for (bone, value) in members {
        let at = format!("{at}.{}", key_in_path(bone));
        if bone != "hips" && !table.contains_key(bone.as_ref()) {
            check.add(&rules::VRM_BONES, &at, format!("{bone:?}"), "one of VRM's human bones");
            continue;
        }
        let Some((node, _)) = check.item(value, "node", "nodes") else { continue };
        if let Some(other) = users.insert(node, bone.to_string()) {
            let found = format!("node {node}, which is {other}, too");
            check.add(&rules::VRM_HIERARCHY, format!("{at}.node"), found, "a node of its own");
        }
        bones.insert(bone.to_string(), node);
    }
    for bone in VRM_REQUIRED_BONES {
        if !members.iter().any(|(name, _)| name == bone) && listed.is_some() {
            check.add(&rules::VRM_BONES, format!("{at}.{bone}"), "nothing", "a node");
        }
    }
    hierarchy(check, at, &bones, &table);
    for (i, node) in check.list("nodes").iter().enumerate() {
        let Some(scale) = node.numbers::<3>("scale") else { continue };
        let [x, y, z] = scale;
        if scale.iter().any(|s| *s <= 0.0) || (x - y).abs().max((x - z).abs()) > 1e-4 * x.abs() {
            let at = format!("$.nodes[{i}].scale");
            check.add(&rules::VRM_SCALE, at, format!("{scale:?}"), "one positive scale");
        }
    }
    bones
}

/// Each bone is below the nearest bone above it in the table that is there.
fn hierarchy(
    check: &mut Check<'_, '_>,
    at: &str,
    bones: &BTreeMap<String, usize>,
    table: &BTreeMap<String, (String, bool)>,
) {
    let parents = check.parents.clone();
    for (bone, &node) in bones {
        let Some((parent, needs)) = table.get(bone) else { continue };
        let at = format!("{at}.{bone}");
        if *needs && !bones.contains_key(parent) {
            check.add(&rules::VRM_HIERARCHY, &at, format!("no {parent}"), "it beside this bone");
        }
        let mut above = Some(parent);
        while let Some(name) = above.filter(|name| !bones.contains_key(*name)) {
            above = table.get(name).map(|(parent, _)| parent);
        }
        let Some((name, &wanted)) = above.and_then(|name| bones.get_key_value(name)) else {
            continue;
        };
        let mut walked = 0;
        let mut line = parents[node];
        while let Some(here) = line.filter(|here| *here != wanted) {
            walked += 1;
            // A loop, which has been told, would have no end.
            line = parents[here].filter(|_| walked <= parents.len());
        }
        if line.is_none() {
            let found = format!("node {node}, which is not below {name} (node {wanted})");
            check.add(&rules::VRM_HIERARCHY, format!("{at}.node"), found, "a node below it");
        }
    }
}

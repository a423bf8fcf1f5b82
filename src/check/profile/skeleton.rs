//! The skin, the 65 joints, and the nodes of the scene.

use std::collections::{BTreeMap, BTreeSet};

use super::Profile;
use crate::check::rules;
use crate::check::skins::joints_of;
use crate::glb::reader::Json;
use crate::profile::{N_JOINTS, PARENTS};

/// Checks the skin, its joints and the scene. The answer is the joints' nodes
/// when they are the profile's.
pub fn run(profile: &mut Profile<'_, '_, '_>) -> Option<Vec<usize>> {
    let joints = skin(profile);
    scene(profile, joints.as_deref());
    joints
}

fn name_of<'j>(value: &'j Json<'_>) -> &'j str {
    value.get("name").and_then(Json::as_str).unwrap_or_default()
}

fn skin(profile: &mut Profile<'_, '_, '_>) -> Option<Vec<usize>> {
    let skins = profile.list("skins");
    if skins.len() != 1 {
        profile.add(&rules::PROFILE_SKIN, "$.skins", format!("{} skins", skins.len()), "one");
    }
    let skin = skins.first()?;
    if name_of(skin) != "skeleton" {
        let found = skin.get("name").map_or("nothing".into(), Json::describe);
        profile.add(&rules::PROFILE_SKIN, "$.skins[0].name", found, "\"skeleton\"");
    }
    if skin.get("inverseBindMatrices").is_none() {
        let at = "$.skins[0].inverseBindMatrices";
        profile.add(&rules::PROFILE_SKIN, at, "nothing", "an accessor");
    }
    let nodes = profile.list("nodes");
    let joints = joints_of(skin, nodes.len());
    let root = joints.first().copied();
    let skeleton = skin.get("skeleton").and_then(Json::as_index);
    if skeleton.is_none() || skeleton != root {
        let found = skin.get("skeleton").map_or("nothing".into(), Json::describe);
        let expected = format!("{}, the root joint", root.unwrap_or_default());
        profile.add(&rules::PROFILE_SKIN, "$.skins[0].skeleton", found, expected);
    }
    let mut right = joints.len() == N_JOINTS;
    if !right {
        let found = format!("{} joints", skin.list("joints").len());
        let expected = format!("the {N_JOINTS} of the profile");
        profile.add(&rules::PROFILE_JOINTS, "$.skins[0].joints", found, expected);
    }
    let parents = profile.check.parents.clone();
    let names = profile.naming.names();
    for (i, &joint) in joints.iter().take(N_JOINTS).enumerate() {
        if name_of(&nodes[joint]) != names[i] {
            let at = format!("$.nodes[{joint}].name");
            let found = nodes[joint].get("name").map_or("nothing".into(), Json::describe);
            let expected = format!("{:?}, joint {i}", names[i]);
            profile.add(&rules::PROFILE_JOINTS, at, found, expected);
            right = false;
        }
        let wanted = PARENTS[i].and_then(|parent| joints.get(usize::from(parent)).copied());
        if parents[joint] != wanted {
            let word = |node: Option<usize>| match node {
                Some(node) => format!("the parent {:?} (node {node})", name_of(&nodes[node])),
                None => "no parent".into(),
            };
            let at = format!("$.nodes[{joint}]");
            let (found, expected) = (word(parents[joint]), word(wanted));
            profile.add(&rules::PROFILE_JOINTS, at, format!("{} with {found}", names[i]), expected);
            right = false;
        }
    }
    let all: BTreeSet<usize> = joints.iter().copied().collect();
    for &joint in &joints {
        let at = format!("$.nodes[{joint}]");
        let keys = ["scale", "matrix", "mesh", "camera", "skin"];
        profile.absent(&rules::PROFILE_JOINT_PLAIN, &at, &nodes[joint], &keys);
        for child in nodes[joint].list("children").iter().filter_map(Json::as_index) {
            if !all.contains(&child) {
                let at = format!("{at}.children");
                let found = format!("node {child}, which is no joint");
                profile.add(&rules::PROFILE_JOINT_PLAIN, at, found, "joints only");
            }
        }
    }
    right.then_some(joints)
}

fn scene(profile: &mut Profile<'_, '_, '_>, joints: Option<&[usize]>) {
    let nodes = profile.list("nodes");
    let meshes = profile.list("meshes");
    let mesh_nodes: Vec<usize> =
        (0..nodes.len()).filter(|i| nodes[*i].get("mesh").is_some()).collect();
    let root = profile.list("skins").first().and_then(|s| s.list("joints").first()?.as_index());
    let top: BTreeSet<usize> = profile
        .list("scenes")
        .first()
        .map_or(&[][..], |scene| scene.list("nodes"))
        .iter()
        .filter_map(Json::as_index)
        .collect();
    let wanted: BTreeSet<usize> = root.into_iter().chain(mesh_nodes.iter().copied()).collect();
    for (from, in_other, found, expected) in [
        (&top, &wanted, "at the top", "the root joint and mesh nodes only"),
        (&wanted, &top, "not at the top", "the root joint and every mesh node there"),
    ] {
        if let Some(node) = from.difference(in_other).next() {
            let found = format!("node {node} {found}");
            profile.add(&rules::PROFILE_SCENE, "$.scenes[0].nodes", found, expected);
        }
    }
    if let Some(joints) = joints
        && nodes.len() != joints.len() + mesh_nodes.len()
    {
        let extra = nodes.len() as i64 - joints.len() as i64 - mesh_nodes.len() as i64;
        let found = format!("{extra} that are neither joint nor mesh");
        profile.add(&rules::PROFILE_SCENE, "$.nodes", found, "none");
    }
    let mut uses: BTreeMap<usize, usize> = BTreeMap::new();
    for i in mesh_nodes {
        let (node, at) = (&nodes[i], format!("$.nodes[{i}]"));
        let keys = ["translation", "rotation", "scale", "matrix", "children", "weights"];
        profile.absent(&rules::PROFILE_MESH_NODE, &at, node, &keys);
        if node.get("skin").and_then(Json::as_index) != Some(0) {
            let found = node.get("skin").map_or("nothing".into(), Json::describe);
            profile.add(&rules::PROFILE_MESH_NODE, format!("{at}.skin"), found, "0");
        }
        let Some(mesh) = node.get("mesh").and_then(Json::as_index) else { continue };
        *uses.entry(mesh).or_default() += 1;
        let name = meshes.get(mesh).map_or("", name_of);
        if name_of(node) != name {
            let found = node.get("name").map_or("nothing".into(), Json::describe);
            let expected = format!("{name:?}, the mesh's name");
            profile.add(&rules::PROFILE_MESH_NODE, format!("{at}.name"), found, expected);
        }
    }
    for i in 0..meshes.len() {
        let n = uses.get(&i).copied().unwrap_or_default();
        if n != 1 {
            let at = format!("$.meshes[{i}]");
            profile.add(&rules::PROFILE_MESH_NODE, at, format!("{n} nodes"), "one node");
        }
    }
}

//! Nodes and scenes: one tree, transforms, names that players bind by.

use std::collections::{BTreeMap, HashSet};

use glam::{DMat4, DQuat, DVec3};

use super::context::{Check, within};
use super::demands::QUATERNION_TOLERANCE;
use super::rules;
use crate::glb::reader::Json;

/// How far a matrix may be from the TRS it is taken apart into, relative to
/// its largest element.
const MATRIX_TOLERANCE: f64 = 1e-4;

/// Checks nodes, scenes and names.
pub fn run(check: &mut Check<'_, '_>) {
    let parents = check.parents.clone();
    tree(check, &parents);
    scenes(check, &parents);
    transforms(check);
    names(check);
}

/// One parent each, and no loops.
fn tree(check: &mut Check<'_, '_>, parents: &[Option<usize>]) {
    for (i, node) in check.list("nodes").iter().enumerate() {
        for (k, child) in node.list("children").iter().enumerate() {
            let Some(child) = child.as_index() else { continue };
            if let Some(Some(parent)) = parents.get(child)
                && *parent != i
            {
                let at = format!("$.nodes[{i}].children[{k}]");
                let found = format!("node {child}, a child of node {parent}");
                check.add(&rules::NODE_PARENTS, at, found, "one parent for each node");
            }
        }
    }
    // Each node is walked from once: what was seen on an earlier walk ends
    // at a root or in a loop that has been told.
    let mut seen = vec![0usize; parents.len()];
    for start in 0..parents.len() {
        let (walk, mut at) = (start + 1, Some(start));
        while let Some(node) = at {
            if seen[node] == walk {
                let place = format!("$.nodes[{node}]");
                check.add(&rules::NODE_LOOP, place, "a node under itself", "a tree");
                break;
            }
            if seen[node] != 0 {
                break;
            }
            seen[node] = walk;
            at = parents[node];
        }
    }
}

fn scenes(check: &mut Check<'_, '_>, parents: &[Option<usize>]) {
    for (i, scene) in check.list("scenes").iter().enumerate() {
        for (k, node) in scene.list("nodes").iter().enumerate() {
            let parent = node.as_index().and_then(|node| *parents.get(node)?);
            if let Some(parent) = parent {
                let at = format!("$.scenes[{i}].nodes[{k}]");
                let found = format!("node {}, a child of node {parent}", node.describe());
                check.add(&rules::SCENE_ROOT, at, found, "a node without a parent");
            }
        }
    }
}

fn transforms(check: &mut Check<'_, '_>) {
    for (i, node) in check.list("nodes").iter().enumerate() {
        let at = format!("$.nodes[{i}]");
        if node.get("matrix").is_some() {
            let trs = ["translation", "rotation", "scale"];
            if let Some(key) = trs.iter().find(|key| node.get(key).is_some()) {
                let found = format!("matrix and {key}");
                check.add(&rules::NODE_MATRIX, format!("{at}.matrix"), found, "one of the two");
            } else if let Some(matrix) = node.numbers::<16>("matrix")
                && !is_trs(&DMat4::from_cols_array(&matrix))
            {
                let expected = "a matrix made of translation, rotation and scale";
                check.add(
                    &rules::NODE_MATRIX,
                    format!("{at}.matrix"),
                    "a matrix with shear, without volume or with another last row",
                    expected,
                );
            }
        }
        if let Some(rotation) = node.numbers::<4>("rotation") {
            let length = DQuat::from_array(rotation).length();
            if !within((length - 1.0).abs(), QUATERNION_TOLERANCE) {
                let found = format!("a length of {length}");
                check.add(&rules::NODE_ROTATION, format!("{at}.rotation"), found, "length 1");
            }
        }
        let keys = ["children", "mesh", "camera", "skin", "extensions", "extras", "name"];
        if keys.iter().all(|key| node.get(key).is_none()) {
            check.add(&rules::NODE_EMPTY, at, "an empty node", "children, a mesh or a name");
        }
    }
}

/// Whether a matrix is what its own translation, rotation and scale make.
fn is_trs(matrix: &DMat4) -> bool {
    let [.., last] = [matrix.row(0), matrix.row(1), matrix.row(2), matrix.row(3)];
    if last.to_array() != [0.0, 0.0, 0.0, 1.0] || matrix.determinant() == 0.0 {
        return false;
    }
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let again = DMat4::from_scale_rotation_translation(scale, rotation.normalize(), translation);
    let (a, b) = (matrix.to_cols_array(), again.to_cols_array());
    let largest = a.iter().fold(1.0f64, |most, x| most.max(x.abs()));
    DVec3::from_array(scale.to_array()).is_finite()
        && a.iter().zip(&b).all(|(x, y)| (x - y).abs() <= MATRIX_TOLERANCE * largest)
}

/// Names that clips are bound by must lead to one object.
fn names(check: &mut Check<'_, '_>) {
    let nodes = check.list("nodes");
    let name_of = |node: &Json<'_>| node.get("name").and_then(Json::as_str).map(str::to_owned);
    let joints: HashSet<usize> = check
        .list("skins")
        .iter()
        .flat_map(|skin| skin.list("joints").iter().filter_map(Json::as_index))
        .collect();
    let mut joint_names: BTreeMap<String, usize> = BTreeMap::new();
    for &joint in &joints {
        if let Some(name) = nodes.get(joint).and_then(name_of) {
            let slot = joint_names.entry(name).or_insert(joint);
            *slot = (*slot).min(joint);
        }
    }
    for (i, mesh) in check.list("meshes").iter().enumerate() {
        if let Some(joint) = name_of(mesh).and_then(|name| joint_names.get(&name)) {
            let at = format!("$.meshes[{i}].name");
            let found = format!("the name of joint {joint}");
            check.add(&rules::NAME_MESH_JOINT, at, found, "a name that no joint has");
        }
    }
    for (i, scene) in check.list("scenes").iter().enumerate() {
        if let Some(joint) = name_of(scene).and_then(|name| joint_names.get(&name)) {
            let at = format!("$.scenes[{i}].name");
            let found = format!("the name of joint {joint}");
            check.add(&rules::NAME_SCENE_JOINT, at, found, "a name that no joint has");
        }
    }
    // The most parts of a mesh that goes by this name, with the mesh.
    let mut parts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (i, node) in nodes.iter().enumerate() {
        if joints.contains(&i) {
            let first = name_of(node).and_then(|name| joint_names.get(&name).copied());
            if let Some(first) = first.filter(|first| *first != i) {
                let at = format!("$.nodes[{i}].name");
                let found = format!("the name of joint {first}, too");
                check.add(&rules::NAME_JOINT_TWICE, at, found, "a name of its own");
            }
        }
        let Some((m, mesh)) = check.item(node, "mesh", "meshes") else { continue };
        let mesh_name = name_of(mesh);
        if !joints.contains(&i)
            && name_of(node) != mesh_name
            && let Some(joint) = name_of(node).and_then(|name| joint_names.get(&name))
        {
            let at = format!("$.nodes[{i}].name");
            let found = format!("the name of joint {joint}");
            check.add(&rules::NAME_MESH_JOINT, at, found, "a name that no joint has");
        }
        let n = mesh.list("primitives").len();
        for name in [name_of(node), mesh_name].into_iter().flatten().filter(|_| n > 1) {
            let slot = parts.entry(name).or_insert((n, m));
            *slot = (*slot).max((n, m));
        }
    }
    // Loaders make one object per primitive and number them.
    for (i, node) in nodes.iter().enumerate() {
        let Some(name) = name_of(node) else { continue };
        let Some((base, number)) = name.rsplit_once('_') else { continue };
        let Some((n, mesh)) = parts.get(base) else { continue };
        // `01` is not what a loader writes.
        if number.parse::<usize>().is_ok_and(|k| k <= *n && k.to_string() == number) {
            let at = format!("$.nodes[{i}].name");
            let found = format!("{name:?}, while mesh {mesh} has {n} primitives");
            let expected = "a name that no part of another mesh is given";
            check.add(&rules::NAME_SUFFIX, at, found, expected);
        }
    }
}

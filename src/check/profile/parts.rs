//! The meshes: names and order, primitives, materials, weights.

use std::collections::BTreeMap;

use super::Profile;
use crate::check::rules;
use crate::glb::ComponentType;
use crate::glb::reader::Json;
use crate::profile::{is_weighted, parse_mesh_name};

const TRIANGLES: usize = 4;

/// Checks all meshes.
pub fn run(profile: &mut Profile<'_, '_, '_>) {
    names(profile);
    for (m, mesh) in profile.list("meshes").iter().enumerate() {
        let name = mesh.get("name").and_then(Json::as_str).unwrap_or_default();
        for (p, primitive) in mesh.list("primitives").iter().enumerate() {
            let at = format!("$.meshes[{m}].primitives[{p}]");
            one(profile, &at, primitive);
            let material = profile.check.item(primitive, "material", "materials");
            if let Some((i, material)) = material {
                let found = material.get("name").and_then(Json::as_str).unwrap_or_default();
                // A second material of a mesh has to be told from the first.
                let follows = p > 0 && found.starts_with(name);
                if found != name && !follows {
                    let at = format!("$.materials[{i}].name");
                    let expected = format!("{name:?}, the mesh's name");
                    profile.add(&rules::PROFILE_MATERIAL, at, format!("{found:?}"), expected);
                }
            }
        }
    }
}

fn names(profile: &mut Profile<'_, '_, '_>) {
    let meshes = profile.list("meshes");
    let names: Vec<&str> = meshes
        .iter()
        .map(|mesh| mesh.get("name").and_then(Json::as_str).unwrap_or_default())
        .collect();
    let mut firsts: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, name) in names.iter().enumerate() {
        let at = format!("$.meshes[{i}].name");
        let first = *firsts.entry(name).or_insert(i);
        if parse_mesh_name(name).is_none() {
            let expected = "a part's name or garment_<asset> in ASCII letters, digits and _";
            profile.add(&rules::PROFILE_MESH_NAME, at, format!("{name:?}"), expected);
        } else if first != i {
            let expected = format!("a name that mesh {first} does not have");
            profile.add(&rules::PROFILE_MESH_NAME, at, format!("{name:?}"), expected);
        }
    }
    if !names.contains(&"body") {
        profile.add(&rules::PROFILE_MESH_NAME, "$.meshes", "no body", "a mesh named body");
    }
    let kinds: Vec<_> = names.iter().filter_map(|name| parse_mesh_name(name)).collect();
    if kinds.len() == names.len() && !kinds.is_sorted() {
        let mut sorted = names.clone();
        sorted.sort_by_key(|name| parse_mesh_name(name));
        let (found, expected) = (names.join(", "), format!("the order {}", sorted.join(", ")));
        profile.add(&rules::PROFILE_MESH_NAME, "$.meshes", found, expected);
    }
}

fn one(profile: &mut Profile<'_, '_, '_>, at: &str, primitive: &Json<'_>) {
    let rule = &rules::PROFILE_PRIMITIVE;
    let mode = primitive.get("mode");
    if mode.is_some_and(|mode| mode.as_index() != Some(TRIANGLES)) {
        let found = mode.map_or(String::new(), Json::describe);
        profile.add(rule, format!("{at}.mode"), found, "4, triangles");
    }
    if primitive.get("indices").is_none() {
        profile.add(rule, format!("{at}.indices"), "nothing", "an accessor");
    }
    let Some(attributes) = primitive.get("attributes") else { return };
    let at = format!("{at}.attributes");
    for name in ["POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0"] {
        if attributes.get(name).is_none() {
            profile.add(rule, format!("{at}.{name}"), "nothing", "an accessor");
        }
    }
    // More than four influences would be in a second set.
    profile.absent(rule, &at, attributes, &["JOINTS_1", "WEIGHTS_1"]);
    weights(profile, &at, attributes);
}

/// The types of joints and weights, and who carries none.
fn weights(profile: &mut Profile<'_, '_, '_>, at: &str, attributes: &Json<'_>) {
    let index = |key: &str| attributes.get(key).and_then(Json::as_index);
    let (Some(joints), Some(weights)) = (index("JOINTS_0"), index("WEIGHTS_0")) else { return };
    let (Some(joints), Some(weights)) = (profile.check.open(joints), profile.check.open(weights))
    else {
        return;
    };
    if !matches!(joints.component, ComponentType::U8 | ComponentType::U16) {
        let found = format!("componentType {}", joints.component as u32);
        profile.add(&rules::PROFILE_WEIGHTS, format!("{at}.JOINTS_0"), found, "bytes or shorts");
    }
    if weights.component != ComponentType::F32 {
        let found = format!("componentType {}", weights.component as u32);
        profile.add(&rules::PROFILE_WEIGHTS, format!("{at}.WEIGHTS_0"), found, "floats");
    }
    if joints.count != weights.count || !profile.check.may_read(8 * joints.count, at) {
        return;
    }
    let (mut first, mut n) = (None, 0);
    let (mut joint_rows, mut weight_rows) = (joints.rows(), weights.rows());
    for vertex in 0..joints.count {
        let (Some(joints), Some(weights)) = (joint_rows.next_row(), weight_rows.next_row()) else {
            break;
        };
        for (&joint, &weight) in joints.iter().zip(weights) {
            let bare = || !is_weighted(joint as usize);
            if weight != 0.0 && joint < crate::profile::N_JOINTS as f64 && bare() {
                first = first.or(Some((vertex, joint as usize, weight)));
                n += 1;
            }
        }
    }
    if let Some((vertex, joint, weight)) = first {
        let at = format!("{at}.JOINTS_0 vertex {vertex}");
        let name = profile.naming.names()[joint];
        let found = format!("a weight of {weight} on {name} ({n} in all)");
        profile.add(&rules::PROFILE_WEIGHTS, at, found, "none on the root or a leaf");
    }
}

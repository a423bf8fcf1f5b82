//! Morph targets: counts, names, and that they fit what they move.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::buffers::number;
use super::context::{Check, key_in_path};
use super::meshes::{Shared, custom, semantic_of, vertex_data};
use super::rules;
use crate::glb::reader::Json;

/// Checks what the targets of a primitive move.
pub fn primitive(
    check: &mut Check<'_, '_>,
    at: &str,
    primitive: &Json<'_>,
    attributes: &[(Cow<'_, str>, Json<'_>)],
    vertices: Option<usize>,
    shared: &mut Shared,
) {
    let n_accessors = check.list("accessors").len();
    let names: BTreeSet<&str> = attributes.iter().map(|(name, _)| name.as_ref()).collect();
    for (t, target) in primitive.list("targets").iter().enumerate() {
        for (name, value) in target.members().unwrap_or(&[]) {
            let at = format!("{at}.targets[{t}].{}", key_in_path(name));
            if !names.contains(name.as_ref()) {
                let found = format!("deltas of {name}, which the primitive does not have");
                check.add(&rules::MORPH_BASE, &at, found, "an attribute of the primitive");
            }
            let semantic = semantic_of(name).map(|(semantic, _)| semantic);
            let movable =
                matches!(semantic, Some("POSITION" | "NORMAL" | "TANGENT" | "TEXCOORD" | "COLOR"));
            if !movable && !name.starts_with('_') {
                let expected = "POSITION, NORMAL, TANGENT, TEXCOORD_n or COLOR_n";
                check.add(&rules::MESH_ATTRIBUTE, &at, format!("{name:?}"), expected);
                continue;
            }
            let Some(index) = value.as_index().filter(|i| *i < n_accessors) else { continue };
            match semantic {
                Some(semantic) => vertex_data(check, &at, index, semantic, true, shared),
                None => custom(check, &at, index),
            }
            let count = number(&check.list("accessors")[index], "count", None);
            if let (Some(found), Some(vertices)) = (count, vertices)
                && found != vertices
            {
                let expected = format!("{vertices}, one per vertex");
                check.add(&rules::MORPH_BASE, &at, format!("{found} deltas"), expected);
            }
        }
    }
}

/// Checks what all primitives of a mesh have in common.
pub fn mesh(check: &mut Check<'_, '_>, at: &str, mesh: &Json<'_>) {
    let primitives = mesh.list("primitives");
    let count = primitives.first().map_or(0, |p| p.list("targets").len());
    for (p, primitive) in primitives.iter().enumerate() {
        let found = primitive.list("targets").len();
        if found != count {
            let at = format!("{at}.primitives[{p}].targets");
            let expected = format!("{count}, as the first primitive has");
            check.add(&rules::MORPH_COUNT, at, format!("{found} targets"), expected);
        }
    }
    let most = primitives.iter().map(|p| p.list("targets").len()).max().unwrap_or(0);
    check.summary.morph_targets += most;
    weights(check, &format!("{at}.weights"), mesh, count);
    names(check, at, mesh, most);
    components(check, at, primitives);
}

/// Default weights of a mesh or a node, of which there is one per target.
fn weights(check: &mut Check<'_, '_>, at: &str, owner: &Json<'_>, targets: usize) {
    let Some(weights) = owner.get("weights") else { return };
    let found = weights.items().len();
    if found != targets && !check.has_finding_at(at) {
        let expected = format!("{targets}, one per target");
        check.add(&rules::MORPH_WEIGHTS, at, format!("{found} weights"), expected);
    }
}

/// Checks the weights of nodes, which stand for those of their meshes.
pub fn node_weights(check: &mut Check<'_, '_>) {
    for (i, node) in check.list("nodes").iter().enumerate() {
        let Some((_, mesh)) = check.item(node, "mesh", "meshes") else { continue };
        let targets = mesh.list("primitives").first().map_or(0, |p| p.list("targets").len());
        weights(check, &format!("$.nodes[{i}].weights"), node, targets);
    }
}

fn names(check: &mut Check<'_, '_>, at: &str, mesh: &Json<'_>, targets: usize) {
    let Some(names) = mesh.get("extras").and_then(|extras| extras.get("targetNames")) else {
        return;
    };
    let at = format!("{at}.extras.targetNames");
    let found = match names {
        Json::List(items) => items.len(),
        other => {
            check.add(&rules::MORPH_NAMES, at, other.describe(), "a list of texts");
            return;
        }
    };
    if found != targets {
        let expected = format!("{targets}, one per target");
        check.add(&rules::MORPH_NAMES, &at, format!("{found} names"), expected);
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, name) in names.items().iter().enumerate() {
        let at = format!("{at}[{i}]");
        match name.as_str() {
            None => check.add(&rules::MORPH_NAMES, at, name.describe(), "a text"),
            Some(text) => match seen.get(text) {
                Some(first) => {
                    let expected = format!("a name that target {first} does not have");
                    check.add(&rules::MORPH_NAME_TWICE, at, name.describe(), expected);
                }
                None => {
                    seen.insert(text, i);
                }
            },
        }
    }
}

/// Some viewers fail on targets of several component types.
fn components(check: &mut Check<'_, '_>, at: &str, primitives: &[Json<'_>]) {
    let mut first: Option<i64> = None;
    for (p, primitive) in primitives.iter().enumerate() {
        for (t, target) in primitive.list("targets").iter().enumerate() {
            let Some((_, accessor)) = check.item(target, "POSITION", "accessors") else { continue };
            let Some(component) = accessor.get("componentType").and_then(Json::as_int) else {
                continue;
            };
            if *first.get_or_insert(component) != component {
                let at = format!("{at}.primitives[{p}].targets[{t}].POSITION");
                let expected = format!("{}, as the first target", first.unwrap_or_default());
                let found = format!("componentType {component}");
                check.add(&rules::MORPH_COMPONENTS, at, found, expected);
                return; // the first stands for all
            }
        }
    }
}

//! `expressions`: names, and binds to targets that are there.

use crate::check::context::{Check, key_in_path};
use crate::check::rules;
use crate::glb::reader::Json;
use crate::vrm::presets::PRESETS;

/// Whether a name is one of VRM's 18 presets.
pub fn is_preset(name: &str) -> bool {
    PRESETS.iter().any(|preset| preset.name == name)
}

/// Checks all expressions.
pub fn run(check: &mut Check<'_, '_>, at: &str, vrm: &Json<'_>) {
    let Some(expressions) = vrm.get("expressions") else { return };
    // The targets that every primitive of a mesh has, once for all binds.
    let fewest: Vec<usize> = check
        .list("meshes")
        .iter()
        .map(|mesh| mesh.list("primitives").iter().map(|p| p.list("targets").len()).min())
        .map(Option::unwrap_or_default)
        .collect();
    for (kind, presets) in [("preset", true), ("custom", false)] {
        let members = expressions.get(kind).and_then(Json::members).unwrap_or(&[]);
        for (name, expression) in members {
            let at = format!("{at}.{kind}.{}", key_in_path(name));
            if is_preset(name) != presets {
                let expected = match presets {
                    true => "one of VRM's 18 presets; others go under custom",
                    false => "it under preset",
                };
                check.add(&rules::VRM_PRESETS, &at, format!("{name:?}"), expected);
            }
            for (i, bind) in expression.list("morphTargetBinds").iter().enumerate() {
                one(check, &format!("{at}.morphTargetBinds[{i}]"), bind, &fewest);
            }
        }
    }
}

fn one(check: &mut Check<'_, '_>, at: &str, bind: &Json<'_>, fewest: &[usize]) {
    let Some((node, value)) = check.item(bind, "node", "nodes") else { return };
    let Some((mesh, _)) = check.item(value, "mesh", "meshes") else {
        let found = format!("node {node}, which has no mesh");
        check.add(&rules::VRM_BINDS, format!("{at}.node"), found, "a node with a mesh");
        return;
    };
    let fewest = fewest[mesh];
    if let Some(index) = bind.get("index").and_then(Json::as_index)
        && index >= fewest
    {
        let expected = format!("less than {fewest}, the mesh's own targets");
        check.add(&rules::VRM_BINDS, format!("{at}.index"), index.to_string(), expected);
    }
}

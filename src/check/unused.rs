//! Objects that nothing refers to.

use super::context::Check;
use super::rules;
use super::schema::LISTS;
use crate::glb::reader::Json;

/// Looks for objects that nothing uses. What extensions that are not looked
/// into refer to cannot be known, so a document with one is left alone.
pub fn run(check: &mut Check<'_, '_>) {
    let known = [
        "KHR_materials_sheen",
        "KHR_materials_unlit",
        "KHR_texture_transform",
        "KHR_materials_emissive_strength",
        "KHR_mesh_quantization",
        "VRMC_materials_mtoon",
        "VRMC_vrm",
    ];
    let names = check.list("extensionsUsed").iter().filter_map(Json::as_str);
    if names.into_iter().any(|name| !known.contains(&name)) {
        return;
    }
    // A thumbnail is used by the extension alone.
    let thumbnail = || {
        check
            .root()
            .get("extensions")?
            .get("VRMC_vrm")?
            .get("meta")?
            .get("thumbnailImage")?
            .as_index()
    };
    if let Some(image) = thumbnail() {
        check.mark("images", image);
    }
    for list in LISTS {
        // Scenes, nodes and animations are there for whoever opens the file;
        // whether a node shows anything is another rule.
        if matches!(list, "scenes" | "nodes" | "animations") {
            continue;
        }
        for i in 0..check.list(list).len() {
            if !check.used.contains(&(list, i)) {
                let at = format!("$.{list}[{i}]");
                check.add(
                    &rules::UNUSED,
                    at,
                    "an object that nothing uses",
                    "something that refers to it",
                );
            }
        }
    }
}

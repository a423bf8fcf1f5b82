//! VRM 1.0 (vrm-c/vrm-specification): what its schemas and its text demand.

mod expressions;

mod humanoid;

mod look_at;

mod meta;

mod pose;

mod schema;

pub use expressions::is_preset;
pub use look_at::RANGE_MAPS;

use super::context::Check;
use super::meshes::lowest;
use super::{document, rules};
use crate::glb::reader::Json;
use crate::vrm::VRMC_VRM;

/// How far the soles may be from the floor, in metres.
const GROUND_TOLERANCE_M: f64 = 0.01;

/// Checks the extension, if it is there.
pub fn run(check: &mut Check<'_, '_>) {
    let root = check.root();
    let extension = |name: &str| root.get("extensions").and_then(|e| e.get(name));
    let named_vrm = check.file.to_lowercase().ends_with(".vrm");
    let Some(vrm) = extension(VRMC_VRM) else {
        if named_vrm && extension("VRM").is_none() {
            let at = "$.extensions.VRMC_vrm";
            check.add(&rules::VRM_FILE, at, "nothing", "it, in a file named .vrm");
        }
        return;
    };
    if !named_vrm {
        let found = format!("VRMC_vrm in {:?}", check.file);
        check.add(&rules::VRM_NAME, "$.extensions.VRMC_vrm", found, "a name that ends in .vrm");
    }
    for (i, name) in root.list("extensionsRequired").iter().enumerate() {
        if name.as_str() == Some(VRMC_VRM) {
            let at = format!("$.extensionsRequired[{i}]");
            check.add(&rules::VRM_FILE, at, VRMC_VRM, "it in extensionsUsed only");
        }
    }
    let at = "$.extensions.VRMC_vrm";
    check.in_vrm = true;
    document::object(check, at, vrm, &schema::VRM);
    check.in_vrm = false;
    if let Some(version) = vrm.get("specVersion").and_then(Json::as_str)
        && version != "1.0"
    {
        let at = format!("{at}.specVersion");
        check.add(&rules::VRM_SPEC, at, format!("{version:?}"), "\"1.0\"");
    }
    meta::run(check, &format!("{at}.meta"), vrm);
    let bones = humanoid::run(check, &format!("{at}.humanoid.humanBones"), vrm);
    expressions::run(check, &format!("{at}.expressions"), vrm);
    look_at::run(check, &format!("{at}.lookAt"), vrm, &bones);
    first_person(check, &format!("{at}.firstPerson.meshAnnotations"), vrm);
    pose::run(check, &bones);
    unused(check);
    grounded(check);
}

fn first_person(check: &mut Check<'_, '_>, at: &str, vrm: &Json<'_>) {
    let annotations = vrm.get("firstPerson").map_or(&[][..], |f| f.list("meshAnnotations"));
    let mut seen = std::collections::BTreeSet::new();
    for (i, annotation) in annotations.iter().enumerate() {
        let Some((node, value)) = check.item(annotation, "node", "nodes") else { continue };
        let at = format!("{at}[{i}].node");
        if value.get("mesh").is_none() {
            let found = format!("node {node}, which has no mesh");
            check.add(&rules::VRM_FIRST_PERSON, at, found, "a node with a mesh");
        } else if !seen.insert(node) {
            let found = format!("node {node}, a second time");
            check.add(&rules::VRM_FIRST_PERSON, at, found, "one annotation per node");
        }
    }
}

/// What no reader of VRM uses.
fn unused(check: &mut Check<'_, '_>) {
    for list in ["animations", "cameras"] {
        let n = check.list(list).len();
        if n > 0 {
            check.add(&rules::VRM_UNUSED, format!("$.{list}"), format!("{n} of them"), "none");
        }
    }
    for (m, mesh) in check.list("meshes").iter().enumerate() {
        for (p, primitive) in mesh.list("primitives").iter().enumerate() {
            if primitive.get("attributes").is_some_and(|a| a.get("TANGENT").is_some()) {
                let at = format!("$.meshes[{m}].primitives[{p}].attributes.TANGENT");
                check.add(&rules::VRM_UNUSED, at, "tangents", "none, as readers make them");
            }
        }
    }
}

/// The lowest skinned vertex is on the floor. At rest a skin moves nothing,
/// and bounds are held against the vertices elsewhere.
fn grounded(check: &mut Check<'_, '_>) {
    let skinned = check.list("nodes").iter().filter(|node| node.get("skin").is_some());
    let meshes = skinned.filter_map(|node| Some(check.item(node, "mesh", "meshes")?.1));
    let Ok(lowest) = lowest(check, meshes) else { return };
    if let Some(y) = lowest.filter(|y| y.abs() > GROUND_TOLERANCE_M) {
        let found = format!("the lowest vertex at y = {y} m");
        let expected = format!("0 within {GROUND_TOLERANCE_M} m");
        check.add(&rules::VRM_GROUNDED, "$.meshes", found, expected);
    }
}

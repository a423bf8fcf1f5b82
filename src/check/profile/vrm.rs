//! What the profile puts into VRM: all 52 bones, every shape driven on every
//! mesh that has it, look-at, first person, and the licences in the meta.

use std::collections::{BTreeMap, BTreeSet};

use super::{Profile, licences_of};
use crate::check::document::one_of;
use crate::check::rules;
use crate::check::vrm::{RANGE_MAPS, is_preset};
use crate::face::mirrored_shape;
use crate::glb::reader::Json;
use crate::profile::{PartKind, VRM_BONES, joint_index, parse_mesh_name};
use crate::vrm::presets::{LOOKS, PRESETS};

/// Presets that the profile settles to the letter: each of these shapes at
/// weight 1 and no others. ARKit's stand in where a file carries those.
const SETTLED: [(&str, &[&str], &[&str]); 7] = [
    ("blink", &["LeftUpperLidClosed", "RightUpperLidClosed"], &["eyeBlinkLeft", "eyeBlinkRight"]),
    ("blinkLeft", &["LeftUpperLidClosed"], &["eyeBlinkLeft"]),
    ("blinkRight", &["RightUpperLidClosed"], &["eyeBlinkRight"]),
    ("lookUp", &["LeftEyeUp", "RightEyeUp"], &["eyeLookUpLeft", "eyeLookUpRight"]),
    ("lookDown", &["LeftEyeDown", "RightEyeDown"], &["eyeLookDownLeft", "eyeLookDownRight"]),
    ("lookLeft", &["LeftEyeturnLeft", "RightEyeturnLeft"], &["eyeLookOutLeft", "eyeLookInRight"]),
    (
        "lookRight",
        &["LeftEyeturnRight", "RightEyeturnRight"],
        &["eyeLookInLeft", "eyeLookOutRight"],
    ),
];

const AT: &str = "$.extensions.VRMC_vrm";

/// Where each shape is: the nodes with it, and its index on each.
type Places<'j> = BTreeMap<&'j str, BTreeMap<usize, usize>>;

/// Checks the extension of a file that follows the profile.
pub fn run(profile: &mut Profile<'_, '_, '_>, joints: Option<&[usize]>) {
    let root = profile.check.root();
    let Some(vrm) = root.get("extensions").and_then(|e| e.get("VRMC_vrm")) else { return };
    if let Some(joints) = joints {
        bones(profile, vrm, joints);
    }
    let places = places(profile);
    expressions(profile, vrm, &places);
    look_at(profile, vrm);
    first_person(profile, vrm);
    meta(profile, vrm);
}

fn places<'g>(profile: &Profile<'_, 'g, '_>) -> Places<'g> {
    let mut places = Places::new();
    for (node, value) in profile.list("nodes").iter().enumerate() {
        let Some((_, mesh)) = profile.check.item(value, "mesh", "meshes") else { continue };
        let names = mesh.get("extras").map_or(&[][..], |extras| extras.list("targetNames"));
        for (index, name) in names.iter().enumerate() {
            if let Some(name) = name.as_str() {
                places.entry(name).or_default().insert(node, index);
            }
        }
    }
    places
}

fn bones(profile: &mut Profile<'_, '_, '_>, vrm: &Json<'_>, joints: &[usize]) {
    let listed = vrm.get("humanoid").and_then(|h| h.get("humanBones"));
    for (bone, joint) in VRM_BONES {
        let node = listed.and_then(|l| l.get(bone)?.get("node")?.as_index());
        let wanted = joint_index(joint).map(|joint| joints[joint]);
        if node != wanted {
            let at = format!("{AT}.humanoid.humanBones.{bone}");
            let found = node.map_or("nothing".into(), |node| format!("node {node}"));
            let expected = format!("node {}, {joint}", wanted.unwrap_or_default());
            profile.add(&rules::PROFILE_VRM_BONES, at, found, expected);
        }
    }
}

/// The shape at each node and index.
fn by_place<'j>(places: &Places<'j>) -> BTreeMap<(usize, usize), &'j str> {
    let of = |(name, nodes): (&&'j str, &BTreeMap<usize, usize>)| {
        let name = *name;
        nodes.iter().map(|(node, index)| ((*node, *index), name)).collect::<Vec<_>>()
    };
    places.iter().flat_map(of).collect()
}

/// The weights of the shapes that an expression moves, and where it moves
/// them; a bind that leads nowhere has been told.
fn moved<'j>(
    expression: &Json<'_>,
    by_place: &BTreeMap<(usize, usize), &'j str>,
) -> BTreeMap<&'j str, BTreeMap<usize, Vec<f64>>> {
    let mut moved: BTreeMap<&str, BTreeMap<usize, Vec<f64>>> = BTreeMap::new();
    for bind in expression.list("morphTargetBinds") {
        let number = |key: &str| bind.get(key).and_then(Json::as_index);
        let (Some(node), Some(index)) = (number("node"), number("index")) else { continue };
        let weight = bind.get("weight").and_then(Json::as_f64).unwrap_or(f64::NAN);
        if let Some(name) = by_place.get(&(node, index)) {
            moved.entry(name).or_default().entry(node).or_default().push(weight);
        }
    }
    moved
}

fn expressions(profile: &mut Profile<'_, '_, '_>, vrm: &Json<'_>, places: &Places<'_>) {
    let rule = &rules::PROFILE_VRM_FACE;
    let all = vrm.get("expressions");
    let of = |kind: &str| all.and_then(|all| all.get(kind)?.members()).unwrap_or(&[]);
    let whole = places.contains_key("JawDrop") || places.contains_key("jawOpen");
    let listed =
        |kind: &str| -> BTreeSet<&str> { of(kind).iter().map(|(name, _)| name.as_ref()).collect() };
    let (presets, customs) = (listed("preset"), listed("custom"));
    let by_place = by_place(places);
    for name in PRESETS.iter().map(|preset| preset.name).filter(|_| whole) {
        if !presets.contains(name) {
            let at = format!("{AT}.expressions.preset.{name}");
            profile.add(rule, at, "nothing", "the preset");
        }
    }
    for (kind, members) in [("preset", of("preset")), ("custom", of("custom"))] {
        for (name, expression) in members {
            let at =
                format!("{AT}.expressions.{kind}.{}", crate::check::context::key_in_path(name));
            let moved = moved(expression, &by_place);
            one(profile, &at, kind, name, &moved, places);
            if expression.get("isBinary") == Some(&Json::Bool(true)) {
                profile.add(rule, format!("{at}.isBinary"), "true", "false, as it fades");
            }
            for (key, own) in [("overrideBlink", "blink"), ("overrideLookAt", "look")] {
                let on = expression.get(key).and_then(Json::as_str).is_some_and(|w| w != "none");
                if on && name.starts_with(own) {
                    profile.add(rule, format!("{at}.{key}"), "an override of itself", "none");
                }
            }
        }
    }
    // Others drive the face shape by shape.
    for name in places.keys().filter(|name| !is_preset(name)) {
        if !customs.contains(name) {
            let at = format!("{AT}.expressions.custom.{name}");
            profile.add(rule, at, "nothing", "an expression for this shape");
        }
    }
}

fn one(
    profile: &mut Profile<'_, '_, '_>,
    at: &str,
    kind: &str,
    name: &str,
    moved: &BTreeMap<&str, BTreeMap<usize, Vec<f64>>>,
    places: &Places<'_>,
) {
    let rule = &rules::PROFILE_VRM_FACE;
    // One weight for a shape, once on each mesh that has it.
    let mut weights: BTreeMap<&str, f64> = BTreeMap::new();
    for (shape, nodes) in moved {
        let first = nodes.values().flatten().next().copied().unwrap_or(f64::NAN);
        weights.insert(shape, first);
        let wanted: BTreeSet<usize> = places[shape].keys().copied().collect();
        let found: BTreeSet<usize> = nodes.keys().copied().collect();
        if found != wanted {
            let found = format!("{shape} on the nodes {found:?}");
            profile.add(rule, at, found, format!("it on all that have it, {wanted:?}"));
        }
        if nodes.values().any(|w| w.as_slice() != [first]) {
            let found = format!("several weights of {shape}");
            profile.add(rule, at, found, "one weight, once on each mesh");
        }
    }
    let shapes: Vec<&str> = weights.keys().copied().collect();
    if kind == "custom" {
        if shapes != [name] || weights[name] != 1.0 {
            let found = format!("{weights:?}");
            profile.add(rule, at, found, format!("{name} at 1"));
        }
        return;
    }
    let settled = SETTLED.iter().find(|(preset, ..)| *preset == name);
    if let Some((_, units, arkit)) = settled {
        let is = |set: &[&str]| {
            set.len() == shapes.len() && set.iter().all(|s| weights.get(s) == Some(&1.0))
        };
        if !is(units) && !is(arkit) {
            let expected = format!("{} at 1", units.join(" and "));
            profile.add(rule, at, format!("{weights:?}"), expected);
        }
        return;
    }
    if shapes.is_empty() && name != "neutral" && is_preset(name) {
        profile.add(rule, at, "an expression that moves nothing", "shapes of the face");
    }
    for (shape, weight) in &weights {
        let other = mirrored_shape(shape).filter(|other| places.contains_key(other.as_str()));
        if let Some(other) = other
            && weights.get(other.as_str()) != Some(weight)
        {
            let found = format!("{shape} at {weight}, {other} not");
            profile.add(rule, at, found, "left and right alike");
        }
    }
}

fn look_at(profile: &mut Profile<'_, '_, '_>, vrm: &Json<'_>) {
    let rule = &rules::PROFILE_VRM_FACE;
    let presets = vrm.get("expressions").and_then(|e| e.get("preset"));
    let has_looks = LOOKS.iter().all(|look| presets.is_some_and(|p| p.get(look).is_some()));
    let at = format!("{AT}.lookAt");
    let Some(look_at) = vrm.get("lookAt") else {
        if has_looks {
            profile.add(rule, at, "nothing", "a look-at by the four look expressions");
        }
        return;
    };
    if look_at.get("type").and_then(Json::as_str) != Some("expression") {
        let found = look_at.get("type").map_or("nothing".into(), Json::describe);
        profile.add(rule, format!("{at}.type"), found, "\"expression\"");
    }
    for key in RANGE_MAPS.iter().chain(&["offsetFromHeadBone"]) {
        if look_at.get(key).is_none() {
            profile.add(rule, format!("{at}.{key}"), "nothing", "it, as the eyes have it");
        }
    }
}

/// What sits in or on the head is for others to see.
fn first_person(profile: &mut Profile<'_, '_, '_>, vrm: &Json<'_>) {
    let rule = &rules::PROFILE_VRM_FIRST_PERSON;
    let at = format!("{AT}.firstPerson.meshAnnotations");
    let annotations = vrm.get("firstPerson").map_or(&[][..], |f| f.list("meshAnnotations"));
    let kinds: BTreeMap<usize, &str> = annotations
        .iter()
        .filter_map(|a| Some((a.get("node")?.as_index()?, a.get("type")?.as_str()?)))
        .collect();
    for (node, value) in profile.list("nodes").iter().enumerate() {
        if value.get("mesh").is_none() {
            continue;
        }
        let name = value.get("name").and_then(Json::as_str).unwrap_or_default();
        let kind = kinds.get(&node).copied().unwrap_or("nothing");
        // A garment may be hidden whole; of the body the head alone.
        let allowed: &[&str] = match parse_mesh_name(name) {
            Some((PartKind::Body, _)) => &["auto", "both"],
            Some((PartKind::Garment, _)) => &["auto", "both", "thirdPersonOnly"],
            _ => &["thirdPersonOnly"],
        };
        if !allowed.contains(&kind) {
            profile.add(rule, &at, format!("{kind} for {name}"), one_of(allowed));
        }
    }
}

fn meta(profile: &mut Profile<'_, '_, '_>, vrm: &Json<'_>) {
    let rule = &rules::PROFILE_VRM_META;
    let Some(meta) = vrm.get("meta") else { return };
    let at = format!("{AT}.meta");
    let asset = profile.check.root().get("asset");
    let copyright = asset.and_then(|a| a.get("copyright"));
    if meta.get("copyrightInformation") != copyright {
        let found = meta.get("copyrightInformation").map_or("nothing".into(), Json::describe);
        let at = format!("{at}.copyrightInformation");
        profile.add(rule, at, found, "asset.copyright, word for word");
    }
    let licences = profile.block.list("licences");
    let url = meta.get("otherLicenseUrl");
    if !licences.iter().any(|entry| entry.get("licenceUrl") == url) {
        let found = url.map_or("nothing".into(), Json::describe);
        profile.add(rule, format!("{at}.otherLicenseUrl"), found, "the URL of an asset's licence");
    }
    for (i, entry) in licences.iter().enumerate() {
        let credit = entry.get("attribution").and_then(Json::as_str).unwrap_or_default();
        let told = meta.get("thirdPartyLicenses").and_then(Json::as_str).unwrap_or_default();
        if !told.contains(credit) {
            let found = format!("no credit of licence {i}");
            profile.add(rule, format!("{at}.thirdPartyLicenses"), found, "it, word for word");
        }
    }
    for key in ["version", "contactInformation"] {
        if meta.get(key).and_then(Json::as_str).is_some_and(|text| text.trim().is_empty()) {
            profile.add(rule, format!("{at}.{key}"), "a blank text", "a text, or nothing");
        }
    }
    // What the licences grant is told, neither more nor less.
    let Some(entries) = licences_of(profile.block) else { return };
    let granted = serde_json::to_value(crate::vrm::permissions_of(&entries)).unwrap_or_default();
    for (key, value) in granted.as_object().into_iter().flatten() {
        let found = meta.get(key).map(Json::to_value);
        if found.as_ref() != Some(value) {
            let at = format!("{at}.{key}");
            let found = found.map_or("nothing".into(), |found| found.to_string());
            profile.add(rule, at, found, format!("{value}, as the licences grant"));
        }
    }
}

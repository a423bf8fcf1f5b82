//! VRM files: what is in the extension, and what `check` says of broken ones.

mod common;

#[path = "common/parts.rs"]
mod parts;

use std::collections::BTreeSet;

use dramatis::check::{Outcome, RULES, check_glb};
use dramatis::face::FaceNames;
use dramatis::profile::{UE_JOINTS, VRM_BONES};
use dramatis::vrm::Thumbnail;
use dramatis::vrm::presets::PRESETS;
use dramatis::{CharacterSpec, VrmOptions, build_character, export_character_vrm};
use glam::{DQuat, DVec3};
use parts::{File, described, take};
use serde_json::{Value, json};

fn spec() -> CharacterSpec {
    let mut spec = CharacterSpec::new("Ada");
    spec.authors = vec!["A. Maker".into()];
    spec
}

fn export(options: &VrmOptions) -> Vec<u8> {
    common::exporter().export_vrm(&spec(), options).unwrap().bytes
}

#[test]
fn exports_are_clean() {
    let d = VrmOptions::default;
    for (stem, spec) in common::samples() {
        let export = common::exporter().export_vrm(&spec, &d()).unwrap();
        let report = check_glb(&format!("{stem}.vrm"), &export.bytes);
        assert_eq!(described(&report), Vec::<String>::new(), "{stem}");
        assert_eq!(export.warnings, Vec::<String>::new(), "{stem}");
    }
    let thumbnail = Thumbnail::from_bytes("t.png", common::picture(8, 8)).unwrap();
    for options in [
        VrmOptions { face_names: FaceNames::Arkit, ..d() },
        VrmOptions { face_names: FaceNames::Both, ..d() },
        VrmOptions { face_names: FaceNames::Oculus, ..d() },
        VrmOptions { dense_morphs: true, morph_normals: true, ..d() },
        VrmOptions { face_units: false, ..d() },
        VrmOptions { mtoon: true, ..d() },
        VrmOptions { thumbnail: Some(thumbnail), version: Some("2".into()), ..d() },
    ] {
        let bytes = export(&options);
        assert_eq!(described(&check_glb("ada.vrm", &bytes)), Vec::<String>::new(), "{options:?}");
        assert_eq!(bytes, export(&options));
    }
}

fn vrm_of(bytes: &[u8]) -> (File, Value) {
    let file = File::of(bytes);
    let vrm = file.json["extensions"]["VRMC_vrm"].clone();
    (file, vrm)
}

#[test]
fn human_bones_are_the_profiles_joints() {
    let (file, vrm) = vrm_of(&export(&VrmOptions::default()));
    let bones = vrm["humanoid"]["humanBones"].as_object().unwrap();
    assert_eq!(bones.len(), VRM_BONES.len());
    for (bone, joint) in VRM_BONES {
        let node = bones[bone]["node"].as_u64().unwrap() as usize;
        assert_eq!(file.json["nodes"][node]["name"], joint, "{bone}");
    }
}

/// The name of a bind's target, by its own mesh.
fn target_of(file: &File, bind: &Value) -> (String, String) {
    let node = &file.json["nodes"][bind["node"].as_u64().unwrap() as usize];
    let mesh = &file.json["meshes"][node["mesh"].as_u64().unwrap() as usize];
    let name = &mesh["extras"]["targetNames"][bind["index"].as_u64().unwrap() as usize];
    (node["name"].as_str().unwrap().into(), name.as_str().unwrap().into())
}

/// Every mesh that has a unit moves with it, by its own index.
#[test]
fn expressions_bind_every_mesh_that_has_the_unit() {
    for (face_names, arkit) in [(FaceNames::Units, false), (FaceNames::Arkit, true)] {
        let (file, vrm) = vrm_of(&export(&VrmOptions { face_names, ..VrmOptions::default() }));
        let mut meshes_with: Vec<(String, String)> = Vec::new();
        for mesh in file.json["meshes"].as_array().unwrap() {
            for name in mesh["extras"]["targetNames"].as_array().into_iter().flatten() {
                let name = name.as_str().unwrap().to_owned();
                meshes_with.push((mesh["name"].as_str().unwrap().into(), name));
            }
        }
        let presets = vrm["expressions"]["preset"].as_object().unwrap();
        assert_eq!(presets.len(), 18);
        for preset in &PRESETS {
            let recipe = if arkit { preset.arkit } else { preset.units };
            let wanted: BTreeSet<(String, String, String)> = meshes_with
                .iter()
                .filter_map(|(mesh, name)| {
                    let (_, weight) = recipe.iter().find(|(unit, _)| unit == name)?;
                    Some((mesh.clone(), name.clone(), weight.to_string()))
                })
                .collect();
            let binds = presets[preset.name]["morphTargetBinds"].as_array();
            let found: BTreeSet<(String, String, String)> = binds
                .into_iter()
                .flatten()
                .map(|bind| {
                    let (mesh, name) = target_of(&file, bind);
                    (mesh, name, (bind["weight"].as_f64().unwrap() as f32).to_string())
                })
                .collect();
            assert_eq!(found, wanted, "{}", preset.name);
        }
        // One custom expression for each shape, so that others can drive it.
        let custom = vrm["expressions"]["custom"].as_object().unwrap();
        let shapes: BTreeSet<&String> = meshes_with.iter().map(|(_, name)| name).collect();
        assert_eq!(custom.keys().collect::<BTreeSet<_>>(), shapes);
        for (name, expression) in custom {
            for bind in expression["morphTargetBinds"].as_array().unwrap() {
                assert_eq!(target_of(&file, bind).1, *name);
                assert_eq!(bind["weight"], json!(1.0));
            }
        }
    }
}

/// The offset is the middle of the eyes, seen from the head's joint in its
/// own axes; worked out here from the file alone.
#[test]
fn look_at_starts_between_the_eyes() {
    let (file, vrm) = vrm_of(&export(&VrmOptions::default()));
    let vector = |v: &Value| -> Vec<f64> {
        v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let nodes = file.json["nodes"].as_array().unwrap();
    let mut chain = vec![UE_JOINTS.iter().position(|name| *name == "Head").unwrap()];
    while let Some(parent) = nodes.iter().position(|node| {
        let child = json!(chain.last().unwrap());
        node["children"].as_array().is_some_and(|children| children.contains(&child))
    }) {
        chain.push(parent);
    }
    let offset = vector(&vrm["lookAt"]["offsetFromHeadBone"]);
    let mut place = DVec3::from_slice(&offset);
    for joint in &chain {
        let rotation = DQuat::from_slice(&vector(&nodes[*joint]["rotation"]));
        place = rotation * place + DVec3::from_slice(&vector(&nodes[*joint]["translation"]));
    }
    let eyes =
        file.json["meshes"].as_array().unwrap().iter().find(|m| m["name"] == "eyes").unwrap();
    let index = eyes["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap() as usize;
    let accessor = &file.json["accessors"][index];
    let (low, high) = (vector(&accessor["min"]), vector(&accessor["max"]));
    let middle = (DVec3::from_slice(&low) + DVec3::from_slice(&high)) / 2.0;
    assert!(place.distance(middle) < 1e-5, "{place} is not {middle}");
    // Eyes of people turn by some 20 degrees at full weight.
    for (map, value) in vrm["lookAt"].as_object().unwrap() {
        if map.starts_with("rangeMap") {
            let degrees = value["inputMaxValue"].as_f64().unwrap();
            assert!((10.0..40.0).contains(&degrees), "{map}: {degrees}");
        }
    }
}

#[test]
fn meta_tells_authors_licences_and_permissions() {
    let options = VrmOptions { version: Some("1.2".into()), ..VrmOptions::default() };
    let (file, vrm) = vrm_of(&export(&options));
    let meta = &vrm["meta"];
    assert_eq!(meta["name"], "Ada");
    assert_eq!(meta["version"], "1.2");
    assert_eq!(meta["authors"], json!(["A. Maker"]));
    assert_eq!(meta["licenseUrl"], "https://vrm.dev/licenses/1.0/");
    assert_eq!(meta["copyrightInformation"], file.json["asset"]["copyright"]);
    assert_eq!(meta["avatarPermission"], "everyone");
    assert_eq!(meta["creditNotation"], "unnecessary");

    // With an asset under CC BY the credit is owed, and told word for word.
    let exporter = common::exporter();
    let mut character = build_character(exporter.pack(), &spec()).unwrap();
    let mut coat = character.licences[0].clone();
    coat.title = "Coat".into();
    coat.licence = "CC-BY-4.0".into();
    coat.attribution = Some("Coat by B. Tailor".into());
    character.licences.push(coat);
    let bytes = export_character_vrm(&character, &VrmOptions::default()).unwrap();
    let (_, vrm) = vrm_of(&bytes);
    assert_eq!(vrm["meta"]["creditNotation"], "required");
    assert_eq!(vrm["meta"]["commercialUsage"], "corporation");
    assert!(vrm["meta"]["thirdPartyLicenses"].as_str().unwrap().contains("Coat by B. Tailor"));
    assert_eq!(described(&check_glb("a.vrm", &bytes)), Vec::<String>::new());
    // Of a licence that nobody knows nothing is promised.
    character.licences[1].licence = "LicenseRef-Mine".into();
    let bytes = export_character_vrm(&character, &VrmOptions::default()).unwrap();
    let (_, vrm) = vrm_of(&bytes);
    assert_eq!(vrm["meta"]["avatarPermission"], "onlyAuthor");
    assert_eq!(vrm["meta"]["allowRedistribution"], false);
}

/// MToon stands beside PBR, with a shade that is darker than the lit colour
/// and not black, which is what leaving it out would mean.
#[test]
fn mtoon_is_added_to_every_material() {
    let (file, _) = vrm_of(&export(&VrmOptions { mtoon: true, ..VrmOptions::default() }));
    for material in file.json["materials"].as_array().unwrap() {
        let lit = &material["pbrMetallicRoughness"]["baseColorFactor"];
        let shade = &material["extensions"]["VRMC_materials_mtoon"]["shadeColorFactor"];
        for slot in 0..3 {
            let (lit, shade) = (lit[slot].as_f64().unwrap(), shade[slot].as_f64().unwrap());
            assert!(shade < lit && shade > lit / 3.0, "{material}");
        }
    }
}

#[test]
fn a_spec_without_authors_is_told() {
    let spec = CharacterSpec::new("Ada");
    let export = common::exporter().export_vrm(&spec, &VrmOptions::default()).unwrap();
    assert_eq!(export.warnings.len(), 1);
    assert!(export.warnings[0].contains("no `authors`"), "{:?}", export.warnings);
    let (_, vrm) = vrm_of(&export.bytes);
    assert!(!vrm["meta"]["authors"][0].as_str().unwrap().trim().is_empty());
}

#[test]
fn thumbnails_are_square_pictures() {
    let png = common::picture(6, 6);
    let thumbnail = Thumbnail::from_bytes("t.png", png.clone()).unwrap();
    assert_eq!(thumbnail.side(), 6);
    let (file, vrm) =
        vrm_of(&export(&VrmOptions { thumbnail: Some(thumbnail), ..VrmOptions::default() }));
    let image = &file.json["images"][vrm["meta"]["thumbnailImage"].as_u64().unwrap() as usize];
    let view = &file.json["bufferViews"][image["bufferView"].as_u64().unwrap() as usize];
    let at = view["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(file.bin[at..at + png.len()], png);
    for (bytes, expected) in [
        (common::picture(6, 7), "found 6 x 7 pixels, expected as many pixels wide as high"),
        (b"GIF89a".to_vec(), "expected a PNG or JPEG file"),
        (png[..png.len() - 20].to_vec(), "found a picture that breaks off"),
        (Vec::new(), "expected a PNG or JPEG file"),
        (b"\xff\xd8\xff\xe0\0".to_vec(), "found a picture that breaks off"),
    ] {
        let error = Thumbnail::from_bytes("t.png", bytes).unwrap_err().to_string();
        assert!(error.starts_with("t.png: ") && error.contains(expected), "{error}");
    }
}

type Case = (&'static str, fn(&mut File));

fn vrm(f: &mut File) -> &mut Value {
    &mut f.json["extensions"]["VRMC_vrm"]
}

fn bones(f: &mut File) -> &mut Value {
    &mut vrm(f)["humanoid"]["humanBones"]
}

fn preset<'f>(f: &'f mut File, name: &str) -> &'f mut Value {
    &mut vrm(f)["expressions"]["preset"][name]
}

/// Turns a joint about an axis, in its own frame.
fn turn(f: &mut File, joint: &str, axis: DVec3, degrees: f64) {
    let node = UE_JOINTS.iter().position(|name| *name == joint).unwrap();
    let rotation: Vec<f64> =
        serde_json::from_value(f.json["nodes"][node]["rotation"].clone()).unwrap();
    let turned = DQuat::from_slice(&rotation) * DQuat::from_axis_angle(axis, degrees.to_radians());
    f.json["nodes"][node]["rotation"] = json!(turned.to_array());
}

fn move_joint(f: &mut File, joint: &str, by: [f64; 3]) {
    let node = UE_JOINTS.iter().position(|name| *name == joint).unwrap();
    for (slot, by) in by.iter().enumerate() {
        let at = f.json["nodes"][node]["translation"][slot].as_f64().unwrap();
        f.json["nodes"][node]["translation"][slot] = json!(at + by);
    }
}

/// Changes to a good VRM, each with the rule it breaks.
const CASES: &[Case] = &[
    ("vrm.file", |f| take(&mut f.json, "extensions")),
    ("vrm.file", |f| f.json["extensionsRequired"] = json!(["VRMC_vrm"])),
    ("extension.undeclared", |f| take(&mut f.json, "extensionsUsed")),
    ("vrm.spec-version", |f| vrm(f)["specVersion"] = json!("1.0-beta")),
    ("vrm.schema", |f| take(vrm(f), "meta")),
    ("vrm.schema", |f| take(&mut vrm(f)["meta"], "licenseUrl")),
    ("vrm.schema", |f| vrm(f)["meta"]["authors"] = json!([])),
    ("vrm.schema", |f| vrm(f)["meta"]["references"] = json!([])),
    ("vrm.schema", |f| vrm(f)["meta"]["avatarPermission"] = json!("anyone")),
    ("vrm.schema", |f| bones(f)["head"] = json!(6)),
    ("vrm.schema", |f| bones(f)["head"] = json!({"node": 900})),
    ("vrm.schema", |f| preset(f, "aa")["morphTargetBinds"][0]["weight"] = json!(100)),
    ("vrm.schema", |f| vrm(f)["lookAt"]["rangeMapVerticalUp"]["inputMaxValue"] = json!(181)),
    ("vrm.schema", |f| vrm(f)["firstPerson"]["meshAnnotations"][0]["type"] = json!("never")),
    ("vrm.schema", |f| {
        f.json["extensionsUsed"].as_array_mut().unwrap().push(json!("VRMC_materials_mtoon"));
        f.json["materials"][0]["extensions"] =
            json!({"VRMC_materials_mtoon": {"specVersion": "1.0", "rimLightingMixFactor": 2}});
    }),
    ("vrm.meta", |f| vrm(f)["meta"]["authors"] = json!(["A. Maker", " "])),
    ("vrm.meta", |f| vrm(f)["meta"]["name"] = json!("")),
    ("vrm.meta", |f| vrm(f)["meta"]["licenseUrl"] = json!("https://vrm.dev/licenses/1.0")),
    ("vrm.thumbnail", |f| {
        let at = f.bin.len();
        f.bin.extend(common::picture(4, 8));
        let length = f.bin.len() - at;
        f.bin.resize(f.bin.len().next_multiple_of(4), 0);
        f.json["buffers"][0]["byteLength"] = json!(f.bin.len());
        let views = f.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteOffset": at, "byteLength": length}));
        let view = views.len() - 1;
        f.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}]);
        vrm(f)["meta"]["thumbnailImage"] = json!(0);
    }),
    ("vrm.licences", |f| {
        vrm(f)["meta"]["copyrightInformation"] = json!("mine");
        vrm(f)["meta"]["thirdPartyLicenses"] = json!("none");
    }),
    ("vrm.permissions", |f| {
        let licence = &mut f.json["asset"]["extras"]["dramatis"]["licences"][0];
        licence["licence"] = json!("CC-BY-4.0");
        licence["attribution"] = json!("hm08");
    }),
    ("vrm.bones", |f| take(bones(f), "head")),
    ("vrm.bones", |f| bones(f)["tail"] = json!({"node": 0})),
    ("vrm.hierarchy", |f| take(bones(f), "chest")),
    ("vrm.hierarchy", |f| take(bones(f), "leftIndexProximal")),
    ("vrm.hierarchy", |f| bones(f)["spine"]["node"] = json!(1)),
    ("vrm.hierarchy", |f| bones(f)["hips"]["node"] = json!(4)),
    ("vrm.scale", |f| f.json["nodes"][3]["scale"] = json!([1.0, 2.0, 1.0])),
    ("vrm.preset-names", |f| {
        let happy = preset(f, "happy").clone();
        vrm(f)["expressions"]["preset"]["joy"] = happy;
    }),
    ("vrm.preset-names", |f| {
        let happy = preset(f, "happy").clone();
        vrm(f)["expressions"]["custom"]["happy"] = happy;
    }),
    ("vrm.binds", |f| preset(f, "blink")["morphTargetBinds"][0]["index"] = json!(59)),
    ("vrm.binds", |f| preset(f, "blink")["morphTargetBinds"][0]["node"] = json!(0)),
    ("vrm.lookat", |f| vrm(f)["lookAt"]["type"] = json!("bone")),
    ("vrm.lookat", |f| take(&mut vrm(f)["expressions"]["preset"], "lookUp")),
    ("vrm.look-direction", |f| {
        let right = preset(f, "lookRight").clone();
        *preset(f, "lookLeft") = right;
    }),
    ("vrm.look-direction", |f| {
        let down = preset(f, "lookDown").clone();
        *preset(f, "lookUp") = down;
    }),
    ("vrm.range-maps", |f| vrm(f)["lookAt"]["rangeMapVerticalUp"]["inputMaxValue"] = json!(0)),
    ("vrm.range-maps", |f| vrm(f)["lookAt"]["rangeMapVerticalUp"]["outputScale"] = json!(10)),
    ("vrm.lookat-offset", |f| vrm(f)["lookAt"]["offsetFromHeadBone"] = json!([0, 6, 0])),
    ("vrm.first-person", |f| vrm(f)["firstPerson"]["meshAnnotations"][0]["node"] = json!(3)),
    ("vrm.first-person", |f| vrm(f)["firstPerson"]["meshAnnotations"][0]["node"] = json!(66)),
    ("vrm.unused", |f| {
        f.json["cameras"] =
            json!([{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}]);
    }),
    ("vrm.grounded", |f| {
        for accessor in f.json["accessors"].as_array_mut().unwrap() {
            if accessor["min"][1].as_f64().is_some_and(|y| y.abs() < 1e-3) {
                accessor["min"][1] = json!(0.05);
            }
        }
    }),
    ("profile.vrm-bones", |f| take(bones(f), "leftToes")),
    ("profile.vrm-face", |f| preset(f, "blinkLeft")["morphTargetBinds"][0]["weight"] = json!(0.5)),
    ("profile.vrm-face", |f| take(&mut vrm(f)["expressions"]["preset"], "sad")),
    ("profile.vrm-face", |f| take(&mut vrm(f)["expressions"]["custom"], "JawDrop")),
    ("profile.vrm-face", |f| take(vrm(f), "lookAt")),
    ("profile.vrm-face", |f| {
        preset(f, "aa")["morphTargetBinds"].as_array_mut().unwrap().pop();
    }),
    ("profile.vrm-first-person", |f| {
        vrm(f)["firstPerson"]["meshAnnotations"][1]["type"] = json!("both");
    }),
    ("profile.vrm-meta", |f| vrm(f)["meta"]["allowRedistribution"] = json!(false)),
    ("pose.upright", |f| turn(f, "pelvis", DVec3::X, 180.0)),
    ("pose.facing", |f| turn(f, "root", DVec3::Z, 180.0)),
    ("pose.arms", |f| turn(f, "upperarm_l", DVec3::Z, 45.0)),
    ("pose.arms", |f| turn(f, "upperarm_l", DVec3::X, 45.0)),
    ("pose.symmetric", |f| move_joint(f, "thigh_l", [0.0, 0.1, 0.0])),
    ("pose.feet", |f| {
        turn(f, "thigh_l", DVec3::Y, 40.0);
    }),
    ("pose.fingers", |f| turn(f, "index_01_l", DVec3::X, 60.0)),
    ("pose.palms", |f| turn(f, "hand_l", DVec3::Y, 90.0)),
    ("pose.thumb", |f| {
        turn(f, "thumb_01_l", DVec3::X, 70.0);
        turn(f, "thumb_01_l", DVec3::Z, 70.0);
    }),
];

#[test]
fn each_rule_of_vrm_can_fail() {
    let good = File::of(&export(&VrmOptions::default()));
    assert_eq!(described(&check_glb("ada.vrm", &good.bytes())), Vec::<String>::new());
    for (i, (rule, change)) in CASES.iter().enumerate() {
        let mut file = good.clone();
        change(&mut file);
        let report = check_glb("ada.vrm", &file.bytes());
        let hit = report.findings.iter().any(|f| f.rule.id == *rule);
        assert!(hit, "{i} {rule}: {:#?}", described(&report));
    }
    // A VRM by another name is not opened everywhere.
    let report = check_glb("ada.glb", &good.bytes());
    assert_eq!(report.outcome(), Outcome::Reject);
    assert!(report.findings.iter().any(|f| f.rule.id == "vrm.file-name"));

    let shown: BTreeSet<&str> =
        CASES.iter().map(|(rule, _)| *rule).chain(["vrm.file-name"]).collect();
    let all = RULES.iter().map(|rule| rule.id);
    let missing: Vec<&str> = all
        .filter(|id| {
            ["vrm.", "pose.", "profile.vrm-"].iter().any(|area| id.starts_with(area))
                && !shown.contains(id)
        })
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

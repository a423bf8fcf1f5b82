//! The tests of `check_extras`, apart from it for their length.

use super::*;
use crate::profile::extras::GENERATOR;
use serde_json::json;

/// A block that follows the profile, with two assets.
fn good() -> Value {
    json!({
        "format": "dramatis-export",
        "version": 1,
        "generator": "dramatis@0.1.0",
        "naming": "ue",
        "restPose": "t-pose",
        "faceUnits": ["LeftBrowDown", "JawDrop", "lowerLipUp"],
        "character": "Ada",
        "licences": [
            {
                "asset": "makehuman:base/hm08",
                "title": "MakeHuman base mesh",
                "kind": "base",
                "licence": "CC0-1.0",
                "licenceUrl": "https://creativecommons.org/publicdomain/zero/1.0/",
                "source": "https://example.org/makehuman",
                "author": "The MakeHuman team",
                "modified": true
            },
            {
                "asset": "toigo:garment/harem_pants",
                "title": "Harem pants",
                "kind": "garment",
                "licence": "CC-BY-4.0",
                "licenceUrl": "https://creativecommons.org/licenses/by/4.0/",
                "source": "https://example.org/toigo",
                "author": "T. O. Igo",
                "attribution": "Harem pants by T. O. Igo, CC BY 4.0"
            }
        ]
    })
}

/// The faults' paths after `change` was made to a good block.
fn paths(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut value = good();
    change(&mut value);
    let faults = check_export_extras(&value).expect_err("the change must be a fault");
    for fault in &faults {
        assert_eq!(fault.to_string().lines().count(), 1, "{fault}");
    }
    faults.into_iter().map(|fault| fault.path).collect()
}

#[test]
fn good_blocks_pass() {
    type Change = fn(&mut Value);
    let changes: [Change; 13] = [
        |_| {},
        |v| v["version"] = json!(1.0),
        |v| v["naming"] = json!("mixamo"),
        |v| v["restPose"] = json!("source"),
        |v| v["faceUnits"] = json!([]),
        |v| v["faceUnits"] = json!(crate::profile::FACE_UNITS.to_vec()),
        |v| v["character"] = json!(""),
        |v| v["generator"] = json!(GENERATOR),
        |v| v["generator"] = json!("dramatis@1.0.0-rc.1+build.007"),
        |v| v["generator"] = json!("dramatis@0"),
        |v| v["more"] = json!({ "anything": [1] }),
        |v| v["licences"][0]["modified"] = json!(false),
        |v| v["licences"][0]["attribution"] = json!("By the MakeHuman team"),
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut value = good();
        change(&mut value);
        assert_eq!(check_export_extras(&value), Ok(()), "change {i}");
    }
}

#[test]
fn each_fault_is_reported_at_its_own_place_only() {
    type Change = fn(&mut Value);
    let cases: [(&str, Change); 42] = [
        ("$", |v| *v = json!([])),
        ("$", |v| *v = Value::Null),
        ("$.format", |v| v["format"] = json!("dramatis")),
        ("$.format", |v| v["format"] = json!(1)),
        ("$.version", |v| v["version"] = json!(2)),
        ("$.version", |v| v["version"] = json!("1")),
        ("$.version", |v| v["version"] = json!(1.5)),
        ("$.generator", |v| v["generator"] = json!("")),
        ("$.generator", |v| v["generator"] = json!("dramatis")),
        ("$.generator", |v| v["generator"] = json!("dramatis@1.0.0.0")),
        ("$.generator", |v| v["generator"] = json!("dramatis@01.0.0")),
        ("$.generator", |v| v["generator"] = json!("dramatis@1.0.0-")),
        ("$.generator", |v| v["generator"] = json!("other@1.0.0")),
        ("$.naming", |v| v["naming"] = json!("UE")),
        ("$.restPose", |v| v["restPose"] = json!("a-pose")),
        ("$.restPose", |v| v["restPose"] = Value::Null),
        ("$.faceUnits", |v| v["faceUnits"] = json!("JawDrop")),
        ("$.faceUnits", |v| v["faceUnits"] = Value::Null),
        ("$.faceUnits[1]", |v| v["faceUnits"][1] = json!("jawOpen")),
        ("$.faceUnits[0]", |v| v["faceUnits"][0] = json!(7)),
        ("$.faceUnits[2]", |v| v["faceUnits"][2] = json!("LeftBrowDown")),
        ("$.character", |v| v["character"] = json!({ "name": "Ada" })),
        ("$.licences", |v| v["licences"] = json!([])),
        ("$.licences", |v| v["licences"] = json!({})),
        ("$.licences[1]", |v| v["licences"][1] = json!("CC0")),
        ("$.licences", |v| v["licences"] = json!([v["licences"][1]])),
        ("$.licences[0].asset", |v| v["licences"][0]["asset"] = json!("")),
        ("$.licences[0].asset", |v| v["licences"][0]["asset"] = json!("hm08")),
        ("$.licences[0].asset", |v| v["licences"][0]["asset"] = json!(":base/hm08")),
        ("$.licences[0].asset", |v| v["licences"][0]["asset"] = json!("makehuman:base/")),
        ("$.licences[0].asset", |v| v["licences"][0]["asset"] = json!("makehuman:body/hm08")),
        ("$.licences[0].asset", |v| v["licences"][0]["asset"] = json!("makehuman:hair/hm08")),
        ("$.licences[1].kind", |v| v["licences"][1]["kind"] = json!("shoes")),
        ("$.licences[0].title", |v| v["licences"][0]["title"] = json!("")),
        ("$.licences[1].licence", |v| v["licences"][1]["licence"] = json!("")),
        ("$.licences[1].licenceUrl", |v| v["licences"][1]["licenceUrl"] = json!(4)),
        ("$.licences[1].source", |v| v["licences"][1]["source"] = json!("")),
        ("$.licences[1].author", |v| v["licences"][1]["author"] = json!(["T. O. Igo"])),
        ("$.licences[1].attribution", |v| v["licences"][1]["attribution"] = json!("")),
        ("$.licences[1].attribution", |v| v["licences"][1]["attribution"] = json!(" \n")),
        ("$.licences[0].attribution", |v| v["licences"][0]["licence"] = json!("CC-BY-SA-4.0")),
        ("$.licences[0].modified", |v| v["licences"][0]["modified"] = json!("yes")),
    ];
    for (path, change) in cases {
        assert_eq!(paths(change), [path]);
    }
}

#[test]
fn every_missing_key_is_named() {
    for key in REQUIRED {
        let found = paths(|v| drop(v.as_object_mut().unwrap().remove(key)));
        assert_eq!(found, [format!("$.{key}")]);
    }
    for key in LICENCE_REQUIRED {
        let found = paths(|v| drop(v["licences"][1].as_object_mut().unwrap().remove(key)));
        assert_eq!(found, [format!("$.licences[1].{key}")]);
    }
    let found = paths(|v| drop(v["licences"][1].as_object_mut().unwrap().remove("attribution")));
    assert_eq!(found, ["$.licences[1].attribution"]);
    assert_eq!(paths(|v| *v = json!({})), REQUIRED.map(|key| format!("$.{key}")));
}

#[test]
fn messages_are_short_and_say_what_was_found() {
    let mut value = good();
    value["naming"] = json!(format!("line\n{}", "x".repeat(10_000)));
    let faults = check_export_extras(&value).unwrap_err();
    let message = faults[0].to_string();
    assert!(message.starts_with("$.naming: found \"line\\nxxx"), "{message}");
    assert!(message.ends_with("expected one of `ue`, `mixamo`"), "{message}");
    assert!(message.chars().count() < 140, "{message}");
    let error = faults[0].clone().in_file("a.glb").to_string();
    assert!(error.starts_with("a.glb: $.asset.extras.dramatis.naming: found "), "{error}");
}

#[test]
fn the_copyright_line_must_repeat_the_entries() {
    let licences: Vec<Licence> = serde_json::from_value(good()["licences"].clone()).unwrap();
    let line = "MakeHuman base mesh: CC0-1.0; Harem pants: CC-BY-4.0";
    assert_eq!(check_copyright(line, &licences), None);
    let fault = check_copyright("", &licences).unwrap();
    assert_eq!(fault.path, "asset.copyright");
    assert_eq!((fault.found.as_str(), fault.expected), ("\"\"", format!("\"{line}\"")));
    let fault = check_copyright(&line.replace("4.0", "3.0"), &licences).unwrap();
    assert!(fault.found.starts_with("\" Harem pants: CC-BY-3.0\" at"), "{fault}");
    assert!(fault.in_file("a.glb").to_string().starts_with("a.glb: $.asset.copyright: found "));
}

/// The schema file lies beside the checkout in some workplaces only, so this
/// test passes over it where it is missing.
#[test]
fn the_tables_agree_with_the_schema_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/gate/export-extras-1.json");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let schema: Value = serde_json::from_str(&text).unwrap();
    let licence = &schema["$defs"]["licence"];
    assert_eq!(schema["required"], json!(REQUIRED));
    assert_eq!(licence["required"], json!(LICENCE_REQUIRED));
    let kinds = LicenceKind::ALL.map(LicenceKind::as_str);
    assert_eq!(licence["properties"]["kind"]["enum"], json!(kinds));
    assert_eq!(schema["properties"]["format"]["const"], EXPORT_FORMAT);
    assert_eq!(schema["properties"]["version"]["const"], EXPORT_VERSION);
    assert_eq!(schema["properties"]["naming"]["enum"], json!(["ue", "mixamo"]));
    assert_eq!(schema["properties"]["restPose"]["enum"], json!(["t-pose", "source"]));
}

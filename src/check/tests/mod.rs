//! Every rule can fail: each has a small file here that breaks it, made from
//! one good file by one change.

mod cases;

mod good;

use std::collections::BTreeSet;

use serde_json::json;

use super::*;
use crate::glb::of_chunks;
use cases::CASES;
use good::{File, VERTICES, good, push};

#[test]
fn the_good_file_is_good() {
    let report = good().check();
    assert_eq!(report.findings, []);
    assert_eq!(report.outcome(), Outcome::Accept);
    let expected = Summary {
        bytes: good().bytes().len(),
        meshes: 1,
        vertices: 4,
        triangles: 2,
        morph_targets: 1,
        joints: 2,
        images: 1,
        animations: 1,
        claims_profile: false,
    };
    assert_eq!(report.summary, expected);
}

#[test]
fn each_change_breaks_its_rule_and_the_good_file_breaks_none() {
    for (i, (rule, change)) in CASES.iter().enumerate() {
        let mut file = good();
        change(&mut file);
        let report = file.check();
        let found: Vec<String> = report.findings.iter().map(|f| format!("{f:?}")).collect();
        let hit = report.findings.iter().find(|f| f.rule.id == *rule);
        let hit = hit.unwrap_or_else(|| panic!("case {i}, {rule}: only {found:#?}"));
        assert_eq!(hit.severity, hit.rule.severity);
        assert!(!hit.found.is_empty() && !hit.expected.is_empty() && !hit.path.is_empty());
        let rejected = report.outcome() == Outcome::Reject;
        assert!(rejected || hit.severity == Severity::Warning, "case {i}, {rule}: {found:#?}");
    }
}

/// The containers that cannot be opened, by the rule they break.
fn broken_containers() -> Vec<(&'static str, Vec<u8>)> {
    let whole = good().bytes();
    let text = |json: &str| {
        let mut json = json.as_bytes().to_vec();
        json.resize(json.len().next_multiple_of(4), b' ');
        of_chunks(&[(b"JSON", &json)])
    };
    let mut padded = text(r#"{"asset":{"version":"2.0"}}  "#);
    let n = padded.len();
    padded[n - 2] = 0;
    vec![
        ("glb.container", whole[..whole.len() - 4].to_vec()),
        ("glb.container", b"glTF".to_vec()),
        ("glb.container", b"solid of another format".to_vec()),
        ("glb.json", text("{\"asset\":")),
        ("glb.json", text("\u{feff}{}")),
        ("glb.json", text("[]")),
        ("glb.json", padded),
        ("glb.key-twice", text(r#"{"asset":{"version":"2.0","version":"2.0"}}"#)),
        (
            "glb.chunk-unknown",
            of_chunks(&[(b"JSON", br#"{"asset":{"version":"2.0"}} "#), (b"FOO\0", &[0; 4])]),
        ),
        (
            "glb.too-much",
            text(&format!(r#"{{"asset":{{"version":"2.0"}},"x":[{}0]}}"#, "0,".repeat(1 << 21))),
        ),
    ]
}

#[test]
fn what_cannot_be_opened_is_one_finding() {
    for (rule, bytes) in broken_containers() {
        let report = check_glb("t.glb", &bytes);
        let ids: Vec<&str> = report.findings.iter().map(|f| f.rule.id).collect();
        assert_eq!(ids, [rule], "{:?}", report.findings);
        assert_eq!(report.summary.bytes, bytes.len());
    }
}

/// Many accessors over the same bytes would keep a checker busy for long.
#[test]
fn work_is_bounded_by_the_files_size() {
    let mut file = good();
    let view = file.view(&vec![0; 1 << 20], VERTICES);
    let accessor =
        json!({"bufferView": view, "componentType": 5121, "count": 1 << 18, "type": "VEC4"});
    for _ in 0..400 {
        push(&mut file.json["accessors"], accessor.clone());
    }
    let report = file.check();
    assert!(report.findings.iter().any(|f| f.rule.id == "glb.too-much"));
}

#[test]
fn many_findings_of_a_rule_are_counted_and_not_kept() {
    let mut file = good();
    for _ in 0..100 {
        push(&mut file.json["materials"], json!({}));
    }
    let report = file.check();
    assert_eq!(report.findings.len(), 20);
    assert_eq!(report.more.len(), 1);
    assert_eq!((report.more[0].rule.id, report.more[0].count), ("object.unused", 80));
    assert_eq!((report.errors(), report.warnings()), (0, 100));
}

#[test]
fn ids_are_unique_and_every_rule_of_gltf_can_fail() {
    let ids: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), RULES.len());
    assert!(RULES.iter().all(|rule| rule.about.ends_with('.')));
    let shown: BTreeSet<&str> = CASES
        .iter()
        .map(|(rule, _)| *rule)
        .chain(broken_containers().iter().map(|(rule, _)| *rule))
        .collect();
    // The profile's and VRM's rules are shown on whole characters, in
    // tests/check.rs and tests/vrm.rs.
    let missing: Vec<&&str> = ids
        .iter()
        .filter(|id| {
            !["profile.", "vrm.", "pose.", "file."].iter().any(|area| id.starts_with(area))
                && !shown.contains(**id)
        })
        .collect();
    assert_eq!(missing, Vec::<&&str>::new());
}

/// Ordinary files that are mostly JSON, such as a drawing of many parts.
#[test]
fn files_that_are_all_json_are_read() {
    let mut file = good();
    for i in 0..20_000 {
        let node =
            json!({"name": format!("Bolt.{i:05}"), "translation": [i as f64 * 0.125, 0.5, 1.25]});
        push(&mut file.json["nodes"], node);
    }
    assert_eq!(file.check().errors(), 0);
}

/// Files that a careless checker would need minutes for; this test has an end
/// because ours does not.
#[test]
fn files_made_to_be_slow_are_not() {
    // Many accessors over one long list of sparse indices.
    let mut file = good();
    let indices: Vec<u32> = (0..1 << 18).collect();
    let (which, what) =
        (file.view(bytemuck::cast_slice(&indices), None), file.view(&[0; 1 << 18], None));
    for _ in 0..1000 {
        let accessor = json!({"componentType": 5121, "count": 1 << 18, "type": "SCALAR", "sparse": {
            "count": 1 << 18, "indices": {"bufferView": which, "componentType": 5125},
            "values": {"bufferView": what}}});
        push(&mut file.json["accessors"], accessor);
    }
    assert!(file.check().findings.iter().any(|f| f.rule.id == "glb.too-much"));
    // Many keys before those that are looked up for each of many nodes, all
    // below a name of some megabytes.
    let mut json = serde_json::Map::new();
    for i in 0..20_000 {
        json.insert(format!("junk{i}"), json!(0));
    }
    json.insert("A".repeat(1 << 21), json!(vec![json!({}); 20_000]));
    json.extend(good().json.as_object().unwrap().clone());
    let mut file = File { json: json.into(), ..good() };
    for _ in 0..20_000 {
        push(&mut file.json["nodes"], json!({"mesh": 0, "name": "x_1"}));
    }
    assert!(file.check().findings.iter().any(|f| f.rule.id == "json.key-unknown"));
    // Thousands of sets of joints over the same bytes.
    let mut file = good();
    for i in 1..3000 {
        file.json["meshes"][0]["primitives"][0]["attributes"][format!("JOINTS_{i}")] = json!(7);
        file.json["meshes"][0]["primitives"][0]["attributes"][format!("WEIGHTS_{i}")] = json!(3);
    }
    assert!(file.check().findings.iter().any(|f| f.rule.id == "glb.too-much"));
    // One picture under thousands of names.
    let mut file = good();
    let mut long = file.json["images"][0].clone();
    let mut png = good::picture();
    png.resize(1 << 22, 0);
    long["bufferView"] = file.view(&png, None).into();
    file.json["images"] = vec![long; 5000].into();
    file.check();
}

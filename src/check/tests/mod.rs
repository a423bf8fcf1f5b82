//! Every rule can fail: each has a small file here that breaks it, made from
//! one good file by one change.

mod cases;

mod good;

use std::collections::BTreeSet;

use serde_json::json;

use super::*;
use crate::glb::of_chunks;
use cases::CASES;
use good::{VERTICES, good, push};

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

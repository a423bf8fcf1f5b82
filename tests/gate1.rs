//! Gate 1: every exported file keeps to the export profile, and every check of
//! the harness is shown able to fail.

#[path = "common/gate1.rs"]
mod gate1;

mod common;

use std::collections::BTreeSet;

use dramatis::face::FaceNames;
use dramatis::profile::{Naming, RestPose};
use dramatis::{ExportOptions, VrmOptions};
use serde_json::json;

/// Fresh exports of every sample, in both namings and both rest poses, pass.
/// Unlike what lies in `samples/out`, these are always there.
#[test]
fn gate1_on_fresh_exports() {
    if gate1::gate1_is_skipped() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut n_files = 0;
    for (stem, spec) in common::samples() {
        for naming in [Naming::Ue, Naming::Mixamo] {
            for rest_pose in [RestPose::TPose, RestPose::Source] {
                let options = ExportOptions { naming, rest_pose, ..ExportOptions::default() };
                let export = common::exporter().export(&spec, &options).unwrap();
                let name = format!("{stem}-{}-{}.glb", naming.as_str(), rest_pose.as_str());
                std::fs::write(dir.path().join(name), export.bytes).unwrap();
                n_files += 1;
            }
        }
        // Each as a VRM, by one set of names after the other.
        let names = [FaceNames::Units, FaceNames::Arkit, FaceNames::Both, FaceNames::Oculus];
        let face_names = names[n_files % names.len()];
        for face_names in BTreeSet::from(["units", face_names.as_str()]) {
            let face_names = names.into_iter().find(|n| n.as_str() == face_names).unwrap();
            let options = VrmOptions { face_names, ..VrmOptions::default() };
            let export = common::exporter().export_vrm(&spec, &options).unwrap();
            let name = format!("{stem}-{}.vrm", face_names.as_str());
            std::fs::write(dir.path().join(name), export.bytes).unwrap();
            n_files += 1;
        }
    }
    // The forms that morph targets can take, on one of them.
    let d = ExportOptions::default;
    for (name, options) in [
        ("arkit", ExportOptions { face_names: FaceNames::Arkit, ..d() }),
        ("both", ExportOptions { face_names: FaceNames::Both, ..d() }),
        ("oculus", ExportOptions { face_names: FaceNames::Oculus, ..d() }),
        ("dense", ExportOptions { dense_morphs: true, ..d() }),
        ("shaded", ExportOptions { morph_normals: true, ..d() }),
        ("still", ExportOptions { face_units: false, ..d() }),
    ] {
        let (_, spec) = common::samples().swap_remove(0);
        let export = common::exporter().export(&spec, &options).unwrap();
        std::fs::write(dir.path().join(format!("{name}.glb")), export.bytes).unwrap();
        n_files += 1;
    }
    let output = gate1::run_gate1(dir.path());
    gate1::assert_gate1(&output);
    let text = String::from_utf8_lossy(&output.stdout);
    for check in ["validator", "skeleton", "morphs", "licences", "loader", "walk", "vrm"] {
        let passed = text.lines().any(|line| {
            line.starts_with(check) && line.contains(&format!("PASS  {n_files} files"))
        });
        assert!(passed, "{check} did not pass on {n_files} files:\n{text}");
    }
}

/// Each bad file makes its check object, and the good file makes none object.
#[test]
fn gate1_fixtures() {
    if gate1::gate1_is_skipped() {
        return;
    }
    let output = gate1::run_gate1_fixtures();
    gate1::assert_gate1(&output);
}

/// The samples that were last exported pass. With none there, the output says
/// NOT RUN for each check; see it with `--nocapture`.
#[test]
fn gate1_on_samples_out() {
    if gate1::gate1_is_skipped() {
        return;
    }
    let output = gate1::run_gate1_on_samples_out();
    gate1::assert_gate1(&output);
}

/// A folder that is not there is a mistake in the command, not an empty folder.
#[test]
fn gate1_refuses_a_missing_folder() {
    if gate1::gate1_is_skipped() {
        return;
    }
    let missing = gate1::gate1_dir().join("no-such-folder");
    let output = gate1::run_gate1(&missing);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("is not a folder"), "{message}");
}

#[test]
fn node_versions_are_read() {
    assert_eq!(gate1::major_version("v20.11.1"), Some(20));
    assert_eq!(gate1::major_version("v8.0.0-pre"), Some(8));
    assert_eq!(gate1::major_version("20.11.1"), None);
    assert_eq!(gate1::major_version(""), None);
}

/// The packages are installed again when the lock file has moved on.
#[test]
fn installed_packages_are_compared_with_the_lock_file() {
    let lock = |version: &str| {
        json!({ "packages": {
            "": { "name": "dramatis-gate1" },
            "node_modules/three": { "version": version, "integrity": "sha512-x" },
        } })
    };
    // npm's note of what is installed has no entry for the harness itself.
    let installed = json!({ "packages": {
        "node_modules/three": { "version": "0.187.0", "integrity": "sha512-x", "resolved": "y" },
    } });
    assert!(gate1::packages_match(&lock("0.187.0"), &installed));
    assert!(!gate1::packages_match(&lock("0.188.0"), &installed));
    assert!(!gate1::packages_match(&lock("0.187.0"), &json!({ "packages": {} })));
    assert!(!gate1::packages_match(&json!({}), &json!({})));
}

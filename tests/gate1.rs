//! Gate 1: every exported file keeps to the export profile, and every check of
//! the harness is shown able to fail.

#[path = "common/gate1.rs"]
mod gate1;

use serde_json::json;

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

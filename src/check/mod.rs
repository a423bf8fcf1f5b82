//! Our own checker: is this GLB good?
//!
//! [`check_glb`] takes any file's bytes and finds what breaks the rules of
//! glTF 2.0, what the Khronos validator does not see but engines fail on,
//! and, in files that say they are ours, what breaks the export profile.
//! Every finding has a rule with a stable id ([`RULES`]), the JSON path, what
//! was found and what was expected.
//!
//! ```text
//! bytes -> container, JSON     -> document   types, ranges, references
//!       (glb::reader)             extensions declared, in place, required
//!                                 nodes      one tree; skins; names
//!                                 buffers    views, alignment, purposes
//!                                 meshes     attributes, indices, targets
//!                                 animations channels and keys
//!                                 materials  images against their bytes
//!                                 vrm        humanoid, expressions, meta
//!                                 profile    the 65 joints, units, licences
//! ```
//!
//! The passes are independent: each looks only at what it can make sense of
//! and says nothing of what another pass has named. The work is bounded by
//! the file's size, also for files made to be slow.

mod accessors;

mod animations;

mod buffers;

mod context;

mod demands;

mod document;

mod extensions;

mod images;

mod meshes;

mod morphs;

mod nodes;

mod profile;

mod report;

mod rules;

mod schema;

mod skins;

mod unused;

mod vrm;

mod weights;

#[cfg(test)]
mod tests;

pub use report::{Finding, More, Outcome, Report, Summary};
pub use rules::{Khronos, RULES, Rule, Severity};

use crate::Error;
use crate::glb::reader::Glb;
use context::Check;

/// Checks a GLB. `file` is the name that findings give; it may end in `.vrm`.
///
/// This never fails: what cannot be read is a finding, too.
pub fn check_glb(file: &str, bytes: &[u8]) -> Report {
    let glb = match Glb::open(file, bytes) {
        Ok(glb) => glb,
        Err(e) => return Report::unreadable(file, bytes.len(), unreadable(e)),
    };
    let mut check = Check::new(&glb, file);
    document::run(&mut check);
    extensions::run(&mut check);
    buffers::run(&mut check);
    nodes::run(&mut check);
    skins::run(&mut check);
    meshes::run(&mut check);
    animations::run(&mut check);
    images::run(&mut check);
    accessors::run(&mut check);
    vrm::run(&mut check);
    unused::run(&mut check);
    profile::run(&mut check);
    check.finish(bytes.len())
}

/// What kept a file from being opened, as a finding.
fn unreadable(error: Error) -> Finding {
    let (path, found, expected) = match error {
        Error::Input { at, found, expected, .. } => (at, found, expected),
        Error::Limit { what, found, limit } => {
            let what = what.rsplit(": ").next().unwrap_or_default().to_owned();
            (String::from("$"), format!("{found} as {what}"), format!("at most {limit}"))
        }
        other => (String::from("$"), other.to_string(), String::from("a GLB file")),
    };
    let rule = if found.contains(" twice in one object") {
        &rules::GLB_KEY_TWICE
    } else if expected.starts_with("at most ") && path == "$" {
        &rules::GLB_TOO_MUCH
    } else if path.starts_with("GLB ") {
        &rules::GLB
    } else {
        &rules::GLB_JSON
    };
    Finding { rule, severity: rule.severity, path, found, expected }
}

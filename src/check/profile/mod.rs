//! The export profile, in files that say they follow it: those with
//! `asset.extras.dramatis`, and those that this program wrote.
//!
//! The licence block must hold whoever wrote the file last. The rest are
//! errors in a file that this program wrote. In one that another program has
//! written anew (`asset.generator` says so), which may have packed it in ways
//! the profile does not know, they are warnings.

mod frames;

mod parts;

mod skeleton;

mod units;

mod vrm;

use super::context::Check;
use super::rules::{self, Rule, Severity};
use crate::glb::reader::Json;
use crate::profile::{Licence, Naming, RestPose, check_copyright, check_export_extras};

/// What stands before the version in this program's `generator`.
const OURS: &str = "dramatis@";

/// Checks the profile's rules, if the file says it follows them.
pub fn run(check: &mut Check<'_, '_>) {
    let asset = check.root().get("asset");
    let generator = asset.and_then(|a| a.get("generator")?.as_str()).unwrap_or_default();
    let ours = generator.starts_with(OURS);
    let Some(block) = asset.and_then(|a| a.get("extras")?.get("dramatis")) else {
        if ours {
            let expected = "the licence block, as the generator writes it";
            check.add(&rules::PROFILE_BLOCK, "$.asset.extras.dramatis", "nothing", expected);
        }
        return;
    };
    check.summary.claims_profile = true;
    licences(check, block);

    let severity = if ours { Severity::Error } else { Severity::Warning };
    let word = |key: &str| block.get(key).and_then(Json::as_str).unwrap_or_default();
    let has_vrm = |name| check.root().get("extensions").is_some_and(|e| e.get(name).is_some());
    let is_vrm = has_vrm("VRMC_vrm") || check.file.to_lowercase().ends_with(".vrm");
    let mut profile = Profile {
        severity,
        block,
        naming: if word("naming") == "mixamo" { Naming::Mixamo } else { Naming::Ue },
        rest_pose: if word("restPose") == "source" { RestPose::Source } else { RestPose::TPose },
        is_vrm,
        check,
    };
    profile.file();
    let joints = skeleton::run(&mut profile);
    parts::run(&mut profile);
    vrm::run(&mut profile, joints.as_deref());
    if let Some(joints) = joints {
        frames::run(&mut profile, &joints);
    }
    units::run(&mut profile);
}

/// The block's licence entries, when they have the entries' form.
pub fn licences_of(block: &Json<'_>) -> Option<Vec<Licence>> {
    serde_json::from_value(block.get("licences")?.to_value()).ok()
}

/// The block and the line that repeats it.
fn licences(check: &mut Check<'_, '_>, block: &Json<'_>) {
    let value = block.to_value();
    if let Err(faults) = check_export_extras(&value) {
        for fault in faults {
            let rest = fault.path.strip_prefix('$').unwrap_or(&fault.path);
            let at = format!("$.asset.extras.dramatis{rest}");
            check.add(&rules::PROFILE_BLOCK, at, fault.found, fault.expected);
        }
        return;
    }
    let Some(licences) = licences_of(block) else {
        let at = "$.asset.extras.dramatis.licences";
        check.add(&rules::PROFILE_BLOCK, at, "entries of another form", "licence entries");
        return;
    };
    let at = "$.asset.copyright";
    match check.root().get("asset").and_then(|a| a.get("copyright")?.as_str()) {
        None => check.add(&rules::PROFILE_COPYRIGHT, at, "nothing", "the licences on one line"),
        Some(line) => {
            if let Some(fault) = check_copyright(line, &licences) {
                check.add(&rules::PROFILE_COPYRIGHT, at, fault.found, fault.expected);
            }
        }
    }
}

/// A check of the profile's rules.
pub struct Profile<'c, 'g, 'a> {
    pub check: &'c mut Check<'g, 'a>,
    pub severity: Severity,
    pub block: &'g Json<'a>,
    pub naming: Naming,
    pub rest_pose: RestPose,
    pub is_vrm: bool,
}

impl<'g, 'a> Profile<'_, 'g, 'a> {
    /// Adds a finding.
    pub fn add(
        &mut self,
        rule: &'static Rule,
        path: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        self.check.add_as(self.severity, rule, path, found, expected);
    }

    /// The items of one of the document's lists.
    pub fn list(&self, key: &str) -> &'g [Json<'a>] {
        self.check.list(key)
    }

    /// What must not be there.
    pub fn absent(&mut self, rule: &'static Rule, at: &str, owner: &Json<'_>, keys: &[&str]) {
        for key in keys {
            if let Some(value) = owner.get(key) {
                self.add(rule, format!("{at}.{key}"), value.describe(), "nothing");
            }
        }
    }

    /// One scene, nothing required, nothing outside the file, VRM's settings.
    fn file(&mut self) {
        let root = self.check.root();
        self.absent(&rules::PROFILE_FILE, "$", root, &["extensionsRequired"]);
        let scenes = self.list("scenes").len();
        if scenes != 1 {
            self.add(&rules::PROFILE_FILE, "$.scenes", format!("{scenes} scenes"), "one");
        }
        match root.get("scene") {
            None | Some(Json::Int(0)) => {}
            Some(other) => self.add(&rules::PROFILE_FILE, "$.scene", other.describe(), "0"),
        }
        for list in ["buffers", "images"] {
            for (i, item) in self.list(list).iter().enumerate() {
                self.absent(&rules::PROFILE_FILE, &format!("$.{list}[{i}]"), item, &["uri"]);
            }
        }
        let may_use = |name: &str| name == "KHR_materials_sheen" || (self.is_vrm && is_vrms(name));
        let foreign: Vec<(usize, String)> = root
            .list("extensionsUsed")
            .iter()
            .enumerate()
            .filter_map(|(i, name)| Some((i, name.as_str()?)))
            .filter(|(_, name)| !may_use(name))
            .map(|(i, name)| (i, name.to_owned()))
            .collect();
        for (i, name) in foreign {
            let at = format!("$.extensionsUsed[{i}]");
            self.add(&rules::PROFILE_FILE, at, name, "KHR_materials_sheen, or VRM's in a VRM");
        }
        if self.is_vrm && (self.naming, self.rest_pose) != (Naming::Ue, RestPose::TPose) {
            let found = format!("{} and {}", self.naming.as_str(), self.rest_pose.as_str());
            let at = "$.asset.extras.dramatis";
            self.add(&rules::PROFILE_VRM, at, found, "ue and t-pose, as every VRM has");
        }
    }
}

/// Whether an extension is one of those that a VRM export may have. Spring
/// bones would need joints beyond the 65.
fn is_vrms(name: &str) -> bool {
    ["VRMC_vrm", "VRMC_materials_mtoon"].contains(&name)
}

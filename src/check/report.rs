//! What a check found.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::rules::{Khronos, Rule, Severity};

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// The place as a JSON path (`$.meshes[0].name`), or a place in the
    /// container (`GLB header`).
    pub path: String,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut note = serializer.serialize_struct("Finding", 5)?;
        note.serialize_field("rule", self.rule.id)?;
        note.serialize_field("severity", &self.rule.severity)?;
        note.serialize_field("path", &self.path)?;
        note.serialize_field("found", &self.found)?;
        note.serialize_field("expected", &self.expected)?;
        note.end()
    }
}

/// Whether a file may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// No error was found; there may be warnings.
    Accept,
    /// At least one error was found.
    Reject,
}

/// How large a file is and what is in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The file's length.
    pub bytes: usize,
    /// Meshes in the document.
    pub meshes: usize,
    /// Vertices of all primitives, shared ones counted once.
    pub vertices: usize,
    /// Triangles of all primitives.
    pub triangles: usize,
    /// Morph targets of all meshes.
    pub morph_targets: usize,
    /// Joints of the largest skin.
    pub joints: usize,
    /// Images in the document.
    pub images: usize,
    /// Animations in the document.
    pub animations: usize,
}

/// The findings of one file, in the order of the passes.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The file's name as the caller gave it.
    pub file: String,
    /// The findings. Of each rule at most 20 are kept.
    pub findings: Vec<Finding>,
    /// How many findings of a rule there were beyond those, by its id.
    pub more: BTreeMap<&'static str, usize>,
    /// What is in the file; zeros when it could not be opened.
    pub summary: Summary,
}

impl Report {
    /// The report of a file that could not be opened.
    pub(super) fn unreadable(file: &str, bytes: usize, finding: Finding) -> Report {
        let summary = Summary { bytes, ..Summary::default() };
        Report { file: file.into(), findings: vec![finding], more: BTreeMap::new(), summary }
    }

    /// Reject when there is an error, else accept.
    pub fn outcome(&self) -> Outcome {
        match self.errors() {
            0 => Outcome::Accept,
            _ => Outcome::Reject,
        }
    }

    /// The number of errors.
    pub fn errors(&self) -> usize {
        self.count(|rule| rule.severity == Severity::Error)
    }

    /// The number of warnings.
    pub fn warnings(&self) -> usize {
        self.count(|rule| rule.severity == Severity::Warning)
    }

    /// The number of errors that the Khronos validator reports as errors, too.
    pub fn khronos_errors(&self) -> usize {
        self.count(|rule| rule.khronos == Khronos::Error)
    }

    fn count(&self, which: impl Fn(&Rule) -> bool) -> usize {
        let kept = self.findings.iter().filter(|f| which(f.rule)).count();
        let more = super::RULES.iter().filter(|rule| which(rule));
        kept + more.filter_map(|rule| self.more.get(rule.id)).sum::<usize>()
    }
}

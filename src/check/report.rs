//! What a check found.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::rules::{Khronos, Rule, Severity};

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// How much it matters here; the rule's own severity, but for rules of
    /// the profile in a file that another program has written anew.
    pub severity: Severity,
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
        note.serialize_field("severity", &self.severity)?;
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
    /// Whether the file says it follows the export profile.
    pub claims_profile: bool,
}

/// Findings that are only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct More {
    /// The rule.
    pub rule: &'static Rule,
    /// How much it matters here.
    pub severity: Severity,
    /// How many there are.
    pub count: usize,
}

/// The findings of one file, in the order of the passes.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The file's name as the caller gave it.
    pub file: String,
    /// The findings. Of each rule at most 20 are kept.
    pub findings: Vec<Finding>,
    /// How many findings of a rule there were beyond those.
    pub more: Vec<More>,
    /// What is in the file; zeros when it could not be opened.
    pub summary: Summary,
}

impl Report {
    /// The report of a file that could not be opened.
    pub(super) fn unreadable(file: &str, bytes: usize, finding: Finding) -> Report {
        let summary = Summary { bytes, ..Summary::default() };
        Report { file: file.into(), findings: vec![finding], more: Vec::new(), summary }
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
        self.count(|_, severity| severity == Severity::Error)
    }

    /// The number of warnings.
    pub fn warnings(&self) -> usize {
        self.count(|_, severity| severity == Severity::Warning)
    }

    /// The number of findings that the Khronos validator reports as errors.
    pub fn khronos_errors(&self) -> usize {
        self.count(|rule, _| rule.khronos == Khronos::Error)
    }

    fn count(&self, which: impl Fn(&Rule, Severity) -> bool) -> usize {
        let kept = self.findings.iter().filter(|f| which(f.rule, f.severity)).count();
        let more = self.more.iter().filter(|more| which(more.rule, more.severity));
        kept + more.map(|more| more.count).sum::<usize>()
    }
}

//! The check of `asset.extras.dramatis` and of `asset.copyright`.
//!
//! The check follows the profile's schema and also what its descriptions say
//! in words: the names of the face units, the form of the generator and of
//! an asset's id, and the credit line that a CC BY licence asks for. Keys
//! that the schema does not name are allowed, as the schema allows them.

use super::extras::{EXPORT_FORMAT, EXPORT_VERSION};
use super::face_units::{FACE_UNITS, face_unit_index};
use super::licence::{Licence, LicenceKind, copyright_line, needs_attribution};
use crate::error::Error;
use serde_json::{Map, Value};

/// The keys that the block must have, in the schema's order.
pub(super) const REQUIRED: [&str; 8] =
    ["format", "version", "generator", "naming", "restPose", "faceUnits", "character", "licences"];

/// The keys that a licence entry must have, in the schema's order.
pub(super) const LICENCE_REQUIRED: [&str; 7] =
    ["asset", "title", "kind", "licence", "licenceUrl", "source", "author"];

/// How much of a text from a file a message shows, in characters.
const SHOWN: usize = 60;

/// One way in which the block breaks the profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: found {found}, expected {expected}")]
pub struct ExtrasFault {
    /// The place as a JSON path from the block itself (`$.licences[0].kind`),
    /// or `asset.copyright`.
    pub path: String,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

impl ExtrasFault {
    /// The fault as this crate's error, with the place as seen from the whole
    /// document of `file`.
    pub fn in_file(self, file: impl Into<String>) -> Error {
        let at = match self.path.strip_prefix('$') {
            Some(rest) => format!("$.asset.extras.dramatis{rest}"),
            None => format!("$.{}", self.path),
        };
        Error::input(file, at, self.found, self.expected)
    }
}

/// Checks the value of `asset.extras.dramatis`. The answer to a bad one has
/// every fault, in the schema's order, and is never empty.
pub fn check_export_extras(value: &Value) -> Result<(), Vec<ExtrasFault>> {
    let mut faults = Faults(Vec::new());
    match value {
        Value::Object(block) => faults.block(block),
        other => faults.add("$", show(other), "an object"),
    }
    if faults.0.is_empty() { Ok(()) } else { Err(faults.0) }
}

/// Checks the value of `asset.copyright` against the licence entries it must
/// repeat.
pub fn check_copyright(copyright: &str, licences: &[Licence]) -> Option<ExtrasFault> {
    let expected = copyright_line(licences);
    (copyright != expected).then(|| {
        // Two long lines may differ only far from their beginning, so the
        // message shows both from a little before that place.
        let same = copyright.chars().zip(expected.chars()).take_while(|(a, b)| a == b).count();
        let from = same.saturating_sub(SHOWN / 3);
        let place = if from == 0 { String::new() } else { format!(" at character {from}") };
        ExtrasFault {
            path: "asset.copyright".to_owned(),
            found: format!("{}{place}", quote_from(copyright, from)),
            expected: format!("{}{place}", quote_from(&expected, from)),
        }
    })
}

/// The faults found so far.
struct Faults(Vec<ExtrasFault>);

impl Faults {
    fn add(&mut self, path: impl Into<String>, found: String, expected: impl Into<String>) {
        self.0.push(ExtrasFault { path: path.into(), found, expected: expected.into() });
    }

    /// A text, or a fault when the value is something else or is empty.
    fn text<'a>(&mut self, path: &str, value: &'a Value) -> Option<&'a str> {
        match value.as_str() {
            Some(text) if !text.is_empty() => Some(text),
            _ => {
                self.add(path, show(value), "a text that is not empty");
                None
            }
        }
    }

    fn one_of(&mut self, path: &str, value: &Value, words: &[&str]) {
        if !value.as_str().is_some_and(|text| words.contains(&text)) {
            self.add(path, show(value), one_of(words));
        }
    }

    fn block(&mut self, block: &Map<String, Value>) {
        for key in REQUIRED {
            let path = format!("$.{key}");
            let Some(value) = block.get(key) else {
                self.add(path, "nothing".to_owned(), expected_of(key));
                continue;
            };
            match key {
                "format" => self.one_of(&path, value, &[EXPORT_FORMAT]),
                // JSON has one kind of number, so 1.0 is the integer 1.
                "version" if value.as_f64() == Some(f64::from(EXPORT_VERSION)) => {}
                "generator" if value.as_str().is_some_and(is_generator) => {}
                "naming" => self.one_of(&path, value, &["ue", "mixamo"]),
                "restPose" => self.one_of(&path, value, &["t-pose", "source"]),
                "faceUnits" if value.is_array() => self.face_units(&path, value),
                // The schema lets a character have the empty name.
                "character" if value.is_string() => {}
                "licences" if value.is_array() => self.licences(&path, value),
                _ => self.add(path, show(value), expected_of(key)),
            }
        }
    }

    fn face_units(&mut self, path: &str, units: &Value) {
        let units = units.as_array().map_or(&[][..], Vec::as_slice);
        let mut firsts = [None; FACE_UNITS.len()];
        for (i, unit) in units.iter().enumerate() {
            let path = format!("{path}[{i}]");
            match unit.as_str().and_then(face_unit_index) {
                None => self.add(path, show(unit), "one of the 59 face units"),
                Some(known) => match firsts[known] {
                    None => firsts[known] = Some(i),
                    Some(first) => {
                        let expected = format!("a face unit that is not already at {first}");
                        self.add(path, show(unit), expected);
                    }
                },
            }
        }
    }

    fn licences(&mut self, path: &str, entries: &Value) {
        let entries = entries.as_array().map_or(&[][..], Vec::as_slice);
        for (i, entry) in entries.iter().enumerate() {
            let path = format!("{path}[{i}]");
            match entry {
                Value::Object(entry) => self.licence(&path, entry),
                other => self.add(path, show(other), "an object"),
            }
        }
        let base = LicenceKind::Base.as_str();
        if !entries.iter().any(|entry| entry.get("kind").and_then(Value::as_str) == Some(base)) {
            let found = match entries.len() {
                0 => "an empty array".to_owned(),
                1 => "1 entry and none of kind `base`".to_owned(),
                n => format!("{n} entries and none of kind `base`"),
            };
            self.add(path, found, "an entry of kind `base`");
        }
    }

    fn licence(&mut self, path: &str, entry: &Map<String, Value>) {
        let kind = entry.get("kind").and_then(Value::as_str).and_then(LicenceKind::parse);
        for key in LICENCE_REQUIRED {
            let path = format!("{path}.{key}");
            match (key, entry.get(key)) {
                (_, None) => self.add(path, "nothing".to_owned(), expected_of(key)),
                ("asset", Some(value)) => {
                    if let Some(asset) = self.text(&path, value) {
                        self.asset_id(&path, asset, kind);
                    }
                }
                ("kind", Some(value)) => {
                    self.one_of(&path, value, &LicenceKind::ALL.map(LicenceKind::as_str));
                }
                (_, Some(value)) => {
                    self.text(&path, value);
                }
            }
        }
        let licence = entry.get("licence").and_then(Value::as_str).unwrap_or_default();
        let credit_path = format!("{path}.attribution");
        match entry.get("attribution") {
            Some(value) => {
                let text = self.text(&credit_path, value);
                // A blank text has a length, but it credits nobody.
                if needs_attribution(licence) && text.is_some_and(|text| text.trim().is_empty()) {
                    self.add(credit_path, show(value), credit_for(licence));
                }
            }
            None if needs_attribution(licence) => {
                self.add(credit_path, "nothing".to_owned(), credit_for(licence));
            }
            None => {}
        }
        match entry.get("modified") {
            None | Some(Value::Bool(_)) => {}
            Some(other) => self.add(format!("{path}.modified"), show(other), "true or false"),
        }
    }

    fn asset_id(&mut self, path: &str, asset: &str, kind: Option<LicenceKind>) {
        let parts = asset.split_once(':').and_then(|(source, rest)| {
            let (word, name) = rest.split_once('/')?;
            (!source.is_empty() && !name.is_empty()).then_some(LicenceKind::parse(word)?)
        });
        match (parts, kind) {
            (None, _) => self.add(path, quote_from(asset, 0), expected_of("asset")),
            // The entry's own kind is reported at its own place when it is
            // not one of the kinds.
            (Some(id), Some(kind)) if id != kind => {
                let expected = format!("an id of the entry's own kind, `<source>:{kind}/<name>`");
                self.add(path, quote_from(asset, 0), expected);
            }
            _ => {}
        }
    }
}

/// What is expected at a required key, in words.
fn expected_of(key: &str) -> &'static str {
    match key {
        "format" => "`dramatis-export`",
        "version" => "the number 1",
        "generator" => "`dramatis@<version>` with a version such as 0.1.0",
        "naming" => "`ue` or `mixamo`",
        "restPose" => "`t-pose` or `source`",
        "faceUnits" => "an array of face units",
        "character" => "a text",
        "licences" => "an array of licence entries",
        "asset" => "an id `<source>:<kind>/<name>` with one of the licence kinds",
        "kind" => "one of the licence kinds",
        _ => "a text that is not empty",
    }
}

/// What is expected of a CC BY entry's credit line, in words.
fn credit_for(licence: &str) -> String {
    format!("the credit line that {} asks for", quote_from(licence, 0))
}

/// A choice of words, in words.
fn one_of(words: &[&str]) -> String {
    match words {
        [one] => format!("`{one}`"),
        many => format!("one of `{}`", many.join("`, `")),
    }
}

/// Whether a text is `dramatis@` and a version.
fn is_generator(text: &str) -> bool {
    text.strip_prefix("dramatis@").is_some_and(is_version)
}

/// Whether a text is a version: one to three numbers, and what Semantic
/// Versioning 2.0.0 lets follow them.
fn is_version(text: &str) -> bool {
    let (text, build) = match text.split_once('+') {
        Some((text, build)) => (text, Some(build)),
        None => (text, None),
    };
    let (core, pre) = match text.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (text, None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let number = |part: &str| digits(part) && (part == "0" || !part.starts_with('0'));
    let word = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    (1..=3).contains(&core.split('.').count())
        && core.split('.').all(number)
        && pre.is_none_or(|pre| pre.split('.').all(|p| word(p) && (!digits(p) || number(p))))
        && build.is_none_or(|build| build.split('.').all(word))
}

/// A value for a message, on one line and of a bounded length.
fn show(value: &Value) -> String {
    match value {
        Value::String(text) => quote_from(text, 0),
        Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// A text from one of its characters on, quoted as in JSON, so that a line
/// break in it cannot break the message's line.
fn quote_from(text: &str, from: usize) -> String {
    let mut rest = text.chars().skip(from);
    let mut shown: String = rest.by_ref().take(SHOWN).collect();
    if rest.next().is_some() {
        shown.push('…');
    }
    Value::from(shown).to_string()
}

#[cfg(test)]
#[path = "check_extras_tests.rs"]
mod tests;

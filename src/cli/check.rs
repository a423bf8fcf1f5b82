//! `dramatis check`: files in, findings out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use super::args::CheckArgs;
use super::inputs::{self, same_file};
use super::one_line;
use super::out::{complain, say};
use super::page::{self, Content, Entry, counted};
use crate::check::{Finding, Khronos, More, Outcome, RULES, Report, Severity, Summary};
use crate::{Error, Result};

/// What is printed of a file with `--json`.
#[derive(Serialize)]
struct Verdict<'r> {
    file: &'r str,
    outcome: Outcome,
    errors: usize,
    warnings: usize,
    notes: &'r [Finding],
    /// How many findings of a rule there are beyond the notes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    more: BTreeMap<&'static str, usize>,
    summary: &'r Summary,
}

/// Checks every file; the answer is whether none has an error.
///
/// # Errors
/// Only what concerns the whole run: no page can be written.
pub fn run(args: &CheckArgs) -> Result<bool> {
    if args.rules {
        for rule in RULES {
            say(&format!(
                "{rule} {} {} {}",
                word(rule.severity),
                khronos(rule.khronos),
                rule.about
            ));
        }
        return Ok(true);
    }
    let files = inputs::expand_exports(&args.inputs);
    if let Some(html) = &args.html {
        refuse_overwriting(html, &files)?;
    }
    let checked: Vec<(String, Result<Content>)> = files
        .into_par_iter()
        .map(|(name, path)| {
            let content = path.and_then(|path| check_file(&name, &path, args.html.is_some()));
            (name, content)
        })
        .collect();
    let mut all_well = true;
    for (name, content) in &checked {
        match content.as_ref().map(|content| &content.report) {
            Err(e) => {
                all_well = false;
                complain(&format!("error: {}", one_line(&e.to_string())));
                if args.json {
                    say(&unreadable(name, e));
                }
            }
            Ok(report) => {
                all_well &= report.outcome() == Outcome::Accept;
                match args.json {
                    true => say(&as_json(report)),
                    false => print(report),
                }
            }
        }
    }
    if checked.len() > 1 && !args.json {
        let good = |c: &Content| c.report.outcome() == Outcome::Accept;
        let n = checked.iter().filter(|(_, c)| c.as_ref().is_ok_and(good)).count();
        say(&format!("{n} of {} accepted", checked.len()));
    }
    if let Some(html) = &args.html {
        let entry = |(name, content): (String, Result<Content>)| Entry {
            name,
            content: content.map_err(|e| one_line(&e.to_string())),
        };
        let entries: Vec<Entry> = checked.into_iter().map(entry).collect();
        page::write(html, "Checked files", &entries)?;
    }
    Ok(all_well)
}

/// The page must not take the place of a file that is checked.
fn refuse_overwriting(html: &Path, files: &[(String, Result<PathBuf>)]) -> Result<()> {
    let inputs = files.iter().filter_map(|(_, path)| path.as_ref().ok());
    if inputs.into_iter().any(|path| same_file(html, path)) {
        let found = "the name of a file to check";
        return Err(Error::input(html.display().to_string(), "--html", found, "a file of its own"));
    }
    Ok(())
}

fn check_file(name: &str, path: &Path, with_picture: bool) -> Result<Content> {
    Ok(Content::of(name, &read_export(path)?, with_picture))
}

/// The bytes of a GLB. What does not begin like one is read no further, and
/// one that goes on after its own length no further than to show that.
fn read_export(path: &Path) -> Result<Vec<u8>> {
    const HEADER_BYTES: u64 = 12;
    let mut file = File::open(path).map_err(Error::io(path, "read"))?;
    let mut bytes = Vec::new();
    let read = |file: &mut File, most: u64, bytes: &mut Vec<u8>| {
        file.take(most).read_to_end(bytes).map_err(Error::io(path, "read"))
    };
    read(&mut file, HEADER_BYTES, &mut bytes)?;
    if let [b'g', b'l', b'T', b'F', .., a, b, c, d] = bytes[..] {
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        read(&mut file, (length + 1).saturating_sub(HEADER_BYTES), &mut bytes)?;
    }
    Ok(bytes)
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// What the Khronos validator says of a rule, in a word.
fn khronos(khronos: Khronos) -> &'static str {
    match khronos {
        Khronos::Error => "validator-error",
        Khronos::Note => "validator-note",
        Khronos::Blind => "ours-alone",
    }
}

fn print(report: &Report) {
    let file = &report.file;
    for Finding { rule, severity, path, found, expected } in &report.findings {
        let severity = word(*severity);
        let line = format!("{file}: {severity} {rule}: {path}: found {found}, expected {expected}");
        say(&one_line(&line));
    }
    for More { rule, count, .. } in &report.more {
        say(&one_line(&format!("{file}: and {count} more of {rule}")));
    }
    let verdict = match report.outcome() {
        Outcome::Accept => "accepted",
        Outcome::Reject => "rejected",
    };
    let (errors, warnings) = (report.errors(), report.warnings());
    let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
    say(&one_line(&format!("{file}: {verdict}, {errors}, {warnings}")));
}

fn as_json(report: &Report) -> String {
    let verdict = Verdict {
        file: &report.file,
        outcome: report.outcome(),
        errors: report.errors(),
        warnings: report.warnings(),
        notes: &report.findings,
        more: report.more.iter().map(|more| (more.rule.id, more.count)).collect(),
        summary: &report.summary,
    };
    serde_json::to_string(&verdict).expect("a report has only plain values")
}

/// What is printed of a file that is not there or cannot be read.
fn unreadable(name: &str, error: &Error) -> String {
    let rule = RULES.iter().find(|rule| rule.id == "file.unreadable").expect("the rule");
    let finding = Finding {
        rule,
        severity: rule.severity,
        path: "$".into(),
        found: one_line(&error.to_string()),
        expected: "a file that can be read".into(),
    };
    as_json(&Report {
        file: name.into(),
        findings: vec![finding],
        more: Vec::new(),
        summary: Summary::default(),
    })
}

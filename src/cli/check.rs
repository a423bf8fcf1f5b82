//! `dramatis check`: files in, findings out.

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use super::args::CheckArgs;
use super::out::{complain, say};
use super::{inputs, one_line};
use crate::check::{Finding, More, Outcome, Report, Severity, Summary, check_glb};
use crate::{Error, Result};

/// What is printed of a file with `--json`.
#[derive(Serialize)]
struct Verdict<'r> {
    file: &'r str,
    outcome: Outcome,
    errors: usize,
    warnings: usize,
    notes: &'r [Finding],
    summary: &'r Summary,
}

/// Checks every file; the answer is whether none has an error.
///
/// # Errors
/// Only what concerns the whole run: no page can be written.
pub fn run(args: &CheckArgs) -> Result<bool> {
    let files = inputs::expand_exports(&args.inputs);
    let reports: Vec<(String, Result<Report>)> = files
        .into_par_iter()
        .map(|(name, path)| {
            let report = path.and_then(|path| check_file(&name, &path));
            (name, report)
        })
        .collect();
    let mut all_well = true;
    for (name, report) in &reports {
        match report {
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
    if reports.len() > 1 && !args.json {
        let good = |r: &Result<Report>| r.as_ref().is_ok_and(|r| r.outcome() == Outcome::Accept);
        let n = reports.iter().filter(|(_, r)| good(r)).count();
        say(&format!("{n} of {} accepted", reports.len()));
    }
    Ok(all_well)
}

fn check_file(name: &str, path: &Path) -> Result<Report> {
    let bytes = std::fs::read(path).map_err(Error::io(path, "read"))?;
    Ok(check_glb(name, &bytes))
}

fn print(report: &Report) {
    let file = &report.file;
    for Finding { rule, severity, path, found, expected } in &report.findings {
        let severity = match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
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
    say(&one_line(&format!("{file}: {verdict}, {errors} errors, {warnings} warnings")));
}

fn as_json(report: &Report) -> String {
    let verdict = Verdict {
        file: &report.file,
        outcome: report.outcome(),
        errors: report.errors(),
        warnings: report.warnings(),
        notes: &report.findings,
        summary: &report.summary,
    };
    serde_json::to_string(&verdict).expect("a report has only plain values")
}

/// What is printed of a file that is not there or cannot be read.
fn unreadable(name: &str, error: &Error) -> String {
    let note = serde_json::json!({
        "rule": "file.unreadable",
        "severity": "error",
        "path": "",
        "found": one_line(&error.to_string()),
        "expected": "a file that can be read",
    });
    serde_json::json!({
        "file": name,
        "outcome": "reject",
        "errors": 1,
        "warnings": 0,
        "notes": [note],
    })
    .to_string()
}

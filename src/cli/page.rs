//! The page that shows what was checked or exported, for people to look at.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::Result;
use crate::check::{Finding, More, Outcome, RULES, Report, Severity, Summary, check_glb};
use crate::files::write_atomically;
use crate::glb::reader::Glb;
use crate::preview::picture;
use crate::profile::GENERATOR;

/// The thumbnails' size in pixels.
const PICTURE: (usize, usize) = (240, 240);

/// What the page says of one file.
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What was found, or why there is nothing to check.
    pub content: Result<Content, String>,
}

/// What the page says of a file that could be read.
pub struct Content {
    /// The findings.
    pub report: Report,
    /// A picture as a PNG.
    pub picture: Option<Vec<u8>>,
    /// How long the check took.
    pub check_time: Duration,
    /// How long each stage of the export took, when there was one.
    pub stages: Vec<(&'static str, Duration)>,
    /// What a user should know of the export.
    pub warnings: Vec<String>,
}

impl Content {
    /// Checks a file and, if asked to, takes its picture.
    pub fn of(name: &str, bytes: &[u8], with_picture: bool) -> Content {
        let start = Instant::now();
        let report = check_glb(name, bytes);
        let check_time = start.elapsed();
        // A file with errors may still be one that can be drawn, and then
        // the picture helps to see what is wrong with it.
        let glb = with_picture.then(|| Glb::open(name, bytes).ok()).flatten();
        let (width, height) = PICTURE;
        let picture = glb.and_then(|glb| picture(&glb, name, width, height).ok().flatten());
        Content { report, picture, check_time, stages: Vec::new(), warnings: Vec::new() }
    }
}

/// Writes the page.
///
/// # Errors
/// [`crate::Error::Io`].
pub fn write(path: &Path, title: &str, entries: &[Entry]) -> Result<()> {
    write_atomically(path, page(title, entries).into_string().as_bytes())
}

const STYLE: &str = "
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--good:#1a7f37;--bad:#c62828;--warn:#9a6700}
@media(prefers-color-scheme:dark){:root{--good:#5fd07a;--bad:#ff7b72;--warn:#e3b341}}
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1100px;padding:0 1rem}
h1{font-size:1.5rem}article{border:1px solid var(--line);border-radius:10px;margin:1rem 0;padding:1rem;display:grid;grid-template-columns:240px 1fr;gap:1.2rem}
article>img,article>.none{width:240px;height:240px;background:var(--soft);border-radius:6px}
.none{display:flex;align-items:center;justify-content:center;opacity:.6}
h2{font-size:1.1rem;margin:0 0 .4rem;overflow-wrap:anywhere}.numbers{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.3rem 0}
.numbers b{font-variant-numeric:tabular-nums}.areas{display:flex;flex-wrap:wrap;gap:.3rem;margin:.6rem 0;padding:0;list-style:none}
.areas li{border:1px solid var(--line);border-radius:99px;padding:0 .6rem;font-size:.85rem}
.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}
table{border-collapse:collapse;width:100%;font-size:.85rem}td,th{border-top:1px solid var(--line);padding:.25rem .4rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
@media(max-width:640px){article{grid-template-columns:1fr}}
";

fn page(title: &str, entries: &[Entry]) -> Markup {
    let accepted = entries.iter().filter(|e| is_accepted(e)).count();
    let bytes: usize =
        entries.iter().filter_map(|e| Some(e.content.as_ref().ok()?.report.summary.bytes)).sum();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p {
                    b class=(if accepted == entries.len() { "good" } else { "bad" }) {
                        (accepted) " of " (entries.len()) " accepted"
                    }
                    ", " (size(bytes)) " in all, by " (GENERATOR)
                }
                @for entry in entries { (article(entry)) }
            }
        }
    }
}

fn is_accepted(entry: &Entry) -> bool {
    entry.content.as_ref().is_ok_and(|content| content.report.outcome() == Outcome::Accept)
}

fn article(entry: &Entry) -> Markup {
    let content = match &entry.content {
        Ok(content) => content,
        Err(why) => {
            return html! {
                article {
                    div class="none" { "no picture" }
                    div { h2 { (entry.name) } p class="bad" { "failed: " (why) } }
                }
            };
        }
    };
    let report = &content.report;
    html! {
        article {
            @match &content.picture {
                Some(png) => {
                    @let alt = format!("{} from the front", entry.name);
                    img alt=(alt) src=(format!("data:image/png;base64,{}", STANDARD.encode(png)));
                }
                None => div class="none" { "nothing to see" },
            }
            div {
                h2 { (entry.name) " " (verdict(report)) }
                (numbers(&report.summary))
                p class="numbers" {
                    @for (stage, time) in &content.stages {
                        span { (stage) " " b { (milliseconds(*time)) } }
                    }
                    span { "check " b { (milliseconds(content.check_time)) } }
                }
                @for warning in &content.warnings { p class="warn" { (warning) } }
                (areas(report))
                (findings(report))
            }
        }
    }
}

fn verdict(report: &Report) -> Markup {
    let (errors, warnings) = (report.errors(), report.warnings());
    html! {
        @match report.outcome() {
            Outcome::Accept => span class="good" { "accepted" },
            Outcome::Reject => span class="bad" { "rejected, " (counted(errors, "error")) },
        }
        @if warnings > 0 { " " span class="warn" { (counted(warnings, "warning")) } }
    }
}

fn numbers(summary: &Summary) -> Markup {
    let counts = [
        (summary.meshes, "mesh", "meshes"),
        (summary.vertices, "vertex", "vertices"),
        (summary.triangles, "triangle", "triangles"),
        (summary.joints, "joint", "joints"),
        (summary.morph_targets, "morph target", "morph targets"),
        (summary.images, "image", "images"),
        (summary.animations, "animation", "animations"),
    ];
    html! {
        p class="numbers" {
            span { b { (size(summary.bytes)) } }
            @for (n, one, many) in counts {
                span { b { (grouped(n)) } " " (if n == 1 { one } else { many }) }
            }
        }
    }
}

/// The parts of a check by the beginning of their rules' ids.
const AREAS: [(&str, &[&str]); 12] = [
    ("container", &["glb", "file"]),
    ("document", &["json", "asset", "object"]),
    ("extensions", &["extension"]),
    ("buffers", &["buffer", "view"]),
    ("accessors", &["accessor", "sparse"]),
    ("nodes", &["node", "scene", "name"]),
    ("skins", &["skin", "weights"]),
    ("meshes", &["mesh", "index", "morph"]),
    ("animations", &["animation"]),
    ("materials", &["material", "image"]),
    ("VRM", &["vrm", "pose"]),
    ("profile", &["profile"]),
];

/// The area that a rule belongs to.
fn area_of(id: &str) -> &'static str {
    let start = id.split('.').next().unwrap_or_default();
    let area = AREAS.iter().find(|(_, starts)| starts.contains(&start));
    area.map_or("other", |(name, _)| name)
}

fn areas(report: &Report) -> Markup {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let kept = report.findings.iter().map(|f| (f.rule, f.severity, 1));
    let more = report.more.iter().map(|m| (m.rule, m.severity, m.count));
    for (rule, severity, n) in kept.chain(more) {
        let (errors, warnings) = counts.entry(area_of(rule.id)).or_default();
        *(if severity == Severity::Error { errors } else { warnings }) += n;
    }
    html! {
        ul class="areas" {
            @for (name, starts) in AREAS {
                @let n = RULES.iter().filter(|rule| area_of(rule.id) == name).count();
                li title=(format!("{n} rules: {}", starts.join(", "))) {
                    (name) " "
                    @match counts.get(name) {
                        // A file that claims no profile keeps or breaks none.
                        None if name == "profile" && !report.summary.claims_profile => "not claimed",
                        None => span class="good" { "pass" },
                        Some((0, warnings)) => span class="warn" { (counted(*warnings, "warning")) },
                        Some((errors, _)) => span class="bad" { (counted(*errors, "error")) },
                    }
                }
            }
        }
    }
}

fn findings(report: &Report) -> Markup {
    if report.findings.is_empty() {
        return html! {};
    }
    html! {
        table {
            tr { th { "rule" } th { "where" } th { "found" } th { "expected" } }
            @for Finding { rule, severity, path, found, expected } in &report.findings {
                tr {
                    td class=(if *severity == Severity::Error { "bad" } else { "warn" })
                        title=(rule.about) { (rule.id) }
                    td { (path) } td { (found) } td { (expected) }
                }
            }
            @for More { rule, count, .. } in &report.more {
                tr { td { (rule.id) } td colspan="3" { "and " (count) " more" } }
            }
        }
    }
}

/// A number of things, in words.
pub fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// A length in bytes, in words.
fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}

/// A number with a thin space between groups of three digits.
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_area_and_numbers_are_readable() {
        assert!(RULES.iter().all(|rule| area_of(rule.id) != "other"));
        assert_eq!(grouped(1_234_567), "1\u{2009}234\u{2009}567");
        assert_eq!((grouped(0), grouped(999)), ("0".into(), "999".into()));
        assert_eq!(
            (size(12), size(123_456), size(9_693_732)),
            ("12 bytes".into(), "123 kB".into(), "9.69 MB".into())
        );
    }

    #[test]
    fn names_from_files_cannot_become_markup() {
        let name = "<script>alert(1)</script>.glb";
        let content = Content::of(name, b"glTF", true);
        let entries = [
            Entry { name: name.into(), content: Ok(content) },
            Entry { name: name.into(), content: Err("<b>".into()) },
        ];
        let text = page("t", &entries).into_string();
        assert!(!text.contains("<script>") && !text.contains("<b>\""));
        assert!(text.contains("&lt;script&gt;") && text.contains("glb.container"));
        assert!(text.contains("0 of 2 accepted"));
    }
}

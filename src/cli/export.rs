//! `dramatis export`: specs in, GLB files out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::args::{ExportArgs, Format};
use super::inputs::{self, Job, same_file};
use super::one_line;
use super::out::{complain, say};
use super::page::{self, Content, Entry};
use super::progress::{Stages, batch_bar};
use super::report::{ExportReport, FileReport, Report};
use crate::files::write_atomically;
use crate::pack::store::PackStore;
use crate::pipeline::{Export, StageTimes};
use crate::profile::{GENERATOR, Naming, RestPose};
use crate::vrm::{Thumbnail, VrmOptions};
use crate::{CharacterSpec, Error, Exporter, Result};

/// Exports every input. A bad one gets one line and the batch goes on; the
/// answer is whether all went well.
///
/// # Errors
/// Only what concerns the whole run: no store, no threads, no report.
pub fn run(args: &ExportArgs) -> Result<bool> {
    let jobs = inputs::expand(&args.inputs);
    if let Some(path) = &args.report {
        refuse_overwriting(path, &jobs, args)?;
    }
    let vrm = vrm_options(args)?;
    let packs = Packs::new(PackStore::of_user()?, args.offline);
    let threads = rayon::ThreadPoolBuilder::new()
        // More threads than inputs would only take time to start.
        .num_threads(args.jobs.map_or(0, |n| usize::from(n).min(jobs.len())))
        .build()
        .map_err(|e| Error::input("--jobs", "threads", e.to_string(), "threads to run on"))?;
    let printer = Printer::new(batch_bar(jobs.len()));
    let files: Vec<Vec<FileReport>> = threads.install(|| {
        jobs.par_iter()
            .enumerate()
            .map(|(i, (input, job))| {
                let files = run_job(input, job, args, &vrm, &packs);
                printer.print(i, &files);
                files
            })
            .collect()
    });
    let files: Vec<FileReport> = files.into_iter().flatten().collect();
    printer.finish();
    let bad = files.iter().filter(|f| f.error.is_some()).count();
    if files.len() > 1 {
        say(&format!("{} of {} exported", files.len() - bad, files.len()));
    }
    if let Some(path) = &args.report {
        match wants_page(args) {
            true => page::write(path, "Exported characters", &entries(files))?,
            false => Report { generator: GENERATOR, files }.write(path)?,
        }
    }
    Ok(bad == 0)
}

/// The options of VRM files.
///
/// # Errors
/// For a thumbnail that cannot be read or is none, and for settings that no
/// VRM has.
fn vrm_options(args: &ExportArgs) -> Result<VrmOptions> {
    let options = args.options();
    let is_vrms = options.naming == Naming::Ue && options.rest_pose == RestPose::TPose;
    if args.format == Format::Vrm && !is_vrms {
        let found = format!("{} and {}", options.naming.as_str(), options.rest_pose.as_str());
        let expected = "ue and t-pose, as every VRM has";
        return Err(Error::input("the command line", "--format vrm", found, expected));
    }
    for (flag, given) in [("--thumbnail", args.thumbnail.is_some()), ("--mtoon", args.mtoon)] {
        if given && args.format == Format::Glb {
            let expected = "--format vrm or both, as it is for VRM files";
            return Err(Error::input("the command line", flag, "it for GLB files", expected));
        }
    }
    let mut vrm = VrmOptions { mtoon: args.mtoon, ..VrmOptions::from(&options) };
    if let Some(path) = &args.thumbnail {
        let bytes = read_limited(path, PICTURE_LIMIT)?;
        vrm.thumbnail = Some(Thumbnail::from_bytes(&path.display().to_string(), bytes)?);
    }
    Ok(vrm)
}

fn run_job(
    input: &str,
    job: &Result<Job>,
    args: &ExportArgs,
    vrm: &VrmOptions,
    packs: &Packs,
) -> Vec<FileReport> {
    let failed = |e: &Error| FileReport {
        input: input.to_owned(),
        error: Some(one_line(&e.to_string())),
        output: None,
        export: None,
        content: None,
    };
    match job {
        Err(e) => vec![failed(e)],
        Ok(job) => export_one(job, args, vrm, packs).unwrap_or_else(|e| vec![failed(&e)]),
    }
}

/// Exports one character in every format that is asked for.
fn export_one(
    job: &Job,
    args: &ExportArgs,
    vrm: &VrmOptions,
    packs: &Packs,
) -> Result<Vec<FileReport>> {
    let input = job.input.display().to_string();
    let text = read_limited(&job.input, SPEC_LIMIT)?;
    let spec = CharacterSpec::from_json(&input, &text)?;
    let exporter = packs.exporter(&spec, &job.input)?;
    let exports = match args.format {
        Format::Glb => exporter.export(&spec, &args.options()).map(|glb| vec![glb]),
        Format::Vrm => exporter.export_vrm(&spec, vrm).map(|vrm| vec![vrm]),
        Format::Both => {
            exporter.export_both(&spec, &args.options(), vrm).map(|(glb, vrm)| vec![glb, vrm])
        }
    };
    let exports = exports.map_err(|e| {
        if matches!(e, Error::Pack { .. }) { at_pack(&spec, Arc::new(e)) } else { e }
    })?;
    let mut files = Vec::new();
    for (output, export) in outputs_of(job, args).iter().zip(&exports) {
        write_atomically(output, &export.bytes)?;
        files.push(FileReport {
            input: input.clone(),
            error: None,
            output: Some(output.display().to_string()),
            export: Some(ExportReport::new(export)),
            content: wants_page(args).then(|| content(output, export)),
        });
    }
    Ok(files)
}

/// Whether the report is a page to look at; its name says so.
fn wants_page(args: &ExportArgs) -> bool {
    let ending = args.report.as_ref().and_then(|path| path.extension());
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("html"))
}

/// What the page says of an exported file.
fn content(output: &Path, export: &Export) -> Content {
    let StageTimes { character, rig, scene, glb } = export.times;
    let stages = vec![("character", character), ("rig", rig), ("scene", scene), ("write", glb)];
    let name = output.display().to_string();
    let warnings = export.warnings.clone();
    Content { stages, warnings, ..Content::of(&name, &export.bytes, true) }
}

fn entries(files: Vec<FileReport>) -> Vec<Entry> {
    let entry = |file: FileReport| Entry {
        name: file.output.unwrap_or(file.input),
        content: file.content.ok_or(file.error.unwrap_or_default()),
    };
    files.into_iter().map(entry).collect()
}

/// The files that a job writes, in the order of their exports.
fn outputs_of(job: &Job, args: &ExportArgs) -> Vec<PathBuf> {
    let extensions: &[&str] = match args.format {
        Format::Glb => &["glb"],
        Format::Vrm => &["vrm"],
        Format::Both => &["glb", "vrm"],
    };
    let path = |extension: &&str| args.out.join(format!("{}.{extension}", job.stem));
    extensions.iter().map(path).collect()
}

/// The report must not take the place of a spec or of an exported file.
fn refuse_overwriting(
    report: &Path,
    jobs: &[(String, Result<Job>)],
    args: &ExportArgs,
) -> Result<()> {
    let same = |other: &Path| same_file(report, other);
    for job in jobs.iter().filter_map(|(_, job)| job.as_ref().ok()) {
        if same(&job.input) || outputs_of(job, args).iter().any(|output| same(output)) {
            let found = "the name of an input or an output";
            let file = report.display().to_string();
            return Err(Error::input(file, "--report", found, "a file of its own"));
        }
    }
    Ok(())
}

/// The largest spec that is read. Real ones have a few kilobytes; the limit
/// keeps a wrong file name from filling the memory.
const SPEC_LIMIT: u64 = 16 << 20;

/// The largest picture that is read.
const PICTURE_LIMIT: u64 = 64 << 20;

fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let file = File::open(path).map_err(Error::io(path, "read"))?;
    let size = file.metadata().map_err(Error::io(path, "read"))?.len();
    let mut bytes = Vec::new();
    // Devices and pipes have no length, so what was read counts as well.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(Error::io(path, "read"))?;
    let found = size.max(bytes.len() as u64);
    if found > limit {
        let what = format!("{}: the number of bytes", path.display());
        return Err(Error::Limit { what, found, limit });
    }
    Ok(bytes)
}

/// The packs of a run. Each is opened once, whoever needs it first; a pack
/// that cannot be had is not tried again for every character.
struct Packs {
    store: PackStore,
    offline: bool,
    open: Mutex<BTreeMap<String, std::result::Result<Exporter, Arc<Error>>>>,
}

impl Packs {
    fn new(store: PackStore, offline: bool) -> Packs {
        Packs { store, offline, open: Mutex::new(BTreeMap::new()) }
    }

    fn exporter(&self, spec: &CharacterSpec, input: &Path) -> Result<Exporter> {
        let name = pack_name(&spec.pack, input);
        let mut open = self.open.lock().unwrap_or_else(|e| e.into_inner());
        let entry = open.entry(name.clone()).or_insert_with(|| {
            let stages = Stages::new();
            let report = |stage: &str, done, total| stages.report(stage, done, total);
            // Building a pack gives work to a thread pool. On a thread of
            // this run's own pool it could pick up another character's
            // export, which would wait for the lock that is held here.
            let pack = std::thread::scope(|scope| {
                let open = || self.store.open(&name, self.offline, &report);
                scope.spawn(open).join().expect("opening a pack does not panic")
            });
            stages.finish();
            pack.map(Exporter::new).map_err(Arc::new)
        });
        entry.clone().map_err(|e| at_pack(spec, e))
    }
}

/// A fault of the pack, at the place of the spec that names it.
fn at_pack(spec: &CharacterSpec, source: Arc<Error>) -> Error {
    Error::At { file: spec.file.clone(), at: "$.pack".into(), source }
}

/// A pack that is given as a path lies relative to the spec that names it.
fn pack_name(pack: &str, input: &Path) -> String {
    match (pack.ends_with(".pack"), input.parent()) {
        (true, Some(folder)) => folder.join(pack).display().to_string(),
        _ => pack.to_owned(),
    }
}

/// Prints results in the order of the inputs, each as soon as all before it
/// are there.
struct Printer {
    bar: Option<ProgressBar>,
    waiting: Mutex<(usize, BTreeMap<usize, Vec<Line>>)>,
}

enum Line {
    /// A result and what a user should know of it.
    Done(String, Vec<String>),
    Failed(String),
}

impl Printer {
    fn new(bar: Option<ProgressBar>) -> Printer {
        Printer { bar, waiting: Mutex::new((0, BTreeMap::new())) }
    }

    fn print(&self, index: usize, files: &[FileReport]) {
        let line = |file: &FileReport| match (&file.error, &file.output, &file.export) {
            (None, Some(output), Some(export)) => {
                let warnings = export.warnings().iter();
                let warnings = warnings.map(|w| format!("warning: {output}: {w}")).collect();
                Line::Done(format!("{output}: {}", export.line()), warnings)
            }
            (error, ..) => Line::Failed(error.clone().unwrap_or_default()),
        };
        let mut waiting = self.waiting.lock().unwrap_or_else(|e| e.into_inner());
        let (next, lines) = &mut *waiting;
        lines.insert(index, files.iter().map(line).collect());
        while let Some(lines) = lines.remove(next) {
            *next += 1;
            self.show(&lines);
        }
    }

    fn show(&self, lines: &[Line]) {
        let one = |line: &Line| match line {
            Line::Done(text, warnings) => {
                say(text);
                warnings.iter().for_each(|w| complain(w));
            }
            Line::Failed(text) => complain(&format!("error: {text}")),
        };
        let print = || lines.iter().for_each(one);
        match &self.bar {
            Some(bar) => {
                bar.suspend(print);
                bar.inc(1);
            }
            None => print(),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

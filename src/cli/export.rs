//! `dramatis export`: specs in, GLB files out.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::args::{ExportArgs, Format};
use super::inputs::{self, Job};
use super::one_line;
use super::progress::{Stages, batch_bar};
use super::report::{ExportReport, FileReport, Report};
use crate::files::write_atomically;
use crate::pack::store::PackStore;
use crate::profile::GENERATOR;
use crate::{CharacterSpec, Error, Exporter, Result};

/// Exports every input. A bad one gets one line and the batch goes on; the
/// answer is whether all went well.
///
/// # Errors
/// Only what concerns the whole run: no store, no threads, no report.
pub fn run(args: &ExportArgs) -> Result<bool> {
    let jobs = inputs::expand(&args.inputs);
    let packs = Packs::new(PackStore::of_user()?, args.offline);
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(args.jobs.unwrap_or(0)))
        .build()
        .map_err(|e| Error::input("--jobs", "threads", e.to_string(), "threads to run on"))?;
    let printer = Printer::new(batch_bar(jobs.len()));
    let files: Vec<FileReport> = threads.install(|| {
        jobs.par_iter()
            .enumerate()
            .map(|(i, job)| {
                let file = run_job(job, args, &packs);
                printer.print(i, &file);
                file
            })
            .collect()
    });
    printer.finish();
    let bad = files.iter().filter(|f| f.error.is_some()).count();
    if files.len() > 1 {
        println!("{} of {} exported", files.len() - bad, files.len());
    }
    if let Some(path) = &args.report {
        Report { generator: GENERATOR, files }.write(path)?;
    }
    Ok(bad == 0)
}

fn run_job(job: &Result<Job>, args: &ExportArgs, packs: &Packs) -> FileReport {
    let failed = |input: String, e: &Error| FileReport {
        input,
        error: Some(one_line(&e.to_string())),
        output: None,
        export: None,
    };
    match job {
        Err(e) => failed(String::new(), e),
        Ok(job) => {
            let input = job.input.display().to_string();
            export_one(job, args, packs).unwrap_or_else(|e| failed(input, &e))
        }
    }
}

fn export_one(job: &Job, args: &ExportArgs, packs: &Packs) -> Result<FileReport> {
    let input = job.input.display().to_string();
    let text = read_spec(&job.input)?;
    let spec = CharacterSpec::from_json(&input, &text)?;
    let exporter = packs.exporter(&spec, &job.input)?;
    let extension = match args.format {
        Format::Glb => "glb",
    };
    let output = args.out.join(format!("{}.{extension}", job.stem));
    let export = exporter.export(&spec, &args.options())?;
    write_atomically(&output, &export.bytes)?;
    Ok(FileReport {
        input,
        error: None,
        output: Some(output.display().to_string()),
        export: Some(ExportReport::new(&export)),
    })
}

/// The largest spec that is read. Real ones have a few kilobytes; the limit
/// keeps a wrong file name from filling the memory.
const SPEC_LIMIT: u64 = 16 << 20;

fn read_spec(path: &Path) -> Result<Vec<u8>> {
    let size = std::fs::metadata(path).map_err(Error::io(path, "read"))?.len();
    if size > SPEC_LIMIT {
        let what = format!("{}: the number of bytes", path.display());
        return Err(Error::Limit { what, found: size, limit: SPEC_LIMIT });
    }
    std::fs::read(path).map_err(Error::io(path, "read"))
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
            let pack = self.store.open(&name, self.offline, &report);
            stages.finish();
            pack.map(Exporter::new).map_err(Arc::new)
        });
        entry.clone().map_err(|e| {
            Error::input(&spec.file, "$.pack", format!("the pack `{}`", spec.pack), e.to_string())
        })
    }
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
    waiting: Mutex<(usize, BTreeMap<usize, Line>)>,
}

enum Line {
    Done(String),
    Failed(String),
}

impl Printer {
    fn new(bar: Option<ProgressBar>) -> Printer {
        Printer { bar, waiting: Mutex::new((0, BTreeMap::new())) }
    }

    fn print(&self, index: usize, file: &FileReport) {
        let line = match (&file.error, &file.output, &file.export) {
            (None, Some(output), Some(export)) => {
                Line::Done(format!("{output}: {}", export.line()))
            }
            (error, ..) => Line::Failed(error.clone().unwrap_or_default()),
        };
        let mut waiting = self.waiting.lock().unwrap_or_else(|e| e.into_inner());
        let (next, lines) = &mut *waiting;
        lines.insert(index, line);
        while let Some(line) = lines.remove(next) {
            *next += 1;
            self.show(&line);
        }
    }

    fn show(&self, line: &Line) {
        let print = || match line {
            Line::Done(text) => println!("{text}"),
            Line::Failed(text) => eprintln!("error: {text}"),
        };
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

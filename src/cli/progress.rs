//! A progress bar on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

use super::out::complain;

/// Shows how far a pack's build has come. Everything goes to standard error,
/// so that standard output holds results only.
pub struct Stages {
    bar: Option<ProgressBar>,
    last: Mutex<String>,
}

impl Stages {
    /// Shows nothing until the first stage is reported.
    pub fn new() -> Stages {
        let bar = std::io::stderr().is_terminal().then(ProgressBar::no_length);
        if let Some(bar) = &bar {
            bar.set_style(bar_style());
        }
        Stages { bar, last: Mutex::new(String::new()) }
    }

    /// Reports a stage, as [`crate::pack::makehuman::Progress`] does.
    pub fn report(&self, stage: &str, done: u64, total: u64) {
        let mut last = self.last.lock().unwrap_or_else(|e| e.into_inner());
        let is_new = *last != stage;
        if is_new {
            stage.clone_into(&mut last);
        }
        match &self.bar {
            Some(bar) => {
                if is_new {
                    bar.set_message(stage.to_owned());
                    bar.set_length(total);
                    bar.set_position(done);
                } else {
                    // Threads may report out of order.
                    bar.set_position(bar.position().max(done));
                }
            }
            None if is_new => complain(&format!("{stage} ...")),
            None => {}
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar for a batch of files, or none where nobody watches.
pub fn batch_bar(n_files: usize) -> Option<ProgressBar> {
    let watched = std::io::stderr().is_terminal() && n_files > 1;
    watched.then(|| ProgressBar::new(n_files as u64).with_style(bar_style()))
}

fn bar_style() -> ProgressStyle {
    ProgressStyle::with_template("{msg:16} [{bar:40}] {pos}/{len} {elapsed}")
        .expect("the template is constant")
        .progress_chars("=> ")
}

//! Lines on standard output and standard error.
//!
//! A reader that left (`dramatis pack info | head`) is no fault: the rest is
//! simply not printed and the work goes on. Any other failure to print, a
//! full disc for one, is kept and told at the end.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::Mutex;

use crate::Error;

/// The first failure to print, if there was one.
static FAULT: Mutex<Option<ErrorKind>> = Mutex::new(None);

/// Prints one line on standard output.
pub fn say(text: &str) {
    let mut fault = FAULT.lock().unwrap_or_else(|e| e.into_inner());
    if fault.is_some() {
        return;
    }
    let line = format!("{text}\n");
    if let Err(e) = io::stdout().lock().write_all(line.as_bytes()) {
        *fault = Some(e.kind());
    }
}

/// Prints one line on standard error. When that cannot be written to there is
/// nobody left to tell; the exit code still says that something was wrong.
pub fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}

/// What kept lines from being printed, unless it was a reader that left.
pub fn fault() -> Option<Error> {
    let _ = io::stdout().lock().flush();
    let fault = FAULT.lock().unwrap_or_else(|e| e.into_inner());
    let kind = (*fault).filter(|kind| *kind != ErrorKind::BrokenPipe)?;
    Some(Error::io(Path::new("standard output"), "write")(kind.into()))
}

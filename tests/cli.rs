//! The command line from the outside: the program is run as a user runs it,
//! and judged by its exit code, its messages and the files it leaves.
//!
//! Every run has a temporary folder of its own. A fault has to be told in one
//! line, and a run that fails must neither leave half a file nor touch what
//! an earlier run wrote.

mod common;

#[path = "cli/bench.rs"]
mod bench;

#[path = "cli/specs.rs"]
mod specs;

#[path = "cli/runs.rs"]
mod runs;

#[path = "cli/checks.rs"]
mod checks;

#[path = "cli/vrms.rs"]
mod vrms;

#[path = "cli/packs.rs"]
mod packs;

#[path = "cli/fetching.rs"]
#[cfg(unix)] // A stand-in for Python has to be a shell script.
mod fetching;

//! The command line: arguments, commands, progress, exit codes.
//!
//! Exit codes: 0 all went well; 1 an input, a pack or a file was bad; 2 the
//! command line itself was wrong. Every failure is one line on standard
//! error; results are plain lines on standard output.
//!
//! This is the only module that prints.

mod args;

mod export;

mod inputs;

mod pack;

mod progress;

mod report;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

/// Runs the program on the process's own arguments.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(e) => {
            // `--help` and `--version` come this way too; they are not faults.
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() { 2 } else { 0 });
        }
    };
    let outcome = match args.command {
        Command::Export(args) => export::run(&args),
        Command::Pack(command) => pack::run(&command),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            print_error(&e);
            ExitCode::FAILURE
        }
    }
}

/// One line on standard error.
fn print_error(error: &crate::Error) {
    eprintln!("error: {}", one_line(&error.to_string()));
}

/// A message without line breaks, whatever a file's name or content put in.
fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).filter(|s| !s.is_empty()).collect::<Vec<_>>().join(" ")
}

//! The command line: arguments, commands, progress, exit codes.
//!
//! Exit codes: 0 all went well; 1 an input, a pack or a file was bad; 2 the
//! command line itself was wrong. Every failure is one line on standard
//! error; results are plain lines on standard output.
//!
//! This is the only module that prints.

mod args;

mod check;

mod export;

mod inputs;

mod out;

mod pack;

mod page;

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
        Command::Check(args) => check::run(&args),
        Command::Pack(command) => pack::run(&command),
    };
    let all_well = match outcome {
        Ok(all_well) => all_well,
        Err(e) => {
            print_error(&e);
            false
        }
    };
    if let Some(e) = out::fault() {
        print_error(&e);
        return ExitCode::FAILURE;
    }
    if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One line on standard error.
fn print_error(error: &crate::Error) {
    out::complain(&format!("error: {}", one_line(&error.to_string())));
}

/// A message on one line and without control characters, whatever a file's
/// name or content put into it.
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split(['\n', '\r']).map(str::trim).filter(|s| !s.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        for c in part.chars() {
            // Marks that turn the direction of writing could hide what a
            // name says.
            let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            match c.is_control() || turns {
                true => out.extend(c.escape_default()),
                false => out.push(c),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn messages_stay_on_one_line_and_cannot_drive_the_terminal() {
        assert_eq!(one_line("a\n  b\r\nc"), "a b c");
        assert_eq!(one_line("\u{1b}[31mred"), "\\u{1b}[31mred");
        assert_eq!(one_line("a\u{202e}b"), "a\\u{202e}b");
    }
}

//! The `dramatis` program: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    dramatis::cli::main()
}

//! The program that Speech Dispatcher starts: `sd_libspeech [CONFIGURATION]`.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let config = std::env::args_os().nth(1).filter(|path| !path.is_empty()).map(PathBuf::from);
    // Do not lock standard output: the speaking thread writes to it.
    sd_libspeech::run(config.as_deref(), io::stdin().lock(), Box::new(io::stdout()))
}

//! The program: see the library, which tests run in their own process.

use std::process::ExitCode;

fn main() -> ExitCode {
    speech_http::run(std::env::args_os())
}

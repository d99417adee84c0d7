//! Speaks a text into a wav file.
//!
//!     cargo run --release -p speech-rust-example -- TEXT FILE [VOICE [LANGUAGE]]

#![allow(clippy::print_stderr, reason = "a program prints its errors")]

use std::error::Error;
use std::process::ExitCode;
use std::{env, fs};

use speech_core::{Engine, Request};

fn main() -> ExitCode {
    match speak() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn speak() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(text), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("give a text and a file".into());
    };
    let mut request = Request::new(text);
    if let Some(voice) = arguments.next() {
        request = request.voice(voice.parse()?);
    }
    if let Some(language) = arguments.next() {
        request = request.language(language.parse()?);
    }
    // Load an engine once, and share it between threads.
    let engine = Engine::load()?;
    let speech = engine.synthesize(request)?;
    fs::write(file, speech.to_wav())?;
    Ok(())
}

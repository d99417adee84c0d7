//! Runs the example.

use std::fs;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_speech-rust-example")).args(arguments).output().unwrap()
}

fn message(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn the_program_speaks_into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hello.wav");
    let output = run(&["Hello.", file.to_str().unwrap(), "leo", "en-US"]);
    assert!(output.status.success(), "{output:?}");
    let wav = fs::read(file).unwrap();
    assert!(wav.starts_with(b"RIFF") && wav.len() > 22_050, "{}", wav.len());
}

#[test]
fn errors_are_sentences() {
    assert_eq!(message(&run(&["Hello."])), "error: give a text and a file\n");
    let message = message(&run(&["Hello.", "unused.wav", "nobody"]));
    assert!(message.contains("nobody") && message.contains("aria"), "{message}");
}

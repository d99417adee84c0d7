//! `fake_model DIR` writes the voice bundle of the fake model to a directory, for tests that are
//! not written in Rust.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let dir = std::env::args_os().nth(1).map(PathBuf::from);
    speech_tests::fake_model::write(&dir.ok_or_else(|| std::io::Error::other("fake_model DIR"))?)
}

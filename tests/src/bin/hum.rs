//! `hum DIR` writes the hum bundle into a directory, for programs that are not Rust.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let dir = std::env::args_os().nth(1).map(PathBuf::from);
    speech_tests::hum::write(&dir.ok_or_else(|| std::io::Error::other("hum DIR"))?)
}

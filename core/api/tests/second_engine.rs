//! Memory of a second engine. Runs in its own process: memory of other tests would count too.
#![cfg(target_os = "linux")]

use std::fs;

use speech_core::{Engine, Request};

/// The README's limit, in bytes.
const SECOND_ENGINE: usize = 40 << 20;

fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/statm").unwrap();
    status.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

/// The real bundle as one tar file.
fn archive() -> tempfile::NamedTempFile {
    let bundle = std::env::var_os("SPEECH_BUNDLE").expect("`cargo xtask test` has the bundle");
    let file = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut archive = tar::Builder::new(file.as_file());
    archive.append_dir_all(".", bundle).unwrap();
    archive.finish().unwrap();
    drop(archive);
    file
}

#[test]
fn a_second_engine_shares_the_files_of_the_first() {
    let archive = archive();
    let directory = || Engine::builder().threads(1);
    for (what, builder) in [
        ("a directory that is mapped", directory().map_bundle(true)),
        ("a directory that is read", directory().map_bundle(false)),
        ("an archive that is mapped", directory().bundle(archive.path()).map_bundle(true)),
        ("an archive that is read", directory().bundle(archive.path()).map_bundle(false)),
    ] {
        let load = || {
            let engine = builder.clone().load().expect("`cargo xtask test` has the bundle");
            let said = engine.synthesize(Request::new("Hello, world.")).unwrap();
            (engine, said)
        };
        let (first, said) = load();
        let before = resident();
        let (second, said_again) = load();
        let grown = resident().saturating_sub(before);
        assert_eq!(said.samples(), said_again.samples());
        assert!(grown < SECOND_ENGINE, "{what}: {} MB", grown >> 20);
        drop((first, second));
    }
}

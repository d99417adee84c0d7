//! The memory of a second engine. In a process of its own: other tests would count too.
#![cfg(target_os = "linux")]

use std::fs;

use speech_core::{Engine, Request};

/// What README promises, in bytes.
const SECOND_ENGINE: usize = 40 << 20;

fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/statm").unwrap();
    status.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn a_second_engine_shares_the_files_of_the_first() {
    let load = || {
        let engine =
            Engine::builder().threads(1).load().expect("`cargo xtask test` has the bundle");
        let said = engine.synthesize(Request::new("Hello, world.")).unwrap();
        (engine, said)
    };
    let (first, said) = load();
    let before = resident();
    let (second, said_again) = load();
    let grown = resident().saturating_sub(before);
    assert_eq!(said.samples(), said_again.samples());
    assert!(grown < SECOND_ENGINE, "{} MB", grown >> 20);
    drop((first, second));
}

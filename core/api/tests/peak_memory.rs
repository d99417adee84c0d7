//! Memory of the longest texts. Runs in its own process: memory of other tests would count too.
#![cfg(target_os = "linux")]

use std::fs;

use speech_core::{Engine, Language, Request};

/// The README's limit for the computation of a sentence, in bytes.
const SENTENCE: usize = 180 << 20;

/// The peak resident memory so far, in bytes.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[test]
fn a_text_without_a_place_to_breathe_takes_no_more_than_a_long_sentence() {
    let engine = Engine::builder().threads(1).load().expect("`cargo xtask test` has the bundle");
    engine.synthesize(Request::new("Yes.")).unwrap();
    let before = peak();
    // Over half a minute without a pause, and the most tokens that one utterance may have.
    let request = Request::new("क".repeat(250)).language(Language::HiIn);
    let speech = engine.synthesize(request).unwrap();
    assert!(speech.seconds() > 30.0, "{} s", speech.seconds());
    let grown = peak() - before;
    assert!(grown < SENTENCE, "{} MB", grown >> 20);
}

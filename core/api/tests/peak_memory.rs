//! The memory of the longest texts. In a process of its own: other tests would count too.
#![cfg(target_os = "linux")]

use std::fs;

use speech_core::{Engine, Language, Request};

/// What README promises for a sentence that is computed, in bytes.
const SENTENCE: usize = 180 << 20;

/// The most that was resident so far, in bytes.
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
    // Over half a minute without a pause, and as many tokens as one utterance may have.
    let request = Request::new("क".repeat(250)).language(Language::HiIn);
    let speech = engine.synthesize(request).unwrap();
    assert!(speech.seconds() > 30.0, "{} s", speech.seconds());
    let grown = peak() - before;
    assert!(grown < SENTENCE, "{} MB", grown >> 20);
}

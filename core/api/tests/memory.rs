//! Memory after cancelled requests. In a process of its own: other tests would count too.
#![cfg(target_os = "linux")]

use std::thread;
use std::time::Duration;

use speech_core::{CancelToken, Engine, ErrorKind, Request};

const TEXT: &str = "Good morning. It is 10:30, and there are 12 people here!";

#[test]
fn cancelled_requests_leave_no_memory_behind() {
    let resident = || {
        let status = std::fs::read_to_string("/proc/self/statm").unwrap();
        status.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 4096
    };
    let engine = Engine::builder()
        .threads(1)
        .load()
        .expect("these tests need the voice bundle: run `cargo xtask test`");
    let cancel_one = || {
        let cancel = CancelToken::new();
        let thread = thread::spawn({
            let (engine, cancel) = (engine.clone(), cancel.clone());
            move || engine.synthesize_with(Request::new(TEXT), &cancel).map(|_| ())
        });
        thread::sleep(Duration::from_millis(30));
        cancel.cancel();
        // Either it was stopped or it was done before; both leave nothing.
        if let Err(error) = thread.join().unwrap() {
            assert_eq!(error.kind(), ErrorKind::Cancelled);
        }
    };
    engine.synthesize(Request::new(TEXT)).unwrap();
    (0..10).for_each(|_| cancel_one());
    let before = resident();
    (0..60).for_each(|_| cancel_one());
    let grown = resident().saturating_sub(before);
    // 60 leaks of an utterance's activations would be gigabytes.
    assert!(grown < 64 << 20, "{} MB", grown >> 20);
}

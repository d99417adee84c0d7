//! Memory after cancelled requests. Runs in its own process: memory of other tests would count too.
#![cfg(target_os = "linux")]

use std::thread;

use speech_core::{CancelToken, Engine, ErrorKind, Request};
use speech_tests::checkpoint::Checkpoint;

const TEXT: &str = "Good morning. It is 10:30, and there are 12 people here!";
/// The number of requests, each cancelled a little later than the one before.
const ROUNDS: usize = 30;

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
    // The number of token checks in a whole synthesis.
    let checkpoint = Checkpoint::on_other_threads();
    let whole = CancelToken::polling(checkpoint.counter());
    let speak = |cancel: &CancelToken| {
        engine.synthesize(Request::new(TEXT).cancel_token(cancel)).map(|_| ())
    };
    thread::scope(|scope| scope.spawn(|| speak(&whole)).join().unwrap()).unwrap();
    let checks = checkpoint.checks();
    let cancel_one = |round: usize| {
        let cancel = CancelToken::polling(checkpoint.counter());
        checkpoint.hold(1 + checks * round / ROUNDS);
        let (stopped, _) = checkpoint.during(|| speak(&cancel), || cancel.cancel());
        assert_eq!(stopped.unwrap_err().kind(), ErrorKind::Cancelled);
    };
    (0..ROUNDS).step_by(5).for_each(cancel_one);
    let before = resident();
    (0..ROUNDS).for_each(cancel_one);
    let grown = resident().saturating_sub(before);
    // Leaking an utterance's activations 30 times would take gigabytes.
    assert!(grown < 64 << 20, "{} MB", grown >> 20);
}

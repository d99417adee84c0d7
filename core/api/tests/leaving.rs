//! Streams that are left at every stage. In a process of its own: other tests would have threads too.
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use speech_core::{Engine, Latency, Request, THREAD_NAME};
use speech_tests::inferences;

const TEXT: &str = "The library closes early. It opens on Monday. Yes.";

/// How many threads of the library's own there are in this process.
fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names =
        tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok());
    names.filter(|name| name.trim_end() == THREAD_NAME).count()
}

/// Fails unless there are so many of them. A thread that has been joined may still be listed for a moment.
fn expect_threads(expected: usize, context: &str) {
    let limit = Instant::now() + Duration::from_secs(1);
    while threads() != expected && Instant::now() < limit {
        std::thread::sleep(Duration::from_micros(100));
    }
    assert_eq!(threads(), expected, "{context}");
}

/// Takes chunks of a stream, listens to the last for some milliseconds and leaves. Whether no inference was carried to its
/// end while it was left.
fn leave(
    engine: &Engine,
    request: &Request,
    taken: usize,
    listened: u64,
    threads_of_engine: usize,
) -> bool {
    let mut stream = engine.stream(request).unwrap();
    (0..taken).for_each(|_| drop(stream.next().transpose().unwrap()));
    assert!(threads() <= threads_of_engine + 1);
    std::thread::sleep(Duration::from_millis(listened));
    let before = inferences::finished();
    drop(stream);
    expect_threads(threads_of_engine, &format!("{request:?} {taken} {listened}"));
    inferences::finished() == before
}

#[test]
fn nothing_runs_for_a_stream_that_is_left() {
    inferences::count();
    for count in [1, 2] {
        let engine = Engine::builder()
            .threads(count)
            .load()
            .expect("these tests need the voice bundle: run `cargo xtask test`");
        engine.warm_up().unwrap();
        let of_engine = if count > 1 { count } else { 0 };
        expect_threads(of_engine, "a loaded engine");
        for latency in Latency::ALL {
            let request = Request::new(TEXT).latency(latency);
            let before = inferences::finished();
            engine.stream(&request).unwrap().for_each(|chunk| drop(chunk.unwrap()));
            assert_eq!(inferences::finished() - before, 3, "one for each sentence");
            expect_threads(of_engine, "a stream that has ended");
            // How many chunks are taken, and how long they are listened to.
            for (taken, listened) in
                [(0, 0), (1, 0), (1, 1), (1, 20), (2, 0), (2, 5), (2, 1000), (3, 0), (4, 0)]
            {
                // Once or twice, an inference may end by itself in the moment in which the stream is left.
                let interrupted =
                    (0..3).any(|_| leave(&engine, &request, taken, listened, of_engine));
                assert!(interrupted, "{count} {latency} {taken} {listened}");
            }
        }
        drop(engine);
        expect_threads(0, "no engine");
    }
}

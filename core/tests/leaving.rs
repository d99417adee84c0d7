//! Streams that are left at every stage. In a process of its own: other tests would have threads too.
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use speech_core::{Engine, Latency, Request, THREAD_NAME};

const TEXT: &str = "The library closes early on Friday because the staff have a training session in the main hall. \
                    It opens again on Monday. Nobody knew the answer.";

/// How many threads of the library's own there are in this process.
fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names =
        tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok());
    names.filter(|name| name.trim_end() == THREAD_NAME).count()
}

#[test]
fn nothing_runs_for_a_stream_that_is_left() {
    for count in [1, 2] {
        let engine = Engine::builder()
            .threads(count)
            .load()
            .expect("these tests need the voice bundle: run `cargo xtask test`");
        engine.warm_up().unwrap();
        let of_engine = if count > 1 { count } else { 0 };
        assert_eq!(threads(), of_engine);
        for latency in Latency::ALL {
            let request = Request::new(TEXT).latency(latency);
            let start = Instant::now();
            engine.stream(&request).unwrap().for_each(|chunk| drop(chunk.unwrap()));
            let whole = start.elapsed();
            assert_eq!(threads(), of_engine);
            // How many chunks are taken, and how long they are listened to.
            for (taken, listened) in
                [(0, 0), (1, 0), (1, 1), (1, 20), (2, 0), (2, 5), (2, 1000), (3, 0), (4, 0)]
            {
                let mut stream = engine.stream(&request).unwrap();
                (0..taken).for_each(|_| drop(stream.next().transpose().unwrap()));
                assert!(threads() <= of_engine + 1);
                std::thread::sleep(Duration::from_millis(listened));
                let start = Instant::now();
                drop(stream);
                let left = start.elapsed();
                assert_eq!(threads(), of_engine, "{count} {latency} {taken} {listened}");
                assert!(
                    left < whole / 4,
                    "{count} {latency} {taken} {listened}: {left:?} of {whole:?}"
                );
            }
        }
        drop(engine);
        assert_eq!(threads(), 0);
    }
}

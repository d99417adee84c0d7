//! Drops streams at every stage. Runs in its own process: other tests would have threads too.
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use speech_core::{CancelToken, Engine, Latency, Request, THREAD_NAME};
use speech_tests::checkpoint::Checkpoint;
use speech_tests::inferences;

const TEXT: &str = "The library closes early. It opens on Monday. Yes.";
const SENTENCES: usize = 3;

/// The number of the library's threads in this process.
fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names =
        tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok());
    names.filter(|name| name.trim_end() == THREAD_NAME).count()
}

/// Fails unless this many of them exist. A joined thread may still be listed for a moment.
fn expect_threads(expected: usize, context: &str) {
    let limit = Instant::now() + Duration::from_secs(30);
    while threads() != expected && Instant::now() < limit {
        std::thread::yield_now();
    }
    assert_eq!(threads(), expected, "{context}");
}

/// When a stream is dropped.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// After this many chunks, in any state of the computation.
    Taken(usize),
    /// In the middle of the inference of a sentence, after all earlier ones were taken.
    Within(usize),
    /// When the last chunk is computed and not taken.
    Computed,
}

/// A text with settings, and the work of its stream up to the end of each sentence.
struct Subject<'a> {
    engine: &'a Engine,
    request: Request,
    threads_of_engine: usize,
    /// The number of checks of the cancel token.
    checks: Vec<usize>,
    chunks: Vec<usize>,
}

impl<'a> Subject<'a> {
    fn new(engine: &'a Engine, latency: Latency, threads_of_engine: usize) -> Self {
        let request = |text| Request::new(text).latency(latency);
        let ends = TEXT.match_indices('.').map(|(dot, _)| dot + 1);
        let (checks, chunks) = ends
            .map(|end| {
                let checkpoint = Checkpoint::on_other_threads();
                let cancel = CancelToken::polling(checkpoint.counter());
                let stream = engine.stream(request(&TEXT[..end]).cancel_token(&cancel)).unwrap();
                let chunks = stream.collect::<speech_core::Result<Vec<_>>>().unwrap().len();
                (checkpoint.checks(), chunks)
            })
            .unzip();
        Self { engine, request: request(TEXT), threads_of_engine, checks, chunks }
    }

    /// Drops a stream; returns whether no inference completed meanwhile.
    fn leave(&self, moment: Moment) -> bool {
        let Self { engine, request, threads_of_engine, checks, chunks } = self;
        let checkpoint = Checkpoint::on_other_threads();
        let cancel = CancelToken::polling(checkpoint.counter());
        let start = inferences::finished();
        let mut stream = engine.stream(request.clone().cancel_token(&cancel)).unwrap();
        let taken = match moment {
            Moment::Taken(count) => count,
            Moment::Within(sentence) => {
                checkpoint.hold(usize::midpoint(checks[sentence - 1], checks[sentence]));
                chunks[sentence - 1]
            }
            Moment::Computed => chunks[SENTENCES - 1] - 1,
        };
        (0..taken).for_each(|_| drop(stream.next().transpose().unwrap()));
        assert!(threads() <= threads_of_engine + 1);
        match moment {
            Moment::Taken(_) => {}
            Moment::Within(_) => drop(checkpoint.wait()),
            Moment::Computed => {
                while inferences::finished() < start + SENTENCES {
                    std::thread::yield_now();
                }
            }
        }
        let before = inferences::finished();
        checkpoint.release();
        drop(stream);
        expect_threads(*threads_of_engine, &format!("{request:?} {moment:?}"));
        inferences::finished() == before
    }
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
            let before = inferences::finished();
            let subject = Subject::new(&engine, latency, of_engine);
            assert_eq!(inferences::finished() - before, 1 + 2 + 3, "one for each sentence");
            expect_threads(of_engine, "a stream that has ended");
            let taken = (0..=4).map(Moment::Taken);
            let held = (1..SENTENCES).map(Moment::Within);
            for moment in taken.chain(held).chain([Moment::Computed]) {
                // Occasionally an inference ends by itself at the moment of the drop.
                let interrupted = (0..3).any(|_| subject.leave(moment));
                assert!(interrupted, "{count} {latency} {moment:?}");
            }
        }
        drop(engine);
        expect_threads(0, "no engine");
    }
}

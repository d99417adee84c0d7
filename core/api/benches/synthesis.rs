//! The synthesis of a word and of a sentence. Compare two builds in one sitting: machines drift.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use speech_core::{Engine, Request, SAMPLE_RATE};

fn synthesis(c: &mut Criterion) {
    let engine =
        Engine::builder().threads(1).load().expect("set SPEECH_BUNDLE, or run `cargo xtask bench`");
    let mut group = c.benchmark_group("synthesis, one thread");
    group.sample_size(10);
    for (name, text) in [
        ("word", "Hello."),
        ("sentence", "The library closes early on Friday for a training session."),
    ] {
        let request = Request::new(text);
        let samples = engine.synthesize(&request).expect("a plain sentence").samples().len();
        // Elements are milliseconds of audio: 1000 elements a second is real time.
        group.throughput(Throughput::Elements(samples as u64 * 1000 / u64::from(SAMPLE_RATE)));
        group.bench_function(name, |b| b.iter(|| engine.synthesize(black_box(&request))));
    }
    group.finish();
}

criterion_group!(benches, synthesis);
criterion_main!(benches);

//! The synthesis of a word and of a sentence in each quality. Compare two builds in one session:
//! machine speed drifts.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use speech_core::{Engine, Language, Request, SAMPLE_RATE, Voice};

fn synthesis(c: &mut Criterion) {
    let engine =
        Engine::builder().threads(1).load().expect("set SPEECH_BUNDLE, or run `cargo xtask bench`");
    let mut group = c.benchmark_group("synthesis, one thread");
    group.sample_size(10);
    for (name, text) in [
        ("word", "Hello."),
        ("sentence", "The library closes early on Friday for a training session."),
    ] {
        for quality in engine.qualities(Voice::ARIA, Language::EnUs) {
            let request = Request::new(text).quality(quality);
            let speech = engine.synthesize(&request).expect("a plain sentence");
            // Elements are milliseconds of audio: 1000 elements per second is real time.
            let milliseconds = speech.samples().len() as u64 * 1000 / u64::from(SAMPLE_RATE);
            group.throughput(Throughput::Elements(milliseconds));
            group.bench_function(format!("{name}, {quality}"), |b| {
                b.iter(|| engine.synthesize(black_box(&request)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, synthesis);
criterion_main!(benches);

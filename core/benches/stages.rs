//! Each stage on its own, and the whole. Compare two builds in one sitting: machines drift.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use speech_core::{Engine, Request, SAMPLE_RATE, stages};

const PARAGRAPH: &str = "If you press the green button twice, the machine returns to its first screen. Nobody knew \
    the 12 answers, so the teacher wrote all questions on the board again at 10:30. Dr. Smith paid $5.50 for a copy.";

fn front_end(c: &mut Criterion) {
    let mut group = c.benchmark_group("front end");
    group.throughput(Throughput::Bytes(PARAGRAPH.len() as u64));
    group.bench_function("segment", |b| b.iter(|| stages::segment(black_box(PARAGRAPH))));
    group.bench_function("normalize", |b| b.iter(|| stages::normalize(black_box(PARAGRAPH))));
    let phonemizer = stages::Phonemizer::new();
    group.bench_function("phonemize", |b| b.iter(|| phonemizer.phonemize(black_box(PARAGRAPH))));
    group.finish();
    c.bench_function("load the lexicon", |b| b.iter(stages::Phonemizer::new));
}

fn audio(c: &mut Criterion) {
    let second: Vec<f32> = (0..24_000).map(|n| (n as f32 * 0.05).sin() * 0.3).collect();
    let resampled = stages::resample(&second);
    let samples = stages::to_samples(&resampled);
    let mut group = c.benchmark_group("audio, one second");
    group.bench_function("resample", |b| b.iter(|| stages::resample(black_box(&second))));
    group.bench_function("loudness and rounding", |b| {
        b.iter(|| stages::to_samples(black_box(&resampled)))
    });
    group.bench_function("wav", |b| b.iter(|| stages::wav(black_box(&samples))));
    group.finish();
}

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

criterion_group!(benches, front_end, audio, synthesis);
criterion_main!(benches);

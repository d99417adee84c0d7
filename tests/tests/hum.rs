//! The hum bundle is a voice bundle like the real one, and sounds as it says.

use std::f64::consts::{PI, TAU};
use std::sync::LazyLock;
use std::thread;
use std::time::Instant;

use serde_json::Value;
use speech_core::{
    CancelToken, Engine, ErrorKind, Inspector, Language, Precision, Request, SAMPLE_RATE,
};
use speech_tests::hum;

static ENGINE: LazyLock<Engine> = LazyLock::new(load);

fn load() -> Engine {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    hum::write(dir.path()).unwrap();
    Engine::builder().bundle(dir.path()).threads(1).precision(Precision::F32).load().unwrap()
}

/// Seconds of a token, and of the pad at each end.
const TOKEN: f64 = 0.05;

/// What the windows of the inverse transform, of 20 samples at 24 kHz, leave of a wave.
fn left_of(hertz: f64) -> f64 {
    let window = |sample: usize| (PI * sample as f64 / 20.0).sin().powi(2);
    let wave = |sample: usize| (TAU * hertz * (sample as f64 - 10.0) / 24_000.0).cos();
    (0..20).map(|sample| window(sample) * wave(sample)).sum::<f64>() / 10.0
}

#[test]
fn each_phoneme_is_its_tone() {
    let manifest: Value = serde_json::from_str(include_str!("../hum/bundle.json")).unwrap();
    let inspector = Inspector::new();
    for (text, language, voice, gain_db) in [
        ("Good morning to you.", Language::EnUs, "aria", 0.0),
        ("Good morning to you.", Language::EnUs, "leo", -6.0),
        ("नमस्ते दुनिया।", Language::HiIn, "sofia", -9.0),
    ] {
        let request = Request::new(text).language(language.tag()).voice(voice);
        let speech = ENGINE.synthesize(&request).unwrap();
        let phonemes = &inspector.inspect(text, language).sentences[0].phonemes;
        let seconds = (phonemes.chars().count() + 2) as f64 * TOKEN;
        assert!((speech.duration().as_secs_f64() - seconds).abs() < 0.001, "{text} by {voice}");

        let amplitude = 0.5 * 10_f64.powf(gain_db / 20.0);
        for (place, symbol) in phonemes.chars().enumerate() {
            let id = manifest["vocabulary"][symbol.to_string()].as_f64().unwrap();
            let hertz = 20.0 * (id % 16.0 + 1.0);
            let start = (place + 1) as f64 * TOKEN;
            // Where the resampler's filter does not reach the neighbours.
            let inside = (start + 0.01, start + TOKEN - 0.01);
            let range = [inside.0, inside.1].map(|time| (time * f64::from(SAMPLE_RATE)) as usize);
            for (i, sample) in speech.samples().iter().enumerate().take(range[1]).skip(range[0]) {
                let time = i as f64 / f64::from(SAMPLE_RATE);
                let wave = left_of(hertz) * (TAU * hertz * (time - start)).cos();
                let expected = amplitude * (1.0 - wave) / 2.0;
                let found = f64::from(*sample) / 32_767.0;
                let difference = (found - expected).abs();
                assert!(difference < 0.003, "{symbol:?} in {phonemes}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn a_stream_is_the_whole_in_parts() {
    let request = Request::new("One. Two, and more. Three!");
    let whole = ENGINE.synthesize(&request).unwrap();
    let chunks: Vec<_> = ENGINE.stream(&request).unwrap().map(|chunk| chunk.unwrap()).collect();
    assert_eq!(chunks.len(), 3);
    let samples: Vec<_> = chunks.iter().flat_map(|chunk| chunk.samples.clone()).collect();
    assert!(samples == whole.samples());
    let words: Vec<_> = chunks.into_iter().flat_map(|chunk| chunk.words).collect();
    assert_eq!(words, whole.words());
    assert_eq!(words.len(), 5);
}

#[test]
fn a_long_utterance_leaves_time_to_cancel_it() {
    // A little below the limit of tokens: one inference.
    let request = Request::new("on and ".repeat(55));
    let start = Instant::now();
    let whole = ENGINE.synthesize(&request).unwrap();
    let uncancelled = start.elapsed();
    assert!((400..510).contains(&(whole.duration().as_millis() / 50)), "{:?}", whole.duration());

    let cancel = CancelToken::new();
    let cancelled = thread::scope(|scope| {
        let canceller = scope.spawn(|| {
            thread::sleep(uncancelled / 5);
            cancel.cancel();
            Instant::now()
        });
        let error = ENGINE.synthesize_with(&request, &cancel).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        canceller.join().unwrap().elapsed()
    });
    assert!(cancelled < uncancelled / 2, "{cancelled:?} against {uncancelled:?}");

    assert!(ENGINE.synthesize(&request).unwrap().samples() == whole.samples());
}

//! The voice bundle of the fake model loads as the real one does, and sounds as `fake_model` says.

use std::sync::LazyLock;
use std::thread;

use serde_json::Value;
use speech_core::{
    CancelToken, Engine, ErrorKind, Inspector, Language, Precision, Request, SAMPLE_RATE, Voice,
};
use speech_tests::checkpoint::Checkpoint;
use speech_tests::{fake_model, inferences};

static ENGINE: LazyLock<Engine> = LazyLock::new(load);

fn load() -> Engine {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fake_model::write(dir.path()).unwrap();
    Engine::builder().bundle(dir.path()).threads(1).precision(Precision::F32).load().unwrap()
}

/// Seconds of a token, and of the pad at each end.
const TOKEN: f64 = 0.05;

/// The part of a token, in seconds, that no other token changes: at its start the filter of the resampler reaches into the
/// token before it, and 10 ms before its end the pitch changes to that of the next.
const OWN: [f64; 2] = [0.004, 0.04];

/// How often a second some samples fall below a level: from the first time to the last.
fn falls(samples: &[i16], level: f64) -> f64 {
    let below = |sample: i16| f64::from(sample) < level;
    let pairs = samples.windows(2).enumerate();
    let places: Vec<_> = pairs
        .filter(|(_, pair)| !below(pair[0]) && below(pair[1]))
        .map(|(place, _)| place)
        .collect();
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return 0.0 };
    (places.len() - 1) as f64 * f64::from(SAMPLE_RATE) / (last - first).max(1) as f64
}

#[test]
fn each_phoneme_is_its_tone() {
    let manifest: Value = serde_json::from_str(include_str!("../fake_model/bundle.json")).unwrap();
    let inspector = Inspector::new();
    let mut wrong = Vec::new();
    for (text, language, voice, gain_db) in [
        ("Good morning to you.", Language::EnUs, Voice::ARIA, 0.0),
        ("Good morning to you.", Language::EnUs, Voice::LEO, -6.0),
        ("नमस्ते दुनिया।", Language::HiIn, Voice::SOFIA, -9.0),
    ] {
        let request = Request::new(text).language(language).voice(voice);
        let speech = ENGINE.synthesize(&request).unwrap();
        let phonemes = &inspector.inspect(text, language).sentences[0].phonemes;
        let seconds = (phonemes.chars().count() + 2) as f64 * TOKEN;
        assert!((speech.seconds() - seconds).abs() < 0.001, "{text} by {voice}");

        let part = |start: f64, end: f64| {
            let range = [start, end].map(|time| (time * f64::from(SAMPLE_RATE)) as usize);
            &speech.samples()[range[0]..range[1]]
        };
        let peak = |samples: &[i16]| samples.iter().copied().max().map_or(0.0, f64::from);
        let loudest = 0.5 * 10_f64.powf(gain_db / 20.0) * 32_767.0;
        for (place, symbol) in phonemes.chars().enumerate() {
            let id = manifest["vocabulary"][symbol.to_string()].as_f64().unwrap();
            let start = (place + 1) as f64 * TOKEN;
            let own = part(start + OWN[0], start + OWN[1]);
            let (peak, falls) = (peak(own) / loudest, falls(own, loudest / 2.0));
            let expected = 100.0 + 40.0 * (id % 16.0);
            if (peak - 1.0).abs() > 0.01 || (falls / expected - 1.0).abs() > 0.01 {
                wrong.push(format!("{symbol:?} by {voice}: {peak}, {falls} not {expected}"));
            }
        }
        for pad in [part(0.0, TOKEN - OWN[0]), part(seconds - TOKEN + OWN[0], seconds - 0.001)] {
            assert!(pad.iter().all(|sample| sample.unsigned_abs() < 10), "{text} by {voice}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_stream_is_the_whole_in_parts() {
    let request = Request::new("One. Two, and more. Three!");
    let whole = ENGINE.synthesize(&request).unwrap();
    let chunks: Vec<_> = ENGINE.stream(&request).unwrap().map(|chunk| chunk.unwrap()).collect();
    assert_eq!(chunks.len(), 3);
    let samples: Vec<_> = chunks.iter().flat_map(|chunk| chunk.samples().to_vec()).collect();
    assert!(samples == whole.samples());
    let words: Vec<_> = chunks.into_iter().flat_map(|chunk| chunk.words().to_vec()).collect();
    assert_eq!(words, whole.words());
    assert_eq!(words.len(), 5);
}

#[test]
fn a_long_utterance_leaves_time_to_cancel_it() {
    // A little below the limit of frames: one inference.
    let request = Request::new("on and ".repeat(33));
    inferences::count();
    let checkpoint = Checkpoint::on_other_threads();
    let cancel = CancelToken::polling(checkpoint.counter());
    let run = || ENGINE.synthesize(request.clone().cancel_token(&cancel));
    let whole = thread::scope(|scope| scope.spawn(run).join().unwrap()).unwrap();
    assert!((10.0..16.0).contains(&whole.seconds()), "{} s", whole.seconds());

    checkpoint.hold(checkpoint.checks() / 2);
    let (interrupted, thread) = checkpoint.during(run, || cancel.cancel());
    assert_eq!(interrupted.unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(inferences::finished_on(thread), 0, "it was interrupted");

    assert!(ENGINE.synthesize(&request).unwrap().samples() == whole.samples());
}

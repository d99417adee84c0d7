//! Rate, pitch and volume, with the real voices.
#![allow(clippy::disallowed_types, reason = "nothing here forks")]

use std::sync::LazyLock;

use speech_core::{Engine, ErrorKind, Request, SAMPLE_RATE, Speech, Voice};

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    Engine::builder()
        .threads(2)
        .load()
        .expect("these tests need the voice bundle: run `cargo xtask test`, or set SPEECH_BUNDLE")
});

const TEXT: &str = "The quick brown fox jumps over the lazy dog near the river bank.";

fn speak(request: Request) -> Speech {
    ENGINE.synthesize(request).unwrap()
}

/// From the first word to the end of the last.
fn spoken_seconds(speech: &Speech) -> f64 {
    let words = speech.words();
    words.last().unwrap().end - words[0].start
}

#[test]
fn a_rate_divides_the_time() {
    let plain = spoken_seconds(&speak(Request::new(TEXT)));
    for rate in [0.5, 0.7, 1.25, 1.5, 2.0] {
        let found = plain / spoken_seconds(&speak(Request::new(TEXT).rate(rate)));
        assert!((found / rate - 1.0).abs() < 0.06, "rate {rate}: {found}");
    }
}

/// The median pitch in hertz, from autocorrelation peaks of the voiced frames.
fn median_pitch(speech: &Speech) -> f64 {
    let samples: Vec<f64> = speech.samples().iter().map(|sample| f64::from(*sample)).collect();
    let rate = SAMPLE_RATE as usize;
    let (least, most) = (rate / 500, rate / 70);
    let mut pitches: Vec<f64> = samples
        .windows(3 * most)
        .step_by(rate / 100)
        .filter_map(|frame| {
            let power: f64 = frame.iter().map(|x| x * x).sum();
            let at = |lag: usize| -> f64 {
                frame.iter().zip(&frame[lag..]).map(|(a, b)| a * b).sum::<f64>()
                    * frame.len() as f64
                    / (frame.len() - lag) as f64
            };
            let lag = (least..most).max_by(|a, b| at(*a).total_cmp(&at(*b)))?;
            (power > 1e8 && at(lag) > 0.6 * power).then(|| rate as f64 / lag as f64)
        })
        .collect();
    pitches.sort_by(f64::total_cmp);
    pitches[pitches.len() / 2]
}

#[test]
fn a_pitch_is_in_semitones() {
    for voice in [Voice::ARIA, Voice::JOHN] {
        let plain = median_pitch(&speak(Request::new(TEXT).voice(voice)));
        for semitones in [-4.0, 3.0] {
            let found = median_pitch(&speak(Request::new(TEXT).voice(voice).pitch(semitones)));
            let found = 12.0 * (found / plain).log2();
            assert!((found - semitones).abs() < 0.7, "{voice}: {semitones} is {found}");
        }
    }
}

#[test]
fn defaults_change_nothing() {
    let plain = speak(Request::new(TEXT));
    let same = speak(Request::new(TEXT).rate(1.0).pitch(0.0).volume(0.0).read_pauses(false));
    assert!(plain.samples() == same.samples());
}

#[test]
fn a_volume_is_in_decibels() {
    let power = |speech: &Speech| -> f64 {
        speech.samples().iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>().log10() * 10.0
    };
    let plain = power(&speak(Request::new(TEXT)));
    let quiet = power(&speak(Request::new(TEXT).volume(-12.0)));
    assert!((plain - quiet - 12.0).abs() < 0.05, "{}", plain - quiet);
    let loud = speak(Request::new(TEXT).volume(12.0));
    let peak = loud.samples().iter().map(|sample| sample.unsigned_abs()).max().unwrap();
    assert!((31_000..=31_660).contains(&peak), "{peak}");
}

#[test]
fn settings_out_of_range_are_refused() {
    for request in [
        Request::new(TEXT).rate(0.49),
        Request::new(TEXT).rate(f64::NAN),
        Request::new(TEXT).pitch(6.1),
        Request::new(TEXT).volume(-41.0),
    ] {
        assert_eq!(ENGINE.synthesize(request).unwrap_err().kind(), ErrorKind::InvalidRequest);
    }
}

//! The qualities of the real voice bundle.
#![allow(clippy::disallowed_types, reason = "nothing here forks")]

use std::sync::LazyLock;

use speech_core::{
    Engine, ErrorDetail, ErrorKind, KernelSet, Language, Latency, Quality, Request, Voice,
};

static ENGINE: LazyLock<Engine> = LazyLock::new(|| engine(1));

fn engine(threads: usize) -> Engine {
    let engine = Engine::builder().threads(threads).load();
    engine.expect("these tests need the voice bundle: run `cargo xtask test`")
}

const TEXT: &str = "The library closes early on Friday because the staff have a training session. \
                    It opens at ten, and \"nobody\" knows when it will close.";

/// The samples of a stream, its number of chunks, and the words' timestamps.
fn streamed(engine: &Engine, request: Request) -> (Vec<i16>, usize, Vec<(usize, f64)>) {
    let (mut samples, mut count, mut words) = (Vec::new(), 0, Vec::new());
    for chunk in engine.stream(request).unwrap() {
        let chunk = chunk.unwrap();
        words.extend(chunk.words().iter().map(|word| (word.span.start, word.start)));
        samples.extend(chunk.samples());
        count += 1;
    }
    (samples, count, words)
}

#[test]
fn aria_has_all_in_english_and_the_others_the_full_one() {
    let all = [Quality::Full, Quality::Fast, Quality::Light];
    assert_eq!(ENGINE.qualities(Voice::ARIA, Language::EnUs), all);
    assert_eq!(ENGINE.qualities(Voice::ARIA, Language::HiIn), [Quality::Full]);
    assert_eq!(ENGINE.qualities(Voice::LEO, Language::EnUs), [Quality::Full]);
    let error = ENGINE.stream(Request::new("a").voice(Voice::LEO).quality(Quality::Light));
    let error = error.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert_eq!(error.detail(), Some(ErrorDetail::QualityNotInBundle));
    let live = Request::new("").language(Language::HiIn).quality(Quality::Fast);
    let error = ENGINE.live(live).err().unwrap();
    assert_eq!(error.detail(), Some(ErrorDetail::QualityNotInBundle));
}

/// With the small decoder, streaming changes nothing.
#[test]
fn a_stream_with_low_latency_has_the_samples_of_the_whole() {
    let mut wrong = Vec::new();
    for quality in [Quality::Fast, Quality::Light] {
        for (text, rate) in
            [(TEXT, 1.0), (TEXT, 2.0), (TEXT, 0.5), ("Hi.", 1.0), ("Hi. I am here now.", 1.7)]
        {
            let request = Request::new(text).quality(quality).rate(rate);
            let whole = ENGINE.synthesize(&request).unwrap();
            let (samples, chunks, words) = streamed(&ENGINE, request.clone().latency(Latency::Low));
            let (standard, fewer, _) = streamed(&ENGINE, request);
            let is_early = text != TEXT || chunks == fewer + 2;
            let spans = whole.words().iter().map(|word| word.span.start);
            let same = samples == whole.samples() && standard == samples;
            if !same || !is_early || !spans.eq(words.iter().map(|(start, _)| *start)) {
                wrong.push(format!("{quality} at {rate}: {text}: {chunks} chunks, {fewer}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let three = engine(3);
    for quality in [Quality::Fast, Quality::Light] {
        let request = Request::new(TEXT).quality(quality);
        let one = ENGINE.synthesize(&request).unwrap();
        assert!(three.synthesize(&request).unwrap().samples() == one.samples(), "{quality}");
    }
}

/// The timestamps come from the prosody, and the ends of words from the audio.
#[test]
fn fast_speech_has_the_timings_of_the_full_one() {
    let spoken = |quality| ENGINE.synthesize(Request::new(TEXT).quality(quality)).unwrap();
    let [full, fast, light] = [Quality::Full, Quality::Fast, Quality::Light].map(spoken);
    assert!((full.seconds() - fast.seconds()).abs() < 0.1);
    assert!((full.seconds() / light.seconds() - 1.0).abs() < 0.1);
    for (full, fast) in full.words().iter().zip(fast.words()) {
        assert_eq!(full.span, fast.span);
        assert!((full.start - fast.start).abs() < 0.08, "{full:?} {fast:?}");
    }
    let power = |speech: &speech_core::Speech| {
        let squares = speech.samples().iter().map(|sample| f64::from(*sample).powi(2));
        10.0 * (squares.sum::<f64>() / speech.samples().len() as f64).log10()
    };
    for other in [&fast, &light] {
        assert!((power(&full) - power(other)).abs() < 1.5, "{} {}", power(&full), power(other));
    }
}

/// All sets have the same timestamps, except for silence trimmed by loudness. `speech-acoustic`
/// compares their spectra.
#[test]
fn every_set_of_kernels_speaks_alike() {
    let request = Request::new("The library closes early.").quality(Quality::Light);
    let expected = ENGINE.synthesize(&request).unwrap();
    for set in KernelSet::ALL {
        let Ok(engine) = Engine::builder().threads(2).kernels(set).load() else { continue };
        let speech = engine.synthesize(&request).unwrap();
        let [found, exact] = [&speech, &expected].map(|speech| speech.seconds());
        assert!((found - exact).abs() < 0.005, "{set}: {found} and {exact} s");
        assert_eq!(speech.words().len(), expected.words().len(), "{set}");
        for (found, exact) in speech.words().iter().zip(expected.words()) {
            assert!((found.start - exact.start).abs() < 0.005, "{set}: {found:?} and {exact:?}");
        }
    }
}

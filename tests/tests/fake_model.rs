//! The fake model's bundle loads like the real one, and sounds as described in `fake_model`.

use std::sync::LazyLock;
use std::thread;

use serde_json::Value;
use speech_core::{
    CancelToken, Engine, ErrorKind, Inspector, Language, Latency, Lexicon, Precision, Request,
    SAMPLE_RATE, Step, Stream, Voice,
};
use speech_tests::checkpoint::Checkpoint;
use speech_tests::{fake_model, inferences};

static ENGINE: LazyLock<Engine> = LazyLock::new(load);

fn bundle() -> tempfile::TempDir {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fake_model::write(dir.path()).unwrap();
    dir
}

fn load() -> Engine {
    let dir = bundle();
    Engine::builder().bundle(dir.path()).threads(1).precision(Precision::F32).load().unwrap()
}

/// The duration in seconds of a token, and of the pad at each end.
const TOKEN: f64 = 0.05;

/// The part of a token, in seconds, that is independent of other tokens. At its start the
/// resampling filter reaches into the previous token, and 10 ms before its end the pitch changes to
/// that of the next.
const OWN: [f64; 2] = [0.004, 0.04];

/// The number of times per second that samples fall below a level, between the first and the last
/// time.
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

/// The samples of a request from each way of speaking.
fn spoken(engine: &Engine, request: &Request) -> [Vec<i16>; 4] {
    let samples = |stream: Stream| stream.flat_map(|chunk| chunk.unwrap().into_samples()).collect();
    let live = || {
        let (text, stream) = engine.live(request.clone()).unwrap();
        text.finish();
        samples(stream)
    };
    [
        engine.synthesize(request).unwrap().into_samples(),
        samples(engine.stream(request).unwrap()),
        samples(engine.stream_long(request).unwrap()),
        live(),
    ]
}

#[test]
fn a_request_has_pronunciations_and_lexicons() {
    let engine = Engine::builder().pronunciations([("a1", "one"), ("a2", "one")]).unwrap();
    let engine = engine.bundle(bundle().path()).threads(1).load().unwrap();
    let lexicon = Lexicon::parse("a2\ttwo and two\na3\ttwo and two\nb\t/ɑmɑ/").unwrap();
    let hindi = Lexicon::from_pls(
        "<lexicon version='1.0' xml:lang='hi'>\
           <lexeme><grapheme>b</grapheme><alias>none of this</alias></lexeme></lexicon>",
    );
    let request = Request::new("a1, a2, a3, b.")
        .lexicon(hindi.unwrap())
        .lexicon(lexicon)
        .pronunciation("a3", "three and three and three")
        .unwrap();
    let expected = "one, two and two, three and three and three, [b](/ɑmɑ/).";
    assert!(spoken(&engine, &request) == spoken(&engine, &Request::new(expected)));
    // Another request does not use the cache.
    let other = Request::new("a1, a2, a3, b.");
    assert!(spoken(&engine, &other) == spoken(&engine, &Request::new("one, one, a3, b.")));
}

#[test]
fn a_sentence_in_the_cache_is_not_computed_again() {
    inferences::count();
    let (me, dir) = (thread::current().id(), bundle());
    let load = |shared| {
        let builder = Engine::builder().cache(1 << 22).share_cache(shared);
        builder.bundle(dir.path()).threads(1).precision(Precision::F32).load().unwrap()
    };
    let engine = load(false);
    // The samples of a request spoken on this thread, and the number of inferences.
    let speak = |engine: &Engine, request: &Request| {
        let before = inferences::finished_on(me);
        let mut samples = Vec::new();
        let mut stream = engine.stream(request).unwrap();
        while stream.step(|chunk| samples.extend(chunk.into_samples())).unwrap() != Step::Ended {}
        (samples, inferences::finished_on(me) - before)
    };
    let text = "One of them. Two of them, which is a longer sentence. Three.";
    let low = Request::new(text).latency(Latency::Low);
    for request in [Request::new(text), low.clone()] {
        let (computed, inferences) = speak(&ENGINE, &request);
        let first = speak(&engine, &request);
        assert!(first.0 == computed && inferences == 3);
        let again = speak(&engine, &request);
        assert!(again.0 == computed, "the same bytes");
        assert_eq!(again.1, 0);
    }
    for (request, inferences) in [
        (Request::new("Two of them, which is a longer sentence. Four."), 1),
        (Request::new(text).volume(-3.0), 0),
        (Request::new(text).pronunciation("Three", "/mɑ/").unwrap(), 1),
        (Request::new(text).rate(1.5), 3),
        // The fake model's voices differ only in their gain, which is applied later.
        (Request::new(text).voice(Voice::LEO), 0),
    ] {
        let (computed, _) = speak(&ENGINE, &request);
        let (samples, found) = speak(&engine, &request);
        assert!(samples == computed, "{request:?}");
        assert_eq!(found, inferences, "{request:?}");
    }
    // The cache of another tenant, and an emptied one.
    assert_eq!(speak(&engine.tenant("other"), &low).1, 3);
    engine.trim();
    assert_eq!(speak(&engine, &low).1, 3);
    let shared = load(true);
    assert_eq!(speak(&shared, &low).1, 3);
    assert_eq!(speak(&shared.tenant("other"), &low).1, 0);
}

#[test]
fn a_long_utterance_leaves_time_to_cancel_it() {
    // Slightly below the limit of frames, so one inference.
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

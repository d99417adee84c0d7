//! The whole library with the real voice bundle. `cargo xtask test` provides it.
#![allow(clippy::disallowed_types, reason = "nothing here forks")]

use std::sync::LazyLock;
use std::thread;

use proptest::prelude::*;
use speech_core::{CancelToken, Engine, ErrorKind, Language, Request, SAMPLE_RATE, Voice, voices};
use speech_tests::checkpoint::Checkpoint;
use speech_tests::properties::cases;
use speech_tests::{fake_model, inferences};

static ENGINE: LazyLock<Engine> = LazyLock::new(|| load(1, 1));

/// Gives equally long audio in a hundredth of the time, for tests that do not listen.
static FAST_ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let bundle = tempfile::tempdir().unwrap();
    fake_model::write(bundle.path()).unwrap();
    Engine::builder().bundle(bundle.path()).threads(1).load().unwrap()
});

fn load(threads: usize, max_concurrency: usize) -> Engine {
    Engine::builder()
        .threads(threads)
        .max_concurrency(max_concurrency)
        .load()
        .expect("these tests need the voice bundle: run `cargo xtask test`, or set SPEECH_BUNDLE")
}

const TEXT: &str = "Good morning. It is 10:30, and there are 12 people here!";

#[test]
fn hello_world_sounds_like_speech() {
    let request = Request::new("Hello, world.");
    let speech = ENGINE.synthesize(&request).unwrap();
    let seconds = speech.seconds();
    assert!((0.7..2.0).contains(&seconds), "{seconds} s");
    assert_eq!(speech.sample_rate(), 22_050);
    assert_eq!(speech.characters(), 13);
    assert!(speech.diagnostics().is_empty());

    let peak = speech.samples().iter().map(|s| s.unsigned_abs()).max().unwrap();
    assert!((3000..32_000).contains(&peak), "peak {peak}");
    let words: Vec<_> = speech.words().iter().map(|word| word.span.clone()).collect();
    assert_eq!(words, [0..5, 7..12]);
    // The words are where the energy is.
    let energy = |range: std::ops::Range<usize>| {
        range.clone().map(|i| f64::from(speech.samples()[i]).powi(2)).sum::<f64>()
            / range.len() as f64
    };
    let at = |seconds: f64| (seconds * f64::from(SAMPLE_RATE)) as usize;
    for word in speech.words() {
        let lead = energy(0..at(0.02));
        assert!(energy(at(word.start)..at(word.end)) > 100.0 * lead.max(1.0), "{word:?}");
    }
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    let request = Request::new(TEXT);
    let first = ENGINE.synthesize(&request).unwrap();
    let again = ENGINE.synthesize(&request).unwrap();
    assert!(first.to_wav() == again.to_wav());
    assert_ne!(first.request_id(), again.request_id());
    let other = load(1, 1).synthesize(&request).unwrap();
    assert!(first.to_wav() == other.to_wav());
}

#[test]
fn a_stream_is_the_whole_in_parts() {
    let request = Request::new(TEXT).voice(Voice::LEO);
    let whole = ENGINE.synthesize(&request).unwrap();
    let mut stream = ENGINE.stream(&request).unwrap();
    assert_eq!(stream.sentences_left(), Some(2));
    let mut bytes = Vec::new();
    let mut words = Vec::new();
    let mut spans = Vec::new();
    for chunk in stream.by_ref() {
        let chunk = chunk.unwrap();
        bytes.extend(chunk.to_pcm());
        words.extend_from_slice(chunk.words());
        spans.push(&TEXT[chunk.span()]);
    }
    assert!(bytes == whole.to_pcm());
    assert_eq!(words, whole.words());
    assert_eq!(spans, ["Good morning.", "It is 10:30, and there are 12 people here!"]);
    assert!(stream.next().is_none());
    assert!(whole.to_wav()[44..] == bytes);
}

#[test]
fn eight_threads_give_the_bytes_of_one() {
    let engine = load(1, 2);
    let texts: Vec<String> = (0..8).map(|i| format!("Number {i}.")).collect();
    let alone: Vec<_> =
        texts.iter().map(|text| ENGINE.synthesize(Request::new(text)).unwrap().to_wav()).collect();
    let together: Vec<_> = thread::scope(|scope| {
        let speak = |text| {
            let engine = engine.clone();
            scope.spawn(move || engine.synthesize(Request::new(text)).unwrap().to_wav())
        };
        let threads: Vec<_> = texts.iter().map(speak).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(alone == together);
}

#[test]
fn cancellation_interrupts_a_running_inference() {
    let sentence = "This sentence goes on for quite a while, with clause after clause, so that the model has \
                    something to do for a time that can be measured on any machine.";
    inferences::count();
    let checkpoint = Checkpoint::on_other_threads();
    let cancel = CancelToken::polling(checkpoint.counter());
    let run = || ENGINE.synthesize(Request::new(sentence).cancel_token(&cancel));
    let expected = thread::scope(|scope| scope.spawn(run).join().unwrap()).unwrap();

    checkpoint.hold(checkpoint.checks() / 2);
    let (interrupted, thread) = checkpoint.during(run, || cancel.cancel());
    assert_eq!(interrupted.unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(inferences::finished_on(thread), 0, "it was interrupted");

    // A request waiting for its turn is woken too, and the engine goes on as before.
    let cancel = CancelToken::new();
    cancel.cancel();
    let request = Request::new(sentence).cancel_token(&cancel);
    assert_eq!(ENGINE.synthesize(request).unwrap_err().kind(), ErrorKind::Cancelled);
    assert!(ENGINE.synthesize(sentence).unwrap().to_wav() == expected.to_wav());
}

#[test]
fn a_cancelled_stream_ends() {
    let cancel = CancelToken::new();
    let mut stream = ENGINE.stream(Request::new("One. Two. Three.").cancel_token(&cancel)).unwrap();
    let id = stream.request_id();
    assert!(stream.next().unwrap().is_ok());
    cancel.cancel();
    let error = stream.next().unwrap().unwrap_err();
    assert_eq!((error.kind(), error.request_id()), (ErrorKind::Cancelled, id));
    assert!(stream.next().is_none());
}

#[test]
fn a_stream_outlives_its_engine() {
    let engine = load(1, 1);
    let stream = engine.stream(Request::new("One. Two.")).unwrap();
    drop(engine);
    assert_eq!(stream.map(|chunk| chunk.unwrap().samples().len()).filter(|n| *n > 4000).count(), 2);
}

#[test]
fn nothing_to_say_is_a_short_silence() {
    for text in ["😀", "...!?", "\u{1}\u{7}", "—", "\u{e000} 🤖"] {
        let speech = ENGINE.synthesize(Request::new(text)).unwrap();
        assert!(speech.samples().iter().all(|sample| *sample == 0));
        assert!((0.1..0.5).contains(&speech.seconds()), "{text:?}");
        assert_eq!(speech.characters(), text.chars().count());
    }
    let robot = ENGINE.synthesize(Request::new("\u{e000} 🤖")).unwrap();
    let skipped: Vec<_> =
        robot.diagnostics().iter().map(|diagnostic| diagnostic.span.clone()).collect();
    assert_eq!(skipped, [0..3, 4..8]);
}

#[test]
fn a_request_keeps_the_identifier_that_it_was_given() {
    let valid = ENGINE.validate("Hi.").unwrap();
    let id = valid.request_id();
    assert_eq!(ENGINE.synthesize(valid.clone()).unwrap().request_id(), id);
    assert_eq!(ENGINE.stream(valid).unwrap().request_id(), id);
    let chosen = |text| Request::new(text).request_id(id);
    assert_eq!(chosen("Hi.").validate().unwrap().request_id(), id);
    assert_eq!(ENGINE.live(chosen("")).unwrap().1.request_id(), id);
    assert_eq!(ENGINE.stream_long(chosen("Hi.")).unwrap().request_id(), id);
    let refused = [
        ENGINE.validate(chosen("")).err(),
        ENGINE.synthesize(chosen("")).err(),
        ENGINE.stream(chosen("").rate(9.0)).err(),
        ENGINE.live(chosen("\0")).err(),
        ENGINE.stream_long(chosen("")).err(),
    ];
    assert!(refused.into_iter().all(|error| error.unwrap().request_id() == id));
}

#[test]
fn every_form_of_a_request_is_spoken() {
    let request = Request::new("Hi.");
    let expected = FAST_ENGINE.synthesize(&request).unwrap().into_samples();
    let text = String::from("Hi.");
    assert!(FAST_ENGINE.synthesize(text.as_str()).unwrap().samples() == expected);
    assert!(FAST_ENGINE.synthesize(text).unwrap().samples() == expected);
    let stream = FAST_ENGINE.stream(request).unwrap();
    assert!(stream.flat_map(|chunk| chunk.unwrap().into_samples()).eq(expected));
}

#[test]
fn refusals_come_before_any_work_and_carry_their_request() {
    for (request, kind) in [
        (Request::new(" "), ErrorKind::EmptyText),
        (Request::new("x".repeat(1001)), ErrorKind::TextTooLong),
        (Request::new("a [b](/b9/)"), ErrorKind::InvalidRequest),
    ] {
        assert_eq!(ENGINE.synthesize(&request).unwrap_err().kind(), kind);
        let error = ENGINE.stream(&request).unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(!error.request_id().to_string().is_empty());
    }
}

#[test]
fn the_longest_texts_are_spoken_whole() {
    let one_word = "kilo".repeat(250);
    let one_sentence = format!("{}end", "long ".repeat(150));
    for (text, least_seconds) in [(one_word, 20.0), (one_sentence, 20.0)] {
        let speech = FAST_ENGINE.synthesize(Request::new(&text)).unwrap();
        assert!(speech.seconds() > least_seconds, "{} s", speech.seconds());
        assert_eq!(speech.words().last().unwrap().span.end, text.len());
    }
}

/// The integrated loudness by EBU R128, in LUFS.
fn loudness(samples: &[i16]) -> f64 {
    let mut meter = ebur128::EbuR128::new(1, SAMPLE_RATE, ebur128::Mode::I).unwrap();
    meter.add_frames_i16(samples).unwrap();
    meter.loudness_global().unwrap()
}

#[test]
fn every_voice_speaks_every_language_and_none_is_louder() {
    let texts = [
        (
            Language::EnUs,
            "The recipe calls for fresh basil, ripe tomatoes and a little olive oil. Nobody knew the answer.",
        ),
        (Language::HiIn, "आज मौसम बहुत अच्छा है। हम लोग शाम को बाज़ार जाएँगे और फल लाएँगे।"),
    ];
    assert_eq!(voices().voices.len(), Voice::ALL.len());
    for (language, text) in texts {
        let levels = Voice::ALL.map(|voice| {
            let request = Request::new(text).voice(voice).language(language);
            loudness(ENGINE.synthesize(&request).unwrap().samples())
        });
        let quietest = levels.iter().copied().fold(f64::INFINITY, f64::min);
        let loudest = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(loudest - quietest < 1.0, "{language:?}: {levels:.1?}");
        assert!(quietest > -23.0 && loudest < -21.0, "{language:?}: {levels:.1?}");
    }
}

#[test]
fn a_volume_raises_every_sentence_alike() {
    let english = "The storm reached the coast before dawn. Nobody had expected it so early! Was anyone \
                   hurt? The mayor said that the damage could be repaired within a month.";
    let hindi = "आज सुबह से तेज़ बारिश हो रही है। बच्चे स्कूल नहीं जा सके! क्या शाम तक मौसम ठीक हो जाएगा? \
                 मौसम विभाग ने कहा है कि अगले दो दिन तक ऐसा ही रहेगा।";
    let mut wrong = Vec::new();
    for (language, text, voice) in [
        (Language::EnUs, english, Voice::ARIA),
        (Language::EnUs, english, Voice::JOHN),
        (Language::HiIn, hindi, Voice::ARIA),
        (Language::HiIn, hindi, Voice::JOHN),
    ] {
        let request = Request::new(text).voice(voice).language(language);
        let sentences = |volume| -> Vec<Vec<i16>> {
            let stream = ENGINE.stream(request.clone().volume(volume)).unwrap();
            stream.map(|chunk| chunk.unwrap().into_samples()).collect()
        };
        let plain: Vec<_> = sentences(0.0).iter().map(|samples| loudness(samples)).collect();
        assert_eq!(plain.len(), 4);
        // The smallest rise, and the largest difference between two sentences, in decibels.
        for (volume, least, spread) in [(3.0, 2.8, 0.2), (6.0, 5.5, 0.5), (12.0, 8.5, 2.0)] {
            let sentences = sentences(volume);
            let rises = sentences.iter().zip(&plain).map(|(one, plain)| loudness(one) - plain);
            let mut rises: Vec<_> = rises.collect();
            rises.sort_by(f64::total_cmp);
            let samples = sentences.concat();
            let peak = samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap();
            let whole = (volume == 12.0)
                .then(|| ENGINE.synthesize(request.clone().volume(volume)).unwrap());
            let checks = [
                ("rise", rises[0] > least && rises[3] < volume + 0.05),
                ("alike", rises[3] - rises[0] < spread),
                ("ceiling", if volume == 12.0 { peak == 31_653 } else { peak <= 31_653 }),
                ("stream", whole.is_none_or(|whole| whole.samples() == samples)),
            ];
            let failed = checks.into_iter().filter(|(_, right)| !right).map(|(check, _)| check);
            wrong.extend(failed.map(|check| {
                format!("{check}: {voice} {language} +{volume} dB: {rises:.2?}, peak {peak}")
            }));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_text_gives_audio_or_a_typed_error(text in "\\PC{1,12}|.{1,12}|[a\\x00 ]{1,4}", voice in 0..5_usize, hindi: bool) {
        let language = if hindi { Language::HiIn } else { Language::EnUs };
        let request = Request::new(&text).voice(Voice::ALL[voice]).language(language);
        match FAST_ENGINE.synthesize(&request) {
            Ok(speech) => {
                prop_assert!(!speech.samples().is_empty());
                prop_assert_eq!(speech.characters(), text.chars().count());
            }
            Err(error) if text.contains('\0') => {
                prop_assert_eq!(error.kind(), ErrorKind::InvalidRequest);
            }
            Err(error) => prop_assert_eq!(error.kind(), ErrorKind::EmptyText),
        }
    }
}

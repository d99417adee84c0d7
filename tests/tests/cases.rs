//! The table of cases through the Rust API.

use std::error::Error as _;
use std::sync::Mutex;
use std::time::Duration;

use log::{LevelFilter, Log, Metadata, Record};
use speech_core::{Engine, Error, Lexicon, Request, Result, Tier, TierCatalogue, split_text};
use speech_tests::cases::{self, RequestCase};
use speech_tests::fake_model;

#[test]
fn requests() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fake_model::write(dir.path()).unwrap();
    let engine = Engine::builder().bundle(dir.path()).threads(1).load().unwrap();
    let cases = cases::read();
    let synthesize = |request: Request| {
        let speech = engine.synthesize(request)?;
        Ok((speech.characters(), speech.diagnostics().len()))
    };
    let stream = |request: Request| {
        let mut stream = engine.stream(request)?;
        stream.by_ref().try_for_each(|chunk| chunk.map(drop))?;
        Ok((stream.characters(), stream.diagnostics().len()))
    };
    let wrong = [failures(&cases.requests, synthesize), failures(&cases.streams, stream)].concat();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The cases with a wrong result, and that result.
fn failures(
    cases: &[RequestCase],
    speak: impl Fn(Request) -> Result<(usize, usize)>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases {
        let spoken =
            Request::from_json(case.body().as_bytes()).and_then(|(request, _)| speak(request));
        let found = match &spoken {
            Ok((characters, skipped)) => (Some(*characters), *skipped, None, None),
            Err(error) => (None, 0, Some(error.kind().as_str()), Some(error.message())),
        };
        let error = (case.error.as_deref(), case.message.as_deref());
        if found != (case.characters, case.skipped, error.0, error.1) {
            wrong.push(format!("{}: {found:?}", case.name));
        }
    }
    wrong
}

/// All log messages of any level.
struct Logged(Mutex<String>);

static LOGGED: Logged = Logged(Mutex::new(String::new()));

impl Log for Logged {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        *self.0.lock().unwrap() += &format!("{}\n", record.args());
    }

    fn flush(&self) {}
}

/// All texts of an error: display, debug and its sources.
fn told(error: &Error) -> String {
    let mut told = format!("{error} {error:?} {}", error.to_json());
    let mut cause = error.source();
    while let Some(error) = cause {
        told += &format!(" {error} {error:?}");
        cause = error.source();
    }
    told
}

/// An entry in PLS: IPA as a phoneme, otherwise as an alias.
fn pls(words: &str, reading: &str) -> String {
    let name = if reading.starts_with('/') { "phoneme" } else { "alias" };
    format!(
        "<lexicon version='1.0' xml:lang='en'><lexeme role='{words}'><grapheme>{words}</grapheme>\
         <{name}>{reading}</{name}></lexeme></lexicon>"
    )
}

#[test]
fn no_message_and_no_log_holds_a_part_of_a_request() {
    log::set_logger(&LOGGED).unwrap();
    log::set_max_level(LevelFilter::Trace);
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fake_model::write(dir.path()).unwrap();
    let engine = Engine::builder().bundle(dir.path()).threads(1).load().unwrap();
    let cases = cases::read();
    let mut wrong = Vec::new();
    for case in &cases.secrets {
        let spoken = Request::from_json(case.body().as_bytes())
            .and_then(|(request, _)| engine.stream(request)?.try_for_each(|chunk| chunk.map(drop)));
        let error = spoken.as_ref().err();
        if error.map(|error| error.kind().as_str()) != case.error.as_deref()
            || error.is_some_and(|error| cases::has_secret(&told(error)))
        {
            wrong.push(format!("{}: {error:?}", case.name));
        }
    }
    for case in &cases.secret_pronunciations {
        let line = format!("{}\t{}", case.words, case.reading);
        let refused = [
            Lexicon::new().insert(&case.words, &case.reading).unwrap_err(),
            Lexicon::new().insert_all([("a", "b"), (&case.words, &case.reading)]).unwrap_err(),
            Lexicon::parse(&line).unwrap_err(),
            Lexicon::from_pls(&pls(&case.words, &case.reading)).unwrap_err(),
            Request::new("a")
                .pronunciations([("a", "b"), (&case.words, &case.reading)])
                .unwrap_err(),
        ];
        let has_place = refused[1].message().starts_with("entry 2: ");
        if !has_place || refused.iter().any(|error| cases::has_secret(&told(error))) {
            wrong.push(format!("{}: {refused:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let logged = LOGGED.0.lock().unwrap();
    assert!(logged.contains(" tokens: ") && !cases::has_secret(&logged), "{logged}");
}

#[test]
fn splits() {
    for case in cases::read().splits {
        assert_eq!(split_text(&case.text, case.max_characters), case.parts);
    }
}

#[test]
fn tiers_and_charges() {
    let cases = cases::read();
    for case in &cases.tiers {
        let resolved = TierCatalogue::new(case.contexts.iter().copied()).resolve(&case.name);
        let found = resolved.map(|tier| tier.to_string()).map_err(|e| e.kind().to_string());
        assert_eq!(found.as_ref().ok(), case.tier.as_ref(), "{case:?}");
        assert_eq!(found.as_ref().err(), case.error.as_ref(), "{case:?}");
    }
    for case in &cases.charges {
        let tier = Tier::ALL.into_iter().find(|tier| tier.as_str() == case.tier).unwrap();
        let charge = tier.charge(Duration::from_nanos(case.nanoseconds));
        assert_eq!(charge, u128::from(case.micros), "{case:?}");
    }
}

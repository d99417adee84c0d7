//! The table of cases through the Rust API.

use std::time::Duration;

use speech_core::{Engine, Request, Result, Tier, TierCatalogue, split_text};
use speech_tests::cases::{self, RequestCase};
use speech_tests::fake_model;

#[test]
fn requests() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fake_model::write(dir.path()).unwrap();
    let engine = Engine::builder().bundle(dir.path()).threads(1).load().unwrap();
    let cases = cases::read();
    let synthesize = |request: Request| {
        let speech = engine.synthesize(&request)?;
        Ok((speech.characters(), speech.diagnostics().len()))
    };
    let stream = |request: Request| {
        let mut stream = engine.stream(&request)?;
        stream.by_ref().try_for_each(|chunk| chunk.map(drop))?;
        Ok((stream.characters(), stream.diagnostics().len()))
    };
    let wrong = [failures(&cases.requests, synthesize), failures(&cases.streams, stream)].concat();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The cases that do not come out as they should, with what came of them.
fn failures(
    cases: &[RequestCase],
    speak: impl Fn(Request) -> Result<(usize, usize)>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases {
        let spoken = Request::from_json(case.body().as_bytes()).and_then(&speak);
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

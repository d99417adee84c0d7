//! The table of cases through the Rust API.

use std::time::Duration;

use speech_core::{Engine, Request, Tier, TierCatalogue, split_text};
use speech_tests::{cases, hum};

#[test]
fn requests() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    hum::write(dir.path()).unwrap();
    let engine = Engine::builder().bundle(dir.path()).threads(1).load().unwrap();
    let mut wrong = Vec::new();
    for case in cases::read().requests {
        let spoken = Request::from_json(case.body().as_bytes())
            .and_then(|request| engine.synthesize(&request));
        let found = match &spoken {
            Ok(speech) => (Some(speech.characters()), speech.diagnostics().len(), None, None),
            Err(error) => (None, 0, Some(error.kind().as_str()), Some(error.message())),
        };
        let error = (case.error.as_deref(), case.message.as_deref());
        if found != (case.characters, case.skipped, error.0, error.1) {
            wrong.push(format!("{}: {found:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
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
        let found = resolved.map(|tier| tier.name().to_owned()).map_err(|e| e.kind().to_string());
        assert_eq!(found.as_ref().ok(), case.tier.as_ref(), "{case:?}");
        assert_eq!(found.as_ref().err(), case.error.as_ref(), "{case:?}");
    }
    for case in &cases.charges {
        let tier = Tier::ALL.into_iter().find(|tier| tier.name() == case.tier).unwrap();
        let charge = tier.charge(Duration::from_nanos(case.nanoseconds));
        assert_eq!(charge, u128::from(case.micros), "{case:?}");
    }
}

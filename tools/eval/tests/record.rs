//! A record shows exactly what a change of the front end affected.

use speech_core::{Language, Lexicon};
use speech_eval::record::{changes, record, texts};

#[test]
fn a_planted_change_is_found() {
    let texts = [
        (Language::EnUs, "Dr. Lee paid $5.\nShe left.".to_owned()),
        (Language::EnUs, "The zorblat is closed.".to_owned()),
        (Language::HiIn, "डॉ. शर्मा 5 बजे आए।".to_owned()),
    ];
    let before = record(&texts, &Lexicon::new());
    assert_eq!(before.lines().count(), texts.len());
    let lexicon = Lexicon::parse("zorblat\tzebra\n").expect("an entry");
    let after = record(&texts, &lexicon);
    let found = changes(&before, &after);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].text, "en-US The zorblat is closed.");
    assert!(found[0].after.contains("zebra") && !found[0].before.contains("zebra"));
    assert_eq!(changes(&before, &before), []);
}

#[test]
fn all_tables_are_recorded() {
    let texts = texts(10).expect("the tables are there");
    assert!(texts.len() > 20_000, "{}", texts.len());
    assert!(texts.iter().any(|(language, text)| *language == Language::HiIn && text.contains('ल')));
}

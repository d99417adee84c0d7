//! Scores sentence boundaries.

use speech_text::front_end;

use crate::Report;
use crate::table::rows;

const ENGLISH: &str = include_str!("../../../core/text/tests/data/sentences_en.tsv");
const HINDI: &str = include_str!("../../../core/text/tests/data/sentences_hi.tsv");
const OWN_HINDI: &str = include_str!("../../../core/text/tests/data/sentences_own_hi.tsv");

/// Cuts every English text into sentences, and scores the sets of the table, `golden` and `other`.
///
/// Whitespace does not count, neither its amount nor that at the ends.
pub fn score_english() -> Report {
    let mut report = Report::default();
    for row in rows(ENGLISH, 6) {
        report.add(row[1], check(row[2], row[4], row[5]));
    }
    report
}

/// Cuts every Hindi text into sentences, and scores the tables `given` and `own`.
pub fn score_hindi() -> Report {
    let mut report = Report::default();
    for (set, table) in [("given", HINDI), ("own", OWN_HINDI)] {
        for row in rows(table, 2) {
            report.add(set, check(row[0], row[0], row[1]));
        }
    }
    report
}

/// Checks that a text is cut into the expected sentences; all arguments are JSON.
fn check(name: &str, text: &str, expected: &str) -> Result<(), String> {
    let text: String = serde_json::from_str(text).expect("the text is a JSON string");
    let expected: Vec<String> = serde_json::from_str(expected).expect("a JSON array of strings");
    let got: Vec<_> =
        front_end::sentences(&text).into_iter().map(|s| squeeze(&text[s.span])).collect();
    let expected: Vec<_> = expected.iter().map(|sentence| squeeze(sentence)).collect();
    if got == expected { Ok(()) } else { Err(format!("{name}: {got:?}")) }
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

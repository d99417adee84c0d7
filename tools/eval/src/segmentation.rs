//! Where sentences end.

use speech_core::stages;

use crate::Report;
use crate::table::rows;

const ENGLISH: &str = include_str!("../../../core/tests/data/sentences_en.tsv");

/// Cuts every English text into sentences, by the sets of the table: `golden` and `other`.
///
/// White space does not count: neither how much of it there is, nor what is at the ends.
pub fn score_english() -> Report {
    let mut report = Report::default();
    for row in rows(ENGLISH, 6) {
        let (set, name) = (row[1], row[2]);
        let text: String = serde_json::from_str(row[4]).expect("the text is a JSON string");
        let expected: Vec<String> = serde_json::from_str(row[5]).expect("a JSON array of strings");
        let got: Vec<_> = stages::sentences(&text).into_iter().map(|s| squeeze(&text[s])).collect();
        let expected: Vec<_> = expected.iter().map(|sentence| squeeze(sentence)).collect();
        let outcome = if got == expected { Ok(()) } else { Err(format!("{name}: {got:?}")) };
        report.add(set, outcome);
    }
    report
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

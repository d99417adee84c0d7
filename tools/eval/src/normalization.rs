//! Scores the normalization of numbers, dates, addresses and other non-words.

use std::collections::BTreeMap;

use speech_core::{Inspector, Language};
use unicode_normalization::UnicodeNormalization;

use crate::Report;
use crate::table::rows;

/// A table of texts and their readings.
pub struct Table {
    /// The display name.
    pub name: &'static str,
    language: Language,
    /// Class, text, and readings separated by `|`.
    cases: &'static str,
    /// Text, our reading, the reason: rows whose expected reading is wrong for speech.
    disputes: &'static str,
}

/// NeMo's cases, as far as included here.
pub const NEMO_EN: Table = Table {
    name: "NeMo, en",
    language: Language::EnUs,
    cases: include_str!("../data/tn_nemo_en.tsv"),
    disputes: include_str!("../data/tn_nemo_en_disputes.tsv"),
};

/// Everyday cases that NeMo lacks.
pub const EVERYDAY_EN: Table = Table {
    name: "everyday, en",
    language: Language::EnUs,
    cases: include_str!("../data/tn_everyday_en.tsv"),
    disputes: "",
};

/// Our own cases.
pub const OWN_EN: Table = Table {
    name: "our own, en",
    language: Language::EnUs,
    cases: include_str!("../data/tn_own_en.tsv"),
    disputes: "",
};

/// NeMo's Hindi cases, as far as included here.
pub const NEMO_HI: Table = Table {
    name: "NeMo, hi",
    language: Language::HiIn,
    cases: include_str!("../data/tn_nemo_hi.tsv"),
    disputes: include_str!("../data/tn_nemo_hi_disputes.tsv"),
};

/// Everyday Hindi cases that NeMo lacks.
pub const EVERYDAY_HI: Table = Table {
    name: "everyday, hi",
    language: Language::HiIn,
    cases: include_str!("../data/tn_everyday_hi.tsv"),
    disputes: "",
};

/// Our own cases in Hindi, and in Hindi mixed with English.
pub const OWN_HI: Table = Table {
    name: "our own, hi",
    language: Language::HiIn,
    cases: include_str!("../data/tn_own_hi.tsv"),
    disputes: "",
};

/// Every table.
pub const ALL: [Table; 6] = [NEMO_EN, EVERYDAY_EN, OWN_EN, NEMO_HI, EVERYDAY_HI, OWN_HI];

impl Table {
    /// Reads every text, and compares it with its readings by sound.
    ///
    /// A disputed row counts by our reading.
    pub fn score(&self, inspector: &Inspector) -> Report {
        let disputes: BTreeMap<_, _> = rows(self.disputes, 3).map(|row| (row[0], row[1])).collect();
        let mut report = Report::default();
        for row in rows(self.cases, 3) {
            let (class, text) = (row[0], row[1]);
            let readings = disputes.get(text).copied().unwrap_or(row[2]);
            report.add(class, check(inspector, self.language, text, readings));
        }
        report
    }

    /// The number of disputed rows, and of all rows.
    pub fn disputed(&self) -> (usize, usize) {
        (rows(self.disputes, 3).count(), rows(self.cases, 3).count())
    }
}

fn check(
    inspector: &Inspector,
    language: Language,
    text: &str,
    readings: &str,
) -> Result<(), String> {
    let heard = Heard::of(inspector, language, text);
    let expected = readings.split('|').map(|reading| Heard::of(inspector, language, reading));
    let same =
        |expected: Heard| heard.words == expected.words || heard.phonemes == expected.phonemes;
    if heard.words.contains(|c: char| !c.is_alphabetic() && !is_devanagari_sign(c)) {
        return Err(format!("“{text}”: “{}” is not only letters", heard.words));
    }
    let as_written = |reading: &str| heard.words == letters(reading);
    if expected.into_iter().any(same) || readings.split('|').any(as_written) {
        return Ok(());
    }
    Err(format!("“{text}” is read “{}”, not “{readings}”", heard.line))
}

/// A text as it sounds, without punctuation.
#[derive(PartialEq, Eq)]
struct Heard {
    line: String,
    /// The letters, without "and".
    words: String,
    /// The phonemes, without "and" and without stress.
    phonemes: String,
}

impl Heard {
    fn of(inspector: &Inspector, language: Language, text: &str) -> Self {
        let inspection = inspector.inspect(text, language);
        let sentences = &inspection.sentences;
        let words = || {
            let words = sentences.iter().flat_map(|sentence| &sentence.words);
            words.filter(|word| !word.normalized.eq_ignore_ascii_case("and"))
        };
        let is_sound = |c: &char| c.is_alphabetic() && !matches!(c, 'ˈ' | 'ˌ');
        let is_letter = |c: &char| !matches!(c, '\'' | '’' | '-' | ' ');
        Self {
            line: sentences.iter().map(|s| s.normalized.as_str()).collect::<Vec<_>>().join(" "),
            words: words()
                .flat_map(|word| word.normalized.nfc())
                .filter(is_letter)
                .flat_map(char::to_lowercase)
                .collect(),
            phonemes: words().flat_map(|word| word.phonemes.chars()).filter(is_sound).collect(),
        }
    }
}

/// The letters of a written reading, without "and".
fn letters(reading: &str) -> String {
    let words = reading.split(|c: char| !c.is_alphabetic() && !is_devanagari_sign(c) && c != '\'');
    let words = words.filter(|word| !word.eq_ignore_ascii_case("and"));
    words.flat_map(|word| word.nfc()).filter(|c| *c != '\'').flat_map(char::to_lowercase).collect()
}

/// Vowel signs and other signs that belong to letters.
fn is_devanagari_sign(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97f}') && !c.is_numeric()
}

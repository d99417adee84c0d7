//! Scores romanized Hindi: sentences as typed, with their words in Devanagari, and sentences whose
//! English words must stay English.
//!
//! `data/everyday/*/romanised.tsv` has the text, the same words in Devanagari (English ones in
//! Latin letters, `{a|b}` where both are right) and a family; `romanised_traps.tsv` has the
//! language, the text, and for each word `h`, `e` or `x` (Hindi, English, either). Nuktas and the
//! spellings of nasals do not count.

use speech_core::{Inspector, Language};

use crate::Report;
use crate::everyday::fold;

/// Sentences with their words in Latin letters and in Devanagari, and sentences with labeled
/// words.
pub struct Romanized {
    /// The display name.
    pub name: &'static str,
    sentences: &'static str,
    labelled: &'static str,
}

/// The development set, on which the models were trained.
pub const DEV: Romanized = Romanized {
    name: "romanized Hindi",
    sentences: include_str!("../data/everyday/dev/romanised.tsv"),
    labelled: include_str!("../data/everyday/dev/romanised_traps.tsv"),
};

/// The held-out set.
pub const UNSEEN: Romanized = Romanized {
    name: "romanized Hindi, unseen",
    sentences: include_str!("../data/everyday/unseen/romanised.tsv"),
    labelled: include_str!("../data/everyday/unseen/romanised_traps.tsv"),
};

impl Romanized {
    /// Scores by class: `sentences`, with every word right; `words`, their words; `traps`, the
    /// labeled sentences.
    pub fn score(&self) -> Report {
        let mut report = Report::default();
        let inspector = Inspector::new();
        for row in rows(self.sentences) {
            let words = check(&inspector, row[0], row[1]);
            let is_right = words.iter().all(Result::is_ok);
            report.add("sentences", if is_right { Ok(()) } else { Err(row[0].to_owned()) });
            words.into_iter().for_each(|word| report.add("words", word));
        }
        for row in rows(self.labelled) {
            let language: Language = row[0].parse().expect("a language");
            report.add("traps", check_labels(&inspector, row[1], language, row[2]));
        }
        report
    }
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.is_empty()).map(|line| line.split('\t').collect())
}

/// Each space-separated word with its reading: in Devanagari if it is romanized Hindi.
fn read<'a>(inspector: &Inspector, text: &'a str, language: Language) -> Vec<(&'a str, ReadAs)> {
    let inspection = inspector.inspect(text, language);
    let said = inspection.sentences.iter().flat_map(|sentence| &sentence.words);
    let said: Vec<_> = said.collect();
    let place = |word: &str| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        start..start + word.len()
    };
    let read_as = |word: &str| {
        let place = place(word);
        let inside = said.iter().filter(|word| word.start < place.end && place.start < word.end);
        let hindi: Vec<&str> = inside.filter_map(|word| word.in_own_script.as_deref()).collect();
        if hindi.is_empty() { ReadAs::English } else { ReadAs::Hindi(hindi.join(" ")) }
    };
    text.split_whitespace().map(|word| (word, read_as(word))).collect()
}

/// The reading of a word in Latin letters.
#[derive(PartialEq)]
enum ReadAs {
    /// Unchanged.
    English,
    /// As this Devanagari word.
    Hindi(String),
}

/// The alternatives of each word of a reading.
fn alternatives(reading: &str) -> Vec<Vec<String>> {
    let mut depth = 0_usize;
    let is_space = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => (),
        }
        c == ' ' && depth == 0
    };
    let words = reading.split(is_space).filter(|word| !word.is_empty());
    let alternatives = words.map(|word| match (word.find('{'), word.find('}')) {
        (Some(open), Some(close)) => word[open + 1..close]
            .split('|')
            .map(|one| format!("{}{one}{}", &word[..open], &word[close + 1..]))
            .collect(),
        _ => vec![word.to_owned()],
    });
    alternatives.collect()
}

/// For each word of a Hindi text, whether it matches its place in the reading.
fn check(inspector: &Inspector, text: &str, reading: &str) -> Vec<Result<(), String>> {
    let words = read(inspector, text, Language::HiIn);
    let readings = alternatives(reading);
    assert_eq!(words.len(), readings.len(), "{text}: {reading}");
    let check = |((word, read_as), readings): (&(&str, ReadAs), &Vec<String>)| {
        let said = match read_as {
            ReadAs::Hindi(said) => said.as_str(),
            ReadAs::English => word,
        };
        // A number is read together with what it counts.
        let is_number = word.contains(|c: char| c.is_ascii_digit());
        let is_right = is_number || readings.iter().any(|reading| fold(reading) == fold(said));
        let wrong = || format!("“{text}”: {word} is {said}, not {}", readings.join(" or "));
        if is_right { Ok(()) } else { Err(wrong()) }
    };
    words.iter().zip(&readings).map(check).collect()
}

/// Whether the words of a text are Hindi and English as labeled.
fn check_labels(
    inspector: &Inspector,
    text: &str,
    language: Language,
    labels: &str,
) -> Result<(), String> {
    let words = read(inspector, text, language);
    let labels: Vec<&str> = labels.split(' ').collect();
    assert_eq!(words.len(), labels.len(), "{text}: {labels:?}");
    let is_right = |(word, label): &(&(&str, ReadAs), &str)| match *label {
        "h" => word.1 != ReadAs::English,
        "e" => word.1 == ReadAs::English,
        _ => true,
    };
    match words.iter().zip(labels).find(|word| !is_right(word)) {
        None => Ok(()),
        Some(((word, _), label)) => Err(format!("“{text}”: {word} is not {label}")),
    }
}

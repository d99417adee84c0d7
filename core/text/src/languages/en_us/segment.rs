//! Sentence rules of English.

use super::normalize::lexicon::lexicon;
use super::phonemize::grade;
use crate::scripts::LATIN;
use crate::segment::rules::SentenceRules;
use crate::segment::table::Table;

pub(super) static SENTENCES: SentenceRules = SentenceRules {
    table: include_str!("data/stops.tsv"),
    property,
    is_word: |word| grade(word) == 2,
    ..SentenceRules::of(&LATIN)
};

/// Named properties of words in the table of stops.
fn property(_: &Table, name: &str, word: &str) -> Option<bool> {
    Some(match name {
        "dotted" => is_dotted(word),
        "consonants" => is_consonants(word),
        "numbered" => word.to_lowercase().ends_with(".no"),
        "entry" => is_entry(word) == Some(false),
        "word-entry" => is_entry(word) == Some(true),
        _ => return None,
    })
}

/// Whether a listed abbreviation is also a plain word, which may end a sentence. `None` if the word
/// is not a listed abbreviation.
fn is_entry(word: &str) -> Option<bool> {
    let readings = lexicon().abbreviations.get(&word.to_lowercase());
    let all = |note| readings.iter().all(|reading| reading.is(note));
    // "Portland, Me.", but "call me."
    let is_apart = word.starts_with(char::is_uppercase) || !all("capital");
    (is_apart && !readings.is_empty()).then(|| all("word"))
}

/// Whether a word has short parts with full stops between: "U.S", "Ph.D".
fn is_dotted(word: &str) -> bool {
    let is_short = |part: &str| {
        (1..=3).contains(&part.chars().count())
            && part.starts_with(char::is_alphabetic)
            && !part.contains(|c: char| c.is_numeric())
    };
    let last = word.rsplit('.').next().unwrap_or_default();
    let ends_short = last.chars().count() == 1 || !last.is_ascii();
    word.contains('.')
        && last.ends_with(LATIN.contains)
        && ends_short
        && word.split('.').all(is_short)
}

/// Whether an unpronounceable word is an abbreviation: "bldgs", but not "BBC", "hmm" or "kg".
fn is_consonants(word: &str) -> bool {
    const SOUNDS: &str = " hm hmm mm mmm nth pfft pst psst sh shh tsk tv ";
    const UNITS: &str = " cm gb kb kg km kph mb mg ml mm mph kts fps rpm bpm ";
    let is_in = |list: &str, word: &str| list.split(' ').any(|listed| listed == word);
    word.len() > 1
        && word.chars().all(|c| c.is_ascii_alphabetic())
        && word.chars().skip(1).all(|c| c.is_ascii_lowercase())
        && !word.to_lowercase().contains(['a', 'e', 'i', 'o', 'u', 'y'])
        && !is_in(UNITS, word)
        && !is_in(SOUNDS, &word.to_lowercase())
}

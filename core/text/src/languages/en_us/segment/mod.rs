//! Where sentences end in English.

mod abbreviations;
mod words;

use super::phonemize::grade;
use crate::scripts::LATIN;
use crate::segment::rules::SentenceRules;

/// Where sentences end in English.
pub(super) static SENTENCES: SentenceRules = SentenceRules {
    abbreviation: abbreviations::class,
    is_abbreviation_here: abbreviations::is_medicine,
    is_word: |word| grade(word) == 2,
    time_units: &["hr", "hrs", "min", "mins", "mo", "mos", "sec", "secs", "wk", "wks", "yr", "yrs"],
    openers: words::OPENERS,
    never_last: words::LEADS_ON,
    conjunctions: &["and", "or"],
    one_letter_words: &["A", "I"],
    capital_pronoun: "I",
    number_words: &["No"],
    before_letter: words::BEFORE_A_LETTER,
    after_time: words::AFTER_A_TIME,
    speech_verbs: words::SPEECH_VERBS,
    before_speaker: &["I", "Dr", "Mr", "Mrs", "Ms"],
    names_with_mark: words::NAMES_WITH_A_MARK,
    ..SentenceRules::of(&LATIN)
};

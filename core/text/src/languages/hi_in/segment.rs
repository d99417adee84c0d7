//! Sentence rules of Hindi.
//!
//! Devanagari has no capitals, so the words decide. Verbs come last, postpositions never come
//! first, and abbreviations are cut after the first syllable.

use super::normalize::lexicon::lexicon;
use crate::scripts::{DEVANAGARI, is_devanagari};
use crate::segment::rules::SentenceRules;
use crate::segment::table::Table;

pub(super) static SENTENCES: SentenceRules = SentenceRules {
    table: include_str!("data/stops.tsv"),
    property,
    ends_unspaced,
    is_word: super::romanized::is_anchor,
    item_letters: &["कखगघङचछजझञटठडढण", "अबसद"],
    ..SentenceRules::of(&DEVANAGARI)
};

/// Named properties of words in the table of stops.
fn property(table: &Table, name: &str, word: &str) -> Option<bool> {
    let is_native = word.ends_with(is_devanagari);
    Some(match name {
        "parts" => is_native && are_parts(table, word),
        "title-entry" => is_entry(table, word, &["title", "bare-title", "before-name"]),
        "label-entry" => is_entry(table, word, &["number"]),
        "shortened" => is_native && stands(word, &["stop", "before-end"]),
        "unit-entry" => is_native && lexicon().units.contains_key(format!("{word}.").as_str()),
        "part" => is_part(table, word),
        "syllable" => is_syllable(table, word),
        "one-syllable" => is_syllable_at_most(word),
        "initial" => word.strip_suffix('.').is_some_and(|word| is_syllable(table, word)),
        "future" => is_future(word),
        _ => return None,
    })
}

/// Whether a dotted word is an abbreviation, or its parts are: "अनु.जा", "उ.प्र.लो.से.आ".
fn are_parts(table: &Table, word: &str) -> bool {
    let is_short = |part: &str| is_part(table, part) || table.lists("More", part);
    // Short words are syllables in a sequence.
    let are_syllables = || {
        word.split('.').count() > 2
            && word.split('.').all(|part| is_syllable_at_most(part) || is_part(table, part))
    };
    word.contains('.')
        && (!lexicon().abbreviations.get(word).is_empty()
            || word.split('.').all(is_short)
            || are_syllables())
}

/// Whether a word is an abbreviation in one of these positions, and no plain word: "कॉ.", "अधी."
fn is_entry(table: &Table, word: &str, places: &[&str]) -> bool {
    word.ends_with(is_devanagari)
        && !word.contains('.')
        && !table.lists("Word", word)
        && !table.lists("LetterOrWord", word)
        && stands(&word.replace('\u{93c}', ""), places)
}

fn stands(word: &str, places: &[&str]) -> bool {
    let readings = lexicon().abbreviations.get(word).iter();
    readings.into_iter().any(|one| places.contains(&one.when.first()))
}

/// Whether a listed abbreviation begins with these two parts: "लो.स", "लो.से.आ".
fn begin_abbreviation(word: &str, next: &str) -> bool {
    let rests = lexicon().abbreviations.written().filter_map(|written| written.strip_prefix(word));
    let mut rests = rests.filter_map(|rest| rest.strip_prefix('.'));
    rests.any(|rest| rest.split('.').next() == Some(next))
}

/// Whether a word may be part of an abbreviation: "वि" and "सं" of "वि.सं.", "पीएच" of "पीएच.डी.".
fn is_part(table: &Table, word: &str) -> bool {
    is_syllable(table, word) || table.lists("Part", word) || are_letters(table, word)
}

/// Whether a word consists of letter names.
fn are_letters(table: &Table, word: &str) -> bool {
    let names = table.names("Letter").chain(table.names("LetterOrWord"));
    let mut rests = names.filter_map(|name| word.strip_prefix(name));
    rests.any(|rest| rest.is_empty() || are_letters(table, rest))
}

/// Whether a word is one syllable and does not often end a sentence.
fn is_syllable(table: &Table, word: &str) -> bool {
    is_syllable_at_most(word) && !table.lists("Word", word)
}

fn is_syllable_at_most(word: &str) -> bool {
    let consonant = |c: &char| matches!(c, 'क'..='ह' | '\u{958}'..='\u{95f}');
    let mut letters = word.chars().peekable();
    if letters.next_if(consonant).is_some() {
        letters.next_if_eq(&'\u{93c}');
        while letters.next_if_eq(&'\u{94d}').is_some() {
            letters.next_if(consonant);
            letters.next_if_eq(&'\u{93c}');
        }
    } else if letters.next_if(|c| matches!(c, 'अ'..='औ')).is_none() {
        return false;
    }
    letters.next_if(|c| matches!(c, '\u{93e}'..='\u{94c}'));
    letters.next_if(|c| matches!(c, 'ं' | 'ँ'));
    letters.next().is_none()
}

/// Whether a full stop ends the sentence between `word` and `next`, which no space separates.
fn ends_unspaced(table: &Table, word: &str, next: &str) -> bool {
    let is_word = |c: char| c.is_alphabetic() || matches!(c, '\u{93c}' | '\u{94d}');
    word.chars().count() > 1
        && word.chars().all(is_word)
        && !is_part(table, word)
        && !begin_abbreviation(word, next)
}

/// Whether a word is a verb in the future, with its ending after a vowel or nasal.
fn is_future(word: &str) -> bool {
    let stem = ["गा", "गी", "गे"].iter().find_map(|ending| word.strip_suffix(ending));
    stem.is_some_and(|stem| stem.ends_with(['े', 'ए', 'ं', 'ँ', 'ो', 'ओ']))
}

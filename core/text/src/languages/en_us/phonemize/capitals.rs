//! Decides whether capitals are a word or spelled letters.
//!
//! Each row of `capitals.tsv` that holds adds its weight. A positive sum means letters.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::lexicon_lookup::{Context, NextSound};
use super::stress::Emphasis;
use super::{fixed_readings, function_words, inflection, lexicon, lexicon_lookup, oov};
use crate::normalize::locale::rows;

/// Words with their phonemes, or `spelled`.
static TABLE: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    rows(include_str!("../data/acronyms.tsv")).map(|row| (row[0], row[1])).collect()
});

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    rows(include_str!("../data/capitals.tsv")).map(|row| Row::new(&row)).collect()
});

/// The context of a word.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    /// The adjacent words, unless a mark is between.
    pub(super) previous: &'a str,
    pub(super) following: &'a str,
    /// Whether the sentence, or the caption in brackets, is all in capitals.
    pub(super) is_loud: bool,
    /// Whether it precedes the colon of a caption: "MARY: Who is there?"
    pub(super) is_label: bool,
}

/// A capitalized word in its context.
struct Capitals<'a> {
    word: &'a str,
    around: Around<'a>,
    context: Context<'a>,
}

/// Tests that must all hold, and their weight.
struct Row {
    tests: Vec<(bool, Test)>,
    weight: f32,
}

enum Test {
    Property(Property),
    /// One of these lower-case words at a position: -1, 0 or 1.
    Words(i8, Vec<&'static str>),
}

type Property = fn(&Capitals<'_>) -> bool;

/// The properties that rows may name.
const PROPERTIES: &[(&str, Property)] = &[
    ("capital", |place| place.word.bytes().all(|b| b.is_ascii_uppercase())),
    ("two", |place| place.word.len() == 2),
    ("listed", |place| TABLE.get(place.word) == Some(&SPELLED)),
    ("acronym", |place| acronym(place.word).is_some()),
    ("entry", |place| lexicon::exact(place.word).is_some()),
    ("known", |place| is_known(place.word, place.around.is_loud)),
    ("shaped", |place| has_word_shape(place.word)),
    ("long", |place| {
        place.word.len() > 5 && oov::is_pronounceable(&place.word.to_ascii_lowercase())
    }),
    ("loud", |place| place.around.is_loud),
    ("label", |place| place.around.is_label),
    ("pause", |place| place.context.next == NextSound::Pause),
    ("name", |place| (place.context.tag)().is_proper_noun()),
];

const SPELLED: &str = "spelled";

impl Row {
    fn new(row: &[&'static str]) -> Self {
        let test = |test: &'static str| {
            let (is_not, test) = test.strip_prefix('!').map_or((false, test), |test| (true, test));
            let known = PROPERTIES.iter().find(|(name, _)| *name == test);
            let test = match (known, test.split_once('=')) {
                (Some((_, property)), _) => Test::Property(*property),
                (None, Some((at, words))) => {
                    Test::Words(at.parse().unwrap_or_default(), words.split('|').collect())
                }
                (None, None) => Test::Words(0, Vec::new()),
            };
            (is_not, test)
        };
        let weight = row[1].parse().unwrap_or_default();
        Self { tests: row[0].split(' ').map(test).collect(), weight }
    }

    fn holds(&self, place: &Capitals<'_>) -> bool {
        let holds = |test: &Test| match test {
            Test::Property(property) => property(place),
            Test::Words(at, words) => {
                let word = match at {
                    0 => place.word,
                    1 => place.around.following,
                    _ => place.around.previous,
                };
                words.iter().any(|listed| word.eq_ignore_ascii_case(listed))
            }
        };
        self.tests.iter().all(|(is_not, test)| holds(test) != *is_not)
    }
}

impl Capitals<'_> {
    /// The sum of the weights of the rows that hold.
    fn score<'r>(&self, rows: impl IntoIterator<Item = &'r Row>) -> f32 {
        rows.into_iter().filter(|row| row.holds(self)).map(|row| row.weight).sum()
    }

    fn are_letters(&self) -> bool {
        self.score(&*ROWS) > 0.0
    }

    /// The phonemes of capitals that are a word; `None` leaves them to the lexicon.
    fn as_word(&self) -> Option<String> {
        let lower = self.word.to_ascii_lowercase();
        let emphasis = if self.around.is_loud { Emphasis::Plain } else { self.context.emphasis };
        let is_known = is_known(self.word, self.around.is_loud);
        match acronym(self.word) {
            Some(reading) if !(self.around.is_loud && lexicon::exact(&lower).is_some()) => {
                Some(reading.to_owned())
            }
            _ if !is_known => Some(oov::read(&lower)),
            _ if self.around.is_loud => {
                lexicon_lookup::read(&lower, Context { emphasis, ..self.context })
            }
            _ if lower.len() == 2 && lexicon::exact(self.word).is_none() => {
                function_words::citation_form(&lower).map(|reading| emphasis.apply(reading))
            }
            _ => None,
        }
    }
}

/// The phonemes of letters, acronyms, and capitals that no lexicon has, with an optional plural or
/// possessive ending. `None` leaves the word to the lexicon.
pub(super) fn read(word: &str, around: Around<'_>, context: Context<'_>) -> Option<String> {
    let read = |word: &str| {
        let place = Capitals { word, around, context };
        if place.are_letters() { Some(oov::spell(word)) } else { place.as_word() }
    };
    if let Some(reading) = TABLE.get(word) {
        return if *reading == SPELLED || is_capitals(word) {
            read(word)
        } else {
            acronym(word).map(str::to_owned)
        };
    }
    if let Some(stem) = without_s(word).filter(|stem| is_listed(stem) || is_capitals(stem)) {
        let is_new = is_listed(stem) || !is_known(stem, false);
        return read(stem).filter(|_| is_new).map(inflection::with_s);
    }
    // "mPIN"
    let inner = word.strip_prefix(|c: char| c.is_ascii_lowercase()).and_then(acronym);
    if let Some(inner) = inner {
        return Some(oov::spell(&word[..1]).replace('ˈ', "ˌ") + inner);
    }
    // "GOOOO" is a lengthened word.
    let is_drawn_out = word.len() > 3 && fixed_readings::without_lengthening(word).is_some();
    (is_capitals(word) && !is_drawn_out).then(|| read(word)).flatten()
}

/// Whether a single letter is read by its name: "plan A", "A/D".
pub(super) fn is_letter(word: &str, around: Around<'_>, context: Context<'_>) -> bool {
    word.len() == 1 && Capitals { word, around, context }.are_letters()
}

/// The phonemes of an acronym that is read as a word.
fn acronym(word: &str) -> Option<&'static str> {
    TABLE.get(word).copied().filter(|reading| *reading != SPELLED)
}

pub(super) fn is_listed(word: &str) -> bool {
    TABLE.contains_key(word)
}

/// Whether a word is known, as written or in lower case, without lengthening such as "goood".
pub(super) fn is_word(word: &str) -> bool {
    is_listed(word) || is_known(word, false)
}

/// Whether a word is known and is no acronym.
pub(super) fn is_plain_word(word: &str) -> bool {
    !is_listed(word) && is_known(word, true)
}

/// The acronym of a plural or possessive: "CDs", "NGO's", and "PCS'" in a text of capitals.
fn without_s(word: &str) -> Option<&str> {
    ["'s", "'S", "s'", "s"].into_iter().find_map(|ending| word.strip_suffix(ending))
}

fn is_capitals(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether the lexicon has a word or its stem, as written or in lower case. Short words outside the
/// gold lexicon count only in a text of capitals.
fn is_known(word: &str, is_loud: bool) -> bool {
    let lower = word.to_ascii_lowercase();
    let is_stem = |stem: &str| stem.len() > 2 && lexicon::exact(stem).is_some();
    lexicon::exact(word).is_some()
        || lexicon::entry(&lower).is_some_and(|entry| entry.is_gold || is_loud || lower.len() > 4)
        || inflection::is_form(&lower, is_stem)
}

/// Whether letters have the syllables of a word: "SEBI", "NABARD", "UNICEF"; not "CBSE", "IEEE".
fn has_word_shape(word: &str) -> bool {
    let is_vowel = |c: char| "AEIOUY".contains(c);
    let doubled =
        word.as_bytes().windows(2).any(|two| two.iter().all(|b| is_vowel(char::from(*b))));
    let runs: Vec<&str> = word.split(is_vowel).collect();
    let last = runs.len() - 1;
    word.len() > 3
        && last > 1
        && !doubled
        && !word.starts_with('Y')
        && !word.ends_with(['J', 'Q', 'V', 'U'])
        && runs.iter().enumerate().all(|(at, run)| match run.len() {
            0 | 1 => true,
            _ if at == 0 => oov::has_cluster("acronym-onset", run),
            _ if at == last => oov::has_cluster("acronym-coda", run),
            2 => {
                !run.contains(['H', 'J', 'Q', 'W', 'X', 'Z'])
                    || oov::has_cluster("acronym-onset", run)
            }
            _ => oov::has_cluster("acronym-onset", &run[1..]),
        })
}

#[cfg(test)]
mod tests {
    use speech_base::language::Language;

    use super::super::{Run, run_token};
    use super::*;
    use crate::normalize::Options;
    use crate::vocabulary;

    crate::row_tests::rows! { shapes_of_capitals: |[word]| has_word_shape(word); }

    #[test]
    fn the_table_holds_words_in_the_vocabulary() {
        let wrong: Vec<_> = TABLE
            .iter()
            .filter(|(word, reading)| {
                let in_vocabulary = reading.chars().all(|symbol| vocabulary::id(symbol).is_some());
                !word.bytes().all(|b| b.is_ascii_alphabetic())
                    || **reading != SPELLED && (!in_vocabulary || !reading.contains('ˈ'))
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(rows(include_str!("../data/acronyms.tsv")).count(), TABLE.len());
    }

    /// The example of each row is read differently without the row.
    #[test]
    fn every_row_is_needed() {
        let mut wrong = Vec::new();
        for (number, row) in rows(include_str!("../data/capitals.tsv")).enumerate() {
            let [tests, _, example, said] = row[..] else {
                panic!("a row has four columns: {row:?}")
            };
            let unknown = ROWS[number]
                .tests
                .iter()
                .any(|(_, test)| matches!(test, Test::Words(_, words) if words.is_empty()));
            let are_letters = |without: Option<usize>| {
                let others = ROWS.iter().enumerate().filter(|(at, _)| Some(*at) != without);
                let rows: Vec<_> = others.map(|(_, row)| row).collect();
                at_mark(example, |place| place.score(rows) > 0.0)
            };
            let wanted = said == "letters";
            if unknown || are_letters(None) != wanted || are_letters(Some(number)) == wanted {
                wrong.push(format!("{tests}: {example}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// The result of `ask` for the word between the marks of an example.
    fn at_mark(example: &str, ask: impl FnOnce(&Capitals<'_>) -> bool) -> bool {
        let word = example.split(['⟦', '⟧']).nth(1).expect("the place is marked");
        let before = example.split('⟦').next().unwrap_or_default();
        let text = example.replace(['⟦', '⟧'], "");
        let normalized = crate::row_tests::sentence(&text, Options::plain(Language::EnUs));
        let tokens: Vec<_> = normalized.tokens.iter().map(run_token).collect();
        let run = Run::new(&tokens);
        run.requested.borrow_mut().fill(true);
        run.apply_tags();
        let is_word = |at: &usize| tokens[*at].text().is_some();
        let mut words = (0..tokens.len()).filter(is_word);
        let at = words.nth(before.split_whitespace().count()).expect("the word is there");
        let next = run.read(&[])[at].as_ref().expect("it is read").next;
        let seen = run.word(at, word, next, false);
        let tag = || (seen.tag)(0..word.len());
        let context = Context { emphasis: Emphasis::of(word), next, before_to: false, tag: &tag };
        ask(&Capitals { word, around: seen.around(), context })
    }
}

//! Exceptions: words respelled so that the rules read them correctly.
//!
//! `data/exceptions.tsv` has the word, a tab, and its spelling with the marks of `graphemes`. An
//! entry also applies to inflected forms.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::diacritics::without_diacritics;
use super::endings::is_ending;
use super::graphemes::{BOUNDARY, NUKTA, VIRAMA};

static ENTRIES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| pairs(include_str!("../data/exceptions.tsv")));

/// Function words with reduced vowels and little stress, and their phonemes.
static WEAK_FORMS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| pairs(include_str!("../data/weak_forms.tsv")));

fn pairs(table: &'static str) -> HashMap<&'static str, &'static str> {
    rows(table).filter_map(|row| row.split_once('\t')).collect()
}

/// The rows of a table; lines that begin with `#` are comments.
pub(super) fn rows(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The phonemes of a function word in its weak form.
pub(super) fn weak_form(word: &str) -> Option<&'static str> {
    WEAK_FORMS.get(word).copied()
}

/// The spelling of a word, if the word or its stem is listed.
pub(super) fn spelling(word: &str) -> Option<String> {
    let find = |word: &str| {
        stems(word).find_map(|(stem, ending)| {
            let is_stem = ending.is_empty() || is_ending(ending);
            is_stem.then(|| Some(join(ENTRIES.get(stem)?, ending))).flatten()
        })
    };
    find(word).or_else(|| {
        let bare = without_diacritics(word);
        if bare == word { None } else { find(&bare) }
    })
}

/// Whether the word itself has an entry.
pub(super) fn is_listed(word: &str) -> bool {
    ENTRIES.contains_key(word)
}

/// The word and its prefixes, the longest first, each with the rest of the word. No prefix ends
/// before a nukta or virama.
pub(super) fn stems(word: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = word.char_indices().rev().map(|(at, letter)| (at, matches!(letter, NUKTA | VIRAMA)));
    let inner = ends.filter(|(at, bound)| *at > 0 && !bound).map(|(at, _)| word.split_at(at));
    std::iter::once((word, "")).chain(inner)
}

/// Joins stem and ending, with a boundary if the ending begins with a consonant.
pub(super) fn join(stem: &str, ending: &str) -> String {
    let apart =
        ending.starts_with(|first: char| matches!(first, 'क'..='ह')) && ending.chars().count() > 1;
    let mut joined = String::with_capacity(stem.len() + ending.len() + 1);
    joined.push_str(stem);
    if apart {
        joined.push(BOUNDARY);
    }
    joined.push_str(ending);
    joined
}

//! Converts romanized words to the script of their language before the sentence is read.

use std::ops::Range;

use super::Options;
use super::locale::{Locale, Locales};
use super::marked::{self, overlaps};
use super::preprocess::Preprocessed;
use crate::pronunciation::inline;

/// The text with romanized words in the script of their language, if the caller requests that.
///
/// Words with a pronunciation from the caller stay unchanged.
pub(crate) fn in_own_script<'a>(
    preprocessed: Preprocessed<'a>,
    options: Options<'_>,
    locales: Locales,
) -> Preprocessed<'a> {
    let text = preprocessed.text.as_ref();
    if !options.read_romanized_hindi || !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return preprocessed;
    }
    let mut words: Vec<(Range<usize>, String)> =
        locales.0.iter().flat_map(|locale| find(locale, text, options)).collect();
    let pronounced = if options.read_inline { pronounced(text) } else { Vec::new() };
    let places = marked::places(options.marked, &preprocessed);
    let is_small =
        |(place, _): &(Range<usize>, String)| text[place.clone()].contains(char::is_lowercase);
    let is_shouted = !words.iter().any(is_small) && is_shouted(text, words.len());
    words.retain(|(place, _)| {
        let is_inside = |inline: &Range<usize>| inline.contains(&place.start);
        let (before, rest) = text.split_at(place.start);
        !pronounced.iter().any(is_inside)
            && !places.iter().any(|(marked, _)| overlaps(marked, place))
            && options.lexicons.find(before, rest, options.language).is_none()
            && !is_symbol(before, &text[place.clone()], locales)
            && !is_acronym(&text[place.clone()], is_shouted)
    });
    if words.is_empty() { preprocessed } else { preprocessed.with_replaced(&words) }
}

/// Whether a word after a number is a unit or a time zone: `2 ha`, `10:30 IST`.
fn is_symbol(before: &str, word: &str, locales: Locales) -> bool {
    let follows = before.trim_end_matches(' ').ends_with(|c: char| c.is_ascii_digit());
    let is_known = |locale: &&Locale| {
        let lexicon = locale.lexicon();
        lexicon.units.contains_key(word) || lexicon.zones.contains(&word)
    };
    follows && locales.0.iter().any(is_known)
}

/// Minimum words of a text in capitals that is no list of acronyms.
const SHOUTED: usize = 4;

/// Whether a text with this many romanized words is all in capitals, and no list of acronyms.
fn is_shouted(text: &str, romanized: usize) -> bool {
    let words = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2);
    let words: Vec<_> = words.collect();
    (words.len() >= SHOUTED || romanized >= words.len())
        && words.iter().all(|word| word.bytes().all(|b| b.is_ascii_uppercase()))
        && !text.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
}

/// Whether a word is an acronym: `SBI` in a text that is not all capitals, or mixed case, `eKYC`.
fn is_acronym(word: &str, is_shouted: bool) -> bool {
    let capitals = word.bytes().filter(u8::is_ascii_uppercase).count();
    capitals > 1 && (capitals < word.len() || !is_shouted)
}

/// The romanized words of a language, in order.
fn find(locale: &Locale, text: &str, options: Options<'_>) -> Vec<(Range<usize>, String)> {
    let Some(romanized) = locale.romanized else { return Vec::new() };
    let is_foreign = locale.language != options.language || text.contains(locale.script.contains);
    romanized(text, is_foreign)
}

/// The inline pronunciations of a text.
fn pronounced(text: &str) -> Vec<Range<usize>> {
    let brackets = text.match_indices('[');
    brackets.filter_map(|(at, _)| Some(at..at + inline(&text[at..])?.length)).collect()
}

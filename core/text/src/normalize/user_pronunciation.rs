//! Recognizes words with a pronunciation from the caller, inline or in a lexicon.

use std::ops::Range;
use std::sync::Arc;

use super::locale::Locales;
use super::preprocess::Preprocessed;
use super::scan::{ending, possessive_ending};
use super::{Options, Reading, Token};
use crate::pronunciation::{Replacement, inline};

/// Words with a pronunciation from the caller.
pub(crate) struct UserPronunciation {
    /// The length of the match, including markup.
    pub(crate) length: usize,
    /// The byte range of the words.
    pub(crate) words: Range<usize>,
    /// The words and their readings.
    pub(crate) readings: Vec<(String, Reading)>,
}

/// The words with a pronunciation at the start of `rest`.
pub(crate) fn find(
    before: &str,
    rest: &str,
    options: Options<'_>,
    locales: Locales,
) -> Option<UserPronunciation> {
    find_inline(rest, options, locales).or_else(|| find_in_lexicon(before, rest, options, locales))
}

fn find_inline(rest: &str, options: Options<'_>, locales: Locales) -> Option<UserPronunciation> {
    let found = inline(rest).filter(|_| options.read_inline)?;
    let ending = ending(&rest[found.length..]);
    let possessive = ending.is_some();
    let words = found.words.clone();
    let mut plain = normal_words(&rest[words.clone()], options, locales);
    // Only unvalidated text has an invalid pronunciation. Its words are then read normally.
    let readings = match found.phonemes(rest, locales.of(options.language).ipa) {
        Some(phonemes) => {
            let reading = Reading::UserPronunciation { phonemes: phonemes.into(), possessive };
            vec![(joined(plain), reading)]
        }
        None => {
            with_ending(&mut plain, possessive);
            plain
        }
    };
    let length = found.length + ending.unwrap_or(0);
    Some(UserPronunciation { length, words, readings })
}

fn with_ending(words: &mut [(String, Reading)], possessive: bool) {
    if let Some((last, _)) = words.last_mut().filter(|_| possessive) {
        last.push_str("'s");
    }
}

fn find_in_lexicon(
    before: &str,
    rest: &str,
    options: Options<'_>,
    locales: Locales,
) -> Option<UserPronunciation> {
    let (length, replacement) = options.lexicons.find(before, rest, options.language)?;
    let ending = possessive_ending(&rest[length..]);
    let possessive = ending.is_some();
    let readings = match replacement {
        Replacement::Pronunciation(pronunciation) => {
            let phonemes = Arc::clone(pronunciation.of(options.language));
            let word = joined(normal_words(&rest[..length], options, locales));
            vec![(word, Reading::UserPronunciation { phonemes, possessive })]
        }
        Replacement::Respelling(respelling) => {
            let mut words = normal_words(respelling, options, locales);
            with_ending(&mut words, possessive);
            words
        }
    };
    let length = length + ending.unwrap_or(0);
    Some(UserPronunciation { length, words: 0..length, readings })
}

/// The words of a text, ignoring pronunciations from the caller.
pub(super) fn normal_words(
    text: &str,
    options: Options<'_>,
    locales: Locales,
) -> Vec<(String, Reading)> {
    let Options { read_emoji, read_inline, .. } = options;
    let preprocessed = Preprocessed::new(text, 0, locales, read_inline);
    let options = Options { read_emoji, read_inline, ..Options::plain(options.language) };
    let tokens = super::scan(text, &preprocessed, options, locales).tokens.into_iter();
    tokens
        .filter_map(|token| match token {
            Token::Word(word) => Some((word.text, word.reading)),
            Token::Mark(_) => None,
        })
        .collect()
}

/// Joins words into the single form that is shown.
pub(super) fn joined(words: Vec<(String, Reading)>) -> String {
    words.into_iter().map(|(word, _)| word).collect::<Vec<_>>().join("-")
}

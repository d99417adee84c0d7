//! Words that the caller says how to read: inline in the text, or in the lexicon of the engine.

use std::ops::Range;
use std::sync::Arc;

use super::preprocess::Folded;
use super::scan::possessive_ending;
use super::{Options, Reading, Token};
use crate::pronunciation::{Replacement, inline};

/// Words that the caller gave a reading for.
pub(crate) struct Given {
    /// The bytes of all of it.
    pub(crate) length: usize,
    /// The bytes of the words that are heard.
    pub(crate) words: Range<usize>,
    /// What is said.
    pub(crate) said: Vec<(String, Reading)>,
}

/// What the caller gave a reading for at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str, options: Options<'_>) -> Option<Given> {
    find_inline(rest, options).or_else(|| find_in_lexicon(before, rest, options))
}

fn find_inline(rest: &str, options: Options<'_>) -> Option<Given> {
    let found = inline(rest)?;
    let words = found.words.clone();
    let plain = normal_words(&rest[words.clone()], options);
    // Only text that was not validated has a pronunciation that is none: then the words are read.
    let said = match found.phonemes(rest, options.language) {
        Some(phonemes) => {
            let reading =
                Reading::UserPronunciation { phonemes: phonemes.into(), possessive: false };
            vec![(joined(plain), reading)]
        }
        None => plain,
    };
    Some(Given { length: found.length, words, said })
}

fn find_in_lexicon(before: &str, rest: &str, options: Options<'_>) -> Option<Given> {
    let (length, replacement) = options.lexicon.find(before, rest)?;
    let ending = possessive_ending(&rest[length..]);
    let possessive = ending.is_some();
    let said = match replacement {
        Replacement::Pronunciation(pronunciation) => {
            let phonemes = Arc::clone(pronunciation.of(options.language));
            let word = joined(normal_words(&rest[..length], options));
            vec![(word, Reading::UserPronunciation { phonemes, possessive })]
        }
        Replacement::Respelling(respelling) => {
            let mut said = normal_words(respelling, options);
            if let Some((last, _)) = said.last_mut().filter(|_| possessive) {
                last.push_str("'s");
            }
            said
        }
    };
    let length = length + ending.unwrap_or(0);
    Some(Given { length, words: 0..length, said })
}

/// The words of a text, without the caller's own.
fn normal_words(text: &str, options: Options<'_>) -> Vec<(String, Reading)> {
    let folded = Folded::new(text, 0);
    let options = Options { read_emoji: options.read_emoji, ..Options::plain(options.language) };
    let tokens = super::scan(&folded, options).tokens.into_iter();
    tokens
        .filter_map(|token| match token {
            Token::Word(word) => Some((word.text, word.reading)),
            Token::Mark(_) => None,
        })
        .collect()
}

/// Words as one, as they are shown.
fn joined(words: Vec<(String, Reading)>) -> String {
    words.into_iter().map(|(word, _)| word).collect::<Vec<_>>().join("-")
}

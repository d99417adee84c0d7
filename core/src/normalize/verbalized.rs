//! What a verbalizer gives: words and marks, each with the place it was read from.

use std::ops::Range;

use super::Reading;
use crate::request::Language;

/// A word or a mark that is said for a part of what was recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VerbalizedToken {
    pub(crate) what: What,
    /// Bytes it was read from, counted from the first byte of what was recognized.
    pub(crate) span: Range<usize>,
}

/// The kinds of [`VerbalizedToken`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Letters, apostrophes and hyphens only.
    Word(String, Reading),
    /// One of the symbols of [`Mark`](super::Mark).
    Mark(char),
}

/// Collects what is said for one thing that was recognized.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verbalization(pub(crate) Vec<VerbalizedToken>);

impl Verbalization {
    /// Words to read as English (or, in Devanagari, as Hindi), all from the same bytes.
    pub(crate) fn words<S: Into<String>>(
        &mut self,
        words: impl IntoIterator<Item = S>,
        span: Range<usize>,
    ) {
        for word in words {
            let word = word.into();
            let reading = if word.chars().any(super::is_devanagari) {
                Reading::Word(Language::HiIn)
            } else {
                Reading::Word(Language::EnUs)
            };
            self.0.push(VerbalizedToken { what: What::Word(word, reading), span: span.clone() });
        }
    }

    /// A word to read letter by letter.
    pub(crate) fn spelled(&mut self, letters: impl Into<String>, span: Range<usize>) {
        let what = What::Word(letters.into(), Reading::Spelled(Language::EnUs));
        self.0.push(VerbalizedToken { what, span });
    }

    /// A mark that paces the reading.
    pub(crate) fn mark(&mut self, mark: char, span: Range<usize>) {
        self.0.push(VerbalizedToken { what: What::Mark(mark), span });
    }
}

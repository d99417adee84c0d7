//! What a verbaliser gives: words and marks, each with the place it was read from.

use std::ops::Range;

use super::Reading;

/// A word or a mark that is said for a part of what was recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) what: What,
    /// Bytes it was read from, counted from the first byte of what was recognised.
    pub(super) span: Range<usize>,
}

/// The kinds of [`Said`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Letters, apostrophes and hyphens only.
    Word(String, Reading),
    /// One of the symbols of [`Mark`](super::Mark).
    Mark(char),
}

/// Collects what is said for one thing that was recognised.
#[derive(Clone, Debug, Default)]
pub(super) struct Saying(pub(super) Vec<Said>);

impl Saying {
    /// Words to read as English (or, in Devanagari, as Hindi), all from the same bytes.
    pub(super) fn words<S: Into<String>>(
        &mut self,
        words: impl IntoIterator<Item = S>,
        span: Range<usize>,
    ) {
        for word in words {
            let word = word.into();
            let reading = if word.chars().any(super::is_devanagari) {
                Reading::Hindi
            } else {
                Reading::English
            };
            self.0.push(Said { what: What::Word(word, reading), span: span.clone() });
        }
    }

    /// A word to read letter by letter.
    pub(super) fn spelled(&mut self, letters: impl Into<String>, span: Range<usize>) {
        self.0.push(Said { what: What::Word(letters.into(), Reading::Spelled), span });
    }

    /// A mark that paces the reading.
    pub(super) fn mark(&mut self, mark: char, span: Range<usize>) {
        self.0.push(Said { what: What::Mark(mark), span });
    }
}

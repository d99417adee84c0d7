//! The output of a verbalizer: words and marks with their source bytes.

use std::ops::Range;

/// A word or mark with its source in the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VerbalizedToken {
    pub(crate) kind: TokenKind,
    /// The source bytes, relative to the start of the match.
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, apostrophes and hyphens only. Its script determines its language.
    Word(String),
    /// Letters that are read one by one, by their names.
    Letters(String),
    /// One of the symbols of [`Mark`](super::Mark).
    Mark(char),
}

/// The words and marks of one match.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verbalization(pub(crate) Vec<VerbalizedToken>);

impl Verbalization {
    /// Adds words with the same source bytes.
    pub(crate) fn words<S: Into<String>>(
        &mut self,
        words: impl IntoIterator<Item = S>,
        span: Range<usize>,
    ) {
        let words = words.into_iter().map(|word| TokenKind::Word(word.into()));
        self.0.extend(words.map(|kind| VerbalizedToken { kind, span: span.clone() }));
    }

    /// Adds letters that are read one by one.
    pub(crate) fn spelled(&mut self, letters: impl Into<String>, span: Range<usize>) {
        self.0.push(VerbalizedToken { kind: TokenKind::Letters(letters.into()), span });
    }

    /// Adds the verbalization of a part of the match that begins at byte `start`.
    pub(crate) fn extend_from(&mut self, start: usize, part: Self) {
        self.0.extend(part.0.into_iter().map(|token| {
            let span = token.span.start + start..token.span.end + start;
            VerbalizedToken { span, ..token }
        }));
    }

    /// The words as a line of plain text.
    pub(crate) fn to_line(&self) -> String {
        let words = self.0.iter().filter_map(|token| match &token.kind {
            TokenKind::Word(text) | TokenKind::Letters(text) => Some(text.as_str()),
            TokenKind::Mark(_) => None,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Adds a mark that paces the speech.
    pub(crate) fn mark(&mut self, mark: char, span: Range<usize>) {
        self.0.push(VerbalizedToken { kind: TokenKind::Mark(mark), span });
    }
}

//! Sentences of a text that arrives incrementally.

use std::ops::Range;

use super::prelude::*;
use super::scan::Scanner;

/// Cuts a text that arrives incrementally, such as the tokens of a language model, into sentences.
///
/// [`push`](Self::push) returns each sentence once its end is certain. Text that ends in "Dr.",
/// "3.", "Wait.." or inside a quotation is ambiguous and stays in the buffer. The first letter of
/// the next sentence decides most ends. [`finish`](Self::finish) returns the rest.
///
/// The sentences do not depend on the sizes of the pieces, and equal those of `Engine::stream`.
/// Memory holds only the undecided text. A sentence has at most
/// [`MAX_CHARACTERS`](speech_base::limits::MAX_CHARACTERS) characters, so it is a valid `Request`
/// unless it contains a NUL. A longer sentence is cut after a clause, else between words, else
/// inside a word.
///
/// ```
/// # mod speech_core { pub use speech_base::*; pub use speech_text::*; }
/// use speech_core::Segmenter;
///
/// let mut segmenter = Segmenter::new();
/// let mut sentences = Vec::new();
/// for piece in ["Dr", ". Smith paid $3", ".50. He", " left"] {
///     sentences.extend(segmenter.push(piece));
/// }
/// assert_eq!(sentences.len(), 1);
/// assert_eq!(sentences[0].text, "Dr. Smith paid $3.50.");
/// assert_eq!(sentences[0].span, 0..21);
///
/// sentences.extend(segmenter.finish());
/// assert_eq!(sentences[1].text, "He left");
/// ```
#[derive(Clone, Debug)]
pub struct Segmenter {
    scanner: Scanner,
    /// The undecided text.
    tail: String,
    /// The number of bytes before the undecided text.
    passed: usize,
}

/// A sentence of a text that arrives incrementally.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Segment {
    /// Its bytes, counted from the start of the first piece.
    pub span: Range<usize>,
    /// The sentence without surrounding white space; never empty.
    pub text: String,
    /// Whether a paragraph, a heading, a line or an item of a list ends with it.
    pub ends_paragraph: bool,
    /// The largest unit that ends with the sentence.
    pub boundary: Boundary,
}

impl Segmenter {
    /// A segmenter at the start of a text.
    pub(crate) fn with_rules(rules: &'static Rules) -> Self {
        Self { scanner: Scanner::new(rules), tail: String::new(), passed: 0 }
    }

    /// Adds a piece of text of any length, and returns the sentences that are now certain.
    pub fn push(&mut self, part: &str) -> Vec<Segment> {
        self.tail.push_str(part);
        self.decided(false)
    }

    /// Ends the text and returns the remaining sentences.
    pub fn finish(mut self) -> Vec<Segment> {
        self.decided(true)
    }

    /// Returns the remaining sentences as if the text ended here. More text may follow.
    pub fn flush(&mut self) -> Vec<Segment> {
        let segments = self.decided(true);
        self.passed += self.tail.len();
        self.tail.clear();
        self.scanner = self.scanner.restarted();
        segments
    }

    /// The undecided text: the end of the pushed text.
    pub fn held(&self) -> &str {
        &self.tail
    }

    fn decided(&mut self, ended: bool) -> Vec<Segment> {
        let mut segments = Vec::new();
        while let Some(sentence) = self.scanner.next(&self.tail, ended) {
            let Range { start, end } = sentence.span;
            segments.push(Segment {
                span: self.passed + start..self.passed + end,
                text: self.tail[start..end].to_owned(),
                ends_paragraph: sentence.boundary.ends_block(),
                boundary: sentence.boundary,
            });
        }
        let settled = self.scanner.settled();
        self.tail.drain(..settled);
        self.passed += settled;
        self.scanner.forget(settled);
        segments
    }
}

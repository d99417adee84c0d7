//! Sentences of a text that arrives incrementally.

use std::ops::Range;

use super::Boundary;
use super::rules::Rules;
use super::scan::Scanner;

/// Cuts a text that arrives incrementally, such as the tokens of a language model, into sentences.
///
/// [`push`](Self::push) gives each sentence as soon as it is decided, and holds back what is not: a text
/// that ends in "Dr." or "3." or "Wait.." or inside a quotation may go on either way. Most sentences are
/// decided by the first letter of the next. [`finish`](Self::finish) gives the rest.
///
/// However the text is cut into pieces, the sentences are the same, and each is what
/// `Engine::stream` would speak as one. Only what is held back is kept in
/// memory. A sentence has at most [`MAX_CHARACTERS`](speech_base::limits::MAX_CHARACTERS) characters, so it makes a
/// `Request`, which is refused only if a NUL character is in it; a longer sentence is cut
/// after a clause, else between words, and inside a word only if the word alone is longer.
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
    /// What is held back.
    tail: String,
    /// The bytes before it.
    passed: usize,
}

/// A sentence of a text that arrives incrementally.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Segment {
    /// Its bytes, counted from the start of the first piece.
    pub span: Range<usize>,
    /// The sentence, without white space around it; never empty.
    pub text: String,
    /// Whether a paragraph, a heading, a line or an item of a list ends with it.
    pub ends_paragraph: bool,
    /// What ends with it.
    pub boundary: Boundary,
}

impl Segmenter {
    /// A segmenter at the start of a text.
    pub(crate) fn with_rules(rules: &'static Rules) -> Self {
        Self { scanner: Scanner::new(rules), tail: String::new(), passed: 0 }
    }

    /// Takes the next piece of the text, of any length, and gives the sentences that are now decided.
    pub fn push(&mut self, part: &str) -> Vec<Segment> {
        self.tail.push_str(part);
        self.decided(false)
    }

    /// Ends the text and gives the sentences that are left.
    pub fn finish(mut self) -> Vec<Segment> {
        self.decided(true)
    }

    /// Gives the sentences that are left, as if the text ended here; it may go on.
    pub fn flush(&mut self) -> Vec<Segment> {
        let segments = self.decided(true);
        self.passed += self.tail.len();
        self.tail.clear();
        self.scanner = self.scanner.restarted();
        segments
    }

    /// The text that is held back: the end of all that was pushed.
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

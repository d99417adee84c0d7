//! Cuts text into sentences, each a byte span of the caller's text.
//!
//! One scan with hand-written rules serves complete and streamed text; the languages supply word
//! lists. A terminator ends a sentence unless its context rejects it: an abbreviation, an initial,
//! a number, an address, an open quotation. Blank lines, headings and list items also end
//! sentences. In doubt the sentence continues: a missing pause is less audible than an extra one.

mod caseless;
mod emoticons;
mod groups;
pub(crate) mod lines;
mod markers;
pub(crate) mod next;
mod prelude;
pub(crate) mod rules;
pub(crate) mod runs;
mod scan;
mod segmenter;
mod split_text;
mod stops;
pub(crate) mod table;
mod unspaced;
pub(crate) mod view;

use std::ops::Range;

use self::rules::Rules;
use self::view::View;
pub use segmenter::{Segment, Segmenter};
pub(crate) use split_text::split_text;

/// A sentence: its span and its boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Bytes of the text, without surrounding white space; never empty.
    pub span: Range<usize>,
    /// The largest unit that ends with the sentence.
    pub boundary: Boundary,
}

#[cfg(test)]
impl Sentence {
    /// A text that is one sentence.
    pub(crate) fn whole(text: &str) -> Self {
        Self { span: 0..text.len(), boundary: Boundary::Paragraph }
    }
}

/// The largest unit that ends with a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Only a part in one voice: the sentence continues in another.
    Clause,
    /// The sentence only: another follows in the same paragraph.
    Sentence,
    /// A line or a list item: the next one follows directly.
    Line,
    /// A paragraph, a heading or the whole text.
    Paragraph,
}

impl Boundary {
    /// Whether a line, an item or a paragraph ends too.
    pub(crate) fn ends_block(self) -> bool {
        matches!(self, Self::Line | Self::Paragraph)
    }
}

/// The sentences of a text, in order. Together they contain all characters except white space.
pub(crate) fn sentences(text: &str, rules: &'static Rules) -> Vec<Sentence> {
    let mut scanner = scan::Scanner::new(rules);
    std::iter::from_fn(|| scanner.next(text, true)).collect()
}

/// Whether the full stop at `at` ends an inner sentence, in a quotation or in brackets.
pub(crate) fn ends_within(text: &str, at: usize, rules: &'static Rules) -> bool {
    let view = View::new(text, 0, at, true, rules);
    stops::ends_within(&view, at)
}

#[cfg(test)]
mod tests {
    use crate::languages::sentence_rules;

    crate::row_tests::rows! {
        sentences: |[text]| {
            let sentences = super::sentences(text, sentence_rules()).into_iter();
            sentences.map(|sentence| &text[sentence.span]).collect::<Vec<_>>().join(" ¦ ")
        };
        boundaries: |[text]| {
            let shown = |one: super::Sentence| format!("{} {:?}", &text[one.span], one.boundary);
            let sentences = super::sentences(text, sentence_rules()).into_iter().map(shown);
            sentences.collect::<Vec<_>>().join(" ¦ ")
        };
    }
}

//! The text front end: converts text to sentences, words and phonemes. Synthesis, the inspector and
//! the benchmarks share it.

use std::ops::Range;

use crate::languages::{locales, phonemizers, sentence_rules};
use crate::markup::Passage;
use crate::normalize::{self, MarkedReading, NormalizedText, Options, Word};
use crate::phonemize::{Phonemes, Phonemizer};
use crate::segment::{self, Boundary, Segmenter, Sentence};

/// Reads text in all languages. Loading takes tens of milliseconds; use is cheap and needs no lock.
pub struct FrontEnd {
    phonemizer: Phonemizer,
}

impl FrontEnd {
    /// Loads the lexicons and the models for words outside them.
    pub fn load() -> Self {
        Self { phonemizer: Phonemizer::new(phonemizers()) }
    }

    /// The sentences of a text in order, each with its words.
    pub fn normalize<'a>(
        &self,
        text: &'a str,
        options: Options<'a>,
    ) -> impl Iterator<Item = (Sentence, NormalizedText)> + use<'a> {
        sentences(text).into_iter().map(move |sentence| {
            let normalized = normalize::normalize(text, &sentence, options, locales());
            (sentence, normalized)
        })
    }

    /// The sentences of a passage in order, each with its words.
    pub fn normalize_passage<'a>(
        &self,
        passage: &'a Passage,
        options: Options<'a>,
    ) -> impl Iterator<Item = (Sentence, NormalizedText)> + use<'a> {
        let Passage { text, boundary, .. } = passage;
        let found = if passage.is_sentence { whole(text) } else { sentences(text) };
        let mut found = joined(found, &passage.readings);
        if let Some(last) = found.last_mut() {
            last.boundary = *boundary;
        }
        found.into_iter().map(move |sentence| {
            let normalized = normalize::normalize(text, &sentence, options, locales());
            (sentence, normalized)
        })
    }

    /// The phonemes of a normalized sentence.
    pub fn phonemize(&self, sentence: &NormalizedText) -> Phonemes {
        self.phonemizer.phonemize(sentence)
    }

    /// Whether no lexicon has the word and its letters do not determine its phonemes.
    pub(crate) fn is_guess(&self, word: &Word) -> bool {
        self.phonemizer.is_guess(word)
    }
}

impl Segmenter {
    /// Creates a segmenter for text in any language.
    pub fn new() -> Self {
        Self::with_rules(sentence_rules())
    }
}

impl Default for Segmenter {
    fn default() -> Self {
        Self::new()
    }
}

/// Cuts a text into parts of at most `max_characters` characters, in order.
///
/// Each part is a slice without surrounding white space, and only white space is lost between
/// parts. A part ends at a sentence end if possible, else after a clause, else between words. A
/// word is cut only if it alone exceeds the limit. A limit of 0 counts as 1.
///
/// ```
/// # mod speech_core { pub use speech_base::*; pub use speech_text::*; }
/// let text = "One sentence. And a second one, with a clause.";
/// assert_eq!(
///     speech_core::split_text(text, 20),
///     ["One sentence.", "And a second one,", "with a clause."]
/// );
/// ```
pub fn split_text(text: &str, max_characters: usize) -> Vec<&str> {
    segment::split_text(text, max_characters, sentence_rules())
}

/// Joins sentences that were cut inside a range with a marked reading.
fn joined(sentences: Vec<Sentence>, readings: &[MarkedReading]) -> Vec<Sentence> {
    let mut joined: Vec<Sentence> = Vec::with_capacity(sentences.len());
    let mut whole = readings.iter().filter(|reading| reading.is_whole()).peekable();
    for sentence in sentences {
        let Range { start, end } = sentence.span;
        while whole.next_if(|reading| reading.range.end <= start).is_some() {}
        match joined.last_mut() {
            Some(last)
                if whole.peek().is_some_and(|reading| reading.range.start < last.span.end) =>
            {
                last.span.end = end;
                last.boundary = sentence.boundary;
            }
            _ => joined.push(sentence),
        }
    }
    joined
}

/// A text as one sentence; none if it is white space.
fn whole(text: &str) -> Vec<Sentence> {
    let start = text.len() - text.trim_start().len();
    let span = start..text.trim_end().len().max(start);
    let sentence = Sentence { span, boundary: Boundary::Paragraph };
    Some(sentence).filter(|sentence| !sentence.span.is_empty()).into_iter().collect()
}

/// The sentences of a text, in order.
pub fn sentences(text: &str) -> Vec<Sentence> {
    segment::sentences(text, sentence_rules())
}

//! The stages on their own, for the benches and the figures of `cargo xtask eval`: no part of the API, and free to change.

use std::ops::Range;

use crate::language::Language;
use crate::languages::{en_us, hi_in};
use crate::normalize::{NormalizedText, Options, Token};
use crate::segment::Sentence;
use crate::{audio, encode, front_end};

pub fn segment(text: &str) -> usize {
    front_end::sentences(text).len()
}

/// The byte spans of the sentences.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    front_end::sentences(text).into_iter().map(|sentence| sentence.span).collect()
}

/// What a sentence is read from, as byte spans of the text.
#[derive(Clone, Debug)]
pub struct Reading {
    pub sentence: Range<usize>,
    pub words: Vec<Range<usize>>,
    pub marks: Vec<Range<usize>>,
    /// What has no word: each is a diagnostic.
    pub skipped: Vec<Range<usize>>,
    /// The number of phonemes.
    pub phonemes: usize,
}

/// A place that could be read in several ways.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its first byte in the text.
    pub start: usize,
    /// The number of the reading that was taken.
    pub taken: usize,
    /// The kind of each reading, and the features that its score is made of.
    pub readings: Vec<(&'static str, Vec<String>)>,
}

pub struct FrontEnd(front_end::FrontEnd);

impl FrontEnd {
    #[expect(clippy::new_without_default, reason = "no part of the API")]
    pub fn new() -> Self {
        Self(front_end::FrontEnd::new())
    }

    /// The number of tokens that a text is normalized to.
    pub fn normalize(&self, text: &str, language: Language) -> usize {
        let sentences = self.0.normalize(text, Options::plain(language));
        sentences.map(|(_, normalized)| normalized.tokens.len()).sum()
    }

    /// Every sentence of a text.
    pub fn read(&self, text: &str, language: Language) -> Vec<Reading> {
        let sentences = self.0.normalize(text, Options::plain(language));
        let reading = |(sentence, normalized): (Sentence, NormalizedText)| {
            let (mut words, mut marks) = (Vec::new(), Vec::new());
            for token in &normalized.tokens {
                match token {
                    Token::Word(word) => words.push(word.span.clone()),
                    Token::Mark(mark) => marks.push(mark.span.clone()),
                }
            }
            Reading {
                sentence: sentence.span,
                words,
                marks,
                skipped: normalized.skipped.iter().map(|skipped| skipped.span.clone()).collect(),
                phonemes: self.0.phonemize(&normalized).tokens().0.len(),
            }
        };
        sentences.map(reading).collect()
    }

    /// Every sentence of a text, with `forced` readings (places in the text, and the number of a reading there), and all places
    /// that could be read in several ways.
    pub fn choices(
        &self,
        text: &str,
        language: Language,
        forced: &[(usize, usize)],
    ) -> (Vec<String>, Vec<Place>) {
        let options = Options { explain: true, forced, ..Options::plain(language) };
        let (mut lines, mut places) = (Vec::new(), Vec::new());
        for (_, normalized) in self.0.normalize(text, options) {
            lines.push(normalized.to_line());
            places.extend(normalized.choices.into_iter().map(|choice| Place {
                start: choice.start,
                taken: choice.taken,
                readings: choice
                    .candidates
                    .into_iter()
                    .map(|scored| (scored.kind.name(), scored.features))
                    .collect(),
            }));
        }
        (lines, places)
    }

    /// The number of phonemes of a text.
    pub fn phonemize(&self, text: &str, language: Language) -> usize {
        let sentences = self.0.normalize(text, Options::plain(language));
        sentences.map(|(_, normalized)| self.0.phonemize(&normalized).tokens().0.len()).sum()
    }
}

/// What the model of unknown words reads, without a lexicon.
pub fn read_unknown(word: &str) -> String {
    en_us::phonemize::oov::read(word)
}

/// The phonemes of one Hindi word.
pub fn read_hindi_word(word: &str) -> String {
    hi_in::phonemize::read(word)
}

pub fn resample(samples: &[f32]) -> Vec<f32> {
    let mut output = Vec::new();
    let mut resampler = audio::Resampler::new();
    resampler.push(samples, &mut output);
    resampler.finish(&mut output);
    output
}

pub fn to_samples(samples: &[f32]) -> Vec<i16> {
    audio::Loudness::new(1.5).apply(samples)
}

pub fn wav(samples: &[i16]) -> Vec<u8> {
    encode::wav(samples)
}

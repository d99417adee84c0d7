//! The stages on their own, for the benches and the figures of `cargo xtask eval`: no part of the API, and free to change.

use std::ops::Range;

use crate::normalize::Options;
use crate::request::Language;
use crate::{audio, encode, normalize, phonemize, segment};

pub fn segment(text: &str) -> usize {
    segment::sentences(text).len()
}

/// The byte spans of the sentences.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    segment::sentences(text).into_iter().map(|sentence| sentence.span).collect()
}

pub fn normalize(text: &str, language: Language) -> usize {
    let words =
        |sentence| normalize::normalize(text, &sentence, Options::plain(language)).tokens.len();
    segment::sentences(text).into_iter().map(words).sum()
}

pub struct Phonemizer(phonemize::Phonemizer);

impl Phonemizer {
    #[expect(clippy::new_without_default, reason = "no part of the API")]
    pub fn new() -> Self {
        Self(phonemize::Phonemizer::new())
    }

    pub fn phonemize(&self, text: &str, language: Language) -> usize {
        let options = Options::plain(language);
        let tokens = |sentence| {
            let normalized = normalize::normalize(text, &sentence, options);
            self.0.phonemize(&normalized).tokens().0.len()
        };
        segment::sentences(text).into_iter().map(tokens).sum()
    }
}

/// What the model of unknown words reads, without a lexicon.
pub fn read_unknown(word: &str) -> String {
    phonemize::read_unknown(word)
}

/// The phonemes of one Hindi word.
pub fn read_hindi_word(word: &str) -> String {
    phonemize::read_hindi_word(word)
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

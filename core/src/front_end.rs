//! The text front end: a text to sentences, their words, and the phonemes of these. Synthesis, the inspector and the
//! benches share it.

use crate::normalize::{self, NormalizedText, Options};
use crate::phonemize::{Phonemes, Phonemizer};
use crate::segment::{self, Sentence};

/// Reads text in every language. Loading takes some tens of milliseconds; using it is cheap and needs no lock.
pub(crate) struct FrontEnd {
    phonemizer: Phonemizer,
}

impl FrontEnd {
    /// Loads the lexicons and the models of words outside them.
    pub(crate) fn new() -> Self {
        Self { phonemizer: Phonemizer::new() }
    }

    /// The sentences of a text in order, each with the words that are said for it.
    pub(crate) fn normalize<'a>(
        &self,
        text: &'a str,
        options: Options<'a>,
    ) -> impl Iterator<Item = (Sentence, NormalizedText)> + use<'a> {
        segment::sentences(text).into_iter().map(move |sentence| {
            let normalized = normalize::normalize(text, &sentence, options);
            (sentence, normalized)
        })
    }

    /// The phonemes of a normalized sentence.
    pub(crate) fn phonemize(&self, sentence: &NormalizedText) -> Phonemes {
        self.phonemizer.phonemize(sentence)
    }
}

//! A whole text, spoken.

use std::time::Duration;

use speech_acoustic::Backend;
use speech_base::RequestId;

use crate::encode;
use crate::format::SAMPLE_RATE;
use crate::synthesis::VisemeTiming;
use crate::synthesis::{
    self, Diagnostic, MarkTiming, PhonemeTiming, SentenceTiming, Timings, WordTiming,
};

/// A whole text, spoken.
#[derive(Clone, Debug, PartialEq)]
pub struct Speech {
    pub(crate) samples: Vec<i16>,
    pub(crate) timings: Timings,
    pub(crate) request_id: RequestId,
    pub(crate) characters: usize,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) backend: Backend,
}

impl Speech {
    /// The kernels and the precision that it was computed with.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// 16-bit mono samples at [`SAMPLE_RATE`].
    pub fn samples(&self) -> &[i16] {
        &self.samples
    }

    /// The same, without a copy.
    pub fn into_samples(self) -> Vec<i16> {
        self.samples
    }

    /// The samples as a RIFF/WAVE file.
    pub fn to_wav(&self) -> Vec<u8> {
        encode::wav(&self.samples)
    }

    /// The samples as 16-bit little-endian bytes.
    pub fn to_pcm(&self) -> Vec<u8> {
        encode::pcm(&self.samples)
    }

    /// Samples a second, in hertz: always [`SAMPLE_RATE`].
    pub fn sample_rate(&self) -> u32 {
        SAMPLE_RATE
    }

    /// How long it sounds.
    pub fn duration(&self) -> Duration {
        Duration::from_secs_f64(self.samples.len() as f64 / f64::from(SAMPLE_RATE))
    }

    /// When each word is heard.
    pub fn words(&self) -> &[WordTiming] {
        &self.timings.words
    }

    /// When each sound is heard.
    pub fn phonemes(&self) -> &[PhonemeTiming] {
        &self.timings.phonemes
    }

    /// When each sentence is heard.
    pub fn sentences(&self) -> &[SentenceTiming] {
        &self.timings.sentences
    }

    /// When each mark of SSML is reached.
    pub fn marks(&self) -> &[MarkTiming] {
        &self.timings.marks
    }

    /// The shapes of the mouth, from the first sample to the last: closed where nothing is said. A diphthong has two.
    pub fn visemes(&self) -> Vec<VisemeTiming> {
        let seconds = self.samples.len() as f64 / f64::from(SAMPLE_RATE);
        synthesis::visemes(&self.timings.phonemes, 0.0, seconds)
    }

    /// The metered quantity: the characters of the text as it was sent.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// The identifier of the request.
    pub fn request_id(&self) -> RequestId {
        self.request_id
    }

    /// What was not said.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

//! A part of the speech that a stream gives.

use std::ops::Range;

use crate::encode;
use crate::format::SAMPLE_RATE;
use crate::synthesis::{
    self, MarkTiming, PhonemeTiming, SentenceAudio, SentenceTiming, Timings, VisemeTiming,
    WordTiming,
};

/// One sentence of a [`Stream`](crate::Stream) with the pause after it, or a part of one.
///
/// A sentence that takes over 16 s to say comes in parts of at most that. A silence of over a second is given by itself, a second
/// at a time, and with low latency the first sentence may come as three.
///
/// All times are in seconds from the start of the stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    samples: Vec<i16>,
    span: Range<usize>,
    /// The seconds of the stream before it.
    from: f64,
    timings: Timings,
    /// The sound of the chunk before that continues in this one.
    sounding: Option<PhonemeTiming>,
}

impl Chunk {
    /// Audio that begins so many seconds after the start of its stream, with the sound that continues from the chunk before.
    pub(crate) fn new(
        mut audio: SentenceAudio,
        span: Range<usize>,
        from: f64,
        sounding: Option<PhonemeTiming>,
    ) -> Self {
        let timings = std::mem::take(&mut audio.timings).later_by(from);
        Self { samples: audio.into_samples(), span, from, timings, sounding }
    }

    /// The sound that continues in the next chunk.
    pub(crate) fn sounding_after(&self) -> Option<PhonemeTiming> {
        let until = self.from + self.seconds();
        let last = self.timings.phonemes.last().or(self.sounding.as_ref());
        last.filter(|phoneme| phoneme.end > until).cloned()
    }

    /// 16-bit mono samples at [`SAMPLE_RATE`].
    pub fn samples(&self) -> &[i16] {
        &self.samples
    }

    /// The samples, without a copy.
    pub fn into_samples(self) -> Vec<i16> {
        self.samples
    }

    /// The samples as 16-bit little-endian bytes.
    pub fn to_pcm(&self) -> Vec<u8> {
        encode::pcm(&self.samples)
    }

    /// The length of the audio.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(SAMPLE_RATE)
    }

    /// The bytes of its sentence in the text that was sent; the whole text if there was nothing to say.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// When each word is heard.
    pub fn words(&self) -> &[WordTiming] {
        &self.timings.words
    }

    /// When each sound is heard.
    pub fn phonemes(&self) -> &[PhonemeTiming] {
        &self.timings.phonemes
    }

    /// When its sentence is heard: in the chunk in which the sentence ends.
    pub fn sentences(&self) -> &[SentenceTiming] {
        &self.timings.sentences
    }

    /// When each mark of SSML is reached.
    pub fn marks(&self) -> &[MarkTiming] {
        &self.timings.marks
    }

    /// The shapes of the mouth over the chunk, without gaps.
    pub fn visemes(&self) -> Vec<VisemeTiming> {
        let phonemes = self.sounding.iter().chain(&self.timings.phonemes);
        synthesis::visemes(phonemes, self.from, self.from + self.seconds())
    }
}

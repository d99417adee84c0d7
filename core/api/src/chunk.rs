//! One item of a stream: a part of its speech.

use std::ops::Range;

use crate::encode;
use crate::format::Encoding;
use crate::sample_rate::SampleRate;
use crate::synthesis::{
    self, MarkTiming, PhonemeTiming, SentenceAudio, SentenceTiming, Timings, VisemeTiming,
    WordTiming,
};

/// One sentence of a [`Stream`](crate::Stream) with the pause after it, or a part of one.
///
/// A sentence that lasts over 16 s comes in parts of at most that length. A silence of over one
/// second comes separately, one second at a time. With low latency the first sentence may come in
/// three parts.
///
/// All times are in seconds from the start of the stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    samples: Vec<i16>,
    rate: SampleRate,
    encoding: Encoding,
    span: Range<usize>,
    /// The start of the chunk in the stream, in seconds.
    from: f64,
    timings: Timings,
    /// The phoneme of the previous chunk that continues in this one.
    sounding: Option<PhonemeTiming>,
}

impl Chunk {
    /// A chunk that starts at `from` seconds of its stream, with the phoneme that continues from
    /// the previous chunk.
    pub(crate) fn new(
        mut audio: SentenceAudio,
        encoding: Encoding,
        span: Range<usize>,
        from: f64,
        sounding: Option<PhonemeTiming>,
    ) -> Self {
        let timings = std::mem::take(&mut audio.timings).later_by(from);
        let rate = audio.rate();
        Self { samples: audio.into_samples(), rate, encoding, span, from, timings, sounding }
    }

    /// The phoneme that continues in the next chunk.
    pub(crate) fn sounding_after(&self) -> Option<PhonemeTiming> {
        let until = self.from + self.seconds();
        let last = self.timings.phonemes.last().or(self.sounding.as_ref());
        last.filter(|phoneme| phoneme.end > until).cloned()
    }

    /// 16-bit mono samples at [`sample_rate`](Self::sample_rate).
    pub fn samples(&self) -> &[i16] {
        &self.samples
    }

    /// The samples, without a copy.
    pub fn into_samples(self) -> Vec<i16> {
        self.samples
    }

    /// The samples as bytes in the [`encoding`](Self::encoding) of the request.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode::encode(&self.samples, self.encoding)
    }

    /// The samples as 16-bit little-endian bytes, independent of the request's encoding.
    pub fn to_pcm(&self) -> Vec<u8> {
        encode::encode(&self.samples, Encoding::Pcm16)
    }

    /// The samples as floats from -1 to 1.
    pub fn to_floats(&self) -> Vec<f32> {
        encode::floats(&self.samples).collect()
    }

    /// The sample rate in hertz, as set in the [request](crate::Request::sample_rate).
    pub fn sample_rate(&self) -> u32 {
        self.rate.hertz()
    }

    /// The encoding set in the [request](crate::Request::encoding).
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The duration of the audio, in seconds.
    pub fn seconds(&self) -> f64 {
        self.rate.seconds(self.samples.len())
    }

    /// The byte range of the chunk's sentence in the request's text; the whole text if it contains
    /// nothing speakable.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The timestamps of the words.
    pub fn words(&self) -> &[WordTiming] {
        &self.timings.words
    }

    /// The timestamps of the phonemes.
    pub fn phonemes(&self) -> &[PhonemeTiming] {
        &self.timings.phonemes
    }

    /// The timestamp of the sentence, in the chunk in which the sentence ends.
    pub fn sentences(&self) -> &[SentenceTiming] {
        &self.timings.sentences
    }

    /// The timestamps of SSML marks.
    pub fn marks(&self) -> &[MarkTiming] {
        &self.timings.marks
    }

    /// The visemes over the chunk, without gaps.
    pub fn visemes(&self) -> Vec<VisemeTiming> {
        let phonemes = self.sounding.iter().chain(&self.timings.phonemes);
        synthesis::visemes(phonemes, self.from, self.from + self.seconds())
    }
}

//! A part of the speech that a stream gives.

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
/// A sentence that takes over 16 s to say comes in parts of at most that. A silence of over a second is given by itself, a second
/// at a time, and with low latency the first sentence may come as three.
///
/// All times are in seconds from the start of the stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    samples: Vec<i16>,
    rate: SampleRate,
    encoding: Encoding,
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
        encoding: Encoding,
        span: Range<usize>,
        from: f64,
        sounding: Option<PhonemeTiming>,
    ) -> Self {
        let timings = std::mem::take(&mut audio.timings).later_by(from);
        let rate = audio.rate();
        Self { samples: audio.into_samples(), rate, encoding, span, from, timings, sounding }
    }

    /// The sound that continues in the next chunk.
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

    /// The samples as 16-bit little-endian bytes, whatever the encoding of the request is.
    pub fn to_pcm(&self) -> Vec<u8> {
        encode::encode(&self.samples, Encoding::Pcm16)
    }

    /// The samples as floats from -1 to 1.
    pub fn to_floats(&self) -> Vec<f32> {
        encode::floats(&self.samples).collect()
    }

    /// Samples a second, in hertz: those of the [request](crate::Request::sample_rate).
    pub fn sample_rate(&self) -> u32 {
        self.rate.hertz()
    }

    /// How the request has its samples [encoded](crate::Request::encoding).
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The length of the audio.
    pub fn seconds(&self) -> f64 {
        self.rate.seconds(self.samples.len())
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

//! The speech of a whole text.

use std::collections::VecDeque;

use speech_acoustic::Backend;
use speech_base::RequestId;
use speech_base::cancel::CancelToken;
use speech_base::error::Result;
use speech_base::limits::MAX_SECONDS;

use crate::encode;
use crate::format::Encoding;
use crate::loaded_engine::EngineHandle;
use crate::sample_rate::SampleRate;
use crate::synthesis::{
    self, Diagnostic, Follows, MarkTiming, PhonemeTiming, PreparedSentence, SentenceAudio,
    SentenceTiming, Timings, VisemeTiming, WordTiming,
};
use crate::validate::ValidRequest;

/// The speech of a whole text. All times are in seconds from its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Speech {
    samples: Vec<i16>,
    rate: SampleRate,
    encoding: Encoding,
    timings: Timings,
    request_id: RequestId,
    characters: usize,
    diagnostics: Vec<Diagnostic>,
    backend: Backend,
}

impl Speech {
    /// The kernels and the precision that computed the speech.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// 16-bit mono samples at [`sample_rate`](Self::sample_rate).
    pub fn samples(&self) -> &[i16] {
        &self.samples
    }

    /// The samples, without a copy.
    pub fn into_samples(self) -> Vec<i16> {
        self.samples
    }

    /// A RIFF/WAVE file of the samples in the [`encoding`](Self::encoding) of the request.
    pub fn to_wav(&self) -> Vec<u8> {
        encode::wav(&self.samples, self.sample_rate(), self.encoding)
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

    /// The timestamps of the words.
    pub fn words(&self) -> &[WordTiming] {
        &self.timings.words
    }

    /// The timestamps of the phonemes.
    pub fn phonemes(&self) -> &[PhonemeTiming] {
        &self.timings.phonemes
    }

    /// The timestamps of the sentences.
    pub fn sentences(&self) -> &[SentenceTiming] {
        &self.timings.sentences
    }

    /// The timestamps of SSML marks.
    pub fn marks(&self) -> &[MarkTiming] {
        &self.timings.marks
    }

    /// The visemes, from the first sample to the last; closed lips in silence. A diphthong has two.
    pub fn visemes(&self) -> Vec<VisemeTiming> {
        synthesis::visemes(&self.timings.phonemes, 0.0, self.seconds())
    }

    /// The metered quantity: the number of characters of the text as sent.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// The identifier of the request.
    pub fn request_id(&self) -> RequestId {
        self.request_id
    }

    /// The diagnostics: text that was skipped.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// Computes the speech of a whole text one sentence at a time, on the calling thread.
#[doc(hidden)]
pub struct Collector {
    engine: EngineHandle,
    sentences: VecDeque<PreparedSentence>,
    audio: SentenceAudio,
    encoding: Encoding,
    diagnostics: Vec<Diagnostic>,
    request_id: RequestId,
    characters: usize,
    cancel: CancelToken,
}

impl Collector {
    pub(crate) fn new(engine: EngineHandle, request: &ValidRequest) -> Self {
        let prepared = request.prepare(&engine);
        let nothing = prepared.sentences.is_empty();
        let audio = if nothing {
            prepared.nothing_to_say(engine.sample_rate)
        } else {
            SentenceAudio::empty(engine.sample_rate)
        };
        Self {
            engine,
            sentences: prepared.sentences.into(),
            audio,
            encoding: request.encoding(),
            diagnostics: prepared.diagnostics,
            request_id: request.request_id(),
            characters: request.characters(),
            cancel: request.child_token(),
        }
    }

    /// The identifier of the request.
    pub fn request_id(&self) -> RequestId {
        self.request_id
    }

    /// Computes the next sentence; after the last, returns the speech.
    ///
    /// # Errors
    ///
    /// As [`Engine::synthesize`](crate::Engine::synthesize). Nothing more can be computed after an
    /// error.
    pub fn step(&mut self) -> Result<Option<Speech>> {
        self.compute_next().map_err(|error| error.with_request_id(self.request_id))?;
        Ok(self.sentences.is_empty().then(|| self.speech()))
    }

    /// Computes all sentences.
    pub(crate) fn finish(mut self) -> Result<Speech> {
        loop {
            if let Some(speech) = self.step()? {
                return Ok(speech);
            }
        }
    }

    fn compute_next(&mut self) -> Result<()> {
        self.cancel.check()?;
        let Some(mut sentence) = self.sentences.pop_front() else { return Ok(()) };
        let synthesizer = self.engine.synthesizer(&sentence.passage, &self.cancel)?;
        let room = f64::from(MAX_SECONDS) - self.audio.seconds();
        let follows = Follows::end_if(self.sentences.is_empty());
        self.audio.append(synthesizer.speak(&mut sentence, follows, room, None)?);
        Ok(())
    }

    fn speech(&mut self) -> Speech {
        let mut audio = self.audio.take();
        Speech {
            rate: audio.rate(),
            encoding: self.encoding,
            timings: std::mem::take(&mut audio.timings),
            samples: audio.into_samples(),
            request_id: self.request_id,
            characters: self.characters,
            backend: self.engine.backend(),
            diagnostics: std::mem::take(&mut self.diagnostics),
        }
    }
}

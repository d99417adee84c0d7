//! One request in progress: sentences come out in order, each when it is asked for.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use crate::bundle::VoiceStyle;
use crate::cancel::CancelToken;
use crate::engine::Parts;
use crate::meter::RequestId;
use crate::normalize::Options;
use crate::synthesis::{self, Diagnostic, Script, WordTiming};
use crate::validate::ValidRequest;
use crate::{Result, SAMPLE_RATE, encode};

/// Speech a sentence at a time: `next()` computes the next sentence and gives it.
///
/// The chunks one after another are, sample for sample, what [`Engine::synthesize`](crate::Engine::synthesize)
/// gives for the same request. An error ends the stream. Dropping it stops; nothing runs between calls.
pub struct Stream {
    parts: Arc<Parts>,
    request: ValidRequest,
    style: Arc<VoiceStyle>,
    scripts: VecDeque<Script>,
    diagnostics: Vec<Diagnostic>,
    cancel: CancelToken,
    seconds: f64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was given yet.
    Fresh,
    Speaking,
    Ended,
}

/// One sentence of a [`Stream`], with the pause after it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chunk {
    /// 16-bit mono samples at [`SAMPLE_RATE`].
    pub samples: Vec<i16>,
    /// Bytes of the text that was sent; the whole of it if there was nothing to say.
    pub span: Range<usize>,
    /// When each word is heard, in seconds from the start of the stream.
    pub words: Vec<WordTiming>,
}

impl Chunk {
    /// The samples as 16-bit little-endian bytes.
    pub fn to_pcm(&self) -> Vec<u8> {
        encode::pcm(&self.samples)
    }
}

impl Stream {
    pub(crate) fn new(
        parts: Arc<Parts>,
        request: ValidRequest,
        style: Arc<VoiceStyle>,
        cancel: CancelToken,
    ) -> Self {
        let options = Options {
            language: request.language(),
            read_emoji: request.reads_emoji(),
            lexicon: &parts.lexicon,
        };
        let (scripts, diagnostics) = synthesis::prepare(request.text(), options);
        Self {
            parts,
            request,
            style,
            scripts: scripts.into(),
            diagnostics,
            cancel,
            seconds: 0.0,
            state: State::Fresh,
        }
    }

    /// The identifier of the request.
    pub fn request_id(&self) -> RequestId {
        self.request.request_id()
    }

    /// The metered quantity: the characters of the text as it was sent.
    pub fn characters(&self) -> usize {
        self.request.characters()
    }

    /// Samples a second, in hertz: always [`SAMPLE_RATE`].
    pub fn sample_rate(&self) -> u32 {
        SAMPLE_RATE
    }

    /// What was not said, of the whole text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Speaks the rest and puts all of it together.
    pub(crate) fn collect_speech(mut self) -> Result<Speech> {
        let mut samples = Vec::new();
        let mut words = Vec::new();
        for chunk in self.by_ref() {
            let chunk = chunk?;
            samples.extend(chunk.samples);
            words.extend(chunk.words);
        }
        Ok(Speech {
            samples,
            words,
            request_id: self.request_id(),
            characters: self.characters(),
            diagnostics: self.diagnostics,
        })
    }

    fn speak_next(&mut self) -> Option<Result<Chunk>> {
        if let Err(error) = self.cancel.check() {
            return Some(Err(error));
        }
        let Some(script) = self.scripts.pop_front() else {
            let spoken = (self.state == State::Fresh).then(synthesis::nothing_to_say)?;
            return Some(Ok(Chunk {
                samples: spoken.samples,
                span: 0..self.request.text().len(),
                words: spoken.words,
            }));
        };
        let span = script.sentence.span.clone();
        let is_last = self.scripts.is_empty();
        let spoken = synthesis::speak(
            script,
            is_last,
            &self.parts.phonemizer,
            &*self.parts.model,
            &self.style,
            &self.cancel,
        );
        Some(spoken.map(|spoken| {
            let offset = self.seconds;
            self.seconds += spoken.seconds();
            let words = spoken.words.into_iter().map(|word| word.later_by(offset)).collect();
            Chunk { samples: spoken.samples, span, words }
        }))
    }
}

impl Iterator for Stream {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Ended {
            return None;
        }
        let next = self.speak_next();
        self.state = if matches!(next, Some(Ok(_))) { State::Speaking } else { State::Ended };
        let id = self.request_id();
        next.map(|chunk| chunk.map_err(|error| error.with_request_id(id)))
    }

    /// At most the sentences that are left: an error ends the stream before.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let nothing_to_say = self.state == State::Fresh && self.scripts.is_empty();
        let left = if self.state == State::Ended {
            0
        } else {
            self.scripts.len() + usize::from(nothing_to_say)
        };
        (left.min(1), Some(left))
    }
}

impl std::iter::FusedIterator for Stream {}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the text: it is the user's.
        f.debug_struct("Stream")
            .field("request_id", &self.request_id())
            .field("sentences_left", &self.scripts.len())
            .finish_non_exhaustive()
    }
}

/// A whole text, spoken.
#[derive(Clone, Debug, PartialEq)]
pub struct Speech {
    samples: Vec<i16>,
    words: Vec<WordTiming>,
    request_id: RequestId,
    characters: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Speech {
    /// 16-bit mono samples at [`SAMPLE_RATE`].
    pub fn samples(&self) -> &[i16] {
        &self.samples
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
        &self.words
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

//! A request that is being spoken: its sentences in order, the next one computed while the last is consumed.

use std::collections::VecDeque;
use std::ops::Range;

use speech_acoustic::Backend;
use speech_base::RequestId;
use speech_base::cancel::CancelToken;
use speech_base::error::Result;
use speech_base::limits::MAX_SECONDS;
use speech_base::prefetch::{Handover, Prefetch};

use crate::encode;
use crate::format::SAMPLE_RATE;
use crate::latency::Latency;
use crate::loaded_engine::EngineHandle;
use crate::speech::Speech;
use crate::synthesis::VisemeTiming;
use crate::synthesis::{
    self, Diagnostic, Give, MarkTiming, PhonemeTiming, Prepared, PreparedSentence, SentenceAudio,
    SentenceTiming, Timings, WordTiming,
};
use crate::validate::ValidRequest;

/// Speech a sentence at a time: `next()` gives the next sentence as soon as it is computed.
///
/// It holds what one chunk has and the next: at most 16 s of sound each, however long the text is and however slowly it is
/// consumed. The chunks one after another are, sample for sample, what [`Engine::synthesize`](crate::Engine::synthesize)
/// gives for the same request, unless it asks for low [`latency`](crate::Request::latency). From the first `next()` on
/// one sentence is computed ahead, while the caller consumes the last. An error ends the stream. Dropping it stops,
/// and waits until nothing runs.
pub struct Stream {
    engine: EngineHandle,
    request: ValidRequest,
    diagnostics: Vec<Diagnostic>,
    cancel: CancelToken,
    seconds: f64,
    /// The sound that the last chunk ended in.
    sounding: Option<PhonemeTiming>,
    /// Sentences whose last chunk is still to be given, if nothing fails.
    left: usize,
    /// Whether the next sentence begins early.
    early: bool,
    /// What is left of a piece that comes in parts.
    rest: Option<Piece>,
    state: State,
}

enum State {
    /// Nothing was asked for yet.
    Fresh(Prepared),
    /// The sentences are computed on a thread of their own.
    Speaking(Prefetch<Piece>),
    /// The sentences are computed by [`Stream::step`].
    Stepping(VecDeque<PreparedSentence>),
    Ended,
}

/// Where a stream is that is computed step by step.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next step can be taken.
    Ready,
    /// More text has to arrive.
    Waiting,
    /// That was all.
    Ended,
}

/// The audio of a part of a sentence.
struct Piece {
    audio: SentenceAudio,
    /// The bytes of the sentence in the text.
    span: Range<usize>,
    /// Whether more of the sentence follows.
    goes_on: bool,
}

/// One sentence of a [`Stream`], with the pause after it, or a part of one.
///
/// A sentence that takes over 16 s to say comes in parts of at most that. A silence of over a second is given by itself, a second
/// at a time, and with low latency the first sentence may come as three.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chunk {
    /// 16-bit mono samples at [`SAMPLE_RATE`].
    pub samples: Vec<i16>,
    /// Bytes of the text that was sent; the whole of it if there was nothing to say.
    pub span: Range<usize>,
    /// The seconds of the stream before it.
    from: f64,
    timings: Timings,
    /// The sound of the chunk before that goes on in this one.
    sounding: Option<PhonemeTiming>,
}

impl Chunk {
    /// Audio that begins so many seconds after the start of its stream, with the sound that goes on from the chunk before.
    pub(crate) fn new(
        mut audio: SentenceAudio,
        span: Range<usize>,
        from: f64,
        sounding: Option<PhonemeTiming>,
    ) -> Self {
        let timings = std::mem::take(&mut audio.timings).later_by(from);
        Self { samples: audio.into_samples(), span, from, timings, sounding }
    }

    /// The sound that goes on in the next chunk.
    pub(crate) fn sounding_after(&self) -> Option<PhonemeTiming> {
        let until = self.from + self.seconds();
        let last = self.timings.phonemes.last().or(self.sounding.as_ref());
        last.filter(|phoneme| phoneme.end > until).cloned()
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(SAMPLE_RATE)
    }

    /// The samples as 16-bit little-endian bytes.
    pub fn to_pcm(&self) -> Vec<u8> {
        encode::pcm(&self.samples)
    }

    /// When each word is heard, in seconds from the start of the stream.
    pub fn words(&self) -> &[WordTiming] {
        &self.timings.words
    }

    /// When each sound is heard, in seconds from the start of the stream.
    pub fn phonemes(&self) -> &[PhonemeTiming] {
        &self.timings.phonemes
    }

    /// When its sentence is heard, in seconds from the start of the stream: in the chunk in which the sentence ends.
    pub fn sentences(&self) -> &[SentenceTiming] {
        &self.timings.sentences
    }

    /// When each mark of SSML is reached, in seconds from the start of the stream.
    pub fn marks(&self) -> &[MarkTiming] {
        &self.timings.marks
    }

    /// The shapes of the mouth over the chunk, in seconds from the start of the stream.
    pub fn visemes(&self) -> Vec<VisemeTiming> {
        let phonemes = self.sounding.iter().chain(&self.timings.phonemes);
        synthesis::visemes(phonemes, self.from, self.from + self.seconds())
    }
}

impl Stream {
    pub(crate) fn new(engine: EngineHandle, request: ValidRequest, cancel: CancelToken) -> Self {
        let options = request.options(&engine.lexicon);
        let mut prepared = synthesis::prepare(&engine.front_end, request.passages(), options);
        Self {
            left: prepared.sentences.len().max(1),
            early: request.latency() == Latency::Low,
            engine,
            request,
            diagnostics: std::mem::take(&mut prepared.diagnostics),
            cancel,
            seconds: 0.0,
            sounding: None,
            rest: None,
            state: State::Fresh(prepared),
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

    /// The sentences that are still to be given whole; a text with nothing to say counts as one.
    pub fn sentences_left(&self) -> usize {
        self.left
    }

    /// Samples a second, in hertz: always [`SAMPLE_RATE`].
    pub fn sample_rate(&self) -> u32 {
        SAMPLE_RATE
    }

    /// What was not said, of the whole text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The kernels and the precision that the speech is computed with.
    pub fn backend(&self) -> Backend {
        self.engine.backend()
    }

    /// Starts to compute.
    fn begin(&self, sentences: Vec<PreparedSentence>) -> Result<Prefetch<Piece>> {
        let engine = self.engine.clone();
        let mut early = self.early;
        let last = sentences.len().saturating_sub(1);
        Prefetch::start(&self.cancel, move |cancel, give| {
            let mut room = f64::from(MAX_SECONDS);
            sentences.into_iter().enumerate().try_for_each(|(i, sentence)| {
                let (early, sentence_room) = (std::mem::take(&mut early), room);
                let mut give = |piece: Piece, handover| {
                    room -= piece.audio.seconds();
                    give(piece, handover);
                };
                let is_last = i == last;
                speak_sentence(&engine, sentence, is_last, sentence_room, early, cancel, &mut give)
            })
        })
    }

    /// Computes the next sentence on this thread, and calls a function with each chunk of it as soon as that is computed.
    ///
    /// It is what [`next`](Iterator::next) is elsewhere, for hosts without threads whose event loop must go on between sentences. A
    /// stream is read by one of them, not by both.
    ///
    /// # Errors
    ///
    /// As `next`: an error ends the stream.
    #[doc(hidden)]
    pub fn step(&mut self, mut each: impl FnMut(Chunk)) -> Result<Step> {
        let step = self.compute_next(&mut each);
        if !matches!(step, Ok(Step::Ready)) {
            self.state = State::Ended;
        }
        step.map_err(|error| error.with_request_id(self.request_id()))
    }

    fn compute_next(&mut self, each: &mut dyn FnMut(Chunk)) -> Result<Step> {
        self.cancel.check()?;
        if let State::Fresh(prepared) = &mut self.state {
            let sentences = std::mem::take(&mut prepared.sentences);
            if sentences.is_empty() {
                let audio = prepared.nothing_to_say();
                each(self.silence(audio));
                self.give_rest(each);
                return Ok(Step::Ended);
            }
            self.state = State::Stepping(sentences.into());
        }
        let State::Stepping(sentences) = &mut self.state else { return Ok(Step::Ended) };
        let Some(sentence) = sentences.pop_front() else { return Ok(Step::Ended) };
        let is_last = sentences.is_empty();
        let (early, engine, cancel) = (self.early, self.engine.clone(), self.cancel.clone());
        let room = f64::from(MAX_SECONDS) - self.seconds;
        let mut give = |piece, _| {
            each(self.chunk(piece));
            self.give_rest(each);
        };
        speak_sentence(&engine, sentence, is_last, room, early, &cancel, &mut give)?;
        Ok(if is_last { Step::Ended } else { Step::Ready })
    }

    fn speak_next(&mut self) -> Result<Option<Chunk>> {
        self.cancel.check()?;
        if let Some(rest) = self.rest.take() {
            return Ok(Some(self.chunk(rest)));
        }
        if let State::Fresh(prepared) = &mut self.state {
            let sentences = std::mem::take(&mut prepared.sentences);
            if sentences.is_empty() {
                let audio = prepared.nothing_to_say();
                return Ok(Some(self.silence(audio)));
            }
            self.state = State::Speaking(self.begin(sentences)?);
        }
        let State::Speaking(prefetch) = &mut self.state else {
            return Ok(None);
        };
        let piece = prefetch.next().transpose()?;
        // A cancelled computation may have ended before it said so.
        self.cancel.check()?;
        Ok(piece.map(|piece| self.chunk(piece)))
    }

    /// The chunk of a text with nothing to say.
    fn silence(&mut self, audio: SentenceAudio) -> Chunk {
        let span = 0..self.request.text().len();
        self.chunk(Piece { audio, span, goes_on: false })
    }

    /// Gives what is left of the last piece.
    fn give_rest(&mut self, each: &mut dyn FnMut(Chunk)) {
        while let Some(rest) = self.rest.take() {
            each(self.chunk(rest));
        }
    }

    /// The first part of a piece.
    fn chunk(&mut self, mut piece: Piece) -> Chunk {
        let (audio, span) = (piece.audio.take_part(), piece.span.clone());
        let goes_on = piece.goes_on || !piece.audio.is_empty();
        self.rest = Some(piece).filter(|piece| !piece.audio.is_empty());
        self.left -= usize::from(!goes_on);
        self.early &= goes_on;
        let chunk = Chunk::new(audio, span, self.seconds, self.sounding.take());
        self.seconds += chunk.seconds();
        self.sounding = chunk.sounding_after();
        chunk
    }
}

/// The speech of a whole text, computed a sentence at a time on the thread that asks for it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Collector {
    stream: Stream,
    sentences: VecDeque<PreparedSentence>,
    audio: SentenceAudio,
}

impl Collector {
    /// Collects a stream of which nothing was asked for yet.
    pub(crate) fn new(mut stream: Stream) -> Self {
        let State::Fresh(prepared) = std::mem::replace(&mut stream.state, State::Ended) else {
            unreachable!("only a fresh stream is collected");
        };
        let nothing = prepared.sentences.is_empty();
        let audio = if nothing { prepared.nothing_to_say() } else { SentenceAudio::default() };
        Self { stream, sentences: prepared.sentences.into(), audio }
    }

    /// The identifier of the request.
    pub fn request_id(&self) -> RequestId {
        self.stream.request_id()
    }

    /// Computes the next sentence; gives the speech after the last.
    ///
    /// # Errors
    ///
    /// As [`Engine::synthesize_with`](crate::Engine::synthesize_with). Nothing can be computed then.
    pub fn step(&mut self) -> Result<Option<Speech>> {
        self.compute_next().map_err(|error| error.with_request_id(self.request_id()))?;
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
        let Stream { engine, cancel, .. } = &self.stream;
        cancel.check()?;
        let Some(sentence) = self.sentences.pop_front() else { return Ok(()) };
        let synthesizer = engine.synthesizer(&sentence.passage, cancel)?;
        let room = f64::from(MAX_SECONDS) - self.audio.seconds();
        self.audio.append(synthesizer.speak(sentence, self.sentences.is_empty(), room, None)?);
        Ok(())
    }

    fn speech(&mut self) -> Speech {
        let mut audio = std::mem::take(&mut self.audio);
        Speech {
            timings: std::mem::take(&mut audio.timings),
            samples: audio.into_samples(),
            request_id: self.request_id(),
            characters: self.stream.characters(),
            backend: self.stream.backend(),
            diagnostics: std::mem::take(&mut self.stream.diagnostics),
        }
    }
}

/// Speaks a sentence, and gives it as one piece, or as several: to begin early, and as it is computed if that is in parts.
fn speak_sentence(
    engine: &EngineHandle,
    sentence: PreparedSentence,
    is_last: bool,
    room: f64,
    early: bool,
    cancel: &CancelToken,
    give: &mut dyn FnMut(Piece, Handover),
) -> Result<()> {
    let synthesizer = engine.synthesizer(&sentence.passage, cancel)?;
    let span = sentence.span();
    let mut to = |audio: SentenceAudio, handover| {
        if !audio.is_empty() {
            give(Piece { audio, span: span.clone(), goes_on: true }, handover);
        }
    };
    let begin = Give { to: &mut to, early };
    let audio = synthesizer.speak(sentence, is_last, room, Some(begin))?;
    give(Piece { audio, span, goes_on: false }, Handover::Waits);
    Ok(())
}

impl Iterator for Stream {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match &self.state {
            State::Ended => return None,
            _ => self.speak_next().transpose(),
        };
        if self.left == 0 || !matches!(next, Some(Ok(_))) {
            self.state = State::Ended;
        }
        let id = self.request_id();
        next.map(|chunk| chunk.map_err(|error| error.with_request_id(id)))
    }

    /// How many parts there will be of what takes long to say, or of a long silence, is not known before.
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.state {
            State::Fresh(_) | State::Speaking(_) | State::Stepping(_) => (1, None),
            State::Ended => (0, Some(0)),
        }
    }
}

impl std::iter::FusedIterator for Stream {}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the text: it is the user's.
        f.debug_struct("Stream")
            .field("request_id", &self.request_id())
            .field("sentences_left", &self.left)
            .finish_non_exhaustive()
    }
}

//! Streams: speech that is computed while it is consumed, from a whole text or from a live one.

mod live;
mod piece;
mod sentences;

use speech_acoustic::Backend;
use speech_base::RequestId;
use speech_base::cancel::CancelToken;
use speech_base::concurrency::sync::Arc;
use speech_base::error::Result;
use speech_base::fork::ProcessLocal;
use speech_base::prefetch::Prefetch;

use crate::chunk::Chunk;
use crate::format::Encoding;
use crate::loaded_engine::EngineHandle;
use crate::request::Request;
use crate::sample_rate::SampleRate;
use crate::synthesis::{Diagnostic, PhonemeTiming};
use crate::validate::ValidRequest;
pub use live::LiveText;
pub use piece::Step;
use piece::{Output, Piece};
use sentences::Sentences;

/// The speech of a text in chunks: `next()` returns the next sentence as soon as it is computed.
///
/// Made by [`Engine::stream`](crate::Engine::stream),
/// [`Engine::stream_long`](crate::Engine::stream_long) and [`Engine::live`](crate::Engine::live).
/// Without low [`latency`](crate::Request::latency), the concatenated chunks of a whole text equal
/// the result of [`Engine::synthesize`](crate::Engine::synthesize) for the same request, sample for
/// sample.
///
/// A stream holds the chunk it returns and the next one, each of at most 16 s, however long the
/// text is and however slowly it is consumed. From the first `next()` on, a thread of the stream
/// computes the next chunk. For a live text, `next()` waits for more text as long as necessary.
///
/// An error is the last item. Dropping the stream stops the computation, and waits until its thread
/// has ended.
pub struct Stream {
    request_id: RequestId,
    backend: Backend,
    rate: SampleRate,
    encoding: Encoding,
    cancel: CancelToken,
    text: Text,
    state: State,
    /// The seconds of audio returned so far.
    seconds: f64,
    /// The phoneme at the end of the last chunk, which continues in the next.
    sounding: Option<PhonemeTiming>,
    /// The rest of a piece that is returned in parts.
    rest: Option<Piece>,
}

/// The text's source.
enum Text {
    Whole {
        characters: usize,
        diagnostics: Vec<Diagnostic>,
        /// The number of sentences whose last chunk is still to come.
        sentences_left: usize,
    },
    Live(ProcessLocal<Arc<live::Text>>),
}

enum State {
    /// No thread has been started: the next sentence is computed by a later thread, or by
    /// [`Stream::step`].
    Ready(Speaker),
    /// A thread computes the sentences.
    Speaking(Prefetch<Piece>),
    Ended,
}

/// Computes the pieces of a stream in order.
enum Speaker {
    Whole(Sentences),
    Live(live::Speaker),
}

impl Speaker {
    /// Speaks the next sentence, if its text is available.
    fn step(&mut self, output: &mut Output<'_>) -> Result<Step> {
        match self {
            Self::Whole(sentences) => sentences.step(output),
            Self::Live(speaker) => speaker.step(output),
        }
    }

    /// Speaks all sentences, and waits for those that have not arrived.
    fn run(self, mut output: Output<'_>) -> Result<()> {
        match self {
            Self::Whole(mut sentences) => {
                while sentences.step(&mut output)? != Step::Ended {}
                Ok(())
            }
            Self::Live(speaker) => speaker.run(output),
        }
    }
}

impl Stream {
    /// The speech of a whole text.
    pub(crate) fn whole(engine: EngineHandle, request: &ValidRequest) -> Self {
        let mut prepared = request.prepare(&engine);
        let diagnostics = std::mem::take(&mut prepared.diagnostics);
        let (backend, cancel) = (engine.backend(), request.child_token());
        let output = (engine.sample_rate, request.encoding());
        let sentences = Sentences::new(engine, request, prepared);
        let text = Text::Whole {
            characters: request.characters(),
            diagnostics,
            sentences_left: sentences.count(),
        };
        Self::new(request.request_id(), backend, output, cancel, text, Speaker::Whole(sentences))
    }

    /// The speech of a live text that begins with the request's text, and the handle that takes
    /// more.
    ///
    /// # Errors
    ///
    /// `invalid_request` for a request that cannot be live, or that the bundle cannot speak.
    pub(crate) fn live(engine: EngineHandle, mut request: Request) -> Result<(LiveText, Self)> {
        let (id, backend, cancel) = (request.identify(), engine.backend(), request.child_token());
        let output = (engine.sample_rate, request.encoding);
        let speaker = live::Speaker::new(engine, request, cancel.clone())
            .map_err(|error| error.with_request_id(id))?;
        let text = speaker.text();
        let writer = LiveText::new(&text);
        let text = Text::Live(ProcessLocal::new(text));
        Ok((writer, Self::new(id, backend, output, cancel, text, Speaker::Live(speaker))))
    }

    fn new(
        request_id: RequestId,
        backend: Backend,
        (rate, encoding): (SampleRate, Encoding),
        cancel: CancelToken,
        text: Text,
        speaker: Speaker,
    ) -> Self {
        let state = State::Ready(speaker);
        let (seconds, sounding, rest) = (0.0, None, None);
        Self { request_id, backend, rate, encoding, cancel, text, state, seconds, sounding, rest }
    }

    /// The identifier of the request.
    pub fn request_id(&self) -> RequestId {
        self.request_id
    }

    /// A token that stops this stream from any thread; its last item is then `cancelled`. It is a
    /// child of the [token of the request](crate::Request::cancel_token).
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// The metered quantity: the number of characters of the text as sent; for a live text, those
    /// pushed so far.
    pub fn characters(&self) -> usize {
        match &self.text {
            Text::Whole { characters, .. } => *characters,
            Text::Live(text) => text.get().map_or(0, |text| text.characters()),
        }
    }

    /// The diagnostics: text that was skipped. For a long or a live text, those so far, up to
    /// 10,000.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match &self.text {
            Text::Whole { diagnostics, .. } => diagnostics.clone(),
            Text::Live(text) => text.get().map_or_else(Vec::new, |text| text.diagnostics()),
        }
    }

    /// The number of sentences not yet returned completely; a text with nothing speakable counts as
    /// one. None for a long or a live text, whose sentences are not known in advance.
    pub fn sentences_left(&self) -> Option<usize> {
        match &self.text {
            Text::Whole { sentences_left, .. } => Some(*sentences_left),
            Text::Live(_) => None,
        }
    }

    /// The sample rate in hertz, as set in the [request](crate::Request::sample_rate).
    pub fn sample_rate(&self) -> u32 {
        self.rate.hertz()
    }

    /// The encoding set in the [request](crate::Request::encoding).
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The kernels and the precision that compute the speech.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Computes the next sentence on the calling thread, if its text is available, and calls `each`
    /// with every chunk as soon as it is computed.
    ///
    /// Replaces [`next`](Iterator::next) for hosts without threads whose event loop must run
    /// between sentences. Read a stream with one of the two, not with both.
    ///
    /// # Errors
    ///
    /// As `next`: an error ends the stream.
    #[doc(hidden)]
    pub fn step(&mut self, mut each: impl FnMut(Chunk)) -> Result<Step> {
        let State::Ready(mut speaker) = std::mem::replace(&mut self.state, State::Ended) else {
            return Ok(Step::Ended);
        };
        let cancel = self.cancel.clone();
        let mut give = |piece, _| {
            each(self.chunk(piece));
            while let Some(rest) = self.rest.take() {
                each(self.chunk(rest));
            }
        };
        let mut output = Output { cancel: &cancel, give: &mut give };
        let step = cancel.check().and_then(|()| speaker.step(&mut output));
        match &step {
            Ok(Step::Ready | Step::Waiting) => self.state = State::Ready(speaker),
            Ok(Step::Ended) => {}
            Err(_) => self.cancel.cancel(),
        }
        step.map_err(|error| error.with_request_id(self.request_id))
    }

    fn speak_next(&mut self) -> Result<Option<Chunk>> {
        self.cancel.check()?;
        if let Some(rest) = self.rest.take() {
            return Ok(Some(self.chunk(rest)));
        }
        // An error leaves the stream in the state `Ended`.
        let mut pieces = match std::mem::replace(&mut self.state, State::Ended) {
            State::Ready(speaker) => {
                Prefetch::start(&self.cancel, |cancel, give| speaker.run(Output { cancel, give }))?
            }
            State::Speaking(pieces) => pieces,
            State::Ended => return Ok(None),
        };
        let piece = pieces.next().transpose()?;
        // A cancelled computation may end without reporting `cancelled`.
        self.cancel.check()?;
        self.state = State::Speaking(pieces);
        Ok(piece.map(|piece| self.chunk(piece)))
    }

    /// The first part of a piece.
    fn chunk(&mut self, mut piece: Piece) -> Chunk {
        let (audio, span) = (piece.audio.take_part(), piece.span.clone());
        let ends_sentence = piece.ends_sentence && piece.audio.is_empty();
        self.rest = Some(piece).filter(|piece| !piece.audio.is_empty());
        let chunk = Chunk::new(audio, self.encoding, span, self.seconds, self.sounding.take());
        self.seconds += chunk.seconds();
        self.sounding = chunk.sounding_after();
        match &mut self.text {
            Text::Whole { sentences_left, .. } => *sentences_left -= usize::from(ends_sentence),
            Text::Live(text) => text.in_any_process().add_heard(chunk.words()),
        }
        chunk
    }
}

impl Iterator for Stream {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        if matches!(self.state, State::Ended) {
            return None;
        }
        let next = self.speak_next().transpose();
        if self.sentences_left() == Some(0) || !matches!(next, Some(Ok(_))) {
            self.state = State::Ended;
        }
        if matches!(next, Some(Err(_))) {
            self.cancel.cancel();
        }
        next.map(|chunk| chunk.map_err(|error| error.with_request_id(self.request_id)))
    }

    /// The number of parts of a long sentence or a long silence is not known in advance.
    fn size_hint(&self) -> (usize, Option<usize>) {
        match (&self.state, &self.text) {
            (State::Ended, _) => (0, Some(0)),
            (_, Text::Whole { .. }) => (1, None),
            (_, Text::Live(_)) => (0, None),
        }
    }
}

impl std::iter::FusedIterator for Stream {}

impl Drop for Stream {
    /// Text pushed from now on is rejected.
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the text: it is the user's.
        f.debug_struct("Stream")
            .field("request_id", &self.request_id)
            .field("sentences_left", &self.sentences_left())
            .finish_non_exhaustive()
    }
}

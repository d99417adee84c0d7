//! Text that is spoken while it arrives.

mod heard;
mod input;
mod phrase;

use std::ops::Range;
use std::time::{Duration, Instant};

use speech_acoustic::Backend;
use speech_base::RequestId;
use speech_base::cancel::CancelToken;
use speech_base::concurrency::sync::{Arc, Mutex, PoisonError};
use speech_base::error::{Error, Result};
use speech_base::fork::ProcessLocal;
use speech_base::limits::MAX_SECONDS;
use speech_base::prefetch::{Handover, Prefetch};
use speech_text::normalize::Options;
use speech_text::segment::Boundary;

use crate::latency::Latency;
use crate::loaded_engine::EngineHandle;
use crate::request::Request;
use crate::stream::{Chunk, Step};
use crate::synthesis::{
    self, Diagnostic, Give, PhonemeTiming, Prepared, PreparedSentence, SentenceAudio,
};
use heard::Heard;
use input::{Input, Next};

/// Sound that is ahead of the listener for less than this is about to end: then what is known of a sentence is said, with low
/// latency.
const SHORT_OF_SOUND: Duration = Duration::from_millis(400);

/// The most notes on a text that a stream keeps: a text of any length would give any number.
const MAX_DIAGNOSTICS: usize = 10_000;

/// The speech of a text that arrives in pieces: the chunks in order, each as soon as it is computed.
///
/// Text is pushed through [`text`](Self::text), from any thread. Sentences are spoken when they are decided, as
/// [`Segmenter`](speech_text::segment::Segmenter) says: nothing is spoken that later text would have read differently. With
/// [`Latency::Low`](crate::Latency::Low), the beginning of a sentence is spoken before the rest of it has arrived, if nothing
/// else is left to be heard: a clause, or a phrase whose words are read in the same way with the words after it. One chunk is
/// computed ahead of the one that was taken last, and no more, however slowly they are taken.
///
/// `next()` waits for text, for as long as it takes. An error ends the stream. Dropping it stops, and waits until nothing runs.
///
/// ```no_run
/// use speech_core::{Engine, Latency, Request};
///
/// let engine = Engine::load()?;
/// let stream = engine.live(Request::new("").latency(Latency::Low))?;
/// let text = stream.text();
/// std::thread::spawn(move || {
///     for token in ["It", " is", " four", " o'clock", "."] {
///         text.push(token)?;
///     }
///     text.finish();
///     Ok::<(), speech_core::Error>(())
/// });
/// for chunk in stream {
///     let samples = chunk?.samples;
///     // Play them.
///     # drop(samples);
/// }
/// # Ok::<(), speech_core::Error>(())
/// ```
pub struct LiveStream {
    shared: ProcessLocal<Arc<Shared>>,
    text: LiveText,
    cancel: CancelToken,
    state: State,
    /// Seconds of sound that were given.
    seconds: f64,
    /// The sound that the last chunk ended in.
    sounding: Option<PhonemeTiming>,
    /// What is left of a piece that comes in parts.
    rest: Option<Piece>,
}

enum State {
    Fresh,
    Speaking(Prefetch<Piece>),
    /// It is computed by [`LiveStream::step`].
    Stepping(Speaker),
    Ended,
}

/// What pushes text into a [`LiveStream`]. Clones push into the same stream; their order is that of the calls.
///
/// In a child of `fork`, a stream of the parent takes no text, and nothing is known of it.
#[derive(Clone)]
pub struct LiveText(ProcessLocal<Arc<Text>>);

struct Shared {
    engine: EngineHandle,
    request: Request,
    text: Arc<Text>,
}

impl Shared {
    fn options(&self) -> Options<'_> {
        self.request.options(&self.engine.lexicon)
    }
}

/// What is known of the text. It does not keep the engine.
struct Text {
    request_id: RequestId,
    input: Arc<Input>,
    /// What was not said so far.
    diagnostics: Mutex<Vec<Diagnostic>>,
    /// When the words that were given end.
    heard: Mutex<Heard>,
}

/// The audio of a part of a sentence.
struct Piece {
    audio: SentenceAudio,
    span: Range<usize>,
}

impl LiveText {
    /// Adds a piece of text of any length: a token, half a word, a page.
    ///
    /// # Errors
    ///
    /// `invalid_request` for a NUL character, and after [`finish`](Self::finish).
    pub fn push(&self, text: &str) -> Result<()> {
        let shared = self.0.get().ok_or_else(|| Error::made_before_fork("stream"))?;
        shared.input.push(text).map_err(|error| error.with_request_id(shared.request_id))
    }

    /// Has everything spoken that was pushed, as if a sentence ended there.
    pub fn flush(&self) {
        if let Some(shared) = self.0.get() {
            shared.input.flush(false);
        }
    }

    /// Ends the text: what is left is spoken, and then the stream ends.
    pub fn finish(&self) {
        if let Some(shared) = self.0.get() {
            shared.input.flush(true);
        }
    }

    /// Whether [`finish`](Self::finish) was called. For the bindings, which refuse text for a stream that was cancelled.
    #[doc(hidden)]
    pub fn is_finished(&self) -> bool {
        self.0.get().is_some_and(|shared| shared.input.is_finished())
    }

    /// Whether so much text waits to be spoken that a source of pieces is to wait too. For the bindings, which take pieces from an
    /// iterator that may never end.
    #[doc(hidden)]
    pub fn is_full(&self) -> bool {
        self.0.get().is_some_and(|shared| shared.input.is_full())
    }

    /// The metered quantity: the characters that were pushed.
    pub fn characters(&self) -> usize {
        self.0.get().map_or(0, |shared| shared.input.characters())
    }

    /// What was not said so far: the first 10,000 places.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let Some(shared) = self.0.get() else { return Vec::new() };
        shared.diagnostics.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The byte of the text that was pushed up to which words have been said when playback is at so many seconds from the start
    /// of the stream. Of words before the last 32,768 not all are known: it may be less there.
    pub fn heard_at(&self, seconds: f64) -> usize {
        let Some(shared) = self.0.get() else { return 0 };
        shared.heard.lock().unwrap_or_else(PoisonError::into_inner).at(seconds)
    }
}

impl LiveStream {
    /// A stream with the settings of a request that was checked, whose text is the first to be pushed.
    pub(crate) fn new(
        engine: EngineHandle,
        request: Request,
        cancel: &CancelToken,
    ) -> Result<Self> {
        let engine = EngineHandle { quality: request.quality, ..engine };
        let request_id = RequestId::new();
        let checked = request.check_live().and_then(|()| {
            let input = Input::new();
            input.push(&request.text)?;
            engine.style(request.quality, request.voice, request.language)?;
            Ok(input)
        });
        let input = checked.map_err(|error| error.with_request_id(request_id))?;
        let input = Arc::new(input);
        let (diagnostics, heard) = (Mutex::default(), Mutex::default());
        let text = Arc::new(Text { request_id, input, diagnostics, heard });
        let shared = Arc::new(Shared { engine, request, text: Arc::clone(&text) });
        Ok(Self {
            shared: ProcessLocal::new(shared),
            text: LiveText(ProcessLocal::new(text)),
            cancel: cancel.child(),
            state: State::Fresh,
            seconds: 0.0,
            sounding: None,
            rest: None,
        })
    }

    /// What pushes text into the stream.
    pub fn text(&self) -> LiveText {
        self.text.clone()
    }

    /// What stops the stream, from any thread: its last item is `cancelled` then.
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// The identifier of the request.
    pub fn request_id(&self) -> RequestId {
        self.text.0.in_any_process().request_id
    }

    /// The bytes of text that were pushed so far.
    pub fn pushed_bytes(&self) -> usize {
        self.text.0.get().map_or(0, |shared| shared.input.bytes())
    }

    /// What was not said so far: the first 10,000 places.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.text.diagnostics()
    }

    /// The kernels and the precision that the speech is computed with.
    pub fn backend(&self) -> Backend {
        self.shared.in_any_process().engine.backend()
    }

    fn speak_next(&mut self) -> Result<Option<Chunk>> {
        self.cancel.check()?;
        if let Some(rest) = self.rest.take() {
            return Ok(Some(self.chunk(rest)));
        }
        if matches!(self.state, State::Fresh) {
            let shared = Arc::clone(self.shared.in_any_process());
            let producer = Prefetch::start(&self.cancel, move |cancel, give| {
                Speaker::new(shared).run(Output { cancel, give })
            })?;
            self.state = State::Speaking(producer);
        }
        let State::Speaking(pieces) = &mut self.state else { return Ok(None) };
        let piece = pieces.next().transpose()?;
        self.cancel.check()?;
        Ok(piece.map(|piece| self.chunk(piece)))
    }

    /// Speaks what is decided next on this thread, if there is something, and calls a function with each chunk as soon as that is
    /// computed: as [`Stream::step`](crate::Stream::step), but it does not wait for text.
    ///
    /// # Errors
    ///
    /// As `next`: an error ends the stream.
    #[doc(hidden)]
    pub fn step(&mut self, mut each: impl FnMut(Chunk)) -> Result<Step> {
        let mut speaker = match std::mem::replace(&mut self.state, State::Ended) {
            State::Fresh => Speaker::new(Arc::clone(self.shared.in_any_process())),
            State::Stepping(speaker) => speaker,
            State::Speaking(_) | State::Ended => return Ok(Step::Ended),
        };
        let cancel = self.cancel.clone();
        let mut give = |piece, _| {
            each(self.chunk(piece));
            while let Some(rest) = self.rest.take() {
                each(self.chunk(rest));
            }
        };
        let step = speaker.step(&mut Output { cancel: &cancel, give: &mut give });
        if matches!(step, Ok(Step::Ready | Step::Waiting)) {
            self.state = State::Stepping(speaker);
        }
        step.map_err(|error| error.with_request_id(self.request_id()))
    }

    /// The first part of a piece.
    fn chunk(&mut self, mut piece: Piece) -> Chunk {
        let (audio, span) = (piece.audio.take_part(), piece.span.clone());
        self.rest = Some(piece).filter(|piece| !piece.audio.is_empty());
        let chunk = Chunk::new(audio, span, self.seconds, self.sounding.take());
        self.seconds += chunk.seconds();
        self.sounding = chunk.sounding_after();
        let text = self.text.0.in_any_process();
        let mut heard = text.heard.lock().unwrap_or_else(PoisonError::into_inner);
        chunk.words().iter().for_each(|word| heard.add(word.end, word.span.end));
        chunk
    }
}

impl Iterator for LiveStream {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match &self.state {
            State::Ended => return None,
            _ => self.speak_next().transpose(),
        };
        if !matches!(next, Some(Ok(_))) {
            self.state = State::Ended;
        }
        let id = self.request_id();
        next.map(|chunk| chunk.map_err(|error| error.with_request_id(id)))
    }
}

impl std::iter::FusedIterator for LiveStream {}

impl std::fmt::Debug for LiveStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the text: it is the user's.
        f.debug_struct("LiveStream").field("request_id", &self.request_id()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for LiveText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveText").finish_non_exhaustive()
    }
}

/// Speaks what arrives.
struct Speaker {
    shared: Arc<Shared>,
    /// How much of the text that is held back was looked at.
    seen: usize,
    /// The silence before the next sentence, in milliseconds.
    pause: u64,
    /// Seconds that were given.
    seconds: f64,
    /// When all of that will have been heard, if it is played at once.
    sounds_until: Option<Instant>,
    /// When the first word of a sentence is heard whose beginning was said, in seconds.
    sentence_start: Option<f64>,
}

/// Where the audio goes, and what stops it.
struct Output<'a> {
    cancel: &'a CancelToken,
    give: &'a mut dyn FnMut(Piece, Handover),
}

impl Speaker {
    fn new(shared: Arc<Shared>) -> Self {
        let (seen, pause, seconds) = (0, 0, 0.0);
        Self { shared, seen, pause, seconds, sounds_until: None, sentence_start: None }
    }

    /// Whether little is left to be heard, as far as that is known.
    fn is_short_of_sound(&self) -> bool {
        self.sounds_until.is_none_or(|until| Instant::now() + SHORT_OF_SOUND >= until)
    }

    /// How much of the text that is held back was looked at, if it is to be looked at.
    fn held(&self) -> Option<usize> {
        (self.shared.request.latency == Latency::Low).then_some(self.seen)
    }

    /// Speaks to the end of the text, and waits for it.
    fn run(mut self, mut output: Output<'_>) -> Result<()> {
        let input = Arc::clone(&self.shared.text.input);
        let wake = Arc::downgrade(&input);
        let _guard = output.cancel.on_cancel(move || {
            if let Some(input) = wake.upgrade() {
                input.wake();
            }
        });
        while self.speak_next(input.wait(output.cancel, self.held())?, &mut output)? != Step::Ended
        {
        }
        Ok(())
    }

    /// Speaks what can be spoken next, if there is something.
    fn step(&mut self, output: &mut Output<'_>) -> Result<Step> {
        output.cancel.check()?;
        match self.shared.text.input.poll(self.held()) {
            Some(next) => self.speak_next(next, output),
            None => Ok(Step::Waiting),
        }
    }

    fn speak_next(&mut self, next: Next, output: &mut Output<'_>) -> Result<Step> {
        let shared = Arc::clone(&self.shared);
        let input = &shared.text.input;
        match next {
            Next::End => {
                if self.seconds == 0.0 && input.bytes() > 0 {
                    let span = 0..input.bytes();
                    self.give(Prepared::default().nothing_to_say(), &span, Handover::Waits, output);
                }
                return Ok(Step::Ended);
            }
            Next::Sentence(segment) => {
                let end = segment.span.end;
                let part = input.said().clamp(segment.span.start, end)..end;
                let whole = Held { text: &segment.text, start: segment.span.start };
                self.speak(whole, part, segment.boundary, output)?;
            }
            Next::Held { text, start, end } => {
                self.seen = end;
                if !self.is_short_of_sound() {
                    return Ok(Step::Ready);
                }
                let said = input.said().max(start);
                let options = shared.options();
                let front_end = &shared.engine.front_end;
                if let Some(length) = phrase::beginning(front_end, &text, said - start, options) {
                    input.say_until(start + length);
                    let held = Held { text: &text[..length], start };
                    self.speak(held, said..start + length, Boundary::Clause, output)?;
                }
            }
        }
        Ok(Step::Ready)
    }

    /// Speaks a part of a sentence, by its bytes of all that was pushed.
    fn speak(
        &mut self,
        held: Held<'_>,
        part: Range<usize>,
        boundary: Boundary,
        output: &mut Output<'_>,
    ) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        let passage = shared.request.live_passage(held.text, held.start, boundary);
        let passages = [std::sync::Arc::new(passage)];
        let prepared = synthesis::prepare(&shared.engine.front_end, &passages, shared.options());
        let is_beginning = boundary == Boundary::Clause;
        if !is_beginning {
            let mut diagnostics =
                shared.text.diagnostics.lock().unwrap_or_else(PoisonError::into_inner);
            let room = MAX_DIAGNOSTICS - diagnostics.len();
            diagnostics.extend(prepared.diagnostics.iter().take(room).cloned());
        }
        self.pause = self.pause.saturating_add(prepared.pause_alone().into());
        for sentence in prepared.sentences {
            let sentence = sentence.part(part.clone(), is_beginning);
            self.speak_sentence(sentence, &part, is_beginning, output)?;
        }
        Ok(())
    }

    fn speak_sentence(
        &mut self,
        sentence: PreparedSentence,
        span: &Range<usize>,
        is_beginning: bool,
        output: &mut Output<'_>,
    ) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        let synthesizer = shared.engine.synthesizer(&sentence.passage, output.cancel)?;
        let pause = sentence.pause_after();
        let begins_early = shared.request.latency == Latency::Low && self.is_short_of_sound();
        let mut to = |audio: SentenceAudio, handover| self.give(audio, span, handover, output);
        let give = Give { to: &mut to, early: begins_early };
        let mut audio = synthesizer.speak(sentence, true, MAX_SECONDS.into(), Some(give))?;
        let offset = self.seconds + self.pause as f64 / 1000.0;
        let timings = &mut audio.timings.sentences;
        if is_beginning {
            let first = timings.drain(..).next().map(|sentence| offset + sentence.start);
            self.sentence_start = self.sentence_start.or(first);
        } else if let (Some(first), Some(sentence)) =
            (self.sentence_start.take(), timings.first_mut())
        {
            sentence.start = first - offset;
        }
        self.give(audio, span, Handover::Waits, output);
        self.pause = pause.into();
        Ok(())
    }

    /// Gives audio, with the pause before it.
    fn give(
        &mut self,
        audio: SentenceAudio,
        span: &Range<usize>,
        handover: Handover,
        output: &mut Output<'_>,
    ) {
        if audio.is_empty() {
            return;
        }
        let audio = audio.after_silence(std::mem::take(&mut self.pause));
        let seconds = audio.seconds();
        self.seconds += seconds;
        (output.give)(Piece { audio, span: span.clone() }, handover);
        // Whoever took it plays it after what was there before.
        let from = self.sounds_until.map_or_else(Instant::now, |until| until.max(Instant::now()));
        self.sounds_until = Some(from + Duration::from_secs_f64(seconds));
    }
}

/// Text that begins at a byte of all that was pushed.
struct Held<'a> {
    text: &'a str,
    start: usize,
}

//! Live text: text that is spoken while it arrives.

mod heard;
mod input;
mod phrase;
mod speaker;

use speech_base::RequestId;
use speech_base::cancel::CancelToken;
use speech_base::concurrency::sync::{Arc, Mutex, PoisonError};
use speech_base::error::{Error, Result};
use speech_base::fork::ProcessLocal;

use crate::synthesis::{Diagnostic, WordTiming};
use heard::Heard;
use input::Input;
pub(super) use speaker::Speaker;

/// The most diagnostics that a stream keeps, so that an endless text does not grow them without
/// limit.
const MAX_DIAGNOSTICS: usize = 10_000;

/// Pushes text, from any thread, into the [`Stream`](crate::Stream) that
/// [`Engine::live`](crate::Engine::live) returned with it.
///
/// Clones push into the same stream, in the order of their calls. Dropping the last one
/// [finishes](Self::finish) the text.
///
/// In a forked child process, the parent's stream takes no text, and queries about it return
/// nothing.
#[derive(Clone)]
pub struct LiveText(ProcessLocal<Arc<Writer>>);

/// Finishes the text when it is dropped.
struct Writer(Arc<Text>);

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.input.flush(true);
    }
}

/// The state of the text. It does not keep the engine alive.
pub(super) struct Text {
    request_id: RequestId,
    input: Input,
    /// Cancelled with the stream, and when the stream is dropped or fails: nobody hears later text.
    cancel: CancelToken,
    /// The diagnostics so far.
    diagnostics: Mutex<Vec<Diagnostic>>,
    /// The end times of the words returned so far.
    heard: Mutex<Heard>,
}

impl Text {
    fn new(request_id: RequestId, cancel: CancelToken) -> Self {
        let input = Input::new();
        Self { request_id, input, cancel, diagnostics: Mutex::default(), heard: Mutex::default() }
    }

    fn push(&self, text: &str) -> Result<()> {
        // If the text is finished, that error takes precedence.
        if !self.input.is_finished() {
            self.cancel.check()?;
        }
        self.input.push(text)
    }

    /// The number of characters pushed.
    pub(super) fn characters(&self) -> usize {
        self.input.characters()
    }

    /// The diagnostics so far.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add_diagnostics(&self, more: &[Diagnostic]) {
        let mut diagnostics = self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MAX_DIAGNOSTICS - diagnostics.len();
        diagnostics.extend(more.iter().take(room).cloned());
    }

    /// Records the end times of returned words.
    pub(super) fn add_heard(&self, words: &[WordTiming]) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        words.iter().for_each(|word| heard.add(word.end, word.span.end));
    }
}

impl LiveText {
    pub(super) fn new(text: &Arc<Text>) -> Self {
        Self(ProcessLocal::new(Arc::new(Writer(Arc::clone(text)))))
    }

    /// None in a forked child process.
    fn text(&self) -> Option<&Text> {
        self.0.get().map(|writer| &*writer.0)
    }

    /// Adds a piece of text of any length: a token, half a word, a page. Returns without waiting
    /// for it to be spoken.
    ///
    /// # Errors
    ///
    /// `invalid_request` for a NUL character, and after [`finish`](Self::finish); `cancelled` once
    /// the stream is cancelled, dropped or failed.
    pub fn push(&self, text: &str) -> Result<()> {
        let known = self.text().ok_or_else(|| Error::made_before_fork("stream"))?;
        known.push(text).map_err(|error| error.with_request_id(known.request_id))
    }

    /// Speaks everything pushed so far, as if a sentence ended there. More text may follow.
    pub fn flush(&self) {
        if let Some(text) = self.text() {
            text.input.flush(false);
        }
    }

    /// Ends the text: the stream speaks the rest, and then ends.
    pub fn finish(&self) {
        if let Some(text) = self.text() {
            text.input.flush(true);
        }
    }

    /// Whether so much text waits to be spoken that a source should pause. For bindings that take
    /// pieces from an iterator, which may be endless.
    #[doc(hidden)]
    pub fn is_full(&self) -> bool {
        self.text().is_some_and(|text| text.input.is_full() && !text.cancel.is_cancelled())
    }

    /// Whether [`Stream::step`](crate::Stream::step) has a whole sentence to speak, or the end. For
    /// a host that steps many streams: those waiting for text cost nothing.
    #[doc(hidden)]
    pub fn is_decided(&self) -> bool {
        self.text().is_some_and(|text| text.input.is_decided())
    }

    /// The end of the sentences that the stream has taken to speak, in bytes of the pushed text. A
    /// host learns from it that text without audio was read.
    #[doc(hidden)]
    pub fn taken(&self) -> usize {
        self.text().map_or(0, |text| text.input.taken())
    }

    /// The metered quantity: the number of characters pushed.
    pub fn characters(&self) -> usize {
        self.text().map_or(0, Text::characters)
    }

    /// The diagnostics so far, up to 10,000.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.text().map_or_else(Vec::new, Text::diagnostics)
    }

    /// The position in the pushed text, in bytes, up to which words have been heard when playback
    /// is `seconds` from the start of the stream. Only some of the words before the last 32,768 are
    /// recorded, so the result may be too small there.
    pub fn heard_at(&self, seconds: f64) -> usize {
        let Some(text) = self.text() else { return 0 };
        text.heard.lock().unwrap_or_else(PoisonError::into_inner).at(seconds)
    }
}

impl std::fmt::Debug for LiveText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveText").finish_non_exhaustive()
    }
}

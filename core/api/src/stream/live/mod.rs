//! Text that is spoken while it arrives.

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

/// The most notes on a text that a stream keeps: a text of any length would give any number.
const MAX_DIAGNOSTICS: usize = 10_000;

/// Pushes text into the [`Stream`](crate::Stream) that [`Engine::live`](crate::Engine::live) made with it, from any thread.
///
/// Clones push into the same stream; their order is that of the calls. Dropping the last one [finishes](Self::finish) the text.
///
/// In a child of `fork`, a stream of the parent takes no text, and nothing is known of it.
#[derive(Clone)]
pub struct LiveText(ProcessLocal<Arc<Writer>>);

/// Finishes the text when it is dropped.
struct Writer(Arc<Text>);

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.input.flush(true);
    }
}

/// What is known of the text. It does not keep the engine.
pub(super) struct Text {
    request_id: RequestId,
    input: Input,
    /// Cancelled with the stream, and once that is dropped or has failed: nobody will hear what is pushed then.
    cancel: CancelToken,
    /// What was not said so far.
    diagnostics: Mutex<Vec<Diagnostic>>,
    /// When the words that were given end.
    heard: Mutex<Heard>,
}

impl Text {
    fn new(request_id: RequestId, cancel: CancelToken) -> Self {
        let input = Input::new();
        Self { request_id, input, cancel, diagnostics: Mutex::default(), heard: Mutex::default() }
    }

    fn push(&self, text: &str) -> Result<()> {
        // Of a text that is finished that is what to say.
        if !self.input.is_finished() {
            self.cancel.check()?;
        }
        self.input.push(text)
    }

    /// The characters that were pushed.
    pub(super) fn characters(&self) -> usize {
        self.input.characters()
    }

    /// What was not said so far.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add_diagnostics(&self, more: &[Diagnostic]) {
        let mut diagnostics = self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MAX_DIAGNOSTICS - diagnostics.len();
        diagnostics.extend(more.iter().take(room).cloned());
    }

    /// Remembers when words that are given are heard.
    pub(super) fn add_heard(&self, words: &[WordTiming]) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        words.iter().for_each(|word| heard.add(word.end, word.span.end));
    }
}

impl LiveText {
    pub(super) fn new(text: &Arc<Text>) -> Self {
        Self(ProcessLocal::new(Arc::new(Writer(Arc::clone(text)))))
    }

    /// None in a child of `fork`.
    fn text(&self) -> Option<&Text> {
        self.0.get().map(|writer| &*writer.0)
    }

    /// Adds a piece of text of any length: a token, half a word, a page. It does not wait until the text is spoken.
    ///
    /// # Errors
    ///
    /// `invalid_request` for a NUL character, and after [`finish`](Self::finish); `cancelled` once the stream was cancelled or
    /// dropped, or has failed.
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

    /// Ends the text: the rest of it is spoken, and then the stream ends.
    pub fn finish(&self) {
        if let Some(text) = self.text() {
            text.input.flush(true);
        }
    }

    /// Whether so much text waits to be spoken that a source of pieces is to wait too. For the bindings, which take pieces from an
    /// iterator that may never end.
    #[doc(hidden)]
    pub fn is_full(&self) -> bool {
        self.text().is_some_and(|text| text.input.is_full() && !text.cancel.is_cancelled())
    }

    /// Whether a [`Stream::step`](crate::Stream::step) has a whole sentence to speak, or the end. For a host that takes steps for many
    /// streams: one that waits for text is no load.
    #[doc(hidden)]
    pub fn is_decided(&self) -> bool {
        self.text().is_some_and(|text| text.input.is_decided())
    }

    /// The metered quantity: the characters that were pushed.
    pub fn characters(&self) -> usize {
        self.text().map_or(0, Text::characters)
    }

    /// What was not said so far: the first 10,000 places.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.text().map_or_else(Vec::new, Text::diagnostics)
    }

    /// The byte of the text that was pushed up to which words have been said when playback is at so many seconds from the start
    /// of the stream. Of words before the last 32,768 not all are known: it may be less there.
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

//! The text buffer of a live stream, between the writer and the speaker.

use std::collections::VecDeque;

use speech_base::cancel::CancelToken;
use speech_base::concurrency::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use speech_base::error::{Error, Result};
use speech_base::limits::{check_nul, count_characters};
use speech_text::segment::{Segment, Segmenter};

/// How far a source may get ahead of the speech: the bytes from the first decided sentence to the
/// last.
const MAX_AHEAD: usize = 16_384;

/// The pushed text that is not spoken yet.
pub(super) struct Input {
    state: Mutex<State>,
    /// Notified when text is pushed, flushed, finished or cancelled.
    changed: Condvar,
}

struct State {
    segmenter: Segmenter,
    /// The decided sentences.
    sentences: VecDeque<Segment>,
    /// End of the sentence prefix already spoken, in bytes.
    said: usize,
    bytes: usize,
    characters: usize,
    is_finished: bool,
}

/// The next text to speak.
#[derive(Debug)]
pub(super) enum Next {
    /// A whole sentence.
    Sentence(Segment),
    /// The undecided text, and its byte range in the whole text.
    Held { text: String, start: usize, end: usize },
    /// The text has ended.
    End,
}

impl State {
    /// The next text to speak, if available: see [`Input::wait`].
    fn next(&mut self, held: Option<usize>) -> Option<Next> {
        if let Some(segment) = self.sentences.pop_front() {
            return Some(Next::Sentence(segment));
        }
        if self.is_finished {
            return Some(Next::End);
        }
        held.is_some_and(|seen| seen != self.bytes).then(|| {
            let text = self.segmenter.held().to_owned();
            let (start, end) = (self.bytes - text.len(), self.bytes);
            Next::Held { text, start, end }
        })
    }
}

impl Input {
    pub(super) fn new() -> Self {
        let state = State {
            segmenter: Segmenter::new(),
            sentences: VecDeque::new(),
            said: 0,
            bytes: 0,
            characters: 0,
            is_finished: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn push(&self, text: &str) -> Result<()> {
        let mut state = self.state();
        if state.is_finished {
            return Err(Error::invalid_request("the text is finished: nothing can be added to it"));
        }
        check_nul("text", text)?;
        let decided = state.segmenter.push(text);
        state.sentences.extend(decided);
        state.bytes += text.len();
        state.characters += count_characters(text);
        self.changed.notify_all();
        Ok(())
    }

    /// Decides all pushed text.
    pub(super) fn flush(&self, finish: bool) {
        let mut state = self.state();
        let decided = state.segmenter.flush();
        state.sentences.extend(decided);
        state.is_finished |= finish;
        self.changed.notify_all();
    }

    pub(super) fn is_finished(&self) -> bool {
        self.state().is_finished
    }

    /// Whether a source of text should wait until some of it is spoken.
    pub(super) fn is_full(&self) -> bool {
        let sentences = &self.state().sentences;
        let (Some(first), Some(last)) = (sentences.front(), sentences.back()) else { return false };
        last.span.end - first.span.start > MAX_AHEAD
    }

    /// Whether there is a decided sentence, or the text has ended.
    pub(super) fn is_decided(&self) -> bool {
        let state = self.state();
        !state.sentences.is_empty() || state.is_finished
    }

    pub(super) fn characters(&self) -> usize {
        self.state().characters
    }

    /// The end of the text that was returned as decided sentences, in bytes.
    pub(super) fn taken(&self) -> usize {
        let state = self.state();
        let undecided = state.bytes - state.segmenter.held().len();
        state.sentences.front().map_or(undecided, |next| next.span.start)
    }

    /// The number of bytes pushed.
    pub(super) fn bytes(&self) -> usize {
        self.state().bytes
    }

    /// Wakes waiting threads, to check their tokens.
    pub(super) fn wake(&self) {
        drop(self.state());
        self.changed.notify_all();
    }

    /// Waits for the next text to speak: a decided sentence or the end; if `held` is set, also
    /// undecided text once the number of pushed bytes differs from `held`.
    pub(super) fn wait(&self, cancel: &CancelToken, held: Option<usize>) -> Result<Next> {
        let mut state = self.state();
        loop {
            cancel.check()?;
            if let Some(next) = state.next(held) {
                return Ok(next);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// As [`wait`](Self::wait), without waiting: none if nothing is available yet.
    pub(super) fn poll(&self, held: Option<usize>) -> Option<Next> {
        self.state().next(held)
    }

    /// The end of the part of the undecided sentence that is already spoken, in bytes of the whole
    /// text, or an earlier position.
    pub(super) fn said(&self) -> usize {
        self.state().said
    }

    pub(super) fn say_until(&self, byte: usize) {
        self.state().said = byte;
    }
}

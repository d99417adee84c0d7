//! The text of a live stream, between who pushes it and what speaks it.

use std::collections::VecDeque;

use speech_base::cancel::CancelToken;
use speech_base::concurrency::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use speech_base::error::{Error, Result};
use speech_base::limits::{check_nul, count_characters};
use speech_text::segment::{Segment, Segmenter};

/// Bytes of text, from the first decided sentence to the last, that a source gets ahead of the speech.
const MAX_AHEAD: usize = 16_384;

/// The text that was pushed and is not spoken yet.
pub(super) struct Input {
    state: Mutex<State>,
    /// Something was pushed, flushed, finished or cancelled.
    changed: Condvar,
}

struct State {
    segmenter: Segmenter,
    /// Sentences that are decided.
    sentences: VecDeque<Segment>,
    /// The byte up to which a sentence was said before all of it was known.
    said: usize,
    bytes: usize,
    characters: usize,
    is_finished: bool,
}

/// What can be spoken next.
#[derive(Debug)]
pub(super) enum Next {
    /// A whole sentence.
    Sentence(Segment),
    /// The text that is held back, and its bytes of all that was pushed.
    Held { text: String, start: usize, end: usize },
    /// Nothing more.
    End,
}

impl State {
    /// What can be spoken now: see [`Input::wait`].
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

    /// Decides all that was pushed.
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

    /// Whether a source of text is to wait until some of it is spoken.
    pub(super) fn is_full(&self) -> bool {
        let sentences = &self.state().sentences;
        let (Some(first), Some(last)) = (sentences.front(), sentences.back()) else { return false };
        last.span.end - first.span.start > MAX_AHEAD
    }

    /// Whether something can be spoken that later text does not change, or the text has ended.
    pub(super) fn is_decided(&self) -> bool {
        let state = self.state();
        !state.sentences.is_empty() || state.is_finished
    }

    pub(super) fn characters(&self) -> usize {
        self.state().characters
    }

    /// The bytes that were pushed.
    pub(super) fn bytes(&self) -> usize {
        self.state().bytes
    }

    /// Wakes who waits, to look at a token.
    pub(super) fn wake(&self) {
        drop(self.state());
        self.changed.notify_all();
    }

    /// Waits for something to speak: a sentence, the end, or, if `held` is set, text that is held back once other than so many
    /// bytes were pushed.
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

    /// The same without waiting: none if there is nothing yet.
    pub(super) fn poll(&self, held: Option<usize>) -> Option<Next> {
        self.state().next(held)
    }

    /// The byte of all that was pushed up to which the sentence that is held back was said, or one before it.
    pub(super) fn said(&self) -> usize {
        self.state().said
    }

    pub(super) fn say_until(&self, byte: usize) {
        self.state().said = byte;
    }
}

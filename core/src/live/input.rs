//! The text of a live stream, between who pushes it and what speaks it.

use std::collections::VecDeque;
use std::ops::Range;

use crate::concurrency::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use crate::error::{Error, Result};
use crate::limits::{check_nul, count_characters};
use crate::segment::{Boundary, Segment, Segmenter};
use crate::cancel::CancelToken;

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
    /// The bytes from the start up to which the sentence that is held back, or else the next one, was said already.
    said: usize,
    bytes: usize,
    characters: usize,
    is_finished: bool,
}

/// What can be spoken next.
#[derive(Debug)]
pub(super) enum Next {
    /// A whole sentence, of which what is before `from` (a byte of it) was said already.
    Sentence { segment: Segment, from: usize },
    /// The text that is held back, which begins at this byte of all that was pushed, and the byte of it up to which it was said.
    Held { text: String, start: usize, from: usize },
    /// Nothing more.
    End,
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

    /// Waits for something to speak: a sentence, the end, or, if `held` is set, another text that is held back than one of so
    /// many bytes.
    pub(super) fn wait(&self, cancel: &CancelToken, held: Option<usize>) -> Result<Next> {
        let mut state = self.state();
        loop {
            cancel.check()?;
            if let Some(segment) = state.sentences.pop_front() {
                let from = state.said.saturating_sub(segment.span.start).min(segment.text.len());
                return Ok(Next::Sentence { segment, from });
            }
            if state.is_finished {
                return Ok(Next::End);
            }
            if held.is_some_and(|seen| seen != state.bytes) {
                let (text, start) = state.segmenter.held();
                let (text, from) = (text.to_owned(), state.said.saturating_sub(start));
                if !text.is_empty() {
                    return Ok(Next::Held { from: from.min(text.len()), text, start });
                }
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes that the text that is held back is said up to a byte of all that was pushed.
    pub(super) fn say_until(&self, byte: usize) {
        self.state().said = byte;
    }
}

/// The boundary that ends a segment.
pub(super) fn boundary(segment: &Segment) -> Boundary {
    segment.boundary
}

/// A range later by some bytes.
pub(super) fn later_by(range: &Range<usize>, bytes: usize) -> Range<usize> {
    range.start + bytes..range.end + bytes
}

//! The text of a turn: what was pushed, what of it was spoken, and what of that was heard.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use speech_core::{CancelToken, Diagnostic, Error, LiveText, Utf16Offsets, count_characters};
use tokio::sync::Notify;

use crate::lines::Place;

/// Times that clients are told are rounded to milliseconds: a word that ends by them has ended.
const ROUNDING: f64 = 0.0005;

/// The text of a turn, which the session pushes and the task of the turn speaks.
#[derive(Debug)]
pub(super) struct Text {
    live: LiveText,
    cancel: CancelToken,
    state: Mutex<State>,
    changed: Notify,
}

struct State {
    text: String,
    utf16: Utf16Offsets,
    pushed: usize,
    is_finished: bool,
    /// Whether something has happened since the last step.
    is_new: bool,
    /// The bytes at which it was flushed, and nobody was told yet that those were spoken.
    flushes: VecDeque<usize>,
    spoken: Spoken,
    /// Silence that was put into the sound, by when it begins in the turn.
    fillings: Vec<Filling>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the text: it is the user's.
        f.debug_struct("State").field("pushed", &self.pushed).finish_non_exhaustive()
    }
}

/// Up to where the text was spoken.
#[derive(Clone, Copy, Debug, Default)]
struct Spoken {
    bytes: usize,
    characters: usize,
}

#[derive(Clone, Copy, Debug)]
struct Filling {
    from: f64,
    seconds: f64,
    /// All silence before it.
    before: f64,
}

impl Text {
    pub(super) fn new(live: LiveText, cancel: CancelToken) -> Self {
        let state = State {
            text: String::new(),
            utf16: Utf16Offsets::of(""),
            pushed: 0,
            is_finished: false,
            is_new: true,
            flushes: VecDeque::new(),
            spoken: Spoken::default(),
            fillings: Vec::new(),
        };
        Self { live, cancel, state: Mutex::new(state), changed: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the task of the turn look at it.
    pub(super) fn touch(&self) {
        self.state().is_new = true;
        self.changed.notify_one();
    }

    /// Adds to the text.
    ///
    /// # Errors
    ///
    /// `invalid_request` for a NUL character.
    pub(super) fn push(&self, text: &str) -> Result<(), Error> {
        // What is spoken of it is looked up in this text: nobody may look before it is there.
        let mut state = self.state();
        self.live.push(text)?;
        state.text.push_str(text);
        state.utf16.push(text);
        state.pushed += count_characters(text);
        drop(state);
        self.touch();
        Ok(())
    }

    pub(super) fn flush(&self) {
        self.live.flush();
        let mut state = self.state();
        let bytes = state.text.len();
        // One that is asked for twice is told of once, so that their number is that of the text.
        if state.flushes.back() != Some(&bytes) {
            state.flushes.push_back(bytes);
        }
        drop(state);
        self.touch();
    }

    pub(super) fn finish(&self) {
        self.live.finish();
        self.state().is_finished = true;
        self.touch();
    }

    pub(super) fn is_finished(&self) -> bool {
        self.state().is_finished
    }

    /// Stops what is computed for it.
    pub(super) fn cancel(&self) {
        self.cancel.cancel();
    }

    /// The characters that were pushed.
    pub(super) fn pushed(&self) -> usize {
        self.state().pushed
    }

    /// The characters that wait to be spoken.
    pub(super) fn waiting(&self) -> usize {
        let state = self.state();
        state.pushed - state.spoken.characters
    }

    /// Waits for something new, and takes note of it.
    pub(super) async fn news(&self) {
        while !std::mem::take(&mut self.state().is_new) {
            self.changed.notified().await;
        }
    }

    /// Whether something new has come since [`Self::news`].
    pub(super) fn is_new(&self) -> bool {
        self.state().is_new
    }

    /// Whether there is a whole sentence to speak, or the end.
    pub(super) fn is_decided(&self) -> bool {
        self.live.is_decided()
    }

    /// The text is spoken up to this byte. Gives the characters that are spoken in all.
    pub(super) fn speak_until(&self, bytes: usize) -> usize {
        let mut state = self.state();
        let from = state.spoken.bytes;
        if bytes > from {
            let more = count_characters(&state.text[from..bytes]);
            state.spoken = Spoken { bytes, characters: state.spoken.characters + more };
        }
        state.spoken.characters
    }

    /// How many flushes are done: those whose text was spoken, or all if nothing waits.
    pub(super) fn take_flushes(&self, nothing_waits: bool) -> usize {
        let mut state = self.state();
        let spoken = state.spoken.bytes;
        let done = state.flushes.partition_point(|at| nothing_waits || *at <= spoken);
        state.flushes.drain(..done).count()
    }

    /// Silence was put into the sound of the turn.
    pub(super) fn fill(&self, from: f64, seconds: f64) {
        let mut state = self.state();
        let before = state.fillings.last().map_or(0.0, |last| last.before + last.seconds);
        state.fillings.push(Filling { from, seconds, before });
    }

    /// The silence that was put into the sound before a time of the turn.
    fn filled_before(&self, seconds: f64) -> f64 {
        let state = self.state();
        let count = state.fillings.partition_point(|filling| filling.from <= seconds);
        count.checked_sub(1).map_or(0.0, |last| {
            let Filling { from, seconds: silence, before } = state.fillings[last];
            before + silence.min(seconds - from)
        })
    }

    /// The byte up to which words have ended when so many seconds of the turn were played.
    pub(super) fn heard(&self, played: f64) -> usize {
        self.live.heard_at(played - self.filled_before(played) + ROUNDING)
    }

    /// Gives the beginning of the text, and its UTF-16 code units.
    pub(super) fn beginning<T>(&self, bytes: usize, give: impl FnOnce(&str, u32) -> T) -> T {
        let state = self.state();
        give(&state.text[..bytes], state.utf16.offset(bytes))
    }

    pub(super) fn place(&self, span: &Range<usize>) -> Place {
        let utf16 = self.state().utf16.range(span);
        Place { bytes: (span.start, span.end), utf16: (utf16.start as usize, utf16.end as usize) }
    }

    /// What was not said so far.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        self.live.diagnostics()
    }
}

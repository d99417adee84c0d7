//! The text of a turn: which part was pushed, spoken and heard.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use speech_core::{CancelToken, Diagnostic, Error, LiveText, Utf16Offsets, count_characters};
use tokio::sync::Notify;

use crate::lines::Place;

/// Reported times are rounded to milliseconds, so a word that ends within the rounding has ended.
const ROUNDING: f64 = 0.0005;

/// The text of a turn. The session pushes it, and the task of the turn speaks it.
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
    /// Whether anything has changed since the last step.
    is_new: bool,
    /// Whether a piece is being computed.
    is_computing: bool,
    /// The byte positions of flushes that are not answered yet.
    flushes: VecDeque<usize>,
    spoken: Spoken,
    /// The inserted silences, in order.
    fillings: Vec<Filling>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the text: it is the user's.
        f.debug_struct("State").field("pushed", &self.pushed).finish_non_exhaustive()
    }
}

/// The end of the spoken text.
#[derive(Clone, Copy, Debug, Default)]
struct Spoken {
    bytes: usize,
    characters: usize,
}

#[derive(Clone, Copy, Debug)]
struct Filling {
    from: f64,
    seconds: f64,
    /// The sum of the earlier silences.
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
            is_computing: false,
            flushes: VecDeque::new(),
            spoken: Spoken::default(),
            fillings: Vec::new(),
        };
        Self { live, cancel, state: Mutex::new(state), changed: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the task of the turn.
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
        // Positions of spoken text refer to this text, so the lock is held until the text is
        // complete.
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
        // Flushes at one position count as one, so that their number is bounded by the text.
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

    /// Cancels the computation.
    pub(super) fn cancel(&self) {
        self.cancel.cancel();
    }

    /// The number of pushed characters.
    pub(super) fn pushed(&self) -> usize {
        self.state().pushed
    }

    /// The number of characters that wait to be spoken.
    pub(super) fn waiting(&self) -> usize {
        let state = self.state();
        state.pushed - state.spoken.characters
    }

    /// Waits for a change, and resets the flag.
    pub(super) async fn news(&self) {
        while !std::mem::take(&mut self.state().is_new) {
            self.changed.notified().await;
        }
    }

    /// Whether anything has changed since [`Self::news`].
    pub(super) fn is_new(&self) -> bool {
        self.state().is_new
    }

    /// Whether a whole sentence is available, or the end.
    pub(super) fn is_decided(&self) -> bool {
        self.live.is_decided()
    }

    /// Notes whether a piece is being computed. Its text is not available any more.
    pub(super) fn set_computing(&self, is_computing: bool) {
        self.state().is_computing = is_computing;
    }

    /// Whether a piece is being computed.
    pub(super) fn is_computing(&self) -> bool {
        self.state().is_computing
    }

    /// Whether text waits to be spoken, and its next sentence is available.
    pub(super) fn is_due(&self) -> bool {
        self.waiting() > 0 && self.is_decided()
    }

    /// Marks the text as spoken up to this byte. Returns the number of spoken characters.
    pub(super) fn speak_until(&self, bytes: usize) -> usize {
        let mut state = self.state();
        let from = state.spoken.bytes;
        if bytes > from {
            let more = count_characters(&state.text[from..bytes]);
            state.spoken = Spoken { bytes, characters: state.spoken.characters + more };
        }
        state.spoken.characters
    }

    /// Marks the text as spoken up to where the stream has read it, whether or not it has audio.
    /// Returns the number of spoken characters.
    pub(super) fn read(&self) -> usize {
        self.speak_until(self.live.taken())
    }

    /// Takes the flushes that are done, and returns their number: those whose text is spoken, or
    /// all if no text waits.
    pub(super) fn take_flushes(&self, nothing_waits: bool) -> usize {
        let mut state = self.state();
        let spoken = state.spoken.bytes;
        let done = state.flushes.partition_point(|at| nothing_waits || *at <= spoken);
        state.flushes.drain(..done).count()
    }

    /// Notes silence that was inserted into the audio of the turn.
    pub(super) fn fill(&self, from: f64, seconds: f64) {
        let mut state = self.state();
        let before = state.fillings.last().map_or(0.0, |last| last.before + last.seconds);
        state.fillings.push(Filling { from, seconds, before });
    }

    /// The seconds of silence that were inserted before this time of the turn.
    fn filled_before(&self, seconds: f64) -> f64 {
        let state = self.state();
        let count = state.fillings.partition_point(|filling| filling.from <= seconds);
        count.checked_sub(1).map_or(0.0, |last| {
            let Filling { from, seconds: silence, before } = state.fillings[last];
            before + silence.min(seconds - from)
        })
    }

    /// The end of the last word that was heard after this many seconds of the turn, in bytes.
    pub(super) fn heard(&self, played: f64) -> usize {
        self.live.heard_at(played - self.filled_before(played) + ROUNDING)
    }

    /// Calls a function with the beginning of the text and its number of UTF-16 code units.
    pub(super) fn beginning<T>(&self, bytes: usize, give: impl FnOnce(&str, u32) -> T) -> T {
        let state = self.state();
        give(&state.text[..bytes], state.utf16.offset(bytes))
    }

    pub(super) fn place(&self, span: &Range<usize>) -> Place {
        let utf16 = self.state().utf16.range(span);
        Place { bytes: (span.start, span.end), utf16: (utf16.start as usize, utf16.end as usize) }
    }

    /// The diagnostics so far.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        self.live.diagnostics()
    }
}

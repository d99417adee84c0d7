//! How far the audio of a session is ahead of playback. This decides when more audio is computed.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// The maximum number of seconds of audio that wait in the socket: with more, the client reads too
/// slowly.
const MAX_UNSENT: f64 = 2.0;

/// The playback of a session. Unless the client reports it, audio counts as played from when it is
/// written.
#[derive(Debug)]
pub(super) struct Pace {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    /// When the playback of all written audio ends.
    ends: Instant,
    /// The seconds of audio that are not written yet.
    unsent: f64,
}

impl Pace {
    pub(super) fn new() -> Self {
        let state = State { ends: Instant::now(), unsent: 0.0 };
        Self { state: Mutex::new(state), changed: Notify::new() }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_one();
    }

    /// Adds audio that waits to be written.
    pub(super) fn add(&self, seconds: f64) {
        self.change(|state| state.unsent += seconds);
    }

    /// Moves audio from waiting to written.
    pub(super) fn write(&self, seconds: f64) {
        self.change(|state| {
            state.unsent = (state.unsent - seconds).max(0.0);
            state.ends = state.ends.max(Instant::now()) + Duration::from_secs_f64(seconds);
        });
    }

    /// Removes audio that is dropped before it is written.
    pub(super) fn forget(&self, seconds: f64) {
        self.change(|state| state.unsent = (state.unsent - seconds).max(0.0));
    }

    /// Sets how many seconds of the written audio are not played yet.
    pub(super) fn set_unplayed(&self, seconds: f64) {
        self.change(|state| state.ends = Instant::now() + Duration::from_secs_f64(seconds));
    }

    /// The seconds of written audio that are not played yet.
    pub(super) fn unplayed(&self) -> f64 {
        self.state().ends.saturating_duration_since(Instant::now()).as_secs_f64()
    }

    /// Waits until the audio is less than this many seconds ahead of playback, and little of it is
    /// unwritten.
    pub(super) async fn room(&self, ahead: f64) {
        loop {
            let unsent = self.state().unsent;
            let over = self.unplayed() + unsent - ahead;
            let is_taken = unsent < MAX_UNSENT;
            if is_taken && over < 0.0 {
                return;
            }
            let wait = Duration::from_secs_f64(if is_taken { over.max(0.001) } else { 3600.0 });
            tokio::select! {
                () = self.changed.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Whether audio waits to be written.
    pub(super) fn has_unsent(&self) -> bool {
        // Sums of seconds have rounding errors that are shorter than a sample.
        self.state().unsent > 1e-6
    }

    /// Waits until all audio is written.
    pub(super) async fn written(&self) {
        while self.has_unsent() {
            self.changed.notified().await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn sound_is_ahead_for_so_long() {
        let pace = Pace::new();
        let has_room = async |ahead| timeout(Duration::ZERO, pace.room(ahead)).await.is_ok();
        assert!(has_room(1.0).await);
        pace.add(1.5);
        assert!(!has_room(1.0).await);
        assert!(has_room(3.0).await);
        // However far ahead it may be: who does not take it gets no more.
        pace.add(1.0);
        assert!(!has_room(300.0).await);
        pace.write(2.5);
        assert!(!has_room(1.0).await);
        assert!(pace.unplayed() > 1.0);
        pace.set_unplayed(0.5);
        assert!(has_room(1.0).await);
        pace.add(2.5);
        pace.forget(2.5);
        assert!(has_room(1.0).await);
    }

    #[tokio::test]
    async fn all_sound_is_written() {
        let pace = Pace::new();
        let is_written = async || timeout(Duration::ZERO, pace.written()).await.is_ok();
        assert!(is_written().await);
        pace.add(0.1 + 0.2);
        pace.write(0.1);
        assert!(!is_written().await);
        pace.write(0.2);
        assert!(is_written().await);
    }

    #[tokio::test]
    async fn time_makes_room() {
        let pace = Pace::new();
        pace.add(1.2);
        pace.write(1.2);
        let began = Instant::now();
        pace.room(1.0).await;
        assert!(began.elapsed() >= Duration::from_millis(150));
    }
}

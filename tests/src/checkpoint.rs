//! Blocks a computation at a chosen point. The library polls the cancel token of a request often
//! during a computation, and a test can block the thread of any such poll.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// A test fails after this time instead of waiting forever.
const LIMIT: Duration = Duration::from_secs(120);

/// Counts the polls of a token on all threads except the one that created this object. Clones share
/// one count.
///
/// ```ignore
/// let checkpoint = Checkpoint::on_other_threads();
/// let token = CancelToken::polling(checkpoint.counter());
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoint(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// The thread of the test, whose polls are not counted: it would wait for itself.
    test: ThreadId,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    checks: usize,
    /// The number of the poll to block.
    hold: Option<usize>,
    held: Option<ThreadId>,
}

impl Checkpoint {
    /// Counts the polls of all threads except the current one.
    pub fn on_other_threads() -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Self(Arc::new(Shared { test: thread::current().id(), state, changed }))
    }

    /// The function for the token to poll; it always returns false.
    pub fn counter(&self) -> impl Fn() -> bool + Send + Sync + use<> {
        let this = self.clone();
        move || {
            this.count();
            false
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self) {
        if thread::current().id() == self.0.test {
            return;
        }
        let mut state = self.state();
        state.checks += 1;
        if state.hold == Some(state.checks) {
            state.held = Some(thread::current().id());
            self.0.changed.notify_all();
            let is_held = |state: &mut State| state.held.is_some();
            drop(self.0.changed.wait_while(state, is_held).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// The number of polls so far.
    pub fn checks(&self) -> usize {
        self.state().checks
    }

    /// Blocks the thread of this poll, counted from 1 after those so far.
    pub fn hold(&self, check: usize) {
        let mut state = self.state();
        state.hold = Some(state.checks + check);
    }

    /// Waits until a thread is blocked, and returns its id.
    ///
    /// # Panics
    ///
    /// If none is blocked within two minutes.
    pub fn wait(&self) -> ThreadId {
        let waits = |state: &mut State| state.held.is_none();
        let (state, _) = self
            .0
            .changed
            .wait_timeout_while(self.state(), LIMIT, waits)
            .unwrap_or_else(PoisonError::into_inner);
        state.held.expect("the computation comes to the check")
    }

    /// Runs `call` on another thread, and `event` while the call is blocked. Returns the result of
    /// the call, and the blocked thread.
    ///
    /// # Panics
    ///
    /// As `wait`, and if the call panics.
    pub fn during<T: Send>(
        &self,
        call: impl FnOnce() -> T + Send,
        event: impl FnOnce(),
    ) -> (T, ThreadId) {
        thread::scope(|scope| {
            let running = scope.spawn(call);
            let held = self.wait();
            event();
            self.release();
            (running.join().expect("the call does not panic"), held)
        })
    }

    /// Unblocks the thread.
    pub fn release(&self) {
        self.state().held = None;
        self.0.changed.notify_all();
    }
}

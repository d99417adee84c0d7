//! Permits for work that needs a thread, such as the steps of live texts: any number of sessions
//! share a few.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use speech_base::fair_queue::FairQueue;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::keys::Account;

/// A number of permits that accounts take in turns.
#[derive(Clone, Debug)]
pub(crate) struct Permits(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    free: usize,
    waiting: FairQueue<Account, oneshot::Sender<Permit>>,
}

/// A permit, released on drop.
#[derive(Debug)]
pub(crate) struct Permit(Permits);

impl Permits {
    pub(crate) fn new(free: usize) -> Self {
        Self(Arc::new(Mutex::new(State { free, waiting: FairQueue::new() })))
    }

    /// Waits for a permit.
    pub(crate) async fn acquire(&self, account: &Account) -> Permit {
        let given = {
            let mut state = self.state();
            if state.free > 0 {
                state.free -= 1;
                return Permit(self.clone());
            }
            let (sender, given) = oneshot::channel();
            state.waiting.push(account.clone(), sender);
            given
        };
        given.await.expect("a sender is dropped only with its permit sent")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit {
    /// Does blocking work on another thread, and releases the permit at its end.
    pub(crate) fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        spawn_blocking(move || {
            let _permit = self;
            work()
        })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let next = {
            let mut state = self.0.state();
            let mut waiting = std::iter::from_fn(|| state.waiting.pop());
            let next = waiting.find(|next| !next.is_closed());
            state.free += usize::from(next.is_none());
            next
        };
        if let Some(next) = next {
            // If the receiver has just gone, this drops the permit, which passes it on.
            let _ = next.send(Self(self.0.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt;
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn accounts_take_turns_and_who_leaves_is_passed_over() {
        let permits = Permits::new(1);
        let (a, b) = (Account("a".into()), Account("b".into()));
        let first = permits.acquire(&a).await;
        let wait = Duration::from_millis(1);
        assert!(timeout(wait, permits.acquire(&a)).await.is_err());
        let order = Mutex::new(Vec::new());
        let take = async |account: &Account, number| {
            let _permit = permits.acquire(account).await;
            order.lock().unwrap().push(number);
        };
        let release = async { drop(first) };
        tokio::join!(take(&a, 0), take(&a, 1), take(&b, 2), release);
        // That of the one who left counts as the turn of its account.
        assert_eq!(order.into_inner().unwrap(), [2, 0, 1]);
        assert_eq!(permits.state().free, 1);
    }

    #[tokio::test]
    async fn any_number_may_have_left() {
        let permits = Permits::new(1);
        let account = Account("a".into());
        let first = permits.acquire(&account).await;
        for _ in 0..200_000 {
            assert!(permits.acquire(&account).now_or_never().is_none());
        }
        drop(first);
        assert_eq!(permits.state().free, 1);
    }
}

//! A counting semaphore that grants permits in the order in which they were asked for.

use crate::Error;
use crate::Result;
use crate::cancel::CancelToken;
use crate::concurrency::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::collections::VecDeque;

/// A fixed number of permits. Threads that wait for one form a first-in, first-out queue.
#[derive(Clone, Debug)]
pub struct FairSemaphore(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Notified whenever the head of the queue or the number of permits changes, and on cancellation.
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Permits that no thread holds.
    available: usize,
    /// The tickets of the threads that wait, in order.
    queue: VecDeque<u64>,
    next_ticket: u64,
}

/// A permit, which is released when it is dropped.
#[derive(Debug)]
pub struct Permit<'a>(&'a Shared);

impl FairSemaphore {
    /// A semaphore of so many permits.
    pub fn new(permits: usize) -> Self {
        let state = State { available: permits, queue: VecDeque::new(), next_ticket: 0 };
        Self(Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() }))
    }

    /// Waits for a permit.
    ///
    /// # Errors
    ///
    /// `cancelled` soon after the token is cancelled.
    pub fn acquire(&self, cancel: &CancelToken) -> Result<Permit<'_>> {
        let _guard = cancel.on_cancel({
            let shared = Arc::clone(&self.0);
            move || {
                // The lock is held, so that no thread is between its check and its wait and misses the notification.
                let _state = shared.lock();
                shared.changed.notify_all();
            }
        });
        let mut state = self.0.lock();
        let ticket = state.enqueue();
        while !cancel.is_cancelled() {
            if state.available > 0 && state.queue.front() == Some(&ticket) {
                state.available -= 1;
                state.dequeue(ticket);
                // There may be a permit for the new head of the queue too.
                self.0.changed.notify_all();
                return Ok(Permit(&self.0));
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.dequeue(ticket);
        self.0.changed.notify_all();
        Err(Error::cancelled())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Adds a new ticket to the end of the queue.
    fn enqueue(&mut self) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.queue.push_back(ticket);
        ticket
    }

    /// Removes a ticket, wherever it is in the queue.
    fn dequeue(&mut self, ticket: u64) {
        self.queue.retain(|waiting| *waiting != ticket);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().available += 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Waits until so many threads are in the queue.
    fn wait_for_queue(semaphore: &FairSemaphore, length: usize) {
        while semaphore.0.lock().queue.len() < length {
            thread::yield_now();
        }
    }

    #[test]
    fn acquire_waits_until_a_permit_is_released() {
        let (semaphore, token) = (FairSemaphore::new(1), CancelToken::new());
        let permit = semaphore.acquire(&token).unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| semaphore.acquire(&token).is_ok());
            wait_for_queue(&semaphore, 1);
            assert!(!waiting.is_finished());
            drop(permit);
            assert!(waiting.join().unwrap());
        });
        assert!(semaphore.acquire(&token).is_ok());
    }

    #[test]
    fn permits_are_granted_in_order() {
        let (semaphore, token) = (FairSemaphore::new(1), CancelToken::new());
        let (first, order) = (semaphore.acquire(&token).unwrap(), Mutex::new(Vec::new()));
        thread::scope(|scope| {
            for number in 0..8 {
                let (semaphore, token, order) = (&semaphore, &token, &order);
                scope.spawn(move || {
                    let _permit = semaphore.acquire(token).unwrap();
                    order.lock().unwrap().push(number);
                });
                wait_for_queue(semaphore, number + 1);
            }
            drop(first);
            // A thread that has just released a permit queues behind those that wait.
            drop(semaphore.acquire(&token).unwrap());
            assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        });
        assert!(semaphore.0.lock().queue.is_empty());
    }

    #[test]
    fn cancellation_ends_the_wait() {
        let (semaphore, token) = (FairSemaphore::new(0), CancelToken::new());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| semaphore.acquire(&token).unwrap_err().kind());
            wait_for_queue(&semaphore, 1);
            token.cancel();
            assert_eq!(waiting.join().unwrap(), crate::ErrorKind::Cancelled);
        });
    }
}

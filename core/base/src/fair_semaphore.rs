//! A counting semaphore whose permits are shared fairly between tenants.

use crate::Error;
use crate::Result;
use crate::cancel::CancelToken;
use crate::concurrency::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use crate::fair_queue::FairQueue;
use std::hash::{DefaultHasher, Hash, Hasher};

/// On whose behalf a thread waits: an account of a service, for example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tenant(u64);

impl Tenant {
    /// The tenant with this name. Names with the same 64-bit hash are the same tenant.
    pub fn new(name: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        Self(hasher.finish())
    }

    /// The tenant's number: the hash of its name, or 0 for the default tenant.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// A fixed number of permits. The threads of one tenant get them in the order of their requests;
/// the tenants take turns.
#[derive(Clone, Debug)]
pub struct FairSemaphore(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Notified when the head of the queue or the number of permits changes, and on cancellation.
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Permits not held by any thread.
    available: usize,
    /// The tickets of the waiting threads.
    queue: FairQueue<Tenant, u64>,
    next_ticket: u64,
}

/// A permit; released when dropped.
#[derive(Debug)]
pub struct Permit<'a>(&'a Shared);

impl FairSemaphore {
    /// A semaphore with this number of permits.
    pub fn new(permits: usize) -> Self {
        let state = State { available: permits, queue: FairQueue::new(), next_ticket: 0 };
        Self(Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() }))
    }

    /// Waits for a permit for a tenant.
    ///
    /// # Errors
    ///
    /// `cancelled` soon after the token is cancelled.
    pub fn acquire(&self, tenant: Tenant, cancel: &CancelToken) -> Result<Permit<'_>> {
        let _guard = cancel.on_cancel({
            let shared = Arc::clone(&self.0);
            move || {
                // Hold the lock, so that a thread between its check and its wait cannot miss the
                // notification.
                let _state = shared.lock();
                shared.changed.notify_all();
            }
        });
        let mut state = self.0.lock();
        let ticket = state.enqueue(tenant);
        while !cancel.is_cancelled() {
            if state.available > 0 && state.queue.first() == Some(&ticket) {
                state.available -= 1;
                state.queue.pop();
                // There may be a permit for the next thread too.
                self.0.changed.notify_all();
                return Ok(Permit(&self.0));
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.queue.remove(|waiting| *waiting == ticket);
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
    /// Adds a new ticket to a tenant's line.
    fn enqueue(&mut self, tenant: Tenant) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.queue.push(tenant, ticket);
        ticket
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

    /// Waits until `length` threads are in the queue.
    fn wait_for_queue(semaphore: &FairSemaphore, length: usize) {
        while semaphore.0.lock().queue.len() < length {
            thread::yield_now();
        }
    }

    #[test]
    fn acquire_waits_until_a_permit_is_released() {
        let (semaphore, token) = (FairSemaphore::new(1), CancelToken::new());
        let permit = semaphore.acquire(Tenant::default(), &token).unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| semaphore.acquire(Tenant::default(), &token).is_ok());
            wait_for_queue(&semaphore, 1);
            assert!(!waiting.is_finished());
            drop(permit);
            assert!(waiting.join().unwrap());
        });
        assert!(semaphore.acquire(Tenant::default(), &token).is_ok());
    }

    #[test]
    fn permits_are_granted_in_order() {
        let (semaphore, token) = (FairSemaphore::new(1), CancelToken::new());
        let (first, order) =
            (semaphore.acquire(Tenant::default(), &token).unwrap(), Mutex::new(Vec::new()));
        thread::scope(|scope| {
            for number in 0..8 {
                let (semaphore, token, order) = (&semaphore, &token, &order);
                scope.spawn(move || {
                    let _permit = semaphore.acquire(Tenant::default(), token).unwrap();
                    order.lock().unwrap().push(number);
                });
                wait_for_queue(semaphore, number + 1);
            }
            drop(first);
            // A thread that has just released a permit queues behind the waiting ones.
            drop(semaphore.acquire(Tenant::default(), &token).unwrap());
            assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        });
        assert!(semaphore.0.lock().queue.is_empty());
    }

    #[test]
    fn another_tenant_waits_for_one_permit_of_each() {
        let (semaphore, token) = (FairSemaphore::new(1), CancelToken::new());
        let busy = Tenant::new("busy");
        let (first, order) = (semaphore.acquire(busy, &token).unwrap(), Mutex::new(Vec::new()));
        thread::scope(|scope| {
            for (number, tenant) in [busy, busy, busy, Tenant::new("new")].into_iter().enumerate() {
                let (semaphore, token, order) = (&semaphore, &token, &order);
                scope.spawn(move || {
                    let _permit = semaphore.acquire(tenant, token).unwrap();
                    order.lock().unwrap().push(number);
                });
                wait_for_queue(semaphore, number + 1);
            }
            drop(first);
        });
        assert_eq!(order.into_inner().unwrap(), [3, 0, 1, 2]);
    }

    #[test]
    fn cancellation_ends_the_wait() {
        let (semaphore, token) = (FairSemaphore::new(0), CancelToken::new());
        thread::scope(|scope| {
            let waiting =
                scope.spawn(|| semaphore.acquire(Tenant::default(), &token).unwrap_err().kind());
            wait_for_queue(&semaphore, 1);
            token.cancel();
            assert_eq!(waiting.join().unwrap(), crate::ErrorKind::Cancelled);
        });
    }
}

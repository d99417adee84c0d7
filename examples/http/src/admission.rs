//! Admission: which requests for speech are answered now, and when the others may come back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use speech_core::ErrorKind;
use tokio::sync::watch;

use crate::allowance::{Allowance, Counted, Exhausted};
use crate::error_response::ErrorResponse;
use crate::keys::Account;
use crate::queue::{Ahead, Queue};

/// Of requests for speech, those that wait for the engine among them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// At once.
    pub(crate) requests: usize,
    /// Of one account at once.
    pub(crate) requests_per_account: usize,
    /// Until the engine begins with the first sentence.
    pub(crate) wait: Duration,
}

/// The requests for speech that are being answered.
#[derive(Debug)]
pub(crate) struct Admission {
    limits: Limits,
    queue: Mutex<Queue>,
    /// None if an account may have any number of characters.
    allowance: Option<Mutex<Allowance>>,
    count: watch::Sender<usize>,
}

/// The place of a request that was admitted. It is given up when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    admission: Arc<Admission>,
    id: u64,
    counted: Option<Counted>,
}

/// Why there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Full {
    Requests,
    RequestsOfAccount,
    Wait,
}

impl Limits {
    /// What stands against one more request of an account behind these, which has to wait for so long.
    fn full(&self, account: &Account, ahead: &[Ahead], wait: Duration) -> Option<Full> {
        let of_account = ahead.iter().filter(|request| request.account == account).count();
        if ahead.len() >= self.requests {
            Some(Full::Requests)
        } else if of_account >= self.requests_per_account {
            Some(Full::RequestsOfAccount)
        } else {
            (wait > self.wait).then_some(Full::Wait)
        }
    }
}

impl Admission {
    pub(crate) fn new(limits: Limits, queue: Queue, allowance: Option<Allowance>) -> Self {
        let (queue, allowance) = (Mutex::new(queue), allowance.map(Mutex::new));
        Self { limits, queue, allowance, count: watch::Sender::new(0) }
    }

    /// Admits a request of so many characters.
    ///
    /// # Errors
    ///
    /// `overloaded`.
    pub(crate) fn admit(
        self: &Arc<Self>,
        account: &Account,
        characters: usize,
    ) -> Result<Place, ErrorResponse> {
        let mut queue = self.queue();
        if let Some(full) = self.limits.full(account, &queue.ahead(), queue.wait()) {
            return Err(self.refusal(full, self.time_until_room(&queue, account)));
        }
        let count = |allowance: &Mutex<Allowance>| {
            let mut allowance = allowance.lock().unwrap_or_else(PoisonError::into_inner);
            allowance.count(account, characters, Timestamp::now())
        };
        let counted = self.allowance.as_ref().map(count).transpose().map_err(exhausted)?;
        let id = queue.add(account, characters, Instant::now());
        self.count.send_modify(|count| *count += 1);
        Ok(Place { admission: Arc::clone(self), id, counted })
    }

    /// The longest wait until the engine begins.
    pub(crate) fn longest_wait(&self) -> Duration {
        self.limits.wait
    }

    pub(crate) fn is_waiting(&self, id: u64) -> bool {
        self.queue().is_waiting(id)
    }

    /// The refusal of a request that was admitted, and has waited for too long.
    pub(crate) fn waited_too_long(&self, account: &Account) -> ErrorResponse {
        self.refusal(Full::Wait, self.time_until_room(&self.queue(), account))
    }

    /// Waits until no request is being answered.
    pub(crate) async fn idle(&self) {
        // The sender lives as long as this, so there is no error.
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn time_until_room(&self, queue: &Queue, account: &Account) -> Duration {
        queue.until(|ahead| self.limits.full(account, ahead, queue.wait_behind(ahead)).is_none())
    }

    fn refusal(&self, full: Full, retry_after: Duration) -> ErrorResponse {
        let message = match full {
            Full::Requests => "too many requests are waiting: try again later".into(),
            Full::Wait => format!(
                "the wait is longer than {} s: try again later",
                self.limits.wait.as_secs_f64()
            ),
            Full::RequestsOfAccount => format!(
                "this account may have {} requests at once: wait for one of them to end",
                self.limits.requests_per_account
            ),
        };
        let refusal =
            ErrorResponse::new(ErrorKind::Overloaded, message).with_retry_after(retry_after);
        if full == Full::RequestsOfAccount { refusal.of_the_account() } else { refusal }
    }
}

fn exhausted(Exhausted { left, next_day }: Exhausted) -> ErrorResponse {
    let message =
        format!("this account has {left} characters left today; the next day begins at 00:00 UTC");
    ErrorResponse::new(ErrorKind::Overloaded, message).with_retry_after(next_day).of_the_account()
}

impl Place {
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Notes how many sentences the text has.
    pub(crate) fn read(&self, characters: usize, sentences: usize) {
        self.admission.queue().read(self.id, characters, sentences);
    }

    /// Before the engine is asked for the next sentence.
    pub(crate) fn ask(&self) {
        self.admission.queue().ask(self.id, Instant::now());
    }

    /// The engine has given a sentence, of so many characters.
    pub(crate) fn give(&self, characters: usize) {
        self.admission.queue().give(self.id, characters, Instant::now());
    }

    /// Nothing was spoken, so the account has its characters back.
    pub(crate) fn take_back(&mut self) {
        if let Some((allowance, counted)) =
            self.admission.allowance.as_ref().zip(self.counted.take())
        {
            let mut allowance = allowance.lock().unwrap_or_else(PoisonError::into_inner);
            allowance.take_back(&counted);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.admission.queue().remove(self.id, Instant::now());
        self.admission.count.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;

    use super::*;

    /// With one sentence at once, of ten characters a second, which are all measured as the first.
    fn admission(limits: Limits) -> Arc<Admission> {
        Arc::new(Admission::new(limits, Queue::new(1, 10.0), None))
    }

    fn refused(result: Result<Place, ErrorResponse>) -> (u16, String, String) {
        let refusal = result.unwrap_err();
        let message = refusal.error.message().to_owned();
        let response = refusal.into_response();
        let retry_after = response.headers()["retry-after"].to_str().unwrap().to_owned();
        (response.status().as_u16(), retry_after, message)
    }

    #[test]
    fn nobody_is_admitted_who_would_wait_for_too_long() {
        let wait = Duration::from_secs(5);
        let admission = admission(Limits { requests: 64, requests_per_account: 64, wait });
        let account = Account("a".into());
        let first = admission.admit(&account, 30).unwrap();
        let second = admission.admit(&account, 30).unwrap();
        assert!(!admission.is_waiting(first.id()) && admission.is_waiting(second.id()));
        // Six seconds of speech are before it, in two texts of one sentence.
        let (status, retry_after, message) = refused(admission.admit(&account, 30));
        assert_eq!((status, &*retry_after), (503, "6"));
        assert!(message.contains("longer than 5 s"), "{message}");
        // Texts of three and of two sentences: there is room when the shorter one is at its end.
        first.read(90, 3);
        second.read(60, 2);
        assert_eq!(refused(admission.admit(&account, 30)).1, "12");
        drop(first);
        admission.admit(&account, 30).unwrap();
    }

    #[test]
    fn an_account_cannot_hold_all_places() {
        let wait = Duration::MAX;
        let admission = admission(Limits { requests: 3, requests_per_account: 2, wait });
        let (one, two) = (Account("one".into()), Account("two".into()));
        let places = [(); 2].map(|()| admission.admit(&one, 50).unwrap());
        let (status, retry_after, message) = refused(admission.admit(&one, 50));
        assert_eq!((status, &*retry_after), (429, "10"));
        assert!(message.contains("2 requests at once"), "{message}");
        let _other = admission.admit(&two, 50).unwrap();
        assert_eq!(refused(admission.admit(&two, 50)).0, 503);
        drop(places);
        admission.admit(&one, 50).unwrap();
    }
}

//! Admission: which speech requests are accepted now, and when rejected ones may retry.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use jiff::Timestamp;
use speech_core::ErrorKind;
use tokio::sync::watch;

use crate::allowance::{Allowance, Counted, Exhausted};
use crate::error_response::ErrorResponse;
use crate::keys::Account;
use crate::queue::Queue;
use crate::share;
use crate::sound::{Hold, OF_A_PIECE, Sound, TooMuch};
use crate::usage::{Refused, Unrecorded};

/// The limits of speech requests, including those that wait for the engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum number of concurrent requests.
    pub(crate) requests: usize,
    /// The maximum for one account. `None`: three times what the account leaves free.
    pub(crate) requests_per_account: Option<usize>,
    /// The maximum wait until the first sentence begins.
    pub(crate) wait: Duration,
    /// The maximum audio held for all requests, in seconds.
    pub(crate) sound: f64,
}

/// The estimated demand of a request before it is admitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub(crate) characters: usize,
    /// The estimated audio to compute, in seconds.
    pub(crate) seconds: f64,
    /// The estimated audio to hold, in seconds.
    pub(crate) held: f64,
    /// The audio that it certainly holds, in seconds.
    pub(crate) held_at_least: f64,
}

/// The admitted speech requests.
#[derive(Debug)]
pub(crate) struct Admission {
    limits: Limits,
    queue: Mutex<Queue>,
    sound: Arc<Sound>,
    /// None without a limit of characters per day.
    allowance: Option<Mutex<Allowance>>,
    count: watch::Sender<usize>,
}

/// The place of an admitted request, released on drop.
#[derive(Debug)]
pub(crate) struct Place {
    admission: Arc<Admission>,
    account: Account,
    id: u64,
    counted: Mutex<Option<Counted>>,
    hold: Arc<Hold>,
}

/// The limit that rejects a request.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Full {
    Requests,
    RequestsOfAccount,
    Wait,
    WaitOfAccount,
    Sound(TooMuch),
}

impl Limits {
    /// The limit that rejects one more request of an account.
    fn full(&self, account: &Account, queue: &Queue) -> Option<Full> {
        let of_account = queue.of_account(account);
        let left = self.requests.saturating_sub(queue.len());
        let has_its_share = match self.requests_per_account {
            Some(most) => of_account >= most,
            None => !share::allows(of_account as f64, 1.0, left as f64, 1.0),
        };
        if left == 0 {
            Some(Full::Requests)
        } else if has_its_share {
            Some(Full::RequestsOfAccount)
        } else if queue.wait(account) <= self.wait {
            None
        } else {
            Some(Full::of_wait(of_account > 0))
        }
    }

    /// The limit that rejects one more turn of an account. A turn does not count as a request, but
    /// waits with them.
    fn full_of_turns(&self, account: &Account, queue: &Queue) -> Option<Full> {
        let waits = queue.wait(account) > self.wait;
        waits.then(|| Full::of_wait(queue.asks(account)))
    }
}

impl Full {
    fn of_wait(is_of_account: bool) -> Self {
        if is_of_account { Self::WaitOfAccount } else { Self::Wait }
    }
}

impl Admission {
    pub(crate) fn new(limits: Limits, queue: Queue, allowance: Option<Allowance>) -> Self {
        let sound = Arc::new(Sound::new(limits.sound));
        let (queue, allowance) = (Mutex::new(queue), allowance.map(Mutex::new));
        Self { limits, queue, sound, allowance, count: watch::Sender::new(0) }
    }

    /// Admits a request.
    ///
    /// # Errors
    ///
    /// `overloaded`; `invalid_request` if the request alone needs more than an account may have of
    /// audio, or of characters in a day.
    pub(crate) fn admit(
        self: &Arc<Self>,
        account: &Account,
        Demand { characters, seconds, held, held_at_least }: Demand,
    ) -> Result<Place, ErrorResponse> {
        let mut queue = self.queue();
        if let Some(full) = self.limits.full(account, &queue) {
            return Err(self.refusal(full, self.time_until_room(&queue, account)));
        }
        // Too long an answer is detected while it is computed, except for its explicit pauses.
        let held = held.min(share::alone(self.limits.sound)).max(held_at_least);
        let hold = self.sound.hold(account, held).map_err(|too_much| {
            self.refusal(Full::Sound(too_much), self.time_until_less(&queue, account))
        })?;
        let counted = Mutex::new(self.count(account, characters)?);
        let id = queue.add(account, seconds, Instant::now());
        self.count.send_modify(|count| *count += 1);
        let (admission, account) = (Arc::clone(self), account.clone());
        Ok(Place { admission, account, id, counted, hold: Arc::new(hold) })
    }

    /// Admits a turn of a live session. It holds no audio yet, and its characters are counted as
    /// they are sent. A turn with text asks soon.
    ///
    /// # Errors
    ///
    /// `overloaded`; `invalid_request` if an account may not have so many characters in a day.
    pub(crate) fn admit_turn(
        self: &Arc<Self>,
        account: &Account,
        has_text: bool,
    ) -> Result<Place, ErrorResponse> {
        let mut queue = self.queue();
        self.check_turn(account, &queue)?;
        // Nothing is computed for an account whose day is used up.
        self.check_day(account)?;
        let hold = self.sound.hold_nothing(account);
        let id = queue.add_turn(account);
        if has_text {
            queue.expect(id);
        }
        self.count.send_modify(|count| *count += 1);
        let (admission, account) = (Arc::clone(self), account.clone());
        Ok(Place { admission, account, id, counted: Mutex::default(), hold: Arc::new(hold) })
    }

    /// Checks that one more turn of an account is not estimated to wait too long.
    fn check_turn(&self, account: &Account, queue: &Queue) -> Result<(), ErrorResponse> {
        let Some(full) = self.limits.full_of_turns(account, queue) else { return Ok(()) };
        let has_room = |later: &Queue| self.limits.full_of_turns(account, later).is_none();
        Err(self.refusal(full, queue.until(has_room)))
    }

    /// Checks that an account has characters left today.
    ///
    /// # Errors
    ///
    /// `overloaded`, or `invalid_request` if the daily limit is 0.
    pub(crate) fn check_day(&self, account: &Account) -> Result<(), ErrorResponse> {
        self.count(account, 1).map(|counted| self.take_back(counted))
    }

    /// Counts characters of an account before they are spoken.
    fn count(
        &self,
        account: &Account,
        characters: usize,
    ) -> Result<Option<Counted>, ErrorResponse> {
        let count = |allowance: &Mutex<Allowance>| {
            let mut allowance = allowance.lock().unwrap_or_else(PoisonError::into_inner);
            allowance.count(account, characters, Timestamp::now())
        };
        self.allowance.as_ref().map(count).transpose().map_err(exhausted)
    }

    fn take_back(&self, counted: Option<Counted>) {
        if let Some((allowance, counted)) = self.allowance.as_ref().zip(counted) {
            let mut allowance = allowance.lock().unwrap_or_else(PoisonError::into_inner);
            allowance.take_back(&counted);
        }
    }

    /// As [`Queue::demand`], and the wait of a request of an account without any.
    pub(crate) fn demand(&self) -> ([usize; 3], Duration) {
        let queue = self.queue();
        (queue.demand(), queue.wait(&Account("".into())))
    }

    /// The longest time until the first sentence of an admitted request begins.
    pub(crate) fn longest_wait(&self) -> Duration {
        self.limits.wait.saturating_add(self.queue().longest_turn())
    }

    pub(crate) fn is_waiting(&self, id: u64) -> bool {
        self.queue().is_waiting(id)
    }

    /// The error for an admitted request that has waited too long.
    pub(crate) fn waited_too_long(&self, account: &Account) -> ErrorResponse {
        let queue = self.queue();
        // The account's requests include this one.
        let full = if queue.of_account(account) > 1 { Full::WaitOfAccount } else { Full::Wait };
        self.refusal(full, self.time_until_room(&queue, account))
    }

    /// Waits until no request is in progress.
    pub(crate) async fn idle(&self) {
        // The sender lives as long as `self`, so this cannot fail.
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn time_until_room(&self, queue: &Queue, account: &Account) -> Duration {
        queue.until(|queue| self.limits.full(account, queue).is_none())
    }

    /// The time until a request ends: one of the account if it has any. Until then no audio is
    /// released.
    fn time_until_less(&self, queue: &Queue, account: &Account) -> Duration {
        let (all, own) = (queue.len(), queue.of_account(account));
        queue.until(
            |later| if own > 0 { later.of_account(account) < own } else { later.len() < all },
        )
    }

    fn refusal(&self, full: Full, retry_after: Duration) -> ErrorResponse {
        let message = match full {
            Full::Requests => "too many requests are waiting: try again later".into(),
            Full::Wait => format!(
                "the wait is longer than {} s: try again later",
                self.limits.wait.as_secs_f64()
            ),
            Full::WaitOfAccount => format!(
                "this account has requests already, and the wait is longer than {} s: wait for one of them to end",
                self.limits.wait.as_secs_f64()
            ),
            Full::RequestsOfAccount => {
                "this account has as many requests as it may have at once: wait for one of them to end".into()
            }
            Full::Sound(TooMuch::Everybody) => {
                "too much sound is held for clients: try again later".into()
            }
            Full::Sound(TooMuch::Account) => {
                "this account has as much sound as it may have at once: take what there is, or ask for pcm".into()
            }
            Full::Sound(TooMuch::Request(most)) => {
                let message = format!("the answer holds more sound than the {most} s that the service keeps for an account: ask for pcm");
                return ErrorResponse::new(ErrorKind::InvalidRequest, message);
            }
        };
        let refusal =
            ErrorResponse::new(ErrorKind::Overloaded, message).with_retry_after(retry_after);
        match full {
            Full::RequestsOfAccount | Full::WaitOfAccount | Full::Sound(TooMuch::Account) => {
                refusal.of_the_account()
            }
            _ => refusal,
        }
    }
}

fn exhausted(exhausted: Exhausted) -> ErrorResponse {
    match exhausted {
        Exhausted::MoreThanADay(most) => {
            let message = format!("an account may have {most} characters spoken in a day");
            ErrorResponse::new(ErrorKind::InvalidRequest, message)
        }
        Exhausted::Today { left, next_day } => {
            let message = format!(
                "this account has {left} characters left today; the next day begins at 00:00 UTC"
            );
            let refusal = ErrorResponse::new(ErrorKind::Overloaded, message);
            refusal.with_retry_after(next_day).of_the_account()
        }
    }
}

impl Place {
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Notes the number of sentences of the text and its approximate duration.
    pub(crate) fn read(&self, seconds: f64, sentences: usize) {
        self.admission.queue().read(self.id, seconds, sentences);
    }

    /// Asks for the next sentence.
    pub(crate) fn ask(&self) {
        self.admission.queue().ask(self.id, Instant::now());
    }

    /// As [`Self::ask`], for the first audio of a turn.
    ///
    /// # Errors
    ///
    /// `overloaded` if the estimated wait is too long.
    pub(crate) fn ask_first(&self) -> Result<(), ErrorResponse> {
        let (mut queue, now) = (self.admission.queue(), Instant::now());
        // The turn does not wait for itself.
        queue.finish(self.id, now);
        self.admission.check_turn(&self.account, &queue)?;
        queue.ask(self.id, now);
        Ok(())
    }

    /// Notes that a turn has text, and will ask once there is room for its audio. New requests
    /// count it as waiting.
    pub(crate) fn expect(&self) {
        self.admission.queue().expect(self.id);
    }

    /// Notes that a sentence or a part of it was computed. The duration is none if nothing was
    /// computed.
    pub(crate) fn give(&self, seconds: Option<f64>, is_whole: bool) {
        self.admission.queue().give(self.id, seconds, is_whole, Instant::now());
    }

    /// Sets how many seconds of audio the request holds.
    ///
    /// # Errors
    ///
    /// `overloaded`; `invalid_request` if an account may never hold so much.
    pub(crate) fn hold(&self, seconds: f64) -> Result<(), ErrorResponse> {
        self.hold.grow_to(seconds).map_err(|too_much| self.too_much(too_much))
    }

    fn too_much(&self, too_much: TooMuch) -> ErrorResponse {
        let retry_after = self.admission.time_until_less(&self.admission.queue(), &self.account);
        self.admission.refusal(Full::Sound(too_much), retry_after)
    }

    /// Holds the audio that the engine computes at once for a turn, until the client has its bytes.
    /// `weight` is the counted duration of one second.
    ///
    /// # Errors
    ///
    /// `overloaded`; `invalid_request` if an account may never hold so much.
    pub(crate) fn hold_piece(&self, weight: f64) -> Result<Arc<Hold>, ErrorResponse> {
        let hold = self.admission.sound.hold(&self.account, weight * OF_A_PIECE);
        hold.map(Arc::new).map_err(|too_much| self.too_much(too_much))
    }

    /// Sets how many seconds a piece holds.
    ///
    /// # Errors
    ///
    /// As [`Self::hold_piece`].
    pub(crate) fn grow(&self, piece: &Hold, seconds: f64) -> Result<(), ErrorResponse> {
        piece.grow_to(seconds).map_err(|too_much| self.too_much(too_much))
    }

    /// Counts characters of a turn before they are sent.
    ///
    /// # Errors
    ///
    /// `overloaded`, or `invalid_request` for more than the daily limit.
    pub(crate) fn count(&self, characters: usize) -> Result<(), ErrorResponse> {
        self.admission.count(&self.account, characters).map(drop)
    }

    /// Counts characters of a turn that were read and have no audio.
    ///
    /// # Errors
    ///
    /// As [`Self::count`]. The account then has no characters left today.
    pub(crate) fn spend(&self, characters: usize) -> Result<(), ErrorResponse> {
        let Some(allowance) = &self.admission.allowance else { return Ok(()) };
        let mut allowance = allowance.lock().unwrap_or_else(PoisonError::into_inner);
        allowance.spend(&self.account, characters, Timestamp::now()).map_err(exhausted)
    }

    /// Returns characters of a turn that were counted and not sent.
    pub(crate) fn give_back(&self, characters: usize) {
        if let Some(allowance) = &self.admission.allowance {
            let mut allowance = allowance.lock().unwrap_or_else(PoisonError::into_inner);
            allowance.give_back(&self.account, characters);
        }
    }

    /// Bytes that keep the request's audio held until they are dropped.
    pub(crate) fn bytes(&self, bytes: Vec<u8>) -> Bytes {
        self.hold.bytes(bytes)
    }

    /// Notes that the engine is not needed anymore. The client may still read the response.
    pub(crate) fn finish(&self) {
        self.admission.queue().finish(self.id, Instant::now());
    }

    /// The error for a request that the ledger did not take. It may know that the account has no
    /// characters left, which other replicas have used.
    pub(crate) fn unrecorded(&self, unrecorded: Unrecorded) -> ErrorResponse {
        match (&unrecorded.why, &self.admission.allowance) {
            (Refused::Exhausted(left), Some(allowance)) => {
                let mut allowance = allowance.lock().unwrap_or_else(PoisonError::into_inner);
                let today = allowance.learn(&self.account, *left, Timestamp::now());
                exhausted(today).with_request_id(unrecorded.id)
            }
            _ => unrecorded.into(),
        }
    }

    /// Returns all characters, because nothing was spoken.
    pub(crate) fn take_back(&self) {
        let counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.admission.take_back(counted);
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

    const MUCH: f64 = 1e6;

    /// With one sentence at once, of a second of sound a second, which are all measured as the first.
    fn admission(limits: Limits) -> Arc<Admission> {
        Arc::new(Admission::new(limits, Queue::new(1, 1.0), None))
    }

    fn demand(seconds: f64, held: f64) -> Demand {
        Demand { characters: 30, seconds, held, held_at_least: 0.0 }
    }

    fn refused(result: Result<Place, ErrorResponse>) -> (u16, String, String) {
        shown(result.unwrap_err())
    }

    fn shown(refusal: ErrorResponse) -> (u16, String, String) {
        let message = refusal.error.message().to_owned();
        let response = refusal.into_response();
        let retry_after = response.headers()["retry-after"].to_str().unwrap().to_owned();
        (response.status().as_u16(), retry_after, message)
    }

    #[test]
    fn nobody_is_admitted_who_would_wait_for_too_long() {
        let wait = Duration::from_secs(5);
        let limits = Limits { requests: 64, requests_per_account: None, wait, sound: MUCH };
        let admission = admission(limits);
        let accounts = ["a", "b", "c", "d"].map(|name| Account(name.into()));
        let admit = |n: usize| admission.admit(&accounts[n], demand(3.0, 1.0));
        let [first, second, third] = [0, 0, 0].map(|n| admit(n).unwrap());
        assert!(!admission.is_waiting(first.id()) && admission.is_waiting(second.id()));
        // Six seconds of its own speech wait.
        let (status, retry_after, message) = refused(admit(0));
        assert_eq!((status, &*retry_after), (429, "3"));
        assert!(message.contains("longer than 5 s"), "{message}");
        // Texts of two sentences: there is room when one is at its end.
        [&first, &second, &third].iter().for_each(|place| place.read(6.0, 2));
        assert_eq!(refused(admit(0)).1, "12");
        // Another account waits for none of it, and then for other accounts.
        let others = [1, 2].map(|n| admit(n).unwrap());
        let (status, retry_after, message) = refused(admit(3));
        assert_eq!((status, &*retry_after), (503, "3"));
        assert!(message.contains("longer than 5 s"), "{message}");
        drop(others);
        admit(3).unwrap();
    }

    #[test]
    fn an_account_cannot_hold_all_places() {
        let wait = Duration::MAX;
        let admission =
            admission(Limits { requests: 3, requests_per_account: Some(2), wait, sound: MUCH });
        let (one, two) = (Account("one".into()), Account("two".into()));
        let places = [(); 2].map(|()| admission.admit(&one, demand(5.0, 1.0)).unwrap());
        let (status, retry_after, message) = refused(admission.admit(&one, demand(5.0, 1.0)));
        assert_eq!((status, &*retry_after), (429, "5"));
        assert!(message.contains("as many requests"), "{message}");
        let _other = admission.admit(&two, demand(5.0, 1.0)).unwrap();
        assert_eq!(refused(admission.admit(&two, demand(5.0, 1.0))).0, 503);
        drop(places);
        admission.admit(&one, demand(5.0, 1.0)).unwrap();
    }

    #[test]
    fn accounts_that_take_all_they_can_leave_places_to_others() {
        let (requests, wait) = (64, Duration::MAX);
        let limits = Limits { requests, requests_per_account: None, wait, sound: MUCH };
        let admission = admission(limits);
        let mut places = Vec::new();
        let taken = ["a", "b", "c"].map(|name| {
            let account = Account(name.into());
            let before = places.len();
            places.extend(std::iter::from_fn(|| admission.admit(&account, demand(5.0, 1.0)).ok()));
            places.len() - before
        });
        assert_eq!(taken, [48, 12, 3]);
        admission.admit(&Account("d".into()), demand(5.0, 1.0)).unwrap();
    }

    #[test]
    fn an_account_cannot_hold_all_sound() {
        let sound = 1000.0;
        let wait = Duration::MAX;
        let admission = admission(Limits { requests: 9, requests_per_account: None, wait, sound });
        let (one, two) = (Account("one".into()), Account("two".into()));
        let first = admission.admit(&one, demand(5.0, 700.0)).unwrap();
        let (status, retry_after, message) = refused(admission.admit(&one, demand(5.0, 100.0)));
        assert_eq!((status, &*retry_after), (429, "5"));
        assert!(message.contains("as much sound"), "{message}");
        let second = admission.admit(&two, demand(5.0, 200.0)).unwrap();
        // A file grows while it is made.
        second.hold(220.0).unwrap();
        let (status, retry_after, _) = shown(second.hold(310.0).unwrap_err());
        assert_eq!((status, &*retry_after), (503, "10"));
        let three = Account("three".into());
        let (status, _, message) = refused(admission.admit(&three, demand(5.0, 80.0)));
        assert_eq!(status, 503);
        assert!(message.contains("too much sound"), "{message}");
        // What a client has not taken counts when the request has ended, too.
        let bytes = first.bytes(vec![0; 10]);
        drop(first);
        assert_eq!(shown(second.hold(310.0).unwrap_err()).0, 503);
        drop(bytes);
        second.hold(310.0).unwrap();
    }
}

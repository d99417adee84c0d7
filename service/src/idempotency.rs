//! `Idempotency-Key`, of draft 07 of the IETF: a repeated request is charged once.
//!
//! No audio is stored: the engine computes the same bytes again. A key belongs to an account. It is
//! kept for a day; an account has at most 10,000 keys. The record has the keys too, so a restarted
//! service knows them and charges nothing twice. It does not have the number of repetitions, which
//! only bounds computation that is not charged: it counts from a restart on, and a repetition writes
//! nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use sha2::{Digest, Sha256};
use speech_core::{ErrorKind, RequestId};

use crate::error_response::ErrorResponse;
use crate::keys::Account;
use crate::usage::{Found, Outcome};

pub(crate) const KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// How long a key is kept.
pub(crate) const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// The most keys of an account. More keys remove the oldest.
const MAX_KEYS: usize = 10_000;

/// How often a request may be repeated.
const MAX_REPEATS: u8 = 5;

/// When to retry: the first request may be recorded by then, or has failed.
pub(crate) const AGAIN: Duration = Duration::from_secs(1);

/// The longest key, in characters.
const MAX_LENGTH: usize = 255;

/// The SHA-256 of a key, or of a request.
pub(crate) type Hash = [u8; 32];

/// A request that has a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Keyed {
    /// Of the key.
    pub(crate) key: Hash,
    /// Of the request.
    pub(crate) fingerprint: Hash,
}

/// The keys that were used.
#[derive(Debug, Default)]
pub(crate) struct UsedKeys(Mutex<HashMap<Account, KeysOfAccount>>);

#[derive(Debug, Default)]
struct KeysOfAccount {
    used: HashMap<Hash, Used>,
    /// The oldest first. The list may have keys that were forgotten.
    order: VecDeque<(Timestamp, Hash)>,
}

#[derive(Debug)]
struct Used {
    fingerprint: Hash,
    id: RequestId,
    at: Timestamp,
    repeats: u8,
    /// Whether the request is recorded.
    is_recorded: bool,
    /// Whether its end is recorded, too.
    is_ended: bool,
    /// Whether the first request has not ended.
    is_first_open: bool,
    /// The number of repetitions that are being answered.
    repeating: usize,
    /// The outcome of the one request that is charged.
    charged: Option<Outcome>,
}

/// The use of a key by a request. If the first request is dropped before its end, the key is
/// forgotten.
#[derive(Debug)]
pub(crate) struct Claim {
    keys: Arc<UsedKeys>,
    account: Account,
    pub(crate) keyed: Keyed,
    /// The identifier of the first request.
    pub(crate) id: RequestId,
    /// Whether the request is a repetition.
    pub(crate) is_repeat: bool,
}

impl Claim {
    /// The request is recorded: it may be repeated from now on.
    pub(crate) fn record(&self) {
        self.of_key(|used| used.is_recorded = true);
    }

    /// The synthesis is about to begin. [`Self::end`] must follow.
    ///
    /// # Errors
    ///
    /// `overloaded` for a repetition whose first request has failed since: nobody would be charged.
    pub(crate) fn begin(&self) -> Result<(), ErrorResponse> {
        if !self.is_repeat {
            return Ok(());
        }
        let begin = |used: &mut Used| {
            used.repeating += 1;
            !used.is_ended || used.charged.is_some()
        };
        if self.of_key(begin) == Some(true) {
            return Ok(());
        }
        let message = "the first request with this Idempotency-Key has failed: send it again";
        let refusal = ErrorResponse::new(ErrorKind::Overloaded, message);
        Err(refusal.with_retry_after(AGAIN).of_the_account())
    }

    /// The request has ended. Returns the outcome to record now, if any: that of the first request,
    /// or of a repetition if only that is charged. If all of them fail, none is charged, and the
    /// key is forgotten.
    pub(crate) fn end(&self, outcome: Outcome) -> Option<Outcome> {
        let end = self.of_key(|used| used.end(self.is_repeat, outcome));
        // If the key was removed because there are too many, only the first request is recorded.
        let end = end.unwrap_or_else(|| (!self.is_repeat).then_some(outcome));
        if end.is_some_and(|end| !end.is_metered()) {
            self.forget();
        }
        end
    }

    /// Makes the key a new one again.
    pub(crate) fn forget(&self) {
        let mut accounts = self.keys.accounts();
        let Some(of_account) = accounts.get_mut(&self.account) else { return };
        if of_account.used.get(&self.keyed.key).is_some_and(|used| used.id == self.id) {
            of_account.used.remove(&self.keyed.key);
        }
    }

    /// Runs a function on the key, if it still belongs to the request.
    fn of_key<T>(&self, look: impl FnOnce(&mut Used) -> T) -> Option<T> {
        let mut accounts = self.keys.accounts();
        let used = accounts.get_mut(&self.account)?.used.get_mut(&self.keyed.key);
        used.filter(|used| used.id == self.id).map(look)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.is_repeat && self.of_key(|used| used.is_first_open) == Some(true) {
            self.forget();
        }
    }
}

impl Used {
    /// A key whose first request has just begun.
    fn new(keyed: &Keyed, id: RequestId, at: Timestamp) -> Self {
        let fingerprint = keyed.fingerprint;
        Self {
            fingerprint,
            id,
            at,
            repeats: 0,
            is_recorded: false,
            is_ended: false,
            is_first_open: true,
            repeating: 0,
            charged: None,
        }
    }

    /// A key whose first request was charged.
    fn recorded(keyed: &Keyed, id: RequestId, at: Timestamp) -> Self {
        let charged = Some(Outcome::Complete);
        let begun = Self::new(keyed, id, at);
        Self { is_recorded: true, is_ended: true, is_first_open: false, charged, ..begun }
    }

    /// A key whose first request another replica answers, or has answered.
    fn of_another(keyed: &Keyed, found: &Found) -> Self {
        let fingerprint = found.fingerprint;
        let recorded = Self::recorded(&Keyed { fingerprint, ..*keyed }, found.id, found.at);
        if found.is_final {
            return recorded;
        }
        // A repetition is charged if the first request fails.
        Self { is_ended: false, charged: None, ..recorded }
    }

    /// One of the requests with the key has ended. Returns the outcome to record now, if any.
    fn end(&mut self, is_repeat: bool, outcome: Outcome) -> Option<Outcome> {
        if is_repeat {
            self.repeating -= 1;
        } else {
            self.is_first_open = false;
        }
        if outcome.is_metered() {
            self.is_recorded = true;
            if !is_repeat || self.charged.is_none() {
                self.charged = Some(outcome);
            }
        }
        if self.is_ended || self.is_first_open {
            return None;
        }
        // While repetitions are answered, the record keeps the characters of a failed first request
        // for them.
        let end = self.charged.or((self.repeating == 0).then_some(outcome));
        self.is_ended = end.is_some();
        end
    }
}

impl Keyed {
    /// The key of a request with this body for this path, if it has one.
    ///
    /// # Errors
    ///
    /// `invalid_request` for more than one key, and for one that is empty, longer than 255 characters, or not visible ASCII.
    pub(crate) fn of(
        headers: &HeaderMap,
        path: &str,
        accept: &str,
        body: &[u8],
    ) -> Result<Option<Self>, ErrorResponse> {
        let mut values = headers.get_all(KEY).into_iter();
        let (value, None) = (values.next(), values.next()) else {
            return Err(refused("send one header Idempotency-Key"));
        };
        let Some(value) = value else { return Ok(None) };
        let text = value.to_str().unwrap_or_default();
        // A string of a structured field has quotes.
        let unquoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let key = unquoted.unwrap_or(text);
        if !(1..=MAX_LENGTH).contains(&key.len()) || !key.bytes().all(|it| it.is_ascii_graphic()) {
            let message = format!("Idempotency-Key must have 1 to {MAX_LENGTH} visible characters");
            return Err(refused(message));
        }
        let fingerprint = fingerprint(key, path, accept, body);
        let key = Sha256::digest(key).into();
        Ok(Some(Self { key, fingerprint }))
    }
}

/// Identifies a request: its path, the form of its response, and its body, whatever the order of
/// the fields. Because the key is hashed too and never recorded, nobody can test texts against the
/// record.
fn fingerprint(key: &str, path: &str, accept: &str, body: &[u8]) -> Hash {
    let canonical = serde_json::from_slice::<Value>(body).map(|value| value.to_string());
    // JSON with a number out of range, for example.
    let canonical = canonical.map_or_else(|_| body.to_vec(), String::into_bytes);
    let mut hash = Sha256::new();
    for part in [key.as_bytes(), path.as_bytes(), accept.as_bytes(), &canonical] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// The error for a repetition that cannot be answered yet.
pub(crate) fn only_begun() -> ErrorResponse {
    let message = "the request that has this Idempotency-Key has only begun: try again later";
    let refusal = ErrorResponse::new(ErrorKind::Overloaded, message);
    refusal.with_retry_after(AGAIN).of_the_account()
}

impl UsedKeys {
    /// The recorded keys: account, key, identifier of the request, and when it began.
    pub(crate) fn new(recorded: Vec<(Account, Keyed, RequestId, Timestamp)>) -> Self {
        let keys = Self::default();
        for (account, keyed, id, at) in recorded {
            let used = Used::recorded(&keyed, id, at);
            keys.accounts().entry(account).or_default().add(&keyed.key, used);
        }
        keys
    }

    /// Notes the request that has the key in a shared ledger. A recorded request that the ledger does
    /// not have any more has failed.
    pub(crate) fn learn(&self, account: &Account, keyed: &Keyed, found: Option<Found>) {
        let mut accounts = self.accounts();
        let of_account = accounts.entry(account.clone()).or_default();
        let known = of_account.used.get(&keyed.key);
        let id = found.map(|found| found.id);
        if known.is_some_and(|used| !used.is_recorded || Some(used.id) == id) {
            return;
        }
        of_account.used.remove(&keyed.key);
        if let Some(found) = found {
            of_account.add(&keyed.key, Used::of_another(keyed, &found));
        }
    }

    /// Begins a request with a key: under its own identifier if the key is new, or else as a
    /// repetition.
    ///
    /// # Errors
    ///
    /// `invalid_request` with the status 422 if the key was used for another request, or too often.
    /// `overloaded` until the first request is recorded: it may still be rejected, and then nobody
    /// would be charged for the repetition.
    pub(crate) fn begin(
        self: &Arc<Self>,
        account: &Account,
        keyed: Keyed,
        id: RequestId,
        now: Timestamp,
    ) -> Result<Claim, ErrorResponse> {
        let mut accounts = self.accounts();
        let of_account = accounts.entry(account.clone()).or_default();
        of_account.drop_old(now);
        let found = of_account.used.get_mut(&keyed.key);
        let (id, is_repeat) = match found {
            None => {
                of_account.add(&keyed.key, Used::new(&keyed, id, now));
                (id, false)
            }
            Some(used) if used.fingerprint != keyed.fingerprint => {
                return Err(unprocessable("this Idempotency-Key was used for another request"));
            }
            Some(Used { is_recorded: false, .. }) => {
                return Err(only_begun());
            }
            Some(Used { repeats: MAX_REPEATS.., .. }) => {
                let message = format!("a request may be sent again {MAX_REPEATS} times");
                return Err(unprocessable(message));
            }
            Some(used) => {
                used.repeats += 1;
                (used.id, true)
            }
        };
        let (keys, account) = (Arc::clone(self), account.clone());
        Ok(Claim { keys, account, keyed, id, is_repeat })
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<Account, KeysOfAccount>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeysOfAccount {
    fn add(&mut self, key: &Hash, used: Used) {
        if self.order.len() >= MAX_KEYS {
            self.drop_first();
        }
        self.order.push_back((used.at, *key));
        self.used.insert(*key, used);
    }

    fn drop_old(&mut self, now: Timestamp) {
        while self.order.front().is_some_and(|(at, _)| now.duration_since(*at) > KEPT) {
            self.drop_first();
        }
    }

    fn drop_first(&mut self) {
        let Some((at, key)) = self.order.pop_front() else { return };
        // The key may have been used again since.
        if self.used.get(&key).is_some_and(|used| used.at == at) {
            self.used.remove(&key);
        }
    }
}

fn refused(message: impl Into<String>) -> ErrorResponse {
    ErrorResponse::new(ErrorKind::InvalidRequest, message)
}

fn unprocessable(message: impl Into<String>) -> ErrorResponse {
    refused(message).unprocessable()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        let value = |value: &&str| (KEY, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        values.iter().map(value).collect()
    }

    fn keyed(key: &str, body: &str) -> Keyed {
        Keyed::of(&headers(&[key]), "/", "", body.as_bytes()).unwrap().unwrap()
    }

    fn account(name: &str) -> Account {
        Account(name.into())
    }

    #[test]
    fn keys_are_visible_characters_with_or_without_quotes() {
        assert_eq!(Keyed::of(&HeaderMap::new(), "/", "", b"{}").unwrap(), None);
        assert_eq!(keyed("\"a-1\"", "{}"), keyed("a-1", "{}"));
        assert_ne!(keyed("a-1", "{}").key, keyed("a-2", "{}").key);
        let long = "k".repeat(256);
        keyed(&long[1..], "{}");
        for values in [&[""][..], &["\"\""], &[&long], &["a b"], &["é"], &["a", "a"]] {
            let refused = Keyed::of(&headers(values), "/", "", b"{}").unwrap_err();
            assert_eq!(refused.error.kind(), ErrorKind::InvalidRequest, "{values:?}");
        }
    }

    #[test]
    fn a_request_is_what_it_asks_for() {
        let one = fingerprint("k", "/v1/speech", "wav", br#"{"text": "a", "rate": 1.5}"#);
        assert_eq!(fingerprint("k", "/v1/speech", "wav", br#"{"rate":1.5,  "text":"a"}"#), one);
        for (path, accept, body) in [
            ("/v1/audio/speech", "wav", &br#"{"text": "a", "rate": 1.5}"#[..]),
            ("/v1/speech", "lines", br#"{"text": "a", "rate": 1.5}"#),
            ("/v1/speech", "wav", br#"{"text": "b", "rate": 1.5}"#),
            ("/v1/speech", "wav", br#"{"text": "a"}"#),
            ("/v1/speech", "wav", br#"{"text": "a", "rate": 1.5, "x": 1e999}"#),
        ] {
            assert_ne!(fingerprint("k", path, accept, body), one);
        }
        // The record does not show which texts are equal.
        assert_ne!(keyed("k-1", "{}").fingerprint, keyed("k-2", "{}").fingerprint);
    }

    #[test]
    fn a_request_may_be_sent_again_five_times() {
        let keys = Arc::new(UsedKeys::default());
        let (id, now) = (RequestId::new(), Timestamp::now());
        let begin =
            |of: &str, body, now| keys.begin(&account(of), keyed("k", body), RequestId::new(), now);
        let first = keys.begin(&account("a"), keyed("k", "1"), id, now).unwrap();
        assert!((first.id, first.is_repeat) == (id, false));
        assert_eq!(first.end(Outcome::Complete), Some(Outcome::Complete));
        drop(first);
        for _ in 0..MAX_REPEATS {
            let again = begin("a", "1", now).unwrap();
            assert!((again.id, again.is_repeat) == (id, true));
        }
        assert!(begin("a", "1", now).unwrap_err().error.message().contains("again 5 times"));
        assert!(begin("a", "2", now).unwrap_err().error.message().contains("another request"));
        assert!(!begin("b", "2", now).unwrap().is_repeat, "another account");
        let next_day = now + KEPT + SignedDuration::from_secs(1);
        assert!(!begin("a", "2", next_day).unwrap().is_repeat);
    }

    #[test]
    fn a_request_that_is_not_charged_leaves_no_key() {
        let keys = Arc::new(UsedKeys::default());
        let begin = |body| {
            keys.begin(&account("a"), keyed("k", body), RequestId::new(), Timestamp::now()).unwrap()
        };
        let first = begin("1");
        // Of two concurrent requests, one might be rejected and the other not charged.
        let again = keys.begin(&account("a"), keyed("k", "1"), RequestId::new(), Timestamp::now());
        let refusal = again.unwrap_err();
        assert_eq!(refusal.error.kind(), ErrorKind::Overloaded);
        assert_eq!(refusal.seconds_until_retry(), Some(1));
        // A repetition is answered while the first request runs.
        first.record();
        let again = begin("1");
        assert!(again.is_repeat);
        // The repetition has not begun when the first request fails.
        let failed = Outcome::Failed(ErrorKind::Internal);
        assert_eq!(first.end(failed), Some(failed));
        assert_eq!(again.begin().unwrap_err().seconds_until_retry(), Some(1));
        assert!(!begin("2").is_repeat);
        // It does not count as a repetition of a later first request, either.
        let _anew = begin("1");
        assert!(again.begin().is_err());
    }

    /// In every order the record has one end, which is charged if one of the requests is.
    #[test]
    fn a_key_is_charged_once_in_whatever_order_its_requests_end() {
        const FAILED: Outcome = Outcome::Failed(ErrorKind::ModelError);
        const COMPLETE: Outcome = Outcome::Complete;
        const LEFT: Outcome = Outcome::Disconnected;
        type End = (usize, Outcome, Option<Outcome>);
        // Request 0 is the first. Each row has the requests that end, their outcomes, and what is
        // recorded.
        let rows: [[End; 3]; 9] = [
            [(0, COMPLETE, Some(COMPLETE)), (1, COMPLETE, None), (2, FAILED, None)],
            [(0, LEFT, Some(LEFT)), (1, FAILED, None), (2, COMPLETE, None)],
            [(0, FAILED, None), (1, COMPLETE, Some(COMPLETE)), (2, COMPLETE, None)],
            [(0, FAILED, None), (1, FAILED, None), (2, LEFT, Some(LEFT))],
            [(0, FAILED, None), (1, FAILED, None), (2, FAILED, Some(FAILED))],
            [(1, COMPLETE, None), (0, FAILED, Some(COMPLETE)), (2, FAILED, None)],
            [(1, COMPLETE, None), (2, COMPLETE, None), (0, LEFT, Some(LEFT))],
            [(1, FAILED, None), (0, FAILED, None), (2, COMPLETE, Some(COMPLETE))],
            [(1, FAILED, None), (2, FAILED, None), (0, FAILED, Some(FAILED))],
        ];
        for row in rows {
            let keys = Arc::new(UsedKeys::default());
            let begin = || {
                let (id, now) = (RequestId::new(), Timestamp::now());
                keys.begin(&account("a"), keyed("k", "1"), id, now).unwrap()
            };
            let first = begin();
            first.record();
            let claims = [first, begin(), begin()];
            claims.iter().for_each(|claim| claim.begin().unwrap());
            for (number, outcome, recorded) in row {
                assert_eq!(claims[number].end(outcome), recorded, "{row:?}: {number}");
            }
            drop(claims);
            let is_charged = row.iter().any(|(_, outcome, _)| outcome.is_metered());
            assert_eq!(begin().is_repeat, is_charged, "{row:?}");
        }
    }

    #[test]
    fn the_number_of_keys_is_bounded_and_those_of_the_record_are_known() {
        let now = Timestamp::now();
        let recorded = |n: usize| (account("a"), keyed(&n.to_string(), ""), RequestId::new(), now);
        let keys = Arc::new(UsedKeys::new((0..MAX_KEYS + 5).map(recorded).collect()));
        let is_repeat = |n: usize| {
            let keyed = keyed(&n.to_string(), "");
            keys.begin(&account("a"), keyed, RequestId::new(), now).unwrap().is_repeat
        };
        assert!(is_repeat(5) && is_repeat(MAX_KEYS + 4) && !is_repeat(4));
        for n in 0..3 * MAX_KEYS {
            is_repeat(n + 2 * MAX_KEYS);
        }
        let accounts = keys.accounts();
        assert!(accounts[&account("a")].order.len() <= MAX_KEYS);
    }
}

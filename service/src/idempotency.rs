//! `Idempotency-Key`, of draft 07 of the IETF: a request that is sent again is charged once.
//!
//! No sound is stored: it is computed again, and the engine gives the same bytes. Keys are those of an account, and are kept for a
//! day, at most 10,000 for each account. The record has them too, so that another process of the service knows them.

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

pub(crate) const KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// For so long a key is known.
pub(crate) const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// The most keys of an account: older ones are forgotten before their time.
const MAX_KEYS: usize = 10_000;

/// How often a request may be sent again.
const MAX_REPEATS: u8 = 5;

/// After so long a request that has begun may be in the record.
const BEGINS: Duration = Duration::from_secs(1);

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
    /// The oldest first. One that was forgotten may be among them.
    order: VecDeque<(Timestamp, Hash)>,
}

#[derive(Debug)]
struct Used {
    fingerprint: Hash,
    id: RequestId,
    at: Timestamp,
    repeats: u8,
    /// Whether the record has the request.
    is_recorded: bool,
}

/// The use of a key by a request. Unless it is charged, the key is forgotten when this is dropped.
#[derive(Debug)]
pub(crate) struct Claim {
    keys: Arc<UsedKeys>,
    account: Account,
    pub(crate) keyed: Keyed,
    /// The identifier of the request that was sent first.
    pub(crate) id: RequestId,
    /// Whether it was sent before.
    pub(crate) is_repeat: bool,
    is_charged: bool,
}

impl Claim {
    /// The record has the request: from now on it may be sent again.
    pub(crate) fn record(&self) {
        self.keys.record(&self.account, &self.keyed.key, self.id);
    }

    /// The request is charged: from now on its key is kept.
    pub(crate) fn charge(&mut self) {
        self.record();
        self.is_charged = true;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.is_repeat && !self.is_charged {
            self.keys.forget(&self.account, &self.keyed.key, self.id);
        }
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
        // As a structured field a string has quotes.
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

/// What makes a request another one: where it goes, what is wanted, and its body, whatever the order of its fields. Without the key, which
/// is not recorded, nobody can try texts against it.
fn fingerprint(key: &str, path: &str, accept: &str, body: &[u8]) -> Hash {
    let canonical = serde_json::from_slice::<Value>(body).map(|value| value.to_string());
    // A number that no computer has, say.
    let canonical = canonical.map_or_else(|_| body.to_vec(), String::into_bytes);
    let mut hash = Sha256::new();
    for part in [key.as_bytes(), path.as_bytes(), accept.as_bytes(), &canonical] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

impl UsedKeys {
    /// Those that the record has: account, key, identifier of the request, and when it began.
    pub(crate) fn new(recorded: Vec<(Account, Keyed, RequestId, Timestamp)>) -> Self {
        let keys = Self::default();
        for (account, keyed, id, at) in recorded {
            keys.accounts().entry(account).or_default().add(&keyed, id, at, true);
        }
        keys
    }

    /// Begins a request with a key: as a new one under its own identifier, or as one that was sent before.
    ///
    /// # Errors
    ///
    /// `invalid_request` with the status 422 if the key was used for another request, or for this one too often. `overloaded` until the
    /// record has the first one: it may still be refused, and then nobody would be charged for this one.
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
                of_account.add(&keyed, id, now, false);
                (id, false)
            }
            Some(used) if used.fingerprint != keyed.fingerprint => {
                return Err(unprocessable("this Idempotency-Key was used for another request"));
            }
            Some(Used { is_recorded: false, .. }) => {
                let message =
                    "the request that has this Idempotency-Key has only begun: try again later";
                let refusal = ErrorResponse::new(ErrorKind::Overloaded, message);
                return Err(refusal.with_retry_after(BEGINS).of_the_account());
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
        Ok(Claim { keys, account, keyed, id, is_repeat, is_charged: false })
    }

    fn record(&self, account: &Account, key: &Hash, id: RequestId) {
        let mut accounts = self.accounts();
        let used = accounts.get_mut(account).and_then(|it| it.used.get_mut(key));
        if let Some(used) = used.filter(|used| used.id == id) {
            used.is_recorded = true;
        }
    }

    fn forget(&self, account: &Account, key: &Hash, id: RequestId) {
        let mut accounts = self.accounts();
        let Some(of_account) = accounts.get_mut(account) else { return };
        if of_account.used.get(key).is_some_and(|used| used.id == id) {
            of_account.used.remove(key);
        }
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<Account, KeysOfAccount>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeysOfAccount {
    fn add(&mut self, keyed: &Keyed, id: RequestId, at: Timestamp, is_recorded: bool) {
        if self.order.len() >= MAX_KEYS {
            self.drop_first();
        }
        self.order.push_back((at, keyed.key));
        let used = Used { fingerprint: keyed.fingerprint, id, at, repeats: 0, is_recorded };
        self.used.insert(keyed.key, used);
    }

    fn drop_old(&mut self, now: Timestamp) {
        while self.order.front().is_some_and(|(at, _)| now.duration_since(*at) > KEPT) {
            self.drop_first();
        }
    }

    fn drop_first(&mut self) {
        let Some((at, key)) = self.order.pop_front() else { return };
        // It may have been used anew since.
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
        // The record does not show whose texts are the same.
        assert_ne!(keyed("k-1", "{}").fingerprint, keyed("k-2", "{}").fingerprint);
    }

    #[test]
    fn a_request_may_be_sent_again_five_times() {
        let keys = Arc::new(UsedKeys::default());
        let (id, now) = (RequestId::new(), Timestamp::now());
        let begin =
            |of: &str, body, now| keys.begin(&account(of), keyed("k", body), RequestId::new(), now);
        let mut first = keys.begin(&account("a"), keyed("k", "1"), id, now).unwrap();
        assert!((first.id, first.is_repeat) == (id, false));
        first.charge();
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
        // Of two that are sent at once, one might be refused and the other one not charged.
        let again = keys.begin(&account("a"), keyed("k", "1"), RequestId::new(), Timestamp::now());
        let refusal = again.unwrap_err();
        assert_eq!(refusal.error.kind(), ErrorKind::Overloaded);
        assert_eq!(refusal.seconds_until_retry(), Some(1));
        // While it is spoken, it is answered again.
        first.record();
        assert!(begin("1").is_repeat);
        drop(first);
        assert!(!begin("2").is_repeat);
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

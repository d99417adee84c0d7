//! Request identifiers.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use uuid::{Builder, Uuid};

use crate::fork::PerProcess;
use crate::system;

/// The identifier of one request: a UUID version 7 (RFC 9562), so that identifiers sort by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(Uuid);

impl RequestId {
    /// A new identifier.
    #[expect(clippy::new_without_default, reason = "a default that differs each time misleads")]
    pub fn new() -> Self {
        static SEQUENCE: PerProcess<Mutex<Sequence>> = PerProcess::new(Mutex::default);
        // Every error has an identifier, so this must not fail where the system has no clock or no
        // random numbers (a sandbox may forbid them). `Uuid::now_v7` does.
        let mut sequence = SEQUENCE.get().lock().unwrap_or_else(PoisonError::into_inner);
        sequence.advance(system::unix_millis(), random);
        Self(sequence.id())
    }

    /// Parses an identifier.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a UUID.
    pub fn parse(text: &str) -> Result<Self, uuid::Error> {
        Uuid::parse_str(text).map(Self)
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// The state of a process's identifiers: random in each new millisecond, then counted up (RFC 9562,
/// section 6.2, method 1).
#[derive(Default)]
struct Sequence {
    millis: u64,
    /// 12 bits.
    random: u16,
    /// 62 bits.
    count: u64,
}

impl Sequence {
    /// Advances to the next identifier. It stays in the same millisecond if `now` is not later.
    fn advance(&mut self, now: Option<u64>, random: impl FnOnce() -> u128) {
        match now.filter(|now| *now > self.millis) {
            // The counter has headroom above any random start value.
            None if self.count != 0 => self.count += 1,
            now => {
                let random = random();
                self.millis = now.unwrap_or(self.millis);
                self.random = (random >> 64) as u16 & 0xfff;
                self.count = random as u64 >> 3 | 1;
            }
        }
    }

    fn id(&self) -> Uuid {
        let mut bytes = [0; 10];
        bytes[..2].copy_from_slice(&self.random.to_be_bytes());
        bytes[2..].copy_from_slice(&self.count.to_be_bytes());
        Builder::from_unix_timestamp_millis(self.millis, &bytes).into_uuid()
    }
}

/// Random numbers from the system, or else values that differ between processes. Identifiers are
/// not secrets.
fn random() -> u128 {
    let mut bytes = [0; 16];
    if getrandom::fill(&mut bytes).is_ok() {
        return u128::from_ne_bytes(bytes);
    }
    let [high, low] = [0_u8, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        // The stack address differs between processes too.
        (half, std::process::id(), system::unix_millis(), (&raw const bytes).addr())
            .hash(&mut hasher);
        hasher.finish()
    });
    u128::from(high) << 64 | u128::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_ids_are_version_7_distinct_and_ordered() {
        let ids: Vec<_> = (0..1000).map(|_| RequestId::new()).collect();
        assert!(ids.iter().all(|id| id.0.get_version_num() == 7));
        assert!(ids.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn request_ids_count_on_when_no_time_passes_or_is_told() {
        let mut sequence = Sequence { millis: 0, random: 0, count: 0 };
        let mut ids = Vec::new();
        // No time yet, the same time, an earlier one, none at all, and a later one.
        for now in [None, Some(5), Some(5), Some(4), None, Some(6)] {
            sequence.advance(now, || u128::MAX);
            ids.push(sequence.id());
        }
        assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
        let is_v7 =
            |id: &Uuid| id.get_version_num() == 7 && id.get_variant() == uuid::Variant::RFC4122;
        assert!(ids.iter().all(is_v7), "{ids:?}");
        assert_ne!(random(), random());
    }

    #[test]
    fn a_request_id_reads_back() {
        let id = RequestId::new();
        assert_eq!(id.to_string().parse::<RequestId>().unwrap(), id);
        assert_eq!(
            "nonsense".parse::<RequestId>().unwrap_err().kind(),
            crate::ErrorKind::InvalidRequest
        );
    }
}

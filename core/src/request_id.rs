//! What is counted and named: characters and request identifiers.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

/// The identifier of one request: a UUID of version 7 (RFC 9562), so that identifiers sort by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(Uuid);

impl RequestId {
    /// A new identifier.
    #[expect(clippy::new_without_default, reason = "a default that differs each time misleads")]
    pub fn new() -> Self {
        Self(Uuid::now_v7())
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl FromStr for RequestId {
    type Err = crate::Error;

    /// Reads an identifier back from its text; `invalid_request` if it is not a UUID.
    fn from_str(text: &str) -> crate::Result<Self> {
        Uuid::parse_str(text)
            .map(Self)
            .map_err(|e| crate::Error::invalid_request("not a request identifier").with_source(e))
    }
}

/// The number of characters of a text: Unicode scalar values, as the text was sent.
///
/// The length limit and the metered quantity are this same count.
///
/// ```
/// use speech_core::count_characters;
///
/// assert_eq!(count_characters("naïve"), 5);
/// assert_eq!(count_characters("हिन्दी"), 6);
/// ```
pub fn count_characters(text: &str) -> usize {
    text.chars().count()
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
    fn a_request_id_reads_back() {
        let id = RequestId::new();
        assert_eq!(id.to_string().parse::<RequestId>().unwrap(), id);
        assert_eq!(
            "nonsense".parse::<RequestId>().unwrap_err().kind(),
            crate::ErrorKind::InvalidRequest
        );
    }
}

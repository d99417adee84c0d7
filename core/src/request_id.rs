//! Request identifiers.

use std::fmt;

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

    pub(crate) fn parse(text: &str) -> Result<Self, uuid::Error> {
        Uuid::parse_str(text).map(Self)
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
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

//! Files of bundles that are verified and in use: another engine of the process shares them, and does not verify them again.
//!
//! A file is known by its identity in the file system, which changes with whatever is written to it. One that was replaced or
//! changed is another, and is verified anew.

use std::sync::{Mutex, PoisonError};

use super::source::{Blob, WeakBlob};
use crate::system::FileIdentity;

struct Verified {
    identity: FileIdentity,
    sha256: String,
    /// None of it is in memory any more when no engine uses it.
    bytes: WeakBlob,
}

static VERIFIED: Mutex<Vec<Verified>> = Mutex::new(Vec::new());

/// The bytes of a file, if they are in use and have this SHA-256.
pub(super) fn find(identity: FileIdentity, sha256: &str) -> Option<Blob> {
    let verified = VERIFIED.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |one: &&Verified| one.identity == identity && one.sha256 == sha256;
    verified.iter().find(same)?.bytes.upgrade()
}

/// Lets [`find`] find bytes for as long as they are in use.
pub(super) fn remember(identity: FileIdentity, sha256: &str, bytes: &Blob) {
    let mut verified = VERIFIED.lock().unwrap_or_else(PoisonError::into_inner);
    verified.retain(|one| one.identity != identity && one.bytes.upgrade().is_some());
    verified.push(Verified { identity, sha256: sha256.to_owned(), bytes: bytes.downgrade() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::file_identity;

    #[test]
    fn bytes_are_shared_while_they_are_in_use_and_the_file_is_what_it_was() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "first").unwrap();
        let identity = file_identity(file.as_file()).unwrap();
        let blob = Blob::of(b"first".to_vec());
        remember(identity, "hash", &blob);
        assert_eq!(find(identity, "hash").unwrap().as_ptr(), blob.as_ptr());
        assert!(find(identity, "other hash").is_none());
        // The clock of a file system has steps of some milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::fs::write(file.path(), "other").unwrap();
        assert!(find(file_identity(file.as_file()).unwrap(), "hash").is_none());
        drop(blob);
        assert!(find(identity, "hash").is_none());
    }
}

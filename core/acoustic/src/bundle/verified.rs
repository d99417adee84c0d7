//! Verified bundle files in use. Engines of one process share them, and do not verify them again.
//!
//! A file is recognized by its identity in the file system, which every write to it changes. A
//! replaced or changed file is verified again.

use std::sync::{Mutex, PoisonError};

use speech_base::fork::PerProcess;
use speech_base::system::FileIdentity;

use super::source::{Blob, WeakBlob};

struct Verified {
    identity: FileIdentity,
    sha256: String,
    /// Weak: the bytes are freed with the last engine that uses them.
    bytes: WeakBlob,
}

static VERIFIED: PerProcess<Mutex<Vec<Verified>>> = PerProcess::new(Mutex::default);

/// The bytes of a file or of a range of one, if they are in use, have this SHA-256, and are not
/// mapped unless `may_map` is true.
pub(super) fn find(identity: FileIdentity, sha256: &str, may_map: bool) -> Option<Blob> {
    let verified = VERIFIED.get().lock().unwrap_or_else(PoisonError::into_inner);
    let fits = |one: &&Verified| {
        one.identity == identity && one.sha256 == sha256 && (may_map || !one.bytes.is_mapped)
    };
    verified.iter().filter(fits).find_map(|one| one.bytes.upgrade())
}

/// Makes [`find`] return these bytes for as long as they are in use.
pub(super) fn remember(identity: FileIdentity, sha256: &str, bytes: &Blob) {
    let mut verified = VERIFIED.get().lock().unwrap_or_else(PoisonError::into_inner);
    verified.retain(|one| one.bytes.upgrade().is_some());
    verified.push(Verified { identity, sha256: sha256.to_owned(), bytes: bytes.downgrade() });
}

#[cfg(test)]
mod tests {
    use speech_base::system::file_identity;

    use super::*;

    #[test]
    fn bytes_are_shared_while_they_are_in_use_and_the_file_is_what_it_was() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "first").unwrap();
        let identity = file_identity(file.as_file()).unwrap();
        let blob = Blob::of(b"first".to_vec());
        remember(identity, "hash", &blob);
        assert_eq!(find(identity, "hash", false).unwrap().as_ptr(), blob.as_ptr());
        assert!(find(identity, "other hash", true).is_none());
        std::fs::write(file.path(), "other").unwrap();
        // File-system timestamps advance in steps of some milliseconds; this one differs in any
        // case.
        file.as_file().set_modified(std::time::UNIX_EPOCH).unwrap();
        assert!(find(file_identity(file.as_file()).unwrap(), "hash", false).is_none());
        drop(blob);
        assert!(find(identity, "hash", false).is_none());
    }
}

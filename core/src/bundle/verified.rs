//! Files of bundles that are verified and in use: another engine of the process shares them, and does not verify them again.
//!
//! A file is known by its identity in the file system, which changes with whatever is written to it: its device and inode, its
//! size, and the times of the last changes of its content and of its inode. One that was replaced or changed is another, and is
//! verified anew.

use std::fs::File;
use std::sync::{Mutex, PoisonError};

use super::source::{Blob, WeakBlob};

/// What a file is known by. Only Unix has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity([i64; 7]);

struct Verified {
    identity: Identity,
    sha256: String,
    /// None of it is in memory any more when no engine uses it.
    bytes: WeakBlob,
}

static VERIFIED: Mutex<Vec<Verified>> = Mutex::new(Vec::new());

impl Identity {
    #[cfg(unix)]
    pub(super) fn of(file: &File) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let of = file.metadata().ok()?;
        let (device, inode, size) =
            (of.dev().cast_signed(), of.ino().cast_signed(), of.size().cast_signed());
        Some(Self([device, inode, size, of.mtime(), of.mtime_nsec(), of.ctime(), of.ctime_nsec()]))
    }

    #[cfg(not(unix))]
    pub(super) fn of(_file: &File) -> Option<Self> {
        None
    }
}

/// The bytes of a file, if they are in use and have this SHA-256.
pub(super) fn find(identity: Identity, sha256: &str) -> Option<Blob> {
    let verified = VERIFIED.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |one: &&Verified| one.identity == identity && one.sha256 == sha256;
    verified.iter().find(same)?.bytes.upgrade()
}

/// Lets [`find`] find bytes for as long as they are in use.
pub(super) fn remember(identity: Identity, sha256: &str, bytes: &Blob) {
    let mut verified = VERIFIED.lock().unwrap_or_else(PoisonError::into_inner);
    verified.retain(|one| one.identity != identity && one.bytes.upgrade().is_some());
    verified.push(Verified { identity, sha256: sha256.to_owned(), bytes: bytes.downgrade() });
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shared_while_they_are_in_use_and_the_file_is_what_it_was() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "first").unwrap();
        let identity = Identity::of(file.as_file()).unwrap();
        let blob = Blob::of(b"first".to_vec());
        remember(identity, "hash", &blob);
        assert_eq!(find(identity, "hash").unwrap().as_ptr(), blob.as_ptr());
        assert!(find(identity, "other hash").is_none());
        // The clock of a file system has steps of some milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::fs::write(file.path(), "other").unwrap();
        assert!(find(Identity::of(file.as_file()).unwrap(), "hash").is_none());
        drop(blob);
        assert!(find(identity, "hash").is_none());
    }
}

//! Files that the caller has open.

use std::fs::File;

use speech_core::{Error, ErrorKind, Result};

/// Duplicates the caller's file descriptor into a file; the caller keeps its own.
///
/// # Errors
///
/// `invalid_request` if the number is not an open descriptor, or on systems without descriptors.
pub fn duplicate(descriptor: i32) -> Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::FromRawFd;

        // SAFETY: the system accepts any number, and rejects one that is not an open descriptor.
        let copy = unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 3) };
        if copy == -1 {
            return Err(invalid(format!("{descriptor} is not an open file descriptor")));
        }
        // SAFETY: the system has just opened the descriptor, so nothing else owns it.
        Ok(unsafe { File::from_raw_fd(copy) })
    }
    #[cfg(not(unix))]
    Err(invalid(format!(
        "{descriptor}: this system has no file descriptors, give the path of the bundle"
    )))
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidRequest, message)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn a_copy_outlives_what_the_caller_closes() {
        let file = File::open(env!("CARGO_MANIFEST_PATH")).unwrap();
        let copy = duplicate(file.as_raw_fd()).unwrap();
        assert_ne!(copy.as_raw_fd(), file.as_raw_fd());
        drop(file);
        assert!(std::io::read_to_string(copy).unwrap().contains("speech-bindings"));
        for number in [-1, i32::MIN, i32::MAX] {
            let error = duplicate(number).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidRequest);
            assert_eq!(error.message(), format!("{number} is not an open file descriptor"));
        }
    }
}

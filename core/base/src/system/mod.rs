//! Operating-system functions missing from std, one module per platform.

mod memory;
#[cfg(not(any(unix, windows)))]
mod other;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::path::PathBuf;

#[cfg(not(any(unix, windows)))]
use self::other as answers;
#[cfg(unix)]
use self::unix as answers;
#[cfg(windows)]
use self::windows as answers;

pub use self::answers::{file_identity, forks, read_at, stay_loaded, this_library, unix_millis};
pub use self::memory::Memory;

/// Identifies a file and its content: device and file number, size, and the times of the last
/// content and metadata changes. Every write to the file changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileIdentity([i64; 7]);

/// The user's cache directory.
pub fn cache_directory() -> Option<PathBuf> {
    if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_vendor = "apple") {
        variable("HOME").map(|home| home.join("Library").join("Caches"))
    } else {
        // The XDG specification: relative paths are ignored.
        let xdg = variable("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
        xdg.or_else(|| variable("HOME").map(|home| home.join(".cache")))
    }
}

/// The path in an environment variable, if it is set and not empty.
pub fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn a_file_that_is_written_to_is_another() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"first").unwrap();
        let identity = file_identity(file.as_file()).unwrap();
        assert_eq!(file_identity(file.as_file()), Some(identity));
        assert_eq!(file_identity(&file.reopen().unwrap()), Some(identity));
        let other = tempfile::NamedTempFile::new().unwrap();
        assert_ne!(file_identity(other.as_file()), Some(identity));
        std::fs::write(file.path(), "other").unwrap();
        // File-system timestamps advance in steps of some milliseconds; this one differs in any
        // case.
        file.as_file().set_modified(UNIX_EPOCH).unwrap();
        assert_ne!(file_identity(file.as_file()), Some(identity));
    }

    #[test]
    fn the_tests_are_in_a_file() {
        let name = this_library().unwrap();
        assert_eq!(
            name.canonicalize().unwrap(),
            std::env::current_exe().unwrap().canonicalize().unwrap()
        );
    }

    #[test]
    fn the_time_is_that_of_the_standard_library() {
        let now = || UNIX_EPOCH.elapsed().unwrap().as_millis();
        let before = now();
        let told = u128::from(unix_millis().unwrap());
        let after = now();
        assert!((before..=after).contains(&told), "{before} {told} {after}");
    }
}

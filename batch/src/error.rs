//! The errors that prevent or end a job.

use std::fmt;
use std::io;
use std::path::Path;

/// A [`Result`](std::result::Result) of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An error that prevents or ends a job. A row that cannot be spoken is not an error: the folder
/// records it, and the job continues.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The table or the folder is invalid: running again cannot help.
    Refused(String),
    /// Reading or writing failed: running again may help.
    Io {
        /// The path that was read or written.
        what: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Synthesis failed for a reason other than the row: running again may help.
    Speech(speech_core::Error),
}

impl Error {
    /// Returns a function that converts an I/O error on a path.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let what = path.display().to_string();
        |source| Self::Io { what, source }
    }
}

/// Converts to the library's error kinds: `Refused` to `invalid_request`, and a failure of the
/// system to `internal`.
impl From<Error> for speech_core::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(message) => Self::invalid_request(message),
            Error::Io { .. } => Self::internal(error.to_string()).with_source(error),
            Error::Speech(error) => error,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(message) => f.write_str(message),
            Self::Io { what, source } => write!(f, "{what}: {source}"),
            Self::Speech(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(_) => None,
            Self::Io { source, .. } => Some(source),
            Self::Speech(error) => Some(error),
        }
    }
}

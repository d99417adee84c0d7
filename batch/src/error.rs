//! Why a job cannot begin or go on.

use std::fmt;
use std::io;
use std::path::Path;

/// A [`Result`](std::result::Result) of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a job cannot begin or go on. The fault of a row is no error: it is kept in the folder, and the job goes on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The table or the folder is not what it must be: running again cannot help.
    Refused(String),
    /// Reading or writing failed: running again may help.
    Io {
        /// What was read or written.
        what: String,
        /// What the system said.
        source: io::Error,
    },
    /// Synthesis failed in a way that is not the fault of a row: running again may help.
    Speech(speech_core::Error),
}

impl Error {
    /// The error of reading or writing a path.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let what = path.display().to_string();
        |source| Self::Io { what, source }
    }
}

/// In the taxonomy of the library: what is refused is `invalid_request`, and a failure of the system `internal`.
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

//! Systems without files, shared libraries or perhaps a clock, such as WebAssembly without WASI.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use super::FileIdentity;

/// Always none: there are no shared libraries.
pub fn this_library() -> Option<PathBuf> {
    None
}

/// Reads bytes of a file from an offset; at least one, except at the end of the file. No other
/// thread can read the file at the same time.
pub fn read_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(offset))?;
    file.read(buffer)
}

/// Always 0: there is no `fork`.
pub fn forks() -> usize {
    0
}

/// Does nothing: libraries are never unloaded.
pub fn stay_loaded() {}

/// Always none: there are no files.
pub fn file_identity(_file: &File) -> Option<FileIdentity> {
    None
}

/// Milliseconds since 1970, if there is a clock.
pub fn unix_millis() -> Option<u64> {
    // std's clock panics on this target.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return None;
    }
    let time = std::time::UNIX_EPOCH.elapsed().ok()?;
    u64::try_from(time.as_millis()).ok()
}

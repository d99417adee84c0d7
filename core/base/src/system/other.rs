//! Systems with no files, no libraries and perhaps no clock, such as WebAssembly without WASI.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use super::FileIdentity;

/// There is none.
pub fn this_library() -> Option<PathBuf> {
    None
}

/// Reads bytes of a file from an offset, at least one unless its end is there. There are no other threads that read it.
pub fn read_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(offset))?;
    file.read(buffer)
}

/// There is no `fork`.
pub fn forks() -> usize {
    0
}

/// Nothing is unloaded.
pub fn stay_loaded() {}

/// There are no files.
pub fn file_identity(_file: &File) -> Option<FileIdentity> {
    None
}

/// Milliseconds since 1970, if there is a clock.
pub fn unix_millis() -> Option<u64> {
    // The clock of the standard library panics there.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return None;
    }
    let time = std::time::UNIX_EPOCH.elapsed().ok()?;
    u64::try_from(time.as_millis()).ok()
}

//! Linux, Android, macOS, iOS and their like.

use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::FileIdentity;

/// The shared library that this code is in; the program, if it is linked statically.
pub(crate) fn this_library() -> Option<PathBuf> {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the address is that of a function, and `info` has room for the answer.
    let found = unsafe { libc::dladdr(this_library as *const libc::c_void, info.as_mut_ptr()) };
    // SAFETY: all zeros are a valid value, and `dladdr` leaves one.
    let name = unsafe { info.assume_init() }.dli_fname;
    if found == 0 || name.is_null() {
        return None;
    }
    // SAFETY: the name belongs to the loaded library, which is still loaded while its code runs.
    let name = unsafe { CStr::from_ptr(name) };
    Some(OsStr::from_bytes(name.to_bytes()).into())
}

/// Keeps the library in memory when a program closes it, for its threads run in it. Here a flag of the linker does (`ffi/build.rs`).
pub(crate) fn stay_loaded() {}

pub(crate) fn file_identity(file: &File) -> Option<FileIdentity> {
    let of = file.metadata().ok()?;
    let (device, inode, size) =
        (of.dev().cast_signed(), of.ino().cast_signed(), of.size().cast_signed());
    let times = [of.mtime(), of.mtime_nsec(), of.ctime(), of.ctime_nsec()];
    let [mtime, mtime_nanos, ctime, ctime_nanos] = times;
    Some(FileIdentity([device, inode, size, mtime, mtime_nanos, ctime, ctime_nanos]))
}

/// Milliseconds since 1970, if the system tells them: a sandbox may forbid it.
pub(crate) fn unix_millis() -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is valid. The standard library's clock panics where this fails.
    let told = unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &raw mut time) } == 0;
    let [seconds, nanos] = [u64::try_from(time.tv_sec).ok()?, u64::try_from(time.tv_nsec).ok()?];
    told.then_some(seconds * 1000 + nanos / 1_000_000)
}

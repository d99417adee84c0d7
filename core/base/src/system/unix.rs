//! Unix systems: Linux, Android, macOS, iOS.

use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::FileIdentity;

/// The path of the shared library that contains this code, or of the program if it is linked
/// statically.
pub fn this_library() -> Option<PathBuf> {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the address is that of a function, and `info` has room for the result.
    let found = unsafe { libc::dladdr(this_library as *const libc::c_void, info.as_mut_ptr()) };
    // SAFETY: all zeros are a valid value, and `dladdr` writes a valid one.
    let name = unsafe { info.assume_init() }.dli_fname;
    if found == 0 || name.is_null() {
        return None;
    }
    // SAFETY: the name belongs to the loaded library, which is still loaded while its code runs.
    let name = unsafe { CStr::from_ptr(name) };
    Some(OsStr::from_bytes(name.to_bytes()).into())
}

/// Keeps the library loaded after a program closes it, because its threads run in it. Here a linker
/// flag does this (`ffi/build.rs`).
pub fn stay_loaded() {}

/// Identifies a file and its content; none if the system cannot.
pub fn file_identity(file: &File) -> Option<FileIdentity> {
    let of = file.metadata().ok()?;
    let (device, inode, size) =
        (of.dev().cast_signed(), of.ino().cast_signed(), of.size().cast_signed());
    let times = [of.mtime(), of.mtime_nsec(), of.ctime(), of.ctime_nsec()];
    let [mtime, mtime_nanos, ctime, ctime_nanos] = times;
    Some(FileIdentity([device, inode, size, mtime, mtime_nanos, ctime, ctime_nanos]))
}

/// Reads bytes of a file from an offset; at least one, except at the end of the file.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// A count that is larger in a forked child than in its parent, once this has been called.
pub fn forks() -> usize {
    static FORKS: AtomicUsize = AtomicUsize::new(0);
    static IS_COUNTED: AtomicBool = AtomicBool::new(false);
    extern "C" fn count() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    // Two threads that race here register the handler twice; a child of that process then counts by
    // two, which is still larger. There is no lock, because a lock held during a fork stays locked
    // forever. Miri lacks the function.
    if !cfg!(miri) && !IS_COUNTED.load(Ordering::Relaxed) {
        // SAFETY: the function only adds to a number, and the library stays loaded.
        let is_counted = unsafe { at_fork_in_child(count) } == 0;
        IS_COUNTED.store(is_counted, Ordering::Relaxed);
    }
    FORKS.load(Ordering::Relaxed)
}

/// Registers a function that is called in each forked child; 0 on success.
///
/// # Safety
///
/// `call` may be called in a forked child at any time.
#[cfg(not(target_os = "android"))]
unsafe fn at_fork_in_child(call: extern "C" fn()) -> libc::c_int {
    // SAFETY: this function's safety contract.
    unsafe { libc::pthread_atfork(None, None, Some(call)) }
}

/// Registers a function that is called in each forked child; 0 on success. Android has
/// `pthread_atfork` only in the NDK, which calls this function of the system.
///
/// # Safety
///
/// `call` may be called in a forked child at any time.
#[cfg(target_os = "android")]
unsafe fn at_fork_in_child(call: extern "C" fn()) -> libc::c_int {
    type Handler = Option<extern "C" fn()>;
    unsafe extern "C" {
        fn __register_atfork(
            before: Handler,
            in_parent: Handler,
            in_child: Handler,
            library: *const libc::c_void,
        ) -> libc::c_int;
    }
    // SAFETY: this function's safety contract. Without a library handle, the call stays registered
    // forever.
    unsafe { __register_atfork(None, None, Some(call), std::ptr::null()) }
}

/// Milliseconds since 1970, or none where the system, such as a sandbox, gives no time.
pub fn unix_millis() -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for writes. std's clock would panic where this call fails.
    let told = unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &raw mut time) } == 0;
    let [seconds, nanos] = [u64::try_from(time.tv_sec).ok()?, u64::try_from(time.tv_nsec).ok()?];
    told.then_some(seconds * 1000 + nanos / 1_000_000)
}

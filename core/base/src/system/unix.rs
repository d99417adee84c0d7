//! Linux, Android, macOS, iOS and their like.

use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::FileIdentity;

/// The shared library that this code is in; the program, if it is linked statically.
pub fn this_library() -> Option<PathBuf> {
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
pub fn stay_loaded() {}

/// What identifies a file and its content; none if the system does not say.
pub fn file_identity(file: &File) -> Option<FileIdentity> {
    let of = file.metadata().ok()?;
    let (device, inode, size) =
        (of.dev().cast_signed(), of.ino().cast_signed(), of.size().cast_signed());
    let times = [of.mtime(), of.mtime_nsec(), of.ctime(), of.ctime_nsec()];
    let [mtime, mtime_nanos, ctime, ctime_nanos] = times;
    Some(FileIdentity([device, inode, size, mtime, mtime_nanos, ctime, ctime_nanos]))
}

/// Reads bytes of a file from an offset, at least one unless its end is there.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// How often the process was forked since this was first called: more often in a child than in its parent.
pub fn forks() -> usize {
    static FORKS: AtomicUsize = AtomicUsize::new(0);
    static IS_COUNTED: AtomicBool = AtomicBool::new(false);
    extern "C" fn count() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    // Threads that race here, and a child of a process in which they did, have it counted twice: more often still. No lock, as
    // one that is held at a fork is held for ever. Miri does not have the function.
    if !cfg!(miri) && !IS_COUNTED.load(Ordering::Relaxed) {
        // SAFETY: the function does nothing but add to a number, and the library stays loaded.
        let is_counted = unsafe { at_fork_in_child(count) } == 0;
        IS_COUNTED.store(is_counted, Ordering::Relaxed);
    }
    FORKS.load(Ordering::Relaxed)
}

/// Has a function called in each child that `fork` makes; 0 if that succeeds.
///
/// # Safety
///
/// The function may be called in a child, as long as the process lives.
#[cfg(not(target_os = "android"))]
unsafe fn at_fork_in_child(call: extern "C" fn()) -> libc::c_int {
    // SAFETY: the contract of this function.
    unsafe { libc::pthread_atfork(None, None, Some(call)) }
}

/// The same. Android has `pthread_atfork` in Google's development kit alone, which calls this of the system.
///
/// # Safety
///
/// As above.
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
    // SAFETY: the contract of this function. Without a library, the call stays registered for good.
    unsafe { __register_atfork(None, None, Some(call), std::ptr::null()) }
}

/// Milliseconds since 1970, if the system tells them: a sandbox may forbid it.
pub fn unix_millis() -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is valid. The standard library's clock panics where this fails.
    let told = unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &raw mut time) } == 0;
    let [seconds, nanos] = [u64::try_from(time.tv_sec).ok()?, u64::try_from(time.tv_nsec).ok()?];
    told.then_some(seconds * 1000 + nanos / 1_000_000)
}

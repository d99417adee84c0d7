//! Where the voice bundle is, if the caller does not say.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::BundleInput;
use crate::error::{Error, ErrorDetail, Result};

/// Where the bundle is: `SPEECH_BUNDLE`, beside the library or the program, or where `cargo xtask`
/// keeps it.
pub(crate) fn bundle() -> Result<BundleInput> {
    variable("SPEECH_BUNDLE")
        .or_else(|| {
            let beside = neighbours().map(|dir| dir.join("../share/libspeech/voices"));
            beside.into_iter().find(|path| path.is_dir())
        })
        .or_else(|| kept().map(|kept| kept.bundle).filter(|dir| dir.is_dir()))
        .map(BundleInput::Path)
        .ok_or_else(|| {
            Error::model("no voice bundle: give its directory or set SPEECH_BUNDLE")
                .with_detail(ErrorDetail::BundleNotFound)
        })
}

/// The folder of the library that this code is in, and that of the program; each as it was named, and
/// without symbolic links.
fn neighbours() -> impl Iterator<Item = PathBuf> {
    let program = std::env::current_exe().ok();
    let files = this_library().into_iter().chain(program);
    let named = files.flat_map(|file| [file.canonicalize().ok(), Some(file)].into_iter().rev());
    named.flatten().filter_map(|file| file.parent().map(Path::to_owned))
}

/// The shared library that this code is in; the program, if it is linked statically.
#[cfg(unix)]
fn this_library() -> Option<PathBuf> {
    use std::ffi::{CStr, OsStr};
    use std::os::unix::ffi::OsStrExt;

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

/// The shared library that this code is in, where it is not looked up.
#[cfg(not(unix))]
fn this_library() -> Option<PathBuf> {
    None
}

/// What `cargo xtask` made last, as it wrote it down.
#[derive(Deserialize)]
struct Kept {
    bundle: PathBuf,
}

fn kept() -> Option<Kept> {
    let json = std::fs::read(cache_dir()?.join("current.json")).ok()?;
    serde_json::from_slice(&json).ok()
}

/// The user's cache directory for this library.
fn cache_dir() -> Option<PathBuf> {
    if let Some(dir) = variable("SPEECH_CACHE") {
        Some(dir)
    } else if cfg!(target_os = "windows") {
        variable("LOCALAPPDATA").map(|dir| dir.join("libspeech").join("cache"))
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|dir| dir.join("Library/Caches/libspeech"))
    } else {
        // The XDG specification: a relative path is to be ignored.
        variable("XDG_CACHE_HOME")
            .filter(|dir| dir.is_absolute())
            .or_else(|| variable("HOME").map(|dir| dir.join(".cache")))
            .map(|dir| dir.join("libspeech"))
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

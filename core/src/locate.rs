//! Where the voice bundle and the ONNX Runtime library are, if the caller does not say.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{Error, Result};

/// Where the bundle is: the option, `SPEECH_BUNDLE`, or where `cargo xtask` keeps it.
pub(crate) fn bundle(option: Option<&Path>) -> Result<PathBuf> {
    option
        .map(Path::to_owned)
        .or_else(|| variable("SPEECH_BUNDLE"))
        .or_else(|| kept().map(|kept| kept.bundle).filter(|dir| dir.is_dir()))
        .ok_or_else(|| {
            Error::model(
                "no voice bundle: give its directory or set SPEECH_BUNDLE; `cargo xtask bundle` makes one",
            )
        })
}

/// Where the ONNX Runtime library is: the option, `SPEECH_ONNXRUNTIME`, beside the program, where
/// `cargo xtask` keeps it, or a name for the system to find.
pub(crate) fn onnxruntime(option: Option<&Path>) -> PathBuf {
    let program = || Some(std::env::current_exe().ok()?.parent()?.to_owned());
    let beside = || {
        let dirs = program().into_iter().flat_map(|dir| [dir.join("../lib"), dir]);
        dirs.map(|dir| dir.join(library_name())).find(|path| path.is_file())
    };
    option
        .map(Path::to_owned)
        .or_else(|| variable("SPEECH_ONNXRUNTIME"))
        .or_else(beside)
        .or_else(|| kept().map(|kept| kept.onnxruntime).filter(|path| path.is_file()))
        .unwrap_or_else(|| library_name().into())
}

/// The file name of the library, as its packages install it.
fn library_name() -> &'static str {
    if cfg!(target_os = "windows") {
        "onnxruntime.dll"
    } else if cfg!(any(target_os = "macos", target_os = "ios")) {
        "libonnxruntime.dylib"
    } else if cfg!(target_os = "android") {
        "libonnxruntime.so"
    } else {
        "libonnxruntime.so.1"
    }
}

/// What `cargo xtask` made or fetched last, as it wrote it down.
#[derive(Deserialize)]
struct Kept {
    bundle: PathBuf,
    onnxruntime: PathBuf,
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

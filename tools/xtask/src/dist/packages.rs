//! Lists the Rust packages whose code is in a library: the dependencies of its own package for this
//! platform and these features, without build dependencies.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::platform::Platform;
use crate::prelude::*;

/// The licenses of packages that have a license text without a license name.
const CLARIFIED: [(&str, &str); 1] = [("language-tokenizer", "WTFPL")];

/// A name and a version.
pub(crate) type Id = (String, String);

/// The packages and their dependencies.
#[derive(Debug, Default)]
pub(crate) struct Packages {
    pub(crate) all: BTreeMap<Id, Package>,
    /// The direct dependencies of the library's own package.
    pub(crate) roots: BTreeSet<Id>,
}

/// A package.
#[derive(Debug)]
pub(crate) struct Package {
    /// An SPDX expression.
    pub(crate) licence: String,
    /// The folder of its sources.
    pub(crate) directory: PathBuf,
    /// SHA-256 of the package as published; `None` for a package of this repository.
    pub(crate) checksum: Option<String>,
    pub(crate) dependencies: BTreeSet<Id>,
}

impl Packages {
    /// Asks cargo for the packages of the library that a package of this repository builds.
    pub(crate) fn of_library(platform: &Platform, library: &str) -> Result<Self> {
        let mut packages = Packages::default();
        for part in platform.parts() {
            packages.join(Self::of_target(part.triple(), library)?);
        }
        Ok(packages)
    }

    /// Adds the packages of another library.
    pub(crate) fn join(&mut self, other: Self) {
        self.all.extend(other.all);
        self.roots.extend(other.roots);
    }

    /// Asks cargo for the packages of a library on a target triple.
    pub(crate) fn of_target(target: &str, library: &str) -> Result<Self> {
        let mut tree = workspace::cargo("tree");
        tree.args(["--package", library, "--locked", "--target", target, "--no-dedupe"]);
        tree.args(["--edges", "normal,no-proc-macro", "--prefix", "depth", "--format", " {p}"]);
        let mut metadata = workspace::cargo("metadata");
        metadata.args(["--format-version=1", "--locked", "--filter-platform", target]);
        let lock = fs::read_to_string(root().join("Cargo.lock"))?;
        let (tree, metadata) = (process::text(&mut tree)?, process::text(&mut metadata)?);
        Self::from_parts(&tree, &metadata, &lock)
    }

    fn from_parts(tree: &str, metadata: &str, lock: &str) -> Result<Self> {
        let metadata: Metadata =
            serde_json::from_str(metadata).context("cannot read cargo's metadata")?;
        let described: BTreeMap<Id, Described> =
            metadata.packages.into_iter().map(|package| (package.id(), package)).collect();
        let checksums = checksums(lock);
        let mut graph = edges(tree)?;
        let root = graph.root;
        let roots = graph.dependencies.remove(&root).unwrap_or_default();
        let mut all = BTreeMap::new();
        for (id, dependencies) in graph.dependencies {
            let described = described
                .get(&id)
                .with_context(|| format!("cargo's metadata has no {} {}", id.0, id.1))?;
            let package = Package {
                licence: described.licence()?,
                directory: described.directory(),
                checksum: checksums.get(&id).cloned(),
                dependencies,
            };
            all.insert(id, package);
        }
        Ok(Packages { all, roots })
    }

    /// The directories in which cargo keeps the sources of published packages.
    pub(crate) fn source_directories(&self) -> BTreeSet<PathBuf> {
        let published = self.all.values().filter(|package| package.checksum.is_some());
        published.filter_map(|package| Some(package.directory.parent()?.to_path_buf())).collect()
    }
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Described>,
}

#[derive(Deserialize)]
struct Described {
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
}

impl Described {
    fn id(&self) -> Id {
        (self.name.clone(), self.version.clone())
    }

    fn licence(&self) -> Result<String> {
        let clarified = CLARIFIED.iter().find(|(name, _)| *name == self.name);
        let licence = clarified.map(|(_, licence)| *licence).or(self.license.as_deref());
        let licence = licence.with_context(|| format!("{} names no license", self.name))?;
        // Old packages write `MIT/Apache-2.0`, which is not SPDX.
        Ok(licence.replace('/', " OR "))
    }

    fn directory(&self) -> PathBuf {
        self.manifest_path.parent().map(PathBuf::from).unwrap_or_default()
    }
}

struct Graph {
    root: Id,
    dependencies: BTreeMap<Id, BTreeSet<Id>>,
}

/// Parses the output of `cargo tree --prefix depth`. Each line has a depth and a package; its
/// parent is the last line above it with a smaller depth.
fn edges(tree: &str) -> Result<Graph> {
    let mut path: Vec<Id> = Vec::new();
    let mut dependencies: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let (depth, id) = node(line)
            .with_context(|| format!("cannot parse this line of `cargo tree`: {line:?}"))?;
        ensure!(depth <= path.len(), "`cargo tree` skips a level at {line:?}");
        path.truncate(depth);
        if let Some(user) = path.last() {
            dependencies.entry(user.clone()).or_default().insert(id.clone());
        }
        dependencies.entry(id.clone()).or_default();
        path.push(id);
    }
    let root = path.into_iter().next().context("the output of `cargo tree` is empty")?;
    Ok(Graph { root, dependencies })
}

fn node(line: &str) -> Option<(usize, Id)> {
    let mut words = line.split_whitespace();
    let depth = words.next()?.parse().ok()?;
    let name = words.next()?.to_owned();
    let version = words.next()?.strip_prefix('v')?.to_owned();
    Some((depth, (name, version)))
}

/// The SHA-256 of each published package in `Cargo.lock`.
fn checksums(lock: &str) -> BTreeMap<Id, String> {
    let field = |entry: &str, name: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    let package = |entry| {
        Some(((field(entry, "name")?, field(entry, "version")?), field(entry, "checksum")?))
    };
    lock.split("[[package]]").filter_map(package).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "0 speech-ffi v0.1.0 (/w/ffi)\n1 log v0.4.0\n1 speech-core v0.1.0 (/w/core)\n\
                        2 half v2.7.1\n3 cfg-if v1.0.5\n2 log v0.4.0\n";
    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"half\"\nversion = \"2.7.1\"\n\
                        source = \"registry\"\nchecksum = \"ab\"\ndependencies = [\n \"cfg-if\",\n]\n\n\
                        [[package]]\nname = \"speech-core\"\nversion = \"0.1.0\"\n";

    fn id(name: &str, version: &str) -> Id {
        (name.to_owned(), version.to_owned())
    }

    fn metadata(names: &[(&str, &str)]) -> String {
        let package = |(name, version): &(&str, &str)| {
            serde_json::json!({"name": name, "version": version, "license": "MIT/Apache-2.0",
                               "manifest_path": format!("/src/{name}-{version}/Cargo.toml")})
        };
        serde_json::json!({"packages": names.iter().map(package).collect::<Vec<_>>()}).to_string()
    }

    #[test]
    fn the_graph_is_that_of_the_tree() {
        let names = [
            ("log", "0.4.0"),
            ("speech-core", "0.1.0"),
            ("half", "2.7.1"),
            ("cfg-if", "1.0.5"),
            ("half", "1.0.0"),
        ];
        let packages = Packages::from_parts(TREE, &metadata(&names), LOCK).unwrap();
        assert_eq!(packages.all.len(), 4, "neither the root nor another version");
        assert_eq!(packages.roots, [id("log", "0.4.0"), id("speech-core", "0.1.0")].into());
        let half = &packages.all[&id("half", "2.7.1")];
        assert_eq!(half.dependencies, [id("cfg-if", "1.0.5")].into());
        assert_eq!(half.licence, "MIT OR Apache-2.0");
        assert_eq!(half.checksum.as_deref(), Some("ab"));
        assert_eq!(packages.all[&id("speech-core", "0.1.0")].checksum, None);
        assert_eq!(packages.source_directories(), [PathBuf::from("/src")].into());
    }

    #[test]
    fn what_does_not_fit_together_is_an_error() {
        let error = Packages::from_parts(TREE, &metadata(&[("log", "0.4.0")]), LOCK).unwrap_err();
        assert!(error.to_string().contains("cfg-if 1.0.5"), "{error}");
        for tree in ["", "log v0.4.0\n", "0 log 0.4.0\n", "0 a v1\n2 b v1\n"] {
            assert!(edges(tree).is_err(), "{tree:?}");
        }
    }
}

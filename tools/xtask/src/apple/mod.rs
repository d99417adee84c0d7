//! `cargo xtask xcframework`: the library for iOS, its simulators and macOS, as an XCFramework in a Swift package.
//!
//! The module is called `LibSpeech`: Apple has one called `Speech`.

pub(crate) mod interface;
pub(crate) mod package;
mod plist;
mod privacy;
mod probe;
mod slices;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;

use self::package::{Binary, DOWNLOADING, FRAMEWORK_ZIP};
use self::slices::{Compiled, HEADERS, LIBRARY};
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::digest;
use crate::dist::pack::{pack_as, recompress};
use crate::dist::packages::Packages;
use crate::dist::sbom::Contents;
use crate::dist::tree::Tree;
use crate::dist::{Platform, VERSION, licences, toolchain};
use crate::lock::Lock;
use crate::progress::megabytes;
use crate::sources;
use crate::workspace::Workspace;

const FRAMEWORK: &str = "LibSpeech.xcframework";
/// The folder of the headers among others: each library has a `module.modulemap`.
const LIBRARY_HEADERS: &str = "LibSpeech";
const VOICES: &str = "Sources/LibSpeechVoices/voices";
const SBOM: &str = "sbom.cdx.json";

#[derive(Args)]
pub(crate) struct Xcframework {
    /// With the compact voices: a quarter less to download.
    #[arg(long, conflicts_with = "without_voices")]
    compact: bool,
    /// Leave out the voices, for apps that bring or download them themselves.
    #[arg(long)]
    without_voices: bool,
    /// Where the packages go, instead of target/dist.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Xcframework {
    /// Makes the libraries, checks them and what Clang sees of them, and makes the packages.
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        interface::require()?;
        slices::require()?;
        let _lock = Lock::acquire(&workspace.target().join("xcframework.lock"))?;
        let out = match &self.out {
            Some(out) => std::path::absolute(out)?,
            None => workspace.target().join("dist"),
        };
        let packages = slices::packages(workspace)?;
        let compiled = slices::all()?
            .into_iter()
            .map(|slice| slice.compile(workspace, &packages))
            .collect::<Result<Vec<_>>>()?;
        let framework = framework(workspace, &compiled, &packages, &out)?;
        for slice in &compiled {
            let headers = framework.join(slice.slice.identifier()).join(HEADERS);
            interface::check(workspace, &headers)?;
        }
        let zip = out.join(FRAMEWORK_ZIP);
        pack_as(&pack_script(workspace), &framework, zip.clone())?;
        let privacy = plist::xml(workspace, &privacy::manifest(&imports(&compiled))?)?;
        let checksum = downloading(workspace, &zip, &privacy, &out)?;
        let (whole, voices) = self.whole(workspace, cache, &packages, &framework, &privacy)?;
        report(&compiled, voices.as_ref(), &[zip, whole])?;
        println!("checksum of {FRAMEWORK_ZIP}: {checksum}");
        Ok(())
    }

    /// The package that has everything in it, and the voices.
    fn whole(
        &self,
        workspace: &Workspace,
        cache: &Cache,
        packages: &Packages,
        framework: &Path,
        privacy: &str,
    ) -> Result<(PathBuf, Option<Bundle>)> {
        let out = framework.parent().unwrap_or(framework);
        let tree = Tree::begin(&out.join(name(self.compact, self.without_voices)))?;
        package::write(&tree, workspace, Binary::Path, !self.without_voices, privacy)?;
        copy(framework, &tree, FRAMEWORK)?;
        licences::write(&tree, "licences", workspace, &any_platform()?, packages)?;
        let voices = if self.without_voices {
            None
        } else {
            let _lock = cache.lock()?;
            let mut bundle = Bundle::ensure(workspace, cache, None)?;
            if self.compact {
                bundle = bundle.compacted(workspace)?;
            }
            Some(bundle.copy_to(&tree.path(VOICES)?)?)
        };
        tree.write(SBOM, &list(workspace, &tree, FRAMEWORK, packages, voices.as_ref())?)?;
        let directory = tree.finish()?;
        let mut zip = directory.clone().into_os_string();
        zip.push(".zip");
        let packed = pack_as(&pack_script(workspace), &directory, zip.into())?;
        let zip = recompress(workspace, &packed.path)?;
        Ok((zip, voices.map(|_| Bundle::at(directory.join(VOICES)))))
    }
}

/// What the package is called that has everything in it. The zip file has `.zip` after it.
pub(crate) fn name(compact: bool, without_voices: bool) -> String {
    let suffix = match (compact, without_voices) {
        (true, _) => "-compact",
        (_, true) => "-without-voices",
        _ => "",
    };
    format!("libspeech-{VERSION}-apple{suffix}")
}

/// Puts the XCFramework together.
fn framework(
    workspace: &Workspace,
    compiled: &[Compiled],
    packages: &Packages,
    out: &Path,
) -> Result<PathBuf> {
    let tree = Tree::begin(&out.join(FRAMEWORK))?;
    for slice in compiled {
        let folder = slice.slice.identifier();
        let path = tree.path(&format!("{folder}/{LIBRARY}"))?;
        fs::write(&path, &slice.library)
            .with_context(|| format!("cannot write {}", path.display()))?;
        write_headers(&tree, workspace, &format!("{folder}/{HEADERS}/"))?;
    }
    let libraries: Vec<_> = compiled.iter().map(|slice| slice.slice.description()).collect();
    let info = json!({
        "AvailableLibraries": libraries,
        "CFBundlePackageType": "XFWK",
        "XCFrameworkFormatVersion": "1.0",
    });
    tree.write("Info.plist", &plist::xml(workspace, &info)?)?;
    licences::write(&tree, "licences", workspace, &any_platform()?, packages)?;
    tree.write(SBOM, &list(workspace, &tree, "", packages, None)?)?;
    tree.finish()
}

/// Writes the header and its module map under a folder, whose name is empty or ends with a slash.
fn write_headers(tree: &Tree, workspace: &Workspace, folder: &str) -> Result<()> {
    let header = workspace.root().join("include").join("speech.h");
    tree.copy(&header, &format!("{folder}{LIBRARY_HEADERS}/speech.h"))?;
    let map = workspace.root().join("bindings").join("swift").join("module.modulemap");
    tree.copy(&map, &format!("{folder}{LIBRARY_HEADERS}/module.modulemap"))
}

/// Makes the package that downloads the libraries, and gives the checksum of those.
fn downloading(workspace: &Workspace, zip: &Path, privacy: &str, out: &Path) -> Result<String> {
    let checksum =
        digest::of_file(zip)?.with_context(|| format!("{} is missing", zip.display()))?;
    let tree = Tree::begin(&out.join(DOWNLOADING))?;
    package::write(&tree, workspace, Binary::Checksum(&checksum), false, privacy)?;
    tree.finish()?;
    Ok(checksum)
}

/// What the package in a tree is made of.
fn list(
    workspace: &Workspace,
    tree: &Tree,
    framework: &str,
    packages: &Packages,
    voices: Option<&Bundle>,
) -> Result<String> {
    let sources = sources::read(&workspace.bundle_tool().join("sources.json"))?;
    let mut paths = Vec::new();
    let mut triples = Vec::new();
    for slice in slices::all()? {
        let name = Path::new(framework).join(slice.identifier()).join(LIBRARY);
        let name = name.to_string_lossy().into_owned();
        paths.push((tree.path(&name)?, name));
        triples.extend(slice.platforms.iter().map(|platform| platform.triple().to_owned()));
    }
    let description = voices.map(|bundle| bundle.directory().join("bundle.json"));
    let contents = Contents {
        version: VERSION,
        triple: &triples.join(" "),
        libraries: paths.iter().map(|(path, name)| (name.clone(), path.as_path())).collect(),
        packages,
        parts: toolchain::parts(workspace, &any_platform()?)?,
        voices: description.as_deref().map(|description| (description, &sources[..])),
    };
    contents.document()
}

/// One of the platforms: beside the packages, the same is in the libraries of all.
fn any_platform() -> Result<Platform> {
    Platform::named("aarch64-apple-ios")
}

/// What the libraries call of the system.
fn imports(compiled: &[Compiled]) -> BTreeSet<String> {
    let probes = compiled.iter().flat_map(|slice| &slice.probes);
    probes.flat_map(|probe| probe.imports.iter().cloned()).collect()
}

fn pack_script(workspace: &Workspace) -> PathBuf {
    workspace.xtask().join("pack.py")
}

/// Copies a folder into a tree.
fn copy(from: &Path, tree: &Tree, to: &str) -> Result<()> {
    for name in digest::of_folder(from, |_| true)?.keys() {
        tree.copy(&from.join(name), &format!("{to}/{name}"))?;
    }
    Ok(())
}

fn report(compiled: &[Compiled], voices: Option<&Bundle>, files: &[PathBuf]) -> Result<()> {
    println!("{:<34}{:>10}{:>16}", "", "size", "in an app");
    for slice in compiled {
        println!("{:<34}{:>10}", slice.slice.identifier(), megabytes(slice.library.len() as u64));
        for (platform, probe) in slice.slice.platforms.iter().zip(&slice.probes) {
            println!("  {:<32}{:>10}{:>16}", platform.triple(), "", megabytes(probe.size));
        }
    }
    if let Some(voices) = voices {
        let size = megabytes(voices.size()?);
        println!("{:<34}{size:>10}{size:>16}", "voices");
    }
    for file in files {
        println!("{} ({})", file.display(), megabytes(fs::metadata(file)?.len()));
    }
    Ok(())
}

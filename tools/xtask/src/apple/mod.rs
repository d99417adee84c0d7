//! `cargo xtask xcframework`: builds an XCFramework for iOS, its simulators and macOS, in a Swift
//! package.
//!
//! The module is named `LibSpeech`, because Apple has one named `Speech`.

pub(crate) mod interface;
pub(crate) mod package;
mod privacy;
mod slices;

use self::package::{DOWNLOADING, FRAMEWORK_ZIP};
use self::slices::{HEADERS, LIBRARY, Probe, SLICES, Slice};
use crate::dist::pack::{pack, pack_as, recompress};
use crate::dist::packages::Packages;
use crate::dist::{Platform, VERSION, licences, sbom, toolchain};
use crate::needs::{self, require};
use crate::prelude::*;

const FRAMEWORK: &str = "LibSpeech.xcframework";
/// The subfolder of the headers. Every library of an app has a `module.modulemap`; the subfolder
/// keeps them apart.
const LIBRARY_HEADERS: &str = "LibSpeech";
const VOICES: &str = "Sources/LibSpeechVoices/voices";
const SBOM: &str = "sbom.cdx.json";

#[derive(Args)]
pub(crate) struct Xcframework {
    /// Include the compact voices, whose download is a quarter smaller.
    #[arg(long, conflicts_with = "without_voices")]
    compact: bool,
    /// Omit the voices, for apps that include or download them themselves.
    #[arg(long)]
    without_voices: bool,
    /// The output directory [default: target/dist].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Xcframework {
    /// Builds the libraries, checks them and the headers, and makes the packages.
    pub(crate) fn run(&self) -> Result<()> {
        require(&[&[needs::CLANG], &slices::needs()[..]].concat())?;
        let _lock = Lock::of("xcframework")?;
        let out = std::path::absolute(self.out.as_ref().unwrap_or(&target().join("dist")))?;
        let packages = slices::packages()?;
        let slices = SLICES.into_iter().map(|slice| slices::compile(slice, &packages));
        let slices = slices.collect::<Result<Vec<_>>>()?;
        let framework = framework(&slices, &packages, &out)?;
        for slice in &slices {
            interface::check(&framework.join(slice.folder).join(HEADERS))?;
        }
        let zip = out.join(FRAMEWORK_ZIP);
        pack_as(&framework, zip.clone())?;
        let probes = slices.iter().flat_map(|slice| &slice.probes);
        let imports = probes.flat_map(|probe| probe.imports.iter().cloned()).collect();
        let manifest = fs::read_to_string(root().join("bindings/swift").join(privacy::MANIFEST))?;
        privacy::check(&manifest, &imports)?;
        let checksum = digest::of_file(&zip)?;
        let tree = Tree::begin(&out.join(DOWNLOADING))?;
        package::write(&tree, Some(&checksum), false)?;
        tree.finish()?;
        let (whole, voices) = self.whole(&packages, &framework, &out)?;
        report(&slices, voices.as_ref(), &[zip, whole])?;
        println!("checksum of {FRAMEWORK_ZIP}: {checksum}");
        Ok(())
    }

    /// Makes the package that contains the libraries and the voices.
    fn whole(
        &self,
        packages: &Packages,
        framework: &Path,
        out: &Path,
    ) -> Result<(PathBuf, Option<Bundle>)> {
        let tree = Tree::begin(&out.join(name(self.compact, self.without_voices)))?;
        package::write(&tree, None, !self.without_voices)?;
        copy_all(framework, &tree.path(FRAMEWORK)?)?;
        licences::write(&tree, "licences", &any_platform()?, packages)?;
        let voices = if self.without_voices {
            None
        } else {
            let _lock = cache::lock()?;
            let mut bundle = Bundle::ensure(None)?;
            if self.compact {
                bundle = bundle.compacted()?;
            }
            Some(bundle.copy_to(&tree.path(VOICES)?)?)
        };
        write_sbom(&tree, &format!("{FRAMEWORK}/"), packages, voices.as_ref())?;
        let directory = tree.finish()?;
        let zip = recompress(&pack(&directory, ".zip")?.path)?;
        Ok((zip, voices.map(|_| Bundle::at(directory.join(VOICES)))))
    }
}

/// The name of the self-contained package. The name of the zip file adds `.zip`.
pub(crate) fn name(compact: bool, without_voices: bool) -> String {
    let suffix = match (compact, without_voices) {
        (true, _) => "-compact",
        (_, true) => "-without-voices",
        _ => "",
    };
    format!("libspeech-{VERSION}-apple{suffix}")
}

/// Assembles the XCFramework.
fn framework(slices: &[Slice], packages: &Packages, out: &Path) -> Result<PathBuf> {
    let tree = Tree::begin(&out.join(FRAMEWORK))?;
    for Slice { folder, library, .. } in slices {
        fs::write(tree.path(&format!("{folder}/{LIBRARY}"))?, library)?;
        write_headers(&tree, &format!("{folder}/{HEADERS}/"))?;
    }
    tree.write("Info.plist", include_str!("../../templates/swift/Info.plist"))?;
    licences::write(&tree, "licences", &any_platform()?, packages)?;
    write_sbom(&tree, "", packages, None)?;
    tree.finish()
}

/// Writes the header and its module map to a folder; `folder` is empty or ends with a slash.
fn write_headers(tree: &Tree, folder: &str) -> Result<()> {
    let header = root().join("include/speech.h");
    tree.copy(&header, &format!("{folder}{LIBRARY_HEADERS}/speech.h"))?;
    let map = root().join("bindings/swift/module.modulemap");
    tree.copy(&map, &format!("{folder}{LIBRARY_HEADERS}/module.modulemap"))
}

/// Writes the SBOM of the package in a tree.
fn write_sbom(
    tree: &Tree,
    framework: &str,
    packages: &Packages,
    voices: Option<&Bundle>,
) -> Result<()> {
    let names = SLICES.map(|(folder, _)| format!("{framework}{folder}/{LIBRARY}"));
    let triples = slices::triples().collect::<Vec<_>>().join(" ");
    let parts = toolchain::parts(&any_platform()?)?;
    tree.write(SBOM, &sbom::of_package(tree, &triples, &names, packages, parts, voices)?)
}

/// Any of the platforms: all their libraries contain the same components, apart from packages.
fn any_platform() -> Result<Platform> {
    Platform::named("aarch64-apple-ios")
}

fn report(slices: &[Slice], voices: Option<&Bundle>, files: &[PathBuf]) -> Result<()> {
    println!("{:<34}{:>10}{:>16}", "", "size", "in an app");
    for Slice { folder, library, probes } in slices {
        println!("{folder:<34}{:>10}", megabytes(library.len() as u64));
        for Probe { triple, size, .. } in probes {
            println!("  {triple:<32}{:>10}{:>16}", "", megabytes(*size));
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

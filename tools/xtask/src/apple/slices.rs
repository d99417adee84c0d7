//! Compiles the libraries of the package, one per system for all its processors. Then links each
//! into a program that uses all functions of the interface, and drops unreachable code.
//!
//! Needs no Apple SDK: symbols of the system are resolved at run time.

use std::collections::BTreeSet;

use crate::dist::gates::{self, Kind};
use crate::dist::library::SharedLibrary;
use crate::dist::packages::Packages;
use crate::dist::platform::{Platform, Processor, System};
use crate::dist::{compile, library, link, toolchain};
use crate::needs::Need;
use crate::prelude::*;

/// The folder of each library, as Xcode names it, and its platforms. The template `Info.plist`
/// repeats these names.
pub(super) const SLICES: [(&str, &[&str]); 3] = [
    ("ios-arm64", &["aarch64-apple-ios"]),
    ("ios-arm64_x86_64-simulator", &["aarch64-apple-ios-sim", "x86_64-apple-ios"]),
    ("macos-arm64_x86_64", &["aarch64-apple-darwin", "x86_64-apple-darwin"]),
];

/// The file name of a static library in its folder.
pub(super) const LIBRARY: &str = "libspeech.a";
/// The folder of the headers, beside the library.
pub(super) const HEADERS: &str = "Headers";
/// The install name of a linked library; the linker requires one.
const NAME: &str = "@rpath/speech";

/// A compiled library.
#[derive(Debug)]
pub(super) struct Slice {
    pub(super) folder: &'static str,
    /// The static library for all processors of the system.
    pub(super) library: Vec<u8>,
    /// The result of linking it, per processor, into a program that calls every function.
    pub(super) probes: Vec<Probe>,
}

/// The result of linking one library.
#[derive(Debug)]
pub(super) struct Probe {
    pub(super) triple: &'static str,
    /// The system functions that it calls.
    pub(super) imports: BTreeSet<String>,
    /// Its size in bytes, which is the most that an app grows by.
    pub(super) size: u64,
}

/// The target triple of every platform.
pub(super) fn triples() -> impl Iterator<Item = &'static str> {
    SLICES.iter().flat_map(|(_, triples)| triples.iter().copied())
}

/// Requirements of compilation. For iOS the sources of the standard library suffice, because not
/// every network has the compiled one.
pub(super) fn needs() -> Vec<Need> {
    let need = |triple: &'static str| match triple.contains("-ios") {
        true => Need::RustOrSources(triple),
        false => Need::Rust(triple),
    };
    triples().map(need).collect()
}

/// The Rust packages in any of the libraries.
pub(super) fn packages() -> Result<Packages> {
    let mut packages = Packages::default();
    for triple in triples() {
        packages.join(Packages::of_library(&Platform::named(triple)?, "speech-ffi")?);
    }
    Ok(packages)
}

/// Compiles and checks a library.
pub(super) fn compile(
    (folder, triples): (&'static str, &[&'static str]),
    packages: &Packages,
) -> Result<Slice> {
    let (mut parts, mut probes) = (Vec::new(), Vec::new());
    for triple in triples {
        let platform = Platform::named(triple)?;
        let path = compile::static_library(&platform, packages)?;
        let bytes = fs::read(&path)?;
        probes.push(check(triple, &platform, &path, &bytes).context(*triple)?);
        parts.push((platform.processor(), bytes));
    }
    let library = match &mut parts[..] {
        [(_, only)] => std::mem::take(only),
        _ => library::join(&parts)?,
    };
    Ok(Slice { folder, library, probes })
}

/// Checks a library for one processor, with the content `bytes`.
fn check(triple: &'static str, platform: &Platform, path: &Path, bytes: &[u8]) -> Result<Probe> {
    gates::apple_objects(platform, &library::builds(bytes)?)?;
    let exports = library::archive_exports(bytes)?;
    gates::static_library(platform, &exports)?;
    gates::no_private_paths(LIBRARY, bytes, &compile::private_directories())?;
    let linked = linked(platform, path, &exports)?;
    let bytes = fs::read(linked)?;
    let library = SharedLibrary::read(&bytes)?;
    gates::shared_library(platform, &library, Kind::C(NAME))?;
    let mut imports = library.imports;
    // The linker calls this function to resolve symbols at run time.
    imports.remove("dyld_stub_binder");
    let system = link::system_symbols()?;
    let foreign: BTreeSet<_> = imports.difference(&system).collect();
    ensure!(
        foreign.is_empty(),
        "{LIBRARY} calls {foreign:?}, which Apple's system library does not export"
    );
    Ok(Probe { triple, imports, size: bytes.len() as u64 })
}

/// Links all functions of a static library into a shared one.
fn linked(platform: &Platform, archive: &Path, functions: &BTreeSet<String>) -> Result<PathBuf> {
    let linked = archive.with_extension("linked");
    let system = match platform.system() {
        System::IosSimulator => "ios-simulator",
        System::Ios => "ios",
        _ => "macos",
    };
    let architecture = if platform.processor() == Processor::X86_64 { "x86_64" } else { "arm64" };
    let oldest = platform.oldest().context("the platform table has no minimum system version")?;
    let mut linker = toolchain::program("rust-lld")?;
    linker.args(["-flavor", "darwin", "-dylib", "-dead_strip", "-x", "-install_name", NAME]);
    linker.args(["-undefined", "dynamic_lookup", "-arch", architecture]);
    linker.args(["-platform_version", system, oldest, oldest, "-fatal_warnings"]);
    linker.args(functions.iter().flat_map(|function| ["-u", function]));
    linker.arg(archive).arg("-o").arg(&linked);
    process::titled(format!("linking for {}", platform.triple()), &mut linker)?;
    Ok(linked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::platform;

    #[test]
    fn the_list_of_libraries_names_them_as_they_are() {
        let list = include_str!("../../templates/swift/Info.plist");
        assert_eq!(list.matches("<key>LibraryIdentifier</key>").count(), SLICES.len());
        for (folder, triples) in SLICES {
            let (_, entry) =
                list.split_once(&format!("<string>{folder}</string>")).expect("it is listed");
            let entry = entry.split("<key>BinaryPath</key>").next().unwrap();
            let architectures = entry.matches("<string>arm64</string>").count()
                + entry.matches("<string>x86_64</string>").count();
            assert_eq!(architectures, triples.len(), "{folder}");
            let variant = entry.contains("<string>simulator</string>");
            assert_eq!(variant, folder.ends_with("-simulator"), "{folder}");
        }
        let has_slice = |triple: &str| triples().any(|of_slice| of_slice == triple);
        assert!(platform::triples().filter(|triple| triple.contains("-apple-")).all(has_slice));
    }
}

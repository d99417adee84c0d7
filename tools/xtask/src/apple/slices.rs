//! The libraries of the package: one for each system, on every processor of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::probe::{self, Probe};
use crate::dist::packages::Packages;
use crate::dist::platform::{
    IOS, Platform, Processor, System, has_standard_library, has_standard_sources,
};
use crate::dist::{compile, gates, library};
use crate::workspace::Workspace;

/// The platforms of each.
const SLICES: [&[&str]; 3] = [
    &["aarch64-apple-ios"],
    &["aarch64-apple-ios-sim", "x86_64-apple-ios"],
    &["aarch64-apple-darwin", "x86_64-apple-darwin"],
];

/// What a static library is called in its folder.
pub(super) const LIBRARY: &str = "libspeech.a";
/// The folder of the headers beside it.
pub(super) const HEADERS: &str = "Headers";

/// The library of a system.
#[derive(Debug)]
pub(super) struct Slice {
    pub(super) platforms: Vec<Platform>,
}

/// A compiled one.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) slice: Slice,
    /// For all its processors.
    pub(super) library: Vec<u8>,
    /// What became of it on each in a program that calls every function.
    pub(super) probes: Vec<Probe>,
}

/// All of them.
pub(super) fn all() -> Result<Vec<Slice>> {
    let slice = |triples: &[&str]| -> Result<Slice> {
        let platforms = triples.iter().map(|triple| Platform::named(triple));
        Ok(Slice { platforms: platforms.collect::<Result<_>>()? })
    };
    SLICES.iter().map(|triples| slice(triples)).collect()
}

/// Fails unless Rust's standard library is there for each platform, or can be compiled, and says how to get it.
pub(super) fn require() -> Result<()> {
    let has_sources = has_standard_sources()?;
    let mut missing = Vec::new();
    for triple in SLICES.iter().flat_map(|triples| triples.iter()) {
        // That for iOS is compiled with the rest where the network has none.
        let compiled = has_sources && IOS.contains(triple);
        if !compiled && !has_standard_library(triple)? {
            missing.push(*triple);
        }
    }
    if !missing.is_empty() {
        bail!(
            "something is missing for iOS and macOS: run `rustup target add {}`, and this command again (or, for iOS, \
             `rustup component add rust-src`: then it is compiled)",
            missing.join(" ")
        );
    }
    Ok(())
}

/// The packages that are in any of the libraries.
pub(super) fn packages(workspace: &Workspace) -> Result<Packages> {
    let mut packages = Packages::default();
    for platform in all()?.into_iter().flat_map(|slice| slice.platforms) {
        packages.join(Packages::of_library(workspace, &platform, "speech-ffi")?);
    }
    Ok(packages)
}

impl Slice {
    /// The folder of the library, as Xcode names it: `ios-arm64_x86_64-simulator`.
    pub(super) fn identifier(&self) -> String {
        let variant = self.variant().map(|variant| format!("-{variant}")).unwrap_or_default();
        format!("{}-{}{variant}", self.system(), self.processors().join("_"))
    }

    fn system(&self) -> &'static str {
        match self.platforms[0].system() {
            System::MacOs => "macos",
            _ => "ios",
        }
    }

    fn variant(&self) -> Option<&'static str> {
        (self.platforms[0].system() == System::IosSimulator).then_some("simulator")
    }

    fn processors(&self) -> Vec<&'static str> {
        self.platforms.iter().map(architecture).collect()
    }

    /// What Info.plist says of it.
    pub(super) fn description(&self) -> Value {
        let mut description = json!({
            "BinaryPath": LIBRARY,
            "HeadersPath": HEADERS,
            "LibraryIdentifier": self.identifier(),
            "LibraryPath": LIBRARY,
            "SupportedArchitectures": self.processors(),
            "SupportedPlatform": self.system(),
        });
        if let Some(variant) = self.variant() {
            description["SupportedPlatformVariant"] = variant.into();
        }
        description
    }

    /// Compiles the library and checks it.
    pub(super) fn compile(self, workspace: &Workspace, packages: &Packages) -> Result<Compiled> {
        let (mut parts, mut probes) = (Vec::new(), Vec::new());
        for platform in &self.platforms {
            let path = compile::static_library(workspace, platform, packages)?;
            let bytes =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let probe = check(workspace, platform, &path, &bytes);
            probes.push(probe.with_context(|| platform.triple().to_owned())?);
            parts.push((platform.processor(), bytes));
        }
        let library = match &mut parts[..] {
            [(_, only)] => std::mem::take(only),
            _ => library::join(&parts)?,
        };
        Ok(Compiled { slice: self, library, probes })
    }
}

/// What Apple calls the processor.
pub(super) fn architecture(platform: &Platform) -> &'static str {
    match platform.processor() {
        Processor::X86_64 => "x86_64",
        _ => "arm64",
    }
}

/// Checks a library for one processor, which has these bytes.
fn check(workspace: &Workspace, platform: &Platform, path: &Path, bytes: &[u8]) -> Result<Probe> {
    gates::apple_objects(platform, &library::builds(bytes)?)?;
    let exports = library::archive_exports(bytes)?;
    gates::static_library(platform, &exports)?;
    let private = compile::private_directories(workspace);
    gates::no_private_paths(LIBRARY, bytes, &private)?;
    let probe = probe::link(platform, path, &exports)?;
    let system = crate::dist::link::system_symbols(workspace)?;
    let foreign: BTreeSet<_> = probe.imports.difference(&system).collect();
    ensure!(foreign.is_empty(), "it calls {foreign:?}, which are not in Apple's system library");
    Ok(probe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_named_as_xcode_names_them() {
        let slices = all().unwrap();
        let names: Vec<_> = slices.iter().map(Slice::identifier).collect();
        assert_eq!(names, ["ios-arm64", "ios-arm64_x86_64-simulator", "macos-arm64_x86_64"]);
        let expected = json!({
            "BinaryPath": "libspeech.a",
            "HeadersPath": "Headers",
            "LibraryIdentifier": "ios-arm64_x86_64-simulator",
            "LibraryPath": "libspeech.a",
            "SupportedArchitectures": ["arm64", "x86_64"],
            "SupportedPlatform": "ios",
            "SupportedPlatformVariant": "simulator",
        });
        assert_eq!(slices[1].description(), expected);
        assert!(slices[0].description().get("SupportedPlatformVariant").is_none());
    }

    #[test]
    fn every_platform_of_ios_is_in_one() {
        for triple in IOS {
            assert_eq!(
                SLICES.iter().filter(|slice| slice.contains(&triple)).count(),
                1,
                "{triple}"
            );
        }
    }
}

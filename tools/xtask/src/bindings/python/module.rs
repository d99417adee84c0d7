//! The wheel of the library and its sources, which maturin makes.

use super::{program, scratch};
use crate::dist::compile::Build;
use crate::dist::gates::GLIBC;
use crate::dist::link::MACOS;
use crate::dist::packages::Packages;
use crate::dist::platform::System;
use crate::dist::{Platform, VERSION, licences, sbom};
use crate::prelude::*;

/// Compiles the module and makes the wheel.
pub(super) fn make(platform: &Platform) -> Result<PathBuf> {
    let packages = Packages::of_library(platform, "speech-python")?;
    write_licences(platform, &packages)?;
    let out = scratch("module")?;
    let list = list(platform, &packages, &out)?;
    let mut maturin = program("maturin");
    maturin.args(["build", "--locked", "--manifest-path"]).arg(manifest());
    maturin.arg("--out").arg(&out).arg("--sbom-include").arg(list);
    let build = Build::of(platform, &packages)?;
    maturin.args(&build.options).current_dir(root()).env("CARGO_TARGET_DIR", target());
    build.set_on(&mut maturin);
    match platform.system() {
        System::Glibc => {
            maturin.args(["--compatibility", &manylinux(), "--auditwheel", "check"]);
        }
        System::Musl => {
            maturin.args(["--compatibility", MUSLLINUX, "--auditwheel", "skip"]);
        }
        System::MacOs | System::Ios | System::IosSimulator | System::Windows | System::Android => {}
    }
    process::shown(maturin.arg("--").args(build.last))?;
    only(&out, ".whl")
}

/// Writes the licence texts where the project has them.
fn write_licences(platform: &Platform, packages: &Packages) -> Result<()> {
    let tree = Tree::begin(&root().join("bindings/python/licenses"))?;
    licences::write(&tree, ".", platform, packages)?;
    tree.finish().map(drop)
}

/// Packs the sources.
pub(super) fn sources() -> Result<PathBuf> {
    let out = scratch("sources")?;
    let mut maturin = program("maturin");
    maturin.args(["sdist", "--manifest-path"]).arg(manifest()).arg("--out").arg(&out);
    process::titled("sources of the library", maturin.current_dir(root()))?;
    only(&out, ".tar.gz")
}

/// What a wheel for a platform is called.
pub(crate) fn name(platform: &Platform) -> String {
    format!("libspeech_sdk-{VERSION}-cp311-abi3-{}.whl", tag(platform))
}

/// What pip calls the platform.
pub(crate) fn tag(platform: &Platform) -> String {
    let processor = platform.triple().split('-').next().unwrap_or_default();
    match platform.system() {
        System::Glibc => format!("{}_{processor}", manylinux()),
        System::Musl => format!("{MUSLLINUX}_{processor}"),
        System::MacOs => {
            let processor = if processor == "aarch64" { "arm64" } else { processor };
            format!("macosx_{}_{processor}", MACOS.replace('.', "_"))
        }
        System::Windows if processor == "aarch64" => "win_arm64".to_owned(),
        System::Windows => "win_amd64".to_owned(),
        System::Ios | System::IosSimulator | System::Android => {
            unreachable!("there is no wheel for phones")
        }
    }
}

/// The level of the manylinux standard that goes with the glibc that everything shipped is linked against.
fn manylinux() -> String {
    format!("manylinux_{}", GLIBC.replace('.', "_"))
}

/// The level of the musllinux standard: Alpine 3.13 and newer. The module calls nothing that came with a later musl.
const MUSLLINUX: &str = "musllinux_1_2";

fn manifest() -> PathBuf {
    root().join("bindings/python/Cargo.toml")
}

/// The list of components. That of maturin has paths of the machine in it.
fn list(platform: &Platform, packages: &Packages, folder: &Path) -> Result<PathBuf> {
    let path = folder.join("sbom.cdx.json");
    fs::write(&path, sbom::of_module(platform, packages)?)?;
    Ok(path)
}

//! The wheel of the library and its sources, which maturin makes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Workshop, only};
use crate::dist::compile;
use crate::dist::gates::GLIBC;
use crate::dist::link::MACOS;
use crate::dist::packages::Packages;
use crate::dist::platform::System;
use crate::dist::tree::Tree;
use crate::dist::{Platform, VERSION, licences, sbom};
use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

/// Compiles the module and makes the wheel.
pub(super) fn make(shop: &Workshop<'_>, platform: &Platform) -> Result<PathBuf> {
    let packages = Packages::of_library(shop.workspace, platform, "speech-python")?;
    write_licences(shop, platform, &packages)?;
    let out = shop.folder("module")?;
    let list = list(shop.workspace, platform, &packages, &out)?;
    let mut maturin = shop.program("maturin");
    maturin.args(["build", "--locked", "--manifest-path"]).arg(manifest(shop));
    maturin.arg("--out").arg(&out).arg("--sbom-include").arg(list);
    maturin
        .args(["--profile", shop.workspace.profile(), "--target", platform.triple()])
        .current_dir(shop.workspace.root());
    maturin.env("CARGO_TARGET_DIR", shop.workspace.target());
    match platform.system() {
        System::Glibc => {
            maturin.args(["--compatibility", &manylinux(), "--auditwheel", "check"]);
        }
        System::Musl => {
            maturin.args(["--compatibility", MUSLLINUX, "--auditwheel", "skip"]);
        }
        System::MacOs | System::Ios | System::IosSimulator | System::Windows | System::Android => {}
    }
    compile::set_up(&mut maturin, shop.workspace, platform, &packages)?;
    process::shown(&mut maturin)?;
    only(&out, ".whl")
}

/// Writes the licence texts where the project has them.
fn write_licences(shop: &Workshop<'_>, platform: &Platform, packages: &Packages) -> Result<()> {
    let tree = Tree::begin(&shop.workspace.python_package().join("licenses"))?;
    licences::write(&tree, ".", shop.workspace, platform, packages)?;
    tree.finish().map(drop)
}

/// Packs the sources.
pub(super) fn sources(shop: &Workshop<'_>) -> Result<PathBuf> {
    let out = shop.folder("sources")?;
    let item = Item::start("sources of the library");
    let mut maturin = shop.program("maturin");
    maturin.args(["sdist", "--manifest-path"]).arg(manifest(shop)).arg("--out").arg(&out);
    process::quiet(maturin.current_dir(shop.workspace.root()), &item)?;
    item.finish("");
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

fn manifest(shop: &Workshop<'_>) -> PathBuf {
    shop.workspace.python_package().join("Cargo.toml")
}

/// The list of components. That of maturin has paths of the machine in it.
fn list(
    workspace: &Workspace,
    platform: &Platform,
    packages: &Packages,
    folder: &Path,
) -> Result<PathBuf> {
    let path = folder.join("sbom.cdx.json");
    fs::write(&path, sbom::of_module(workspace, platform, packages)?)
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

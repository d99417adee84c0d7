//! Builds the wheel of the library and its sources with maturin.

use super::{program, scratch};
use crate::dist::compile::Build;
use crate::dist::packages::Packages;
use crate::dist::{Platform, VERSION, licences, sbom};
use crate::prelude::*;

/// Compiles the module and builds the wheel.
pub(super) fn make(platform: &Platform) -> Result<PathBuf> {
    let packages = Packages::of_library(platform, "speech-python")?;
    let licences = Tree::begin(&root().join("bindings/python/licenses"))?;
    licences::write(&licences, ".", platform, &packages)?;
    licences.finish()?;
    let out = scratch("module")?;
    // The SBOM that maturin writes contains paths of the machine.
    let list = out.join("sbom.cdx.json");
    fs::write(&list, sbom::of_module(platform, &packages)?)?;
    let mut maturin = program("maturin");
    maturin.args(["build", "--locked", "--manifest-path"]).arg(manifest());
    maturin.arg("--out").arg(&out).arg("--sbom-include").arg(list);
    let build = Build::of(platform, &packages)?;
    maturin.args(&build.options).current_dir(root()).env("CARGO_TARGET_DIR", target());
    build.set_on(&mut maturin);
    if platform.has_elf() {
        let processor = platform.triple().split('-').next().unwrap_or_default();
        let level = platform.of_wheel()?.trim_end_matches(processor).trim_end_matches('_');
        let audit = if platform.has_glibc() { "check" } else { "skip" };
        maturin.args(["--compatibility", level, "--auditwheel", audit]);
    }
    process::shown(maturin.arg("--").args(build.last))?;
    only(&out, ".whl")
}

/// Packs the sources.
pub(super) fn sources() -> Result<PathBuf> {
    let out = scratch("sources")?;
    let mut maturin = program("maturin");
    maturin.args(["sdist", "--manifest-path"]).arg(manifest()).arg("--out").arg(&out);
    process::titled("sources of the library", maturin.current_dir(root()))?;
    only(&out, ".tar.gz")
}

/// The file name of a wheel for a platform.
pub(crate) fn name(platform: &Platform) -> Result<String> {
    Ok(format!("libspeech_sdk-{VERSION}-cp311-abi3-{}.whl", platform.of_wheel()?))
}

fn manifest() -> PathBuf {
    root().join("bindings/python/Cargo.toml")
}

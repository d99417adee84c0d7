//! Checks the wheels before they are installed.

use super::{TOOLS, module, program, scratch};
use crate::bindings::{MODULE, VOICES, small};
use crate::dist::gates::{self, Kind};
use crate::dist::library::SharedLibrary;
use crate::dist::{Platform, compile};
use crate::prelude::*;

/// Checks the wheel of the library, which may have a matching wheel of voices. Maturin has checked
/// the platform tag of modules for glibc.
pub(super) fn module(platform: &Platform, wheel: &Path, with_voices: bool) -> Result<()> {
    small(wheel, MODULE)?;
    let folder = unpack(wheel, "module-files")?;
    let native = format!("_libspeech.{}", if platform.is_windows() { "pyd" } else { "abi3.so" });
    let native = format!("libspeech/{native}");
    let mut wanted = vec![&*native, "libspeech/py.typed", "libspeech/_libspeech.pyi"];
    wanted.extend(with_voices.then_some("libspeech/voices.txt"));
    wanted.extend(LICENCES);
    wanted.extend(["/rust-packages.txt", "/sboms/sbom.cdx.json"]);
    check(&folder, &wanted)?;
    // Checks that the module only uses functions of the stable ABI of Python 3.11.
    let mut audit = program("abi3audit");
    audit.args(["--strict", "--summary"]).arg(wheel);
    process::titled("stable ABI of Python 3.11", &mut audit)?;
    let library = SharedLibrary::read(&fs::read(folder.join(native))?)?;
    gates::shared_library(platform, &library, Kind::Python("_libspeech"))?;
    let name = name_of(wheel);
    ensure!(name == module::name(platform)?, "unexpected name of the wheel: {name}");
    Ok(())
}

const LICENCES: [&str; 3] = ["/LICENSE-APACHE", "/LICENSE-MIT", "/NOTICE"];

/// Checks the wheel of the voices that was built from `project`.
pub(super) fn voices(wheel: &Path, project: &Path) -> Result<()> {
    small(wheel, VOICES)?;
    let package = files::within(project, |_| true)?;
    let package = package.iter().map(String::as_str).filter(|name| name.contains('/'));
    check(&unpack(wheel, "voices-files")?, &package.chain(LICENCES).collect::<Vec<_>>())
}

fn unpack(wheel: &Path, name: &str) -> Result<PathBuf> {
    let folder = scratch(name)?;
    let mut python = TOOLS.python();
    process::shown(python.args(["-m", "zipfile", "--extract"]).arg(wheel).arg(&folder))?;
    Ok(folder)
}

/// Checks that the folder has files with these path endings, and that no file contains a path of
/// this machine.
fn check(folder: &Path, endings: &[&str]) -> Result<()> {
    let names = files::within(folder, |_| true)?;
    let is_missing = |ending: &&&str| !names.iter().any(|name| name.ends_with(**ending));
    let missing: Vec<_> = endings.iter().filter(is_missing).collect();
    ensure!(missing.is_empty(), "the wheel lacks files that end in {missing:?}");
    let private = compile::private_directories();
    // Weights are numbers, and may contain any bytes by chance.
    let mut others = names.iter().filter(|name| !name.ends_with(".safetensors"));
    others
        .try_for_each(|name| gates::no_private_paths(name, &fs::read(folder.join(name))?, &private))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_wheel_lacks_is_named_at_once() {
        let scratch = tempfile::tempdir().unwrap();
        fs::create_dir(scratch.path().join("a")).unwrap();
        fs::write(scratch.path().join("a/NOTICE"), "").unwrap();
        check(scratch.path(), &["a/NOTICE", "/NOTICE"]).unwrap();
        let error = check(scratch.path(), &["a/b", "/NOTICE", "/LICENSE-MIT"]).unwrap_err();
        assert!(error.to_string().contains(r#"["a/b", "/LICENSE-MIT"]"#), "{error}");
    }
}

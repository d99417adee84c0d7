//! What must be true of the wheels before anybody installs them.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{TOOLS, module, program, scratch};
use crate::bindings::{MODULE, VOICES, small};
use crate::dist::gates::{self, GLIBC, Kind};
use crate::dist::library::SharedLibrary;
use crate::dist::{Platform, compile};
use crate::prelude::*;

/// The module in a wheel.
fn native(platform: &Platform) -> &'static str {
    if platform.is_windows() { "libspeech/_libspeech.pyd" } else { "libspeech/_libspeech.abi3.so" }
}

/// Checks the wheel of the library, which may go with a wheel of voices.
pub(super) fn module(platform: &Platform, wheel: &Path, with_voices: bool) -> Result<()> {
    small(wheel, MODULE)?;
    let files = unpack(wheel, "module-files")?;
    files.require(&[native(platform), "libspeech/py.typed", "libspeech/_libspeech.pyi"])?;
    if with_voices {
        files.require(&["libspeech/voices.txt"])?;
    }
    files.require_endings(&[
        "/LICENSE-APACHE",
        "/LICENSE-MIT",
        "/NOTICE",
        "/rust-packages.txt",
        "/sboms/sbom.cdx.json",
    ])?;
    files.no_private_paths()?;
    abi3(wheel)?;
    let library = SharedLibrary::read(&files.read(native(platform))?)?;
    gates::shared_library(platform, &library, Kind::Python("_libspeech"))?;
    let name = name_of(wheel);
    ensure!(name == module::name(platform), "the wheel is called {name}");
    if platform.has_glibc() { manylinux(wheel) } else { Ok(()) }
}

/// Checks the wheel of the voices, which was made from a project.
pub(super) fn voices(wheel: &Path, project: &Path) -> Result<()> {
    small(wheel, VOICES)?;
    let files = unpack(wheel, "voices-files")?;
    let package = Files::of(project)?.names;
    let package: Vec<_> = package.iter().filter(|name| name.contains('/')).collect();
    files.require(&package)?;
    files.require_endings(&["/LICENSE-APACHE", "/LICENSE-MIT", "/NOTICE"])?;
    files.no_private_paths()
}

/// The tag says what is so: auditwheel agrees that a machine with this glibc has all that is needed.
fn manylinux(wheel: &Path) -> Result<()> {
    let mut auditwheel = program("auditwheel");
    let found: Audit =
        serde_json::from_slice(&process::printed(auditwheel.args(["show", "--json"]).arg(wheel))?)
            .context("cannot read what auditwheel says")?;
    found.agrees()
}

/// What auditwheel says of a wheel.
#[derive(Deserialize)]
struct Audit {
    overall_tag: String,
    unsupported_isa: bool,
    external_libs: serde_json::Map<String, serde_json::Value>,
}

impl Audit {
    fn agrees(&self) -> Result<()> {
        let needed = minor(self.overall_tag.strip_prefix("manylinux_2_"));
        let claimed = minor(GLIBC.strip_prefix("2."));
        let fits = needed.is_some_and(|needed| Some(needed) <= claimed);
        ensure!(
            fits,
            "auditwheel says that the wheel is {}, no manylinux of glibc {GLIBC}",
            self.overall_tag
        );
        ensure!(!self.unsupported_isa, "auditwheel says that not every processor runs the module");
        let libraries: Vec<_> = self.external_libs.keys().collect();
        ensure!(libraries.is_empty(), "auditwheel says that the module needs {libraries:?}");
        Ok(())
    }
}

/// The number that a text begins with.
fn minor(text: Option<&str>) -> Option<u32> {
    text?.split('_').next()?.parse().ok()
}

/// The module calls only what every Python from 3.11 on has.
fn abi3(wheel: &Path) -> Result<()> {
    let mut audit = program("abi3audit");
    process::titled("stable ABI of Python 3.11", audit.args(["--strict", "--summary"]).arg(wheel))
}

/// An unpacked wheel.
struct Files {
    folder: PathBuf,
    names: BTreeSet<String>,
}

fn unpack(wheel: &Path, name: &str) -> Result<Files> {
    let folder = scratch(name)?;
    let mut python = TOOLS.python();
    process::shown(python.args(["-m", "zipfile", "--extract"]).arg(wheel).arg(&folder))?;
    Files::of(&folder)
}

impl Files {
    fn of(folder: &Path) -> Result<Self> {
        let names = digest::of_folder(folder, |_| true)?.into_keys();
        let names = names.filter(|name| !name.ends_with('/')).collect();
        Ok(Files { folder: folder.to_path_buf(), names })
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        Ok(fs::read(self.folder.join(name))?)
    }

    fn require(&self, names: &[impl AsRef<str>]) -> Result<()> {
        let names = names.iter().map(AsRef::as_ref);
        refuse_missing(names.filter(|&name| !self.names.contains(name)).collect())
    }

    fn require_endings(&self, endings: &[&str]) -> Result<()> {
        let has = |ending: &str| self.names.iter().any(|name| name.ends_with(ending));
        refuse_missing(endings.iter().copied().filter(|ending| !has(ending)).collect())
    }

    fn no_private_paths(&self) -> Result<()> {
        let private = compile::private_directories();
        self.names
            .iter()
            // Weights are numbers; any bytes may be among them.
            .filter(|name| !name.ends_with(".safetensors"))
            .try_for_each(|name| gates::no_private_paths(name, &self.read(name)?, &private))
    }
}

fn refuse_missing(missing: Vec<&str>) -> Result<()> {
    if !missing.is_empty() {
        bail!("files are missing in the wheel: {missing:?}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audit(tag: &str, isa: bool, libraries: &str) -> Result<()> {
        let json = format!(
            r#"{{"overall_tag": "{tag}", "unsupported_isa": {isa}, "external_libs": {libraries},
                 "version": 1}}"#
        );
        serde_json::from_str::<Audit>(&json).unwrap().agrees()
    }

    #[test]
    fn the_tag_may_promise_no_more_than_is_so() {
        audit("manylinux_2_28_x86_64", false, "{}").unwrap();
        audit("manylinux_2_17_aarch64", false, "{}").unwrap();
        let wrong = [
            ("manylinux_2_34_x86_64", false, "{}"),
            ("linux_x86_64", false, "{}"),
            ("manylinux_2_28_x86_64", true, "{}"),
            ("manylinux_2_28_x86_64", false, r#"{"libssl.so.3": null}"#),
        ];
        for (tag, isa, libraries) in wrong {
            assert!(audit(tag, isa, libraries).is_err(), "{tag} {isa} {libraries}");
        }
    }

    #[test]
    fn what_a_wheel_lacks_is_named_at_once() {
        let scratch = tempfile::tempdir().unwrap();
        fs::create_dir(scratch.path().join("a")).unwrap();
        fs::write(scratch.path().join("a/NOTICE"), "").unwrap();
        let files = Files::of(scratch.path()).unwrap();
        files.require(&["a/NOTICE"]).unwrap();
        files.require_endings(&["/NOTICE"]).unwrap();
        let error = files.require(&["a/b", "a/NOTICE", "NOTICE"]).unwrap_err().to_string();
        assert!(error.contains(r#"["a/b", "NOTICE"]"#), "{error}");
        assert!(files.require_endings(&["/LICENSE-MIT"]).is_err());
    }
}

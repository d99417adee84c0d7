//! The ONNX Runtime library: taken out of the pinned Python package, so that the library which
//! runs the model here is the one that checked it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cache::Cache;
use crate::digest;
use crate::download;
use crate::process;
use crate::progress::{Item, megabytes};
use crate::python;
use crate::sources::{self, Source};
use crate::workspace::Workspace;

/// What has to be shipped with the library.
pub(crate) const LICENCES: [&str; 2] = ["LICENSE", "ThirdPartyNotices.txt"];

/// Makes sure that the library is in the cache and undamaged, and returns its path. Needs the
/// cache's lock; needs no Python when the library is there.
pub(crate) fn ensure(workspace: &Workspace, cache: &Cache) -> Result<PathBuf> {
    let version = version(workspace)?;
    let name = file_name(env::consts::OS, &version);
    let library = cache.runtime(&version).join(&name);
    let item = || Item::start(format!("ONNX Runtime {version}"));
    ensure_file(workspace, &Path::new("capi").join(&name), &library, item)?;
    Ok(library)
}

/// The same for its licence and those of what is in it; returns the directory that they are in.
pub(crate) fn ensure_licences(workspace: &Workspace, cache: &Cache) -> Result<PathBuf> {
    let directory = cache.runtime(&version(workspace)?);
    for name in LICENCES {
        let item = || Item::start(format!("{name} of ONNX Runtime"));
        ensure_file(workspace, Path::new(name), &directory.join(name), item)?;
    }
    Ok(directory)
}

/// Makes sure that an ONNX Runtime of another version is in the cache, which a test loads beside the
/// library's own, and returns its path. `None` on platforms where that is not tested. Needs the cache's
/// lock.
pub(crate) fn ensure_other(workspace: &Workspace, cache: &Cache) -> Result<Option<PathBuf>> {
    let wheels = sources::read(&workspace.xtask().join("other-runtime.json"))?;
    let Some(wheel) = wheel_for(&wheels, env::consts::OS, env::consts::ARCH) else {
        return Ok(None);
    };
    let name = file_name(env::consts::OS, &wheel.version);
    let library = cache.runtime(&wheel.version).join(&name);
    if digest::matches_stamp(&library)? {
        return Ok(Some(library));
    }
    let wheel = download::ensure_one(workspace, cache, wheel)?;
    let extracted = library.with_extension("extracted");
    make_parent(&extracted)?;
    let mut python = python::system()?;
    python.args(["-c", EXTRACT]).arg(wheel).arg(format!("onnxruntime/capi/{name}")).arg(&extracted);
    process::shown(&mut python)?;
    fs::rename(&extracted, &library)
        .with_context(|| format!("cannot write {}", library.display()))?;
    digest::stamp(&library)?;
    Ok(Some(library))
}

/// Copies one file out of a wheel.
const EXTRACT: &str = "import shutil, sys, zipfile; \
                       wheel, member, file = sys.argv[1:]; \
                       shutil.copyfileobj(zipfile.ZipFile(wheel).open(member), open(file, 'wb'))";

fn wheel_for<'a>(wheels: &'a [Source], os: &str, arch: &str) -> Option<&'a Source> {
    let platform = format!("_{arch}.whl");
    wheels.iter().find(|wheel| {
        os == "linux" && wheel.file.contains("manylinux") && wheel.file.ends_with(&platform)
    })
}

/// The pinned version.
pub(crate) fn version(workspace: &Workspace) -> Result<String> {
    python::pinned_version(&workspace.bundle_tool().join("requirements.txt"), "onnxruntime")
}

fn ensure_file(
    workspace: &Workspace,
    member: &Path,
    file: &Path,
    item: impl Fn() -> Item,
) -> Result<()> {
    if digest::matches_stamp(file)? {
        return Ok(());
    }
    let venv = python::bundle_venv(workspace);
    venv.ensure()?;
    let item = item();
    copy(&venv.package("onnxruntime")?.join(member), file)?;
    digest::stamp(file)?;
    item.finish(&megabytes(fs::metadata(file)?.len()));
    Ok(())
}

fn copy(origin: &Path, file: &Path) -> Result<()> {
    let context = || format!("cannot copy {} to {}", origin.display(), file.display());
    let partial = file.with_extension("partial");
    make_parent(file)?;
    fs::copy(origin, &partial).with_context(context)?;
    fs::rename(&partial, file).with_context(context)
}

fn make_parent(file: &Path) -> Result<()> {
    let Some(directory) = file.parent() else { return Ok(()) };
    fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))
}

fn file_name(os: &str, version: &str) -> String {
    match os {
        "windows" => "onnxruntime.dll".to_owned(),
        "macos" => format!("libonnxruntime.{version}.dylib"),
        _ => format!("libonnxruntime.so.{version}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_per_system() {
        assert_eq!(file_name("linux", "1.28.0"), "libonnxruntime.so.1.28.0");
        assert_eq!(file_name("macos", "1.28.0"), "libonnxruntime.1.28.0.dylib");
        assert_eq!(file_name("windows", "1.28.0"), "onnxruntime.dll");
    }

    #[test]
    fn the_other_runtime_is_another_one() {
        let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
        let wheels = sources::read(&xtask.join("other-runtime.json")).unwrap();
        let ours = python::pinned_version(&xtask.join("../bundle/requirements.txt"), "onnxruntime");
        let ours = ours.unwrap();
        for (arch, tag) in
            [("x86_64", "manylinux_2_28_x86_64"), ("aarch64", "manylinux_2_28_aarch64")]
        {
            let wheel = wheel_for(&wheels, "linux", arch).unwrap();
            assert!(wheel.file.contains(tag) && wheel.version != ours, "{wheel:?}");
        }
        assert_eq!(wheel_for(&wheels, "macos", "x86_64"), None);
    }
}

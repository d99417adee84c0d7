//! The ONNX Runtime library: taken out of the pinned Python package, so that the library which
//! runs the model here is the one that checked it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cache::Cache;
use crate::digest;
use crate::progress::{Item, megabytes};
use crate::python;
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
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory).with_context(context)?;
    }
    fs::copy(origin, &partial).with_context(context)?;
    fs::rename(&partial, file).with_context(context)
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
        assert_eq!(file_name("linux", "1.31.1"), "libonnxruntime.so.1.31.1");
        assert_eq!(file_name("macos", "1.31.1"), "libonnxruntime.1.31.1.dylib");
        assert_eq!(file_name("windows", "1.31.1"), "onnxruntime.dll");
    }
}

//! The ONNX Runtime library: taken out of the pinned Python package, so that the library which
//! runs the model here is the one that checked it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::cache::Cache;
use crate::digest;
use crate::progress::{Item, megabytes};
use crate::python::{self, Venv};
use crate::workspace::Workspace;

/// Makes sure that the library is in the cache and undamaged, and returns its path. Needs the
/// cache's lock; needs no Python when the library is there.
pub(crate) fn ensure(workspace: &Workspace, cache: &Cache) -> Result<PathBuf> {
    let version = pinned_version(&workspace.bundle_tool().join("requirements.txt"))?;
    let directory = cache.runtime(&version);
    let name = file_name(env::consts::OS, &version);
    let library = directory.join(&name);
    if digest::matches_stamp(&library)? {
        return Ok(library);
    }
    let venv = python::bundle_venv(workspace);
    venv.ensure()?;
    let item = Item::start(format!("ONNX Runtime {version}"));
    let origin = package_directory(&venv)?.join("capi").join(&name);
    copy(&origin, &library)?;
    digest::stamp(&library)?;
    item.finish(&megabytes(fs::metadata(&library)?.len()));
    Ok(library)
}

fn copy(origin: &Path, library: &Path) -> Result<()> {
    let context = || format!("cannot copy {} to {}", origin.display(), library.display());
    let partial = library.with_extension("partial");
    if let Some(directory) = library.parent() {
        fs::create_dir_all(directory).with_context(context)?;
    }
    fs::copy(origin, &partial).with_context(context)?;
    fs::rename(&partial, library).with_context(context)
}

fn package_directory(venv: &Venv) -> Result<PathBuf> {
    let script = "import importlib.util as u; \
                  print(u.find_spec('onnxruntime').submodule_search_locations[0])";
    let mut command: Command = venv.python();
    let output = command.args(["-c", script]).output().context("cannot run Python")?;
    if !output.status.success() {
        bail!(
            "the Python environment has no onnxruntime:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

fn pinned_version(requirements: &Path) -> Result<String> {
    let text = fs::read_to_string(requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    find_version(&text)
        .map(str::to_owned)
        .with_context(|| format!("{} does not pin onnxruntime", requirements.display()))
}

fn find_version(requirements: &str) -> Option<&str> {
    let pin = requirements.lines().find_map(|line| line.trim().strip_prefix("onnxruntime=="))?;
    pin.split(|c: char| c.is_whitespace() || c == ';' || c == '\\').next()
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
    fn the_version_is_read_from_the_pin() {
        let requirements = "# onnxruntime==0\nnumpy==2.4.6 \\\n    --hash=sha256:00\n\
                            onnxruntime==1.31.1 \\\n    --hash=sha256:00\n";
        assert_eq!(find_version(requirements), Some("1.31.1"));
        assert_eq!(find_version("onnxruntime==1.31.1 ; python_version >= '3'"), Some("1.31.1"));
        assert_eq!(find_version("onnx==1.19.0\nonnxruntime-gpu==1.31.1"), None);
    }

    #[test]
    fn names_per_system() {
        assert_eq!(file_name("linux", "1.31.1"), "libonnxruntime.so.1.31.1");
        assert_eq!(file_name("macos", "1.31.1"), "libonnxruntime.1.31.1.dylib");
        assert_eq!(file_name("windows", "1.31.1"), "onnxruntime.dll");
    }
}

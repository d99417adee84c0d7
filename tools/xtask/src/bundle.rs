//! The voice bundle: made by the Python tool in `tools/bundle`, and kept in the cache under a key of
//! everything that it depends on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::cache::Cache;
use crate::digest;
use crate::dist::licences;
use crate::dist::pack::recompress;
use crate::dist::tree::Tree;
use crate::download;
use crate::npm;
use crate::process;
use crate::progress::{Item, megabytes, note};
use crate::python::{self, Venv};
use crate::workspace::Workspace;

const DESCRIPTION: &str = "bundle.json";

/// A bundle that is complete and undamaged.
#[derive(Debug)]
pub(crate) struct Bundle {
    directory: PathBuf,
}

impl Bundle {
    /// The bundle of this repository, from the published model or from the given export of it.
    /// Makes it when it is not in the cache or is damaged there. Needs the cache's lock.
    pub(crate) fn ensure(
        workspace: &Workspace,
        cache: &Cache,
        model: Option<&Path>,
    ) -> Result<Self> {
        let model = model.map(std::path::absolute).transpose()?;
        let key = key(&workspace.bundle_tool(), model.as_deref())?;
        let directory = cache.bundles().join(key);
        if !intact(&directory)? {
            if directory.exists() {
                note("the voice bundle is damaged and will be made again");
            }
            make(workspace, cache, model.as_deref(), &directory)?;
        }
        Ok(Bundle { directory })
    }

    /// Fails if the bundle of this repository is still to be made and a program is missing that makes it.
    pub(crate) fn require_programs(workspace: &Workspace, cache: &Cache) -> Result<()> {
        if !cache.bundles().join(key(&workspace.bundle_tool(), None)?).exists() {
            python::find()?;
            npm::command()?;
        }
        Ok(())
    }

    /// One that was made before.
    pub(crate) fn at(directory: PathBuf) -> Self {
        Bundle { directory }
    }

    /// The bytes of its files.
    pub(crate) fn size(&self) -> Result<u64> {
        Ok(described_files(&self.directory)?.values().map(|file| file.size).sum())
    }

    /// Where it is.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file of tensors that the tests of the network compare it with, which the published model makes. Makes it when it
    /// is not there or damaged. Needs the cache's lock.
    pub(crate) fn ensure_reference(&self, workspace: &Workspace, cache: &Cache) -> Result<PathBuf> {
        let mut path = self.directory.clone().into_os_string();
        path.push(".reference.safetensors");
        let path = PathBuf::from(path);
        if !digest::matches_stamp(&path)? {
            let mut tool = tool_in(&python::test_venv(workspace), workspace, "reference")?;
            tool.arg("--downloads").arg(download::ensure_all(workspace, cache)?);
            tool.arg("--bundle").arg(&self.directory).arg("--out").arg(&path);
            let item = Item::start("running the published model for the tests");
            process::quiet(&mut tool, &item).context("the reference of the tests was not made")?;
            digest::stamp(&path)?;
            item.finish("");
        }
        Ok(path)
    }

    /// A copy with weights in larger steps, which is packed a quarter smaller, and the licences. The library loads it as any
    /// other.
    pub(crate) fn compacted(&self, workspace: &Workspace) -> Result<Self> {
        self.derived(workspace, "compact-voices", "compact", &[])
    }

    /// A copy with some of its qualities, and the licences.
    pub(crate) fn with_qualities(
        &self,
        workspace: &Workspace,
        qualities: &[String],
    ) -> Result<Self> {
        let options: Vec<_> =
            ["--qualities"].into_iter().chain(qualities.iter().map(String::as_str)).collect();
        let folder = format!("{}-voices", qualities.join("-"));
        self.derived(workspace, &folder, "subset", &options)
    }

    /// A copy that a command of the bundle tool makes, and the licences.
    fn derived(
        &self,
        workspace: &Workspace,
        folder: &str,
        command: &str,
        options: &[&str],
    ) -> Result<Self> {
        let tree = Tree::begin(&workspace.target().join(folder))?;
        licences::write_own(&tree, ".", workspace)?;
        let mut tool = tool(workspace, command)?;
        tool.arg("--bundle").arg(&self.directory).arg("--out").arg(tree.path(".")?);
        let item = Item::start(format!("making the bundle {folder}"));
        process::quiet(tool.args(options), &item).context("the bundle could not be made")?;
        item.finish("");
        Ok(Bundle { directory: tree.finish()? })
    }

    /// Writes the bundle to a directory, or to one file if its name ends in `.tar` or `.tar.gz`, and gives that.
    pub(crate) fn write_to(&self, workspace: &Workspace, out: &Path) -> Result<PathBuf> {
        let name = out.to_string_lossy();
        if name.ends_with(".tar") {
            return self.write_tar(out);
        }
        if !name.ends_with(".tar.gz") {
            return Ok(self.copy_to(out)?.directory);
        }
        // Beside its place, under a name that is nobody's.
        let tar = self.write_tar(Path::new(&format!("{name}.partial")))?;
        let packed = recompress(workspace, &tar)?;
        fs::rename(packed, out).with_context(|| format!("cannot write {}", out.display()))?;
        fs::remove_file(&tar).with_context(|| format!("cannot remove {}", tar.display()))?;
        Ok(out.to_owned())
    }

    /// Writes the bundle as a tar file, which has the same bytes whenever it is made.
    pub(crate) fn write_tar(&self, file: &Path) -> Result<PathBuf> {
        let context = || format!("cannot write {}", file.display());
        let mut archive = tar::Builder::new(fs::File::create(file).with_context(context)?);
        archive.mode(tar::HeaderMode::Deterministic);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.directory).with_context(context)? {
            names.push(entry.with_context(context)?.file_name());
        }
        names.sort();
        for name in names {
            archive
                .append_path_with_name(self.directory.join(&name), &name)
                .with_context(context)?;
        }
        archive.finish().with_context(context)?;
        Ok(file.to_owned())
    }

    /// Copies the bundle; a bundle that is there is replaced.
    pub(crate) fn copy_to(&self, out: &Path) -> Result<Self> {
        let out = std::path::absolute(out)?;
        let context = || format!("cannot write the bundle to {}", out.display());
        let foreign = out.exists() && !out.join(DESCRIPTION).exists() && !is_empty(&out);
        ensure!(!foreign, "{} has other files in it: choose another directory", out.display());
        let mut partial = out.clone().into_os_string();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        clear(&partial).with_context(context)?;
        fs::create_dir_all(&partial).with_context(context)?;
        let files = described_files(&self.directory)?;
        for name in files.keys().map(String::as_str).chain([DESCRIPTION]) {
            fs::copy(self.directory.join(name), partial.join(name)).with_context(context)?;
        }
        clear(&out).with_context(context)?;
        fs::rename(&partial, &out).with_context(context)?;
        Ok(Bundle { directory: out })
    }
}

/// A command of the bundle tool, in its environment.
pub(crate) fn tool(workspace: &Workspace, command: &str) -> Result<Command> {
    tool_in(&python::bundle_venv(workspace), workspace, command)
}

fn tool_in(venv: &Venv, workspace: &Workspace, command: &str) -> Result<Command> {
    venv.ensure()?;
    let mut tool = venv.python();
    tool.args(["-m", "bundle", command]);
    tool.env("PYTHONPATH", workspace.python_path()).env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(tool)
}

fn make(
    workspace: &Workspace,
    cache: &Cache,
    model: Option<&Path>,
    directory: &Path,
) -> Result<()> {
    // Only another model has to be run.
    let venv = if model.is_some() { python::test_venv } else { python::bundle_venv };
    let downloads = download::ensure_all(workspace, cache)?;
    let mut tool = tool_in(&venv(workspace), workspace, "build")?;
    clear_away(&cache.bundles(), directory)?;
    let item = Item::start("making the voice bundle");
    tool.arg("--downloads").arg(downloads).arg("--out").arg(directory);
    if let Some(model) = model {
        tool.arg("--model").arg(model);
    }
    process::quiet(&mut tool, &item).context("the voice bundle could not be made")?;
    digest::stamp(&directory.join(DESCRIPTION))?;
    item.finish(&megabytes(Bundle::at(directory.to_owned()).size()?));
    Ok(())
}

/// Removes the damaged bundle, and what a killed run of the tool left beside it.
fn clear_away(bundles: &Path, directory: &Path) -> Result<()> {
    let context = || format!("cannot clear {}", bundles.display());
    fs::create_dir_all(bundles).with_context(context)?;
    for entry in fs::read_dir(bundles).with_context(context)? {
        let entry = entry.with_context(context)?;
        if entry.path() == directory || entry.file_name().to_string_lossy().starts_with('.') {
            clear(&entry.path()).with_context(context)?;
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Description {
    files: BTreeMap<String, DescribedFile>,
}

#[derive(Deserialize)]
struct DescribedFile {
    size: u64,
    sha256: String,
}

fn described_files(directory: &Path) -> Result<BTreeMap<String, DescribedFile>> {
    let path = directory.join(DESCRIPTION);
    let context = || format!("cannot read {}", path.display());
    let text = fs::read_to_string(&path).with_context(context)?;
    let description: Description = serde_json::from_str(&text).with_context(context)?;
    Ok(description.files)
}

/// Whether every file of a bundle is what it was when it was made.
fn intact(directory: &Path) -> Result<bool> {
    if !digest::matches_stamp(&directory.join(DESCRIPTION))? {
        return Ok(false);
    }
    for (name, file) in described_files(directory)? {
        let path = directory.join(name);
        let size = fs::metadata(&path).map(|metadata| metadata.len()).ok();
        if size != Some(file.size) || digest::of_file(&path)?.as_ref() != Some(&file.sha256) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A short digest of everything that decides the bytes of a bundle.
fn key(tool: &Path, model: Option<&Path>) -> Result<String> {
    let mut inputs = digest::of_folder(tool, decides_bytes)?;
    ensure!(inputs.contains_key("sources.json"), "{} has no sources.json", tool.display());
    if let Some(model) = model {
        let digest = digest::of_file(model)?
            .with_context(|| format!("there is no model {}", model.display()))?;
        inputs.insert("--model".to_owned(), digest);
    }
    Ok(digest::of_listing(&inputs)[..16].to_owned())
}

/// Whether the bytes of a bundle depend on a file of the tool; or on any file in a folder, whose path ends in a slash.
fn decides_bytes(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    if path.ends_with('/') {
        return name != "tests" && !name.starts_with(['.', '_']);
    }
    [".py", ".json", ".safetensors"].iter().any(|end| name.ends_with(end))
        || name == "requirements.txt"
}

/// Removes a directory with all that is in it, or a file.
fn clear(path: &Path) -> std::io::Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(directory: &Path) {
        fs::create_dir_all(directory.join("rewrites")).unwrap();
        for name in
            ["build.py", "rewrites/style.py", "recipes.json", "sources.json", "a.safetensors"]
        {
            fs::write(directory.join(name), name).unwrap();
        }
        fs::write(directory.join("requirements.txt"), "numpy==2.4.6").unwrap();
    }

    #[test]
    fn the_key_follows_what_decides_the_bytes() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = scratch.path().join("bundle");
        tool(&directory);
        let original = key(&directory, None).unwrap();
        assert_eq!(original.len(), 16);
        assert_eq!(key(&directory, None).unwrap(), original);
        let names = ["build.py", "rewrites/style.py", "recipes.json", "a.safetensors"];
        for name in names.into_iter().chain(["sources.json", "requirements.txt"]) {
            let path = directory.join(name);
            let contents = fs::read(&path).unwrap();
            fs::write(&path, "changed").unwrap();
            assert_ne!(key(&directory, None).unwrap(), original, "{name}");
            fs::write(&path, contents).unwrap();
        }
        fs::rename(directory.join("build.py"), directory.join("built.py")).unwrap();
        assert_ne!(key(&directory, None).unwrap(), original, "a file that has another name");
    }

    #[test]
    fn the_key_ignores_the_rest() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = scratch.path().join("bundle");
        tool(&directory);
        let original = key(&directory, None).unwrap();
        for name in ["tests/test_build.py", "__pycache__/build.py", ".cache/a.json", "README.md"] {
            let path = directory.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "new").unwrap();
        }
        assert_eq!(key(&directory, None).unwrap(), original);
    }

    #[test]
    fn another_model_is_another_bundle() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = scratch.path().join("bundle");
        tool(&directory);
        let model = scratch.path().join("model.onnx");
        let error = key(&directory, Some(&model)).unwrap_err();
        assert!(error.to_string().contains("model.onnx"), "{error}");
        fs::write(&model, "fp16").unwrap();
        let fp16 = key(&directory, Some(&model)).unwrap();
        fs::write(&model, "fp32").unwrap();
        let fp32 = key(&directory, Some(&model)).unwrap();
        assert_ne!(fp16, fp32);
        assert_ne!(fp16, key(&directory, None).unwrap());
    }

    fn made(directory: &Path) -> Bundle {
        fs::create_dir_all(directory).unwrap();
        fs::write(directory.join("prosody.safetensors"), "weights").unwrap();
        let digest = digest::of_bytes(b"weights");
        let text = format!(
            r#"{{"files": {{"prosody.safetensors": {{"size": 7, "sha256": "{digest}"}}}}}}"#
        );
        fs::write(directory.join(DESCRIPTION), text).unwrap();
        digest::stamp(&directory.join(DESCRIPTION)).unwrap();
        Bundle { directory: directory.to_path_buf() }
    }

    #[test]
    fn damage_is_found() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = scratch.path().join("key");
        assert!(!intact(&directory).unwrap(), "missing");
        made(&directory);
        assert!(intact(&directory).unwrap());
        for (name, contents) in [
            ("prosody.safetensors", "weight"),
            ("prosody.safetensors", "weightt"),
            (DESCRIPTION, "{}"),
        ] {
            fs::write(directory.join(name), contents).unwrap();
            assert!(!intact(&directory).unwrap(), "{name}: {contents}");
            made(&directory);
        }
        fs::remove_file(directory.join("prosody.safetensors")).unwrap();
        assert!(!intact(&directory).unwrap(), "a file is missing");
    }

    #[test]
    fn only_unfinished_work_is_cleared_away() {
        let scratch = tempfile::tempdir().unwrap();
        let bundles = scratch.path().join("bundle");
        for name in ["damaged", ".damaged-x1", "other"] {
            made(&bundles.join(name));
        }
        fs::write(bundles.join(".damaged.reference.safetensors.partial"), "ten").unwrap();
        clear_away(&bundles, &bundles.join("damaged")).unwrap();
        let mut left: Vec<_> =
            fs::read_dir(&bundles).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.retain(|name| bundles.join(name).is_dir());
        assert_eq!(left, ["other"]);
        assert!(!bundles.join(".damaged.reference.safetensors.partial").exists());
        assert!(intact(&bundles.join("other")).unwrap());
    }

    #[test]
    fn copies_replace_bundles_only() {
        let scratch = tempfile::tempdir().unwrap();
        let bundle = made(&scratch.path().join("key"));
        let out = scratch.path().join("out");
        bundle.copy_to(&out).unwrap();
        fs::write(out.join("prosody.safetensors"), "older").unwrap();
        let copy = bundle.copy_to(&out).unwrap();
        assert_eq!(
            fs::read_to_string(copy.directory().join("prosody.safetensors")).unwrap(),
            "weights"
        );

        let archives =
            ["one.tar", "other.tar"].map(|name| bundle.write_tar(&scratch.path().join(name)));
        let [one, other] = archives.map(|archive| fs::read(archive.unwrap()).unwrap());
        assert_eq!(one, other);

        let documents = scratch.path().join("documents");
        fs::create_dir(&documents).unwrap();
        fs::write(documents.join("letter"), "dear").unwrap();
        assert!(bundle.copy_to(&documents).is_err());
        assert!(documents.join("letter").exists());
    }
}

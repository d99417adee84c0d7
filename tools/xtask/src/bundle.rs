//! Builds the voice bundle with the Python tool in `tools/bundle`. The cache keeps it under a key
//! that depends on all inputs.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::dist::licences;
use crate::dist::pack::recompress;
use crate::needs::{self, Need, require};
use crate::prelude::*;

const DESCRIPTION: &str = "bundle.json";

/// A complete and undamaged bundle.
#[derive(Debug)]
pub(crate) struct Bundle {
    directory: PathBuf,
}

impl Bundle {
    /// Returns the bundle of this repository, made from the published model or from another export
    /// of it. Builds it if it is missing or damaged. Needs the cache's lock.
    pub(crate) fn ensure(model: Option<&Path>) -> Result<Self> {
        let model = model.map(std::path::absolute).transpose()?;
        let directory = cache::bundles()?.join(key(&tool_folder(), model.as_deref())?);
        if !intact(&directory) {
            if directory.exists() {
                note("the voice bundle is damaged; making it again");
            }
            make(model.as_deref(), &directory)?;
        }
        Ok(Bundle { directory })
    }

    /// Fails if the bundle must be built and a program for that is missing.
    pub(crate) fn require_programs() -> Result<()> {
        if cache::bundles()?.join(key(&tool_folder(), None)?).exists() {
            return Ok(());
        }
        require(&[Need::AnyPython, needs::NPM])
    }

    /// An existing bundle.
    pub(crate) fn at(directory: PathBuf) -> Self {
        Bundle { directory }
    }

    /// The total size of its files in bytes.
    pub(crate) fn size(&self) -> Result<u64> {
        Ok(described_files(&self.directory)?.values().map(|file| file.size).sum())
    }

    /// The path of the bundle.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the file of reference tensors for the tests of the network, computed by the
    /// published model. Creates it if it is missing or damaged. Needs the cache's lock.
    pub(crate) fn ensure_reference(&self) -> Result<PathBuf> {
        let path = files::with_ending(&self.directory, ".reference.safetensors");
        if !digest::matches_stamp(&path) {
            let mut tool = tool(&python::TEST, "reference")?;
            tool.arg("--downloads").arg(download::ensure_all()?);
            tool.arg("--bundle").arg(&self.directory).arg("--out").arg(&path);
            process::titled("running the published model for the tests", &mut tool)
                .context("cannot compute the reference output for the tests")?;
            digest::stamp(&path)?;
        }
        Ok(path)
    }

    /// A copy with weights rounded to larger steps, which compresses a quarter smaller, and the
    /// licenses. The library loads it like any other bundle.
    pub(crate) fn compacted(&self) -> Result<Self> {
        self.derived("compact-voices", "compact", &[])
    }

    /// A copy with some of the qualities, and the licenses.
    pub(crate) fn with_qualities(&self, qualities: &[String]) -> Result<Self> {
        let options = ["--qualities"].into_iter().chain(qualities.iter().map(String::as_str));
        let options: Vec<_> = options.collect();
        self.derived(&format!("{}-voices", qualities.join("-")), "subset", &options)
    }

    /// A copy that a command of the bundle tool makes, and the licenses.
    fn derived(&self, folder: &str, command: &str, options: &[&str]) -> Result<Self> {
        let tree = Tree::begin(&target().join(folder))?;
        licences::write_own(&tree, ".")?;
        let mut tool = tool(&python::BUNDLE, command)?;
        tool.arg("--bundle").arg(&self.directory).arg("--out").arg(tree.path(".")?);
        process::titled(format!("making the bundle {folder}"), tool.args(options))
            .context("cannot make the bundle")?;
        Ok(Bundle { directory: tree.finish()? })
    }

    /// Writes the bundle to a directory, or to one file if the name ends in `.tar` or `.tar.gz`.
    /// Returns its path.
    pub(crate) fn write_to(&self, out: &Path) -> Result<PathBuf> {
        let name = name_of(out);
        if name.ends_with(".tar") {
            return self.write_tar(out);
        }
        if !name.ends_with(".tar.gz") {
            return Ok(self.copy_to(out)?.directory);
        }
        // A temporary file beside the final one.
        let tar = self.write_tar(&files::with_ending(out, ".partial"))?;
        fs::rename(recompress(&tar)?, out)?;
        remove(&tar)?;
        Ok(out.to_owned())
    }

    /// Writes the bundle as a reproducible tar file.
    pub(crate) fn write_tar(&self, file: &Path) -> Result<PathBuf> {
        let context = || format!("cannot write {}", file.display());
        let mut archive = tar::Builder::new(fs::File::create(file)?);
        archive.mode(tar::HeaderMode::Deterministic);
        for path in listed(&self.directory)? {
            archive.append_path_with_name(&path, name_of(&path)).with_context(context)?;
        }
        archive.finish().with_context(context)?;
        Ok(file.to_owned())
    }

    /// Copies the bundle; replaces an existing bundle.
    pub(crate) fn copy_to(&self, out: &Path) -> Result<Self> {
        let out = std::path::absolute(out)?;
        let is_ours = out.join(DESCRIPTION).exists() || listed(&out).is_ok_and(|it| it.is_empty());
        ensure!(
            !out.exists() || is_ours,
            "{} contains files that are not a voice bundle: choose another directory",
            out.display()
        );
        let tree = Tree::begin(&out)?;
        for name in
            described_files(&self.directory)?.keys().map(String::as_str).chain([DESCRIPTION])
        {
            tree.copy(&self.directory.join(name), name)?;
        }
        Ok(Bundle { directory: tree.finish()? })
    }
}

/// A command of the bundle tool in a virtual environment.
pub(crate) fn tool(venv: &Venv, command: &str) -> Result<Command> {
    venv.ensure()?;
    let mut tool = venv.module("bundle");
    tool.arg(command);
    Ok(tool)
}

fn tool_folder() -> PathBuf {
    root().join("tools/bundle")
}

fn make(model: Option<&Path>, directory: &Path) -> Result<()> {
    let downloads = download::ensure_all()?;
    // Only another model is run, which needs more packages.
    let mut tool = tool(if model.is_some() { &python::TEST } else { &python::BUNDLE }, "build")?;
    clear_away(&cache::bundles()?, directory)?;
    let item = Item::start("making the voice bundle");
    tool.arg("--downloads").arg(downloads).arg("--out").arg(directory);
    if let Some(model) = model {
        tool.arg("--model").arg(model);
    }
    process::quiet(&mut tool, &item).context("cannot make the voice bundle")?;
    digest::stamp(&directory.join(DESCRIPTION))?;
    item.finish(&megabytes(Bundle::at(directory.to_owned()).size()?));
    Ok(())
}

/// Removes a damaged bundle, and temporary files of interrupted runs.
fn clear_away(bundles: &Path, directory: &Path) -> Result<()> {
    for path in listed(&made(bundles.to_owned())?)? {
        if path == directory || name_of(&path).starts_with('.') {
            remove(&path)?;
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
    let description: Description = serde_json::from_str(&fs::read_to_string(&path)?)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(description.files)
}

/// Whether every file of a bundle still has its recorded digest.
fn intact(directory: &Path) -> bool {
    let is_intact = |(name, file): (String, DescribedFile)| {
        let path = directory.join(name);
        let size = fs::metadata(&path).map(|metadata| metadata.len());
        size.is_ok_and(|size| size == file.size)
            && digest::of_file(&path).is_ok_and(|digest| digest == file.sha256)
    };
    digest::matches_stamp(&directory.join(DESCRIPTION))
        && described_files(directory).is_ok_and(|files| files.into_iter().all(is_intact))
}

/// A short digest of all inputs that determine the bytes of a bundle.
fn key(tool: &Path, model: Option<&Path>) -> Result<String> {
    let mut inputs = digest::of_folder(tool, decides_bytes)?;
    ensure!(inputs.contains_key("sources.json"), "{} has no sources.json", tool.display());
    if let Some(model) = model {
        inputs.insert("--model".to_owned(), digest::of_file(model)?);
    }
    Ok(digest::of_listing(&inputs)[..16].to_owned())
}

/// Whether a file of the tool affects the bytes of a bundle. A path with a trailing slash means any
/// file of a folder.
fn decides_bytes(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    if path.ends_with('/') {
        return name != "tests" && !name.starts_with(['.', '_']);
    }
    [".py", ".json", ".safetensors"].iter().any(|end| name.ends_with(end))
        || name == "requirements.txt"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_follows_what_decides_the_bytes() {
        let scratch = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = scratch.path().join("bundle").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let model = scratch.path().join("model.onnx");
        let key = |model| key(&scratch.path().join("bundle"), model);
        let decisive = ["build.py", "rewrites/style.py", "a.json", "a.safetensors"];
        let decisive = decisive.into_iter().chain(["sources.json", "requirements.txt"]);
        decisive.clone().for_each(|name| write(name, name));
        let original = key(None).unwrap();
        assert_eq!(original.len(), 16);
        for name in decisive {
            write(name, "changed");
            assert_ne!(key(None).unwrap(), original, "{name}");
            write(name, name);
        }
        for name in ["tests/test_build.py", "__pycache__/build.py", ".cache/a.json", "README.md"] {
            write(name, "new");
        }
        assert_eq!(key(None).unwrap(), original);

        let error = key(Some(&model)).unwrap_err();
        assert!(error.to_string().contains("model.onnx"), "{error}");
        fs::write(&model, "fp16").unwrap();
        let fp16 = key(Some(&model)).unwrap();
        fs::write(&model, "fp32").unwrap();
        assert!(fp16 != key(Some(&model)).unwrap() && fp16 != original);
    }

    fn bundle(directory: &Path) -> Bundle {
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
        assert!(!intact(&directory), "missing");
        bundle(&directory);
        assert!(intact(&directory));
        for (name, contents) in [
            ("prosody.safetensors", "weight"),
            ("prosody.safetensors", "weightt"),
            (DESCRIPTION, "{}"),
        ] {
            fs::write(directory.join(name), contents).unwrap();
            assert!(!intact(&directory), "{name}: {contents}");
            bundle(&directory);
        }
        fs::remove_file(directory.join("prosody.safetensors")).unwrap();
        assert!(!intact(&directory), "a file is missing");
    }

    #[test]
    fn only_unfinished_work_is_cleared_away() {
        let scratch = tempfile::tempdir().unwrap();
        let bundles = scratch.path().join("bundle");
        for name in ["damaged", ".damaged-x1", "other"] {
            bundle(&bundles.join(name));
        }
        fs::write(bundles.join(".damaged.reference.safetensors.partial"), "ten").unwrap();
        clear_away(&bundles, &bundles.join("damaged")).unwrap();
        let left: Vec<_> = listed(&bundles).unwrap().iter().map(|path| name_of(path)).collect();
        assert_eq!(left, ["other"]);
        assert!(intact(&bundles.join("other")));
    }

    #[test]
    fn copies_replace_bundles_only() {
        let scratch = tempfile::tempdir().unwrap();
        let bundle = bundle(&scratch.path().join("key"));
        let out = scratch.path().join("out");
        bundle.copy_to(&out).unwrap();
        fs::write(out.join("prosody.safetensors"), "older").unwrap();
        let copy = bundle.copy_to(&out).unwrap().directory;
        assert_eq!(fs::read_to_string(copy.join("prosody.safetensors")).unwrap(), "weights");

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

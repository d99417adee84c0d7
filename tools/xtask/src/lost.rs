//! Checks that the text front end loses no text, on a million generated texts, and on READMEs,
//! changelogs and other documents of the project's dependencies.

use serde_json::Value;

use crate::prelude::*;

/// The number of generated texts.
const GENERATED: &str = "1000000";

/// The maximum size of a document in bytes. Longer ones are tables and licenses.
const LONGEST: u64 = 200_000;

/// Runs the check, which takes some minutes.
pub(crate) fn run() -> Result<()> {
    let eval = || Command::new(workspace::release_program("speech-eval"));
    let documents = documents()?;
    ensure!(documents.len() > 100, "found only {} Markdown files of dependencies", documents.len());
    process::shown(eval().arg("lost").args(&documents))?;
    process::shown(eval().args(["lost", "--generated", GENERATED]))
}

/// The Markdown files at the top of the packages that Cargo unpacked for the workspace.
fn documents() -> Result<Vec<PathBuf>> {
    let mut metadata = workspace::cargo("metadata");
    let metadata = process::printed(metadata.args(["--locked", "--format-version", "1"]))?;
    let metadata: Value =
        serde_json::from_slice(&metadata).context("cannot parse the output of `cargo metadata`")?;
    let packages = metadata["packages"].as_array().context("`cargo metadata` has no packages")?;
    let mut documents = Vec::new();
    for package in packages.iter().filter(|package| !package["source"].is_null()) {
        let manifest = package["manifest_path"]
            .as_str()
            .context("`cargo metadata` has a package without a manifest")?;
        let Some(folder) = Path::new(manifest).parent().filter(|folder| folder.is_dir()) else {
            continue;
        };
        for path in listed(folder)? {
            if name_of(&path).ends_with(".md") && fs::metadata(&path)?.len() < LONGEST {
                documents.push(path);
            }
        }
    }
    documents.sort();
    Ok(documents)
}

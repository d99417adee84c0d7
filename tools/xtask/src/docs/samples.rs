//! The recordings on the site: our voices, the same sentences by other engines, and difficult
//! texts.

use super::Site;
use crate::needs::{self, require};
use crate::prelude::*;

/// The environment with the other engines and an audio encoder.
static VENV: Venv = Venv::new("venv-samples", "research/samples/requirements.txt");

/// Records the samples unless they are up to date, and returns their folder.
pub(super) fn ensure(artifacts: &Artifacts, site: &Site) -> Result<PathBuf> {
    let out = site.work.join("samples");
    let program = workspace::release_program("speech");
    let mut inputs = digest::of_folder(&root().join("research/samples"), |path| {
        [".py", ".json", ".txt"].iter().any(|end| path.ends_with(end))
    })?;
    inputs.insert("bundle".to_owned(), artifacts.bundle().display().to_string());
    inputs.insert("speech".to_owned(), digest::of_file(&program)?);
    files::once(&out.join("inputs.sha256"), &digest::of_listing(&inputs), || {
        require(&[needs::ESPEAK])?;
        VENV.ensure()?;
        note("speaking the samples of the site");
        let mut python = VENV.module("samples");
        python.arg("--speech").arg(program).arg("--downloads").arg(download::ensure_all_locked()?);
        process::shown(artifacts.set_on(python.arg("--out").arg(&out)))
    })?;
    Ok(out)
}

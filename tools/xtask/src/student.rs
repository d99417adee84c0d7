//! `cargo xtask student`: trains the small networks, in the environment of what measures the voices, which has PyTorch.

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::artifacts::Artifacts;
use crate::cache::Cache;
use crate::download;
use crate::process;
use crate::python;
use crate::workspace::Workspace;

#[derive(Clone, Copy, ValueEnum)]
enum Task {
    /// Train the decoder, or with `-- --part prosody` the prosody, from where it was left.
    Train,
    /// Measure it beside the large one, on sentences that nothing was chosen on.
    Judge,
}

#[derive(Args)]
pub(crate) struct Student {
    task: Task,
    /// Options of the script, such as `-- --minutes 30`.
    #[arg(last = true)]
    options: Vec<String>,
}

impl Student {
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        let venv = python::voices_venv(workspace);
        venv.ensure()?;
        let artifacts = Artifacts::to_speak(workspace, cache)?;
        let mut build = workspace.cargo("build");
        process::shown(build.args(["--release", "--package", "speech-teacher"]))?;
        let work = workspace.target().join("student");
        let mut python = venv.python();
        python
            .args(["-m", "student", "--teacher"])
            .arg(workspace.release_program("speech-teacher"));
        python.arg("--bundle").arg(artifacts.bundle()).arg("--work").arg(&work);
        match self.task {
            Task::Train => {
                python.arg("train");
            }
            Task::Judge => {
                let lock = cache.lock()?;
                let models = workspace.voices_tool().join("models.json");
                let downloads = download::ensure_listed(workspace, cache, &models)?;
                drop(lock);
                process::shown(&mut workspace.build_speech())?;
                python.arg("judge").arg("--speech").arg(workspace.release_program("speech"));
                python.arg("--downloads").arg(downloads);
            }
        }
        python.args(&self.options).env("PYTHONPATH", workspace.python_path());
        process::shown(python.env("PYTHONDONTWRITEBYTECODE", "1"))
    }
}

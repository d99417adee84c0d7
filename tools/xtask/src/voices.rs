//! `cargo xtask voices`: which recipes the voices have, chosen and measured with programs that listen.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::artifacts::Artifacts;
use crate::bundle;
use crate::cache::Cache;
use crate::download;
use crate::process;
use crate::progress::note;
use crate::python;
use crate::workspace::Workspace;

#[derive(Clone, Copy, ValueEnum)]
enum Task {
    /// Search for recipes, and write those of the best five and the tables of what was tried. Takes hours, and goes
    /// on where it was interrupted.
    Choose,
    /// Measure the voices on sentences that nothing was chosen on, and write the table.
    Judge,
    /// Measure what the rounding of the weights to one byte costs, and write the table.
    Rounding,
    /// Measure how coarsely the weights can be stored, and write the table.
    Compact,
    /// Measure whole paragraphs with several pauses between sentences, and write the table.
    Paragraphs,
    /// Listen to every consonant of Hindi, and write the table of what is heard for each.
    Consonants,
    /// Speak a text by every voice in both languages, as Opus in Ogg.
    Samples,
}

#[derive(Args)]
pub(crate) struct Voices {
    task: Task,
    /// Where samples are written [default: `voices/samples` under target].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Options of the script, such as `-- --part choice`.
    #[arg(last = true)]
    options: Vec<String>,
}

/// Writes the model in float32, unless it is there.
fn write_float_model(workspace: &Workspace, downloads: &Path, out: &Path) -> Result<()> {
    if out.join("vocabulary.json").exists() {
        return Ok(());
    }
    let mut tool = bundle::tool(workspace, "float")?;
    process::shown(tool.arg("--downloads").arg(downloads).arg("--out").arg(out))
}

impl Voices {
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        let venv = python::voices_venv(workspace);
        venv.ensure()?;
        let artifacts = Artifacts::to_speak(workspace, cache)?;
        let lock = cache.lock()?;
        download::ensure_all(workspace, cache)?;
        let models = workspace.voices_tool().join("models.json");
        let downloads = download::ensure_listed(workspace, cache, &models)?;
        drop(lock);
        process::shown(&mut workspace.build_speech())?;
        let work = workspace.target().join("voices");
        let mut python = venv.python();
        python.args(["-m", "voices", "--speech"]).arg(workspace.release_program("speech"));
        python.arg("--bundle").arg(artifacts.bundle());
        python.arg("--downloads").arg(&downloads).arg("--models").arg(&downloads);
        python.arg("--work").arg(&work);
        match self.task {
            Task::Choose => {
                note("this takes hours; what is measured is kept, and not measured again");
                python.arg("choose");
            }
            Task::Judge => {
                python.arg("judge");
            }
            Task::Rounding => {
                python.arg("rounding");
            }
            Task::Compact => {
                python.arg("compact");
            }
            Task::Paragraphs => {
                let model = work.join("float");
                write_float_model(workspace, &downloads, &model)?;
                python.args(["paragraphs", "--model"]).arg(model);
            }
            Task::Consonants => {
                python.arg("consonants");
            }
            Task::Samples => {
                let out = match &self.out {
                    Some(out) => std::path::absolute(out).context("not a path")?,
                    None => work.join("samples"),
                };
                python.args(["samples", "--out"]).arg(out);
            }
        }
        python.args(&self.options).env("PYTHONPATH", workspace.python_path());
        // A process each measures; within one, threads only hinder.
        python.env("OMP_NUM_THREADS", "1").env("OPENBLAS_NUM_THREADS", "1");
        process::shown(python.env("PYTHONDONTWRITEBYTECODE", "1"))
    }
}

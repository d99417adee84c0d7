//! `cargo xtask compare`: the speed and the quality of this library beside those of other engines, on this machine.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::artifacts::Artifacts;
use crate::bindings::web;
use crate::cache::Cache;
use crate::download;
use crate::npm;
use crate::process;
use crate::programs;
use crate::progress::note;
use crate::python::{self, Venv};
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Compare {
    /// Numbers of threads.
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1,2")]
    threads: Vec<NonZeroU32>,
    /// Numbers of sessions that speak at once, with one thread each.
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1,2,4")]
    sessions: Vec<NonZeroU32>,
    /// How often each engine is started.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroU32,
    /// How often an engine speaks each text, after once that is not timed.
    #[arg(long, value_name = "N", default_value = "2")]
    runs: NonZeroU32,
    /// Some of the configurations, such as kokoro-onnx,piper; our default is always among them.
    #[arg(long, value_name = "NAME,NAME")]
    only: Option<String>,
    /// Speed alone: do not record the engines and predict listening scores, which takes the 7 GB environment of
    /// `cargo xtask voices`. Then there are tables and no plot.
    #[arg(long)]
    no_quality: bool,
    /// Measure nothing: write the table and the plot of the last run again.
    #[arg(long)]
    draw: bool,
    /// Measure the web package beside kokoro-js in Chromium instead, with one thread and with two. `cargo xtask web` makes the
    /// package.
    #[arg(long, conflicts_with_all = ["threads", "sessions", "only", "no_quality", "draw"])]
    browser: bool,
    /// Where compare.json, .md, .png, .svg and the recordings are written [default: `compare` under target].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Compare {
    /// Installs the other engines in an environment of their own, builds the `speech` program, and
    /// runs them in turn.
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        let venv = python::compare_venv(workspace);
        venv.ensure()?;
        let out = match &self.out {
            Some(out) => std::path::absolute(out).context("not a path")?,
            None => workspace.target().join("compare"),
        };
        if self.browser {
            return self.run_in_browser(workspace, cache, &venv, &out);
        }
        if self.draw {
            return process::shown(&mut tool(workspace, &venv, "draw", &out));
        }
        // What is missing is found before half an hour of measuring.
        let kokoro_pi = python::kokoro_pi_venv(workspace);
        if let Some(kokoro_pi) = &kokoro_pi {
            kokoro_pi.ensure()?;
        }
        let judge = (!self.no_quality).then(|| python::voices_venv(workspace));
        if let Some(judge) = &judge {
            judge.ensure()?;
        }
        let artifacts = Artifacts::to_speak(workspace, cache)?;
        let lock = cache.lock()?;
        let downloads = download::ensure_all(workspace, cache)?;
        drop(lock);
        process::shown(&mut workspace.build_speech())?;
        note("measuring takes a while; nothing else should be running");
        let mut measure = tool(workspace, &venv, "run", &out);
        measure
            .arg("--speech")
            .arg(workspace.release_program("speech"))
            .arg("--downloads")
            .arg(downloads)
            .arg("--work")
            .arg(workspace.target().join("compare-inputs"))
            .args(self.settings());
        if let Some(kokoro_pi) = &kokoro_pi {
            measure.arg("--kokoro-pi").arg(kokoro_pi.program("python"));
        }
        if judge.is_some() {
            measure.arg("--record");
        }
        process::shown(artifacts.set_on(&mut measure))?;
        if let Some(judge) = &judge {
            note("predicting listening scores");
            process::shown(&mut tool(workspace, judge, "judge", &out))?;
        }
        process::shown(&mut tool(workspace, &venv, "draw", &out))
    }

    fn run_in_browser(
        &self,
        workspace: &Workspace,
        cache: &Cache,
        venv: &Venv,
        out: &Path,
    ) -> Result<()> {
        let (package, [voices, _]) = web::made(workspace)?;
        let lock = cache.lock()?;
        let downloads = download::ensure_all(workspace, cache)?;
        drop(lock);
        let sources = workspace.root().join("research").join("compare");
        let work = workspace.target().join("compare-browser");
        npm::install("kokoro-js", &sources.join("browser"), &work)?;
        let kokoro = work.join("kokoro");
        let mut files = tool(workspace, venv, "browser", &kokoro);
        process::shown(files.arg("--downloads").arg(downloads))?;
        std::fs::create_dir_all(out).with_context(|| out.display().to_string())?;
        note("measuring takes half an hour; nothing else should be running");
        let mut measure = Command::new("node");
        programs::set_chromium(&mut measure)?;
        measure.arg(work.join("measure.mjs")).arg(package).arg(voices).arg(kokoro);
        measure.arg(sources.join("texts.json")).arg(out.join("browser.json"));
        measure.args(["--rounds", &self.rounds.to_string(), "--runs", &self.runs.to_string()]);
        process::shown(&mut measure)
    }

    fn settings(&self) -> Vec<String> {
        let (rounds, runs) = (self.rounds.to_string(), self.runs.to_string());
        let mut settings = vec!["--threads".to_owned(), listed(&self.threads)];
        settings.extend(["--sessions".to_owned(), listed(&self.sessions)]);
        settings.extend(["--rounds".to_owned(), rounds, "--runs".to_owned(), runs]);
        if let Some(only) = &self.only {
            settings.extend(["--only".to_owned(), only.clone()]);
        }
        settings
    }
}

fn listed(numbers: &[NonZeroU32]) -> String {
    numbers.iter().map(NonZeroU32::to_string).collect::<Vec<_>>().join(",")
}

fn tool(workspace: &Workspace, venv: &Venv, command: &str, out: &Path) -> Command {
    let mut python = venv.python();
    python
        .args(["-m", "compare", command, "--out"])
        .arg(out)
        .env("PYTHONPATH", workspace.python_path())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

//! `cargo xtask load`: the HTTP service under load, on this machine.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::artifacts::Artifacts;
use crate::process;
use crate::progress::note;
use crate::python;
use crate::serve;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Load {
    /// Where load.json and load.md are written [default: `load` under target].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Options of the script, such as `-- --clients 1,8`.
    #[arg(last = true)]
    options: Vec<String>,
}

impl Load {
    pub(crate) fn run(&self, workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
        let venv = python::load_venv(workspace);
        venv.ensure()?;
        serve::build(workspace)?;
        let out = match &self.out {
            Some(out) => std::path::absolute(out).context("not a path")?,
            None => workspace.target().join("load"),
        };
        note("measuring takes a while; nothing else should be running");
        let mut python = venv.python();
        python.args(["-m", "load", "--program"]).arg(workspace.release_program("speech-http"));
        python.arg("--out").arg(out).args(&self.options);
        python.env("PYTHONPATH", workspace.python_path());
        process::shown(artifacts.set_on(python.env("PYTHONDONTWRITEBYTECODE", "1")))
    }
}

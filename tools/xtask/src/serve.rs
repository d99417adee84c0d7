//! `cargo xtask serve`: the HTTP service, with a key to try it with.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::artifacts::Artifacts;
use crate::process;
use crate::programs;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Serve {
    /// Options of `speech-http serve`, such as `-- --listen 127.0.0.1:9000`.
    #[arg(last = true)]
    pub(crate) options: Vec<String>,
}

impl Serve {
    /// Builds the service and runs it, until it is interrupted.
    pub(crate) fn run(&self, workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
        build(workspace)?;
        process::shown(&mut self.command(workspace, artifacts)?)
    }

    /// The service, with its record under the target directory.
    pub(crate) fn command(&self, workspace: &Workspace, artifacts: &Artifacts) -> Result<Command> {
        let folder = workspace.target().join("serve");
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let mut serve = Command::new(workspace.release_program("speech-http"));
        serve.args(["serve", "--demo", "--usage"]).arg(folder.join("usage.db"));
        artifacts.set_on(serve.args(&self.options));
        Ok(serve)
    }
}

/// Makes the service, whose database is written in C.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    programs::require_compiler()?;
    process::shown(workspace.cargo("build").args(["--release", "--package", "speech-http"]))
}

//! `cargo xtask serve`: runs the HTTP service with a demonstration key.

use crate::needs::{self, require};
use crate::prelude::*;

#[derive(Args)]
pub(crate) struct Serve {
    /// Options of `speech-http serve`, such as `-- --listen 127.0.0.1:9000`.
    #[arg(last = true)]
    pub(crate) options: Vec<String>,
}

impl Serve {
    /// Builds the service and runs it until it is interrupted.
    pub(crate) fn run(&self, artifacts: &Artifacts) -> Result<()> {
        build()?;
        process::shown(&mut self.command(artifacts)?)
    }

    /// A command for the service, with its database under the target directory.
    pub(crate) fn command(&self, artifacts: &Artifacts) -> Result<Command> {
        let folder = made(target().join("serve"))?;
        let mut serve = Command::new(workspace::release_program("speech-http"));
        serve.args(["serve", "--demo", "--usage"]).arg(folder.join("usage.db"));
        artifacts.set_on(serve.args(&self.options));
        Ok(serve)
    }
}

/// Builds the service, whose database is written in C.
pub(crate) fn build() -> Result<()> {
    require(&[needs::CC])?;
    process::shown(workspace::cargo("build").args(["--release", "--package", "speech-http"]))
}

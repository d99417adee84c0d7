//! The HTTP service as strangers meet it: tried by the line that it prints, by a browser, and by what reads its OpenAPI
//! document.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::artifacts::Artifacts;
use crate::process;
use crate::serve::{self, Serve};
use crate::workspace::Workspace;

/// The service, started as [`Serve`] does it but at any free port, and stopped when this is dropped.
#[derive(Debug)]
pub(crate) struct Demonstration {
    child: Child,
    /// What it printed: where it listens, a line of curl, and the key.
    said: String,
}

impl Demonstration {
    pub(crate) fn start(workspace: &Workspace, artifacts: &Artifacts) -> Result<Self> {
        serve::build(workspace)?;
        let serve = Serve { options: vec!["--listen".into(), "127.0.0.1:0".into()] };
        let mut command = serve.command(workspace, artifacts)?;
        let mut child = command.stdout(Stdio::piped()).spawn().context("cannot run speech-http")?;
        let output = BufReader::new(child.stdout.take().context("it has no output")?);
        let mut demonstration = Self { child, said: String::new() };
        for line in output.lines() {
            demonstration.said += &(line? + "\n");
            // The last line is that of the page.
            if demonstration.said.contains("open http") {
                return Ok(demonstration);
            }
        }
        bail!("the service did not start")
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> Result<&str> {
        let url = self.said.lines().next().and_then(|line| line.strip_prefix("listening on "));
        url.context("the service does not say where it listens")
    }

    pub(crate) fn key(&self) -> Result<&str> {
        self.said.split_whitespace().next_back().context("the service shows no key")
    }

    /// Runs the line that people are shown, in a folder, and looks at what it brings.
    pub(crate) fn follow(&self, folder: &Path) -> Result<()> {
        let wav = folder.join("hello.wav");
        let line = self.said.split("\n\n").nth(1).context("the service shows no line of curl")?;
        let mut shell = Command::new("sh");
        process::shown(shell.args(["-eu", "-c", line.trim()]).current_dir(folder))?;
        let bytes = fs::read(&wav).with_context(|| wav.display().to_string())?;
        ensure!(
            bytes.starts_with(b"RIFF") && bytes.len() > 22_050,
            "the line of curl does not speak"
        );
        Ok(())
    }
}

impl Drop for Demonstration {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

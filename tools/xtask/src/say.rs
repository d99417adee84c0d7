//! `cargo xtask say`: from a fresh clone to a sound file.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use clap::Args;

use crate::artifacts::Artifacts;
use crate::process;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Say {
    /// The text to speak.
    text: String,
    /// The wav file to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The voice; without it, the default one.
    #[arg(long)]
    voice: Option<String>,
    /// The language of the text, such as en-US; without it, the default one.
    #[arg(long)]
    language: Option<String>,
}

impl Say {
    /// The first command of the README.
    pub(crate) fn hello(output: PathBuf) -> Self {
        Self { text: "Hello, world.".into(), output, voice: None, language: None }
    }

    /// Builds the `speech` program and has it speak.
    pub(crate) fn run(&self, workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
        let mut build = workspace.cargo("build");
        process::shown(build.args(["--release", "--package", "speech-cli", "--bin", "speech"]))?;
        self.speak(workspace, artifacts)
    }

    /// Has the program speak that was built last.
    pub(crate) fn speak(&self, workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
        let mut speech = Command::new(workspace.release_program("speech"));
        speech.arg("say").arg("-o").arg(&self.output);
        if let Some(voice) = &self.voice {
            speech.arg("--voice").arg(voice);
        }
        if let Some(language) = &self.language {
            speech.arg("--language").arg(language);
        }
        process::shown(artifacts.set_on(speech.arg("--").arg(&self.text)))
    }
}

//! Plays speech with an installed player.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail, ensure};
use speech_core::Format;
use tempfile::{NamedTempFile, TempPath};

use crate::output::{Output, remove_when_interrupted};

/// Players that read 16-bit mono samples from standard input during playback, with arguments except
/// the sample rate.
const OF_SAMPLES: [(&str, &[&str]); 3] = [
    ("paplay", &["--raw", "--format=s16le", "--channels=1", "--rate"]),
    ("aplay", &["-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r"]),
    ("ffplay", &["-nodisp", "-autoexit", "-loglevel", "error", "-f", "s16le", "-i", "-", "-ar"]),
];

/// Players of wav files; the path is the last argument. For PowerShell that argument is a comment,
/// and an environment variable has the path.
const OF_FILES: [(&str, &[&str]); 3] = [
    ("afplay", &[]),
    ("pw-play", &[]),
    (
        "powershell",
        &["-NoProfile", "-Command", "(New-Object Media.SoundPlayer $env:SPEECH_WAV).PlaySync() #"],
    ),
];

/// A running player.
pub(crate) struct Player {
    name: &'static str,
    program: PathBuf,
    arguments: &'static [&'static str],
    plays: Plays,
}

enum Plays {
    /// The player of samples, and its input while it runs.
    Samples(Option<Child>),
    /// A file to play once it is complete.
    File(TempPath),
}

impl Player {
    /// The first installed player.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let installed = |players: &[(&'static str, &'static [&'static str])]| {
            let mut players = players.iter();
            players
                .find_map(|(name, arguments)| Some((*name, which::which(name).ok()?, *arguments)))
        };
        if let Some((name, program, arguments)) = installed(&OF_SAMPLES) {
            return Ok(Self { name, program, arguments, plays: Plays::Samples(None) });
        }
        let Some((name, program, arguments)) = installed(&OF_FILES) else {
            bail!(
                "no audio player was found: install paplay (pulseaudio-utils), aplay (alsa-utils) or \
                 ffplay (ffmpeg)"
            );
        };
        let file = NamedTempFile::with_suffix(".wav")
            .context("cannot create a temporary file for the audio")?;
        let file = file.into_temp_path();
        remove_when_interrupted(&file);
        Ok(Self { name, program, arguments, plays: Plays::File(file) })
    }

    /// The destination of the audio, and its format.
    pub(crate) fn output(&mut self, sample_rate: u32) -> anyhow::Result<(Output, Format)> {
        let mut command = self.command();
        Ok(match &mut self.plays {
            Plays::Samples(running) => {
                let command = command.arg(sample_rate.to_string()).stdin(Stdio::piped());
                let mut child =
                    command.spawn().with_context(|| format!("cannot run {}", self.name))?;
                let input = child.stdin.take().context("the player has no standard input")?;
                *running = Some(child);
                (Output::to(self.name, Box::new(input)), Format::Pcm)
            }
            Plays::File(file) => (Output::create(Some(file))?, Format::Wav),
        })
    }

    /// Plays the written audio to its end.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let mut command = self.command();
        let status = match self.plays {
            Plays::Samples(running) => running.context("the player was not started")?.wait(),
            Plays::File(file) => command.arg(&*file).env("SPEECH_WAV", &*file).status(),
        };
        let status = status.with_context(|| format!("cannot run {}", self.name))?;
        ensure!(status.success(), "{} failed to play the audio: {status}", self.name);
        Ok(())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.arguments).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

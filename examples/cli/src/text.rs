//! Where the text comes from.

use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;

use anyhow::{Context, bail};
use speech_core::check_nul;

#[derive(clap::Args)]
pub(crate) struct TextArgs {
    /// The text; without it, standard input is read
    text: Option<String>,
    /// Read the text from a file (UTF-8)
    #[arg(long, short, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,
}

impl TextArgs {
    /// The text of the argument, the file or standard input. The line end that closes a file or an input
    /// is no part of it.
    ///
    /// A NUL character is refused here for `split` and `inspect` too, whose functions take any text.
    pub(crate) fn read(&self) -> anyhow::Result<String> {
        if let Some(text) = &self.text {
            // An argument of a program has no NUL character.
            return Ok(text.clone());
        }
        let mut text = String::new();
        if let Some(path) = &self.file {
            text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
        } else if io::stdin().is_terminal() {
            bail!("no text: give it as an argument, with --file, or on standard input");
        } else {
            io::stdin().read_to_string(&mut text).context("cannot read standard input as UTF-8")?;
        }
        let end =
            text.strip_suffix('\n').map_or(text.len(), |t| t.strip_suffix('\r').unwrap_or(t).len());
        text.truncate(end);
        check_nul("text", &text)?;
        Ok(text)
    }
}

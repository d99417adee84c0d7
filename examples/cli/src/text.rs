//! Reads the text from an argument, a file or standard input.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use same_file::Handle;
use speech_core::{Error, ErrorKind, MAX_CHARACTERS, count_characters};

use crate::output;

/// The maximum size of a lexicon file in bytes.
const MAX_FILE: usize = 64 << 20;

/// The most bytes read at once.
const BLOCK: usize = 64 << 10;

#[derive(clap::Args)]
pub(crate) struct TextArgs {
    /// The text [default: read from standard input]
    text: Option<String>,
    /// Read the text from a UTF-8 file; `-` is standard input
    #[arg(long, short, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,
}

impl TextArgs {
    /// The whole text, of at most `limit` bytes.
    pub(crate) fn read(&self, limit: usize) -> anyhow::Result<String> {
        let problem = || format!("the text is larger than the limit of {} MiB", limit >> 20);
        self.read_within(limit, str::len)?.with_context(problem)
    }

    /// The text of a request. For a longer text, reads one character beyond the limit.
    pub(crate) fn read_request(&self) -> anyhow::Result<String> {
        if let Some(text) = &self.text {
            return Ok(text.clone());
        }
        Ok(self.read_within(MAX_CHARACTERS, count_characters)?.ok_or_else(too_long)?)
    }

    /// The text, unless it is longer than a limit; reading stops there.
    fn read_within(
        &self,
        limit: usize,
        length: impl Fn(&str) -> usize,
    ) -> anyhow::Result<Option<String>> {
        let mut pieces = self.open()?;
        let (mut text, mut read) = (String::new(), 0);
        while read <= limit {
            let Some(piece) = pieces.read(limit + 1 - read)? else { return Ok(Some(text)) };
            read += length(&piece);
            text += &piece;
        }
        Ok(None)
    }

    /// The text in pieces, as they arrive.
    pub(crate) fn open(&self) -> anyhow::Result<Pieces> {
        let is_dash = self.file.as_deref() == Some(Path::new("-"));
        let (input, name): (Box<dyn Read + Send>, _) = match (&self.text, &self.file) {
            (Some(text), _) => {
                let mut pieces =
                    Pieces::new(Box::new(io::Cursor::new(text.clone())), "TEXT".into());
                pieces.keeps_line_end = true;
                return Ok(pieces);
            }
            (None, Some(path)) if !is_dash => {
                let name = path.display().to_string();
                (Box::new(open(path).with_context(|| format!("cannot read {name}"))?), name)
            }
            _ if !is_dash && io::stdin().is_terminal() => {
                bail!("no text: pass it as an argument, with --file, or on standard input")
            }
            _ => {
                // Without a standard input, reading reports the error.
                if let Ok(stdin) = Handle::stdin() {
                    output::keep(stdin).context("cannot read standard input")?;
                }
                (Box::new(io::stdin()), "standard input".to_owned())
            }
        };
        Ok(Pieces::new(input, name))
    }
}

/// The pieces of a UTF-8 text, without the line end that closes the file or the input.
///
/// Rejects NUL characters for `split` and `inspect` as well, whose library functions accept any
/// text.
pub(crate) struct Pieces {
    input: Box<dyn Read + Send>,
    /// The input's name for messages.
    name: String,
    keeps_line_end: bool,
    /// Bytes read but not returned yet: a partial character, or a line end that may be the last.
    held: Vec<u8>,
    /// The number of bytes returned.
    given: usize,
}

impl Pieces {
    fn new(input: Box<dyn Read + Send>, name: String) -> Self {
        Self { input, name, keeps_line_end: false, held: Vec::new(), given: 0 }
    }

    /// The next piece, of at most `at_most` bytes but at least one character; none at the end.
    ///
    /// # Errors
    ///
    /// `invalid_request` for a NUL character, and for invalid UTF-8.
    pub(crate) fn read(&mut self, at_most: usize) -> anyhow::Result<Option<String>> {
        let mut block = vec![0; at_most.clamp(1, BLOCK)];
        loop {
            let count = match self.input.read(&mut block) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.with_context(|| format!("cannot read {}", self.name))?,
            };
            self.held.extend_from_slice(&block[..count]);
            let whole = match str::from_utf8(&self.held) {
                Ok(text) => text,
                Err(error) if error.error_len().is_none() && count > 0 => {
                    str::from_utf8(&self.held[..error.valid_up_to()]).unwrap_or_default()
                }
                Err(error) => {
                    let at = self.given + error.valid_up_to();
                    return Err(refused(format!("text is not UTF-8 at byte {at}")));
                }
            };
            if let Some(at) = whole.find('\0') {
                let at = self.given + at;
                return Err(refused(format!("text has a NUL character at byte {at}")));
            }
            let text = if self.keeps_line_end { whole } else { without_line_end(whole, count > 0) };
            if count == 0 && text.is_empty() {
                self.held.clear();
                return Ok(None);
            }
            if !text.is_empty() {
                let text = text.to_owned();
                self.held.drain(..text.len());
                self.given += text.len();
                return Ok(Some(text));
            }
        }
    }
}

/// A text without its final line end; while more may follow, also without what may be the start of
/// one.
fn without_line_end(text: &str, may_go_on: bool) -> &str {
    let end = text.strip_suffix('\n').unwrap_or(text);
    if end.len() < text.len() || may_go_on { end.strip_suffix('\r').unwrap_or(end) } else { end }
}

/// The error for a text that was read only up to the limit.
pub(crate) fn too_long() -> Error {
    let message = format!("text has more characters than the limit of {MAX_CHARACTERS}");
    Error::new(ErrorKind::TextTooLong, message)
}

fn refused(message: String) -> anyhow::Error {
    Error::new(ErrorKind::InvalidRequest, message).into()
}

/// Opens a file, and protects it from being overwritten by an output.
fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    output::keep(Handle::from_file(file.try_clone()?)?)?;
    Ok(file)
}

/// The text of a file of at most [`MAX_FILE`] bytes.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<String> {
    let about = || format!("cannot read {}", path.display());
    let mut text = String::new();
    let file = open(path).with_context(about)?;
    file.take(MAX_FILE as u64 + 1).read_to_string(&mut text).with_context(about)?;
    if text.len() > MAX_FILE {
        bail!("{} is larger than the limit of {} MiB", path.display(), MAX_FILE >> 20);
    }
    Ok(text)
}

//! `speech say`.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use speech_core::{Chunk, Format, Request, Stream};

use crate::engine::EngineArgs;
use crate::text::TextArgs;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    text: TextArgs,
    /// Write to this file; `-` or nothing is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// aria, jason, john, leo or sofia
    #[arg(long, default_value = "aria")]
    voice: String,
    /// en-US or hi-IN
    #[arg(long, default_value = "en-US")]
    language: String,
    /// wav (one file) or pcm (raw 16-bit little-endian mono at 22,050 Hz, sentence by sentence)
    #[arg(long, default_value = "wav")]
    format: String,
    /// standard, or low: the first half second comes before the first sentence is computed; with pcm only
    #[arg(long, default_value = "standard")]
    latency: String,
    /// Read emoji by their names; without this they are skipped
    #[arg(long)]
    read_emoji: bool,
    /// Read Hindi that is typed in Latin letters as English
    #[arg(long)]
    no_romanized_hindi: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let request = Request::new(args.text.read()?)
        .voice(args.voice.parse()?)
        .language(args.language.parse()?)
        .format(args.format.parse()?)
        .latency(args.latency.parse()?)
        .read_emoji(args.read_emoji)
        .read_romanized_hindi(!args.no_romanized_hindi);
    // What is wrong with the request is known before anything is loaded or written.
    let request = request.validate()?;
    request.check_format()?;
    let path = args.output.as_deref().filter(|path| *path != Path::new("-"));
    if path.is_none() && io::stdout().is_terminal() {
        bail!("audio does not belong on a terminal: give -o FILE, or a pipe such as `| aplay`");
    }
    let engine = args.engine.load()?;
    let progress = Progress::new();
    if request.format() == Format::Pcm {
        let stream = progress.watch(engine.stream(request)?);
        let mut output = open(path)?;
        for chunk in stream {
            output.write_all(&chunk?.to_pcm())?;
            output.flush()?;
        }
    } else {
        let mut samples = Vec::new();
        for chunk in progress.watch(engine.stream(request)?) {
            samples.extend(chunk?.samples);
        }
        // Only now: a failure leaves no half a file.
        open(path)?.write_all(&speech_core::wav(&samples))?;
    }
    Ok(())
}

fn open(path: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    Ok(match path {
        Some(path) => Box::new(
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?,
        ),
        None => Box::new(io::stdout().lock()),
    })
}

/// A bar on standard error, if that is a terminal.
struct Progress(ProgressBar);

impl Progress {
    fn new() -> Self {
        if !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} sentences  {elapsed}");
        Self(ProgressBar::new(0).with_style(style.expect("a fixed template")))
    }

    fn watch(&self, stream: Stream) -> impl Iterator<Item = speech_core::Result<Chunk>> {
        let bar = self.0.clone();
        bar.set_length(stream.size_hint().1.unwrap_or_default() as u64);
        bar.enable_steady_tick(Duration::from_millis(100));
        stream.inspect(move |_| bar.inc(1))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

//! `speech say`.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use speech_core::{Chunk, Format, Request, ValidRequest};

use crate::engine::EngineArgs;
use crate::text::TextArgs;
use crate::timings::TimingArgs;

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
    /// How fast: a factor from 0.5 to 2
    #[arg(long, value_name = "FACTOR", default_value = "1")]
    rate: f64,
    /// How much higher, in semitones from -6 to 6
    #[arg(long, value_name = "SEMITONES", default_value = "0", allow_negative_numbers = true)]
    pitch: f64,
    /// How much louder, in decibels from -40 to 12
    #[arg(long, value_name = "DECIBELS", default_value = "0", allow_negative_numbers = true)]
    volume: f64,
    /// The text is a document of SSML 1.1
    #[arg(long)]
    ssml: bool,
    /// Read `[pause 500ms]` as it stands
    #[arg(long)]
    no_pauses: bool,
    /// Take a text of any length
    #[arg(long, conflicts_with = "ssml")]
    long: bool,
    /// Read emoji by their names; without this they are skipped
    #[arg(long)]
    read_emoji: bool,
    /// Read Hindi that is typed in Latin letters as English
    #[arg(long)]
    no_romanized_hindi: bool,
    #[command(flatten)]
    timings: TimingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let request = Request::new(args.text.read()?)
        .voice(args.voice.parse()?)
        .language(args.language.parse()?)
        .format(args.format.parse()?)
        .latency(args.latency.parse()?)
        .rate(args.rate)
        .pitch(args.pitch)
        .volume(args.volume)
        .ssml(args.ssml)
        .read_pauses(!args.no_pauses)
        .read_emoji(args.read_emoji)
        .read_romanized_hindi(!args.no_romanized_hindi);
    let mut timings = args.timings.open()?;
    // What is wrong with the request is known before anything is loaded or written.
    let speech =
        if args.long { Speech::Long(request.clone()) } else { Speech::Short(checked(&request)?) };
    let path = args.output.as_deref().filter(|path| *path != Path::new("-"));
    if path.is_none() && io::stdout().is_terminal() {
        bail!("audio does not belong on a terminal: give -o FILE, or a pipe such as `| aplay`");
    }
    let engine = args.engine.load()?;
    let text = request.text();
    let progress = Progress::new(text.len());
    let chunks: Box<dyn Iterator<Item = speech_core::Result<Chunk>>> = match speech {
        Speech::Short(request) => Box::new(engine.stream(request)?),
        Speech::Long(request) => Box::new(engine.stream_long(request)?),
    };
    let is_raw = args.format == Format::Pcm.as_str();
    let mut output = if is_raw { Some(open(path)?) } else { None };
    let mut samples = Vec::new();
    for chunk in chunks {
        let chunk = chunk?;
        progress.is_at(chunk.span.end);
        timings.add(text, &chunk)?;
        match &mut output {
            Some(output) => {
                output.write_all(&chunk.to_pcm())?;
                output.flush()?;
            }
            None => samples.extend(chunk.samples),
        }
    }
    if output.is_none() {
        // Only now: a failure leaves no half a file.
        open(path)?.write_all(&speech_core::wav(&samples))?;
    }
    timings.write(text, args.ssml)
}

/// A text that is within the limit of a request, or one of any length.
enum Speech {
    Short(ValidRequest),
    Long(Request),
}

fn checked(request: &Request) -> anyhow::Result<ValidRequest> {
    let request = request.validate()?;
    request.check_format()?;
    Ok(request)
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
    /// Of a text of so many bytes.
    fn new(bytes: usize) -> Self {
        if !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{bar:30} {percent} %  {elapsed}");
        let bar = ProgressBar::new(bytes as u64).with_style(style.expect("a fixed template"));
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    fn is_at(&self, byte: usize) {
        self.0.set_position(byte as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

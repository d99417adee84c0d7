//! `speech say`: speaks a text.

use std::io::{self, IsTerminal, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use speech_core::{Chunk, Encoding, Engine, Format, LiveText, Request, Step, Stream, wav_header};
use tempfile::{SpooledTempFile, spooled_tempfile};

use crate::engine::EngineArgs;
use crate::output::{Output, remove_drafts_when_interrupted, rewrite_start};
use crate::play::Player;
use crate::source::Source;
use crate::text::{Pieces, TextArgs};
use crate::timings::{TimingArgs, Timings};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    text: TextArgs,
    /// Write to this file; `-` is standard output [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Play the audio, during the computation if the player reads standard input
    #[arg(long, conflicts_with_all = ["output", "format", "encoding"])]
    play: bool,
    /// Voice: aria, jason, john, leo or sofia
    #[arg(long, default_value = "aria")]
    voice: String,
    /// Language: en-US or hi-IN
    #[arg(long, default_value = "en-US")]
    language: String,
    /// Format: wav (one file) or pcm (raw mono samples, streamed sentence by sentence)
    #[arg(long, default_value = "wav")]
    format: String,
    /// Latency: standard, or low, which returns the first half second early; for pcm only
    #[arg(long, default_value = "standard")]
    latency: String,
    /// Quality of the networks: auto, full, fast or light; a quality that the bundle lacks for the
    /// voice is an error
    #[arg(long, default_value = "auto")]
    quality: String,
    /// Sample rate: 8000, 16000, 22050, 24000, 44100 or 48000
    #[arg(long, value_name = "HERTZ", default_value = "22050")]
    sample_rate: u32,
    /// Sample format: pcm16 (16-bit little-endian), float32, mulaw or alaw
    #[arg(long, default_value = "pcm16")]
    encoding: String,
    /// Speaking rate: a factor from 0.5 to 2
    #[arg(long, value_name = "FACTOR", default_value = "1")]
    rate: f64,
    /// Pitch change in semitones, from -6 to 6
    #[arg(long, value_name = "SEMITONES", default_value = "0", allow_negative_numbers = true)]
    pitch: f64,
    /// Volume change in decibels, from -40 to 12
    #[arg(long, value_name = "DECIBELS", default_value = "0", allow_negative_numbers = true)]
    volume: f64,
    /// Read the text as an SSML 1.1 document
    #[arg(long)]
    ssml: bool,
    /// Read `[pause 500ms]` as ordinary text
    #[arg(long)]
    no_pauses: bool,
    /// Speak a text of any length while reading it
    #[arg(long, conflicts_with = "ssml")]
    long: bool,
    /// Read emoji by name instead of skipping them
    #[arg(long)]
    read_emoji: bool,
    /// Read Hindi in Latin letters as English
    #[arg(long)]
    no_romanized_hindi: bool,
    #[command(flatten)]
    timings: TimingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    // Reject an invalid request before loading anything, and settings that the bundle lacks before
    // writing anything.
    args.timings.check()?;
    // A player that reads samples gets each sentence once it is computed.
    let format = if args.play { Format::Pcm } else { args.format.parse()? };
    if args.long {
        let (request, pieces) = (args.request(String::new())?, args.text.open()?);
        let ((text, stream), mut speech) = args.begin(format, |engine| engine.live(request))?;
        speech.say_long(text, stream, pieces)?;
        return speech.finish();
    }
    let request = args.request(args.text.read_request()?)?;
    let valid = request.validate()?;
    valid.check_format(format)?;
    let (stream, mut speech) = args.begin(format, |engine| engine.stream(valid))?;
    speech.say(Source::Request(request), stream)?;
    speech.finish()
}

impl Args {
    fn request(&self, text: String) -> anyhow::Result<Request> {
        Ok(Request::new(text)
            .voice(self.voice.parse()?)
            .language(self.language.parse()?)
            .latency(self.latency.parse()?)
            .quality(self.quality.parse()?)
            .sample_rate(self.sample_rate)
            .encoding(self.encoding.parse()?)
            .rate(self.rate)
            .pitch(self.pitch)
            .volume(self.volume)
            .ssml(self.ssml)
            .read_pauses(!self.no_pauses)
            .read_emoji(self.read_emoji)
            .read_romanized_hindi(!self.no_romanized_hindi))
    }

    /// Loads an engine, starts a stream, and creates the output files.
    fn begin<S>(
        &self,
        format: Format,
        start: impl FnOnce(&Engine) -> speech_core::Result<S>,
    ) -> anyhow::Result<(S, Speech)> {
        let path = self.output.as_deref().filter(|path| *path != Path::new("-"));
        if path.is_none() && !self.play && io::stdout().is_terminal() {
            bail!("standard output is a terminal, not a file or a pipe: use --play or -o FILE");
        }
        let mut player = self.play.then(Player::find).transpose()?;
        let stream = start(&self.engine.load()?)?;
        remove_drafts_when_interrupted()?;
        let (output, format) = match &mut player {
            Some(player) => player.output(self.sample_rate)?,
            None => (Output::create(path)?, format),
        };
        let audio = Audio::create(output, format, self.sample_rate, self.encoding.parse()?)?;
        Ok((stream, Speech { audio, player, timings: self.timings.create()? }))
    }
}

/// The destination of speech.
struct Speech {
    audio: Audio,
    player: Option<Player>,
    timings: Timings,
}

impl Speech {
    fn say(&mut self, source: Source, chunks: Stream) -> anyhow::Result<()> {
        let progress = Progress::new(Some(source.length()));
        for chunk in chunks {
            self.add(&source, &chunk?, &progress)?;
        }
        Ok(())
    }

    /// Speaks a text of any length while reading it. Little of it is in memory: it reads as far as
    /// is needed to know the next sentence, and computes one sentence ahead.
    fn say_long(&mut self, text: LiveText, stream: Stream, pieces: Pieces) -> anyhow::Result<()> {
        let mut source = Source::long();
        let progress = Progress::new(None);
        let (give, given) = sync_channel(1);
        // This thread is never joined: it may be reading an input that never ends.
        thread::spawn(move || {
            let end = speak_long(&text, stream, pieces, &give).map(|()| Spoken::End);
            let _ = give.send(end);
        });
        for item in given {
            match item? {
                Spoken::Text(piece) => source.push(&piece),
                Spoken::Chunk(chunk) => self.add(&source, &chunk, &progress)?,
                Spoken::End => return Ok(()),
            }
        }
        bail!("the text was not spoken completely")
    }

    fn add(&mut self, source: &Source, chunk: &Chunk, progress: &Progress) -> anyhow::Result<()> {
        progress.is_at(chunk.span().end);
        self.timings.add(source, chunk)?;
        self.audio.add(chunk)
    }

    fn finish(self) -> anyhow::Result<()> {
        self.audio.finish()?;
        self.timings.finish()?;
        self.player.map_or(Ok(()), Player::finish)
    }
}

/// The events of speaking a text of any length, in order.
enum Spoken {
    /// Text that has been read.
    Text(String),
    Chunk(Chunk),
    End,
}

/// Reads a text, piece by piece as its sentences are used up, and speaks it. Ends early if the
/// receiver is gone.
fn speak_long(
    text: &LiveText,
    mut stream: Stream,
    mut pieces: Pieces,
    give: &SyncSender<anyhow::Result<Spoken>>,
) -> anyhow::Result<()> {
    let (mut is_empty, mut is_taken) = (true, true);
    while is_taken {
        let step = stream.step(|chunk| is_taken &= give.send(Ok(Spoken::Chunk(chunk))).is_ok())?;
        match step {
            Step::Ready => {}
            Step::Waiting => match pieces.read(usize::MAX)? {
                Some(piece) => {
                    text.push(&piece)?;
                    is_empty &= piece.trim().is_empty();
                    is_taken &= give.send(Ok(Spoken::Text(piece))).is_ok();
                }
                None if is_empty => return Err(Request::new("").validate().unwrap_err().into()),
                None => text.finish(),
            },
            Step::Ended => break,
        }
    }
    Ok(())
}

/// The most bytes of audio held in memory until its length is known; the rest goes to a temporary
/// file.
const MOST_IN_MEMORY: usize = 64 << 20;

/// The most bytes of samples in a wav file, whose lengths have 32 bits, excluding its header.
const MOST_IN_WAV: u64 = u32::MAX as u64 - 64;

/// The destination of audio.
struct Audio {
    output: Output,
    format: Format,
    sample_rate: u32,
    encoding: Encoding,
    /// The content so far of a wav file whose start cannot be rewritten at the end.
    held: Option<SpooledTempFile>,
    /// The bytes of samples so far.
    written: u64,
}

impl Audio {
    fn create(
        mut output: Output,
        format: Format,
        sample_rate: u32,
        encoding: Encoding,
    ) -> anyhow::Result<Self> {
        let mut held = None;
        if format == Format::Wav {
            match output.seekable() {
                Some(file) => file.write_all(&wav_header(0, sample_rate, encoding))?,
                None => held = Some(spooled_tempfile(MOST_IN_MEMORY)),
            }
        }
        Ok(Self { output, format, sample_rate, encoding, held, written: 0 })
    }

    fn add(&mut self, chunk: &Chunk) -> anyhow::Result<()> {
        self.write(&chunk.to_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.written += bytes.len() as u64;
        // Check the limit before writing to disk.
        if self.format == Format::Wav && self.written > MOST_IN_WAV {
            bail!("the audio is too long for a WAV file: use --format pcm");
        }
        if let Some(held) = &mut self.held {
            return held.write_all(bytes).context("cannot write the audio to a temporary file");
        }
        self.output.write_all(bytes)?;
        Ok(self.output.flush()?)
    }

    fn finish(mut self) -> anyhow::Result<()> {
        if self.format == Format::Wav {
            let samples = self.written as usize / self.encoding.bytes_per_sample();
            let header = wav_header(samples, self.sample_rate, self.encoding);
            if !self.written.is_multiple_of(2) {
                self.write(&[0])?;
            }
            if let Some(mut held) = self.held {
                self.output.write_all(&header)?;
                held.rewind()?;
                io::copy(&mut held, &mut self.output)?;
            } else if let Some(file) = self.output.seekable() {
                rewrite_start(file, &header)?;
            }
        }
        Ok(self.output.finish()?)
    }
}

/// A progress bar on standard error, if that is a terminal.
struct Progress(ProgressBar);

impl Progress {
    /// `bytes` is the length of the text, if known.
    fn new(bytes: Option<usize>) -> Self {
        if !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let (bar, template) = match bytes {
            Some(bytes) => (ProgressBar::new(bytes as u64), "{bar:30} {percent} %  {elapsed}"),
            None => (ProgressBar::no_length(), "{spinner} {bytes} of text  {elapsed}"),
        };
        let style = ProgressStyle::with_template(template);
        let bar = bar.with_style(style.expect("a fixed template"));
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

//! `speech book`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::thread;

use anyhow::{Context, bail};
use speech_batch::{Container, Manifest, Row};
use speech_book::subtitles::Format as Subtitles;
use speech_book::{Audiobook, Book, Ffmpeg, Format, Stage};
use speech_core::{CancelToken, Encoding, Inspector, Language};

use crate::batch::{SOME_FAILED, TRY_AGAIN, failed};
use crate::engine::EngineArgs;
use crate::output::when_asked_to_end;
use crate::progress::Progress;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The book: .epub, .html, .md or .txt
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The output folder. A run with the same settings continues an interrupted one
    #[arg(long, short, value_name = "DIR", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// Print the chapters, and the words and numbers whose reading is uncertain; speak nothing
    #[arg(long, conflicts_with = "out")]
    list: bool,
    /// Format: m4b or mp3 (by ffmpeg), opus or flac [default: m4b, or opus without ffmpeg]
    #[arg(long)]
    format: Option<String>,
    /// Write subtitles beside the file: srt or vtt
    #[arg(long, value_name = "FORMAT", value_parser = subtitles)]
    subtitles: Option<Subtitles>,
    /// Voice: aria, jason, john, leo or sofia
    #[arg(long, default_value = "aria")]
    voice: String,
    /// Language: en-US or hi-IN [default: the language of the book]
    #[arg(long)]
    language: Option<String>,
    /// Quality of the networks: auto, full, fast or light
    #[arg(long, default_value = "auto")]
    quality: String,
    /// Speaking rate: a factor from 0.5 to 2
    #[arg(long, value_name = "FACTOR", default_value = "1")]
    rate: f64,
    /// Pitch change in semitones, from -6 to 6
    #[arg(long, value_name = "SEMITONES", default_value = "0", allow_negative_numbers = true)]
    pitch: f64,
    /// Sample rate: 8000, 16000, 22050, 24000, 44100 or 48000
    #[arg(long, value_name = "HERTZ", default_value = "24000")]
    sample_rate: u32,
    /// Passages computed concurrently, each with one thread unless --threads is set [default: the
    /// processor's cores]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Keep the audio of the passages after the file is written
    #[arg(long)]
    keep_parts: bool,
    /// The ffmpeg program
    #[arg(long, value_name = "PROGRAM", default_value = "ffmpeg")]
    ffmpeg: PathBuf,
    #[command(flatten)]
    engine: EngineArgs,
}

fn subtitles(name: &str) -> Result<Subtitles, String> {
    let mut formats = [Subtitles::SubRip, Subtitles::WebVtt].into_iter();
    formats.find(|it| it.extension() == name).ok_or_else(|| "must be srt or vtt".to_owned())
}

/// Converts a book. The exit statuses are those of `speech batch`.
pub(crate) fn run(args: &Args) -> ExitCode {
    let status = match &args.out {
        Some(out) => speak(args, out),
        None => list(args).map(|()| ExitCode::SUCCESS),
    };
    status.unwrap_or_else(|error| failed(&error))
}

/// The book, and the settings of its rows.
fn open(args: &Args) -> anyhow::Result<(Book, Row)> {
    let book = Book::open(&args.book)?;
    let settings = Row {
        voice: Some(args.voice.clone()),
        language: Some(language(args, &book)?.as_str().to_owned()),
        quality: Some(args.quality.clone()),
        rate: Some(args.rate),
        pitch: Some(args.pitch),
        ..Row::default()
    };
    Ok((book, settings))
}

fn inspector(args: &Args) -> anyhow::Result<Inspector> {
    Ok(Inspector::new().lexicon(args.engine.lexicon()?))
}

fn speak(args: &Args, out: &Path) -> anyhow::Result<ExitCode> {
    let (book, settings) = open(args)?;
    let ffmpeg = Ffmpeg::find(&args.ffmpeg);
    let format = match &args.format {
        Some(name) => name.parse()?,
        None if ffmpeg.as_ref().is_some_and(|it| it.encodes(Format::M4b)) => Format::M4b,
        None => Format::Opus,
    };
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let engine = args.engine.load_for_batch(jobs)?;
    let lexicon = args.engine.lexicon_bytes()?;
    let manifest =
        Manifest::new(&engine, &lexicon, args.sample_rate, Encoding::Pcm16, Container::Wav)?;
    let audiobook = Audiobook {
        engine: &engine,
        manifest: &manifest,
        book: &book,
        settings: &settings,
        folder: out,
        format,
        ffmpeg: ffmpeg.as_ref(),
        subtitles: args.subtitles,
        jobs,
        keep_parts: args.keep_parts,
    };
    let cancel = CancelToken::new();
    let interrupt = cancel.clone();
    when_asked_to_end(move || interrupt.cancel()).context("cannot handle signals")?;
    let (speaking, writing) = (Progress::new("passages"), OnceLock::new());
    let report = audiobook.make(&inspector(args)?, &cancel, &|stage| match stage {
        Stage::Speaking(it) => speaking.show(it.rows, it.all, (it.spoken, it.seconds)),
        Stage::Writing { seconds, all } => {
            speaking.end();
            let writing = writing.get_or_init(|| Progress::new("seconds written"));
            writing.show(seconds as u64, all as u64, (seconds as u64, seconds));
        }
    })?;
    drop((speaking, writing));
    let Some(report) = report else { return Ok(TRY_AGAIN.into()) };
    println!("{}", serde_json::to_string(&report)?);
    Ok(if report.failed.is_empty() { ExitCode::SUCCESS } else { SOME_FAILED.into() })
}

/// The language for the book.
fn language(args: &Args, book: &Book) -> anyhow::Result<Language> {
    match (&args.language, book.spoken_language()) {
        (Some(name), _) => Ok(name.parse()?),
        (None, Some(language)) => Ok(language),
        (None, None) => {
            let known = Language::ALL.map(Language::as_str).join(" nor ");
            bail!("the language of the book is neither {known}: choose one of them with --language")
        }
    }
}

fn list(args: &Args) -> anyhow::Result<()> {
    let (book, settings) = open(args)?;
    println!("{}", book.title);
    book.authors.iter().for_each(|author| println!("{author}"));
    println!();
    for (number, chapter) in (1..).zip(&book.chapters) {
        println!("{number}\t{}\t{} characters", chapter.title, chapter.characters());
    }
    let unsure = speech_book::unsure(&book, &settings, &inspector(args)?)?;
    print!("\n{}", speech_book::table(&unsure));
    Ok(())
}

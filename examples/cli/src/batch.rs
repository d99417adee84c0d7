//! `speech batch`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::Context;
use speech_batch::{Error, Folder, Job, Manifest, Report, Shard, Table};
use speech_core::CancelToken;

use crate::engine::EngineArgs;
use crate::output::when_asked_to_end;
use crate::progress::Progress;
use crate::report;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The texts: JSON lines, or CSV with a header in a file *.csv. Each has an `id`, a `text` of any length, and may have
    /// `voice`, `language`, `quality`, `rate`, `pitch`, `volume`, `ssml`, `read_pauses`, `read_emoji` and
    /// `read_romanized_hindi`; in JSON also `pronunciations`
    #[arg(value_name = "TABLE", required_unless_present = "check")]
    table: Option<PathBuf>,
    /// The output folder. A run with the same settings continues an interrupted one
    #[arg(long, short, value_name = "DIR", required_unless_present = "check")]
    out: Option<PathBuf>,
    /// Read all audio of a folder, compare it with the index, and print the report; speak nothing
    #[arg(long, value_name = "DIR", conflicts_with_all = ["table", "out"])]
    check: Option<PathBuf>,
    /// Speak only a part of the rows, such as 0/4 for the first of four; several machines may write their parts to one folder
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    /// Rows computed concurrently, each with one thread unless --threads is set [default: the processor's cores]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Sample rate: 8000, 16000, 22050, 24000, 44100 or 48000
    #[arg(long, value_name = "HERTZ", default_value = "22050")]
    sample_rate: u32,
    /// Sample format: pcm16 (16-bit little-endian), float32, mulaw or alaw
    #[arg(long, default_value = "pcm16")]
    encoding: String,
    /// Format: wav, or flac, which takes half the space and needs --encoding pcm16
    #[arg(long, default_value = "wav")]
    format: String,
    /// Read the existing audio, and speak a row again if its audio is damaged
    #[arg(long)]
    verify: bool,
    /// Retry the rows that failed because of their own content
    #[arg(long)]
    retry: bool,
    /// Exit with status 0 even if rows failed because of their own content
    #[arg(long)]
    accept_failures: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The exit statuses of `speech batch` and `speech book` other than 0 (complete). Status 2 means
/// wrong arguments, or an error that another run cannot fix.
pub(crate) const SOME_FAILED: u8 = 1;
const REFUSED: u8 = 2;
pub(crate) const TRY_AGAIN: u8 = 75;

/// Runs a batch. The exit status tells whether another run may help.
pub(crate) fn run(args: &Args) -> ExitCode {
    let result = match &args.check {
        Some(folder) => check(folder),
        None => speak(args),
    };
    match result {
        Ok(report) if report.unfinished > 0 => TRY_AGAIN.into(),
        Ok(report) if !report.failed.is_empty() && !args.accept_failures => SOME_FAILED.into(),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Reports an error. The exit status tells whether another run may help.
pub(crate) fn failed(error: &anyhow::Error) -> ExitCode {
    report(error);
    let is_again = error
        .downcast_ref::<Error>()
        .is_some_and(|error| matches!(error, Error::Io { .. } | Error::Speech(_)));
    if is_again { TRY_AGAIN } else { REFUSED }.into()
}

fn speak(args: &Args) -> anyhow::Result<Report> {
    let (Some(table), Some(out)) = (&args.table, &args.out) else {
        unreachable!("clap requires both without --check")
    };
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.unwrap_or_else(cores);
    let (encoding, container) = (args.encoding.parse()?, args.format.parse()?);
    let lexicon = args.engine.lexicon_bytes()?;
    let engine = args.engine.load_for_batch(jobs)?;
    let manifest = Manifest::new(&engine, &lexicon, args.sample_rate, encoding, container)?;
    let folder = Folder::create(out, &manifest)?;
    let cancel = CancelToken::new();
    let interrupt = cancel.clone();
    when_asked_to_end(move || interrupt.cancel()).context("cannot handle signals")?;
    let table = Table::new(table);
    let job = Job {
        engine: &engine,
        manifest: &manifest,
        folder: &folder,
        table: &table,
        shard: args.shard,
        jobs,
        verify: args.verify,
        retry: args.retry,
    };
    let (started, shown) = (Instant::now(), Progress::new("rows"));
    let report =
        job.run(&cancel, &|_, _, it| shown.show(it.rows, it.all, (it.spoken, it.seconds)))?;
    drop(shown);
    print_report(&report)?;
    if report.seconds_spoken > 0.0 {
        let real_time = report.seconds_spoken / started.elapsed().as_secs_f64();
        eprintln!("{real_time:.1} times real time, with {jobs} jobs");
    }
    Ok(report)
}

fn check(folder: &PathBuf) -> anyhow::Result<Report> {
    let (mut report, damage) = Folder::open(folder)?.check()?;
    print_report(&report)?;
    for row in &damage {
        eprintln!("{}: {}", row.id, row.problem);
    }
    // Damaged rows must be spoken again.
    report.unfinished += damage.len() as u64;
    Ok(report)
}

fn print_report(report: &Report) -> anyhow::Result<()> {
    println!("{}", serde_json::to_string(report)?);
    Ok(())
}

//! `speech bench`: what this device can do.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;
use speech_core::{Engine, Request};

use crate::engine::EngineArgs;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    /// Timed runs of each text; the median counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// aria, jason, john, leo or sofia
    #[arg(long, default_value = "aria")]
    voice: String,
    /// standard, or low: the first half second comes before the first sentence is computed
    #[arg(long, default_value = "standard")]
    latency: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A word, a sentence, a paragraph.
const TEXTS: [(&str, &str); 3] = [
    ("short", "Hello, world."),
    (
        "middle",
        "The library closes early on Friday because the staff have a training session in the main hall.",
    ),
    (
        "long",
        "If you press the green button twice, the machine returns to its first screen. Nobody knew the \
         answer, so the teacher wrote the question on the board again. The recipe calls for fresh basil, \
         ripe tomatoes and a little olive oil. Several students asked whether the lecture would be recorded \
         for later viewing.",
    ),
];

#[derive(Serialize)]
struct Report {
    machine: Machine,
    threads: usize,
    kernels: &'static str,
    precision: &'static str,
    latency: String,
    load_ms: f64,
    /// Absent where the system does not tell.
    peak_rss_mb: Option<f64>,
    texts: Vec<Measured>,
}

#[derive(Serialize)]
struct Machine {
    os: &'static str,
    arch: &'static str,
    cores: usize,
}

#[derive(Serialize)]
struct Measured {
    name: &'static str,
    text: &'static str,
    characters: usize,
    audio_s: f64,
    wall_s: f64,
    /// Real-time factor: the time it took over the time it sounds.
    rtf: f64,
    first_audio_ms: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let start = Instant::now();
    let engine = args.engine.load()?;
    let load_ms = millis(start);
    let texts: Result<_, _> =
        TEXTS.into_iter().map(|(name, text)| measure(&engine, args, name, text)).collect();
    let report = Report {
        machine: Machine {
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        },
        threads: engine.threads(),
        kernels: engine.backend().kernels.as_str(),
        precision: engine.backend().precision.as_str(),
        latency: args.latency.clone(),
        load_ms,
        texts: texts?,
        peak_rss_mb: peak_rss_mb(),
    };
    print(&report, args.json)
}

fn measure(
    engine: &Engine,
    args: &Args,
    name: &'static str,
    text: &'static str,
) -> speech_core::Result<Measured> {
    let request = Request::new(text).voice(args.voice.parse()?).latency(args.latency.parse()?);
    // The first run warms up.
    let mut timed = Vec::new();
    let mut samples = 0;
    for run in 0..=args.runs {
        let start = Instant::now();
        let mut stream = engine.stream(&request)?;
        samples = 0;
        let mut first_audio_ms = None;
        while let Some(chunk) = stream.next().transpose()? {
            first_audio_ms.get_or_insert_with(|| millis(start));
            samples += chunk.samples.len();
        }
        if run > 0 {
            timed.push((start.elapsed().as_secs_f64(), first_audio_ms.unwrap_or_default()));
        }
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let audio_s = samples as f64 / f64::from(speech_core::SAMPLE_RATE);
    let wall_s = median(timed.iter().map(|(wall, _)| *wall).collect());
    let first_audio_ms = median(timed.iter().map(|(_, first)| *first).collect());
    Ok(Measured {
        name,
        text,
        characters: text.chars().count(),
        audio_s,
        wall_s,
        rtf: wall_s / audio_s,
        first_audio_ms,
    })
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// The largest resident set so far, where the system keeps count (Linux).
fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024.0 / 1e6)
}

fn print(report: &Report, json: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
        return Ok(());
    }
    let rss = report.peak_rss_mb.map_or("unknown".into(), |mb| format!("{mb:.0} MB"));
    writeln!(
        out,
        "threads {}   kernels {}   precision {}   latency {}   load {:.0} ms   peak memory {rss}",
        report.threads, report.kernels, report.precision, report.latency, report.load_ms
    )?;
    writeln!(
        out,
        "{:<8}{:>12}{:>10}{:>14}{:>18}",
        "text", "characters", "audio", "real-time ×", "first audio"
    )?;
    for text in &report.texts {
        writeln!(
            out,
            "{:<8}{:>12}{:>8.2} s{:>14.3}{:>15.0} ms",
            text.name, text.characters, text.audio_s, text.rtf, text.first_audio_ms
        )?;
    }
    Ok(())
}

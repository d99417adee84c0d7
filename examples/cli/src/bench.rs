//! `speech bench`: measures speed and memory on this device.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use serde::Serialize;
use speech_core::{Engine, Request};

use crate::engine::EngineArgs;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    /// Timed runs of each text; the result is the median
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Voice: aria, jason, john, leo or sofia
    #[arg(long, default_value = "aria")]
    voice: String,
    /// Latency: standard, or low, which returns the first half second early
    #[arg(long, default_value = "standard")]
    latency: String,
    /// Quality of the networks: auto, full, fast or light; a quality that the bundle lacks for the
    /// voice is an error
    #[arg(long, default_value = "auto")]
    quality: String,
    /// Measure the throughput of N concurrent streams of one engine, with `--runs` sentences each
    #[arg(long, value_name = "N")]
    sessions: Option<NonZeroUsize>,
    /// Print the result as one JSON object
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
    quality: String,
    load_ms: f64,
    /// Absent if the system does not report it.
    peak_rss_mb: Option<f64>,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Figures {
    Texts { texts: Vec<Measured> },
    Sessions(Served),
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
    /// The real-time factor: computation time divided by audio duration.
    rtf: f64,
    first_audio_ms: f64,
}

#[derive(Serialize)]
struct Served {
    sessions: usize,
    text: &'static str,
    /// The audio of all sessions together.
    sound_s: f64,
    /// From the start of the first session to the end of the last.
    wall_s: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let start = Instant::now();
    let engine = args.engine.load_for(args.sessions.map_or(1, NonZeroUsize::get))?;
    let load_ms = millis(start);
    let figures = match args.sessions {
        Some(sessions) => Figures::Sessions(serve(&engine, args, sessions.get())?),
        None => Figures::Texts {
            texts: TEXTS
                .into_iter()
                .map(|(name, text)| measure(&engine, args, name, text))
                .collect::<speech_core::Result<_>>()?,
        },
    };
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
        quality: args.quality.clone(),
        load_ms,
        peak_rss_mb: peak_rss_mb(),
        figures,
    };
    print(&report, args.json)
}

fn request(args: &Args, text: &str) -> speech_core::Result<Request> {
    let request = Request::new(text).voice(args.voice.parse()?);
    Ok(request.latency(args.latency.parse()?).quality(args.quality.parse()?))
}

/// The start and end times of a session, and the number of samples it made.
struct Session {
    start: Instant,
    end: Instant,
    samples: usize,
}

/// Like a server: one engine, and a thread per session that always has something to speak.
fn serve(engine: &Engine, args: &Args, sessions: usize) -> anyhow::Result<Served> {
    let (_, text) = TEXTS[1];
    let request = request(args, text)?;
    let ready = Barrier::new(sessions);
    let served = thread::scope(|scope| {
        let threads: Vec<_> = (0..sessions)
            .map(|_| scope.spawn(|| session(engine, &request, args.runs, &ready)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no session panics"))
            .collect::<speech_core::Result<Vec<_>>>()
    })?;
    let samples: usize = served.iter().map(|session| session.samples).sum();
    let start = served.iter().map(|session| session.start).min().expect("there are sessions");
    let end = served.iter().map(|session| session.end).max().expect("there are sessions");
    Ok(Served {
        sessions,
        text,
        sound_s: samples as f64 / f64::from(speech_core::SAMPLE_RATE),
        wall_s: (end - start).as_secs_f64(),
    })
}

fn session(
    engine: &Engine,
    request: &Request,
    runs: u32,
    ready: &Barrier,
) -> speech_core::Result<Session> {
    let warm = speak(engine, request);
    // Errors are returned only after this point, because the other sessions wait here for this one.
    ready.wait();
    warm?;
    let start = Instant::now();
    let mut samples = 0;
    for _ in 0..runs {
        samples += speak(engine, request)?;
    }
    Ok(Session { start, end: Instant::now(), samples })
}

fn speak(engine: &Engine, request: &Request) -> speech_core::Result<usize> {
    engine.stream(request)?.map(|chunk| Ok(chunk?.samples().len())).sum()
}

fn measure(
    engine: &Engine,
    args: &Args,
    name: &'static str,
    text: &'static str,
) -> speech_core::Result<Measured> {
    let request = request(args, text)?;
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
            samples += chunk.samples().len();
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

/// The peak resident set size, where the system records it (Linux).
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
        "threads {}   kernels {}   precision {}   latency {}   quality {}   load {:.0} ms   peak memory \
         {rss}",
        report.threads,
        report.kernels,
        report.precision,
        report.latency,
        report.quality,
        report.load_ms
    )?;
    let texts = match &report.figures {
        Figures::Texts { texts } => texts,
        Figures::Sessions(served) => {
            writeln!(
                out,
                "sessions {}   {:.2} s of audio in {:.2} s: {:.2} times real time",
                served.sessions,
                served.sound_s,
                served.wall_s,
                served.sound_s / served.wall_s
            )?;
            return Ok(());
        }
    };
    writeln!(
        out,
        "{:<8}{:>12}{:>10}{:>14}{:>18}",
        "text", "characters", "audio", "real-time ×", "first audio"
    )?;
    for text in texts {
        writeln!(
            out,
            "{:<8}{:>12}{:>8.2} s{:>14.3}{:>15.0} ms",
            text.name, text.characters, text.audio_s, text.rtf, text.first_audio_ms
        )?;
    }
    Ok(())
}

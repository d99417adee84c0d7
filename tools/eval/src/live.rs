//! The time from a language model's first token to the first audio (called "first token to speech"
//! in Picovoice's open TTS benchmark), over typical answers of assistants.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use speech_core::{Engine, Latency, Quality, Request, Voice};

const ANSWERS: &str = include_str!("../data/answers.txt");

/// The maximum number of letters per token. With the preceding space, a word then takes 4/3 tokens
/// on average, as is usual for English.
const TOKEN_LETTERS: usize = 5;

/// The options of the measurement.
#[derive(clap::Args)]
pub struct Args {
    /// Tokens per second
    #[arg(long, value_delimiter = ',', default_values_t = [10.0, 30.0, 100.0])]
    rates: Vec<f64>,
    /// Threads that compute a sentence
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The networks to use; answers in languages that they lack are left out
    #[arg(long, default_value_t = Quality::Auto)]
    quality: Quality,
    /// Use only the first answers
    #[arg(long)]
    answers: Option<usize>,
    /// Write the audio of every answer to this folder, live and as a whole
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// An answer that was spoken while it arrived.
struct Spoken {
    first_sound: Duration,
    /// How long the player had nothing to play after the first audio.
    silence: Duration,
    samples: Vec<i16>,
}

/// A table of the median and the 95th percentile for each rate and latency, in milliseconds, and of
/// the mean time in which a player had nothing to play.
pub fn run(args: &Args) -> Result<String> {
    let engine = Engine::builder().threads(args.threads).load()?;
    engine.warm_up()?;
    let mut answers = Vec::new();
    for line in ANSWERS.lines().take(args.answers.unwrap_or(usize::MAX)) {
        let (language, text) = line.split_once('\t').context("an answer has no language")?;
        let language = language.parse()?;
        let qualities = engine.qualities(Voice::default(), language);
        if args.quality == Quality::Auto || qualities.contains(&args.quality) {
            answers.push((Request::new("").language(language).quality(args.quality), text));
        }
    }
    let mut table =
        "| tokens/s | latency | median | 95 % | waits, mean |\n|---|---|---|---|---|\n".to_owned();
    for rate in &args.rates {
        for latency in Latency::ALL {
            let mut spoken = Vec::new();
            for (request, text) in &answers {
                spoken.push(speak(&engine, request.clone().latency(latency), text, *rate)?);
            }
            let mut first: Vec<_> = spoken.iter().map(|one| one.first_sound.as_millis()).collect();
            first.sort_unstable();
            let silence: Duration = spoken.iter().map(|one| one.silence).sum();
            let at = |part: f64| first[((first.len() - 1) as f64 * part).round() as usize];
            let (median, most) = (at(0.5), at(0.95));
            let waits = (silence / spoken.len() as u32).as_millis();
            table += &format!("| {rate} | {latency} | {median} ms | {most} ms | {waits} ms |\n");
            if let Some(out) = &args.out {
                for (index, one) in spoken.iter().enumerate() {
                    write(out, &format!("{latency}-{rate}-{index:02}.wav"), &one.samples)?;
                }
            }
        }
    }
    Ok(table)
}

/// Speaks an answer whose tokens arrive at a rate, and simulates a player that starts with the
/// first audio.
fn speak(engine: &Engine, request: Request, text: &str, rate: f64) -> Result<Spoken> {
    let (push, stream) = engine.live(request)?;
    let tokens = tokens(text);
    let (begin, begun) = mpsc::channel();
    let model = thread::spawn(move || {
        let started = Instant::now();
        for (index, token) in tokens.iter().enumerate() {
            let due = Duration::from_secs_f64(index as f64 / rate);
            thread::sleep(due.saturating_sub(started.elapsed()));
            if index == 0 {
                begin.send(Instant::now()).ok();
            }
            push.push(token)?;
        }
        Ok::<(), speech_core::Error>(())
    });
    let mut first_sound = None;
    let mut silence = Duration::ZERO;
    let mut samples = Vec::new();
    let mut sounds_until = None;
    for chunk in stream {
        let chunk = chunk?;
        let now = Instant::now();
        first_sound.get_or_insert(now);
        let until = sounds_until.unwrap_or(now);
        silence += now.saturating_duration_since(until);
        sounds_until = Some(until.max(now) + Duration::from_secs_f64(chunk.seconds()));
        samples.extend(chunk.samples());
    }
    model.join().expect("it does not panic")?;
    let first_token = begun.recv().context("no token was pushed")?;
    let first_sound = first_sound.context("nothing was said")?.duration_since(first_token);
    Ok(Spoken { first_sound, silence, samples })
}

/// The tokens of a text: words with their preceding space, long ones in parts.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for word in text.split(' ') {
        let letters: Vec<char> = word.chars().collect();
        for (index, part) in letters.chunks(TOKEN_LETTERS).enumerate() {
            let space = if index == 0 && !tokens.is_empty() { " " } else { "" };
            tokens.push(format!("{space}{}", part.iter().collect::<String>()));
        }
    }
    tokens
}

fn write(folder: &Path, name: &str, samples: &[i16]) -> Result<()> {
    fs::create_dir_all(folder)?;
    let path = folder.join(name);
    fs::write(
        &path,
        speech_core::wav(samples, speech_core::SAMPLE_RATE, speech_core::Encoding::Pcm16),
    )
    .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_make_the_text() {
        for (_, text) in ANSWERS.lines().filter_map(|line| line.split_once('\t')) {
            assert_eq!(tokens(text).concat(), text);
        }
        assert_eq!(tokens("I understand it."), ["I", " under", "stand", " it."]);
        assert_eq!(ANSWERS.lines().count(), 50);
    }
}

//! `speech inspect`: shows how a text is read.

use std::io::{self, BufRead, Read, Write};

use anyhow::{Context, bail};
use serde_json::json;
use speech_core::{Error, ErrorKind, Inspector, Language, MAX_CHARACTERS, check_length, check_nul};

use crate::engine::LexiconArgs;
use crate::text::{TextArgs, too_long};

/// The most bytes in the text of a request: at most four per character.
const MAX_BYTES: usize = 4 * MAX_CHARACTERS;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    text: TextArgs,
    /// Language: en-US or hi-IN
    #[arg(long, default_value = "en-US")]
    language: String,
    /// Read emoji by name instead of skipping them
    #[arg(long)]
    read_emoji: bool,
    /// Read Hindi in Latin letters as English
    #[arg(long)]
    no_romanized_hindi: bool,
    #[command(flatten)]
    lexicon: LexiconArgs,
    /// Read one text per line from standard input and write one JSON object per line
    #[arg(long, conflicts_with_all = ["text", "file"])]
    lines: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let language: Language = args.language.parse()?;
    let inspector = Inspector::new()
        .lexicon(args.lexicon.read()?)
        .read_emoji(args.read_emoji)
        .read_romanized_hindi(!args.no_romanized_hindi);
    let mut out = io::stdout().lock();
    if args.lines {
        return lines(&mut out, |line| inspector.inspect(line, language).to_json());
    }
    let text = args.text.read_request()?;
    check_length(&text)?;
    for sentence in inspector.inspect(&text, language).sentences {
        writeln!(
            out,
            "{}\n  said      {}\n  phonemes  {}",
            sentence.text, sentence.normalized, sentence.phonemes
        )?;
        for word in sentence.words {
            let said = word.in_own_script.as_ref().unwrap_or(&word.normalized);
            writeln!(out, "    {:<16} {said:<16} {}", word.source, word.phonemes)?;
        }
        for row in sentence.rows {
            let (source, said) = (row.source, row.said);
            writeln!(out, "  row       {source}: {said}, if {}: {}", row.condition, row.example)?;
        }
        for choice in sentence.choices {
            let taken = &choice.taken;
            writeln!(
                out,
                "  choice    {}: {} ({}, {:.1})",
                choice.source, taken.said, taken.kind, taken.score
            )?;
            for reading in choice.refused {
                writeln!(
                    out,
                    "    not     {} ({}, {:.1})",
                    reading.said, reading.kind, reading.score
                )?;
            }
        }
    }
    Ok(())
}

/// Writes one output line per line of standard input. A line without a valid text gets an error;
/// the others are unaffected.
fn lines(out: &mut impl Write, inspect: impl Fn(&str) -> String) -> anyhow::Result<()> {
    let (mut input, mut line, mut number, mut refused) = (io::stdin().lock(), Vec::new(), 0, 0);
    while read_line(&mut input, &mut line).context("cannot read standard input")? {
        number += 1;
        match text(&line) {
            Ok(text) => writeln!(out, "{}", inspect(text))?,
            Err(error) => {
                refused += 1;
                eprintln!("error: line {number}: {}", error.message());
                let (kind, message) = (error.kind().as_str(), error.message());
                let refusal = json!({ "error": { "type": kind, "message": message } });
                writeln!(out, "{refusal}")?;
            }
        }
        out.flush()?;
    }
    if refused > 0 {
        bail!("{refused} lines had no valid text");
    }
    Ok(())
}

/// Reads a line with its line end; returns whether there was one. The excess of a too long line is
/// skipped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut part =
        |line: &mut Vec<u8>| input.by_ref().take(MAX_BYTES as u64 + 2).read_until(b'\n', line);
    part(line)?;
    let mut rest = Vec::new();
    let mut is_whole = line.len() < MAX_BYTES + 2 || line.ends_with(b"\n");
    while !is_whole {
        rest.clear();
        is_whole = part(&mut rest)? == 0 || rest.ends_with(b"\n");
    }
    Ok(!line.is_empty())
}

/// The text of a line.
fn text(line: &[u8]) -> speech_core::Result<&str> {
    let invalid = |message| Error::new(ErrorKind::InvalidRequest, message);
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > MAX_BYTES {
        return Err(too_long());
    }
    let text = str::from_utf8(line)
        .map_err(|error| invalid(format!("text is not UTF-8 at byte {}", error.valid_up_to())))?;
    check_nul("text", text)?;
    check_length(text)?;
    Ok(text)
}

//! `speech inspect`.

use std::io::{self, BufRead, Write};

use anyhow::Context;
use speech_core::{Inspector, Language};

use crate::engine::LexiconArgs;
use crate::text::TextArgs;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    text: TextArgs,
    /// en-US or hi-IN
    #[arg(long, default_value = "en-US")]
    language: String,
    /// Read emoji by their names; without this they are skipped
    #[arg(long)]
    read_emoji: bool,
    #[command(flatten)]
    lexicon: LexiconArgs,
    /// Read one text a line from standard input and write one JSON object a line
    #[arg(long, conflicts_with_all = ["text", "file"])]
    lines: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let language: Language = args.language.parse()?;
    let inspector = Inspector::new().lexicon(args.lexicon.read()?).read_emoji(args.read_emoji);
    let mut out = io::stdout().lock();
    if args.lines {
        for line in io::stdin().lock().lines() {
            let line = line.context("cannot read standard input as UTF-8")?;
            writeln!(out, "{}", inspector.inspect(&line, language).to_json())?;
            out.flush()?;
        }
        return Ok(());
    }
    for sentence in inspector.inspect(&args.text.read()?, language).sentences {
        writeln!(
            out,
            "{}\n  said      {}\n  phonemes  {}",
            sentence.text, sentence.normalized, sentence.phonemes
        )?;
        for word in sentence.words {
            writeln!(out, "    {:<16} {:<16} {}", word.source, word.normalized, word.phonemes)?;
        }
    }
    Ok(())
}

//! `speech split`: cuts a text into parts that fit a request.

use std::io::{self, Write};

use speech_core::{MAX_CHARACTERS, split_text};

use crate::text::TextArgs;

/// The most bytes in a text.
const MAX_BYTES: usize = 64 << 20;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    text: TextArgs,
    /// Maximum number of characters of a part, at least 1
    #[arg(long, value_name = "N", default_value_t = MAX_CHARACTERS, value_parser = characters)]
    max: usize,
    /// End each part with NUL instead of a blank line, for `xargs -0`
    #[arg(long, short = '0', conflicts_with = "json")]
    null: bool,
    /// Print each part as a JSON string on its own line
    #[arg(long)]
    json: bool,
}

fn characters(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|max| *max > 0).ok_or_else(|| "must be 1 or more".to_owned())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let text = args.text.read(MAX_BYTES)?;
    let mut out = io::stdout().lock();
    for (i, part) in split_text(&text, args.max).into_iter().enumerate() {
        if args.json {
            writeln!(out, "{}", serde_json::to_string(part)?)?;
        } else if args.null {
            write!(out, "{part}\0")?;
        } else {
            let gap = if i > 0 { "\n" } else { "" };
            writeln!(out, "{gap}{part}")?;
        }
    }
    Ok(())
}

//! `speech split`.

use std::io::{self, Write};

use speech_core::{MAX_CHARACTERS, split_text};

use crate::text::TextArgs;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    text: TextArgs,
    /// The most characters of a part
    #[arg(long, value_name = "N", default_value_t = MAX_CHARACTERS)]
    max: usize,
    /// End each part with a NUL instead of a blank line, for `xargs -0`
    #[arg(long, short = '0', conflicts_with = "json")]
    null: bool,
    /// Print each part as a JSON string on a line of its own
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let text = args.text.read()?;
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

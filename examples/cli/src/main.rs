//! `speech`: text to speech on the command line, offline.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line program prints")]

mod batch;
mod bench;
mod book;
mod engine;
mod inspect;
mod lists;
mod output;
mod play;
mod progress;
mod say;
mod source;
mod split;
mod text;
mod timings;

use std::io;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use speech_core::Advice;

/// Text to speech, offline.
#[derive(Parser)]
#[command(name = "speech", version, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the speech of a text to a file or to standard output, or play it
    Say(Box<say::Args>),
    /// Speak a table of texts into a folder; a second run continues an interrupted one
    Batch(Box<batch::Args>),
    /// Speak a book into one file with chapter marks; a second run continues an interrupted one
    Book(Box<book::Args>),
    /// List the voices and languages
    Voices(lists::VoicesArgs),
    /// List the latency tiers of the audio-to-text side and their prices
    Tiers(lists::TiersArgs),
    /// Split a text over the limit of one request into parts
    Split(split::Args),
    /// Show the words and phonemes of a text, and why they were chosen
    Inspect(inspect::Args),
    /// Measure speed and memory on this device
    Bench(bench::Args),
}

/// The most characters of an invalid value that an error message repeats, as in the library.
const MOST_QUOTED: usize = 40;

fn main() -> ExitCode {
    let args = Args::try_parse().unwrap_or_else(|error| without_text(error).exit());
    let result = match args.command {
        Command::Batch(args) => return batch::run(&args),
        Command::Book(args) => return book::run(&args),
        Command::Say(args) => say::run(&args),
        Command::Voices(args) => lists::voices(&args),
        Command::Tiers(args) => lists::tiers(&args),
        Command::Split(args) => split::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    }
}

/// The error for unparsable arguments. It omits anything that may be part of a text.
fn without_text(mut error: clap::Error) -> clap::Error {
    let refused = |problem| Args::command().error(error.kind(), problem);
    match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::InvalidSubcommand, _) => {
            let names = Args::command()
                .get_subcommands()
                .map(|c| c.get_name().to_owned())
                .collect::<Vec<_>>();
            refused(format!("unknown command: the commands are {}", names.join(", ")))
        }
        (ErrorKind::UnknownArgument, Some(ContextValue::String(name)))
            if !name.starts_with('-') =>
        {
            refused("too many arguments: put the text in quotation marks".to_owned())
        }
        (ErrorKind::TooManyValues, Some(ContextValue::String(name))) => {
            refused(format!("{name} takes no value"))
        }
        (ErrorKind::UnknownArgument, _) => {
            let known = match error.get(ContextKind::SuggestedArg) {
                Some(ContextValue::String(known)) => format!("; did you mean '{known}'?"),
                _ => String::new(),
            };
            refused(format!("unknown option{known}: put a text that begins with a dash after `--`"))
        }
        _ => {
            if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
                && let Some((end, _)) = value.char_indices().nth(MOST_QUOTED)
            {
                let value = format!("{}…", &value[..end]);
                error.insert(ContextKind::InvalidValue, ContextValue::String(value));
            }
            error
        }
    }
}

/// Whether the reader of our output has closed it, like `head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

fn report(error: &anyhow::Error) {
    match error.downcast_ref::<speech_core::Error>() {
        Some(error) => {
            eprintln!("error[{}]: {error} (request {})", error.kind(), error.request_id());
            if let Some(hint) = error.advice().and_then(hint) {
                eprintln!("hint: {hint}");
            }
        }
        None => eprintln!("error: {error:#}"),
    }
}

/// Advice for the user of this program.
fn hint(advice: Advice) -> Option<&'static str> {
    Some(match advice {
        Advice::InstallVoices => {
            "`cargo xtask bundle` makes the voice bundle; --bundle or $SPEECH_BUNDLE sets its path"
        }
        Advice::CheckBundlePath => "check the path in --bundle or $SPEECH_BUNDLE",
        Advice::ReinstallVoices | Advice::UpdateVoices => {
            "`cargo xtask bundle` makes the voice bundle again"
        }
        Advice::UpdateLibrary => "the voice bundle needs a newer version of this program",
        Advice::SplitText => "`speech split` cuts a text into parts that fit",
        Advice::UseStream => "--format pcm streams the speech",
        _ => return None,
    })
}

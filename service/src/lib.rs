//! `speech-http`: the `/v1` speech service over libspeech.
//!
//! `service` routes a request, `keys` authenticates it, `speech` reads it, `job` synthesizes and
//! `usage` records it. On a network, a proxy in front of it speaks TLS.
#![allow(clippy::print_stderr, reason = "a program: why it failed goes to standard error")]

mod admission;
mod allowance;
mod bucket;
mod connection;
mod cross_origin;
mod delivery;
mod error_response;
#[doc(hidden)]
pub mod fuzzing;
mod idempotency;
mod job;
mod keys;
mod lexicons;
mod lines;
mod listings;
mod live;
mod openai;
mod openapi;
mod permits;
mod queue;
mod script;
mod serve;
mod service;
mod share;
mod shutdown;
mod sound;
mod speech;
mod telemetry;
mod text_file;
mod tiers;
mod usage;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::{Parser, Subcommand};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use same_file::Handle;

use crate::keys::NewKey;
use crate::usage::RecordArgs;

#[derive(Parser)]
#[command(name = "speech-http", version, about = "The /v1 speech service over libspeech")]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the service
    Serve(Box<serve::Serve>),
    /// Make API keys
    #[command(subcommand)]
    Key(Key),
    /// Print the usage of an account as JSON lines
    Usage(Usage),
    /// Print the statements that create the schema for usage records in Postgres. The service also creates it, if it may
    Schema,
    /// Print the OpenAPI document
    Openapi,
}

#[derive(Subcommand)]
enum Key {
    /// Make a key and print it; only its hash is stored
    New {
        /// Account of the key
        #[arg(long)]
        account: String,
        /// Add the key's hash to this file [default: print the line to add]
        #[arg(long, value_name = "FILE")]
        keys: Option<PathBuf>,
    },
}

#[derive(clap::Args)]
struct Usage {
    /// Account
    #[arg(long)]
    account: String,
    /// The first day (UTC), or the start time
    #[arg(long, value_name = "TIME", value_parser = first)]
    from: Option<Bound>,
    /// The last day (UTC), or the end time
    #[arg(long, value_name = "TIME", value_parser = last)]
    to: Option<Bound>,
    #[command(flatten)]
    record: RecordArgs,
}

/// A time, and how it was written.
#[derive(Clone)]
struct Bound {
    time: Timestamp,
    text: String,
}

fn first(text: &str) -> Result<Bound, jiff::Error> {
    bound(text, 0)
}

fn last(text: &str) -> Result<Bound, jiff::Error> {
    bound(text, 1)
}

/// A time, or the start of the day so many days after a date.
fn bound(text: &str, days: i64) -> Result<Bound, jiff::Error> {
    let midnight =
        |date: Date| Ok(date.checked_add(days.days())?.to_zoned(TimeZone::UTC)?.timestamp());
    let time = text.parse::<Date>().and_then(midnight).or_else(|_: jiff::Error| text.parse())?;
    Ok(Bound { time, text: text.to_owned() })
}

/// Runs the program with the arguments of a command line; the first is the program's name.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    let result = match Options::parse_from(arguments).command {
        Command::Serve(serve) => return serve.run(),
        Command::Key(Key::New { account, keys }) => new_key(&account, keys.as_deref()),
        Command::Usage(usage) => print_usage(&usage),
        Command::Schema => print(usage::POSTGRES_SCHEMA),
        Command::Openapi => print(&openapi::document()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has stopped, as `head` does.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn new_key(account: &str, keys: Option<&Path>) -> anyhow::Result<()> {
    let key = NewKey::generate(account)?;
    match keys {
        // A key that nobody was shown must not have a line.
        Some(path) => key.add_to(path, || {
            // A program without standard output has this file in its place.
            if leads_to("/dev/null".as_ref()) || leads_to(path) {
                bail!("standard output is /dev/null or the key file, so the key is not added");
            }
            let shown = print(&format!("{}\n", key.secret));
            // Write as text: here a broken pipe is an error.
            shown.map_err(|error| anyhow!("the key cannot be printed, and is not added: {error}"))
        }),
        None => print(&format!("{}\n{}\n", key.line, key.secret)),
    }
}

/// Whether standard output is a file, or is closed.
fn leads_to(path: &Path) -> bool {
    let (stdout, file) = (Handle::stdout(), Handle::from_path(path));
    stdout.is_err() || stdout.ok() == file.ok()
}

fn print_usage(Usage { account, from, to, record }: &Usage) -> anyhow::Result<()> {
    if let (Some(from), Some(to)) = (from, to)
        && from.time >= to.time
    {
        bail!("--from {} must be before the end of --to {}", from.text, to.text);
    }
    let start = from.as_ref().map_or(Timestamp::MIN, |from| from.time);
    let end = to.as_ref().map_or(Timestamp::MAX, |to| to.time);
    for total in record.record()?.totals(account, start..end)? {
        print(&format!("{}\n", serde_json::to_string(&total)?))?;
    }
    Ok(())
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

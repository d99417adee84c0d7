//! How long it takes from a command to the first byte of sound, with the real program and the voices that `SPEECH_BUNDLE`
//! names: `cargo bench -p speech-dispatcher-module --bench first_sound`. `SPEECH_THREADS` says how many threads compute.
//!
//! The sound is behind at most 8 ms of silence.

#![allow(clippy::print_stdout, dead_code, missing_docs)]

use std::path::Path;
use std::time::{Duration, Instant};

#[path = "../tests/client/mod.rs"]
mod client;

use client::{Client, Event};

const WORDS: [&str; 20] = [
    "button", "link", "heading", "menu", "list", "table", "edit", "checked", "blank", "window",
    "file", "search", "document", "terminal", "selected", "visited", "dialog", "toolbar",
    "settings", "cancel",
];

const SENTENCES: [&str; 5] = [
    "The file was saved to your documents folder, and a copy is in the trash.",
    "You have three new messages, two of which are marked as important.",
    "Press enter to open the selected item, or escape to go back to the list.",
    "The battery is at forty percent, with about two hours and ten minutes left.",
    "Software updates are available, and will be installed when you restart.",
];

fn main() {
    let bundle = std::env::var("SPEECH_BUNDLE").expect("SPEECH_BUNDLE names the voices");
    let mut client = Client::start(Path::new(&bundle), "Prepare 0");
    let letters: Vec<String> = ('a'..='z').map(|c| c.to_string()).collect();
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    for rate in ["0", "50", "100"] {
        client.set(&[("rate", rate), ("voice", "female1"), ("language", "en-US")]);
        println!("rate {rate}");
        row("letters, computed", &mut times(&mut client, "CHAR", &letters));
        let mut again: Vec<_> =
            (0..5).flat_map(|_| times(&mut client, "CHAR", &letters)).collect();
        row("letters, kept", &mut again);
        row("words, computed", &mut times(&mut client, "SPEAK", &WORDS));
        row("words, kept", &mut times(&mut client, "SPEAK", &WORDS));
        row("sentences", &mut times(&mut client, "SPEAK", &SENTENCES));
    }
}

fn times(client: &mut Client, command: &str, texts: &[&str]) -> Vec<Duration> {
    texts.iter().map(|text| time(client, command, text)).collect()
}

fn time(client: &mut Client, command: &str, text: &str) -> Duration {
    let markup = if command == "SPEAK" { format!("<speak>{text}</speak>") } else { text.to_owned() };
    let start = Instant::now();
    client.begin(command, &markup);
    let first = loop {
        if let (at, Event::Audio(_)) = client.next_at() {
            break at - start;
        }
    };
    client.rest();
    first
}

fn row(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |part: f64| {
        let place = (times.len() as f64 * part).ceil() as usize;
        times[place.saturating_sub(1)].as_secs_f64() * 1000.0
    };
    let count = times.len();
    println!("  {name:20} median {:7.1} ms, 95 % {:7.1} ms, of {count}", at(0.5), at(0.95));
}

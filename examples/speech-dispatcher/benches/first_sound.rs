//! Measures the time from a command to the first byte of audio, with the real program and the
//! voices in `SPEECH_BUNDLE`: `cargo bench -p speech-dispatcher-module --bench first_sound`.
//! `SPEECH_THREADS` sets the number of threads.
//!
//! At most 8 ms of silence precede the first sound. Processor time is for the whole message: an
//! upper bound for a quiet machine with one thread, even if this one is busy.

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
        measure("letters, computed", &mut client, "CHAR", &letters);
        measure("letters, kept", &mut client, "CHAR", &letters.repeat(5));
        measure("words, computed", &mut client, "SPEAK", &WORDS);
        measure("words, kept", &mut client, "SPEAK", &WORDS.repeat(5));
        measure("sentences", &mut client, "SPEAK", &SENTENCES);
    }
}

fn measure(name: &str, client: &mut Client, command: &str, texts: &[&str]) {
    let before = processor_time(client.id());
    let mut times: Vec<_> = texts.iter().map(|text| time(client, command, text)).collect();
    let used = (processor_time(client.id()) - before) / texts.len() as f64;
    times.sort_unstable();
    let at = |part: f64| {
        let place = (times.len() as f64 * part).ceil() as usize;
        times[place.saturating_sub(1)].as_secs_f64() * 1000.0
    };
    println!(
        "  {name:18} median {:6.1} ms, 95 % {:6.1} ms, processor {used:6.1} ms, of {}",
        at(0.5),
        at(0.95),
        times.len()
    );
}

/// The processor time used by a process, in milliseconds.
fn processor_time(id: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The second field is a name in parentheses.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    ticks * 10.0
}

fn time(client: &mut Client, command: &str, text: &str) -> Duration {
    let markup =
        if command == "SPEAK" { format!("<speak>{text}</speak>") } else { text.to_owned() };
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

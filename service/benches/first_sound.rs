//! The time from a whole text to its first sound: in the engine (`Engine::live`), and on `GET /v1/speech/live` of the
//! real program. The difference is what HTTP and the socket add. Run it on a quiet machine: `cargo xtask bench`.
//!
//! Rounds alternate between the two, so that a change of the machine's speed meets both.

#![allow(clippy::print_stdout, dead_code, missing_docs)]

use std::time::{Duration, Instant};

use serde_json::json;
use speech_core::{Engine, Language, Latency, Quality, Request, Voice};

#[path = "../tests/disk/mod.rs"]
mod disk;
#[path = "../tests/http/server.rs"]
mod server;
#[path = "../tests/http/socket.rs"]
mod socket;

use server::{Server, Voices};
use socket::{Said, Socket};

const ROUNDS: usize = 50;

const TEXTS: [&str; 2] = ["Yes, of course.", "Your order left the warehouse this morning."];

fn main() {
    let engine = Engine::builder().threads(1).load().expect("`cargo xtask bench` names the voices");
    let server = Server::start(Voices::Real, &[]);
    for quality in engine.qualities(Voice::ARIA, Language::EnUs) {
        let mut socket = Socket::start(&server, json!({"quality": quality.as_str()}));
        for text in TEXTS {
            let (mut direct, mut served) = (Vec::new(), Vec::new());
            for round in 0..=ROUNDS {
                let times = (in_engine(&engine, quality, text), on_socket(&mut socket, text));
                // The first round loads the networks.
                if round > 0 {
                    direct.push(times.0);
                    served.push(times.1);
                }
            }
            let (direct, served) = (median(direct), median(served));
            let added = (served.as_secs_f64() - direct.as_secs_f64()) * 1e3;
            println!(
                "{quality}, {text:?}: engine {direct:.2?}, socket {served:.2?}, added {added:.2} ms"
            );
        }
    }
}

fn in_engine(engine: &Engine, quality: Quality, text: &str) -> Duration {
    let request = Request::new("").latency(Latency::Low).quality(quality);
    let start = Instant::now();
    let (live, mut stream) = engine.live(request).expect("a live text");
    live.push(text).expect("a plain text");
    live.finish();
    stream.next().expect("sound").expect("sound");
    start.elapsed()
}

fn on_socket(socket: &mut Socket, text: &str) -> Duration {
    let start = Instant::now();
    socket.say(json!({"type": "text", "text": text, "finish": true}));
    loop {
        match socket.next() {
            Said::Sound(_) => break,
            Said::Event(event) => assert_ne!(event["type"], "error", "{event}"),
            Said::Closed(code) => panic!("closed with {code:?}"),
        }
    }
    let time = start.elapsed();
    // A turn that is not interrupted ends when it was heard.
    socket.say(json!({"type": "interrupt"}));
    socket.until(|event| event["type"] == "interrupted");
    time
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

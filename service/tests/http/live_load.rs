//! Live sessions on a machine that is full, and turns whose session or sound is at its end.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::live_ends::TEXT;
use crate::server::{Server, Voices, until};
use crate::socket::{Said, Socket};

/// Longer than a sentence takes on any machine.
const LONG: &str = "The committee that met on Tuesday has not decided how much of the money \
    is to be spent this year. ";

/// Forty turns come at once and one is spoken at a time: some are refused, none fails otherwise.
#[test]
fn turns_that_would_wait_for_too_long_are_refused() {
    let server = Server::start(Voices::Real, &["--max-concurrency", "1", "--max-wait", "1"]);
    let are_spoken: Vec<_> = thread::scope(|scope| {
        let turn = || {
            let mut socket = Socket::start(&server, json!({}));
            // As a language model writes it.
            for text in LONG.split_inclusive(' ') {
                socket.say(json!({"type": "text", "turn": "a", "text": text}));
                thread::sleep(Duration::from_millis(33));
            }
            socket.say(json!({"type": "finish", "turn": "a"}));
            loop {
                match socket.next() {
                    Said::Event(event) if event["type"] == "error" => {
                        assert_eq!(event["error"]["type"], "overloaded");
                        assert!(event["error"]["retry_after"].as_u64().unwrap() > 0);
                        return false;
                    }
                    Said::Sound(_) => return true,
                    Said::Event(_) => {}
                    Said::Closed(code) => panic!("{code:?}"),
                }
            }
        };
        let turns: Vec<_> = (0..40).map(|_| scope.spawn(turn)).collect();
        turns.into_iter().map(|turn| turn.join().unwrap()).collect()
    });
    assert!(are_spoken.contains(&true) && are_spoken.contains(&false), "{are_spoken:?}");
}

#[test]
fn a_turn_that_waits_for_the_engine_is_interrupted_at_once() {
    let server = Server::start(Voices::Real, &["--max-concurrency", "1"]);
    let mut sockets: Vec<_> = (0..12).map(|_| Socket::start(&server, json!({}))).collect();
    for socket in &mut sockets {
        socket.finish("a", &LONG.repeat(3));
        socket.until(|event| event["type"] == "turn");
    }
    let before = server.inferences();
    // The first ones have it, and one of the others waits for it with a permit.
    for socket in sockets.iter_mut().skip(3).rev() {
        socket.say(json!({"type": "interrupt"}));
        assert_eq!(socket.turn("a").last()["type"], "interrupted");
    }
    // In the line, each would wait for a sentence of each turn before it.
    let computed = server.inferences() - before;
    assert!(computed < 9, "{computed} sentences were computed meanwhile");
}

/// A session is not idle while its turn waits for the engine: the text may go on.
#[test]
fn a_turn_that_waits_for_the_engine_is_no_silence() {
    let options = ["--max-concurrency", "1", "--live-idle", "2", "--max-wait", "3600"];
    let server = Server::start(Voices::Real, &options);
    let standard = || Socket::start(&server, json!({"latency": "standard"}));
    let sentence = LONG.replace('.', ",").repeat(3);
    // Twice as many turns come before it until the machine is too slow for them.
    let waited = [8, 16, 32, 64, 128].into_iter().any(|count| {
        let mut others: Vec<_> = (0..count).map(|_| standard()).collect();
        let mut socket = standard();
        others.iter_mut().for_each(|other| other.finish("a", &sentence));
        socket.say(json!({"type": "text", "turn": "a", "text": LONG, "flush": true}));
        let asked = Instant::now();
        socket.until(|event| event["type"] == "words");
        let waited = asked.elapsed() > Duration::from_secs(3);
        socket.finish("a", "Yes.");
        let (heard, code) = socket.rest();
        let pushed = LONG.chars().count() + 4;
        assert_eq!(heard.of("finished")[0]["usage"]["pushed"], pushed);
        assert_eq!((&heard.last()["reason"], code), (&json!("idle"), Some(1000)));
        waited
    });
    assert!(waited, "the engine was never busy for long enough");
}

#[test]
fn turns_are_finished_at_the_end_of_a_session_for_so_long() {
    let server = Server::start(Voices::Fake, &["--live-session", "5", "--grace", "4"]);
    let (mut short, mut long) =
        (Socket::start(&server, json!({"ahead": 2})), Socket::start(&server, json!({"ahead": 2})));
    let began = Instant::now();
    short.say(json!({"type": "text", "turn": "a", "text": TEXT}));
    long.finish("a", &TEXT.repeat(400));
    let (heard, code) = short.rest();
    assert_eq!((heard.of("finished").len(), code), (1, Some(1000)));
    assert_eq!(heard.of("goodbye")[0]["reason"], "session");
    let (heard, code) = long.rest();
    assert_eq!((heard.of("finished").len(), code), (0, Some(1000)));
    assert!(began.elapsed() > Duration::from_secs(8), "it had no time: {:?}", began.elapsed());
    assert!(until(|| server.recorded("left") == 1));
}

#[test]
fn a_flush_of_text_without_sound_is_answered_before_what_follows() {
    let server = Server::start(Voices::Fake, &[]);
    for latency in ["low", "standard"] {
        let mut socket = Socket::start(&server, json!({"latency": latency, "ahead": 300}));
        for text in ["😀", "", " ", "😀 😀! "] {
            socket.say(json!({"type": "text", "turn": "a", "text": text, "flush": true}));
        }
        socket.say(json!({"type": "text", "turn": "a", "text": LONG.repeat(3)}));
        let heard = socket.until(|event| event["type"] == "words");
        let flushed = heard.of("flushed");
        assert!(!flushed.is_empty(), "{latency}: {heard:?}");
        assert!(flushed.iter().all(|event| event["seconds"] == 0.0), "{flushed:?}");
        socket.say(json!({"type": "finish"}));
        assert_eq!(socket.turn("a").of("flushed").len(), 0);
        // Nothing but text without sound.
        socket.say(json!({"type": "text", "turn": "b", "text": "😀", "flush": true}));
        socket.until(|event| event["type"] == "flushed");
        socket.finish("b", "😀");
        assert_eq!(socket.turn("b").last()["type"], "finished");
    }
}

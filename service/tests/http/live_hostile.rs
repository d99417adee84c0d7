//! Clients of the live route that are hostile or slow, and keys that go.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::Message;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::live_ends::TEXT;
use crate::server::{Server, Voices, new_key, until};
use crate::socket::Socket;

/// Why sessions ended, by the log.
pub(crate) fn reasons(server: &Server) -> Vec<String> {
    let log = fs::read_to_string(server.path("log")).unwrap();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let ends = lines.filter(|line| line["fields"]["message"] == "a session ended");
    ends.map(|line| line["fields"]["reason"].as_str().unwrap().to_owned()).collect()
}

/// Takes so many bytes a second of a session until a time, or until it has ended.
fn take(socket: &mut Socket, bytes_per_second: usize, until: Instant) -> bool {
    let mut next = Instant::now();
    while next < until {
        next += Duration::from_millis(100);
        let mut left = bytes_per_second / 10;
        while left > 0 {
            match socket.take(left) {
                0 => return false,
                taken => left -= taken,
            }
        }
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    true
}

/// The system of a client that reads steadily takes sound in steps, here of 8 s or more: they are
/// longer than the timeout.
#[test]
fn a_client_that_takes_sound_as_fast_as_it_plays_may_have_all_of_it() {
    let server = Server::start(Voices::Fake, &["--write-timeout", "5"]);
    let mut socket = Socket::open(&server, "");
    let audio = json!({"encoding": "mulaw", "sample_rate": 8000});
    socket.say(json!({"type": "start", "ahead": 300, "events": [], "audio": audio}));
    socket.finish("a", &TEXT.repeat(900));
    assert!(take(&mut socket, 8_200, Instant::now() + Duration::from_secs(40)), "it was ended");
    assert_eq!(reasons(&server), Vec::<String>::new());
}

#[test]
fn a_client_that_takes_much_less_than_it_plays_is_given_up() {
    let server = Server::start(Voices::Fake, &["--write-timeout", "1"]);
    let mut socket = Socket::open_with_little_room(&server);
    socket.say(json!({"type": "start", "ahead": 300, "events": []}));
    socket.finish("a", &TEXT.repeat(900));
    assert!(until(|| {
        // A second of sound has 44 kB.
        take(&mut socket, 1_000, Instant::now() + Duration::from_secs(1));
        !reasons(&server).is_empty()
    }));
    assert_eq!(reasons(&server), ["slow"]);
    assert!(until(|| server.recorded("left") == 1));
}

#[test]
fn bytes_that_a_client_sends_have_a_bound() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({}));
    let played = json!({"type": "played", "seconds": 1, "more": "a".repeat(60_000)});
    // The service may close it while they are sent.
    let sent = (0..50).take_while(|_| {
        thread::sleep(Duration::from_millis(20));
        socket.send(Message::text(played.to_string())).is_ok()
    });
    assert!(sent.count() >= 10);
    let (heard, code) = socket.rest();
    assert_eq!((&heard.last()["error"]["type"], code), (&json!("invalid_request"), Some(1008)));
    assert!(until(|| reasons(&server) == ["invalid_request"]));
}

/// A message that never ends: its frames are empty, and their headers are bytes too.
#[test]
fn empty_frames_have_a_bound() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({}));
    let first = Frame::message(&b"{"[..], OpCode::Data(Data::Text), false);
    socket.send(Message::Frame(first)).unwrap();
    // Each continues the message, with a mask of zeros.
    socket.write(&[0, 0x80, 0, 0, 0, 0].repeat(1 << 20));
    let (heard, code) = socket.rest();
    assert_eq!((&heard.last()["error"]["type"], code), (&json!("invalid_request"), Some(1008)));
    assert!(until(|| reasons(&server) == ["invalid_request"]));
}

#[test]
fn what_is_no_websocket_is_told() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({}));
    let mut frame = Frame::message(&b"{}"[..], OpCode::Data(Data::Text), true);
    frame.header_mut().rsv1 = true;
    socket.send(Message::Frame(frame)).unwrap();
    let (heard, code) = socket.rest();
    assert_eq!((&heard.last()["error"]["type"], code), (&json!("invalid_request"), Some(1002)));
}

/// Text without sound is read, which is work.
#[test]
fn text_without_sound_counts_against_the_day() {
    let server = Server::start(Voices::Fake, &["--characters-per-day", "1000"]);
    let mut socket = Socket::start(&server, json!({}));
    let mut read = 0;
    let refused = loop {
        // What is interrupted was read before.
        let name = format!("t{read}");
        let text = "😀. ".repeat(30);
        socket.say(json!({"type": "text", "turn": name, "text": text, "flush": true}));
        let event = socket.until(|event| event["type"] == "flushed" || event["type"] == "error");
        if event.last()["type"] == "error" {
            break event.last().clone();
        }
        socket.say(json!({"type": "interrupt", "turn": name}));
        let interrupted = socket.turn(&name);
        assert_eq!(interrupted.last()["usage"]["characters"], 0);
        read += 1;
        assert!(read < 20, "it is read for nothing");
    };
    assert_eq!(refused["error"]["type"], "overloaded");
    assert!(refused["error"]["retry_after"].as_u64().unwrap() > 0);
    assert!(read > 5, "{read}");
    // Nothing is left for later turns.
    socket.finish("last", "Hi.");
    assert_eq!(socket.turn("last").last()["error"]["type"], "overloaded");
}

#[test]
fn a_key_that_is_removed_ends_its_sessions() {
    let server = Server::start(Voices::Fake, &[]);
    let keys = server.path("keys");
    let one = fs::read_to_string(&keys).unwrap();
    let two = format!("Bearer {}", new_key(&keys, "second"));
    let mut second = None;
    assert!(until(|| {
        second = Socket::connect(&server, "", &[("Authorization", &two)]).ok();
        second.is_some()
    }));
    let (mut first, (mut second, _)) = (Socket::start(&server, json!({})), second.unwrap());
    second.finish("a", &TEXT.repeat(50));
    second.until(|event| event["type"] == "words");
    fs::write(&keys, one).unwrap();
    let (heard, code) = second.rest();
    assert!(heard.of("finished").is_empty(), "it was spoken to its end");
    let last = heard.last();
    assert_eq!((&last["type"], &last["reason"]), (&json!("goodbye"), &json!("key")));
    assert_eq!(code, Some(1008));
    first.finish("a", "Yes.");
    assert_eq!(first.turn("a").last()["type"], "finished");
}

//! Unplanned ends of live sessions: slow clients, lost clients, and a service that is stopped or
//! killed.

use std::collections::HashMap;
use std::fs;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};
use tungstenite::Message;

use crate::server::{Server, Voices, until};
use crate::socket::{Said, Socket};

/// The most sessions of one account with the default options.
const SESSIONS: usize = 50;

pub(crate) const TEXT: &str = "Many words at once. ";

/// The outcome and the characters by request.
pub(crate) fn record(server: &Server) -> HashMap<String, (String, u64)> {
    let database = Connection::open(server.path("usage.db")).unwrap();
    let mut rows =
        database.prepare("SELECT request_id, outcome, characters FROM requests").unwrap();
    let rows = rows
        .query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get::<_, u32>(2)?.into()))))
        .unwrap();
    rows.map(Result::unwrap).collect()
}

/// A session with a turn that speaks.
fn speaking(server: &Server, sentences: usize) -> (Socket, String) {
    let mut socket = Socket::start(server, json!({"ahead": 2}));
    socket.finish("a", &TEXT.repeat(sentences));
    let request = socket.event()["request_id"].as_str().unwrap().to_owned();
    (socket, request)
}

#[test]
fn a_client_that_is_gone_leaves_a_turn_of_what_was_sent() {
    let server = Server::start(Voices::Fake, &[]);
    let (mut closed, first) = speaking(&server, 40);
    let (mut broken, second) = speaking(&server, 40);
    for socket in [&mut closed, &mut broken] {
        socket.until(|event| event["type"] == "words");
        // Words without sound cost nothing.
        assert!(matches!(socket.next(), Said::Sound(_)));
    }
    closed.send(Message::Close(None)).unwrap();
    // The service answers, as the protocol says.
    closed.rest();
    broken.break_off();
    assert!(until(|| server.recorded("left") == 2));
    for request in [first, second] {
        let (outcome, characters) = record(&server)[&request].clone();
        assert!(outcome == "left" && (1..400).contains(&characters), "{outcome} {characters}");
    }
    assert!(until(|| server.metric("speech_http_live_sessions") == 0.0));
    assert_eq!(server.metric("speech_http_in_progress"), 0.0);
}

/// The memory for a client that reads little is bounded, and the client is given up.
#[test]
fn a_client_that_takes_little_holds_little_and_is_given_up() {
    let server = Server::start(Voices::Fake, &["--write-timeout", "2"]);
    let speak = |server: &Server| {
        let mut socket = Socket::open_with_little_room(server);
        socket.say(json!({"type": "start", "ahead": 300}));
        socket.say(json!({"type": "played", "seconds": 1e9}));
        socket.finish("a", &TEXT.repeat(900));
        socket
    };
    let before = server.peak_memory();
    let sockets: Vec<_> = (0..20).map(|_| speak(&server)).collect();
    let mut slow = speak(&server);
    thread::scope(|scope| {
        // A hundred bytes a second are too few.
        scope.spawn(|| {
            while slow.take(10) > 0 {
                thread::sleep(Duration::from_millis(100));
            }
        });
        // Eighteen thousand characters are some twenty minutes: 53 MB for each.
        assert!(until(|| server.recorded("left") == 21));
    });
    let more = server.peak_memory().saturating_sub(before);
    assert!(more < 100 << 20, "{more}");
    drop(sockets);
}

#[test]
fn who_reads_nothing_can_interrupt() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::open_with_little_room(&server);
    socket.say(json!({"type": "start", "ahead": 300}));
    socket.finish("a", &TEXT.repeat(900));
    let mut before = usize::MAX;
    // Wait until nothing more is computed, because nothing is read.
    assert!(until(|| {
        thread::sleep(Duration::from_millis(500));
        let now = server.inferences();
        now > 0 && before == std::mem::replace(&mut before, now)
    }));
    socket.say(json!({"type": "interrupt", "turn": "a"}));
    socket.finish("b", "Yes.");
    assert!(until(|| server.recorded("stopped") == 1));
    let (a, b) = (socket.turn("a"), socket.turn("b"));
    assert_eq!((&a.last()["type"], &b.last()["type"]), (&json!("interrupted"), &json!("finished")));
    // The client gets all that was written of the turn, and nothing else.
    let sent = a.sound.len() as f64 / 44_100.0;
    assert!(a.last()["played"].as_f64().unwrap() <= sent + 0.001);
    assert!(sent < 60.0, "{sent}");
}

#[test]
fn a_service_that_ends_finishes_the_turns_that_have_begun() {
    let mut server = Server::start(Voices::Fake, &["--grace", "600"]);
    let sockets: Vec<_> = (0..SESSIONS).map(|_| speaking(&server, 8)).collect();
    // A turn whose text does not end.
    let mut open = Socket::start(&server, json!({}));
    open.say(json!({"type": "text", "turn": "a", "text": "Hello "}));
    server.terminate();
    let requests: Vec<_> = thread::scope(|scope| {
        let clients = sockets.into_iter().map(|(mut socket, request)| {
            scope.spawn(move || {
                let (mut ends, mut said_goodbye) = (HashMap::new(), false);
                let code = loop {
                    match socket.next() {
                        Said::Event(event) if event["type"] == "goodbye" => {
                            assert_eq!(event["reason"], "restart");
                            assert!((500..=600).contains(&event["seconds"].as_u64().unwrap()));
                            said_goodbye = true;
                            // Nothing new begins. The error may come after the end of the session.
                            let text =
                                json!({"type": "text", "turn": "b", "text": "No.", "finish": true});
                            let _ = socket.send(Message::text(text.to_string()));
                        }
                        Said::Event(event) => {
                            if event["type"] == "finished" || event["type"] == "error" {
                                ends.insert(event["turn"].clone(), event);
                            }
                        }
                        Said::Sound(_) => {}
                        Said::Closed(code) => break code,
                    }
                };
                assert_eq!((said_goodbye, code), (true, Some(1012)));
                assert_eq!(ends[&json!("a")]["type"], "finished");
                let refused = ends.get(&json!("b"));
                assert!(refused.is_none_or(|end| end["error"]["type"] == "overloaded"));
                request
            })
        });
        let clients: Vec<_> = clients.collect();
        open.until(|event| event["type"] == "goodbye");
        open.say(json!({"type": "text", "text": "there.", "finish": true}));
        assert_eq!(open.turn("a").last()["type"], "finished");
        assert_eq!(open.rest().1, Some(1012));
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    assert!(server.ended_well());
    let recorded = record(&server);
    assert!(requests.iter().all(|request| recorded[request].0 == "complete"));
    assert_eq!(server.recorded("left"), 0);
}

#[test]
fn a_second_signal_ends_sessions_at_once() {
    let mut server = Server::start(Voices::Fake, &[]);
    let (mut socket, request) = speaking(&server, 200);
    socket.until(|event| event["type"] == "words");
    server.terminate();
    socket.until(|event| event["type"] == "goodbye");
    server.terminate();
    assert_eq!(socket.rest().1, Some(1012));
    assert!(server.ended_well());
    let (outcome, characters) = record(&server)[&request].clone();
    assert!(outcome == "left" && characters > 0, "{outcome} {characters}");
}

/// The record has at least the characters that clients got, and at most those of one more piece.
#[test]
fn a_service_that_is_killed_has_recorded_what_was_sent() {
    let mut server = Server::start(Voices::Fake, &[]);
    let mut sockets: Vec<_> = (0..SESSIONS).map(|_| speaking(&server, 400)).collect();
    // Most turns have some sound by then.
    assert!(until(|| server.inferences() > 2 * SESSIONS));
    server.kill();
    let mut got = HashMap::new();
    for (socket, request) in &mut sockets {
        // The end of the last piece whose sound has come, and the end of the pieces that may be
        // recorded.
        let (mut told, mut heard) = (0, 0);
        loop {
            match socket.next() {
                Said::Event(event) if event["type"] == "words" => {
                    let last =
                        event["words"].as_array().unwrap().last().cloned().unwrap_or(Value::Null);
                    told = last["bytes"][1].as_u64().unwrap_or(told);
                }
                Said::Sound(_) => heard = told,
                Said::Closed(_) => break,
                Said::Event(_) => {}
            }
        }
        got.insert(request.clone(), heard);
    }
    server.restart(&[]);
    let recorded = record(&server);
    let mut spoken = 0;
    for (request, heard) in got {
        // A turn of which nothing was sent need not have a row.
        let Some((outcome, characters)) = recorded.get(&request) else {
            assert_eq!(heard, 0);
            continue;
        };
        assert_eq!(outcome, "interrupted");
        let pieces = 3 * TEXT.len() as u64;
        assert!((heard..heard + pieces).contains(characters), "{heard} {characters}");
        spoken += heard;
    }
    assert!(spoken > 0);
}

#[test]
fn a_turn_that_cannot_be_recorded_fails_and_the_session_goes_on() {
    let (server, full) = Server::start_on_disk();
    let mut socket = Socket::start(&server, json!({"ahead": 2}));
    socket.finish("a", &TEXT.repeat(100));
    let first = socket.until(|event| event["type"] == "words");
    let request = first.of("turn")[0]["request_id"].as_str().unwrap().to_owned();
    fs::write(&full, "").unwrap();
    socket.say(json!({"type": "played", "turn": "a", "seconds": 1e9}));
    // The next piece could not be recorded.
    assert!(until(|| server.get("/readyz").status == 503));
    fs::remove_file(&full).unwrap();
    let heard = socket.turn("a");
    assert_eq!(heard.last()["error"]["type"], "internal");
    socket.finish("b", "Yes.");
    assert_eq!(socket.turn("b").last()["type"], "finished");
    let (outcome, characters) = record(&server)[&request].clone();
    // All sound that was sent is in the record.
    let words = heard.words();
    let told = words.last().map_or(0, |word| word["bytes"][1].as_u64().unwrap());
    assert!(outcome == "internal" && characters >= told, "{outcome} {characters} {told}");
}

/// A silent session takes little memory, and no thread.
#[test]
fn idle_sessions_take_little() {
    let sessions = ["--live-sessions", "500", "--live-sessions-per-account", "500"];
    let server = Server::start(Voices::Fake, &sessions);
    // The first session allocates memory that all share.
    let first = Socket::start(&server, json!({}));
    let (memory, threads) = (server.status("VmRSS"), server.status("Threads"));
    let sockets: Vec<_> = (0..200).map(|_| Socket::start(&server, json!({}))).collect();
    let more = server.status("VmRSS").saturating_sub(memory);
    assert!(more < 10 << 10, "{more} kB");
    let others: Vec<_> = (0..299).map(|_| Socket::start(&server, json!({}))).collect();
    assert!(server.status("Threads") <= threads + 20, "{} {threads}", server.status("Threads"));
    drop((first, sockets, others));
}

//! A network that is cut silently: neither side learns that the other is gone.

use std::process::Command;

use serde_json::json;

use crate::live_ends::{TEXT, record};
use crate::live_hostile::reasons;
use crate::server::{Server, Voices, until};
use crate::socket::{Heard, Socket};

/// Set for the process that has a network of its own.
const INSIDE: &str = "SPEECH_TEST_INSIDE";

/// The most bytes that the system of the service buffers for a client.
const BUFFER: u64 = 128 << 10;

#[test]
fn a_connection_that_is_cut_ends_its_session() {
    if std::env::var_os(INSIDE).is_some() {
        return cut_connections();
    }
    let mut alone = Command::new("unshare");
    alone.args(["--user", "--map-root-user", "--net"]).arg(std::env::current_exe().unwrap());
    alone.args(["--exact", "--nocapture", "network::a_connection_that_is_cut_ends_its_session"]);
    let output = alone.env(INSIDE, "").output().expect("this test needs `unshare` (util-linux)");
    let said = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert!(output.status.success() && said[0].contains("1 passed"), "{}", said.concat());
}

/// Sets the only link of this network up or down. While it is down, every packet is lost.
fn set_link(state: &str) {
    let set = Command::new("ip").args(["link", "set", "lo", state]).status();
    assert!(set.expect("this test needs `ip` (iproute2)").success(), "{state}");
}

/// One session is cut while it gets sound, the other while its turn waits for text.
fn cut_connections() {
    set_link("up");
    let sessions = ["--live-sessions", "2", "--live-sessions-per-account", "2"];
    let server = Server::start(Voices::Fake, &[&sessions[..], &["--write-timeout", "2"]].concat());
    let key = format!("Bearer {}", server.key);
    let open = || Socket::connect(&server, "", &[("Authorization", &key)]).map(|it| it.0);

    let mut waiting = Socket::start(&server, json!({}));
    waiting.say(json!({"type": "text", "turn": "a", "text": TEXT, "flush": true}));
    let waited = waiting.until(|event| event["type"] == "flushed");
    let mut busy = Socket::start(&server, json!({"ahead": 2}));
    busy.finish("a", &TEXT.repeat(400));
    let mut heard = busy.until(|event| event["from"].as_f64().is_some_and(|from| from > 1.0));
    assert_eq!(open().err(), Some((503, "overloaded".to_owned())));
    set_link("down");

    // The write timeout ends the first session, and an unanswered ping the second.
    assert!(until(|| reasons(&server).len() == 2));
    assert_eq!(reasons(&server), ["slow", "silence"]);
    assert_eq!(server.recorded("left"), 2);

    // No end of the connection came, and nothing else.
    assert!(waiting.so_far().events.is_empty());
    let more = busy.so_far();
    heard.events.extend(more.events);
    heard.sound.extend(more.sound);
    let request = |heard: &Heard| heard.of("turn")[0]["request_id"].as_str().unwrap().to_owned();
    let recorded = record(&server);
    assert_eq!(recorded[&request(&waited)], ("left".to_owned(), TEXT.trim_end().len() as u64));
    let (outcome, characters) = &recorded[&request(&heard)];
    // The sound of the last words may not have come: bytes in the system's buffers count as sent,
    // and a piece more is recorded.
    let told = heard.words().last().unwrap()["bytes"][1].as_u64().unwrap();
    let on_its_way = BUFFER * told / heard.sound.len() as u64;
    let piece = TEXT.len() as u64;
    let expected = told - piece..told + on_its_way + 2 * piece;
    assert!(outcome == "left" && expected.contains(characters), "{characters} {expected:?}");

    set_link("up");
    let mut opened = Vec::new();
    assert!(until(|| {
        opened.extend(open());
        opened.len() == 2
    }));
    for socket in &mut opened {
        socket.finish("a", "Yes.");
        assert_eq!(socket.turn("a").last()["type"], "finished");
    }
}

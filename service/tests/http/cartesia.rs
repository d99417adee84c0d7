//! Cartesia's protocol, but for what the packages of Cartesia test.

use std::fs;

use serde_json::{Value, json};

use crate::server::{Server, Voices};
use crate::socket::Socket;

const PATH: &str = "/tts/websocket";

fn open(server: &Server, query: &str) -> Result<Socket, (u16, String)> {
    Socket::connect_at(server, &format!("{PATH}{query}"), &[]).map(|(socket, _)| socket)
}

/// A message of a context whose text ends.
fn message(context: &str, more: Value) -> Value {
    let mut message = json!({"context_id": context, "transcript": "Hello there."});
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    message
}

/// Everything to the end of a context.
fn events(socket: &mut Socket, context: &str) -> Vec<Value> {
    let is_end = |event: &Value| event["type"] == "done" || event["type"] == "error";
    socket.until(|event| event["context_id"] == context && is_end(event)).events
}

#[test]
fn a_key_in_the_query_opens_a_session_and_is_in_no_log() {
    let server = Server::start(Voices::Fake, &["--cartesia"]);
    let query = format!("?cartesia_version=2026-08-14&api_key={}", server.key);
    let mut socket = open(&server, &query).unwrap();
    socket.say(message("a", json!({})));
    assert_eq!(events(&mut socket, "a").last().unwrap()["type"], "done");
    for query in ["?api_key=sk_live_0", "?api_key=", "?access_token=sk_live_0", ""] {
        assert_eq!(open(&server, query).err(), Some((401, "unauthorized".to_owned())), "{query}");
    }
    // Our own routes take none.
    let own = Socket::connect(&server, &format!("?api_key={}", server.key), &[]);
    assert_eq!(own.err(), Some((401, "unauthorized".to_owned())));
    let log = fs::read_to_string(server.path("log")).unwrap();
    assert!(!log.contains(&server.key) && !log.contains("sk_live_"), "{log}");
}

#[test]
fn contexts_with_wrong_settings_end_alone() {
    let server = Server::start(Voices::Fake, &["--cartesia"]);
    let mut socket = open(&server, &format!("?api_key={}", server.key)).unwrap();
    socket.say(message("good", json!({"voice": {"id": "leo"}, "continue": true})));
    let config = |name: &str, value: f64| json!({"generation_config": {name: value}});
    for (number, (wrong, name)) in [
        (json!({"voice": "bob"}), "voice"),
        (json!({"language": "fr"}), "language"),
        (json!({"model_id": "tts-9"}), "model_id"),
        (json!({"output_format": {"container": "mp3", "encoding": "", "sample_rate": 8000}}), "container"),
        (json!({"output_format": {"container": "raw", "encoding": "pcm_s16le", "sample_rate": 11025}}), "sample_rate"),
        (json!({"voice": 5}), "voice"),
        (config("speed", 9.0), "rate"),
        (config("volume", 0.0), "volume"),
        (json!({"speed": "slow"}), "speed"),
    ]
    .into_iter()
    .enumerate()
    {
        let context = number.to_string();
        // The client sends more before it knows.
        for _ in 0..2 {
            socket.say(message(&context, wrong.clone()));
        }
        let heard = events(&mut socket, &context);
        let ended = heard.last().unwrap();
        assert_eq!((&ended["type"], &ended["status_code"]), (&json!("error"), &json!(400)));
        assert!(ended["message"].as_str().unwrap().contains(name), "{ended}");
        // There is nothing of it but this.
        assert_eq!(heard.iter().filter(|event| event["context_id"] == context).count(), 1);
    }
    socket.say(message("good", json!({})));
    let heard = events(&mut socket, "good");
    assert_eq!(heard.last().unwrap()["type"], "done", "{heard:?}");
    assert!(heard.iter().all(|event| event["context_id"] == "good"), "{heard:?}");
}

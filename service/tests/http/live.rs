//! The live route: each message and each error.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};
use speech_tests::pages;
use tungstenite::Message;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::server::{Server, Voices, new_key, until};
use crate::socket::{Heard, Said, Socket};

const SENTENCES: &str =
    "Of course, I can help. It is four o'clock; the train leaves at ten. Good-bye!";

/// The outcome, the characters and the session of a recorded request.
fn record(server: &Server, request: &str) -> (String, usize, Option<String>) {
    record_of(server, request).unwrap()
}

/// The same; none for a request that shares a row with others of its minute.
fn record_of(server: &Server, request: &str) -> Option<(String, usize, Option<String>)> {
    let database = Connection::open(server.path("usage.db")).unwrap();
    let sql = "SELECT outcome, characters, session FROM requests WHERE request_id = ?1";
    let row = database.query_row(sql, [request], |row| {
        Ok((row.get(0)?, row.get::<_, u32>(1)? as usize, row.get(2)?))
    });
    row.optional().unwrap()
}

fn request_of(heard: &Heard) -> String {
    heard.of("turn")[0]["request_id"].as_str().unwrap().to_owned()
}

fn pcm(server: &Server, text: &str) -> Vec<u8> {
    server.speak(&json!({"text": text, "format": "pcm"}).to_string()).body
}

#[test]
fn a_turn_sounds_as_the_whole_text_and_is_recorded() {
    let server = Server::start(Voices::Real, &[]);
    let mut socket =
        Socket::open(&server, "?latency=standard&events=words,sentences,phonemes,visemes");
    for (n, token) in SENTENCES.split_inclusive(' ').enumerate() {
        socket.say(json!({"type": "text", "text": token}));
        if n == 0 {
            let ready = socket.event();
            assert_eq!(ready["type"], "ready");
            assert_eq!(
                (&ready["encoding"], &ready["sample_rate"]),
                (&json!("pcm16"), &json!(22050))
            );
            assert_eq!(
                (&ready["frame_bytes"], &ready["limits"]["sessions"]),
                (&json!(2), &json!(1))
            );
        }
    }
    socket.say(json!({"type": "finish"}));
    let heard = socket.turn("1");
    assert!(heard.sound == pcm(&server, SENTENCES));
    let seconds = heard.sound.len() as f64 / 44_100.0;
    let finished = heard.last();
    assert!((finished["seconds"].as_f64().unwrap() - seconds).abs() < 0.001);
    let all = SENTENCES.chars().count();
    assert_eq!(finished["usage"], json!({"characters": all, "pushed": all}));
    assert_eq!(finished["skipped"], json!([]));
    assert!(finished["timing"]["first_audio_ms"].as_u64().is_some());
    let (outcome, characters, session) = record(&server, &request_of(&heard));
    assert_eq!((&*outcome, characters), ("complete", all));
    assert!(session.is_some());
    // The timestamps are those in the lines of a whole request.
    let body = json!({"text": SENTENCES, "format": "pcm"}).to_string();
    let key = format!("Bearer {}", server.key);
    let lines = server.client().send(
        "POST",
        "/v1/speech",
        &[
            ("Authorization", &key),
            ("Content-Type", "application/json"),
            ("Accept", "application/x-ndjson"),
        ],
        body.as_bytes(),
    );
    let lines: Vec<Value> =
        lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let all = |events: Vec<&Value>, kind: &str| -> Vec<Value> {
        let events = events.into_iter().filter_map(|event| event[kind].as_array());
        events.flatten().cloned().collect()
    };
    for kind in ["words", "sentences", "phonemes"] {
        assert_eq!(all(heard.of("words"), kind), all(lines.iter().collect(), kind), "{kind}");
    }
    // Pieces end elsewhere, so a pause may be cut elsewhere. The visemes have no gaps.
    let shapes = all(heard.of("words"), "visemes");
    assert!(shapes.windows(2).all(|pair| pair[0]["end"] == pair[1]["start"]), "{shapes:?}");
    assert_eq!(shapes.last().unwrap()["end"], finished["seconds"]);
    // The pieces follow each other without a gap, and the words of each come before its sound.
    let mut to = 0.0;
    for piece in heard.of("words") {
        assert_eq!(piece["from"], to);
        to = piece["to"].as_f64().unwrap();
    }
    assert_eq!(to, finished["seconds"]);
}

#[test]
fn what_is_refused_before_there_is_a_socket() {
    let options = [
        "--live-sessions",
        "3",
        "--live-sessions-per-account",
        "2",
        "--cors-origin",
        "https://a.example",
    ];
    let server = Server::start(Voices::Fake, &options);
    let own = format!("Bearer {}", server.key);
    let (own, wrong) = (("Authorization", &*own), ("Authorization", "Bearer sk_live_0"));
    let address = server.address.to_string();
    let (page, other_page) = (format!("http://{address}"), format!("https://{address}.example"));
    let protocols = format!("speech.live.v1, key.{}", server.key);
    type Row<'a> = (&'a str, &'a [(&'static str, &'a str)], u16, &'a str);
    let key_in_query = format!("?voice=leo&token={}", server.key);
    let rows: [Row<'_>; 16] = [
        ("", &[], 401, "unauthorized"),
        ("", &[wrong], 401, "unauthorized"),
        ("", &[("Sec-WebSocket-Protocol", "speech.live.v1, key.sk_live_0")], 401, "unauthorized"),
        ("", &[own, ("Origin", "https://b.example")], 401, "unauthorized"),
        ("", &[own, ("Origin", &other_page)], 401, "unauthorized"),
        ("", &[own, ("Origin", "null")], 401, "unauthorized"),
        (&key_in_query, &[], 401, "unauthorized"),
        (&key_in_query, &[own], 400, "invalid_request"),
        ("?voice=nobody", &[own], 400, "invalid_request"),
        ("?rate=3", &[own], 400, "invalid_request"),
        ("?rate=fast", &[own], 400, "invalid_request"),
        ("?ahead=0", &[own], 400, "invalid_request"),
        ("?frame_ms=7", &[own], 400, "invalid_request"),
        ("?voice=leo&voice=leo", &[own], 400, "invalid_request"),
        ("?events=words,smells", &[own], 400, "invalid_request"),
        ("?lexicons=nothing", &[own], 404, "not_found"),
    ];
    for (query, headers, status, kind) in rows {
        let refused = Socket::connect(&server, query, headers).err();
        assert_eq!(refused, Some((status, kind.to_owned())), "{query} {headers:?}");
    }
    for (headers, chosen) in [
        (&[own][..], None),
        (&[own, ("Sec-WebSocket-Protocol", "speech.live.v1")], Some("speech.live.v1")),
        (&[("Sec-WebSocket-Protocol", &*protocols)], Some("speech.live.v1")),
        (&[own, ("Origin", "https://a.example")], None),
        (&[own, ("Origin", &page)], None),
    ] {
        let connected = Socket::connect(&server, "?unknown=1&as=json", headers);
        let (mut socket, protocol) =
            connected.unwrap_or_else(|error| panic!("{headers:?}: {error:?}"));
        assert_eq!(protocol.as_deref(), chosen);
        socket.say(json!({"type": "close"}));
        assert_eq!(socket.rest().1, Some(1000));
    }
    // A request without a WebSocket handshake.
    let response = server.client().send("GET", "/v1/speech/live", &[own], b"");
    assert_eq!((response.status, &*response.refusal()), (400, "invalid_request"));
    assert_eq!(server.client().send("POST", "/v1/speech/live", &[own], b"").status, 405);
    // Rejected sessions are in the record.
    assert_eq!(server.recorded("invalid_request"), 9);
    let closed = || server.metric("speech_http_live_sessions") == 0.0;
    assert!(until(closed));
    let sessions = [Socket::open(&server, ""), Socket::open(&server, "")];
    let refusal = |headers: &[(&'static str, &str)]| Socket::connect(&server, "", headers).err();
    assert_eq!(refusal(&[own]), Some((429, "overloaded".to_owned())));
    let second = format!("Bearer {}", new_key(&server.path("keys"), "second"));
    let second = [("Authorization", &*second)];
    let mut opened = None;
    assert!(until(|| {
        opened = Socket::connect(&server, "", &second).ok();
        opened.is_some()
    }));
    assert_eq!(refusal(&second), Some((503, "overloaded".to_owned())));
    drop(sessions);
    assert!(until(|| refusal(&[own]).is_none()));
}

/// The errors that end the session, and their close codes.
#[test]
fn what_is_refused_on_a_socket() {
    let server = Server::start(Voices::Fake, &[]);
    let long = format!("{{\"type\": \"text\", \"text\": \"{}\"}}", "a".repeat(66_000));
    let name = "n".repeat(65);
    let rows = [
        ("{", "invalid_request", 1008),
        ("[]", "invalid_request", 1008),
        ("{\"type\": 1}", "invalid_request", 1008),
        ("{\"type\": \"sing\"}", "invalid_request", 1008),
        ("{\"type\": \"start\", \"voice\": \"nobody\"}", "invalid_request", 1008),
        ("{\"type\": \"start\", \"voice\": 5}", "invalid_request", 1008),
        ("{\"type\": \"start\", \"ssml\": true}", "invalid_request", 1008),
        ("{\"type\": \"start\", \"rate\": 9}", "invalid_request", 1008),
        ("{\"type\": \"start\", \"audio\": {\"sample_rate\": 11025}}", "invalid_request", 1008),
        ("{\"type\": \"start\", \"audio\": {\"encoding\": \"opus\"}}", "invalid_request", 1008),
        ("{\"type\": \"start\", \"audio\": {\"frame_ms\": 0}}", "invalid_request", 1008),
        (
            "{\"type\": \"start\", \"audio\": {\"frame_ms\": 40, \"message_ms\": 20}}",
            "invalid_request",
            1008,
        ),
        ("{\"type\": \"start\", \"events\": [\"smells\"]}", "invalid_request", 1008),
        ("{\"type\": \"text\"}", "invalid_request", 1008),
        ("{\"type\": \"text\", \"text\": 5}", "invalid_request", 1008),
        ("{\"type\": \"text\", \"text\": \"a\", \"text\": \"b\"}", "invalid_request", 1008),
        ("{\"type\": \"text\", \"text\": \"a\", \"turn\": \"\"}", "invalid_request", 1008),
        (&format!("{{\"type\": \"flush\", \"turn\": \"{name}\"}}"), "invalid_request", 1008),
        ("{\"type\": \"played\", \"seconds\": -1}", "invalid_request", 1008),
        (&long, "request_too_large", 1009),
    ];
    for is_first in [true, false] {
        for (message, kind, code) in rows {
            let mut socket = Socket::open(&server, "");
            if !is_first {
                socket.say(json!({"type": "start"}));
                socket.event();
            }
            socket.send(Message::text(message)).unwrap();
            let (heard, closed) = socket.rest();
            let error = heard.last();
            let about = format!("{} {is_first}: {error}", &message[..message.len().min(80)]);
            assert_eq!(
                (&error["type"], &error["error"]["type"]),
                (&json!("error"), &json!(kind)),
                "{about}"
            );
            assert!(
                error.get("turn").is_none()
                    && !error["error"]["message"].as_str().unwrap().is_empty(),
                "{about}"
            );
            assert_eq!(closed, Some(code), "{about}");
        }
    }
    let not_utf8 = Frame::message(vec![b'"', 0xff], OpCode::Data(Data::Text), true);
    for (first, code) in [
        (Message::Frame(not_utf8), 1007),
        (Message::binary(vec![1]), 1003),
        (Message::text("{\"type\": \"settings\", \"audio\": {}}"), 1008),
    ] {
        let mut socket = Socket::start(&server, json!({}));
        socket.send(first).unwrap();
        assert_eq!(socket.rest().1, Some(code));
    }
    let mut socket = Socket::start(&server, json!({}));
    socket.say(json!({"type": "start"}));
    assert_eq!(socket.rest().1, Some(1008));
    // More messages than a second allows.
    let mut socket = Socket::start(&server, json!({}));
    let played = || Message::text("{\"type\": \"played\", \"seconds\": 1}");
    // The service may close the socket meanwhile.
    (0..3000).take_while(|_| socket.send(played()).is_ok()).count();
    assert_eq!(socket.rest().1, Some(1008));
}

/// The errors that end a turn, while the session goes on.
#[test]
fn what_is_refused_of_a_turn() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({"ahead": 300}));
    let error = |event: &Value| (event["turn"].clone(), event["error"]["type"].clone());
    let refused = |turn: &str, kind: &str| (json!(turn), json!(kind));
    socket.finish("nul", "a\0");
    assert_eq!(error(socket.turn("nul").last()), refused("nul", "invalid_request"));
    // Later text of the turn is ignored until its end.
    for text in ["no", "no"] {
        socket.say(json!({"type": "text", "turn": "nul", "text": text}));
    }
    socket.finish("good", "Yes.");
    assert_eq!(socket.turn("good").last()["type"], "finished");
    socket.finish("good", "Again.");
    assert_eq!(error(&socket.event()), refused("good", "invalid_request"));
    // A turn without a name.
    socket.say(json!({"type": "text", "text": "\0"}));
    assert_eq!(error(socket.turn("1").last()), refused("1", "invalid_request"));
    socket.say(json!({"type": "text", "text": "no", "flush": true}));
    socket.say(json!({"type": "finish"}));
    socket.say(json!({"type": "text", "text": "Yes.", "finish": true}));
    assert_eq!(socket.turn("2").last()["type"], "finished");
    // More text than may wait.
    let much = "Many words at once. ".repeat(600);
    socket.say(json!({"type": "text", "turn": "a", "text": much}));
    socket.say(json!({"type": "text", "turn": "b", "text": much}));
    let heard = socket.until(|event| event["type"] == "error");
    assert_eq!(error(heard.last()), refused("b", "text_too_long"));
    socket.say(json!({"type": "interrupt"}));
    socket.turn("a");
    // More turns than may wait.
    for number in 0..10 {
        socket.say(json!({"type": "text", "turn": format!("t{number}"), "text": "Wait "}));
    }
    let heard = socket.until(|event| event["type"] == "error");
    assert_eq!(error(heard.last()), refused("t9", "overloaded"));
    assert!(heard.last()["error"]["retry_after"].as_u64().is_some());
    for number in 0..9 {
        socket.say(json!({"type": "finish", "turn": format!("t{number}")}));
    }
    for number in 0..9 {
        let name = format!("t{number}");
        let heard = socket.turn(&name);
        assert_eq!(heard.events[0]["turn"], *name);
        assert_eq!(heard.last()["type"], "finished", "{name}");
    }
    socket.say(json!({"type": "close"}));
    let (heard, code) = socket.rest();
    assert_eq!(
        (&heard.last()["type"], &heard.last()["reason"], code),
        (&json!("goodbye"), &json!("close"), Some(1000))
    );
    assert_eq!(heard.last()["usage"]["turns"], 12);
}

#[test]
fn an_interruption_stops_what_sounds_and_what_waits() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({"ahead": 1}));
    let text = "Many words at once. ".repeat(40);
    socket.finish("a", &text);
    socket.finish("b", "Never.");
    socket.say(json!({"type": "text", "turn": "c", "text": "Never "}));
    // The sound before this piece was written.
    let heard = socket.until(|event| event["from"].as_f64().is_some_and(|from| from > 1.0));
    let request = request_of(&heard);
    socket.say(json!({"type": "interrupt", "played": 0.9}));
    // Text that was on its way.
    socket.say(json!({"type": "text", "turn": "c", "text": "never."}));
    socket.finish("d", "Yes.");
    let (a, b, c) = (socket.turn("a"), socket.turn("b"), socket.turn("c"));
    let interrupted = a.last();
    assert_eq!(
        (&interrupted["type"], &interrupted["by"]),
        (&json!("interrupted"), &json!("client"))
    );
    let bytes = interrupted["heard"]["bytes"].as_u64().unwrap() as usize;
    assert!(bytes > 0 && interrupted["heard"]["text"] == text[..bytes], "{interrupted}");
    let characters = interrupted["usage"]["characters"].as_u64().unwrap() as usize;
    assert!(bytes <= characters && characters < 200, "{interrupted}");
    assert_eq!(
        record(&server, &request),
        ("stopped".to_owned(), characters, record(&server, &request).2)
    );
    for other in [b, c] {
        assert!(other.sound.is_empty());
        let [event] = &*other.events else { panic!("{other:?}") };
        assert_eq!(
            (&event["type"], &event["played"], &event["usage"]["characters"]),
            (&json!("interrupted"), &json!(0.0), &json!(0))
        );
    }
    assert_eq!(socket.turn("d").last()["type"], "finished");
    // A turn by its name, alone.
    socket.finish("e", &text);
    socket.finish("f", "Never.");
    socket.finish("g", "Yes.");
    socket.until(|event| event["turn"] == "e" && event["type"] == "words");
    for name in ["f", "f", "nobody", "e", "e"] {
        socket.say(json!({"type": "interrupt", "turn": name}));
    }
    let heard = socket.turn("g");
    let ends = heard.events.iter().filter(|event| event["type"] == "interrupted");
    let ends: Vec<_> = ends.map(|event| event["turn"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ends, ["e", "f"]);
}

#[test]
fn a_flush_speaks_what_is_there_and_the_turn_goes_on() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({"latency": "standard"}));
    let mut at = 0.0;
    for text in ["One moment", " please", " 😀"] {
        socket.say(json!({"type": "text", "turn": "a", "text": text}));
        socket.say(json!({"type": "flush", "turn": "a"}));
        let heard = socket.until(|event| event["type"] == "flushed");
        let seconds = heard.last()["seconds"].as_f64().unwrap();
        let sound = heard.sound.len() as f64 / 44_100.0;
        assert!((seconds - at - sound).abs() < 0.002, "{text}: {seconds} {at} {sound}");
        assert_eq!(sound > 0.0, text != " 😀", "{text}");
        at = seconds;
    }
    socket.say(json!({"type": "finish"}));
    let heard = socket.turn("a");
    let all = "One moment please 😀";
    assert_eq!(heard.last()["skipped"][0]["bytes"], json!([18, 22]));
    assert_eq!(heard.last()["skipped"][0]["utf16"], json!([18, 20]));
    assert_eq!(heard.last()["usage"]["characters"], all.chars().count());
}

#[test]
fn sound_comes_in_whole_frames_and_as_json() {
    let server = Server::start(Voices::Fake, &[]);
    let audio = json!({"frame_ms": 20, "message_ms": 110});
    let mut socket =
        Socket::start(&server, json!({"latency": "standard", "ahead": 300, "audio": audio}));
    socket.say(json!({"type": "text", "turn": "a", "text": "One moment please, it takes some time. ", "flush": true}));
    socket.finish("a", "There.");
    let heard = socket.turn("a");
    let frame = 22_050 / 50 * 2;
    assert!(
        heard.messages.iter().all(|bytes| bytes % frame == 0 && *bytes <= 5 * frame),
        "{:?}",
        heard.messages
    );
    assert!(heard.messages.contains(&(5 * frame)));
    let seconds = heard.last()["seconds"].as_f64().unwrap();
    assert!((heard.sound.len() as f64 / 44_100.0 - seconds).abs() < 0.001);
    // Both parts are there, with the pause of a sentence end between them.
    let whole = pcm(&server, "One moment please, it takes some time. There.");
    assert!(
        (whole.len()..whole.len() + 44_100 / 2).contains(&heard.sound.len()),
        "{}",
        whole.len()
    );
    let last = heard.words().last().unwrap()["end"].as_f64().unwrap();
    assert!(last <= seconds, "{last} {seconds}");
    let mut as_json =
        Socket::open(&server, "?as=json&frame_ms=20&message_ms=110&latency=standard&ahead=300");
    as_json.say(json!({"type": "text", "turn": "a", "text": "One moment please, it takes some time. ", "flush": true}));
    as_json.finish("a", "There.");
    assert_eq!(as_json.event()["frame_bytes"], frame);
    let told = as_json.turn("a");
    let sound = told.of("audio").into_iter().map(|event| {
        assert_eq!(event["turn"], "a");
        base64(event["audio"].as_str().unwrap())
    });
    assert!(told.sound.is_empty() && sound.collect::<Vec<_>>().concat() == heard.sound);
}

/// The sound is that of a request with the same rate and encoding, plus the silence that fills the
/// last frame.
#[test]
fn sound_comes_at_every_rate_and_in_every_encoding() {
    let server = Server::start(Voices::Fake, &[]);
    for rate in [8_000, 16_000, 22_050, 24_000, 44_100, 48_000] {
        for (encoding, bytes, silence) in
            [("pcm16", 2, 0), ("float32", 4, 0), ("mulaw", 1, 0xff), ("alaw", 1, 0xd5)]
        {
            let body = json!({"text": SENTENCES, "format": "pcm", "sample_rate": rate, "encoding": encoding});
            let whole = server.speak(&body.to_string()).body;
            let query = format!("?latency=standard&ahead=300&sample_rate={rate}");
            let mut socket = Socket::open(&server, &query);
            socket.say(json!({"type": "start", "audio": {"encoding": encoding, "frame_ms": 20}}));
            let ready = socket.event();
            let frame = bytes * rate / 50;
            assert_eq!(
                (&ready["sample_rate"], &ready["encoding"], &ready["frame_bytes"]),
                (&json!(rate), &json!(encoding), &json!(frame))
            );
            socket.finish("a", SENTENCES);
            let heard = socket.turn("a");
            assert!(heard.messages.iter().all(|bytes| bytes % frame == 0), "{:?}", heard.messages);
            let (sound, filled) = heard.sound.split_at(whole.len());
            assert!(sound == whole, "{rate} {encoding}");
            assert!(
                filled.len() < frame && filled.iter().all(|byte| *byte == silence),
                "{rate} {encoding}"
            );
        }
    }
}

#[test]
fn words_are_read_as_the_session_says() {
    let server = Server::start(Voices::Fake, &[]);
    let phonemes = |pronunciations: Value| -> Vec<Value> {
        let mut socket = Socket::open(&server, "?latency=standard&events=phonemes");
        socket.say(json!({"type": "start", "pronunciations": pronunciations}));
        assert_eq!(socket.event()["type"], "ready");
        socket.finish("a", "Kubectl runs.");
        let heard = socket.turn("a");
        let phonemes =
            heard.of("words").into_iter().flat_map(|it| it["phonemes"].as_array().unwrap());
        phonemes.map(|phoneme| phoneme["ipa"].clone()).collect()
    };
    let plain = phonemes(json!({}));
    assert_ne!(phonemes(json!({"kubectl": "cube control"})), plain);
    let mut socket = Socket::open(&server, "");
    socket.say(json!({"type": "start", "lexicons": ["nothing"]}));
    let (heard, code) = socket.rest();
    assert_eq!((&heard.last()["error"]["type"], code), (&json!("not_found"), Some(1008)));
    for wrong in [
        json!({"pronunciations": {"a": 1}}),
        json!({"pronunciations": []}),
        json!({"lexicons": "a"}),
    ] {
        let mut socket = Socket::open(&server, "");
        let mut start = wrong.clone();
        start["type"] = json!("start");
        socket.say(start);
        let (heard, code) = socket.rest();
        assert_eq!(
            (&heard.last()["error"]["type"], code),
            (&json!("invalid_request"), Some(1008)),
            "{wrong}"
        );
    }
}

/// Decodes Base64 (RFC 4648) in eight lines, without code of the service.
fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.trim_end_matches('=').bytes();
    let digits: Vec<_> =
        digits.map(|it| ALPHABET.iter().position(|digit| *digit == it).unwrap() as u32).collect();
    let bytes = digits.chunks(4).flat_map(|group| {
        let bits = group.iter().chain(&[0; 4]).take(4).fold(0, |bits, digit| bits << 6 | digit);
        bits.to_be_bytes().into_iter().skip(1).take(group.len() * 6 / 8)
    });
    bytes.collect()
}

#[test]
fn sound_is_not_far_ahead_of_its_playback() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({"ahead": 2}));
    let text = "Many words at once. ".repeat(50);
    socket.finish("a", &text);
    // By the clock of the service, and by `played`.
    let first =
        socket.until(|event| event["type"] == "words" && event["to"].as_f64().unwrap() > 2.0);
    let sent = first.last()["to"].as_f64().unwrap();
    thread::sleep(Duration::from_millis(300));
    assert!(sent < 8.0, "{sent}");
    let inferences = server.inferences();
    assert!(inferences < 10, "{inferences}");
    // `played` counts for at most the sound that was sent.
    let mut said = 0;
    let heard = socket.until_with(|socket, event| {
        if event["type"] == "words" {
            said += 1;
            socket.say(json!({"type": "played", "turn": "a", "seconds": 1e9}));
        }
        event["type"] == "finished"
    });
    let sent = heard.last()["seconds"].as_f64().unwrap();
    assert!(sent > 20.0 && said > 10, "{sent} {said}");
}

#[test]
fn settings_hold_from_the_next_turn_on() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({"latency": "standard", "ahead": 300}));
    socket.say(json!({"type": "text", "turn": "a", "text": "Hello there. "}));
    socket.say(json!({"type": "settings", "rate": 2, "voice": "leo"}));
    socket.finish("a", "Hello there.");
    socket.finish("b", "Hello there. Hello there.");
    let (a, b) = (socket.turn("a"), socket.turn("b"));
    assert!(
        a.sound.len() as f64 > 1.2 * b.sound.len() as f64,
        "{} {}",
        a.sound.len(),
        b.sound.len()
    );
    let database = Connection::open(server.path("usage.db")).unwrap();
    let voice = |heard: &Heard| -> String {
        let sql = "SELECT voice FROM requests WHERE request_id = ?1";
        database.query_row(sql, [request_of(heard)], |row| row.get(0)).unwrap()
    };
    assert_eq!((voice(&a), voice(&b)), ("aria".to_owned(), "leo".to_owned()));
}

#[test]
fn sessions_end_when_nothing_is_said_and_in_any_case() {
    thread::scope(|scope| {
        for (reason, option, seconds) in [
            ("start", "--read-timeout", "1"),
            ("idle", "--live-idle", "1"),
            ("session", "--live-session", "3"),
        ] {
            scope.spawn(move || {
                let server = Server::start(Voices::Fake, &[option, seconds]);
                let mut socket = Socket::open(&server, "?ahead=300");
                if reason != "start" {
                    socket.say(json!({"type": "start"}));
                }
                let mut ended = None;
                for number in 0.. {
                    if reason == "session" {
                        // Sending fails once the session has ended.
                        let text = json!({"type": "text", "turn": format!("t{number}"), "text": "Hi.", "finish": true});
                        let _ = socket.send(Message::text(text.to_string()));
                        thread::sleep(Duration::from_millis(50));
                    }
                    ended = match socket.next() {
                        Said::Event(event) if event["type"] == "goodbye" => Some(event),
                        Said::Closed(code) => {
                            assert_eq!(code, Some(1000), "{reason}");
                            break;
                        }
                        _ => ended,
                    };
                }
                assert_eq!(ended.unwrap()["reason"], reason);
            });
        }
    });
}

#[test]
fn text_that_comes_after_the_end_of_a_session_harms_no_turn() {
    let server = Server::start(Voices::Fake, &["--live-session", "5"]);
    let mut socket = Socket::start(&server, json!({"ahead": 300}));
    let (mut kinds, mut finished) = (Vec::new(), Value::Null);
    let code = loop {
        // Sending fails once the session has ended.
        let text = json!({"type": "text", "turn": "a", "text": "Hi. "});
        let _ = socket.send(Message::text(text.to_string()));
        thread::sleep(Duration::from_millis(10));
        match socket.next() {
            Said::Event(event) => {
                kinds.push(event["type"].as_str().unwrap().to_owned());
                finished = event;
            }
            Said::Sound(_) => {}
            Said::Closed(code) => break code,
        }
    };
    assert_eq!(code, Some(1000));
    assert!(!kinds.contains(&"error".to_owned()), "{finished}");
    assert_eq!(kinds.iter().filter(|kind| *kind == "goodbye").count(), 1);
    assert_eq!((&finished["type"], &finished["turn"]), (&json!("finished"), &json!("a")));
    let usage = &finished["usage"];
    assert_eq!(usage["characters"], usage["pushed"]);
}

/// Interrupted text is not spoken, even while its turn has not ended yet.
#[test]
fn the_text_of_stopped_turns_does_not_wait() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({}));
    let long = "Many words at once. ".repeat(900);
    for turn in ["a", "b", "c", "d"] {
        socket.finish(turn, &long);
        socket.say(json!({"type": "interrupt", "turn": turn}));
        let ended = socket.turn(turn);
        assert_eq!(ended.last()["type"], "interrupted", "{:?}", ended.last());
    }
    // A turn behind one that speaks ends after it.
    socket.say(json!({"type": "text", "turn": "e", "text": "Hi. "}));
    socket.finish("f", &long);
    socket.say(json!({"type": "interrupt", "turn": "f"}));
    socket.finish("g", &long);
    socket.say(json!({"type": "interrupt"}));
    for turn in ["e", "f", "g"] {
        assert_eq!(socket.turn(turn).last()["type"], "interrupted");
    }
}

/// The service accepts each message of the page, and answers as the page says.
#[test]
fn the_messages_of_the_documentation_are_those_of_a_session() {
    let server = Server::start(Voices::Real, &[]);
    let page = pages::one("docs/live-service.md");
    let [said, answers] = page.blocks("json")[..] else { panic!("messages of both sides") };
    let read = |block: &str| -> Vec<Value> {
        let messages = serde_json::Deserializer::from_str(block).into_iter();
        messages.map(Result::unwrap).collect()
    };
    let mut socket = Socket::open(&server, "");
    let said = read(said);
    let [told @ .., interrupt] = &said[..] else { panic!("no message") };
    told.iter().for_each(|message| socket.say(message.clone()));
    let mut heard = socket.until(|event| event["type"] == "finished");
    socket.say(interrupt.clone());
    heard.events.pop();
    heard.events.extend(socket.turn("t7").events);
    heard.events.dedup_by_key(|event| event["type"].clone());
    let answers = read(answers);
    assert_eq!(heard.events.len(), answers.len(), "{heard:?}");
    for (event, answer) in heard.events.iter().zip(&answers) {
        assert_eq!(event["type"], answer["type"]);
        let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(event), names(answer));
        if event["type"] == "ready" {
            assert_eq!(names(&event["limits"]), names(&answer["limits"]));
            for name in ["encoding", "sample_rate", "frame_bytes"] {
                assert_eq!(event[name], answer[name], "{name}");
            }
        }
    }
    let (last, answer) = (heard.last(), answers.last().unwrap());
    assert_eq!((&last["heard"], &last["usage"]), (&answer["heard"], &answer["usage"]));
}

#[test]
fn an_account_has_its_characters_of_a_day() {
    let mut server = Server::start(Voices::Fake, &["--characters-per-day", "50"]);
    let mut socket = Socket::start(&server, json!({"latency": "standard"}));
    // Two sentences fit: the third is rejected after them.
    socket.finish("a", "This is one sentence. And this is another. The third is too much.");
    let heard = socket.turn("a");
    assert_eq!(heard.last()["error"]["type"], "overloaded");
    assert!(heard.last()["error"]["retry_after"].as_u64().unwrap() > 0);
    assert_eq!(heard.words().len(), 8);
    let (outcome, characters, _) = record(&server, &request_of(&heard));
    assert_eq!(
        (&*outcome, characters),
        ("overloaded", "This is one sentence. And this is another.".len())
    );
    // The rest of the day is the same after a restart.
    socket.finish("b", "Hi you.");
    assert_eq!(socket.turn("b").last()["type"], "finished");
    server.restart(&["--characters-per-day", "50"]);
    let mut socket = Socket::start(&server, json!({}));
    socket.finish("a", "Hi you.");
    assert_eq!(socket.turn("a").last()["error"]["type"], "overloaded");
    socket.finish("b", "A");
    assert_eq!(socket.turn("b").last()["type"], "finished");
    // Nothing is left: no turn begins.
    socket.finish("c", "A");
    let refused = socket.turn("c");
    assert_eq!(refused.last()["error"]["type"], "overloaded");
    assert!(refused.of("turn").is_empty(), "it did not begin");
    // No session begins, either.
    let key = format!("Bearer {}", server.key);
    let refused = Socket::connect(&server, "", &[("Authorization", &key)]).err();
    assert_eq!(refused, Some((429, "overloaded".to_owned())));
    // With three turns.
    assert!(until(|| server.recorded("overloaded") == 4));
}

#[test]
fn turns_that_cost_nothing_are_summed() {
    let server = Server::start(Voices::Fake, &[]);
    let mut socket = Socket::start(&server, json!({}));
    for name in ["a", "b", "c", "d", "e", "f"] {
        socket.finish(name, "");
        assert_eq!(socket.turn(name).last()["type"], "finished");
    }
    assert_eq!(server.recorded("complete"), 6);
    let database = Connection::open(server.path("usage.db")).unwrap();
    let rows: u32 =
        database.query_row("SELECT count(*) FROM requests", [], |row| row.get(0)).unwrap();
    // Two rows if a minute ends between the turns.
    assert!(rows <= 2, "{rows}");
}

#[test]
fn a_turn_that_would_wait_for_too_long_is_refused() {
    let server = Server::start(Voices::Real, &["--max-concurrency", "1", "--max-wait", "0"]);
    let mut socket = Socket::start(&server, json!({}));
    let text = "A sentence of some length follows another. ".repeat(20);
    let body = json!({"text": text, "format": "pcm"}).to_string();
    // One of the requests waits, and keeps waiting.
    let mut speaks: Vec<_> = (0..2).map(|_| server.client()).collect();
    for (number, client) in speaks.iter_mut().enumerate() {
        client.ask_to_speak(&server.key, &body);
        assert!(until(|| server.recorded("started") == number as i64 + 1));
    }
    socket.finish("a", "Hello there.");
    let refused = socket.turn("a");
    assert_eq!((refused.events.len(), &refused.last()["error"]["type"]), (1, &json!("overloaded")));
    assert!(refused.last()["error"]["retry_after"].as_u64().unwrap() > 0);
    drop(speaks);
    assert!(until(|| server.recorded("left") == 2));
    socket.finish("b", "Hello there.");
    assert_eq!(socket.turn("b").last()["type"], "finished");
    assert_eq!(server.recorded("overloaded"), 1);
}

#[test]
fn a_turn_whose_sound_may_not_be_held_is_refused() {
    let server = Server::start(Voices::Fake, &["--max-sound", "300"]);
    let mut socket = Socket::start(&server, json!({}));
    // A file that its client does not read: the account may hold 225 s.
    let mut file = server.client();
    let text = "[pause 10s]".repeat(16) + " Hi.";
    file.ask_to_speak(&server.key, &json!({"text": text}).to_string());
    assert!(until(|| server.recorded("complete") == 1));
    socket.finish("a", "Hello there.");
    let refused = socket.turn("a");
    assert_eq!(refused.last()["error"]["type"], "overloaded");
    assert!(refused.sound.is_empty() && refused.last()["error"]["retry_after"].is_u64());
    drop(file);
    let mut turns = 0;
    assert!(until(|| {
        turns += 1;
        let name = format!("t{turns}");
        socket.finish(&name, "Hello there.");
        socket.turn(&name).last()["type"] == "finished"
    }));
}

#[test]
fn an_inference_that_fails_ends_its_turn_alone() {
    let server = Server::start(Voices::FakeWithoutLeo, &[]);
    let mut socket = Socket::start(&server, json!({"voice": "leo"}));
    for turn in ["a", "b"] {
        socket.finish(turn, "Hello there. And more.");
    }
    socket.say(json!({"type": "settings", "voice": "aria"}));
    socket.finish("c", "Hello there.");
    for turn in ["a", "b"] {
        let failed = socket.turn(turn);
        assert_eq!(failed.last()["error"]["type"], "internal", "{:?}", failed.last());
        assert!(failed.sound.is_empty());
    }
    assert_eq!(socket.turn("c").last()["type"], "finished");
    assert_eq!((server.recorded("internal"), server.recorded("complete")), (2, 1));
}

/// A random message of a client.
fn said() -> impl Strategy<Value = Value> {
    let turn = prop_oneof![3 => Just(None), 2 => "[ab]".prop_map(Some)];
    let text = prop_oneof![
        Just("Hello there. "),
        Just("Of course, I can "),
        Just("help"),
        Just("😀"),
        Just(""),
        Just("नमस्ते। "),
        Just("\0")
    ];
    (0..9, turn, text, any::<bool>(), 0.0..3.0).prop_map(|(kind, turn, text, flag, seconds)| {
        let mut message = match kind {
            0..=3 => json!({"type": "text", "text": text, "finish": flag && seconds < 1.5}),
            4 => json!({"type": "flush"}),
            5 => json!({"type": "finish"}),
            6 => json!({"type": "played", "seconds": seconds}),
            7 if flag => json!({"type": "interrupt", "played": seconds}),
            7 => json!({"type": "interrupt"}),
            _ => json!({"type": "settings", "rate": 1.0 + seconds / 3.0, "latency": if flag { "low" } else { "standard" }}),
        };
        if let Some(turn) = turn.filter(|_| kind != 8) {
            message["turn"] = turn.into();
        }
        message
    })
}

/// In every order of messages each turn ends once, nothing of it comes after its end, and the
/// record has the characters that were sent.
#[test]
fn any_order_of_messages_gives_turns_that_end_once() {
    let server = Server::start(Voices::Fake, &[]);
    let runs = proptest::collection::vec((said(), 0_u64..8), 0..25);
    proptest!(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() }, |(messages in runs)| {
        let mut socket = Socket::start(&server, json!({"ahead": 300, "audio": {"frame_ms": 20}}));
        for (message, pause) in messages {
            socket.say(message);
            // Sometimes the earlier messages have taken effect by now.
            thread::sleep(Duration::from_millis(pause / 4 * pause));
        }
        socket.say(json!({"type": "close"}));
        let mut met = Met::default();
        let code = loop {
            match socket.next() {
                Said::Sound(sound) => prop_assert!(met.sounding.is_some() && sound.len() % 882 == 0),
                Said::Closed(code) => break code,
                Said::Event(event) => met.meet(&event)?,
            }
        };
        prop_assert_eq!(code, Some(1000));
        prop_assert!(met.sounding.is_none() && met.said_goodbye);
        for Begun { turn, request, characters } in met.begun {
            prop_assert!(met.ended.contains(&turn));
            let Some((outcome, recorded, _)) = record_of(&server, &request) else {
                // It shares a row with others.
                prop_assert_eq!(characters.unwrap_or_default(), 0);
                continue;
            };
            match characters {
                Some(characters) => {
                    prop_assert!(outcome == "complete" || outcome == "stopped", "{} {}", turn, outcome);
                    prop_assert_eq!(recorded as u64, characters);
                }
                None => prop_assert_eq!(outcome, "invalid_request"),
            }
        }
    });
    assert!(until(|| server.metric("speech_http_live_sessions") == 0.0));
    assert_eq!(server.recorded("started"), 0);
}

/// The events that a client has met so far.
#[derive(Default)]
struct Met {
    begun: Vec<Begun>,
    sounding: Option<String>,
    ended: HashSet<String>,
    /// Finished turns, which may still be interrupted.
    finished: HashSet<String>,
    said_goodbye: bool,
}

struct Begun {
    turn: String,
    request: String,
    /// The characters that the client was told; none if the turn failed.
    characters: Option<u64>,
}

impl Met {
    fn meet(&mut self, event: &Value) -> Result<(), TestCaseError> {
        let turn = event["turn"].as_str().unwrap_or_default().to_owned();
        let sounds = self.sounding.as_ref() == Some(&turn);
        match event["type"].as_str().unwrap() {
            "turn" => {
                prop_assert!(self.sounding.is_none() && !self.ended.contains(&turn));
                let request = event["request_id"].as_str().unwrap().to_owned();
                self.begun.push(Begun { turn: turn.clone(), request, characters: None });
                self.sounding = Some(turn);
            }
            "words" | "flushed" => prop_assert!(sounds, "{}", event),
            "finished" | "interrupted" | "error" => {
                let answers = self.finished.remove(&turn);
                prop_assert!(answers || self.ended.insert(turn.clone()), "{} has ended", event);
                if event["type"] == "error" {
                    let kind = event["error"]["type"].as_str().unwrap();
                    prop_assert!(["invalid_request", "overloaded"].contains(&kind), "{}", event);
                } else {
                    let usage = &event["usage"];
                    let characters = usage["characters"].as_u64();
                    prop_assert!(characters <= usage["pushed"].as_u64(), "{}", event);
                    if let Some(begun) = self.begun.iter_mut().find(|begun| begun.turn == turn) {
                        begun.characters = characters;
                    }
                }
                if event["type"] == "finished" || answers && event["type"] == "error" {
                    self.finished.insert(turn);
                }
                if sounds {
                    self.sounding = None;
                }
            }
            "goodbye" => self.said_goodbye = true,
            other => prop_assert!(false, "{}", other),
        }
        Ok(())
    }
}

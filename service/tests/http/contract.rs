//! The contract, and the additions of the service.

use std::collections::HashSet;

use serde_json::{Value, json};
use speech_tests::cases;
use speech_tests::http::Client;
use speech_tests::http::contract;

use crate::server::{Server, Voices, in_shell};
use crate::socket::Socket;

#[test]
fn the_contract() {
    let server = Server::start(Voices::Fake, &contract::OPTIONS);
    contract::check(&server);
    let spoken = server.speak("{\"text\": \"Hi.\"}");
    assert!(spoken.header("server-timing").unwrap().starts_with("first-audio;dur="));
}

/// The same request for OpenAI's route, if it is valid there: the text becomes the input.
fn for_openai(body: &str) -> String {
    let Ok(Value::Object(fields)) = serde_json::from_str(body) else { return body.to_owned() };
    let input = fields.get("text").cloned().unwrap_or_default();
    json!({ "model": "tts-1", "voice": "alloy", "response_format": "pcm", "input": input })
        .to_string()
}

#[test]
fn no_answer_and_no_log_holds_a_part_of_a_request() {
    let logging_all = in_shell("RUST_LOG=trace exec \"$@\"");
    let server = Server::start_as(logging_all, Voices::Fake, &["--openai"]);
    contract::secrets(&server);
    let mut failures = Vec::new();
    for case in cases::read().secrets {
        let mut client = server.client();
        client.post_json("/v1/audio/speech", &server.key, &for_openai(&case.body()));
        let mut response = client.head().unwrap();
        client.body(&mut response).unwrap();
        let body = if response.status == 200 { String::new() } else { response.text() };
        let told = format!("{:?}{body}", response.headers);
        if cases::has_secret(&told) {
            failures.push(format!("{}: {told}", case.name));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    let mut socket = Socket::start(&server, json!({}));
    socket.say(json!({"type": "text", "text": format!("Hi {}.", cases::SECRET)}));
    socket.say(json!({"type": "finish"}));
    assert_eq!(socket.turn("1").last()["type"], "finished");
    drop(socket);
    assert!(!cases::has_secret(&server.get("/metrics").text()));
    let log = std::fs::read_to_string(server.path("log")).unwrap();
    assert!(log.contains("DEBUG") && log.contains(" tokens: "), "{log}");
    let is_secret = |line: &&str| cases::has_secret(line) || line.contains(&*server.key);
    let lines: Vec<_> = log.lines().filter(is_secret).collect();
    assert!(lines.is_empty(), "{lines:#?}");
}

#[test]
fn refusals_are_recorded() {
    let server = Server::start(Voices::Fake, &[]);
    contract::refusals(&server);
    assert_eq!(server.recorded("empty_text"), 1);
    assert_eq!(server.recorded("invalid_request"), 4);
    assert_eq!(server.recorded("unsupported_media_type"), 5);
}

/// A request says once which host it is for (RFC 9112, section 3.2).
#[test]
fn a_request_has_one_host() {
    let server = Server::start(Voices::Fake, &[]);
    let mut failures = Vec::new();
    for (head, status) in [
        ("GET /healthz HTTP/1.1\r\nHost: a\r\n", 200),
        ("GET /healthz HTTP/1.1\r\nHost: a.example:80\r\n", 200),
        ("GET /healthz HTTP/1.1\r\nHost: [::1]:80\r\n", 200),
        ("GET /healthz HTTP/1.1\r\nHost: a:\r\n", 200),
        ("GET /healthz HTTP/1.1\r\nHost: a_c.example.\r\n", 200),
        ("GET /healthz HTTP/1.0\r\n", 200),
        ("GET /healthz HTTP/1.1\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nhost: a\r\n", 400),
        ("GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a b\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: u@a\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a/b\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost:\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: :80\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a:b\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a:99999\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: [::1\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: [a]:80\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a, b\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: \u{e9}\r\n", 400),
    ] {
        let mut client = server.client();
        client.write(format!("{head}\r\n").as_bytes()).unwrap();
        let mut response = client.head().unwrap();
        client.body(&mut response).unwrap();
        let is_refusal = response.status == 400 && response.refusal() == "invalid_request";
        if response.status != status || is_refusal != (status == 400) {
            failures.push(format!("{head:?}: {} {}", response.status, response.text()));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn the_qualities_of_the_voices() {
    let server = Server::start(Voices::Fake, &[]);
    let qualities = json!({
        "aria": {"en-US": ["full", "fast", "light"], "hi-IN": ["full", "fast"]},
        "jason": {"en-US": ["full"], "hi-IN": ["full"]},
        "john": {"en-US": ["full"], "hi-IN": ["full"]},
        "leo": {"en-US": ["full"], "hi-IN": ["full"]},
        "sofia": {"en-US": ["full"], "hi-IN": ["full"]},
    });
    let contract = speech_core::voices().to_json();
    let expected = format!("{},\"qualities\":{qualities}}}", contract.trim_end_matches('}'));
    assert_eq!(server.get("/v1/speech/voices").text(), expected);
}

#[test]
fn a_quality_that_the_bundle_does_not_have_costs_nothing() {
    let server = Server::start(Voices::Fake, &["--characters-per-day", "6"]);
    let before = server.inferences();
    for voice in ["leo", "john"] {
        let body = json!({"text": "Hello.", "voice": voice, "quality": "light"}).to_string();
        let refused = server.speak(&body);
        assert_eq!((refused.status, &*refused.refusal()), (400, "invalid_request"));
        let message = refused.json()["error"]["message"].clone();
        let expected = format!(
            "the voice bundle does not have quality light for {voice} in en-US; it has full"
        );
        assert_eq!(message, expected);
    }
    assert_eq!((server.inferences(), server.recorded("invalid_request")), (before, 2));
    assert_eq!(server.speak("{\"text\": \"Hello.\", \"quality\": \"light\"}").status, 200);
    assert_eq!(server.metric("speech_http_characters_total"), 6.0);
}

#[test]
fn answers_are_named_once_each() {
    let server = Server::start(Voices::Fake, &[]);
    let mut client = server.client();
    let mut names = HashSet::new();
    for path in
        ["/v1/speech/voices", "/healthz", "/readyz", "/metrics", "/", "/openapi.json", "/no"]
    {
        let response = client.send("GET", path, &[("X-Request-Id", "mine")], b"");
        assert_eq!(response.status, if path == "/no" { 404 } else { 200 }, "{path}");
        assert!(names.insert(response.header("x-request-id").unwrap().to_owned()), "{path}");
    }
    assert!(!names.contains("mine"));
}

#[test]
fn protocols_of_others_are_there_if_they_are_named() {
    let routes = [("--cartesia", "/tts/websocket"), ("--jambonz", "/v1/speech/jambonz")];
    let statuses = |options: &[&str]| {
        let server = Server::start(Voices::Fake, options);
        // A route with a key checks the key first.
        routes.map(|(_, path)| server.get(path).status)
    };
    assert_eq!(statuses(&[]), [404, 404]);
    assert_eq!(statuses(&[routes[0].0]), [401, 404]);
    assert_eq!(statuses(&[routes[1].0]), [404, 401]);
}

#[test]
fn other_origins_may_call_if_they_are_named() {
    let server = Server::start(Voices::Fake, &["--cors-origin", "https://a.example"]);
    let allowed = |origin: &str| {
        let headers = [("Origin", origin), ("Access-Control-Request-Method", "POST")];
        let response = server.client().send("OPTIONS", "/v1/speech", &headers, b"");
        response.header("access-control-allow-origin").map(str::to_owned)
    };
    assert_eq!(allowed("https://a.example"), Some("https://a.example".into()));
    assert_eq!(allowed("https://b.example"), None);
}

#[test]
fn who_is_slow_to_ask_is_not_waited_for() {
    let server = Server::start(Voices::Fake, &["--read-timeout", "3"]);
    let mut silent = server.client();
    assert!(silent.is_closed());
    let mut half = server.client();
    half.write(b"POST /v1/spee").unwrap();
    assert!(half.is_closed());
    let mut body = server.client();
    let head = format!(
        "POST /v1/speech HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{{",
        server.key
    );
    body.write(head.as_bytes()).unwrap();
    let mut late = body.head().unwrap();
    body.body(&mut late).unwrap();
    assert_eq!((late.status, &*late.refusal()), (400, "invalid_request"));
    let mut gone = Client::connect(server.address);
    gone.write(head.as_bytes()).unwrap();
    drop(gone);
    assert_eq!(server.get("/healthz").status, 200);
}

//! Clients that request as much audio as they can, and read none of it.

use speech_tests::http::Client;
use std::thread;
use std::time::Duration;

use crate::server::{Server, Voices, new_key, until};

/// The seconds of sound that the service may hold, and the bytes of one.
const SOUND: u64 = 3600;
const SECOND: u64 = 44_100;

/// The other memory of the process, with the fake model: 256 connections and 48 synthesizing
/// threads.
const BESIDES: u64 = 150 << 20;

const SHORT: &str = "{\"text\": \"Hi.\"}";

/// The clients of one account.
const CLIENTS: usize = 256;

/// Requests that need much: pauses, spelled text and slow speech, in every form of response.
fn ask_for_much(client: &mut Client, key: &str, n: usize) {
    let pauses = "[pause 10s]".repeat(30);
    let breaks = "<break time='10s'/>".repeat(30);
    let spelled = "w".repeat(1000);
    let body = match n % 8 {
        0 => format!("{{\"text\": \"{pauses} Hi.\"}}"),
        1 => format!("{{\"text\": \"{pauses} Hi.\", \"format\": \"pcm\"}}"),
        2 => format!("{{\"text\": \"<speak>A {breaks} b.</speak>\", \"ssml\": true}}"),
        3 => format!("{{\"text\": \"{spelled}\", \"format\": \"pcm\", \"rate\": 0.5}}"),
        4 => format!("{{\"text\": \"{spelled}\"}}"),
        // As lines.
        5 | 6 => {
            let format = if n % 8 == 5 { "wav" } else { "pcm" };
            let body = format!("{{\"text\": \"{pauses} Hi.\", \"format\": \"{format}\"}}");
            let head = format!(
                "POST /v1/speech HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {key}\r\nContent-Type: \
                 application/json\r\nAccept: application/x-ndjson\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            return client.write(head.as_bytes()).unwrap();
        }
        _ => {
            let format = ["wav", "opus", "flac", "pcm"][n / 8 % 4];
            let body = format!(
                "{{\"model\": \"tts-1\", \"voice\": \"aria\", \"input\": \"{pauses}{}\", \"response_format\": \
                 \"{format}\", \"speed\": 0.25}}",
                spelled.repeat(3)
            );
            return client.post_json("/v1/audio/speech", key, &body);
        }
    };
    client.ask_to_speak(key, &body);
}

#[test]
fn clients_that_take_nothing_hold_what_was_counted_and_others_are_served() {
    let options = ["--openai", "--write-timeout", "600"];
    let server = Server::start(Voices::Fake, &options);
    let other = new_key(&server.path("keys"), "other");
    let speaks = || server.client().speak(&other, SHORT).status == 200;
    assert!(until(speaks));
    let mut hostile: Vec<_> = (0..CLIENTS).map(|_| server.client()).collect();
    for (n, client) in hostile.iter_mut().enumerate() {
        ask_for_much(client, &server.key, n);
        if n % 16 == 0 {
            assert!(speaks(), "the other account is refused after {n}");
        }
    }
    // Each of them has begun, or was rejected.
    let known = || server.count(|_| true);
    assert!(until(|| known() == CLIENTS as i64), "{}", known());
    let peak = || server.peak_memory();
    let mut before = 0;
    // Wait until nothing more is computed.
    assert!(until(|| {
        thread::sleep(Duration::from_millis(500));
        assert!(speaks(), "the other account is refused");
        before == std::mem::replace(&mut before, peak())
    }));
    let waiting = server.metric("speech_http_in_progress") as i64;
    let refused = server.recorded("overloaded");
    assert!(waiting <= 48 && refused > CLIENTS as i64 / 2, "{waiting} wait, {refused} refused");
    assert!(peak() < BESIDES + SOUND * SECOND, "{} MB", peak() >> 20);
    drop(hostile);
    let idle = || server.metric("speech_http_in_progress") == 0.0;
    assert!(until(idle), "they are gone");
    assert_eq!(server.speak(SHORT).status, 200, "the account has its places back");
    assert_eq!(server.recorded("internal"), 0);
}

#[test]
fn more_sound_than_may_be_held_is_refused_and_given_back() {
    // On a busy machine, reading a spelled text takes long.
    let server = Server::start(Voices::Fake, &["--max-sound", "400", "--max-wait", "60"]);
    let wav =
        |seconds: usize| format!("{{\"text\": \"{} Hi.\"}}", "[pause 10s]".repeat(seconds / 10));
    // The account may hold 300 s, and a request reserves 50 s for the sound on its way.
    let whole = server.speak(&wav(240));
    assert_eq!(whole.status, 200);
    assert!(whole.body.len() > 240 * 44_100);
    // The hold of a response ends soon after its client has it; until then the account holds too
    // much.
    let too_much = |body: &str| {
        let mut refused = server.speak(body);
        let is_known = || {
            if refused.status == 429 {
                refused = server.speak(body);
            }
            refused.status != 429
        };
        assert!(until(is_known));
        assert_eq!((refused.status, &*refused.refusal()), (400, "invalid_request"));
        assert!(refused.text().contains("more sound than the 300 s"), "{}", refused.text());
        assert_eq!(refused.header("retry-after"), None);
    };
    too_much(&wav(260));
    // Only the synthesis shows that the text is spelled: nothing of the file was sent before.
    let spelled = format!("{{\"text\": \"{}\"}}", "w".repeat(1000));
    too_much(&spelled);
    // A request that the account could have alone gets another error.
    let before = server.recorded("overloaded");
    let long = format!("{{\"text\": \"{}\", \"format\": \"pcm\"}}", "[pause 10s]".repeat(30));
    let mut client = server.client();
    client.ask_to_speak(&server.key, &long);
    client.head().unwrap();
    let refused = server.speak(&wav(240));
    assert_eq!((refused.status, &*refused.refusal()), (429, "overloaded"));
    assert!(refused.text().contains("as much sound as it may have"), "{}", refused.text());
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(server.recorded("overloaded"), before + 1);
    drop(client);
    assert!(until(|| server.speak(&wav(240)).status == 200));
    // As a stream it is answered, and its hold ends soon after the client has it.
    let stream = format!("{{\"text\": \"{}\", \"format\": \"pcm\"}}", "w".repeat(1000));
    let has_all = || server.speak(&stream).body.len() > 260 * 44_100;
    assert!(until(has_all));
    assert!(until(|| server.speak(&wav(240)).status == 200));
}

/// The buffers of the system have a bound too: without one they take some megabytes per connection.
#[test]
fn who_reads_nothing_has_little_waiting() {
    let server = Server::start(Voices::Fake, &["--max-connections", "1", "--write-timeout", "2"]);
    let mut client = server.client();
    let asked = "GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n".repeat(400);
    client.write(asked.as_bytes()).unwrap();
    // Another client has the place once this one is given up.
    assert_eq!(server.get("/healthz").status, 200);
    let waiting = client.count_rest();
    assert!((10_000..1 << 20).contains(&waiting), "{waiting} bytes");
}

/// The system's buffers of a connection count until the client has their bytes.
#[test]
fn a_connection_has_its_place_until_its_client_has_all() {
    // A client that waits for a place waits for less than ten minutes.
    let server = Server::start(Voices::Fake, &["--max-connections", "1", "--write-timeout", "600"]);
    let asked = "GET /openapi.json HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
    let whole = server.get("/openapi.json").body.len();
    assert!(whole > 10_000, "{whole} bytes fit into what a client has not read");
    for _ in 0..5 {
        let mut reset = Client::connect_with_little_room(server.address);
        reset.write(asked.as_bytes()).unwrap();
        reset.head().unwrap();
        // By then the service has closed the connection. Closing it with an unread response resets
        // it.
        thread::sleep(Duration::from_millis(200));
        drop(reset);
        assert_eq!(server.get("/healthz").status, 200, "nothing is left of it");
    }
    let server = Server::start(Voices::Fake, &["--max-connections", "1", "--write-timeout", "8"]);
    for takes_all in [true, false] {
        let mut first = Client::connect_with_little_room(server.address);
        first.write(asked.as_bytes()).unwrap();
        let mut second = server.client();
        second.write(b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
        thread::sleep(Duration::from_secs(1));
        assert!(!second.has_answer(), "the first has not taken all");
        if takes_all {
            let mut response = first.head().unwrap();
            first.body(&mut response).unwrap();
            assert_eq!(response.body.len(), whole);
        }
        assert_eq!(second.head().unwrap().status, 200);
        let rest = first.count_rest();
        assert!(rest < whole, "{rest} bytes are there of one that was given up");
    }
}

/// A client that takes a little now and then is not given up, however long that takes.
#[test]
fn who_reads_slowly_but_steadily_has_all() {
    let server = Server::start(Voices::Fake, &["--write-timeout", "2"]);
    let whole = server.get("/openapi.json").body.len();
    for connection in ["close", "keep-alive"] {
        let mut client = Client::connect_with_little_room(server.address);
        let asked =
            format!("GET /openapi.json HTTP/1.1\r\nHost: test\r\nConnection: {connection}\r\n\r\n");
        client.write(asked.as_bytes()).unwrap();
        let mut response = client.head().unwrap();
        // The system reports some kilobytes at once, so of several pieces.
        client.body_in_pieces(&mut response, 1000, Duration::from_millis(100)).unwrap();
        assert_eq!(response.body.len(), whole);
    }
    // More than all buffers can hold.
    let mut client = Client::connect_with_little_room(server.address);
    let body = format!("{{\"text\": \"{}\"}}", "Many words at once. ".repeat(25));
    client.ask_to_speak(&server.key, &body);
    let mut response = client.head().unwrap();
    client.body_in_pieces(&mut response, 20_000, Duration::from_millis(200)).unwrap();
    assert!(response.body.len() > 700_000, "{}", response.body.len());
}

/// So no account has more responses computed than it may, of any route.
#[test]
fn a_request_has_its_place_until_its_client_takes_the_sound() {
    let server = Server::start(Voices::Fake, &["--requests-per-account", "1"]);
    let body = format!("{{\"text\": \"{}\"}}", "Many words at once. ".repeat(20));
    let mut first = Client::connect_with_little_room(server.address);
    first.ask_to_speak(&server.key, &body);
    let mut response = first.head().unwrap();
    assert!(until(|| server.recorded("complete") == 1));
    for _ in 0..3 {
        let refused = server.speak(SHORT);
        assert_eq!((refused.status, &*refused.refusal()), (429, "overloaded"));
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
    first.body(&mut response).unwrap();
    // With the last byte the client has the place too, whether or not the length was known before.
    for n in 0..200 {
        let format = ["wav", "pcm"][n % 2];
        let answer = server.speak(&format!("{{\"text\": \"Hi.\", \"format\": \"{format}\"}}"));
        assert_eq!(answer.status, 200, "{n}");
        assert_eq!(answer.header("content-length").is_some(), format == "wav");
    }
}

/// The computed part of a text that turns out to be too long is charged as if the client had left.
#[test]
fn a_text_that_is_too_long_to_be_spoken_costs_its_characters() {
    let server = Server::start(Voices::Fake, &["--characters-per-day", "1500", "--max-wait", "60"]);
    let text = "¾".repeat(1000);
    let body = format!("{{\"text\": \"{text}\", \"rate\": 0.5, \"quality\": \"light\"}}");
    let refused = server.speak(&body);
    assert_eq!((refused.status, &*refused.refusal()), (400, "invalid_request"));
    assert!(refused.text().contains("longer than 1200 s"), "{}", refused.text());
    assert_eq!(server.recorded("too_much_speech"), 1);
    assert_eq!(server.speak(&body).status, 429);
    assert_eq!(server.metric("speech_http_characters_total"), 1000.0);
}

/// The same holds for a text that turns out to need more sound than its account may hold.
#[test]
fn a_file_that_outgrows_the_share_of_its_account_costs_its_characters() {
    let server = Server::start(Voices::Fake, &["--max-sound", "300", "--max-wait", "60"]);
    let body = format!("{{\"text\": \"{}\"}}", "w".repeat(1000));
    let lines = [("Accept", "application/x-ndjson"), ("Content-Type", "application/json")];
    let key = format!("Bearer {}", server.key);
    let headers = [&lines[..], &[("Authorization", &key)]].concat();
    let refused = server.client().send("POST", "/v1/speech", &headers, body.as_bytes());
    assert_eq!((refused.status, &*refused.refusal()), (400, "invalid_request"));
    assert_eq!(server.recorded("too_much_speech"), 1);
    assert_eq!(server.metric("speech_http_characters_total"), 1000.0);
}

/// A text that is too long in any case is rejected before anything is computed.
#[test]
fn pauses_that_are_too_long_are_refused_before_they_are_made() {
    let server = Server::start(Voices::Fake, &["--openai"]);
    let begun = server.inferences();
    let pauses = "[pause 10s]".repeat(31);
    let refused = server.speak(&format!("{{\"text\": \"{pauses}\"}}"));
    assert_eq!((refused.status, &*refused.refusal()), (400, "invalid_request"));
    let body = format!("{{\"model\": \"tts-1\", \"voice\": \"aria\", \"input\": \"{pauses}\"}}");
    let mut client = server.client();
    client.post_json("/v1/audio/speech", &server.key, &body);
    let mut refused = client.head().unwrap();
    client.body(&mut refused).unwrap();
    assert_eq!(refused.status, 400, "{}", refused.text());
    assert!(refused.text().contains("longer than 300 s"), "{}", refused.text());
    assert_eq!(server.inferences(), begun);
}

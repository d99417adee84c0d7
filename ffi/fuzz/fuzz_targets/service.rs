//! Arbitrary bytes on a connection to the service, which runs as the whole program in a thread:
//! it answers in HTTP or closes the connection, and answers the next client.
#![no_main]

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;

/// The data on one connection.
#[derive(Arbitrary, Debug)]
struct Input {
    parts: Vec<Part>,
    /// Whether the last request makes the service close the connection; otherwise the client falls
    /// silent.
    closes: bool,
}

/// A piece of the data, in most cases the start of something that the service knows.
#[derive(Arbitrary, Debug)]
enum Part {
    Line(u8, u8),
    Authorized,
    Header(u8, Vec<u8>),
    Bytes(Vec<u8>),
    Blank,
    /// A body, and a header with its length, correct or not.
    Body(u8, Option<u16>),
    /// The body in chunks whose first byte is the length.
    Chunk(u8, Vec<u8>),
    Pause,
}

const METHODS: [&str; 6] = ["GET", "POST", "HEAD", "OPTIONS", "DELETE", "\u{1}"];
const PATHS: [&str; 9] = [
    "/v1/speech",
    "/v1/speech/voices",
    "/v1/tiers",
    "/metrics",
    "/openapi.json",
    "/healthz",
    "/readyz",
    "/",
    "/%00/../v1//",
];
const HEADERS: [&str; 9] = [
    "Content-Type",
    "Content-Length",
    "Transfer-Encoding",
    "Authorization",
    "Connection",
    "Expect",
    "Host",
    "Origin",
    "X-Request-Id",
];
const BODIES: [&str; 5] = [
    r#"{"text": "Hi."}"#,
    r#"{"text": "One. Two.", "format": "pcm"}"#,
    r#"{"text": 5}"#,
    r#"{"text": "", "voice": null}"#,
    "{",
];

/// The allowed statuses: no bytes from a client cause an internal error.
const STATUSES: [u16; 12] = [200, 100, 204, 400, 401, 404, 405, 408, 411, 413, 414, 415];
/// The statuses for too large or too many headers, among others.
const MORE_STATUSES: [u16; 3] = [417, 431, 503];

const LAST_REQUEST: &str = "GET /healthz HTTP/1.1\r\nHost: fuzz\r\nConnection: close\r\n\r\n";

/// The maximum size of an input; tests send more.
const MOST_BYTES: usize = 100_000;

/// The time without an answer after which a client ends its data.
const SILENCE: Duration = Duration::from_millis(20);

/// Much longer than the service waits for a client.
const PATIENCE: Duration = Duration::from_secs(15);

struct Service {
    address: SocketAddr,
    key: String,
}

/// The service, which runs until the process exits.
static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let dir = tempfile::tempdir().expect("a temporary directory").keep();
    speech_tests::fake_model::write(&dir).expect("a writable directory");
    let (secret, line) = speech_http::fuzzing::new_key("fuzzer");
    std::fs::write(dir.join("keys"), line).expect("a writable directory");
    // The port is free again until the service takes it.
    let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let address = address.expect("a free port");
    thread::spawn(move || speech_http::run(arguments(&dir, address)));
    while TcpStream::connect(address).is_err() {
        thread::sleep(Duration::from_millis(10));
    }
    Service { address, key: secret }
});

fn arguments(dir: &Path, address: SocketAddr) -> Vec<String> {
    let path = |name: &str| dir.join(name).to_str().expect("UTF-8").to_owned();
    let options = [
        ["--listen", &address.to_string()],
        ["--bundle", &path("")],
        ["--keys", &path("keys")],
        ["--usage", &path("usage.db")],
        ["--read-timeout", "1"],
        ["--write-timeout", "5"],
        ["--cors-origin", "https://example.com"],
    ]
    .map(|option| option.map(str::to_owned));
    ["speech-http", "serve"]
        .map(str::to_owned)
        .into_iter()
        .chain(options.into_iter().flatten())
        .collect()
}

impl Part {
    fn write(&self, sent: &mut Vec<u8>) {
        let pick = |table: &[&'static str], index: u8| table[usize::from(index) % table.len()];
        match self {
            Part::Line(method, path) => sent.extend(
                format!(
                    "{} {} HTTP/1.1\r\nHost: fuzz\r\n",
                    pick(&METHODS, *method),
                    pick(&PATHS, *path)
                )
                .bytes(),
            ),
            Part::Authorized => sent.extend(
                format!(
                    "Authorization: Bearer {}\r\nContent-Type: application/json\r\n",
                    SERVICE.key
                )
                .bytes(),
            ),
            Part::Header(name, value) => {
                sent.extend(format!("{}: ", pick(&HEADERS, *name)).bytes());
                sent.extend(value);
                sent.extend(b"\r\n");
            }
            Part::Bytes(bytes) => sent.extend(bytes),
            Part::Blank => sent.extend(b"\r\n"),
            Part::Body(body, length) => {
                let body = pick(&BODIES, *body);
                let length = length.map_or(body.len(), usize::from);
                sent.extend(format!("Content-Length: {length}\r\n\r\n{body}").bytes());
            }
            Part::Chunk(length, bytes) => {
                sent.extend(format!("{length:x}\r\n").bytes());
                sent.extend(bytes);
                sent.extend(b"\r\n");
            }
            Part::Pause => {}
        }
        sent.truncate(MOST_BYTES);
    }
}

fuzz_target!(|input: Input| {
    let mut stream = connect();
    let mut sent = Vec::new();
    for part in &input.parts {
        if let Part::Pause = part {
            // The preceding data arrives separately.
            let _ = stream.write_all(&sent);
            sent.clear();
        }
        part.write(&mut sent);
    }
    if input.closes {
        sent.extend(LAST_REQUEST.bytes());
    }
    // The service may have rejected the request and closed the connection already.
    let _ = stream.write_all(&sent);
    check(&read_answers(&mut stream), &input);
    drop(stream);
    assert!(is_well(), "the service does not answer after {input:?}");
});

fn connect() -> TcpStream {
    let stream = TcpStream::connect(SERVICE.address).expect("the service takes connections");
    stream.set_read_timeout(Some(SILENCE)).expect("a socket");
    stream.set_write_timeout(Some(PATIENCE)).expect("a socket");
    stream
}

/// Reads until the service closes the connection. Once it is silent, the client ends its data.
fn read_answers(stream: &mut TcpStream) -> Vec<u8> {
    let (mut answers, mut buffer) = (Vec::new(), [0; 1 << 14]);
    let mut ended = false;
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return answers,
            Ok(count) => answers.extend(&buffer[..count]),
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {
                assert!(!ended, "the connection stays open after {} bytes", answers.len());
                ended = true;
                let _ = stream.shutdown(Shutdown::Write);
                stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
            }
            // The service closed before it had read everything.
            Err(_) => return answers,
        }
    }
}

/// Checks that the answers begin with the status line of an allowed status.
fn check(answers: &[u8], input: &Input) {
    if answers.is_empty() {
        return;
    }
    let line = answers.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let status = line.strip_prefix("HTTP/1.1 ").or_else(|| line.strip_prefix("HTTP/1.0 "));
    let status = status.and_then(|rest| rest.get(..3)?.parse().ok());
    let known = |status| STATUSES.contains(&status) || MORE_STATUSES.contains(&status);
    assert!(status.is_some_and(known), "{line:?} to {input:?}");
}

fn is_well() -> bool {
    let mut stream = connect();
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    stream.write_all(LAST_REQUEST.as_bytes()).expect("the service reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the service answers");
    answer.starts_with("HTTP/1.1 200") && answer.ends_with("ok\n")
}

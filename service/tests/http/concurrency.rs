//! Many clients, and hostile ones.

use std::thread;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use speech_tests::http::{Client, Response};

use crate::server::{Server, Voices, in_shell, new_key, until};

/// The most memory of a process with the fake model and 64 long responses, in bytes: each response
/// holds at most a sentence or two.
const MEMORY: u64 = 150 << 20;

const LONG: &str = "A sentence of some length follows another. ";
/// One account may have every place, and the sound for all of them.
const ONE_ACCOUNT_HAS_ALL: [&str; 4] = ["--requests-per-account", "64", "--max-sound", "7200"];

const SHORT: &str = "{\"text\": \"Hi.\"}";

#[test]
fn sixty_four_clients_are_served_in_bounded_memory() {
    let server = Server::start(Voices::Fake, &ONE_ACCOUNT_HAS_ALL);
    let text: String = "Many words at once. ".chars().cycle().take(200).collect();
    thread::scope(|scope| {
        for client in 0..64 {
            let (server, text) = (&server, &text);
            scope.spawn(move || {
                let format = if client % 2 == 0 { "pcm" } else { "wav" };
                let body = format!(
                    "{{\"text\": \"{text}\", \"format\": \"{format}\", \"quality\": \"light\"}}"
                );
                let response = server.speak(&body);
                assert_eq!(response.status, 200);
                assert!(response.body.len() > 400_000);
            });
        }
    });
    assert_eq!(server.recorded("complete"), 64);
    assert!(server.peak_memory() < MEMORY, "{} MB", server.peak_memory() >> 20);
}

/// Streams of a long text that have begun, one for each of these.
fn streams(server: &Server, count: usize) -> Vec<(Client, Response)> {
    let body = format!("{{\"text\": \"{}\", \"format\": \"pcm\"}}", LONG.repeat(20));
    let stream = || {
        let mut client = server.client();
        client.ask_to_speak(&server.key, &body);
        let mut response = client.head().unwrap();
        assert!(client.chunk(&mut response).unwrap());
        (client, response)
    };
    (0..count).map(|_| stream()).collect()
}

#[test]
fn more_than_there_is_room_for_are_told_to_come_back() {
    let options = ["--requests", "2", "--requests-per-account", "2", "--max-concurrency", "1"];
    let server = Server::start(Voices::Real, &options);
    let streams = streams(&server, 2);
    for _ in 0..3 {
        let refused = server.speak(SHORT);
        assert_eq!((refused.status, &*refused.refusal()), (503, "overloaded"));
        assert!(retry_after(&refused) >= 1);
    }
    assert_eq!(server.recorded("overloaded"), 3);
    drop(streams);
    assert!(until(|| server.speak(SHORT).status == 200));
}

fn retry_after(response: &Response) -> u64 {
    response.header("retry-after").unwrap().parse().unwrap()
}

#[test]
fn who_would_wait_for_too_long_is_told_when_to_come_back() {
    let server = Server::start(Voices::Real, &["--max-concurrency", "1", "--max-wait", "0"]);
    let other = new_key(&server.path("keys"), "other");
    assert!(until(|| server.client().speak(&other, SHORT).status == 200));
    // Two files: their sentences are queued one right after the other, and one of them waits.
    let long = format!("{{\"text\": \"{}\"}}", LONG.repeat(8));
    let mut clients = [(); 2].map(|()| {
        let before = server.inferences();
        let mut client = server.client();
        client.ask_to_speak(&server.key, &long);
        assert!(until(|| server.inferences() > before));
        client
    });
    let refused = server.speak(SHORT);
    assert_eq!((refused.status, &*refused.refusal()), (429, "overloaded"));
    assert!(refused.text().contains("longer than 0 s"), "{}", refused.text());
    // Some eight sentences are queued before it.
    assert!(retry_after(&refused) >= 1);
    // Another account has the next turn, each time.
    (0..3).for_each(|_| assert_eq!(server.client().speak(&other, SHORT).status, 200));
    assert_eq!(server.recorded("complete"), 0, "the files are not ready");
    for client in &mut clients {
        let mut response = client.head().unwrap();
        client.body(&mut response).unwrap();
    }
    assert_eq!(server.speak(SHORT).status, 200, "nobody is before it");
    assert_eq!((server.recorded("overloaded"), server.recorded("complete")), (1, 3));
}

#[test]
fn one_account_cannot_hold_all_places() {
    let options = ["--requests-per-account", "2"];
    let server = Server::start(Voices::Real, &options);
    let other = new_key(&server.path("keys"), "other");
    let is_known = || server.client().speak(&other, SHORT).status == 200;
    assert!(until(is_known));
    let streams = streams(&server, 2);
    let refused = server.speak(SHORT);
    assert_eq!((refused.status, &*refused.refusal()), (429, "overloaded"));
    assert!(retry_after(&refused) >= 1);
    assert_eq!(server.client().speak(&other, SHORT).status, 200);
    drop(streams);
    assert!(until(|| server.speak(SHORT).status == 200));
}

#[test]
fn an_account_has_so_many_characters_a_day() {
    let options = ["--characters-per-day", "10"];
    let mut server = Server::start(Voices::Fake, &options);
    let (six, three) = ("{\"text\": \"Hello.\"}", SHORT);
    assert_eq!(server.speak(six).status, 200);
    for _ in 0..2 {
        let refused = server.speak(six);
        assert_eq!((refused.status, &*refused.refusal()), (429, "overloaded"));
        assert!(refused.text().contains("4 characters left"), "{}", refused.text());
        assert!((1..=86_400).contains(&retry_after(&refused)));
        // Neither a restart nor a killed process frees them.
        server.restart(&options);
    }
    assert_eq!(server.speak(three).status, 200);
    assert_eq!(server.speak(three).status, 429);
    let other = new_key(&server.path("keys"), "other");
    let is_known = || server.client().speak(&other, six).status == 200;
    assert!(until(is_known), "the other account has its own");
    assert_eq!((server.recorded("complete"), server.recorded("overloaded")), (2, 3));
}

/// A thousand silent connections, and two hundred concurrent requests for speech: each request gets
/// its audio or a `Retry-After`.
#[test]
fn a_crowd_is_served_in_bounded_memory() {
    raise_limit();
    let server = Server::start(Voices::Fake, &ONE_ACCOUNT_HAS_ALL);
    let health = |client: &mut Client| client.send("GET", "/healthz", &[], b"").status;
    let mut idle: Vec<_> = (0..1000).map(|_| server.client()).collect();
    assert!(idle.iter_mut().all(|client| health(client) == 200));
    let text = "Many words at once. ".repeat(10);
    let body = format!("{{\"text\": \"{text}\", \"format\": \"pcm\", \"quality\": \"light\"}}");
    let answers: Vec<_> = thread::scope(|scope| {
        let clients: Vec<_> = (0..200).map(|_| scope.spawn(|| server.speak(&body))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let (spoken, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|it| it.status == 200);
    assert!(!spoken.is_empty());
    assert!(spoken.iter().all(|response| response.body.len() > 400_000));
    for response in &refused {
        assert_eq!((response.status, &*response.refusal()), (503, "overloaded"));
        assert!(retry_after(response) >= 1);
    }
    let recorded = ["complete", "overloaded"].map(|outcome| server.recorded(outcome) as usize);
    assert_eq!(recorded, [spoken.len(), refused.len()]);
    assert!(idle.iter_mut().all(|client| health(client) == 200));
    assert!(server.peak_memory() < MEMORY, "{} MB", server.peak_memory() >> 20);
}

#[test]
fn a_body_in_small_pieces_takes_no_more_memory_than_one() {
    let server = Server::start(Voices::Fake, &[]);
    let before = server.peak_memory();
    let head = format!(
        "POST /v1/speech HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.key
    );
    let body = "1\r\n \r\n".repeat(60_000);
    let mut clients = [(); 40].map(|()| server.client());
    for client in &mut clients {
        client.write(head.as_bytes()).unwrap();
        client.write(body.as_bytes()).unwrap();
    }
    for client in &mut clients {
        client.write(b"0\r\n\r\n").unwrap();
        assert_eq!(client.head().unwrap().status, 400, "it is no JSON");
    }
    // The documented memory of a connection.
    let most = before + 40 * 155_000;
    assert!(server.peak_memory() < most, "{} of {most}", server.peak_memory());
}

#[test]
fn connections_over_the_maximum_wait_until_one_ends() {
    let server = Server::start(Voices::Fake, &["--max-connections", "2"]);
    let health = |client: &mut Client| client.send("GET", "/healthz", &[], b"").status;
    let [mut first, mut second, mut third] = [(); 3].map(|()| server.client());
    assert_eq!([&mut first, &mut second].map(health), [200, 200]);
    third.write(b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
    // A third request would have been answered in this time too.
    for _ in 0..100 {
        assert_eq!([&mut first, &mut second].map(health), [200, 200]);
    }
    assert!(!third.has_answer(), "two connections are open");
    drop(first);
    assert_eq!(third.head().unwrap().status, 200);
}

/// This process has a descriptor for each connection too.
fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}

#[test]
fn all_descriptors_that_there_are_are_used() {
    let server = Server::start_as(in_shell("ulimit -S -n 64 && exec \"$@\""), Voices::Fake, &[]);
    let mut clients: Vec<_> = (0..200).map(|_| server.client()).collect();
    for client in &mut clients {
        assert_eq!(client.send("GET", "/healthz", &[], b"").status, 200);
    }
}

#[test]
fn without_descriptors_connections_wait_and_nothing_spins() {
    let server = Server::start_as(in_shell("ulimit -n 64 && exec \"$@\""), Voices::Fake, &[]);
    let log = std::fs::read_to_string(server.path("log")).unwrap();
    assert!(log.contains("allows few connections"), "{log}");
    let mut first = server.client();
    assert_eq!(first.send("GET", "/healthz", &[], b"").status, 200);
    let crowd: Vec<_> = (0..100).map(|_| server.client()).collect();
    let before = server.processor_time();
    thread::sleep(Duration::from_secs(2));
    let used = server.processor_time() - before;
    assert!(used < 100, "{used} hundredths of a second, for nothing");
    assert_eq!(first.speak(&server.key, SHORT).status, 200, "who is there is answered");
    let mut last = server.client();
    last.ask_to_speak(&server.key, SHORT);
    drop(crowd);
    assert_eq!(last.head().unwrap().status, 200, "who has waited is answered too");
}

/// A revoked key stops working at once, however many clients there are.
#[test]
fn keys_are_read_again_while_connections_use_up_all_that_they_may() {
    let serve = in_shell("ulimit -n 64 && exec \"$@\"");
    let server = Server::start_as(serve, Voices::Fake, &[]);
    let [mut first, mut second] = [(); 2].map(|()| server.client());
    assert_eq!([&mut first, &mut second].map(|it| it.speak(&server.key, SHORT).status), [200; 2]);
    let crowd: Vec<_> = (0..100).map(|_| server.client()).collect();
    let other = new_key(&server.path("other"), "tester");
    std::fs::rename(server.path("other"), server.path("keys")).unwrap();
    assert!(until(|| first.speak(&server.key, SHORT).status == 401));
    assert_eq!(second.speak(&other, SHORT).status, 200);
    drop(crowd);
}

/// Ten thousand malformed bodies and heads: none causes an error of the service.
#[test]
fn ten_thousand_malformed_requests() {
    let server = Server::start(Voices::Fake, &[]);
    thread::scope(|scope| {
        for part in 0..8 {
            let server = &server;
            scope.spawn(move || {
                let mut client = server.client();
                for n in (part..10_000).step_by(8) {
                    let (status, closed) = malformed(server, &mut client, n);
                    assert!((400..500).contains(&status), "request {n}: {status}");
                    if closed {
                        client = server.client();
                    }
                }
            });
        }
    });
    assert_eq!(server.speak(SHORT).status, 200);
    assert_eq!(server.recorded("internal"), 0);
}

/// Sends a malformed request. Returns the status of the response, and whether the connection is
/// closed.
fn malformed(server: &Server, client: &mut Client, n: usize) -> (u16, bool) {
    let key = format!("Bearer {}", server.key);
    let json = [("Authorization", &*key), ("Content-Type", "application/json")];
    let mut body = b"{\"text\": \"Hi.\", \"voice\": \"aria\", \"language\": \"en-US\"}".to_vec();
    let place = n * 7919 % body.len();
    match n % 10 {
        // A truncated body, one with a byte that is not UTF-8, and one with a NUL.
        0 => body.truncate(place),
        1 => body[place] = 0xFF,
        2 => body[place] = 0,
        3 => body = "[".repeat(n % 5000 + 1).into_bytes(),
        4 => body = format!("{{\"text\": {n}}}").into_bytes(),
        5 => {
            body = format!("{{\"text\": \"Hi.\", \"voice\": \"{}\"}}", "x".repeat(n % 3000))
                .into_bytes()
        }
        6 => body = format!("{{\"text\": \"{}\"}}", " \\n\\t".repeat(n % 200)).into_bytes(),
        7 => body = format!("{{\"text\": \"{}\"}}", "a".repeat(1001 + n % 3000)).into_bytes(),
        8 => {
            let path = format!("/v1/speech/%{:02x}{}", n % 256, "/".repeat(n % 50));
            return (client.send("GET", &path, &json, b"").status, false);
        }
        _ => {
            let heads = [
                "POST /v1/speech HTTP/9\r\n\r\n",
                "\0\0\0\0\r\n\r\n",
                "POST\r\n\r\n",
                "POST /v1/speech HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            ];
            client.write(heads[n / 10 % heads.len()].as_bytes()).unwrap();
            return (client.head().unwrap().status, true);
        }
    }
    (client.send("POST", "/v1/speech", &json, &body).status, false)
}

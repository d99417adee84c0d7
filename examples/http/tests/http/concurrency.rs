//! Many clients, and bad ones.

use std::collections::HashMap;
use std::thread;

use crate::server::{Server, Voices};

/// What a process with the fake model and 64 long answers may take, in bytes: each answer is at most a sentence or two.
const MEMORY: u64 = 150 << 20;

#[test]
fn sixty_four_clients_are_served_in_bounded_memory() {
    let server = Server::start(Voices::Fake, &[]);
    let text: String = "Many words at once. ".chars().cycle().take(200).collect();
    thread::scope(|scope| {
        for client in 0..64 {
            let (server, text) = (&server, &text);
            scope.spawn(move || {
                let format = if client % 2 == 0 { "pcm" } else { "wav" };
                let body = format!("{{\"text\": \"{text}\", \"format\": \"{format}\"}}");
                let response = server.speak(&body);
                assert_eq!(response.status, 200);
                assert!(response.body.len() > 400_000);
            });
        }
    });
    assert_eq!(server.recorded("complete"), 64);
    assert!(server.peak_memory() < MEMORY, "{} MB", server.peak_memory() >> 20);
}

#[test]
fn more_than_there_is_room_for_are_told_to_come_back() {
    let server = Server::start(Voices::Fake, &["--requests", "2", "--max-concurrency", "1"]);
    let text: String = "Many words at once. ".chars().cycle().take(1000).collect();
    let body = format!("{{\"text\": \"{text}\"}}");
    let mut counts = HashMap::new();
    thread::scope(|scope| {
        let clients: Vec<_> = (0..10).map(|_| scope.spawn(|| server.speak(&body))).collect();
        for client in clients {
            let response = client.join().unwrap();
            if response.status == 503 {
                assert_eq!(response.refusal(), "overloaded");
                assert_eq!(response.header("retry-after"), Some("1"));
            }
            *counts.entry(response.status).or_insert(0) += 1;
        }
    });
    assert_eq!(counts[&200] + counts[&503], 10, "{counts:?}");
    assert!(counts[&200] >= 2 && counts[&503] >= 1, "{counts:?}");
    assert_eq!(server.recorded("overloaded"), i64::from(counts[&503]));
    assert_eq!(server.speak("{\"text\": \"Hi.\"}").status, 200);
}

/// Bodies and heads that are wrong in ten thousand ways, none of which is our fault.
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
    assert_eq!(server.speak("{\"text\": \"Hi.\"}").status, 200);
    assert_eq!(server.recorded("internal"), 0);
}

/// Sends a malformed request; the status of its answer, and whether the connection is of no use any more.
fn malformed(server: &Server, client: &mut crate::client::Client, n: usize) -> (u16, bool) {
    let key = format!("Bearer {}", server.key);
    let json = [("Authorization", &*key), ("Content-Type", "application/json")];
    let mut body = b"{\"text\": \"Hi.\", \"voice\": \"aria\", \"language\": \"en-US\"}".to_vec();
    let place = n * 7919 % body.len();
    match n % 10 {
        // A body that is cut, one with a byte that is not UTF-8, and one with a NUL in it.
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

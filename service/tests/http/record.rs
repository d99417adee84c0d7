//! The record on a disk that is full or loses its power.

use std::collections::HashMap;
use std::fs;
use std::thread;

use rusqlite::Connection;

use crate::account::names;
use crate::disk::Disk;
use crate::server::{Server, Voices, program, until};

#[test]
fn a_full_disk_loses_and_doubles_nothing() {
    let (mut server, full) = Server::start_on_disk();
    let text = "Many words at once. ".repeat(45);
    let mut client = server.client();
    client.ask_to_speak(&server.key, &format!("{{\"text\": \"{text}\", \"format\": \"pcm\"}}"));
    let mut response = client.head().unwrap();
    fs::write(&full, "").unwrap();
    thread::scope(|scope| {
        let spoken = scope.spawn(|| client.body(&mut response).map(|()| response.body.len()));
        let refused = server.speak("{\"text\": \"Hi.\"}");
        assert_eq!((refused.status, &*refused.refusal()), (500, "internal"));
        assert_eq!(server.get("/readyz").status, 503);
        fs::remove_file(&full).unwrap();
        assert!(spoken.join().unwrap().unwrap() > 1_000_000);
    });
    assert!(until(|| server.get("/readyz").status == 200));
    for _ in 0..2 {
        let recorded =
            ["complete", "started", "interrupted", "internal"].map(|it| server.recorded(it));
        assert_eq!(recorded, [1, 0, 0, 0]);
        server.restart(&[]);
    }
}

/// A request whose response had begun is recorded, and one with a whole response is recorded as
/// complete.
#[test]
fn a_power_cut_loses_and_doubles_nothing() {
    let mut server = Server::start(Voices::Fake, &[]);
    let disk = Disk::build(&server.path(""));
    let mut answered = HashMap::new();
    for cut in 0..8 {
        let mut serve = program();
        disk.holds(&server.path("usage.db"), &mut serve);
        serve.env("DISK_CUT", (80 + 37 * cut).to_string()).env("DISK_SEED", cut.to_string());
        server.restart_as(serve, &[]);
        let (address, key) = (server.address, &server.key);
        thread::scope(|scope| {
            let clients: Vec<_> = (0..4).map(|_| scope.spawn(|| names(address, key))).collect();
            answered.extend(clients.into_iter().flat_map(|client| client.join().unwrap()));
        });
        server.restart(&[]);
        let database = Connection::open(server.path("usage.db")).unwrap();
        let mut rows = database.prepare("SELECT request_id, outcome FROM requests").unwrap();
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let rows: Vec<(String, String)> = rows.map(Result::unwrap).collect();
        let outcomes: HashMap<_, _> = rows.iter().cloned().collect();
        assert_eq!(outcomes.len(), rows.len());
        for (name, is_whole) in &answered {
            let outcome = &*outcomes[name];
            assert!(outcome == "complete" || !is_whole && outcome == "interrupted", "{outcome}");
        }
    }
    assert!(answered.len() > 8, "{}", answered.len());
}

/// Every response of the service is counted by its path and status; a request for speech with a
/// known key also by its outcome, as in the record.
#[test]
fn what_is_refused_is_counted_and_recorded_where_that_is_said() {
    let server = Server::start(Voices::Fake, &[]);
    let key = format!("Bearer {}", server.key);
    let (own, json) = (("Authorization", &*key), ("Content-Type", "application/json"));
    let (wrong, text) = (("Authorization", "Bearer sk_live_0"), ("Content-Type", "text/plain"));
    let long = format!("{{\"text\": \"{}\"}}", "a".repeat(70_000));
    let (short, speech) = ("{\"text\": \"Hi.\"}", "/v1/speech");
    type Row<'a> =
        (&'a str, &'a str, &'a [(&'a str, &'a str)], &'a str, u16, &'a str, Option<&'a str>);
    let rows: [Row<'_>; 9] = [
        ("POST", speech, &[json], short, 401, speech, None),
        ("POST", speech, &[wrong, json], short, 401, speech, None),
        ("POST", speech, &[own, text], short, 415, speech, Some("unsupported_media_type")),
        ("POST", speech, &[own, json], &long, 413, speech, Some("request_too_large")),
        ("POST", speech, &[own, json], "{", 400, speech, Some("invalid_request")),
        ("POST", speech, &[own, json], "{\"text\": \" \"}", 400, speech, Some("empty_text")),
        ("POST", speech, &[own, json, ("Host", "other")], short, 400, speech, None),
        ("GET", speech, &[own], "", 405, speech, None),
        ("GET", "/v1/no", &[own], "", 404, "none", None),
    ];
    for (method, path, headers, body, status, label, outcome) in rows {
        let answers = format!("speech_http_answers_total{{path=\"{label}\",status=\"{status}\"}}");
        let outcomes = outcome.map(|one| format!("speech_http_speech_total{{outcome=\"{one}\"}}"));
        let now = || {
            let counted = outcomes.as_deref().map_or(0.0, |one| server.metric(one));
            (server.metric(&answers), counted, server.count(|_| true))
        };
        let before = now();
        assert_eq!(server.client().send(method, path, headers, body.as_bytes()).status, status);
        let more = f64::from(u8::from(outcome.is_some()));
        let expected = (before.0 + 1.0, before.1 + more, before.2 + more as i64);
        assert_eq!(now(), expected, "{method} {path} {status} {outcome:?}");
        assert_eq!(outcome.map_or(1, |outcome| server.recorded(outcome)), 1);
    }
    assert_eq!(server.metric("speech_http_characters_total"), 0.0);
    // The HTTP library answers requests that it cannot parse. The largest length is more than it
    // can count.
    let metrics = server.get("/metrics").text();
    for (head, status) in [
        ("Content-Length: 18446744073709551615", 431),
        ("Content-Length: 18446744073709551616", 400),
    ] {
        let mut client = server.client();
        let request = format!("POST /v1/speech HTTP/1.1\r\nHost: test\r\n{head}\r\n\r\n");
        client.write(request.as_bytes()).unwrap();
        assert_eq!(client.head().unwrap().status, status, "{head}");
    }
    let answers = |metrics: &str| {
        let lines = metrics.lines().filter(|line| line.starts_with("speech_http_answers_total"));
        lines.filter(|line| line.contains("/v1/speech")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(answers(&server.get("/metrics").text()), answers(&metrics));
}

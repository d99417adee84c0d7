//! Pronunciations of a request, lexicons of an account, the cache of sentences, and repeated
//! requests.

use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json};
use speech_tests::http::{Client, Response};

use crate::server::{Server, Voices, new_key, until};

/// Posts JSON with more headers, and returns the whole response.
fn post(server: &Server, path: &str, body: &Value, headers: &[(&str, &str)]) -> Response {
    let key = format!("Bearer {}", server.key);
    let all = [("Authorization", &*key), ("Content-Type", "application/json")];
    let all = [&all[..], headers].concat();
    server.client().send("POST", path, &all, body.to_string().as_bytes())
}

fn speak(server: &Server, body: &Value) -> Response {
    post(server, "/v1/speech", body, &[])
}

/// A column of the record, in the order of the requests.
fn column(server: &Server, name: &str) -> Vec<Option<String>> {
    let record = Connection::open(server.path("usage.db")).unwrap();
    let sql = format!("SELECT {name} FROM requests WHERE voice IS NOT NULL ORDER BY rowid");
    let mut statement = record.prepare(&sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<rusqlite::Result<_>>().unwrap()
}

#[test]
fn a_request_is_read_with_its_pronunciations_and_the_lexicons_of_its_account() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("tester/drugs.tsv", "xa\tone\nxb\tone\n"),
        ("_all/brands.tsv", "xb\ttwo and two\nxc\ttwo and two\n"),
        ("other/secret.tsv", "xa\tnone\n"),
    ] {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::write(folder.path().join(name), text).unwrap();
    }
    let options = ["--openai", "--lexicons", folder.path().to_str().unwrap()];
    let server = Server::start(Voices::Fake, &options);
    let expected = |text: &str| speak(&server, &json!({"text": text, "format": "pcm"})).body;
    let request = json!({
        "text": "xa xb xc xd.", "format": "pcm", "lexicons": ["drugs"],
        "pronunciations": {"xd": "three and three and three"},
    });
    let spoken = speak(&server, &request);
    assert_eq!(spoken.status, 200);
    assert!(spoken.body == expected("one one two and two three and three and three."));
    assert_eq!(spoken.header("x-characters"), Some("12"));
    let all_alone = speak(&server, &json!({"text": "xb.", "format": "pcm"}));
    assert!(all_alone.body == expected("two and two."));

    let openai = |fields: Value| {
        let mut body = json!({"model": "tts-1", "voice": "aria", "response_format": "pcm"});
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        post(&server, "/v1/audio/speech", &body, &[])
    };
    let spoken = openai(json!({
        "input": "xa xd.", "lexicons": ["drugs"], "pronunciations": {"xd": "three"},
    }));
    assert_eq!(spoken.status, 200);
    assert!(spoken.body == openai(json!({"input": "one three."})).body);
    let none = openai(json!({"input": "one three.", "lexicons": null, "pronunciations": null}));
    assert!(none.body == spoken.body);

    let recorded = column(&server, "lexicons");
    let version = |of: &Option<String>, name: &str| {
        let names = of.as_ref().unwrap().split(' ').map(str::to_owned);
        names.filter(|it| it.starts_with(name)).collect::<Vec<_>>().concat()
    };
    let pinned = version(&recorded[0], "drugs@");
    assert_eq!(pinned.len(), "drugs@".len() + 12);
    assert!(
        version(&recorded[1], "drugs@").is_empty() && !version(&recorded[1], "brands@").is_empty()
    );
    assert_eq!(speak(&server, &json!({"text": "xa", "lexicons": [pinned]})).status, 200);

    for (lexicons, status, kind) in [
        (json!(["secret"]), 404, "not_found"),
        (json!(["drugs@000000"]), 404, "not_found"),
        (json!(["drugs@"]), 200, ""),
        (json!(["../other/secret"]), 404, "not_found"),
        (json!("drugs"), 400, "invalid_request"),
        (json!([1]), 400, "invalid_request"),
        (json!(vec!["drugs"; 9]), 400, "invalid_request"),
    ] {
        let answer = speak(&server, &json!({"text": "a", "lexicons": lexicons}));
        assert_eq!(answer.status, status, "{lexicons}");
        assert!(status == 200 || answer.refusal() == kind, "{lexicons}");
    }
    assert_eq!(openai(json!({"input": "a", "lexicons": ["secret"]})).status, 404);
    let wrong = openai(json!({"input": "a", "pronunciations": {"a": "/9/"}}));
    assert_eq!((wrong.status, &wrong.json()["error"]["param"]), (400, &json!("pronunciations")));

    // A file is read again when it changes, and a broken file changes nothing.
    let drugs = folder.path().join("tester/drugs.tsv");
    let says = |text: &str| {
        let request = json!({"text": "xa.", "format": "pcm", "lexicons": ["drugs"]});
        speak(&server, &request).body == expected(text)
    };
    fs::write(&drugs, "xa\tfour and four\n").unwrap();
    assert!(until(|| says("four and four.")));
    fs::write(&drugs, "xa\tfive\nxe\n").unwrap();
    let log = || fs::read_to_string(server.path("log")).unwrap();
    assert!(until(|| log().contains("line 2: no tab")));
    assert!(says("four and four."));
}

#[test]
fn the_cache_is_of_an_account_unless_it_is_shared() {
    let body = "{\"text\": \"Again and again. A longer sentence.\", \"format\": \"pcm\"}";
    for (options, inferences) in
        [(&["--cache", "16M"][..], 2), (&["--cache", "16M", "--cache-shared"], 0)]
    {
        let server = Server::start(Voices::Fake, options);
        let other = new_key(&server.path("keys"), "other");
        let mut client = server.client();
        assert!(until(|| { server.client().speak(&other, "{\"text\": \"Hi.\"}").status == 200 }));
        let mut speak = |key: &str| {
            let before = server.inferences();
            let spoken = client.speak(key, body);
            assert_eq!((spoken.status, spoken.header("x-characters")), (200, Some("35")));
            (spoken.body, server.inferences() - before)
        };
        let (first, computed) = speak(&server.key);
        assert_eq!(computed, 2);
        assert!(speak(&server.key) == (first.clone(), 0));
        assert!(speak(&other) == (first, inferences));
        assert_eq!(server.recorded("complete"), 2, "what is kept is metered, too");
    }
}

#[test]
fn a_request_that_is_sent_again_is_charged_once() {
    let mut server = Server::start(Voices::Fake, &["--openai"]);
    let body = json!({"text": "Once and for all.", "format": "pcm"});
    let key = [("Idempotency-Key", "\"order-1\"")];
    let first = post(&server, "/v1/speech", &body, &key);
    assert_eq!((first.status, first.header("idempotency-replayed")), (200, None));
    let same = json!({"format": "pcm", "text": "Once and for all."});
    for again in 0..5 {
        if again == 3 {
            // The record has the key.
            server.restart(&["--openai"]);
        }
        let replayed = post(&server, "/v1/speech", &same, &key);
        assert_eq!((replayed.status, replayed.header("idempotency-replayed")), (200, Some("true")));
        assert!(replayed.body == first.body, "the same bytes");
        for header in ["x-request-id", "x-characters"] {
            assert_eq!(replayed.header(header), first.header(header));
        }
    }
    assert_eq!(server.recorded("complete"), 1);
    assert_eq!(column(&server, "request_id"), [first.header("x-request-id").map(str::to_owned)]);

    let other = post(&server, "/v1/speech", &json!({"text": "Another.", "format": "pcm"}), &key);
    assert_eq!((other.status, &*other.refusal()), (422, "invalid_request"));
    let elsewhere =
        json!({"model": "tts-1", "voice": "aria", "response_format": "pcm", "input": "Hi."});
    assert_eq!(post(&server, "/v1/audio/speech", &elsewhere, &key).status, 422);
    for (value, status) in [("order 2", 400), ("", 400), ("order-2", 200), ("order-2", 200)] {
        let answer = post(&server, "/v1/audio/speech", &elsewhere, &[("Idempotency-Key", value)]);
        assert_eq!(answer.status, status, "{value:?}");
    }
    assert_eq!(server.recorded("complete"), 2);

    // Since the restart it was repeated twice.
    let again: Vec<_> = (0..6).map(|_| post(&server, "/v1/speech", &body, &key).status).collect();
    assert_eq!(again, [200, 200, 200, 422, 422, 422]);
    assert_eq!(server.recorded("complete"), 2);
}

#[test]
fn a_key_is_of_an_account_and_of_one_request() {
    let server = Server::start(Voices::Fake, &[]);
    let body = json!({"text": "Once more.", "format": "pcm", "latency": "low"});
    let longest = "k".repeat(255);
    let say = |headers: &[(&str, &str)]| {
        let answer = post(&server, "/v1/speech", &body, headers);
        (answer.status, answer.header("idempotency-replayed").is_some())
    };
    let key = ("Idempotency-Key", &*longest);
    assert_eq!(say(&[key]), (200, false));
    // The quotes of a structured field are not part of the key.
    let quoted = format!("\"{longest}\"");
    assert_eq!(say(&[("Idempotency-Key", &quoted)]), (200, true));
    // Another form of the response makes it another request.
    assert_eq!(say(&[key, ("Accept", "application/x-ndjson")]), (422, false));
    for wrong in [&[key, key][..], &[("Idempotency-Key", &format!("{longest}k"))]] {
        assert_eq!(say(wrong), (400, false));
    }
    assert_eq!(server.recorded("complete"), 1);
    let other = new_key(&server.path("keys"), "other");
    let bearer = format!("Bearer {other}");
    let headers = [("Authorization", &*bearer), ("Content-Type", "application/json"), key];
    let mut of_other = (0, false);
    assert!(until(|| {
        let body = body.to_string();
        let answer = server.client().send("POST", "/v1/speech", &headers, body.as_bytes());
        of_other = (answer.status, answer.header("idempotency-replayed").is_some());
        of_other.0 != 401
    }));
    assert_eq!(of_other, (200, false));
}

/// A failed request leaves its key to another request.
#[test]
fn a_request_that_is_not_charged_may_be_sent_anew() {
    let server = Server::start(Voices::Fake, &["--characters-per-day", "20"]);
    let key = [("Idempotency-Key", "k")];
    let say = |text: &str| post(&server, "/v1/speech", &json!({"text": text}), &key);
    assert_eq!(say("This is more than an account may have.").status, 400);
    let first = say("Fifteen of them");
    assert_eq!((first.status, first.header("idempotency-replayed")), (200, None));
    // It is not counted again.
    for _ in 0..3 {
        let again = say("Fifteen of them");
        assert_eq!((again.status, again.header("idempotency-replayed")), (200, Some("true")));
    }
    assert_eq!(speak(&server, &json!({"text": "Eight ch"})).status, 429);
}

/// Of two concurrent requests with a key, neither is free while the other is rejected.
#[test]
fn a_pair_sent_at_once_cannot_be_spoken_on_a_day_that_is_spent() {
    let server = Server::start(Voices::Fake, &["--characters-per-day", "20"]);
    assert_eq!(speak(&server, &json!({"text": "Fifteen of them"})).status, 200);
    for round in 0..20 {
        let name = format!("pair-{round}");
        let say = || {
            post(&server, "/v1/speech", &json!({"text": "Eight ch"}), &[("Idempotency-Key", &name)])
        };
        let statuses = std::thread::scope(|scope| {
            let pair = [(); 4].map(|()| scope.spawn(say));
            pair.map(|it| it.join().unwrap().status)
        });
        assert_eq!(statuses, [429; 4], "round {round}");
    }
    assert_eq!(server.recorded("complete"), 1);
}

/// A client that has lost its connection gets the response of a request that still runs.
#[test]
fn a_request_that_is_being_answered_is_answered_again() {
    let server = Server::start(Voices::Fake, &[]);
    let text = "Many words at once. ".repeat(45);
    let body = json!({"text": text, "format": "pcm"});
    let key = format!("Bearer {}", server.key);
    let headers =
        [("Authorization", &*key), ("Content-Type", "application/json"), ("Idempotency-Key", "k")];
    let mut lost = Client::connect_with_little_room(server.address);
    lost.ask("POST", "/v1/speech", &headers, body.to_string().as_bytes());
    let head = lost.head().unwrap();
    let again = server.client().send("POST", "/v1/speech", &headers, body.to_string().as_bytes());
    assert_eq!((again.status, again.header("idempotency-replayed")), (200, Some("true")));
    assert_eq!(again.header("x-request-id"), head.header("x-request-id"));
    drop(lost);
    assert!(until(|| server.recorded("left") == 1));
    assert_eq!(server.recorded("complete"), 0);
}

//! Keys and the record: the account of each request, and its outcome.

use std::collections::HashSet;
use std::fs;
use std::thread;

use rusqlite::Connection;
use speech_tests::http::Client;

use crate::server::{Server, Voices, in_shell, new_key, printed, program, until};

#[test]
fn keys_change_while_the_service_runs() {
    let server = Server::start(Voices::Fake, &[]);
    let status = |key: &str| server.client().speak(key, "{\"text\": \"Hi.\"}").status;
    let keys = server.path("keys");
    let second = new_key(&keys, "second");
    assert!(until(|| status(&second) == 200));
    assert_eq!(status(&server.key), 200);
    let file = fs::read_to_string(&keys).unwrap();
    assert!(!file.contains("sk_live_"));
    fs::write(&keys, "nonsense").unwrap();
    let was_read =
        || fs::read_to_string(server.path("log")).unwrap().contains("cannot reload the keys");
    assert!(until(was_read));
    assert_eq!(status(&second), 200, "a file that cannot be read changes nothing");
    fs::write(&keys, file.lines().next().unwrap()).unwrap();
    assert!(until(|| status(&second) == 401));
    assert_eq!(status(&server.key), 200);
}

/// A file that people have written, without a newline at its end.
#[test]
fn a_new_key_takes_nothing_from_the_others() {
    let mut server = Server::start(Voices::Fake, &[]);
    let keys = server.path("keys");
    let text = fs::read_to_string(&keys).unwrap();
    fs::write(&keys, format!("# ours\n{}", text.trim_end())).unwrap();
    let second = new_key(&keys, "second");
    server.restart(&[]);
    for key in [&server.key, &second] {
        assert_eq!(server.client().speak(key, "{\"text\": \"Hi.\"}").status, 200);
    }
    fs::write(&keys, format!("{text}some words")).unwrap();
    let mut new = program();
    new.args(["key", "new", "--account", "third", "--keys", keys.to_str().unwrap()]);
    let refused = new.output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!((refused.status.code(), &*refused.stdout), (Some(1), &b""[..]), "{said}");
    assert!(said.contains("line 2: ") && !said.contains("some words"), "{said}");
    assert_eq!(fs::read_to_string(&keys).unwrap(), format!("{text}some words"));
}

/// If nobody can see the key, there is no key, and no line is added.
#[test]
fn a_key_that_nobody_sees_is_not_added() {
    let dir = tempfile::tempdir().unwrap();
    let keys = dir.path().join("keys");
    for line in [">&-", "> /dev/null", "> /dev/full"] {
        let line = format!("exec \"$@\" {line}");
        let mut new = in_shell(&line);
        new.args(["key", "new", "--account", "a", "--keys", keys.to_str().unwrap()]);
        let output = new.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is not added"), "{line}");
        assert!(!keys.exists(), "{line}");
    }
    new_key(&keys, "a");
    let text = fs::read_to_string(&keys).unwrap();
    assert_eq!(text.lines().count(), 1);
    let mut new = in_shell("exec \"$@\" >> \"$KEYS\"");
    new.args(["key", "new", "--account", "a", "--keys", keys.to_str().unwrap()]).env("KEYS", &keys);
    let output = new.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not added"));
    assert_eq!(fs::read_to_string(&keys).unwrap(), text);
}

#[test]
fn a_key_that_is_replaced_by_one_of_the_same_length_is_of_no_use() {
    let server = Server::start(Voices::Fake, &[]);
    let status = |key: &str| server.client().speak(key, "{\"text\": \"Hi.\"}").status;
    assert_eq!(status(&server.key), 200);
    let other = new_key(&server.path("other"), "tester");
    let (keys, other_keys) = (server.path("keys"), server.path("other"));
    let time = fs::metadata(&keys).unwrap().modified().unwrap();
    assert_eq!(fs::metadata(&keys).unwrap().len(), fs::metadata(&other_keys).unwrap().len());
    let file = fs::File::options().write(true).open(&other_keys).unwrap();
    file.set_modified(time).unwrap();
    fs::rename(&other_keys, &keys).unwrap();
    assert!(until(|| status(&other) == 200));
    assert_eq!(status(&server.key), 401);
}

#[test]
fn nobody_could_call_without_keys() {
    let output = program().args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--keys"));
}

#[test]
fn days_are_whole() {
    let server = Server::start(Voices::Fake, &[]);
    assert_eq!(server.speak("{\"text\": \"Hello.\", \"voice\": \"sofia\"}").status, 200);
    let usage = server.path("usage.db");
    let of = |options: &[&str]| {
        let mut usage_of = program();
        usage_of.args(["usage", "--account", "tester", "--usage", usage.to_str().unwrap()]);
        printed(usage_of.args(options))
    };
    let line = "{\"outcome\":\"complete\",\"voice\":\"sofia\",\"language\":\"en-US\",\"requests\":1,\
                \"characters\":6,\"charge_micros\":0}\n";
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    assert_eq!(of(&[]), line);
    assert_eq!(of(&["--from", "2020-01-01", "--to", &today]), line);
    assert_eq!(of(&["--to", "2020-01-01T00:00:00Z"]), "");
    assert_eq!(of(&["--from", "2999-12-31"]), "");
}

#[test]
fn no_time_ends_before_it_begins() {
    for (from, to) in [
        ("2026-11-02", "2026-11-01"),
        ("2026-11-02T12:00:00Z", "2026-11-02T11:00:00Z"),
        ("2026-11-02T12:00:00Z", "2026-11-02T12:00:00Z"),
    ] {
        let mut usage_of = program();
        usage_of.args(["usage", "--account", "a", "--from", from, "--to", to]);
        let output = usage_of.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert_eq!(said, format!("error: --from {from} must be before the end of --to {to}\n"));
    }
}

/// Every request with a response, or a part of one, is recorded, and only once; a text never is.
#[test]
fn nothing_is_lost_when_the_process_is_killed() {
    let mut server = Server::start(Voices::Fake, &[]);
    let mut answered = HashSet::new();
    for round in 0..5 {
        let (address, key) = (server.address, server.key.clone());
        let before = server.inferences();
        let clients: Vec<_> = (0..4)
            .map(|_| {
                let key = key.clone();
                thread::spawn(move || names(address, &key))
            })
            .collect();
        // Two sentences for each request, of which four are open.
        assert!(until(|| server.inferences() > before + 20 + 5 * round));
        server.kill();
        let count = answered.len();
        for client in clients {
            answered.extend(client.join().unwrap().into_iter().map(|(name, _)| name));
        }
        assert!(answered.len() > count, "nobody was answered");
        server.restart(&[]);
    }
    let database = Connection::open(server.path("usage.db")).unwrap();
    let mut rows = database.prepare("SELECT request_id, outcome FROM requests").unwrap();
    let rows = rows.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let rows: Vec<_> = rows.unwrap().map(Result::unwrap).collect();
    let names: HashSet<_> = rows.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(names.len(), rows.len());
    assert!(answered.is_subset(&names));
    assert!(rows.iter().all(|(_, outcome)| ["complete", "interrupted"].contains(&&**outcome)));
    for file in ["usage.db", "usage.db-wal", "log"] {
        let bytes = fs::read(server.path(file)).unwrap_or_default();
        assert!(!bytes.windows(6).any(|part| part == b"secret"), "{file}");
    }
}

/// Sends requests until the connection breaks. Returns the requests whose responses began, and
/// whether each response was complete.
pub(crate) fn names(address: std::net::SocketAddr, key: &str) -> Vec<(String, bool)> {
    let mut names = Vec::new();
    let mut client = Client::connect(address);
    loop {
        client.ask_to_speak(key, "{\"text\": \"A secret. And more.\", \"format\": \"pcm\"}");
        let Ok(mut response) = client.head() else { return names };
        assert_eq!(response.status, 200);
        let name = response.header("x-request-id").unwrap().to_owned();
        let is_whole = client.body(&mut response).is_ok();
        names.push((name, is_whole));
        if !is_whole {
            return names;
        }
    }
}

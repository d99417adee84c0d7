//! Start, monitoring and stop of the service.

use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};
use std::thread;

use rusqlite::Connection;
use speech_tests::http::Client;

use crate::server::{Server, Voices, in_shell, printed, program, until};

/// Runs a service that cannot start, with the fake model and the files of another one.
fn fails(server: &Server, options: &[&str]) -> Output {
    let path = |name: &str| server.path(name).to_str().unwrap().to_owned();
    let mut serve = program();
    serve.args(["serve", "--keys", &path("keys"), "--bundle", &path("voices")]);
    let output = serve.args(options).stdin(Stdio::null()).output().unwrap();
    assert!(!output.status.success(), "{options:?}");
    assert!(output.stdout.is_empty(), "{options:?}");
    output
}

fn log(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn an_address_that_is_taken_ends_the_service_with_a_line_in_the_log() {
    let server = Server::start(Voices::Fake, &[]);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let usage = server.path("other.db");
    // A port of another process, and an address of no interface (RFC 5737).
    for address in [&*taken, "192.0.2.1:80"] {
        let options = ["--listen", address, "--usage", usage.to_str().unwrap(), "--json-logs"];
        let output = fails(&server, &options);
        assert_eq!(output.status.code(), Some(1));
        let log = log(&output);
        let line: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        let cause = line["fields"]["error"].as_str().unwrap();
        assert!(cause.contains(address), "{cause}");
    }
}

#[test]
fn options_that_make_no_sense_are_refused_with_the_reason() {
    let server = Server::start(Voices::Fake, &[]);
    for (options, reason) in [
        (["--cors-origin", "notaurl"], "https://example.com"),
        (["--cors-origin", "https://a.example/path"], "https://example.com"),
        (["--read-timeout", "0"], "1..=3600"),
        (["--write-timeout", "0"], "1..=3600"),
        (["--cors-origin", "https://a.example:443"], "https://example.com"),
        (["--usage", ""], "--usage"),
        (["--usage", "/dev/null"], "not a regular file"),
    ] {
        let output = fails(&server, &options);
        assert!(log(&output).contains(reason), "{options:?}: {}", log(&output));
    }
}

#[test]
fn every_origin_may_call_if_that_is_wanted() {
    let server = Server::start(Voices::Fake, &["--cors-origin", "*"]);
    let headers = [("Origin", "https://a.example"), ("Access-Control-Request-Method", "POST")];
    let response = server.client().send("OPTIONS", "/v1/speech", &headers, b"");
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn a_record_of_another_version_is_left_alone() {
    let server = Server::start(Voices::Fake, &[]);
    let usage = server.path("later.db");
    Connection::open(&usage).unwrap().pragma_update(None, "user_version", 7).unwrap();
    let output = fails(&server, &["--usage", usage.to_str().unwrap()]);
    assert!(log(&output).contains("version 7"), "{}", log(&output));
    let version: i64 = Connection::open(&usage)
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, 7);
}

/// A pipe without a writer, or an endless file, does not block the start.
#[test]
fn only_regular_files_are_read() {
    let server = Server::start(Voices::Fake, &[]);
    let pipe = server.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_str().unwrap();
    for (command, option) in [
        (&["serve"][..], "--keys"),
        (&["serve", "--demo"], "--manifest"),
        (&["serve", "--demo"], "--usage"),
        (&["usage", "--account", "a"], "--usage"),
        (&["key", "new", "--account", "a"], "--keys"),
    ] {
        for file in [pipe, "/dev/zero"] {
            let mut refused = program();
            refused.args(command).args([option, file]).stdin(Stdio::null());
            let output = refused.env("SPEECH_BUNDLE", server.path("voices")).output().unwrap();
            let about = format!("{command:?} {option} {file}: {}", log(&output));
            assert_eq!(output.status.code(), Some(1), "{about}");
            assert!(about.contains("it is not a regular file"), "{about}");
        }
    }
}

/// Each variable of the environment has an effect or an error.
#[test]
fn variables_that_cannot_be_read_are_not_ignored() {
    let server = Server::start(Voices::Fake, &[]);
    let serve = |name: &str, value: &[u8]| {
        let mut serve = program();
        serve.args(["serve", "--demo", "--listen", "192.0.2.1:80", "--usage"]);
        serve.arg(server.path("other.db")).env("SPEECH_BUNDLE", server.path("voices"));
        let output = serve.env(name, OsStr::from_bytes(value)).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        log(&output)
    };
    let keys = serve("SPEECH_HTTP_KEYS", b"secret \xff");
    assert!(keys.contains("SPEECH_HTTP_KEYS is not UTF-8") && !keys.contains("secret"), "{keys}");
    for value in [&b"=,="[..], b"\xff"] {
        let logs = serve("RUST_LOG", value);
        assert!(logs.contains("RUST_LOG is invalid"), "{logs}");
    }
    assert!(!serve("RUST_LOG", b"info").contains("RUST_LOG"));
}

/// Names that SQLite does not take for a file.
#[test]
fn a_record_is_a_file_whatever_its_name() {
    let server = Server::start(Voices::Fake, &[]);
    let folder = tempfile::tempdir().unwrap();
    for name in [":memory:", "file::memory:?cache=shared", "file:a?mode=memory"] {
        let mut serve = program();
        serve.args(["serve", "--listen", "127.0.0.1:0", "--usage", name, "--keys"]);
        serve.arg(server.path("keys")).arg("--bundle").arg(server.path("voices"));
        let serve = serve.current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut serve = serve.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(serve.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap().parse().unwrap();
        let spoken = Client::connect(address).speak(&server.key, "{\"text\": \"Hi.\"}");
        serve.kill().unwrap();
        serve.wait().unwrap();
        assert_eq!(spoken.status, 200, "{name}");
        let mut usage = program();
        usage.args(["usage", "--account", "tester", "--usage", name]).current_dir(&folder);
        let usage = printed(&mut usage);
        assert!(usage.contains("complete"), "{name}: {usage}");
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}

#[test]
fn a_database_that_is_deleted_is_noticed() {
    let server = Server::start(Voices::Fake, &[]);
    assert_eq!(server.speak("{\"text\": \"Hi.\"}").status, 200);
    std::fs::remove_file(server.path("usage.db")).unwrap();
    assert!(until(|| server.get("/readyz").status == 503));
    let refused = server.speak("{\"text\": \"Hi.\"}");
    assert_eq!((refused.status, &*refused.refusal()), (500, "internal"));
    let log = std::fs::read_to_string(server.path("log")).unwrap();
    assert!(log.contains("usage.db was deleted or replaced"), "{log}");
    assert_eq!(server.get("/healthz").status, 200);
}

/// A second service would record the first one's open requests as interrupted.
#[test]
fn a_second_service_is_refused_by_whatever_name() {
    let server = Server::start(Voices::Fake, &[]);
    let text = "Many words at once. ".repeat(45);
    let mut client = server.client();
    client.ask_to_speak(&server.key, &format!("{{\"text\": \"{text}\", \"format\": \"pcm\"}}"));
    let mut response = client.head().unwrap();
    std::os::unix::fs::symlink(server.path("usage.db"), server.path("symbolic.db")).unwrap();
    std::fs::hard_link(server.path("usage.db"), server.path("hard.db")).unwrap();
    for (name, reason) in [("symbolic.db", "hard link"), ("hard.db", "hard link")] {
        let output = fails(&server, &["--usage", server.path(name).to_str().unwrap()]);
        assert!(log(&output).contains(reason), "{name}: {}", log(&output));
    }
    std::fs::remove_file(server.path("hard.db")).unwrap();
    let output = fails(&server, &["--usage", server.path("symbolic.db").to_str().unwrap()]);
    assert!(log(&output).contains("another process"), "{}", log(&output));
    client.body(&mut response).unwrap();
    assert_eq!((server.recorded("complete"), server.recorded("interrupted")), (1, 0));
}

#[test]
fn logs_that_go_to_a_file_have_no_colours() {
    let server = Server::start(Voices::Fake, &[]);
    let usage = server.path("other.db");
    let options = ["--listen", "192.0.2.1:80", "--usage", usage.to_str().unwrap()];
    let output = fails(&server, &options);
    assert!(log(&output).contains("cannot listen on 192.0.2.1:80"), "{}", log(&output));
    assert!(!log(&output).contains('\u{1b}'), "{}", log(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_or_closed_output_stops_nobody() {
    let server = Server::start(Voices::Fake, &[]);
    let path = |name: &str| server.path(name).to_str().unwrap().to_owned();
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for (number, wrapper) in ["exec \"$@\"", "exec \"$@\" >&-"].into_iter().enumerate() {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        drop(socket);
        let mut serve = in_shell(wrapper);
        serve.args(["serve", "--listen", &address.to_string(), "--keys", &path("keys")]);
        serve.args(["--bundle", &path("voices"), "--usage", &path(&format!("{number}.db"))]);
        let log = File::create(path("log of output")).unwrap();
        let mut serve = serve.stdout(full()).stderr(log).spawn().unwrap();
        let is_there = || TcpStream::connect(address).is_ok();
        assert!(until(is_there), "{wrapper}");
        let health = Client::connect(address).send("GET", "/healthz", &[], b"");
        assert_eq!(health.status, 200, "{wrapper}");
        serve.kill().unwrap();
        serve.wait().unwrap();
        let log = std::fs::read_to_string(path("log of output")).unwrap();
        assert!(!log.contains("panicked"), "{wrapper}: {log}");
    }
    let keys = path("keys of nobody");
    let adds = ["key", "new", "--account", "a", "--keys", &keys];
    for arguments in [&["openapi"][..], &adds[..4], &adds] {
        let output = program().args(arguments).stdout(full()).stderr(Stdio::piped()).spawn();
        let output = output.unwrap().wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.starts_with("error: ") && !said.contains("panicked"), "{said}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = program().args(adds).stdout(writer).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the key cannot be printed, and is not added: "), "{said}");
    assert!(!std::fs::exists(keys).unwrap(), "a line of a key that nobody has");
}

#[cfg(target_os = "linux")]
#[test]
fn a_service_that_cannot_log_answers_and_ends() {
    let serve = in_shell("exec \"$@\" 2>/dev/full");
    let mut server = Server::start_as(serve, Voices::Fake, &[]);
    assert_eq!(server.speak("{\"text\": \"Hi.\"}").status, 200);
    server.terminate();
    assert!(server.ended_well());
}

#[test]
fn a_second_signal_ends_the_service_at_once() {
    let mut server = Server::start(Voices::Real, &["--max-concurrency", "1"]);
    let mut client = server.client();
    let text = "A sentence of some length follows another. ".repeat(20);
    client.ask_to_speak(&server.key, &format!("{{\"text\": \"{text}\", \"format\": \"pcm\"}}"));
    let mut response = client.head().unwrap();
    assert!(client.chunk(&mut response).unwrap());
    server.terminate();
    let logged = || {
        std::fs::read_to_string(server.path("log"))
            .unwrap()
            .contains("finishing the requests in progress")
    };
    assert!(until(logged));
    server.terminate();
    assert!(client.body(&mut response).is_err());
    assert!(server.ended_well());
    assert_eq!(server.recorded("left"), 1);
}

#[test]
fn a_service_that_leaves_says_so_while_it_drains() {
    let mut server = Server::start(Voices::Fake, &["--drain", "5"]);
    assert_eq!(server.get("/readyz").status, 200);
    server.terminate();
    assert!(until(|| server.get("/readyz").status == 503));
    assert_eq!(server.speak("{\"text\": \"Hi.\"}").status, 200);
    assert!(server.ended_well());
}

#[test]
fn what_cannot_be_recorded_is_not_answered_and_not_forgotten() {
    let server = Server::start(Voices::Fake, &[]);
    let other = Connection::open(server.path("usage.db")).unwrap();
    let text = "Many words at once. ".repeat(45);
    let body = format!("{{\"text\": \"{text}\", \"format\": \"pcm\"}}");
    let mut client = server.client();
    client.ask_to_speak(&server.key, &body);
    let mut response = client.head().unwrap();
    // The request has begun. From here on another process holds the database for longer than the
    // service waits.
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    thread::scope(|scope| {
        let spoken = scope.spawn(|| client.body(&mut response).map(|()| response.body.len()));
        let refused = server.speak("{\"text\": \"Hi.\"}");
        assert_eq!((refused.status, &*refused.refusal()), (500, "internal"));
        assert_eq!(server.get("/readyz").status, 503);
        other.execute_batch("ROLLBACK").unwrap();
        // The client gets the end of its sound once that is recorded.
        assert!(spoken.join().unwrap().unwrap() > 1_000_000);
    });
    assert_eq!(server.recorded("complete"), 1);
    assert_eq!(server.recorded("started"), 0);
    assert!(until(|| server.get("/readyz").status == 200));
}

#[test]
fn what_an_account_used_is_read_where_nothing_can_be_written() {
    let mut server = Server::start(Voices::Fake, &[]);
    assert_eq!(server.speak("{\"text\": \"Hi.\"}").status, 200);
    server.terminate();
    assert!(server.ended_well());
    // A read-only folder, as on a read-only file system.
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::copy(server.path("usage.db"), path("usage.db")).unwrap();
    // A process of its own writes the file: while a child of another test holds a file open for
    // writing, the file cannot be run.
    let copied = Command::new("cp").arg(program().get_program()).arg(path("speech-http")).status();
    assert!(copied.unwrap().success());
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    let mut usage = Command::new(path("speech-http"));
    usage.args(["usage", "--account", "tester", "--usage"]).arg(path("usage.db"));
    if std::fs::metadata(folder.path()).unwrap().uid() == 0 {
        // The superuser can write everywhere.
        usage.uid(65534).gid(65534);
    }
    let output = usage.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.contains("\"complete\""),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn an_announced_body_that_is_too_large_is_refused_at_once() {
    // The service would wait for a body for longer than the client does.
    let server = Server::start(Voices::Fake, &[]);
    for (key, length, status) in [(&*server.key, "1000000000000", 413), ("wrong", "20", 401)] {
        let mut client = server.client();
        let head = format!(
            "POST /v1/speech HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        client.write(head.as_bytes()).unwrap();
        let mut response = client.head().unwrap();
        client.body(&mut response).unwrap();
        assert_eq!(response.status, status);
        assert_eq!(response.header("connection"), Some("close"));
        assert!(!response.refusal().is_empty() && client.is_closed());
    }
}

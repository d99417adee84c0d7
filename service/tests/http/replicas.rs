//! Two services over one ledger in Postgres.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use crate::postgres::{Cluster, PASSWORD};
use crate::server::{Server, Voices, printed, program, until};

/// Runs a replica, whose accounts are those of the first.
fn replica(cluster: &Cluster, options: &[&str], first: Option<&Server>) -> Server {
    let (url, password) = (cluster.tcp_url(), cluster.password());
    let keys = first.map(|first| fs::read_to_string(first.path("keys")).unwrap());
    let mut serve = program();
    serve.env("SPEECH_HTTP_KEYS", keys.unwrap_or_default());
    let record = ["--usage", &*url, "--usage-password", password.to_str().unwrap()];
    Server::start_as(serve, Voices::Fake, &[&record, options].concat())
}

/// A certificate is verified, and the password is only sent to a server that has the right one.
#[test]
#[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
fn a_certificate_is_verified() {
    let mut cluster = Cluster::start();
    let authority = cluster.start_tls();
    let url = format!("{}?sslmode=require", cluster.tcp_url());
    let usage = |roots: &Path| {
        let mut usage = program();
        usage.args(["usage", "--account", "a", "--usage", &url]);
        usage.env("PGPASSWORD", PASSWORD).env("SSL_CERT_FILE", roots).output().unwrap()
    };
    let said = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    // There is no schema yet, which only a connection shows.
    assert!(said(&usage(&authority)).contains("\"requests\""), "{}", said(&usage(&authority)));
    let unverified = said(&usage("/dev/null".as_ref()));
    assert!(unverified.contains("certificate"), "{unverified}");
    cluster.stop();
}

#[test]
#[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
fn replicas_share_keys_limits_and_the_record() {
    let mut cluster = Cluster::start();
    let mut one = replica(&cluster, &["--characters-per-day", "20"], None);
    let two = replica(&cluster, &["--characters-per-day", "20"], Some(&one));
    let (body, key) = (b"{\"text\": \"Hi there.\"}", format!("Bearer {}", one.key));
    let speak = |server: &Server, body: &[u8], idempotency: &str| {
        let headers = [
            ("Authorization", &*key),
            ("Content-Type", "application/json"),
            ("Idempotency-Key", idempotency),
        ];
        server.client().send("POST", "/v1/speech", &headers, body)
    };
    let first = speak(&one, body, "k1");
    let again = speak(&two, body, "k1");
    assert_eq!([first.status, again.status], [200; 2]);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.header("x-request-id"), first.header("x-request-id"));
    assert_eq!(again.body, first.body);
    assert_eq!(speak(&two, b"{\"text\": \"Other.\"}", "k1").status, 422);
    // 9 of 20 characters are used: one replica has room for 9 more, and then no replica has any.
    assert_eq!(speak(&two, body, "k2").status, 200);
    for server in [&one, &two, &one, &two] {
        let refused = speak(server, body, "k3");
        assert_eq!((refused.status, &*refused.refusal()), (429, "overloaded"));
        assert!(refused.text().contains("2 characters left today"), "{}", refused.text());
    }
    let usage = || {
        let url = cluster.tcp_url();
        let mut usage = program();
        usage.args(["usage", "--account", "tester", "--usage", &url]).env("PGPASSWORD", PASSWORD);
        printed(&mut usage)
    };
    let complete = "{\"outcome\":\"complete\",\"voice\":\"aria\",\"language\":\"en-US\",\"requests\":2,\
                    \"characters\":18,\"charge_micros\":0}\n";
    let refused = |outcome: &str, n: u8| {
        format!(
            "{{\"outcome\":\"{outcome}\",\"voice\":null,\"language\":null,\"requests\":{n},\
             \"characters\":0,\"charge_micros\":0}}\n"
        )
    };
    let all = [complete.to_owned(), refused("invalid_request", 1), refused("overloaded", 4)];
    assert_eq!(usage(), all.concat());
    // A killed replica keeps nothing from the others.
    one.kill();
    assert_eq!(speak(&two, body, "k1").status, 200);
    cluster.stop();
    let ready = || two.get("/readyz").status;
    assert!(until(|| ready() == 503));
    let began = Instant::now();
    let refused = speak(&two, body, "k4");
    assert_eq!((refused.status, &*refused.refusal()), (503, "overloaded"));
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(two.metric("speech_http_ledger_up"), 0.0);
    cluster.start_again();
    assert!(until(|| ready() == 200));
    assert_eq!(speak(&two, body, "k1").status, 200);
    for server in [&one, &two] {
        let log = fs::read_to_string(server.path("log")).unwrap();
        assert!(!log.contains(PASSWORD) && !log.contains("Hi there"), "{log}");
    }
}

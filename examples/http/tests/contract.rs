//! The program passes the same contract suite as `service`.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};
use speech_tests::http::{Service, contract};
use speech_tests::{cases, fake_model};

#[test]
fn the_contract() {
    let dir = tempfile::tempdir().unwrap();
    fake_model::write(dir.path()).unwrap();
    let key = "a key of a test".to_owned();
    let hash: String = Sha256::digest(&key).iter().map(|byte| format!("{byte:02x}")).collect();
    let (keys, log) = (dir.path().join("keys"), dir.path().join("log"));
    std::fs::write(&keys, format!("# ours\ntester {hash} # theirs\n")).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_speech-http-example"));
    program
        .env("SPEECH_BUNDLE", dir.path())
        .args(["--listen", "127.0.0.1:0"])
        .arg("--keys")
        .arg(&keys);
    program.args(contract::OPTIONS).stderr(std::fs::File::create(&log).unwrap());
    let mut child = program.stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").expect("it starts");
    let service = Service { address: address.parse().unwrap(), key };
    let checked = std::panic::catch_unwind(|| contract::check(&service));
    child.kill().unwrap();
    child.wait().unwrap();
    let log = std::fs::read_to_string(&log).unwrap();
    checked.unwrap_or_else(|_| panic!("{log}"));
    assert!(log.contains(" tester: 6 characters") && !cases::has_secret(&log), "{log}");
}

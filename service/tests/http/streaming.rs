//! Streams: they begin early, end complete or visibly aborted, and stop for a client that has left.

use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::server::{Server, Voices, printed, until};

const SENTENCES: &str = "One sentence. Two, and more. Three!";

/// A text that takes long, in the format `pcm`.
fn long(characters: usize) -> String {
    repeated("A sentence of some length follows another. ", characters)
}

fn repeated(sentence: &str, characters: usize) -> String {
    let text: String = sentence.chars().cycle().take(characters).collect();
    format!("{{\"text\": \"{text}\", \"format\": \"pcm\"}}")
}

#[test]
fn the_sound_is_that_of_the_program() {
    let server = Server::start(Voices::Real, &[]);
    let wav = server.speak(&format!("{{\"text\": \"{SENTENCES}\", \"voice\": \"leo\"}}"));
    let pcm = server
        .speak(&format!("{{\"text\": \"{SENTENCES}\", \"voice\": \"leo\", \"format\": \"pcm\"}}"));
    assert_eq!(pcm.header("transfer-encoding"), Some("chunked"));
    assert!(wav.body[44..] == pcm.body);
    let speech = Path::new(env!("CARGO_BIN_EXE_speech-http")).with_file_name("speech");
    assert!(speech.exists(), "cargo build -p speech-cli makes the program to compare with");
    let file = server.path("cli.wav");
    let options = ["say", "--voice", "leo", SENTENCES, "-o", file.to_str().unwrap()];
    printed(std::process::Command::new(speech).args(options));
    assert!(std::fs::read(file).unwrap() == wav.body);
}

#[test]
fn the_first_sentence_does_not_wait_for_the_last() {
    let server = Server::start(Voices::Real, &["--max-concurrency", "1"]);
    let mut client = server.client();
    client.ask_to_speak(&server.key, &repeated("Go on. ", 200));
    let mut response = client.head().unwrap();
    assert!(client.chunk(&mut response).unwrap());
    let (inferences, bytes) = (server.inferences(), response.body.len());
    client.body(&mut response).unwrap();
    let whole = server.inferences();
    assert!(whole > 10, "{whole} sentences");
    assert!(inferences < whole / 2, "{inferences} of {whole}");
    assert!(bytes < response.body.len() / 2);
}

#[test]
fn who_leaves_is_not_spoken_to() {
    let server = Server::start(Voices::Real, &["--max-concurrency", "1"]);
    for begun in [false, true] {
        let (before, inferences) = (server.recorded("left"), server.inferences());
        let mut client = server.client();
        client.ask_to_speak(&server.key, &long(1000));
        if begun {
            let mut response = client.head().unwrap();
            assert!(client.chunk(&mut response).unwrap());
        } else {
            assert!(until(|| server.metric("speech_http_in_progress") == 1.0));
        }
        drop(client);
        let idle = || server.metric("speech_http_in_progress") == 0.0;
        assert!(until(idle), "it went on: {begun}");
        // The whole text has over twenty sentences.
        let inferences = server.inferences() - inferences;
        assert!(inferences < 10, "{inferences} sentences were spoken to nobody");
        assert!(until(|| server.recorded("left") == before + 1));
    }
}

/// The service notices a reset connection while it computes a file, of which nothing is sent before
/// its end. It also notices if the client has closed its side before, which alone means nothing.
#[test]
fn a_file_is_not_made_for_who_has_reset_the_connection() {
    let server = Server::start(Voices::Real, &["--max-concurrency", "1"]);
    let file = long(1000).replace("pcm", "wav");
    for (count, has_closed) in (1..).zip([false, true]) {
        let inferences = server.inferences();
        let mut client = server.client();
        // Closing a connection with an unread response resets it.
        client.write(b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
        client.ask_to_speak(&server.key, &file);
        if has_closed {
            client.close_its_side();
        }
        let is_speaking = || server.metric("speech_http_in_progress") == 1.0;
        assert!(until(is_speaking));
        drop(client);
        assert!(until(|| !is_speaking()), "closed: {has_closed}");
        // The whole text has over twenty sentences.
        let inferences = server.inferences() - inferences;
        assert!(inferences < 10, "{inferences} sentences were spoken to nobody");
        assert!(until(|| server.recorded("left") == count));
    }
    assert_eq!(server.recorded("complete"), 0);
}

#[test]
fn who_has_said_all_may_close_its_side() {
    let server = Server::start(Voices::Fake, &[]);
    for body in [long(300), "{\"text\": \"A file.\"}".to_owned()] {
        let mut client = server.client();
        client.ask_to_speak(&server.key, &body);
        client.close_its_side();
        let mut response = client.head().unwrap();
        client.body(&mut response).unwrap();
        assert_eq!(response.status, 200);
        assert!(client.is_closed());
    }
    assert_eq!(server.recorded("complete"), 2);
}

#[test]
fn who_reads_slowly_gets_all_and_holds_nobody_up() {
    let server = Server::start(Voices::Fake, &["--max-concurrency", "1"]);
    let mut slow = server.client();
    slow.ask_to_speak(&server.key, &long(1000));
    let mut response = slow.head().unwrap();
    while slow.chunk(&mut response).unwrap() {
        thread::sleep(Duration::from_millis(20));
        assert_eq!(server.speak("{\"text\": \"Hi.\"}").status, 200);
    }
    assert!(response.body == server.speak(&long(1000)).body);
}

#[test]
fn who_reads_nothing_is_given_up() {
    let server = Server::start(
        Voices::Fake,
        &["--write-timeout", "1", "--requests", "20", "--requests-per-account", "20"],
    );
    let mut stuck = Vec::new();
    // More than the system's buffers take: some of them cannot be written.
    for _ in 0..20 {
        let mut client = server.client();
        client.ask_to_speak(&server.key, &long(1000));
        stuck.push(client);
    }
    let ended = || server.recorded("left") + server.recorded("complete") == 20;
    // Some ten seconds on an idle machine of two cores; other tests run beside this one.
    let all = until(ended);
    assert!(all, "{} left, {} complete", server.recorded("left"), server.recorded("complete"));
    assert_eq!(server.speak("{\"text\": \"Hi.\"}").status, 200);
}

#[test]
fn what_speaks_is_finished_before_the_end() {
    let options = ["--max-concurrency", "1", "--grace", "600"];
    let mut server = Server::start(Voices::Real, &options);
    let mut client = server.client();
    client.ask_to_speak(&server.key, &long(150));
    let mut response = client.head().unwrap();
    assert!(client.chunk(&mut response).unwrap());
    server.terminate();
    client.body(&mut response).unwrap();
    assert!(server.ended_well());
    assert_eq!(server.recorded("complete"), 1);
}

#[test]
fn a_stream_that_is_cut_off_does_not_look_whole() {
    let mut server = Server::start(Voices::Real, &["--max-concurrency", "1", "--grace", "1"]);
    let mut client = server.client();
    client.ask_to_speak(&server.key, &long(1000));
    let mut response = client.head().unwrap();
    assert!(client.chunk(&mut response).unwrap());
    server.terminate();
    let broken: io::Result<()> = client.body(&mut response);
    assert!(broken.is_err());
    assert!(server.ended_well());
    assert_eq!((server.recorded("left"), server.recorded("complete")), (1, 0));
}

//! OpenAI's routes: off by default, with our keys and limits, and with an encoder that never
//! outlives its client.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use serde_json::Value;
use speech_tests::http::{Client, Response};

use crate::server::{Server, Voices, until};

const SPEECH: &str = "/v1/audio/speech";

/// Claims to encode every format, and returns its input.
const FFMPEG: &str = "#!/bin/sh\n\
    case \"$*\" in *-encoders*) printf ' A libmp3lame MP3\\n A aac AAC\\n'; exit;; esac\n\
    echo $$ >> \"$0.started\"\n\
    exec cat\n";

fn ask(client: &mut Client, key: &str, body: &str) {
    client.post_json(SPEECH, key, body);
}

fn answered(server: &Server, body: &str) -> Response {
    let mut client = server.client();
    ask(&mut client, &server.key, body);
    let mut response = client.head().unwrap();
    client.body(&mut response).unwrap();
    response
}

fn body(format: &str, input: &str) -> String {
    format!(
        "{{\"model\": \"tts-1\", \"voice\": \"alloy\", \"response_format\": \"{format}\", \"input\": \"{input}\"}}"
    )
}

/// The wrong field of an error, which must have OpenAI's form.
fn error(response: &Response, field: &str) -> Value {
    let error = response.json()["error"].clone();
    let fields: Vec<_> = error.as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields, ["code", "message", "param", "type"], "{error}");
    assert!(response.header("x-request-id").is_some());
    error[field].clone()
}

/// A server with an ffmpeg that encodes nothing.
fn with_ffmpeg(voices: Voices, options: &[&str]) -> (Server, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("ffmpeg");
    fs::write(&program, FFMPEG).unwrap();
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    let program = ["--openai", "--ffmpeg", program.to_str().unwrap()];
    (Server::start(voices, &[&program[..], options].concat()), dir)
}

/// The encoders that were started, and whether each is still a process, be it a zombie.
fn encoders(dir: &tempfile::TempDir) -> Vec<bool> {
    let started = fs::read_to_string(dir.path().join("ffmpeg.started")).unwrap_or_default();
    started.lines().map(|id| fs::exists(format!("/proc/{id}")).unwrap()).collect()
}

#[test]
fn they_are_off_by_default() {
    let server = Server::start(Voices::Fake, &[]);
    for path in [SPEECH, "/v1/audio/voices", "/v1/models", "/v1/models/tts-1"] {
        let response = server.get(path);
        assert_eq!((response.status, &*response.refusal()), (404, "not_found"), "{path}");
    }
}

#[test]
fn only_their_errors_have_their_shape() {
    let server = Server::start(Voices::Fake, &["--openai"]);
    assert_eq!(server.get("/v1/audio/transcriptions").refusal(), "not_found");
    assert_eq!(server.get("/v1/speech").refusal(), "method_not_allowed");
    assert_eq!(server.speak("{}").refusal(), "invalid_request");
    let bearer = format!("Bearer {}", server.key);
    let (mine, json) = (("Authorization", &*bearer), ("Content-Type", "application/json"));
    let huge = vec![b' '; (128 << 10) + 1];
    for (status, code, method, path, headers, body) in [
        (401, "invalid_api_key", "POST", SPEECH, &[json][..], &b"{}"[..]),
        (401, "invalid_api_key", "GET", "/v1/models", &[], b""),
        (401, "invalid_api_key", "GET", "/v1/models/tts-1", &[], b""),
        (404, "model_not_found", "GET", "/v1/models/tts-9", &[mine], b""),
        (405, "method_not_allowed", "GET", SPEECH, &[mine], b""),
        (405, "method_not_allowed", "POST", "/v1/models", &[mine], b""),
        (413, "request_too_large", "POST", SPEECH, &[mine, json], &huge),
        (415, "unsupported_media_type", "POST", SPEECH, &[mine], b"{}"),
        (400, "invalid_request", "POST", SPEECH, &[mine, json], b"{"),
        (400, "invalid_request", "POST", SPEECH, &[mine, json], b"[]"),
        (400, "missing_required_parameter", "POST", SPEECH, &[mine, json], b"{}"),
    ] {
        let response = server.client().send(method, path, headers, body);
        let about = format!("{method} {path}: {}", response.text());
        assert_eq!((response.status, error(&response, "code")), (status, code.into()), "{about}");
        assert_eq!(response.header("www-authenticate").is_some(), status == 401, "{about}");
        assert_eq!(response.header("allow").is_some(), status == 405, "{about}");
    }
}

#[test]
fn requests_are_recorded_and_limited_as_ours_are() {
    let options = ["--openai", "--characters-per-day", "12"];
    let server = Server::start(Voices::Fake, &options);
    let fine = answered(&server, &body("pcm", "Ten of 12."));
    assert_eq!((fine.status, fine.header("x-characters")), (200, Some("10")));
    let more = answered(&server, &body("pcm", "Too many."));
    assert_eq!((more.status, error(&more, "code")), (429, "rate_limit_exceeded".into()));
    assert!(more.header("retry-after").is_some());
    // More characters than any day has.
    let long = answered(&server, &body("pcm", "More than twelve."));
    assert_eq!((long.status, error(&long, "code")), (400, "invalid_request".into()));
    assert_eq!(long.header("retry-after"), None);
    assert_eq!(
        server.speak("{\"text\": \"Hi.\"}").status,
        429,
        "the characters are counted together"
    );
    assert_eq!(answered(&server, &body("ogg", "Hi.")).status, 400);
    assert_eq!((server.recorded("complete"), server.recorded("overloaded")), (1, 2));
    assert_eq!(server.recorded("invalid_request"), 2);
    assert_eq!(server.metric("speech_http_characters_total"), 10.0);
}

#[test]
fn without_ffmpeg_its_formats_are_refused_and_cost_nothing() {
    let options = ["--openai", "--ffmpeg", "/nonexistent/ffmpeg", "--characters-per-day", "3"];
    let server = Server::start(Voices::Fake, &options);
    for body in [
        body("aac", "Hi."),
        "{\"model\": \"tts-1\", \"voice\": \"leo\", \"input\": \"Hi.\"}".into(),
    ] {
        let refused = answered(&server, &body);
        assert_eq!(refused.status, 400);
        assert_eq!(error(&refused, "code"), "unsupported_format");
        assert_eq!(error(&refused, "param"), "response_format");
        let message = error(&refused, "message");
        for word in ["ffmpeg", "wav", "flac", "opus", "pcm"] {
            assert!(message.as_str().unwrap().contains(word), "{message}");
        }
    }
    assert_eq!(answered(&server, &body("opus", "Hi.")).status, 200);
}

/// The samples of our own route at that rate; the encoded samples are the same.
#[test]
fn an_encoder_gets_all_and_ends() {
    let (server, dir) = with_ffmpeg(Voices::Fake, &[]);
    let pcm = answered(&server, &body("pcm", "One. Two. Three."));
    let ours = server.speak("{\"text\": \"One. Two. Three.\", \"sample_rate\": 24000}");
    assert!(ours.body[44..] == pcm.body);
    let mp3 = answered(&server, &body("mp3", "One. Two. Three."));
    assert_eq!(mp3.header("content-type"), Some("audio/mpeg"));
    assert!(mp3.body == pcm.body);
    assert!(until(|| encoders(&dir) == [false]));
}

#[test]
fn who_leaves_ends_the_encoder_and_the_synthesis() {
    let (server, dir) = with_ffmpeg(Voices::Real, &["--max-concurrency", "1"]);
    let text = "A sentence of some length follows another. ".repeat(90);
    let mut client = server.client();
    ask(&mut client, &server.key, &body("mp3", &text));
    let mut response = client.head().unwrap();
    assert!(client.chunk(&mut response).unwrap());
    assert_eq!(encoders(&dir), [true]);
    drop(client);
    assert!(until(|| server.recorded("left") == 1));
    assert!(server.inferences() < 20, "{} sentences of 90", server.inferences());
    // The process is gone, and not a zombie.
    assert!(until(|| encoders(&dir) == [false]));
}

/// It is one of the processes for which the service has descriptors.
#[test]
fn an_encoder_has_the_place_of_its_request() {
    let (server, dir) = with_ffmpeg(Voices::Fake, &["--requests-per-account", "2"]);
    let text = "Many words at once. ".repeat(40);
    let mut clients = [(); 8].map(|()| Client::connect_with_little_room(server.address));
    let statuses: Vec<_> = clients
        .iter_mut()
        .map(|client| {
            ask(client, &server.key, &body("mp3", &text));
            client.head().unwrap().status
        })
        .collect();
    assert_eq!(statuses, [200, 200, 429, 429, 429, 429, 429, 429]);
    // The encoder has the last part by then.
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(answered(&server, &body("pcm", "Hi.")).status, 429);
    assert_eq!(encoders(&dir), [true; 2]);
    drop(clients);
    assert!(until(|| encoders(&dir) == [false; 2]));
    assert!(until(|| answered(&server, &body("pcm", "Hi.")).status == 200));
}

#[test]
fn an_encoder_that_fails_leaves_no_answer_that_looks_whole() {
    let (server, dir) = with_ffmpeg(Voices::Fake, &[]);
    let failing = FFMPEG.replace("exec cat", "head -c 1000; exit 1");
    fs::write(dir.path().join("ffmpeg"), failing).unwrap();
    let mut client = server.client();
    ask(&mut client, &server.key, &body("mp3", "One. Two. Three."));
    let mut response = client.head().unwrap();
    assert!(client.body(&mut response).is_err());
}

#[test]
fn a_path_that_is_no_text_names_no_model() {
    let server = Server::start(Voices::Fake, &["--openai"]);
    let key = format!("Bearer {}", server.key);
    for path in ["/v1/models/%ff", "/v1/models/%c3%28", "/v1/models/%00", "/v1/models/nothing"] {
        let answer = server.client().send("GET", path, &[("Authorization", &key)], b"");
        assert_eq!((answer.status, error(&answer, "code")), (404, "model_not_found".into()));
        let answer = server.get(path);
        assert_eq!((answer.status, error(&answer, "code")), (401, "invalid_api_key".into()));
    }
}

#[test]
fn a_model_may_name_a_quality() {
    // Rejected requests do not count.
    let server = Server::start(Voices::Fake, &["--openai", "--characters-per-day", "9"]);
    let spoken = |model: &str, voice: &str| {
        answered(&server, &body("pcm", "Hi.").replace("tts-1", model).replace("alloy", voice))
    };
    let refused = spoken("libspeech-fast", "leo");
    assert_eq!((refused.status, error(&refused, "code")), (400, "invalid_request".into()));
    let message = "the voice bundle does not have quality fast for leo in en-US; it has full";
    assert_eq!(error(&refused, "message"), message);
    let models = ["libspeech", "libspeech-fast", "libspeech-light"];
    let sounds = models.map(|model| spoken(model, "alloy"));
    assert!(sounds.iter().all(|sound| sound.status == 200));
    let [auto, fast, light] = sounds.map(|sound| sound.body);
    assert!(auto != fast && auto != light && fast != light);

    let key = format!("Bearer {}", server.key);
    let listed = server.client().send("GET", "/v1/models", &[("Authorization", &key)], b"");
    let listed = listed.json()["data"].clone();
    let ids: Vec<_> = listed.as_array().unwrap().iter().map(|model| &model["id"]).collect();
    assert_eq!(ids[..3], models);
}

#[test]
fn a_body_is_read_as_on_our_own_route() {
    let server = Server::start(Voices::Fake, &["--openai"]);
    let fine = body("pcm", "Hi.");
    let with = |fields: &str| fine.replace('}', &format!(", {fields}}}"));
    assert_eq!(answered(&server, &with("\"more\": 1e400")).status, 200);
    let twice = answered(&server, &with("\"input\": \"Ho.\""));
    assert_eq!((twice.status, error(&twice, "param")), (400, "input".into()));
    let key = format!("Bearer {}", server.key);
    let headers = [
        ("Authorization", &*key),
        ("Content-Type", "application/json"),
        ("Content-Encoding", "gzip"),
    ];
    let packed = server.client().send("POST", SPEECH, &headers, fine.as_bytes());
    assert_eq!((packed.status, error(&packed, "code")), (415, "unsupported_media_type".into()));
}

/// The first sentence is sent before the last is computed, in every format that is encoded here.
#[test]
fn a_long_input_streams() {
    let server = Server::start(Voices::Real, &["--openai", "--max-concurrency", "1"]);
    for format in ["pcm", "opus", "flac", "wav"] {
        let before = server.inferences();
        let mut client = server.client();
        ask(&mut client, &server.key, &body(format, &"Go on. ".repeat(15)));
        let mut response = client.head().unwrap();
        assert!(client.chunk(&mut response).unwrap());
        let first = server.inferences() - before;
        client.body(&mut response).unwrap();
        let whole = server.inferences() - before;
        assert!(whole > 10 && first < whole / 2, "{format}: {first} of {whole}");
    }
    // Longer than a text of `/v1/speech` may be.
    let mut client = server.client();
    ask(&mut client, &server.key, &body("pcm", &"अ".repeat(4096)));
    let response = client.head().unwrap();
    assert_eq!((response.status, response.header("x-characters")), (200, Some("4096")));
}

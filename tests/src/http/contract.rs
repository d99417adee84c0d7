//! Tests the HTTP contract, field by field. Each function panics on any deviation of the service.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::Service;
use crate::cases;

/// The options of the service: two tiers, and an invalid context setting.
pub const OPTIONS: [&str; 6] = ["--contexts", "70,0", "--contexts", "70,6", "--contexts", "56,3"];

/// The maximum body size in bytes that a service reads.
const MAX_BODY: usize = 64 << 10;

/// Tests everything on a service with the fake model and [`OPTIONS`].
pub fn check(service: &Service) {
    requests(service);
    formats(service);
    refusals(service);
    secrets(service);
    listings(service);
    identifiers(service);
}

/// The requests of all languages, and their responses or errors.
pub fn requests(service: &Service) {
    let mut failures = Vec::new();
    let cases = cases::read();
    for case in cases.requests.iter().chain(&cases.streams) {
        let response = service.speak(&case.body());
        let found = match (&case.error, response.status) {
            (None, 200) => {
                let characters =
                    case.characters.expect("what is spoken has characters").to_string();
                let asked: Value = serde_json::from_str(&case.body()).unwrap();
                let kind = match (asked["format"].as_str(), asked["encoding"].as_str()) {
                    (None | Some("wav"), _) => "audio/wav",
                    (_, Some("mulaw")) => "audio/PCMU",
                    (_, Some("float32")) => "application/octet-stream",
                    _ => "audio/L16",
                };
                let rate = asked["sample_rate"].as_u64().unwrap_or(22_050).to_string();
                response.header("x-characters") == Some(&*characters)
                    && response.header("content-type") == Some(kind)
                    && response.header("x-sample-rate") == Some(&*rate)
                    && response.header("x-request-id").is_some()
                    && response.body.len() > 2205
            }
            (Some(error), 400) => {
                let message = response.json()["error"]["message"].clone();
                response.refusal() == *error && case.message.as_ref().is_none_or(|m| message == **m)
            }
            _ => false,
        };
        if !found {
            failures.push(format!("{}: {} {}", case.name, response.status, response.body.len()));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A file has its length, and a stream delivers the same samples one sentence at a time.
pub fn formats(service: &Service) {
    let body = |format| json!({"text": "One. Two, and more. Three!", "format": format}).to_string();
    let wav = service.speak(&body("wav"));
    assert_eq!(wav.header("content-length"), Some(&*wav.body.len().to_string()));
    assert!(wav.body.starts_with(b"RIFF"));
    let mut client = service.client();
    client.ask_to_speak(&service.key, &body("pcm"));
    let mut pcm = client.head().unwrap();
    assert_eq!(pcm.header("transfer-encoding"), Some("chunked"));
    let mut chunks = 0;
    while client.chunk(&mut pcm).unwrap() {
        chunks += 1;
    }
    assert!(chunks >= 3, "three sentences came in {chunks} chunks");
    assert!(wav.body[44..] == pcm.body);
    let telephone = |format| {
        let (text, encoding) = ("One. Two, and more. Three!", "mulaw");
        json!({ "text": text, "format": format, "sample_rate": 8000, "encoding": encoding })
    };
    let wav = service.speak(&telephone("wav").to_string());
    let pcm = service.speak(&telephone("pcm").to_string());
    let padding = pcm.body.len() % 2;
    assert!(wav.body[20] == 7 && wav.body[58..wav.body.len() - padding] == pcm.body);
}

/// Every rejection has the envelope, its status and its headers.
pub fn refusals(service: &Service) {
    let key = format!("Bearer {}", service.key);
    let json = ("Content-Type", "application/json");
    let mine = ("Authorization", &*key);
    let (fine, huge) = (&b"{\"text\": \"Hi.\"}"[..], vec![b' '; MAX_BODY + 1]);
    let plain_text = ("Content-Type", "text/plain");
    let unknown = ("Authorization", "Bearer sk_live_no");
    let basic = ("Authorization", "Basic eDp5");
    let encoded = |value| ("Content-Encoding", value);
    let twice = &[mine, json, encoded("identity"), encoded("br")];
    let speech = "/v1/speech";
    for (status, kind, method, path, headers, body) in [
        (401, "unauthorized", "POST", speech, &[json][..], fine),
        (401, "unauthorized", "POST", speech, &[json, unknown], fine),
        (401, "unauthorized", "POST", speech, &[json, basic], fine),
        (401, "unauthorized", "GET", "/v1/tiers", &[], b""),
        (401, "unauthorized", "GET", "/v1/tiers", &[mine, mine], b""),
        (415, "unsupported_media_type", "POST", speech, &[mine], fine),
        (415, "unsupported_media_type", "POST", speech, &[mine, plain_text], fine),
        (415, "unsupported_media_type", "POST", speech, &[mine, json, json], fine),
        (
            415,
            "unsupported_media_type",
            "POST",
            speech,
            &[mine, json, encoded("gzip")],
            b"\x1f\x8b",
        ),
        (415, "unsupported_media_type", "POST", speech, twice, fine),
        (413, "request_too_large", "POST", speech, &[mine, json], &huge),
        (400, "invalid_request", "POST", speech, &[mine, json], b"{"),
        (400, "invalid_request", "POST", speech, &[mine, json], b""),
        (400, "invalid_request", "POST", speech, &[mine, json], b"{\"text\": \"\xff\"}"),
        (400, "invalid_request", "POST", speech, &[mine, json], b"{\"text\": 3}"),
        (400, "empty_text", "POST", speech, &[mine, json], b"{\"text\": \" \"}"),
        (404, "not_found", "GET", "/v1/nothing", &[], b""),
        (404, "not_found", "POST", "/v1/speech/", &[mine, json], fine),
        (404, "not_found", "GET", "/%00%ff", &[], b""),
        (405, "method_not_allowed", "GET", speech, &[mine], b""),
        (405, "method_not_allowed", "DELETE", "/v1/tiers", &[mine], b""),
        (405, "method_not_allowed", "OPTIONS", speech, &[("Origin", "https://a.example")], b""),
    ] {
        let response = service.client().send(method, path, headers, body);
        let about = format!("{method} {path}: {}", response.text());
        assert_eq!((response.status, &*response.refusal()), (status, kind), "{about}");
        let scheme = (status == 401).then_some("Bearer");
        assert_eq!(response.header("www-authenticate"), scheme, "{about}");
        assert_eq!(response.header("allow").is_some(), status == 405, "{about}");
        assert_eq!(response.header("access-control-allow-origin"), None, "{about}");
    }
    let plain = [mine, json, encoded("identity")];
    assert_eq!(service.client().send("POST", speech, &plain, fine).status, 200);
}

/// No response contains a part of a rejected text.
pub fn secrets(service: &Service) {
    let mut failures = Vec::new();
    for case in cases::read().secrets {
        let response = service.speak(&case.body());
        let refusal = (response.status != 200).then(|| response.refusal());
        let body = if response.status == 200 { String::new() } else { response.text() };
        if refusal != case.error || cases::has_secret(&format!("{:?}{body}", response.headers)) {
            failures.push(format!("{}: {refusal:?} {body}", case.name));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The voices, which need no key, and the tiers of [`OPTIONS`]. A service may list more properties
/// of the voices.
pub fn listings(service: &Service) {
    let voices = service.get("/v1/speech/voices");
    let listed = voices.json();
    assert_eq!((voices.status, voices.header("content-type")), (200, Some("application/json")));
    let name = |id: &str| json!({"id": id, "name": id[..1].to_uppercase() + &id[1..]});
    let names: Vec<_> = ["aria", "jason", "john", "leo", "sofia"].map(name).into();
    assert_eq!(listed["voices"], json!(names));
    let mut languages: Vec<_> = listed["languages"].as_array().unwrap().clone();
    languages.sort_by_key(Value::to_string);
    assert_eq!(languages, [json!("en-US"), json!("hi-IN")]);
    assert_eq!(listed["default_voice"], "aria");
    assert_eq!((&listed["sample_rate"], &listed["max_characters"]), (&json!(22050), &json!(1000)));
    assert_eq!(service.client().send("HEAD", "/v1/speech/voices", &[], b"").status, 200);

    let key = format!("Bearer {}", service.key);
    let tiers = service.client().send("GET", "/v1/tiers", &[("Authorization", &key)], b"");
    let tier = |name: &str, micros: u32, dollars: f64, latency: u32, available: bool| {
        json!({"tier": name, "rate_micros": micros, "rate_usd_per_second": dollars, "latency_ms": latency,
               "available": available})
    };
    let catalogue = json!({
        "tiers": [
            tier("ultra", 139, 0.000_139, 80, true),
            tier("turbo", 100, 0.000_1, 320, false),
            tier("standard", 61, 0.000_061, 560, true),
            tier("economy", 42, 0.000_042, 1120, false),
        ],
        "default": "standard",
    });
    assert_eq!((tiers.status, tiers.json()), (200, catalogue));
}

/// Every response has a new identifier, even if the client sends one.
pub fn identifiers(service: &Service) {
    let key = format!("Bearer {}", service.key);
    let (mut client, mut names) = (service.client(), HashSet::new());
    for (path, status) in [("/v1/speech/voices", 200), ("/v1/tiers", 200), ("/no", 404)] {
        let headers = [("X-Request-Id", "mine"), ("Authorization", &*key)];
        let response = client.send("GET", path, &headers, b"");
        assert_eq!(response.status, status, "{path}");
        assert!(names.insert(response.header("x-request-id").unwrap().to_owned()), "{path}");
    }
    assert!(!names.contains("mine"));
}

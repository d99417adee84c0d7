//! Speech as lines of JSON, as JavaScript and other clients read it.

use std::process::Command;

use serde_json::Value;
use speech_tests::cases;
use speech_tests::http::Response;

use crate::server::{Server, Voices, printed};

const TEXT: &str = "One 🙂 sentence. \u{e000}Two, né!";

/// A response in lines.
fn ask(server: &Server, body: &Value) -> Response {
    let key = format!("Bearer {}", server.key);
    let headers = [
        ("Authorization", &*key),
        ("Content-Type", "application/json"),
        ("Accept", "application/x-ndjson"),
    ];
    server.client().send("POST", "/v1/speech", &headers, body.to_string().as_bytes())
}

/// A response with its lines.
fn lines(server: &Server, format: &str) -> (Response, Vec<Value>) {
    let response = ask(server, &serde_json::json!({"text": TEXT, "format": format}));
    assert_eq!(response.status, 200, "{}", response.text());
    let lines = response.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (response, lines)
}

/// The parts of the text, by bytes and by UTF-16 units, which must be the same.
fn parts(places: &Value) -> Vec<String> {
    let units: Vec<_> = TEXT.encode_utf16().collect();
    let part = |place: &Value| {
        let [bytes, utf16] = ["bytes", "utf16"].map(|name| {
            let at = |end: usize| usize::try_from(place[name][end].as_u64().unwrap()).unwrap();
            at(0)..at(1)
        });
        let part = TEXT[bytes].to_owned();
        assert_eq!(part, String::from_utf16(&units[utf16]).unwrap());
        part
    };
    places.as_array().unwrap().iter().map(part).collect()
}

#[test]
fn words_have_their_times_and_what_is_skipped_is_said() {
    let server = Server::start(Voices::Fake, &[]);
    let (pcm, streamed) = lines(&server, "pcm");
    let (wav, whole) = lines(&server, "wav");
    assert_eq!(pcm.header("transfer-encoding"), Some("chunked"));
    assert_eq!((streamed.len(), whole.len()), (3, 2), "two sentences or a file, and the end");
    for (response, lines) in [(pcm, streamed), (wav, whole)] {
        assert_eq!(response.header("content-type"), Some("application/x-ndjson"));
        assert_eq!(response.header("x-characters"), Some(&*TEXT.chars().count().to_string()));
        let (end, spoken) = lines.split_last().unwrap();
        let words: Vec<_> = spoken.iter().flat_map(|line| parts(&line["words"])).collect();
        assert_eq!(words, ["One", "sentence", "Two", "né"]);
        assert_eq!(parts(&end["skipped"]), ["🙂", "\u{e000}"]);
        let all = |name: &str| -> Vec<Value> {
            spoken.iter().flat_map(|line| line[name].as_array().unwrap().clone()).collect()
        };
        assert_eq!(parts(&all("sentences").into()), ["One 🙂 sentence.", "\u{e000}Two, né!"]);
        let phonemes = all("phonemes");
        let words_of_phonemes = parts(&phonemes.clone().into());
        assert!(words.iter().all(|word| words_of_phonemes.contains(word)));
        assert!(phonemes.iter().all(|one| !one["ipa"].as_str().unwrap().is_empty()));
        let visemes = all("visemes");
        assert_eq!((&visemes[0]["viseme"], &visemes[0]["azure"]), (&"sil".into(), &0.into()));
        assert!(visemes.windows(2).all(|pair| pair[0]["end"] == pair[1]["start"]));
        let times = spoken.iter().flat_map(|line| line["words"].as_array().unwrap());
        let times =
            times.flat_map(|word| ["start", "end"].map(|name| word[name].as_f64().unwrap()));
        assert!(times.is_sorted());
    }
    assert_eq!(server.recorded("complete"), 2);
}

#[test]
fn any_text_is_in_its_line() {
    let server = Server::start(Voices::Fake, &[]);
    for text in cases::read().hostile_texts {
        // White space in an XML value is one space, and there are no other control characters.
        let words = text.split(|c: char| c.is_whitespace() || c.is_control());
        let name = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let value = name.replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&apos;");
        let document = format!("<speak><mark name='{value}'/>One.</speak>");
        let body = serde_json::json!({"text": document, "ssml": true, "format": "pcm"});
        let answer = ask(&server, &body).text();
        let lines: Vec<Value> =
            answer.split_terminator('\n').map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines.len(), &lines[0]["marks"][0]["name"]), (2, &name.into()), "{answer}");
    }
}

#[test]
fn documents_of_ssml_have_their_settings_and_marks() {
    let server = Server::start(Voices::Fake, &[]);
    let text = "<speak>One <mark name='two'/> two.</speak>";
    let ask =
        |rate: f64| ask(&server, &serde_json::json!({"text": text, "ssml": true, "rate": rate}));
    let end = |rate: f64| {
        let response = ask(rate);
        assert_eq!(response.header("x-characters"), Some(&*text.len().to_string()));
        let line: Value = serde_json::from_str(response.text().lines().next().unwrap()).unwrap();
        assert_eq!(
            line["marks"],
            serde_json::json!([{"name": "two", "time": line["words"][1]["start"]}])
        );
        line["visemes"].as_array().unwrap().last().unwrap()["end"].as_f64().unwrap()
    };
    assert!(end(0.5) > 1.5 * end(1.0));
    let refused = ask(9.0);
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("rate is 9; it must be a number from 0.5 to 2"));
}

const NODE: &str = r#"
const [url, key, text] = process.argv.slice(1);
const ask = (format, headers = {}) => fetch(`${url}/v1/speech`, {
  method: "POST",
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
  body: JSON.stringify({ text, format }),
});
const sound = Buffer.from(await (await ask("pcm")).arrayBuffer());
const answer = await ask("pcm", { Accept: "application/x-ndjson" });
const pieces = [], words = [];
let rest = "", skipped;
for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + part).split("\n");
  rest = lines.pop();
  for (const line of lines.map(line => JSON.parse(line))) {
    if (line.skipped) { skipped = line.skipped; continue; }
    pieces.push(Buffer.from(line.audio, "base64"));
    words.push(...line.words);
  }
}
if (!Buffer.concat(pieces).equals(sound)) throw new Error("the sound differs");
const seconds = sound.length / 2 / Number(answer.headers.get("X-Sample-Rate"));
if (words.some(({ start, end }) => !(0 <= start && start < end && end <= seconds))) throw new Error("times");
console.log([...words, ...skipped].map(({ utf16 }) => text.slice(...utf16)).join("|"));
"#;

#[test]
fn javascript_has_the_sound_and_the_words() {
    let server = Server::start(Voices::Real, &[]);
    let url = format!("http://{}", server.address);
    let mut script = Command::new("node");
    script.args(["--input-type=module", "-e", NODE, "--", &url, &server.key, TEXT]);
    assert_eq!(printed(&mut script), "One|sentence|Two|né|🙂|\u{e000}\n");
}

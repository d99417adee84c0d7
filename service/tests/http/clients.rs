//! Clients that people use.

use std::path::Path;
use std::process::Command;

use speech_tests::pages;

use crate::server::{Server, Voices, printed};

const README: &str = include_str!("../../README.md");

const PYTHON: &str = r#"
import json, sys, urllib.request, wave
url, key, file = sys.argv[1:]
body = json.dumps({"text": "नमस्ते दुनिया।", "language": "hi-IN", "voice": "sofia"}).encode()
headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
with urllib.request.urlopen(urllib.request.Request(f"{url}/v1/speech", body, headers)) as answer:
    assert answer.headers["X-Characters"] == "14", answer.headers
    open(file, "wb").write(answer.read())
print(wave.open(file).getframerate())
"#;

const NODE: &str = r#"
const [url, key] = process.argv.slice(1);
const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
const body = JSON.stringify({ text: "One. Two. Three.", format: "pcm" });
const answer = await fetch(`${url}/v1/speech`, { method: "POST", headers, body });
if (answer.headers.get("content-type") !== "audio/L16") throw new Error(answer.status);
let bytes = 0;
for await (const chunk of answer.body) bytes += chunk.length;
console.log(bytes % 2 === 0 && bytes > 44100);
"#;

#[test]
fn curl_python_and_node_are_answered() {
    let server = Server::start(Voices::Real, &[]);
    let url = format!("http://{}", server.address);
    let key = format!("Authorization: Bearer {}", server.key);
    let wav = server.path("curl.wav");
    let mut curl = Command::new("curl");
    curl.args(["-sS", "--fail-with-body", &format!("{url}/v1/speech"), "-H", &key]);
    curl.args(["-H", "Content-Type: application/json", "-d", "{\"text\": \"Hello, world.\"}"]);
    printed(curl.arg("-o").arg(&wav));
    assert!(std::fs::read(&wav).unwrap().starts_with(b"RIFF"));
    let python = server.path("python.wav");
    let mut script = Command::new("python3");
    script.args(["-c", PYTHON, &url, &server.key]).arg(&python);
    assert_eq!(printed(&mut script), "22050\n");
    let mut script = Command::new("node");
    script.args(["--input-type=module", "-e", NODE, "--", &url, &server.key]);
    assert_eq!(printed(&mut script), "true\n");
}

fn blocks(kind: &str) -> Vec<&'static str> {
    let open = format!("```{kind}\n");
    README.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_lines_of_the_documentation_work() {
    let server = Server::start(Voices::Real, &[]);
    let pages = pages::all();
    let lines: Vec<_> = pages.iter().flat_map(|page| page.blocks("shell")).collect();
    let [curl] = lines[..] else { panic!("one line of curl") };
    let curl = curl.replace("127.0.0.1:8080", &server.address.to_string());
    let folder = server.path("readme");
    std::fs::create_dir(&folder).unwrap();
    let follow = |lines: &str| {
        let programs = Path::new(env!("CARGO_BIN_EXE_speech-http")).parent().unwrap().to_owned();
        let system = std::env::var_os("PATH").unwrap();
        let search = [programs].into_iter().chain(std::env::split_paths(&system));
        let mut shell = Command::new("sh");
        shell.args(["-eu", "-c", lines]).current_dir(&folder).env("KEY", &server.key);
        printed(shell.env("PATH", std::env::join_paths(search).unwrap()))
    };
    follow(&curl);
    assert!(std::fs::read(folder.join("hello.wav")).unwrap().starts_with(b"RIFF"));
    let [key, usage] = blocks("sh")[..] else { panic!("a key, and usage") };
    let key = follow(key);
    assert!(key.starts_with("sk_live_"));
    std::os::unix::fs::symlink(server.path("usage.db"), folder.join("speech-http.db")).unwrap();
    assert_eq!(follow(usage), "", "the account has asked for nothing");
    let kinds = README.lines().filter_map(|line| line.strip_prefix("```"));
    // The clients of OpenAI's routes are tested with its packages.
    let expected =
        ["console", "", "json", "", "shell", "", "python", "", "js", "", "sh", "", "sh", ""];
    assert_eq!(kinds.collect::<Vec<_>>(), expected);
}

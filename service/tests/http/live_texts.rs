//! Answers over the live route. Wherever the text is cut, the sound is that of the whole text, and an
//! interruption is exact to the word. `SPEECH_LIVE_TEXTS` is the number of answers.

use std::thread;

use serde_json::{Value, json};
use tungstenite::Message;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::server::{Server, Voices};
use crate::socket::Socket;

/// The number of answers without the variable. `cargo xtask full live-texts` has all.
const USUAL: usize = 4;

/// Sessions that speak at once.
const SESSIONS: usize = 4;

/// Answers as language models write them, at most so many.
fn answers(most: usize) -> Vec<&'static str> {
    let count = std::env::var("SPEECH_LIVE_TEXTS").map_or(USUAL, |count| count.parse().unwrap());
    include_str!("answers.txt").lines().take(count.min(most)).collect()
}

/// Runs a test of an answer for each of them, in some sessions at once.
fn with_sessions(answers: &[&str], test: impl Fn(&Server, &mut Socket, &str) + Sync) {
    let server = Server::start(Voices::Fake, &[]);
    thread::scope(|scope| {
        for answers in answers.chunks(answers.len().div_ceil(SESSIONS)) {
            let (server, test) = (&server, &test);
            scope.spawn(move || {
                let audio = json!({"frame_ms": 20});
                let start = json!({"latency": "standard", "ahead": 300, "audio": audio});
                let mut socket = Socket::start(server, start);
                for answer in answers {
                    socket.say(json!({"type": "settings", "language": language(answer)}));
                    test(server, &mut socket, answer);
                }
            });
        }
    });
}

fn language(text: &str) -> &'static str {
    if text.contains(|c| ('\u{900}'..='\u{97f}').contains(&c)) { "hi-IN" } else { "en-US" }
}

/// The text of a turn in two messages. Within a character, it is one message in two frames.
fn cut(turn: &str, text: &str, at: usize) -> [Message; 2] {
    if let Some((first, rest)) = text.split_at_checked(at) {
        let first = json!({"type": "text", "turn": turn, "text": first});
        let rest = json!({"type": "text", "turn": turn, "text": rest, "finish": true});
        return [first, rest].map(|message| Message::text(message.to_string()));
    }
    let character = (0..at).rfind(|at| text.is_char_boundary(*at)).unwrap();
    let [before, rest] = [&text[..character], &text[character..]].map(|it| json!(it).to_string());
    let head = format!("{{\"type\": \"text\", \"turn\": \"{turn}\", \"finish\": true, \"text\": ");
    let before = head + before.strip_suffix('"').unwrap();
    let place = before.len() + at - character;
    let message = (before + &rest[1..] + "}").into_bytes();
    let (first, rest) = message.split_at(place);
    let frame = |part: &[u8], kind, is_last| {
        Message::Frame(Frame::message(part.to_vec(), OpCode::Data(kind), is_last))
    };
    [frame(first, Data::Text, false), frame(rest, Data::Continue, true)]
}

#[test]
fn the_sound_is_the_same_wherever_the_text_is_cut() {
    with_sessions(&answers(usize::MAX), |server, socket, text| {
        let body = json!({"text": text, "format": "pcm", "language": language(text)});
        let whole = server.speak(&body.to_string());
        assert_eq!(whole.status, 200, "{text}");
        for at in 1..text.len() {
            let turn = format!("{} {at}", text.len());
            cut(&turn, text, at).into_iter().for_each(|part| socket.send(part).unwrap());
            let heard = socket.turn(&turn);
            assert_eq!(heard.last()["type"], "finished", "{text:?} at {at}: {heard:?}");
            let (sound, filled) = heard.sound.split_at(whole.body.len().min(heard.sound.len()));
            assert!(sound == whole.body && filled.len() < 882, "{text:?} at {at}");
            socket.say(json!({"type": "played", "turn": turn, "seconds": 1e6}));
        }
    });
}

/// 10 ms before the end of a word, the words before it were heard; 10 ms after it, the word too.
#[test]
fn what_was_heard_ends_with_a_word() {
    with_sessions(&answers(20), |_, socket, text| {
        let mut turns = (0..).map(|number| format!("{} {number}", text.len()));
        let mut speak = |socket: &mut Socket, is_finished| {
            let turn = turns.next().unwrap();
            let [end, last] =
                if is_finished { ["finish", "finished"] } else { ["flush", "flushed"] };
            socket.say(json!({"type": "text", "turn": turn, "text": text, end: true}));
            (socket.until(|event| event["type"] == last), turn)
        };
        let interrupt = |socket: &mut Socket, turn: &str, played: f64| {
            socket.say(json!({"type": "interrupt", "turn": turn, "played": played}));
        };
        let words = speak(socket, true).0.words();
        assert!(words.len() > 3, "{text}");
        let end = |word: &Value| word["end"].as_f64().unwrap();
        assert!(words.is_sorted_by_key(end), "{text}");
        let heard_by = |seconds: f64| {
            // Times are rounded to milliseconds.
            let word = words.iter().rfind(|word| end(word) <= seconds + 0.0005);
            let bytes = word.map_or(0, |word| word["bytes"][1].as_u64().unwrap() as usize);
            let utf16 = text[..bytes].encode_utf16().count();
            json!({"bytes": bytes, "utf16": utf16, "text": text[..bytes]})
        };
        for (number, word) in words.iter().enumerate() {
            assert_eq!(heard_by(end(word) + 0.01)["bytes"], word["bytes"][1], "{text}: {word}");
            for played in [end(word) - 0.01, end(word), end(word) + 0.01] {
                // After the end of the text, and while more of it may come.
                let (_, turn) = speak(socket, number % 2 == 0);
                interrupt(socket, &turn, played);
                let heard = socket.turn(&turn);
                assert_eq!(heard.last()["heard"], heard_by(played), "{text}: {word} {played}");
            }
        }
        // Before the first sound and after the last, and twice.
        for played in [0.0, 1e9] {
            let (spoken, turn) = speak(socket, true);
            (0..2).for_each(|_| interrupt(socket, &turn, played));
            let heard = socket.turn(&turn);
            assert_eq!((heard.events.len(), &heard.last()["heard"]), (1, &heard_by(played)));
            // At most what was sent was played.
            let sent = spoken.last()["seconds"].as_f64().unwrap();
            assert_eq!(heard.last()["played"], played.min(sent));
        }
    });
}

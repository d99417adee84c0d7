//! Tests the protocol with the real program, over pipes, with the fake model's voices.

#![allow(dead_code)]

mod client;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use client::{Client, Event, Spoken};
use tempfile::TempDir;

/// The fake model's bundle: a phoneme is a tone of 50 ms.
fn bundle() -> &'static Path {
    static BUNDLE: OnceLock<TempDir> = OnceLock::new();
    let make = || {
        let dir = tempfile::tempdir().unwrap();
        speech_tests::fake_model::write(dir.path()).unwrap();
        dir
    };
    BUNDLE.get_or_init(make).path()
}

fn start() -> Client {
    Client::start(bundle(), "Prepare 0")
}

const SENTENCE: &str = "It is a sentence of some length, and it goes on. ";

/// A text that takes the fake model long.
fn long_text() -> String {
    format!("<speak>{}</speak>", SENTENCE.repeat(400))
}

#[test]
fn a_message_is_said_between_its_beginning_and_its_end() {
    let mut client = start();
    let spoken = client.say("SPEAK", "<speak>Hello there.</speak>");
    assert!(spoken.samples.len() > 10_000);
    assert!(spoken.samples[..200].iter().any(|sample| sample.unsigned_abs() > 100));
    assert!(spoken.marks.is_empty());
    client.send("QUIT\n");
    assert_eq!(client.reply(), "210 OK QUIT");
    assert!(client.is_silent_at_end() && client.wait().success());
}

#[test]
fn loading() {
    let mut client = Client::spawn("Bundle \"/nowhere\"");
    client.send("INIT\n");
    let reply = client.reply();
    let problem = "399-/nowhere/bundle.json is missing";
    assert!(reply.starts_with(problem) && reply.ends_with("\n399 ERR CANT INIT MODULE"), "{reply}");
    assert!(client.is_silent_at_end() && !client.wait().success());

    let mut client = Client::spawn("");
    client.send("SPEAK\n");
    assert_eq!(client.reply(), "300 ERR UNKNOWN COMMAND");
    assert!(!client.wait().success());

    let mut client = Client::spawn("");
    client.close_input();
    assert!(client.is_silent_at_end() && client.wait().success());
}

#[test]
fn marks_come_where_their_words_begin() {
    let mut client = start();
    let spoken = client.say(
        "SPEAK",
        "<speak><mark name=\"0:3\"/>One <mark name=\"4:7\"/>two. <mark name=\"__spd_0\"/>Three.<mark name=\"__spd_1\"/></speak>",
    );
    let names: Vec<_> = spoken.marks.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["0:3", "4:7", "__spd_0", "__spd_1"]);
    let places: Vec<_> = spoken.marks.iter().map(|(_, place)| *place).collect();
    assert!(places.is_sorted_by(|one, other| one < other), "{places:?}");
    assert!(places[0] < 400, "{places:?}");
    assert_eq!(places[3], spoken.samples.len());
    // The same text again, from the cache.
    let again = client.say("SPEAK", "<speak>One <mark name=\"b\"/>two. Three.</speak>");
    assert_eq!(again.samples, spoken.samples);
    assert_eq!(again.marks, [("b".to_owned(), places[1])]);
}

#[test]
fn documents_are_said_as_they_are_marked_up_or_without_markup() {
    let mut client = start();
    let plain = client.say("SPEAK", "<speak>It is so.</speak>");
    let slow = client
        .say("SPEAK", "<speak><prosody rate=\"50%\">It <mark name=\"a\"/>is so.</prosody></speak>");
    assert!(slow.samples.len() > plain.samples.len() * 3 / 2);
    assert!(slow.marks.len() == 1 && slow.marks[0].1 > 0);
    for document in ["<speak>It <blink>is</blink> so.</speak>", "<speak>It is so.", "It is so."] {
        assert_eq!(client.say("SPEAK", document), plain, "{document}");
    }
    let pair = client.say("SPEAK", "<speak>It is so & <b>so");
    assert!(pair.samples.len() > plain.samples.len());
    // Messages without anything to speak.
    for nothing in
        ["<speak></speak>", "<speak> <mark name=\"m\"/> </speak>", " ", "<speak>\u{1}</speak>"]
    {
        let spoken = client.say("SPEAK", nothing);
        assert!(spoken.samples.is_empty(), "{nothing}");
        assert_eq!(spoken.marks.len(), nothing.matches("mark").count());
    }
}

#[test]
fn settings_change_the_sound() {
    let mut client = start();
    let text = "<speak>A sentence to be said.</speak>";
    let mut say = |settings: &[(&str, &str)]| {
        client.set(settings);
        client.say("SPEAK", text).samples
    };
    let usual =
        [("rate", "0"), ("pitch", "0"), ("volume", "100"), ("voice", "male1"), ("language", "en")];
    let plain = say(&usual);
    let fast = say(&[("rate", "100")]);
    assert!(fast.len() < plain.len() * 3 / 4, "{} {}", fast.len(), plain.len());
    assert!(say(&[("rate", "-100")]).len() > plain.len() * 5 / 4);
    assert_eq!(say(&usual), plain);
    let peak = |samples: &[i16]| samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap();
    let quiet = say(&[("volume", "0")]);
    assert!(peak(&quiet).abs_diff(peak(&plain) / 2) < 400);
    assert_eq!(say(&usual), plain);
    // Each voice of the fake model has another gain.
    let by_name = say(&[("synthesis_voice", "Sofia"), ("voice", "male1")]);
    assert_ne!(peak(&by_name), peak(&plain));
    let by_type = say(&[("synthesis_voice", "NULL"), ("voice", "FEMALE2")]);
    assert_eq!(by_type, by_name);
    assert_ne!(say(&[("voice", "female1")]), by_name);
}

#[test]
fn characters_keys_and_icons() {
    let mut client = start();
    let letter = client.say("CHAR", "a").samples;
    assert!(letter.len() > 500 && letter.len() < 22_050);
    assert_eq!(client.say("CHAR", "A").samples, letter);
    client.set(&[("cap_let_recogn", "spell")]);
    assert!(client.say("CHAR", "A").samples.len() > letter.len() * 2);
    client.set(&[("cap_let_recogn", "icon")]);
    let with_tone = client.say("CHAR", "A").samples;
    assert!(with_tone.ends_with(&letter) && with_tone.len() > letter.len() + 1000);
    client.set(&[("cap_let_recogn", "none")]);
    assert_eq!(client.say("CHAR", "space"), client.say("CHAR", " "));
    for character in ["7", ".", "..", "\u{1f600}", "\u{e000}", "क", "\u{94d}", "é"] {
        assert!(client.say("CHAR", character).samples.len() > 500, "{character:?}");
    }
    assert!(client.say("KEY", "control_a").samples.len() > letter.len());
    assert_eq!(client.say("KEY", "a").samples, letter);
    assert!(client.say("SOUND_ICON", "new-mail").samples.len() > letter.len());

    // Letters one by one.
    client.set(&[("spelling_mode", "on")]);
    let spelled = client.say("SPEAK", "<speak>aa<mark name=\"__spd_0\"/>a</speak>");
    assert_eq!(spelled.samples, letter.repeat(3));
    assert_eq!(spelled.marks, [("__spd_0".to_owned(), letter.len() * 2)]);
    client.set(&[("spelling_mode", "off"), ("punctuation_mode", "all")]);
    let all = client.say("SPEAK", "<speak>a, b</speak>").samples;
    client.set(&[("punctuation_mode", "none")]);
    assert!(all.len() > client.say("SPEAK", "<speak>a, b</speak>").samples.len() + 4000);
}

#[test]
fn sound_icons_that_are_files_are_left_to_the_server() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("bell.wav"), "").unwrap();
    let config = format!("Prepare 0\nSoundIcons \"{}\"", dir.path().display());
    let mut client = Client::start(bundle(), &config);
    let spoken = client.say("SOUND_ICON", "bell");
    let path = dir.path().join("bell.wav").display().to_string();
    assert_eq!(spoken, Spoken { icons: vec![path], ..Spoken::default() });
}

#[test]
fn a_message_that_is_stopped_has_no_more_sound() {
    let mut client = start();
    for text in [long_text(), "<speak><emphasis>".to_owned() + &"So it goes on. ".repeat(50)] {
        client.begin("SPEAK", &text);
        while !matches!(client.next(), Event::Audio(_)) {}
        client.send("STOP\n");
        let (_, end) = client.rest();
        assert_eq!(end, Event::Stop);
        // The next message is accepted at once, and contains no audio of the last.
        let next = client.say("CHAR", "a").samples;
        assert_eq!(next, client.say("CHAR", "a").samples);
    }
    // Before it begins.
    client.begin("SPEAK", &long_text());
    client.send("STOP\n");
    let (_, end) = client.rest();
    assert_eq!(end, Event::Stop);
    // With nothing to stop, there is no reply.
    client.send("STOP\nPAUSE\nLIST VOICES\n");
    assert!(client.reply().starts_with("200-"));
    assert!(client.say("CHAR", "b").samples.len() > 500);
}

/// It is stopped during computation: the later long sentences are never computed.
#[test]
fn a_message_that_is_stopped_is_not_computed() {
    let mut client = start();
    let whole = client.say("SPEAK", SENTENCE).samples.len() * 400;
    client.begin("SPEAK", &long_text());
    client.send("STOP\n");
    let (spoken, end) = client.rest();
    assert_eq!(end, Event::Stop);
    assert!(spoken.samples.len() < whole / 4, "{} of {whole}", spoken.samples.len());
}

#[test]
fn a_message_is_left_at_the_next_mark_of_the_server() {
    let mut client = start();
    let sentence =
        |i| format!("It is a <mark name=\"{i}:0\"/>sentence. <mark name=\"__spd_{i}\"/>");
    let text: String = (0..300).map(sentence).collect();
    client.begin("SPEAK", &format!("<speak>{text}</speak>"));
    while !matches!(client.next(), Event::Audio(_)) {}
    client.send("PAUSE\n");
    let (spoken, end) = client.rest();
    assert_eq!(end, Event::Pause);
    let (last, place) = spoken.marks.last().unwrap();
    assert!(last.starts_with("__spd_") && last != "__spd_299", "{last}");
    assert_eq!(*place, spoken.samples.len());
    // A message without server marks is spoken to its end, and so is the next.
    client.begin("SPEAK", "<speak>It has no marks.</speak>");
    client.send("PAUSE\n");
    assert_eq!(client.rest().1, Event::End);
    client.say("SPEAK", &format!("<speak>{}</speak>", sentence(1)));
}

#[test]
fn a_message_while_another_is_spoken_is_refused() {
    let mut client = start();
    client.begin("SPEAK", &long_text());
    client.send("CHAR\na\n.\n");
    let mut replies = Vec::new();
    while replies.len() < 2 {
        if let Event::Reply(reply) = client.next() {
            replies.push(reply);
        }
    }
    assert_eq!(replies, ["202 OK RECEIVING MESSAGE", "301 ERROR CANT SPEAK"]);
    client.send("STOP\n");
    assert_eq!(client.rest().1, Event::Stop);
}

#[test]
fn lists_and_parameters() {
    let mut client = start();
    client.send("LIST VOICES\n");
    let list = client.reply();
    assert_eq!(list.lines().count(), 11);
    assert!(list.contains("200-aria\ten-US\tnone\n") && list.contains("200-leo\thi-IN\tnone\n"));
    assert!(list.ends_with("\n200 OK VOICE LIST SENT"));

    let rows = [
        (
            "SET\nrate=fast\n.\n",
            "207 OK RECEIVING SETTINGS",
            "303 ERROR INVALID PARAMETER OR VALUE",
        ),
        ("SET\nrate\n.\n", "207 OK RECEIVING SETTINGS", "302 ERROR BAD SYNTAX"),
        ("SET\nrate=\n.\n", "207 OK RECEIVING SETTINGS", "302 ERROR BAD SYNTAX"),
        ("SET\n.\n", "207 OK RECEIVING SETTINGS", "203 OK SETTINGS RECEIVED"),
        (
            "AUDIO\naudio_output_method=alsa\n.\n",
            "207 OK RECEIVING AUDIO SETTINGS",
            "303 ERROR INVALID PARAMETER OR VALUE",
        ),
        ("LOGLEVEL\nlog_level=1\n.\n", "207 OK RECEIVING LOGLEVEL SETTINGS", "203 OK LOGLEVEL SET"),
        (
            "LOGLEVEL\nlog_level=x\n.\n",
            "207 OK RECEIVING LOGLEVEL SETTINGS",
            "303 ERROR INVALID PARAMETER OR VALUE",
        ),
        ("CHAR\na\nb\n.\n", "202 OK RECEIVING MESSAGE", "305 DATA MORE THAN ONE LINE"),
        ("SPEAK\n.\n", "202 OK RECEIVING MESSAGE", "301 ERROR CANT SPEAK"),
    ];
    for (command, first, second) in rows {
        client.send(command);
        assert_eq!(
            (client.reply(), client.reply()),
            (first.to_owned(), second.to_owned()),
            "{command}"
        );
    }
    for (command, reply) in [
        ("", "300 ERR UNKNOWN COMMAND"),
        ("speak", "300 ERR UNKNOWN COMMAND"),
        ("\u{fffd}\0", "300 ERR UNKNOWN COMMAND"),
        ("DEBUG", "302 ERROR BAD SYNTAX"),
        ("DEBUG ON", "302 ERROR BAD SYNTAX"),
        ("DEBUG OFF ", "200 OK DEBUGGING OFF"),
        ("DEBUG ON /nowhere/log", "303 CANT OPEN CUSTOM DEBUG FILE"),
    ] {
        client.send(format!("{command}\n"));
        assert_eq!(client.reply(), reply, "{command}");
    }
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    client.send(format!("DEBUG ON {} \n", log.display()));
    assert_eq!(client.reply(), "200 OK DEBUGGING ON");
    client.say("SPEAK", "<speak>Confidential words.</speak>");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("tokens") && !log.contains("onfidential"), "{log}");
}

#[test]
fn messages_of_any_kind_and_length() {
    let mut client = start();
    // Dots and lines.
    client.say("SPEAK", "<speak>.One\n.\n..two\n\nthree</speak>");
    let one_line = "word ".repeat(400);
    assert!(client.say("SPEAK", &one_line).samples.len() > 60 * 22_050);
    // A message over the limit is rejected, and the next one is spoken.
    client.send(format!("SPEAK\n{}\n.\n", "a".repeat(5 << 20)));
    assert_eq!(client.reply(), "202 OK RECEIVING MESSAGE");
    assert_eq!(client.reply(), "301 ERROR CANT SPEAK");
    // Invalid UTF-8, and NUL.
    client.send(b"SPEAK\n<speak>a\xff\xfe b\0c</speak>\n.\n");
    assert_eq!(client.reply(), "202 OK RECEIVING MESSAGE");
    assert_eq!(client.reply(), "200 OK SPEAKING");
    assert_eq!(client.rest().1, Event::End);
    #[cfg(target_os = "linux")]
    {
        let peak = peak_memory(client.id());
        assert!(peak < 300 << 20, "{peak}");
    }
}

/// The peak resident memory of a process, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[test]
fn it_ends_when_the_server_is_gone() {
    // In the middle of a message, before it, and in settings.
    for command in ["SPEAK\nhello", "SET\nrate=1\n", "CHAR\n", ""] {
        let mut client = start();
        client.send(command);
        client.close_input();
        assert!(client.wait().success(), "{command}");
    }
    // While it speaks.
    let mut client = start();
    client.begin("SPEAK", &long_text());
    client.close_input();
    assert!(client.wait().success());
}

#[test]
fn output_that_nobody_reads_ends_it() {
    let config = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(config.path(), format!("Prepare 0\nBundle \"{}\"\n", bundle().display()))
        .unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut program = Command::new(env!("CARGO_BIN_EXE_sd_libspeech"));
    let mut child = program
        .arg(config.path())
        .stdin(Stdio::piped())
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"INIT\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

/// Text computed in advance is available when requested, and delays nothing.
#[test]
fn names_are_computed_ahead() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let mut client = Client::start(bundle(), "");
    client.send(format!("DEBUG ON {}\n", log.display()));
    assert_eq!(client.reply(), "200 OK DEBUGGING ON");
    let log = || std::fs::read_to_string(&log).unwrap();
    while !log().contains("all that is computed ahead is there") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let computed = || log().matches(" tokens: ").count();
    let before = computed();
    for letter in 'a'..='z' {
        client.say("CHAR", &letter.to_string());
    }
    client.say("CHAR", ",");
    client.say("SPEAK", "<speak>button</speak>");
    assert_eq!(computed(), before);
    client.say("SPEAK", "<speak>unheard</speak>");
    assert!(computed() > before);
}

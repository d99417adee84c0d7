//! Tables of messages and the resulting speech; each test reports every failing row.

use std::fmt::Debug;

use sd_libspeech::config::{Config, VoiceType};
use sd_libspeech::keys::{Key, keys};
use sd_libspeech::markup::flatten;
use sd_libspeech::message::{self, Kind, Marked, Name, Part};
use sd_libspeech::settings::{self, Settings};
use sd_libspeech::symbols::{self, Punctuation};
use speech_core::{Inspector, Language, Quality, Voice};

/// Fails with all rows for which a function returns something else.
fn check<I: Debug + Copy, O: Debug + PartialEq>(rows: &[(I, O)], function: impl Fn(I) -> O) {
    let wrong = rows.iter().filter_map(|(input, expected)| {
        let found = function(*input);
        (found != *expected)
            .then(|| format!("{input:?}\n  is       {found:?}\n  should be {expected:?}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn marked(text: &str, marks: &[(usize, &str)]) -> Marked {
    let marks = marks.iter().map(|(at, name)| (*at, (*name).to_owned())).collect();
    Marked { text: text.to_owned(), marks }
}

/// The spoken text, without inaudible spaces.
fn punctuated(mode: Punctuation, language: Language, text: &str) -> String {
    let spoken = symbols::speak(&marked(text, &[]), mode, language).text;
    spoken.split_whitespace().collect::<Vec<_>>().join(" ")
}

use Punctuation::{All, Most, None as Nothing, Some as Few};

#[test]
fn punctuation_in_english() {
    check(
        &[
            ((Nothing, "Well, is it? #1 (yes)"), "Well, is it? #1 (yes)"),
            ((Few, "Well, is it? #1 (yes)"), "Well, is it? hash 1 (yes)"),
            ((Most, "Well, is it? #1 (yes)"), "Well, is it? hash 1 left paren yes right paren"),
            (
                (All, "Well, is it? #1 (yes)"),
                "Well comma, is it question mark? hash 1 left paren yes right paren",
            ),
            ((Few, "a@b.c"), "a at b.c"),
            ((All, "a@b.c"), "a at b dot c"),
            ((All, "End."), "End dot."),
            ((All, "3.14"), "3 dot 14"),
            ((All, "don't"), "don't"),
            ((All, "'tis"), "apostrophe tis"),
            ((All, "wait..."), "wait dot dot dot."),
            ((All, "-----"), "5 dash"),
            ((Most, "---"), "dash dash dash"),
            ((Most, "well-known"), "well dash known"),
            ((Few, "well-known"), "well-known"),
            ((Most, "10:30"), "10 colon 30"),
            ((Most, "Note: this"), "Note colon: this"),
            ((Few, "C:\\Users\\me"), "C: backslash Users backslash me"),
            ((Few, "x <= y"), "x less than equals y"),
            ((Few, "50% & more*"), "50 percent ampersand more star"),
            ((Most, "“Hello”"), "left quote Hello right quote"),
            ((Most, "{a: [1]}"), "left brace a colon: left bracket 1 right bracket right brace"),
            ((All, "$5"), "dollar 5"),
            ((Most, "$5"), "$5"),
            ((Few, "a_b|c~d^e"), "a underscore b vertical bar c tilde d caret e"),
            ((Few, "user@example.com + cc"), "user at example.com plus cc"),
            (
                (All, "Really?! No way..."),
                "Really question mark exclamation mark! No way dot dot dot.",
            ),
            (
                (Most, "f(x) = [a; b]"),
                "f left paren x right paren equals left bracket a semicolon; b right bracket",
            ),
            ((All, "rock 'n' roll"), "rock apostrophe n apostrophe roll"),
            ((Few, "~/notes/a.txt"), "tilde slash notes slash a.txt"),
            ((Most, "9–5 — always"), "9 en dash 5 em dash always"),
            ((All, "========"), "8 equals"),
            ((All, "¿Qué?"), "inverted question mark Qué question mark?"),
            ((All, "the dogs' bowl"), "the dogs apostrophe bowl"),
            ((Few, "→ next"), "right arrow next"),
            ((All, ""), ""),
            ((All, "plain words"), "plain words"),
        ],
        |(mode, text)| punctuated(mode, Language::EnUs, text).leak() as &str,
    );
}

#[test]
fn punctuation_in_hindi() {
    check(
        &[
            ((All, "नमस्ते।"), "नमस्ते पूर्ण विराम।"),
            ((All, "क्या, सच?"), "क्या अल्पविराम, सच प्रश्न चिह्न?"),
            ((Few, "50% @ घर"), "50 प्रतिशत ऐट घर"),
            ((Most, "(हाँ)"), "बायाँ कोष्ठक हाँ दायाँ कोष्ठक"),
            ((Nothing, "(हाँ)।"), "(हाँ)।"),
        ],
        |(mode, text)| punctuated(mode, Language::HiIn, text).leak() as &str,
    );
}

#[test]
fn marks_stay_where_they_were() {
    let text = marked("Is it? Yes.", &[(6, "m0"), (7, "m1"), (11, "m2")]);
    let expected = marked("Is it question mark? Yes dot.", &[(20, "m0"), (21, "m1"), (29, "m2")]);
    assert_eq!(symbols::speak(&text, All, Language::EnUs), expected);
    let text = marked("An Old tree", &[(3, "m0"), (7, "m1")]);
    let expected = marked("capital An capital Old tree", &[(11, "m0"), (23, "m1")]);
    assert_eq!(symbols::speak_capitals(&text, Language::EnUs), expected);
}

#[test]
fn key_names() {
    check(
        &[
            ("a", "a"),
            ("A", "A"),
            ("control_a", "control a"),
            ("shift_Return", "shift return"),
            ("alt_control_delete", "alt control delete"),
            ("Control_Alt_F4", "control alt f4"),
            ("underscore", "underscore"),
            ("_", "underscore"),
            ("control__", "control underscore"),
            ("space", "space"),
            ("kp-7", "keypad 7"),
            ("KP_Enter", "keypad enter"),
            ("KP_7", "keypad 7"),
            ("kp-*", "keypad star"),
            ("Page_Up", "page up"),
            ("shift_Page_Down", "shift page down"),
            ("prior", "page up"),
            ("next", "page down"),
            ("num-lock", "num lock"),
            ("Caps_Lock", "caps lock"),
            ("super_l", "super l"),
            ("double-quote", "double quote"),
            ("BackSpace", "backspace"),
            ("control_+", "control +"),
            ("shift_Tab", "shift tab"),
            ("control_shift_Escape", "control shift escape"),
            ("F10", "f10"),
            ("alt_KP_Add", "alt keypad plus"),
            ("Print_Screen", "print screen"),
            ("meta_space", "meta space"),
            ("control_1", "control 1"),
            ("shift_underscore", "shift underscore"),
            ("ctrl_Next", "control page down"),
            ("", ""),
        ],
        |name| {
            let words = keys(name).into_iter().map(|key| match key {
                Key::Word(word) => word,
                Key::Character(c) => c.to_string(),
            });
            words.collect::<Vec<_>>().join(" ").leak() as &str
        },
    );
}

/// A message, its text, its marks, and whether the library should read it.
type Document = (&'static str, (&'static str, &'static [(usize, &'static str)], bool));

const DOCUMENTS: &[Document] = &[
    ("plain <b>text</b> & more", ("plain <b>text</b> & more", &[], false)),
    ("<speak>Hello</speak>", ("Hello", &[], false)),
    ("<speak>a &lt; b &amp;&amp; c</speak>", ("a < b && c", &[], false)),
    ("<speak>a < b && c</speak>", ("a < b && c", &[], false)),
    ("<speak>&#x939;&#33;&unknown;</speak>", ("ह!&unknown;", &[], false)),
    ("<speak>Fish & chips; yes</speak>", ("Fish & chips; yes", &[], false)),
    (
        "<speak>One. <mark name=\"__spd_0\"/>Two. <mark name=\"__spd_1\"/></speak>",
        ("One. Two. ", &[(5, "__spd_0"), (10, "__spd_1")], false),
    ),
    (
        "<speak><mark name='0:3'/>One <mark name = \"4:7\" ></mark>two</speak>",
        ("One two", &[(0, "0:3"), (4, "4:7")], false),
    ),
    ("<speak><mark/>One<mark name=\"a&quot;b\"/></speak>", ("One", &[(3, "a\"b")], false)),
    ("<speak>It is <emphasis>so</emphasis></speak>", ("It is so", &[], true)),
    ("<speak>It is <blink>so</blink></speak>", ("It is so", &[], true)),
    ("<speak xml:lang=\"hi\">It</speak>", ("It", &[], true)),
    ("<speak version=\"1.0\">It</speak>", ("It", &[], false)),
    ("<speak>never closed", ("never closed", &[], false)),
    ("<speak>cut <emph", ("cut <emph", &[], false)),
    ("<speak>1 <2 and 3> 2</speak>", ("1 <2 and 3> 2", &[], false)),
    ("<speak>a<!-- <b> -->c<?php x?>d</speak>", ("acd", &[], false)),
    ("<speak><![CDATA[<a> & b]]>c</speak>", ("<a> & bc", &[], false)),
    ("<?xml version=\"1.0\"?>\n<speak>x</speak>", ("\nx", &[], false)),
    ("<speak><p>a</p><p>b</p></speak>", ("\n\na\n\n\n\nb\n\n", &[], false)),
    ("<speak>bell\u{7}\u{0} &#7;gone</speak>", ("bell gone", &[], false)),
    ("<speak></speak>", ("", &[], false)),
    ("<speak>a <mark name=\"x>y\"/>b</speak>", ("a b", &[(2, "x>y")], false)),
    ("<speak>5 > 3 &gt; 1</speak>", ("5 > 3 > 1", &[], false)),
    (
        "<speak>A<mark name=\"__spd_3\" /> B &#160;C</speak>",
        ("A B \u{a0}C", &[(1, "__spd_3")], false),
    ),
    ("<speak>x<break time=\"1s\"/>y</speak>", ("xy", &[], true)),
    ("<speak>if (n<= b) { c&d; }</speak>", ("if (n<= b) { c&d; }", &[], false)),
    ("  <speak>lead</speak>", ("  lead", &[], false)),
    ("<speak><s>One.</s> <s>Two.</s></speak>", ("\n\nOne.\n\n \n\nTwo.\n\n", &[], false)),
    ("<speak>&amp;lt; stays</speak>", ("&lt; stays", &[], false)),
    ("<speech>is no markup</speech>", ("<speech>is no markup</speech>", &[], false)),
    ("", ("", &[], false)),
];

#[test]
fn documents() {
    let wrong: Vec<_> = DOCUMENTS
        .iter()
        .filter_map(|(document, (text, marks, is_rich))| {
            let found = flatten(document);
            let is_right = found.marked == marked(text, marks) && found.is_rich == *is_rich;
            (!is_right).then(|| format!("{document}\n  is {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// A part as text.
fn said(part: &Part, language: Language) -> String {
    let inspector = Inspector::new();
    let words = |inspection: speech_core::Inspection| {
        let sentences = inspection.sentences.iter();
        sentences.map(|sentence| sentence.normalized.clone()).collect::<Vec<_>>().join(" ")
    };
    let document = |document: &str| words(inspector.inspect_ssml(document, language).unwrap());
    match part {
        Part::Text(text) => text.text.clone(),
        Part::Name(Name::Words(text)) => text.clone(),
        Part::Name(Name::Document(text)) => document(text),
        Part::Document(text, _) => format!("SSML: {}", document(text)),
        Part::CapitalTone => "*".to_owned(),
        Part::Mark(name) => format!("[{name}]"),
        Part::Icon(path) => format!("{}", path.display()),
    }
}

fn settings(lines: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::new();
    for (name, value) in lines {
        settings.set(name, value).unwrap();
    }
    settings
}

fn message(kind: Kind, lines: &[(&str, &str)], text: &str) -> String {
    let settings = settings(lines);
    let parts = message::parts(kind, text, &settings, &Config::default());
    let said = parts.iter().map(|part| said(part, settings.language));
    said.collect::<Vec<_>>().join(" | ")
}

type Lines = &'static [(&'static str, &'static str)];

const SPELL: Lines = &[("cap_let_recogn", "spell")];
const ICON: Lines = &[("cap_let_recogn", "icon")];
const SPELLING: Lines = &[("spelling_mode", "on")];
const HINDI: Lines = &[("language", "hi")];

#[test]
fn characters() {
    check(
        &[
            ((&[][..], "a"), "a"),
            ((&[], "Z"), "z"),
            ((SPELL, "A"), "capital a"),
            ((ICON, "A"), "* | a"),
            ((ICON, "a"), "a"),
            ((&[], "7"), "seven"),
            ((&[], "space"), "space"),
            ((&[], " "), "space"),
            ((&[], "\t"), "tab"),
            ((&[], ","), "comma"),
            ((&[], "&"), "ampersand"),
            ((&[], "<"), "less than"),
            ((&[], "…"), "ellipsis"),
            ((&[], "é"), "e acute"),
            ((SPELL, "Ñ"), "capital n tilde"),
            ((&[], "ß"), "sharp s"),
            ((HINDI, "क"), "क"),
            ((HINDI, "ि"), "इ की मात्रा"),
            ((HINDI, "्"), "हलंत"),
            ((HINDI, "ं"), "अनुस्वार"),
            ((HINDI, "a"), "a"),
            ((HINDI, "ौ"), "औ की मात्रा"),
            ((HINDI, "?"), "प्रश्न चिह्न"),
            ((&[], "ç"), "c cedilla"),
            ((SPELL, "Å"), "capital a ring"),
            ((&[], "\u{a0}"), "no-break space"),
            ((&[], "!="), "exclamation mark | equals"),
            ((HINDI, ","), "अल्पविराम"),
            ((HINDI, "।"), "पूर्ण विराम"),
            ((HINDI, " "), "स्पेस"),
            ((HINDI, "5"), "पाँच"),
            ((&[], "comma"), "comma"),
        ],
        |(lines, text)| message(Kind::Character, lines, text).to_lowercase().leak() as &str,
    );
}

#[test]
fn texts() {
    check(
        &[
            ((&[][..], "<speak>Hello</speak>"), "Hello"),
            ((SPELLING, "<speak>Ab 1</speak>"), "a | b | space | one"),
            (
                (SPELLING, "<speak>a.<mark name=\"__spd_0\"/> b</speak>"),
                "a | dot | [__spd_0] | space | b",
            ),
            ((SPELL, "<speak>The NASA base</speak>"), "capital The capital NASA base"),
            ((ICON, "<speak>The base</speak>"), "The base"),
            ((&[("punctuation_mode", "all")], "<speak>So.</speak>"), "So dot."),
            ((&[], "<speak>It <emphasis>is</emphasis></speak>"), "SSML: It is"),
            (
                (&[("punctuation_mode", "all")], "<speak>It <emphasis>is</emphasis>.</speak>"),
                "It is dot.",
            ),
        ],
        |(lines, text)| {
            let said = message(Kind::Text, lines, text);
            // Letters are shown in upper case.
            if lines == SPELLING { said.to_lowercase().leak() as &str } else { said.leak() }
        },
    );
}

#[test]
fn keys_and_icons() {
    check(
        &[
            ((Kind::Key, "control_a"), "control a"),
            ((Kind::Key, "shift_<"), "shift less than"),
            ((Kind::Key, "a"), "a"),
            ((Kind::SoundIcon, "new-mail"), "new mail"),
            ((Kind::SoundIcon, "../../etc/passwd"), ".. .. etc passwd"),
        ],
        |(kind, text)| {
            let said = message(kind, &[], text).to_lowercase();
            if kind == Kind::SoundIcon {
                said.replace('/', " ").leak() as &str
            } else {
                said.leak()
            }
        },
    );
}

/// Every name is readable in its language: the library skips none.
#[test]
fn every_name_can_be_read() {
    let inspector = Inspector::new();
    for language in Language::ALL {
        for c in symbols::of_keyboard().chain("→।॥é…•".chars()) {
            let Some(name) = symbols::name(c, language) else { continue };
            let inspection = inspector.inspect(name, language);
            let words: usize = inspection.sentences.iter().map(|one| one.words.len()).sum();
            assert!(words >= name.split(' ').count(), "{c:?} {name:?}");
        }
    }
}

#[test]
fn parameters() {
    let set = |name: &str, value: &str| Settings::new().set(name, value).is_ok();
    for (name, value) in [
        ("rate", "-100"),
        ("rate", "250"),
        ("pitch", "0"),
        ("pitch_range", "5"),
        ("volume", "100"),
        ("punctuation_mode", "most"),
        ("spelling_mode", "off"),
        ("cap_let_recogn", "icon"),
        ("voice", "male1"),
        ("voice", "nobody"),
        ("language", "NULL"),
        ("language", "fr-FR"),
        ("synthesis_voice", "NULL"),
        ("synthesis_voice", "nobody"),
    ] {
        assert!(set(name, value), "{name}={value}");
    }
    for (name, value) in [
        ("rate", "fast"),
        ("pitch", "1.5"),
        ("volume", ""),
        ("punctuation_mode", "few"),
        ("spelling_mode", "1"),
        ("cap_let_recogn", "all"),
        ("colour", "red"),
    ] {
        assert!(!set(name, value), "{name}={value}");
    }
    for (tag, language) in [
        ("hi", Language::HiIn),
        ("hi-IN", Language::HiIn),
        ("HI_in.UTF-8", Language::HiIn),
        ("en", Language::EnUs),
        ("en-GB", Language::EnUs),
        ("NULL", Language::EnUs),
        ("his", Language::EnUs),
    ] {
        assert_eq!(settings::language(tag), language, "{tag}");
    }
}

#[test]
fn ranges_are_those_of_the_library() {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-3, "{a} {b}");
    for (value, rate, pitch, volume) in [
        (-100, 0.5, -6.0, -40.0),
        (-60, 0.6598, -3.6, -13.979),
        (0, 1.0, 0.0, -6.021),
        (60, 1.5157, 3.6, -1.938),
        (100, 2.0, 6.0, 0.0),
    ] {
        near(settings::rate(value), rate);
        near(settings::pitch(value), pitch);
        near(settings::volume(value), volume);
    }
    for value in -100..=100 {
        let value = value.to_string();
        let lines =
            [("rate", &*value), ("pitch", &*value), ("volume", &*value), ("voice", "child_male")];
        let request = settings(&lines).request("So.", &Config::default());
        assert!(request.validate().is_ok(), "{value}");
    }
}

#[test]
fn configuration() {
    let text = "# A comment\n\nBundle \"/opt/voices here\"\nthreads 3\nVOICE_MALE1 \"sofia\"\nPrepare 0\nQuality fast\nSoundIcons \"\"\nDebug 1\n";
    let (config, problems) = Config::parse(text);
    assert_eq!(problems, [""; 0]);
    assert_eq!(config.bundle.as_deref(), Some("/opt/voices here".as_ref()));
    assert_eq!((config.threads, config.prepare, config.log_level), (Some(3), false, 5));
    assert_eq!(config.quality, Quality::Fast);
    assert_eq!(
        (config.voice(VoiceType::Male1), config.voice(VoiceType::Female1)),
        (Voice::SOFIA, Voice::ARIA)
    );
    assert_eq!(config.sound_icons, None);
    let (config, problems) = Config::parse("Threads 0\nColour red\nVoice_Male1 bob\n\0\u{fffd}");
    assert_eq!((config, problems.len()), (Config::default(), 4));
    // The shipped file states the defaults.
    let (config, problems) = Config::parse(include_str!("../libspeech.conf"));
    assert_eq!((config, problems), (Config::default(), Vec::new()));
}

/// `the_commands_of_the_readme` in server.rs runs them.
#[test]
fn every_block_of_the_readme_is_tested() {
    let fences = include_str!("../README.md").lines().filter(|line| line.starts_with("```"));
    assert_eq!(fences.collect::<Vec<_>>(), ["```sh", "```", "```sh", "```"]);
}

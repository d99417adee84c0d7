use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::markup::Inline;
use crate::normalize::MarkedAs;
use crate::row_tests::cells;
use crate::segment::Boundary;

const EN: Language = Language::EnUs;
const HI: Language = Language::HiIn;

fn read(document: &str, language: Language) -> Result<Vec<Passage>> {
    passages(document, Voice::ARIA, language, ProsodySettings::default())
}

/// A passage in short form: voice, language, text and boundary. Inline markup is in `‹›`, ranges
/// with settings in `{}`, ranges with readings in `[]`.
fn summary(passage: &Passage) -> String {
    let mut line = format!("{} {} ", passage.voice, passage.language);
    if passage.is_sentence {
        line.push('=');
    }
    for at in 0..=passage.text.len() {
        for (range, _) in passage.settings.iter().filter(|(range, _)| range.end == at && at > 0) {
            assert!(!range.is_empty());
            line.push('}');
        }
        for _ in passage.readings.iter().filter(|reading| reading.range.end == at) {
            line.push(']');
        }
        for (_, inline) in passage.inline.iter().filter(|(place, _)| *place == at) {
            match inline {
                Inline::Pause(milliseconds) => write!(line, "‹{milliseconds}›"),
                Inline::Bookmark(name) => write!(line, "‹{name}›"),
            }
            .unwrap();
        }
        for reading in passage.readings.iter().filter(|reading| reading.range.start == at) {
            match &reading.reading {
                MarkedAs::SayAs(say_as) => write!(line, "[{say_as:?}:"),
                MarkedAs::Language(language) => write!(line, "[{language}:"),
                MarkedAs::Phonemes(phonemes) => write!(line, "[/{phonemes}/:"),
            }
            .unwrap();
        }
        for (_, settings) in passage.settings.iter().filter(|(range, _)| range.start == at) {
            let ProsodySettings { rate, pitch, volume } = settings;
            write!(line, "{{{rate:.2} {pitch:.1} {volume:.1}:").unwrap();
        }
        if passage.text.is_char_boundary(at) {
            line.extend(passage.text[at..].chars().next());
        }
    }
    line.push_str(match passage.boundary {
        Boundary::Clause => " ~",
        Boundary::Sentence => " .",
        Boundary::Line => " |",
        Boundary::Paragraph => " ¶",
    });
    line
}

fn refusal(document: &str) -> String {
    let error = read(document, EN).expect_err(document);
    error.message().strip_prefix("SSML ").expect(document).to_owned()
}

crate::row_tests::rows! {
    passages_of_documents: |[content]| {
        let passages = read(&format!("<speak>{content}</speak>"), EN).expect("it is supported");
        passages.iter().map(summary).collect::<Vec<_>>().join(" / ")
    };
    refused_documents: |[document]| refusal(document);
}

#[test]
fn settings_of_the_request_are_the_base() {
    let base = ProsodySettings { rate: 1.5, pitch: 1.0, volume: -3.0 };
    let document = "<speak>a <prosody rate='80%' volume='silent'>b</prosody></speak>";
    let passages = passages(document, Voice::ARIA, EN, base).unwrap();
    assert_eq!(summary(&passages[0]), "aria en-US a {1.20 1.0 -40.0:b} ¶");
    assert_eq!(passages[0].settings_at(0), base);
}

#[test]
fn what_people_read() {
    let document = "<speak>Tom &amp; <emphasis>Jer</emphasis>ry<!-- no -->, <sub alias='x'>W3C</sub> \
        <![CDATA[<b>]]>&#x939;<sub alias='y'/>.</speak>";
    let place = |part: &str| document.find(part).unwrap();
    let rows = [
        (0..document.len(), "Tom & Jerry, W3C <b>ह."),
        (place("Jer")..place("<!--"), "Jerry"),
        (place("&amp;")..place(" <emphasis"), "&"),
        (place("W3C")..place("</sub>"), "W3C"),
        (place("<sub alias='y'/>")..place(".</speak>"), ""),
        (place("<b>")..place("]]>"), "<b>"),
    ];
    for (span, expected) in rows {
        assert_eq!(shown(document, &span), expected, "{}", &document[span]);
    }
}

#[test]
fn depth_is_bounded() {
    let deep = format!("<speak>{}a", "<lang xml:lang='en'>".repeat(32));
    let deep = refusal(&(deep + &"</lang>".repeat(32) + "</speak>"));
    assert_eq!(deep, "line 1, column 628: elements are nested more than 32 deep");
}

/// Checks the invariants of every valid document.
fn check_passages(document: &str, language: Language) {
    let passages = match read(document, language) {
        Ok(passages) => passages,
        Err(error) => return assert!(error.message().starts_with("SSML line "), "{error}"),
    };
    assert!(!passages.is_empty());
    for passage in &passages {
        let text = &passage.text;
        assert!(!text.starts_with(' ') && !text.contains("  "), "{text:?}");
        for (at, c) in text.char_indices() {
            let source = passage.source.source(&(at..at + c.len_utf8()));
            assert!(document.get(source.clone()).is_some_and(|s| !s.is_empty()), "{source:?}");
        }
        let parts = passage.settings.iter().map(|(range, _)| range);
        for range in parts.chain(passage.readings.iter().map(|reading| &reading.range)) {
            assert!(text.get(range.clone()).is_some_and(|part| !part.is_empty()), "{range:?}");
        }
        assert!(passage.settings.is_sorted_by(|(a, _), (b, _)| a.end <= b.start));
        assert!(passage.readings.is_sorted_by_key(|reading| reading.range.start));
        assert!(passage.inline.is_sorted_by_key(|(at, _)| *at));
        assert!(passage.inline.iter().all(|(at, _)| text.is_char_boundary(*at)));
    }
}

/// Well-formed SSML, most of it supported.
pub(super) fn some_ssml() -> impl Strategy<Value = String> {
    const AROUND: &[(&str, &str)] = &[
        ("<p>", "</p>"),
        ("<s>", "</s>"),
        ("<voice name='leo'>", "</voice>"),
        ("<lang xml:lang='hi'>", "</lang>"),
        ("<lang xml:lang='en'>", "</lang>"),
        ("<prosody rate='slow' pitch='+2st'>", "</prosody>"),
        ("<emphasis>", "</emphasis>"),
    ];
    let leaf = prop::sample::select(cells("parts of SSML"));
    let content = leaf.prop_recursive(5, 40, 8, |inner| {
        (prop::sample::select(AROUND), prop::collection::vec(inner, 0..8))
            .prop_map(|((open, close), parts)| format!("{open}{}{close}", parts.concat()))
    });
    prop::collection::vec(content, 0..8)
        .prop_map(|parts| format!("<speak>{}</speak>", parts.concat()))
}

proptest! {
    #[test]
    fn any_document_is_passages_or_refused(document in "\\PC{0,60}", hindi: bool) {
        check_passages(&document, if hindi { HI } else { EN });
    }

    #[test]
    fn any_ssml_is_passages_or_refused(document in some_ssml(), hindi: bool) {
        check_passages(&document, if hindi { HI } else { EN });
    }
}

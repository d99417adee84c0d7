use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::markup::Inline;
use crate::normalize::MarkedAs;
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

fn assert_passages(rows: &[(&str, &[&str])]) {
    let failures: Vec<_> = rows
        .iter()
        .filter_map(|(content, expected)| {
            let document = format!("<speak>{content}</speak>");
            let got = match read(&document, EN) {
                Ok(passages) => passages.iter().map(summary).collect(),
                Err(error) => vec![error.message().to_owned()],
            };
            (got != *expected).then(|| format!("{content}: {got:#?}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn text_is_one_line() {
    assert_passages(&[
        ("", &["aria en-US  ¶"]),
        (" \n ", &["aria en-US  ¶"]),
        ("\n  a\n\n\t b \u{2028}\u{85} c\n", &["aria en-US a b c  ¶"]),
        ("a<!-- no --> b<![CDATA[ <c> ]]>&lt;d&#x20;&#33;", &["aria en-US a b <c> <d ! ¶"]),
        ("a<emphasis level='none'>b</emphasis>c", &["aria en-US abc ¶"]),
        ("[w](/wʌn/) [pause 1s]", &["aria en-US [w](/wʌn/) [pause 1s] ¶"]),
    ]);
}

#[test]
fn paragraphs_and_sentences() {
    assert_passages(&[
        ("<p>a</p><p>b</p>", &["aria en-US a ¶", "aria en-US b ¶"]),
        ("<p><s>a</s> <s>b</s></p>c", &["aria en-US =a .", "aria en-US =b ¶", "aria en-US c ¶"]),
        ("a<s>b</s>c", &["aria en-US a .", "aria en-US =b .", "aria en-US c ¶"]),
        ("a<p>b</p>", &["aria en-US a ¶", "aria en-US b ¶"]),
        (
            "<p xml:lang='hi'>b<s xml:lang='EN'>c</s>d</p>",
            &["aria hi-IN b .", "aria en-US =c .", "aria hi-IN d ¶"],
        ),
    ]);
}

#[test]
fn voices() {
    assert_passages(&[
        ("<voice name='leo'>a</voice>", &["leo en-US a ¶"]),
        (
            "a <voice name='leo'>b</voice> c",
            &["aria en-US a  ~", "leo en-US b  ~", "aria en-US c ¶"],
        ),
        (
            "a. <voice name='leo'>“b?”</voice> c",
            &["aria en-US a.  .", "leo en-US “b?”  .", "aria en-US c ¶"],
        ),
        ("<voice name='aria'>a</voice> b", &["aria en-US a b ¶"]),
        ("<voice name='leo' xml:lang='hi-IN'><s>a</s></voice>", &["leo hi-IN =a ¶"]),
        ("<s>a <voice name='leo'>b</voice></s>", &["aria en-US =a  ~", "leo en-US =b ¶"]),
    ]);
}

#[test]
fn languages() {
    assert_passages(&[
        ("<lang xml:lang='hi'>a</lang>", &["aria hi-IN a ¶"]),
        ("a <lang xml:lang='hi-IN'> b c </lang> d", &["aria en-US a [hi-IN:b c] d ¶"]),
        (
            "a <lang xml:lang='hi'>b <lang xml:lang='en'>c</lang> d</lang>",
            &["aria en-US a [hi-IN:b] c [hi-IN:d] ¶"],
        ),
        (
            "a <lang xml:lang='hi'><say-as interpret-as='digits'>1</say-as> 2</lang>",
            &["aria en-US a [hi-IN:[Digits:1] 2] ¶"],
        ),
        (
            "a <lang xml:lang='hi'><say-as interpret-as='digits'>1</say-as></lang>",
            &["aria en-US a [hi-IN:[Digits:1]] ¶"],
        ),
        (
            "<lang xml:lang='hi'>a</lang> <lang xml:lang='en'>b.</lang>",
            &["aria hi-IN a  ~", "aria en-US b. ¶"],
        ),
        (
            "<s><lang xml:lang='hi'>a</lang> <lang xml:lang='en'>b</lang></s>",
            &["aria en-US =[hi-IN:a] b ¶"],
        ),
        ("a <lang xml:lang='hi'><p>b</p></lang>", &["aria en-US a  ¶", "aria hi-IN b ¶"]),
        (
            "a <lang xml:lang='hi'>b <voice name='leo'>c</voice> d</lang> e",
            &["aria en-US a [hi-IN:b]  ~", "leo hi-IN c  ~", "aria en-US [hi-IN:d] e ¶"],
        ),
    ]);
}

#[test]
fn pauses_and_marks() {
    assert_passages(&[
        ("a <break/> b <mark name='x'/>c", &["aria en-US a ‹300›b ‹x›c ¶"]),
        ("a<break time='1.5s' strength='weak'/>b", &["aria en-US a‹1500›b ¶"]),
        (
            "<s>a<break strength='none'/></s><break time='1s'/><s>b</s>",
            &["aria en-US =a‹0› .", "aria en-US =‹1000›b ¶"],
        ),
        ("<mark name='x'/>", &["aria en-US ‹x› ¶"]),
        ("<p>a</p><mark name='end'/>", &["aria en-US a‹end› ¶"]),
    ]);
}

#[test]
fn settings_are_of_their_parts() {
    assert_passages(&[
        ("a <prosody rate='slow'>b</prosody> c", &["aria en-US a {0.75 0.0 0.0:b} c ¶"]),
        (
            "<prosody rate='80%'>a <prosody pitch='+2st' rate='-10%'>b</prosody> c</prosody>",
            &["aria en-US {0.80 0.0 0.0:a }{0.72 2.0 0.0:b}{0.80 0.0 0.0: c} ¶"],
        ),
        (
            "<prosody rate='50%'><prosody rate='50%'>a</prosody></prosody>",
            &["aria en-US {0.50 0.0 0.0:a} ¶"],
        ),
        (
            "<prosody rate='-50%'><prosody rate='-50%'>a</prosody></prosody>",
            &["aria en-US {0.50 0.0 0.0:a} ¶"],
        ),
        (
            "<prosody volume='+6dB'>a <prosody volume='default'>b</prosody></prosody>",
            &["aria en-US {1.00 0.0 6.0:a }b ¶"],
        ),
        (
            "<emphasis>a</emphasis> <emphasis level='strong'>b</emphasis>",
            &["aria en-US {0.92 1.0 2.0:a} {0.85 2.0 4.0:b} ¶"],
        ),
        ("<prosody rate='2'><p>a</p></prosody>", &["aria en-US {2.00 0.0 0.0:a} ¶"]),
    ]);
    let base = ProsodySettings { rate: 1.5, pitch: 1.0, volume: -3.0 };
    let document = "<speak>a <prosody rate='80%' volume='silent'>b</prosody></speak>";
    let passages = passages(document, Voice::ARIA, EN, base).unwrap();
    assert_eq!(summary(&passages[0]), "aria en-US a {1.20 1.0 -40.0:b} ¶");
    assert_eq!(passages[0].settings_at(0), base);
}

#[test]
fn readings_are_of_their_parts() {
    assert_passages(&[
        ("a <say-as interpret-as='cardinal'> 1 </say-as>.", &["aria en-US a [Cardinal:1] . ¶"]),
        ("a<say-as interpret-as='spell-out'>b</say-as>c", &["aria en-US a[Characters:b]c ¶"]),
        ("a <phoneme ph='bi'>b</phoneme>", &["aria en-US a [/bi/:b] ¶"]),
        ("a <phoneme alphabet='x-kokoro' ph='bˈi'/> c", &["aria en-US a [/bˈi/:bˈi] c ¶"]),
        ("a <sub alias=' b  c '>d</sub>e", &["aria en-US a b ce ¶"]),
    ]);
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

/// Invalid documents and their messages.
const REFUSED: &[(&str, &str)] = &[
    ("Hello", "line 1, column 1: there is text outside of the element 'speak'"),
    (
        "<a/>",
        "line 1, column 1: the element is not supported; there are speak, p, s, break, say-as, phoneme, sub, prosody, emphasis, lang, voice, mark",
    ),
    ("<p>a</p>", "line 1, column 1: the first element must be 'speak', and no other may"),
    (
        "<speak><speak/></speak>",
        "line 1, column 8: the first element must be 'speak', and no other may",
    ),
    (
        "<speak version='2.0'/>",
        "line 1, column 17: the attribute 'version' is not valid: it must be 1.0 or 1.1",
    ),
    (
        "<speak\nlang='en'/>",
        "line 2, column 1: the attribute is not supported; 'speak' has version, xml:lang",
    ),
    (
        "<speak>\n हाँ <b>a</b></speak>",
        "line 2, column 6: the element is not supported; there are speak, p, s, break, say-as, phoneme, sub, prosody, emphasis, lang, voice, mark",
    ),
    (
        "<speak>\r\n<Break/></speak>",
        "line 2, column 1: the element is not supported; there are speak, p, s, break, say-as, phoneme, sub, prosody, emphasis, lang, voice, mark",
    ),
    ("<speak>a", "line 1, column 9: the document ends within an element"),
    (
        "<speak><p>a</speak>",
        "line 1, column 12: this tag ends another element than the one that is open",
    ),
    (
        "<speak>a & b</speak>",
        "line 1, column 10: the character '&' does not begin a reference; write &amp;",
    ),
    (
        "<speak>&nbsp;</speak>",
        "line 1, column 8: the entity is not supported; use &amp;, &lt;, &gt;, &apos;, &quot;",
    ),
    ("<speak>a\u{1}</speak>", "line 1, column 9: a character stands here that XML does not allow"),
    (
        "<speak>&#1;</speak>",
        "line 1, column 8: the reference is to a character that XML does not allow",
    ),
    (
        "<speak>a<!-- & --> &#0;</speak>",
        "line 1, column 20: the reference is to a character that XML does not allow",
    ),
    (
        "<speak><sub alias='&#xB;'>b</sub></speak>",
        "line 1, column 20: the reference is to a character that XML does not allow",
    ),
    (
        "<speak>a\n<![CDATA[&#0;]]>&#xD800;</speak>",
        "line 2, column 17: the reference is to half a surrogate pair, which is no character",
    ),
    (
        "<speak><sub alias='a &#xDFFF;'>b</sub></speak>",
        "line 1, column 22: the reference is to half a surrogate pair, which is no character",
    ),
    (
        "<speak>&#x110000;</speak>",
        "line 1, column 8: the reference is to a number over 10FFFF, which is no character",
    ),
    (
        "<speak><mark name='&#99999999999;'/></speak>",
        "line 1, column 20: the reference is to a number over 10FFFF, which is no character",
    ),
    (
        "<speak><sub alias='a\u{1}'>b</sub></speak>",
        "line 1, column 21: a character stands here that XML does not allow",
    ),
    (
        "<speak><![CDATA[\u{b}]]></speak>",
        "line 1, column 17: a character stands here that XML does not allow",
    ),
    (
        "<speak><!--\u{fffe}--></speak>",
        "line 1, column 12: a character stands here that XML does not allow",
    ),
    (
        "<speak>a\u{ffff}</speak>",
        "line 1, column 9: a character stands here that XML does not allow",
    ),
    (
        "<speak><a\u{1}/></speak>",
        "line 1, column 10: this is not well-formed XML: a whitespace must stand here",
    ),
    (
        "<speak><mark name='<'/></speak>",
        "line 1, column 20: the character '<' stands in the value of an attribute; write &lt;",
    ),
    ("<speak><mark name='a' name='b'/></speak>", "line 1, column 23: the attribute is given twice"),
    ("<speak><?php a?></speak>", "line 1, column 8: processing instructions are not supported"),
    ("<speak/> <speak/>", "line 1, column 10: this is not well-formed XML"),
    ("<speak><p>a<p>b</p></p></speak>", "line 1, column 12: 'p' may not be in 'p'"),
    (
        "<speak><s>a<emphasis><s>b</s></emphasis></s></speak>",
        "line 1, column 22: 's' may not be in 'emphasis'",
    ),
    (
        "<speak><sub alias='a'>b<break/></sub></speak>",
        "line 1, column 24: 'sub' may hold text only",
    ),
    ("<speak><break>b</break></speak>", "line 1, column 15: 'break' must be empty"),
    (
        "<speak><break time='3'/></speak>",
        "line 1, column 21: the attribute 'time' is not valid: it must be a time such as 500ms or 1.5s",
    ),
    (
        "<speak><break time='11s'/></speak>",
        "line 1, column 21: the attribute 'time' is not valid: the longest pause is 10 s",
    ),
    ("<speak><mark/></speak>", "line 1, column 8: 'mark' needs the attribute 'name'"),
    ("<speak><sub alias=' '>b</sub></speak>", "line 1, column 20: the attribute 'alias' is empty"),
    (
        "<speak><prosody>b</prosody></speak>",
        "line 1, column 8: 'prosody' needs the attribute 'rate', 'pitch' or 'volume'",
    ),
    ("<speak><lang>b</lang></speak>", "line 1, column 8: 'lang' needs the attribute 'xml:lang'"),
    (
        "<speak xml:lang='en-GB'/>",
        "line 1, column 18: the attribute 'xml:lang' is not valid: it must be en-US, hi-IN",
    ),
    (
        "<speak><emphasis level='high'>b</emphasis></speak>",
        "line 1, column 25: the attribute 'level' is not valid: it must be strong, moderate, none, reduced",
    ),
    (
        "<speak><phoneme ph='k7'>b</phoneme></speak>",
        "line 1, column 21: the attribute 'ph' is not valid: character 2 of it is not a phoneme symbol",
    ),
    ("<speak><say-as interpret-as='date'/></speak>", "line 1, column 8: 'say-as' is empty"),
    (
        "<speak><say-as interpret-as='cardinal'>12a</say-as></speak>",
        "line 1, column 40: the content is not a number",
    ),
    (
        "<speak><say-as interpret-as='date' format='dd.mm'>1</say-as></speak>",
        "line 1, column 44: the attribute 'format' is not valid: it must name day, month and year in their order, as mdy, dmy, ymd, ym, d, yyyymmdd do",
    ),
    (
        "<speak><say-as interpret-as='digits' format='d'>1</say-as></speak>",
        "line 1, column 46: the attribute 'format' is not valid: only date, time and telephone have a format",
    ),
    (
        "<speak><say-as interpret-as='digits' detail='1'>1</say-as></speak>",
        "line 1, column 46: the attribute 'detail' is not valid: it must be 1 or 2, of a date",
    ),
];

#[test]
fn what_is_refused_and_where() {
    let deep = format!("<speak>{}a", "<lang xml:lang='en'>".repeat(32));
    let deep = deep + &"</lang>".repeat(32) + "</speak>";
    let deep = (&*deep, "line 1, column 628: elements are nested more than 32 deep");
    let failures: Vec<_> = REFUSED
        .iter()
        .copied()
        .chain([deep])
        .filter_map(|(document, expected)| {
            let got = read(document, EN).map_err(|error| error.message().to_owned());
            let is_right = got.as_ref().is_err_and(|got| *got == format!("SSML {expected}"));
            (!is_right).then(|| format!("{document}\n    {got:?}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
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
    const LEAVES: &[&str] = &[
        "a",
        " ",
        "\n",
        "5",
        "हाँ ",
        "Dr. ",
        ". ",
        "p.m.",
        "'s",
        "&amp;",
        "&#x939;",
        "é",
        "12/3",
        "$4.50",
        "kg",
        "...",
        "[a](/b/)",
        "<![CDATA[<b> ]]>",
        "<!-- c -->",
        "<break/>",
        "<mark name='m'/>",
        "<say-as interpret-as='characters'>A.b 1 हि&lt;</say-as>",
        "<say-as interpret-as='cardinal'> १२ </say-as>",
        "<say-as interpret-as='date' format='dmy'>1. 2. 2003</say-as>",
        "<say-as interpret-as='currency'>$5.50</say-as>",
        "<say-as interpret-as='time'>5:30 pm</say-as>",
        "<phoneme ph='a'/>",
        "<phoneme ph='a'>b. C</phoneme>",
        "<sub alias='x y'>W3</sub>",
        "<sub alias='अब।'/>",
    ];
    const AROUND: &[(&str, &str)] = &[
        ("<p>", "</p>"),
        ("<s>", "</s>"),
        ("<voice name='leo'>", "</voice>"),
        ("<lang xml:lang='hi'>", "</lang>"),
        ("<lang xml:lang='en'>", "</lang>"),
        ("<prosody rate='slow' pitch='+2st'>", "</prosody>"),
        ("<emphasis>", "</emphasis>"),
    ];
    let leaf = prop::sample::select(LEAVES).prop_map(str::to_owned);
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

//! Tests the words of documents, without voices.

use proptest::prelude::*;
use speech_base::fork::LazyLock;
use speech_base::language::Language;

use super::tests::some_ssml;
use crate::{Inspection, Inspector};

const EN: Language = Language::EnUs;
const HI: Language = Language::HiIn;

#[test]
fn spans_point_into_the_document() {
    let document =
        "<speak>a &amp; b <sub alias='one two'>c\u{915}&lt;</sub> <sub alias='d'/>\n\n e</speak>";
    let inspection = Inspector::new().inspect_ssml(document, EN).unwrap();
    let words: Vec<_> = inspection.sentences[0]
        .words
        .iter()
        .map(|word| (word.normalized.as_str(), word.source.as_str()))
        .collect();
    assert_eq!(
        words,
        [
            ("a", "a"),
            ("and", "&amp;"),
            ("b", "b"),
            ("one", "c\u{915}&lt;"),
            ("two", "c\u{915}&lt;"),
            ("d", "<sub alias='d'/>"),
            ("e", "e"),
        ]
    );
}

/// The words of the sentences.
fn said(inspection: Inspection) -> String {
    let said = inspection.sentences.into_iter().map(|one| one.normalized);
    said.collect::<Vec<_>>().join(" | ")
}

/// Marked ranges beside text that could merge with them, and the expected words.
#[expect(clippy::too_many_lines, reason = "a table")]
#[test]
fn marked_parts_are_read_by_themselves() {
    let rows = [
        (
            EN,
            "Dr. <say-as interpret-as='characters'>X. Y. Z.</say-as> came. Bye.",
            "Doctor X dot Y dot Z dot came. | Bye.",
        ),
        (EN, "5 <say-as interpret-as='characters'>kg</say-as> 6", "five K G six"),
        (EN, "5<say-as interpret-as='characters'>kg</say-as>", "five K G"),
        (EN, "to<phoneme ph='mˈeɪtoʊ'>mato</phoneme>es", "to mato es"),
        (EN, "Mr. <phoneme ph='smɪθ'>Smith</phoneme>'s cat", "Mister Smith cat"),
        (
            EN,
            "at 5 p.m. <say-as interpret-as='ordinal'>1</say-as> of all",
            "at five PM first of all",
        ),
        (EN, "the <say-as interpret-as='characters'>usa</say-as>'s", "the U S A's"),
        (
            EN,
            "<say-as interpret-as='cardinal'>1</say-as><say-as interpret-as='cardinal'>2</say-as>",
            "one two",
        ),
        (
            EN,
            "<say-as interpret-as='date' format='dmy'>1. 2. 2003</say-as> it was.",
            "the first of February two thousand three it was.",
        ),
        (
            EN,
            "I say <lang xml:lang='hi'>मुझे 5 फ़ाइलें चाहिए, जल्दी</lang> 5 times",
            "I say मुझे पाँच फ़ाइलें चाहिए, जल्दी five times",
        ),
        (
            EN,
            "I say <lang xml:lang='hi'>नमस्ते। 5 लोग।</lang> twice.",
            "I say नमस्ते. | पाँच लोग. | twice.",
        ),
        (EN, "<lang xml:lang='hi'>kal 5 baje</lang> it is", "kal पाँच baje it is"),
        (HI, "यह <lang xml:lang='en'>read 5 books</lang> है 5", "यह read five books है पाँच"),
        (
            HI,
            "कुल <say-as interpret-as='currency'>$5</say-as> और <say-as interpret-as='characters'>कि AB</say-as>",
            "कुल पाँच डॉलर और कि A B",
        ),
        (
            HI,
            "Please pay <say-as interpret-as='unit'>5 kg</say-as> by Monday for all of us.",
            "Please pay five kilograms by Monday for all of us.",
        ),
        (EN, "<say-as interpret-as='characters'>१२ ½ é, 😀</say-as>", "one two E"),
        (EN, "[five](/sɪks/) [pause 1s]", "(five) (slash siks slash) (pause one second)"),
    ];
    let inspector = Inspector::new();
    let failures: Vec<_> = rows
        .into_iter()
        .filter_map(|(language, content, expected)| {
            let document = format!("<speak>{content}</speak>");
            let got = said(inspector.inspect_ssml(&document, language).unwrap());
            (got != expected).then(|| format!("{content}\n    {got}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The examples of a file: the document, and its words or error.
fn examples(file: &str) -> Vec<(String, String)> {
    let mut examples = Vec::new();
    let mut document = String::new();
    for line in file.lines() {
        if let Some(expected) = line.strip_prefix("= ").or(line.strip_prefix("! ")) {
            examples.push((std::mem::take(&mut document).trim().to_owned(), expected.to_owned()));
        } else if !line.starts_with('#') {
            document.push_str(line);
            document.push('\n');
        }
    }
    examples
}

#[test]
fn published_examples() {
    let files = [
        include_str!("examples/w3c.txt"),
        include_str!("examples/azure.txt"),
        include_str!("examples/google.txt"),
        include_str!("examples/polly.txt"),
    ];
    let inspector = Inspector::new();
    let failures: Vec<_> = files
        .into_iter()
        .flat_map(examples)
        .filter_map(|(document, expected)| {
            let got = match inspector.inspect_ssml(&document, EN) {
                Ok(inspection) => said(inspection),
                Err(error) => error.message().to_owned(),
            };
            (got != expected).then(|| format!("{document}\n    {got}\n    {expected}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The documents in the user documentation.
#[test]
fn documented_examples() {
    let page = include_str!("../../../../../docs/ssml.md");
    let mut documents = page.split("```xml").skip(1).filter_map(|rest| rest.split("```").next());
    let document = documents.next().unwrap();
    let inspection = Inspector::new().inspect_ssml(document.trim(), EN).unwrap();
    let said: Vec<_> = inspection.sentences.iter().map(|one| one.normalized.as_str()).collect();
    assert_eq!(
        said,
        ["Your order A B one two ships on the fourth of May.", "Thank you, and नमस्ते!", "Goodbye.",]
    );
    assert_eq!(documents.next(), None);
}

proptest! {
    #[test]
    fn words_stand_in_the_document_and_have_phonemes(document in some_ssml(), hindi: bool) {
        static INSPECTOR: LazyLock<Inspector> = LazyLock::new(Inspector::new);
        let inspection = INSPECTOR.inspect_ssml(&document, if hindi { HI } else { EN });
        for sentence in inspection.into_iter().flat_map(|inspection| inspection.sentences) {
            prop_assert_eq!(&document[sentence.start..sentence.end], sentence.text);
            for word in sentence.words {
                prop_assert_eq!(&document[word.start..word.end], &word.source);
                prop_assert!(!word.source.is_empty() && !word.phonemes.is_empty(), "{:?}", word);
            }
        }
    }
}

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
    let inspection = INSPECTOR.inspect_ssml(document, EN).unwrap();
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

static INSPECTOR: LazyLock<Inspector> = LazyLock::new(Inspector::new);

// Marked ranges beside text that could merge with them, and the expected words.
crate::row_tests::rows! {
    marked_parts: |[language, content]| {
        let language = crate::row_tests::language(language);
        said(INSPECTOR.inspect_ssml(&format!("<speak>{content}</speak>"), language).unwrap())
    };
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
    let failures: Vec<_> = files
        .into_iter()
        .flat_map(examples)
        .filter_map(|(document, expected)| {
            let got = match INSPECTOR.inspect_ssml(&document, EN) {
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
    let inspection = INSPECTOR.inspect_ssml(document.trim(), EN).unwrap();
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

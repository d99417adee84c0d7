//! Arbitrary text as an SSML document, in both languages: it is rejected with a position, or every
//! spoken word has phonemes and a span in the document.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use speech_core::{ErrorKind, Inspector, Language, Request};

static INSPECTOR: LazyLock<Inspector> = LazyLock::new(Inspector::new);

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    check(&text);
    if !text.contains("<speak") {
        check(&format!("<speak>{text}</speak>"));
    }
});

fn check(document: &str) {
    for language in Language::ALL {
        let inspection = INSPECTOR.inspect_ssml(document, language);
        let valid = Request::new(document).ssml(true).language(language).validate();
        match (&inspection, &valid) {
            (Ok(_), Ok(valid)) => assert_eq!(valid.text(), document),
            (Err(refused), Err(error)) if error.kind() == ErrorKind::InvalidRequest => {
                assert!(refused.message().starts_with("SSML line "), "{refused}");
            }
            // The other errors of a request.
            (_, Err(error)) => {
                let kinds =
                    [ErrorKind::InvalidRequest, ErrorKind::EmptyText, ErrorKind::TextTooLong];
                assert!(kinds.contains(&error.kind()), "{error:?} of {document:?}");
            }
            (Err(refused), Ok(_)) => panic!("{refused} of {document:?}"),
        }
        for sentence in inspection.iter().flat_map(|inspection| &inspection.sentences) {
            assert_eq!(document.get(sentence.start..sentence.end), Some(&*sentence.text));
            for word in &sentence.words {
                let source = document.get(word.start..word.end);
                assert_eq!(source, Some(&*word.source), "{word:?} of {document:?}");
                assert!(!word.source.is_empty(), "{word:?} of {document:?}");
                assert!(!word.phonemes.is_empty(), "{word:?} of {document:?}");
            }
        }
    }
}

use proptest::prelude::*;

use super::*;
use crate::normalize::Options;
use crate::pronunciation::Lexicons;
use crate::row_tests::{cells, holds};

/// A document with these lexemes. Its first line is the text before them.
fn document(lexemes: &str) -> String {
    format!(
        "<lexicon version='1.0' xml:lang='en-US' xmlns='{}'>\n{lexemes}</lexicon>",
        PLS.namespace
    )
}

/// The phonemes of a text that is read with a lexicon.
fn read(lexicon: &Lexicon, text: &str, language: Language) -> String {
    let options = Options { lexicons: Lexicons::of(lexicon), ..Options::plain(language) };
    crate::row_tests::phonemes(text, options)
}

#[test]
fn lexemes_of_published_examples() {
    let lexicon = Lexicon::from_pls(include_str!("example.pls")).unwrap();
    assert_eq!((lexicon.len(), lexicon.language()), (6, Some(Language::EnUs)));
    for (text, expected) in
        [("Colour", "kˈɑlɔ"), ("color's", "kˈɑlɔz"), ("tomato", "təmˈAtO"), ("Madison", "mˈædɪsən")]
    {
        assert_eq!(read(&lexicon, text, Language::EnUs), expected, "{text}");
    }
    let plain = |text| read(&Lexicon::new(), text, Language::EnUs);
    assert_eq!(read(&lexicon, "UN", Language::EnUs), plain("United Nations"));
    // The lexicon applies to English texts only.
    let hindi = |lexicon| read(lexicon, "tomato", Language::HiIn);
    assert_eq!(hindi(&lexicon), hindi(&Lexicon::new()));
}

#[test]
fn ipa_need_be_that_of_the_language_alone() {
    let lexeme = "<lexeme><grapheme>राकेश</grapheme><phoneme>ɾaːkeːʃ</phoneme></lexeme>";
    let hindi = document(lexeme).replace("en-US", "hi");
    let lexicon = Lexicon::from_pls(&hindi).unwrap();
    assert_eq!(lexicon.language(), Some(Language::HiIn));
    // `r.` is a Hindi sound.
    let lexeme = lexeme.replace("ɾaːkeːʃ", "lˈʌr.kʰaː");
    assert!(Lexicon::from_pls(&document(&lexeme).replace("en-US", "hi-IN")).is_ok());
}

#[test]
fn forms_of_a_grapheme_in_unicode_are_one() {
    let lexeme = |words: &str, alias: &str| {
        format!("<lexeme><grapheme>{words}</grapheme><alias>{alias}</alias></lexeme>")
    };
    let lexemes = [lexeme("\u{95b}ोया", "first"), lexeme("ज\u{93c}ोया", "second")].concat();
    let lexicon = Lexicon::from_pls(&document(&lexemes)).unwrap();
    assert_eq!(lexicon.len(), 1);
    assert_eq!(lexicon, Lexicon::from_pls(&document(&lexeme("\u{95b}ोया", "first"))).unwrap());
}

#[test]
fn the_first_preferred_lexeme_of_a_grapheme_counts() {
    let lexeme = |prefer: &str, ipa: &str| {
        format!(
            "<lexeme role='x'><grapheme>polish</grapheme><phoneme{prefer}>{ipa}</phoneme></lexeme>"
        )
    };
    let preferred = " prefer='true'";
    for (lexemes, expected) in [
        ([lexeme("", "ˈpɑlɪʃ"), lexeme("", "ˈpoʊlɪʃ")], "pˈɑlɪʃ"),
        ([lexeme("", "ˈpɑlɪʃ"), lexeme(preferred, "ˈpoʊlɪʃ")], "pˈOlɪʃ"),
        ([lexeme(preferred, "ˈpɑlɪʃ"), lexeme(preferred, "ˈpoʊlɪʃ")], "pˈɑlɪʃ"),
    ] {
        let lexicon = Lexicon::from_pls(&document(&lexemes.concat())).unwrap();
        assert_eq!(read(&lexicon, "polish", Language::EnUs), expected);
    }
}

#[test]
fn what_is_refused_has_a_place() {
    let is_refused = |document: &str, place: &str, problem: &str| {
        let error = Lexicon::from_pls(document).expect_err(document);
        error.message().starts_with(&format!("PLS line {place}: {problem}"))
    };
    holds("refused lexemes", |[lexemes, place, problem]| {
        is_refused(&document(lexemes), place, problem)
    });
    holds("refused lexicons", |[document, place, problem]| is_refused(document, place, problem));
}

#[test]
fn a_file_has_a_limit() {
    let lexeme = |n| format!("<lexeme><grapheme>w{n}</grapheme><alias>a</alias></lexeme>\n");
    let lexemes = |count| document(&(0..count).map(lexeme).collect::<String>());
    assert_eq!(Lexicon::from_pls(&lexemes(5000)).unwrap().len(), 5000);
    let error = Lexicon::from_pls(&lexemes(5001)).unwrap_err();
    assert_eq!(error.message(), "PLS line 5002, column 9: a lexicon may have 5000 entries");
}

/// Sequences of document fragments.
fn some_pls() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(cells("parts of PLS"));
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_document_is_a_lexicon_or_refused_with_its_place(
        document in "\\PC{0,60}",
        pieces in some_pls(),
        text in "\\PC{0,12}",
        name in prop::sample::select(vec!["phoneme", "alias"]),
    ) {
        let text = text.replace(['<', '&'], "");
        let lexeme = format!("<lexeme><grapheme>{text}</grapheme><{name}>{text}</{name}></lexeme>");
        for document in [document, pieces, self::document(&lexeme)] {
            match Lexicon::from_pls(&document) {
                Ok(lexicon) => {
                    prop_assert_eq!(lexicon.language(), Some(Language::EnUs));
                }
                Err(error) => prop_assert!(error.message().starts_with("PLS line "), "{}", error),
            }
        }
    }
}

use proptest::prelude::*;

use super::*;
use crate::normalize::Options;
use crate::pronunciation::Lexicons;

/// A document with these lexemes. Its first line is the text before them.
fn document(lexemes: &str) -> String {
    format!(
        "<lexicon version='1.0' xml:lang='en-US' xmlns='{}'>\n{lexemes}</lexicon>",
        PLS.namespace
    )
}

/// The words and phonemes of a text that is read with a lexicon.
fn read(lexicon: &Lexicon, text: &str, language: Language) -> String {
    use crate::front_end::FrontEnd;
    use speech_base::fork::LazyLock;
    static FRONT_END: LazyLock<FrontEnd> = LazyLock::new(FrontEnd::load);
    let options = Options { lexicons: Lexicons::of(lexicon), ..Options::plain(language) };
    let sentences = FRONT_END.normalize(text, options);
    sentences.map(|(_, words)| FRONT_END.phonemize(&words).to_line()).collect()
}

#[test]
fn lexemes_of_published_examples() {
    let lexicon = Lexicon::from_pls(
        r#"<?xml version="1.0" encoding="UTF-8"?>
        <lexicon version="1.0"
              xmlns="http://www.w3.org/2005/01/pronunciation-lexicon"
              xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
              xsi:schemaLocation="http://www.w3.org/2005/01/pronunciation-lexicon
                http://www.w3.org/TR/2007/CR-pronunciation-lexicon-20071212/pls.xsd"
              alphabet="ipa" xml:lang="en-GB">
          <meta name="Creator" content="Someone"/>
          <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>
          <!-- A comment. -->
          <lexeme xml:id="c">
            <grapheme>colour</grapheme>
            <grapheme>color</grapheme>
            <phoneme>ˈkʌlə</phoneme>
            <phoneme prefer="true">ˈkɒlɔː</phoneme>
            <example>My favourite colour.</example>
          </lexeme>
          <lexeme><grapheme>UN</grapheme><alias>United   Nations
          </alias></lexeme>
          <lexeme><grapheme>tomato</grapheme><phoneme>/təˈmeɪtoʊ/</phoneme></lexeme>
          <lexeme>
            <grapheme>Madison</grapheme>
            <phoneme alphabet="cmu-arpabet">M AE1 D IH0 S AH0 N</phoneme>
          </lexeme>
          <lexeme><grapheme>AT&amp;T</grapheme><alias><![CDATA[A T & T]]></alias></lexeme>
        </lexicon>"#,
    )
    .unwrap();
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

/// Invalid lexemes: the position of the error, in a document that has them in its second line, and
/// the start of the message.
const REFUSED_LEXEMES: [(&str, &str, &str); 16] = [
    ("<lexeme><grapheme>a</grapheme></lexeme>", "2, column 1", "'lexeme' needs a 'grapheme', and"),
    ("<lexeme><alias>a</alias></lexeme>", "2, column 1", "'lexeme' needs a 'grapheme', and"),
    ("<word/>", "2, column 1", "here may be lexeme, meta, metadata"),
    ("<lexeme xmlns='urn:x'/>", "2, column 1", "here may be lexeme, meta, metadata"),
    ("a", "2, column 1", "here may be lexeme, meta, metadata"),
    ("<lexeme><sub/></lexeme>", "2, column 9", "here may be grapheme, phoneme, alias, example"),
    ("<lexeme><grapheme><b/></grapheme></lexeme>", "2, column 19", "here may be text only"),
    ("<lexeme id='a'/>", "2, column 9", "the attribute is not supported; there are role, xml:id"),
    (
        "<lexeme><grapheme>a</grapheme><phoneme>b7</phoneme></lexeme>",
        "2, column 31",
        "the pronunciation: character 2 of it is not a phoneme symbol",
    ),
    (
        "<lexeme><grapheme>a</grapheme><phoneme/></lexeme>",
        "2, column 31",
        "the pronunciation: it has no sound in it",
    ),
    (
        "<lexeme><grapheme>a</grapheme><phoneme alphabet='cmu-arpabet'>K X</phoneme></lexeme>",
        "2, column 31",
        "the pronunciation: phoneme 2 of it is not of cmu-arpabet",
    ),
    (
        "<lexeme><grapheme>a</grapheme><phoneme alphabet='x-sampa'>k</phoneme></lexeme>",
        "2, column 50",
        "the alphabet is not supported; there are ipa, cmu-arpabet",
    ),
    (
        "<lexeme><grapheme>a</grapheme><alias alphabet='ipa'>k</alias></lexeme>",
        "2, column 38",
        "the attribute is not supported; there are prefer",
    ),
    (
        "<lexeme><grapheme>a</grapheme><alias prefer='yes'>k</alias></lexeme>",
        "2, column 46",
        "'prefer' must be true or false",
    ),
    (
        "<lexeme><grapheme>!</grapheme><alias>k</alias></lexeme>",
        "2, column 9",
        "an entry needs words",
    ),
    ("<lexeme>", "2, column 9", "this tag ends another element than the one that is open"),
];

/// Invalid documents: the position of the error and the start of the message.
const REFUSED_DOCUMENTS: [(&str, &str, &str); 9] = [
    ("", "1, column 1", "there is no element"),
    ("<speak/>", "1, column 1", "the first element must be 'lexicon' of"),
    (
        "<lexicon version='1.0' xmlns='urn:x'/>",
        "1, column 1",
        "the first element must be 'lexicon' of",
    ),
    ("<lexicon version='1.0'/>", "1, column 1", "'lexicon' needs the attribute 'xml:lang'"),
    ("<lexicon xml:lang='en'/>", "1, column 1", "'lexicon' needs the attribute 'version'"),
    ("<lexicon version='2.0' xml:lang='en'/>", "1, column 19", "the version must be 1.0"),
    (
        "<lexicon version='1.0' xml:lang='de'/>",
        "1, column 34",
        "the language is not supported; there are en-US, hi-IN",
    ),
    (
        "<lexicon version='1.0' xml:lang='hi' alphabet='cmu-arpabet'/>",
        "1, column 48",
        "the alphabet cmu-arpabet is for English",
    ),
    (
        "<!DOCTYPE lexicon SYSTEM 'x.dtd'>\n<lexicon version='1.0' xml:lang='en'/>",
        "1, column 1",
        "document type declarations are not supported",
    ),
];

#[test]
fn what_is_refused_has_a_place() {
    let rows = REFUSED_LEXEMES.map(|(lexemes, place, problem)| (document(lexemes), place, problem));
    let whole =
        REFUSED_DOCUMENTS.map(|(document, place, problem)| (document.to_owned(), place, problem));
    let failures: Vec<_> = rows
        .into_iter()
        .chain(whole)
        .filter_map(|(document, place, problem)| {
            let message = Lexicon::from_pls(&document).map_err(|error| error.message().to_owned());
            let expected = format!("PLS line {place}: {problem}");
            let is_it = message.as_ref().is_err_and(|message| message.starts_with(&expected));
            (!is_it).then(|| format!("{document}: {message:?}, not {expected}"))
        })
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
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
    let piece = prop::sample::select(vec![
        "<lexicon version='1.0' xml:lang='en'>",
        "</lexicon>",
        "<lexeme>",
        "</lexeme>",
        "<grapheme>",
        "</grapheme>",
        "<phoneme alphabet='cmu-arpabet'>",
        "<phoneme prefer='true'>",
        "</phoneme>",
        "<alias>",
        "</alias>",
        "K AE1 T",
        "kˈæt",
        "é&amp;<![CDATA[<]]>",
        "<!-- a -->",
        " \n",
    ]);
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

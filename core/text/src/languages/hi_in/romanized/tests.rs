//! Tests romanized Hindi in sentences.

use speech_base::language::Language;

use super::find;
use super::oov::transliterate;
use crate::normalize::{Options, Token};
use crate::pronunciation::{Lexicon, Lexicons};
use crate::row_tests::sentence;

const HI: Language = Language::HiIn;

/// The words in their own scripts; words are usually shown as typed.
fn said(text: &str, options: Options<'_>) -> String {
    let mut read = sentence(text, options);
    for token in &mut read.tokens {
        if let Token::Word(word) = token {
            word.written = None;
        }
    }
    read.to_line()
}

crate::row_tests::rows! {
    romanized: |[language, text]| said(text, Options::plain(crate::row_tests::language(language)));
    sources_of_romanized: |[text]| {
        let tokens = sentence(text, Options::plain(HI)).tokens.into_iter();
        let shown = |token| match token {
            Token::Word(word) => format!("{}={}", word.text, &text[word.span]),
            Token::Mark(mark) => mark.symbol.into(),
        };
        tokens.map(shown).collect::<Vec<_>>().join(" ")
    };
}

#[test]
fn callers_have_the_last_word() {
    let text = "kya baat hai";
    let off = Options { read_romanized_hindi: false, ..Options::plain(HI) };
    assert_eq!(said(text, off), text);

    let mut lexicon = Lexicon::new();
    lexicon.insert("baat", "tuktuk").expect("it can be said");
    lexicon.insert("है", "हैं").expect("it can be said");
    let options = Options { lexicons: Lexicons::of(&lexicon), ..Options::plain(HI) };
    assert_eq!(said(text, options), "क्या tuktuk हैं");
    assert_eq!(sentence(text, options).to_line(), "kya tuktuk हैं");
    let inline = said("kya [baat](/bˈaːt/) hai", Options::plain(HI));
    assert_eq!(inline, "क्या baat है");
}

#[test]
fn words_of_no_list() {
    for (latin, expected) in [("guthliyon", "गुठलियों"), ("", "")] {
        assert_eq!(transliterate(latin).unwrap_or_default(), expected, "{latin}");
    }
    assert!(find(&"x".repeat(500), false).is_empty());
}

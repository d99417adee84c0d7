//! Tests romanized Hindi in sentences.

use speech_base::language::Language;

use super::find;
use super::oov::transliterate;
use crate::languages::locales;
use crate::normalize::{NormalizedText, Options, Token, normalize};
use crate::pronunciation::{Lexicon, Lexicons};
use crate::row_tests::check;
use crate::segment::Sentence;

const HI: Language = Language::HiIn;

fn read(text: &str, options: Options<'_>) -> NormalizedText {
    let sentence = Sentence::whole(text);
    normalize(text, &sentence, options, locales())
}

/// The words in their own scripts; words are usually shown as typed.
fn said(text: &str, options: Options<'_>) -> String {
    let mut read = read(text, options);
    for token in &mut read.tokens {
        if let Token::Word(word) = token {
            word.written = None;
        }
    }
    read.to_line()
}

#[test]
fn romanized_words_in_their_script() {
    check("romanized", |[language, text]| {
        said(text, Options::plain(language.parse().expect("a language")))
    });
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
    assert_eq!(read(text, options).to_line(), "kya tuktuk हैं");
    let inline = said("kya [baat](/bˈaːt/) hai", Options::plain(HI));
    assert_eq!(inline, "क्या baat है");
}

#[test]
fn words_point_to_what_they_were_read_from() {
    let text = "é २० Aapka order kal";
    let words: Vec<_> = read(text, Options::plain(HI))
        .tokens
        .into_iter()
        .filter_map(|token| match token {
            Token::Word(word) => Some((word.text, &text[word.span])),
            Token::Mark(_) => None,
        })
        .collect();
    let words: Vec<_> = words.iter().map(|(word, source)| (word.as_str(), *source)).collect();
    let expected =
        [("é", "é"), ("बीस", "२०"), ("आपका", "Aapka"), ("order", "order"), ("कल", "kal")];
    assert_eq!(words, expected);
}

#[test]
fn words_of_no_list() {
    for (latin, expected) in [("guthliyon", "गुठलियों"), ("", "")] {
        assert_eq!(transliterate(latin).unwrap_or_default(), expected, "{latin}");
    }
    assert!(find(&"x".repeat(500), false).is_empty());
}

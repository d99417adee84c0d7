//! Tests romanized Hindi in sentences.

use speech_base::language::Language;

use super::find;
use super::oov::transliterate;
use crate::languages::locales;
use crate::normalize::{NormalizedText, Options, Token, normalize};
use crate::pronunciation::{Lexicon, Lexicons};
use crate::segment::Sentence;

const EN: Language = Language::EnUs;
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

fn assert_lines(rows: &[(Language, &str, &str)]) {
    let failures: Vec<_> = rows
        .iter()
        .filter_map(|(language, text, expected)| {
            let got = said(text, Options::plain(*language));
            (got != *expected).then(|| format!("{text}: {got}, not {expected}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn hindi_in_a_hindi_request() {
    assert_lines(&[
        (HI, "Aapka order kal subah 7 baje milega", "आपका order कल सुबह सात बजे मिलेगा"),
        (HI, "kya kr rhe ho?", "क्या कर रहे हो?"),
        (HI, "mujhe nahi pata", "मुझे नहीं पता"),
        (HI, "mujhe nahin pata", "मुझे नहीं पता"),
        (HI, "mjhe ni pta", "मुझे नहीं पता"),
        (HI, "KYAAAA BAAT HAI", "क्या बात है"),
        (HI, "Aapke khate mein Rs 500 jama hue hain.", "आपके खाते में पाँच सौ रुपए जमा हुए हैं."),
        (HI, "dhire-dhire chalo", "धीरे धीरे चलो"),
        (HI, "main ghar me hu", "मैं घर में हूँ"),
        (HI, "yaar tu kahan hai", "यार तू कहाँ है"),
        (HI, "Rahul ne kaha ki wo kal aayega", "राहुल ने कहा कि वो कल आएगा"),
    ]);
}

#[test]
fn english_stays_english() {
    assert_lines(&[
        (HI, "Please pass me the salt.", "Please pass me the salt."),
        (HI, "Do not chat in the main hall.", "Do not chat in the main hall."),
        (HI, "server पर files upload करो", "server पर files upload करो"),
        (HI, "Meeting ka link share karo", "Meeting का link share करो"),
        (HI, "-SBI", "एस बी आई"),
        (HI, "eKYC aur CrPC", "ई के वाई सी और सी आर पी सी"),
        (EN, "We had a cup of chai.", "We had a cup of chai."),
        (EN, "The paneer tikka is so good.", "The paneer tikka is so good."),
        (EN, "Rahul and Priya live in Pune.", "Rahul and Priya live in Pune."),
        (EN, "Main menu", "Main menu"),
        (EN, "", ""),
    ]);
}

#[test]
fn what_is_clearly_hindi_in_an_english_request() {
    assert_lines(&[
        (EN, "Aap kaise hain?", "आप कैसे हैं?"),
        (EN, "Kal 7 baje milte hain.", "कल सात बजे मिलते हैं."),
        (
            EN,
            "She said, main ghar ja rahi hoon, and left 2 keys.",
            "She said, मैं घर जा रही हूँ, and left two keys.",
        ),
    ]);
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

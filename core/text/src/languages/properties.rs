//! Property tests of the front end on arbitrary text.

use proptest::prelude::*;
use speech_base::language::Language;
use speech_tests::properties::cases;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::locales;
use crate::front_end::sentences;
use crate::normalize::{NormalizedText, Options, Token, normalize};
use crate::segment::lines::escaped_break;

/// Characters of recognized forms, so that valid and broken forms are frequent.
const FORMS: &str = "([0-9]{1,4}|[.,:/'\"x+*=<>^~#@%&()-]|[ ]|[$€£₹¥°½²′″–−]|kg|km/h|am|p\\.m\\.|Q3|FY|st|th|s|\
    Jan|May |Mon|Rs\\.|USD|million|k|Cr|lakh|Dr\\.|St\\.|No\\.|CA|[A-Za-z]{1,5}|१|٣|①|Ⅷ|é|नमस्ते|😀){0,16}";

/// Characters of Hindi forms.
const HINDI_FORMS: &str = "([0-9०-९]{1,4}|[.,:/'\"x+*=<>^~#@%&()-]|[ ]|[$€₹°½²–−।|]|₹ ?|रु\\.|Rs\\.|किमी|मिली|कि\\.ग्रा\\.|\
    km/h|kg|GB|डिग्री से\\.|प्रतिशत|वां|वीं|वें|रा|ठी|th|st|बजे|बजकर|मिनट|सुबह|PM|पीएम|लाख|करोड़|lakh|K|G|हज़ार|साल|घंटे|\
    सन्|ई\\. ?पू\\.|ई\\.|में|से|के|दशक|सदी|जनवरी|अगस्त|Aug|Jan |FY|Q3|सोमवार|लोग|कप|हरा|अनुपात|ि|्|़|[क-ह]{1,3}){0,14}";

/// Characters of Hindi text without quantities.
const HINDI_TEXTS: &str = "([0-9]{1,4}|[.,:/'\"+*=<>~#@%&()|-]|[ ]|[₹°½।॰]|[१-९]|डॉ|उ\\.प्र\\.|ई\\.पू|रु\\.|नं\\.|बी\\.|ए\\.|रोड|सेक्टर |नगर|\
    पता|दिल्ली |के |में|ओटीपी |कॉल |वीं|बजे|लाख|साढ़े |GST|e-|U-19|XIV|लुई |O|B12|km|Dr\\.|gmail\\.com|[A-Za-z]{1,4}|्|़|ा|😀){0,16}";

/// Characters of romanized Hindi.
const ROMANIZED: &str = "([0-9]{1,4}|[.,:/'\"!?()@#-]|[ ]| (aap|main|hai|h|kya|nahi|ka|ke|ki|me|the|to|do|is|ghar|baje|Rs|bht|mat) |\
    [a-z]{1,6}|Order|OTP|kg|यार|é|😀){0,20}";

/// And for formulas.
const FORMULAS: &str = "([$]|[\\\\](frac|sqrt|lim|log|text|int|to|circ|hat|left|binom|x|[(){}\\[\\]])|[a-zA-Z0-9]|[{}()\\[\\]|^_=+*/'!.,-]|[ ]|\
    \\*\\*|[√∫∑∂∠⟂→∞π°²₁½]|sin|lim|H2O|sum){0,24}";

fn check(text: &str, language: Language) {
    for sentence in sentences(text) {
        let normalized = normalize(text, &sentence, Options::plain(language), locales());
        check_words(text, &normalized);
        check_places(text, &normalized, sentence.span.clone());
        check_nothing_is_lost(text, &normalized, sentence.span);
    }
}

fn check_words(text: &str, normalized: &NormalizedText) {
    for token in &normalized.tokens {
        match token {
            Token::Word(word) => {
                let is_plain = |c: char| {
                    c.nfd().next().is_some_and(|base| base.is_ascii_alphabetic())
                        || "'-".contains(c)
                        || locales().is_own_script(c) && (c.is_alphabetic() || is_combining_mark(c))
                };
                assert!(word.text.chars().all(is_plain), "{:?} of {text:?}", word.text);
                assert!(!word.text.is_empty(), "an empty word of {text:?}");
            }
            Token::Mark(mark) => assert!(";:,.!?—…\"()“”".contains(mark.symbol), "{mark:?}"),
        }
    }
}

/// Checks that spans are inside the sentence, on character boundaries, and in order.
fn check_places(text: &str, normalized: &NormalizedText, sentence: std::ops::Range<usize>) {
    let mut start = sentence.start;
    for token in &normalized.tokens {
        let span = match token {
            Token::Word(word) => &word.span,
            Token::Mark(mark) => &mark.span,
        };
        assert!(text.get(span.clone()).is_some_and(|source| !source.is_empty()), "{token:?}");
        assert!(start <= span.start && span.end <= sentence.end, "{token:?} of {text:?}");
        start = span.start;
    }
}

/// Characters typed instead of a mark: a visarga for a colon, letters for a danda.
const MARK_LOOK_ALIKES: [char; 4] = ['ः', 'l', 'I', '\u{1c0}'];

/// Checks that every letter and digit is spoken or reported as skipped.
fn check_nothing_is_lost(
    text: &str,
    normalized: &NormalizedText,
    sentence: std::ops::Range<usize>,
) {
    let stands_for_mark = |span: &std::ops::Range<usize>| {
        let mut typed = text[span.clone()].chars();
        typed.all(|c| MARK_LOOK_ALIKES.contains(&c) || !c.is_alphanumeric())
    };
    let words = normalized.tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(&word.span),
        Token::Mark(mark) => Some(&mark.span).filter(|span| stands_for_mark(span)),
    });
    let skipped = normalized.skipped.iter().map(|skipped| &skipped.span);
    let spans: Vec<_> = words.chain(skipped).collect();
    for (i, c) in text[sentence.clone()].char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        let at = sentence.start + i;
        // A line break written as `\n`, in any of Unicode's alphabets, is silent.
        let is_break = c.nfkc().eq(['n'])
            && text[..at].strip_suffix('\\').is_some_and(|before| {
                escaped_break(before, text[before.len()..].nfkc(), |_| false).is_some()
            });
        assert!(
            is_break || spans.iter().any(|span| span.contains(&at)),
            "{c:?} of {text:?}: {normalized:?}"
        );
    }
}

macro_rules! any_text {
    ($($name:ident: $texts:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(cases(512)))]
            $(
                #[test]
                fn $name(text in $texts) {
                    check(&text, Language::HiIn);
                    check(&text, Language::EnUs);
                }
            )*
        }
    };
}

any_text! {
    any_text_is_said_in_plain_words: "\\PC{0,40}|.{0,40}";
    any_hindi_form_is_said_in_plain_words: HINDI_FORMS;
    any_devanagari_is_said_in_plain_words:
        "([\u{900}-\u{97f}]|[कतरािं़् :|l1\u{200b}\u{200d}\u{301}]){0,40}";
    any_script_is_said_in_plain_words_or_skipped:
        "([\u{590}-\u{6ff}\u{980}-\u{dff}\u{e00}-\u{e7f}\u{1780}-\u{17ff}]|[aकि 1:.\u{200d}]){0,40}";
    any_form_is_said_in_plain_words: FORMS;
    any_formula_is_said_in_plain_words: FORMULAS;
    any_romanized_text_is_said_in_plain_words: ROMANIZED;
    any_hindi_text_is_said_in_plain_words: HINDI_TEXTS;
}

#[test]
fn every_symbol_is_said_in_plain_words() {
    let blocks = ['\0'..='\u{36f}', '\u{2000}'..='\u{2bff}', '\u{2e00}'..='\u{33ff}'];
    let more = ['\u{fe00}'..='\u{ffff}', '\u{1d000}'..='\u{1d7ff}', '\u{1f000}'..='\u{1fbff}'];
    for c in blocks.into_iter().chain(more).flatten() {
        check(&format!("{c} a{c}5 {c}4 3{c} km{c}"), Language::EnUs);
        check(&format!("{c} अ{c}5 {c}4 3{c} किमी"), Language::HiIn);
    }
}

//! Tests words of every language in the voices of every language.

use proptest::prelude::*;
use speech_base::language::Language;
use speech_tests::properties::cases;

use super::locales;
use crate::front_end::sentences;
use crate::normalize::{Options, normalize};
use crate::phonemize::Phonemes;
use crate::pronunciation::{Lexicon, Lexicons};
use crate::row_tests::{FRONT_END, sentence};

fn phonemes(text: &str, language: Language) -> Phonemes {
    FRONT_END.phonemize(&sentence(text, Options::plain(language)))
}

/// The number of words that have phonemes.
fn count(phonemes: &Phonemes) -> usize {
    phonemes.units.iter().filter(|unit| unit.word.is_some()).count()
}

crate::row_tests::rows! {
    phonemes_of_sentences: |[language, text]| {
        phonemes(text, crate::row_tests::language(language)).to_line()
    };
    english_words_in_a_hindi_voice: |[text, word]| {
        let phonemes = phonemes(text, Language::HiIn);
        phonemes.word(word.parse().expect("a number")).unwrap().symbols.clone()
    };
    texts_that_sound_alike: |[language, one, other]| {
        let line = |text| phonemes(text, crate::row_tests::language(language)).to_line();
        line(one) == line(other)
    };
}

#[test]
fn hindi_words_in_an_english_voice() {
    let text = "मुझे बाज़ार से पाँच चीज़ें ख़रीदनी थीं, फिर लड़का घर गया।";
    let line = phonemes(text, Language::EnUs).to_line();
    assert!(!line.contains(|c| "aceoxɖɟɣɲɳɽɾʂʈʋːʰ\u{303}".contains(c)), "{line}");
}

#[test]
fn possessives_and_user_pronunciations_have_the_sounds_of_the_voice() {
    let line = |text: &str| phonemes(text, Language::HiIn).to_line();
    assert_eq!(line("भारत's"), line("भारत") + "s");
    assert_eq!(line("[राकेश](/ɾaːkeːʃ/) है"), "ɾaːkeːʃ hɛː");
    let lexicon = Lexicon::parse("Rakesh\t/ɾaːkeːʃ/").unwrap();
    let options = Options { lexicons: Lexicons::of(&lexicon), ..Options::plain(Language::HiIn) };
    assert_eq!(crate::row_tests::phonemes("Rakesh's", options), "ɾaːkeːʃɪz");
}

#[test]
fn no_word_is_lost_and_none_is_a_placeholder() {
    for text in [
        "Narendra Modi's Flipkart order",
        "wxyz qzxwv nginx",
        "O'Brien's rock'n'roll e-mail",
        "XMLHttpRequest ÆON Ðorður",
        "the U.S. and a b c",
        "Привет 你好 नमस्ते ʒ ß ł",
        "-- ' - '' x' 'x",
        "NGO'S CDs' SaaS's d'x O'x n'n Mc 'Twas hmmmm zzzz",
        "über-naïve Ærø's Łódź-based ÉCOLE",
        "serverपर GSTका app-आधारित आधारित-app राम's 'राम' मैंserver'sपर Modiji-वाला U.S.का",
        "mujhe kal meeting mein jaana hai, aap kaise hain? yeh to theek hai na",
    ] {
        for language in [Language::EnUs, Language::HiIn] {
            let normalized = sentence(text, Options::plain(language));
            let phonemes = FRONT_END.phonemize(&normalized);
            let words = normalized.word_count();
            assert_eq!(count(&phonemes), words, "{text}: {}", phonemes.to_line());
        }
    }
}

#[test]
fn tokens_know_their_words() {
    let phonemes = phonemes("Hi, you.", Language::EnUs);
    let tokens = phonemes.tokens();
    let words = tokens.iter().map(|token| phonemes.units[token.unit?].word);
    let words: Vec<_> = words.collect();
    let first = words.iter().filter(|word| **word == Some(0)).count();
    let second = words.iter().filter(|word| **word == Some(1)).count();
    assert_eq!((first, second), ("hˈI".chars().count(), "ju".chars().count()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(64)))]
    #[test]
    fn romanized_hindi_loses_no_word(
        text in "((mujhe|aap|kal|ka|ki|hai|nahi|kyunki|zyada|chhutti|bhaiya|[a-z]{1,9})[,]? ){1,12}",
        hindi: bool,
    ) {
        let language = if hindi { Language::HiIn } else { Language::EnUs };
        let written = text.split_whitespace().count();
        let read: usize = sentences(&text)
            .iter()
            .map(|sentence| normalize(&text, sentence, Options::plain(language), locales()))
            .map(|text| count(&FRONT_END.phonemize(&text)))
            .sum();
        prop_assert!(read >= written, "{read} of {written}: {text}");
    }

    #[test]
    fn any_text_gives_symbols_of_the_vocabulary(
        text in "\\PC{0,60}|[a-zA-Z'’ .,-]{0,60}|([A-Z]{1,6}'?s?[ -]?){0,8}|([A-Zé]?[a-zñ]{0,9}[ '-]?){0,8}|[\u{900}-\u{97f} \u{200d}]{0,40}|([A-Za-z]{0,5}['-]?[क-हा-ौं् ]{0,4}){0,8}",
        hindi: bool,
        limit in 1..40_usize,
    ) {
        let language = if hindi { Language::HiIn } else { Language::EnUs };
        for sentence in sentences(&text) {
            let normalized = normalize(&text, &sentence, Options::plain(language), locales());
            let phonemes = FRONT_END.phonemize(&normalized);
            prop_assert_eq!(count(&phonemes), normalized.word_count());
            let tokens = phonemes.tokens();
            let parts = phonemes.split(limit);
            let mut total = 0;
            for part in &parts {
                let length = part.tokens().len();
                prop_assert!(length <= limit);
                total += length;
            }
            // Only the space between two parts is omitted.
            prop_assert!(total <= tokens.len() && tokens.len() < total + parts.len());
        }
    }
}

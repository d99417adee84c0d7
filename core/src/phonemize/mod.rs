//! Words to phonemes, and phonemes to the tokens of the acoustic model.

pub(crate) mod cross_lingual;
pub(crate) mod custom_lexicon;
pub(crate) mod english_to_hindi;
pub(crate) mod hindi_to_english;
pub(crate) mod latin;
pub(crate) mod split;
pub(crate) mod vocab;

pub(crate) use crate::languages::en_us::phonemize::oov::read as read_unknown;
pub(crate) use crate::languages::hi_in::phonemize::read as read_hindi_word;

use std::ops::Range;

use crate::normalize::{NormalizedText, Reading, Token, Word};
use crate::request::Language;

/// The tokens of one inference at most, without the pad at each end.
pub(crate) const MAX_TOKENS: usize = 510;

/// The phonemes of a sentence, a unit for each word and mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phonemes {
    pub(crate) units: Vec<Unit>,
}

/// A word or a mark in phoneme symbols, all of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) symbols: String,
    /// The word's place among the words of the sentence; `None` for a mark.
    pub(crate) word: Option<usize>,
    /// A space stands before the unit.
    pub(crate) spaced: bool,
    /// The word begins a clause: "because", "and".
    pub(crate) conjunction: bool,
    /// Bytes of the caller's text.
    pub(crate) span: Range<usize>,
}

impl Phonemes {
    /// The symbols as one line.
    pub(crate) fn to_line(&self) -> String {
        let mut line = String::new();
        for unit in &self.units {
            if unit.spaced && !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&unit.symbols);
        }
        line
    }

    /// The unit of a word, by its place among the words of the sentence.
    pub(crate) fn word(&self, word: usize) -> Option<&Unit> {
        self.units.iter().find(|unit| unit.word == Some(word))
    }

    /// The token ids, and for each the word it belongs to.
    pub(crate) fn tokens(&self) -> (Vec<i64>, Vec<Option<usize>>) {
        let mut ids = Vec::new();
        let mut words = Vec::new();
        for unit in &self.units {
            if unit.spaced && !ids.is_empty() {
                ids.extend(vocab::id(' ').map(i64::from));
                words.push(None);
            }
            for id in unit.symbols.chars().filter_map(vocab::id) {
                ids.push(i64::from(id));
                words.push(unit.word);
            }
        }
        (ids, words)
    }
}

/// Reads words in both languages. Loading takes a moment; using it is cheap and needs no lock.
pub(crate) struct Phonemizer {
    english: Box<dyn WordReader>,
}

/// Reads a run of English words in their context.
///
/// The seam for another lexicon: words in, for each its phonemes in the vocabulary's symbols, none of
/// them empty.
pub(crate) trait WordReader: Send + Sync {
    /// The phonemes of each word of `tokens`, Hindi words in English sounds; marks are context only.
    fn read(&self, tokens: &[&Token]) -> Vec<String>;
}

impl Phonemizer {
    pub(crate) fn new() -> Self {
        Self { english: Box::new(crate::languages::en_us::phonemize::EnglishReader) }
    }

    /// The phonemes of a normalised sentence.
    pub(crate) fn phonemize(&self, text: &NormalizedText) -> Phonemes {
        let mut readings = self.readings(text).into_iter();
        let mut units = Vec::new();
        let mut words = 0;
        let mut opened = true;
        for token in &text.tokens {
            match token {
                Token::Word(word) => {
                    let symbols = in_vocabulary(&readings.next().unwrap_or_default());
                    if !symbols.is_empty() {
                        units.push(Unit {
                            symbols,
                            word: Some(words),
                            spaced: !opened,
                            conjunction: split::is_conjunction(&word.text),
                            span: word.span.clone(),
                        });
                        opened = false;
                    }
                    words += 1;
                }
                Token::Mark(mark) => {
                    let opens = matches!(mark.symbol, '(' | '“');
                    let spaced = (opens || mark.symbol == '—') && !opened;
                    units.push(Unit {
                        symbols: mark.symbol.into(),
                        word: None,
                        spaced,
                        conjunction: false,
                        span: mark.span.clone(),
                    });
                    opened = opens;
                }
            }
        }
        Phonemes { units }
    }

    /// The phonemes of each word, in sounds that the voices of the language say.
    fn readings(&self, text: &NormalizedText) -> Vec<String> {
        match text.spoken {
            Language::EnUs => self.in_english(&text.tokens),
            Language::HiIn => self.in_hindi(&text.tokens),
        }
    }

    /// Hindi words stand among the English ones, whose readings depend on what follows.
    fn in_english(&self, tokens: &[Token]) -> Vec<String> {
        if words(tokens).all(|word| word.reading == Reading::Word(Language::HiIn)) {
            return words(tokens).map(|word| cross_lingual::in_english(&word.text)).collect();
        }
        self.english.read(&tokens.iter().collect::<Vec<_>>())
    }

    /// English words are read in the runs between the Hindi ones.
    fn in_hindi(&self, tokens: &[Token]) -> Vec<String> {
        let mut readings = Vec::new();
        for run in tokens.chunk_by(|token, next| is_hindi(token) == is_hindi(next)) {
            if is_hindi(&run[0]) {
                readings.extend(words(run).map(|word| cross_lingual::hindi(&word.text)));
            } else if words(run).next().is_some() {
                let english = self.english.read(&run.iter().collect::<Vec<_>>());
                let said = words(run).zip(english);
                readings
                    .extend(said.map(|(word, english)| cross_lingual::in_hindi(word, &english)));
            }
        }
        readings
    }
}

fn words(tokens: &[Token]) -> impl Iterator<Item = &Word> {
    tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word),
        Token::Mark(_) => None,
    })
}

fn is_hindi(token: &Token) -> bool {
    matches!(token, Token::Word(word) if word.reading == Reading::Word(Language::HiIn))
}

/// The symbols that the model knows; stress marks and letters are, by construction, so this only
/// guards against a lexicon entry gone wrong.
fn in_vocabulary(symbols: &str) -> String {
    symbols.chars().filter(|symbol| vocab::id(*symbol).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::normalize::{Options, normalize};
    use crate::request::Language;
    use crate::segment::{Sentence, sentences};

    static PHONEMIZER: LazyLock<Phonemizer> = LazyLock::new(Phonemizer::new);

    fn phonemes(text: &str, language: Language) -> Phonemes {
        let sentence = Sentence { span: 0..text.len(), ends_paragraph: true };
        PHONEMIZER.phonemize(&normalize(text, &sentence, Options::plain(language)))
    }

    #[test]
    fn known_words_marks_and_spaces() {
        let rows = [
            ("Hello, world.", "həlˈO, wˈɜɹld."),
            ("the apple, the dog", "ði ˈæpᵊl, ðə dˈɔɡ"),
            ("He doesn't (really) know.", "hˌi dˈʌzᵊnt (ɹˈiᵊli) nˈO."),
            ("twenty-three", "twˈɛntiθɹˌi"),
            ("a “fine” thing — yes", "ɐ “fˈIn” θˈɪŋ — jˈɛs"),
            ("$5", "fˈIv dˈɑləɹz"),
        ];
        for (text, expected) in rows {
            assert_eq!(phonemes(text, Language::EnUs).to_line(), expected, "{text}");
        }
    }

    #[test]
    fn english_words_in_a_hindi_voice() {
        let rows: &[(&str, usize, &str)] = &[
            ("मुझे server पर files upload करनी हैं।", 1, "sˈʌɾʋəɾ"),
            ("मुझे server पर files upload करनी हैं।", 4, "ˈʌplˌOɖ"),
            ("serverपर", 0, "sˈʌɾʋəɾ"),
            ("app-आधारित", 0, "ˈɛːp"),
            ("the U.S. का", 0, "də"),
            ("[Nguyen](/wɪn/) का", 0, "ʋɪn"),
        ];
        for (text, word, expected) in rows {
            let phonemes = phonemes(text, Language::HiIn);
            assert_eq!(phonemes.word(*word).unwrap().symbols, *expected, "{text}");
        }
        let symbols = |text| phonemes(text, Language::HiIn).to_line();
        assert_eq!(symbols("serverपर"), symbols("server पर"));
        assert_eq!(symbols("app-आधारित"), symbols("app आधारित"));
    }

    #[test]
    fn hindi_words_in_an_english_voice() {
        let rows = [("a सब्ज़ी, the आम", "ɐ sˈʌbzi, ði ˈɑm"), ("नरेन्द्र's दही", "nəɹˈɛndɹəz dˈʌhi")];
        for (text, expected) in rows {
            assert_eq!(phonemes(text, Language::EnUs).to_line(), expected, "{text}");
        }
        let text = "मुझे बाज़ार से पाँच चीज़ें ख़रीदनी थीं, फिर लड़का घर गया।";
        let line = phonemes(text, Language::EnUs).to_line();
        assert!(!line.contains(|c| "aceoxɖɟɣɲɳɽɾʂʈʋːʰ\u{303}".contains(c)), "{line}");
    }

    #[test]
    fn a_name_sounds_the_same_in_both_scripts() {
        for language in [Language::EnUs, Language::HiIn] {
            let line = |text| phonemes(text, language).to_line();
            assert_eq!(line("Narendra Modi, Flipkart"), line("नरेंद्र मोदी, फ़्लिपकार्ट"));
        }
        assert_eq!(
            phonemes("Delhi का password", Language::HiIn).to_line(),
            phonemes("दिल्ली का पासवर्ड", Language::HiIn).to_line()
        );
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
                let sentence = Sentence { span: 0..text.len(), ends_paragraph: true };
                let normalized = normalize(text, &sentence, Options::plain(language));
                let words = words(&normalized.tokens).count();
                let phonemes = PHONEMIZER.phonemize(&normalized);
                let read = phonemes.units.iter().filter(|unit| unit.word.is_some()).count();
                assert_eq!(read, words, "{text}: {}", phonemes.to_line());
            }
        }
    }

    #[test]
    fn tokens_know_their_words() {
        let (ids, words) = phonemes("Hi, you.", Language::EnUs).tokens();
        assert_eq!(ids.len(), words.len());
        let first = words.iter().filter(|word| **word == Some(0)).count();
        let second = words.iter().filter(|word| **word == Some(1)).count();
        assert_eq!((first, second), ("hˈI".chars().count(), "ju".chars().count()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn romanised_hindi_loses_no_word(
            text in "((mujhe|aap|kal|ka|ki|hai|nahi|kyunki|zyada|chhutti|bhaiya|[a-z]{1,9})[,]? ){1,12}",
            hindi: bool,
        ) {
            let language = if hindi { Language::HiIn } else { Language::EnUs };
            let written = text.split_whitespace().count();
            let read: usize = sentences(&text)
                .iter()
                .map(|sentence| normalize(&text, sentence, Options::plain(language)))
                .map(|text| PHONEMIZER.phonemize(&text).units.iter().filter(|unit| unit.word.is_some()).count())
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
                let normalized = normalize(&text, &sentence, Options::plain(language));
                let words = words(&normalized.tokens).count();
                let phonemes = PHONEMIZER.phonemize(&normalized);
                prop_assert_eq!(phonemes.units.iter().filter(|u| u.word.is_some()).count(), words);
                let (ids, _) = phonemes.tokens();
                let parts = phonemes.split(limit);
                let mut said = 0;
                for part in &parts {
                    let length = part.tokens().0.len();
                    prop_assert!(length <= limit);
                    said += length;
                }
                // Only the space between two parts is not said.
                prop_assert!(said <= ids.len() && ids.len() < said + parts.len());
            }
        }
    }
}

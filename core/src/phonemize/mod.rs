//! Words to phonemes, and phonemes to the tokens of the acoustic model.

mod en;
mod hi;
mod oov;
mod own;
mod split;
pub(crate) mod vocab;

pub(crate) use oov::read as read_unknown;

use std::ops::Range;

use crate::normalize::{NormalizedText, Reading, Token};

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
    /// The phonemes of each word of `tokens`; marks are context only.
    fn read(&self, tokens: &[&Token]) -> Vec<String>;
}

impl Phonemizer {
    pub(crate) fn new() -> Self {
        Self { english: Box::new(en::EnglishReader) }
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

    /// The phonemes of each word, English words in runs.
    fn readings(&self, text: &NormalizedText) -> Vec<String> {
        let mut readings = Vec::new();
        let mut run: Vec<&Token> = Vec::new();
        for token in &text.tokens {
            match token {
                Token::Word(word) if word.reading == Reading::Hindi => {
                    self.read_run(&mut run, &mut readings);
                    readings.push(hi::read(&word.text));
                }
                _ => run.push(token),
            }
        }
        self.read_run(&mut run, &mut readings);
        readings
    }

    fn read_run(&self, run: &mut Vec<&Token>, readings: &mut Vec<String>) {
        if run.iter().any(|token| matches!(token, Token::Word(_))) {
            readings.extend(self.english.read(run));
        }
        run.clear();
    }
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
        ] {
            let sentence = Sentence { span: 0..text.len(), ends_paragraph: true };
            let normalized = normalize(text, &sentence, Options::plain(Language::EnUs));
            let words = normalized.tokens.iter().filter(|t| matches!(t, Token::Word(_))).count();
            let phonemes = PHONEMIZER.phonemize(&normalized);
            let read = phonemes.units.iter().filter(|unit| unit.word.is_some()).count();
            assert_eq!(read, words, "{text}: {}", phonemes.to_line());
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
        fn any_text_gives_symbols_of_the_vocabulary(
            text in "\\PC{0,60}|[a-zA-Z'’ .,-]{0,60}|([A-Z]{1,6}'?s?[ -]?){0,8}|([A-Zé]?[a-zñ]{0,9}[ '-]?){0,8}|[\u{900}-\u{97f} \u{200d}]{0,40}",
            hindi: bool,
            limit in 1..40_usize,
        ) {
            let language = if hindi { Language::HiIn } else { Language::EnUs };
            for sentence in sentences(&text) {
                let normalized = normalize(&text, &sentence, Options::plain(language));
                let words = normalized.tokens.iter().filter(|t| matches!(t, Token::Word(_))).count();
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

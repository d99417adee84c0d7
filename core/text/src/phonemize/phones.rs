//! Groups the tokens of an utterance into phones, in IPA.

use std::ops::Range;

use super::PhonemeToken;

/// A phone, made of one or more tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone {
    /// The IPA, with a stress mark before it and marks of length, aspiration and nasality after it.
    pub ipa: String,
    /// Its unit.
    pub unit: usize,
    /// Its tokens.
    pub tokens: Range<usize>,
}

/// The phones of a token sequence, in order.
pub fn phones(tokens: &[PhonemeToken]) -> Vec<Phone> {
    let mut phones: Vec<Phone> = Vec::new();
    // The first token and the stress mark of the next phone.
    let mut stress: Option<(usize, char)> = None;
    for (at, token) in tokens.iter().enumerate() {
        let Some(unit) = token.unit else {
            stress = None;
            continue;
        };
        let last = phones.last_mut().filter(|phone| phone.unit == unit && phone.tokens.end == at);
        match (token.symbol, last) {
            ('ˈ' | 'ˌ', _) => stress = Some((at, token.symbol)),
            ('.', Some(phone)) if phone.ipa.ends_with('r') => {
                // The Hindi flap is written as a trill with a dot.
                phone.ipa.pop();
                phone.ipa.push('ɽ');
                phone.tokens.end = at + 1;
            }
            ('ː' | 'ʰ' | 'ʲ' | '\u{303}', Some(phone)) => {
                phone.ipa.push(token.symbol);
                phone.tokens.end = at + 1;
            }
            (symbol, _) if symbol.is_alphabetic() && !matches!(symbol, 'ː' | 'ʰ' | 'ʲ') => {
                let (start, mark) = stress.take().map_or((at, None), |(at, mark)| (at, Some(mark)));
                let mut ipa: String = mark.into_iter().collect();
                match plain_ipa(symbol) {
                    Some(plain) => ipa.push_str(plain),
                    None => ipa.push(symbol),
                }
                phones.push(Phone { ipa, unit, tokens: start..at + 1 });
            }
            _ => stress = None,
        }
    }
    phones
}

/// The IPA of a symbol that is not IPA itself.
fn plain_ipa(symbol: char) -> Option<&'static str> {
    Some(match symbol {
        'A' => "eɪ",
        'I' => "aɪ",
        'O' => "oʊ",
        'Q' => "əʊ",
        'W' => "aʊ",
        'Y' => "ɔɪ",
        'T' => "ɾ",
        'ᵊ' => "ə",
        // The vowel between those of "roses" and "Rosa's".
        'ᵻ' => "ɪ",
        'ʧ' | 'c' => "tʃ",
        'ʤ' | 'ɟ' => "dʒ",
        'ʦ' => "ts",
        'ʣ' => "dz",
        'ʨ' => "tɕ",
        'ʥ' => "dʑ",
        'ꭧ' => "tʂ",
        _ => return None,
    })
}

/// The relative share of a rate change that a symbol takes: vowels and pauses most, stops and taps
/// least, as in natural speech (Gay 1978; Crystal and House 1988).
pub fn elasticity(symbol: char) -> f32 {
    match symbol {
        _ if !symbol.is_alphabetic() => 1.3,
        'ː' => 1.3,
        'A' | 'I' | 'O' | 'Q' | 'W' | 'Y' => 1.2,
        _ if "aeiouyæøœɐɑɒɔəɚɛɜɤɨɪɯʊʌᵊᵻ".contains(symbol) => 1.2,
        _ if "pbtdkɡqʈɖcɟʔɾɽTʧʤʦʣʨʥꭧʰ".contains(symbol) => 0.5,
        _ => 0.8,
    }
}

/// A word without its English possessive ending; `None` if it has no such ending.
pub(super) fn possessive_stem(word: &str) -> Option<&str> {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")).filter(|stem| !stem.is_empty())
}

/// Adds the ending of an English plural or possessive.
pub(crate) fn with_s(stem: &str) -> String {
    let ending = match stem.trim_end_matches('ʰ').chars().next_back() {
        Some('s' | 'z' | 'ʃ' | 'ʂ' | 'c' | 'ɟ' | 'ʧ' | 'ʤ') => "ɪz",
        last if last.is_some_and(is_voiceless) => "s",
        _ => "z",
    };
    format!("{stem}{ending}")
}

/// Whether a phoneme is a voiceless consonant.
pub(crate) fn is_voiceless(phoneme: char) -> bool {
    "ptʈkqfθsʃʂcʧ".contains(phoneme)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phonemize::{Phonemes, Unit};

    crate::row_tests::rows! { sounds_of_words: |[words]| of(words); }

    /// Each sound with its unit and its tokens.
    fn of(words: &str) -> String {
        let unit = |symbols: &str| Unit {
            symbols: symbols.to_owned(),
            word: Some(0),
            spaced: true,
            conjunction: false,
            pause: None,
            marks: Vec::new(),
            span: 0..0,
        };
        let phonemes = Phonemes { units: words.split(' ').map(unit).collect() };
        let phones = phones(&phonemes.tokens());
        let shown =
            phones.iter().map(|Phone { ipa, unit, tokens }| format!("{ipa} {unit} {tokens:?}"));
        shown.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn vowels_and_pauses_are_the_most_elastic() {
        assert!(elasticity(',') > elasticity('s') && elasticity(' ') > elasticity('s'));
        assert!(elasticity('A') > elasticity('m') && elasticity('m') > elasticity('t'));
    }
}

//! IPA as people and dictionaries write it, in the symbols that the voices know.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

use crate::request::Language;
use crate::vocabulary;

/// Why a pronunciation is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A symbol that no voice can say.
    Unknown(char),
    /// Nothing in it sounds.
    Silent,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(symbol) => {
                write!(f, "{symbol:?} (U+{:04X}) is not a phoneme symbol", u32::from(*symbol))
            }
            Self::Silent => f.write_str("it has no sound in it"),
        }
    }
}

/// Written by IPA and not by Kokoro, in both languages. Longer ones first.
const COMMON: &[(&str, &str)] = &[("c\u{327}", "ç"), ("g", "ɡ"), ("ʱ", "ʰ"), ("'", "ˈ")];

/// American English, as Misaki writes it: diphthongs and affricates are one symbol, `r` is a vowel's
/// second half, length is not written. Longer ones first.
const ENGLISH: &[(&str, &str)] = &[
    ("ɜːɹ", "ɜɹ"),
    ("ɜːr", "ɜɹ"),
    ("ɜɹ", "ɜɹ"),
    ("ɜr", "ɜɹ"),
    ("ɜː", "ɜɹ"),
    ("ɝ", "ɜɹ"),
    ("ɚ", "əɹ"),
    ("tʃ", "ʧ"),
    ("dʒ", "ʤ"),
    ("aɪ", "I"),
    ("aʊ", "W"),
    ("eɪ", "A"),
    ("oʊ", "O"),
    ("əʊ", "O"),
    ("ɔɪ", "Y"),
    ("l\u{329}", "ᵊl"),
    ("m\u{329}", "ᵊm"),
    ("n\u{329}", "ᵊn"),
    ("ɲ", "nj"),
    ("ʎ", "lj"),
    ("a", "ɑ"),
    ("e", "ɛ"),
    ("o", "O"),
    ("ɒ", "ɑ"),
    ("ɐ", "ə"),
    ("ç", "k"),
    ("ɣ", "ɡ"),
    ("x", "k"),
    ("r", "ɹ"),
    ("ɫ", "l"),
    ("ɬ", "l"),
    ("ɾ", "T"),
    ("ʔ", "t"),
    ("ʍ", "w"),
    ("ʲ", ""),
    ("ʰ", ""),
    ("ː", ""),
];

/// Hindi, as Kokoro's transcriptions write it: palatals where IPA has affricates, no dental or breathy marks, a nasal
/// mark before the length mark, which only ẽː keeps. Longer ones first.
const HINDI: &[(&str, &str)] = &[
    ("tːʃʰ", "cʰcʰ"),
    ("tʃːʰ", "cʰcʰ"),
    ("ttʃʰ", "cʰcʰ"),
    ("tːʃ", "cː"),
    ("tʃː", "cː"),
    ("ttʃ", "cː"),
    ("dːʒ", "ɟː"),
    ("dʒː", "ɟː"),
    ("ddʒ", "ɟː"),
    ("tɕ", "c"),
    ("dʑ", "ɟ"),
    ("tʃ", "c"),
    ("dʒ", "ɟ"),
    ("ʧ", "c"),
    ("ʤ", "ɟ"),
    ("ɑ\u{303}ː", "a\u{303}"),
    ("a\u{303}ː", "a\u{303}"),
    ("i\u{303}ː", "i\u{303}"),
    ("u\u{303}ː", "u\u{303}"),
    ("o\u{303}ː", "o\u{303}"),
    ("ɛ\u{303}ː", "ɛ\u{303}"),
    ("æ\u{303}ː", "ɛ\u{303}"),
    ("ɔ\u{303}ː", "ɔ\u{303}"),
    ("aː\u{303}", "a\u{303}"),
    ("ɑː\u{303}", "a\u{303}"),
    ("iː\u{303}", "i\u{303}"),
    ("uː\u{303}", "u\u{303}"),
    ("eː\u{303}", "e\u{303}ː"),
    ("oː\u{303}", "o\u{303}"),
    ("ɛː\u{303}", "ɛ\u{303}"),
    ("æː\u{303}", "ɛ\u{303}"),
    ("ɔː\u{303}", "ɔ\u{303}"),
    ("ɪ\u{303}", "i\u{303}"),
    ("ʊ\u{303}", "u\u{303}"),
    ("ɐ\u{303}", "ə\u{303}"),
    ("ɑ\u{303}", "a\u{303}"),
    ("æ\u{303}", "ɛ\u{303}"),
    ("æː", "ɛː"),
    ("æ", "ɛː"),
    ("ɑː", "aː"),
    ("ɑ", "aː"),
    ("ɒ", "ɔ"),
    ("ɐ", "ə"),
    ("ɜ", "ə"),
    ("ʌ\u{303}", "ə\u{303}"),
    ("ɽʰ", "r.h"),
    ("ɽ", "r."),
    ("ɦ", "h"),
    ("ɸ", "f"),
    ("v", "ʋ"),
    ("w", "ʋ"),
    ("ɹ", "ɾ"),
    ("ɻ", "r."),
    ("ɭ", "l"),
    ("ʎ", "lj"),
    ("χ", "x"),
    ("ʁ", "ɣ"),
    ("θ", "tʰ"),
    ("ð", "d"),
    ("\u{32a}", ""),
    ("\u{33a}", ""),
    ("\u{31f}", ""),
    ("\u{320}", ""),
    ("\u{325}", ""),
    ("\u{30a}", ""),
    ("\u{324}", "ʰ"),
    ("ˑ", ""),
];

/// Ties and boundaries, which nobody hears.
fn is_silent(c: char) -> bool {
    matches!(c, '\u{361}' | '\u{35c}' | '^' | '‿' | '|' | '‖')
}

/// A pronunciation in the model's symbols.
///
/// Takes IPA with the stress mark before the syllable, and Kokoro's own symbols with the mark before the
/// vowel: the mark is put before the vowel, where the model has learnt it.
pub(super) fn symbols(ipa: &str, language: Language) -> Result<String, Fault> {
    let plain: String = ipa.nfd().filter(|c| !is_silent(*c)).collect();
    let plain = replace(plain.trim(), COMMON);
    let symbols = match language {
        Language::EnUs => replace(&without_syllable_breaks(&plain), ENGLISH),
        Language::HiIn => replace(&without_hindi_breaks(&plain), HINDI),
    };
    if let Some(unknown) = symbols.chars().find(|c| !is_phoneme(*c, language)) {
        return Err(Fault::Unknown(unknown));
    }
    if !symbols.chars().any(|c| c.is_alphabetic() && !is_modifier(c)) {
        return Err(Fault::Silent);
    }
    Ok(stress_before_vowels(&symbols))
}

fn without_syllable_breaks(symbols: &str) -> String {
    symbols.replace('.', "")
}

/// Without the breaks, but with the full stop of Kokoro's flap `r.`, which stands after nothing else.
fn without_hindi_breaks(symbols: &str) -> String {
    let flaps = symbols.matches("r.").count();
    if flaps == symbols.matches('.').count() {
        return symbols.to_owned();
    }
    without_syllable_breaks(symbols)
}

/// The first of `table` that stands at each place, in its other form.
fn replace(symbols: &str, table: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = symbols;
    while let Some(first) = rest.chars().next() {
        match table.iter().find(|(from, _)| rest.starts_with(from)) {
            Some((from, to)) => {
                out.push_str(to);
                rest = &rest[from.len()..];
            }
            None => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    out
}

/// A sound, its length or its stress. Marks that pace the reading are none, but for the full stop of
/// Hindi's flap, `r.`.
fn is_phoneme(c: char, language: Language) -> bool {
    let is_sound = c.is_alphabetic() || is_modifier(c) || c == ' ';
    vocabulary::id(c).is_some() && (is_sound || language == Language::HiIn && c == '.')
}

/// Stress, length, and what changes the sound before it.
fn is_modifier(c: char) -> bool {
    matches!(c, 'ˈ' | 'ˌ' | 'ː' | 'ʰ' | 'ʲ' | '\u{303}')
}

fn is_vowel(c: char) -> bool {
    "AIOQWYaeiouyæøœɐɑɒɔəɚɛɜɤɨɪɯʊʌᵊᵻ".contains(c)
}

/// Each stress mark right before the next vowel of its word.
fn stress_before_vowels(symbols: &str) -> String {
    let mut out = String::new();
    let mut held = None;
    for c in symbols.chars() {
        match c {
            'ˈ' | 'ˌ' => held = Some(c),
            ' ' => {
                held = None;
                out.push(c);
            }
            c => {
                if is_vowel(c) {
                    out.extend(held.take());
                }
                out.push(c);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ipa_in_the_symbols_of_the_voices() {
        let en = Language::EnUs;
        let hi = Language::HiIn;
        let rows = [
            (en, "ˈfəʊni", Ok("fˈOni")),
            (en, "ˈfoʊ.ni", Ok("fˈOni")),
            (en, "fˈOni", Ok("fˈOni")),
            (en, "ʃɪˈvɔːn", Ok("ʃɪvˈɔn")),
            (en, "ˈt͡ʃɛk", Ok("ʧˈɛk")),
            (en, "ˈdʒɜːrmən", Ok("ʤˈɜɹmən")),
            (en, "ˈbʌtɚ", Ok("bˈʌtəɹ")),
            (en, "ˈbɒtn̩", Ok("bˈɑtᵊn")),
            (en, "ˌstreŋˈɡɛst", Ok("stɹˌɛŋɡˈɛst")),
            (en, "nu ˈdɛli", Ok("nu dˈɛli")),
            (en, " 'gɑndi ", Ok("ɡˈɑndi")),
            (en, "kˈæɾəl", Ok("kˈæTəl")),
            (en, "fa%ni", Err(Fault::Unknown('%'))),
            (en, "fəni9", Err(Fault::Unknown('9'))),
            (en, "fəni,", Err(Fault::Unknown(','))),
            (en, "नमस्ते", Err(Fault::Unknown('न'))),
            (en, "ˈ", Err(Fault::Silent)),
            (en, "", Err(Fault::Silent)),
            (hi, "lˈʌr.kaː", Ok("lˈʌr.kaː")),
            (hi, "ˈtʃãd", Ok("cˈa\u{303}d")),
            (hi, "ɡʱər", Ok("ɡʰər")),
            (hi, "ʃəbd\u{32a}", Ok("ʃəbd")),
            (hi, "ˈbət͡ʃːaː", Ok("bˈəcːaː")),
            (hi, "ˈd\u{32a}ʊnɪjɑː", Ok("dˈʊnɪjaː")),
            (hi, "bɦaːɽət", Ok("bhaːr.ət")),
            (hi, "pəɽʱnaː", Ok("pər.hnaː")),
            (hi, "mẽː", Ok("me\u{303}ː")),
            (hi, "meː\u{303}", Ok("me\u{303}ː")),
            (hi, "ɦãː", Ok("ha\u{303}")),
            (hi, "nəɦĩː", Ok("nəhi\u{303}")),
            (hi, "ʋɪd̪.jaː.ləj", Ok("ʋɪdjaːləj")),
            (hi, "kɐɾ", Ok("kəɾ")),
            (hi, "t͡ʃʰoːʈaː", Ok("cʰoːʈaː")),
            (hi, "wæːsaː", Ok("ʋɛːsaː")),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter_map(|(language, ipa, expected)| {
                let got = symbols(ipa, language);
                (got != expected.map(str::to_owned)).then(|| format!("{ipa}: {got:?}"))
            })
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }

    proptest! {
        #[test]
        fn whatever_is_taken_can_be_said(ipa in "\\PC{0,20}|[a-zæəɛɪˈˌː.ʃʒθðŋ]{0,20}", hindi: bool) {
            let language = if hindi { Language::HiIn } else { Language::EnUs };
            if let Ok(symbols) = symbols(&ipa, language) {
                prop_assert!(symbols.chars().all(|c| vocabulary::id(c).is_some()), "{}", symbols);
            }
        }
    }
}

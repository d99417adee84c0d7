//! Converts IPA to the phoneme symbols of Misaki's American English.

use speech_base::language::Language;

use crate::pronunciation::IpaNotation;

pub(crate) static NOTATION: IpaNotation =
    IpaNotation { language: Language::EnUs, replacements: REPLACEMENTS, dotted_symbol: None };

/// Diphthongs and affricates are one symbol, r ends an r-colored vowel, and length is omitted.
const REPLACEMENTS: &[(&str, &str)] = &[
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

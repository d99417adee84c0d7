//! Converts IPA to the phoneme symbols of Kokoro's Hindi.

use speech_base::language::Language;

use crate::pronunciation::IpaNotation;

pub(crate) static NOTATION: IpaNotation = IpaNotation {
    language: Language::HiIn,
    replacements: include_str!("data/ipa.tsv"),
    dotted_symbol: Some("r."),
};

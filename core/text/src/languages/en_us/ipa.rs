//! Converts IPA to the phoneme symbols of Misaki's American English.

use speech_base::language::Language;

use crate::pronunciation::IpaNotation;

pub(crate) static NOTATION: IpaNotation = IpaNotation {
    language: Language::EnUs,
    replacements: include_str!("data/ipa.tsv"),
    dotted_symbol: None,
};

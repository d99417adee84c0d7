//! American English.

pub(crate) mod normalize;
pub(crate) mod phonemize;

use super::LanguagePack;
use crate::request::Language;

/// All that belongs to American English.
pub(crate) static PACK: LanguagePack = LanguagePack {
    language: Language::EnUs,
    locale: &normalize::LOCALE,
    phonemizer: &phonemize::EnglishPhonemizer,
};

//! Hindi.

pub(crate) mod normalize;
pub(crate) mod phonemize;

use super::LanguagePack;
use crate::request::Language;

/// All that belongs to Hindi.
pub(crate) static PACK: LanguagePack = LanguagePack {
    language: Language::HiIn,
    locale: &normalize::LOCALE,
    phonemizer: &phonemize::HindiPhonemizer,
};

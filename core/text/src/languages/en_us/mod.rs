//! American English.

pub(crate) mod normalize;
pub mod phonemize;
mod segment;

use super::LanguagePack;

pub(crate) static PACK: LanguagePack = LanguagePack {
    locale: &normalize::LOCALE,
    sentences: &segment::SENTENCES,
    phonemizer: &phonemize::EnglishPhonemizer,
};

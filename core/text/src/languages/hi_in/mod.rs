//! Hindi.

pub(crate) mod normalize;
pub mod phonemize;
pub(crate) mod romanized;
mod segment;

use super::LanguagePack;

pub(crate) static PACK: LanguagePack = LanguagePack {
    locale: &normalize::LOCALE,
    sentences: &segment::SENTENCES,
    phonemizer: &phonemize::HindiPhonemizer,
};

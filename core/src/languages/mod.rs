//! The languages, a folder each: what the stages of the front end must know of a language, registered in one place.
//!
//! The stages do not import this module: they are given what they need of a pack.

mod custom_lexicon;
pub(crate) mod en_us;
pub(crate) mod hi_in;

use crate::normalize::locale::Locale;
use crate::phonemize::LanguagePhonemizer;
use crate::request::Language;

/// All that belongs to one language.
pub(crate) struct LanguagePack {
    pub(crate) language: Language,
    /// How its numbers, dates, symbols and the like are recognized and said.
    pub(crate) locale: &'static Locale,
    /// How its words become phonemes, and those of other languages in its voices.
    pub(crate) phonemizer: &'static dyn LanguagePhonemizer,
}

/// The packs of all languages.
pub(crate) fn packs() -> impl Iterator<Item = &'static LanguagePack> {
    Language::ALL.into_iter().map(pack)
}

/// The pack of a language.
pub(crate) fn pack(language: Language) -> &'static LanguagePack {
    match language {
        Language::EnUs => &en_us::PACK,
        Language::HiIn => &hi_in::PACK,
    }
}

#[cfg(test)]
mod phonemize_tests;

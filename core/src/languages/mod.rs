//! The languages, a folder each: what the stages of the front end must know of a language, registered in one place.
//!
//! The stages do not import this module: the front end hands them what they need of the packs.

#[cfg(test)]
mod cross_lingual_tests;
mod custom_lexicon;
pub(crate) mod en_us;
pub(crate) mod hi_in;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod testing;
#[cfg(test)]
pub(crate) mod toy;
mod user_lexicon;

use crate::fork::LazyLock;
use crate::language::Language;
use crate::normalize::locale::{Locale, Locales};
use crate::phonemize::LanguagePhonemizer;
use crate::segment::rules::{Rules, SentenceRules};

/// All that belongs to one language.
pub(crate) struct LanguagePack {
    /// How its numbers, dates, symbols and the like are recognized and said.
    pub(crate) locale: &'static Locale,
    /// How its words become phonemes, and those of other languages in its voices.
    pub(crate) phonemizer: &'static dyn LanguagePhonemizer,
    /// Where its sentences end.
    pub(crate) sentences: &'static SentenceRules,
}

/// The pack of a language.
pub(crate) fn pack(language: Language) -> &'static LanguagePack {
    match language {
        Language::EnUs => &en_us::PACK,
        Language::HiIn => &hi_in::PACK,
        #[cfg(test)]
        Language::Toy => &toy::PACK,
    }
}

/// The packs of all languages.
fn packs() -> impl Iterator<Item = &'static LanguagePack> {
    #[cfg(not(test))]
    let languages = Language::ALL;
    #[cfg(test)]
    let languages = Language::ALL.into_iter().chain([Language::Toy]);
    languages.into_iter().map(pack)
}

/// The locales of all languages.
pub(crate) fn locales() -> Locales {
    static LOCALES: LazyLock<Vec<&'static Locale>> =
        LazyLock::new(|| packs().map(|pack| pack.locale).collect());
    Locales(&LOCALES)
}

/// The phonemizers of all languages.
pub(crate) fn phonemizers() -> impl Iterator<Item = &'static dyn LanguagePhonemizer> {
    packs().map(|pack| pack.phonemizer)
}

/// The sentence rules of all languages.
pub(crate) fn sentence_rules() -> &'static Rules {
    static RULES: LazyLock<Rules> =
        LazyLock::new(|| Rules::new(packs().map(|pack| pack.sentences)));
    &RULES
}

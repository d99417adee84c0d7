//! The languages, one folder each. A language registers its data for all stages of the front end
//! here.
//!
//! The stages do not import this module: the front end passes the parts of the packs to them.

#[cfg(test)]
mod cross_lingual_tests;
mod custom_lexicon;
pub mod en_us;
mod forms;
pub mod hi_in;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod testing;
#[cfg(test)]
pub(crate) mod toy;
mod user_lexicon;

use speech_base::fork::LazyLock;
use speech_base::language::Language;
pub(crate) use user_lexicon::too_many_entries;

use crate::normalize::locale::{Locale, Locales};
use crate::phonemize::LanguagePhonemizer;
use crate::segment::rules::{Rules, SentenceRules};

/// The data of one language.
pub struct LanguagePack {
    /// Recognizers and words of numbers, dates and symbols.
    pub locale: &'static Locale,
    /// Converts its words, and foreign words in its voices, to phonemes.
    pub(crate) phonemizer: &'static dyn LanguagePhonemizer,
    pub(crate) sentences: &'static SentenceRules,
}

/// The packs, one for each language of [`Language::ALL`].
static PACKS: [&LanguagePack; Language::ALL.len()] = [&en_us::PACK, &hi_in::PACK];

/// The pack of a language.
pub fn pack(language: Language) -> &'static LanguagePack {
    packs().find(|pack| pack.locale.language == language).expect("each language has a pack")
}

fn packs() -> impl Iterator<Item = &'static LanguagePack> {
    #[cfg(not(test))]
    let toy = [];
    #[cfg(test)]
    let toy = [&toy::PACK];
    PACKS.into_iter().chain(toy)
}

/// The locales of all languages.
pub fn locales() -> Locales {
    static LOCALES: LazyLock<Vec<&'static Locale>> =
        LazyLock::new(|| packs().map(|pack| pack.locale).collect());
    Locales(&LOCALES, sentence_rules())
}

pub(crate) fn phonemizers() -> impl Iterator<Item = &'static dyn LanguagePhonemizer> {
    packs().map(|pack| pack.phonemizer)
}

pub(crate) fn sentence_rules() -> &'static Rules {
    static RULES: LazyLock<Rules> =
        LazyLock::new(|| Rules::new(packs().map(|pack| pack.sentences)));
    &RULES
}

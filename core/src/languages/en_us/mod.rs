//! American English.

pub(crate) mod ipa;
pub(crate) mod normalize;
pub(crate) mod phonemize;

use super::LanguagePack;

/// All that belongs to American English.
pub(crate) static PACK: LanguagePack =
    LanguagePack { locale: &normalize::LOCALE, phonemizer: &phonemize::EnglishPhonemizer };

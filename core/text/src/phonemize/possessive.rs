//! The English possessive, which texts also add to words of other languages: राम's.

/// A word without its possessive ending; `None` if it has no such ending.
pub(super) fn stem(word: &str) -> Option<&str> {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")).filter(|stem| !stem.is_empty())
}

/// Adds the ending of an English plural or possessive.
pub(crate) fn with_s(stem: &str) -> String {
    let ending = match stem.trim_end_matches('ʰ').chars().next_back() {
        Some('s' | 'z' | 'ʃ' | 'ʂ' | 'c' | 'ɟ' | 'ʧ' | 'ʤ') => "ɪz",
        last if last.is_some_and(is_voiceless) => "s",
        _ => "z",
    };
    format!("{stem}{ending}")
}

/// Whether a phoneme is a voiceless consonant.
pub(crate) fn is_voiceless(phoneme: char) -> bool {
    "ptʈkqfθsʃʂcʧ".contains(phoneme)
}

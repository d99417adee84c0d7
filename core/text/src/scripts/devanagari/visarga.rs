//! Distinguishes visarga from colon, which look alike and are typed for each other.

use super::characters::{Class, class};
use crate::words::WordClass;

/// Whether the colon between `before`, which begins with the word, and `after` is a visarga: दु:ख.
pub(crate) fn is_meant(before: &str, after: &str) -> bool {
    if WordClass::EndsInVisarga.has(before) && is_word_end(after) {
        return true;
    }
    let before_consonant = after.chars().next().is_some_and(|c| class(c) == Class::Consonant);
    let after_short_vowel = before.ends_with(['ि', 'ु']) && !WordClass::BeforeColon.has(before);
    before_consonant
        && (after_short_vowel
            || WordClass::VisargaStem.has(before)
            || WordClass::EndsInVisarga.has(before))
}

/// Whether the visarga between `before` and `after` is a colon. It is one at the end of a word
/// whose last vowel is long or nasal, or that has no vowel: no Hindi word has a visarga there.
pub(crate) fn is_colon(before: &str, after: &str) -> bool {
    let is_bare_or_long = |c: char| {
        class(c) == Class::Bindu
            || matches!(c, 'ी' | 'ू' | 'े' | 'ो' | 'ई' | 'ऊ' | 'ए' | 'ओ' | '\u{94d}')
    };
    is_word_end(after) && before.chars().next_back().is_some_and(is_bare_or_long)
}

/// Whether a word ends before `after`. It does not before a digit or a second colon.
fn is_word_end(after: &str) -> bool {
    let goes_on =
        |c: char| c.is_alphanumeric() || matches!(c, ':' | '/') || class(c) != Class::Other;
    !after.starts_with(goes_on)
}

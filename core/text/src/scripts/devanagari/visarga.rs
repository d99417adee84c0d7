//! Visarga and colon, which look alike and are typed for each other.

use super::characters::{Class, class};

/// What a visarga ends: adverbs, and the word for six.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "अंतत", "अंशत", "अक्षरश", "अत", "अधिकांशत", "अनिवार्यत", "अन्तत", "अल्पत", "आंशिकत", "उभयत", "क्रमश",
    "छ", "नम", "निष्कर्षत", "परिणामत", "पुन", "पूर्णत", "प्रकटत", "प्रत्यक्षत", "प्रथमत", "प्रधानत", "प्रमुखत",
    "प्रात", "प्राय", "प्रायश", "फलत", "भूर्भुव", "मुख्यत", "मूलत", "यत", "वस्तुत", "विशेषत", "शतश", "शब्दश",
    "संपूर्णत", "संभवत", "सम्पूर्णत", "सम्भवत", "सर्वत", "साधारणत", "सामान्यत", "स्पष्टत", "स्वत",
    "स्वभावत",
];

/// What a visarga stands after within a word.
const STEMS: &[&str] =
    &["अंत", "अध", "अन्त", "तप", "दु", "नि", "पुर", "मन", "यश", "रज", "वय", "शत", "स्व"];

/// Words in a short i or u that a colon follows, also where no space does.
const LABELS: &[&str] =
    &["अवधि", "आयु", "ज्योति", "तिथि", "मधु", "रवि", "राशि", "रुचि", "विधि", "शांति", "स्थिति"];

/// Whether the colon between `before`, which begins with the word, and `after` is a visarga: दु:ख.
pub(crate) fn is_meant(before: &str, after: &str) -> bool {
    if WORDS.contains(&before) && is_word_end(after) {
        return true;
    }
    let before_consonant = after.chars().next().is_some_and(|c| class(c) == Class::Consonant);
    let after_short_vowel = before.ends_with(['ि', 'ु']) && !LABELS.contains(&before);
    before_consonant && (after_short_vowel || STEMS.contains(&before) || WORDS.contains(&before))
}

/// Whether the visarga between `before` and `after` is a colon: at the end of a word whose last vowel is
/// long or nasal, or that has none. No word of Hindi ends so.
pub(crate) fn is_colon(before: &str, after: &str) -> bool {
    let is_bare_or_long = |c: char| {
        class(c) == Class::Bindu
            || matches!(c, 'ी' | 'ू' | 'े' | 'ो' | 'ई' | 'ऊ' | 'ए' | 'ओ' | '\u{94d}')
    };
    is_word_end(after) && before.chars().next_back().is_some_and(is_bare_or_long)
}

/// Whether a word ends before `after`; before a digit and a second colon something else goes on.
fn is_word_end(after: &str) -> bool {
    let goes_on =
        |c: char| c.is_alphanumeric() || matches!(c, ':' | '/') || class(c) != Class::Other;
    !after.starts_with(goes_on)
}

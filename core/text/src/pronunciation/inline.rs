//! Inline pronunciations in a text, in Misaki's notation: `[word](/ˈfəʊni/)`.

use std::ops::Range;

use speech_base::error::{Error, Result};

use super::ipa::IpaNotation;

/// An inline pronunciation, as byte ranges of the text that begins with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// The words between the brackets.
    pub(crate) words: Range<usize>,
    /// The IPA between the slashes.
    ipa: Range<usize>,
    /// The length of the complete notation.
    pub(crate) length: usize,
}

impl Inline {
    /// The phonemes of the pronunciation that [`inline`] found at the start of `rest`. `None` if
    /// the IPA is invalid, which is possible in text that was not checked.
    pub(crate) fn phonemes(&self, rest: &str, notation: &IpaNotation) -> Option<String> {
        notation.phonemes(&rest[self.ipa.clone()]).ok()
    }
}

/// The inline pronunciation at the start of `rest`.
///
/// The brackets contain words on one line. The target has exactly two slashes, the first and last
/// character, so Markdown links do not match.
pub fn inline(rest: &str) -> Option<Inline> {
    let after = rest.strip_prefix('[')?;
    let words = 1..1 + after.find(['[', ']', '\n'])?;
    let target = rest[words.end..].strip_prefix("](/")?;
    let start = rest.len() - target.len();
    let ipa = start..start + target.find(['/', '\n'])?;
    let ends = rest[ipa.end..].starts_with("/)") && !rest[words.clone()].trim().is_empty();
    ends.then(|| Inline { words, length: ipa.end + 2, ipa })
}

/// Rejects a text with an invalid inline pronunciation.
pub fn check_inline(text: &str, notation: &IpaNotation) -> Result<()> {
    let brackets = text.match_indices('[').map(|(at, _)| at);
    for (at, found) in brackets.filter_map(|at| Some((at, inline(&text[at..])?))) {
        notation.phonemes(&text[at..][found.ipa]).map_err(|error| {
            let place = text[..at].chars().count() + 1;
            Error::invalid_request(format!("the pronunciation at character {place}: {error}"))
        })?;
    }
    Ok(())
}

#[cfg(test)]
crate::row_tests::rows! {
    inline_pronunciations: |[text]| {
        let shown = |found: Inline| format!("{} {}", &text[found.words.clone()], found.length);
        crate::row_tests::or_dash(inline(text).map(shown))
    };
    refused_pronunciations: |[text]| {
        let locale = crate::languages::locales().of(speech_base::Language::EnUs);
        let error = check_inline(text, locale.ipa).err();
        crate::row_tests::or_dash(error.map(|error| error.message().to_owned()))
    };
}

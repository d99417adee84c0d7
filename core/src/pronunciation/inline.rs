//! Pronunciations in the text: `[word](/ˈfəʊni/)`, as Misaki writes them.

use std::ops::Range;

use super::symbols::symbols;
use crate::language::Language;
use crate::{Error, Result};

/// An inline pronunciation, by its bytes in the text that begins with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inline {
    /// The words between the brackets.
    pub(crate) words: Range<usize>,
    /// What stands between the slashes.
    ipa: Range<usize>,
    /// All of it.
    pub(crate) length: usize,
}

impl Inline {
    /// The phonemes of what stands at the start of `rest`, as [`inline`] found it.
    ///
    /// Text that was not checked may hold what no voice can say: `None`.
    pub(crate) fn phonemes(&self, rest: &str, language: Language) -> Option<String> {
        symbols(&rest[self.ipa.clone()], language).ok()
    }
}

/// The inline pronunciation that `rest` begins with.
///
/// The brackets hold words on one line, and the target begins and ends with a slash and has no other, so
/// that the links of Markdown are none.
pub(crate) fn inline(rest: &str) -> Option<Inline> {
    let after = rest.strip_prefix('[')?;
    let words = 1..1 + after.find(['[', ']', '\n'])?;
    let target = rest[words.end..].strip_prefix("](/")?;
    let start = rest.len() - target.len();
    let ipa = start..start + target.find(['/', '\n'])?;
    let ends = rest[ipa.end..].starts_with("/)") && !rest[words.clone()].trim().is_empty();
    ends.then(|| Inline { words, length: ipa.end + 2, ipa })
}

/// Refuses a text with an inline pronunciation that cannot be said.
pub(crate) fn check_inline(text: &str, language: Language) -> Result<()> {
    let brackets = text.match_indices('[').map(|(at, _)| at);
    for (at, found) in brackets.filter_map(|at| Some((at, inline(&text[at..])?))) {
        symbols(&text[at..][found.ipa], language).map_err(|fault| {
            let place = text[..at].chars().count() + 1;
            Error::invalid_request(format!("the pronunciation at character {place}: {fault}"))
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(&str, usize)> {
        inline(text).map(|found| (&text[found.words.clone()], found.length))
    }

    #[test]
    fn what_is_a_pronunciation() {
        let text = "[New Delhi](/nu dˈɛli/)";
        assert_eq!(found(text), Some(("New Delhi", text.len())));
        assert_eq!(found(&format!("{text}'s")), Some(("New Delhi", text.len())));
        for text in [
            "[docs](/docs/intro/)",
            "[docs](/docs)",
            "[docs](https://a.b/)",
            "[docs] (/a/)",
            "[](/a/)",
            "[a](/a",
            "[a\nb](/a/)",
            "[a",
            "a",
            "",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn a_symbol_that_is_none_is_named() {
        let check = |text| check_inline(text, Language::EnUs).map_err(|e| e.message().to_owned());
        assert_eq!(check("a [b](/bi/) and [a](/b/c/) [1]"), Ok(()));
        assert_eq!(
            check("ab [c](/k7/)"),
            Err("the pronunciation at character 4: '7' (U+0037) is not a phoneme symbol".into())
        );
        assert_eq!(
            check("[c](/ˈ/)"),
            Err("the pronunciation at character 1: it has no sound in it".into())
        );
    }
}

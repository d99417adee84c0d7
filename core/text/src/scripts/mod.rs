//! Writing systems: the characters, sentence stops and spelling repair of each.
//!
//! A leaf module: every stage may use it, and it uses none of them.

pub(crate) mod devanagari;
pub(crate) mod indic;

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

pub(crate) use devanagari::{DEVANAGARI, is_devanagari};

/// A writing system.
pub(crate) struct Script {
    /// The ISO 15924 code, such as `Deva`.
    pub(crate) name: &'static str,
    /// Whether a character belongs to the script, including its own digits and stops.
    pub(crate) contains: fn(char) -> bool,
    /// Whether one of its characters is outside words: a digit, a stop, a sign.
    pub(crate) is_outside_words: fn(char) -> bool,
    /// Whether it has capital and small letters.
    pub(crate) has_case: bool,
    /// Its digit zero, if it has its own digits; the other nine follow in Unicode.
    pub(crate) zero: Option<char>,
    /// Marks that end a sentence in every position, such as the danda `।`.
    pub(crate) stops: &'static [char],
    /// Stops that also precede a sentence: `॥ श्री ॥`.
    pub(crate) opening_stops: &'static [char],
    /// Stops on both sides of a verse number: `॥ 12 ॥`.
    pub(crate) verse_marks: &'static [&'static str],
    /// Marks that people type instead of a stop after a word of this script, such as `|` for the
    /// danda. See `is_typed_stop`.
    pub(crate) stop_look_alikes: &'static [char],
    /// Whether the mark or letter `c` between `before` and `after` was typed instead of a stop.
    pub(crate) is_typed_stop: fn(before: &str, c: char, after: Option<char>) -> bool,
    /// The silent mark after an abbreviation: `॰`.
    pub(crate) abbreviation_sign: Option<char>,
    /// The repair of mistyped words; `None` if the script needs none.
    pub(crate) repair: Option<Repair>,
}

/// Repairs words with duplicate or misplaced signs, or in another encoding.
pub(crate) struct Repair {
    /// Whether a text needs no repair.
    pub(crate) is_clean: fn(text: &str) -> bool,
    /// The intended text at the start of `rest`, and its length in bytes. `None` if no word or stop
    /// of the script begins there; empty if the text is silent.
    pub(crate) find: for<'a> fn(before: &str, rest: &'a str) -> Option<Repaired<'a>>,
}

/// A repaired text, and the length in bytes of its source.
pub(crate) type Repaired<'a> = (Cow<'a, str>, usize);

/// A script without its own stops, digits or repair.
const PLAIN: Script = Script {
    name: "",
    contains: |_| false,
    is_outside_words: |_| false,
    has_case: false,
    zero: None,
    stops: &[],
    opening_stops: &[],
    verse_marks: &[],
    stop_look_alikes: &[],
    is_typed_stop: |_, _, _| false,
    abbreviation_sign: None,
    repair: None,
};

/// The Latin script. Words of scripts without a registered language are transliterated to it.
pub(crate) static LATIN: Script =
    Script { name: "Latn", contains: is_latin, has_case: true, ..PLAIN };

impl Script {
    /// A caseless script without its own stops, digits or repair.
    #[cfg(test)]
    pub(crate) const fn plain(name: &'static str, contains: fn(char) -> bool) -> Self {
        Self { name, contains, ..PLAIN }
    }

    pub(crate) fn is_latin(&self) -> bool {
        self.name == LATIN.name
    }

    /// Whether `c` may be part of a word: a letter or a sign that modifies one.
    pub(crate) fn is_word_character(&self, c: char) -> bool {
        (self.contains)(c) && !(self.is_outside_words)(c)
    }

    /// The value of a digit of this script.
    pub(crate) fn digit(&self, c: char) -> Option<u32> {
        let value = u32::from(c).checked_sub(u32::from(self.zero?))?;
        (value < 10).then_some(value)
    }
}

/// Whether `c` is a letter of the Latin alphabet, with or without accents.
pub(crate) fn is_latin(c: char) -> bool {
    let mut parts = std::iter::once(c).nfd();
    parts.next().is_some_and(|base| base.is_ascii_alphabetic()) && parts.all(is_combining_mark)
}

/// Equals [`char::is_alphabetic`], which searches a table for non-ASCII characters. This function
/// decides Devanagari without a search.
pub(crate) fn is_alphabetic(c: char) -> bool {
    if is_devanagari(c) { devanagari::is_alphabetic(c) } else { c.is_alphabetic() }
}

/// Equals [`char::is_alphanumeric`], with the same shortcut.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    is_alphabetic(c) || c.is_numeric()
}

/// Signs inside words that Unicode does not call letters: nukta, virama and joiners.
pub(crate) fn shapes_letters(c: char) -> bool {
    matches!(c, '\u{93c}' | '\u{94d}') || is_joiner(c)
}

/// Invisible characters that shape or break lines: Unicode's Default_Ignorable_Code_Point.
pub(crate) fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether `c` is a joiner, which shapes letters and is silent.
pub(crate) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Whether `c` joins the letters before and after it.
pub(crate) fn joins_next(c: char) -> bool {
    matches!(c, '\u{200d}' | '\u{94d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_of_the_kinds_that_unicode_says() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphabetic(c), c.is_alphabetic(), "{c:?}");
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
        }
    }
}

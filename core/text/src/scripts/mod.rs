//! Writing systems: which characters belong to one, where its sentences stop, and how its words are repaired.
//!
//! A leaf module: every stage may ask, and it asks none.

pub(crate) mod devanagari;
pub(crate) mod indic;

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

pub(crate) use devanagari::{DEVANAGARI, is_devanagari};

/// A writing system.
pub(crate) struct Script {
    /// The name in ISO 15924, such as `Deva`.
    pub(crate) name: &'static str,
    /// Whether a character belongs to it: its digits and stops do, if it has its own.
    pub(crate) contains: fn(char) -> bool,
    /// Whether one of its characters is no part of a word: a digit, a stop, a sign.
    pub(crate) is_outside_words: fn(char) -> bool,
    /// Whether its letters are capital or small.
    pub(crate) has_case: bool,
    /// Its digit zero, if it has digits of its own; the other nine follow it in Unicode.
    pub(crate) zero: Option<char>,
    /// Marks that end a sentence wherever they stand, such as the danda `।`.
    pub(crate) stops: &'static [char],
    /// Stops that also stand before a sentence: `॥ श्री ॥`.
    pub(crate) opening_stops: &'static [char],
    /// Stops on both sides of the number of a verse, as written: `॥ 12 ॥`.
    pub(crate) verse_marks: &'static [&'static str],
    /// Marks that are typed for a stop after a word of this script, such as `|` for the danda. See `is_typed_stop`.
    pub(crate) stop_look_alikes: &'static [char],
    /// Whether `c`, a mark or a letter, was typed for a stop between `before` and `after`.
    pub(crate) is_typed_stop: fn(before: &str, c: char, after: Option<char>) -> bool,
    /// The mark after an abbreviation, which says nothing: `॰`.
    pub(crate) abbreviation_sign: Option<char>,
    /// How words are repaired that were typed otherwise than they are read; `None` if they need no repair.
    pub(crate) repair: Option<Repair>,
}

/// The repair of words that were typed otherwise than they are read: signs twice, out of order, in several encodings.
pub(crate) struct Repair {
    /// Whether nothing in a text needs repair.
    pub(crate) is_clean: fn(text: &str) -> bool,
    /// What the start of `rest` was meant to be, and the bytes it takes; `None` if no word or stop of the script begins
    /// there. An empty text says nothing.
    pub(crate) find: for<'a> fn(before: &str, rest: &'a str) -> Option<Repaired<'a>>,
}

/// A repaired text, and the bytes it takes of the source.
pub(crate) type Repaired<'a> = (Cow<'a, str>, usize);

/// A script without stops, digits or repair of its own.
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

/// The Latin script. Words of scripts that no language is registered for are transliterated to it.
pub(crate) static LATIN: Script =
    Script { name: "Latn", contains: is_latin, has_case: true, ..PLAIN };

impl Script {
    /// A script without stops, digits or repair of its own, whose letters have no case.
    #[cfg(test)]
    pub(crate) const fn plain(name: &'static str, contains: fn(char) -> bool) -> Self {
        Self { name, contains, ..PLAIN }
    }

    /// Whether this is the Latin script.
    pub(crate) fn is_latin(&self) -> bool {
        self.name == LATIN.name
    }

    /// Whether words hold `c`: a letter or a sign that shapes one.
    pub(crate) fn is_word_character(&self, c: char) -> bool {
        (self.contains)(c) && !(self.is_outside_words)(c)
    }

    /// The value of a digit of this script.
    pub(crate) fn digit(&self, c: char) -> Option<u32> {
        let value = u32::from(c).checked_sub(u32::from(self.zero?))?;
        (value < 10).then_some(value)
    }
}

/// A letter of the Latin alphabet, with accents or without.
pub(crate) fn is_latin(c: char) -> bool {
    let mut parts = std::iter::once(c).nfd();
    parts.next().is_some_and(|base| base.is_ascii_alphabetic()) && parts.all(is_combining_mark)
}

/// As [`char::is_alphabetic`], which searches a table for what is not ASCII: Devanagari is decided at once.
pub(crate) fn is_alphabetic(c: char) -> bool {
    if is_devanagari(c) { devanagari::is_alphabetic(c) } else { c.is_alphabetic() }
}

/// As [`char::is_alphanumeric`], likewise.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    is_alphabetic(c) || c.is_numeric()
}

/// Signs that shape letters within a word and are no letters to Unicode: nukta, virama and joiners.
pub(crate) fn shapes_letters(c: char) -> bool {
    matches!(c, '\u{93c}' | '\u{94d}') || is_joiner(c)
}

/// Characters that shape or break lines and are not seen: Unicode's Default_Ignorable_Code_Point.
pub(crate) fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Joiners shape letters and say nothing.
pub(crate) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Whether the letter after `c` is written as one with the letter before it.
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

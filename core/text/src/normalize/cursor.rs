//! A cursor over text for recognizers. Each step consumes the text that its name describes, or
//! nothing.

use std::ops::RangeInclusive;

use crate::scripts::{is_alphabetic, shapes_letters};
use crate::words::WordClass;

/// Whether a character belongs to a word: a letter, or a sign that modifies one.
pub(crate) fn is_letter(c: char) -> bool {
    is_alphabetic(c) || shapes_letters(c)
}

/// Whether a character belongs to a word or a number.
pub(crate) fn is_inner(c: char) -> bool {
    is_letter(c) || c.is_numeric()
}

pub(crate) fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

pub(crate) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–')
}

pub(crate) fn is_upper(c: char) -> bool {
    c.is_ascii_uppercase()
}

pub(crate) fn is_lower(c: char) -> bool {
    c.is_ascii_lowercase()
}

pub(crate) fn is_latin_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
}

/// A position in a text. Each step consumes the named text and returns it, or returns `None`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Bytes consumed so far.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn at_digit(&self) -> bool {
        self.rest().starts_with(|c: char| c.is_ascii_digit())
    }

    /// Whether neither a letter nor a digit follows.
    pub(crate) fn at_word_end(&self) -> bool {
        !self.rest().starts_with(is_inner)
    }

    /// Whether a number ends here: neither a letter nor a digit follows, nor a digit after a mark
    /// such as a comma.
    pub(crate) fn at_number_end(&self) -> bool {
        let mut chars = self.rest().chars();
        match chars.next() {
            Some(c) if is_inner(c) => false,
            Some('.' | ',' | ':' | '/' | '-') => !chars.next().is_some_and(|c| c.is_ascii_digit()),
            _ => true,
        }
    }

    pub(crate) fn eat(&mut self, literal: &str) -> Option<()> {
        self.rest().starts_with(literal).then(|| self.at += literal.len())
    }

    /// Consumes a word of a class, as listed for all languages. More letters may follow it.
    pub(crate) fn eat_class(&mut self, class: WordClass) -> Option<()> {
        class.names().find_map(|word| self.eat(word))
    }

    pub(crate) fn eat_char(&mut self, accept: impl Fn(char) -> bool) -> Option<char> {
        let c = self.peek().filter(|c| accept(*c))?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Consumes characters while they are accepted; at least one.
    pub(crate) fn take_while(&mut self, accept: impl Fn(char) -> bool) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    /// Consumes all digits, if their number is in `count`.
    pub(crate) fn digits(&mut self, count: RangeInclusive<usize>) -> Option<&'a str> {
        self.attempt(|cursor| {
            cursor.take_while(|c| c.is_ascii_digit()).filter(|digits| count.contains(&digits.len()))
        })
    }

    pub(crate) fn letters(&mut self) -> Option<&'a str> {
        self.take_while(is_letter)
    }

    /// Consumes optional white space.
    pub(crate) fn spaces(&mut self) -> &mut Self {
        self.take_while(char::is_whitespace);
        self
    }

    /// Consumes white space; at least one character.
    pub(crate) fn gap(&mut self) -> Option<()> {
        self.take_while(char::is_whitespace).map(|_| ())
    }

    /// Consumes two values with one character between. Returns also where the first value ends and
    /// where the second one begins.
    pub(crate) fn pair<T>(
        &mut self,
        joint: impl Fn(char) -> bool,
        value: impl Fn(&mut Self) -> Option<T>,
    ) -> Option<([T; 2], [usize; 2])> {
        self.attempt(|cursor| {
            let low = value(cursor)?;
            let end = cursor.at();
            cursor.eat_char(joint)?;
            let start = cursor.at();
            Some(([low, value(cursor)?], [end, start]))
        })
    }

    /// Moves back over the last consumed character, if it is `c`.
    pub(crate) fn step_back(&mut self, c: char) {
        if self.text[..self.at].ends_with(c) {
            self.at -= c.len_utf8();
        }
    }

    /// Takes several steps, or none of them if one fails.
    pub(crate) fn attempt<T>(&mut self, steps: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let outcome = steps(self);
        if outcome.is_none() {
            self.at = start;
        }
        outcome
    }
}

/// Maximum characters read of a word: listed words are shorter, and a sentence may be one word.
const MAX_LETTERS: usize = 100;

/// The last word before a position: letters, digits and apostrophes. White space after it is
/// ignored.
pub(crate) fn last_word(before: &str) -> &str {
    let before = before.trim_end();
    let start = before
        .char_indices()
        .rev()
        .take(MAX_LETTERS)
        .take_while(|(_, c)| is_inner(*c) || matches!(c, '\'' | '’'))
        .last()
        .map_or(before.len(), |(i, _)| i);
    &before[start..]
}

/// The first word after a position: letters and digits. White space before it is ignored.
pub(crate) fn first_word(rest: &str) -> &str {
    let rest = rest.trim_start();
    let letters = rest.chars().take(MAX_LETTERS).take_while(|c| is_inner(*c));
    &rest[..letters.map(char::len_utf8).sum()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_devanagari_are_whole() {
        assert_eq!(last_word("700 ओक स्ट्रीट "), "स्ट्रीट");
        assert_eq!(first_word(" स्ट्रीट, करोड़"), "स्ट्रीट");
        assert_eq!(Cursor::new("करोड़ रुपये").letters(), Some("करोड़"));
        assert!(!Cursor::new("्य").at_word_end());
        assert!(Cursor::new("। 5").at_word_end());
    }
}

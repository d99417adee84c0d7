//! A cursor over text, from which recognizers are written: each step consumes what it names, or nothing.

use std::ops::RangeInclusive;

use crate::scripts::{is_alphabetic, shapes_letters};
use crate::words::WordClass;

/// Whether a character belongs to a word of letters: a letter, or a sign that shapes one.
pub(crate) fn is_letter(c: char) -> bool {
    is_alphabetic(c) || shapes_letters(c)
}

/// Whether a character belongs to a word or a number.
pub(crate) fn is_inner(c: char) -> bool {
    is_letter(c) || c.is_numeric()
}

/// A place in a text. Each step consumes what it names, or gives `None` and consumes nothing.
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

    /// Whether a digit stands here.
    pub(crate) fn at_digit(&self) -> bool {
        self.rest().starts_with(|c: char| c.is_ascii_digit())
    }

    /// Whether no letter and no digit follows.
    pub(crate) fn at_word_end(&self) -> bool {
        !self.rest().starts_with(is_inner)
    }

    /// Whether a number that ended here does not go on: no digit follows, directly or after a mark.
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

    /// Consumes a word of a class that every language has.
    pub(crate) fn eat_class(&mut self, class: WordClass) -> Option<()> {
        class.names().find_map(|word| self.eat(word))
    }

    pub(crate) fn eat_char(&mut self, accept: impl Fn(char) -> bool) -> Option<char> {
        let c = self.peek().filter(|c| accept(*c))?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// The characters that are accepted from here on; at least one.
    pub(crate) fn take_while(&mut self, accept: impl Fn(char) -> bool) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    /// All digits from here on, if they are as many as wanted.
    pub(crate) fn digits(&mut self, count: RangeInclusive<usize>) -> Option<&'a str> {
        self.attempt(|cursor| {
            cursor.take_while(|c| c.is_ascii_digit()).filter(|digits| count.contains(&digits.len()))
        })
    }

    /// All letters from here on.
    pub(crate) fn letters(&mut self) -> Option<&'a str> {
        self.take_while(is_letter)
    }

    /// White space, if any.
    pub(crate) fn spaces(&mut self) -> &mut Self {
        self.take_while(char::is_whitespace);
        self
    }

    /// White space, at least one.
    pub(crate) fn gap(&mut self) -> Option<()> {
        self.take_while(char::is_whitespace).map(|_| ())
    }

    /// Gives back the character that was consumed last, if it is `c`.
    pub(crate) fn step_back(&mut self, c: char) {
        if self.text[..self.at].ends_with(c) {
            self.at -= c.len_utf8();
        }
    }

    /// Takes several steps, or none of them.
    pub(crate) fn attempt<T>(&mut self, steps: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let outcome = steps(self);
        if outcome.is_none() {
            self.at = start;
        }
        outcome
    }
}

/// The most characters of a word that are looked at: none that a list has is longer, and a sentence may be one long
/// word.
const MAX_LETTERS: usize = 100;

/// The last word of what stands before a place: letters, with the white space after it left out.
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

/// The first word of what follows a place.
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

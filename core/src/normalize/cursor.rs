//! A place in a text, and small steps from it that either succeed or stay where they are.

use std::ops::RangeInclusive;

/// A place in a text. Each step consumes what it names, or gives `None` and consumes nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Bytes consumed so far.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Whether a digit stands here.
    pub(super) fn at_digit(&self) -> bool {
        self.rest().starts_with(|c: char| c.is_ascii_digit())
    }

    /// Whether no letter and no digit follows.
    pub(super) fn at_word_end(&self) -> bool {
        !self.rest().starts_with(char::is_alphanumeric)
    }

    /// Whether a number that ended here does not go on: no digit follows, directly or after a mark.
    pub(super) fn at_number_end(&self) -> bool {
        let mut chars = self.rest().chars();
        match chars.next() {
            Some(c) if c.is_alphanumeric() => false,
            Some('.' | ',' | ':' | '/' | '-') => !chars.next().is_some_and(|c| c.is_ascii_digit()),
            _ => true,
        }
    }

    pub(super) fn eat(&mut self, literal: &str) -> Option<()> {
        self.rest().starts_with(literal).then(|| self.at += literal.len())
    }

    pub(super) fn eat_char(&mut self, accept: impl Fn(char) -> bool) -> Option<char> {
        let c = self.peek().filter(|c| accept(*c))?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// The characters that are accepted from here on; at least one.
    pub(super) fn take_while(&mut self, accept: impl Fn(char) -> bool) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    /// All digits from here on, if they are as many as wanted.
    pub(super) fn digits(&mut self, count: RangeInclusive<usize>) -> Option<&'a str> {
        self.attempt(|cursor| {
            cursor.take_while(|c| c.is_ascii_digit()).filter(|digits| count.contains(&digits.len()))
        })
    }

    /// All letters from here on.
    pub(super) fn letters(&mut self) -> Option<&'a str> {
        self.take_while(char::is_alphabetic)
    }

    /// White space, if any.
    pub(super) fn spaces(&mut self) -> &mut Self {
        self.take_while(char::is_whitespace);
        self
    }

    /// White space, at least one.
    pub(super) fn gap(&mut self) -> Option<()> {
        self.take_while(char::is_whitespace).map(|_| ())
    }

    /// Gives back the character that was consumed last, if it is `c`.
    pub(super) fn step_back(&mut self, c: char) {
        if self.text[..self.at].ends_with(c) {
            self.at -= c.len_utf8();
        }
    }

    /// Takes several steps, or none of them.
    pub(super) fn attempt<T>(&mut self, steps: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let outcome = steps(self);
        if outcome.is_none() {
            self.at = start;
        }
        outcome
    }
}

/// The last word of what stands before a place: letters, with the white space after it left out.
pub(super) fn last_word(before: &str) -> &str {
    let before = before.trim_end();
    let start = before
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '\'' | '’'))
        .last()
        .map_or(before.len(), |(i, _)| i);
    &before[start..]
}

/// The first word of what follows a place.
pub(super) fn first_word(rest: &str) -> &str {
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    &rest[..end]
}

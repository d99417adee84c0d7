//! What one decision may look at.

use std::cell::Cell;

use super::rules::Rules;
use crate::scripts::{is_alphanumeric, shapes_letters};

/// No decision looks further ahead than this many bytes: it bounds what is held back, and the work.
const LOOKAHEAD: usize = 600;

/// The sentence in progress and what follows it, as far as a decision may look.
///
/// When more text may come, a look at the end of what is there makes the view unsettled, and the
/// decision void: with more text it might be another. What is decided in a settled view depends on
/// nothing but the text, so it is the same however the text arrives.
pub(crate) struct View<'a> {
    rules: &'static Rules,
    text: &'a str,
    start: usize,
    open: bool,
    reached_end: Cell<bool>,
}

impl<'a> View<'a> {
    /// The view of a decision at `at`, in the sentence that begins at `start`; `ended` if no more text
    /// comes.
    pub(super) fn new(
        text: &'a str,
        start: usize,
        at: usize,
        ended: bool,
        rules: &'static Rules,
    ) -> Self {
        let horizon = text.floor_char_boundary(at + LOOKAHEAD);
        let open = !ended && at + LOOKAHEAD > text.len();
        Self { rules, text: &text[..horizon], start, open, reached_end: Cell::new(false) }
    }

    /// The rules of all languages.
    pub(crate) fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Whether what was seen so far is seen whatever follows.
    pub(super) fn is_settled(&self) -> bool {
        !self.reached_end.get()
    }

    /// The sentence in progress up to `at`.
    pub(crate) fn before(&self, at: usize) -> &'a str {
        &self.text[self.start..at]
    }

    /// Where the sentence in progress begins.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Characters that have been seen already.
    pub(super) fn seen(&self, from: usize, to: usize) -> &'a str {
        &self.text[from..to]
    }

    /// The characters from `at` on, with their places.
    pub(super) fn chars(&self, at: usize) -> impl Iterator<Item = (usize, char)> + '_ {
        let mut rest = self.text[at..].char_indices().map(move |(i, c)| (at + i, c));
        std::iter::from_fn(move || {
            let next = rest.next();
            if next.is_none() && self.open {
                self.reached_end.set(true);
            }
            next
        })
    }

    /// The character at `at`; `None` at the end of the text.
    pub(crate) fn char(&self, at: usize) -> Option<char> {
        self.chars(at).next().map(|(_, c)| c)
    }

    /// The first place from `at` on whose character is not accepted.
    pub(crate) fn skip(&self, at: usize, accept: impl Fn(char) -> bool) -> usize {
        self.chars(at).find(|(_, c)| !accept(*c)).map_or(self.text.len(), |(i, _)| i)
    }

    /// The characters from `at` to the first that is not accepted.
    pub(crate) fn run(&self, at: usize, accept: impl Fn(char) -> bool) -> &'a str {
        &self.text[at..self.skip(at, accept)]
    }

    /// The word at `at`; empty if none begins there.
    pub(crate) fn word(&self, at: usize) -> &'a str {
        self.run(at, |c| is_word_character(c) || matches!(c, '\'' | '’'))
    }

    /// Whether `literal` stands at `at`.
    pub(super) fn starts_with(&self, at: usize, literal: &str) -> bool {
        let mut chars = self.chars(at).map(|(_, c)| c);
        literal.chars().all(|c| chars.next() == Some(c))
    }

    /// The white space at `at`.
    pub(crate) fn gap(&self, at: usize) -> Gap {
        let next = self.skip(at, char::is_whitespace);
        let space = &self.text[at..next];
        let breaks = space
            .char_indices()
            .map(|(i, c)| match c {
                '\r' if space[i + 1..].starts_with('\n') => 0,
                '\u{2029}' => 2,
                c => usize::from(is_line_break(c)),
            })
            .sum();
        Gap { is_empty: space.is_empty(), next, breaks }
    }
}

/// White space between two words or sentences.
pub(crate) struct Gap {
    pub(crate) is_empty: bool,
    /// Where it ends.
    pub(crate) next: usize,
    /// The line ends in it; two make a blank line.
    pub(crate) breaks: usize,
}

/// A letter, a digit, or a sign that shapes letters within a word.
pub(super) fn is_word_character(c: char) -> bool {
    is_alphanumeric(c) || shapes_letters(c)
}

pub(super) fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

//! The part of the text that one decision may read.

use std::cell::Cell;

use super::rules::Rules;
use crate::scripts::{is_alphanumeric, shapes_letters};

/// Maximum bytes that a decision reads ahead. It bounds the undecided text and the work.
const LOOKAHEAD: usize = 600;

/// The sentence in progress and the text after it, up to the lookahead limit.
///
/// If more text may come, reading the end of the available text makes the view unsettled and its
/// decision void: more text could change it. A decision in a settled view depends only on the text,
/// and not on the sizes of its pieces.
pub(crate) struct View<'a> {
    rules: &'static Rules,
    text: &'a str,
    start: usize,
    open: bool,
    reached_end: Cell<bool>,
}

impl<'a> View<'a> {
    /// The view for a decision at `at` in the sentence from `start`. `ended`: no more text comes.
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

    pub(crate) fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Whether no later text can change the decision.
    pub(super) fn is_settled(&self) -> bool {
        !self.reached_end.get()
    }

    /// The sentence in progress, up to `at`.
    pub(crate) fn before(&self, at: usize) -> &'a str {
        &self.text[self.start..at]
    }

    /// The start of the sentence in progress.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The text between two positions that the scan has already read.
    pub(super) fn seen(&self, from: usize, to: usize) -> &'a str {
        &self.text[from..to]
    }

    /// The characters from `at` on, with their positions.
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

    /// The first position from `at` on whose character is not accepted.
    pub(crate) fn skip(&self, at: usize, accept: impl Fn(char) -> bool) -> usize {
        self.chars(at).find(|(_, c)| !accept(*c)).map_or(self.text.len(), |(i, _)| i)
    }

    /// The characters from `at` up to the first one that is not accepted.
    pub(crate) fn run(&self, at: usize, accept: impl Fn(char) -> bool) -> &'a str {
        &self.text[at..self.skip(at, accept)]
    }

    /// The word at `at`; empty if no word begins there.
    pub(crate) fn word(&self, at: usize) -> &'a str {
        self.run(at, |c| is_word_character(c) || matches!(c, '\'' | '’'))
    }

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
    /// Its end.
    pub(crate) next: usize,
    /// The number of line ends in it; two make a blank line.
    pub(crate) breaks: usize,
}

/// Whether `c` is a letter, a digit, or a sign inside words, such as a vowel sign.
pub(super) fn is_word_character(c: char) -> bool {
    is_alphanumeric(c) || shapes_letters(c)
}

pub(super) fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

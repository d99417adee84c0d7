//! Classifies the text after a terminator.

use super::view::View;
use crate::words::WordClass;

/// The text after a terminator and white space.
pub(crate) struct Next<'v, 'a> {
    view: &'v View<'a>,
    /// The position of the first word, after opening marks.
    pub(crate) at: usize,
    pub(crate) start: Start,
    /// Whether a bracket opens before the word.
    pub(super) bracketed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Small,
    Capital,
    Digit,
    /// A letter of a script without capitals, or a symbol.
    Other,
}

impl<'v, 'a> Next<'v, 'a> {
    /// The text that begins at `from`; `None` at the end of the text.
    pub(super) fn at(view: &'v View<'a>, from: usize) -> Option<Self> {
        view.char(from)?;
        let dash = view.skip(from, |c| matches!(c, '-' | '–' | '—'));
        let gap = view.gap(dash);
        let from = if dash > from && !gap.is_empty { gap.next } else { from };
        let at = view.skip(from, opens);
        let first = view.char(at);
        let bracketed = view.seen(from, at).starts_with(['(', '[']);
        let start = match first {
            Some(c) if c.is_lowercase() => {
                let word = view.word(at);
                // "iPhone", "eBay"
                let inner = word.chars().skip(1).take(2).any(char::is_uppercase);
                if inner { Start::Capital } else { Start::Small }
            }
            Some(c) if c.is_uppercase() => Start::Capital,
            Some(c) if c.is_numeric() => Start::Digit,
            _ => Start::Other,
        };
        Some(Self { view, at, start, bracketed })
    }

    /// Whether an action between stars begins here: "*waves* See you."
    pub(super) fn begins_action(&self) -> bool {
        let star = self.view.before(self.at).strip_suffix('*');
        self.start == Start::Small
            && star.is_some_and(|before| before.ends_with(char::is_whitespace))
    }

    /// Whether an abbreviation of "number" begins here: "No. 5".
    pub(super) fn begins_number(&self) -> bool {
        self.view.starts_with(self.at, WordClass::NumberWord.first())
    }

    /// Whether one of `signs` begins here: `Inv. #3301`, `12 in. = 1 ft.`
    pub(super) fn begins_with(&self, signs: &str) -> bool {
        self.view.char(self.at).is_some_and(|c| signs.contains(c))
    }

    /// Whether a number in brackets begins here: "(18,295 sf)".
    pub(super) fn is_bracketed_number(&self) -> bool {
        self.bracketed && self.start == Start::Digit
    }

    /// Whether the word is the last one in the text.
    pub(super) fn is_last(&self) -> bool {
        let end = self.at + self.word().len();
        let rest = self.view.skip(end, |c| !c.is_alphanumeric());
        self.view.char(rest).is_none()
    }

    /// The first word, computed on demand. Most decisions need only its first letter, so a stream
    /// need not wait for the whole word.
    pub(crate) fn word(&self) -> &'a str {
        self.view.word(self.at)
    }
}

fn opens(c: char) -> bool {
    "\"“„‘'«‹`([*_¿¡「『".contains(c)
}

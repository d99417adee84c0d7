//! Terminators in a row, and what closes with them.

use super::abbreviations::class;
use super::emoticons;
use super::groups::is_closing;
use super::view::View;
use crate::scripts::devanagari::{is_danda_look_alike, is_devanagari};

/// Terminators in a row, with the spaces of ". . .", and the closing marks after them.
pub(super) struct Run<'a> {
    pub(super) from: usize,
    pub(super) marks: &'a str,
    pub(super) dots: usize,
    /// After the closing marks, citations and emoticons that belong to the sentence.
    pub(super) end: usize,
    /// The closing marks themselves.
    pub(super) closing: &'a str,
}

pub(super) fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '‥' | '‽' | '⁇' | '⁈' | '⁉' | '؟') || is_full(c)
}

/// Terminators that nothing makes ambiguous: dandas, ideographic and full-width stops.
pub(super) fn is_full(c: char) -> bool {
    matches!(c, '।' | '॥' | '。' | '｡' | '！' | '？' | '．')
}

/// A vertical bar, which may be typed for a danda.
pub(super) fn is_bar(c: char) -> bool {
    is_danda_look_alike("क", c, None) && !c.is_alphabetic()
}

/// Whether `before` ends with a letter that is typed for a danda: हैl.
pub(super) fn ends_with_danda_letter(before: &str) -> bool {
    let last = before.chars().next_back();
    last.filter(char::is_ascii_alphabetic)
        .is_some_and(|last| is_danda_look_alike(&before[..before.len() - 1], last, None))
}

impl<'a> Run<'a> {
    pub(super) fn at(view: &View<'a>, from: usize) -> Self {
        let takes_bars = is_danda_look_alike(view.before(from), '|', None);
        let mut to = view.skip(from, |c| is_terminator(c) || is_bar(c) && takes_bars);
        while view.seen(from, to).ends_with('.') {
            let dot = view.skip(to, |c| matches!(c, ' ' | '\u{a0}'));
            let after = view.skip(dot, |c| c == '.');
            let is_spaced_dot =
                dot > to && after > dot && !view.char(after).is_some_and(char::is_alphanumeric);
            if !is_spaced_dot {
                break;
            }
            to = after;
        }
        let marks = view.seen(from, to);
        let dots = marks.chars().map(|c| match c {
            '.' => 1,
            '…' => 3,
            '‥' => 2,
            _ => 0,
        });
        let dots = dots.sum();
        let closed = view.skip(to, |c| is_closing(c) || matches!(c, '*' | '_'));
        let mut end = closed;
        if let Some(verse) = verse_end(view, marks, end) {
            end = verse;
        }
        while let Some(citation) = citation_end(view, end) {
            end = citation;
        }
        let closing = view.seen(to, closed);
        Self { from, marks, dots, end: emoticons::skip(view, end), closing }
    }

    /// Whether something stands right before it that it does not end: nothing, an opening mark, or, for
    /// marks before a letter or digit, white space: ".NET", "!Kung".
    pub(super) fn is_part_of_a_token(&self, view: &View) -> bool {
        let before = view.before(self.from);
        if before.trim().is_empty() || before.ends_with(['(', '[', '{']) {
            // "॥ श्री ॥" begins as it ends.
            return self.marks.contains('॥') || !self.marks.contains(is_full);
        }
        let after = self.from + self.marks.len();
        before.ends_with(char::is_whitespace)
            && self.closing.is_empty()
            && !self.is_full()
            && view.char(after).is_some_and(|c| c.is_alphanumeric() && !is_devanagari(c))
    }

    /// Whether there is a terminator among the marks that nothing makes ambiguous.
    pub(super) fn is_full(&self) -> bool {
        self.marks.contains(|c| is_full(c) || is_bar(c))
    }

    pub(super) fn is_detached(&self, view: &View) -> bool {
        view.before(self.from).ends_with(char::is_whitespace)
    }

    /// The word right before the terminators, with full stops in it.
    pub(super) fn word(&self, view: &View<'a>) -> &'a str {
        let opens = |c: char| c.is_whitespace() || "([{—–/".contains(c);
        let word = view.before(self.from).rsplit(opens).next().unwrap_or_default();
        word.trim_start_matches(['"', '\'', '“', '‘', '«', '*', '_'])
    }

    /// The word before that one, with what is attached to it.
    pub(super) fn word_before(&self, view: &View<'a>) -> &'a str {
        let before = view.before(self.from);
        let before = before[..before.len() - self.word(view).len()].trim_end();
        before.rsplit(char::is_whitespace).next().unwrap_or_default()
    }

    pub(super) fn is_abbreviation(&self, view: &View) -> bool {
        let word = self.word(view);
        class(word).is_some() || word.len() == 1 && word.starts_with(char::is_uppercase)
    }
}

/// The number of a verse between double dandas, whose first is `marks`: "॥ 12 ॥".
fn verse_end(view: &View, marks: &str, at: usize) -> Option<usize> {
    const DOUBLE: [&str; 3] = ["॥", "।।", "||"];
    if !DOUBLE.contains(&marks) {
        return None;
    }
    let space = |at| view.skip(at, |c| c == ' ');
    let number = space(at);
    let end = view.skip(number, char::is_numeric);
    let double = space(end);
    let closing = DOUBLE.into_iter().find(|double_danda| view.starts_with(double, double_danda));
    closing.filter(|_| end > number).map(|closing| double + closing.len())
}

/// A reference after a full stop: "[1]".
fn citation_end(view: &View, at: usize) -> Option<usize> {
    view.char(at).filter(|c| *c == '[')?;
    let end = view.skip(at + 1, |c| c.is_ascii_digit());
    (end > at + 1 && view.char(end) == Some(']')).then_some(end + 1)
}

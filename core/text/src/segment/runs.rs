//! Runs of terminators and the closing marks after them.

use super::emoticons;
use super::prelude::*;
use crate::scripts::is_alphabetic;

/// Consecutive terminators, including ". . .", and the closing marks after them.
pub(crate) struct Run<'a> {
    rules: &'static Rules,
    pub(crate) from: usize,
    pub(super) marks: &'a str,
    pub(super) dots: usize,
    /// The end of the closing marks, citations and emoticons that belong to the sentence.
    pub(super) end: usize,
    pub(crate) closing: &'a str,
}

/// Whether `before` ends with a letter that was typed instead of a stop: `हैl`.
pub(super) fn ends_with_typed_stop(before: &str, rules: &Rules) -> bool {
    let last = before.chars().next_back();
    last.filter(char::is_ascii_alphabetic)
        .is_some_and(|last| rules.is_typed_stop(&before[..before.len() - 1], last))
}

impl<'a> Run<'a> {
    pub(super) fn at(view: &View<'a>, from: usize) -> Self {
        let rules = view.rules();
        let is_typed_stop =
            |c| rules.is_stop_look_alike(c) && rules.is_typed_stop(view.before(from), c);
        let mut to = view.skip(from, |c| rules.is_terminator(c) || is_typed_stop(c));
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
        if view.char(end).is_some_and(is_raised) {
            end += note(view.before(end), view.run(end, |c| !c.is_whitespace()));
        }
        while let Some(citation) = citation_end(view, end) {
            end = citation;
        }
        let closing = view.seen(to, closed);
        Self { rules, from, marks, dots, end: emoticons::skip(view, end), closing }
    }

    /// Whether the run belongs to a token and cannot end a sentence. Nothing or an opening mark
    /// precedes it, or white space precedes it and a letter or digit follows: ".NET", "!Kung".
    pub(super) fn is_part_of_a_token(&self, view: &View) -> bool {
        let before = view.before(self.from);
        if before.trim().is_empty() || before.ends_with(['(', '[', '{']) {
            let mut scripts = self.rules.scripts();
            return scripts.any(|script| self.marks.contains(script.opening_stops))
                || !self.marks.contains(|c| self.rules.is_stop(c));
        }
        let after = self.from + self.marks.len();
        before.ends_with(char::is_whitespace)
            && self.closing.is_empty()
            && !self.is_full()
            && view.char(after).is_some_and(|c| c.is_alphanumeric() && !self.rules.is_caseless(c))
    }

    /// Whether the marks contain an unambiguous terminator.
    pub(super) fn is_full(&self) -> bool {
        self.marks.contains(|c| self.rules.is_stop(c) || self.rules.is_stop_look_alike(c))
    }

    pub(super) fn is_detached(&self, view: &View) -> bool {
        view.before(self.from).ends_with(char::is_whitespace)
    }

    /// The word before the terminators, including full stops inside it.
    pub(crate) fn word(&self, view: &View<'a>) -> &'a str {
        let opens = |c: char| c.is_whitespace() || "([{—–/".contains(c);
        let word = view.before(self.from).rsplit(opens).next().unwrap_or_default();
        word.trim_start_matches(['"', '\'', '“', '‘', '«', '*', '_'])
    }

    /// The word before [`Self::word`], with attached characters.
    pub(crate) fn word_before(&self, view: &View<'a>) -> &'a str {
        let before = view.before(self.from);
        let before = before[..before.len() - self.word(view).len()].trim_end();
        before.rsplit(char::is_whitespace).next().unwrap_or_default()
    }

    pub(super) fn is_abbreviation(&self, view: &View) -> bool {
        let word = self.word(view);
        // "a 12-oz. can"
        let part = word.rsplit_once('-').map_or(word, |(_, part)| part);
        self.rules.is_short(word)
            || self.rules.is_short(part)
            || word.len() == 1 && word.starts_with(char::is_uppercase)
    }
}

/// The end of a verse number between two double stops, the first of which is `marks`: "॥ 12 ॥".
fn verse_end(view: &View, marks: &str, at: usize) -> Option<usize> {
    let script = view.rules().scripts().find(|script| script.verse_marks.contains(&marks))?;
    let space = |at| view.skip(at, |c| c == ' ');
    let number = space(at);
    let end = view.skip(number, char::is_numeric);
    let double = space(end);
    let closing = script.verse_marks.iter().find(|closing| view.starts_with(double, closing));
    closing.filter(|_| end > number).map(|closing| double + closing.len())
}

/// Whether `c` is a superscript digit of a note number, or a dagger.
pub(crate) fn is_raised(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹' | '†' | '‡')
}

/// The length of the superscript note number at the start of `rest`, as in "athletes³ need".
///
/// A power is no note. Powers follow a short symbol, a number or a counted noun: `cm²`, `5 miles²`.
pub(crate) fn note(before: &str, rest: &str) -> usize {
    let after = rest.trim_start_matches(is_raised);
    if after.len() == rest.len() {
        return 0;
    }
    let word = before.trim_end_matches(is_alphabetic);
    let letters = before[word.len()..].chars().count();
    let has_case = before.ends_with(|c: char| c.is_lowercase() || c.is_uppercase());
    let follows_mark = letters == 0
        && before.ends_with(|c: char| ".,;:!?…।॥”’»".contains(c))
        && !before.ends_with("..");
    let is_counted = word.trim_end().ends_with(|c: char| c.is_numeric() && !is_raised(c));
    let least = if has_case { 4 } else { 1 };
    let follows_word = letters >= least && !is_counted && !word.ends_with('/');
    let is_dagger = rest.starts_with(['†', '‡']) && before.ends_with(char::is_alphanumeric);
    let is_factor = after.trim_start().starts_with(|c| "=+×÷−/^·⁺⁻ⁿ".contains(c));
    let ends = !after.starts_with(char::is_alphanumeric) && !is_factor;
    if (follows_mark || follows_word || is_dagger) && ends { rest.len() - after.len() } else { 0 }
}

/// The end of a citation after a full stop: "[1]".
fn citation_end(view: &View, at: usize) -> Option<usize> {
    view.char(at).filter(|c| *c == '[')?;
    let end = view.skip(at + 1, |c| c.is_ascii_digit());
    (end > at + 1 && view.char(end) == Some(']')).then_some(end + 1)
}

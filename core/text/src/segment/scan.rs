//! Scans a text for the ends of its sentences.

use std::ops::Range;

use speech_base::limits::MAX_CHARACTERS;

use super::groups::{self, Group};
use super::prelude::*;
use super::runs::ends_with_typed_stop;
use super::split_text::part_end;
use super::stops::{Context, Stop, stop_at};
use super::{Sentence, lines};

/// The state of the scan between two decisions.
#[derive(Clone, Debug)]
pub(super) struct Scanner {
    rules: &'static Rules,
    /// The start of the sentence in progress, once its first character is found.
    start: Option<usize>,
    at: usize,
    /// Whether the sentence in progress begins a line.
    fresh_line: bool,
    /// Whether the sentence in progress begins with an item marker.
    in_item: bool,
    /// The last list marker.
    item: Option<Marker>,
    /// The last quotation, bracket or piece of markup that the scan passed in this sentence.
    group: Option<Group>,
}

/// One decision.
enum Step {
    To(usize),
    /// The sentence begins with a marker, or contains one after a colon.
    Item(Marker),
    Group(Group, usize),
    End {
        at: usize,
        boundary: Boundary,
    },
}

impl Scanner {
    pub(super) fn new(rules: &'static Rules) -> Self {
        Self {
            rules,
            start: None,
            at: 0,
            fresh_line: true,
            in_item: false,
            item: None,
            group: None,
        }
    }

    /// A scanner at the start of a text, with the same rules.
    pub(super) fn restarted(&self) -> Self {
        Self::new(self.rules)
    }

    /// The next sentence of `text`, once it is decided. `ended` means that no more text comes.
    pub(super) fn next(&mut self, text: &str, ended: bool) -> Option<Sentence> {
        loop {
            let Some(start) = self.start else {
                self.find_start(text)?;
                continue;
            };
            if let Some(cut) = overlong_end(text, start, self.at) {
                return self.end(text, start, cut, Boundary::Sentence);
            }
            if self.at == text.len() {
                return if ended {
                    self.end(text, start, text.len(), Boundary::Paragraph)
                } else {
                    None
                };
            }
            let view = View::new(text, start, self.at, ended, self.rules);
            let step = self.step(&view, text, start);
            if !view.is_settled() {
                return None;
            }
            match step {
                Step::To(at) => self.at = at,
                Step::Item(marker) => {
                    self.at = marker.end;
                    self.item = Some(marker);
                    self.in_item = true;
                }
                Step::Group(group, at) => {
                    self.group = Some(group);
                    self.at = at;
                }
                Step::End { at, boundary } => {
                    return match overlong_end(text, start, at) {
                        Some(cut) => self.end(text, start, cut, Boundary::Sentence),
                        None => self.end(text, start, at, boundary),
                    };
                }
            }
        }
    }

    /// The position before which the scan never reads the text again.
    pub(super) fn settled(&self) -> usize {
        self.start.unwrap_or(self.at)
    }

    /// Adjusts positions after `length` bytes were removed from the start of the text.
    pub(super) fn forget(&mut self, length: usize) {
        self.at -= length;
        self.start = self.start.map(|start| start - length);
        self.group = self.group.map(|group| group.moved(length));
        // A passed marker needs only its label.
        if let Some(item) = &mut self.item {
            item.end = 0;
        }
    }

    fn find_start(&mut self, text: &str) -> Option<()> {
        let space = text[self.at..].find(|c: char| !c.is_whitespace());
        let at = space.map_or(text.len(), |space| self.at + space);
        self.fresh_line |= text[self.at..at].contains(is_line_break);
        self.at = at;
        self.start = space.map(|_| at);
        self.start.map(|_| ())
    }

    fn end(&mut self, text: &str, start: usize, at: usize, boundary: Boundary) -> Option<Sentence> {
        let span: Range<usize> = start..start + text[start..at].trim_end().len();
        *self = Self { at, fresh_line: false, item: self.item.take(), ..Self::new(self.rules) };
        Some(Sentence { span, boundary })
    }

    fn step(&self, view: &View, text: &str, start: usize) -> Step {
        if self.at == start
            && !self.in_item
            && let Some(marker) = Marker::at(view, start, self.fresh_line)
            && (self.fresh_line || marker.begins_item_inline(self.item.as_ref()))
        {
            return Step::Item(marker);
        }
        let c = text[self.at..].chars().next().expect("not at the end");
        let after = self.at + c.len_utf8();
        let rules = self.rules;
        let is_typed_stop =
            || rules.is_stop_look_alike(c) && rules.is_typed_stop(view.before(self.at), c);
        if rules.is_terminator(c) || is_typed_stop() {
            let context = Context { group: self.group, item: self.item.as_ref() };
            return match stop_at(view, self.at, &context) {
                Stop::Ends { at, boundary } => Step::End { at, boundary },
                Stop::GoesOn { at } => Step::To(at),
            };
        }
        if c.is_whitespace() {
            return self.space(view);
        }
        if let Some((length, boundary)) = lines::written_break(view, self.at) {
            return Step::End { at: self.at + length, boundary };
        }
        if groups::may_open(c)
            && let Some(group) = groups::group_at(view, self.at)
        {
            return Step::Group(group, group.resumes(view));
        }
        let is_plain = |c: char| {
            !rules.is_terminator(c)
                && !rules.is_stop_look_alike(c)
                && !groups::may_open(c)
                && !c.is_whitespace()
                && c != '\\'
        };
        Step::To(text[after..].find(|c| !is_plain(c)).map_or(text.len(), |length| after + length))
    }

    /// Decides white space: whether the text, the line or the item ends here.
    fn space(&self, view: &View) -> Step {
        let gap = view.gap(self.at);
        let is_last = view.char(gap.next).is_none();
        let ends_line = gap.breaks > 0
            && lines::ends_sentence(view, self.at, self.fresh_line, self.item.as_ref());
        let begins_block = || self.begins_item(view, gap.next) || lines::is_divider(view, gap.next);
        if is_last || ends_line || begins_block() {
            return Step::End { at: self.at, boundary: lines::boundary(view, &gap) };
        }
        let ends_action = lines::is_action(view.before(self.at))
            && Next::at(view, gap.next).is_some_and(|next| next.start == Start::Capital);
        if ends_action || ends_with_typed_stop(view.before(self.at), self.rules) {
            return Step::End { at: self.at, boundary: Boundary::Sentence };
        }
        if view.before(self.at).ends_with(':')
            && let Some(marker) = Marker::at(view, gap.next, false)
            && marker.begins_list()
        {
            return Step::Item(marker);
        }
        Step::To(gap.next)
    }

    fn begins_item(&self, view: &View, at: usize) -> bool {
        if view.char(at).is_some_and(Marker::is_bullet) {
            // Several bullets in a row mask digits: "card •••• 0921".
            return !view.chars(at).nth(1).is_some_and(|(_, c)| Marker::is_bullet(c));
        }
        if !self.in_item {
            return false;
        }
        let before = view.before(self.at).trim_end();
        let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let goes_on = before.ends_with([',', ';', ':'])
            || last == "&"
            || self.rules.has(Class::Conjunction, last);
        !goes_on
            && Marker::at(view, at, false)
                .zip(self.item.as_ref())
                .is_some_and(|(marker, item)| marker.follows_inline(item))
    }
}

/// The cut of a sentence that exceeds the character limit of a request; `None` within the limit.
fn overlong_end(text: &str, start: usize, at: usize) -> Option<usize> {
    if at - start <= MAX_CHARACTERS {
        return None;
    }
    let (limit, _) = text[start..at].char_indices().nth(MAX_CHARACTERS)?;
    (!text[start + limit..at].trim().is_empty()).then(|| part_end(text, start, MAX_CHARACTERS, &[]))
}

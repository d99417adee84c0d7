//! Finds groups that are never cut: quotations, brackets, links, pronunciations and code.

use super::view::{View, is_line_break};

/// A quotation or bracket longer than this many bytes is cut like other text.
const LONGEST: usize = 500;

/// A quotation, bracket, link or piece of code, with its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) opens: usize,
    /// The byte after the closing mark.
    pub(super) ends: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Quotation,
    Brackets,
    /// A link, a pronunciation or code. Stops inside it end no sentence, not even at its end.
    Markup,
}

/// The mark that closes a group that `opener` opens. The two may be equal.
fn closer(opener: char) -> char {
    let pairs = "“”„”‘’«»‹›「」『』()[]{}（）";
    pairs.chars().skip_while(|c| *c != opener).nth(1).unwrap_or(opener)
}

pub(super) fn may_open(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '“' | '„' | '‘' | '«' | '‹' | '`' | '(' | '[' | '{' | '「' | '『' | '（'
    )
}

/// The group that opens at `at`, if it closes within [`LONGEST`] bytes and before a blank line.
pub(super) fn group_at(view: &View, at: usize) -> Option<Group> {
    let opener = view.char(at)?;
    let before = view.before(at).chars().next_back();
    let group = |ends, kind| Group { opens: at, ends, kind };
    match opener {
        // "won`t"
        '`' if before.is_some_and(char::is_alphabetic) => None,
        '`' => code_end(view, at)
            .map(|ends| group(ends, Kind::Markup))
            .or_else(|| quotation_end(view, at, '\'').map(|ends| group(ends, Kind::Quotation))),
        '(' | '[' | '{' | '（' if opener != '(' || !is_mouth(view.before(at)) => {
            let link = if opener == '[' { link_end(view, at) } else { None };
            link.map(|ends| group(ends, Kind::Markup))
                .or_else(|| bracket_end(view, at, opener).map(|ends| group(ends, Kind::Brackets)))
        }
        '(' => None,
        _ => {
            let closer = closer(opener);
            let opens = before.is_none_or(|c| c.is_whitespace() || "([{—–-/\"'“‘*_".contains(c));
            let ends = if opens { quotation_end(view, at, closer) } else { None };
            ends.map(|ends| group(ends, Kind::Quotation))
        }
    }
}

/// Whether `at` is inside a quotation or brackets of the sentence.
pub(super) fn is_within(view: &View, at: usize) -> bool {
    let mut from = view.start();
    while let Some(opens) = view.seen(from, at).find(may_open) {
        let opener = from + opens;
        let group = group_at(view, opener);
        if group.is_some_and(|group| group.ends > at && group.kind != Kind::Markup) {
            return true;
        }
        let after = opener + view.char(opener).map_or(1, char::len_utf8);
        from = group.map_or(after, |group| group.ends.min(at));
    }
    false
}

impl Group {
    /// The same group after `length` bytes were removed from the start of the text.
    pub(super) fn moved(self, length: usize) -> Self {
        Self { opens: self.opens - length, ends: self.ends - length, ..self }
    }

    /// The position where the scan resumes: the stops at the end of the group, else after it.
    pub(super) fn resumes(&self, view: &View) -> usize {
        if self.kind == Kind::Markup {
            return self.ends;
        }
        let is_terminator = |c| view.rules().is_terminator(c);
        let bare = view.seen(self.opens, self.ends).trim_end_matches(|c| is_closing(c) || c == ' ');
        let mut start = bare.trim_end_matches(is_terminator).len();
        // ". . ." is one run of stops with spaces.
        while bare[start..].starts_with('.') && bare[..start].ends_with(' ') {
            let earlier = bare[..start].trim_end_matches(' ');
            if !earlier.ends_with('.') {
                break;
            }
            start = earlier.trim_end_matches(is_terminator).len();
        }
        if start == bare.len() { self.ends } else { self.opens + start }
    }
}

pub(super) fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | '›' | ')' | ']' | '}' | '」' | '』' | '）' | '】')
}

/// The characters after `at`, up to a blank line or [`LONGEST`] bytes.
fn inside<'v>(view: &'v View, at: usize) -> impl Iterator<Item = (usize, char)> + 'v {
    let mut blank = false;
    view.chars(at).skip(1).take_while(move |(i, c)| {
        let again = blank && is_line_break(*c);
        blank = if c.is_whitespace() { blank || *c == '\n' } else { false };
        !again && i - at < LONGEST
    })
}

/// Whether the bracket after `before` is the mouth of an emoticon.
fn is_mouth(before: &str) -> bool {
    before.trim_end_matches('-').ends_with([':', ';', '='])
}

fn quotation_end(view: &View, at: usize, closer: char) -> Option<usize> {
    let first = view.char(at + view.char(at)?.len_utf8())?;
    if first.is_whitespace() || closer == '\'' && first.is_numeric() {
        return None;
    }
    let mut previous = ' ';
    for (i, c) in inside(view, at) {
        if c == closer {
            let end = i + c.len_utf8();
            let goes_on = view.char(end).is_some_and(char::is_alphanumeric);
            let is_apostrophe = goes_on
                || closer == '\'' && !view.rules().is_terminator(previous) && previous != ',';
            match closer {
                '\'' | '’' if is_apostrophe => {}
                '"' if previous.is_whitespace() => return None,
                _ => return Some(end),
            }
        }
        previous = c;
    }
    None
}

fn bracket_end(view: &View, at: usize, opener: char) -> Option<usize> {
    let closer = closer(opener);
    let mut depth = 1;
    let mut previous = opener;
    for (i, c) in inside(view, at) {
        let is_mouth = matches!(previous, ':' | ';');
        if c == opener && !is_mouth {
            depth += 1;
        } else if c == closer && !is_mouth {
            depth -= 1;
        }
        if depth == 0 {
            return Some(i + c.len_utf8());
        }
        previous = c;
    }
    None
}

/// The end of `[text](target)`: a link, an image or a pronunciation.
fn link_end(view: &View, at: usize) -> Option<usize> {
    let text_end = bracket_end(view, at, '[')?;
    view.char(text_end).filter(|c| *c == '(')?;
    let end = bracket_end(view, text_end, '(')?;
    let target = view.seen(text_end, end);
    (!target.contains(is_line_break)).then_some(end)
}

fn code_end(view: &View, at: usize) -> Option<usize> {
    let ticks = view.run(at, |c| c == '`').len();
    let mut run = 0;
    let mut spaced = false;
    for (i, c) in inside(view, at + ticks - 1) {
        if c != '`' {
            run = 0;
            spaced = c.is_whitespace();
            continue;
        }
        run += 1;
        let next = view.char(i + 1);
        if run == ticks && next != Some('`') {
            // After a space and before a letter, the mark may open another quotation.
            let opens = spaced && next.is_some_and(char::is_alphanumeric);
            return (!opens).then_some(i + 1);
        }
    }
    None
}

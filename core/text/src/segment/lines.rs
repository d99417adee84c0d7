//! Decides whether a line end also ends a heading, a list item, a paragraph, or no sentence at all.

use super::prelude::*;
use super::view::Gap;

/// Minimum characters of a line that may have been wrapped to fit a page.
const FULL_LINE: usize = 45;
/// Characters that make a divider line.
const DIVIDERS: &str = "*#~-=_•·—–";
/// Maximum words of a list line.
const LIST_WORDS: usize = 4;
/// Maximum characters of a heading.
const LONGEST_HEADING: usize = 90;

/// Whether a new block, such as an item or heading, follows `gap`.
pub(super) fn starts_block(view: &View, gap: &Gap, item: Option<&Marker>) -> bool {
    gap.breaks > 1
        || Marker::at(view, gap.next, true).is_some_and(|marker| marker.begins_item(item))
        || is_heading(view, gap.next)
        || ["```", "~~~", "---", "***", "===", "|"]
            .iter()
            .any(|mark| view.starts_with(gap.next, mark))
}

/// The boundary of a sentence whose line ends at `gap`, before another block.
pub(super) fn boundary(view: &View, gap: &Gap) -> Boundary {
    let is_last = view.char(gap.next).is_none();
    if is_last || gap.breaks > 1 || is_heading(view, view.start()) || is_heading(view, gap.next) {
        Boundary::Paragraph
    } else {
        Boundary::Line
    }
}

/// The end of the line breaks written as `\n` at `at`, and their boundary.
pub(super) fn written_break(view: &View, at: usize) -> Option<(usize, Boundary)> {
    let mut length = 0;
    let mut breaks = 0;
    let before = view.before(at);
    let is_word = |word: &str| view.rules().is_word(word);
    while let Some(more) = escaped_break(before, view.chars(at + length).map(|(_, c)| c), is_word) {
        length += more;
        breaks += 1;
    }
    let boundary = if breaks > 1 { Boundary::Paragraph } else { Boundary::Line };
    (breaks > 0).then_some((length, boundary))
}

/// The length of a line break that is written as `\n` or `\r\n` after a word or a mark; paths and
/// code have none.
///
/// The letters after it must be a word that gives no other word with "n" before it: `one\ntwo`, but
/// not `docs\new`.
pub(crate) fn escaped_break(
    before: &str,
    rest: impl Iterator<Item = char>,
    is_word: impl Fn(&str) -> bool,
) -> Option<usize> {
    let mut rest = rest.peekable();
    rest.next_if_eq(&'\\')?;
    let is_return = rest.next_if_eq(&'r').is_some();
    if is_return {
        rest.next_if_eq(&'\\')?;
    }
    rest.next_if_eq(&'n')?;
    let before = before.trim_end_matches("\\n").trim_end_matches("\\r");
    let follows = before.ends_with(|c: char| c.is_alphanumeric() || ".!?,;:…।\"”)".contains(c));
    let token = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_code = token.contains(['\\', '/', '`', '=', '<', '%', '(']);
    let goes_on = match rest.peek() {
        Some(c) if c.is_lowercase() => {
            let word: String = rest.take_while(|c| c.is_alphabetic()).collect();
            before.ends_with(':')
                || word.len() < 3
                || !is_word(&word)
                || is_word(&format!("n{word}"))
        }
        Some(c) => !c.is_alphanumeric() && !c.is_whitespace() && !"\\*-•\"“".contains(*c),
        None => false,
    };
    (follows && !is_code && !goes_on).then_some(if is_return { 4 } else { 2 })
}

/// The length of a divider: one sign repeated with spaces, or stars, as in `* * *`.
///
/// After a number, such a row is a cron schedule: `0 5 * * *`.
pub(crate) fn divider(before: &str, rest: &str) -> Option<usize> {
    let sign = rest.chars().next().filter(|c| DIVIDERS.contains(*c))?;
    let length = rest.find(|c| c != sign && c != ' ').unwrap_or(rest.len());
    let row = rest[..length].trim_end();
    let signs = row.chars().filter(|c| *c == sign).count();
    let is_spaced = row.split(' ').count() == signs;
    let is_solid = sign == '*' && row.len() == signs;
    let follows =
        before.trim_end().ends_with(|c: char| c.is_alphabetic() || ".!?…।\"”)".contains(c));
    let is_apart = before.is_empty() || before.ends_with(char::is_whitespace) && follows;
    let ends = rest[row.len()..].starts_with(char::is_whitespace) || row.len() == rest.len();
    (signs > 2 && signs != 5 && (is_spaced || is_solid) && is_apart && ends).then_some(row.len())
}

/// Whether a divider begins at `at`, after white space.
pub(super) fn is_divider(view: &View, at: usize) -> bool {
    let is_first = view.char(at).is_some_and(|c| DIVIDERS.contains(c));
    let row = || view.run(at, |c| !c.is_alphanumeric());
    let ends = |length: usize| view.char(at + length).is_none_or(char::is_whitespace);
    is_first && divider(view.before(at), row()).is_some_and(ends)
}

/// Whether `text` is an action between stars: "*waves*".
pub(super) fn is_action(text: &str) -> bool {
    let action = text.strip_prefix('*').and_then(|rest| rest.strip_suffix('*'));
    action.is_some_and(|action| {
        action.starts_with(char::is_lowercase)
            && !action.contains(|c: char| c == '*' || c.is_uppercase())
    })
}

fn is_heading(view: &View, at: usize) -> bool {
    let marks = view.run(at, |c| c == '#');
    (1..=6).contains(&marks.len()) && view.char(at + marks.len()).is_some_and(char::is_whitespace)
}

/// Whether the line end at `at` ends a sentence that has no terminator.
pub(super) fn ends_sentence(
    view: &View,
    at: usize,
    fresh_line: bool,
    item: Option<&Marker>,
) -> bool {
    let rules = view.rules();
    let gap = view.gap(at);
    if gap.breaks == 0 {
        return false;
    }
    if starts_block(view, &gap, item) {
        return true;
    }
    let Some(next) = Next::at(view, gap.next) else { return false };
    let sentence = view.before(at).trim();
    let line = sentence.rsplit(is_line_break).next().unwrap_or_default().trim();
    let is_first = line.len() == sentence.len();
    if is_first && fresh_line && is_marked(line) {
        return true;
    }
    let before_stop =
        view.char(gap.next).is_some_and(|c| rules.is_terminator(c) || matches!(c, ')' | ']'));
    if before_stop || line.chars().count() <= 2 || !ends_a_phrase(line, rules) {
        return false;
    }
    match next.start {
        Start::Small if line.ends_with(':') => line.chars().count() < FULL_LINE,
        Start::Small => {
            is_first
                && fresh_line
                && is_list_line(line, rules)
                && is_list_line(line_at(view, gap.next), rules)
        }
        Start::Other if rules.caseless(view.char(next.at)).next().is_none() => false,
        _ if line.ends_with(':') || is_title(line) => true,
        _ if next.bracketed => false,
        _ => {
            let is_short = line.chars().count() < FULL_LINE;
            is_short
                || is_first && is_bracketed(line)
                || rules.is_opener(next.word())
                || rules.has(Class::Final, last_word(line))
        }
    }
}

fn line_at<'a>(view: &View<'a>, at: usize) -> &'a str {
    view.run(at, |c| !is_line_break(c)).trim()
}

/// Whether the line is a Markdown heading, table row or rule.
fn is_marked(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    (heading.len() < line.len() && heading.starts_with(' '))
        || line.starts_with(['|', '`', '~'])
        || line.chars().all(|c| "-=*_".contains(c))
}

/// Whether the line may end a phrase: it ends without a comma or a word that needs a continuation.
fn ends_a_phrase(line: &str, rules: &Rules) -> bool {
    !line.ends_with([',', ';', '-', '–', '—', '(', '[', '&', '/', '+'])
        && !line.trim_end_matches(is_closing).ends_with(|c| rules.is_terminator(c))
        && !rules.has(Class::NeverLast, last_word(line))
}

fn last_word(line: &str) -> &str {
    line.rsplit(char::is_whitespace).next().unwrap_or_default()
}

/// Whether the line is a list line without capitals: "contact manager", "events, activities".
fn is_list_line(line: &str, rules: &Rules) -> bool {
    let first = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    line.starts_with(char::is_lowercase)
        && line.split_whitespace().count() <= LIST_WORDS
        && ends_a_phrase(line, rules)
        && !rules.has(Class::NeverLast, first)
}

/// Whether every long word of the line has a capital: "Putter King Scavenger Hunt Trophy".
fn is_title(line: &str) -> bool {
    let is_small = |word: &str| word.starts_with(char::is_lowercase);
    line.chars().count() <= LONGEST_HEADING
        && line.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
        && line.split_whitespace().count() > 1
        && line.split_whitespace().all(|word| !is_small(word) || word.len() < 4)
}

fn is_bracketed(line: &str) -> bool {
    line.starts_with(['(', '[']) && line.ends_with([')', ']'])
}

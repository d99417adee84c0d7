//! Recognizes abbreviations in Devanagari and Latin letters, and letter names with stops between.

use unicode_normalization::char::is_combining_mark;

use super::recognizers::slash;
use super::{beside_date, letters};
use crate::normalize::abbreviation::most_specific;
use crate::normalize::condition::Place;
use crate::normalize::electronic;
use crate::normalize::prelude::*;
use crate::normalize::properties::Property;
use crate::scripts::is_devanagari;

const NUKTA: char = '\u{93c}';

/// Maximum groups of letters with stops between.
const GROUPS: usize = 5;

/// A listed abbreviation, else letter names with stops between.
pub(super) fn find(context: &MatchContext<'_>) -> Found {
    let groups = groups(context.rest);
    (1..=groups.len()).rev().find_map(|count| listed(context, &groups[..count])).or_else(|| {
        if let Some(letter) = zeroed(context, &groups) {
            return Some(letter);
        }
        let length = joined_letters(&groups)?;
        let code_parts = code_parts(&groups, length);
        let length = length + usize::from(goes_on_after_stop(&context.rest[length..]));
        Some((length, SemioticClass::Alphanumeric(code_parts)))
    })
}

/// A syllable with a silent zero as its abbreviation stop: "थाना-को0".
fn zeroed(context: &MatchContext<'_>, groups: &[Group<'_>]) -> Found {
    let first = groups.first().filter(|group| is_syllable(group.text))?;
    let length = first.end() + first.stop;
    let code_parts = CodeParts::of(CodePart::Word(first.text.into()), 0..length);
    context.rest[..length]
        .ends_with('0')
        .then_some((length, SemioticClass::Alphanumeric(code_parts)))
}

/// Letters up to a stop or space, with their position and stop.
struct Group<'a> {
    start: usize,
    text: &'a str,
    stop: usize,
    /// Whether white space precedes the group.
    is_apart: bool,
}

impl Group<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The groups at the start of `rest`. All but the last have a stop: "ई.पू.", "वि. सं.", "s/o".
fn groups(rest: &str) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut start = 0;
    while groups.len() < GROUPS {
        let length = run(&rest[start..], is_letter);
        let slash = rest[start + length..].strip_prefix('/').filter(|_| length < 2);
        let length = length + slash.map_or(0, |after| 1 + run(after, is_letter));
        let text = &rest[start..start + length];
        let after = &rest[start + length..];
        let stop = stop(text, after);
        if text.is_empty() || stop == 0 && after.starts_with(char::is_numeric) {
            break;
        }
        let is_apart = rest[..start].ends_with(' ');
        groups.push(Group { start, text, stop, is_apart });
        start += length + stop;
        if stop == 0 {
            break;
        }
        start += usize::from(rest[start..].starts_with(' '));
    }
    groups
}

/// The length of a full stop, abbreviation sign, or zero used as one: "डॉ0 राम".
fn stop(text: &str, after: &str) -> usize {
    let is_zero = || {
        after.strip_prefix('0').is_some_and(|next| !next.starts_with(char::is_numeric))
            && text.ends_with(is_devanagari)
    };
    match after.chars().next() {
        Some(c @ ('.' | '॰')) => c.len_utf8(),
        Some('0') if is_zero() => 1,
        _ => 0,
    }
}

/// The table row for these groups in this context.
fn listed(context: &MatchContext<'_>, groups: &[Group<'_>]) -> Found {
    let parts: Vec<&str> = groups.iter().map(|group| group.text).collect();
    let key = parts.join(".").to_ascii_lowercase().replace(NUKTA, "");
    let last = groups.last()?;
    let readings = context.lexicon().abbreviations.get(&key);
    let written = &context.rest[..last.end()];
    let after = &context.rest[last.end() + last.stop..];
    let place = Place { context, written, stopped: last.stop > 0, after };
    let reading = most_specific(&place, readings)?;
    let length = last.end() + last.stop + reading.taken(after);
    let ends_sentence = context.ends_sentence(length);
    Some((length, SemioticClass::Abbreviation { row: reading, ends_sentence }))
}

/// Properties of positions in Hindi conditions.
pub(super) const PROPERTIES: &[(&str, Property)] = &[
    ("address", |look| {
        let text = look.place.context.text();
        electronic::find(&text[..text.len() - look.text.len()], look.text).is_some()
    }),
    ("titled", |look| title_follows(look.text, look.place.context)),
    ("latin-title", |look| is_latin_title(&look.place)),
    ("month", |look| {
        let Place { context, written, stopped, after } = look.place;
        beside_date::is_month(&written.replace(NUKTA, ""), context.before, after, stopped)
    }),
    ("weekday", |look| beside_date::is_weekday(look.place.context.before, look.place.after)),
    ("priced", |look| slash::is_price(look.place.context.before)),
    ("reference", |look| {
        let token = look.place.context.before.rsplit(char::is_whitespace).next();
        token.is_some_and(|token| token.ends_with('/') && token.contains(is_upper))
    }),
    ("label", |look| is_label(look.place.context.before, look.place.after)),
];

/// Whether this is a field name or choice: alone after a colon, in brackets, or beside a slash.
fn is_label(before: &str, after: &str) -> bool {
    let opens = before.is_empty()
        || before.ends_with(['/', '('])
        || before.ends_with(", ")
        || before.trim_end().ends_with(':');
    let next = after.trim_start();
    let closes = after.starts_with(['/', ')', ':', ','])
        || next.is_empty()
        || next.starts_with(['|', '।', '…', '.', '_']);
    let is_named =
        before.trim_end().ends_with(':') && last_word(before.trim_end_matches([' ', ':'])) == "लिंग";
    let beside_slash = before.ends_with('/') || after.starts_with('/');
    (opens
        && closes
        && (beside_slash || is_named || before.ends_with('(') || after.starts_with(':')))
        || is_named
}

/// Whether it is a capitalized Latin title, which needs no stop before Devanagari: "Shri रमेश".
fn is_latin_title(place: &Place<'_>) -> bool {
    place.written.starts_with(is_upper)
        && place.written.ends_with(is_lower)
        && place.after.strip_prefix(' ').is_some_and(|name| name.starts_with(is_devanagari))
}

/// Whether another title follows in brackets or after "&": "प्रो. (डॉ.) राम", "Mr. & Mrs. Gupta".
fn title_follows(after: &str, context: &MatchContext<'_>) -> bool {
    let is_title = |inner: &str| {
        let title = &inner[..run(inner, is_letter)];
        let mut readings = context.lexicon().abbreviations.get(title).iter();
        readings.any(|one| matches!(one.when.first(), "title" | "bare-title"))
            || lists("श्रीमती श्री सुश्री से रिटा सेनि", title)
    };
    after.strip_prefix('(').is_some_and(is_title)
        || after.strip_prefix("& ").is_some_and(|next| next.starts_with(is_letter))
}

/// The length of at least two Devanagari groups without spaces, each a syllable or the name of a
/// Latin letter: "बी.बी.सी.", "ए.पी.जे".
fn joined_letters(groups: &[Group<'_>]) -> Option<usize> {
    const WORDS: &str = "है हैं हूं हूँ था थी थीं थे में मैं हो तो ही भी से को का ने ना जो वो ये दो लो जा आ";
    let is_initial = |group: &Group<'_>| {
        is_letter_name(group.text) || is_syllable(group.text) && !lists(WORDS, group.text)
    };
    // A plain word is one group.
    if groups.len() < 2 {
        return None;
    }
    let count = groups
        .iter()
        .enumerate()
        .take_while(|(i, group)| is_initial(group) && (*i == 0 || !group.is_apart))
        .count();
    (count > 1).then(|| groups[count - 1].end())
}

fn is_letter_name(text: &str) -> bool {
    ('a'..='z').filter_map(letters::name).any(|name| name == text)
        || matches!(text, "जेड" | "डब्लू" | "वाय")
}

/// Whether `text` is one Devanagari letter with its signs, or two joined by a virama.
fn is_syllable(text: &str) -> bool {
    let mut joined = true;
    let mut syllables = 0;
    for c in text.chars() {
        if !is_combining_mark(c) && is_devanagari(c) {
            syllables += usize::from(!joined || syllables == 0);
        }
        joined = c == '\u{94d}';
    }
    syllables == 1 && text.starts_with(is_devanagari)
}

fn code_parts(groups: &[Group<'_>], length: usize) -> CodeParts {
    let mut code_parts = CodeParts::default();
    for group in groups.iter().take_while(|group| group.end() <= length) {
        let end = (group.end() + group.stop).min(length);
        code_parts.push(CodePart::Word(group.text.into()), group.start..end);
    }
    code_parts
}

/// Whether a stop here only ends an abbreviation, so that the sentence continues.
fn goes_on_after_stop(after: &str) -> bool {
    after.strip_prefix('.').is_some_and(|after| after.contains(is_inner))
}

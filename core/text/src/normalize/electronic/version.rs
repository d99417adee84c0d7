//! Version numbers: "v2.0.1", "1.2.3-beta", "Python 3.11".

use super::{Kind, Value};
use crate::normalize::prelude::*;

/// A version number at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    if before.ends_with(['.', ',', '-', '/', ':', '$', '€', '£', '₹', '+']) {
        return None;
    }
    let marked = rest.starts_with(['v', 'V']);
    // `Table B.10`
    let lettered = follows(before, WordClass::Section)
        && rest.starts_with(|c: char| c.is_ascii_uppercase())
        && rest[1..].starts_with('.');
    let mut at = usize::from(marked || lettered);
    let groups = groups(&rest[at + usize::from(lettered)..]);
    if groups.len() + usize::from(lettered) < 2 {
        return None;
    }
    let mut code_parts = CodeParts::default();
    if at > 0 {
        code_parts.letters(&rest[..at], 0);
    }
    for (i, group) in groups.iter().enumerate() {
        if i > 0 || lettered {
            code_parts.push(CodePart::Symbol('.'), at..at + 1);
            at += 1;
        }
        if group.len() > 3 {
            code_parts.pairs(group, at)
        } else {
            code_parts.number(group, at)
        }
        at += group.len();
    }
    let numbers_end = at;
    at += stage(&rest[at..], at, &mut code_parts);
    let is_staged = at > numbers_end;
    let is_part = follows(before, WordClass::Section) && !rest[at..].starts_with(['–', '—']);
    let is_named = follows(before, WordClass::Software) || is_part;
    let is_known = marked || is_staged || is_named;
    // `Go 0.8 km`
    let next = rest[at..].strip_prefix(' ').unwrap_or_default();
    let next = &next[..run(next, is_latin_letter)];
    if groups.len() < 3 && WordClass::AfterDistance.has(next) {
        return None;
    }
    let is_version = is_known || groups.len() > 2 && !is_other_number(&groups);
    (is_version && closes_number(&rest[at..]))
        .then_some((at, Value { kind: Kind::Version, code_parts }))
}

/// The digits between points.
fn groups(rest: &str) -> Vec<&str> {
    let mut groups = Vec::new();
    let mut rest = rest;
    loop {
        let (group, after) = rest.split_at(run(rest, is_digit));
        if group.is_empty() {
            return groups;
        }
        groups.push(group);
        match after.strip_prefix('.') {
            Some(next) if next.starts_with(is_digit) => rest = next,
            _ => return groups,
        }
    }
}

/// Consumes "-beta", "-rc.1", "b2" or ".x"; returns its length.
fn stage(rest: &str, start: usize, code_parts: &mut CodeParts) -> usize {
    if rest.starts_with(".x") && closes(&rest[2..]) {
        code_parts.push(CodePart::Symbol('.'), start..start + 1);
        code_parts.letters("x", start + 1);
        return 2;
    }
    let word = rest.trim_start_matches('-');
    let mut at = rest.len() - word.len();
    let length = run(word, is_latin_letter);
    let name = &word[..length];
    if at > 1
        || !WordClass::Stage.has_any_case(name)
        || at == 0 && length == 1 && !is_count(&word[1..])
    {
        return 0;
    }
    let part =
        if length < 3 { CodePart::Letters(name.into()) } else { CodePart::Word(name.into()) };
    code_parts.push(part, start + at..start + at + length);
    at += length;
    let number = rest[at..].strip_prefix('.').unwrap_or(&rest[at..]);
    let digits = run(number, is_digit);
    if digits > 0 {
        at = rest.len() - number.len();
        code_parts.number(&number[..digits], start + at);
        at += digits;
    }
    at
}

fn is_count(rest: &str) -> bool {
    rest.starts_with(is_digit)
}

fn follows(before: &str, class: WordClass) -> bool {
    // The small letters "go" are the verb.
    before.ends_with(' ')
        && words_back(before)
            .next()
            .is_some_and(|word| !WordClass::GoVerb.has(word) && class.has(&word.to_lowercase()))
}

/// Whether the groups are a date ("01.10.2010", "2010.10.01", "12.05.24"), a telephone number
/// ("555.555.5555"), or thousands.
fn is_other_number(groups: &[&str]) -> bool {
    let is_padded = |group: &&str| group.len() > 1 && group.starts_with('0');
    if groups[1..].iter().all(|group| group.len() == 3) || groups.iter().any(is_padded) {
        return true;
    }
    let [first, middle, last] = groups else { return false };
    let lengths = [first.len(), middle.len(), last.len()];
    let is_day = |group: &str| group.parse().is_ok_and(|n: u32| (1..=31).contains(&n));
    match lengths {
        [1 | 2, 1 | 2, 4] => is_day(first) && is_day(middle),
        [4, 1 | 2, 1 | 2] => is_day(middle) && is_day(last),
        [2, 2, 2] => is_day(first) && is_day(middle),
        [3, 3, 4] => true,
        _ => false,
    }
}

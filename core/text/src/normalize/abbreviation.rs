//! Recognizes abbreviations and titles by their context.

use super::condition::Place;
use super::locale::Abbreviation;
use super::prelude::*;

/// The words of an abbreviation whose conditions hold here.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let written = abbreviation(&mut cursor)?;
    if is_symbol(written) || is_plural_of_capitals(written) {
        return None;
    }
    let readings = context.lexicon().abbreviations.get(&written.to_ascii_lowercase());
    let stopped = cursor.rest().starts_with('.');
    let after = &cursor.rest()[usize::from(stopped)..];
    let reading = most_specific(&Place { context, written, stopped, after }, readings)?;
    if stopped {
        cursor.eat(".");
    }
    let ends_sentence = context.ends_sentence(cursor.at());
    Some((cursor.at(), SemioticClass::Abbreviation { row: reading, ends_sentence }))
}

/// The words of an exact text with its signs and digits: `VS Code`, `24x7`.
pub(crate) fn find_entry(context: &MatchContext<'_>) -> Found {
    let entries = context.lexicon().entries.get(&context.rest.chars().next()?)?;
    let held = entries.iter().filter_map(|(written, row)| {
        let after = context.rest.strip_prefix(written)?;
        let is_number = written.contains(is_digit);
        let goes_on = match is_number {
            true => !Cursor::new(after).at_number_end(),
            false => written.ends_with(is_letter) && after.starts_with(is_letter),
        };
        let place = Place { context, written, stopped: false, after };
        let specificity = place.specificity(&row.when)?;
        (!goes_on).then_some((written.len(), specificity, row))
    });
    let (length, _, row) = held.max_by_key(|(length, specificity, _)| (*length, *specificity))?;
    Some((length, SemioticClass::Abbreviation { row, ends_sentence: false }))
}

/// Of the rows whose condition holds here, the most specific one; of equal ones the first.
pub(crate) fn most_specific<'r>(
    place: &Place<'_>,
    readings: &'r [Abbreviation],
) -> Option<&'r Abbreviation> {
    let held = readings.iter().rev().filter_map(|one| Some((place.specificity(&one.when)?, one)));
    held.max_by_key(|(specificity, _)| *specificity).map(|(_, reading)| reading)
}

/// Whether a capital follows small letters: `pH`.
fn is_symbol(written: &str) -> bool {
    let mut letters = written.chars();
    written.len() < 4
        && letters.next().is_some_and(char::is_lowercase)
        && letters.any(char::is_uppercase)
}

/// Whether the abbreviation is a plural of capitals: `HRs` for home runs.
fn is_plural_of_capitals(written: &str) -> bool {
    let letters = written.strip_suffix('s').unwrap_or_default();
    letters.len() > 1 && letters.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether small letters have no vowel: `yrs`.
pub(crate) fn is_unsaid(written: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_lowercase() && !b"aeiou".contains(&b);
    written.len() > 1 && written.bytes().all(is_part)
}

/// Consumes letters with inner full stops, apostrophes or slashes: `e.g`, `w/o`.
fn abbreviation<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let start = cursor.rest();
    if let Some(rebus) = cursor.attempt(rebus) {
        return Some(rebus);
    }
    cursor.letters()?;
    while let Some(()) = cursor.attempt(|cursor| {
        cursor.eat_char(|c| matches!(c, '.' | '\'' | '/'))?;
        cursor.letters().map(|_| ())
    }) {}
    let mut length = start.len() - cursor.rest().len();
    // `w/` includes its slash.
    if start[..length].eq_ignore_ascii_case("w") && cursor.eat("/").is_some() {
        length += 1;
    }
    (length <= 8 && !cursor.rest().starts_with(is_digit)).then(|| &start[..length])
}

/// Consumes small letters with a digit that stands for a sound: `gr8`, `2nite`.
fn rebus<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let token = cursor.take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit())?;
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    (digits == 1 && token.len() > 1 && cursor.at_word_end()).then_some(token)
}

//! Abbreviations and titles, by what stands around them.

use super::condition::Place;
use super::cursor::Cursor;
use super::locale::Abbreviation;
use super::math;
use super::recognizer::MatchContext;
use super::semiotic::SemioticClass;

/// The words of an abbreviation that has a reading in this place.
pub(crate) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let written = abbreviation(&mut cursor)?;
    if is_symbol(written) || is_plural_of_capitals(written) || is_quotient(context, written) {
        return None;
    }
    let readings = context.lexicon().abbreviations.get(written.to_ascii_lowercase().as_str())?;
    let stopped = cursor.rest().starts_with('.');
    let after = &cursor.rest()[usize::from(stopped)..];
    let reading = most_specific(&Place { context, written, stopped, after }, readings)?;
    if stopped {
        cursor.eat(".");
    }
    let ends_sentence = context.ends_sentence(cursor.at());
    Some((cursor.at(), SemioticClass::Phrase { words: reading.words, ends_sentence }))
}

/// Of the readings whose condition holds here that with the most specific condition; of equal ones the first.
pub(crate) fn most_specific<'r>(
    place: &Place<'_>,
    readings: &'r [Abbreviation],
) -> Option<&'r Abbreviation> {
    let held = readings.iter().rev().filter_map(|one| Some((place.specificity(one.when)?, one)));
    held.max_by_key(|(specificity, _)| *specificity).map(|(_, reading)| reading)
}

/// Whether a capital follows small letters: `pH`.
fn is_symbol(written: &str) -> bool {
    let mut letters = written.chars();
    written.len() < 4
        && letters.next().is_some_and(char::is_lowercase)
        && letters.any(char::is_uppercase)
}

/// `HRs`, home runs.
fn is_plural_of_capitals(written: &str) -> bool {
    let letters = written.strip_suffix('s').unwrap_or_default();
    letters.len() > 1 && letters.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether it is one variable over another in a formula: `v = d/t`.
fn is_quotient(context: &MatchContext<'_>, written: &str) -> bool {
    written.len() == 3
        && written.as_bytes()[1] == b'/'
        && context.before.trim_end().ends_with('=')
        && math::is_between_operands(&context.advanced(1), 0)
}

/// Consumes letters, with full stops, apostrophes and slashes between them but not after: `e.g`, `w/o`.
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
    // `w/` ends with its slash.
    if start[..length].eq_ignore_ascii_case("w") && cursor.eat("/").is_some() {
        length += 1;
    }
    (length <= 8 && !cursor.rest().starts_with(|c: char| c.is_ascii_digit()))
        .then(|| &start[..length])
}

/// Small letters with a digit for a sound among them: `gr8`, `2nite`.
fn rebus<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let token = cursor.take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit())?;
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    (digits == 1 && token.len() > 1 && cursor.at_word_end()).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::locales;
    use crate::normalize::locale::{Locale, rows};
    use crate::normalize::recognizer::SentenceContext;

    const TABLES: [&str; 2] = [
        include_str!("../languages/en_us/data/abbreviations.tsv"),
        include_str!("../languages/hi_in/data/abbreviations.tsv"),
    ];

    /// What is wrong with the example of a row: it is not read as the row says, or so without the row too.
    fn fault(locale: &'static Locale, row: &[&str], example: &str) -> Option<String> {
        let (before, rest) = example.split_once('⟦').expect("a place");
        let (place, after) = rest.split_once('⟧').expect("a place");
        let text = format!("{before}{place}{after}");
        let sentence = SentenceContext::new(&text, locale, locales());
        let context = MatchContext::new(&sentence, before.len());
        let written = place.trim_end_matches('.');
        let key = written.to_ascii_lowercase().replace('\u{93c}', "");
        let Some(readings) = context.lexicon().abbreviations.get(key.as_str()) else {
            return Some(format!("{row:?}: no row for {key}"));
        };
        let stopped = place.ends_with('.');
        let place = Place { context: &context, written, stopped, after };
        let with = most_specific(&place, readings).map(|one| one.words);
        let others: Vec<_> = readings.iter().filter(|one| one.when != row[1]).cloned().collect();
        let without = most_specific(&place, &others).map(|one| one.words);
        match () {
            () if with != Some(row[2]) => Some(format!("{row:?}: read as {with:?}")),
            () if without == with => Some(format!("{row:?}: the same without it")),
            () => None,
        }
    }

    #[test]
    fn every_example_is_read_as_its_row_says_and_not_without_it() {
        let mut faults = Vec::new();
        for (table, tag) in TABLES.into_iter().zip(["en-US", "hi-IN"]) {
            let locale = locales().of(tag.parse().expect("a language"));
            let examples = rows(table).filter(|row| row.len() > 3);
            faults.extend(examples.filter_map(|row| fault(locale, &row, row[3])));
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

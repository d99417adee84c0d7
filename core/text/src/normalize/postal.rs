//! Recognizes postal codes: ZIP after an American state, PIN after an Indian city, British and
//! Canadian codes.
//!
//! Runs before codes and plain numbers.

use super::prelude::*;
use super::shapes::{Pattern, patterns};

/// A postal code at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    if !opens(before) || before.ends_with(['.', '$', '₹', '€', '£', '/']) {
        return None;
    }
    let (length, code_parts) = zip(before, rest, locales)
        .or_else(|| pin(before, rest, locales))
        .or_else(|| british(rest))
        .or_else(|| canadian(rest))?;
    closes_number(&rest[length..]).then_some((length, code_parts))
}

/// The last word before a code, without the full stops of "D.C." or the comma, colon or hyphen.
fn place(before: &str) -> Option<String> {
    let trimmed = before.trim_end_matches(|c: char| c.is_whitespace() || ",-–:()".contains(c));
    // `बिलासपुर (छ.ग.) 495113`
    let state = trimmed.rsplit_once(" (").filter(|_| before[trimmed.len()..].starts_with(')'));
    let trimmed = match state {
        Some((place, state)) if !state.contains(' ') && state.ends_with('.') => place,
        _ => trimmed,
    };
    let word = trimmed.rsplit(|c: char| !is_letter(c) && c != '.').next()?;
    (trimmed.len() < before.len()).then(|| word.replace('.', ""))
}

/// Five digits and optionally four more, after a state or "ZIP".
fn zip(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    let (end, code_parts) = Pattern::first(patterns!["d5 -~ d4", "d5"], rest)?;
    let place = place(before)?;
    let is_counted = rest[end..].trim_start().starts_with(char::is_lowercase);
    let is_zip = WordClass::PostalState.has(&place)
        || locales.lists(WordClass::ZipPlace, &place) && !is_counted
        || is_called(before, &place, locales);
    is_zip.then_some((end, code_parts))
}

/// Six digits, with or without a space in the middle, after an Indian place or "PIN".
fn pin(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    let shapes = patterns!["d6", "d3 _~|-~ d3"];
    let found = Pattern::first(shapes, rest).filter(|_| !rest.starts_with('0'));
    let (length, code_parts) = found?;
    let place = place(before)?;
    let is_counted = rest[length..].trim_start().starts_with(char::is_lowercase)
        || locales.lists(WordClass::CountedNotPin, first_word(&rest[length..]));
    let ends = !rest[length..].trim_start().starts_with(is_letter);
    let is_named =
        ends && locales.names(WordClass::PinPlaceEnding).any(|ending| place.ends_with(ending));
    let is_place = locales.lists(WordClass::PinPlace, &place) || is_named;
    let is_pin = is_place && !is_counted || is_called(before, &place, locales);
    is_pin.then_some((length, code_parts))
}

/// Whether a name of postal codes precedes: "PIN", "pin code", "ZIP code".
fn is_called(before: &str, word: &str, locales: Locales) -> bool {
    let lower = word.to_lowercase();
    let words = words_back(before).map(str::to_lowercase);
    locales.lists(WordClass::PostalCode, &lower)
        || locales.lists(WordClass::PostalFiller, &lower)
            && words.into_iter().take(4).any(|word| locales.lists(WordClass::PostalKind, &word))
}

/// A British code: the district, a pause, the rest. "SW1A 1AA".
fn british(rest: &str) -> Option<(usize, CodeParts)> {
    let (length, code_parts) = Pattern::first(patterns!["A1-2 n1-2 A0-1 _~ d1 A2"], rest)?;
    let unit = &rest[length - 2..length];
    let is_time = rest[1..].starts_with(is_digit) && WordClass::AfterDigit.has(unit);
    (!unit.contains(|c| "CIKMOV".contains(c)) && !is_time).then_some((length, code_parts))
}

/// A Canadian code: "K1A 0B1".
pub(super) fn canadian(rest: &str) -> Option<(usize, CodeParts)> {
    Pattern::first(patterns!["A1 d1 A1 _~|-~ d1 A1 d1"], rest)
}

//! Recognizes postal codes: ZIP after an American state, PIN after an Indian city, British and
//! Canadian codes.
//!
//! Runs before codes and plain numbers.

use super::prelude::*;

/// The parts of a postal code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value(pub(crate) CodeParts);

/// A postal code at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str, locales: Locales) -> Option<(usize, Value)> {
    if !opens(before) || before.ends_with(['.', '$', '₹', '€', '£', '/']) {
        return None;
    }
    let (length, code_parts) = zip(before, rest, locales)
        .or_else(|| pin(before, rest, locales))
        .or_else(|| british(rest))
        .or_else(|| canadian(rest))?;
    closes_number(&rest[length..]).then_some((length, Value(code_parts)))
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
    if run(rest, is_digit) != 5 {
        return None;
    }
    let place = place(before)?;
    let mut code_parts = CodeParts::default();
    code_parts.digits(&rest[..5], 0);
    let mut end = 5;
    if let Some(more) = rest[5..].strip_prefix('-')
        && run(more, is_digit) == 4
    {
        code_parts.push(CodePart::Pause, 5..6);
        code_parts.digits(&more[..4], 6);
        end = 10;
    }
    let is_counted = rest[end..].trim_start().starts_with(char::is_lowercase);
    let is_zip = WordClass::PostalState.has(&place)
        || locales.lists(WordClass::ZipPlace, &place) && !is_counted
        || is_called(before, &place, locales);
    is_zip.then_some((end, code_parts))
}

/// Six digits, with or without a space in the middle, after an Indian place or "PIN".
fn pin(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    let mut code_parts = CodeParts::default();
    if !rest.starts_with(|c: char| matches!(c, '1'..='9')) {
        return None;
    }
    let place = place(before)?;
    let length = match run(rest, is_digit) {
        6 => {
            code_parts.digits(&rest[..6], 0);
            6
        }
        3 => {
            let half = rest[3..].strip_prefix([' ', '-'])?;
            if run(half, is_digit) != 3 {
                return None;
            }
            code_parts.digits(&rest[..3], 0);
            code_parts.push(CodePart::Pause, 3..4);
            code_parts.digits(&half[..3], 4);
            7
        }
        _ => return None,
    };
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
    let area = run(rest, is_upper);
    let district = run(&rest[area..], is_digit);
    let letter = run(&rest[area + district..], is_upper);
    let end = area + district + letter;
    let inward = rest[end..].strip_prefix(' ')?.get(..3)?;
    let is_unit = |b: u8| b.is_ascii_uppercase() && !b"CIKMOV".contains(&b);
    let &[digit, first, second] = inward.as_bytes() else { return None };
    let fits = (1..=2).contains(&area) && (1..=2).contains(&district) && letter < 2;
    let is_code = fits
        && digit.is_ascii_digit()
        && is_unit(first)
        && is_unit(second)
        && !(area == 1 && WordClass::AfterDigit.has(&inward[1..]));
    if !is_code {
        return None;
    }
    let mut code_parts = CodeParts::default();
    code_parts.letters(&rest[..area], 0);
    code_parts.number(&rest[area..area + district], area);
    if letter > 0 {
        code_parts.letters(&rest[end - 1..end], end - 1);
    }
    code_parts.push(CodePart::Pause, end..end + 1);
    code_parts.digits(&inward[..1], end + 1);
    code_parts.letters(&inward[1..], end + 2);
    Some((end + 4, code_parts))
}

/// A Canadian code: "K1A 0B1".
pub(super) fn canadian(rest: &str) -> Option<(usize, CodeParts)> {
    let code = rest.get(..7)?;
    let is_code = code.bytes().enumerate().all(|(i, b)| match i {
        3 => b == b' ' || b == b'-',
        0 | 2 | 5 => b.is_ascii_uppercase(),
        _ => b.is_ascii_digit(),
    });
    if !is_code {
        return None;
    }
    let mut code_parts = CodeParts::default();
    for (at, c) in code.char_indices() {
        match c {
            'A'..='Z' => code_parts.letters(&code[at..=at], at),
            '0'..='9' => code_parts.digits(&code[at..=at], at),
            _ => code_parts.push(CodePart::Pause, at..at + 1),
        }
    }
    Some((7, code_parts))
}

//! Recognizes numbers of orders, tickets and items, often after a hash: `#1003847`, `#112-8847305`.

use super::alphanumeric::{self, Value};
use super::choice::ContextClass;
use super::prelude::*;
use super::shapes::{Pattern, patterns};

/// The number of digits that are read in pairs. Longer numbers are read digit by digit.
const IN_PAIRS: usize = 4;

const IDENTIFIER: ContextClass = "identifier";

/// Groups of digits with hyphens between; a later one begins with a zero: `24-0093351`.
pub(crate) fn find_padded(context: &MatchContext<'_>) -> Found {
    let length = run(context.rest, |c| c.is_ascii_digit() || c == '-');
    let text = context.rest[..length].trim_end_matches('-');
    let groups: Vec<&str> = text.split('-').collect();
    let is_padded = |group: &&str| group.len() > 3 && group.starts_with('0');
    let opens = boundaries::opens(context.before)
        && !context.before.ends_with(['-', '.', '/', '$', '+', '(']);
    let ends = closes_number(&context.rest[text.len()..]);
    let is_identifier =
        groups.len() == 2 && is_padded(&groups[1]) && groups[0].len() != 3 && groups[1].len() > 4;
    if !is_identifier || !opens || !ends {
        return None;
    }
    let code_parts = CodeParts::groups(groups, CodeParts::digits);
    Some((text.len(), SemioticClass::Alphanumeric(Value(code_parts))))
}

/// Whether a word names an identifier: `policy`.
fn names_identifier(context: &MatchContext<'_>, word: &str) -> bool {
    let classes = (context.locale.context_classes)();
    let of_word = classes.get(word.to_lowercase().as_str());
    of_word.is_some_and(|classes| classes.contains(&IDENTIFIER))
}

/// Groups of digits with hyphens between, after a word for a number: `policy no. 448-21907`.
pub(crate) fn find_numbered(context: &MatchContext<'_>) -> Found {
    let numbering = context.before.trim_end_matches([' ', ':', '#', '.']);
    let noun = last_word(numbering);
    if !context.is(noun, WordClass::Number) {
        return None;
    }
    let label = last_word(numbering.strip_suffix(noun)?.trim_end());
    let length = run(context.rest, |c| c.is_ascii_digit() || c == '-');
    let text = context.rest[..length].trim_end_matches('-');
    let groups: Vec<&str> = text.split('-').collect();
    let fits = groups.len() > 1
        && groups.iter().all(|group| group.len() > 1)
        && groups.iter().any(|group| group.len() > 3)
        && closes_number(&context.rest[text.len()..]);
    if !names_identifier(context, label) || !fits {
        return None;
    }
    let code_parts = CodeParts::groups(groups, CodeParts::digits);
    Some((text.len(), SemioticClass::Alphanumeric(Value(code_parts))))
}

/// Groups of digits with spaces between, after a word for an identifier:
/// `Meeting ID: 874 2210 9935`.
pub(crate) fn find_spaced(context: &MatchContext<'_>) -> Found {
    let label = last_word(context.before.trim_end_matches([' ', ':', '#', '.']));
    if !names_identifier(context, label) {
        return None;
    }
    let length = run(context.rest, |c| c.is_ascii_digit() || c == ' ');
    let text = context.rest[..length].trim_end();
    let groups: Vec<&str> = text.split(' ').collect();
    let digits: usize = groups.iter().map(|group| group.len()).sum();
    let is_group = |group: &&str| (2..=5).contains(&group.len());
    let fits = groups.len() > 1 && digits >= 7 && groups.iter().all(is_group);
    if !fits || !closes_number(&context.rest[text.len()..]) {
        return None;
    }
    let code_parts = CodeParts::groups(groups, CodeParts::digits);
    Some((text.len(), SemioticClass::Alphanumeric(Value(code_parts))))
}

/// An Indian vehicle plate: `DL 1C AB 1234`, `MH12AB1234`.
pub(crate) fn find_plate(context: &MatchContext<'_>) -> Found {
    let (length, code_parts) = alphanumeric::plate(context.rest, WordClass::VehicleState)?;
    opens(context.before).then_some((length, SemioticClass::Alphanumeric(Value(code_parts))))
}

/// The parts of a house number after a word for it: `H.No. 3-6-69/B`.
pub(crate) fn find_house(context: &MatchContext<'_>) -> Found {
    let label = last_word(context.before.trim_end().trim_end_matches(['.', ':']));
    let length = run(context.rest, |c| c.is_ascii_digit() || c == '-');
    let text = context.rest[..length].trim_end_matches('-');
    let groups: Vec<&str> = text.split('-').collect();
    let is_part = |group: &&str| (1..=4).contains(&group.len());
    let fits = WordClass::HouseLabel.has(label)
        && (3..=4).contains(&groups.len())
        && groups[0].len() < 3
        && groups.iter().all(is_part)
        && closes_number(&context.rest[text.len()..]);
    if !fits {
        return None;
    }
    let code_parts = CodeParts::groups(groups, CodeParts::number);
    Some((text.len(), SemioticClass::Alphanumeric(Value(code_parts))))
}

/// A document number, capitals and numbers with slashes between: `INV/24-25/0087`, `PO/2024/118`.
pub(crate) fn find_document(context: &MatchContext<'_>) -> Found {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    let length = run(context.rest, |c| is_part(c) || matches!(c, '/' | '-'));
    let text = context.rest[..length].trim_end_matches(['/', '-']);
    let groups: Vec<&str> = text.split(['/', '-']).collect();
    let capitals = |group: &str| group.bytes().all(|b| b.is_ascii_uppercase());
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let numbers: Vec<&str> = groups.iter().copied().filter(|group| digits(group)).collect();
    let fits = text.matches('/').count() > 1
        && groups.iter().all(|group| !group.is_empty() && (capitals(group) || digits(group)))
        && groups[0].len() > 1
        && capitals(groups[0])
        && groups.last().is_some_and(|last| digits(last))
        && numbers.iter().map(|number| number.len()).sum::<usize>() > 2
        && boundaries::opens(context.before)
        && closes_number(&context.rest[text.len()..]);
    if !fits {
        return None;
    }
    let mut code_parts = CodeParts::default();
    let mut at = 0_usize;
    for (i, group) in groups.iter().enumerate() {
        match text.as_bytes().get(at.wrapping_sub(1)) {
            Some(b'/') => code_parts.push(CodePart::Symbol('/'), at - 1..at),
            // A fiscal year: `24-25`.
            Some(_) if digits(group) && digits(groups[i - 1]) => {}
            Some(_) => code_parts.push(CodePart::Pause, at - 1..at),
            None => {}
        }
        if capitals(group) {
            code_parts.letters(group, at);
        } else if group.starts_with('0') || group.len() > 4 {
            code_parts.digits(group, at);
        } else if group.len() == 4 {
            code_parts.pairs(group, at);
        } else {
            code_parts.number(group, at);
        }
        at += group.len() + 1;
    }
    Some((text.len(), SemioticClass::Alphanumeric(Value(code_parts))))
}

/// A file number and its year after a word for number: `सं. 12/2024-25`.
pub(crate) fn find_file(context: &MatchContext<'_>) -> Found {
    let label = last_word(context.before.trim_end().trim_end_matches(['.', '॰', ':']));
    let shapes = patterns!["n1-6 /! n4 - n2", "n1-6 /! n4"];
    let (length, code_parts) = Pattern::first(shapes, context.rest)?;
    let year = context.rest.split('/').nth(1)?;
    let fits = WordClass::FileLabel.has(label)
        && (year.starts_with("19") || year.starts_with("20"))
        && closes_number(&context.rest[length..]);
    fits.then_some((length, SemioticClass::Alphanumeric(Value(code_parts))))
}

/// Like [`find`], but for at least five digits, in languages that do not read four in pairs.
pub(crate) fn find_long(context: &MatchContext<'_>) -> Found {
    let digits = run(context.rest, is_digit);
    find(context).filter(|(length, _)| digits != IN_PAIRS || *length > IN_PAIRS)
}

/// At least four digits after a hash, or groups of digits with hyphens between.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let before = context.before.strip_suffix('#').filter(|before| boundaries::opens(before))?;
    let is_part = |c: char| c.is_ascii_digit() || c == '-';
    let length = run(context.rest, is_part);
    let text = context.rest[..length].trim_end_matches('-');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_padded = text.starts_with('0') && digits > 1;
    let ends = closes_number(&context.rest[text.len()..]);
    if before.ends_with('&') || text.contains("--") || !ends || digits < IN_PAIRS && !is_padded {
        return None;
    }
    let code_parts = CodeParts::groups(text.split('-'), |code_parts, group, at| {
        if digits == IN_PAIRS && group.len() == IN_PAIRS && !group.starts_with('0') {
            code_parts.pairs(group, at);
        } else {
            code_parts.digits(group, at);
        }
    });
    Some((text.len(), SemioticClass::Alphanumeric(Value(code_parts))))
}

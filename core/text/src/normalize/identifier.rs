//! Recognizes numbers of documents.

use super::prelude::*;

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
    Some((text.len(), SemioticClass::Alphanumeric(code_parts)))
}

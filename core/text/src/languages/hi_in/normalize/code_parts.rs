//! Verbalizes parts of codes and addresses in Hindi.

use std::ops::Range;

use super::{LOCALE, letters, numbers};
use crate::normalize::prelude::*;
use crate::normalize::say;

/// Maximum number with an English name in names: "5G", "T20".
const MOST_ENGLISH: u64 = 20;

/// Verbalizes the parts of a name with short numbers in English.
pub(super) fn verbalize_name(code_parts: &CodeParts, out: &mut Verbalization) {
    let mut is_english = false;
    for (i, (part, span)) in code_parts.0.iter().enumerate() {
        let name = match part {
            CodePart::Number(n) => english(code_parts, i, *n),
            _ => None,
        };
        let english = |n: u128| numbers().spell("english", n);
        if let Some(n) = name {
            out.words(english(n.into()), span.clone());
        } else if let (true, CodePart::Digits(digits)) = (is_english, part) {
            out.words(digits.iter().flat_map(|digit| english((*digit).into())), span.clone());
        } else {
            let alone = CodeParts(vec![(part.clone(), span.clone())]);
            say::code_parts(&LOCALE, &alone, "code-symbol", out);
        }
        // "PM2.5"
        is_english = name.is_some() || is_english && *part == CodePart::Symbol('.');
    }
}

/// Verbalizes words and letters by Hindi spelling and names, and numbers in halves.
pub(super) fn verbalize_part(
    part: &CodePart,
    span: &Range<usize>,
    out: &mut Verbalization,
) -> bool {
    match part {
        CodePart::Word(word) => {
            let word = letters::respelled(word).unwrap_or(word);
            out.words(word.split(' '), span.clone());
        }
        // "MiG-21"
        CodePart::Letters(letters) if letters == "MiG" => out.words(["मिग"], span.clone()),
        CodePart::Letters(letters) => letters::verbalize(letters, span, out),
        CodePart::Pairs(n) => out.words(in_pairs((*n).into()), span.clone()),
        _ => return false,
    }
    true
}

/// The English name of a small number among letters: a short Latin name is read as in English.
fn english(code_parts: &CodeParts, at: usize, n: u64) -> Option<u64> {
    let is_short = |part: &CodePart| match part {
        CodePart::Letters(letters) => letters.len() < 4,
        CodePart::Word(word) => word.is_ascii() && letters::respelled(word).is_none(),
        _ => false,
    };
    let (_, span) = &code_parts.0[at];
    let follows = at > 0 && {
        let (before, place) = &code_parts.0[at - 1];
        let is_joined = place.end == span.start;
        is_short(before) && (is_joined || n < 10 && place.end + 1 == span.start)
    };
    // Codes of many parts and terms such as 2ab are not names.
    let is_parted = code_parts.0.windows(2).any(|two| two[0].1.end < two[1].1.start);
    let many = is_parted && code_parts.0.len() > 4;
    let is_term = |part: &CodePart| matches!(part, CodePart::Letters(letters) if letters.bytes().all(|b| b.is_ascii_lowercase()));
    if many || at == 0 && matches!(code_parts.0.get(1), Some((after, _)) if is_term(after)) {
        return None;
    }
    let leads = at == 0
        && n < 10
        && matches!(code_parts.0.get(1), Some((after, place)) if is_short(after) && place.start == span.end);
    (n <= MOST_ENGLISH && (follows || leads)).then_some(n)
}

/// Years in their usual form, other four-digit numbers in halves.
fn in_pairs(n: u128) -> Vec<&'static str> {
    let is_halved = (1000..10_000).contains(&n) && n % 100 > 9 && !(2000..2100).contains(&n);
    match n {
        1100..2000 => numbers().spell("hundreds", n),
        _ if is_halved => [numbers().cardinal(n / 100), numbers().cardinal(n % 100)].concat(),
        _ => numbers().cardinal(n),
    }
}

#[cfg(test)]
crate::row_tests::rows! { numbers_in_halves: |[n]| in_pairs(n.parse().expect("a number")).join(" "); }

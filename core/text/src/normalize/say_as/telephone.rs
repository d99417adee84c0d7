//! Parses telephone numbers.

use super::Content;
use crate::normalize::prelude::*;
use crate::normalize::telephone::{self, Value};

/// Maximum digits of a number with its country code (ITU-T E.164).
const MOST_DIGITS: usize = 15;

/// A telephone number with an optional extension.
pub(super) fn number(content: Content<'_>) -> Option<SemioticClass> {
    let Content { text, locales, .. } = content;
    if let Some((length, value)) = telephone::find("", text, locales)
        && length == text.len()
    {
        return Some(SemioticClass::Telephone(value));
    }
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let main = text[..end].trim_end();
    let code_parts = groups(main)?;
    let extension = match &text[main.len()..] {
        "" => None,
        rest => {
            let (span, digits) = telephone::extension(rest, main.len(), locales)?;
            digits.0.last().filter(|(_, last)| last.end == text.len())?;
            Some((span, digits))
        }
    };
    Some(SemioticClass::Telephone(Value { code_parts, extension }))
}

fn is_part(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '+' | '*' | '#' | ' ' | '-' | '.' | '/' | '(' | ')')
}

/// The groups of a number as written; without any, the usual groups for its length.
fn groups(text: &str) -> Option<CodeParts> {
    let mut code_parts = CodeParts::default();
    let count = text.bytes().filter(u8::is_ascii_digit).count();
    if !(1..=MOST_DIGITS).contains(&count) {
        return None;
    }
    if count == text.len() {
        let lengths: &[usize] = match count {
            7 => &[3, 4],
            10 => &[3, 3, 4],
            11 if text.starts_with('1') => &[1, 3, 3, 4],
            _ => &[],
        };
        let mut at = 0;
        for length in lengths.iter().copied().chain([count - lengths.iter().sum::<usize>()]) {
            if length == 0 {
                continue;
            }
            if at > 0 {
                code_parts.push(CodePart::Pause, at - 1..at);
            }
            code_parts.digits(&text[at..at + length], at);
            at += length;
        }
        return Some(code_parts);
    }
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let run = |accept: &dyn Fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
        let length = match c {
            '0'..='9' => {
                let length = run(&is_digit);
                code_parts.digits(&rest[..length], at);
                length
            }
            '+' | '*' | '#' => {
                code_parts.push(CodePart::Symbol(c), at..at + 1);
                1
            }
            _ => {
                let length = run(&|c| !c.is_ascii_digit() && !matches!(c, '+' | '*' | '#'));
                if !code_parts.0.is_empty() {
                    code_parts.push(CodePart::Pause, at..at + length);
                }
                length
            }
        };
        at += length;
    }
    Some(code_parts)
}

//! Handles and hashtags.

use unicode_normalization::char::is_combining_mark;

use super::{Kind, Value, host, is_of_label};
use crate::normalize::alphanumeric::characters;
use crate::normalize::label::{self, Digits};
use crate::normalize::prelude::*;

/// The length of a handle "@name", of one on another host, or of a scoped package "@types/node".
pub(crate) fn handle(rest: &str) -> Option<usize> {
    let name = rest.strip_prefix('@')?;
    let length = run(name, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
    let length = name[..length].trim_end_matches(['.', '-', '_']).len();
    let letters = name[..length].bytes().filter(u8::is_ascii_alphabetic).count();
    let is_name = match name.chars().next()? {
        '0'..='9' => letters > 3,
        _ => letters > 0,
    };
    if !is_name {
        return None;
    }
    let end = 1 + length;
    let after = &rest[end..];
    let more = match after.chars().next() {
        Some('@') => host::length(&after[1..]),
        Some('/') => Some(run(&after[1..], |c| c.is_ascii_alphanumeric() || c == '-')),
        _ => None,
    };
    Some(end + more.filter(|length| *length > 0).map_or(0, |length| 1 + length))
}

/// A hashtag or a color: letters, digits and underscores after a hash, but not only digits.
pub(crate) fn hashtag(before: &str, rest: &str) -> Option<(usize, Value)> {
    let tag = rest.strip_prefix('#')?;
    let length = run(tag, |c| is_of_label(c) || c == '_');
    let tag = tag[..length].trim_end_matches('_');
    let first = tag.chars().next().filter(|c| !is_combining_mark(*c))?;
    let letters = tag.chars().filter(|c| c.is_alphabetic()).count();
    // `Ocala, #B`: a flat.
    let is_flat = tag.len() == 1 && first.is_ascii_uppercase();
    if is_flat || before.ends_with('&') || letters == 0 || first.is_ascii_digit() && letters < 3 {
        return None;
    }
    if is_color(tag) {
        let mut code_parts = CodeParts::of(CodePart::Symbol('#'), 0..1);
        characters(&mut code_parts, tag, 1);
        return Some((1 + tag.len(), Value { kind: Kind::Network, code_parts }));
    }
    let after = &rest[1 + tag.len()..];
    if is_code(tag) || is_head_of_code(tag, after) {
        return None;
    }
    // A directive of the C preprocessor.
    let is_directive = WordClass::Directive.has(tag);
    let kind = if is_directive { Kind::Address } else { Kind::Hashtag };
    Some((1 + tag.len(), Value { kind, code_parts: tag_pieces(tag) }))
}

/// The words of a hashtag. Underscores are separators.
fn tag_pieces(tag: &str) -> CodeParts {
    let mut code_parts = CodeParts::of(CodePart::Symbol('#'), 0..1);
    let mut at = 0;
    for part in tag.split('_') {
        let read = part.trim_start_matches(is_combining_mark);
        label::push(&mut code_parts, read, 1 + at + part.len() - read.len(), Digits::Counted);
        at += part.len() + 1;
    }
    code_parts
}

/// Whether a tag is a number: capitals and at least four digits, or three in a long tag. "Order
/// #OD4291178350", "#H4471920B5".
fn is_code(tag: &str) -> bool {
    let digits = tag.bytes().filter(u8::is_ascii_digit).count();
    let letters = tag.bytes().filter(u8::is_ascii_uppercase).count();
    letters > 0
        && letters + digits == tag.len()
        && (digits > 3 && letters <= 5 || digits == 3 && letters > 3)
}

/// Whether a tag is the letters before a number: "Invoice #INV-20418".
fn is_head_of_code(tag: &str, after: &str) -> bool {
    let is_letters = tag.len() <= 5 && tag.bytes().all(|b| b.is_ascii_uppercase());
    let number = after.strip_prefix('-').unwrap_or_default();
    is_letters && run(number, is_digit) > 2
}

fn is_color(tag: &str) -> bool {
    matches!(tag.len(), 3 | 6)
        && tag.bytes().all(|b| b.is_ascii_hexdigit())
        && tag.bytes().any(|b| b.is_ascii_digit())
}

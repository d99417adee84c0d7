//! Recognizes electronic addresses: URLs, e-mail, handles, hashtags, files and paths, versions,
//! hardware and network addresses.
//!
//! Runs after emoji and Markdown, and before numbers and words. Dates with full stops are excluded.

pub(crate) mod file;
pub(crate) mod host;
pub(crate) mod network;
pub(crate) mod tag;
pub(crate) mod version;
pub(crate) mod web;

use unicode_normalization::char::is_combining_mark;

use super::label::{self, Digits};
use crate::normalize::prelude::*;

/// An address and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) kind: Kind,
    pub(crate) code_parts: CodeParts,
}

/// The kind of an address, which selects the names of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Address,
    /// The address of a network or machine.
    Network,
    /// The name of a user.
    Handle,
    Hashtag,
    Version,
}

/// An address at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    if !opens(before) {
        return None;
    }
    let address = |length: usize| (length, Value::address(&rest[..length]));
    network::find(before, rest)
        .or_else(|| web::url(rest).map(address))
        .or_else(|| web::email(rest).map(address))
        .or_else(|| {
            let (end, length) = file::place(before, rest)?;
            Some((length, Value::place(&rest[..length], end)))
        })
        .or_else(|| file::path(before, rest).map(address))
        .or_else(|| version::find(before, rest))
        .or_else(|| web::bare(before, rest).map(address))
        .or_else(|| file::name(before, rest).map(address))
        .or_else(|| tag::handle(rest).map(|length| (length, Value::handle(&rest[..length]))))
        .or_else(|| tag::hashtag(before, rest))
}

impl Value {
    fn address(text: &str) -> Self {
        Self { kind: Kind::Address, code_parts: code_parts(text) }
    }

    /// A file name of `end` bytes and the numbers after it, each after a colon.
    fn place(text: &str, end: usize) -> Self {
        let mut code_parts = code_parts(&text[..end]);
        let mut at = end;
        for number in text[end + 1..].split(':') {
            code_parts.push(CodePart::Symbol(':'), at..at + 1);
            code_parts.number(number, at + 1);
            at += 1 + number.len();
        }
        Self { kind: Kind::Address, code_parts }
    }

    fn handle(text: &str) -> Self {
        Self { kind: Kind::Handle, code_parts: code_parts(text) }
    }
}

/// The labels and symbols of an address as code parts.
fn code_parts(text: &str) -> CodeParts {
    let mut code_parts = CodeParts::default();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let length = run(&text[at..], is_of_label);
        if !is_letter_or_digit(c) {
            code_parts.push(CodePart::Symbol(c), at..at + c.len_utf8());
            at += c.len_utf8();
            continue;
        }
        let (part, end) = (&text[at..at + length], at + length);
        if is_suffix(text, at, end) {
            code_parts.push(label::suffix(part), at..end);
        } else {
            label::push(&mut code_parts, part, at, Digits::Named);
        }
        at = end;
    }
    code_parts
}

/// Whether letters after a full stop end a host or file name.
fn is_suffix(text: &str, start: usize, end: usize) -> bool {
    let after = text[end..].chars().next();
    text[..start].ends_with('.')
        && !text[..start].ends_with("..")
        && text[start..end].bytes().all(|b| b.is_ascii_alphabetic())
        && after.is_none_or(|c| "/:?#".contains(c))
}

fn is_of_label(c: char) -> bool {
    is_letter_or_digit(c) || is_combining_mark(c)
}

fn is_letter_or_digit(c: char) -> bool {
    c.is_ascii_digit() || c.is_alphabetic() && !is_combining_mark(c)
}

/// The text without trailing punctuation and brackets that belong to the sentence.
fn trimmed(text: &str) -> &str {
    const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
    let mut unopened = BRACKETS.map(|(opening, closing)| {
        text.matches(closing).count().saturating_sub(text.matches(opening).count())
    });
    text.trim_end_matches(|last| match BRACKETS.iter().position(|(_, closing)| *closing == last) {
        Some(bracket) if unopened[bracket] > 0 => {
            unopened[bracket] -= 1;
            true
        }
        Some(_) => false,
        None => ".,;:!?'\"*_~’”»…।|-".contains(last),
    })
}

/// Whether a word forms no host or file with a full stop without a space.
fn is_stop_word(word: &str) -> bool {
    WordClass::NoHost.has(&word.to_lowercase())
}

#[cfg(test)]
crate::row_tests::rows! { trimmed_addresses: |[text]| trimmed(text).to_owned(); }

//! Addresses, numbers and codes as a row of pieces that each language names in its own words.

use std::ops::Range;

/// A part of what was recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CodePart {
    /// Letters that form a word or a name.
    Word(String),
    /// Letters to be named one by one.
    Letters(String),
    /// Digits to be named one by one.
    Digits(Vec<u8>),
    /// A number to be counted out.
    Number(u64),
    /// The same in the plural, as in "F-16s".
    Plural(u64),
    /// A number said in two halves, as a year is.
    Pairs(u64),
    /// A symbol to be named.
    Symbol(char),
    /// A short pause.
    Pause,
}

/// Pieces in order, each with the bytes it was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeParts(pub(crate) Vec<(CodePart, Range<usize>)>);

impl CodeParts {
    pub(crate) fn push(&mut self, part: CodePart, span: Range<usize>) {
        self.0.push((part, span));
    }

    /// Digits, each to be named.
    pub(crate) fn digits(&mut self, text: &str, start: usize) {
        self.push(CodePart::Digits(values(text)), start..start + text.len());
    }

    /// Letters, each to be named.
    pub(crate) fn letters(&mut self, text: &str, start: usize) {
        self.push(CodePart::Letters(text.into()), start..start + text.len());
    }

    /// A number to be counted, or its digits if it is too long or begins with a zero.
    pub(crate) fn number(&mut self, text: &str, start: usize) {
        match number(text) {
            Some(n) => self.push(CodePart::Number(n), start..start + text.len()),
            None => self.digits(text, start),
        }
    }

    /// A number in the way of years, flights and models: in pairs if that is how it is said.
    pub(crate) fn pairs(&mut self, text: &str, start: usize) {
        match number(text) {
            Some(n) if is_said_in_pairs(n) => {
                self.push(CodePart::Pairs(n), start..start + text.len());
            }
            Some(n) if n < 10_000 => self.push(CodePart::Number(n), start..start + text.len()),
            _ => self.digits(text, start),
        }
    }
}

/// 100 to 9999 but for whole thousands and what is a few over them: "three twenty", "two thousand five".
fn is_said_in_pairs(n: u64) -> bool {
    (100..10_000).contains(&n) && (n < 1000 || n % 1000 >= 10)
}

/// The value of digits that can be counted: no leading zero, at most fifteen of them.
fn number(text: &str) -> Option<u64> {
    let counts = text.len() <= 15 && (text.len() == 1 || !text.starts_with('0'));
    text.parse().ok().filter(|_| counts)
}

/// The values of digits, those written below the line too; other characters are left out.
fn values(text: &str) -> Vec<u8> {
    text.chars().filter_map(digit).collect()
}

/// The value of a digit, also of one below the line as in H₂O.
pub(crate) fn digit(c: char) -> Option<u8> {
    match c {
        '0'..='9' => Some(c as u8 - b'0'),
        '₀'..='₉' => Some((c as u32 - '₀' as u32) as u8),
        _ => None,
    }
}

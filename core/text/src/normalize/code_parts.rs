//! Codes, telephone numbers and addresses as sequences of parts, which each language verbalizes.

use std::ops::Range;

/// A part of a code and its reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CodePart {
    /// Letters that are read as a word or name.
    Word(String),
    /// Letters that are spelled.
    Letters(String),
    /// Digits that are read one by one.
    Digits(Vec<u8>),
    Number(u64),
    /// A cardinal number in the plural: "F-16s".
    Plural(u64),
    /// A number in pairs of digits, as in years: "nineteen eighty four".
    Pairs(u64),
    /// A symbol that is named.
    Symbol(char),
    Pause,
}

/// Parts in order, each with its source bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeParts(pub(crate) Vec<(CodePart, Range<usize>)>);

impl CodeParts {
    pub(crate) fn push(&mut self, part: CodePart, span: Range<usize>) {
        self.0.push((part, span));
    }

    /// Adds groups with `add`. The byte between two groups becomes a short pause.
    pub(crate) fn groups<'a>(
        groups: impl IntoIterator<Item = &'a str>,
        add: impl Fn(&mut Self, &str, usize),
    ) -> Self {
        let mut code_parts = Self::default();
        let mut at = 0;
        for group in groups {
            if at > 0 {
                code_parts.push(CodePart::Pause, at - 1..at);
            }
            add(&mut code_parts, group, at);
            at += group.len() + 1;
        }
        code_parts
    }

    /// One part.
    pub(crate) fn of(part: CodePart, span: Range<usize>) -> Self {
        Self(vec![(part, span)])
    }

    /// Digits that are read one by one.
    pub(crate) fn of_digits(text: &str) -> Self {
        Self::of(CodePart::Digits(values(text)), 0..text.len())
    }

    /// Whether all parts are digits that are read one by one.
    pub(crate) fn is_digits(&self) -> bool {
        self.0.iter().all(|(part, _)| matches!(part, CodePart::Digits(_) | CodePart::Pause))
    }

    /// Adds digits that are read one by one.
    pub(crate) fn digits(&mut self, text: &str, start: usize) {
        self.push(CodePart::Digits(values(text)), start..start + text.len());
    }

    /// Adds letters that are spelled.
    pub(crate) fn letters(&mut self, text: &str, start: usize) {
        self.push(CodePart::Letters(text.into()), start..start + text.len());
    }

    /// Adds a cardinal number, or its digits if it is too long or begins with a zero.
    pub(crate) fn number(&mut self, text: &str, start: usize) {
        match number(text) {
            Some(n) => self.push(CodePart::Number(n), start..start + text.len()),
            None => self.digits(text, start),
        }
    }

    /// Adds a flight or model number, in pairs of digits where that is usual.
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

/// Whether a number is read in pairs: 320 is "three twenty", but 2005 is "two thousand five".
fn is_said_in_pairs(n: u64) -> bool {
    (100..10_000).contains(&n) && (n < 1000 || n % 1000 >= 10)
}

/// The value of digits that form a cardinal number: at most fifteen, without a leading zero.
fn number(text: &str) -> Option<u64> {
    let counts = text.len() <= 15 && (text.len() == 1 || !text.starts_with('0'));
    text.parse().ok().filter(|_| counts)
}

/// The values of digits and subscript digits. Other characters are omitted.
fn values(text: &str) -> Vec<u8> {
    text.chars().filter_map(digit).collect()
}

/// The value of a digit or subscript digit, as in H₂O.
pub(crate) fn digit(c: char) -> Option<u8> {
    match c {
        '0'..='9' => Some(c as u8 - b'0'),
        '₀'..='₉' => Some((c as u32 - '₀' as u32) as u8),
        _ => None,
    }
}

//! Features for the choice model: token shape, adjacent words, and the topic of the sentence.

use std::collections::HashMap;

use super::Candidate;
use crate::normalize::locale::Abbreviation;
use crate::normalize::prelude::*;

/// The name of a class of words with a similar effect on an adjacent number.
pub(crate) type ContextClass = &'static str;

/// The classes of each word in lower case.
pub(crate) type ContextClasses = HashMap<&'static str, Vec<ContextClass>>;

/// The number of words on each side that have features.
const REACH: usize = 2;

/// The features that all candidates at a position share.
pub(super) struct Features<'c, 's> {
    context: &'c MatchContext<'s>,
    shared: Vec<String>,
}

impl<'c, 's> Features<'c, 's> {
    pub(super) fn new(context: &'c MatchContext<'s>) -> Self {
        let mut shared = Vec::new();
        let classes = context.locale.context_classes();
        let token = token(context.rest);
        shared.push(format!("shape={}", shape(token)));
        shared.push(format!("left={}", edge(context.before.chars().next_back())));
        let after = &context.rest[token.len()..];
        shared.push(format!("right={}", right(after)));
        values(token, |value| shared.push(value));
        let before: Vec<_> = words(context.before).rev().take(REACH).collect();
        let following: Vec<_> = words(after).take(REACH).collect();
        for (side, near) in [('p', &before), ('n', &following)] {
            for (i, word) in near.iter().enumerate() {
                let lower = word.to_lowercase();
                for class in classes.get(lower.as_str()).into_iter().flatten() {
                    shared.push(format!("{side}{}c={class}", i + 1));
                }
                shared.push(format!("{side}{}={lower}", i + 1));
                if i == 0 {
                    shared.push(format!("{side}1s={}", look(word)));
                }
            }
            if near.is_empty() {
                shared.push(format!("{side}0"));
            }
        }
        for class in context.topic_classes() {
            shared.push(format!("about={class}"));
        }
        Self { context, shared }
    }

    /// Passes the features of a candidate to `take`. `is_first` marks the candidate that the
    /// recognizer order prefers.
    pub(super) fn of(&self, candidate: &Candidate, is_first: bool, mut take: impl FnMut(&str)) {
        take("bias");
        if is_first {
            take("first");
        }
        self.shared.iter().for_each(|feature| take(feature));
        let Some((length, value)) = &candidate.value else { return };
        let after = &self.context.rest[*length..];
        take(&format!("then={}", right(after)));
        if let Some(word) = words(after).next() {
            let lower = word.to_lowercase();
            let classes = self.context.locale.context_classes();
            for class in classes.get(lower.as_str()).into_iter().flatten() {
                take(&format!("thenc={class}"));
            }
        }
        match value {
            SemioticClass::Measure(Measure { unit: Some(unit), .. }) => {
                let unit = unit.one;
                take(&format!("unit={unit}"));
                for class in self.context.topic_classes() {
                    take(&format!("unit={unit}&about={class}"));
                }
            }
            SemioticClass::Fraction(fraction) => {
                let rises = fraction.numerator.value() < fraction.denominator.value();
                take(if rises { "proper" } else { "improper" });
            }
            SemioticClass::Score { got, of } => {
                take(if got.value() <= of.value() { "fits" } else { "exceeds" });
            }
            SemioticClass::Phrase { words, .. }
            | SemioticClass::Abbreviation { row: Abbreviation { words, .. }, .. } => {
                take(&format!("words={words}"));
            }
            _ => {}
        }
    }
}

/// Features of the numbers of a token: of a pair, or the roundness and century of one.
fn values(token: &str, mut take: impl FnMut(String)) {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let first = &token[..digits(token)];
    if first.is_empty() {
        return;
    }
    let mut rest = token[first.len()..].chars();
    let mark = rest.next();
    let second = rest.as_str();
    let second = &second[..digits(second)];
    if let Some(mark @ ('/' | '-' | '–' | ':')) = mark
        && !second.is_empty()
    {
        take(format!("token={token}"));
        if first.len() < 3 {
            take(format!("first{mark}={first}"));
        }
        if second.len() < 3 {
            take(format!("second{mark}={second}"));
        }
        let order = match (first.parse::<u32>(), second.parse::<u32>()) {
            (Ok(first), Ok(second)) if first < second => '<',
            (Ok(first), Ok(second)) if first > second => '>',
            _ => '=',
        };
        take(format!("order{mark}={order}"));
        return;
    }
    let zeros = first.len() - first.trim_end_matches('0').len();
    take(format!("zeros={}", zeros.min(3)));
    if first.starts_with('0') {
        take("padded".into());
    }
    if first.len() == 4 {
        take(format!("century={}", &first[..2]));
    }
    let after = &token[first.len()..];
    if (1..=2).contains(&after.chars().count()) {
        take(format!("ending={after}"));
        take(format!("ending={after}&length={}", first.len()));
    }
}

/// The token at the start of a text: up to white space, without trailing marks.
fn token(rest: &str) -> &str {
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    rest[..end].trim_end_matches(|c: char| ".,;:!?)]}\"'”’|".contains(c))
}

/// The shape of a token: digits as `d`, capitals `A`, small letters `a`; runs of over three `d+`.
fn shape(token: &str) -> String {
    let mut shape = String::new();
    let mut last = (' ', 0);
    for c in token.chars().take(16) {
        let kind = match c {
            c if c.is_ascii_digit() => 'd',
            c if c.is_uppercase() => 'A',
            c if c.is_alphabetic() => 'a',
            c => c,
        };
        last = if last.0 == kind { (kind, last.1 + 1) } else { (kind, 1) };
        match last.1 {
            1..=3 => shape.push(kind),
            4 => shape.push('+'),
            _ => {}
        }
    }
    shape
}

fn edge(c: Option<char>) -> String {
    match c {
        None => "start".into(),
        Some(c) if c.is_whitespace() => "space".into(),
        Some(c) if c.is_alphabetic() => "letter".into(),
        Some(c) if c.is_numeric() => "digit".into(),
        Some(c) => c.into(),
    }
}

/// The character after the token, and the start of the next word.
fn right(after: &str) -> String {
    let mut chars = after.chars();
    let first = edge(chars.next());
    let first = if first == "start" { "end".into() } else { first };
    if first != "space" {
        return first;
    }
    match after.trim_start().chars().next() {
        None => "end".into(),
        Some(c) if c.is_uppercase() => "space A".into(),
        Some(c) if c.is_alphabetic() => "space a".into(),
        Some(c) if c.is_numeric() => "space d".into(),
        Some(c) => format!("space {c}"),
    }
}

/// The form of a word: its case, and whether it could be a plural.
fn look(word: &str) -> &'static str {
    let is_upper = word.starts_with(char::is_uppercase);
    let all = word.chars().count() > 1 && word.chars().all(|c| !c.is_lowercase());
    match () {
        () if word.starts_with(|c: char| c.is_numeric()) => "number",
        () if !word.is_ascii() => "script",
        () if all && is_upper => "capitals",
        () if is_upper => "capital",
        () if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") => "plural",
        () => "small",
    }
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !is_inner(c) && c != '\'' && c != '’').filter(|word| !word.is_empty())
}

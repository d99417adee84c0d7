//! Shapes of codes, as rows of `shapes.tsv` have them: a pattern, a condition, an example and what is said in it.
//!
//! A pattern is elements with spaces between, without white space in the text unless an element has it:
//!
//! | element | |
//! |---|---|
//! | `n1-2` | one or two digits: a number |
//! | `d4` | four digits, one by one |
//! | `p4` | the same, in pairs where that is usual |
//! | `h3` | the same, but a number if it is hundreds |
//! | `x2` | hexadecimal digits, one by one |
//! | `A1-2` | capitals, spelled |
//! | `a0-2` | letters of any case, spelled as capitals |
//! | `l1` | a letter of any case, spelled as it is |
//! | `L=left` | this text, said as these words; `_` is a space |
//! | `L` | this text: digits are a number, letters are spelled, signs are silent |
//! | `-!` | this sign by its name |
//! | `-~` | this sign as a pause |
//!
//! Bars stand between alternatives, of which one may be empty. The match begins and ends as a word does.

use super::alphanumeric;
use super::condition::{Condition, Place, Positions};
use super::electronic::network;
use super::locale::rows;
use super::prelude::*;

/// A row of a table.
pub(crate) struct Shape {
    pattern: Pattern,
    pub(crate) when: Condition,
    /// With the place in brackets, and what is said for it.
    #[cfg(test)]
    pub(crate) example: [&'static str; 2],
}

/// Elements that stand one behind another.
pub(crate) struct Pattern(Vec<Element>);

enum Element {
    /// From so many to so many characters, and how they are said.
    Run(char, usize, usize),
    /// Texts, and the words for each.
    Texts(Vec<(String, Option<&'static str>)>),
    Sign(&'static str),
}

/// Stands for words where a pause is made.
const PAUSE: &str = "~";

/// Reads a table.
pub(crate) fn shapes(table: &'static str, positions: &Positions) -> Vec<Shape> {
    let shape = |row: Vec<&'static str>| Shape {
        pattern: Pattern::new(row[0]),
        when: positions.read(row[1]),
        #[cfg(test)]
        example: [row[2], row[3]],
    };
    rows(table).map(shape).collect()
}

/// A code of one of the shapes: the longest.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    if !opens(context.before) {
        return None;
    }
    let found = context.lexicon().shapes.iter().filter_map(|shape| {
        let (length, parts) = shape.pattern.at(context.rest)?;
        let (written, after) = context.rest.split_at(length);
        let holds = || Place { context, written, stopped: false, after }.holds(&shape.when);
        (!after.starts_with(is_inner) && holds()).then_some((length, parts))
    });
    let (length, parts) = found.max_by_key(|(length, _)| *length)?;
    Some((length, SemioticClass::Alphanumeric(alphanumeric::Value(parts))))
}

/// Patterns that are read once.
macro_rules! patterns {
    ($($pattern:expr),* $(,)?) => {{
        static PATTERNS: speech_base::fork::LazyLock<Vec<Pattern>> =
            speech_base::fork::LazyLock::new(|| vec![$(Pattern::new($pattern)),*]);
        &PATTERNS[..]
    }};
}

pub(crate) use patterns;

impl Pattern {
    pub(crate) fn new(pattern: &'static str) -> Self {
        Self(pattern.split(' ').map(Element::new).collect())
    }

    /// The first of several that a text begins with.
    pub(crate) fn first(patterns: &[Self], rest: &str) -> Option<(usize, CodeParts)> {
        patterns.iter().find_map(|pattern| pattern.at(rest))
    }

    /// The bytes at the start of a text that match, and their parts.
    pub(crate) fn at(&self, rest: &str) -> Option<(usize, CodeParts)> {
        let mut cursor = Cursor::new(rest);
        let mut parts = CodeParts::default();
        self.0.iter().try_for_each(|element| element.take(&mut cursor, &mut parts))?;
        Some((cursor.at(), parts))
    }
}

/// The letters of a pattern that stand for characters of a kind.
const KINDS: [char; 8] = ['n', 'd', 'p', 'h', 'x', 'A', 'a', 'l'];

impl Element {
    fn new(element: &'static str) -> Self {
        let lengths = element.get(1..).unwrap_or_default();
        let (least, most) = lengths.split_once('-').unwrap_or((lengths, lengths));
        if let (Some(kind), Ok(least), Ok(most)) =
            (element.chars().next().filter(|c| KINDS.contains(c)), least.parse(), most.parse())
        {
            return Self::Run(kind, least, most);
        }
        if let Some(sign) = element.strip_suffix('!') {
            return Self::Sign(sign);
        }
        let alternative = |text: &'static str| {
            let pause = text.strip_suffix('~').map(|sign| (sign, Some(PAUSE)));
            let said = text.split_once('=').map(|(text, words)| (text, Some(words)));
            let (text, words) = pause.or(said).unwrap_or((text, None));
            (text.replace('_', " "), words)
        };
        Self::Texts(element.split('|').map(alternative).collect())
    }

    fn take(&self, cursor: &mut Cursor<'_>, parts: &mut CodeParts) -> Option<()> {
        let start = cursor.at();
        match self {
            Self::Run(kind, least, most) => {
                let is_part = |c: char| match kind {
                    'A' => is_upper(c),
                    'x' => c.is_ascii_hexdigit(),
                    'a' | 'l' => is_latin_letter(c),
                    _ => is_digit(c),
                };
                let text = cursor.take_while(is_part).unwrap_or_default();
                match kind {
                    _ if !(*least..=*most).contains(&text.len()) => return None,
                    _ if text.is_empty() => {}
                    'n' => parts.number(text, start),
                    'd' => parts.digits(text, start),
                    'x' => network::characters(parts, text, start),
                    'p' => parts.pairs(text, start),
                    'h' if text.ends_with("00") => parts.number(text, start),
                    'h' => parts.digits(text, start),
                    'a' => parts.letters(&text.to_ascii_uppercase(), start),
                    _ => parts.letters(text, start),
                }
            }
            Self::Sign(sign) => {
                cursor.eat(sign)?;
                parts.push(CodePart::Symbol(sign.chars().next()?), start..cursor.at());
            }
            Self::Texts(texts) => {
                let (text, words) = texts.iter().find(|(text, _)| cursor.eat(text).is_some())?;
                match words {
                    Some(PAUSE) => parts.push(CodePart::Pause, start..cursor.at()),
                    Some(words) => {
                        words.split('_').filter(|word| !word.is_empty()).for_each(|word| {
                            parts.push(CodePart::Word(word.into()), start..cursor.at());
                        })
                    }
                    None if text.starts_with(is_digit) => parts.number(text, start),
                    None if text.starts_with(is_latin_letter) => parts.letters(text, start),
                    None => {}
                }
            }
        }
        Some(())
    }
}

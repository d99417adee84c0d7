//! Shapes of codes, as rows of `shapes.tsv` have them: a pattern, a condition, an example and what is said in it.
//!
//! A pattern is a sequence of elements. Spaces separate elements and match nothing; `_` matches a space:
//!
//! | element | |
//! |---|---|
//! | `n1-2` | one or two digits: a number |
//! | `d4` | four digits, one by one |
//! | `p4` | the same, in pairs where that is usual |
//! | `q4` | the same, always in pairs |
//! | `h3` | the same, but a number if it is hundreds |
//! | `x2` | hexadecimal digits, one by one |
//! | `A1-2` | capitals, spelled |
//! | `a0-2` | letters of any case, spelled as capitals |
//! | `l1` | a letter of any case, spelled as it is |
//! | `L=left` | this text, said as these words; `_` is a space |
//! | `N=night/nights` | the same, but the second words unless the number one precedes |
//! | `L` | this text: digits are a number, letters are spelled as capitals, signs are silent |
//! | `-!` | this sign by its name |
//! | `-~` | this sign as a pause |
//! | `…-~,d4` | the elements `-~` and `d4` in sequence, any number of times |
//!
//! Bars stand between alternatives, of which one may be empty. A match of a row begins and ends as a word does, and a
//! plural or possessive ending may follow; `Pattern::at` does not check this.

use std::ops::BitOr;

use super::alphanumeric;
use super::condition::{Condition, Place, Positions};
use super::locale::rows;
use super::prelude::*;
use super::scan;

/// A row of a table.
pub(crate) struct Shape {
    pattern: Pattern,
    /// The characters that a match may begin with.
    starts: Characters,
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
    /// Texts, and how each is said.
    Texts(Vec<(String, Said)>),
    Sign(&'static str),
    Many(Pattern),
}

/// A set of characters: a bit for each of ASCII, and the bit of NUL for all others.
type Characters = u128;

/// How a text of a pattern is said.
enum Said {
    AsWritten,
    Pause,
    /// As words, after the number one and otherwise.
    Words([&'static str; 2]),
}

/// Reads a table.
pub(crate) fn shapes(table: &'static str, positions: &Positions) -> Vec<Shape> {
    let shape = |row: Vec<&'static str>| {
        let pattern = Pattern::new(row[0]);
        Shape {
            starts: pattern.starts(),
            pattern,
            when: positions.read(row[1]),
            #[cfg(test)]
            example: [row[2], row[3]],
        }
    };
    rows(table).map(shape).collect()
}

/// A code of one of the shapes: the longest.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    if !opens(context.before) {
        return None;
    }
    let start = set(context.rest.chars().take(1));
    let shapes = context.lexicon().shapes.iter().filter(|shape| shape.starts & start != 0);
    let found = shapes.filter_map(|shape| {
        let (length, parts) = shape.pattern.at(context.rest)?;
        let (written, after) = context.rest.split_at(length);
        let holds = || Place { context, written, stopped: false, after }.holds(&shape.when);
        let ends = || !after[scan::ending(after).unwrap_or_default()..].starts_with(is_inner);
        (ends() && holds()).then_some((length, parts))
    });
    let (length, parts) = found.max_by_key(|(length, _)| *length)?;
    Some((length, SemioticClass::Alphanumeric(parts)))
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
        self.take(&mut cursor, &mut parts)?;
        Some((cursor.at(), parts))
    }

    fn starts(&self) -> Characters {
        let mut starts = 0;
        for element in &self.0 {
            starts |= element.starts();
            if !element.may_be_empty() {
                break;
            }
        }
        starts
    }

    fn take(&self, cursor: &mut Cursor<'_>, parts: &mut CodeParts) -> Option<()> {
        self.0.iter().try_for_each(|element| element.take(cursor, parts))
    }
}

fn set(characters: impl IntoIterator<Item = char>) -> Characters {
    let bit = |c: char| if c.is_ascii() { 1 << u32::from(c) } else { 1 };
    characters.into_iter().map(bit).fold(0, BitOr::bitor)
}

/// The letters of a pattern that stand for characters of a kind.
const KINDS: [char; 9] = ['n', 'd', 'p', 'q', 'h', 'x', 'A', 'a', 'l'];

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
        if let Some(elements) = element.strip_prefix('…') {
            return Self::Many(Pattern(elements.split(',').map(Self::new).collect()));
        }
        let alternative = |text: &'static str| {
            let pause = text.strip_suffix('~').map(|sign| (sign, Said::Pause));
            let said = text.split_once('=').map(|(text, words)| {
                let (one, many) = words.split_once('/').unwrap_or((words, words));
                (text, Said::Words([one, many]))
            });
            let (text, said) = pause.or(said).unwrap_or((text, Said::AsWritten));
            (text.replace('_', " "), said)
        };
        Self::Texts(element.split('|').map(alternative).collect())
    }

    fn starts(&self) -> Characters {
        match self {
            Self::Run(kind, ..) => set(('\0'..='\x7f').filter(|c| is_part(*kind, *c))),
            Self::Texts(texts) => set(texts.iter().filter_map(|(text, _)| text.chars().next())),
            Self::Sign(sign) => set(sign.chars().take(1)),
            Self::Many(pattern) => pattern.starts(),
        }
    }

    fn may_be_empty(&self) -> bool {
        match self {
            Self::Run(_, least, _) => *least == 0,
            Self::Texts(texts) => texts.iter().any(|(text, _)| text.is_empty()),
            Self::Sign(_) => false,
            Self::Many(_) => true,
        }
    }

    fn take(&self, cursor: &mut Cursor<'_>, parts: &mut CodeParts) -> Option<()> {
        let start = cursor.at();
        match self {
            Self::Run(kind, least, most) => {
                let text = cursor.take_while(|c| is_part(*kind, c)).unwrap_or_default();
                match kind {
                    _ if !(*least..=*most).contains(&text.len()) => return None,
                    _ if text.is_empty() => {}
                    'n' => parts.number(text, start),
                    'd' => parts.digits(text, start),
                    'x' => alphanumeric::characters(parts, text, start),
                    'p' => parts.pairs(text, start),
                    'q' => parts.push(CodePart::Pairs(text.parse().ok()?), start..cursor.at()),
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
            Self::Many(pattern) => {
                while cursor
                    .attempt(|cursor| {
                        let mut more = CodeParts::default();
                        pattern.take(cursor, &mut more)?;
                        parts.0.extend(more.0);
                        Some(())
                    })
                    .is_some()
                {}
            }
            Self::Texts(texts) => {
                let (text, said) = texts.iter().find(|(text, _)| cursor.eat(text).is_some())?;
                match said {
                    Said::Pause => parts.push(CodePart::Pause, start..cursor.at()),
                    Said::Words(words) => {
                        let is_one = matches!(parts.0.last(), Some((CodePart::Number(1), _)));
                        let words = words[usize::from(!is_one)].split('_');
                        words.filter(|word| !word.is_empty()).for_each(|word| {
                            parts.push(CodePart::Word(word.into()), start..cursor.at());
                        })
                    }
                    Said::AsWritten if text.starts_with(is_digit) => parts.number(text, start),
                    Said::AsWritten if text.starts_with(is_latin_letter) => {
                        parts.letters(&text.to_ascii_uppercase(), start);
                    }
                    Said::AsWritten => {}
                }
            }
        }
        Some(())
    }
}

/// Whether a run of this kind may have the character.
fn is_part(kind: char, c: char) -> bool {
    match kind {
        'A' => is_upper(c),
        'x' => c.is_ascii_hexdigit(),
        'a' | 'l' => is_latin_letter(c),
        _ => is_digit(c),
    }
}

//! The interface of recognizers: a position in a sentence in, a semiotic class and its length out.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

use super::choice::ContextClass;
use super::cursor::{Cursor, first_word, is_inner, is_letter, last_word};
use super::locale::{Lexicon, Locale, Locales};
use super::number::{self, Number};
use super::semiotic::SemioticClass;
use super::zones::Zones;
use crate::scripts::{is_alphabetic, is_alphanumeric};
use crate::segment;
use crate::words::{ClassSet, WordClass};

/// The bytes of `rest` that a match takes, and its value.
pub(crate) type Found = Option<(usize, SemioticClass)>;

/// What a recognizer of a class found.
pub(crate) fn found<T>(value: Option<(usize, T)>, class: fn(T) -> SemioticClass) -> Found {
    value.map(|(length, value)| (length, class(value)))
}

/// Matches one semiotic class at a place.
pub(crate) type Find = fn(&MatchContext<'_>) -> Found;

/// A recognizer and the kinds of characters that its match may begin with.
pub(crate) struct Recognizer {
    pub(crate) begins: Begins,
    pub(crate) find: Find,
    pub(crate) certainty: Certainty,
}

/// The reliability of a recognizer's match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// The first such match is correct.
    Certain,
    /// Other recognizers may contest the match, and it contests theirs.
    Contested,
    /// The match is only an alternative when another recognizer also matches.
    Proposal,
}

/// Declares recognizers by their certainty and the kinds of characters that a match begins with.
macro_rules! recognizers {
    ($($certainty:ident $begins:expr => $($find:expr),+;)*) => {
        &[$($($crate::normalize::recognizer::Recognizer {
            begins: $begins,
            find: $find,
            certainty: $crate::normalize::recognizer::Certainty::$certainty,
        },)+)*]
    };
}

pub(crate) use recognizers;

/// The kinds of characters that a match may begin with. Elsewhere the recognizer is not tried.
#[derive(Clone, Copy)]
pub(crate) struct Begins(u8);

pub(crate) const DIGIT: Begins = Begins(1);
pub(crate) const LETTER: Begins = Begins(2);
pub(crate) const SYMBOL: Begins = Begins(4);
/// A digit directly after a letter.
pub(crate) const INSIDE: Begins = Begins(8);
/// The start of a number with an optional sign or point.
pub(crate) const NUMBER: Begins = DIGIT.or(SYMBOL);
/// Any start of a token.
pub(crate) const ANY: Begins = LETTER.or(NUMBER);

impl Begins {
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The kind of the position at the start of `rest`; `None` inside a word.
    pub(crate) fn of(before: &str, rest: &str) -> Option<Self> {
        let first = rest.chars().next()?;
        let after_letter =
            before.ends_with(is_letter) && !ends_in_cross(before) && !ends_in_every(before);
        Some(match first {
            '0'..='9' if after_letter => INSIDE,
            '0'..='9' => DIGIT,
            // `TΔS`: adjacent variables.
            c if is_greek(c) && before.ends_with(|c: char| c.is_ascii_alphabetic()) => LETTER,
            c if is_letter(c) && after_letter => return None,
            c if is_alphabetic(c) => LETTER,
            c if c.is_numeric() => DIGIT,
            _ => SYMBOL,
        })
    }

    pub(crate) fn includes(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Whether a letter is Greek. Beside Latin letters it is a variable.
pub(crate) fn is_greek(c: char) -> bool {
    matches!(c, 'Α'..='Ω' | 'α'..='ω')
}

/// Whether the text ends in a digit and a sign of multiplication (`4x`) or of weeks or years
/// (`38w` of `38w4d`).
fn ends_in_cross(before: &str) -> bool {
    let number = before.strip_suffix(['x', 'X', 'w', 'y']);
    number.is_some_and(|number| number.ends_with(|c: char| c.is_ascii_digit()))
}

/// Whether the letter for "every" or "times" of a prescription precedes: `q4h`, `x7d`.
fn ends_in_every(before: &str) -> bool {
    let start = before.strip_suffix(['q', 'Q', 'x']);
    start.is_some_and(|start| !start.ends_with(is_inner))
}

/// A preprocessed sentence and the language of its numbers and symbols.
pub(crate) struct SentenceContext<'a> {
    pub(crate) text: &'a str,
    pub(crate) locale: &'static Locale,
    pub(crate) locales: Locales,
    classes: OnceCell<ClassSet>,
    topic_classes: OnceCell<Vec<ContextClass>>,
    clause_ends: OnceCell<Vec<usize>>,
    addresses: RefCell<HashMap<Range<usize>, bool>>,
    zones: OnceCell<Zones>,
}

impl<'a> SentenceContext<'a> {
    pub(crate) fn new(text: &'a str, locale: &'static Locale, locales: Locales) -> Self {
        Self {
            text,
            locale,
            locales,
            classes: OnceCell::new(),
            topic_classes: OnceCell::new(),
            clause_ends: OnceCell::new(),
            addresses: RefCell::default(),
            zones: OnceCell::new(),
        }
    }

    /// Whether the full stop at a position ends the sentence, or a sentence in quotes or brackets
    /// within it.
    pub(crate) fn ends_with_stop(&self, at: usize) -> bool {
        !self.text[at..].contains(is_alphanumeric)
            || segment::ends_within(self.text, at, self.locales.1)
    }

    pub(crate) fn is_code(&self, at: usize) -> bool {
        self.zones.get_or_init(|| Zones::of(self.text)).is_code(at)
    }

    /// The union of the classes of all words in the sentence.
    fn classes(&self) -> ClassSet {
        *self.classes.get_or_init(|| {
            let known = &self.locale.lexicon().words;
            let words = self.text.split(|c: char| !is_inner(c)).filter(|word| !word.is_empty());
            words.map(|word| known.of_any_case(word)).fold(ClassSet::default(), ClassSet::union)
        })
    }

    /// The distinct topic classes of the words in the sentence.
    fn topic_classes(&self) -> &[ContextClass] {
        self.topic_classes.get_or_init(|| {
            let known = self.locale.context_classes();
            let words = self.text.split(|c: char| !is_inner(c)).filter(|word| !word.is_empty());
            let classes = words.filter_map(|word| known.get(word.to_lowercase().as_str()));
            let mut classes: Vec<_> = classes.flatten().copied().collect();
            classes.sort_unstable();
            classes.dedup();
            classes
        })
    }
}

/// A position in a sentence with its context.
#[derive(Clone, Copy)]
pub(crate) struct MatchContext<'a> {
    sentence: &'a SentenceContext<'a>,
    /// The sentence before the position.
    pub(crate) before: &'a str,
    /// The sentence from the position on.
    pub(crate) rest: &'a str,
    pub(crate) locale: &'static Locale,
}

impl<'a> MatchContext<'a> {
    /// The context at position `at` of a sentence.
    pub(crate) fn new(sentence: &'a SentenceContext<'a>, at: usize) -> Self {
        let (before, rest) = sentence.text.split_at(at);
        Self { sentence, before, rest, locale: sentence.locale }
    }

    /// The whole sentence.
    pub(crate) fn text(&self) -> &'a str {
        self.sentence.text
    }

    /// Whether a sentence ends with the full stop at the end of the next `length` bytes.
    pub(crate) fn ends_sentence(&self, length: usize) -> bool {
        let at = self.before.len() + length;
        self.text()[..at].ends_with('.') && self.sentence.ends_with_stop(at - 1)
    }

    pub(crate) fn is_code(&self) -> bool {
        self.sentence.is_code(self.before.len())
    }

    /// The context at another position of the sentence.
    pub(crate) fn at(&self, place: usize) -> Self {
        Self::new(self.sentence, place)
    }

    /// The context `length` bytes ahead.
    pub(crate) fn advanced(&self, length: usize) -> Self {
        Self::new(self.sentence, self.before.len() + length)
    }

    /// This context with `rest` cut to `length` bytes. Questions about the whole sentence have the
    /// same answers.
    pub(crate) fn up_to(&self, length: usize) -> Self {
        Self { rest: &self.rest[..length], ..*self }
    }

    pub(crate) fn mentions(&self, class: WordClass) -> bool {
        self.sentence.classes().has(class)
    }

    /// The distinct topic classes of the words in the sentence.
    pub(crate) fn topic_classes(&self) -> &'a [ContextClass] {
        self.sentence.topic_classes()
    }

    /// The clause ends of the sentence in order. `find` runs once per sentence.
    pub(crate) fn clause_ends(&self, find: impl FnOnce(&str) -> Vec<usize>) -> &'a [usize] {
        self.sentence.clause_ends.get_or_init(|| find(self.sentence.text))
    }

    /// Whether a range of the sentence is an address. `decide` runs once per range.
    pub(crate) fn is_address(&self, part: Range<usize>, decide: impl FnOnce(&str) -> bool) -> bool {
        let mut known = self.sentence.addresses.borrow_mut();
        *known.entry(part.clone()).or_insert_with(|| decide(&self.sentence.text[part]))
    }

    /// All registered languages.
    pub(crate) fn locales(&self) -> Locales {
        self.sentence.locales
    }

    pub(crate) fn lexicon(&self) -> &'static Lexicon {
        self.locale.lexicon()
    }

    pub(crate) fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.rest)
    }

    /// A cursor behind the next `length` bytes.
    pub(crate) fn cursor_after(&self, length: usize) -> Cursor<'a> {
        let mut cursor = self.cursor();
        cursor.eat(&self.rest[..length]);
        cursor
    }

    /// Whether a word has this class, ignoring case.
    pub(crate) fn is(&self, word: &str, class: WordClass) -> bool {
        self.lexicon().words.of_any_case(word).has(class)
    }

    pub(crate) fn follows(&self, class: WordClass) -> bool {
        self.is(last_word(self.before), class)
    }

    pub(crate) fn eat(&self, cursor: &mut Cursor<'_>, class: WordClass) -> Option<()> {
        self.lexicon().words.names(class).find_map(|word| cursor.eat(word))
    }

    /// Whether the amount up to the cursor modifies the next noun (`a $5 fee`), or a word of
    /// the class `Oblique` follows.
    pub(crate) fn describes(&self, cursor: &Cursor<'_>) -> bool {
        let noun = first_word(cursor.rest());
        if self.is(noun, WordClass::Oblique) {
            return true;
        }
        // `2 (8-oz) packages`: a count of packages of that size.
        let counted = self.before.strip_suffix('(').map(str::trim_end).unwrap_or_default();
        let container = cursor.rest().strip_prefix(") ").unwrap_or_default();
        // `2 (3 lb.) chickens`
        let contained = first_word(container);
        let is_plural =
            contained.len() > 3 && contained.ends_with('s') && !contained.ends_with("ss");
        if counted.ends_with(|c: char| c.is_ascii_digit())
            && (is_plural || self.is(contained, WordClass::Containers))
        {
            return true;
        }
        let is_noun = cursor.rest().starts_with(' ')
            && noun.len() > 2
            && noun.chars().all(|c| c.is_ascii_lowercase())
            && !self.is(noun, WordClass::NotCounted);
        let is_determined = self.before.ends_with(' ') && self.follows(WordClass::Determiners);
        let one = noun.strip_suffix('s').unwrap_or(noun);
        let of_many = one.strip_suffix("ie").map(|one| format!("{one}y"));
        let is_measured = || {
            [noun, one, of_many.as_deref().unwrap_or_default()]
                .iter()
                .any(|noun| self.is(noun, WordClass::Measured))
        };
        // `a $15 late fee`
        let is_before_noun = || {
            let next = first_word(&cursor.rest().trim_start()[noun.len()..]);
            is_determined
                && self.is(noun, WordClass::BeforeMeasured)
                && self.is(next, WordClass::Measured)
        };
        is_noun && (is_determined || is_measured())
            || cursor.rest().starts_with(' ') && is_before_noun()
    }

    /// The number here, with its sign if the previous text allows one.
    pub(crate) fn number(&self, cursor: &mut Cursor<'_>) -> Option<Number> {
        if number::may_be_signed(self.before) {
            Number::scan_signed(cursor)
        } else {
            Number::scan(cursor)
        }
    }
}

/// Whether a word is one of `words`, which are in lower case.
pub(crate) fn is_one_of(word: &str, words: &[&str]) -> bool {
    !word.is_empty() && words.iter().any(|one| one.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use speech_base::language::Language;

    use super::*;
    use crate::languages::locales;

    #[test]
    fn what_is_known_of_a_sentence_is_found_once() {
        let locale = locales().of(Language::HiIn);
        let text = "1 2 ".repeat(200);
        let sentence = SentenceContext::new(&text, locale, locales());
        let (clauses, addresses) = (Cell::new(0), Cell::new(0));
        for at in 0..text.len() {
            let context = MatchContext::new(&sentence, at);
            context.clause_ends(|_| {
                clauses.set(clauses.get() + 1);
                Vec::new()
            });
            for end in [4, text.len()] {
                context.is_address(0..end, |part| {
                    addresses.set(addresses.get() + 1);
                    part.len() == 4
                });
            }
            assert!(
                context.is_address(0..4, |_| false) && !context.is_address(0..text.len(), |_| true)
            );
        }
        assert_eq!((clauses.get(), addresses.get()), (1, 2));
    }
}

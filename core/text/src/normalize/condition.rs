//! Parses and evaluates the conditions of table rows.
//!
//! A condition is a list of tests, all of which must hold (`-` is none): `0:stop +1:Cap`. A test is
//! the name of a condition in `positions.tsv`, or a location and alternatives with bars between:
//!
//! | location | text |
//! |---|---|
//! | `0` | the match, as written |
//! | `-1`, `-2`, `+1` | the word there, with only white space between |
//! | `+2` and more | the word there in the clause, which ends at `,`, `;`, `(` and `।` |
//! | `-1.`, `+1.` | the word there past stops and `+` |
//! | `-1,`, `+1,` | the word there past commas and stops |
//! | `-1-`, `+1-` | the word there past a colon and dashes |
//! | `-1~`, `+1~` | the word there past any of the marks in `LIGHT` |
//! | `+1..4` | one of the next words of the clause |
//! | `<`, `*` | the sentence before the match, the whole sentence |
//! | `prev`, `next` | the adjacent characters; `_` is a space |
//!
//! Properties (`Cap`) and word classes (`Openers`, `medical`) follow a colon, words and characters
//! an equals sign. An exclamation mark before a location negates its test; the name of
//! a condition cannot be negated.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::choice::ContextClass;
use super::locale::rows;
use super::prelude::*;
use super::properties::{self, Look, Property};
use crate::named::Named;

#[derive(Clone)]
pub(crate) struct Condition {
    /// The source text in the table.
    pub(crate) text: &'static str,
    tests: Arc<[Test]>,
}

/// A row of a named position: a condition and its example.
pub(crate) struct PositionRow {
    condition: Condition,
    /// The text with the place in brackets, and the expected words of the place.
    #[cfg(test)]
    pub(crate) example: [&'static str; 2],
}

/// A named position: it applies if one of its rows does.
#[derive(Default)]
pub(crate) struct Position {
    pub(crate) rows: Vec<PositionRow>,
    notes: &'static str,
}

/// The named positions of a language.
#[derive(Default)]
pub(crate) struct Positions {
    pub(crate) named: HashMap<&'static str, Arc<Position>>,
    /// Properties that only this language has.
    properties: &'static [(&'static str, Property)],
}

struct Test {
    is_not: bool,
    weight: u32,
    wants: Wants,
}

/// The alternatives of a test.
enum Wants {
    Position(Arc<Position>),
    Words(Words, Vec<&'static str>),
    Kinds(Words, Vec<Kind>),
    Text(Side, Vec<String>),
    About(Side, Vec<Class>),
}

/// Words by their distance from the place, and the marks that a test skips.
#[derive(Clone, Copy)]
struct Words {
    back: bool,
    first: usize,
    last: usize,
    past: &'static [char],
}

/// Text on one side of the place, or around it.
#[derive(Clone, Copy)]
enum Side {
    RightBefore,
    RightBehind,
    Before,
    Sentence,
}

#[derive(Clone, Copy)]
enum Kind {
    Property(Property),
    Class(Class),
}

/// A word class, or a context class of the choice model.
#[derive(Clone, Copy)]
enum Class {
    Words(WordClass),
    Context(ContextClass),
}

/// The subject of a condition: a match in a sentence, and its context.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) context: &'a MatchContext<'a>,
    /// The match as written, without its full stop.
    pub(crate) written: &'a str,
    /// Whether a full stop follows the match.
    pub(crate) stopped: bool,
    /// The sentence after the match and its full stop.
    pub(crate) after: &'a str,
}

/// Light marks, which a test may skip.
const LIGHT: &[char] = &[' ', ':', '#', '-', '–', '—', '−', '+', '(', '"', '*', '_', ',', '.'];

/// The specificity of tests: on a word, a class, a property, the topic of the sentence, and a
/// guard, which is a negated test or a property of `properties::GUARDS`.
const WORD: u32 = 50;
const CLASS: u32 = 20;
const PROPERTY: u32 = 5;
const SENTENCE: u32 = 6;
const GUARD: u32 = 1;

impl Positions {
    /// Parses a table: name, condition, notes or a hyphen, example with the place in brackets, and
    /// expected words. A condition may use positions defined above it.
    ///
    /// # Panics
    ///
    /// If it uses others.
    pub(crate) fn new(
        table: &'static str,
        properties: &'static [(&'static str, Property)],
    ) -> Self {
        let mut positions = Self { properties, ..Self::default() };
        for row in rows(table) {
            let condition = positions.read(row[1]);
            let position = Arc::get_mut(positions.named.entry(row[0]).or_default());
            let position = position.expect("the rows of a name stand above where it is named");
            if row[2] != "-" {
                position.notes = row[2];
            }
            position.rows.push(PositionRow {
                condition,
                #[cfg(test)]
                example: [row[3], row[4]],
            });
        }
        positions
    }

    /// Parses a condition.
    ///
    /// # Panics
    ///
    /// If it uses a position that the table does not define.
    pub(crate) fn read(&self, text: &'static str) -> Condition {
        let tests = text.split(' ').filter(|test| *test != "-");
        Condition { text, tests: tests.map(|test| self.test(test)).collect() }
    }

    fn test(&self, test: &'static str) -> Test {
        let (is_not, test) = test.strip_prefix('!').map_or((false, test), |test| (true, test));
        let Some(mark) = test.find([':', '=']) else {
            let position =
                self.named.get(test).expect("positions stand above where they are named");
            return Test { is_not, weight: 0, wants: Wants::Position(position.clone()) };
        };
        let values = test[mark + 1..].split('|').filter(|value| !value.is_empty());
        let is_of_words = test[mark..].starts_with('=');
        let (weight, wants) = match (Side::named(&test[..mark]), is_of_words) {
            (Some(side), true) => {
                let texts = values.map(|value| value.replace('_', " ")).collect();
                (side.weight(), Wants::Text(side, texts))
            }
            (Some(side), false) => {
                (side.weight(), Wants::About(side, values.map(Class::named).collect()))
            }
            (None, true) => (WORD, Wants::Words(Words::new(&test[..mark]), values.collect())),
            (None, false) => {
                let kinds = values.clone().map(|value| self.kind(value)).collect();
                (weight(values), Wants::Kinds(Words::new(&test[..mark]), kinds))
            }
        };
        Test { is_not, weight: if is_not { GUARD } else { weight }, wants }
    }

    fn kind(&self, name: &'static str) -> Kind {
        let own = || self.properties.iter().find(|(known, _)| *known == name);
        let property = properties::find(name).or_else(|| own().map(|(_, property)| *property));
        property.map_or_else(|| Kind::Class(Class::named(name)), Kind::Property)
    }
}

/// The specificity of a test for properties or classes.
fn weight<'a>(mut names: impl Iterator<Item = &'a str> + Clone) -> u32 {
    match () {
        () if names.clone().any(|name| properties::find(name).is_none()) => CLASS,
        () if names.all(|name| properties::GUARDS.contains(&name)) => GUARD,
        () => PROPERTY,
    }
}

impl Condition {
    pub(crate) fn first(&self) -> &'static str {
        self.text.split(' ').next().unwrap_or_default()
    }

    /// The first named position among the tests.
    pub(crate) fn position(&self) -> Option<&Position> {
        self.tests.iter().find_map(|test| match &test.wants {
            Wants::Position(position) => Some(&**position),
            _ => None,
        })
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Condition {}

impl Position {
    /// Whether the table gives the position this note.
    pub(crate) fn is(&self, note: &str) -> bool {
        self.notes.split(' ').any(|one| one == note)
    }

    /// The length of the text at the start of `after` that one of the rows requires there.
    pub(crate) fn wanted(&self, after: &str) -> usize {
        let tests = self.rows.iter().flat_map(|row| row.condition.tests.iter());
        let texts = tests.flat_map(|test| match &test.wants {
            Wants::Text(Side::RightBehind, texts) => &texts[..],
            _ => &[],
        });
        let texts = texts.filter(|text| after.starts_with(text.as_str()));
        texts.map(String::len).max().unwrap_or_default()
    }
}

impl Side {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "prev" => Self::RightBefore,
            "next" => Self::RightBehind,
            "<" => Self::Before,
            "*" => Self::Sentence,
            _ => return None,
        })
    }

    fn weight(self) -> u32 {
        match self {
            Self::RightBefore | Self::RightBehind => PROPERTY,
            Self::Before | Self::Sentence => SENTENCE,
        }
    }
}

impl Class {
    fn named(name: &'static str) -> Self {
        WordClass::named(name).map_or(Self::Context(name), Self::Words)
    }
}

impl Words {
    /// Parses the location of a test: `0`, `-1.`, `+1..4`.
    fn new(at: &str) -> Self {
        let (at, past): (_, &[char]) = match at.as_bytes().last() {
            Some(b'.') => (&at[..at.len() - 1], &['.', '+', ' ']),
            Some(b',') => (&at[..at.len() - 1], &[',', '.', ' ']),
            Some(b'-') => (&at[..at.len() - 1], &[' ', ':', '-', '–', '—']),
            Some(b'~') => (&at[..at.len() - 1], LIGHT),
            _ => (at, &[]),
        };
        let distance = at.trim_start_matches(['+', '-']);
        let (first, last) = distance.split_once("..").unwrap_or((distance, distance));
        let [first, last] = [first, last].map(|n| n.parse().expect("a distance is a number"));
        Self { back: at.starts_with('-'), first, last, past }
    }
}

impl<'a> Place<'a> {
    /// The specificity of a condition that holds here; `None` if it does not hold.
    pub(crate) fn specificity(&self, condition: &Condition) -> Option<u32> {
        #[cfg(test)]
        if tests::is_off(condition) {
            return None;
        }
        condition.tests.iter().map(|test| self.test(test)).sum()
    }

    pub(crate) fn holds(&self, condition: &Condition) -> bool {
        self.specificity(condition).is_some()
    }

    /// Whether the condition with this name holds.
    pub(crate) fn stands(&self, position: &str) -> bool {
        let position = self.context.lexicon().positions.named.get(position);
        position.is_some_and(|position| self.position(position).is_some())
    }

    fn test(&self, test: &Test) -> Option<u32> {
        let holds = match &test.wants {
            Wants::Position(position) => return self.position(position),
            Wants::Words(at, words) => self.looks(*at).any(|look| {
                let word = look.word.to_lowercase();
                words.iter().any(|one| *one == word)
            }),
            Wants::Kinds(at, kinds) => self.looks(*at).any(|look| {
                kinds.iter().any(|kind| match kind {
                    Kind::Property(property) => property(&look),
                    Kind::Class(class) => self.is(look.word, *class),
                })
            }),
            Wants::Text(side, texts) => texts.iter().any(|text| self.has(*side, text)),
            Wants::About(side, classes) => classes.iter().any(|class| self.is_about(*side, *class)),
        };
        (holds != test.is_not).then_some(test.weight)
    }

    /// The specificity of the most specific row of a position that holds.
    fn position(&self, position: &Position) -> Option<u32> {
        position.rows.iter().filter_map(|row| self.specificity(&row.condition)).max()
    }

    fn is(&self, word: &str, class: Class) -> bool {
        match class {
            Class::Words(class) => {
                self.context.is(word, class) || self.context.lexicon().words.of(word).has(class)
            }
            Class::Context(class) => self.context.locale.is_of_context_class(word, class),
        }
    }

    fn has(&self, side: Side, text: &str) -> bool {
        match side {
            Side::RightBefore => self.context.before.ends_with(text),
            Side::RightBehind => self.after.starts_with(text),
            Side::Before => self.context.before.contains(text),
            Side::Sentence => self.context.text().contains(text),
        }
    }

    fn is_about(&self, side: Side, class: Class) -> bool {
        match (side, class) {
            (Side::Sentence, Class::Words(class)) => self.context.mentions(class),
            (Side::Sentence, Class::Context(class)) => {
                self.context.topic_classes().contains(&class)
            }
            _ => words_back(self.context.before).any(|word| self.is(word, class)),
        }
    }

    /// The words at the location of a test.
    fn looks(&self, at: Words) -> impl Iterator<Item = Look<'a>> {
        let place = *self;
        (at.first..=at.last).filter_map(move |i| match i {
            0 => Some(Look { word: place.written, text: place.written, place }),
            _ if at.back => {
                let past = |text: &'a str| text.trim_end().trim_end_matches(at.past).trim_end();
                let text = (1..i).fold(past(place.context.before), |text, _| {
                    past(text.strip_suffix(last_word(text)).unwrap_or(text))
                });
                Some(Look { word: last_word(text), text, place })
            }
            1 => {
                let text = place.after.trim_start().trim_start_matches(at.past);
                Some(Look { word: first_word(text), text, place })
            }
            _ => place.nth(i - 1),
        })
    }

    /// The `n`-th next word of the clause.
    fn nth(&self, n: usize) -> Option<Look<'a>> {
        let end = self.after.find([',', '।', '(', ';']).unwrap_or(self.after.len());
        let mut words = self.after[..end].split_whitespace().skip(n);
        let text = words.next()?;
        let word = text.trim_matches(|c: char| !is_inner(c));
        Some(Look { word: if word.is_empty() { text } else { word }, text, place: *self })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use speech_base::language::Language;

    use super::*;
    use crate::languages::locales;
    use crate::normalize::locale::Locale;
    use crate::normalize::recognizer::SentenceContext;
    use crate::normalize::{Options, Token};
    use crate::row_tests::FRONT_END;

    thread_local! {
        /// The condition of the disabled row.
        static OFF: Cell<Option<*const [Test]>> = const { Cell::new(None) };
    }

    pub(super) fn is_off(condition: &Condition) -> bool {
        OFF.get().is_some_and(|off| std::ptr::addr_eq(off, Arc::as_ptr(&condition.tests)))
    }

    /// The words and marks for the place in brackets.
    fn said(example: &str, locale: &Locale) -> (String, Vec<char>) {
        let (before, rest) = example.split_once('⟦').expect("a place in brackets");
        let (place, after) = rest.split_once('⟧').expect("a place in brackets");
        let span = before.len()..before.len() + place.len();
        let text = format!("{before}{place}{after}");
        let (mut words, mut marks) = (Vec::new(), Vec::new());
        for (_, normalized) in FRONT_END.normalize(&text, Options::plain(locale.language)) {
            for token in normalized.tokens {
                match token {
                    Token::Word(word) if span.contains(&word.span.start) => words.push(word.text),
                    Token::Mark(mark) if span.contains(&mark.span.start) => marks.push(mark.symbol),
                    _ => {}
                }
            }
        }
        (words.join(" "), marks)
    }

    /// The fault of a row's example, if any: the words differ, or are the same without the row.
    fn fault(condition: &Condition, example: &str, says: &str, locale: &Locale) -> Option<String> {
        let with = said(example, locale);
        OFF.set(Some(Arc::as_ptr(&condition.tests)));
        let without = said(example, locale);
        OFF.set(None);
        let row = format!("{}: {} -> {says}: {example}", locale.language, condition.text);
        match () {
            () if with.0 != says => Some(format!("{row}: said as {with:?}")),
            () if without == with => Some(format!("{row}: the same without the row")),
            () => None,
        }
    }

    #[test]
    fn every_example_is_said_as_its_row_says_and_not_without_it() {
        let mut faults = Vec::new();
        for locale in locales().0.iter().copied().filter(|one| one.language != Language::Toy) {
            let lexicon = locale.lexicon();
            for row in lexicon.positions.named.values().flat_map(|position| &position.rows) {
                let [example, says] = row.example;
                faults.extend(fault(&row.condition, example, says, locale));
            }
            let entries = lexicon.entries.values().flatten();
            let entries = entries.filter(|(written, row)| row.is_first(written));
            for row in lexicon.abbreviations.rows().chain(entries.map(|(_, row)| row)) {
                faults.extend(fault(&row.when, row.example, row.words, locale));
            }
            for shape in &lexicon.shapes {
                let [example, says] = shape.example;
                faults.extend(fault(&shape.when, example, says, locale));
            }
        }
        assert!(faults.is_empty(), "{} rows:\n{}", faults.len(), faults.join("\n"));
    }

    fn with_place<T>(
        language: Language,
        text: &str,
        at: &str,
        ask: impl FnOnce(&Place<'_>) -> T,
    ) -> T {
        let sentence = SentenceContext::new(text, locales().of(language), locales());
        let start = text.find(at).expect("it is in the text");
        let context = MatchContext::new(&sentence, start);
        let after = &text[start + at.len()..];
        let stopped = after.starts_with('.');
        ask(&Place {
            context: &context,
            written: at,
            stopped,
            after: after.trim_start_matches('.'),
        })
    }

    /// The classes of the choice model that a condition names.
    fn context_classes(condition: &Condition) -> impl Iterator<Item = ContextClass> {
        let tests = condition.tests.iter();
        let classes = tests.flat_map(|test| match &test.wants {
            Wants::About(_, classes) => classes.clone(),
            Wants::Kinds(_, kinds) => {
                let classes = kinds.iter().filter_map(|kind| match kind {
                    Kind::Class(class) => Some(*class),
                    Kind::Property(_) => None,
                });
                classes.collect()
            }
            _ => Vec::new(),
        });
        classes.filter_map(|class| match class {
            Class::Context(name) => Some(name),
            Class::Words(_) => None,
        })
    }

    #[test]
    fn every_class_in_a_condition_is_known() {
        for locale in locales().0 {
            let lexicon = locale.lexicon();
            let rows = lexicon.abbreviations.rows().map(|row| &row.when);
            let positions = lexicon.positions.named.values().flat_map(|position| &position.rows);
            for class in rows.chain(positions.map(|row| &row.condition)).flat_map(context_classes) {
                let mut known = locale.context_classes().values().flatten();
                assert!(known.any(|known| *known == class), "{:?}: {class}", locale.language);
            }
        }
    }

    #[test]
    fn the_most_specific_condition_counts() {
        let text = "the Rev. Mr. Collins, no. 5, took $400 over 3 lanes";
        let positions = &locales().of(Language::EnUs).lexicon().positions;
        let ask = |at: &str, condition: &'static str| {
            with_place(Language::EnUs, text, at, |place| {
                place.specificity(&positions.read(condition))
            })
        };
        assert!(ask("Rev", "0:Cap 0:stop +1:Cap") > ask("Rev", "0:stop"));
        assert!(ask("Rev", "+1=mr") > ask("Rev", "+1:Cap"));
        assert!(ask("took", "-1~=collins").is_none() && ask("took", "-1~=5").is_some());
        assert!(ask("took", "+1:money").is_none() && ask("over", "-1:money").is_some());
        assert!(ask("lanes", "-1:num").is_some() && ask("lanes", "!-1:num").is_none());
        assert!(ask("no", "next=.").is_none() && ask("no", "next=_5 prev=,_ <=Mr").is_some());
        assert!(ask("Rev", "+1..4=collins").is_some() && ask("Rev", "+1..4=took").is_none());
        assert_eq!(ask("lanes", "before-number"), None);
        assert!(ask("no", "before-number").is_some());
    }
}

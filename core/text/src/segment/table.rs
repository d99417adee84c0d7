//! Reads the table `stops.tsv` of a language: classes of words, and rows that decide full stops.
//!
//! Rows have the conditions of abbreviations (`normalize/condition.rs`): `-1` is the word before
//! the stop, `-2` the word before that, `+1` the next word. No row reads further, so streamed text
//! gets the same cuts as complete text.

use std::borrow::Cow;
use std::collections::HashMap;

use super::prelude::*;
use super::rules::SentenceRules;
use crate::named::{Named, named};
use crate::words::WordClass;

named! {
    /// The classes that code uses, in any language.
    pub(crate) enum Class {
        AfterQuotation, BeforeSpeaker, Conjunction, Final, More, NameEnding, NameWithMark, NeverFirst, NeverLast,
        OneLetterWord, Opener, Pronoun, SpeechVerb, TimeUnit,
    }
}

/// A bit set of classes.
type Classes = u64;

/// The classes of a listed word: exact, in any case, and with a capital.
#[derive(Clone, Copy, Default)]
struct Listed {
    exact: Classes,
    any: Classes,
    capital: Classes,
}

/// The table of a language.
pub(crate) struct Table {
    pub(super) rules: &'static SentenceRules,
    /// The names of the classes, in bit order.
    names: Vec<&'static str>,
    words: HashMap<Cow<'static, str>, Listed>,
    /// Properties whose words belong to a class without being listed.
    derived: Vec<(Classes, &'static str)>,
    short: Classes,
    /// The classes that have words in this table.
    own: Classes,
}

/// A decision about a full stop under conditions.
pub(super) struct Row {
    /// The index of its table.
    table: usize,
    pub(super) ends: bool,
    weight: u32,
    tests: Vec<Test>,
}

struct Test {
    at: At,
    is_not: bool,
    values: Vec<Value>,
}

/// The word that a condition tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Word,
    Before,
    Next,
}

enum Value {
    Word(&'static str),
    Class(Classes),
    /// A class that other tables may extend.
    Known(Class),
    Shared(WordClass),
    Property(Property),
    /// A property defined by the language.
    Own(&'static str),
}

/// The specificity of conditions: on a word, a class, a property, and a negation.
const WORD: u32 = 50;
const CLASS: u32 = 20;
const PROPERTY: u32 = 5;
const GUARD: u32 = 1;

impl Table {
    /// Reads the table of a language and appends its rows to `rows`.
    pub(super) fn read(rules: &'static SentenceRules, table: usize, rows: &mut Vec<Row>) -> Self {
        let names = Class::NAMED.iter().map(|(name, _)| *name).collect();
        let mut read =
            Self { rules, names, words: HashMap::new(), derived: Vec::new(), short: 0, own: 0 };
        for line in rules.table.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<_> = line.split('\t').collect();
            let [kind, name, ..] = columns[..] else { continue };
            match kind.parse() {
                Ok(RowKind::Class(case)) => {
                    read.names.extend((!read.names.contains(&name)).then_some(name));
                    read.add(case, read.bit(name), columns.get(2).copied().unwrap_or_default());
                }
                Ok(RowKind::Stop { ends }) => rows.push(Row::new(&read, table, ends, name)),
                Err(()) => {}
            }
        }
        read
    }

    fn add(&mut self, case: Case, class: Classes, words: &'static str) {
        let mark = if words.contains('|') { '|' } else { ' ' };
        self.own |= class;
        if case == Case::Short {
            self.short |= class;
        }
        for word in words.split(mark).filter(|word| !word.is_empty()) {
            if let Some(property) = word.strip_prefix(':') {
                self.derived.push((class, property));
                continue;
            }
            let has_capital = case != Case::Exact && word.starts_with(char::is_uppercase);
            let key = if has_capital { word.to_lowercase().into() } else { word.into() };
            let listed = self.words.entry(key).or_default();
            let of_case = match case {
                Case::Exact => &mut listed.exact,
                _ if has_capital => &mut listed.capital,
                _ => &mut listed.any,
            };
            *of_case |= class;
        }
    }

    /// The classes in `of` that contain a word.
    fn classes(&self, word: &str, of: Classes) -> Classes {
        let listed = |word: &str| self.words.get(word).copied().unwrap_or_default();
        let small = listed(&word.to_lowercase());
        let capital = if word.starts_with(char::is_uppercase) { small.capital } else { 0 };
        let found = listed(word).exact | small.any | capital;
        if found & self.short != 0 {
            return found & of;
        }
        let has = |property: &str| (self.rules.property)(self, property, word) == Some(true);
        let derived = self.derived.iter().filter(|(class, _)| class & of & !found != 0);
        derived.filter(|(_, property)| has(property)).fold(found & of, |all, (one, _)| all | one)
    }

    /// The bit of a class; 0 if the class has no words.
    fn bit(&self, name: &str) -> Classes {
        self.names.iter().position(|known| *known == name).map_or(0, |at| 1 << at)
    }

    /// Whether a class contains a listed word.
    pub(crate) fn lists(&self, class: &str, word: &str) -> bool {
        let listed = self.words.get(word).copied().unwrap_or_default();
        (listed.exact | listed.any) & self.bit(class) != 0
    }

    /// The listed words of a class.
    pub(crate) fn names(&self, class: &str) -> impl Iterator<Item = &str> {
        let class = self.bit(class);
        let listed = self.words.iter();
        listed.filter(move |(_, listed)| listed.exact & class != 0).map(|(word, _)| &**word)
    }

    /// Whether a word is an abbreviation in every position.
    pub(super) fn is_short(&self, word: &str) -> bool {
        self.classes(word, self.short) != 0
    }

    pub(super) fn has(&self, class: Class, word: &str) -> bool {
        self.classes(word, 1 << class as u32) != 0
    }
}

/// How a word is compared with the words of a class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Exact,
    Any,
    /// Like `Any`, for abbreviations.
    Short,
}

enum RowKind {
    Class(Case),
    Stop { ends: bool },
}

impl std::str::FromStr for RowKind {
    type Err = ();

    fn from_str(kind: &str) -> Result<Self, ()> {
        Ok(match kind {
            "exact" => Self::Class(Case::Exact),
            "any" => Self::Class(Case::Any),
            "short" => Self::Class(Case::Short),
            "ends" => Self::Stop { ends: true },
            "silent" => Self::Stop { ends: false },
            _ => return Err(()),
        })
    }
}

impl Row {
    fn new(own: &Table, table: usize, ends: bool, condition: &'static str) -> Self {
        let tests = condition.split(' ').map(|test| Test::new(test, own));
        let (weights, mut tests): (Vec<u32>, Vec<Test>) = tests.unzip();
        // Test the text that has arrived first: most decisions need no more.
        tests.sort_by_key(|test| test.at);
        Self { table, ends, weight: weights.iter().sum(), tests }
    }

    /// The sort key: the most specific row first; of equal ones, a silent stop first.
    pub(super) fn precedence(&self) -> impl Ord + use<> {
        (std::cmp::Reverse(self.weight), self.ends)
    }

    pub(super) fn holds(&self, place: &Place<'_, '_, '_>) -> bool {
        self.tests.iter().all(|test| {
            test.values.iter().any(|value| place.has(self.table, test.at, value)) != test.is_not
        })
    }
}

impl Test {
    /// A condition and its specificity.
    fn new(test: &'static str, own: &Table) -> (u32, Self) {
        let (is_not, test) = test.strip_prefix('!').map_or((false, test), |test| (true, test));
        let (at, values) = test.split_at(2);
        let at = match at {
            "-1" => At::Word,
            "-2" => At::Before,
            _ => At::Next,
        };
        let is_of_words = values.starts_with('=');
        let values: Vec<_> = values[1..]
            .split('|')
            .map(|value| match Class::named(value) {
                _ if is_of_words => Value::Word(value),
                _ if own.bit(value) & own.own != 0 => Value::Class(own.bit(value)),
                Some(class) => Value::Known(class),
                None => property(value).map(Value::Property).unwrap_or_else(|| {
                    WordClass::named(value).map_or(Value::Own(value), Value::Shared)
                }),
            })
            .collect();
        let weight = match values.first() {
            _ if is_not => GUARD,
            Some(Value::Word(_)) => WORD,
            Some(Value::Class(_) | Value::Known(_) | Value::Shared(_)) => CLASS,
            _ => PROPERTY,
        };
        (weight, Self { at, is_not, values })
    }
}

/// A full stop and its context.
pub(super) struct Place<'p, 'v, 'a> {
    rules: &'static Rules,
    view: &'v View<'a>,
    run: &'p Run<'a>,
    next: &'p Next<'v, 'a>,
    /// The word before the stop: only the last part of `Ex-Gov` if that part is short.
    word: &'a str,
    /// The classes of the word in each table.
    classes: Vec<Classes>,
}

impl<'p, 'v, 'a> Place<'p, 'v, 'a> {
    pub(super) fn new(view: &'v View<'a>, run: &'p Run<'a>, next: &'p Next<'v, 'a>) -> Self {
        let rules = view.rules();
        let word = match run.word(view).rsplit_once('-') {
            Some((_, part)) if rules.is_short(part) => part,
            _ => run.word(view),
        };
        let classes = rules.tables().iter().map(|table| table.classes(word, !0)).collect();
        Self { rules, view, run, next, word, classes }
    }

    /// The word that a condition tests. The next word is read last because it may not have arrived.
    fn text(&self, at: At) -> &'a str {
        match at {
            At::Word => self.word,
            At::Before => self.run.word_before(self.view),
            At::Next => self.next.word(),
        }
    }

    fn has(&self, table: usize, at: At, value: &Value) -> bool {
        let own = &self.rules.tables()[table];
        match value {
            Value::Word(word) => self.text(at).to_lowercase() == *word,
            Value::Class(class) if at == At::Word => self.classes[table] & class != 0,
            Value::Class(class) => own.classes(self.text(at), *class) != 0,
            Value::Known(class) => self.rules.has(*class, self.text(at)),
            Value::Shared(class) => class.has(self.text(at)),
            Value::Property(property) => property(self, at),
            Value::Own(name) => (own.rules.property)(own, name, self.text(at)) == Some(true),
        }
    }
}

type Property = fn(&Place<'_, '_, '_>, At) -> bool;

fn property(name: &str) -> Option<Property> {
    PROPERTIES.iter().find(|(known, _)| *known == name).map(|(_, property)| *property)
}

/// The properties that tables may name.
const PROPERTIES: &[(&str, Property)] = &[
    ("Cap", |place, at| match at {
        At::Next => place.next.start == Start::Capital,
        at => place.text(at).starts_with(char::is_uppercase),
    }),
    ("small", |place, at| place.text(at).starts_with(char::is_lowercase)),
    ("caps", |place, at| {
        place.text(at).len() > 1 && place.text(at).chars().all(char::is_uppercase)
    }),
    ("letter", |place, at| is_letter(place.text(at))),
    ("word", |place, at| place.text(at).len() > 1),
    ("num", |place, at| match at {
        At::Next => place.next.start == Start::Digit,
        at => place.text(at).starts_with(char::is_numeric),
    }),
    ("digits", |place, at| place.text(at).ends_with(char::is_numeric)),
    ("coded", |place, at| place.text(at).contains(|c: char| c.is_ascii_digit())),
    ("roman", |place, at| {
        let word = place.text(at);
        word.len() > 1 && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L'))
    }),
    ("symbol", |place, at| {
        place.text(at).len() < 5 && place.text(at).bytes().all(|b| b.is_ascii_lowercase())
    }),
    ("native", |place, at| place.text(at).starts_with(|c| place.rules.is_caseless(c))),
    // Properties of the text before the word.
    ("none", |place, _| {
        let before = place.view.before(place.run.from - place.word.len());
        before.trim().is_empty() || before.ends_with(['"', '“', '‘', '«', '('])
    }),
    ("comma", |place, at| place.text(at).ends_with(',')),
    ("slash", |place, at| place.text(at).ends_with('/')),
    ("opening", |place, at| {
        let text = place.text(at);
        text.is_empty() || text.ends_with([')', '.', ':', '-', '•'])
    }),
    ("stopped", |place, at| match at {
        At::Next => place.view.char(place.next.at + place.next.word().len()) == Some('.'),
        at => place.text(at).ends_with('.'),
    }),
    // Properties of the stop and its word.
    ("closed", |place, _| place.run.closing.starts_with(')')),
    ("early", |place, _| {
        let before = place.view.before(place.run.from - place.word.len());
        before.split_whitespace().count() <= 2
    }),
    ("joined-unit", |place, _| {
        place.run.word(place.view).rsplit_once('-').is_some_and(|(number, unit)| {
            number.ends_with(|c: char| c.is_ascii_digit()) && WordClass::StoppedUnit.has(unit)
        })
    }),
    // Properties of the text after the stop.
    ("comparison", |place, _| place.next.begins_with("=≈≤≥≠×÷")),
    ("sign", |place, _| place.next.begins_with("#=@&+~<>≤≥−")),
    ("bracketed", |place, _| place.next.is_bracketed_number()),
    ("number-word", |place, _| place.next.begins_number()),
    ("last", |place, _| place.next.is_last()),
];

fn is_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::sentence_rules;
    use crate::segment::sentences;

    /// Whether a sentence ends at the bar in an example.
    fn ends(example: &str, rules: &'static Rules) -> bool {
        let bar = example.find('|').expect("a bar behind the stop");
        let text = example.replacen('|', "", 1);
        sentences(&text, rules).iter().any(|sentence| sentence.span.end == bar)
    }

    /// The rules of all languages without one row.
    fn without(row: &str) -> &'static Rules {
        let languages = sentence_rules().tables().iter().map(|table| {
            let lines: Vec<_> = table.rules.table.lines().filter(|line| *line != row).collect();
            let table_without: &'static str = lines.join("\n").leak();
            &*Box::leak(Box::new(SentenceRules { table: table_without, ..*table.rules }))
        });
        Box::leak(Box::new(Rules::new(languages)))
    }

    #[test]
    fn every_example_ends_as_its_row_says_and_not_without_it() {
        let mut faults = Vec::new();
        for row in sentence_rules().tables().iter().flat_map(|table| table.rules.table.lines()) {
            let columns: Vec<_> = row.split('\t').collect();
            let Ok(RowKind::Stop { ends: expected }) = columns[0].parse() else { continue };
            if ends(columns[2], sentence_rules()) != expected {
                faults.push(format!("not so: {row}"));
            } else if ends(columns[2], without(row)) == expected {
                faults.push(format!("so without it too: {row}"));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn every_name_in_a_condition_is_known() {
        for row in &sentence_rules().rows {
            let own = &sentence_rules().tables()[row.table];
            for value in row.tests.iter().flat_map(|test| &test.values) {
                let is_known = match value {
                    Value::Own(name) => (own.rules.property)(own, name, "").is_some(),
                    Value::Class(class) => *class != 0,
                    _ => true,
                };
                assert!(is_known, "a test of a row of {}", own.rules.script.name);
            }
        }
        for table in sentence_rules().tables() {
            assert!(table.names.len() <= 64, "one bit for each class");
            for (_, name) in &table.derived {
                assert!((table.rules.property)(table, name, "").is_some(), "{name}");
            }
        }
    }
}

//! Chooses and fills the templates of a language's `say.tsv`. Input is a value as facts, which are
//! named parts; output is words.
//!
//! A row has a kind, tests, a template, an example and its words. Of the rows of a kind whose tests
//! hold, the one with the most tests applies. A test of a part's value counts twice as much as a
//! test of its presence.
//!
//! Tests: `name` (the part exists) or `name=5|7..9|10..|word|B*` (numbers, ranges, letters,
//! prefixes). `!` before a test negates it.
//!
//! Templates contain words; capitals of up to four letters are spelled. `{name}` is a part, or the
//! text of the rows of that kind for the same facts. `{name:form}` is the part by a rule set of
//! `numbers.rbnf`, or as `digits`, `letters`, `word` (never spelled), or `quantity` (a number of
//! any length). Letters directly after the brace join the last word of the part.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};

use super::super::locale::rows;
use super::super::number::Number;
use super::super::verbalized::{TokenKind, Verbalization};
use super::rule_sets::RuleSets;

/// The verbalization tables of a language.
pub(crate) struct Templates {
    pub(crate) numbers: RuleSets,
    rows: HashMap<&'static str, Vec<Row>>,
}

struct Row {
    tests: Vec<Test>,
    items: Vec<Item>,
    /// All columns. The last two are an example and its words.
    #[cfg(test)]
    columns: Vec<&'static str>,
}

/// A test of one part.
struct Test {
    part: &'static str,
    is_negated: bool,
    /// The accepted values; empty if any value is.
    values: Vec<Wanted>,
}

/// An accepted value of a part.
struct Wanted {
    text: &'static str,
    range: Option<RangeInclusive<u128>>,
}

enum Item {
    Word(&'static str),
    Part { name: &'static str, form: &'static str, joined: &'static str },
}

/// The named parts of a value. Of parts with one name, all are spoken and the first is tested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts<'a>(Vec<(&'static str, Part<'a>)>);

/// A part of a value.
#[derive(Clone, Debug)]
pub(crate) enum Part<'a> {
    /// A property without words.
    Flag,
    Count(u128),
    Number(&'a Number),
    Digits(&'a str),
    /// Letters, or words of the tables with spaces between.
    Words(Cow<'a, str>),
    /// A nested value, verbalized by the rows of a kind.
    Value(&'static str, Facts<'a>),
}

impl<'a> From<&'a Number> for Part<'a> {
    fn from(number: &'a Number) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Part<'a> {
    fn from(words: &'a str) -> Self {
        Self::Words(words.into())
    }
}

impl From<String> for Part<'_> {
    fn from(words: String) -> Self {
        Self::Words(words.into())
    }
}

impl From<u8> for Part<'_> {
    fn from(count: u8) -> Self {
        Self::Count(count.into())
    }
}

impl From<u128> for Part<'_> {
    fn from(count: u128) -> Self {
        Self::Count(count)
    }
}

impl<'a> Facts<'a> {
    pub(crate) fn with(mut self, name: &'static str, part: impl Into<Part<'a>>) -> Self {
        self.0.push((name, part.into()));
        self
    }

    /// Adds a part, if it exists.
    pub(crate) fn with_some(self, name: &'static str, part: Option<impl Into<Part<'a>>>) -> Self {
        match part {
            Some(part) => self.with(name, part),
            None => self,
        }
    }

    /// Adds the parts of other facts.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Adds a flag, if it holds.
    pub(crate) fn flag(self, name: &'static str, holds: bool) -> Self {
        self.with_some(name, holds.then_some(Part::Flag))
    }

    fn get(&self, name: &str) -> Option<&Part<'a>> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, part)| part)
    }
}

impl Templates {
    /// Parses the tables of a language.
    pub(crate) fn new(numbers: &'static str, table: &'static str) -> Self {
        let mut kinds: HashMap<_, Vec<Row>> = HashMap::new();
        for row in rows(table) {
            let row_of_kind = Row {
                tests: row[1].split(' ').filter(|test| *test != "-").map(Test::new).collect(),
                items: row[2].split(' ').filter(|item| !item.is_empty()).map(Item::new).collect(),
                #[cfg(test)]
                columns: row.clone(),
            };
            kinds.entry(row[0]).or_default().push(row_of_kind);
        }
        for rows in kinds.values_mut() {
            rows.sort_by_key(|row| Reverse(row.tests.iter().map(Test::weight).sum::<usize>()));
        }
        Self { numbers: RuleSets::new(numbers), rows: kinds }
    }

    /// Verbalizes a value of a kind. Returns whether a row of the kind applies.
    pub(crate) fn say(
        &self,
        kind: &str,
        facts: &Facts<'_>,
        span: &Range<usize>,
        out: &mut Verbalization,
    ) -> bool {
        let Some(row) = self.row(kind, facts) else { return false };
        #[cfg(test)]
        tests::USED.with_borrow_mut(|used| used.push(row.columns.clone()));
        for item in &row.items {
            match item {
                Item::Word(word) => say_word(word, span, out),
                Item::Part { name, form, joined } => {
                    self.say_part(name, form, facts, span, out);
                    if let (false, Some(last)) = (joined.is_empty(), out.0.last_mut())
                        && let TokenKind::Word(word) | TokenKind::Letters(word) = &mut last.kind
                    {
                        word.push_str(joined);
                    }
                }
            }
        }
        true
    }

    /// The words of a named item: of a row whose test is the name and whose template is only words.
    pub(crate) fn words_of(&self, kind: &str, name: &'static str) -> String {
        let row = self.row(kind, &Facts::default().flag(name, true));
        #[cfg(test)]
        tests::USED.with_borrow_mut(|used| used.extend(row.map(|row| row.columns.clone())));
        let words = row.iter().flat_map(|row| &row.items).filter_map(|item| match item {
            Item::Word(word) => Some(*word),
            Item::Part { .. } => None,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn row(&self, kind: &str, facts: &Facts<'_>) -> Option<&Row> {
        self.rows.get(kind)?.iter().find(|row| row.tests.iter().all(|test| test.holds(facts)))
    }

    fn say_part(
        &self,
        name: &str,
        form: &str,
        facts: &Facts<'_>,
        span: &Range<usize>,
        out: &mut Verbalization,
    ) {
        let mut parts =
            facts.0.iter().filter(|(known, part)| *known == name && !matches!(part, Part::Flag));
        let Some((_, first)) = parts.next() else {
            self.say(name, facts, span, out);
            return;
        };
        for part in std::iter::once(first).chain(parts.map(|(_, part)| part)) {
            self.say_one(part, form, span, out);
        }
    }

    fn say_one(&self, part: &Part<'_>, form: &str, span: &Range<usize>, out: &mut Verbalization) {
        let numbers = &self.numbers;
        match (part, form) {
            (Part::Flag, _) => {}
            (Part::Value(kind, facts), _) => {
                self.say(kind, facts, span, out);
            }
            (Part::Count(n), "") => out.words(numbers.cardinal(*n), span.clone()),
            (Part::Count(n), set) => out.words(numbers.spell(set, *n), span.clone()),
            (Part::Number(number), "") => out.words(numbers.number(number), span.clone()),
            (Part::Number(number), "quantity") => out.words(numbers.quantity(number), span.clone()),
            (Part::Number(number), "digits") => {
                out.words(numbers.digits(&number.integer), span.clone());
            }
            (Part::Number(number), set) => out.words(numbers.signed(set, number), span.clone()),
            (Part::Digits(digits), "") => out.words(numbers.digits(digits), span.clone()),
            (Part::Digits(digits), set) => match digits.parse() {
                Ok(n) => out.words(numbers.spell(set, n), span.clone()),
                Err(_) => out.words(numbers.digits(digits), span.clone()),
            },
            (Part::Words(letters), "letters") => out.spelled(&**letters, span.clone()),
            (Part::Words(word), "word") => out.words([&**word], span.clone()),
            (Part::Words(words), _) => say_words(words, span, out),
        }
    }
}

/// Adds space-separated words.
pub(crate) fn say_words(words: &str, span: &Range<usize>, out: &mut Verbalization) {
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        say_word(word, span, out);
    }
}

/// Adds a word. Capitals without a small letter, such as `US`, are spelled.
fn say_word(word: &str, span: &Range<usize>, out: &mut Verbalization) {
    if word.len() <= 4 && word.bytes().all(|c| c.is_ascii_uppercase()) {
        out.spelled(word, span.clone());
    } else {
        out.words([word], span.clone());
    }
}

impl Item {
    fn new(text: &'static str) -> Self {
        let Some((part, joined)) = text.strip_prefix('{').and_then(|text| text.split_once('}'))
        else {
            return Self::Word(text);
        };
        let (name, form) = part.split_once(':').unwrap_or((part, ""));
        Self::Part { name, form, joined }
    }
}

impl Test {
    fn new(text: &'static str) -> Self {
        let (is_negated, text) = match text.strip_prefix('!') {
            Some(text) if !text.is_empty() => (true, text),
            _ => (false, text),
        };
        let (part, values) =
            text.split_once('=').map_or((text, None), |(part, values)| (part, Some(values)));
        let values = values.into_iter().flat_map(|values| {
            let is_sign = values.chars().count() == 1;
            values.split(move |c: char| c == '|' && !is_sign).map(Wanted::new)
        });
        Self { part, is_negated, values: values.collect() }
    }

    /// The specificity of the test.
    fn weight(&self) -> usize {
        if self.values.is_empty() { 1 } else { 2 }
    }

    fn holds(&self, facts: &Facts<'_>) -> bool {
        let part = facts.get(self.part);
        let holds = part.is_some_and(|part| {
            self.values.is_empty() || self.values.iter().any(|value| value.fits(part))
        });
        holds != self.is_negated
    }
}

impl Wanted {
    fn new(text: &'static str) -> Self {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let high = if high.is_empty() { Some(u128::MAX) } else { high.parse().ok() };
        let range = low.parse().ok().zip(high).map(|(low, high)| low..=high);
        Self { text, range }
    }

    fn fits(&self, part: &Part<'_>) -> bool {
        let n = match part {
            Part::Count(n) => Some(*n),
            Part::Number(number) => number.value().filter(|_| number.is_whole()),
            Part::Digits(digits) => digits.parse().ok(),
            Part::Words(words) => {
                return match self.text.strip_suffix('*') {
                    Some(start) if !start.is_empty() => words.starts_with(start),
                    _ => words == self.text,
                };
            }
            Part::Flag | Part::Value(..) => None,
        };
        n.is_some_and(|n| self.range.as_ref().is_some_and(|range| range.contains(&n)))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use speech_base::language::Language;

    use super::*;
    use crate::languages::locales;
    use crate::normalize::Options;
    use crate::normalize::locale::Locale;

    thread_local! {
        /// The applied rows.
        pub(super) static USED: RefCell<Vec<Vec<&'static str>>> = const { RefCell::new(Vec::new()) };
    }

    /// The words of the sentences of a text, and the rows applied to them.
    fn said(text: &str, locale: &Locale) -> (String, Vec<Vec<&'static str>>) {
        USED.take();
        let options = Options { read_emoji: true, ..Options::plain(locale.language) };
        (crate::row_tests::lines(text, options).join(" "), USED.take())
    }

    /// The table rows of the languages, read from files.
    fn tables() -> impl Iterator<Item = (&'static Locale, Vec<&'static str>)> {
        locales().0.iter().copied().filter(|locale| locale.language != Language::Toy).flat_map(
            |locale| {
                let rows = locale.templates().rows.values().flatten();
                rows.map(move |row| (locale, row.columns.clone()))
            },
        )
    }

    /// A row without an example has a value that no recognizer of the language is known to find.
    #[test]
    fn every_row_is_taken_for_its_example_and_says_it() {
        let failures: Vec<_> = tables()
            .filter_map(|(locale, row)| {
                let [_, _, _, example, expected] = row[..] else { return None };
                let (got, used) = said(example, locale);
                (got != expected || !used.contains(&row)).then(|| format!("{row:?}: {got}"))
            })
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }

    #[test]
    fn the_most_specific_row_is_said() {
        const NUMBERS: &str = "%signs:\n-x: less >>;\n%cardinal:\n0: none; one; two; three;\n";
        const ROWS: &str = "\
time\t-\t{hour} {minute}
time\thour=1..2 minute=3|0\tearly {rest}s
time\tname=a* !minute\t{name:letters} {name:word} {name}
rest\tminute\t{hour}
";
        let templates = Templates::new(NUMBERS, ROWS);
        let line = |facts: Facts<'_>| {
            let mut out = Verbalization::default();
            templates.say("time", &facts, &(0..1), &mut out);
            out.to_line()
        };
        let hour = |n: u8| Facts::default().with("hour", n);
        assert_eq!(line(hour(2).with("minute", 1_u8)), "two one");
        assert_eq!(line(hour(2).with("minute", 3_u8)), "early twos");
        assert_eq!(line(hour(3).with("minute", 3_u8)), "three three");
        assert_eq!(line(hour(1).with("name", "ab")), "ab ab ab");
        assert_eq!(line(hour(1).with("name", "b")), "one");
        assert!(!templates.say("none", &hour(1), &(0..1), &mut Verbalization::default()));
    }
}

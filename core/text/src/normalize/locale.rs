//! The data of a language for normalization: recognizers, verbalizers, names and word lists.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use speech_base::fork::LazyLock;
use speech_base::language::Language;

use super::choice::{ContextClass, ContextClasses, Weights};
use super::condition::{Condition, Positions};
use super::cursor::is_inner;
use super::emoji;
use super::recognizer::Recognizer;
use super::say::{OwnWords, Templates};
use super::semiotic::Magnitude;
use super::shapes::Shape;
use crate::pronunciation::IpaNotation;
use crate::scripts::Script;
use crate::segment::rules::Rules;
use crate::words::{WordClass, Words};

/// Finds romanized words; in a sentence of another language (`is_foreign`) only unambiguous ones.
pub(crate) type FindRomanized = fn(sentence: &str, is_foreign: bool) -> Vec<(Range<usize>, String)>;

/// The recognizers and words of a language.
pub struct Locale {
    pub(crate) language: Language,
    /// The IPA notation for pronunciations from the caller.
    pub ipa: &'static IpaNotation,
    pub(crate) script: &'static Script,
    /// Whether a word in lower case belongs to the language.
    pub(crate) is_word: fn(&str) -> bool,
    /// Finds words of this language in Latin letters, with their spelling in its script. In a
    /// sentence of another language it finds only unambiguous ones.
    pub(crate) romanized: Option<FindRomanized>,
    /// Recognizers in order of priority; the first certain match applies.
    pub(crate) recognizers: &'static [Recognizer],
    pub(crate) tables: &'static Tables,
    /// Readings that templates cannot express.
    pub(crate) own_words: OwnWords,
}

/// The tables of a language, each parsed once.
pub(crate) struct Tables {
    pub(crate) lexicon: LazyLock<Lexicon>,
    /// The word classes of the choice model.
    pub(crate) context_classes: LazyLock<ContextClasses>,
    pub(crate) choice_weights: LazyLock<Weights>,
    /// The templates that verbalize values.
    pub(crate) templates: LazyLock<Templates>,
    /// The short names of emoji.
    pub(crate) emoji: LazyLock<emoji::Names>,
}

/// The [`Tables`] in a folder. `$complete` takes and returns the lexicon.
macro_rules! tables {
    ($folder:literal, $properties:expr, $complete:expr) => {{
        use speech_base::fork::LazyLock;
        use $crate::languages::forms::forms;
        use $crate::normalize::{choice, condition, emoji, locale, say, shapes};
        locale::Tables {
            lexicon: LazyLock::new(|| {
                let positions = include_str!(concat!($folder, "positions.tsv"));
                let positions = condition::Positions::new(positions, $properties);
                let abbreviations = include_str!(concat!($folder, "abbreviations.tsv"));
                let currencies = include_str!(concat!($folder, "currencies.tsv"));
                let complete: fn(locale::Lexicon) -> locale::Lexicon = $complete;
                complete(locale::Lexicon {
                    abbreviations: locale::Abbreviations::new(abbreviations, &positions),
                    currencies: locale::currencies(currencies),
                    entries: locale::entries(
                        include_str!(concat!($folder, "entries.tsv")),
                        &positions,
                    ),
                    shapes: shapes::shapes(
                        include_str!(concat!($folder, "shapes.tsv")),
                        &positions,
                    ),
                    symbols: locale::symbols(include_str!(concat!($folder, "symbols.tsv"))),
                    units: locale::units(include_str!(concat!($folder, "units.tsv")), &positions),
                    words: $crate::words::Words::new(include_str!(concat!($folder, "words.tsv"))),
                    positions,
                    ..forms(include_str!(concat!($folder, "forms.tsv")))
                })
            }),
            context_classes: LazyLock::new(|| {
                locale::context_classes(include_str!(concat!($folder, "context_classes.tsv")))
            }),
            choice_weights: LazyLock::new(|| {
                choice::Weights::parse(include_str!(concat!($folder, "choice.tsv")))
            }),
            templates: LazyLock::new(|| {
                let numbers = include_str!(concat!($folder, "numbers.rbnf"));
                say::Templates::new(numbers, include_str!(concat!($folder, "say.tsv")))
            }),
            emoji: LazyLock::new(|| emoji::names(include_str!(concat!($folder, "emoji.tsv")))),
        }
    }};
}

pub(crate) use tables;

impl Locale {
    pub(crate) fn lexicon(&self) -> &'static Lexicon {
        &self.tables.lexicon
    }

    pub(crate) fn context_classes(&self) -> &'static ContextClasses {
        &self.tables.context_classes
    }

    pub(crate) fn choice_weights(&self) -> &'static Weights {
        &self.tables.choice_weights
    }

    pub(crate) fn templates(&self) -> &'static Templates {
        &self.tables.templates
    }

    pub(crate) fn context_classes_of(&self, word: &str) -> impl Iterator<Item = &'static str> {
        let classes = self.context_classes().get(word.to_lowercase().as_str());
        classes.into_iter().flatten().copied()
    }

    pub(crate) fn is_of_context_class(&self, word: &str, class: ContextClass) -> bool {
        self.context_classes_of(word).any(|one| one == class)
    }
}

/// The registered languages in order of priority, and their sentence rules.
#[derive(Clone, Copy)]
pub struct Locales(pub(crate) &'static [&'static Locale], pub(crate) &'static Rules);

impl Locales {
    /// The locale of a language.
    ///
    /// # Panics
    ///
    /// If the language is not registered.
    pub(crate) fn of(self, language: Language) -> &'static Locale {
        self.find(language, |_| true).expect("every language is registered")
    }

    /// Whether a word in small letters is a function word of any language, in its own script.
    pub fn has_function_word(self, word: &str) -> bool {
        self.lists(WordClass::FunctionWord, word)
    }

    /// The language whose non-Latin script contains `c`: one of `preferred` if possible.
    pub(crate) fn of_script(self, c: char, preferred: &[Language]) -> Option<&'static Locale> {
        if c.is_ascii() {
            return None;
        }
        let fits = |locale: &Locale| !locale.script.is_latin() && (locale.script.contains)(c);
        let first = preferred.iter().find_map(|language| self.find(*language, fits));
        first.or_else(|| self.0.iter().copied().find(|locale| fits(locale)))
    }

    /// The language of words in Latin letters: one of `preferred` that uses them, else the first.
    pub(crate) fn latin(self, preferred: &[Language]) -> Language {
        let fits = |locale: &Locale| locale.script.is_latin();
        let first = preferred.iter().find_map(|language| self.find(*language, fits));
        let first = first.or_else(|| self.0.iter().copied().find(|locale| fits(locale)));
        first.expect("a language in Latin letters is registered").language
    }

    /// Whether a character belongs to the non-Latin script of a registered language.
    pub(crate) fn is_own_script(self, c: char) -> bool {
        self.of_script(c, &[]).is_some()
    }

    /// The words of a class in all languages.
    pub(crate) fn names(self, class: WordClass) -> impl Iterator<Item = &'static str> {
        self.0.iter().flat_map(move |locale| locale.lexicon().words.names(class))
    }

    /// Whether a word, as it is written, is of a class in any language: texts mix languages.
    pub(crate) fn lists(self, class: WordClass, word: &str) -> bool {
        self.0.iter().any(|locale| locale.lexicon().words.of(word).has(class))
    }

    /// The scripts of the languages, with duplicates.
    pub(crate) fn scripts(self) -> impl Iterator<Item = &'static Script> {
        self.0.iter().map(|locale| locale.script)
    }

    fn find(self, language: Language, fits: impl Fn(&Locale) -> bool) -> Option<&'static Locale> {
        self.0.iter().copied().find(|locale| locale.language == language && fits(locale))
    }
}

/// The names that recognizers of a language look up by spelling.
#[derive(Default)]
pub(crate) struct Lexicon {
    /// Month numbers from 1, by lower-case name or abbreviation.
    pub(crate) months: HashMap<&'static str, u8>,
    /// Weekday numbers from 1 for Monday, by lower-case name or abbreviation.
    pub(crate) weekdays: HashMap<&'static str, u8>,
    /// Weekdays by one or two letters, case-sensitive.
    pub(crate) weekday_letters: Vec<(&'static str, u8)>,
    /// Unambiguous ranges of such letters: `M-F`.
    pub(crate) weekday_ranges: Vec<&'static str>,
    /// Units by symbol, case-sensitive.
    pub(crate) units: HashMap<&'static str, Unit>,
    /// Currencies by the first character of the symbol.
    pub(crate) currencies: Currencies,
    pub(crate) symbols: HashMap<char, &'static str>,
    /// Magnitudes by lower-case word.
    pub(crate) magnitudes: HashMap<&'static str, Magnitude>,
    /// Letters that directly follow a number, case-sensitive, and whether they apply only to money.
    pub(crate) magnitude_letters: HashMap<&'static str, (Magnitude, bool)>,
    pub(crate) abbreviations: Abbreviations,
    /// Entries by first character.
    pub(crate) entries: Entries,
    /// Of codes.
    pub(crate) shapes: Vec<Shape>,
    pub(crate) positions: Positions,
    /// Street types by lower-case abbreviation without its full stop.
    pub(crate) streets: HashMap<&'static str, &'static str>,
    /// Compass points by their letters.
    pub(crate) compass: HashMap<&'static str, &'static str>,
    /// States by postal code.
    pub(crate) states: HashMap<&'static str, &'static str>,
    /// Abbreviations of time zones, in capitals.
    pub(crate) zones: Vec<&'static str>,
    /// Abbreviations of eras without full stops: `AD`.
    pub(crate) eras: Vec<&'static str>,
    /// Whether the day precedes the month in dates, both in digits and in words.
    pub(crate) day_first: bool,
    pub(crate) words: Words,
}

/// A unit of measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) one: &'static str,
    pub(crate) many: &'static str,
    pub(crate) usage: UnitUsage,
    /// Conditions under which the symbol means another unit, and a symbol of that unit.
    pub(crate) others: Vec<(Condition, &'static str)>,
}

/// The contexts in which a symbol is a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitUsage {
    /// After any number.
    Any,
    /// Directly after a number without a space. Elsewhere it is a letter or a word.
    Contact,
    /// Only after `per`.
    Rate,
    /// After a number, unless the next word shows that it is a verb.
    Verb,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Currency {
    pub(crate) one: &'static str,
    pub(crate) many: &'static str,
    /// The name of the hundredth part; empty if there is none.
    pub(crate) minor_one: &'static str,
    pub(crate) minor_many: &'static str,
    /// Whether it is counted in lakh and crore.
    pub(crate) is_indian: bool,
}

/// The words of an abbreviation under a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Abbreviation {
    /// The spellings in the table, separated by bars.
    pub(crate) written: &'static str,
    pub(crate) when: Condition,
    pub(crate) words: &'static str,
    /// A text with the abbreviation in brackets.
    pub(crate) example: &'static str,
}

impl Abbreviation {
    /// Parses a row: spellings with bars between, condition, words, example with brackets.
    fn new(row: &[&'static str], positions: &Positions) -> Self {
        let when = positions.read(row[1]);
        Self { written: row[0], when, words: row[2], example: row[3] }
    }

    /// Whether this spelling is the first in the row.
    #[cfg(test)]
    pub(crate) fn is_first(&self, written: &str) -> bool {
        self.written == written || self.written.split('|').next() == Some(written)
    }

    /// Whether the table gives its position this note.
    pub(crate) fn is(&self, note: &str) -> bool {
        self.when.position().is_some_and(|position| position.is(note))
    }

    /// The length of the text after the abbreviation that belongs to it.
    pub(crate) fn taken(&self, after: &str) -> usize {
        let position = self.when.position().filter(|position| position.is(TAKES));
        position.map_or(0, |position| position.wanted(after))
    }
}

/// The note of positions whose abbreviations include the text that the condition requires next.
const TAKES: &str = "takes";

#[derive(Default)]
pub(crate) struct Abbreviations(HashMap<&'static str, Vec<Abbreviation>>);

impl Abbreviations {
    pub(crate) fn new(table: &'static str, positions: &Positions) -> Self {
        let mut abbreviations = Self::default();
        for row in rows(table) {
            let reading = Abbreviation::new(&row, positions);
            for written in row[0].split('|') {
                abbreviations.0.entry(written).or_default().push(reading.clone());
            }
        }
        abbreviations
    }

    /// The rows of an abbreviation in small letters, without its full stop.
    pub(crate) fn get(&self, written: &str) -> &[Abbreviation] {
        self.0.get(written).map_or(&[], |readings| readings)
    }

    pub(crate) fn written(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }

    /// Each row once.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Abbreviation> {
        let all = self.0.iter().flat_map(|(one, rows)| rows.iter().map(move |row| (one, row)));
        all.filter(|(written, row)| row.is_first(written)).map(|(_, row)| row)
    }
}

/// Words for exact texts, by first character.
pub(crate) type Entries = HashMap<char, Vec<(&'static str, Abbreviation)>>;

/// Parses a table of entries, with the columns of abbreviations.
pub(crate) fn entries(table: &'static str, positions: &Positions) -> Entries {
    let mut entries = Entries::new();
    for row in rows(table) {
        let entry = Abbreviation::new(&row, positions);
        // A row of only bars is the text of one entry.
        let is_bar = row[0].chars().all(|c| c == '|');
        for written in row[0].split(|c| c == '|' && !is_bar) {
            let first = written.chars().next().unwrap_or_default();
            entries.entry(first).or_default().push((written, entry.clone()));
        }
    }
    entries
}

/// Currencies by the first character of their symbols, the longest symbol first.
pub(crate) type Currencies = HashMap<char, Vec<(&'static str, Currency)>>;

/// The rows of a tab-separated table. Lines that begin with `#` are comments.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

/// Parses a table of lists: a kind, a tab, and words with spaces between.
pub(crate) fn lists(table: &'static str) -> HashSet<(&'static str, &'static str)> {
    rows(table).flat_map(|row| row[1].split(' ').map(move |word| (row[0], word))).collect()
}

/// Parses a table of word classes: a class, a tab, and words with spaces between.
pub(crate) fn context_classes(table: &'static str) -> ContextClasses {
    let mut classes = ContextClasses::new();
    for row in rows(table) {
        for word in row[1].split(' ') {
            classes.entry(word).or_default().push(row[0]);
        }
    }
    classes
}

/// Parses a table of symbols: a name and its characters.
pub(crate) fn symbols(table: &'static str) -> HashMap<char, &'static str> {
    rows(table).flat_map(|row| row[1].chars().map(move |symbol| (symbol, row[0]))).collect()
}

/// Parses a table of units. The columns are symbols with `|` between, singular, plural, usage, and
/// alternatives. An alternative is a condition, an arrow and the symbol of another unit.
pub(crate) fn units(table: &'static str, positions: &Positions) -> HashMap<&'static str, Unit> {
    let mut units = HashMap::new();
    for row in rows(table) {
        let usage = match row.get(3) {
            Some(&"contact") => UnitUsage::Contact,
            Some(&"rate") => UnitUsage::Rate,
            Some(&"verb") => UnitUsage::Verb,
            _ => UnitUsage::Any,
        };
        let others = row.get(4).into_iter().flat_map(|others| others.split("; "));
        let others = others.filter_map(|other| other.split_once(" → "));
        let others: Vec<_> = others.map(|(when, other)| (positions.read(when), other)).collect();
        for symbol in row[0].split('|') {
            let others = others.clone();
            units.insert(symbol, Unit { one: row[1], many: row[2], usage, others });
        }
    }
    units
}

/// Parses a table of currencies. The columns are symbols with `|` between, singular, plural,
/// optional names of the hundredth part, and `indian` for counting in lakh and crore.
pub(crate) fn currencies(table: &'static str) -> Currencies {
    let column = |row: &[&'static str], i: usize| row.get(i).copied().unwrap_or_default();
    let mut currencies = Currencies::new();
    for row in rows(table) {
        let currency = Currency {
            one: row[1],
            many: row[2],
            minor_one: column(&row, 3),
            minor_many: column(&row, 4),
            is_indian: column(&row, 5) == "indian",
        };
        for symbol in row[0].split('|') {
            let initial = symbol.chars().next().unwrap_or_default();
            currencies.entry(initial).or_default().push((symbol, currency.clone()));
        }
    }
    for same_initial in currencies.values_mut() {
        same_initial.sort_by_key(|(symbol, _)| std::cmp::Reverse(symbol.len()));
    }
    currencies
}

/// Maximum characters of a unit symbol.
const LONGEST_UNIT: usize = 14;

impl Lexicon {
    /// The name of a standalone symbol; `None` if it is decorative.
    pub(crate) fn symbol(&self, symbol: char) -> Option<&'static str> {
        let of_currency = || {
            let mut known = self.currencies.get(&symbol)?.iter();
            let (_, currency) = known.find(|(written, _)| written.len() == symbol.len_utf8())?;
            (!symbol.is_alphabetic()).then_some(currency.one)
        };
        self.symbols.get(&symbol).copied().or_else(of_currency)
    }

    /// The longest unit symbol at the start of `rest` that ends at a word boundary, and its length.
    pub(crate) fn unit(&self, rest: &str) -> Option<(&Unit, usize)> {
        let longest = rest.char_indices().nth(LONGEST_UNIT).map_or(rest.len(), |(i, _)| i);
        let ends = rest[..longest].char_indices().map(|(i, c)| i + c.len_utf8());
        ends.rev().find_map(|end| {
            let after = rest[end..].chars().next();
            let last = rest[..end].chars().next_back()?;
            let cut = is_inner(last) && after.is_some_and(is_inner);
            if cut || last == ' ' {
                return None;
            }
            let unit = self.units.get(&rest[..end])?;
            Some((unit, end))
        })
    }
}

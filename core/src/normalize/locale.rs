//! What the recognisers must know of a language: its names of months, units, currencies and the like.

use std::collections::HashMap;

use super::cursor::is_inner;
use super::emoji;
use super::recognise::Recogniser;
use super::said::Saying;
use super::semiotic::{Magnitude, Semiotic};

/// A language: what can be recognised in it, and how that is said.
pub(super) struct Locale {
    /// In the order in which they are tried; the first that finds something is right.
    pub(super) recognisers: &'static [Recogniser],
    pub(super) lexicon: fn() -> &'static Lexicon,
    /// Says what was recognised; `source` is the text that it was recognised in.
    pub(super) say: fn(value: &Semiotic, source: &str, out: &mut Saying),
    /// Says the name of an emoji.
    pub(super) say_emoji: fn(value: &emoji::Value, out: &mut Saying),
    /// The name of a symbol on its own.
    pub(super) symbol: fn(symbol: char) -> Option<&'static str>,
}

/// The names of a language, by the forms in which they are written.
#[derive(Default)]
pub(super) struct Lexicon {
    /// By lower-case name or abbreviation, from 1.
    pub(super) months: HashMap<&'static str, u8>,
    /// By lower-case name or abbreviation, from 1 for Monday.
    pub(super) weekdays: HashMap<&'static str, u8>,
    /// By symbol, as it is written.
    pub(super) units: HashMap<&'static str, Unit>,
    /// By the first character of a symbol.
    pub(super) currencies: Currencies,
    /// By lower-case word.
    pub(super) magnitudes: HashMap<&'static str, Magnitude>,
    /// Letters directly after a number, as they are written, and whether only money is counted so.
    pub(super) magnitude_letters: HashMap<&'static str, (Magnitude, bool)>,
    /// By lower-case abbreviation without its full stop.
    pub(super) abbreviations: HashMap<&'static str, Vec<Abbreviation>>,
    /// By lower-case abbreviation without its full stop.
    pub(super) streets: HashMap<&'static str, &'static str>,
    /// Points of the compass by their letters.
    pub(super) compass: HashMap<&'static str, &'static str>,
    /// By postal code.
    pub(super) states: HashMap<&'static str, &'static str>,
    /// Letters of time zones, in capitals.
    pub(super) zones: &'static [&'static str],
    /// Letters of eras: as written without full stops, as said.
    pub(super) eras: &'static [&'static str],
    /// Dates in digits begin with the day, and dates are said so.
    pub(super) day_first: bool,
    pub(super) cues: Cues,
    /// By lower-case word: what a sentence is about that holds it.
    pub(super) topics: HashMap<&'static str, Topics>,
}

/// What a sentence is about, where that decides what its numbers are: a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Topics(u8);

impl Topics {
    /// Marks and ratings.
    pub(super) const RATING: Self = Self(1);
    /// Games and votes.
    pub(super) const GAME: Self = Self(2);
    /// Blood pressure.
    pub(super) const PRESSURE: Self = Self(4);
    pub(super) const CRICKET: Self = Self(8);

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn include(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Words whose company decides what a number is; all in lower case.
#[derive(Default)]
pub(super) struct Cues {
    /// Months that are also words: `may`.
    pub(super) month_words: &'static [&'static str],
    /// A date follows: `on 3/4`.
    pub(super) before_date: &'static [&'static str],
    /// A time of day follows: `at 10:30:15`.
    pub(super) before_time: &'static [&'static str],
    /// A year follows: `in 1500`.
    pub(super) before_year: &'static [&'static str],
    /// A unit without a number follows: `per kg`.
    pub(super) before_unit: &'static [&'static str],
    /// A number with the ending of the plural follows: `Boeing 747s`.
    pub(super) before_plural: &'static [&'static str],
    /// A capital after a number is a name before these: `4K video`, `10K run`.
    pub(super) after_capital: &'static [&'static str],
    /// Not a noun that an amount stands before: `a $5 fee`, but `a $5 off`.
    pub(super) not_counted: &'static [&'static str],
    /// Books whose chapters and verses stand with a colon between: `Psalm 23:1`.
    pub(super) scripture: &'static [&'static str],
    /// A number with a capital letter is a name after these: `seat 12A`.
    pub(super) before_label: &'static [&'static str],
    /// What is multiplied: `3x faster`.
    pub(super) comparisons: &'static [&'static str],
    /// Units after the slash of a rate whose first half is a word: `requests/s`.
    pub(super) rates: &'static [&'static str],
    /// Not a plural noun, although it looks like one.
    pub(super) not_plural: &'static [&'static str],
    /// Plural nouns that do not look like one.
    pub(super) plural: &'static [&'static str],
    /// The word between a day and its month: `5th of May`.
    pub(super) of: &'static str,
    /// The articles before one thing of a kind.
    pub(super) indefinite: &'static [&'static str],
    /// The article before a date.
    pub(super) article: &'static str,
    /// Words that begin a sentence or stand before a name with a capital letter of their own.
    pub(super) openers: &'static [&'static str],
    /// Numbers with a slash that are names.
    pub(super) slashed_names: &'static [&'static str],
    /// Words that stand after a verb: what is before them is no unit that is also a verb.
    pub(super) auxiliaries: &'static [&'static str],
    /// Nouns before these are oblique.
    pub(super) oblique: &'static [&'static str],
}

impl Cues {
    /// No cues at all.
    pub(super) const NONE: Self = Self {
        month_words: &[],
        before_date: &[],
        before_time: &[],
        before_year: &[],
        before_unit: &[],
        before_plural: &[],
        after_capital: &[],
        not_counted: &[],
        scripture: &[],
        before_label: &[],
        comparisons: &[],
        rates: &[],
        not_plural: &[],
        plural: &[],
        of: "",
        indefinite: &[],
        article: "",
        openers: &[],
        slashed_names: &[],
        auxiliaries: &[],
        oblique: &[],
    };
}

/// A unit of measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) one: &'static str,
    pub(super) many: &'static str,
    pub(super) usage: Usage,
}

/// Where the symbol of a unit has that meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Usage {
    /// After any number.
    Any,
    /// Directly after the number: elsewhere it is a letter or a word.
    Contact,
    /// After `per` only.
    Rate,
    /// After a number, unless what follows shows that it is a verb.
    Verb,
}

/// A currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Currency {
    pub(super) one: &'static str,
    pub(super) many: &'static str,
    /// The hundredth part; empty if it has none.
    pub(super) minor_one: &'static str,
    pub(super) minor_many: &'static str,
    /// Counted in lakh and crore.
    pub(super) is_indian: bool,
}

/// The reading of an abbreviation in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Abbreviation {
    pub(super) place: Place,
    pub(super) words: &'static str,
}

/// Where an abbreviation has a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Before a name.
    BeforeName,
    /// After a name.
    AfterName,
    /// Before a number.
    BeforeNumber,
    /// Anywhere, with its full stop.
    WithStop,
    /// With its full stop, where the sentence goes on in small letters: elsewhere it is a word.
    Inside,
    /// With its full stop, before the word "of".
    BeforeOf,
    /// Anywhere.
    Anywhere,
}

/// Currencies by the first characters of their symbols, the longest symbol first.
pub(super) type Currencies = HashMap<char, Vec<(&'static str, Currency)>>;

/// The rows of a table of tab-separated columns; lines that begin with `#` are notes.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

/// Names by their row, from 1.
pub(super) fn numbered(rows: &[&[&'static str]]) -> HashMap<&'static str, u8> {
    let rows = rows.iter().zip(1..);
    rows.flat_map(|(names, n)| names.iter().map(move |name| (*name, n))).collect()
}

/// What a word says a sentence is about; several things, if it is in several lists.
pub(super) fn topics(lists: &[(&[&'static str], Topics)]) -> HashMap<&'static str, Topics> {
    let mut topics: HashMap<_, Topics> = HashMap::new();
    for (words, topic) in lists {
        for word in *words {
            let known = topics.entry(*word).or_default();
            *known = known.with(*topic);
        }
    }
    topics
}

/// A table of units: symbols with `|` between, the name of one, of several, and where it is meant.
pub(super) fn units(table: &'static str) -> HashMap<&'static str, Unit> {
    let mut units = HashMap::new();
    for row in rows(table) {
        let usage = match row.get(3) {
            Some(&"contact") => Usage::Contact,
            Some(&"rate") => Usage::Rate,
            Some(&"verb") => Usage::Verb,
            _ => Usage::Any,
        };
        for symbol in row[0].split('|') {
            units.insert(symbol, Unit { one: row[1], many: row[2], usage });
        }
    }
    units
}

/// A table of currencies: symbols with `|` between, names of one and several, those of the hundredth
/// part if it has one, and `indian` if they are counted in lakh and crore.
pub(super) fn currencies(table: &'static str) -> Currencies {
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

/// Characters of the longest symbol of a unit.
const LONGEST_UNIT: usize = 14;

impl Lexicon {
    /// The longest unit symbol at the start of `rest` that ends as a word does, and its length.
    pub(super) fn unit(&self, rest: &str) -> Option<(&Unit, usize)> {
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

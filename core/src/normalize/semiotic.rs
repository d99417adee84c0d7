//! What can be recognised in a text, as values that no language shapes: a date is a day, a month and a
//! year, whatever the words for them.

use super::locale::{Currency, Unit};
use super::number::Number;
use super::{coordinate, electronic, markdown, postal, roman, serial, telephone};

/// Something written that is not a plain word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Semiotic {
    Markup(markdown::Value),
    Coordinate(coordinate::Value),
    Electronic(electronic::Value),
    Telephone(telephone::Value),
    Postal(postal::Value),
    Serial(serial::Value),
    Roman(roman::Value),
    Number(Number),
    /// A number read as two pairs of digits: a house, a flight.
    Pairs(String),
    /// `1st`; `suffix` is what was written after the digits, if it is not the one that belongs there.
    Ordinal {
        number: Number,
        suffix: Option<String>,
    },
    /// `747s`, `12's`.
    Plural(Number),
    /// Those who are called by a number: `49ers`.
    People(Number),
    Year(Year),
    Date(Date),
    Period(Period),
    Clock(Clock),
    Moment(Box<Date>, Clock),
    Duration(Duration),
    Fraction(Fraction),
    /// `8/10`, said as one out of the other.
    Score {
        got: Number,
        of: Number,
    },
    /// Three numbers or more in proportion: `3:2:1`.
    Ratio(Vec<Number>),
    /// `120/80`, said as one over the other.
    Over {
        upper: Number,
        lower: Number,
    },
    /// Numbers one after the other: `24/7`, `9/11`.
    Sequence(Vec<Number>),
    Money(Money),
    Measure(Measure),
    Length(Length),
    Range(Box<Range>),
    /// `1.5e-6`.
    Scientific {
        mantissa: Number,
        exponent: Number,
    },
    /// An exponent after its base: `^2`.
    Power(Exponent),
    Operator(Operator),
    /// A mark between two of a row of numbers that belong to no known form.
    Pause,
    /// Words of the locale's tables; a full stop that ends the sentence too is a mark after them.
    Phrase {
        words: &'static str,
        ends_sentence: bool,
    },
    /// A state and the digits of its postal code.
    State {
        name: &'static str,
        digits: String,
        gap: usize,
    },
}

/// A year or a decade.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Year {
    /// As written: two to four digits.
    pub(super) digits: String,
    pub(super) era: Option<Era>,
    /// `1990s`.
    pub(super) is_decade: bool,
}

/// The letters of an era, `AD` or `BCE`, and whether they stand before the year.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Era {
    pub(super) letters: &'static str,
    pub(super) leads: bool,
}

/// A day, a month, a year: two of them at least, or a month with its weekday.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Date {
    /// 1 is Monday.
    pub(super) weekday: Option<u8>,
    pub(super) day: Option<u8>,
    /// The last day of `May 5-7`.
    pub(super) last_day: Option<u8>,
    pub(super) month: Option<u8>,
    pub(super) year: Option<Year>,
    /// The day was written before the month.
    pub(super) day_first: bool,
    /// The article stands before it already.
    pub(super) has_article: bool,
}

/// A part of a year, `Q3 2024`, or a fiscal year.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Period {
    pub(super) part: YearPart,
    pub(super) year: Option<Year>,
    /// The second year of `FY 2023-24`.
    pub(super) last_year: Option<Year>,
    pub(super) is_fiscal: bool,
}

/// The parts of a year, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum YearPart {
    Quarter(u8),
    Half(u8),
    Whole,
}

/// A time of day.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clock {
    pub(super) hour: u8,
    pub(super) minute: Option<u8>,
    pub(super) second: Option<u8>,
    pub(super) half: Option<DayHalf>,
    pub(super) zone: Option<Zone>,
    /// Written as four digits: `0800 hours`.
    pub(super) is_military: bool,
}

/// Before or after noon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DayHalf {
    Am,
    Pm,
}

/// A time zone.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Zone {
    /// Its letters, in capitals.
    Letters(String),
    /// Hours and minutes from universal time.
    Offset { behind: bool, hours: u8, minutes: u8 },
}

/// A length of time in at least two parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Duration {
    pub(super) hours: Option<Number>,
    pub(super) minutes: Option<u8>,
    pub(super) seconds: Option<u8>,
}

/// A fraction, or a whole number with one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fraction {
    pub(super) negative: bool,
    pub(super) whole: Option<Number>,
    pub(super) numerator: Number,
    pub(super) denominator: Number,
}

/// A number in front of a unit or a currency, with the magnitudes that multiply it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Amount {
    pub(super) figure: Figure,
    pub(super) magnitudes: Vec<Magnitude>,
}

/// A number or a fraction.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Figure {
    Number(Number),
    Fraction(Fraction),
}

/// A word or a letter that multiplies the number before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Magnitude {
    Hundred,
    Thousand,
    Lakh,
    Million,
    Crore,
    /// A hundred crore.
    Arab,
    Billion,
    /// A hundred arab.
    Kharab,
    Trillion,
    Quadrillion,
}

impl Amount {
    /// Whether it takes the singular.
    pub(super) fn is_one(&self) -> bool {
        self.magnitudes.is_empty()
            && matches!(&self.figure, Figure::Number(number) if number.is_one())
    }

    /// The number, if it is only that.
    pub(super) fn as_number(&self) -> Option<&Number> {
        match &self.figure {
            Figure::Number(number) if self.magnitudes.is_empty() => Some(number),
            _ => None,
        }
    }
}

/// An amount of money; without an amount, the currency alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Money {
    pub(super) amount: Option<Amount>,
    pub(super) currency: &'static Currency,
    pub(super) per: Option<&'static Unit>,
    /// Directly before a noun, with a hyphen: `$5-million deal`.
    pub(super) is_attributive: bool,
}

/// An amount of something counted in units; without a unit, counted by the one it is `per`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measure {
    pub(super) amount: Option<Amount>,
    pub(super) unit: Option<&'static Unit>,
    pub(super) per: Option<&'static Unit>,
    /// Directly before a noun, with a hyphen: `5-km run`.
    pub(super) is_attributive: bool,
}

/// Feet and inches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Length {
    pub(super) feet: Option<Number>,
    pub(super) inches: Option<Figure>,
    /// Directly before a noun: `a 12" pizza`.
    pub(super) is_attributive: bool,
}

/// Two values with a word between them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) low: Semiotic,
    /// Bytes of the lower value.
    pub(super) low_length: usize,
    pub(super) joint: Joint,
    pub(super) high: Semiotic,
    /// Where the higher value begins.
    pub(super) high_start: usize,
}

/// The word between the two values of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// From one to the other; also of scores and ratios.
    To,
    /// Dimensions: one by the other.
    By,
    /// Runs for wickets.
    For,
    /// A proportion.
    Ratio,
    /// One after the other, with no word between.
    Row,
}

/// What a base is raised to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Exponent {
    Number(Number),
    Letter(char),
}

/// An operator that its surroundings give a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Minus,
    Times,
    By,
    DividedBy,
    PlusOrMinus,
    AtMost,
    AtLeast,
    /// `≤` with nothing before it that is compared.
    UpTo,
    /// `≥` with nothing before it that is compared.
    From,
    /// `>` with nothing before it that is compared.
    MoreThan,
    NotEqual,
    Equal,
    About,
    /// The musical sign, and the language C sharp.
    Sharp,
    /// An arrow between two things.
    To,
    Per,
}

//! The semiotic classes, as values without words: a date is a day, a month and a year in every language.

use super::locale::{Abbreviation, Currency, Unit};
use super::number::Number;
use super::{alphanumeric, coordinate, electronic, markdown, postal, roman, telephone};
use crate::named::named;

/// A match that is not a plain word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SemioticClass {
    Markup(markdown::Value),
    Coordinate(coordinate::Value),
    Electronic(electronic::Value),
    Telephone(telephone::Value),
    Postal(postal::Value),
    Alphanumeric(alphanumeric::Value),
    Roman(roman::Value),
    Number(Number),
    /// A number that is read in pairs of digits: the number of a house or a flight.
    DigitPairs(String),
    /// `1st`; `suffix` is what was written after the digits, if it is not the one that belongs there.
    Ordinal {
        number: Number,
        suffix: Option<String>,
    },
    /// `747s`, `12's`.
    Plural(Number),
    /// A group of people that is named by a number: `49ers`.
    NumberedGroup(Number),
    Year(Year),
    Date(Date),
    YearPeriod(YearPeriod),
    TimeOfDay(TimeOfDay),
    DateTime(Box<Date>, TimeOfDay),
    Duration(Duration),
    Fraction(Fraction),
    /// A score of a scale: `8/10`, eight out of ten.
    Score {
        got: Number,
        of: Number,
    },
    /// A row of stars, so many of them filled: `★★★★☆`.
    Stars {
        got: Number,
        of: Number,
    },
    /// Three numbers or more in proportion: `3:2:1`.
    Ratio(Vec<Number>),
    /// Blood pressure: `120/80`, one hundred twenty over eighty.
    BloodPressure {
        systolic: Number,
        diastolic: Number,
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
    /// A separator that is only a pause: the slashes of `31/31/100`.
    Pause,
    /// Words of the locale's tables. With `ends_sentence`, the full stop of an abbreviation also ends the sentence.
    Phrase {
        words: &'static str,
        ends_sentence: bool,
    },
    /// What a row of the table of abbreviations says.
    Abbreviation {
        row: &'static Abbreviation,
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
pub(crate) struct Year {
    /// As written: two to four digits.
    pub(crate) digits: String,
    pub(crate) era: Option<Era>,
    /// `1990s`.
    pub(crate) is_decade: bool,
}

/// The letters of an era, `AD` or `BCE`, and whether they stand before the year.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Era {
    pub(crate) letters: &'static str,
    pub(crate) leads: bool,
}

/// A day, a month, a year: two of them at least, or a month with its weekday.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Date {
    /// 1 is Monday.
    pub(crate) weekday: Option<u8>,
    pub(crate) day: Option<u8>,
    /// The last day of `May 5-7`.
    pub(crate) last_day: Option<u8>,
    pub(crate) month: Option<u8>,
    pub(crate) year: Option<Year>,
    /// The day was written before the month.
    pub(crate) day_first: bool,
    /// The article stands before it already.
    pub(crate) has_article: bool,
}

/// A part of a year, `Q3 2024`, or a fiscal year.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct YearPeriod {
    pub(crate) part: YearPart,
    pub(crate) year: Option<Year>,
    /// The second year of `FY 2023-24`.
    pub(crate) last_year: Option<Year>,
    pub(crate) is_fiscal: bool,
    /// A preposition stands before: `in Q2`.
    pub(crate) is_definite: bool,
}

/// The parts of a year, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum YearPart {
    Quarter(u8),
    Half(u8),
    Whole,
}

/// A time of day.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TimeOfDay {
    pub(crate) hour: u8,
    pub(crate) minute: Option<u8>,
    pub(crate) second: Option<Number>,
    pub(crate) half: Option<DayPeriod>,
    pub(crate) zone: Option<Zone>,
    /// Written as four digits: `0800 hours`.
    pub(crate) is_military: bool,
}

/// Before or after noon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DayPeriod {
    Am,
    Pm,
}

/// A time zone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Zone {
    /// Its letters, in capitals.
    Letters(String),
    /// Hours and minutes from universal time.
    Offset { behind: bool, hours: u8, minutes: u8 },
}

/// A length of time in at least two parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Duration {
    pub(crate) hours: Option<Number>,
    pub(crate) minutes: Option<u8>,
    pub(crate) seconds: Option<Number>,
}

/// A fraction, or a whole number with one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fraction {
    pub(crate) negative: bool,
    pub(crate) whole: Option<Number>,
    pub(crate) numerator: Number,
    pub(crate) denominator: Number,
}

/// A number in front of a unit or a currency, with the magnitudes that multiply it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Amount {
    pub(crate) quantity: Quantity,
    pub(crate) magnitudes: Vec<Magnitude>,
}

/// A number or a fraction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Quantity {
    Number(Number),
    Fraction(Fraction),
}

named! {
    /// A word or a letter that multiplies the number before it.
    pub(crate) enum Magnitude {
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
}

impl Amount {
    /// Whether it takes the singular.
    pub(crate) fn is_one(&self) -> bool {
        self.magnitudes.is_empty()
            && matches!(&self.quantity, Quantity::Number(number) if number.is_one())
    }

    /// The number, if it is only that.
    pub(crate) fn as_number(&self) -> Option<&Number> {
        match &self.quantity {
            Quantity::Number(number) if self.magnitudes.is_empty() => Some(number),
            _ => None,
        }
    }
}

/// An amount of money; without an amount, the currency alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Money {
    pub(crate) amount: Option<Amount>,
    pub(crate) currency: &'static Currency,
    pub(crate) per: Option<&'static Unit>,
    /// Directly before a noun, with a hyphen: `$5-million deal`.
    pub(crate) is_attributive: bool,
}

/// An amount of something counted in units; without a unit, counted by the one it is `per`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measure {
    pub(crate) amount: Option<Amount>,
    pub(crate) unit: Option<&'static Unit>,
    pub(crate) per: Option<&'static Unit>,
    /// Directly before a noun, with a hyphen: `5-km run`.
    pub(crate) is_attributive: bool,
}

/// Feet and inches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Length {
    pub(crate) feet: Option<Number>,
    pub(crate) inches: Option<Quantity>,
    /// Directly before a noun: `a 12" pizza`.
    pub(crate) is_attributive: bool,
}

/// Two values with a word between them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: SemioticClass,
    /// Bytes of the lower value.
    pub(crate) low_length: usize,
    pub(crate) connector: Connector,
    pub(crate) high: SemioticClass,
    /// Where the higher value begins.
    pub(crate) high_start: usize,
}

named! {
    /// The word between the two values of a range.
    pub(crate) enum Connector {
        /// From one to the other; also of scores and ratios.
        To,
        /// Dimensions: one by the other.
        By,
        /// Runs for wickets.
        For,
        /// A proportion.
        Ratio,
        /// One after the other, with no word between.
        Juxtaposed,
    }
}

/// What a base is raised to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Exponent {
    Number(Number),
    Letter(char),
    Fraction(Fraction),
    /// The inverse of a function or a matrix: `f⁻¹`.
    Inverse,
    /// The charge of an ion: how often an elementary one, and its sign.
    Charge {
        count: u8,
        is_negative: bool,
    },
}

named! {
    /// An operator that its surroundings give a meaning.
    pub(crate) enum Operator {
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
        /// The hash at the end of what is keyed in: `7734#`.
        PoundKey,
        /// `§§`
        Sections,
        /// `f''(x)`
        DoublePrime,
        /// The slash of a derivative, `dy/dx`
        Over,
        /// `&&` of a program.
        And,
        /// `||` of a program.
        Or,
        /// `^(`
        ToThePower,
        /// `*67`
        StarKey,
        /// `x → 0` of a limit
        Approaches,
        /// The sign of a derivative: `f'(x)`.
        Prime,
        /// An arrow between two things.
        To,
        IntegralFrom,
        SumFrom,
        ProductFrom,
        /// The bracket after the name of a function.
        Of,
        /// The star after the runs of a batter.
        NotOut,
        Factorial,
        /// The bar of a conditional probability: `P(A|B)`.
        Given,
        /// The bar that opens an absolute value.
        AbsoluteValue,
        Per,
    }
}

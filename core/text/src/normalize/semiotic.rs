//! The semiotic classes, as language-independent values: a date is a day, a month and a year.

use super::code_parts::CodeParts;
use super::locale::{Abbreviation, Currency, Unit};
use super::number::Number;
use super::{coordinate, electronic, formula, markdown, roman, telephone};
use crate::named::named;

/// A recognized value that is no plain word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SemioticClass {
    Markup(markdown::Value),
    Coordinate(coordinate::Value),
    Electronic(electronic::Value),
    Telephone(telephone::Value),
    Postal(CodeParts),
    Alphanumeric(CodeParts),
    Roman(roman::Value),
    Number(Number),
    /// A number in pairs of digits, such as a house or flight number.
    DigitPairs(String),
    /// An ordinal: `1st`. `suffix` is the written ending, if it is not the regular one.
    Ordinal {
        number: Number,
        suffix: Option<String>,
    },
    /// `747s`, `12's`.
    Plural(Number),
    /// A group of people named by a number: `49ers`.
    NumberedGroup(Number),
    Year(Year),
    Date(Date),
    YearPeriod(YearPeriod),
    TimeOfDay(TimeOfDay),
    DateTime(Box<Date>, TimeOfDay),
    Duration(Duration),
    Fraction(Fraction),
    /// A score on a scale: `8/10`, eight out of ten.
    Score {
        got: Number,
        of: Number,
    },
    /// A row of stars with a number of filled ones: `★★★★☆`.
    Stars {
        got: Number,
        of: Number,
    },
    /// Three or more numbers in proportion: `3:2:1`.
    Ratio(Vec<Number>),
    /// Blood pressure: `120/80`, one hundred twenty over eighty.
    BloodPressure {
        systolic: Number,
        diastolic: Number,
    },
    /// Numbers in sequence: `24/7`, `9/11`.
    Sequence(Vec<Number>),
    Money(Money),
    Measure(Measure),
    Length(Length),
    Range(Box<Range>),
    /// Scientific notation: `1.5e-6`.
    Scientific {
        mantissa: Number,
        exponent: Number,
    },
    /// An exponent after its base: `^2`.
    Power(Exponent),
    Operator(Operator),
    Formula(Box<formula::Node>),
    /// A separator that is only a pause, as in `31/31/100`.
    Pause,
    /// Words of tables. `ends_sentence`: the full stop of an abbreviation also ends the sentence.
    Phrase {
        words: &'static str,
        ends_sentence: bool,
    },
    /// The words of an abbreviation row.
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

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Year {
    /// Two to four digits, as written.
    pub(crate) digits: String,
    pub(crate) era: Option<Era>,
    /// Whether it is a decade: `1990s`.
    pub(crate) is_decade: bool,
}

/// The letters of an era, `AD` or `BCE`, and whether they precede the year.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Era {
    pub(crate) letters: &'static str,
    pub(crate) leads: bool,
}

/// At least two of day, month and year, or a month with its weekday.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Date {
    /// The weekday; 1 is Monday.
    pub(crate) weekday: Option<u8>,
    pub(crate) day: Option<u8>,
    /// The last day of a range: `May 5-7`.
    pub(crate) last_day: Option<u8>,
    pub(crate) month: Option<u8>,
    pub(crate) year: Option<Year>,
    /// Whether the day was written before the month.
    pub(crate) day_first: bool,
    /// Whether an article already precedes it.
    pub(crate) has_article: bool,
}

/// A part of a year, such as `Q3 2024`, or a fiscal year.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct YearPeriod {
    pub(crate) part: YearPart,
    pub(crate) year: Option<Year>,
    /// The second year, as in `FY 2023-24`.
    pub(crate) last_year: Option<Year>,
    pub(crate) is_fiscal: bool,
    /// Whether a preposition precedes: `in Q2`.
    pub(crate) is_definite: bool,
}

/// The parts of a year, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum YearPart {
    Quarter(u8),
    Half(u8),
    Whole,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TimeOfDay {
    pub(crate) hour: u8,
    pub(crate) minute: Option<u8>,
    pub(crate) second: Option<Number>,
    pub(crate) half: Option<DayPeriod>,
    pub(crate) zone: Option<Zone>,
    /// Whether it has four digits: `0800 hours`.
    pub(crate) is_military: bool,
}

/// Before or after noon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DayPeriod {
    Am,
    Pm,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Zone {
    /// Its abbreviation, in capitals.
    Letters(String),
    /// The offset from UTC in hours and minutes.
    Offset { behind: bool, hours: u8, minutes: u8 },
}

/// A duration with at least two parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Duration {
    pub(crate) hours: Option<Number>,
    pub(crate) minutes: Option<u8>,
    pub(crate) seconds: Option<Number>,
}

/// A fraction, with an optional whole number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fraction {
    pub(crate) negative: bool,
    pub(crate) whole: Option<Number>,
    pub(crate) numerator: Number,
    pub(crate) denominator: Number,
}

/// A number before a unit or currency, and its magnitudes.
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

impl SemioticClass {
    /// Words of tables that end no sentence.
    pub(crate) fn phrase(words: &'static str) -> Self {
        Self::Phrase { words, ends_sentence: false }
    }

    /// An amount of a unit, or the unit alone.
    pub(crate) fn measure(amount: Option<Amount>, unit: Option<&'static Unit>) -> Self {
        Self::Measure(Measure::of(amount, unit))
    }

    /// The whole number of digits.
    pub(crate) fn number(digits: &str) -> Self {
        Self::Number(Number::whole(digits))
    }

    /// Two values. The first one ends and the second one begins at these bytes.
    pub(crate) fn range(
        connector: Connector,
        [low, high]: [Self; 2],
        [low_length, high_start]: [usize; 2],
    ) -> Self {
        Self::Range(Box::new(Range { low, low_length, connector, high, high_start }))
    }
}

impl Measure {
    /// An amount of a unit, or the unit alone.
    pub(crate) fn of(amount: Option<Amount>, unit: Option<&'static Unit>) -> Self {
        Self { amount, unit, per: None, is_attributive: false }
    }
}

impl Date {
    pub(crate) fn on(weekday: u8) -> Self {
        Self { weekday: Some(weekday), ..Self::default() }
    }

    pub(crate) fn of_month(month: u8, year: Option<Year>) -> Self {
        Self { month: Some(month), year, ..Self::default() }
    }

    /// A day and a month, in the order in which they were written.
    pub(crate) fn of_day(day: u8, month: u8, day_first: bool) -> Self {
        Self { day: Some(day), month: Some(month), day_first, ..Self::default() }
    }
}

impl Year {
    pub(crate) fn of(digits: impl Into<String>) -> Self {
        Self { digits: digits.into(), ..Self::default() }
    }
}

impl Fraction {
    pub(crate) fn of(numerator: Number, denominator: Number) -> Self {
        Self { negative: false, whole: None, numerator, denominator }
    }
}

impl Amount {
    pub(crate) fn of(number: Number) -> Self {
        Self { quantity: Quantity::Number(number), magnitudes: Vec::new() }
    }

    /// Whether it takes the singular.
    pub(crate) fn is_one(&self) -> bool {
        self.magnitudes.is_empty()
            && matches!(&self.quantity, Quantity::Number(number) if number.is_one())
    }

    /// The number, if there is no magnitude or fraction.
    pub(crate) fn as_number(&self) -> Option<&Number> {
        match &self.quantity {
            Quantity::Number(number) if self.magnitudes.is_empty() => Some(number),
            _ => None,
        }
    }
}

/// An amount of money. Without an amount, only the currency.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Money {
    pub(crate) amount: Option<Amount>,
    pub(crate) currency: &'static Currency,
    pub(crate) per: Option<&'static Unit>,
    /// Whether a hyphen joins it to the next noun: `$5-million deal`.
    pub(crate) is_attributive: bool,
}

/// An amount with a unit, or a bare rate such as `12/kg`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measure {
    pub(crate) amount: Option<Amount>,
    pub(crate) unit: Option<&'static Unit>,
    pub(crate) per: Option<&'static Unit>,
    /// Whether a hyphen joins it to the next noun: `5-km run`.
    pub(crate) is_attributive: bool,
}

/// Feet and inches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Length {
    pub(crate) feet: Option<Number>,
    pub(crate) inches: Option<Quantity>,
    /// Whether it modifies the next noun: `a 12" pizza`.
    pub(crate) is_attributive: bool,
}

/// Two values with a connector.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: SemioticClass,
    /// The length of the lower value in bytes.
    pub(crate) low_length: usize,
    pub(crate) connector: Connector,
    pub(crate) high: SemioticClass,
    pub(crate) high_start: usize,
}

named! {
    /// The connector between the two values of a range.
    pub(crate) enum Connector {
        /// From one to the other, and in scores and ratios.
        To,
        /// Dimensions: one by the other.
        By,
        /// Runs for wickets.
        For,
        Ratio,
        /// In sequence, without a word between.
        Juxtaposed,
    }
}

/// The exponent of a base.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Exponent {
    Number(Number),
    Letter(char),
    Fraction(Fraction),
    /// The inverse of a function or a matrix: `f⁻¹`.
    Inverse,
    /// The charge of an ion: the number of elementary charges, and the sign.
    Charge {
        count: u8,
        is_negative: bool,
    },
}

named! {
    /// An operator with a meaning from its context.
    pub(crate) enum Operator {
        Minus,
        Times,
        By,
        DividedBy,
        PlusOrMinus,
        AtMost,
        AtLeast,
        /// `≤` without a left operand.
        UpTo,
        /// `≥` without a left operand.
        From,
        /// `>` without a left operand.
        MoreThan,
        NotEqual,
        Equal,
        About,
        /// The musical sign, and the programming language C#.
        /// The hash at the end of keypad input: `7734#`.
        PoundKey,
        /// `f''(x)`
        DoublePrime,
        /// The slash of a derivative, `dy/dx`
        Over,
        /// The logical operator `&&`.
        And,
        /// The logical operator `||`.
        Or,
        /// `^(`
        ToThePower,
        /// `a_i`
        Subscript,
        /// `log_2`
        LogBase,
        /// `lim`
        LimitAs,
        /// `\sqrt[n]{x}`, behind its index
        NthRoot,
        /// `*67`
        StarKey,
        /// The arrow of a limit: `x → 0`.
        Approaches,
        /// The sign of a derivative: `f'(x)`.
        Prime,
        /// An arrow between two items.
        To,
        IntegralFrom,
        SumFrom,
        ProductFrom,
        /// The bracket after a function name.
        Of,
        Factorial,
        /// The bar of a conditional probability: `P(A|B)`.
        Given,
        /// The bar that opens an absolute value.
        AbsoluteValue,
        Per,
    }
}

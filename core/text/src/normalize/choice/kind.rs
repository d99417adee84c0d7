//! The kinds of readings: the classes of the choice model.

use crate::named::{Named, named};
use crate::normalize::semiotic::{Connector, SemioticClass};

named! {
    /// The kinds of readings that compete.
    #[derive(Hash, PartialOrd, Ord)]
    pub enum Kind {
        /// A plain word or symbol.
        Plain = "plain",
        Cardinal = "cardinal",
        Digits = "digits",
        Pairs = "pairs",
        Code = "code",
        Ordinal = "ordinal",
        Year = "year",
        Date = "date",
        Time = "time",
        Duration = "duration",
        Fraction = "fraction",
        OutOf = "out of",
        Over = "over",
        Wickets = "wickets",
        Ratio = "ratio",
        Range = "range",
        Sequence = "sequence",
        Money = "money",
        Measure = "measure",
        Length = "length",
        Roman = "roman",
        Phrase = "phrase",
        Power = "power",
        Operator = "operator",
        Pause = "pause",
        Other = "other",
    }
}

impl Kind {
    pub fn name(self) -> &'static str {
        Named::name(self)
    }

    /// The kind of a value; `Plain` for a word or symbol without one.
    pub(crate) fn of(value: Option<&SemioticClass>) -> Self {
        let Some(value) = value else { return Self::Plain };
        match value {
            SemioticClass::Number(_) => Self::Cardinal,
            SemioticClass::DigitPairs(_) => Self::Pairs,
            SemioticClass::Alphanumeric(code) if code.is_digits() => Self::Digits,
            SemioticClass::Alphanumeric(_) => Self::Code,
            SemioticClass::Ordinal { .. } => Self::Ordinal,
            SemioticClass::Year(_) | SemioticClass::YearPeriod(_) => Self::Year,
            SemioticClass::Date(_) | SemioticClass::DateTime(..) => Self::Date,
            SemioticClass::TimeOfDay(_) => Self::Time,
            SemioticClass::Duration(_) => Self::Duration,
            SemioticClass::Fraction(_) => Self::Fraction,
            SemioticClass::Score { .. } | SemioticClass::Stars { .. } => Self::OutOf,
            SemioticClass::BloodPressure { .. } => Self::Over,
            SemioticClass::Ratio(_) => Self::Ratio,
            SemioticClass::Range(range) => match range.connector {
                Connector::To => Self::Range,
                Connector::For => Self::Wickets,
                Connector::Ratio => Self::Ratio,
                Connector::By | Connector::Juxtaposed => Self::Sequence,
            },
            SemioticClass::Sequence(_) => Self::Sequence,
            SemioticClass::Money(_) => Self::Money,
            SemioticClass::Measure(_) => Self::Measure,
            SemioticClass::Length(_) => Self::Length,
            SemioticClass::Roman(_) => Self::Roman,
            SemioticClass::Phrase { .. }
            | SemioticClass::Abbreviation { .. }
            | SemioticClass::State { .. } => Self::Phrase,
            SemioticClass::Power(_) | SemioticClass::Scientific { .. } => Self::Power,
            SemioticClass::Operator(_) => Self::Operator,
            SemioticClass::Pause => Self::Pause,
            SemioticClass::Markup(_)
            | SemioticClass::Coordinate(_)
            | SemioticClass::Electronic(_)
            | SemioticClass::Telephone(_)
            | SemioticClass::Postal(_)
            | SemioticClass::Plural(_)
            | SemioticClass::NumberedGroup(_)
            | SemioticClass::Formula(_) => Self::Other,
        }
    }
}

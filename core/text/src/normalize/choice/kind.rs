//! The kinds of readings: the classes of the choice model.

use crate::normalize::semiotic::{Connector, SemioticClass};

/// The kinds of readings that compete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A plain word or symbol.
    Plain,
    Cardinal,
    Digits,
    Pairs,
    Code,
    Ordinal,
    Year,
    Date,
    Time,
    Duration,
    Fraction,
    OutOf,
    Over,
    Wickets,
    Ratio,
    Range,
    Sequence,
    Money,
    Measure,
    Length,
    Roman,
    Phrase,
    Power,
    Operator,
    Pause,
    Other,
}

impl Kind {
    pub(crate) const ALL: [(Self, &'static str); 26] = [
        (Self::Plain, "plain"),
        (Self::Cardinal, "cardinal"),
        (Self::Digits, "digits"),
        (Self::Pairs, "pairs"),
        (Self::Code, "code"),
        (Self::Ordinal, "ordinal"),
        (Self::Year, "year"),
        (Self::Date, "date"),
        (Self::Time, "time"),
        (Self::Duration, "duration"),
        (Self::Fraction, "fraction"),
        (Self::OutOf, "out of"),
        (Self::Over, "over"),
        (Self::Wickets, "wickets"),
        (Self::Ratio, "ratio"),
        (Self::Range, "range"),
        (Self::Sequence, "sequence"),
        (Self::Money, "money"),
        (Self::Measure, "measure"),
        (Self::Length, "length"),
        (Self::Roman, "roman"),
        (Self::Phrase, "phrase"),
        (Self::Power, "power"),
        (Self::Operator, "operator"),
        (Self::Pause, "pause"),
        (Self::Other, "other"),
    ];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The kind of a value; `Plain` for a word or symbol without one.
    pub(crate) fn of(value: Option<&SemioticClass>) -> Self {
        let Some(value) = value else { return Self::Plain };
        match value {
            SemioticClass::Number(_) => Self::Cardinal,
            SemioticClass::DigitPairs(_) => Self::Pairs,
            SemioticClass::Alphanumeric(code) if code.0.is_digits() => Self::Digits,
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
            | SemioticClass::NumberedGroup(_) => Self::Other,
        }
    }
}

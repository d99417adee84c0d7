//! Parses dates whose order of parts the caller specifies.

use std::fmt;

use super::{Content, is_date};
use crate::normalize::prelude::*;

/// The parts of a date in order, each with its number of digits in dates without separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DateFormat([Option<(Part, usize)>; 3]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Day,
    Month,
    Year,
}

/// The position of the day in spoken dates, in languages that allow both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DayPlace {
    AsWritten,
    First,
    AfterMonth,
}

impl DayPlace {
    fn is_first(self, as_written: bool) -> bool {
        match self {
            Self::AsWritten => as_written,
            Self::First => true,
            Self::AfterMonth => false,
        }
    }
}

impl DateFormat {
    /// Parses a format such as `mdy` or `yyyymmdd`. One letter means two digits, or all of a year.
    pub(super) fn new(letters: &str) -> Option<Self> {
        let mut parts = [None; 3];
        let mut rest = letters;
        for place in &mut parts {
            let Some(first) = rest.chars().next() else { break };
            let (part, digits) = match first {
                'd' => (Part::Day, 2),
                'm' => (Part::Month, 2),
                'y' => (Part::Year, 4),
                _ => return None,
            };
            let after = rest.trim_start_matches(first);
            let count = rest.len() - after.len();
            let digits = if count == 1 { digits } else { count };
            *place = (count <= 4).then_some((part, digits));
            rest = after;
        }
        let all = || parts.iter().flatten();
        let is_twice = all().any(|(part, _)| all().filter(|(other, _)| other == part).count() > 1);
        (rest.is_empty() && !is_twice && parts[0].is_some()).then_some(Self(parts))
    }

    fn parts(&self) -> impl Iterator<Item = (Part, usize)> {
        self.0.iter().flatten().copied()
    }

    /// Parses the date of a content.
    pub(super) fn read(self, content: Content<'_>, place: DayPlace) -> Option<SemioticClass> {
        let fields = self.fields(content.text)?;
        let mut date = Date { day_first: content.lexicon().day_first, ..Date::default() };
        for ((part, _), field) in self.parts().zip(&fields) {
            // Question marks replace an unspoken part.
            if !field.is_empty() && field.bytes().all(|b| b == b'?') {
                continue;
            }
            match part {
                Part::Day => date.day = Some(day(content, field)?),
                Part::Month => date.month = Some(month(content, field)?),
                Part::Year => date.year = Some(year(field)?),
            }
        }
        // A date that begins with its year is spoken in the usual order.
        if let [Some((first @ (Part::Day | Part::Month), _)), Some(_), _] = self.0 {
            date.day_first = first == Part::Day;
        }
        date.day_first = place.is_first(date.day_first);
        Some(match date {
            Date { day: None, month: None, year, .. } => SemioticClass::Year(year?),
            Date { day: Some(day), month: None, year: None, day_first, .. } if !day_first => {
                SemioticClass::Ordinal { number: Number::of(day), suffix: None }
            }
            Date { day: Some(day), month: None, year: None, .. } => {
                SemioticClass::Number(Number::of(day))
            }
            Date { day: Some(_), month: None, .. } => return None,
            Date { day: None, .. } => SemioticClass::Date(Date { day_first: false, ..date }),
            date => SemioticClass::Date(date),
        })
    }

    fn fields(self, text: &str) -> Option<Vec<&str>> {
        let count = self.parts().count();
        let is_separator = |c: char| c.is_whitespace() || matches!(c, '/' | '-' | '–' | '.' | ',');
        let apart: Vec<_> = text.split(is_separator).filter(|field| !field.is_empty()).collect();
        if apart.len() == count {
            return Some(apart);
        }
        let is_together = text.bytes().all(|b| b.is_ascii_digit() || b == b'?');
        let length: usize = self.parts().map(|(_, digits)| digits).sum();
        if !is_together || text.len() != length {
            return None;
        }
        let mut rest = text;
        let fields = self.parts().map(|(_, digits)| {
            let (field, after) = rest.split_at(digits);
            rest = after;
            field
        });
        Some(fields.collect())
    }
}

impl fmt::Display for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (part, digits) in self.parts() {
            let (letter, usual) = match part {
                Part::Day => ("d", 2),
                Part::Month => ("m", 2),
                Part::Year => ("y", 4),
            };
            f.write_str(&letter.repeat(if digits == usual { 1 } else { digits }))?;
        }
        Ok(())
    }
}

/// A date in any usual notation, or the digits of year, month and day.
pub(super) fn any(content: Content<'_>, place: DayPlace) -> Option<SemioticClass> {
    let mut found = content.recognized(is_date).or_else(|| {
        let is_whole = content.text.len() == 8;
        DateFormat::new("ymd").filter(|_| is_whole)?.read(content, place)
    });
    if let Some(SemioticClass::Date(date)) = &mut found {
        date.day_first = place.is_first(date.day_first);
    }
    found
}

fn number(field: &str, most: u8) -> Option<u8> {
    let is_short = (1..=2).contains(&field.len()) && field.bytes().all(|b| b.is_ascii_digit());
    field.parse().ok().filter(|n| is_short && (1..=most).contains(n))
}

/// Parses a day with an optional ordinal suffix.
fn day(content: Content<'_>, field: &str) -> Option<u8> {
    let digits = field.trim_end_matches(|c: char| !c.is_ascii_digit());
    let ending = &field[digits.len()..];
    let is_ordinal = content.lexicon().words.of_any_case(ending).has(WordClass::OrdinalEndings);
    number(digits, 31).filter(|_| ending.is_empty() || is_ordinal)
}

/// Parses a month as a number or name.
fn month(content: Content<'_>, field: &str) -> Option<u8> {
    let named = || content.lexicon().months.get(field.to_lowercase().as_str()).copied();
    number(field, 12).or_else(named)
}

fn year(field: &str) -> Option<Year> {
    let digits = field.trim_start_matches(['\'', '’']);
    let is_year = (2..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_year.then(|| Year::of(digits))
}

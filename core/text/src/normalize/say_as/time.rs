//! Parses times of day and durations.

use super::Content;
use crate::normalize::prelude::*;
use crate::normalize::time_of_day;

/// The parts of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeFormat {
    /// Hours of a 12-hour clock.
    Hours12,
    /// Hours of a 24-hour clock.
    Hours24,
    /// Hours of either clock.
    Hours,
    /// Minutes and seconds of a duration.
    Minutes,
}

impl TimeFormat {
    /// Parses a format such as `hms12`.
    pub(super) fn new(letters: &str) -> Option<Self> {
        Some(match letters {
            "h12" | "hm12" | "hms12" => Self::Hours12,
            "h24" | "hm24" | "hms24" => Self::Hours24,
            "h" | "hm" | "hms" => Self::Hours,
            "ms" => Self::Minutes,
            _ => return None,
        })
    }
}

pub(super) fn expected(format: Option<TimeFormat>) -> String {
    match format {
        Some(TimeFormat::Hours12) => "a time of a day of 12 hours, such as 2:30pm",
        Some(TimeFormat::Hours24) => "a time of a day of 24 hours, such as 14:30",
        Some(TimeFormat::Minutes) => "minutes and seconds, such as 1:21",
        Some(TimeFormat::Hours) | None => "a time such as 2:30pm or 14:30:15",
    }
    .to_owned()
}

pub(super) fn read(content: Content<'_>, format: Option<TimeFormat>) -> Option<SemioticClass> {
    let Content { text, .. } = content;
    if let Some(duration) = primes(text).or_else(|| colon(text, format)) {
        return Some(SemioticClass::Duration(duration));
    }
    let mut cursor = Cursor::new(text);
    let scanned = time_of_day::scan(content.lexicon(), &mut cursor, true);
    let time = scanned.filter(|_| cursor.rest().is_empty()).or_else(|| hour(text, format));
    let Some(time) = time else {
        let is_time = |value: &SemioticClass| matches!(value, SemioticClass::TimeOfDay(_));
        return content.recognized(is_time);
    };
    let fits = match format {
        Some(TimeFormat::Hours12) => (1..=12).contains(&time.hour) && !time.is_military,
        Some(TimeFormat::Hours24) => time.half.is_none(),
        Some(TimeFormat::Minutes) => false,
        Some(TimeFormat::Hours) | None => time.half.is_none() || (1..=12).contains(&time.hour),
    };
    fits.then_some(SemioticClass::TimeOfDay(time))
}

/// Parses a single hour, if the format allows one.
fn hour(text: &str, format: Option<TimeFormat>) -> Option<TimeOfDay> {
    let is_hour = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let hour = text.parse().ok().filter(|hour| *hour <= 24 && is_hour && format.is_some())?;
    Some(TimeOfDay { hour, minute: Some(0), ..TimeOfDay::default() })
}

/// Parses minutes and seconds with their marks: `1'21"`.
fn primes(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(['\'', '’', '′'])?;
    let seconds = seconds.trim().trim_end_matches(['"', '”', '″']);
    duration(minutes.trim(), seconds)
}

/// Parses minutes and seconds with a colon between: `1:21`.
fn colon(text: &str, format: Option<TimeFormat>) -> Option<Duration> {
    let (minutes, seconds) =
        text.split_once(':').filter(|_| format == Some(TimeFormat::Minutes))?;
    duration(minutes, seconds)
}

fn duration(minutes: &str, seconds: &str) -> Option<Duration> {
    let sixtieth = |text: &str| {
        let is_short = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|n: &u8| is_short && *n < 60)
    };
    let minutes = Some(sixtieth(minutes)?);
    let seconds = match seconds {
        "" => None,
        seconds => Some(Number::of(sixtieth(seconds)?)),
    };
    Some(Duration { hours: None, minutes, seconds })
}

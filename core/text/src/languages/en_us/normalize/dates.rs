//! Dates, times and durations in English.

use std::ops::Range;

use super::{numbers, owned, quantities, verbalize_words};
use crate::normalize::number::Number;
use crate::normalize::semiotic::{
    Date, DayPeriod, Duration, TimeOfDay, Year, YearPart, YearPeriod, Zone,
};
use crate::normalize::verbalized::Verbalization;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// `twenty twelve`, `nineteen nineties`, `three forty A D`.
pub(super) fn verbalize_year(year: &Year, span: Range<usize>, out: &mut Verbalization) {
    let era = year.era.as_ref();
    if let Some(era) = era.filter(|era| era.leads) {
        out.spelled(era.letters, span.clone());
    }
    out.words(year_words(year), span.clone());
    if let Some(era) = era.filter(|era| !era.leads) {
        out.spelled(era.letters, span);
    }
}

fn year_words(year: &Year) -> Vec<String> {
    let digits = year.digits.as_str();
    let n = digits.parse().unwrap_or_default();
    let words = match digits.len() {
        4 => numbers::year(n),
        3 if year.era.is_some() => numbers::house(digits),
        2 if digits.starts_with('0') => [vec!["oh"], numbers::cardinal(n)].concat(),
        _ if digits.len() > 1 && digits.starts_with('0') => numbers::digits(digits).collect(),
        _ => numbers::cardinal(n),
    };
    if year.is_decade { numbers::with_last(words, numbers::plural_word) } else { owned(words) }
}

/// `January first twenty twenty`; with the day before the month, `the first of January`.
pub(super) fn verbalize_date(date: &Date, span: Range<usize>, out: &mut Verbalization) {
    let mut words = Vec::new();
    words.extend(date.weekday.map(|n| WEEKDAYS[usize::from(n) - 1].to_owned()));
    let month = date.month.map(|n| MONTHS[usize::from(n) - 1].to_owned());
    let day = days(date);
    if date.day_first {
        if !date.has_article {
            words.push("the".into());
        }
        words.extend(day);
        words.push("of".into());
        words.extend(month);
    } else {
        words.extend(month);
        words.extend(day);
    }
    out.words(words, span.clone());
    match &date.year {
        Some(year) if year.digits.len() == 2 => out.words(numbers::short_year(&year.digits), span),
        Some(year) => verbalize_year(year, span, out),
        None => {}
    }
}

fn days(date: &Date) -> Vec<String> {
    let mut words = date.day.map(|day| numbers::ordinal(day.into())).unwrap_or_default();
    if let Some(last) = date.last_day {
        words.push("to".into());
        words.extend(numbers::ordinal(last.into()));
    }
    words
}

/// `the third quarter of twenty twenty four`.
pub(super) fn verbalize_period(period: &YearPeriod, span: Range<usize>, out: &mut Verbalization) {
    let (n, name) = match period.part {
        YearPart::Quarter(n) => (Some(n), "quarter"),
        YearPart::Half(n) => (Some(n), "half"),
        YearPart::Whole => (None, ""),
    };
    if let Some(n) = n {
        let article = period.is_definite.then_some("the");
        out.words(article, span.clone());
        out.words(numbers::ordinal(n.into()), span.clone());
        out.words([name], span.clone());
        if period.year.is_some() {
            out.words(["of"], span.clone());
        }
    }
    if period.is_fiscal {
        out.words(["fiscal"], span.clone());
        out.words(["year"].into_iter().filter(|_| n.is_none()), span.clone());
    }
    if let Some(year) = &period.year {
        verbalize_year(year, span.clone(), out);
    }
    if let Some(year) = &period.last_year {
        out.words(["to"], span.clone());
        verbalize_year(year, span, out);
    }
}

/// `ten thirty P M`, `nine o'clock`, `fourteen hundred`.
pub(super) fn verbalize_time_of_day(
    time_of_day: &TimeOfDay,
    span: Range<usize>,
    out: &mut Verbalization,
) {
    if time_of_day.is_military {
        let mut words = if time_of_day.hour < 10 { vec!["zero"] } else { Vec::new() };
        words.extend(numbers::cardinal(time_of_day.hour.into()));
        words.extend(minutes(time_of_day.minute.unwrap_or_default(), "hundred"));
        words.push("hours");
        return out.words(words, span);
    }
    out.words(numbers::cardinal(time_of_day.hour.into()), span.clone());
    let bare = time_of_day.half.is_none() && time_of_day.zone.is_none();
    let full = match time_of_day.hour {
        0 | 13.. => "hundred",
        _ if bare => "o'clock",
        _ => "",
    };
    if let Some(minute) =
        time_of_day.minute.filter(|_| time_of_day.half.is_none() || time_of_day.minute != Some(0))
    {
        out.words(minutes(minute, full), span.clone());
    }
    if let Some(second) = time_of_day.second.as_ref().filter(|second| !second.is_zero()) {
        out.words(["and"], span.clone());
        out.words(seconds(second), span.clone());
    }
    match time_of_day.half {
        Some(DayPeriod::Am) => out.spelled("AM", span.clone()),
        Some(DayPeriod::Pm) => out.spelled("PM", span.clone()),
        None => {}
    }
    match &time_of_day.zone {
        Some(Zone::Letters(letters)) if letters == "Z" => verbalize_words("UTC", span, out),
        Some(Zone::Letters(letters)) => out.spelled(letters, span),
        Some(Zone::Offset { behind, hours, minutes }) => {
            out.spelled("UTC", span.clone());
            out.words([if *behind { "minus" } else { "plus" }], span.clone());
            out.words(numbers::cardinal((*hours).into()), span.clone());
            if *minutes > 0 {
                out.words(numbers::cardinal((*minutes).into()), span);
            }
        }
        None => {}
    }
}

/// The minutes after the hour; `full` is what stands for none.
fn minutes(minute: u8, full: &'static str) -> Vec<&'static str> {
    match minute {
        0 if full.is_empty() => Vec::new(),
        0 => vec![full],
        1..=9 => [vec!["oh"], numbers::cardinal(minute.into())].concat(),
        _ => numbers::cardinal(minute.into()),
    }
}

/// `one hour one minute and one second`.
pub(super) fn duration(duration: &Duration) -> Vec<String> {
    let hours = duration.hours.as_ref().and_then(|hours| hours.value());
    let hours = hours.map(|hours| counted(hours, "hour"));
    let minutes = duration.minutes.map(|minutes| counted(minutes.into(), "minute"));
    let seconds = duration.seconds.as_ref().map(seconds);
    let mut parts: Vec<_> = [hours, minutes, seconds].into_iter().flatten().collect();
    if let Some(last) = parts.last_mut().filter(|_| duration.seconds.is_some()) {
        last.insert(0, "and".into());
    }
    parts.concat()
}

fn seconds(seconds: &Number) -> Vec<String> {
    let name = if seconds.is_one() { "second" } else { "seconds" };
    owned([quantities::number(seconds), vec![name]].concat())
}

fn counted(n: u128, name: &str) -> Vec<String> {
    let mut words = owned(numbers::cardinal(n));
    words.push(if n == 1 { name.into() } else { format!("{name}s") });
    words
}

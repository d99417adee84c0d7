//! Verbalizes ranges of times of day in Hindi.

use super::{LOCALE, templates};
use crate::normalize::prelude::*;
use crate::normalize::say;

/// Verbalizes a range that ends in a.m. or p.m., `2-3:30 pm`, with the part of the day once, first.
/// Returns false for other values.
pub(super) fn verbalize_range(range: &Range, source: &str, out: &mut Verbalization) -> bool {
    let SemioticClass::TimeOfDay(high) = &range.high else { return false };
    let Some((part, is_said_once)) = part_of_range(&range.low, high) else { return false };
    out.words([part], 0..range.low_length);
    let half = high.half.filter(|_| !is_said_once);
    let high = SemioticClass::TimeOfDay(TimeOfDay { half, ..high.clone() });
    say::range(&LOCALE, &Range { high, ..range.clone() }, source, out);
    true
}

/// The part of the day of the first hour, if only the last has a.m. or p.m.; and whether the last
/// hour has the same part, or one so near in the afternoon that it is omitted.
fn part_of_range(low: &SemioticClass, high: &TimeOfDay) -> Option<(String, bool)> {
    let half = high.half?;
    let hour = match low {
        SemioticClass::Number(number) if number.is_plain() => {
            number.value().and_then(|hour| hour.try_into().ok())
        }
        SemioticClass::TimeOfDay(low) if low.half.is_none() => Some(low.hour),
        _ => None,
    };
    let hour = hour.filter(|hour| (1..=12).contains(hour))?;
    // `11-1 pm` begins in the morning.
    let of_low = match half {
        DayPeriod::Pm if hour % 12 > high.hour % 12 => DayPeriod::Am,
        DayPeriod::Am if hour % 12 > high.hour % 12 => DayPeriod::Pm,
        half => half,
    };
    let part = part_of_day(of_low, hour);
    let is_near = half == DayPeriod::Pm && (hour..=hour + 2).contains(&high.hour) && high.hour < 12;
    let is_said_once = is_near || part == part_of_day(half, high.hour);
    Some((part, is_said_once))
}

/// The Hindi part of the day of an hour before or after noon.
fn part_of_day(half: DayPeriod, hour: u8) -> String {
    let mut part = Verbalization::default();
    templates().say("part-of-day", &say::half_of_day(Some(half), hour), &(0..1), &mut part);
    part.to_line()
}

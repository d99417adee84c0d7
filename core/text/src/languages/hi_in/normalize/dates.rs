//! Dates, times and durations in Hindi.

use std::ops::Range;

use super::{numbers, quantities, verbalize_words};
use crate::normalize::number::Number;
use crate::normalize::semiotic::{
    Date, DayPeriod, Duration, SemioticClass, TimeOfDay, Year, YearPart, YearPeriod, Zone,
};
use crate::normalize::verbalized::Verbalization;

const MONTHS: [&str; 12] = [
    "जनवरी",
    "फ़रवरी",
    "मार्च",
    "अप्रैल",
    "मई",
    "जून",
    "जुलाई",
    "अगस्त",
    "सितंबर",
    "अक्टूबर",
    "नवंबर",
    "दिसंबर",
];

const WEEKDAYS: [&str; 7] = ["सोमवार", "मंगलवार", "बुधवार", "गुरुवार", "शुक्रवार", "शनिवार", "रविवार"];

/// Parts of a year in their order.
const ORDER: [&str; 4] = ["पहली", "दूसरी", "तीसरी", "चौथी"];

/// `उन्नीस सौ नब्बे`, `उन्नीस सौ नब्बे के दशक`, `तीन सौ ईसा पूर्व`.
pub(super) fn year(year: &Year) -> Vec<&'static str> {
    let era = year.era.as_ref().map(|era| (era.leads, era_name(era.letters)));
    let mut words = Vec::new();
    words.extend(era.filter(|(leads, _)| *leads).map(|(_, name)| name));
    words.extend(year_number(&year.digits));
    words.extend(era.filter(|(leads, _)| !*leads).map(|(_, name)| name));
    if year.is_decade {
        words.extend(["के", "दशक"]);
    }
    words
}

fn year_number(digits: &str) -> Vec<&'static str> {
    match digits.parse() {
        Ok(n) if digits.len() <= 2 || !digits.starts_with('0') => numbers::year(n),
        _ => numbers::digits(digits).collect(),
    }
}

fn era_name(letters: &str) -> &'static str {
    if letters.starts_with('B') { "ईसा पूर्व" } else { "ईसवी" }
}

/// `पंद्रह अगस्त उन्नीस सौ सैंतालीस`.
pub(super) fn date(date: &Date) -> Vec<&'static str> {
    let mut words = Vec::new();
    words.extend(date.weekday.map(|n| WEEKDAYS[usize::from(n) - 1]));
    let month = date.month.map(|n| MONTHS[usize::from(n) - 1]);
    if date.day_first {
        words.extend(days(date));
        words.extend(month);
    } else {
        words.extend(month);
        words.extend(days(date));
    }
    words.extend(date.year.as_ref().map(year).unwrap_or_default());
    words
}

fn days(date: &Date) -> Vec<&'static str> {
    let mut words = date.day.map(|day| numbers::cardinal(day.into())).unwrap_or_default();
    if let Some(last) = date.last_day {
        words.push("से");
        words.extend(numbers::cardinal(last.into()));
    }
    words
}

/// `वित्त वर्ष दो हज़ार चौबीस की तीसरी तिमाही`.
pub(super) fn period(period: &YearPeriod) -> Vec<&'static str> {
    let mut words = Vec::new();
    if period.is_fiscal {
        words.push("वित्त वर्ष");
    }
    words.extend(period.year.as_ref().map(year).unwrap_or_default());
    words.extend(period.last_year.as_ref().map(year).unwrap_or_default());
    let (n, name) = match period.part {
        YearPart::Quarter(n) => (n, "तिमाही"),
        YearPart::Half(n) => (n, "छमाही"),
        YearPart::Whole => return words,
    };
    if !words.is_empty() {
        words.push("की");
    }
    words.extend([ORDER[usize::from(n) - 1], name]);
    words
}

/// `सुबह सवा छह बजे`, `बारह बजकर दस मिनट दस सेकंड`.
pub(super) fn verbalize_time_of_day(
    time_of_day: &TimeOfDay,
    span: Range<usize>,
    out: &mut Verbalization,
) {
    let mut words = Vec::new();
    words.extend(time_of_day.half.map(|half| part_of_day(half, time_of_day.hour)));
    words.extend(time(time_of_day));
    verbalize_words(&words, span.clone(), out);
    match &time_of_day.zone {
        Some(Zone::Letters(letters)) if letters == "Z" => out.spelled("UTC", span),
        Some(Zone::Letters(letters)) => out.spelled(letters, span),
        Some(Zone::Offset { behind, hours, minutes }) => {
            out.spelled("UTC", span.clone());
            let mut words = vec![if *behind { "माइनस" } else { "प्लस" }];
            words.extend(numbers::cardinal((*hours).into()));
            if *minutes > 0 {
                words.extend(numbers::cardinal((*minutes).into()));
            }
            verbalize_words(&words, span, out);
        }
        None => {}
    }
}

/// What Hindi calls the hours before and after noon.
fn part_of_day(half: DayPeriod, hour: u8) -> &'static str {
    match (half, hour % 12) {
        (DayPeriod::Am, 0..=3) => "रात",
        (DayPeriod::Am, _) => "सुबह",
        (DayPeriod::Pm, 0..=3) => "दोपहर",
        (DayPeriod::Pm, 4..=7) => "शाम",
        (DayPeriod::Pm, _) => "रात",
    }
}

/// What the first hour of a range is called where only the last has a half of the day, `2-3:30 pm`; and whether the last is
/// called the same, or is so near in the afternoon that it is said once.
pub(super) fn part_of_range(low: &SemioticClass, high: &TimeOfDay) -> Option<(&'static str, bool)> {
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
    Some((part, is_near || part == part_of_day(half, high.hour)))
}

fn time(time_of_day: &TimeOfDay) -> Vec<&'static str> {
    let hour = u128::from(time_of_day.hour);
    let minute = time_of_day.minute.unwrap_or_default();
    let second = time_of_day.second.as_ref().filter(|second| !second.is_zero());
    if minute == 0 && second.is_none() {
        return [numbers::cardinal(hour), vec!["बजे"]].concat();
    }
    if let Some(mut words) = quarter(hour, minute).filter(|_| second.is_none()) {
        words.push("बजे");
        return words;
    }
    let mut words = numbers::cardinal(hour);
    words.push("बजकर");
    if minute > 0 {
        words.extend(numbers::cardinal(minute.into()));
        words.push("मिनट");
    }
    words.extend(second.into_iter().flat_map(seconds));
    words
}

/// The quarters of the twelve hours: `सवा छह`, `पौने एक`.
fn quarter(hour: u128, minute: u8) -> Option<Vec<&'static str>> {
    if !(1..=12).contains(&hour) || !minute.is_multiple_of(15) {
        return None;
    }
    // A quarter to one follows twelve.
    if (hour, minute) == (12, 45) {
        return Some(vec!["पौने", "एक"]);
    }
    quantities::with_quarters(hour, minute / 15)
}

/// `एक घंटा तीस मिनट दस सेकंड`.
pub(super) fn duration(duration: &Duration) -> Vec<&'static str> {
    let hours = duration.hours.as_ref().and_then(|hours| hours.value());
    let hours = hours.map(|n| (n, if n == 1 { "घंटा" } else { "घंटे" }));
    let minutes = duration.minutes.map(|n| (n.into(), "मिनट"));
    let parts = [hours, minutes].into_iter().flatten();
    let parts = parts.flat_map(|(n, name)| [numbers::cardinal(n), vec![name]].concat());
    parts.chain(duration.seconds.iter().flat_map(seconds)).collect()
}

fn seconds(seconds: &Number) -> Vec<&'static str> {
    [quantities::number(seconds), vec!["सेकंड"]].concat()
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_lines;

    #[test]
    fn dates_and_periods() {
        assert_lines(&[
            (
                "Q3 FY25, H1 2024, FY 2023-24",
                "वित्त वर्ष पच्चीस की तीसरी तिमाही, दो हज़ार चौबीस की पहली छमाही, वित्त वर्ष दो हज़ार तेईस चौबीस",
            ),
            (
                "1990s में, 500 BC, AD 1526",
                "उन्नीस सौ नब्बे के दशक में, पाँच सौ ईसा पूर्व, ईसवी पंद्रह सौ छब्बीस",
            ),
            ("10:30+05:30, 10:30 IST", "साढ़े दस बजे UTC प्लस पाँच तीस, साढ़े दस बजे IST"),
            ("5 May - 7 May", "पाँच मई से सात मई"),
        ]);
    }
}

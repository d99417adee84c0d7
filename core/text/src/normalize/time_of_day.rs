//! Recognizes times of day, and durations with colons.

use super::prelude::*;
use super::semiotic::Zone;

/// A time of day, or a duration of hours, minutes and seconds.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let is_time = context.follows(WordClass::BeforeTime) || context.before.ends_with('[');
    if let Some(time_of_day) = scan(context.lexicon(), &mut cursor, is_time) {
        // `the race lasted 0:45`
        let TimeOfDay { minute, second, half, zone, is_military, .. } = &time_of_day;
        let is_bare = second.is_none() && half.is_none() && zone.is_none() && !is_military;
        let is_under_a_minute = !is_time && is_bare && context.rest.starts_with("0:");
        let seconds = minute.filter(|_| is_under_a_minute);
        let value = seconds.map_or(SemioticClass::TimeOfDay(time_of_day), |seconds| {
            let seconds = Some(Number::of(seconds));
            SemioticClass::Duration(Duration { hours: None, minutes: None, seconds })
        });
        return Some((cursor.at(), value));
    }
    if let Some(time_of_day) = cursor.attempt(|cursor| hour_of_range(context.before, cursor)) {
        return Some((cursor.at(), SemioticClass::TimeOfDay(time_of_day)));
    }
    let near =
        || words_back(context.before).take(3).any(|word| context.is(word, WordClass::Schedule));
    // `टाइमर: 00:12:30`
    let is_timer = context.rest.starts_with("00:")
        && context.topic_classes().contains(&"duration")
        && cursor.clone().attempt(duration).is_some();
    let is_schedule = (is_time || near()) && !is_timer;
    if is_schedule && let Some(time_of_day) = cursor.attempt(padded) {
        return Some((cursor.at(), SemioticClass::TimeOfDay(time_of_day)));
    }
    let duration = cursor.attempt(duration).or_else(|| cursor.attempt(lettered))?;
    Some((cursor.at(), SemioticClass::Duration(duration)))
}

/// The start of the time in a date and time: `2024-12-25T10:30`, `15 May 2015 15:34 GMT`.
pub(crate) fn start(source: &str) -> usize {
    let is_time = |rest: &str| {
        let digits = run(rest, is_digit);
        (1..=2).contains(&digits) && rest[digits..].starts_with(':')
    };
    let mut joints = source.match_indices(['T', ' ']).map(|(at, _)| at + 1);
    joints.find(|at| is_time(&source[*at..])).unwrap_or(source.len())
}

/// Consumes a time of day. One with seconds and without a.m. or p.m. needs `after_date` or a cue.
pub(crate) fn scan(
    lexicon: &Lexicon,
    cursor: &mut Cursor<'_>,
    after_date: bool,
) -> Option<TimeOfDay> {
    cursor.attempt(|cursor| {
        if let Some(time_of_day) = cursor.attempt(|cursor| military(lexicon, cursor)) {
            return Some(time_of_day);
        }
        let hour: u8 = cursor.digits(1..=2)?.parse().ok().filter(|hour| *hour <= 24)?;
        let minute = minute(cursor);
        let second = minute.and_then(|_| seconds(cursor));
        let half = cursor.attempt(half).or_else(|| minute.and_then(|_| cursor.attempt(short_half)));
        if minute.is_none() && half.is_none() {
            return None;
        }
        if second.is_some() && half.is_none() && !after_date {
            return None;
        }
        if minute.is_some()
            && half.is_none()
            && cursor.attempt(|cursor| hours(lexicon, cursor)).is_some()
        {
            return Some(TimeOfDay {
                hour,
                minute,
                second,
                is_military: true,
                ..TimeOfDay::default()
            });
        }
        let zone = zone(lexicon, cursor, after_date);
        let time_of_day = TimeOfDay { hour, minute, second, half, zone, is_military: false };
        ends(cursor).then_some(time_of_day)
    })
}

/// Consumes the word after a 24-hour time: `06:05 hrs`.
fn hours(lexicon: &Lexicon, cursor: &mut Cursor<'_>) -> Option<()> {
    cursor.spaces();
    let word = cursor.letters()?;
    let is = |class| lexicon.words.of(word).has(class);
    (is(WordClass::HourWords) || is(WordClass::HourAbbreviations)).then_some(())
}

/// Consumes `:30`, or `.30` before a.m. or p.m. only.
fn minute(cursor: &mut Cursor<'_>) -> Option<u8> {
    if let Some(minute) = sixtieth(cursor, ":") {
        return Some(minute);
    }
    let mut ahead = *cursor;
    let minute = sixtieth(&mut ahead, ".")?;
    let start = ahead;
    half(&mut ahead)?;
    *cursor = start;
    Some(minute)
}

/// Consumes two digits of minutes or seconds after their mark.
pub(crate) fn sixtieth(cursor: &mut Cursor<'_>, mark: &str) -> Option<u8> {
    cursor.attempt(|cursor| {
        cursor.eat(mark)?;
        cursor.digits(2..=2)?.parse().ok().filter(|value| *value < 60)
    })
}

/// Consumes `:07`, with an optional fraction of a second after a point, or in subtitles after a
/// comma: `:07.221`, `:07,500`.
fn seconds(cursor: &mut Cursor<'_>) -> Option<Number> {
    let whole = sixtieth(cursor, ":")?;
    let fraction = cursor.attempt(|cursor| {
        let places = if cursor.eat(".").is_some() {
            1..=9
        } else {
            cursor.eat(",")?;
            3..=3
        };
        cursor.digits(places).map(String::from)
    });
    Some(Number { fraction, ..Number::of(whole) })
}

fn ends(cursor: &Cursor<'_>) -> bool {
    let mut chars = cursor.rest().chars();
    match (chars.next(), chars.next()) {
        (Some(c), _) if c.is_alphanumeric() => false,
        (Some(':' | '/'), Some(c)) => !c.is_ascii_digit(),
        _ => true,
    }
}

/// Consumes `a.m.` or `pm`, without a full stop that ends the sentence.
fn half(cursor: &mut Cursor<'_>) -> Option<DayPeriod> {
    cursor.attempt(|cursor| {
        cursor.spaces();
        let half = match cursor.eat_char(is_latin_letter)?.to_ascii_lowercase() {
            'a' => DayPeriod::Am,
            'p' => DayPeriod::Pm,
            _ => return None,
        };
        let stopped = cursor.eat(".").is_some();
        if stopped {
            cursor.eat(" ");
        }
        cursor.eat_char(|c| c.eq_ignore_ascii_case(&'m'))?;
        if stopped {
            eat_inner_stop(cursor);
        }
        (cursor.at_word_end() || stopped).then_some(half)
    })
}

/// Consumes the first letter of a.m. or p.m. directly after the time: `9:30a`.
pub(crate) fn short_half(cursor: &mut Cursor<'_>) -> Option<DayPeriod> {
    let half = match cursor.eat_char(|c| matches!(c, 'a' | 'A' | 'p' | 'P'))? {
        'a' | 'A' => DayPeriod::Am,
        _ => DayPeriod::Pm,
    };
    cursor.at_word_end().then_some(half)
}

/// A range of two four-digit times, the first with a leading zero: `open 0730–1645 daily`.
pub(crate) fn find_padded_range(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let is_usual = |time: &TimeOfDay| time.minute.is_some_and(|minute| minute.is_multiple_of(5));
    let usual = |cursor: &mut Cursor<'_>| four_digits(cursor).filter(is_usual);
    let ([low, high], ends) = cursor.pair(is_dash, usual)?;
    let fits = context.rest.starts_with('0')
        && (low.hour, low.minute) < (high.hour, high.minute)
        && boundaries::opens(context.before)
        && cursor.at_number_end();
    let times = [low, high].map(SemioticClass::TimeOfDay);
    fits.then(|| (cursor.at(), SemioticClass::range(Connector::To, times, ends)))
}

/// An hour with the first letter of a.m. or p.m. at both ends of a range: `8a–10p`.
fn hour_of_range(before: &str, cursor: &mut Cursor<'_>) -> Option<TimeOfDay> {
    const DASHES: [char; 3] = ['-', '–', '—'];
    let hour = cursor.digits(1..=2)?.parse().ok().filter(|hour| (1..=12).contains(hour))?;
    let half = Some(short_half(cursor)?);
    let opens_range = || {
        let mut ahead = *cursor;
        ahead.eat_char(|c| DASHES.contains(&c))?;
        ahead.digits(1..=2)?;
        let _ = sixtieth(&mut ahead, ":");
        short_half(&mut ahead)
    };
    let closes_range = || {
        let first = before.strip_suffix(DASHES)?.strip_suffix(['a', 'A', 'p', 'P'])?;
        first.ends_with(is_digit).then_some(())
    };
    (opens_range().is_some() || closes_range().is_some()).then(|| TimeOfDay {
        hour,
        half,
        ..TimeOfDay::default()
    })
}

/// Consumes four digits of a 24-hour time.
fn four_digits(cursor: &mut Cursor<'_>) -> Option<TimeOfDay> {
    let digits = cursor.digits(4..=4)?;
    let hour = digits[..2].parse().ok().filter(|hour: &u8| *hour < 24)?;
    let minute = digits[2..].parse().ok().filter(|minute: &u8| *minute < 60)?;
    Some(TimeOfDay { hour, minute: Some(minute), is_military: true, ..TimeOfDay::default() })
}

/// Consumes four digits of a 24-hour time with a leading zero: `at 0730`.
fn padded(cursor: &mut Cursor<'_>) -> Option<TimeOfDay> {
    let time_of_day = four_digits(cursor).filter(|time| time.hour < 10)?;
    cursor.at_number_end().then_some(time_of_day)
}

/// Consumes the full stop of an abbreviation, unless the sentence ends there.
fn eat_inner_stop(cursor: &mut Cursor<'_>) {
    let goes_on =
        cursor.rest().strip_prefix('.').is_some_and(|after| after.contains(char::is_alphanumeric));
    if goes_on {
        cursor.eat(".");
    }
}

fn zone(lexicon: &Lexicon, cursor: &mut Cursor<'_>, after_date: bool) -> Option<Zone> {
    // After a time without a date, a minus sign begins the end of a range.
    let may_be_offset = after_date || cursor.rest().starts_with('+');
    if let Some(offset) = cursor.attempt(|cursor| offset(cursor).filter(|_| may_be_offset)) {
        return Some(offset);
    }
    cursor.attempt(|cursor| {
        cursor.eat(" ");
        let written = cursor.take_while(|c| c.is_ascii_alphabetic() || c == '.')?;
        let stopped = written.ends_with('.') && !cursor.rest().contains(char::is_alphanumeric);
        let letters: String =
            written.chars().filter(|c| *c != '.').map(|c| c.to_ascii_uppercase()).collect();
        if !lexicon.zones.contains(&letters.as_str()) {
            return None;
        }
        if stopped {
            cursor.step_back('.');
        }
        Some(Zone::Letters(letters))
    })
}

/// Consumes a UTC offset directly after the time: `+05:30`.
fn offset(cursor: &mut Cursor<'_>) -> Option<Zone> {
    let behind = cursor.eat_char(|c| matches!(c, '+' | '-' | '−'))? != '+';
    let hours = cursor.digits(2..=2)?.parse().ok().filter(|hours| *hours <= 14)?;
    let minutes = sixtieth(cursor, ":")?;
    Some(Zone::Offset { behind, hours, minutes })
}

/// Consumes a military time: `0800 hours`, `1630 hrs`.
fn military(lexicon: &Lexicon, cursor: &mut Cursor<'_>) -> Option<TimeOfDay> {
    let time_of_day = four_digits(cursor)?;
    cursor.spaces();
    let unit = cursor.letters()?;
    let is = |class| lexicon.words.of(unit).has(class);
    let is_padded = is(WordClass::HourWords) && time_of_day.hour < 10;
    (is_padded || is(WordClass::HourAbbreviations)).then_some(time_of_day)
}

/// A duration of minutes and seconds with a fraction of a second: `1:29.179`.
pub(crate) fn find_lap(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let minutes = Number::whole(cursor.digits(1..=2)?);
    cursor.eat(":")?;
    let whole = cursor.digits(2..=2).filter(|seconds| *seconds < "60")?;
    cursor.eat(".")?;
    let fraction = Some(cursor.digits(1..=3)?.to_owned());
    let integer = whole.trim_start_matches('0');
    let seconds = Number {
        integer: if integer.is_empty() { "0" } else { integer }.to_owned(),
        fraction,
        ..Number::default()
    };
    let opens = boundaries::opens(context.before) && !context.before.ends_with([':', '.']);
    (opens && cursor.at_word_end())
        .then(|| (cursor.at(), SemioticClass::Sequence(vec![minutes, seconds])))
}

fn duration(cursor: &mut Cursor<'_>) -> Option<Duration> {
    let hours = cursor.digits(1..=3)?.trim_start_matches('0');
    let hours = Some(Number::whole(if hours.is_empty() { "0" } else { hours }));
    let minutes = Some(sixtieth(cursor, ":")?);
    let seconds = Some(seconds(cursor)?);
    ends(cursor).then_some(Duration { hours, minutes, seconds })
}

/// A duration whose parts have letters: `2h 15m 30s`.
pub(crate) fn find_lettered(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let duration = lettered(&mut cursor)?;
    boundaries::opens(context.before).then(|| (cursor.at(), SemioticClass::Duration(duration)))
}

fn lettered(cursor: &mut Cursor<'_>) -> Option<Duration> {
    let hours = part(cursor, "h");
    let hours = hours.map(|hours| {
        Number::whole(if hours == "00" { "0" } else { hours.trim_start_matches('0') })
    });
    let minutes = part(cursor, "m").and_then(|minutes| minutes.parse().ok());
    // `2h30`
    let minutes = minutes.or_else(|| {
        hours.as_ref()?;
        cursor.attempt(|cursor| {
            let minutes = cursor.digits(2..=2)?.parse().ok()?;
            cursor.at_word_end().then_some(minutes)
        })
    });
    let seconds = part(cursor, "s").and_then(|seconds| seconds.parse().ok()).map(Number::of);
    if cursor.at_digit() {
        cursor.step_back(' ');
    }
    let parts = [hours.is_some(), minutes.is_some(), seconds.is_some()];
    let is_duration = parts.iter().filter(|part| **part).count() > 1 && cursor.at_word_end();
    is_duration.then_some(Duration { hours, minutes, seconds })
}

fn part<'a>(cursor: &mut Cursor<'a>, letter: &str) -> Option<&'a str> {
    cursor.attempt(|cursor| {
        let digits = cursor.digits(1..=2)?;
        cursor.eat(letter)?;
        // Consume white space only before another part.
        let _ = cursor.attempt(|cursor| {
            cursor.eat(" ")?;
            cursor.at_digit().then_some(())
        });
        Some(digits)
    })
}

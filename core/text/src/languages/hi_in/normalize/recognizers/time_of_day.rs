//! Recognizes times of day: `6:15 बजे`, `5.30 बजे`, `शाम 5 PM`.

use super::super::lexicon;
use crate::normalize::prelude::*;
use crate::normalize::time_of_day;

/// A time of day with an optional "बजे", or a duration with colons.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let lexicon = context.lexicon();
    // `UTC+5:30`
    let zone = context.before.strip_suffix(['+', '-', '−']).unwrap_or_default();
    if zone.ends_with("UTC") || zone.ends_with("GMT") {
        let hours = Number::whole(cursor.digits(1..=2)?);
        cursor.eat(":")?;
        let minutes = Number::whole(cursor.digits(2..=2)?);
        let value = SemioticClass::Sequence(vec![hours, minutes]);
        return cursor.at_number_end().then(|| (cursor.at(), value));
    }
    let found = cursor
        .attempt(dotted)
        .or_else(|| cursor.attempt(|cursor| told(context, cursor)))
        .or_else(|| time_of_day::scan(lexicon, &mut cursor, false))
        .or_else(|| time_of_day::scan(lexicon, &mut cursor, true))
        .or_else(|| cursor.attempt(hour));
    let Some(mut time_of_day) = found else { return time_of_day::find(context) };
    // `Voice note (0:47)`
    if context.rest.starts_with("0:")
        && context.before.ends_with('(')
        && cursor.rest().starts_with(')')
        && let (None, Some(second)) = (&time_of_day.second, time_of_day.minute)
    {
        let seconds = Some(Number::of(second));
        let duration = Duration { hours: None, minutes: None, seconds };
        return Some((cursor.at(), SemioticClass::Duration(duration)));
    }
    if let Some(duration) = cursor.attempt(|cursor| hours(&time_of_day, cursor)) {
        return Some((cursor.at(), SemioticClass::Duration(duration)));
    }
    if time_of_day.half.is_none() {
        time_of_day.half = cursor.attempt(half);
    }
    cursor.attempt(o_clock);
    if names_part_of_day(context.before) {
        time_of_day.half = None;
    }
    Some((cursor.at(), SemioticClass::TimeOfDay(time_of_day)))
}

/// A range of times with full stops, or with an hour as its end: `5.30-6.30 बजे`, `5:30-7 बजे`.
/// Before a postposition and a second time, only the first: `10.30 से 12.30 बजे`.
pub(in super::super) fn find_dotted_range(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let time = cursor.attempt(hour_and_minute)?;
    let low_length = cursor.at();
    if until(&mut context.advanced(low_length).cursor()).is_some() {
        return Some((low_length, SemioticClass::TimeOfDay(time)));
    }
    let low = SemioticClass::TimeOfDay(time);
    cursor.spaces().eat_char(is_dash)?;
    cursor.spaces();
    let ends = [low_length, cursor.at()];
    let high = match cursor.attempt(hour_before_o_clock) {
        Some(hour) => SemioticClass::Number(hour),
        None => {
            let high = SemioticClass::TimeOfDay(cursor.attempt(dotted)?);
            cursor.attempt(o_clock);
            high
        }
    };
    Some((cursor.at(), SemioticClass::range(Connector::To, [low, high], ends)))
}

/// Consumes the `7` of `5:30-7 बजे`, but not the word for o'clock.
fn hour_before_o_clock(cursor: &mut Cursor<'_>) -> Option<Number> {
    let hour = Number::whole(cursor.digits(1..=2)?);
    let mut ahead = *cursor;
    o_clock(&mut ahead).map(|()| hour)
}

/// Consumes `5.30`, only before the word for o'clock.
fn dotted(cursor: &mut Cursor<'_>) -> Option<TimeOfDay> {
    let time_of_day = hour_and_minute(cursor)?;
    let mut ahead = *cursor;
    o_clock(&mut ahead).or_else(|| half(&mut ahead).map(|_| ()))?;
    Some(time_of_day)
}

/// Consumes `से 12.30 बजे` after the first of two times.
fn until(cursor: &mut Cursor<'_>) -> Option<()> {
    cursor.gap()?;
    cursor.eat("से")?;
    cursor.gap()?;
    cursor.attempt(hour_and_minute).map(|_| ()).or_else(|| cursor.digits(1..=2).map(|_| ()))?;
    o_clock(cursor)
}

/// Consumes `11.45` in the context of a time: `अभी 11.45 हुए हैं`, `रात के 11.45 पर`.
fn told(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<TimeOfDay> {
    let time_of_day = hour_and_minute(cursor).filter(|time| time.hour > 0)?;
    let mut words =
        words_back(context.before).filter(|word| !lexicon::lists(WordClass::BeforeToldTime, word));
    let word = words.next()?;
    let next = first_word(cursor.rest());
    let is_part_of_day = lexicon::lists(WordClass::PartOfDay, word);
    let is_now = lexicon::lists(WordClass::Now, word) && lexicon::lists(WordClass::HasStruck, next);
    let fits = context.before.ends_with(' ')
        && cursor.at_number_end()
        && (is_now || is_part_of_day && lexicon::lists(WordClass::AfterToldTime, next));
    fits.then_some(time_of_day)
}

/// A position (`12:45/1:03:20`), a total (`कुल अवधि 1:45:30`), or seconds left (`00:29`).
pub(in super::super) fn find_length(context: &MatchContext<'_>) -> Found {
    if !opens(context.before) || context.before.ends_with([':', '/', '-', '.']) {
        return None;
    }
    let mut cursor = context.cursor();
    let (low, parts) = colons(&mut cursor)?;
    let low_length = cursor.at();
    let second = cursor.attempt(|cursor| {
        cursor.spaces().eat("/")?;
        cursor.spaces();
        let start = cursor.at();
        colons(cursor).map(|(high, _)| (start, high))
    });
    if let Some((high_start, high)) = second {
        let (times, ends) = ([low, high].map(SemioticClass::Duration), [low_length, high_start]);
        let range = SemioticClass::range(Connector::Juxtaposed, times, ends);
        let fits = cursor.at_number_end() && context.mentions(WordClass::Played);
        return fits.then(|| (cursor.at(), range));
    }
    let is_length = || {
        let mut words = words_back(context.before).take(3);
        words.any(|word| context.is(word, WordClass::LengthLabel))
    };
    let value = SemioticClass::Duration(low.clone());
    if parts == 3 && cursor.at_number_end() && (is_length() || context.mentions(WordClass::Played))
    {
        return Some((low_length, value));
    }
    let are_seconds = parts == 2 && low.minutes.is_none() && low.seconds.is_some();
    if !are_seconds || !cursor.at_number_end() {
        return None;
    }
    let is_named = cursor.attempt(|cursor| {
        cursor.gap()?;
        let word = first_word(cursor.rest());
        cursor.eat(word).filter(|()| context.is(word, WordClass::Seconds))
    });
    let follows_o_clock = first_word(cursor.rest()) == "बजे";
    (is_named.is_some() || !follows_o_clock && context.mentions(WordClass::Countdown))
        .then(|| (cursor.at(), value))
}

/// Consumes minutes and seconds, or hours too, with colons; returns the number of parts as well.
fn colons(cursor: &mut Cursor<'_>) -> Option<(Duration, usize)> {
    let first: u8 = cursor.digits(1..=2)?.parse().ok()?;
    let second = time_of_day::sixtieth(cursor, ":")?;
    let third = time_of_day::sixtieth(cursor, ":");
    let some = |value: u8| Some(value).filter(|value| *value > 0);
    let number = |value: u8| some(value).map(Number::of);
    let hours = || number(first);
    Some(match third {
        Some(third) => {
            (Duration { hours: hours(), minutes: some(second), seconds: number(third) }, 3)
        }
        None if first == 0 || second > 0 => {
            (Duration { hours: None, minutes: some(first), seconds: number(second) }, 2)
        }
        None => (Duration { hours: None, minutes: some(first), seconds: None }, 2),
    })
}

fn hour_and_minute(cursor: &mut Cursor<'_>) -> Option<TimeOfDay> {
    let hour = cursor.digits(1..=2)?.parse().ok().filter(|hour| *hour <= 24)?;
    cursor.eat_char(|c| matches!(c, '.' | ':'))?;
    let minute = cursor.digits(2..=2)?.parse().ok().filter(|minute| *minute < 60)?;
    Some(TimeOfDay { hour, minute: Some(minute), ..TimeOfDay::default() })
}

/// Consumes the word for hours or minutes after `1:45`, which makes it a duration.
fn hours(time_of_day: &TimeOfDay, cursor: &mut Cursor<'_>) -> Option<Duration> {
    cursor.gap()?;
    let word = first_word(cursor.rest());
    if word == "मिनट" && time_of_day.half.is_none() && time_of_day.second.is_none() {
        cursor.eat(word)?;
        return Some(Duration {
            hours: None,
            minutes: Some(time_of_day.hour),
            seconds: time_of_day.minute.map(Number::of),
        });
    }
    let minutes = time_of_day
        .minute
        .filter(|_| time_of_day.half.is_none() && lexicon::lists(WordClass::Hours, word))?;
    cursor.eat(word)?;
    let hours = (time_of_day.hour > 0).then(|| Number::of(time_of_day.hour));
    let minutes = (minutes > 0).then_some(minutes);
    Some(Duration { hours, minutes, seconds: time_of_day.second.clone() })
}

/// Consumes an hour before a.m. or p.m. in Devanagari: `5 पीएम`.
fn hour(cursor: &mut Cursor<'_>) -> Option<TimeOfDay> {
    let hour = cursor.digits(1..=2)?.parse().ok().filter(|hour| *hour <= 12)?;
    let half = Some(half(cursor)?);
    Some(TimeOfDay { hour, half, ..TimeOfDay::default() })
}

fn half(cursor: &mut Cursor<'_>) -> Option<DayPeriod> {
    cursor.spaces();
    let forms = [
        ("एएम", DayPeriod::Am),
        ("ए.एम.", DayPeriod::Am),
        ("पीएम", DayPeriod::Pm),
        ("पी.एम.", DayPeriod::Pm),
    ];
    let half = forms.into_iter().find_map(|(form, half)| cursor.eat(form).map(|()| half))?;
    cursor.at_word_end().then_some(half)
}

fn o_clock(cursor: &mut Cursor<'_>) -> Option<()> {
    cursor.spaces();
    cursor.eat("बजे")?;
    cursor.at_word_end().then_some(())
}

/// Whether one of the previous three words names the part of the day.
pub(super) fn names_part_of_day(before: &str) -> bool {
    let words = before.trim_end().rsplit(|c: char| !is_inner(c) && c != '-');
    words
        .filter(|word| !word.is_empty())
        .take(3)
        .any(|word| lexicon::lists(WordClass::PartOfDay, word))
}

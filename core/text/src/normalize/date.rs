//! Recognizes dates: in words, in digits, and partial ones.

use super::condition::Place;
use super::prelude::*;
use super::range;
use super::time_of_day;
use super::year;

/// A date that begins with its month or its weekday: `Jan. 15, 2020`.
pub(crate) fn find_in_words(context: &MatchContext<'_>) -> Found {
    if let Some((length, date)) = month_first(context) {
        return Some(
            logged(context, length, &date)
                .unwrap_or_else(|| with_last_date(context, length, SemioticClass::Date(date))),
        );
    }
    month_range(context).or_else(|| weekday(context))
}

/// A date that begins with digits: `25 July`, `11/17/05`, `2024-12-25T10:30`.
pub(crate) fn find_in_digits(context: &MatchContext<'_>) -> Found {
    // `RAID 0/1/5/10`, `6/9/12 माह`: a list of alternatives.
    let slashed = run(context.rest, |c| c.is_ascii_digit() || c == '/');
    let counted = first_word(&context.rest[slashed..]);
    let is_choice = slashed < 9 && context.is(counted, WordClass::ChoiceOfLengths);
    if context.before.ends_with('/') || is_choice {
        return None;
    }
    let (length, date) = day_first(context)
        .or_else(|| three_parts(context))
        .or_else(|| month_and_year(context))
        .or_else(|| two_parts(context))?;
    let mut cursor = context.cursor_after(length);
    let moment = cursor.attempt(|cursor| {
        cursor.eat("T").or_else(|| cursor.eat(" "))?;
        let time_of_day = time_of_day::scan(context.lexicon(), cursor, true)?;
        cursor.attempt(|cursor| {
            cursor.gap()?;
            context.eat(cursor, WordClass::OClock).filter(|()| cursor.at_word_end())
        });
        Some(time_of_day)
    });
    // `9/3 9:00am–10:30am`: the time begins a range.
    let begins_range = cursor
        .rest()
        .trim_start()
        .strip_prefix(['-', '–'])
        .is_some_and(|end| end.trim_start().starts_with(is_digit));
    Some(match moment {
        Some(time_of_day) if time_of_day.minute.is_some() && !begins_range => {
            (cursor.at(), SemioticClass::DateTime(Box::new(date), time_of_day))
        }
        _ => with_last_date(context, length, SemioticClass::Date(date)),
    })
}

/// A date and time with seconds, as in logs: `Mar 5 09:41:12`.
fn logged(context: &MatchContext<'_>, length: usize, date: &Date) -> Found {
    let mut cursor = context.cursor_after(length);
    cursor.eat(" ")?;
    let is_padded = cursor.rest().bytes().take_while(u8::is_ascii_digit).count() == 2;
    let time_of_day = time_of_day::scan(context.lexicon(), &mut cursor, true)?;
    let fits = is_padded && date.day.is_some() && time_of_day.second.is_some();
    fits.then(|| (cursor.at(), SemioticClass::DateTime(Box::new(date.clone()), time_of_day)))
}

fn month_first(context: &MatchContext<'_>) -> Option<(usize, Date)> {
    let mut cursor = context.cursor();
    let month = month(context, &mut cursor)?;
    let day_first = context.lexicon().day_first;
    let mut date = Date { month: Some(month), day_first, ..Date::default() };
    cursor.gap().or_else(|| cursor.eat("-")).or_else(|| cursor.eat(", "))?;
    if let Some(day) = cursor.attempt(|cursor| day(context, cursor)) {
        date.day = Some(day);
        date.last_day = cursor.attempt(|cursor| last_day(context, cursor, day));
        date.year = cursor.attempt(following_year);
        let is_open = date.year.is_none();
        if is_open
            && (is_cut(context, &cursor) || is_doubtful(context, &context.rest[..cursor.at()]))
        {
            return None;
        }
    } else if is_doubtful(context, &context.rest[..cursor.at()]) {
        return None;
    } else {
        date.year = Some(cursor.attempt(four_digits).or_else(|| short_year(&mut cursor))?);
    }
    Some((cursor.at(), date))
}

/// The date, or a range that begins with it: `Jan 1 - Feb 3`.
fn with_last_date(
    context: &MatchContext<'_>,
    length: usize,
    low: SemioticClass,
) -> (usize, SemioticClass) {
    let mut cursor = context.cursor_after(length);
    let high = cursor.attempt(|cursor| {
        cursor.spaces().eat_char(|c| matches!(c, '-' | '–' | '—'))?;
        cursor.spaces();
        let mut place = context.advanced(cursor.at());
        let start = cursor.at();
        let weekday = weekday_before_date(context, cursor, &mut place);
        let (length, date) = month_first(&place)
            .or_else(|| day_first(&place))
            .or_else(|| three_parts(&place))
            .or_else(|| slashed_day(&place, &low))?;
        let length = cursor.at() - start + length;
        Some((start, length, SemioticClass::Date(Date { weekday, ..date })))
    });
    let Some((high_start, high_length, high)) = high else { return (length, low) };
    let range = SemioticClass::range(Connector::To, [low, high], [length, high_start]);
    (high_start + high_length, range)
}

/// Consumes the weekday of a date: `Sun 3/23`.
fn weekday_before_date<'a>(
    context: &MatchContext<'a>,
    cursor: &mut Cursor<'a>,
    place: &mut MatchContext<'a>,
) -> Option<u8> {
    let weekday = cursor.attempt(|cursor| {
        let weekday = short_weekday(place, cursor)?;
        cursor.gap()?;
        cursor.at_digit().then_some(weekday)
    })?;
    *place = context.advanced(cursor.at());
    Some(weekday)
}

/// The `7/5` after a date with a slash: `7/1-7/5`.
fn slashed_day(context: &MatchContext<'_>, first: &SemioticClass) -> Option<(usize, Date)> {
    let SemioticClass::Date(Date { year: None, day: Some(_), day_first, .. }) = first else {
        return None;
    };
    let mut cursor = context.cursor();
    let date = slashed_parts(&mut cursor, *day_first)?;
    Some((cursor.at(), date))
}

/// A month and a day with a slash between, in the given order.
fn slashed_parts(cursor: &mut Cursor<'_>, day_first: bool) -> Option<Date> {
    let first: u8 = cursor.digits(1..=2)?.parse().ok()?;
    cursor.eat("/")?;
    let second: u8 = cursor.digits(1..=2)?.parse().ok()?;
    let (month, day) = if day_first { (second, first) } else { (first, second) };
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
    let date = Date::of_day(day, month, day_first);
    (is_date && cursor.at_word_end() && !cursor.rest().starts_with('/')).then_some(date)
}

/// A range of two dates with a dash between: `7/1-7/5`, `12/30 – 1/2`.
pub(crate) fn find_slashed_range(context: &MatchContext<'_>) -> Found {
    let day_first = context.lexicon().day_first;
    let mut cursor = context.cursor();
    let low = slashed_parts(&mut cursor, day_first)?;
    let low_length = cursor.at();
    let spaced = cursor.gap().is_some();
    cursor.eat_char(|c| matches!(c, '-' | '–' | '—'))?;
    if cursor.gap().is_some() != spaced {
        return None;
    }
    let high_start = cursor.at();
    let mut place = context.advanced(high_start);
    let weekday = weekday_before_date(context, &mut cursor, &mut place);
    let high = Date { weekday, ..slashed_parts(&mut cursor, day_first)? };
    // `1/4-1/2 cup`: fractions with common denominators.
    let is_part = |date: &Date| {
        let (upper, lower) =
            if day_first { (date.day, date.month) } else { (date.month, date.day) };
        upper < lower && matches!(lower, Some(2 | 3 | 4 | 8 | 16 | 32))
    };
    let fits = boundaries::opens(context.before)
        && !context.before.ends_with(['/', '-', '.', '$'])
        && !(is_part(&low) && is_part(&high));
    let (dates, ends) = ([low, high].map(SemioticClass::Date), [low_length, high_start]);
    fits.then(|| (cursor.at(), SemioticClass::range(Connector::To, dates, ends)))
}

/// Whether the digits after a month are no day: a longer number, a unit or a counted noun follows.
fn is_cut(context: &MatchContext<'_>, cursor: &Cursor<'_>) -> bool {
    let written = &context.rest[..cursor.at()];
    let is_word = context.is(first_word(written), WordClass::MonthWords);
    let rest = cursor.rest().trim_start();
    // `Jan. 6-mo. bill`
    let is_compound =
        |rest: &str| rest.strip_prefix('-').is_some_and(|after| after.starts_with(is_lower));
    rest.starts_with(['%', '°'])
        || is_compound(cursor.rest())
        || is_word && context.is(first_word(rest), WordClass::CountedAfterMonth)
}

/// Consumes the name of a month.
fn month(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<u8> {
    cursor.attempt(|cursor| {
        let name = cursor.letters().filter(|name| name.len() >= 3)?;
        let number = *context.lexicon().months.get(name.to_ascii_lowercase().as_str())?;
        if name.len() <= 4 {
            cursor.eat(".");
        }
        Some(number)
    })
}

/// Whether a month is an ordinary word, such as `may`, without context that confirms the month.
fn is_doubtful(context: &MatchContext<'_>, written: &str) -> bool {
    let is_word = written
        .split(|c: char| !c.is_alphabetic())
        .any(|word| context.lexicon().words.of(word).has(WordClass::MonthWords));
    let is_told = context.before.trim().is_empty() || context.follows(WordClass::BeforeDate);
    is_word && !is_told
}

/// Consumes the day of a month, with an optional ordinal suffix.
fn day(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<u8> {
    let day = day_before_month(context, cursor)?;
    let mut chars = cursor.rest().chars();
    let (next, then) = (chars.next(), chars.next());
    let goes_on = match next {
        Some('.' | ',' | ':') => then.is_some_and(is_digit),
        Some('/') => true,
        Some(c) => c.is_alphanumeric(),
        None => false,
    };
    (!goes_on).then_some(day)
}

fn day_before_month(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<u8> {
    let day: u8 = cursor.digits(1..=2)?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let _ = cursor
        .attempt(|cursor| context.is(cursor.letters()?, WordClass::OrdinalEndings).then_some(()));
    Some(day)
}

fn last_day(context: &MatchContext<'_>, cursor: &mut Cursor<'_>, first: u8) -> Option<u8> {
    cursor.spaces().eat_char(|c| matches!(c, '-' | '–' | '—'))?;
    cursor.spaces();
    let last = day(context, cursor)?;
    (last > first && !cursor.rest().starts_with('-')).then_some(last)
}

/// Consumes the year after a day: `, 2024`, `-2024`, ` '24`.
fn following_year(cursor: &mut Cursor<'_>) -> Option<Year> {
    let _ = cursor.eat(",").or_else(|| cursor.eat("."));
    if cursor.gap().is_none() {
        cursor.eat("-").or_else(|| cursor.eat("/"))?;
    }
    cursor.attempt(four_digits).or_else(|| short_year(cursor))
}

fn four_digits(cursor: &mut Cursor<'_>) -> Option<Year> {
    let digits = cursor.digits(4..=4).filter(|digits| ("1000".."2999").contains(digits))?;
    let ends = cursor.at_word_end() && (cursor.at_number_end() || cursor.rest().starts_with('-'));
    ends.then(|| Year::of(digits))
}

fn short_year(cursor: &mut Cursor<'_>) -> Option<Year> {
    cursor.attempt(|cursor| {
        cursor.eat_char(|c| matches!(c, '\'' | '’' | '‘'))?;
        let digits = cursor.digits(2..=2)?;
        cursor.at_word_end().then(|| Year::of(digits))
    })
}

/// `25th of July, 2012`, `5-7 May`, `05-Jan-24`.
fn day_first(context: &MatchContext<'_>) -> Option<(usize, Date)> {
    let mut cursor = context.cursor();
    let first = day_before_month(context, &mut cursor)?;
    let last = cursor.attempt(|cursor| last_day(context, cursor, first));
    let connector = cursor.eat_char(|c| matches!(c, '-' | '/'));
    if connector.is_none() {
        cursor.spaces();
    }
    cursor.attempt(|cursor| {
        context.eat(cursor, WordClass::Of)?;
        cursor.gap()
    });
    let month = month(context, &mut cursor)?;
    let year = cursor.attempt(following_year).or_else(|| {
        cursor.attempt(|cursor| {
            cursor.eat(connector?.encode_utf8(&mut [0; 4]))?;
            let digits = cursor.digits(2..=2)?;
            cursor.at_number_end().then(|| Year::of(digits))
        })
    });
    let written = &context.rest[..cursor.at()];
    let is_ordinal = written.trim_start_matches(is_digit).starts_with(char::is_alphabetic);
    if year.is_none() && !is_ordinal && is_doubtful(context, written) {
        return None;
    }
    let date = Date {
        day: Some(first),
        last_day: last,
        month: Some(month),
        year,
        day_first: true,
        has_article: has_article(context),
        ..Date::default()
    };
    cursor.at_word_end().then_some((cursor.at(), date))
}

/// Whether a day-first date needs no article: one precedes, or its name does, `Happy 4th of July`.
fn has_article(context: &MatchContext<'_>) -> bool {
    let word = last_word(context.before);
    context.is(word, WordClass::Article) || context.is(word, WordClass::BeforeHoliday)
}

/// Three numbers with the same separator: year first, or month and day in the order that is valid.
fn three_parts(context: &MatchContext<'_>) -> Option<(usize, Date)> {
    let mut cursor = context.cursor();
    let first = cursor.digits(1..=4)?;
    let mark = cursor.eat_char(|c| matches!(c, '/' | '-' | '.'))?;
    let second = cursor.digits(1..=2)?;
    cursor.eat_char(|c| c == mark)?;
    let third = cursor.digits(1..=4)?;
    let goes_on = match cursor.peek() {
        Some('T') => false,
        Some(c) => {
            c.is_alphanumeric()
                || c == mark
                    && !cursor.rest()[1..].is_empty()
                    && cursor.rest()[1..].starts_with(is_digit)
                // `12/3/2016-JCA`: a file number.
                || c == '-' && run(&cursor.rest()[1..], is_upper) > 1
        }
        None => false,
    };
    if goes_on {
        return None;
    }
    // `10-10-10` of a fertilizer.
    if mark == '-' && first.len() < 3 && context.mentions(WordClass::Fertilizer) {
        return None;
    }
    let value = |digits: &str| digits.parse::<u8>().ok();
    let leads_with_day = context.lexicon().day_first;
    let (year, month, day, day_first) = match (first.len(), third.len()) {
        (4, 1 | 2) => (first, value(second)?, value(third)?, leads_with_day),
        (1 | 2, 4) | (2, 2) | (1, 2)
            if third.len() == 4
                || mark == '/'
                || mark == '-' && leads_with_day
                || first.len() + second.len() == 4 =>
        {
            let (first, second) = (value(first)?, value(second)?);
            let is_day = first > 12 || leads_with_day && second <= 12;
            if is_day { (third, second, first, true) } else { (third, first, second, false) }
        }
        _ => return None,
    };
    let is_valid = (1..=12).contains(&month) && (1..=31).contains(&day);
    let year = Some(Year::of(year));
    let date = Date {
        day: Some(day),
        month: Some(month),
        year,
        day_first,
        has_article: context.is(last_word(context.before), WordClass::Article),
        ..Date::default()
    };
    is_valid.then_some((cursor.at(), date))
}

/// A month and a year: `03/2024`.
fn month_and_year(context: &MatchContext<'_>) -> Option<(usize, Date)> {
    let mut cursor = context.cursor();
    let month = cursor.digits(1..=2)?.parse().ok().filter(|month| (1..=12).contains(month))?;
    cursor.eat("/")?;
    let year = four_digits(&mut cursor);
    let year = year.filter(|year| ("1900".."2101").contains(&year.digits.as_str()))?;
    Some((cursor.at(), Date::of_month(month, Some(year))))
}

/// The month and year of an expiry: `exp. 08/27`. An offer ends on a day: `free thru 10/31`.
pub(crate) fn find_expiry(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let month = cursor.digits(2..=2)?.parse().ok().filter(|month| (1..=12).contains(month))?;
    cursor.eat("/")?;
    let digits = cursor.digits(2..=2).filter(|digits| ("20".."60").contains(digits))?;
    let before = context.before.trim_end_matches([' ', ':', '.', ',']);
    let label = last_word(before);
    let previous = last_word(before[..before.len() - label.len()].trim_end());
    let is_about_card = context.mentions(WordClass::Card);
    let expires = (is_about_card || !context.mentions(WordClass::Offer))
        && (context.is(label, WordClass::BeforeExpiry)
            || context.is(label, WordClass::BeforeLastDay)
                && (is_about_card || context.is(previous, WordClass::BeforeExpiry)));
    let year = Some(Year::of(format!("20{digits}")));
    let date = Date::of_month(month, year);
    (expires && cursor.at_number_end()).then(|| (cursor.at(), SemioticClass::Date(date)))
}

/// `3/4` as a date: after a cue, or if it is no common fraction.
fn two_parts(context: &MatchContext<'_>) -> Option<(usize, Date)> {
    if boundaries::follows_block(context.before) {
        return None;
    }
    let mut cursor = context.cursor();
    let first = cursor.digits(1..=2)?;
    cursor.eat("/")?;
    let second = cursor.digits(1..=2)?;
    if !cursor.at_number_end() {
        return None;
    }
    if context.is(&context.rest[..cursor.at()], WordClass::SlashedNames) {
        return None;
    }
    let leads_with_day = context.lexicon().day_first;
    let (first, second) = (first.parse::<u8>().ok()?, second.parse::<u8>().ok()?);
    let is_dated = context.follows(WordClass::BeforeDate)
        || ends_in_weekday(context)
        || cursor.rest().starts_with(' ')
            && context.is(first_word(cursor.rest()), WordClass::AfterDate);
    let is_fraction =
        matches!(second, 16 | 20 | 25 | 30) || second < 13 || context.mentions(WordClass::Rating);
    let (month, day, day_first) = match (first, second) {
        (1..=31, 1..=12) if leads_with_day && is_dated => (second, first, true),
        _ if leads_with_day => return None,
        (1..=12, 1..=31) if is_dated || !is_fraction => (first, second, false),
        (13..=31, 1..=12) if is_dated => (second, first, true),
        _ => return None,
    };
    Some((cursor.at(), Date::of_day(day, month, day_first)))
}

fn ends_in_weekday(context: &MatchContext<'_>) -> bool {
    let word =
        last_word(context.before.trim_end_matches('(').trim_end().trim_end_matches(['.', ',']));
    context.lexicon().weekdays.contains_key(word.to_ascii_lowercase().as_str())
}

/// A range of months: `Jan-Mar 2024`.
fn month_range(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let (months, ends) = spaced_pair(&mut cursor, |cursor| month(context, cursor))?;
    let year = cursor.attempt(following_year);
    let [low, high] = months;
    let dates = [Date::of_month(low, None), Date::of_month(high, year)].map(SemioticClass::Date);
    let range = SemioticClass::range(Connector::To, dates, ends);
    cursor.at_word_end().then(|| (cursor.at(), range))
}

/// Consumes two values with a dash between and optional spaces.
fn spaced_pair<'a>(
    cursor: &mut Cursor<'a>,
    value: impl Fn(&mut Cursor<'a>) -> Option<u8>,
) -> Option<([u8; 2], [usize; 2])> {
    cursor.attempt(|cursor| {
        let low = value(cursor)?;
        let end = cursor.at();
        cursor.spaces().eat_char(is_dash)?;
        let start = cursor.spaces().at();
        Some(([low, value(cursor)?], [end, start]))
    })
}

/// An abbreviated weekday before a date, a time or another weekday.
fn weekday(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let date = |weekday| SemioticClass::Date(Date::on(weekday));
    let range = spaced_pair(&mut cursor, |cursor| short_weekday(context, cursor));
    if let Some((weekdays, ends)) = range.filter(|_| cursor.at_word_end()) {
        let range = SemioticClass::range(Connector::To, weekdays.map(date), ends);
        return Some((cursor.at(), range));
    }
    cursor = context.cursor();
    let low = short_weekday(context, &mut cursor)?;
    let low_length = cursor.at();
    // `Sat. Fat 1g`
    let is_fat =
        context.is(first_word(context.rest[low_length..].trim_start_matches('.')), WordClass::Fat);
    let is_day =
        !is_fat && (is_before_time(context, cursor) || is_weekday_alone(context, low_length));
    is_day.then(|| {
        // A full stop that ends the sentence is not consumed.
        let stop = usize::from(!context.rest[low_length..].contains(char::is_alphanumeric));
        let stop = if context.rest[..low_length].ends_with('.') { stop } else { 0 };
        (low_length - stop, date(low))
    })
}

/// An abbreviated month beside another: `Jan/Apr/Jul`, `Mar. & Apr.`
pub(crate) fn find_month_in_row(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let name = cursor.letters().filter(|name| (3..=4).contains(&name.len()))?;
    let months = &context.lexicon().months;
    let month = *months.get(name.to_ascii_lowercase().as_str())?;
    let _ = cursor.eat(".");
    let is_month = |word: &str| {
        word.len() > 2
            && word.starts_with(char::is_uppercase)
            && months.contains_key(word.to_ascii_lowercase().as_str())
    };
    let rest = cursor.rest();
    let joined = WordClass::JointOfMonths.strip_prefix(rest);
    let before = WordClass::JointOfMonths.strip_suffix(context.before);
    let is_in_row = joined.is_some_and(|next| is_month(first_word(next)))
        || before.is_some_and(|before| is_month(last_word(before.trim_end_matches('.'))));
    let starts = context.before.ends_with([' ', '/', '(']) || context.before.is_empty();
    let fits = name.starts_with(char::is_uppercase)
        && starts
        && is_in_row
        && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-')
        && !rest.trim_start().starts_with(is_digit);
    let date = SemioticClass::Date(Date::of_month(month, None));
    fits.then(|| (cursor.at(), date))
}

/// Weekdays as letters: `M–F`, `T/W/Th`, `Tu/Th`.
pub(crate) fn find_weekday_letters(context: &MatchContext<'_>) -> Found {
    if !boundaries::opens(context.before)
        || context.before.ends_with(['-', '–', '/', '.', '\'', '@'])
    {
        return None;
    }
    let mut cursor = context.cursor();
    let is_joint = |c| is_dash(c) || c == '/';
    let ([first, second], ends) =
        cursor.pair(is_joint, |cursor| weekday_letters(context, cursor))?;
    let [low_length, high_start] = ends;
    let is_list = context.rest[low_length..].starts_with('/');
    let mut third = false;
    while is_list && cursor.eat("/").is_some() && weekday_letters(context, &mut cursor).is_some() {
        third = true;
    }
    cursor.step_back('/');
    let written = &context.rest[..cursor.at()];
    // `M/F` is male or female, and `T-S` a name: such letters need a longer weekday beside them.
    let is_sure = match is_list {
        true => third || low_length > 1 || written.len() - high_start > 1,
        false => {
            second > first
                && context.lexicon().weekday_ranges.contains(&written.replace('–', "-").as_str())
        }
    };
    let closes = cursor.at_word_end() && !cursor.rest().starts_with(['/', '-', '–', '&', '\'']);
    let date = |weekday| SemioticClass::Date(Date::on(weekday));
    let found = match is_list {
        true => (low_length, date(first)),
        false => {
            let range = SemioticClass::range(Connector::To, [first, second].map(date), ends);
            (cursor.at(), range)
        }
    };
    (is_sure && closes).then_some(found)
}

/// A later weekday of such a list, including the slash before it: `T/W/Th`.
pub(crate) fn find_later_weekday_letters(context: &MatchContext<'_>) -> Found {
    let list = context.before.strip_suffix('/')?;
    let start = list.len() - boundaries_back(list);
    let place = context.at(start);
    // The list begins at its first letters.
    find_weekday_letters(&place)?;
    let mut cursor = context.cursor();
    let weekday = weekday_letters(context, &mut cursor)?;
    let value = SemioticClass::Date(Date::on(weekday));
    cursor.at_word_end().then(|| (cursor.at(), value))
}

/// The length of letters and slashes at the end of a text.
fn boundaries_back(text: &str) -> usize {
    text.bytes().rev().take_while(|b| b.is_ascii_alphabetic() || *b == b'/').count()
}

fn weekday_letters(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<u8> {
    cursor.attempt(|cursor| {
        let letters = cursor.letters()?;
        let found = context.lexicon().weekday_letters.iter().find(|(known, _)| *known == letters);
        found.map(|(_, weekday)| *weekday)
    })
}

/// Whether an abbreviated weekday is meant: it has a full stop or is no ordinary word, or it is
/// like `Sun` after a cue or among weekdays.
fn is_weekday_alone(context: &MatchContext<'_>, length: usize) -> bool {
    let name = context.rest[..length].trim_end_matches('.');
    let after = &context.rest[length..];
    let is_alone = boundaries::opens(context.before)
        && !context.before.ends_with(['-', '\'', '’', '.', '@', '#'])
        && !after.starts_with(['-', '\'', '’', '@', '&']);
    let is_capitals = name.len() > 2 && name.bytes().all(|b| b.is_ascii_uppercase());
    if !is_alone || is_capitals {
        return false;
    }
    if name.len() < 3 {
        return is_short_weekday(context, name, length);
    }
    let place = Place { context, written: name, stopped: length > name.len(), after };
    let is_word = context.is(name, WordClass::WeekdayWords);
    !is_word || !place.stands(NO_WEEKDAY) && place.stands(WEEKDAY)
}

/// Whether two letters are a weekday, after a cue or among others: `Tu 4 mi, Th 6 mi`.
fn is_short_weekday(context: &MatchContext<'_>, name: &str, length: usize) -> bool {
    let letters = &context.lexicon().weekday_letters;
    let is_short = |word: &str| word.len() == 2 && letters.iter().any(|(known, _)| *known == word);
    // `Fr. Mulcahy`
    let is_title = context.rest[..length].ends_with('.')
        && context.rest[length..].trim_start().starts_with(char::is_uppercase);
    let words = context.text().split(|c: char| !c.is_alphabetic());
    let is_among = || words.filter(|word| is_short(word)).count() > 1;
    !is_title && is_short(name) && (is_among() || context.follows(WordClass::BeforeWeekday))
}

/// The positions in which a word that also abbreviates a weekday is one, and in which it is none.
const WEEKDAY: &str = "weekday";
const NO_WEEKDAY: &str = "no-weekday";

fn short_weekday(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<u8> {
    cursor.attempt(|cursor| {
        let name = cursor.letters().filter(|name| name.len() <= 5)?;
        let number = *context.lexicon().weekdays.get(name.to_ascii_lowercase().as_str())?;
        let stopped = cursor.eat(".").is_some();
        // `per mo.` is a month.
        let stopped = stopped && !WordClass::MonthOrDay.has(name);
        (stopped || name.starts_with(char::is_uppercase)).then_some(number)
    })
}

fn is_before_time(context: &MatchContext<'_>, mut cursor: Cursor<'_>) -> bool {
    cursor.eat(",");
    let spaced = cursor.gap().is_some();
    let bracketed = cursor.eat("(").is_some();
    let name = first_word(cursor.rest()).to_ascii_lowercase();
    let dated = bracketed || context.lexicon().months.contains_key(name.as_str());
    spaced
        && (cursor.at_digit() && (bracketed || is_time_or_date(context, &cursor))
            || dated && !name.is_empty() && !bracketed)
}

/// Whether a time or date begins at the cursor.
fn is_time_or_date(context: &MatchContext<'_>, cursor: &Cursor<'_>) -> bool {
    let place = context.advanced(cursor.at());
    find_in_digits(&place).is_some()
        || time_of_day::find(&place).is_some()
        || range::find(&place).is_some()
        || year::find_ordinal_day(&place)
}

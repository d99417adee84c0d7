//! Proposals: readings that no context confirms. They only contest the matches of recognizers.
//!
//! Each tests only the shape of a token; the model weighs the context.

use crate::normalize::number;
use crate::normalize::prelude::*;
use crate::normalize::time_of_day;

/// Two numbers with a slash between and no further number on either side.
fn slashed<'a>(context: &MatchContext<'a>) -> Option<(usize, &'a str, &'a str)> {
    let mut cursor = context.cursor();
    let first = cursor.digits(1..=4)?;
    cursor.eat("/")?;
    let second = cursor.digits(1..=4)?;
    let is_term = context.before.ends_with('(')
        && cursor.rest().starts_with(')')
        && context.text().contains(['=', 'π', '√']);
    // `2/3 + 1/6 = 5/6`
    let is_reckoned = context.before.trim_end().ends_with(['=', '+', '×', '÷', '<', '>']);
    let opens =
        !is_term && !is_reckoned && !context.before.ends_with(['/', '.', ',', '$', '€', '£', '₹']);
    // `6/9/12 माह`
    let goes_on = cursor.rest().strip_prefix('/').is_some_and(|after| after.starts_with(is_digit));
    (opens && cursor.at_number_end() && !goes_on).then(|| (cursor.at(), first, second))
}

/// Two numbers with `joint` bytes between.
fn pair(connector: Connector, first: &str, second: &str, joint: usize) -> SemioticClass {
    let numbers = [first, second].map(SemioticClass::number);
    SemioticClass::range(connector, numbers, [first.len(), first.len() + joint])
}

/// Two numbers with a slash between that are no date, since no weekday precedes.
fn slashed_no_date<'a>(context: &MatchContext<'a>) -> Option<(usize, &'a str, &'a str)> {
    let before = last_word(context.before.trim_end_matches(['.', ',', ' '])).to_lowercase();
    let follows_weekday = context.lexicon().weekdays.contains_key(before.as_str());
    slashed(context).filter(|_| !follows_weekday)
}

/// A number out of another: `3/10 files`.
pub(crate) fn out_of(context: &MatchContext<'_>) -> Found {
    let (length, got, of) =
        slashed_no_date(context).filter(|_| !boundaries::follows_block(context.before))?;
    Some((length, SemioticClass::Score { got: Number::whole(got), of: Number::whole(of) }))
}

/// `1/4` as the fourth of January or the first of April: a quarter of a year has no month.
pub(crate) fn day_and_month(context: &MatchContext<'_>) -> Found {
    let (length, first, second) =
        slashed(context).filter(|_| !boundaries::follows_block(context.before))?;
    let value = |digits: &str| digits.parse::<u8>().ok();
    let (first, second) = (value(first)?, value(second)?);
    let leads_with_day = context.lexicon().day_first;
    let (day, month, day_first) = match (first, second) {
        (1..=31, 1..=12) if leads_with_day => (first, second, true),
        (1..=12, 1..=31) => (second, first, false),
        (13..=31, 1..=12) => (first, second, true),
        _ => return None,
    };
    Some((length, SemioticClass::Date(Date::of_day(day, month, day_first))))
}

/// A number over another: `120/80`.
pub(crate) fn over(context: &MatchContext<'_>) -> Found {
    let (length, systolic, diastolic) = slashed_no_date(context)?;
    let is_pressure = systolic.len() >= 2 && (2..=3).contains(&diastolic.len());
    let [systolic, diastolic] = [systolic, diastolic].map(Number::whole);
    is_pressure.then_some((length, SemioticClass::BloodPressure { systolic, diastolic }))
}

/// Any number over another, as in `118/4` of a plot or `6/6` of eyes. Only for languages with one
/// word for all of these slashes.
pub(crate) fn divided(context: &MatchContext<'_>) -> Found {
    let (length, first, second) = slashed(context)?;
    let is_padded =
        [first, second].iter().any(|digits| digits.len() > 1 && digits.starts_with('0'));
    let [systolic, diastolic] = [first, second].map(Number::whole);
    (!is_padded).then_some((length, SemioticClass::BloodPressure { systolic, diastolic }))
}

/// Runs for wickets: `250/8`.
pub(crate) fn wickets(context: &MatchContext<'_>) -> Found {
    let (length, runs, wickets) = slashed(context).or_else(|| declared(context))?;
    let is_formula = context.text().contains(['=', 'π', '√']);
    let is_score = !is_formula
        && !boundaries::follows_block(context.before)
        && (wickets.parse::<u8>().is_ok_and(|wickets| wickets <= 10)
            // `5/33`: a bowler's wickets for runs.
            || runs.parse::<u8>().is_ok_and(|wickets| wickets <= 10)
                && context.topic_classes().contains(&"cricket"));
    is_score.then(|| (length, pair(Connector::For, runs, wickets, 1)))
}

/// Runs and wickets of a declared innings: `250/8d`.
fn declared<'a>(context: &MatchContext<'a>) -> Option<(usize, &'a str, &'a str)> {
    let mut cursor = context.cursor();
    let runs = cursor.digits(2..=4)?;
    cursor.eat("/")?;
    let wickets = cursor.digits(1..=2)?;
    let length = cursor.at();
    cursor.eat("d")?;
    cursor.at_word_end().then_some((length, runs, wickets))
}

/// Betting odds: `6/1`.
pub(crate) fn odds(context: &MatchContext<'_>) -> Found {
    let (length, win, stake) = slashed_no_date(context)?;
    Some((length, pair(Connector::Ratio, win, stake, 1)))
}

/// Two numbers in sequence: `24/7`, `50/50`.
pub(crate) fn sequence(context: &MatchContext<'_>) -> Found {
    let (length, first, second) = slashed_no_date(context)?;
    let numbers = [first, second].map(Number::whole).to_vec();
    Some((length, SemioticClass::Sequence(numbers)))
}

/// The digits of an identifier: `482913`, `0034`, or after a mask, `****5678`.
pub(crate) fn digits(context: &MatchContext<'_>) -> Found {
    let length = run(context.rest, is_digit);
    let is_long = length >= 3 && boundaries::opens(context.before);
    let after = &context.rest[length..];
    // `750+` is a minimum.
    let is_least = after.strip_prefix('+').is_some_and(closes);
    let ends = closes_number(after) && !is_least;
    let signed = context.before.ends_with(['.', ',', '$', '€', '£', '₹', '+', '/', ':']);
    // `5 * 25 = 125`
    let sum = context.before.trim_end().strip_suffix('=').unwrap_or_default();
    let is_reckoned = sum.contains(['*', '×', '÷', '+', '^', '√', '·']);
    // `101 से 150 तक`
    let is_end_of_range =
        WordClass::BetweenEnds.strip_prefix(after).is_some_and(|high| high.starts_with(is_digit));
    if !is_long || !ends || signed || is_reckoned || is_end_of_range {
        return None;
    }
    let code_parts = CodeParts::of_digits(&context.rest[..length]);
    Some((length, SemioticClass::Alphanumeric(code_parts)))
}

/// Three or four digits in pairs: `flight 2043`, `Room 415`.
pub(crate) fn pairs(context: &MatchContext<'_>) -> Found {
    let length = run(context.rest, is_digit);
    let ends = closes_number(&context.rest[length..]);
    let digits = &context.rest[..length];
    let after = context.rest[length..].trim_start();
    let is_amount =
        after.len() < context.rest.len() - length && context.lexicon().unit(after).is_some();
    let fits = (3..=4).contains(&length) && !digits.starts_with('0') && ends && !is_amount;
    fits.then(|| (length, SemioticClass::DigitPairs(digits.into())))
}

/// Four digits as a year, even where a year is unlikely: before 1100, or before a counted noun.
pub(crate) fn year(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(4..=4)?;
    let fits = cursor.at_number_end() && ("1000".."2100").contains(&digits);
    let year = Year::of(digits);
    fits.then_some((4, SemioticClass::Year(year)))
}

/// A plain number instead of the digits of an identifier.
pub(crate) fn cardinal(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor)?;
    // A unit of several letters is nearly always a unit.
    let after = cursor.rest().strip_prefix(' ').unwrap_or_default();
    let is_measured = context
        .lexicon()
        .unit(after)
        .is_some_and(|(unit, length)| unit.usage == UnitUsage::Any && length > 1);
    (cursor.at_number_end() && !is_measured).then(|| (cursor.at(), SemioticClass::Number(number)))
}

/// Digits and spelled letters: `23B`, `9W`, `4A`.
pub(crate) fn code(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(1..=4)?;
    let letters = cursor.take_while(is_latin_letter).filter(|l| l.len() <= 3)?;
    let ends = closes_number(cursor.rest()) && boundaries::opens(context.before);
    let signed = context.before.ends_with(['.', ',', '$', '€', '£', '₹', '/', ':']);
    let is_multiple = matches!(letters, "x" | "X");
    let is_of_bytes = WordClass::Bytes.has(letters);
    if !ends
        || signed
        || is_multiple
        || is_of_bytes
        || letters.len() > 1 && !letters.bytes().all(|b| b.is_ascii_uppercase())
    {
        return None;
    }
    let mut code_parts = CodeParts::default();
    if digits.len() > 2 {
        code_parts.pairs(digits, 0);
    } else {
        code_parts.number(digits, 0);
    }
    code_parts.letters(&letters.to_ascii_uppercase(), digits.len());
    Some((cursor.at(), SemioticClass::Alphanumeric(code_parts)))
}

/// Minutes with the symbol of meters: `15m`.
pub(crate) fn minutes(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor)?;
    cursor.eat(" ");
    cursor.eat("m")?;
    let is_part = cursor.rest().starts_with(['/', '^', '·', '*']);
    // Long times rarely have a one-letter unit, but races of that many meters are common.
    let is_few = number.value().is_some_and(|minutes| minutes < 100);
    let ends = cursor.at_word_end() && number.is_whole() && is_few && !is_part;
    let (unit, _) = context.lexicon().unit("min")?;
    let amount = Some(Amount::of(number));
    let is_attributive = cursor.rest().starts_with('-');
    let measure = Measure { amount, unit: Some(unit), per: None, is_attributive };
    ends.then(|| (cursor.at(), SemioticClass::Measure(measure)))
}

/// A letter as a magnitude: `10K`, `16B`.
pub(crate) fn magnitude(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor)?;
    let letter = cursor.take_while(is_latin_letter)?;
    // `1.5T` is tons or teslas.
    let is_usual = letter.len() == 1 && !matches!(letter, "T" | "l");
    let (magnitude, _) = *context.lexicon().magnitude_letters.get(letter).filter(|_| is_usual)?;
    let quantity = Quantity::Number(number);
    let amount = Some(Amount { quantity, magnitudes: vec![magnitude] });
    let measure = Measure::of(amount, None);
    let ends = cursor.at_word_end() && !cursor.rest().starts_with(['/', '^', '·', '*']);
    ends.then(|| (cursor.at(), SemioticClass::Measure(measure)))
}

/// `3:48`: the minutes and seconds of a song or a race.
pub(crate) fn duration(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let minutes = cursor.digits(1..=2)?.parse().ok();
    let seconds = time_of_day::sixtieth(&mut cursor, ":")?;
    let opens =
        boundaries::opens(context.before) && !context.before.ends_with([':', '-', '–', '/']);
    let minutes = minutes.filter(|minutes| *minutes > 0);
    let seconds = (seconds > 0 || minutes.is_none()).then(|| Number::of(seconds));
    let ends = cursor.at_number_end() && !cursor.rest().starts_with([':', '-', '–']);
    let value = SemioticClass::Duration(Duration { hours: None, minutes, seconds });
    (opens && ends).then(|| (cursor.at(), value))
}

/// A time with the first letter of a.m. or p.m.: `3:07p`, `9a`.
pub(crate) fn short_time(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let hour = cursor.digits(1..=2)?.parse().ok().filter(|hour| (1..=12).contains(hour))?;
    let minute = time_of_day::sixtieth(&mut cursor, ":");
    let half = match cursor.eat_char(|c| matches!(c, 'a' | 'p'))? {
        'a' => DayPeriod::Am,
        _ => DayPeriod::Pm,
    };
    let time = TimeOfDay { hour, minute, half: Some(half), ..TimeOfDay::default() };
    cursor.at_word_end().then(|| (cursor.at(), SemioticClass::TimeOfDay(time)))
}

/// A single number before a spaced dash, instead of a range: `$50 - 20% off`.
pub(crate) fn before_dash(context: &MatchContext<'_>) -> Found {
    let is_value = |(length, value): &(usize, SemioticClass)| {
        let after = &context.rest[*length..];
        let is_spaced = after.starts_with(char::is_whitespace)
            && after.trim_start().starts_with(number::is_minus);
        !matches!(value, SemioticClass::Range(_)) && is_spaced
    };
    let finders = [
        crate::normalize::money::find_leading,
        crate::normalize::money::find_trailing,
        crate::normalize::measure::find,
        crate::normalize::fraction::find,
        number::find,
    ];
    finders.iter().find_map(|find| find(context).filter(is_value))
}

/// A score, or a chapter and verse: `3-2`.
pub(crate) fn score(context: &MatchContext<'_>) -> Found {
    let mut cursor: Cursor<'_> = context.cursor();
    let first = cursor.digits(1..=3)?;
    let joint = cursor.eat_char(|c| matches!(c, '-' | '–' | ':'))?;
    let second = cursor.digits(1..=3)?;
    // `pp. 201-34`
    let label = last_word(context.before.trim_end_matches(['.', ' ']));
    let is_of_pages = context.is(label, WordClass::PagesOrLines);
    // `5-7 bus. days`
    let kind = first_word(cursor.rest());
    let counted = cursor.rest().trim_start().strip_prefix(kind).unwrap_or_default();
    let is_of_days = context.is(kind, WordClass::KindOfDay)
        && WordClass::Day.strip_prefix(counted.trim_start_matches(['.', ' '])).is_some();
    let opens = boundaries::opens(context.before)
        && !context.before.ends_with(['-', '–', ':', '/'])
        && !is_of_pages
        && !is_of_days;
    let ends = cursor.at_number_end() && !cursor.rest().starts_with(joint);
    (opens && ends)
        .then(|| (cursor.at(), pair(Connector::Juxtaposed, first, second, joint.len_utf8())))
}

/// A proportion: `1:10`, one to ten.
pub(crate) fn proportion(context: &MatchContext<'_>) -> Found {
    let (length, _) = score(context)?;
    let (first, second) = context.rest[..length].split_once(':')?;
    Some((length, pair(Connector::Ratio, first, second, 1)))
}

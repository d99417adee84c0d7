//! Recognizes ranges whose values are spoken in sequence, and ranges of months and weekdays.

use super::super::lexicon;
use super::time_of_day;
use crate::normalize::prelude::*;
use crate::normalize::range;
use crate::normalize::roman;

/// Two values with a connector, read according to their context.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Found {
    let (length, value) = range::find(context)?;
    let SemioticClass::Range(mut range) = value else { return Some((length, value)) };
    // `शाम 4:30-6 pm`
    if let SemioticClass::TimeOfDay(high) = &mut range.high
        && time_of_day::names_part_of_day(context.before)
    {
        high.half = None;
    }
    let length = length + o_clock(&range, &context.rest[length..]);
    let rest = &context.rest[length..];
    let in_row = match range.connector {
        Connector::Ratio => is_in_proportion(rest) || is_of_game(context, rest),
        Connector::To => {
            is_share(&range, rest)
                || is_score(context, &range, rest)
                || is_season(context.before, &range)
        }
        _ => false,
    };
    if in_row {
        range.connector = Connector::Juxtaposed;
    }
    Some((length, SemioticClass::Range(range)))
}

/// The length of the word for o'clock after a time of day, whose words already include it.
fn o_clock(range: &Range, rest: &str) -> usize {
    let mut cursor = Cursor::new(rest);
    cursor.spaces();
    let is_said = matches!(range.high, SemioticClass::TimeOfDay(_)) && cursor.eat("बजे").is_some();
    if is_said && cursor.at_word_end() { cursor.at() } else { 0 }
}

/// Whether a ratio is meant: `3:2 के अनुपात में`.
fn is_in_proportion(rest: &str) -> bool {
    let mut cursor = Cursor::new(rest);
    cursor.spaces().letters();
    first_word(cursor.rest()) == "अनुपात" || first_word(rest) == "अनुपात"
}

/// Whether it is a score between two teams, in a sentence about a game: `पटना 36:29 यूपी`.
fn is_of_game(context: &MatchContext<'_>, rest: &str) -> bool {
    let is_team = |word: &str| word.chars().count() > 1 && !lexicon::is_postposition(word);
    let is_beside_teams = context.before.ends_with(' ')
        && is_team(last_word(context.before))
        && rest.starts_with(' ')
        && is_team(first_word(rest));
    is_beside_teams && context.mentions(WordClass::Game) && first_word(rest) != "अनुपात"
}

/// Whether it is a share for each: `2-2 लोग`. `9-9 खुला` is a range of hours.
fn is_share(range: &Range, rest: &str) -> bool {
    let are_hours = first_word(rest).starts_with("खुल") || first_word(rest) == "बजे";
    let high = match &range.high {
        SemioticClass::Measure(Measure { amount: Some(amount), .. })
        | SemioticClass::Money(Money { amount: Some(amount), .. }) => match &amount.quantity {
            Quantity::Number(number) => Some(SemioticClass::Number(number.clone())),
            Quantity::Fraction(_) => None,
        },
        _ => None,
    };
    let is_same = range.low == *high.as_ref().unwrap_or(&range.high);
    matches!(&range.low, SemioticClass::Number(_)) && is_same && !are_hours
}

/// Whether it is a score: `2-1 से जीता`.
fn is_score(context: &MatchContext<'_>, range: &Range, rest: &str) -> bool {
    let are_numbers =
        matches!((&range.low, &range.high), (SemioticClass::Number(_), SemioticClass::Number(_)));
    let next = first_word(rest);
    // `6-3, 4-6, 7-5 से`
    let goes_on = rest.strip_prefix(", ").is_some_and(|next| next.starts_with(is_digit));
    let fits = next.is_empty() || lexicon::is_postposition(next) || goes_on;
    are_numbers && fits && context.mentions(WordClass::Game)
}

/// Whether `2006-07` is one season, even without context.
fn is_season(before: &str, range: &Range) -> bool {
    let is_short = |value: &SemioticClass| matches!(value, SemioticClass::Year(year) if year.digits.starts_with('0'));
    if follow_each_other(range) && is_short(&range.high) {
        return true;
    }
    let mut words = before.rsplit(|c: char| !is_inner(c)).filter(|word| !word.is_empty()).take(3);
    follow_each_other(range) && {
        let known = &lexicon::lexicon().words;
        words.any(|word| known.of(word).has(WordClass::BeforeHalfYears))
    }
}

fn follow_each_other(range: &Range) -> bool {
    let (SemioticClass::Year(low), SemioticClass::Year(high)) = (&range.low, &range.high) else {
        return false;
    };
    let last_two = |year: &Year| year.digits.get(year.digits.len() - 2..)?.parse::<u8>().ok();
    match (last_two(low), last_two(high)) {
        (Some(low), Some(high)) => (low + 1) % 100 == high,
        _ => false,
    }
}

/// A chapter and verse, with an optional last verse: `गीता 2.47`, `यूहन्ना 3:16`, `2.47-50`.
pub(in super::super) fn find_verse(context: &MatchContext<'_>) -> Found {
    // Names of books that are also names of women.
    const NAMES: &[&str] = &["गीता", "gita", "मानस"];
    let book = last_word(context.before.trim_end());
    if !context.before.ends_with(' ') || !context.is(book, WordClass::Scripture) {
        return None;
    }
    let mut cursor = context.cursor();
    let mut numbers = vec![Number::whole(cursor.digits(1..=3)?)];
    let mark = cursor.peek().filter(|c| matches!(c, '.' | ':'))?;
    while let Some(number) = cursor.attempt(|cursor| {
        cursor.eat_char(|c| c == mark)?;
        cursor.digits(1..=3)
    }) {
        numbers.push(Number::whole(number));
    }
    let low_length = cursor.at();
    let last = cursor.attempt(|cursor| {
        cursor.eat_char(is_dash)?;
        let at = cursor.at();
        Some((at, Number::whole(cursor.digits(1..=3)?)))
    });
    let noun = first_word(cursor.rest());
    let is_amount = lexicon::is_counted(noun) || cursor.rest().starts_with('%');
    let is_hour = mark == ':' && is_one_of(book, NAMES) && !is_read(cursor.rest());
    if numbers.len() < 2 || is_amount || is_hour || !cursor.at_number_end() {
        return None;
    }
    let low = SemioticClass::Sequence(numbers);
    let Some((high_start, high)) = last else { return Some((low_length, low)) };
    let high = SemioticClass::Number(high);
    let range = SemioticClass::range(Connector::To, [low, high], [low_length, high_start]);
    Some((cursor.at(), range))
}

/// Whether the text after a verse is about a book: `गीता 2:47 पढ़िए`, `गीता 2:47 का अर्थ`.
fn is_read(after: &str) -> bool {
    const VERBS: [&str; 8] = ["पढ़", "पढ", "सुन", "समझ", "याद", "लिख", "बोल", "देख"];
    let word = first_word(after);
    let next = first_word(after.trim_start().strip_prefix(word).unwrap_or_default());
    word.is_empty()
        || is_one_of(word, &["का", "श्लोक", "कहती", "कहता", "padhiye", "padho"])
        || VERBS.iter().any(|verb| word.starts_with(verb))
        || word == "के" && is_one_of(next, &["अनुसार", "अर्थ", "श्लोक", "भाव"])
        || word == "में" && !is_one_of(next, &["आएगी", "आई", "आती", "मिलेगी"])
}

/// The hyphen between months, weekdays, dates, years of an era or numerals: `जनवरी-मार्च`,
/// `24 जन.-1 फर.`, `300 ई.पू.-100 ई.`, `I-IV`.
pub(in super::super) fn find_joint(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    cursor.eat_char(|c| matches!(c, '-' | '–' | '—'))?;
    let length = cursor.at();
    let is_stop = |c: char| matches!(c, '.' | '॰');
    let led = context.before.trim_end();
    let low = last_word(led.trim_end_matches(is_stop));
    let high = first_word(cursor.rest());
    let after = cursor.rest().trim_start().strip_prefix(high).unwrap_or_default();
    let is_month =
        |word, stopped: bool| lexicon::is_month(word) || stopped && lexicon::is_short_month(word);
    // `मई 2023 - जून 2024`
    let is_year = low.len() == 4 && low.bytes().all(|b| b.is_ascii_digit());
    let month_of_year =
        || last_word(led[..led.len() - low.len()].trim_end_matches([' ', ',', '.']));
    let low_is_month =
        is_month(low, led.ends_with(is_stop)) || is_year && is_month(month_of_year(), true);
    let ends_era = ["ई.पू.", "ई. पू.", "ई."].iter().any(|era| led.ends_with(era));
    let fits = low_is_month
        && (is_month(high, after.starts_with(is_stop)) || is_day_of_month(cursor.rest()))
        || ends_era && cursor.at_digit()
        || are_numerals(low, high)
        || lexicon::is_weekday(low) && lexicon::is_weekday(high);
    fits.then_some((length, SemioticClass::Operator(Operator::To)))
}

/// Whether `text` is a day of a month: `1 फर.`, `5 मई`.
fn is_day_of_month(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.spaces();
    let day = cursor.digits(1..=2);
    cursor.spaces();
    let word = first_word(cursor.rest());
    day.is_some() && (lexicon::is_month(word) || lexicon::is_short_month(word))
}

/// Whether both are small Roman numerals in ascending order.
fn are_numerals(low: &str, high: &str) -> bool {
    let value = |word: &str| {
        roman::value(word).filter(|_| !word.is_empty() && word.bytes().all(|b| b"IVX".contains(&b)))
    };
    matches!((value(low), value(high)), (Some(low), Some(high)) if low < high)
}

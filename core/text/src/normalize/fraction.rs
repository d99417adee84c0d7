//! Recognizes fractions, ratings, and other numbers with a slash.

use unicode_normalization::UnicodeNormalization;

use super::math;
use super::prelude::*;

/// A fraction without a unit.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let fraction = scan(context, &mut cursor).or_else(|| spaced(&mut cursor))?;
    let numerator = &fraction.numerator;
    let is_improper = fraction.whole.is_none() && numerator.value() >= fraction.denominator.value();
    let slash = context.rest.find('/').unwrap_or_default();
    if is_improper && math::is_between_operands(context, slash) {
        return None;
    }
    Some((cursor.at(), SemioticClass::Fraction(fraction)))
}

/// Numbers with a slash that are names, such as `24/7`, and seasons, such as `2019/20`.
pub(crate) fn find_named(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let upper = Number::scan(&mut cursor)?;
    cursor.eat("/")?;
    let lower = Number::scan(&mut cursor).filter(Number::is_whole)?;
    if !cursor.at_number_end()
        || !boundaries::opens(context.before)
        || context.before.ends_with(['/', '.'])
    {
        return None;
    }
    let written = &context.rest[..cursor.at()];
    let is_named =
        is_memory(&upper, &lower, cursor.rest()) || context.is(written, WordClass::SlashedNames);
    let value = if is_named {
        SemioticClass::Sequence(vec![upper, lower])
    } else {
        season(&upper, &lower)?
    };
    Some((cursor.at(), value))
}

/// Whether two numbers before a unit are the memory and storage of a device: `8/128 GB`.
fn is_memory(memory: &Number, storage: &Number, rest: &str) -> bool {
    let unit = rest.trim_start_matches([' ', '\u{a0}']);
    let is_gigabytes = WordClass::Gigabyte.strip_prefix(unit).is_some();
    is_gigabytes
        && matches!(memory.value(), Some(2 | 3 | 4 | 6 | 8 | 12 | 16 | 18 | 24 | 32))
        && matches!(storage.value(), Some(32 | 64 | 128 | 256 | 512 | 1024))
        && memory.value() < storage.value()
}

/// A rating such as `8/10` in a review, or blood pressure such as `120/80`.
pub(crate) fn find_other(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let upper = Number::scan(&mut cursor)?;
    cursor.eat("/")?;
    let lower = Number::scan(&mut cursor)?;
    // `3.87/4.0`
    let is_decimal = upper.fraction.is_some()
        && upper.value() < lower.value()
        && lower.fraction.as_ref().is_none_or(|decimals| decimals.bytes().all(|b| b == b'0'))
        && !context.text().contains(['=', '+', '√', '^'])
        && !matches!(lower.value(), Some(0));
    if is_decimal
        && cursor.at_number_end()
        && cursor
            .rest()
            .chars()
            .nth(1)
            .is_none_or(|c| !c.is_alphabetic() || cursor.rest().starts_with(' '))
    {
        return Some((cursor.at(), SemioticClass::Score { got: upper, of: lower }));
    }
    let lower = Some(lower).filter(Number::is_whole)?;
    if !cursor.at_number_end() {
        return None;
    }
    // `3,450/5,000 XP`
    let is_grouped = [&upper, &lower].iter().any(|number| number.grouping != Grouping::None);
    let value = if is_grouped && upper.value() <= lower.value() {
        SemioticClass::Score { got: upper, of: lower }
    } else if lower.integer.len() > 1 && context.mentions(WordClass::Pressure) {
        SemioticClass::BloodPressure { systolic: upper, diastolic: lower }
    } else if context.mentions(WordClass::Cricket)
        && upper.value() > lower.value()
        && lower.value() <= Some(10)
    {
        return Some(runs(upper, lower, cursor.at()));
    } else if is_scale(&lower) && context.mentions(WordClass::Rating) {
        SemioticClass::Score { got: upper, of: lower }
    } else {
        return None;
    };
    Some((cursor.at(), value))
}

/// Two consecutive years: `2019/20`.
fn season(first: &Number, second: &Number) -> Option<SemioticClass> {
    let is_season = ("1100".."2100").contains(&first.integer.as_str())
        && first.integer.len() == 4
        && second.integer.len() == 2
        && first.value()? % 100 + 1 == second.value().unwrap_or_default();
    let years = [first, second].map(|year| SemioticClass::Year(Year::of(&year.integer)));
    is_season.then(|| SemioticClass::range(Connector::To, years, [4, 5]))
}

/// Runs for wickets: `287/6`.
fn runs(runs: Number, wickets: Number, length: usize) -> (usize, SemioticClass) {
    let high_start = length - wickets.integer.len();
    let numbers = [runs, wickets].map(SemioticClass::Number);
    (length, SemioticClass::range(Connector::For, numbers, [high_start - 1, high_start]))
}

/// Whether ratings use this scale.
fn is_scale(of: &Number) -> bool {
    matches!(
        of.value(),
        Some(5 | 7 | 10 | 15 | 20 | 25 | 30 | 40 | 50 | 60 | 75 | 80 | 100 | 500 | 1000)
    )
}

/// Consumes a fraction with an optional whole number: `3/4`, `2 1/2`, `2½`, `1/60th`.
pub(crate) fn scan(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Fraction> {
    if context.before.ends_with('/') {
        return None;
    }
    cursor.attempt(|cursor| {
        let negative = super::number::may_be_signed(context.before)
            && cursor.eat_char(super::number::is_minus).is_some();
        let whole = cursor.attempt(|cursor| whole(context, cursor));
        let (numerator, denominator) = sign(cursor).or_else(|| written(context, cursor))?;
        Some(Fraction { negative, whole, numerator, denominator })
    })
}

/// Consumes the whole number of a mixed fraction.
fn whole(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Number> {
    // `Wordle 1,024 4/6`: a number that large has no fraction.
    let number = Number::scan(cursor)
        .filter(|number| number.is_whole() && number.grouping == Grouping::None)?;
    if cursor.rest().starts_with(is_fraction_sign) {
        return Some(number);
    }
    cursor.gap().or_else(|| cursor.eat("-"))?;
    let mut ahead = *cursor;
    let (upper, lower) = sign(&mut ahead).or_else(|| written(context, &mut ahead))?;
    // `3-14/2023` is a file number.
    let is_proper = upper.value()? < lower.value()? && lower.integer.len() < 4;
    is_proper.then_some(number)
}

fn written(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<(Number, Number)> {
    let numerator = cursor.digits(1..=4)?;
    cursor.eat("/")?;
    let denominator = cursor.digits(1..=4)?;
    cursor.attempt(|cursor| {
        context.is(cursor.letters()?, WordClass::DenominatorEndings).then_some(())
    });
    let is_padded = |digits: &str| digits.starts_with('0');
    let ends = !cursor.at_digit() && !cursor.rest().starts_with('/') && is_end(cursor);
    (ends && !is_padded(numerator) && !is_padded(denominator))
        .then(|| (Number::whole(numerator), Number::whole(denominator)))
}

/// Whether a fraction may end here. A unit may follow.
fn is_end(cursor: &Cursor<'_>) -> bool {
    let mut chars = cursor.rest().chars();
    !matches!((chars.next(), chars.next()), (Some('.' | ','), Some('0'..='9')))
}

/// Consumes a fraction of numbers of 2 to 4 digits with a spaced slash: single digits are a choice.
fn spaced(cursor: &mut Cursor<'_>) -> Option<Fraction> {
    cursor.attempt(|cursor| {
        let numerator = Number::whole(cursor.digits(2..=4)?);
        cursor.eat(" / ")?;
        let denominator = Number::whole(cursor.digits(2..=4)?);
        let is_proper = numerator.value() < denominator.value();
        (cursor.at_number_end() && is_proper).then_some(Fraction {
            negative: false,
            whole: None,
            numerator,
            denominator,
        })
    })
}

fn is_fraction_sign(c: char) -> bool {
    matches!(c, '¼'..='¾' | '⅐'..='⅞' | '↉')
}

/// Consumes a fraction that is one character.
fn sign(cursor: &mut Cursor<'_>) -> Option<(Number, Number)> {
    let parts: String = cursor.eat_char(is_fraction_sign)?.nfkd().collect();
    let (upper, lower) = parts.split_once('\u{2044}')?;
    Some((Number::whole(upper), Number::whole(lower)))
}

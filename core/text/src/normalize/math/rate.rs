//! The slash of a rate: `rooms/night`, `160 mg/5 mL`.

use super::is_amount_start;
use crate::normalize::measure;
use crate::normalize::prelude::*;

/// The slash of a rate: `rooms/night`, `$85/player`, `160 mg/5 mL`, `60 req/min/IP`.
pub(crate) fn find_per(context: &MatchContext<'_>) -> Found {
    is_per(context, 0).then_some((1, SemioticClass::Operator(Operator::Per)))
}

/// Whether a slash `back` bytes before this position is the slash of a rate.
pub(crate) fn is_per(context: &MatchContext<'_>, back: usize) -> bool {
    let at = context.before.len() - back;
    let Some(after) = context.text()[at..].strip_prefix('/') else { return false };
    let before = &context.text()[..at];
    let start = context.at(at + 1);
    let is_word = after.starts_with(is_letter) && !after.starts_with(char::is_uppercase);
    let (_, length) = context.lexicon().unit(after).unzip();
    let is_unit = length.is_some_and(|length| !after[length..].starts_with(is_inner));
    let is_amount = || after.starts_with(is_digit) && measure::find(&start).is_some();
    if is_price(before) {
        return is_word || is_unit || is_amount() || after.starts_with(['$', '€', '£', '₹']);
    }
    let token = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    if is_same_amount(before, after) {
        return false;
    }
    let is_counted = before.ends_with(is_lower);
    let many = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    if is_counted && context.is(first_word(many), WordClass::Rates) {
        return true;
    }
    // The counted quantity: a number and its unit or noun.
    let number = token.trim_end_matches(['"', '″']).trim_end_matches(is_letter);
    let gap = token.len() < before.len() && number.is_empty();
    let counted = if gap { before[..before.len() - token.len()].trim_end() } else { number };
    let has_number = counted.ends_with(is_digit);
    // `I-80 E/W`
    let compass = &context.lexicon().compass;
    if compass.contains_key(token) && compass.contains_key(first_word(after)) {
        return false;
    }
    // `mg/kg/day`, but not `1st/last/sec. dep.`
    let last = token.rsplit('/').next().unwrap_or_default();
    // `2 lbs./100 sq. ft.`
    let is_stopped = token.ends_with('.')
        && context.lexicon().unit(token).is_some()
        && before.trim_end_matches(token).trim_end().ends_with(is_digit);
    if is_stopped && (is_unit || is_amount()) {
        return true;
    }
    let goes_on = token.len() > last.len() && context.lexicon().unit(last).is_some();
    let is_multiple = token.strip_suffix('x').is_some_and(|number| number.ends_with(is_digit));
    // `Limit 2/customer`
    let limit = last_word(before.trim_end_matches(token));
    let is_count = !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
    if is_word && is_count && context.is(limit, WordClass::Limit) {
        return true;
    }
    if is_unit && (is_pace(token) || is_power(token)) {
        return true;
    }
    if is_multiple && (is_unit || is_amount()) {
        return true;
    }
    let is_thing = before.ends_with(is_letter) && (has_number || goes_on);
    let counted = &token[number.len()..];
    // `160 mg/5 mL` is a rate, but `50 lb/23 kg` is one weight in two units.
    let is_dose = || context.is(counted, WordClass::Doses) && is_amount();
    is_thing
        && (is_unit
            || is_dose()
            || is_period(context, after)
            || goes_on && (WordClass::Counterpart.strip_prefix(after).is_some() || is_amount()))
}

/// Whether two amounts measure the same quantity in two units: `50 lb/23 kg`.
fn is_same_amount(before: &str, after: &str) -> bool {
    let unit = first_word(after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    after.starts_with(is_digit)
        && [WordClass::Weight, WordClass::Distance, WordClass::Speed, WordClass::ShortDistance]
            .iter()
            .any(|units| units.has(last_word(before)) && units.has(unit))
}

/// Whether an amount of time follows: `60 mL/24 hrs`.
fn is_period(context: &MatchContext<'_>, after: &str) -> bool {
    let period = after.trim_start_matches(is_digit);
    let unit = first_word(period.trim_start());
    period.len() < after.len() && context.is(unit, WordClass::Period)
}

/// The pace of a runner: `8:37/mi`.
fn is_pace(token: &str) -> bool {
    token.split_once(':').is_some_and(|(minutes, seconds)| {
        let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        (1..=2).contains(&minutes.len())
            && seconds.len() == 2
            && is_digits(minutes)
            && is_digits(seconds)
    })
}

/// A power of ten: `11.2 × 10^3/µL`.
fn is_power(token: &str) -> bool {
    token.split_once("10^").is_some_and(|(_, power)| power.parse::<i8>().is_ok())
}

/// Whether `before` ends in an amount of money with a sign: `₹62,500`.
pub(crate) fn is_price(before: &str) -> bool {
    let amount = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let amount = amount.trim_start_matches('(');
    let last = amount.rsplit(['-', '–']).next().unwrap_or_default();
    let is_money = |c: char| is_amount_start(c) && c != '.' && !c.is_ascii_digit();
    let is_number = last.trim_start_matches(is_money).starts_with(is_digit);
    let is_cents = amount.strip_suffix('¢').is_some_and(|cents| cents.ends_with(is_digit));
    is_cents || amount.starts_with(is_money) && is_number && !amount.contains('/')
}

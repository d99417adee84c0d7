//! Recognizes crosses between numbers: `1920×1080`, `3 x 4`, `2x`.

use super::contains_operator;
use crate::normalize::prelude::*;
use crate::normalize::{length, measure, number, plural};

/// The letter x between numbers: a dimension, a product, or a multiple.
pub(crate) fn find_cross(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    cursor.eat_char(|c| matches!(c, 'x' | 'X'))?;
    let before = context.before.trim_end();
    let before = without_side(before);
    let sized = before.ends_with(|c: char| {
        c.is_ascii_digit() || matches!(c, '"' | '\'' | '″' | '′' | '¼'..='¾' | '⅐'..='⅞')
    }) || ends_in_unit(context, before);
    if !sized {
        return None;
    }
    let after = cursor.rest();
    if has_price(before, after) {
        return Some((1, SemioticClass::Operator(Operator::Times)));
    }
    if after.trim_start().starts_with(is_digit) {
        let in_words = context.before.len() > before.len();
        if in_words && !after.starts_with(' ') {
            return None;
        }
        // "50 g x 2": a multiple.
        let is_multiple = in_words && ends_in_unit(context, before) && !is_measured(context, after);
        let is_product = in_words && contains_operator(after) || is_multiple;
        let operator = if is_product { Operator::Times } else { Operator::By };
        return Some((1, SemioticClass::Operator(operator)));
    }
    let word = first_word(after);
    let compares = context.is(word, WordClass::Comparisons);
    // `2x/day`
    let is_rate =
        after.strip_prefix('/').is_some_and(|after| context.lexicon().unit(after).is_some());
    if is_rate && context.before.len() == before.len() {
        return Some((1, SemioticClass::Operator(Operator::Times)));
    }
    (after.starts_with(' ') && compares).then_some((1, SemioticClass::Operator(Operator::Times)))
}

/// Whether an amount of money is on either side of a cross: `3 x ₹45`, `$4.50 x 3`.
pub(super) fn has_price(before: &str, after: &str) -> bool {
    let is_currency = |c: char| matches!(c, '$' | '₹' | '€' | '£' | '¥');
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let after = after.trim_start();
    after.starts_with(is_currency)
        || after.starts_with(is_digit) && number.trim_end().ends_with(is_currency)
}

/// Numbers with the letter x directly between: `1920x1080`, `2x4s`, `20x30 ft`.
pub(crate) fn find_dimension(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let low = Number::scan(&mut cursor).filter(|low| low.value() != Some(0))?;
    let low_length = cursor.at();
    cursor.eat_char(|c| matches!(c, 'x' | 'X' | '×'))?;
    let high_start = cursor.at();
    let place = context.advanced(high_start);
    let (length, high) = find_dimension(&place)
        .or_else(|| length::find(&place))
        .or_else(|| plural::find(&place))
        .or_else(|| measure::find(&place))
        .or_else(|| number::find(&place))?;
    let rest = &place.rest[length..];
    let is_reckoned =
        context.rest[low_length..].starts_with('×') && contains_operator(context.text());
    let goes_on = rest.starts_with(is_inner) || contains_operator(rest) || is_reckoned;
    let (values, ends) = ([SemioticClass::Number(low), high], [low_length, high_start]);
    (!goes_on).then(|| (high_start + length, SemioticClass::range(Connector::By, values, ends)))
}

/// The text without the name or letter of a side: `12" W`, `12 cm (W)`, `60 in. long`.
fn without_side(before: &str) -> &str {
    let length = WordClass::Side.strip_suffix(before).map(str::trim_end);
    length
        .filter(|length| {
            length.ends_with(['"', '\'', '″', '′', '.']) || length.ends_with(is_letter)
        })
        .unwrap_or(before)
}

pub(super) fn ends_in_unit(context: &MatchContext<'_>, before: &str) -> bool {
    let before = before.trim_end_matches('.');
    let start = before.trim_end_matches(is_letter);
    let number = start.trim_end();
    number.ends_with(is_digit) && context.lexicon().units.contains_key(&before[start.len()..])
}

/// Whether a cross is a dimension: digits on both sides without further operators, as in
/// `1920×1080`; a `3×3 matrix` in any formula.
pub(super) fn is_dimension(before: &str, after: &str) -> bool {
    let noun = first_word(after.trim_start_matches(is_digit));
    if before.ends_with(is_digit) && WordClass::Grid.has_any_case(noun) {
        return true;
    }
    before.ends_with(is_digit)
        && after.starts_with(is_digit)
        && !contains_operator(after)
        && !contains_operator(before)
}

/// Whether a cross is a paper size or an area: `8½ × 11`, `12 × 15 ft`. A mixed fraction has no
/// result after it, or both numbers share a unit of length.
pub(super) fn is_of_paper(context: &MatchContext<'_>, after: &str) -> bool {
    let is_fraction = |c: char| matches!(c, '¼'..='¾' | '⅐'..='⅞');
    let before = context.before.trim_end();
    let side = without_side(before);
    let follows_side = side.len() < before.len()
        && (side.ends_with(['"', '\'', '″', '′']) || ends_in_unit(context, side));
    let before = side;
    let unit = after.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_of_length = before.ends_with(is_digit)
        && (context.is(first_word(unit), WordClass::LengthUnit)
            || unit.starts_with(['"', '\'', '″', '′']));
    let is_marked = before.ends_with(['"', '\'', '″', '′']);
    (before.ends_with(is_fraction) || is_of_length || is_marked || follows_side)
        && after.trim_start().starts_with(is_digit)
        && !contains_operator(context.text())
}

/// `4 rows × 3 columns`
pub(super) fn is_grid(before: &str, after: &str) -> bool {
    let after = after.trim_start();
    let counted = after.trim_start_matches(is_digit);
    WordClass::RowOrColumn.has_any_case(last_word(before))
        && counted.len() < after.len()
        && WordClass::RowOrColumn.has_any_case(first_word(counted))
}

/// Whether a number here has a unit of its own.
fn is_measured(context: &MatchContext<'_>, after: &str) -> bool {
    let after = after.trim_start();
    let place = context.advanced(context.rest.len() - after.len());
    measure::find(&place).is_some() || length::find(&place).is_some()
}

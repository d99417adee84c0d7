//! Recognizes powers, ion charges, and scientific notation: `x^2`, `Ca^2+`, `1.5e-6`.

use crate::normalize::prelude::*;

/// `1.5e-6`, `3E8`.
pub(crate) fn find_scientific(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let mantissa = context.number(&mut cursor)?;
    let sign = cursor.eat_char(|c| matches!(c, 'e' | 'E'))?;
    let signed = cursor.rest().starts_with(['+', '-', '−']);
    cursor.eat("+");
    let exponent = Number::scan_signed(&mut cursor).filter(Number::is_whole)?;
    // `6E-2175` is a flight.
    let most = if sign == 'E' && mantissa.fraction.is_none() { 2 } else { 3 };
    let is_sure = (signed || mantissa.fraction.is_some()) && exponent.integer.len() <= most;
    (is_sure && cursor.at_number_end())
        .then(|| (cursor.at(), SemioticClass::Scientific { mantissa, exponent }))
}

/// Whether a number in scientific notation and a space precede: `5.97e24 `, `3 × 10^8 `.
pub(crate) fn ends_in_power_of_ten(before: &str) -> bool {
    let Some(number) = before.strip_suffix(' ') else { return false };
    let base = number.trim_end_matches(is_digit);
    let base = base.trim_end_matches(['-', '−', '+']);
    let is_short = base.strip_suffix(['e', 'E']).is_some_and(|base| base.ends_with(is_digit));
    let is_power = base.strip_suffix("10^").is_some_and(|base| !base.ends_with(is_inner));
    base.len() < number.len() && (is_short || is_power)
}

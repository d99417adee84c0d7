//! Recognizes powers, ion charges, and scientific notation: `x^2`, `Ca^2+`, `1.5e-6`.

use super::joins_operands;
use crate::normalize::cursor::{Cursor, is_inner, last_word};
use crate::normalize::fraction;
use crate::normalize::number::Number;
use crate::normalize::recognizer::MatchContext;
use crate::normalize::semiotic::{Exponent, Operator, SemioticClass};
use crate::words::WordClass;

/// `^2`, `^-3`, `^n`.
pub(super) fn power(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let is_spaced =
        context.rest.starts_with("** ") && joins_operands(context.before, &context.rest[2..]);
    let follows = |c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '∇');
    if !context.before.ends_with(follows) && !is_spaced {
        return None;
    }
    let mut cursor = context.cursor();
    cursor.eat("^").or_else(|| cursor.eat("**"))?;
    if is_spaced {
        cursor.spaces();
    }
    let bracketed = cursor.eat_char(|c| matches!(c, '(' | '{'));
    let fraction = bracketed.and_then(|_| cursor.attempt(|cursor| fraction::scan(context, cursor)));
    let exponent = match fraction {
        Some(fraction) => Exponent::Fraction(fraction),
        None if let Some(charge) = cursor.attempt(|cursor| charge(context.before, cursor)) => {
            charge
        }
        None if let Some(number) = Number::scan_signed(&mut cursor) => {
            let is_inverse = number.negative && number.value() == Some(1) && number.is_whole();
            let function = last_word(context.before);
            let is_function = function.chars().count() == 1
                && !function.starts_with(|c: char| c.is_ascii_digit())
                || context.is(function, WordClass::Function);
            if is_inverse && is_function && bracketed.is_none() {
                Exponent::Inverse
            } else {
                Exponent::Number(number)
            }
        }
        None => Exponent::Letter(cursor.eat_char(|c| c.is_ascii_alphabetic())?),
    };
    if bracketed.is_some() {
        cursor.eat_char(|c| matches!(c, ')' | '}'))?;
    }
    Some((cursor.at(), SemioticClass::Power(exponent)))
}

/// The power sign before brackets with more than a number: `(1 + r)^(nt)`.
pub(super) fn power_in_brackets(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let follows = |c: char| c.is_alphanumeric() || matches!(c, ')' | ']');
    let fits = context.rest.starts_with(['^'])
        && context.rest[1..].starts_with(['(', '{'])
        && context.before.ends_with(follows);
    fits.then_some((1, SemioticClass::Operator(Operator::ToThePower)))
}

/// The charge of an ion after its formula: `Ca^2+`, `Cl^-`.
pub(super) fn charge(before: &str, cursor: &mut Cursor<'_>) -> Option<Exponent> {
    let formula = last_word(before);
    let particle = formula.trim_start_matches(|c: char| c.is_ascii_digit());
    // `3OH^-`
    let is_formula = particle.starts_with(char::is_uppercase)
        || matches!(particle, "e" | "p" | "n" | "β" | "δ" | "μ" | "π");
    let count = cursor.digits(1..=1).unwrap_or_default();
    let sign = cursor.eat_char(|c| matches!(c, '+' | '-' | '−'))?;
    let charge = Exponent::Charge { count: count.parse().unwrap_or(1), is_negative: sign != '+' };
    (is_formula && formula.len() <= 6 && !cursor.at_digit()).then_some(charge)
}

/// `1.5e-6`, `3E8`.
pub(crate) fn find_scientific(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
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
    let is_digit = |c: char| c.is_ascii_digit();
    let base = number.trim_end_matches(is_digit);
    let base = base.trim_end_matches(['-', '−', '+']);
    let is_short = base.strip_suffix(['e', 'E']).is_some_and(|base| base.ends_with(is_digit));
    let is_power = base.strip_suffix("10^").is_some_and(|base| !base.ends_with(is_inner));
    base.len() < number.len() && (is_short || is_power)
}

//! Operators and powers in English.

use super::{joined, numbers, owned, quantities};
use crate::normalize::number::Number;
use crate::normalize::semiotic::{Exponent, Operator};

/// The words of an operator.
pub(super) fn operator(operator: Operator) -> &'static str {
    match operator {
        Operator::Minus => "minus",
        Operator::Times => "times",
        Operator::By => "by",
        Operator::DividedBy => "divided by",
        Operator::PlusOrMinus => "plus or minus",
        Operator::AtMost => "is less than or equal to",
        Operator::AtLeast => "is greater than or equal to",
        Operator::UpTo => "at most",
        Operator::From => "at least",
        Operator::MoreThan => "more than",
        Operator::NotEqual => "is not equal to",
        Operator::Equal => "equals",
        Operator::About => "about",
        Operator::Sharp => "sharp",
        Operator::Prime => "prime",
        Operator::PoundKey => "pound",
        Operator::Sections => "sections",
        Operator::DoublePrime => "double prime",
        Operator::Over => "over",
        Operator::StarKey => "star",
        Operator::Approaches => "approaches",
        Operator::To => "to",
        Operator::Factorial => "factorial",
        Operator::IntegralFrom => "the integral from",
        Operator::SumFrom => "the sum from",
        Operator::ProductFrom => "the product from",
        Operator::Of => "of",
        Operator::NotOut => "not out",
        Operator::Given => "given",
        Operator::And => "and",
        Operator::Or => "or",
        Operator::ToThePower => "to the power of",
        Operator::AbsoluteValue => "the absolute value of",
        Operator::Per => "per",
    }
}

/// `squared`, `to the sixth`, `to the power of minus three`.
pub(super) fn power(exponent: &Exponent) -> Vec<String> {
    let mut words = owned(["to", "the"]);
    match exponent {
        Exponent::Charge { count, is_negative } => {
            let count = numbers::cardinal((*count).into()).into_iter().filter(|_| *count > 1);
            let sign = if *is_negative { "minus" } else { "plus" };
            return owned(count.chain([sign]));
        }
        Exponent::Inverse => return owned(["inverse"]),
        Exponent::Fraction(fraction) => {
            words.extend(owned(["power", "of"]));
            words.extend(quantities::fraction(fraction));
        }
        Exponent::Letter(letter) => {
            words.extend(["power".into(), "of".into(), letter.to_string()]);
        }
        Exponent::Number(number) => match number.value().filter(|_| number.is_plain()) {
            Some(2) => return owned(["squared"]),
            Some(3) => return owned(["cubed"]),
            Some(n @ 4..=20) => {
                words.extend(numbers::ordinal(n));
                words.push("power".into());
            }
            _ => {
                words.extend(owned(["power", "of"]));
                words.extend(owned(quantities::number(number)));
            }
        },
    }
    words
}

/// `one point five times ten to the power of minus six`.
pub(super) fn scientific(mantissa: &Number, exponent: &Number) -> Vec<String> {
    joined(mantissa, &["times", "ten", "to", "the", "power", "of"], exponent)
}

//! Operators and powers in Hindi.

use super::{numbers, quantities};
use crate::normalize::number::Number;
use crate::normalize::semiotic::{Exponent, Operator};

/// The words of an operator.
pub(super) fn operator(operator: Operator) -> &'static str {
    match operator {
        Operator::Minus => "माइनस",
        Operator::Times => "गुणा",
        Operator::By => "बाई",
        Operator::DividedBy => "बटा",
        Operator::PlusOrMinus => "प्लस माइनस",
        Operator::AtMost => "लेस दैन इक्वल टू",
        Operator::AtLeast => "ग्रेटर दैन इक्वल टू",
        Operator::UpTo => "अधिकतम",
        Operator::From => "कम से कम",
        Operator::MoreThan => "ग्रेटर दैन",
        Operator::NotEqual => "नॉट इक्वल टू",
        Operator::Equal => "बराबर",
        Operator::About => "लगभग",
        Operator::Sharp => "शार्प",
        Operator::Prime => "प्राइम",
        Operator::PoundKey => "हैश",
        Operator::Sections => "धारा",
        Operator::DoublePrime => "डबल प्राइम",
        Operator::Over => "बटा",
        Operator::StarKey => "स्टार",
        Operator::Approaches => "टेंड्स टू",
        Operator::To => "से",
        Operator::Per => "प्रति",
        Operator::IntegralFrom => "इंटीग्रल",
        Operator::SumFrom => "सम",
        Operator::ProductFrom => "प्रोडक्ट",
        Operator::Of => "ऑफ़",
        Operator::NotOut => "नाबाद",
        Operator::Factorial => "फ़ैक्टोरियल",
        Operator::Given => "गिवन",
        Operator::And => "और",
        Operator::Or => "या",
        Operator::ToThePower => "की घात",
        Operator::AbsoluteValue => "मॉड",
    }
}

/// `का वर्ग`, `का घन`, `की घात पाँच`.
pub(super) fn power(exponent: &Exponent) -> Vec<String> {
    let words = match exponent {
        Exponent::Charge { count, is_negative } => {
            let count = numbers::cardinal((*count).into()).into_iter().filter(|_| *count > 1);
            count.chain([if *is_negative { "माइनस" } else { "प्लस" }]).collect()
        }
        Exponent::Fraction(fraction) => {
            [vec!["की", "घात"], quantities::fraction(fraction)].concat()
        }
        Exponent::Inverse => vec!["इनवर्स"],
        Exponent::Letter(letter) => return vec!["की".into(), "घात".into(), letter.to_string()],
        Exponent::Number(number) => match number.value().filter(|_| number.is_plain()) {
            Some(2) => vec!["का", "वर्ग"],
            Some(3) => vec!["का", "घन"],
            _ => [vec!["की", "घात"], quantities::number(number)].concat(),
        },
    };
    words.into_iter().map(String::from).collect()
}

/// `एक दशमलव पाँच गुणा दस की घात माइनस छह`.
pub(super) fn scientific(mantissa: &Number, exponent: &Number) -> Vec<&'static str> {
    quantities::joined(mantissa, &["गुणा", "दस", "की", "घात"], exponent)
}

//! Number names of Hindi.

use crate::normalize::magnitudes::{NamedPower, by_named_powers};

/// Numbers from here on are read digit by digit: a hundred shankh.
pub(super) const LIMIT: u128 = 10_000_000_000_000_000_000;

const POWERS: &[NamedPower] = &[
    NamedPower { value: 100_000_000_000_000_000, name: "शंख" },
    NamedPower { value: 1_000_000_000_000_000, name: "पद्म" },
    NamedPower { value: 10_000_000_000_000, name: "नील" },
    NamedPower { value: 100_000_000_000, name: "खरब" },
    NamedPower { value: 1_000_000_000, name: "अरब" },
    NamedPower { value: 10_000_000, name: "करोड़" },
    NamedPower { value: 100_000, name: "लाख" },
    NamedPower { value: 1000, name: "हज़ार" },
    NamedPower { value: 100, name: "सौ" },
];

/// 0 to 99: every one has a name of its own.
const SMALL: [&str; 100] = [
    "शून्य",
    "एक",
    "दो",
    "तीन",
    "चार",
    "पाँच",
    "छह",
    "सात",
    "आठ",
    "नौ",
    "दस",
    "ग्यारह",
    "बारह",
    "तेरह",
    "चौदह",
    "पंद्रह",
    "सोलह",
    "सत्रह",
    "अठारह",
    "उन्नीस",
    "बीस",
    "इक्कीस",
    "बाईस",
    "तेईस",
    "चौबीस",
    "पच्चीस",
    "छब्बीस",
    "सत्ताईस",
    "अट्ठाईस",
    "उनतीस",
    "तीस",
    "इकतीस",
    "बत्तीस",
    "तैंतीस",
    "चौंतीस",
    "पैंतीस",
    "छत्तीस",
    "सैंतीस",
    "अड़तीस",
    "उनतालीस",
    "चालीस",
    "इकतालीस",
    "बयालीस",
    "तैंतालीस",
    "चौवालीस",
    "पैंतालीस",
    "छियालीस",
    "सैंतालीस",
    "अड़तालीस",
    "उनचास",
    "पचास",
    "इक्यावन",
    "बावन",
    "तिरेपन",
    "चौवन",
    "पचपन",
    "छप्पन",
    "सत्तावन",
    "अट्ठावन",
    "उनसठ",
    "साठ",
    "इकसठ",
    "बासठ",
    "तिरसठ",
    "चौंसठ",
    "पैंसठ",
    "छियासठ",
    "सड़सठ",
    "अड़सठ",
    "उनहत्तर",
    "सत्तर",
    "इकहत्तर",
    "बहत्तर",
    "तिहत्तर",
    "चौहत्तर",
    "पचहत्तर",
    "छिहत्तर",
    "सतहत्तर",
    "अठहत्तर",
    "उनासी",
    "अस्सी",
    "इक्यासी",
    "बयासी",
    "तिरासी",
    "चौरासी",
    "पचासी",
    "छियासी",
    "सत्तासी",
    "अट्ठासी",
    "नवासी",
    "नब्बे",
    "इक्यानबे",
    "बानबे",
    "तिरानबे",
    "चौरानबे",
    "पंचानबे",
    "छियानबे",
    "सत्तानबे",
    "अट्ठानबे",
    "निन्यानबे",
];

/// The name of a number.
pub(super) fn cardinal(n: u128) -> Vec<&'static str> {
    by_named_powers(n, POWERS, |n| vec![SMALL[n as usize]])
}

/// The name of a digit.
pub(super) fn digit(digit: u8) -> &'static str {
    SMALL[usize::from(digit)]
}

/// A number in hundreds, as years are said: 1947 as `उन्नीस सौ सैंतालीस`.
pub(super) fn in_hundreds(n: u128) -> Vec<&'static str> {
    let (hundreds, rest) = (n / 100, n % 100);
    let mut words = cardinal(hundreds);
    words.push("सौ");
    if rest > 0 {
        words.extend(cardinal(rest));
    }
    words
}

/// A year: in hundreds, but for those soon after a whole thousand.
pub(super) fn year(n: u128) -> Vec<&'static str> {
    let is_counted = !(1100..10_000).contains(&n) || (n / 100).is_multiple_of(10);
    if is_counted { cardinal(n) } else { in_hundreds(n) }
}

/// Digits one by one.
pub(super) fn digits(digits: &str) -> impl Iterator<Item = &'static str> {
    digits.bytes().filter(u8::is_ascii_digit).map(|digit| SMALL[usize::from(digit - b'0')])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_small_number_has_its_own_name() {
        assert_eq!(cardinal(100_101).join(" "), "एक लाख एक सौ एक");
        assert_eq!(SMALL.iter().collect::<HashSet<_>>().len(), 100);
    }

    #[test]
    fn scales_and_years() {
        assert_eq!(cardinal(120_000_000_000_000_000).join(" "), "एक शंख बीस पद्म");
        assert_eq!(cardinal(51_022_345_567)[..4].join(" "), "इक्यावन अरब दो करोड़");
        for (n, expected) in [
            (1947, "उन्नीस सौ सैंतालीस"),
            (1100, "ग्यारह सौ"),
            (1050, "एक हज़ार पचास"),
            (2024, "दो हज़ार चौबीस"),
            (2101, "इक्कीस सौ एक"),
            (300, "तीन सौ"),
        ] {
            assert_eq!(year(n).join(" "), expected);
        }
    }
}

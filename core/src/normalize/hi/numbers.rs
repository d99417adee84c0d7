//! Number names of Hindi.

use crate::normalize::scale::{Scale, by_scales};

/// Numbers from here on are read digit by digit.
pub(super) const LIMIT: u128 = 1_000_000_000_000_000;

const SCALES: &[Scale] = &[
    Scale { value: 100_000_000_000, name: "खरब" },
    Scale { value: 1_000_000_000, name: "अरब" },
    Scale { value: 10_000_000, name: "करोड़" },
    Scale { value: 100_000, name: "लाख" },
    Scale { value: 1000, name: "हज़ार" },
    Scale { value: 100, name: "सौ" },
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
    "तिरपन",
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
    "इक्यानवे",
    "बानवे",
    "तिरानवे",
    "चौरानवे",
    "पंचानवे",
    "छियानवे",
    "सत्तानवे",
    "अट्ठानवे",
    "निन्यानवे",
];

/// The name of a number.
pub(super) fn cardinal(n: u128) -> Vec<&'static str> {
    by_scales(n, SCALES, |n| vec![SMALL[n as usize]])
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
}

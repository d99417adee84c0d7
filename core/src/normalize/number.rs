//! Number names of both languages.

/// Numbers from here on are read digit by digit.
pub(super) const CARDINAL_LIMIT: u64 = 1_000_000_000_000_000;

/// The decimal places that a language names, largest first.
struct Scale {
    value: u64,
    name: &'static str,
}

const ENGLISH_SCALES: &[Scale] = &[
    Scale { value: 1_000_000_000_000, name: "trillion" },
    Scale { value: 1_000_000_000, name: "billion" },
    Scale { value: 1_000_000, name: "million" },
    Scale { value: 1000, name: "thousand" },
    Scale { value: 100, name: "hundred" },
];

const INDIAN_ENGLISH_SCALES: &[Scale] = &[
    Scale { value: 10_000_000, name: "crore" },
    Scale { value: 100_000, name: "lakh" },
    Scale { value: 1000, name: "thousand" },
    Scale { value: 100, name: "hundred" },
];

const HINDI_SCALES: &[Scale] = &[
    Scale { value: 100_000_000_000, name: "खरब" },
    Scale { value: 1_000_000_000, name: "अरब" },
    Scale { value: 10_000_000, name: "करोड़" },
    Scale { value: 100_000, name: "लाख" },
    Scale { value: 1000, name: "हज़ार" },
    Scale { value: 100, name: "सौ" },
];

const ENGLISH_SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

const ENGLISH_TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// 0 to 99: every one has a name of its own.
const HINDI_SMALL: [&str; 100] = [
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

/// The name of a number in English, in words: `one million two`.
pub(super) fn english(n: u64) -> Vec<&'static str> {
    by_scales(n, ENGLISH_SCALES, english_below_hundred)
}

/// The same in lakh and crore, as India counts.
pub(super) fn indian_english(n: u64) -> Vec<&'static str> {
    by_scales(n, INDIAN_ENGLISH_SCALES, english_below_hundred)
}

/// The name of a number in Hindi.
pub(super) fn hindi(n: u64) -> Vec<&'static str> {
    by_scales(n, HINDI_SCALES, |n| vec![HINDI_SMALL[n as usize]])
}

/// A year, a flight, a house: 1905 as `nineteen oh five`.
pub(super) fn english_in_pairs(n: u64) -> Vec<&'static str> {
    let (high, low) = (n / 100, n % 100);
    let mut words = english(high);
    match low {
        0 => words.push("hundred"),
        1..=9 => words.extend(["oh", ENGLISH_SMALL[low as usize]]),
        _ => words.extend(english(low)),
    }
    words
}

/// The name of a digit in English.
pub(super) fn english_digit(digit: u8) -> &'static str {
    ENGLISH_SMALL[usize::from(digit)]
}

/// The name of a digit in Hindi.
pub(super) fn hindi_digit(digit: u8) -> &'static str {
    HINDI_SMALL[usize::from(digit)]
}

/// A cardinal's last word as an ordinal: `one` to `first`.
pub(super) fn english_ordinal(cardinal: &str) -> String {
    let irregular = match cardinal {
        "one" => "first",
        "two" => "second",
        "three" => "third",
        "five" => "fifth",
        "eight" => "eighth",
        "nine" => "ninth",
        "twelve" => "twelfth",
        _ => "",
    };
    if !irregular.is_empty() {
        irregular.into()
    } else if let Some(stem) = cardinal.strip_suffix('y') {
        format!("{stem}ieth")
    } else {
        format!("{cardinal}th")
    }
}

fn english_below_hundred(n: u64) -> Vec<&'static str> {
    let n = n as usize;
    match n {
        0..20 => vec![ENGLISH_SMALL[n]],
        _ if n.is_multiple_of(10) => vec![ENGLISH_TENS[n / 10]],
        _ => vec![ENGLISH_TENS[n / 10], ENGLISH_SMALL[n % 10]],
    }
}

fn by_scales(
    n: u64,
    scales: &[Scale],
    below_hundred: fn(u64) -> Vec<&'static str>,
) -> Vec<&'static str> {
    let Some(scale) = scales.iter().find(|scale| n >= scale.value) else { return below_hundred(n) };
    let mut words = by_scales(n / scale.value, scales, below_hundred);
    words.push(scale.name);
    if !n.is_multiple_of(scale.value) {
        words.extend(by_scales(n % scale.value, scales, below_hundred));
    }
    words
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names() {
        assert_eq!(english(0), ["zero"]);
        assert_eq!(english(1_000_021).join(" "), "one million twenty one");
        assert_eq!(
            indian_english(12_345_678).join(" "),
            "one crore twenty three lakh forty five thousand six hundred seventy eight"
        );
        assert_eq!(hindi(100_101).join(" "), "एक लाख एक सौ एक");
        assert_eq!(english_in_pairs(1905).join(" "), "nineteen oh five");
        assert_eq!(english_ordinal("twenty"), "twentieth");
        assert_eq!(english_ordinal("hundred"), "hundredth");
    }

    #[test]
    fn every_small_hindi_number_has_its_own_name() {
        assert_eq!(HINDI_SMALL.iter().collect::<HashSet<_>>().len(), 100);
    }
}

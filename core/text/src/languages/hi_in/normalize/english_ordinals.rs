//! Ordinals of English as Hindi writes them: `21st`.

const ONES: [&str; 10] = ["", "वन", "टू", "थ्री", "फ़ोर", "फ़ाइव", "सिक्स", "सेवन", "एट", "नाइन"];

const TENS: [&str; 10] =
    ["", "", "ट्वेंटी", "थर्टी", "फ़ोर्टी", "फ़िफ़्टी", "सिक्सटी", "सेवंटी", "एटी", "नाइंटी"];

const ORDINALS: [&str; 20] = [
    "ज़ीरोथ",
    "फ़र्स्ट",
    "सेकंड",
    "थर्ड",
    "फ़ोर्थ",
    "फ़िफ्थ",
    "सिक्स्थ",
    "सेवंथ",
    "एटथ",
    "नाइंथ",
    "टेंथ",
    "इलेवंथ",
    "ट्वेल्फ्थ",
    "थर्टींथ",
    "फोर्टींथ",
    "फिफ्टींथ",
    "सिक्सटींथ",
    "सेवनटींथ",
    "एटींथ",
    "नाइनटींथ",
];

const ORDINAL_TENS: [&str; 10] =
    ["", "", "ट्वेंटिएथ", "थर्टिएथ", "फ़ोर्टिएथ", "फ़िफ़्टिएथ", "सिक्सटिएथ", "सेवंटिएथ", "एटिएथ", "नाइंटिएथ"];

/// The name of a number below a thousand in the order of counting.
pub(super) fn ordinal(n: u128) -> Vec<&'static str> {
    let (hundreds, rest) = (n as usize / 100, n as usize % 100);
    match (hundreds, rest) {
        (0, rest) => below_hundred(rest),
        (hundreds, 0) => vec![ONES[hundreds], "हंड्रेड्थ"],
        (hundreds, rest) => [vec![ONES[hundreds], "हंड्रेड"], below_hundred(rest)].concat(),
    }
}

fn below_hundred(n: usize) -> Vec<&'static str> {
    match (n / 10, n % 10) {
        (0 | 1, _) => vec![ORDINALS[n]],
        (tens, 0) => vec![ORDINAL_TENS[tens]],
        (tens, ones) => vec![TENS[tens], ORDINALS[ones]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(ordinal(21).join(" "), "ट्वेंटी फ़र्स्ट");
        assert_eq!(ordinal(130).join(" "), "वन हंड्रेड थर्टिएथ");
        assert_eq!(ordinal(8).join(" "), "एटथ");
    }
}

//! Parts of codes and addresses in Hindi.

use super::{letters, numbers};
use crate::normalize::code_parts::{CodePart, CodeParts};
use crate::normalize::verbalized::Verbalization;

/// English numbers as Hindi says them in names: "5G", "T20".
const ENGLISH: [&str; 21] = [
    "ज़ीरो",
    "वन",
    "टू",
    "थ्री",
    "फ़ोर",
    "फ़ाइव",
    "सिक्स",
    "सेवन",
    "एट",
    "नाइन",
    "टेन",
    "इलेवन",
    "ट्वेल्व",
    "थर्टीन",
    "फ़ोर्टीन",
    "फ़िफ़्टीन",
    "सिक्सटीन",
    "सेवनटीन",
    "एटीन",
    "नाइनटीन",
    "ट्वेंटी",
];

/// Verbalizes the parts of a name, in which short numbers are English.
pub(super) fn verbalize_name(
    code_parts: &CodeParts,
    symbol: fn(char) -> &'static str,
    out: &mut Verbalization,
) {
    let mut is_english = false;
    for (i, (part, span)) in code_parts.0.iter().enumerate() {
        let name = match part {
            CodePart::Number(n) => english(code_parts, i, *n),
            _ => None,
        };
        if let Some(name) = name {
            out.words([name], span.clone());
        } else if let (true, CodePart::Digits(digits)) = (is_english, part) {
            out.words(digits.iter().map(|d| ENGLISH[usize::from(*d)]), span.clone());
        } else {
            let alone = CodeParts(vec![(part.clone(), span.clone())]);
            verbalize(&alone, symbol, out);
        }
        // "PM2.5"
        is_english = name.is_some() || is_english && *part == CodePart::Symbol('.');
    }
}

/// Verbalizes parts of a code; `symbol` names the symbols, some of which are called otherwise in other places.
pub(super) fn verbalize(
    code_parts: &CodeParts,
    symbol: fn(char) -> &'static str,
    out: &mut Verbalization,
) {
    for (part, span) in &code_parts.0 {
        let span = span.clone();
        match part {
            CodePart::Word(word) => {
                let word = letters::respelled(word).unwrap_or(word);
                out.words(word.split(' '), span);
            }
            // "MiG-21"
            CodePart::Letters(letters) if letters == "MiG" => out.words(["मिग"], span),
            CodePart::Letters(letters) => letters::verbalize(letters, &span, out),
            CodePart::Digits(digits) => out.words(digits.iter().map(|d| numbers::digit(*d)), span),
            CodePart::Number(n) | CodePart::Plural(n) => {
                out.words(numbers::cardinal((*n).into()), span)
            }
            CodePart::Pairs(n) => out.words(in_pairs(*n), span),
            CodePart::Symbol(c) => out.words(symbol(*c).split_ascii_whitespace(), span),
            CodePart::Pause => out.mark(',', span),
        }
    }
}

/// The English name of a small number among letters: a short name in Latin letters is said as in English.
fn english(code_parts: &CodeParts, at: usize, n: u64) -> Option<&'static str> {
    let is_short = |part: &CodePart| match part {
        CodePart::Letters(letters) => letters.len() < 4,
        CodePart::Word(word) => word.is_ascii() && letters::respelled(word).is_none(),
        _ => false,
    };
    let (_, span) = &code_parts.0[at];
    let follows = at > 0 && {
        let (before, place) = &code_parts.0[at - 1];
        let is_joined = place.end == span.start;
        is_short(before) && (is_joined || n < 10 && place.end + 1 == span.start)
    };
    // Codes of many parts and terms such as 2ab are no names.
    let is_parted = code_parts.0.windows(2).any(|two| two[0].1.end < two[1].1.start);
    let many = is_parted && code_parts.0.len() > 4;
    let is_term = |part: &CodePart| matches!(part, CodePart::Letters(letters) if letters.bytes().all(|b| b.is_ascii_lowercase()));
    if many || at == 0 && matches!(code_parts.0.get(1), Some((after, _)) if is_term(after)) {
        return None;
    }
    let leads = at == 0
        && n < 10
        && matches!(code_parts.0.get(1), Some((after, place)) if is_short(after) && place.start == span.end);
    ENGLISH.get(usize::try_from(n).ok()?).copied().filter(|_| follows || leads)
}

/// Years as years are said, other numbers of four digits in halves.
fn in_pairs(n: u64) -> Vec<&'static str> {
    let (high, low) = (n / 100, n % 100);
    match n {
        1100..2000 => {
            let mut words = numbers::cardinal(high.into());
            words.push("सौ");
            if low > 0 {
                words.extend(numbers::cardinal(low.into()));
            }
            words
        }
        1000..10_000 if low > 9 && !(2000..2100).contains(&n) => {
            let mut words = numbers::cardinal(high.into());
            words.extend(numbers::cardinal(low.into()));
            words
        }
        _ => numbers::cardinal(n.into()),
    }
}

/// The names of symbols in addresses and codes; empty for one without a name.
pub(super) fn symbol(c: char) -> &'static str {
    match c {
        '.' => "डॉट",
        '-' | '–' => "हाइफ़न",
        '_' => "अंडर स्कोर",
        '/' => "फॉरवर्ड स्लैश",
        '\\' => "बैकवर्ड स्लैश",
        ':' => "कोलन",
        ';' => "सेमीकोलन",
        ',' => "कॉमा",
        '@' => "एट",
        '&' => "एंड",
        '=' => "इक्वल",
        '?' => "क्वेश्चन मार्क",
        '!' => "एक्सक्लेमेशन मार्क",
        '#' => "हैशटैग",
        '%' => "प्रतिशत",
        '+' => "प्लस",
        '~' => "टिल्डा",
        '*' => "स्टार",
        '$' => "डॉलर",
        '\'' => "सिंगल कोट",
        '"' => "डबल कोट",
        '(' => "ओपन ब्रेकेट",
        ')' => "क्लोज़ ब्रेकेट",
        '[' => "ओपन स्क्वेर ब्रेकेट",
        ']' => "क्लोज़ स्क्वेर ब्रेकेट",
        '{' => "ओपन कर्ली ब्रेकेट",
        '}' => "क्लोज़ कर्ली ब्रेकेट",
        '|' => "पाइप",
        '^' => "कैरेट",
        '`' => "बैकटिक",
        '<' => "लेस दैन",
        '>' => "ग्रेटर दैन",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_halves() {
        for (n, expected) in [
            (1947, "उन्नीस सौ सैंतालीस"),
            (2026, "दो हज़ार छब्बीस"),
            (2134, "इक्कीस चौंतीस"),
            (302, "तीन सौ दो"),
            (6005, "छह हज़ार पाँच"),
        ] {
            assert_eq!(in_pairs(n).join(" "), expected);
        }
    }
}

//! Reads labels of host names, paths and codes: which letters are a word, and which are spelled.
//!
//! Addresses use English words in every language, so the lists are English.

use super::prelude::*;

/// The reading of digits in a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Digits {
    /// One by one, except years and round thousands. For addresses, where every digit matters.
    Named,
    /// As numbers. For names.
    Counted,
}

/// Adds adjacent letters and digits, such as "gma4i" or "DeepLearning".
pub(crate) fn push(code_parts: &mut CodeParts, text: &str, start: usize, digits: Digits) {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let is_digit = rest.starts_with(is_digit);
        let length = run(rest, |c| c.is_ascii_digit() == is_digit);
        let (part, after) = rest.split_at(length);
        let machine = before_machine(part, after);
        match digits {
            _ if let Some(name) = machine => {
                letters(code_parts, name, start + at);
                letters(code_parts, &part[name.len()..], start + at + name.len());
                code_parts.number(&after[..2], start + at + length);
                at += 2;
            }
            _ if !is_digit && !part.contains(char::is_alphabetic) => {}
            _ if !is_digit => letters(code_parts, part, start + at),
            Digits::Named => address_number(code_parts, part, start + at),
            Digits::Counted if length > 3 => code_parts.pairs(part, start + at),
            Digits::Counted => code_parts.number(part, start + at),
        }
        at += length;
    }
}

/// The name before a machine type: `grub` of `grubx64`.
pub(super) fn before_machine<'a>(letters: &'a str, after: &str) -> Option<&'a str> {
    let bits = &after[..run(after, |c| c.is_ascii_digit())];
    let is_name = |name: &&str| name.len() > 2 && !name.ends_with(['a', 'e', 'i', 'o', 'u']);
    letters.strip_suffix('x').filter(is_name).filter(|_| matches!(bits, "64" | "86" | "32"))
}

/// Adds a number in an address. Years and round thousands are read as numbers.
fn address_number(code_parts: &mut CodeParts, text: &str, start: usize) {
    let is_year = text.starts_with("19") || text.starts_with("20");
    if text.len() == 4 && !text.starts_with('0') && (is_year || text.ends_with("00")) {
        code_parts.pairs(text, start);
    } else {
        code_parts.digits(text, start);
    }
}

/// Adds letters, split where a capital begins a word: "XMLHttp" as "XML" and "Http".
fn letters(code_parts: &mut CodeParts, text: &str, start: usize) {
    let mut at = 0;
    for (cut, _) in text.char_indices().skip(1).filter(|(i, _)| begins_word(text, *i)) {
        word(code_parts, &text[at..cut], start + at);
        at = cut;
    }
    word(code_parts, &text[at..], start + at);
}

/// Whether the capital at `at` begins a new word.
fn begins_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let mut chars = text[at..].chars();
    let is_capital = chars.next().is_some_and(char::is_uppercase);
    // Not after the first letter of "iPhone".
    let after_small = before.is_some_and(char::is_lowercase) && at > 1;
    let before_small =
        chars.next().is_some_and(char::is_lowercase) && before.is_some_and(char::is_uppercase);
    is_capital && (after_small || before_small)
}

fn word(code_parts: &mut CodeParts, text: &str, start: usize) {
    let lower = text.to_lowercase();
    for prefix in WordClass::LabelPrefix.names() {
        if let Some(rest) = lower.strip_prefix(prefix)
            && let Some(cuts) = words_of(rest)
        {
            code_parts.letters(&text[..prefix.len()], start);
            let mut at = prefix.len();
            for length in cuts {
                let part = text[at..at + length].to_owned();
                code_parts.push(CodePart::Word(part), start + at..start + at + length);
                at += length;
            }
            return;
        }
    }
    code_parts.push(reading(text), start..start + text.len());
}

/// The lengths of the [`WordClass::AfterLabelPrefix`] words that make up `text`.
fn words_of(text: &str) -> Option<Vec<usize>> {
    if text.is_empty() {
        return None;
    }
    WordClass::AfterLabelPrefix.names().find_map(|word| {
        let rest = text.strip_prefix(word)?;
        let mut lengths = if rest.is_empty() { Vec::new() } else { words_of(rest)? };
        lengths.insert(0, word.len());
        Some(lengths)
    })
}

/// Whether a short word in lower case is known.
pub(crate) fn is_short_word(lower: &str) -> bool {
    WordClass::Label.has(lower)
}

/// The reading of letters without an inner capital: a word, or spelled letters.
pub(crate) fn reading(text: &str) -> CodePart {
    if !text.is_ascii() {
        return CodePart::Word(text.into());
    }
    let lower = text.to_ascii_lowercase();
    let is_capitals = text.len() > 1 && text.bytes().all(|b| b.is_ascii_uppercase());
    if WordClass::SpelledLabel.has(&lower) {
        CodePart::Letters(text.into())
    } else if is_capitals && text.len() > 3 && has_vowel(&lower) {
        // The lexicon decides whether it is an acronym or a word.
        CodePart::Word(text.into())
    } else if text.len() > 1 && WordClass::Label.has(&lower) && !(is_capitals && text.len() == 2) {
        CodePart::Word(if is_capitals { lower } else { text.into() })
    } else if !is_capitals && is_pronounceable(lower.as_bytes()) {
        CodePart::Word(text.into())
    } else {
        CodePart::Letters(text.into())
    }
}

/// The reading of the last label of a host or file name.
pub(crate) fn suffix(text: &str) -> CodePart {
    let lower = text.to_ascii_lowercase();
    if WordClass::Jpeg.has(&lower) {
        CodePart::Word(WordClass::Jpeg.first().into())
    } else if WordClass::LastLabel.has(&lower) {
        CodePart::Word(lower)
    } else if text.len() <= 3 || WordClass::SpelledEnding.has(&lower) {
        CodePart::Letters(text.into())
    } else {
        reading(&lower)
    }
}

fn has_vowel(lower: &str) -> bool {
    lower.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// Whether letters are pronounceable: three that begin like a syllable, or more with vowels.
fn is_pronounceable(lower: &[u8]) -> bool {
    let is_vowel = |b: &u8| b"aeiou".contains(b);
    match lower {
        [_] | [_, _] | [] => false,
        [first, middle, _] => !is_vowel(first) && is_vowel(middle),
        _ => {
            let longest = lower.split(|b| is_vowel(b) || *b == b'y').map(<[u8]>::len).max();
            let opening = lower.iter().take_while(|b| !is_vowel(b) && **b != b'y').count();
            longest.is_some_and(|length| length <= 5) && opening <= 3 && opening < lower.len()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown((part, text): (CodePart, &str)) -> String {
        match part {
            CodePart::Word(word) => word,
            CodePart::Letters(letters) => format!("<{letters}>"),
            _ => format!("[{text}]"),
        }
    }

    crate::row_tests::rows! {
        labels: |[text]| {
            let mut code_parts = CodeParts::default();
            push(&mut code_parts, text, 0, Digits::Named);
            let parts = code_parts.0.into_iter().map(|(part, span)| shown((part, &text[span])));
            parts.collect::<Vec<_>>().join(" ")
        };
        suffixes: |[text]| shown((suffix(text), text));
    }
}

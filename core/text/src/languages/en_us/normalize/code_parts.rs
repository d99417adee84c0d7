//! Parts of codes and addresses in English.

use super::numbers;
use crate::normalize::code_parts::{CodePart, CodeParts};
use crate::normalize::verbalized::Verbalization;

/// Verbalizes parts of a code; `symbol` names the symbols, some of which are called otherwise in other places.
pub(super) fn verbalize(
    code_parts: &CodeParts,
    symbol: fn(char) -> &'static str,
    out: &mut Verbalization,
) {
    for (part, span) in &code_parts.0 {
        let span = span.clone();
        match part {
            CodePart::Word(word) => out.words([word.as_str()], span),
            CodePart::Letters(letters) => out.spelled(letters.as_str(), span),
            CodePart::Digits(digits) => out.words(digits.iter().map(|d| numbers::digit(*d)), span),
            CodePart::Number(n) => out.words(numbers::cardinal((*n).into()), span),
            CodePart::Plural(n) => out.words(plural(*n), span),
            CodePart::Pairs(n) => out.words(numbers::house(&n.to_string()), span),
            CodePart::Symbol(c) => out.words(symbol(*c).split_ascii_whitespace(), span),
            CodePart::Pause => out.mark(',', span),
        }
    }
}

/// The names of symbols in addresses and codes; empty for one without a name.
pub(super) fn symbol(c: char) -> &'static str {
    match c {
        '.' => "dot",
        '-' | '–' => "dash",
        '_' => "underscore",
        '/' => "slash",
        '\\' => "backslash",
        ':' => "colon",
        ';' => "semicolon",
        ',' => "comma",
        '@' => "at",
        '&' => "ampersand",
        '=' => "equals",
        '?' => "question mark",
        '!' => "exclamation mark",
        '#' => "hash",
        '%' => "percent",
        '+' => "plus",
        '~' => "tilde",
        '*' => "asterisk",
        '$' => "dollar",
        '\'' => "apostrophe",
        '(' => "open parenthesis",
        ')' => "close parenthesis",
        '[' => "open bracket",
        ']' => "close bracket",
        '{' => "open brace",
        '}' => "close brace",
        '|' => "pipe",
        '^' => "caret",
        _ => "",
    }
}

/// "sixteens", "fifty twos", "sixes", "three eighties".
fn plural(n: u64) -> Vec<String> {
    numbers::with_last(numbers::house(&n.to_string()), numbers::plural_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_the_plural() {
        assert_eq!(plural(16).join(" "), "sixteens");
        assert_eq!(plural(20).join(" "), "twenties");
        assert_eq!(plural(52).join(" "), "fifty twos");
    }
}

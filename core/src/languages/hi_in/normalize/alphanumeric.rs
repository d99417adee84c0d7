//! Codes of letters and digits in Hindi.

use super::code_parts;
use crate::normalize::alphanumeric::Value;
use crate::normalize::code_parts::{CodePart, CodeParts};
use crate::normalize::recognizer::MatchContext;
use crate::normalize::semiotic::SemioticClass;
use crate::normalize::verbalized::Verbalization;

/// Verbalizes a code: its letters by name or as words, its numbers as models are said.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    code_parts::verbalize_name(&value.0, symbol, out);
}

/// The last digits of an account or a card, with crosses for the rest: "XX1234".
pub(super) fn find_masked(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let crosses = cursor.take_while(|c| c == 'X').filter(|crosses| crosses.len() > 1)?;
    let digits = cursor.digits(3..=6)?;
    let digits = CodePart::Digits(digits.bytes().map(|digit| digit - b'0').collect());
    let code_parts = [
        (CodePart::Letters(crosses.to_owned()), 0..crosses.len()),
        (digits, crosses.len()..cursor.at()),
    ];
    let code = SemioticClass::Alphanumeric(Value(CodeParts(code_parts.into())));
    cursor.at_word_end().then_some((cursor.at(), code))
}

fn symbol(c: char) -> &'static str {
    match c {
        '.' => "पॉइंट",
        '/' => "बटा",
        '♯' | '#' => "शार्प",
        _ => code_parts::symbol(c),
    }
}

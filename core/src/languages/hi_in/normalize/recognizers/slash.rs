//! Symbols whose reading the signs beside them decide: a slash between words or numbers, a hash before a number.

use super::super::lexicon;
use crate::normalize::boundaries::{closes, run};
use crate::normalize::cursor::{Cursor, is_letter};
use crate::normalize::number::Number;
use crate::normalize::recognizer::MatchContext;
use crate::normalize::semiotic::SemioticClass;

/// A slash between words is only a pause, "पति/पत्नी"; between numbers it has a name; "#1" is number one.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let after = context.rest.get(1..)?;
    let is_digit = |c: char| c.is_ascii_digit();
    let phrase = |words| SemioticClass::Phrase { words, ends_sentence: false };
    let value = match context.rest.as_bytes()[0] {
        b'/' if is_price(context.before) && is_amount(after) => phrase("प्रति"),
        b'/' if context.before.ends_with(is_digit) && after.starts_with(is_digit) => phrase("बटा"),
        b'/' if context.before.ends_with(is_digit) && is_numeral(after) => phrase("बटा"),
        b'/' if ends_in_word(context.before) && after.starts_with(char::is_alphanumeric) => {
            SemioticClass::Pause
        }
        b'#' if after.starts_with(is_digit) || is_code(after) => phrase("नंबर"),
        b'+' | b'-' if after.starts_with("ve") && closes(&after[2..]) => {
            let words = if context.rest.starts_with('+') {
                "पॉज़िटिव"
            } else {
                "नेगेटिव"
            };
            return Some((3, phrase(words)));
        }
        _ => return None,
    };
    Some((1, value))
}

/// Whether letters end here, with the stop of an abbreviation or without: "अनु.जा./".
fn ends_in_word(before: &str) -> bool {
    before.strip_suffix(['.', '॰']).unwrap_or(before).ends_with(is_letter)
}

/// A Roman numeral of two letters or more: "212/IV".
fn is_numeral(after: &str) -> bool {
    let length = run(after, |c| "IVX".contains(c));
    length > 1 && closes(&after[length..])
}

/// Capitals with digits after them: "#OD4291".
fn is_code(after: &str) -> bool {
    let digits = &after[run(after, |c| c.is_ascii_uppercase())..];
    digits.len() < after.len() && run(digits, |c| c.is_ascii_digit()) > 3
}

/// Whether an amount of money stands before: "₹71,500".
fn is_price(before: &str) -> bool {
    let amount = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let number = amount.trim_start_matches(|c: char| !c.is_ascii_digit());
    number.ends_with(|c: char| c.is_ascii_digit())
        && ["₹", "$", "€", "£", "रु.", "Rs."].iter().any(|sign| amount.starts_with(sign))
}

/// "10 ग्राम", "100 ml": so much is paid for.
fn is_amount(after: &str) -> bool {
    let mut cursor = Cursor::new(after);
    let number = Number::scan(&mut cursor);
    cursor.spaces();
    let word = Cursor::new(cursor.rest()).letters().unwrap_or_default();
    number.is_some()
        && (lexicon::is_counted(word) || lexicon::lexicon().unit(cursor.rest()).is_some())
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::assert_lines;

    #[test]
    fn signs_beside_numbers() {
        assert_lines(&[
            ("सोना ₹71,500/10 ग्राम", "सोना इकहत्तर हज़ार पाँच सौ रुपए प्रति दस ग्राम"),
            ("₹40/100 ml", "चालीस रुपए प्रति एक सौ मिलीलीटर"),
            ("97/0, पति/पत्नी", "सत्तानबे बटा शून्य, पति, पत्नी"),
            ("O+ve, बी -ve", "ओ पॉज़िटिव, बी नेगेटिव"),
            ("TSH 5.87 µIU/mL", "टी एस एच पाँच दशमलव आठ सात माइक्रो आई यू प्रति मिलीलीटर"),
            ("50 g x 2, 2 x 4", "पचास ग्राम गुणा दो, दो बाई चार"),
        ]);
    }
}

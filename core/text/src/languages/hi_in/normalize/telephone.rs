//! Recognizes Hindi numbers that are read digit by digit: of telephones, trains and accounts.

use super::lexicon;
use crate::normalize::prelude::*;
use crate::normalize::telephone::Value;

/// Digits that the context calls a telephone, train or other number, or too many for a quantity.
pub(super) fn find(context: &MatchContext<'_>) -> Found {
    if !opens(context.before)
        || context.before.ends_with(['.', ',', ':', '/', '-', '$', '₹', '+', '#'])
    {
        return None;
    }
    let length = run(context.rest, is_digit);
    let after = &context.rest[length..];
    let is_called = (3..=12).contains(&length) && is_called(after);
    let is_train = length == 5 && is_train(after);
    let is_numbered = length > 6 && is_numbered(context.before);
    let is_code = length > 8 && !is_counted(context.before, &context.rest[..length], after);
    if !(is_called || is_train || is_numbered || is_code) || !closes_number(after) {
        return None;
    }
    let code_parts = CodeParts::of_digits(&context.rest[..length]);
    Some((length, SemioticClass::Telephone(Value { code_parts, extension: None })))
}

/// Whether digits are a quantity and no account number: a round number, an amount, a population.
fn is_counted(before: &str, digits: &str, after: &str) -> bool {
    const OF_MANY: &str = "आबादी जनसंख्या कुल लगभग करीब रु रू रुपये रुपए Rs Rs. रु. रू. INR population";
    const OPERATORS: [char; 9] = ['%', '+', '-', '×', '*', '=', '/', '÷', '^'];
    const MANY: &str = "रुपये रुपए रु रू डॉलर पैसे यूरो INR Rs";
    let lead = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    let noun = first_word(after);
    let is_alone = before.trim().is_empty() && after.trim().is_empty();
    is_alone
        || digits.ends_with("000")
        || lists(OF_MANY, lead)
        || after.starts_with(' ') && (lexicon::is_counted(noun) || lists(MANY, noun))
        || after.trim_start().starts_with(OPERATORS)
        || before.trim_end().ends_with(OPERATORS)
}

/// Whether the previous words announce a number: "नंबर है 1234567890".
fn is_numbered(before: &str) -> bool {
    let mut words = words_back(before).skip_while(|word| matches!(*word, "है" | "हैं" | "is"));
    words.next().is_some_and(|word| lists("नंबर नम्बर नं number Number No no", word))
}

/// Whether the next words call the number: "पर कॉल करें", "डायल करें".
fn is_called(after: &str) -> bool {
    let word = first_word(after);
    let next = || first_word(&after[after.find(word).unwrap_or(0) + word.len()..]);
    after.starts_with(' ')
        && (lists("डायल मिलाएं मिलाएँ", word)
            || matches!(word, "पर" | "पे" | "par")
                && lexicon::lists(WordClass::CallAfterNumber, next()))
}

/// Whether a train type is among the next words.
fn is_train(after: &str) -> bool {
    let clause = &after[..after.find([',', '।', '.', '(']).unwrap_or(after.len())];
    let mut words = clause.split(|c: char| !is_inner(c)).filter(|word| !word.is_empty());
    words.by_ref().take(4).any(|word| lexicon::lists(WordClass::TrainName, word))
}

//! Recognizes names of a number and a letter: `3A`.

use super::super::lexicon;
use crate::normalize::alphanumeric;
use crate::normalize::prelude::*;

/// Train classes, which may also be electric currents: `3A`, `2A`, `3E`.
pub(in super::super) fn find_travel_class(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = cursor.digits(1..=1).filter(|number| ("1"..="3").contains(number))?;
    let letter = cursor.eat_char(|c| matches!(c, 'A' | 'E'))?;
    let is_journey = |text: &str| {
        text.split(|c| !is_inner(c)).any(|word| lexicon::lists(WordClass::Journey, word))
    };
    if !cursor.at_word_end() || !(is_journey(context.before) || is_journey(cursor.rest())) {
        return None;
    }
    let mut code_parts = CodeParts::default();
    code_parts.number(number, 0);
    code_parts.letters(letter.encode_utf8(&mut [0; 4]), 1);
    Some((2, SemioticClass::Alphanumeric(alphanumeric::Value(code_parts))))
}

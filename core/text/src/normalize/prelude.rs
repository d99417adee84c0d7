//! What recognizers and verbalizers are written with.

pub(crate) use super::boundaries;
pub(crate) use super::boundaries::{
    closes, closes_number, lists, opens, run, word_before, words_back,
};
pub(crate) use super::code_parts::{CodePart, CodeParts};
pub(crate) use super::cursor::{
    Cursor, first_word, is_dash, is_digit, is_inner, is_latin_letter, is_letter, is_lower,
    is_upper, last_word,
};
pub(crate) use super::locale::{Lexicon, Locale, Locales, Unit, UnitUsage};
pub(crate) use super::number::{Grouping, Number};
pub(crate) use super::recognizer::{Found, MatchContext, is_one_of};
pub(crate) use super::semiotic::{
    Amount, Connector, Date, DayPeriod, Duration, Fraction, Magnitude, Measure, Money, Operator,
    Quantity, Range, SemioticClass, TimeOfDay, Year,
};
pub(crate) use super::verbalized::Verbalization;
pub(crate) use crate::words::WordClass;

//! Tests the words of English Roman numerals.

use proptest::prelude::*;

use super::LOCALE;
use crate::languages::locales;
use crate::languages::testing::{assert_rows, try_everywhere};
use crate::normalize::roman::Value;
use crate::normalize::say;
use crate::normalize::verbalized::Verbalization;

fn verbalize(value: &Value, out: &mut Verbalization) {
    say::roman(&LOCALE, value, out);
}

fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    crate::normalize::roman::find(before, rest, locales())
}

#[test]
fn rows() {
    assert_rows(
        &[
            ("Henry VIII", "Henry the eighth"),
            ("Henry III.", "Henry the third ."),
            ("Sam II", "Sam the second"),
            ("Sam I", "Sam the first"),
            ("World War II", "World War two"),
            ("World War I began", "World War one began"),
            ("Chapter IV", "Chapter four"),
            ("Part II", "Part two"),
            ("Super Bowl LVIII", "Super Bowl fifty eight"),
            ("Type II", "Type two"),
            ("type II diabetes", "type two diabetes"),
            ("a type I error", "a type one error"),
            ("stage IIIb cancer", "stage three B cancer"),
            ("stage IV cancer", "stage four cancer"),
            ("Louis XIV ruled", "Louis the fourteenth ruled"),
            ("Act III Scene ii", "Act three Scene two"),
            ("Vol. XII", "Vol . twelve"),
            ("Rocky III", "Rocky three"),
            ("Elizabeth II's reign", "Elizabeth the second's reign"),
            ("Queen Elizabeth I spoke", "Queen Elizabeth the first spoke"),
            ("Charles I was executed", "Charles the first was executed"),
            ("Pope John Paul II", "Pope John Paul the second"),
            ("Pope Leo X", "Pope Leo the tenth"),
            ("Henry V", "Henry the fifth"),
            ("John Smith III", "John Smith the third"),
            ("John D. Rockefeller III", "John D . Rockefeller the third"),
            ("iPhone X", "iPhone ten"),
            ("Final Fantasy VII", "Final Fantasy seven"),
            ("Class XII", "Class twelve"),
            ("Article IX", "Article nine"),
            ("the XIX century", "the nineteenth century"),
            ("the Playing XI", "the Playing eleven"),
            ("WWII", "World War two"),
            ("WWI veterans", "World War one veterans"),
            ("items (ii) and (iv)", "items ( two ) and ( four )"),
            ("page xii", "page twelve"),
            ("chapters IV and VI", "chapters four and six"),
            ("Copyright MMXXIV", "Copyright twenty twenty four"),
            ("in MCMXCIX", "in nineteen ninety nine"),
            ("Mark IV", "Mark four"),
        ],
        find,
        verbalize,
    );
}

#[test]
fn no_numerals() {
    let rows = [
        "I am",
        "I, Robot",
        "Sam I am",
        "Malcolm X",
        "size XL",
        "Size XL",
        "a MIX",
        "The MIX",
        "Washington DC",
        "the CD",
        "John Smith MD",
        "Vitamin C",
        "Appendix C",
        "Plan D",
        "X-ray",
        "an IV drip",
        "Start IV fluids",
        "In this chapter I will",
        "the part I like",
        "type I like",
        "Did I",
        "Then I left",
        "iPhone XR",
        "Model X",
        "Planet X",
        "vi is an editor",
        "mix it",
        "I'm",
        "I'll",
        "Henry, I think",
        "Mary I think so",
        "Albert I. Jones",
        "Louis V. Gerstner",
        "Mark I like best",
        "LIV Golf",
        "the XX chromosome",
        "Section C",
        "MCDC",
        "IIII",
        "VX",
        "X",
        "V",
        "I",
        "did",
        "civil",
        "i.e.",
        "The II",
    ];
    let found: Vec<_> = rows
        .into_iter()
        .filter(|row| row.char_indices().any(|(at, _)| find(&row[..at], &row[at..]).is_some()))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

proptest! {
    #[test]
    fn any_text(text in "(\\PC|[IVXLCDMivx]|Henry |Chapter |'s| ){0,12}") {
        try_everywhere(&text, find, verbalize);
    }
}

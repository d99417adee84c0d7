//! Tests the words of English postal codes.

use proptest::prelude::*;

use super::LOCALE;
use crate::languages::locales;
use crate::languages::testing::{assert_rows, try_everywhere};
use crate::normalize::postal::Value;
use crate::normalize::say;
use crate::normalize::verbalized::Verbalization;

fn verbalize(value: &Value, out: &mut Verbalization) {
    say::code_parts(&LOCALE, &value.0, "symbol", out);
}

fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    crate::normalize::postal::find(before, rest, locales())
}

#[test]
fn rows() {
    assert_rows(
        &[
            ("Santa Clara, CA 95051", "Santa Clara , CA nine five zero five one"),
            ("NY 10001-1234.", "NY one zero zero zero one , one two three four ."),
            ("Washington, D.C. 20500", "Washington , D . C . two zero five zero zero"),
            ("Austin, Texas 78701", "Austin , Texas seven eight seven zero one"),
            ("ZIP 02139", "ZIP zero two one three nine"),
            ("zip code: 94103", "zip code : nine four one zero three"),
            ("the zip code is 94103", "the zip code is nine four one zero three"),
            ("New Delhi 110001", "New Delhi one one zero zero zero one"),
            ("Bengaluru - 560 034,", "Bengaluru - five six zero , zero three four ,"),
            ("Mumbai-400001", "Mumbai - four zero zero zero zero one"),
            ("Tamil Nadu, 600 001", "Tamil Nadu , six zero zero , zero zero one"),
            ("PIN 411038", "PIN four one one zero three eight"),
            ("Pin code: 302 001", "Pin code : three zero two , zero zero one"),
            ("London SW1A 1AA", "London SW one A , one AA"),
            ("M1 1AE", "M one , one AE"),
            ("EC2V 7HN.", "EC two V , seven HN ."),
            ("CB22 3AA", "CB twenty two , three AA"),
            ("Ottawa K1A 0B1", "Ottawa K one A , zero B one"),
            ("CA 1234", "CA 1234"),
            ("in California 10000 people", "in California 10000 people"),
            ("California 1234", "California 1234"),
            ("in Mumbai 200000 people", "in Mumbai 200000 people"),
            ("in Delhi 2024", "in Delhi 2024"),
            ("he has 95051 books", "he has 95051 books"),
            ("CA, $95051", "CA , $ 95051"),
            ("CA 95051.5", "CA 95051 . 5"),
            ("CA 950511", "CA 950511"),
            ("A5 4TH", "A5 4TH"),
            ("B2 2PM", "B2 2PM"),
            ("a 6 digit 110001", "a 6 digit 110001"),
            ("Pune 0110001", "Pune 0110001"),
            ("PIN", "PIN"),
        ],
        find,
        verbalize,
    );
}

proptest! {
    #[test]
    fn any_text(text in "(\\PC|[A-C0-9 -]|CA |Delhi |[0-9]{5,6}){0,12}") {
        try_everywhere(&text, find, verbalize);
    }
}

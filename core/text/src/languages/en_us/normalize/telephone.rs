//! Tests the words of English telephone numbers.

use proptest::prelude::*;

use super::LOCALE;
use crate::languages::locales;
use crate::languages::testing::{assert_rows, try_everywhere};
use crate::normalize::say;
use crate::normalize::telephone::Value;
use crate::normalize::verbalized::Verbalization;

fn verbalize(value: &Value, out: &mut Verbalization) {
    say::telephone(&LOCALE, value, out);
}

fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    crate::normalize::telephone::find(before, rest, locales())
}

#[test]
fn telephones() {
    assert_rows(
        &[
            ("Call 555-0199 now.", "Call five five five , zero one nine nine now ."),
            (
                "+91 98765 43210",
                "plus nine one , nine eight seven six five , four three two one zero",
            ),
            ("+1 123-123-5678", "plus one , one two three , one two three , five six seven eight"),
            ("123-123-5678", "one two three , one two three , five six seven eight"),
            ("+1-123-123-5678", "plus one , one two three , one two three , five six seven eight"),
            ("(123) 123-5678", "one two three , one two three , five six seven eight"),
            ("123-123-5678-1", "one two three , one two three , five six seven eight , one"),
            ("1-800-GO-U-HAUL", "one , eight hundred , go , U , haul"),
            ("1-800-GO-2-HAUL", "one , eight hundred , go , two , haul"),
            (
                "call me at 123-123-5678",
                "call me at one two three , one two three , five six seven eight",
            ),
            ("111-11-1111", "one one one , one one , one one one one"),
            ("555.555.5555", "five five five , five five five , five five five five"),
            ("1-800-555-0199.", "one , eight hundred , five five five , zero one nine nine ."),
            ("1-800-FLOWERS", "one , eight hundred , flowers"),
            (
                "+1 (415) 555-2671 ext. 12",
                "plus one , four one five , five five five , two six seven one , extension twelve",
            ),
            (
                "415-555-2671x104",
                "four one five , five five five , two six seven one , extension one zero four",
            ),
            ("Dial ext. 7", "Dial extension seven"),
            (
                "+44 20 7946 0958",
                "plus four four , two zero , seven nine four six , zero nine five eight",
            ),
            (
                "+919876543210",
                "plus nine one , nine eight seven six five , four three two one zero",
            ),
            ("98765-43210", "nine eight seven six five , four three two one zero"),
            (
                "my number is 9876543210.",
                "my number is nine eight seven six five , four three two one zero .",
            ),
            ("022-2345-6789", "zero two two , two three four five , six seven eight nine"),
            ("(022) 2345 6789", "zero two two , two three four five , six seven eight nine"),
            ("07911 123456", "zero seven nine one one , one two three four five six"),
            ("1800 123 4567", "one eight zero zero , one two three , four five six seven"),
            ("Call 911!", "Call nine one one !"),
            ("9-1-1", "nine one one"),
            ("dial 112 or 100", "dial one one two or one zero zero"),
            ("a 911 operator", "a nine one one operator"),
            ("text 12345 to vote", "text one two three four five to vote"),
            ("123-4567", "one two three , four five six seven"),
        ],
        find,
        verbalize,
    );
}

#[test]
fn cards_and_codes() {
    assert_rows(
        &[
            (
                "4111 1111 1111 1111",
                "four one one one , one one one one , one one one one , one one one one",
            ),
            (
                "3782-822463-10005",
                "three seven eight two , eight two two four six three , one zero zero zero five",
            ),
            (
                "Aadhaar 1234 5678 9012",
                "Aadhaar one two three four , five six seven eight , nine zero one two",
            ),
            ("the code is 482 913", "the code is four eight two , nine one three"),
            ("Your OTP is 482913.", "Your OTP is four eight two nine one three ."),
            ("PIN: 4021", "PIN : four zero two one"),
            ("account no. 12345678", "account no . one two three four , five six seven eight"),
            ("card ending in 1234", "card ending in one two three four"),
            ("error code 404", "error code four zero four"),
        ],
        find,
        verbalize,
    );
}

#[test]
fn other_numbers() {
    let rows = [
        "1960-1980",
        "2024-12-25",
        "978-0",
        "21-15",
        "from 200-1500",
        "500-1000 people",
        "call 100 people",
        "the code has 1000 lines",
        "a pin in 2020",
        "the code. 2020 was",
        "PIN 5",
        "account is 5000 dollars",
        "2+3",
        "+5",
        "1,234,567",
        "123-456-78901",
        "555-01999",
        "978-3-16-148410-0",
        "exit",
        "x12",
        "$555-0199",
        "the next 9 pages",
        "12345678901",
    ];
    let found: Vec<_> = rows
        .into_iter()
        .filter(|row| row.char_indices().any(|(at, _)| find(&row[..at], &row[at..]).is_some()))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

proptest! {
    #[test]
    fn any_text(text in "(\\PC|[0-9 ()+-]|x|ext\\.|call |pin |1-800-|A){0,16}") {
        try_everywhere(&text, find, verbalize);
    }
}

//! Tests the words of Hindi coordinates.

use super::LOCALE;
use crate::languages::testing::assert_rows;
use crate::normalize::coordinate::{Value, find};
use crate::normalize::say;
use crate::normalize::verbalized::Verbalization;

fn verbalize(value: &Value, out: &mut Verbalization) {
    say::coordinate(&LOCALE, value, out);
}

#[test]
fn rows() {
    assert_rows(
        &[
            ("N 28° 36' 50\"", "उत्तर अट्ठाईस डिग्री छत्तीस मिनट पचास सेकंड"),
            ("28.61° N", "अट्ठाईस दशमलव छह एक डिग्री उत्तर"),
            ("40° 42' 46\" E", "चालीस डिग्री बयालीस मिनट छियालीस सेकंड पूर्व"),
        ],
        find,
        verbalize,
    );
}

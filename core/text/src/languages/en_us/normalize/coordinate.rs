//! Tests the words of English coordinates.

use proptest::prelude::*;

use super::LOCALE;
use crate::languages::testing::{assert_rows, try_everywhere};
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
            ("40.7128° N", "forty point seven one two eight degrees north"),
            (
                "40.7128°N, 74.0060°W",
                "forty point seven one two eight degrees north , seventy four point zero zero six zero degrees west",
            ),
            ("40°42′46″N", "forty degrees forty two minutes forty six seconds north"),
            ("40° 42' 46\" N", "forty degrees forty two minutes forty six seconds north"),
            ("51°30'S.", "fifty one degrees thirty minutes south ."),
            ("1°E", "one degree east"),
            ("0° E", "zero degrees east"),
            ("20°C", "20 ° C"),
            ("20° Celsius", "20 ° Celsius"),
            ("20° North", "20 ° North"),
            ("5'10\"", "5 ' 10 \""),
            ("a 90° Wall", "a 90 ° Wall"),
            ("720° N", "720 ° N"),
            ("40.7128", "40 . 7128"),
        ],
        find,
        verbalize,
    );
}

proptest! {
    #[test]
    fn any_text(text in "(\\PC|[0-9.°'\" NSEW]){0,14}") {
        try_everywhere(&text, find, verbalize);
    }
}

//! Coordinates in English.

use super::numbers;
use crate::normalize::coordinate::{Compass, Value};
use crate::normalize::verbalized::Verbalization;

const UNITS: [(&str, &str); 3] =
    [("degree", "degrees"), ("minute", "minutes"), ("second", "seconds")];

/// Says degrees, minutes, seconds and the point of the compass.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    let compass = match value.compass {
        Compass::North => "north",
        Compass::South => "south",
        Compass::East => "east",
        Compass::West => "west",
    };
    let is_leading = value.compass_span.start == 0;
    if is_leading {
        out.words([compass], value.compass_span.clone());
    }
    for (angle, (one, many)) in value.angles.iter().zip(UNITS) {
        out.words(numbers::cardinal(angle.whole.into()), angle.span.clone());
        if !angle.fraction.is_empty() {
            out.words(["point"], angle.span.clone());
            out.words(angle.fraction.iter().map(|d| numbers::digit(*d)), angle.span.clone());
        }
        let is_one = angle.whole == 1 && angle.fraction.is_empty();
        out.words([if is_one { one } else { many }], angle.unit_span.clone());
    }
    if !is_leading {
        out.words([compass], value.compass_span.clone());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::languages::testing::{assert_rows, try_everywhere};
    use crate::normalize::coordinate::find;

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
}

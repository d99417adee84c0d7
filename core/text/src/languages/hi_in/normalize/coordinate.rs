//! Coordinates in Hindi.

use super::numbers;
use crate::normalize::coordinate::{Compass, Value};
use crate::normalize::verbalized::Verbalization;

const UNITS: [&str; 3] = ["डिग्री", "मिनट", "सेकंड"];

/// Says degrees, minutes, seconds and the point of the compass.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    let compass = match value.compass {
        Compass::North => "उत्तर",
        Compass::South => "दक्षिण",
        Compass::East => "पूर्व",
        Compass::West => "पश्चिम",
    };
    let is_leading = value.compass_span.start == 0;
    if is_leading {
        out.words([compass], value.compass_span.clone());
    }
    for (angle, unit) in value.angles.iter().zip(UNITS) {
        out.words(numbers::cardinal(angle.whole.into()), angle.span.clone());
        if !angle.fraction.is_empty() {
            out.words(["दशमलव"], angle.span.clone());
            out.words(angle.fraction.iter().map(|d| numbers::digit(*d)), angle.span.clone());
        }
        out.words([unit], angle.unit_span.clone());
    }
    if !is_leading {
        out.words([compass], value.compass_span.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::testing::assert_rows;
    use crate::normalize::coordinate::find;

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
}

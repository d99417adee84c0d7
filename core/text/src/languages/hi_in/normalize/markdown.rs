//! What markup says in Hindi.

use super::lexicon::lexicon;
use super::numbers;
use crate::normalize::markdown::{self, Value};
use crate::normalize::verbalized::Verbalization;

/// Verbalizes what stands after markup, if anything does.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    match value {
        Value::Character('।', length) => out.mark('.', 0..*length),
        value => markdown::verbalize(value, numbers::digit, name, out),
    }
}

/// The name of a character that was written as markup: it is meant, and not a mark of its own.
fn name(c: char) -> Option<&'static str> {
    match c {
        '#' => Some("हैश"),
        '*' => Some("स्टार"),
        '½' => Some("आधा"),
        '¼' => Some("एक चौथाई"),
        '¾' => Some("तीन चौथाई"),
        c => lexicon().symbol(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::testing::assert_rows;
    use crate::normalize::markdown::find;

    #[test]
    fn tags_and_entities() {
        assert_rows(
            &[
                ("राम &amp; श्याम", "राम और श्याम"),
                ("<b>नमस्ते</b>", "नमस्ते"),
                ("&frac12; कप", "आधा कप"),
            ],
            find,
            verbalize,
        );
    }
}

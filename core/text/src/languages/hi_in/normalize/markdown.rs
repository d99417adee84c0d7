//! Tests the words of Hindi markup.

use super::LOCALE;
use crate::languages::testing::assert_rows;
use crate::normalize::markdown::{self, Value};
use crate::normalize::say;
use crate::normalize::verbalized::Verbalization;

fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    markdown::find(before, rest, || false)
}

fn verbalize(value: &Value, out: &mut Verbalization) {
    say::markup(&LOCALE, value, out);
}

#[test]
fn tags_and_entities() {
    assert_rows(
        &[("राम &amp; श्याम", "राम और श्याम"), ("<b>नमस्ते</b>", "नमस्ते"), ("&frac12; कप", "आधा कप")],
        find,
        verbalize,
    );
}

//! What markup says in Hindi.

use super::{numbers, symbols};
use crate::normalize::markdown::Value;
use crate::normalize::said::Saying;

/// Says what stands behind markup, if anything does.
pub(super) fn say(value: &Value, out: &mut Saying) {
    match value {
        Value::Nothing => {}
        Value::Break(length) => out.mark(',', 0..*length),
        Value::Word(word, length) => out.words([word.as_str()], 0..*length),
        Value::Character(c, length) => say_character(*c, *length, out),
    }
}

fn say_character(c: char, length: usize, out: &mut Saying) {
    let span = 0..length;
    let name = match c {
        '0'..='9' => return out.words([numbers::digit(c as u8 - b'0')], span),
        '—' | '–' => return out.mark('—', span),
        '“' | '«' => return out.mark('“', span),
        '”' | '»' => return out.mark('”', span),
        '।' => return out.mark('.', span),
        ';' | ':' | ',' | '.' | '!' | '?' | '…' | '(' | ')' => return out.mark(c, span),
        c if c.is_alphabetic() => return out.words([String::from(c)], span),
        '#' => "हैश",
        '*' => "स्टार",
        '½' => "आधा",
        '¼' => "एक चौथाई",
        '¾' => "तीन चौथाई",
        c => symbols::name(c).unwrap_or_default(),
    };
    out.words(name.split_ascii_whitespace(), span);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::markdown::find;
    use crate::normalize::trial::assert_rows;

    #[test]
    fn tags_and_entities() {
        assert_rows(
            &[
                ("राम &amp; श्याम", "राम और श्याम"),
                ("<b>नमस्ते</b>", "नमस्ते"),
                ("&frac12; कप", "आधा कप"),
            ],
            find,
            say,
        );
    }
}

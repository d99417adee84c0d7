//! Recognizers with their verbalizers in English and Hindi, apart from the engine.

use proptest::prelude::*;

use super::LOCALE;
use crate::languages::testing::{read, try_everywhere};
use crate::languages::{hi_in, locales};
use crate::normalize::{
    alphanumeric, coordinate, electronic, markdown, postal, roman, say, telephone,
};
use crate::row_tests::holds;

/// Tests recognizers with their verbalizers: by the rows of a section, and at every place of
/// generated texts.
macro_rules! recognizers {
    ($($name:ident: $find:expr => $say:expr, $text:literal;)*) => {$(
        mod $name {
            use super::*;

            crate::row_tests::rows! { $name: |[text]| read(text, $find, $say); }

            proptest! {
                #[test]
                fn any_text(text in $text) {
                    try_everywhere(&text, $find, $say);
                }
            }
        }
    )*};
}

recognizers! {
    codes: |before, rest| alphanumeric::find(before, rest, locales())
        => |value, out| say::code_parts(&LOCALE, value, "code-symbol", out),
        "(\\PC|[A-Ca-c0-9 .$+#/-]|MH |Boeing |₂|s|X){0,14}";
    coordinates: coordinate::find => |value, out| say::coordinate(&LOCALE, value, out),
        "(\\PC|[0-9.°'\" NSEW]){0,14}";
    coordinates_in_hindi:
        coordinate::find => |value, out| say::coordinate(&hi_in::normalize::LOCALE, value, out),
        "(\\PC|[0-9.°'\" NSEW]){0,14}";
    addresses: electronic::find => |value, out| say::electronic(&LOCALE, value, out),
        "(\\PC|[a-cA-C0-9.:/@#~_\\\\-]|www|com|\\.pdf|://|v[0-9]){0,14}";
    markup: |before, rest| markdown::find(before, rest, || false)
        => |value, out| say::markup(&LOCALE, value, out),
        "(\\PC|\\n|[a1 *_~=#>|`!&;<(/\"-]|\\[|\\]|\\)|</?b>|&amp;|&#39;){0,16}";
    markup_in_hindi: |before, rest| markdown::find(before, rest, || false)
        => |value, out| say::markup(&hi_in::normalize::LOCALE, value, out),
        "(\\PC|[a1 &;<(/]|</?b>|&amp;|&#39;){0,16}";
    postal_codes: |before, rest| postal::find(before, rest, locales())
        => |value, out| say::code_parts(&LOCALE, value, "symbol", out),
        "(\\PC|[A-C0-9 -]|CA |Delhi |[0-9]{5,6}){0,12}";
    roman_numerals: |before, rest| roman::find(before, rest, locales())
        => |value, out| say::roman(&LOCALE, value, out),
        "(\\PC|[IVXLCDMivx]|Henry |Chapter |'s| ){0,12}";
    telephone_numbers: |before, rest| telephone::find(before, rest, locales())
        => |value, out| say::telephone(&LOCALE, value, out),
        "(\\PC|[0-9 ()+-]|x|ext\\.|call |pin |1-800-|A){0,16}";
}

#[test]
fn what_is_none_of_them() {
    holds("no codes", |[text]| alphanumeric::find("", text, locales()).is_none());
    let nowhere = |text: &str, find: &dyn Fn(&str, &str) -> bool| {
        text.char_indices().all(|(at, _)| !find(&text[..at], &text[at..]))
    };
    holds("no Roman numerals", |[text]| {
        nowhere(text, &|before, rest| roman::find(before, rest, locales()).is_some())
    });
    holds("no telephone numbers", |[text]| {
        nowhere(text, &|before, rest| telephone::find(before, rest, locales()).is_some())
    });
}

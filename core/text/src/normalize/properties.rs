//! Properties of a position and its context, by their names in conditions.

use super::choice::ContextClass;
use super::condition::Place;
use super::math;
use super::prelude::*;
use super::{abbreviation, roman};

/// A word that a test examines.
pub(crate) struct Look<'a> {
    pub(crate) word: &'a str,
    /// The sentence on the side of the word: up to its end, or from its start.
    pub(crate) text: &'a str,
    pub(crate) place: Place<'a>,
}

pub(crate) type Property = fn(&Look<'_>) -> bool;

/// Properties that only reject text that is no abbreviation.
pub(crate) const GUARDS: &[&str] =
    &["alone", "apart", "bare", "cased", "lower", "one", "small", "spaced", "typed-first"];

pub(crate) fn find(name: &str) -> Option<Property> {
    PROPERTIES.iter().find(|(known, _)| *known == name).map(|(_, property)| *property)
}

const PROPERTIES: &[(&str, Property)] = &[
    // Properties of a word.
    ("Cap", |look| look.word.starts_with(char::is_uppercase)),
    ("caps", |look| look.word.len() > 1 && !look.word.contains(char::is_lowercase)),
    ("cased", |look| look.word.contains(char::is_lowercase)),
    ("small", |look| !look.word.contains(char::is_uppercase)),
    ("one", |look| look.word.len() == 1),
    ("plain", is_plain),
    ("letters", |look| look.word.starts_with(is_latin_letter)),
    ("lettered", |look| look.text.starts_with(is_letter)),
    ("word", |look| look.text.starts_with(is_inner)),
    ("num", |look| look.word.starts_with(is_digit)),
    ("year", |look| {
        look.word.len() == 4 && ("1500".."2100").contains(&look.word) && are_digits(look.word)
    }),
    ("native", |look| {
        look.word.starts_with(|c: char| look.place.context.locales().is_own_script(c))
    }),
    ("ordinal", is_ordinal),
    ("compass", |look| look.place.context.lexicon().compass.contains_key(look.word)),
    ("three", |look| look.word.len() == 3 && look.word.chars().all(is_upper)),
    ("letter", |look| look.word.len() == 1 && look.word.starts_with(is_upper)),
    // Properties of the next text.
    ("single", |look| is_single(look.text)),
    ("initial", is_initial),
    ("number", |look| starts_number(look.text)),
    ("country-number", |look| is_number_with_country(look.text)),
    ("numeral", |look| is_small_numeral(look.text)),
    ("bracketed", |look| {
        look.text.strip_prefix('(').is_some_and(|number| number.starts_with(is_digit))
    }),
    ("code", is_code),
    ("masked", |look| look.text.starts_with(['X', 'x', '*'])),
    ("hash", |look| look.text.starts_with('#')),
    ("verse", |look| is_verse(look.text)),
    ("date", |look| {
        look.text.get(..3).is_some_and(|date| date.ends_with('/') && date.starts_with(is_digit))
    }),
    ("degrees", is_degrees),
    ("decimal", |look| {
        let decimals = look.text.trim_start_matches(is_digit).strip_prefix('.');
        look.text.starts_with(is_digit) && decimals.is_some_and(|text| text.starts_with(is_digit))
    }),
    ("dose", |look| counts(look.text, WordClass::DoseUnit)),
    ("course", |look| counts(look.text, WordClass::CourseUnit)),
    ("time-span", |look| counts(look.text, WordClass::TimeUnit)),
    ("short-number", |look| (1..3).contains(&look.word.len()) && are_digits(look.word)),
    ("lower", |look| look.text.starts_with(|c: char| c.is_alphanumeric() && !c.is_uppercase())),
    ("end", |look| look.text.is_empty() || look.text.starts_with([',', ')', ';', '.', '!', '|'])),
    // Properties of the previous text.
    ("digits", |look| look.text.ends_with(is_digit)),
    ("amount", is_amount),
    ("many", |look| look.text.ends_with(is_digit) && look.word != "1"),
    ("money", is_money),
    ("decimals", |look| {
        look.text.rsplit('.').next().is_some_and(|digits| digits.len() == 2 && are_digits(digits))
    }),
    ("class-year", |look| {
        let digits = look.word.strip_prefix(['\'', '’']);
        digits.is_some_and(|digits| digits.len() == 2 && are_digits(digits))
    }),
    ("clock", |look| {
        let minutes = look.text.len().saturating_sub(3);
        look.text.as_bytes().get(minutes) == Some(&b':') || look.text.ends_with(['m', 'M'])
    }),
    ("road", |look| ends_in_road(look.place.context)),
    ("container-owner", |look| {
        look.place.context.before.ends_with(' ')
            && look.word.len() == 4
            && look.word.ends_with(['U', 'J', 'Z'])
            && look.word.chars().all(is_upper)
    }),
    // Properties of the match.
    ("number-end", |look| Cursor::new(look.place.after).at_number_end()),
    ("stop", |look| look.place.stopped),
    ("bare", |look| !look.place.stopped),
    ("parts", |look| look.word.contains(['.', ' '])),
    ("numbered", |look| {
        let before = look.place.context.before.strip_suffix('#');
        before.is_some_and(|before| opens(before) && !before.ends_with('&'))
    }),
    ("rising", |look| {
        let low = look.place.context.before.chars().next_back();
        low < look.place.after.chars().next()
    }),
    ("hour-behind", |look| is_hour_behind(look.word)),
    ("assigned", |look| is_of_assignment(&look.place)),
    ("slashed", |look| look.word.contains('/')),
    ("spaced", |look| look.place.after.starts_with([' ', '\u{a0}'])),
    ("colon", |look| {
        look.place.after.strip_prefix(':').is_some_and(|after| !after.starts_with(is_inner))
    }),
    ("after-name", |look| {
        let before = look.place.context.before;
        before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    }),
    ("final", |look| look.place.after.is_empty()),
    ("closed", |look| !look.place.after.starts_with(char::is_alphanumeric)),
    ("last", |look| !look.place.after.contains(char::is_alphanumeric)),
    ("first", |look| !look.place.context.before.contains(char::is_alphanumeric)),
    ("code-span", |look| look.place.context.before.matches('`').count() % 2 == 1),
    ("alone", |look| is_on_its_own(&look.place)),
    ("apart", |look| is_apart(&look.place)),
    ("typed-first", |look| is_first_of_chat(&look.place)),
    ("within", |look| is_within(look.place.context.before)),
    ("among-weekdays", |look| is_among_weekdays(&look.place)),
];
fn are_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether it is a word of two or more letters, or a code, but no number.
fn is_plain(look: &Look<'_>) -> bool {
    look.word.len() > 1 && look.word.chars().all(char::is_alphanumeric) && !are_digits(look.word)
}

/// Whether it is an ordinal number in digits: `5th`.
fn is_ordinal(look: &Look<'_>) -> bool {
    let letters = look.word.trim_start_matches(is_digit);
    letters.len() < look.word.len() && look.place.context.is(letters, WordClass::OrdinalEndings)
}

/// Whether it is a single capital letter: `App. C.`
fn is_single(next: &str) -> bool {
    let mut letters = next.chars();
    letters.next().is_some_and(is_upper)
        && !letters.next().is_some_and(|c| {
            is_inner(c) || c == '.' && letters.as_str().contains(char::is_alphanumeric)
        })
}

/// Whether it begins with a capital letter without a small one after it: `B12`.
fn is_initial(look: &Look<'_>) -> bool {
    let next = look.text.strip_prefix(is_upper);
    next.is_some_and(|next| !next.starts_with(is_lower))
}

/// Whether a number follows: signed, Roman or with letters of a code: `Vol. III`, `No. D482`.
fn starts_number(next: &str) -> bool {
    let number = next.trim_start_matches(['#', '-', '−', '+', '~', '≈']);
    let token = &next[..run(next, char::is_alphanumeric)];
    let letters = run(token, is_upper);
    let is_numeral = token.len() > 1 && letters == token.len() && roman::value(token).is_some();
    let is_masked = token.starts_with("XX") || next.starts_with("**");
    let is_code = is_masked || (1..=3).contains(&letters) && token[letters..].starts_with(is_digit);
    number.starts_with(is_digit) || is_numeral || is_code
}

/// Whether a number after a country code follows: `VAT no. GB 123 4567 89`.
fn is_number_with_country(next: &str) -> bool {
    let letters = run(next, is_upper);
    let number = next[letters..].strip_prefix(' ').unwrap_or_default();
    letters == 2 && number.starts_with(is_digit)
}

/// Whether a page number in small Roman letters follows: `p. vii`, `pp. iii–ix`.
fn is_small_numeral(next: &str) -> bool {
    let letters = run(next, |c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c'));
    roman::value(&next[..letters]).is_some() && !next[letters..].starts_with(is_inner)
}

/// Whether it is capitals with digits after them: `NIT-07`.
fn is_code(look: &Look<'_>) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/');
    let code = &look.text[..run(look.text, is_part)];
    code.starts_with(is_upper) && code.contains(is_digit)
}

/// Whether a chapter and verse follow: `13:4`.
fn is_verse(next: &str) -> bool {
    let mut cursor = Cursor::new(next);
    cursor.digits(1..=3).is_some() && cursor.eat(":").is_some() && cursor.digits(1..=3).is_some()
}

/// Whether degrees follow: `29°C`.
fn is_degrees(look: &Look<'_>) -> bool {
    let unit = look.text.trim_start_matches(|c: char| is_digit(c) || c == '.').trim_start();
    unit.len() < look.text.len() && unit.starts_with(['°', '℃'])
}

/// Whether a number or a range with one of these units follows: `6h`, `4-6 hrs`.
fn counts(next: &str, units: WordClass) -> bool {
    let unit = next.trim_start_matches(|c| is_digit(c) || is_dash(c)).trim_start();
    (1..4).contains(&run(next, is_digit)) && units.has_any_case(&unit[..run(unit, is_latin_letter)])
}

/// Whether it is two hours of which the second is one earlier, as in the next time zone: `8/7c`.
fn is_hour_behind(hours: &str) -> bool {
    let hour = |digits: &str| digits.parse().ok().filter(|hour: &u8| (1..=12).contains(hour));
    let hours = hours.trim_end_matches(is_latin_letter).split_once('/');
    hours.is_some_and(|(eastern, central)| {
        hour(central).is_some_and(|central| Some(central % 12 + 1) == hour(eastern))
    })
}

/// Whether it is in the value of a variable, a list of paths: `PATH=$HOME/bin:$PATH`.
fn is_of_assignment(place: &Place<'_>) -> bool {
    let token = place.context.before.rsplit(char::is_whitespace).next().unwrap_or_default();
    token.contains('=') && place.after.starts_with('$')
        || token.contains(['=', '/'])
            && token.contains('$')
            && place.after.starts_with(['$', '/', '~'])
}

/// Whether it is a number, with an optional bracket or sign before it: `(72`, `~5`.
fn is_amount(look: &Look<'_>) -> bool {
    let number = look.text.trim_end_matches('-').rsplit(char::is_whitespace).next();
    number.is_some_and(|number| {
        number.starts_with(|c: char| is_digit(c) || matches!(c, '(' | '~' | '.'))
            && number.ends_with(is_digit)
    })
}

/// Whether it is an amount of money: `$20`, `CHF 120`.
fn is_money(look: &Look<'_>) -> bool {
    let mut words = look.text.split_whitespace().rev();
    let amount = words.next().unwrap_or_default();
    let code = words.next().unwrap_or_default();
    let is_after_code = code.len() == 3
        && code.bytes().all(|b| b.is_ascii_uppercase())
        && amount.starts_with(is_digit);
    amount.starts_with(['$', '€', '£', '₹']) || is_after_code
}

/// The class of words for roads.
const ROAD: ContextClass = "road";

/// Whether a road or its number precedes: `I-95`, `Hwy 12`, `Loop 410`.
fn ends_in_road(context: &MatchContext<'_>) -> bool {
    let Some(before) = context.before.strip_suffix(' ') else { return false };
    let name = before.trim_end_matches(is_digit);
    let is_road = |word: &str| context.locale.is_of_context_class(word, ROAD);
    if name.len() == before.len() {
        return before.ends_with(char::is_alphabetic) && is_road(last_word(before));
    }
    let kind = last_word(name.trim_end_matches(['-', ' ', '.']));
    is_road(kind) || kind == "I" || name.is_empty()
}

/// Whether a word or a comma, and a space, precede.
fn is_within(before: &str) -> bool {
    before.ends_with(' ') && before.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ',')
}

/// Whether the sentence has another capitalized weekday.
fn is_among_weekdays(place: &Place<'_>) -> bool {
    let weekdays = &place.context.lexicon().weekdays;
    let is_weekday = |word: &str| {
        word.len() > 2
            && !word.eq_ignore_ascii_case(place.written)
            && word.starts_with(char::is_uppercase)
            && weekdays.contains_key(word.to_ascii_lowercase().as_str())
    };
    place.context.text().split(|c: char| !c.is_alphabetic()).any(is_weekday)
}

/// Whether a phone capitalized the first letter: `Idk what he said`. `Ty` and `Jk` may be names.
fn is_first_of_chat(place: &Place<'_>) -> bool {
    place.written.len() > 2
        && place.context.before.trim().is_empty()
        && place.written.starts_with(is_upper)
        && place.written.bytes().skip(1).all(|b| b.is_ascii_lowercase())
}

/// Whether small letters are separate: in no address, code or formula.
fn is_apart(place: &Place<'_>) -> bool {
    opens(place.context.before)
        && !is_term(place)
        && !place.context.before.ends_with(['-', '.', '/', '\'', '@', '#'])
        && !place.after.starts_with(['-', '/', '@', '_', '^'])
}

/// Whether an abbreviation is separate: in no name, address, code or formula.
fn is_on_its_own(place: &Place<'_>) -> bool {
    let Place { context, written, stopped, after } = *place;
    // `type "cmd"`
    let is_quote = |c: char| matches!(c, '"' | '“' | '”' | '`');
    if !stopped && context.before.ends_with(is_quote) && after.starts_with(is_quote) {
        return false;
    }
    let joins = |c: char| "-_./@\\#$=".contains(c);
    // `dbl-sided`
    let is_unsaid = written.len() > 2 && !written.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    let goes_on = after.starts_with(joins)
        && after[1..].starts_with(is_inner)
        && !(is_unsaid && after.starts_with('-') && after[1..].starts_with(char::is_lowercase));
    let is_rate = context.before.ends_with('/') && math::is_per(context, 1);
    let is_joined = follows_count(place) || follows_word(place);
    let is_part = !is_rate && !is_joined && context.before.ends_with(joins)
        || goes_on
        || stopped && after.starts_with(is_inner);
    // `arr[0]`
    let is_code = after.starts_with("::") || !stopped && after.starts_with('[');
    (!is_part || is_of_pair(place)) && !is_code && (stopped || !is_term(place))
}

/// Whether a number and a hyphen precede: `4th-fl walkup`, `2-Pk`.
fn follows_count(place: &Place<'_>) -> bool {
    let number = place.context.before.strip_suffix('-').unwrap_or_default();
    let ordinal = WordClass::EnglishOrdinal.strip_suffix(number).unwrap_or(number);
    place.written.len() > 1 && ordinal.ends_with(is_digit)
}

/// Whether a word and a hyphen precede letters that cannot be said: `half-hr`, `non-smkg`.
fn follows_word(place: &Place<'_>) -> bool {
    let word = place.context.before.strip_suffix('-').map(last_word).unwrap_or_default();
    word.len() > 2
        && word.bytes().all(|b| b.is_ascii_lowercase())
        && abbreviation::is_unsaid(place.written)
}

/// Whether it is a variable or a product of two in a formula: `(ad + bc)`.
fn is_term(place: &Place<'_>) -> bool {
    let is_sign = |c: char| matches!(c, '+' | '=' | '×' | '÷' | '√' | '^' | '−');
    let before = place.context.before.trim_end();
    place.written.len() < 3
        && !before.ends_with(is_digit)
        && place.context.text().contains('=')
        && (before.ends_with(is_sign) || place.after.trim_start().starts_with(is_sign))
}

/// Whether it is one of two words with a slash between that are no path: `blk/wht`, `min/max`.
fn is_of_pair(place: &Place<'_>) -> bool {
    let Place { context, written, .. } = *place;
    let is_space = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',');
    let start = context.before.rfind(is_space).map_or(0, |at| at + 1);
    let end = context.rest.find(is_space).unwrap_or(context.rest.len());
    let token = context.text().get(start..context.before.len() + end).unwrap_or_default();
    let token = token.trim_end_matches(['.', ':', ';', '!', '?']);
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_alphabetic());
    written.len() > 1
        && token.split_once('/').is_some_and(|(one, other)| is_word(one) && is_word(other))
}

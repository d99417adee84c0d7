//! Recognizes symbols by context: a slash between words or numbers, a hash before a number.

use super::super::lexicon;
use crate::normalize::prelude::*;
use crate::scripts::is_devanagari;

/// A slash is a pause between words, "पति/पत्नी", but named between numbers; "#1" is number one.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Found {
    let first = context.rest.chars().next()?;
    let after = &context.rest[first.len_utf8()..];
    let phrase = |words| SemioticClass::phrase(words);
    let value = match first {
        '/' if is_price(context.before) && is_amount(after) => phrase("प्रति"),
        // "(₹/क्विंटल)"
        '/' if context.before.ends_with('₹') && after.starts_with(is_letter) => phrase("प्रति"),
        '/' if ends_in_rupees(context.before) && after.starts_with(is_letter) => phrase("प्रति"),
        ':' if after.starts_with(':') && is_between_ratios(context.before, &after[1..]) => {
            return Some((2, phrase("समानुपात")));
        }
        ':' if is_proportion(context, after) => phrase("अनुपात"),
        '-' | '–' if follows_ordinal(context.before) && is_ordinal(after) => phrase("से"),
        '/' if context.before.ends_with(is_digit) && is_currency(after) => phrase("प्रति"),
        '/' if is_between_telephones(context.before, after) => SemioticClass::Pause,
        '/' if context.before.ends_with(is_digit) && after.starts_with(is_digit) => phrase("बटा"),
        '/' if is_quotient(context.before, after) => phrase("बटा"),
        '/' if context.before.ends_with(is_digit) && is_numeral(after) => phrase("बटा"),
        '/' if is_rate(context.before, after)
            || ends_in_measure(context.before) && after.starts_with(is_devanagari) =>
        {
            phrase("प्रति")
        }
        '/' if ends_in_word(context.before) && after.starts_with(char::is_alphanumeric) => {
            SemioticClass::Pause
        }
        '#' if after.starts_with(is_digit) || is_code(after) => phrase("नंबर"),
        // "NH-9/NH-24"
        '/' if context.before.ends_with(is_digit)
            && run(after, is_upper) > 1
            && after.contains(is_digit) =>
        {
            SemioticClass::Pause
        }
        // "B.1.617"
        '.' if ends_in_capital(context.before) && after.starts_with(is_digit) => phrase("पॉइंट"),
        '/' if is_pause(context, after) => SemioticClass::Pause,
        _ => return None,
    };
    Some((first.len_utf8(), value))
}

/// An arrow after an imperative, before the next step: "सेटिंग खोलें → भाषा चुनें".
pub(in super::super) fn find_step(context: &MatchContext<'_>) -> Found {
    const ARROWS: [&str; 4] = ["→", "➔", "->", "=>"];
    const IMPERATIVES: [&str; 7] = ["ें", "एँ", "एं", "इए", "िए", "िये", "ओ"];
    let length = ARROWS.iter().find(|arrow| context.rest.starts_with(**arrow))?.len();
    let word = last_word(context.before.trim_end());
    let leads = IMPERATIVES.iter().any(|ending| word.ends_with(ending)) && word.len() > 6;
    leads.then_some((length, SemioticClass::Pause))
}

/// Whether long numbers are on both sides: "011-23456789 / 9876543210".
fn is_between_telephones(before: &str, after: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '+');
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    let before = before.trim_end();
    let last = &before[before.trim_end_matches(is_part).len()..];
    let next = &after[..run(after, is_part)];
    digits(last) > 6 && digits(next) > 6
}

/// Whether a colon is in an equation of two ratios: "A:B = 2:3", "राम : श्याम = 3 : 5".
fn is_proportion(context: &MatchContext<'_>, after: &str) -> bool {
    let text = context.text();
    let is_spaced = context.before.ends_with(' ') && after.starts_with(' ');
    let is_joined = context.before.ends_with(char::is_alphanumeric)
        && after.starts_with(|c: char| c.is_ascii_alphanumeric());
    text.split('=').filter(|side| side.contains(':')).count() > 1 && (is_spaced || is_joined)
}

/// Ordinal endings after digits.
const ORDINAL_ENDINGS: [&str; 14] =
    ["वीं", "वें", "वां", "वाँ", "वी", "ली", "ला", "री", "थी", "ठी", "st", "nd", "rd", "th"];

/// Whether a number with an ordinal ending follows: "16वीं".
fn is_ordinal(after: &str) -> bool {
    let ending = &after[run(after, is_digit)..];
    ending.len() < after.len() && ORDINAL_ENDINGS.iter().any(|one| ending.starts_with(one))
}

/// Whether a number with an optional ordinal ending precedes: "9वीं-", "9-".
fn follows_ordinal(before: &str) -> bool {
    let stem = ORDINAL_ENDINGS.iter().find_map(|ending| before.strip_suffix(ending));
    stem.unwrap_or(before).ends_with(is_digit)
}

/// Whether one or two separate capitals precede.
fn ends_in_capital(before: &str) -> bool {
    let led = before.trim_end_matches(is_upper);
    (1..=2).contains(&(before.len() - led.len())) && opens(led)
}

/// Whether two colons separate two ratios: "3:4 :: 6:8".
fn is_between_ratios(before: &str, after: &str) -> bool {
    let mut before = before.split_whitespace();
    let is_ratio = |text: Option<&str>| text.is_some_and(|text| text.contains(':'));
    is_ratio(before.next_back()) && is_ratio(after.split_whitespace().next())
}

/// Whether a slash means "per" a time or person: "3 days/week", "100 SMS/दिन", "2 गोली/दिन".
fn is_rate(before: &str, after: &str) -> bool {
    let many = last_word(before);
    let counted = before.trim_end_matches(many).trim_end();
    let period = first_word(after);
    // "10 किग्रा बीज/एकड़"
    let unit = last_word(counted);
    let of_unit = counted.strip_suffix(unit).unwrap_or_default().trim_end();
    let is_counted = counted.ends_with(is_digit)
        || of_unit.ends_with(is_digit) && lexicon::lexicon().units.contains_key(unit);
    many.len() > 2
        && many != period
        && is_counted
        && lexicon::lists(WordClass::PeriodOfRate, period)
}

/// Whether a number and a Latin unit precede: "320 kcal".
fn ends_in_measure(before: &str) -> bool {
    let unit = last_word(before);
    let number = before.strip_suffix(unit).unwrap_or_default().trim_end();
    unit.len() > 1 && lexicon::lexicon().units.contains_key(unit) && number.ends_with(is_digit)
}

/// Whether a slash is a pause: spaced, before a word, outside a calculation. "Android 14 / iOS 17".
fn is_pause(context: &MatchContext<'_>, after: &str) -> bool {
    context.before.ends_with(' ')
        && context.before.trim_end().ends_with(is_inner)
        && after.strip_prefix(' ').is_some_and(|word| word.starts_with(is_letter))
        && !context.text().contains('=')
}

/// Whether a standalone currency sign follows: "83.45/$".
fn is_currency(after: &str) -> bool {
    after
        .strip_prefix(['$', '₹', '€', '£'])
        .is_some_and(|next| !next.trim_start().starts_with(is_digit))
}

/// Whether a slash divides variables in a formula: "R = V/I".
fn is_quotient(before: &str, after: &str) -> bool {
    let letter = before.strip_suffix(is_latin_letter).unwrap_or_default();
    let next = after.strip_prefix(is_latin_letter);
    // "गति = दूरी/समय"
    let numerator = before.rsplit_once("= ").map(|(_, word)| word).unwrap_or_default();
    let is_of_words = ends_in_word(before) && run(numerator, is_inner) == numerator.len();
    if is_of_words && !numerator.is_empty() && after.starts_with(is_letter) {
        return true;
    }
    before.contains('=')
        && letter.trim_end_matches(is_digit).ends_with([' ', '=', '('])
        && next.is_some_and(closes)
}

/// Whether letters precede, with an optional abbreviation stop: "अनु.जा./".
fn ends_in_word(before: &str) -> bool {
    before.strip_suffix(['.', '॰']).unwrap_or(before).ends_with(is_letter)
}

/// Whether a Roman numeral of two or more letters follows: "212/IV".
fn is_numeral(after: &str) -> bool {
    let length = run(after, |c| "IVX".contains(c));
    length > 1 && closes(&after[length..])
}

/// Whether capitals with digits after them follow: "#OD4291".
fn is_code(after: &str) -> bool {
    let digits = &after[run(after, is_upper)..];
    digits.len() < after.len() && run(digits, is_digit) > 3
}

/// Whether an amount of money precedes: "₹71,500".
pub(in super::super) fn is_price(before: &str) -> bool {
    let amount = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let number = amount.trim_start_matches(|c: char| !c.is_ascii_digit());
    number.ends_with(is_digit)
        && ["₹", "$", "€", "£", "रु.", "Rs."].iter().any(|sign| amount.starts_with(sign))
}

/// Whether an amount in rupees precedes, so that it is a price: "96.72 रु".
fn ends_in_rupees(before: &str) -> bool {
    let words = ["रु", "रू", "रु.", "रू.", "रुपये", "रुपए", "Rs", "Rs."];
    let amount = words.iter().find_map(|rupees| before.strip_suffix(rupees));
    amount.is_some_and(|amount| amount.trim_end().ends_with(is_digit))
}

/// Whether an amount with a price follows: "10 ग्राम", "100 ml".
fn is_amount(after: &str) -> bool {
    let mut cursor = Cursor::new(after);
    let number = Number::scan(&mut cursor);
    cursor.spaces();
    let word = Cursor::new(cursor.rest()).letters().unwrap_or_default();
    number.is_some()
        && (lexicon::is_counted(word) || lexicon::lexicon().unit(cursor.rest()).is_some())
}

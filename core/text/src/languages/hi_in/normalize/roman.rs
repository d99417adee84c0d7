//! Recognizes Roman numerals in Hindi texts.

use super::lexicon;
use super::numbers;
use crate::normalize::prelude::*;
use crate::normalize::roman::{self, Form, Value};
use crate::scripts::is_devanagari;

/// Ordinals of monarchs up to ten, which come from Sanskrit.
const REIGNS: [&str; 10] =
    ["प्रथम", "द्वितीय", "तृतीय", "चतुर्थ", "पंचम", "षष्ठ", "सप्तम", "अष्टम", "नवम", "दशम"];

/// Finds a numeral by adjacent Hindi words or by its form, else by the rules shared with English.
pub(super) fn find(context: &MatchContext<'_>) -> Found {
    let (length, value) = match hindi(context).or_else(|| after_capitals(context)) {
        Some(value) => (value.length, value),
        None => roman::find(context.before, context.rest, context.locales())?,
    };
    Some((length, SemioticClass::Roman(value)))
}

/// Finds a cardinal by its form: after capitals and a hyphen ("GRAP-IV", "Ph-II"), of three or more
/// letters ("XXXIII ओलंपिक"), or a page number in small letters ("पृ. iii–ix").
fn after_capitals(context: &MatchContext<'_>) -> Option<Value> {
    let letters = run(context.rest, |c| "IVXivx".contains(c));
    let numeral = &context.rest[..letters];
    let number = roman::value(numeral)?;
    let after = &context.rest[letters..];
    let led = context.before.strip_suffix('-').unwrap_or_default();
    let label = last_word(led.trim_end_matches('.'));
    let follows_capitals = label.len() > 1 && label.starts_with(is_upper);
    let is_long =
        numeral.len() > 2 && numeral != "XXX" && !context.before.ends_with(['-', '.', '/']);
    let page = context.before.trim_end_matches([' ', '-', '–', 'i', 'v', 'x', '.', '॰']);
    let is_page = numeral.starts_with(is_lower) && lists("पृ पृष्ठ पेज", last_word(page));
    let is_capital = numeral.starts_with(is_upper);
    let stands = closes(after) && !after.starts_with(['-', '\'', '+']) || is_page;
    let opens = boundaries::opens(context.before);
    (opens && stands && (is_capital && (follows_capitals || is_long) || is_page)).then_some(Value {
        number,
        form: Form::Cardinal,
        is_possessive: false,
        length: letters,
        part: None,
    })
}

fn hindi(context: &MatchContext<'_>) -> Option<Value> {
    let letters = run(context.rest, |c| "IVXLCDM".contains(c));
    let numeral = &context.rest[..letters];
    let number = roman::value(numeral)?;
    let after = &context.rest[letters..];
    let led = context.before.strip_suffix('-').unwrap_or(context.before).trim_end();
    let word = last_word(led.trim_end_matches(['.', '॰']));
    let spaced = context.before.ends_with([' ', '-']) && word.starts_with(is_devanagari);
    let is_divided =
        context.before.strip_suffix('/').is_some_and(|before| before.ends_with(is_digit));
    if !boundaries::opens(context.before)
        || after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '\'')
    {
        return None;
    }
    let suffix = ["वीं", "वां", "वाँ", "वें", "वी"].into_iter().find(|suffix| {
        let after = after.trim_start();
        after.strip_prefix(suffix).is_some_and(closes)
    });
    let next = first_word(after);
    let (form, length) = if let Some(suffix) = suffix {
        let gap = after.len() - after.trim_start().len();
        (Form::Ordinal, letters + gap + suffix.len())
    } else if !closes(after) {
        return None;
    } else if lists("सदी शताब्दी", next) {
        (Form::Ordinal, letters)
    } else if spaced
        && (lexicon::lists(WordClass::NameOfMonarch, word) || is_second_name(context.before))
        && !lists("L C D M", numeral)
        || is_small(numeral) && lexicon::lists(WordClass::OrderedByNumeral, next)
    {
        (Form::Reign, letters)
    } else if is_small(numeral) && is_listed(context.before, after)
        || spaced && is_counted(word, numeral, next)
        || is_divided && numeral.len() > 1 && is_small(numeral)
    {
        (Form::Cardinal, letters)
    } else {
        return None;
    };
    Some(Value { number, form, is_possessive: false, length, part: None })
}

/// Whether a numeral is one of several after a counted word: "भाग I, II व III", "श्रेणी I-IV".
fn is_listed(before: &str, after: &str) -> bool {
    const JOINTS: [char; 7] = [' ', ',', '/', '-', '–', '&', '.'];
    const WORDS: [&str; 7] = ["व", "और", "एवं", "तथा", "या", "से", "अथवा"];
    let without_joint = |text: &str| {
        let text = text.trim_end_matches(JOINTS);
        let word = last_word(text);
        if WORDS.contains(&word) {
            text[..text.len() - word.len()].trim_end_matches(JOINTS).to_owned()
        } else {
            text.to_owned()
        }
    };
    let mut led = without_joint(before);
    let mut count = 0;
    while roman::value(last_word(&led)).is_some() && is_small(last_word(&led)) {
        let numeral = last_word(&led).len();
        led = without_joint(&led[..led.len() - numeral]);
        count += 1;
    }
    let next = after.trim_start_matches(JOINTS);
    let next = WORDS.iter().find_map(|word| next.strip_prefix(*word)).unwrap_or(next);
    let next = first_word(next);
    let leads = next != after && roman::value(next).is_some() && is_small(next);
    let word = last_word(&led);
    (count > 0 || leads)
        && (lexicon::lists(WordClass::CountedByNumeral, word)
            || leads && count == 0 && word == "धारा")
}

/// Whether a monarch's second name precedes: "पोप जॉन पॉल II", "राजा फ़लाँ II".
fn is_second_name(before: &str) -> bool {
    let titles = "राजा रानी महाराजा महारानी सम्राट सम्राज्ञी पोप ज़ार जार सुल्तान किंग क्वीन";
    words_back(before).skip(1).take(2).any(|word| lists(titles, word))
}

fn is_small(numeral: &str) -> bool {
    numeral.bytes().all(|b| b"IVX".contains(&b))
}

/// Whether a counted word precedes, or any word before two or more letters: "रॉकी III".
fn is_counted(word: &str, numeral: &str, next: &str) -> bool {
    let is_small = is_small(numeral);
    let is_drip = numeral == "IV" && lists("ड्रिप फ्लूइड फ़्लूइड इंजेक्शन", next);
    match numeral.len() {
        1 => lexicon::lists(WordClass::CountedByNumeral, word) && is_small,
        _ => is_small && !is_drip && !lists("XX XXX XL XXL", numeral),
    }
}

/// Verbalizes a numeral in its form: "चार", "चौदहवें", "अष्टम".
pub(super) fn verbalize(value: &Value, source: &str, out: &mut Verbalization) {
    let span = 0..value.length.min(source.len());
    let number = usize::try_from(value.number).unwrap_or_default();
    let cardinal = || numbers().cardinal(value.number);
    let with_suffix = |suffix: &str| {
        let mut words: Vec<String> = cardinal().into_iter().map(String::from).collect();
        if let Some(last) = words.last_mut() {
            last.push_str(suffix);
        }
        words
    };
    let written = || ["वां", "वाँ", "वें"].into_iter().find(|suffix| source.ends_with(suffix));
    match value.form {
        Form::Reign => match REIGNS.get(number.wrapping_sub(1)) {
            Some(name) => out.words([*name], span),
            None => out.words(with_suffix("वें"), span),
        },
        Form::Ordinal => out.words(with_suffix(written().unwrap_or("वीं")), span),
        Form::WorldWar => {
            out.words(REIGNS.get(number.wrapping_sub(1)).copied(), span.clone());
            out.words(["विश्व", "युद्ध"], span);
        }
        Form::Cardinal | Form::Year => out.words(cardinal(), span.clone()),
    }
    if let Some(part) = value.part {
        out.spelled(part, value.length..value.length + 1);
    }
}

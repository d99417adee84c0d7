//! Recognizes Roman numerals by the words around them.
//!
//! Runs after addresses and codes and before words, at the start of each word. The pronoun I,
//! initials and acronyms such as DC are not numerals.

use super::cursor;
use super::prelude::*;
use crate::named::named;

/// A numeral and its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) number: u64,
    pub(crate) form: Form,
    /// Whether "'s" follows: "Elizabeth II's".
    pub(crate) is_possessive: bool,
    /// The length of the numeral, including "WW" before it.
    pub(crate) length: usize,
    /// The letter of a subdivision: "stage IIIb", "Stage IIB".
    pub(crate) part: Option<char>,
}

named! {
    /// The form in which a numeral is read.
    pub(crate) enum Form {
        /// "Chapter four".
        Cardinal,
        /// "MMXXIV": as a year.
        Year,
        /// "Henry the eighth".
        Reign,
        /// "nineteenth century".
        Ordinal,
        /// "WWII".
        WorldWar,
    }
}

/// The length of a numeral that a hyphen joins to a name: "II" of "SALT-II".
pub(crate) fn after_hyphen(before: &str, rest: &str) -> Option<usize> {
    let name = last_word(before.strip_suffix('-')?);
    let length = run(rest, |c| matches!(c, 'I' | 'V' | 'X'));
    let is_name = name.len() > 1 && name.starts_with(char::is_uppercase) && value(name).is_none();
    let fits = length > 1
        && is_name
        && value(&rest[..length]).is_some()
        && !matches!(&rest[..length], "XX" | "XXX")
        && closes(&rest[length..])
        && !joins_letters(&rest[length..]);
    fits.then_some(length)
}

/// A numeral at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str, locales: Locales) -> Option<(usize, Value)> {
    if let Some(length) = after_hyphen(before, rest) {
        let number = value(&rest[..length])?;
        let form = Form::Cardinal;
        return Some((length, Value { number, form, is_possessive: false, length, part: None }));
    }
    if !opens(before) || before.ends_with(['-', '.', '\'', '’', '/', '$', '@', '#']) {
        return None;
    }
    let war = WordClass::War.strip_prefix(rest).filter(|after| after.starts_with('I'));
    let prefix = war.map_or(0, |after| rest.len() - after.len());
    let letters = run(&rest[prefix..], |c| "IVXLCDMivxlcdm".contains(c));
    let (numeral, length) = (&rest[prefix..prefix + letters], prefix + letters);
    let number = value(numeral)?;
    let after = &rest[length..];
    let part = part(&rest[prefix..], numeral);
    let after = &after[part.map_or(0, char::len_utf8)..];
    let ending = ["'s", "’s"].into_iter().find(|s| after.starts_with(s)).map_or(0, str::len);
    let after = &after[ending..];
    if !closes(after) || after.starts_with(['\'', '’', '&', '@', '+']) || joins_letters(after) {
        return None;
    }
    let form =
        if prefix > 0 { Form::WorldWar } else { form(before, numeral, number, after, locales)? };
    let is_counted = || {
        word_before(before).is_some_and(|word| is_counted(word, numeral, before, after, locales))
    };
    let fits = |part: char| form == Form::Cardinal && (part.is_lowercase() || is_counted());
    if !part.is_none_or(fits) {
        return None;
    }
    let value = Value { number, form, is_possessive: ending > 0, length, part };
    Some((length + part.map_or(0, char::len_utf8) + ending, value))
}

/// The letter of a subdivision directly after a numeral in capitals: "IIIb", "IIB".
fn part(rest: &str, numeral: &str) -> Option<char> {
    let mut after = rest[numeral.len()..].chars();
    let part = after.next().filter(|c| matches!(c, 'a'..='e' | 'A' | 'B'))?;
    let is_capital = numeral.bytes().all(|b| matches!(b, b'I' | b'V' | b'X'));
    (is_capital && closes(after.as_str())).then_some(part)
}

/// Whether a hyphen or full stop joins another letter: "X-ray", "I.V.".
fn joins_letters(after: &str) -> bool {
    after.strip_prefix(['-', '.', '/']).is_some_and(|next| next.starts_with(char::is_alphanumeric))
}

/// The value of a numeral in standard spelling, all capitals or all small.
pub(crate) fn value(numeral: &str) -> Option<u64> {
    const SIGNS: [&str; 13] =
        ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"];
    const VALUES: [u64; 13] = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];
    let capitals = numeral.to_ascii_uppercase();
    if numeral.is_empty()
        || numeral.len() > 15
        || numeral != capitals && numeral != numeral.to_ascii_lowercase()
    {
        return None;
    }
    let (mut rest, mut sum) = (capitals.as_str(), 0);
    for (value, sign) in VALUES.into_iter().zip(SIGNS) {
        let mut count = 0;
        while let Some(next) = rest.strip_prefix(sign) {
            (rest, sum, count) = (next, sum + value, count + 1);
        }
        let most = if value < 1000 && value.to_string().starts_with('1') { 3 } else { 1 };
        if count > if value == 1000 { 3 } else { most } {
            return None;
        }
    }
    rest.is_empty().then_some(sum)
}

/// The form of a numeral between these words; `None` if it is no numeral.
fn form(before: &str, numeral: &str, number: u64, after: &str, locales: Locales) -> Option<Form> {
    let next = next_word(after);
    let is_small = numeral.starts_with(is_lower);
    if !is_small && WordClass::CountedByOrdinal.has(next) && numeral != "I" {
        return Some(Form::Ordinal);
    }
    if let Some(before) = before.strip_suffix('(')
        && after.starts_with(')')
    {
        if before.ends_with(char::is_alphanumeric) {
            // `Fe(III)`
            let element = last_word(before);
            let is_element = element.len() <= 2 && element.starts_with(char::is_uppercase)
                || WordClass::Element.has(element);
            return (is_element && !is_small && number < 10).then_some(Form::Cardinal);
        }
        let is_item = numeral.len() > 1 || numeral == "i";
        return (is_item && is_small).then_some(Form::Cardinal);
    }
    // `ii. The tenant pays.`
    let is_item = numeral.len() > 1 && numeral.bytes().all(|b| b"ivx".contains(&b));
    if is_item && before.trim().is_empty() && after.starts_with([')', '.']) {
        return Some(Form::Cardinal);
    }
    if !is_small && is_among_numerals(before, numeral, after) {
        return Some(Form::Cardinal);
    }
    if !is_small && numeral.len() > 1 && is_in_list(before, locales) {
        return Some(Form::Cardinal);
    }
    if !is_small && is_heading(before, numeral, after, locales) {
        return Some(Form::Cardinal);
    }
    let Some(word) = word_before(before) else {
        return (!is_small && is_long(numeral)).then_some(if number > 1000 && numeral.len() > 4 {
            Form::Year
        } else {
            Form::Cardinal
        });
    };
    if is_counted(word, numeral, before, after, locales) {
        return Some(Form::Cardinal);
    }
    if is_small {
        return None;
    }
    if is_reign(before, word, numeral, after, locales) {
        return Some(Form::Reign);
    }
    if is_sequel(word, numeral, next, locales) {
        return Some(Form::Cardinal);
    }
    let is_year = numeral.len() > 4 && numeral.starts_with('M');
    if is_year {
        return Some(if (2000..2010).contains(&number) { Form::Cardinal } else { Form::Year });
    }
    is_long(numeral).then_some(Form::Cardinal)
}

/// Whether the numeral numbers a heading: `II. Methods`. A single letter may also be an initial.
fn is_heading(before: &str, numeral: &str, after: &str, locales: Locales) -> bool {
    let title = after.strip_prefix(". ").map(cursor::first_word).unwrap_or_default();
    let is_plain = numeral.bytes().all(|b| matches!(b, b'I' | b'V' | b'X'));
    before.trim().is_empty()
        && is_plain
        && title.starts_with(char::is_uppercase)
        && (numeral.len() > 1 || locales.lists(WordClass::Heading, &title.to_lowercase()))
}

/// Whether a numeral is too long for an acronym: at least four capitals of at least three kinds.
/// "XLIV", but not "XXXL" or "VIII".
fn is_long(numeral: &str) -> bool {
    let kinds = ["I", "V", "X", "L", "C", "D", "M"].iter().filter(|sign| numeral.contains(**sign));
    numeral.len() >= 4 && kinds.count() > 2 && numeral.contains(['I', 'V', 'X'])
}

/// Whether the previous word is counted by numerals: "Chapter IV", "type II", "Act III Scene ii".
fn is_counted(word: &str, numeral: &str, before: &str, after: &str, locales: Locales) -> bool {
    let lower = word.to_lowercase();
    let is_product = locales.lists(WordClass::ProductInRoman, word)
        && numeral.len() < 5
        && numeral != "I"
        && numeral != "XL";
    let is_listed = locales.lists(WordClass::CountedInRoman, &lower)
        || WordClass::War.has(word)
        || is_product
        || numeral == "I" && locales.lists(WordClass::ManyInRoman, &lower)
        || numeral.len() > 1 && follows_numeral(before, &lower, locales);
    let begins_capital = word.starts_with(char::is_uppercase);
    is_listed
        && match numeral {
            // A game console.
            "X" if WordClass::Console.has(word) => false,
            "C" | "D" | "L" | "M" | "c" | "d" | "l" | "m" | "v" | "x" => false,
            "MD" | "DC" | "CD" | "DI" | "MI" | "MC" | "CC" | "MM" | "DM" | "CM" => false,
            "I" if WordClass::BeforePronoun.has(word) => ends_clause(after),
            "I" if locales.lists(WordClass::ManyInRoman, &lower) => leads_to_numeral(after),
            "I" if !begins_capital => locales.lists(WordClass::AfterOne, next_word(after)),
            "i" => begins_capital || ends_clause(after),
            _ => true,
        }
}

/// Whether other numerals are beside it in a list: `I, II, and III`.
fn is_among_numerals(before: &str, numeral: &str, after: &str) -> bool {
    let is_plain = |numeral: &str| numeral.bytes().all(|b| matches!(b, b'I' | b'V' | b'X'));
    let is_numeral = |word: &str| value(word).is_some() && is_plain(word);
    let mut words = words_back(before);
    let last = words.next().unwrap_or_default();
    let previous =
        if WordClass::Conjunction.has(last) { words.next().unwrap_or_default() } else { last };
    let follows = is_numeral(previous)
        && (previous.len() > 1 || before.trim_end().ends_with([',', 'd', 'r']));
    let leads = after.starts_with([',', ' ']) && leads_to_numeral(after);
    is_plain(numeral)
        && (numeral.len() > 1 && (follows || leads)
            || numeral == "I" && after.starts_with(',') && leads)
}

/// Whether the previous numerals of a list follow a plural: "Parts I, II and III".
fn is_in_list(before: &str, locales: Locales) -> bool {
    let mut words = words_back(before).take(8);
    let is_of_list = |word: &&str| WordClass::BetweenNumerals.has(word) || value(word).is_some();
    let first = words.find(|word| !is_of_list(word));
    let listed = before.trim_end().ends_with(',')
        || words_back(before).nth(1).is_some_and(|word| value(word).is_some());
    listed && first.is_some_and(|word| locales.lists(WordClass::ManyInRoman, &word.to_lowercase()))
}

/// Whether another numeral follows in a list: "Parts I, II and III".
fn leads_to_numeral(after: &str) -> bool {
    let next = after.trim_start_matches([',', ' ', '–', '-', '&']);
    let word = cursor::first_word(next);
    let is_between = WordClass::BetweenNumerals.has(word) && next[word.len()..].starts_with(' ');
    let next = if is_between { &next[word.len() + 1..] } else { next };
    let numeral = &next[..run(next, char::is_alphabetic)];
    numeral.len() > 1 && value(numeral).is_some()
}

/// Whether a numeral and a connecting word precede: "Chapters IV and V", "pages i to xii".
fn follows_numeral(before: &str, word: &str, locales: Locales) -> bool {
    let singular_page = WordClass::Page.has(word);
    if singular_page || locales.lists(WordClass::ManyInRoman, word) {
        return true;
    }
    let mut words = words_back(before);
    WordClass::BetweenNumerals.has(word)
        && words.nth(1).is_some_and(|numeral| value(numeral).is_some())
        && words
            .next()
            .is_some_and(|word| locales.lists(WordClass::ManyInRoman, &word.to_lowercase()))
}

/// Whether the name of a monarch precedes, or of a person named after their father.
fn is_reign(before: &str, word: &str, numeral: &str, after: &str, locales: Locales) -> bool {
    let mut words = words_back(before);
    let name = words.next().unwrap_or_default();
    let earlier = words.next().unwrap_or_default();
    let third = words.next().unwrap_or_default();
    let is_capital = |word: &str| word.starts_with(char::is_uppercase) && word.len() > 1;
    let is_titled = is_capital(name)
        && (locales.lists(WordClass::RoyalTitle, earlier)
            || locales.lists(WordClass::RoyalTitle, third) && is_capital(earlier));
    let is_named = locales.lists(WordClass::Monarch, word);
    let first_name = if earlier.len() == 1 { third } else { earlier };
    let is_surname =
        is_capital(name) && locales.lists(WordClass::Monarch, first_name) && word == name;
    let is_initial = numeral.len() == 1 && after.starts_with('.') && !ends_clause(after);
    match numeral {
        _ if is_initial => false,
        "I" if is_titled => true,
        "I" => {
            is_named
                && (ends_clause(after) || locales.lists(WordClass::AfterReign, next_word(after)))
        }
        "X" if WordClass::NameBeforeLetter.has(word) => false,
        "V" | "X" => is_named || is_titled,
        "C" | "D" | "L" | "M" | "MD" | "DC" | "CD" | "MC" | "CC" | "XL" | "MIX" | "DIM" => false,
        _ => is_named || is_titled || is_surname,
    }
}

/// Whether another capitalized word precedes, "Rocky III", or a team's players, "playing XI".
fn is_sequel(word: &str, numeral: &str, next: &str, locales: Locales) -> bool {
    if numeral == "XI" && WordClass::BeforeEleven.has(word) {
        return true;
    }
    let is_capital = word.starts_with(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let is_plain = numeral.len() > 1 && numeral.bytes().all(|b| b"IVX".contains(&b));
    // A formula: "NaCl IV".
    let is_formula = word.chars().skip(1).any(char::is_uppercase);
    let is_intravenous = numeral == "IV" && locales.lists(WordClass::AfterIntravenous, next);
    let is_word = locales.lists(WordClass::NotSequel, word);
    is_capital
        && is_plain
        && !matches!(numeral, "XX" | "XXX")
        && !(is_word || is_formula || is_intravenous)
}

fn next_word(after: &str) -> &str {
    let word = after.trim_start();
    if word.len() == after.len() { "" } else { &word[..run(word, char::is_alphabetic)] }
}

fn ends_clause(after: &str) -> bool {
    let is_last = after.trim_start_matches(['.', '"', '”', ')']).trim().is_empty();
    is_last || after.starts_with([',', ';', ':', '!', '?', ')', '"', '”', ']', '—'])
}

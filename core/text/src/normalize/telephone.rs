//! Recognizes telephone numbers and other numbers in groups of digits: cards, accounts and codes.
//!
//! Runs after addresses and dates, and before codes, ranges and plain numbers.

use super::label;
use super::prelude::*;
use super::shapes::{Pattern, patterns};

/// A number and its groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) code_parts: CodeParts,
    /// The byte range of "ext." and the extension after it.
    pub(crate) extension: Option<(std::ops::Range<usize>, CodeParts)>,
}

/// Shapes of numbers with a trunk prefix of zero.
const TRUNK_SHAPES: &str = "2-4-4 3-4-4 4-3-4 5-3-3 5-6 6-5 3-8 4-7 3-7 4-6 7-4 2-2-2-2-2";

/// Shapes of toll-free numbers that begin with 1800 or 1860.
const FREE_SHAPES: &str = "4-3-4 4-4-3 4-4-4 4-2-4 4-3-3 4-4 4-7";

/// Shapes of cards, of identity numbers and of bookings of the Indian railways.
const CARD_SHAPES: &str = "4-4-4-4-4-2 4-4-4-4-4 4-4-4-4-3 4-4-4-4 4-6-5 4-4-4 3-2-4 3-7";

/// Toll-free area codes of North America.
const FREE_AREAS: &str = "800 833 844 855 866 877 888 900";

const EMERGENCY: &str = "100 101 102 108 112 911 988 999 1091 1098 1930";

/// A number at the start of `rest` that is read digit by digit.
pub(crate) fn find(before: &str, rest: &str, locales: Locales) -> Option<(usize, Value)> {
    let hour = before.strip_suffix(':').unwrap_or_default();
    if !opens(before)
        || before.ends_with(['-', '.', '/', '$', '€', '£', '₹', '#', '+'])
        || hour.ends_with(is_digit)
    {
        return None;
    }
    if let Some((span, code_parts)) = extension(rest, 0, locales) {
        let end = code_parts.0.last()?.1.end;
        let value = Value { code_parts: CodeParts::default(), extension: Some((span, code_parts)) };
        return closes_number(&rest[end..]).then_some((end, value));
    }
    let (at, code_parts) = international(rest)
        .or_else(|| vanity(rest))
        .or_else(|| american(rest))
        .or_else(|| trunk(rest))
        .or_else(|| local(before, rest, locales))
        .or_else(|| bracketed_trunk(rest))
        .or_else(|| mobile(rest))
        .or_else(|| single_digits(rest))
        .or_else(|| shaped(rest, CARD_SHAPES, " -"))
        .or_else(|| announced_digits(before, rest, locales))
        .or_else(|| called(before, rest, locales))?;
    let extension = extension(&rest[at..], at, locales);
    let end =
        extension.as_ref().and_then(|(_, digits)| digits.0.last()).map_or(at, |last| last.1.end);
    closes_number(&rest[end..]).then_some((end, Value { code_parts, extension }))
}

/// Whether `before` announces a number that is read digit by digit: "the OTP is", "account no.".
pub(crate) fn is_announced(before: &str, locales: Locales) -> bool {
    let mut tokens = before.split_whitespace().rev().take(6).peekable();
    if !before.ends_with(|c: char| c.is_whitespace() || c == ':') {
        return false;
    }
    let mut is_called_number = false;
    while let Some(token) = tokens.next() {
        let word = token.trim_matches(|c: char| !is_inner(c)).to_lowercase();
        let ends_clause = token.ends_with([',', ';', '!', '?', '।', '|'])
            || token.ends_with('.') && !locales.lists(WordClass::CodeAbbreviation, &word);
        if ends_clause {
            return false;
        }
        is_called_number |= locales.lists(WordClass::NumberName, &word) || token.ends_with(':');
        let is_owner = is_called_number
            && (locales.lists(WordClass::CodeOwner, &word)
                || locales.lists(WordClass::LastDigits, &word));
        let is_ending = locales.lists(WordClass::EndingIn, &word)
            && tokens.peek().is_some_and(|word| locales.lists(WordClass::Ending, word));
        if locales.lists(WordClass::CodeName, &word) || is_owner || is_ending {
            return true;
        }
        if !word.is_empty()
            && !locales.lists(WordClass::CodeFiller, &word)
            && !locales.lists(WordClass::NumberName, &word)
        {
            return false;
        }
    }
    false
}

/// Three or more single digits with hyphens between: `9-1-1`, `4-3-3`.
fn single_digits(rest: &str) -> Option<(usize, CodeParts)> {
    Pattern::first(patterns!["d1 - d1 - d1 …-,d1"], rest)
}

/// Groups of digits of one of the shapes, such as `3-4`, with one separator between each two.
fn shaped(rest: &str, shapes: &str, separators: &str) -> Option<(usize, CodeParts)> {
    shapes.split(' ').find_map(|shape| {
        let mut code_parts = CodeParts::default();
        let mut at = 0;
        for length in shape.split('-').filter_map(|length| length.parse::<usize>().ok()) {
            if at > 0 {
                let separator = rest[at..].chars().next().filter(|c| separators.contains(*c))?;
                code_parts.push(CodePart::Pause, at..at + separator.len_utf8());
                at += separator.len_utf8();
            }
            if digits(&rest[at..]) != length {
                return None;
            }
            code_parts.digits(&rest[at..at + length], at);
            at += length;
        }
        Some((at, code_parts))
    })
}

/// The number of ASCII digits at the start.
fn digits(rest: &str) -> usize {
    run(rest, is_digit)
}

/// A plus sign, a country code, and groups: "+44 20 7946 0958".
fn international(rest: &str) -> Option<(usize, CodeParts)> {
    let number = rest.strip_prefix('+')?;
    let mut code_parts = CodeParts::of(CodePart::Symbol('+'), 0..1);
    let together = digits(number);
    let code = if together > 6 { country_code(number) } else { together };
    let most = match &number[..code] {
        "1" => 11,
        "91" => 12,
        _ => 15,
    };
    let mut count = code;
    code_parts.digits(&number[..code], 1);
    let mut at = 1 + code;
    if together > 6 {
        let groups: &[usize] = match &number[..code] {
            "91" => &[5, 5],
            "1" => &[3, 3, 4],
            _ => &[3, 3, 3, 3, 3, 3],
        };
        for length in groups {
            let length = (*length).min(digits(&rest[at..]));
            if length > 0 {
                code_parts.push(CodePart::Pause, at - 1..at);
                code_parts.digits(&rest[at..at + length], at);
                at += length;
                count += length;
            }
        }
    }
    while count < most {
        let gap = run(&rest[at..], |c| " -.()\u{a0}".contains(c));
        let length = digits(&rest[at + gap..]);
        if !(1..=3).contains(&gap) || length == 0 || count + length > most {
            break;
        }
        code_parts.push(CodePart::Pause, at..at + gap);
        code_parts.digits(&rest[at + gap..at + gap + length], at + gap);
        at += gap + length;
        count += length;
    }
    if count == most
        && let Some(more) = rest[at..].strip_prefix(' ')
        && let length @ 2..=4 = digits(more)
        && more[length..].trim().is_empty()
    {
        code_parts.push(CodePart::Pause, at..at + 1);
        code_parts.digits(&more[..length], at + 1);
        at += 1 + length;
    }
    (8..=15).contains(&count).then_some((at, code_parts))
}

/// The digits of the country code at the start of a number without spaces.
fn country_code(number: &str) -> usize {
    const TWO: &str = "\
        20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 \
        81 82 84 86 90 91 92 93 94 95 98";
    match number.get(..2) {
        Some(two) if two.starts_with(['1', '7']) => 1,
        Some(two) if lists(TWO, two) => 2,
        _ => 3,
    }
}

/// A North American number: "(123) 456-7890", "1-800-555-0199", "123.456.7890".
fn american(rest: &str) -> Option<(usize, CodeParts)> {
    let shapes = patterns![
        "( d3 )_~|)-~|)~ d3 -~|_~|.~ d4",
        "d3 -~|_~|.~ d3 -~|_~|.~ d4",
        "d1 -~|_~|.~ ( h3 )_~|)-~|)~ d3 -~|_~|.~ d4",
        "d1 -~|_~|.~ h3 -~|_~|.~ d3 -~|_~|.~ d4",
    ];
    let (mut at, mut code_parts) = Pattern::first(shapes, rest)?;
    if digits(rest) == 1 && !rest.starts_with('1') {
        return None;
    }
    // A further group, such as an extension.
    if let Some((length, more)) = Pattern::first(patterns!["-~ d1-4"], &rest[at..]) {
        append(&mut code_parts, more, at);
        at += length;
    }
    Some((at, code_parts))
}

/// Consumes the "1-" of a long-distance call; returns its length.
fn leading_one(rest: &str, code_parts: &mut CodeParts) -> usize {
    if !rest.starts_with("1-") && !rest.starts_with("1 ") && !rest.starts_with("1.") {
        return 0;
    }
    code_parts.digits("1", 0);
    code_parts.push(CodePart::Pause, 1..2);
    2
}

/// Adds the area code; "eight hundred" for a toll-free one after a one.
fn area(code_parts: &mut CodeParts, code: &str, start: usize, after_one: bool) {
    if after_one && code.ends_with("00") {
        code_parts.number(code, start)
    } else {
        code_parts.digits(code, start)
    }
}

fn append(code_parts: &mut CodeParts, more: CodeParts, offset: usize) {
    let moved =
        more.0.into_iter().map(|(part, span)| (part, span.start + offset..span.end + offset));
    code_parts.0.extend(moved);
}

/// Words instead of digits: "1-800-GO-U-HAUL".
fn vanity(rest: &str) -> Option<(usize, CodeParts)> {
    let mut code_parts = CodeParts::default();
    let start = leading_one(rest, &mut code_parts);
    let code = rest.get(start..start + 3).filter(|code| lists(FREE_AREAS, code))?;
    area(&mut code_parts, code, start, start > 0);
    let mut at = start + 3;
    let is_of_word = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    while let Some(group) = rest[at..].strip_prefix(['-', ' ']) {
        let length = run(group, is_of_word);
        let group = &group[..length];
        if length == 0 || rest[at..].starts_with(' ') && at > start + 3 {
            break;
        }
        code_parts.push(CodePart::Pause, at..at + 1);
        if group.bytes().all(|b| b.is_ascii_digit()) {
            code_parts.digits(group, at + 1);
        } else if group.bytes().all(|b| b.is_ascii_uppercase()) {
            let reading = label::reading(&group.to_ascii_lowercase());
            code_parts.push(reading, at + 1..at + 1 + length);
        } else {
            label::push(&mut code_parts, group, at + 1, label::Digits::Named);
        }
        at += 1 + length;
    }
    let letters = rest[start..at].bytes().filter(u8::is_ascii_uppercase).count();
    (letters > 2).then_some((at, code_parts))
}

/// Seven digits, "555-0199", unless they look like a range of round numbers.
fn local(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    let (length, code_parts) = shaped(rest, "3-4", "-")?;
    if rest[length..].starts_with('-') {
        return None;
    }
    let is_round = rest[..3].ends_with('0') && rest[..length].ends_with('0');
    let is_surely =
        rest.starts_with("555") || rest[4..].starts_with('0') || is_announced(before, locales);
    let follows = words_back(before).next().unwrap_or_default().to_lowercase();
    let is_range = is_round && !locales.lists(WordClass::Call, &follows)
        || locales.lists(WordClass::BeforeRange, &follows);
    (is_surely || !is_range).then_some((length, code_parts))
}

/// A number with a trunk prefix of zero, or a toll-free Indian number.
fn trunk(rest: &str) -> Option<(usize, CodeParts)> {
    if rest.starts_with("(0") {
        let shapes = patterns![
            "( d1-15 )_~|)-~|)~ d4 _~|-~ d4",
            "( d1-15 )_~|)-~|)~ d3 _~|-~ d4",
            "( d1-15 )_~|)-~|)~ d6-8",
        ];
        return Pattern::first(shapes, rest);
    }
    let shapes = match rest.get(..4)? {
        "1800" | "1860" => FREE_SHAPES,
        code if code.starts_with('0') && code.as_bytes()[1].is_ascii_digit() => TRUNK_SHAPES,
        _ => return None,
    };
    shaped(rest, shapes, " -.")
}

/// A trunk zero and a city code in brackets: "0 (80) 26411128".
fn bracketed_trunk(rest: &str) -> Option<(usize, CodeParts)> {
    let shapes =
        patterns!["d1 _(~|(~ d2-4 )_~|)-~|)~ d7-8", "d1 _(~|(~ d2-4 )_~|)-~|)~ d3-4 _~|-~ d4",];
    Pattern::first(shapes, rest).filter(|_| rest.starts_with('0'))
}

/// Ten digits of an Indian mobile number, with or without separators, and an optional country code.
fn mobile(rest: &str) -> Option<(usize, CodeParts)> {
    let is_mobile = |rest: &str| rest.starts_with(['6', '7', '8', '9']);
    if rest.strip_prefix("91").is_some_and(|rest| is_mobile(rest.trim_start_matches([' ', '-']))) {
        let whole = shaped(rest, "2-5-5 2-10", "- ");
        if whole.is_some() {
            return whole;
        }
    }
    let start = usize::from(rest.starts_with('0'));
    if !rest[start..].starts_with(['6', '7', '8', '9']) {
        return None;
    }
    if let Some(parts) = shaped(rest, "5-5 4-3-3", "- ") {
        return Some(parts);
    }
    let length = start + 10;
    if digits(rest) != length {
        return None;
    }
    let mut code_parts = CodeParts::default();
    code_parts.digits(&rest[..start + 5], 0);
    code_parts.push(CodePart::Pause, start + 4..start + 5);
    code_parts.digits(&rest[start + 5..length], start + 5);
    Some((length, code_parts))
}

/// At least three digits after words that announce a code.
fn announced_digits(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    const GROUP: usize = 4;
    let length = digits(rest);
    let after = &rest[length..];
    let is_code = || is_announced(before, locales) || length > 3 && is_named_after(after, locales);
    if length < 3 || !is_code() || counts(after, locales) {
        return None;
    }
    let mut code_parts = CodeParts::default();
    let group = if length > 6 { GROUP } else { length };
    for at in (0..length).step_by(group) {
        if at > 0 {
            code_parts.push(CodePart::Pause, at - 1..at);
        }
        code_parts.digits(&rest[at..length.min(at + group)], at);
    }
    // "482 913"
    let mut end = length;
    while let Some(more) = rest[end..].strip_prefix([' ', '-'])
        && digits(more) == length
    {
        code_parts.push(CodePart::Pause, end..end + 1);
        code_parts.digits(&more[..length], end + 1);
        end += 1 + length;
    }
    Some((end, code_parts))
}

/// Whether the next words call a number a code: "482913 is your verification code".
fn is_named_after(after: &str, locales: Locales) -> bool {
    let mut words = after.split_whitespace().take(6).peekable();
    let is_told = words.next_if(|word| locales.lists(WordClass::BeforeCodeName, word)).is_some();
    is_told
        && words.any(|word| {
            let word = word.trim_matches(|c: char| !is_inner(c)).to_lowercase();
            locales.lists(WordClass::CodeName, &word)
        })
}

/// An emergency number or short code after a word such as "call", or before "operator".
fn called(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    let length = digits(rest);
    let after = &rest[length..];
    let word = words_back(before).next().unwrap_or_default().to_lowercase();
    let is_called = (3..=6).contains(&length)
        && locales.lists(WordClass::Call, &word)
        && !counts(after, locales);
    let next = next_word(after);
    let is_dialed = || {
        let mut words = words_back(before).take(8);
        words.any(|word| locales.lists(WordClass::Call, &word.to_lowercase()))
    };
    // `1098 पर बच्चों के लिए फ़ोन करें`
    let is_for_calls = || {
        let mut words = after.split_whitespace().take(9);
        words.next().is_some_and(|word| locales.lists(WordClass::AfterCalledNumber, word))
            && words.any(|word| locales.lists(WordClass::CallVerb, word))
    };
    let is_emergency = lists(EMERGENCY, &rest[..length])
        && (locales.lists(WordClass::Caller, next)
            || is_dialed() && !counts(after, locales)
            || is_for_calls());
    let is_called_after = || {
        let verb = after.trim_start().strip_prefix(next).unwrap_or_default();
        locales.lists(WordClass::AfterCalledNumber, next)
            && locales.lists(WordClass::CallVerb, first_word(verb))
    };
    let is_called = is_called || (3..=6).contains(&length) && is_called_after();
    if !is_called && !is_emergency {
        return None;
    }
    let code_parts = CodeParts::of_digits(&rest[..length]);
    Some((length, code_parts))
}

fn next_word(after: &str) -> &str {
    let word = after.trim_start();
    if word.len() == after.len() { "" } else { first_word(word) }
}

/// Whether a number counts the next noun: "100 people", "5000 dollars".
fn counts(after: &str, locales: Locales) -> bool {
    let word = next_word(after);
    // `508 कि.मी.`
    let is_measured = |locale: &&'static Locale| {
        let unit = after.strip_prefix(' ').filter(|unit| !unit.starts_with(|c: char| c.is_ascii()));
        let unit = unit.and_then(|unit| locale.lexicon().unit(unit));
        unit.is_some_and(|(unit, _)| unit.usage == UnitUsage::Any)
    };
    locales.lists(WordClass::CountedNotCode, word)
        || locales.0.iter().any(is_measured)
        || word.len() > 3 && word.ends_with('s') && word.starts_with(char::is_lowercase)
}

/// "ext. 12", "x12": the length of the word, and the digits.
pub(crate) fn extension(
    rest: &str,
    start: usize,
    locales: Locales,
) -> Option<(std::ops::Range<usize>, CodeParts)> {
    let gap = if start > 0 { run(rest, |c| c == ' ' || c == ',') } else { 0 };
    let word = &rest[gap..];
    let length = locales.names(WordClass::Extension).find_map(|name| {
        // "1-0-1 x 5 days" is a dosage.
        let is_short = name.len() == 1 && start < 7;
        (word.starts_with(name) && !is_short && !(name.len() > 4 && start == 0))
            .then_some(name.len())
    })?;
    let space = run(&word[length..], |c| c == ' ');
    let number = &word[length + space..];
    let count @ 1..=6 = digits(number) else { return None };
    let at = start + gap + length + space;
    let mut code_parts = CodeParts::default();
    if count > 2 {
        code_parts.digits(&number[..count], at)
    } else {
        code_parts.number(&number[..count], at)
    }
    Some((start + gap..start + gap + length, code_parts))
}

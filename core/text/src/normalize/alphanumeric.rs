//! Recognizes codes and names that mix letters and digits: B2A23C, GPT-4, H2O, F-16s, Boeing
//! 737-800, flights, plates, ISBNs.
//!
//! Runs after addresses, telephone numbers, dates, times, measures, ordinals and magnitudes, which
//! claim "5pm", "10km", "1990s" and "2Q22". Runs before plain numbers and words.

use super::code_parts::digit;
use super::label;
use super::prelude::*;
use super::shapes::{Pattern, patterns};
use super::telephone;

/// A code at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    let is_minute = before.strip_suffix(':').is_some_and(|hour| hour.ends_with(is_digit));
    if !opens(before)
        || is_minute
        // `K–5`: school grades.
        || rest.starts_with("K–")
        || is_span(rest)
        || before.ends_with(['.', '$', '€', '£', '₹', '\'', '’'])
    {
        return None;
    }
    isbn(before, rest)
        .or_else(|| hexadecimal(rest))
        .or_else(|| flight(before, rest, locales))
        .or_else(|| model(before, rest, locales))
        .or_else(|| sharp_or_plus(rest))
        .or_else(|| slashed(before, rest))
        .or_else(|| code(before, rest, locales))
}

/// Whether a word and a dash precede a number without forming a code: `noon–1`, `S–3XL`.
fn is_span(rest: &str) -> bool {
    let word = &rest[..run(rest, is_latin_letter)];
    let is_word = WordClass::BeginsSpan.has(word);
    is_word && rest[word.len()..].starts_with('–')
}

/// A letter with "++" or a sharp: "C++", "C#".
fn sharp_or_plus(rest: &str) -> Option<(usize, CodeParts)> {
    let (length, mut code_parts) = Pattern::first(patterns!["l1 +! +!", "l1 #!", "l1 ♯!"], rest)?;
    if let [_, (sharp @ CodePart::Symbol(_), _)] = &mut code_parts.0[..] {
        if !("A"..="G").contains(&&rest[..1]) {
            return None;
        }
        *sharp = CodePart::Symbol('♯');
    }
    (closes(&rest[length..]) && !rest[length..].starts_with(['#', '+']))
        .then_some((length, code_parts))
}

/// An ISBN, its groups digit by digit.
fn isbn(before: &str, rest: &str) -> Option<(usize, CodeParts)> {
    let length = run(rest, |c| c.is_ascii_digit() || matches!(c, '-' | 'X'));
    let text = rest[..length].trim_end_matches('-');
    let digits = text.bytes().filter(|b| *b != b'-').count();
    let hyphens = text.len() - digits;
    let is_named = words_back(before)
        .next()
        .is_some_and(|word| WordClass::BookNumber.strip_prefix(word).is_some());
    let is_isbn = match digits {
        13 => text.starts_with("97") && (hyphens == 4 || is_named),
        10 => is_named,
        _ => false,
    };
    if !is_isbn
        || text.contains("--")
        || text[..text.len() - 1].contains('X')
        || !closes(&rest[text.len()..])
    {
        return None;
    }
    Some((text.len(), CodeParts::groups(text.split('-'), characters)))
}

/// A hexadecimal number, character by character: "0xFF".
fn hexadecimal(rest: &str) -> Option<(usize, CodeParts)> {
    let number = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"))?;
    let length = 2 + run(number, |c| c.is_ascii_hexdigit());
    let mut code_parts = CodeParts::default();
    characters(&mut code_parts, &rest[..length], 0);
    (length > 2 && closes(&rest[length..])).then_some((length, code_parts))
}

/// A flight: two characters for the airline, then the number in pairs.
fn flight(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    let airline = rest.get(..2)?;
    let gap = run(&rest[2..], |c| c == ' ' || c == '-');
    let number = &rest[2 + gap..];
    let length = run(number, |c| c.is_ascii_digit());
    let is_named =
        word_before(before).is_some_and(|word| locales.lists(WordClass::BeforeFlight, word));
    let is_flight = if WordClass::Airline.has(airline) {
        length > 2 || is_named && length > 0
    } else {
        is_named && length > 0 && WordClass::NamedAirline.has(airline)
    };
    let end = 2 + gap + length;
    if !is_flight || gap > 1 || length > 4 || !closes_number(&rest[end..]) {
        return None;
    }
    let mut code_parts = CodeParts::default();
    characters(&mut code_parts, airline, 0);
    code_parts.pairs(&number[..length], 2 + gap);
    Some((end, code_parts))
}

/// A model number after its maker: "Boeing 737-800".
fn model(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    word_before(before).filter(|word| locales.lists(WordClass::AircraftMaker, word))?;
    let mut code_parts = CodeParts::default();
    let mut at = 0;
    loop {
        let length = run(&rest[at..], |c| c.is_ascii_digit());
        // `Boeing 747-8`
        let least = if at > 0 { 1 } else { 3 };
        if !(least..=4).contains(&length) {
            return None;
        }
        code_parts.pairs(&rest[at..at + length], at);
        at += length;
        match rest[at..].strip_prefix('-') {
            Some(next) if next.starts_with(is_digit) => at += 1,
            _ => return closes(&rest[at..]).then_some((at, code_parts)),
        }
    }
}

/// Three or more numbers between slashes that are no date: "31/31/100".
fn slashed(before: &str, rest: &str) -> Option<(usize, CodeParts)> {
    let length = run(rest, |c| c.is_ascii_digit() || c == '/');
    let groups: Vec<&str> = rest[..length].split('/').collect();
    let value = |group: &str| group.parse().unwrap_or(u32::MAX);
    let is_count = |group: &&str| (1..=4).contains(&group.len());
    let [first, second, last] = groups[..] else { return None };
    let is_date = value(first).max(value(second)) <= 31
        && value(first).min(value(second)) <= 12
        && last.len() != 3
        || first.len() == 4 && value(second) <= 12 && value(last) <= 31;
    let ends = closes_number(&rest[length..]) && !before.ends_with('/');
    if is_date || !groups.iter().all(is_count) || !ends {
        return None;
    }
    let code_parts = CodeParts::groups(groups, CodeParts::number);
    Some((length, code_parts))
}

/// Adds letters and digits one by one.
pub(crate) fn characters(code_parts: &mut CodeParts, text: &str, start: usize) {
    for (offset, part) in parts(text) {
        if part.starts_with(is_digit) {
            code_parts.digits(part, start + offset);
        } else {
            code_parts.letters(part, start + offset);
        }
    }
}

/// The runs of letters and digits in a text, with their positions.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let is_digit = digit(c).is_some();
        let length = run(&text[at..], |c| digit(c).is_some() == is_digit && !is_joint(c));
        if length == 0 {
            at += c.len_utf8();
            continue;
        }
        let (part, after) = text[at..].split_at(length);
        let machine = label::before_machine(part, after);
        if let Some(name) = machine {
            parts.push((at, name));
        }
        let start = machine.map_or(0, str::len);
        parts.push((at + start, &part[start..]));
        at += length;
    }
    parts
}

fn is_joint(c: char) -> bool {
    matches!(c, '-' | '‑' | '–')
}

/// A token of letters and digits, with or without hyphens.
fn code(before: &str, rest: &str, locales: Locales) -> Option<(usize, CodeParts)> {
    let is_letter = |c: char| c.is_alphabetic() && !is_sign(c) && !locales.is_own_script(c);
    let length = run(rest, |c| is_letter(c) || digit(c).is_some() || is_joint(c) || c == '$');
    let text = rest[..length].trim_end_matches(is_joint);
    if text.contains('$') {
        return dollars(text);
    }
    let parts = parts(text);
    let is_digits = |part: &str| part.starts_with(|c| digit(c).is_some());
    let digits = parts.iter().filter(|(_, part)| is_digits(part)).count();
    let after = &rest[text.len()..];
    let fraction =
        fraction(after).filter(|_| parts.last().is_some_and(|(_, last)| is_digits(last)));
    let ends = closes_number(after) && !after.starts_with(['@', '\\']) || fraction.is_some();
    if digits == 0
        || digits == parts.len()
        || !text.starts_with(char::is_alphanumeric)
        || !ends
        || belongs_elsewhere(before, text, &parts, locales)
    {
        return None;
    }
    let mut code_parts =
        formula(text, 2).unwrap_or_else(|| Style::of(before, text, &parts, locales).read(&parts));
    let mut end = text.len();
    if let Some(length) = fraction {
        code_parts.push(CodePart::Symbol('.'), end..end + 1);
        code_parts.digits(&after[1..length], end + 1);
        end += length;
    }
    Some((end, code_parts))
}

/// Whether a letter is a symbol with a name: Greek, or an ordinal sign.
fn is_sign(c: char) -> bool {
    matches!(c, 'º' | 'ª' | 'µ' | 'Α'..='Ω' | 'α'..='ω')
}

/// The length of a point and digits, as in "PM2.5".
fn fraction(after: &str) -> Option<usize> {
    let digits = run(after.strip_prefix('.')?, |c| c.is_ascii_digit());
    let end = 1 + digits;
    (digits > 0 && closes_number(&after[end..])).then_some(end)
}

/// A name with dollar signs as letters: "Ke$ha".
fn dollars(text: &str) -> Option<(usize, CodeParts)> {
    let buys = text.split('$').skip(1).any(|part| part.starts_with(is_digit));
    if !text.is_ascii() || !text.starts_with(is_latin_letter) || buys {
        return None;
    }
    let mut code_parts = CodeParts::default();
    let mut at = 0;
    while at < text.len() {
        let length = run(&text[at..], |c| c.is_ascii_alphanumeric());
        if length > 0 {
            label::push(&mut code_parts, &text[at..at + length], at, label::Digits::Named);
        } else if text[at..].starts_with('$') {
            code_parts.push(CodePart::Symbol('$'), at..at + 1);
        }
        at += length.max(1);
    }
    Some((text.len(), code_parts))
}

/// Whether digits and letters form a measure, time, date or ordinal, or the digits count a word.
fn belongs_elsewhere(before: &str, text: &str, parts: &[(usize, &str)], locales: Locales) -> bool {
    let parts: Vec<Part> = parts
        .iter()
        .map(|&(at, part)| Part {
            text: part,
            lower: part.to_lowercase(),
            is_number: part.starts_with(is_digit),
            after_hyphen: text[..at].ends_with(is_joint),
        })
        .collect();
    parts.iter().any(|part| locales.lists(WordClass::MonthInCode, &part.lower))
        || !is_place_number(before, &parts, locales)
            && (1..parts.len()).any(|i| is_measure(&parts, i))
        || counts_word(&parts)
        || is_duration(&parts)
        || is_product(&parts)
        || is_decade(&parts)
        || matches!(text.as_bytes(), [b'1'..=b'4', b'Q', _, ..])
}

/// A run of digits or letters in a code.
struct Part<'a> {
    text: &'a str,
    lower: String,
    is_number: bool,
    after_hyphen: bool,
}

/// Whether part `i` is the unit of the number before it.
fn is_measure(parts: &[Part<'_>], i: usize) -> bool {
    let (count, unit) = (&parts[i - 1], &parts[i]);
    let stands_apart = i == 1 && parts.len() < 4 || count.after_hyphen && unit.text.len() > 1;
    stands_apart
        && count.is_number
        && !unit.after_hyphen
        && WordClass::DigitEnding.has(&unit.lower)
        && !is_name(count.text, unit.text, parts.len())
}

/// Whether a place with a letter and number precedes: "gate 24B".
fn is_place_number(before: &str, parts: &[Part<'_>], locales: Locales) -> bool {
    let [_, letter] = parts else { return false };
    letter.text.len() == 1
        && word_before(before)
            .is_some_and(|word| locales.lists(WordClass::PlaceWithLetter, &word.to_lowercase()))
}

/// Whether the parts form a compound that counts a word: "20-year-old", "55-millimeters".
fn counts_word(parts: &[Part<'_>]) -> bool {
    let [count, word, ..] = parts else { return false };
    count.is_number
        && word.after_hyphen
        && !word.text.chars().any(char::is_uppercase)
        && !parts[1..].iter().any(|part| part.is_number)
}

/// Whether the parts form a duration: "1h30m".
fn is_duration(parts: &[Part<'_>]) -> bool {
    let is_unit = |part: &Part<'_>| WordClass::TimeUnit.has(&part.lower);
    parts.len() > 2
        && parts[0].is_number
        && parts.iter().all(|part| part.is_number || is_unit(part))
        && !parts.iter().any(|part| part.after_hyphen)
}

/// Whether the parts form a product or a power: "1920x1080", "2e10".
fn is_product(parts: &[Part<'_>]) -> bool {
    let [first, sign, second] = parts else { return false };
    let joined = !sign.after_hyphen && !second.after_hyphen;
    let is_power = sign.lower == "e" && !sign.after_hyphen;
    first.is_number && (joined && sign.lower == "x" || is_power)
}

/// Whether the parts form a decade: "mid-1990s".
fn is_decade(parts: &[Part<'_>]) -> bool {
    let [.., year, ending] = parts else { return false };
    ending.lower == "s" && is_year(year.text)
}

/// Whether the parts form a name that looks like a measure: "5G", "4K", "3D", "12C", "4s".
fn is_name(count: &str, unit: &str, parts: usize) -> bool {
    match unit {
        "G" | "D" | "C" | "H" => count.len() < 3,
        "K" => matches!(count, "2" | "4" | "5" | "8"),
        "s" => count.len() == 1,
        _ => parts > 2 && unit.len() == 1,
    }
}

/// A chemical formula: its letters and numbers one by one. One in plain digits has at least `least`
/// elements.
pub(crate) fn formula(text: &str, least: usize) -> Option<CodeParts> {
    let mut code_parts = CodeParts::default();
    let letters = run(text, char::is_alphabetic);
    if WordClass::CodeWord.has_any_case(&text[..letters]) {
        return None;
    }
    let mut at = 0;
    let mut elements = 0;
    while at < text.len() {
        let rest = &text[at..];
        let digits = run(rest, |c| digit(c).is_some());
        let element = [2, 1]
            .into_iter()
            .find_map(|length| rest.get(..length).filter(|e| WordClass::ElementSymbol.has(e)));
        let length = match element {
            Some(element) => {
                elements += 1;
                match code_parts.0.last_mut() {
                    Some((CodePart::Letters(letters), span)) => {
                        letters.push_str(element);
                        span.end += element.len();
                    }
                    _ => code_parts.letters(element, at),
                }
                element.len()
            }
            None if at > 0 && digits > 0 && digits <= 6 => {
                let count = &rest[..digits];
                let ascii: String =
                    count.chars().filter_map(digit).map(|d| char::from(b'0' + d)).collect();
                match ascii.parse() {
                    Ok(n) if !ascii.starts_with('0') && ascii.len() < 3 => {
                        code_parts.push(CodePart::Number(n), at..at + digits)
                    }
                    _ => code_parts.digits(count, at),
                }
                digits
            }
            None => return None,
        };
        at += length;
    }
    let is_plain = text.is_ascii() && elements < least;
    (!is_plain).then_some(code_parts)
}

/// Whether capitals are spelled because they belong to a long code.
fn is_spelled(letters: &str) -> bool {
    letters.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether a number is a round hundred or thousand that is no year: "737-900", "DDR5-6000".
fn is_round(part: &str) -> bool {
    part.len() <= 4 && part.ends_with("00") && !part.starts_with('0') && !is_year(part)
}

fn is_year(part: &str) -> bool {
    part.len() == 4 && ("1100".."2100").contains(&part)
}

/// How the numbers of a code are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Digit by digit.
    Named,
    /// As a model number or designation.
    Counted,
}

impl Style {
    fn of(before: &str, text: &str, parts: &[(usize, &str)], locales: Locales) -> Self {
        let digits = text.chars().filter(|c| digit(*c).is_some()).count();
        let is_long =
            parts.len() > 2 && digits > 4 || parts.len() > 4 && text.len() > 9 || digits > 6;
        let is_secret = WordClass::Secret.has(parts[0].1);
        let is_numbered = before.ends_with('#') && digits > 3;
        if is_long || is_secret || is_numbered || telephone::is_announced(before, locales) {
            Self::Named
        } else {
            Self::Counted
        }
    }

    fn read(self, parts: &[(usize, &str)]) -> CodeParts {
        let mut code_parts = CodeParts::default();
        let is_resolution = parts.len() == 2 && matches!(parts[1].1, "p" | "i");
        for (i, &(at, part)) in parts.iter().enumerate() {
            if is_resolution && i == 0 {
                code_parts.pairs(part, at);
            } else {
                self.push(&mut code_parts, (at, part), i > 0, i + 1 == parts.len());
            }
        }
        code_parts
    }

    fn push(
        self,
        code_parts: &mut CodeParts,
        (at, part): (usize, &str),
        follows: bool,
        is_last: bool,
    ) {
        let is_count = part.starts_with(is_digit);
        if !is_count && !part.is_ascii() && part.chars().all(|c| digit(c).is_some()) {
            code_parts.digits(part, at);
        } else if !is_count && is_spelled(part) && self == Self::Named && follows {
            code_parts.letters(part, at);
        } else if !is_count {
            self.push_letters(code_parts, at, part, follows && is_last);
        } else if follows && is_round(part) {
            code_parts.number(part, at);
        } else if self == Self::Named && part.len() > 2 {
            code_parts.digits(part, at);
        } else if part.len() == 3 && !follows {
            code_parts.number(part, at);
        } else if part.len() > 2 {
            code_parts.pairs(part, at);
        } else {
            code_parts.number(part, at);
        }
    }

    /// Adds letters of a code. An "s" after a number makes a plural, and after one digit only
    /// behind capitals: "F-16s", "A380s", "W2s".
    fn push_letters(self, code_parts: &mut CodeParts, at: usize, letters: &str, may_end: bool) {
        let follows_capitals = match &code_parts.0[..] {
            [(CodePart::Letters(letters), _), _] => letters.bytes().all(|b| b.is_ascii_uppercase()),
            _ => false,
        };
        if let Some((CodePart::Number(n) | CodePart::Pairs(n), span)) = code_parts.0.last()
            && may_end
            && letters == "s"
            && (*n > 9 || follows_capitals)
        {
            let (n, span) = (*n, span.start..at + 1);
            code_parts.0.pop();
            code_parts.push(CodePart::Plural(n), span);
            return;
        }
        let is_small = letters.chars().skip(1).all(char::is_lowercase);
        let vowels = letters.contains(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
        let is_word = WordClass::CodeWord.has_any_case(letters);
        if letters.len() < 4 && is_spelled(letters) && !is_word {
            code_parts.letters(letters, at);
        } else if letters.len() > 2 && is_small && vowels {
            code_parts.push(CodePart::Word(letters.into()), at..at + letters.len());
        } else {
            label::push(code_parts, letters, at, label::Digits::Counted);
        }
    }
}

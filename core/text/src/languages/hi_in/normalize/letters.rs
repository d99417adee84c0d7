//! Reads Latin letters by their Hindi names, and decides which Latin words are spelled.

use std::collections::HashMap;
use std::ops::Range;

use speech_base::fork::LazyLock;
use unicode_normalization::UnicodeNormalization;

use crate::normalize::label;
use crate::normalize::locale::rows;
use crate::normalize::prelude::*;

/// The words of `letters.tsv`, by kind and spelling.
static LETTERS: LazyLock<HashMap<(&str, &str), &str>> = LazyLock::new(|| {
    rows(include_str!("../data/letters.tsv")).map(|row| ((row[0], row[1]), row[2])).collect()
});

/// The words of a kind for a spelling.
pub(super) fn listed(kind: &str, written: &str) -> Option<&'static str> {
    LETTERS.get(&(kind, written)).copied()
}

/// Words in capitals with their Hindi spelling, or `spelled`.
static ACRONYMS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| pairs(include_str!("../data/acronyms.tsv")));

/// Words in capitals with their English phonemes, or `spelled`.
static ENGLISH_ACRONYMS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| pairs(include_str!("../../en_us/data/acronyms.tsv")));

fn pairs(table: &'static str) -> HashMap<&'static str, &'static str> {
    rows(table).map(|row| (row[0], row[1])).collect()
}

/// The Hindi name of a Latin letter, with or without an accent.
pub(super) fn name(letter: char) -> Option<&'static str> {
    let base = letter.nfd().next()?.to_ascii_lowercase();
    listed("name", base.encode_utf8(&mut [0; 4]))
}

/// Verbalizes letters one by one.
pub(super) fn verbalize(letters: &str, span: &Range<usize>, out: &mut Verbalization) {
    for letter in letters.chars() {
        match name(letter) {
            Some(name) => out.words([name], span.clone()),
            None => out.spelled(letter, span.clone()),
        }
    }
}

/// The Hindi spelling of an acronym that is read as a word.
pub(super) fn respelled(word: &str) -> Option<&'static str> {
    let capitals = || ACRONYMS.get(word.to_ascii_uppercase().as_str()).filter(|_| word.len() > 4);
    ACRONYMS.get(word).or_else(capitals).copied().filter(|reading| *reading != "spelled")
}

/// Letters with full stops, a single letter, or an acronym.
pub(super) fn find(context: &MatchContext<'_>) -> Found {
    if context.before.ends_with(['\'', '’', '@', '_', '\\']) {
        return None;
    }
    let (length, code_parts) =
        dotted(context.rest).or_else(|| alone(context)).or_else(|| acronym(context))?;
    Some((length, SemioticClass::Alphanumeric(code_parts)))
}

/// Letters with full stops: "U.P.", "B.Sc.", "Ph.D". The last stop may also end the sentence.
fn dotted(rest: &str) -> Option<(usize, CodeParts)> {
    let mut code_parts = CodeParts::default();
    let mut end = 0;
    let mut at = 0;
    loop {
        let length = run(&rest[at..], is_latin_letter);
        let group = &rest[at..at + length];
        match listed("degree", group) {
            Some(word) => code_parts.push(CodePart::Word(word.into()), at..at + length),
            None if length == 1 || lists("Sc Ph LL Cr", group) => code_parts.letters(group, at),
            None => break,
        }
        end = at + length;
        if !rest[end..].starts_with('.') {
            break;
        }
        at = end + 1;
    }
    let after = &rest[end..];
    if code_parts.0.len() < 2 || after.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let stop = after.strip_prefix('.').is_some_and(|after| after.contains(char::is_alphanumeric));
    Some((end + usize::from(stop), code_parts))
}

/// A duration after a multiplication sign: "1-0-1 x 5 दिन", "24 घंटे x 7 दिन".
pub(super) fn find_course(context: &MatchContext<'_>) -> Found {
    let number = context.rest.strip_prefix(['x', 'X', '×'])?.trim_start();
    let unit = first_word(&number[run(number, is_digit)..]);
    let is_days = lists("दिन दिनों हफ़्ते हफ्ते सप्ताह माह महीने महीना", unit);
    let fits = number.starts_with(is_digit) && context.before.ends_with(' ');
    let length = context.rest.chars().next()?.len_utf8();
    (fits && is_days).then_some((length, SemioticClass::Pause))
}

/// A single letter, "विटामिन C", "e-mail", but no article or pronoun of an English phrase.
fn alone(context: &MatchContext<'_>) -> Option<(usize, CodeParts)> {
    // "1 गोली x 3"
    let times = context.rest.strip_prefix("x ").unwrap_or_default();
    if times.starts_with(is_digit) && context.before.ends_with(' ') {
        let code_parts = CodeParts::of(CodePart::Word("गुणा".into()), 0..1);
        return Some((1, code_parts));
    }
    let letter =
        context.rest.get(..1).filter(|letter| letter.as_bytes()[0].is_ascii_alphabetic())?;
    let after = &context.rest[1..];
    let goes_on = after.starts_with(|c: char| c.is_ascii_alphanumeric() || "'’_&".contains(c));
    let is_word =
        matches!(letter, "A" | "a" | "I") && (is_latin_before(context) || is_latin_after(after));
    if goes_on || is_word {
        return None;
    }
    let mut code_parts = CodeParts::default();
    code_parts.letters(letter, 0);
    Some((1, code_parts))
}

fn is_latin_before(context: &MatchContext<'_>) -> bool {
    context.before.ends_with(' ') && is_small_word(last_word(context.before))
}

fn is_latin_after(after: &str) -> bool {
    after.starts_with(' ') && is_small_word(first_word(after))
}

/// Whether a word has only Latin letters, some of them small.
fn is_small_word(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'\'')
        && word.bytes().any(|b| b.is_ascii_lowercase())
}

/// A word in capitals that is spelled or has a Hindi spelling: "GST", "MLAs", "NASA", "eKYC".
fn acronym(context: &MatchContext<'_>) -> Option<(usize, CodeParts)> {
    let length = run(context.rest, is_latin_letter);
    let word = &context.rest[..length];
    let after = &context.rest[length..];
    if length < 2 || after.starts_with(|c: char| c.is_ascii_digit() || c == '_') {
        return None;
    }
    let ending = ["'s", "’s"].into_iter().find(|ending| after.starts_with(ending));
    let ending = ending.map_or(0, str::len);
    let joined = after.strip_prefix(['\'', '’']).is_some_and(|next| next.starts_with(is_letter));
    if ending == 0 && joined {
        return None;
    }
    let mut code_parts = CodeParts::default();
    let (stem, is_plural) = match word.strip_suffix('s') {
        Some(stem) if is_spelled(context, stem) && respelled(word).is_none() => (stem, true),
        _ => (word, ending > 0),
    };
    if let Some(reading) = respelled(word).filter(|_| word.bytes().any(|b| b.is_ascii_uppercase()))
    {
        code_parts.push(CodePart::Word(reading.into()), 0..length);
        return Some((length + ending, code_parts));
    }
    if !is_spelled(context, stem) {
        return None;
    }
    // "mPIN"
    let inner = word.strip_prefix(is_lower).and_then(respelled);
    if let Some(inner) = inner {
        code_parts.letters(&word[..1], 0);
        code_parts.push(CodePart::Word(inner.into()), 1..length + ending);
    } else if is_plural {
        let last = stem.len() - 1;
        code_parts.letters(&stem[..last], 0);
        let name = plural(stem.chars().next_back()?)?;
        code_parts.push(CodePart::Word(name), last..length + ending);
    } else {
        code_parts.letters(stem, 0);
    }
    Some((length + ending, code_parts))
}

/// The name of a letter with an English plural ending.
fn plural(letter: char) -> Option<String> {
    let ending = match letter {
        'F' => "्स",
        'H' | 'S' | 'X' => "ेज़",
        'Z' => "्स",
        'L' | 'M' | 'N' | 'R' => "्स",
        _ => "ज़",
    };
    Some(format!("{}{ending}", name(letter)?))
}

fn is_spelled(context: &MatchContext<'_>, word: &str) -> bool {
    let capitals = word.bytes().filter(u8::is_ascii_uppercase).count();
    if let Some(reading) = ACRONYMS.get(word).or_else(|| ENGLISH_ACRONYMS.get(word)) {
        return *reading == "spelled";
    }
    // "eKYC", "mRNA".
    let is_prefixed =
        word.len() > 2 && capitals + 1 == word.len() && word.as_bytes()[0].is_ascii_lowercase();
    let is_mixed = word.len() < 6 && capitals > 1 && !word.contains(is_vowel);
    if is_prefixed || is_mixed || is_formula(word) {
        return true;
    }
    if capitals < word.len() || word.len() < 2 {
        return false;
    }
    match word.len() {
        2 | 3 => {
            let is_word = label::is_short_word(&word.to_ascii_lowercase());
            !is_word || word.len() == 2 && !is_shouted(context, word)
        }
        _ => !looks_like_a_word(word),
    }
}

/// Whether a word consists of two or more element symbols, one with a small letter: "NaOH", "FeO".
fn is_formula(word: &str) -> bool {
    const ELEMENTS: &str = "\
        H C N O F P S K I Na Mg Al Si Cl Ca Mn Fe Cu Zn Br Ag Ba Hg Pb";
    let symbols: Vec<&str> = word.split_inclusive(|_: char| true).collect();
    let mut at = 0;
    let mut count = 0;
    while at < symbols.len() {
        let length = if symbols.get(at + 1).is_some_and(|next| *next != next.to_uppercase()) {
            2
        } else {
            1
        };
        if !lists(ELEMENTS, &symbols[at..at + length].concat()) {
            return false;
        }
        at += length;
        count += 1;
    }
    count > 1 && word.contains(is_lower) && word.len() < 7
}

/// Whether the words beside one in capitals are also words in capitals.
fn is_shouted(context: &MatchContext<'_>, word: &str) -> bool {
    let is_loud = |neighbor: &str| {
        neighbor.len() > 3
            && neighbor.bytes().all(|b| b.is_ascii_uppercase())
            && looks_like_a_word(neighbor)
    };
    let after = context.rest.strip_prefix(word).unwrap_or_default();
    is_loud(last_word(context.before)) || is_loud(first_word(after))
}

fn is_vowel(c: char) -> bool {
    "AEIOUYaeiouy".contains(c)
}

/// Whether consonants and vowels alternate as in a word: "NEWS" and "STOP", not "UPSC" or "ICMR".
fn looks_like_a_word(word: &str) -> bool {
    const ONSETS: &str = "\
        BH BL BR CH CL CR DH DR FL FR GH GL GR JH KH KL KN KR PH PL PR QU SC SCH SCR SH SHR SK SL SM SN SP SPL \
        SPR SQ ST STR SV SW TH THR TR TW VR WH WR";
    const CODAS: &str = "\
        CH CK CT FF FT GH GHT LD LF LK LL LM LP LT MB MP NC NCH NG NK NT PH PT RC RD RF RG RK RL RM RN RP RT \
        RTH SH SK SP SS ST TCH TH WL WN XT";
    let runs: Vec<&str> = word.split(is_vowel).collect();
    let [first, .., last] = runs[..] else { return false };
    let stem = last.strip_suffix('S').unwrap_or(last);
    let stem = if stem.len() > 2 { stem.trim_end_matches(['D', 'T']) } else { stem };
    let inner = &runs[1..runs.len() - 1];
    (first.len() < 2 || lists(ONSETS, first))
        && (stem.len() < 2 || lists(CODAS, stem))
        && inner.iter().all(|run| run.len() < 4)
        && word.split(|c: char| !is_vowel(c)).all(|vowels| vowels.len() < 3)
}

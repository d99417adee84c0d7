//! Recognizes address numbers, which are read digit by digit, with hyphen and slash by name.
//!
//! The sentence, or its part between two postpositions, must be an address: "सड़क पर 15 लोग थे" is
//! none.

use super::lexicon;
use crate::normalize::prelude::*;
use crate::scripts::is_devanagari;

/// A number of a house, street, sector or place in an address.
pub(super) fn find(context: &MatchContext<'_>) -> Found {
    let lettered =
        context.before.strip_suffix('-').is_some_and(|before| before.ends_with(is_letter));
    if context.before.ends_with(['.', ',', ':', '/', '-', '$', '₹', '+', '#', '(']) && !lettered {
        return None;
    }
    // "सं. 87/24" is a file or case number.
    let numbering = context.before.trim_end().trim_end_matches(['.', '॰', ':']);
    let label = last_word(numbering);
    let owner = last_word(numbering.strip_suffix(label).unwrap_or_default().trim_end());
    let is_of_house = lexicon::lists(WordClass::AddressWord, owner)
        || lexicon::lists(WordClass::PlaceWord, owner);
    if lists("सं संख्या क्र क्रमांक धारा", label) && !is_of_house
    {
        return None;
    }
    // "सेक्टर 62, नोएडा", "24, अकबर रोड"
    let leads_part = lists("सेक्टर Sector sector", label) || context.before.is_empty();
    let read = |in_sentence| number(context.rest, lettered, leads_part, in_sentence);
    // Parse the number first: it is cheaper than searching the sentence.
    let (length, in_sentence) = read(true)?;
    let is_whole = is_whole(context);
    let code_parts = if is_whole { read(false)?.1 } else { in_sentence };
    let after = &context.rest[length..];
    let noun = first_word(after);
    let part = after.split([',', '।']).next().unwrap_or_default().trim();
    // "100 फीट रोड" is a road name, "20 फ़ीट चौड़ी सड़क" is none.
    let is_of_road = noun == "st"
        || lists("फीट फ़ीट फुट फ़ुट ft Feet feet", noun)
            && lexicon::lists(
                WordClass::RoadByWidth,
                first_word(after.trim_start().strip_prefix(noun).unwrap_or_default()),
            );
    let is_measured = || {
        let unit = context.lexicon().unit(after.trim_start());
        let is_unit = unit.is_some_and(|(unit, length)| length > 1 && unit.usage == UnitUsage::Any);
        !is_of_road && is_unit
    };
    // "30 गुणा 60", "30 x 60"
    if lexicon::lists(WordClass::BetweenSides, noun)
        || lexicon::lists(WordClass::BetweenSides, label)
    {
        return None;
    }
    let is_counted = after.starts_with(' ')
        && (lexicon::lists(WordClass::CountedInAddress, noun)
            || is_measured()
            || part == noun
                && (lexicon::lists(WordClass::PlaceWord, noun)
                    || lexicon::lists(WordClass::AddressWord, noun)));
    let is_address = !is_counted && (is_whole || is_part(context));
    is_address.then_some((length, SemioticClass::Alphanumeric(code_parts)))
}

/// Digits and single letters with hyphens and slashes: "17-18", "4/5", "221B", "B-12/3".
///
/// Two digits are read as a number in a sentence, before a slash ("45/2"), or joined to a letter or
/// word ("14-B", "C-24", "सेक्टर-62"). A hyphen after a letter is silent.
fn number(
    rest: &str,
    follows_hyphen: bool,
    leads_part: bool,
    in_sentence: bool,
) -> Option<(usize, CodeParts)> {
    let mut code_parts = CodeParts::default();
    let mut at = 0;
    let is_part = leads_part && rest[run(rest, is_digit)..].starts_with(',');
    while let Some(c) = rest[at..].chars().next() {
        let digits = run(&rest[at..], is_digit);
        let next = rest[at + c.len_utf8()..].chars().next().unwrap_or(' ');
        let is_joined = || {
            let letter = rest[at + digits..].strip_prefix('-');
            let letter = letter.is_some_and(|after| {
                after.starts_with(|c: char| c.is_ascii_uppercase() || is_devanagari(c))
            });
            let led = rest[..at].strip_suffix('-');
            let follows_letter = led.is_some_and(|led| led.ends_with(is_upper));
            let is_alone = at == 0 && closes_number(&rest[digits..]);
            // "45/2"
            let is_divided = rest[at + digits..].starts_with('/');
            digits == 2
                && (at == 0 && (letter || follows_hyphen || is_divided || is_part)
                    || follows_letter
                    || in_sentence && is_alone)
                && !rest[at..].starts_with('0')
        };
        if digits > 0 && is_joined() {
            code_parts.number(&rest[at..at + digits], at);
            at += digits;
        } else if digits > 0 {
            code_parts.digits(&rest[at..at + digits], at);
            at += digits;
        } else if c.is_ascii_uppercase() && !is_letter(next) {
            code_parts.letters(&rest[at..=at], at);
            at += 1;
        } else if c == '-' && rest[..at].ends_with(is_upper) && next.is_ascii_digit() {
            at += 1;
        } else if matches!(c, '-' | '/') && at > 0 && next.is_ascii_alphanumeric() {
            code_parts.push(CodePart::Symbol(c), at..at + 1);
            at += 1;
        } else {
            break;
        }
    }
    at += lettered(&rest[at..], at, &mut code_parts);
    let digits = rest[..at].bytes().filter(u8::is_ascii_digit).count();
    // "30'×50'" is in feet.
    let is_length = rest[at..].starts_with(['\'', '′', '"', '″', '×']);
    ((1..7).contains(&digits) && closes_number(&rest[at..]) && !is_length)
        .then_some((at, code_parts))
}

/// Consumes a letter name directly after a number, "221बी"; returns its length.
fn lettered(rest: &str, start: usize, code_parts: &mut CodeParts) -> usize {
    let length = run(rest, is_letter);
    if !lexicon::lists(WordClass::HouseLetter, &rest[..length]) {
        return 0;
    }
    code_parts.push(CodePart::Word(rest[..length].into()), start..start + length);
    length
}

/// Whether the whole sentence is an address.
fn is_whole(context: &MatchContext<'_>) -> bool {
    let end = context.before.len() + context.rest.len();
    let is_clause = context.clause_ends(others).first().is_none_or(|first| *first > end);
    is_clause && context.is_address(0..end, is_address)
}

/// Whether the part of the sentence around the number is an address, by its parts or its name.
fn is_part(context: &MatchContext<'_>) -> bool {
    let place = context.before.len();
    let ends = context.clause_ends(others);
    let (before, after) = ends.split_at(ends.partition_point(|end| *end <= place));
    let start = before.last().copied().unwrap_or(0);
    let end = after.first().copied().unwrap_or(usize::MAX).min(place + context.rest.len());
    let left = &context.before[start..];
    let is_called = || {
        let mut words = words(&context.before[..start]);
        words.any(|(_, word)| matches!(word, "पता" | "पते" | "एड्रेस"))
            || left.contains("पता:")
            || left.contains("पता :")
    };
    context.is_address(start..end, is_address)
        && (context.text()[start..end].contains(", ") || is_called())
}

/// The positions after words that addresses never contain.
fn others(text: &str) -> Vec<usize> {
    let ends_clause = |c: char| matches!(c, '।' | '!' | '?' | ';');
    let marks = text.match_indices(ends_clause).map(|(at, mark)| at + mark.len());
    let words = words(text).filter_map(move |(at, word)| {
        let end = at + word.len();
        let next = first_word(&text[end..]);
        let is_beside = matches!(word, "के" | "की") && lexicon::lists(WordClass::BesidePlace, next);
        ((lexicon::lists(WordClass::NotInAddress, word) || is_future(word)) && !is_beside)
            .then_some(end)
    });
    let mut places: Vec<usize> = marks.chain(words).collect();
    places.sort_unstable();
    places
}

/// Whether a word ends like a verb in the future.
fn is_future(word: &str) -> bool {
    const ENDINGS: [&str; 11] =
        ["ेगा", "ेगी", "ेंगे", "ेंगी", "एगा", "एगी", "एंगे", "एँगे", "एंगी", "ोंगे", "ोंगी"];
    ENDINGS.into_iter().any(|ending| word.ends_with(ending))
}

/// The words and numbers of a text, with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end + text[end..].find(is_inner)?;
        end = start + run(&text[start..], is_inner);
        Some((start, &text[start..end]))
    })
}

/// Whether address words are in the order of an address.
fn is_address(text: &str) -> bool {
    // "₹3.35 प्रति यूनिट, 101 से 150 तक"
    if text.contains(['₹', '$', '%']) {
        return false;
    }
    let places: Vec<(usize, &str)> = words(text).collect();
    let words: Vec<&str> = places.iter().map(|(_, word)| *word).collect();
    let is_number = |word: &str| word.starts_with(is_digit);
    // "30 रोड" is a count, and "30 एमजी रोड" a place.
    let is_count = |word: &str| word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty();
    let is_counted = |at: usize, word: &str| {
        let after = &text[at + word.len()..];
        text[..at].ends_with(' ')
            && is_count(last_word(&text[..at]))
            && !is_count(first_word(after))
    };
    let is_strong = places
        .iter()
        .any(|(at, word)| lexicon::lists(WordClass::AddressWord, word) && !is_counted(*at, word));
    if is_strong || words.ends_with(&["आर", "डी"]) {
        return true;
    }
    let numbered = places.windows(3).any(|three| {
        let [(at, noun), (_, second), (_, third)] = *three else { return false };
        // "10 यूनिट, 101 से 150 तक"
        let is_cut = text[at + noun.len()..].starts_with(',');
        lexicon::lists(WordClass::PlaceWord, noun)
            && !is_cut
            && (is_number(second) || is_numbering(second) && is_number(third))
    });
    let ends_weak = |part: &str| {
        part.trim().contains(' ') && lexicon::lists(WordClass::PlaceWord, last_word(part))
    };
    let is_long = words.len() > 4
        || text.contains(',')
        || words.iter().any(|word| is_count(word) && word.len() > 2);
    let is_lead = |word: &&&str| {
        let is_capital = word.len() == 1 && word.starts_with(is_upper);
        matches!(**word, "पता" | "एड्रेस")
            || is_capital
            || lexicon::lists(WordClass::HouseLetter, word)
    };
    let called = words.iter().take(2).take_while(is_lead).count();
    let leads =
        words.get(called).is_some_and(|word| is_number(word)) && text.split(',').any(ends_weak);
    let is_house = |part: &str| {
        let part = part.trim();
        is_number(part)
            && part.split(' ').count() > 2
            && lexicon::lists(WordClass::PlaceWord, last_word(part))
    };
    numbered && is_long || leads || text.contains(',') && text.split(',').any(is_house)
}

fn is_numbering(word: &str) -> bool {
    matches!(word, "नंबर" | "नम्बर" | "नं" | "संख्या")
}

//! Recognizes numbers with letters by context: the runway `27R`, the broadcast `8/7c`, `802.11ax`.

use crate::normalize::alphanumeric;
use crate::normalize::measure;
use crate::normalize::prelude::*;

/// A runway number and its side: `Runway 27R`.
pub(super) fn find_runway(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = cursor.digits(1..=2)?;
    let side = match cursor.eat_char(|c| matches!(c, 'L' | 'R' | 'C'))? {
        'L' => "left",
        'R' => "right",
        _ => "center",
    };
    const RUNWAYS: [&str; 6] = ["runway", "runways", "rwy", "rwys", "ils", "rnav"];
    // `Runway 27L closed, use 27R`
    let is_runway = is_one_of(last_word(context.before), &RUNWAYS)
        || number.len() == 2 && words(context.before).any(|word| is_one_of(word, &RUNWAYS));
    let mut code_parts = CodeParts::default();
    code_parts.number(number, 0);
    code_parts.push(CodePart::Word(side.into()), number.len()..cursor.at());
    (is_runway && cursor.at_word_end()).then(|| alphanumeric(cursor.at(), code_parts))
}

/// The Eastern and Central hours of a broadcast: `8/7c`.
pub(super) fn find_broadcast(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let eastern = cursor.digits(1..=2)?;
    cursor.eat("/")?;
    let start = cursor.at();
    let central = cursor.digits(1..=2)?;
    let letter = cursor.at();
    cursor.eat_char(|c| matches!(c, 'c' | 'C'))?;
    let hour = |digits: &str| digits.parse::<u8>().ok().filter(|hour| (1..=12).contains(hour));
    let is_hour_behind = hour(central)? % 12 + 1 == hour(eastern)?;
    let mut code_parts = CodeParts::default();
    code_parts.number(eastern, 0);
    code_parts.number(central, start);
    code_parts.push(CodePart::Word("central".into()), letter..cursor.at());
    let stands = opens(context.before) && cursor.at_word_end();
    (is_hour_behind && stands).then(|| alphanumeric(cursor.at(), code_parts))
}

pub(super) fn alphanumeric(length: usize, code_parts: CodeParts) -> (usize, SemioticClass) {
    (length, SemioticClass::Alphanumeric(alphanumeric::Value(code_parts)))
}

/// A wireless network standard with its letters: `802.11ax`.
pub(super) fn find_standard(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    cursor.eat("802.")?;
    let number = cursor.digits(1..=2)?;
    let letters_start = cursor.at();
    let letters = cursor.take_while(is_latin_letter).unwrap_or_default();
    let mut code_parts = CodeParts::default();
    code_parts.push(CodePart::Pairs(802), 0..3);
    code_parts.push(CodePart::Symbol('.'), 3..4);
    code_parts.number(number, 4);
    if !letters.is_empty() {
        code_parts.letters(&letters.to_ascii_uppercase(), letters_start);
    }
    let stands = opens(context.before) && cursor.at_number_end();
    (stands && letters.len() < 3).then(|| alphanumeric(cursor.at(), code_parts))
}

/// The letters before an earthquake magnitude: `M 6.2`, `Mw 7.1`.
pub(super) fn find_magnitude(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    cursor.eat("Mw").or_else(|| cursor.eat("M"))?;
    let length = cursor.at();
    let _ = cursor.eat(" ");
    cursor.digits(1..=2)?;
    let is_decimal = cursor.eat(".").is_some() && cursor.at_digit();
    let phrase = SemioticClass::Phrase { words: "magnitude", ends_sentence: false };
    let is_quake = context.topic_classes().contains(&"earthquake");
    (is_decimal && is_quake && opens(context.before)).then_some((length, phrase))
}

/// A flight level in hundreds of feet: `FL350`.
pub(super) fn find_flight_level(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    cursor.eat("FL")?;
    let digits = cursor.digits(3..=3)?;
    let mut code_parts = CodeParts::default();
    code_parts.push(CodePart::Word("flight".into()), 0..2);
    code_parts.push(CodePart::Word("level".into()), 0..2);
    code_parts.digits(digits, 2);
    let stands = opens(context.before) && cursor.at_number_end();
    stands.then(|| alphanumeric(cursor.at(), code_parts))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_inner(c))
}

/// A retirement plan named by its section: `401k`, `403b`.
pub(super) fn find_plan(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(3..=3)?;
    let letter = cursor.eat_char(|c| matches!(c, 'k' | 'K' | 'b' | 'B'))?.to_ascii_lowercase();
    let is_plan = matches!((digits, letter), ("401", 'k') | ("403" | "457", 'b'));
    let stands = opens(context.before) && !context.before.ends_with(['$', '€', '£', '.']);
    let mut code_parts = CodeParts::default();
    code_parts.pairs(digits, 0);
    code_parts.letters(&letter.to_ascii_uppercase().to_string(), digits.len());
    let length = cursor.at();
    // The plural ending is not part of the name.
    let _ = cursor.eat("s");
    (is_plan && stands && cursor.at_word_end()).then(|| alphanumeric(length, code_parts))
}

/// A freight container number after its owner's letters: `MSCU 482913-7`.
pub(super) fn find_container(context: &MatchContext<'_>) -> Found {
    let owner = last_word(context.before);
    let is_owner = context.before.ends_with(' ')
        && owner.len() == 4
        && owner.ends_with(['U', 'J', 'Z'])
        && owner.bytes().all(|b| b.is_ascii_uppercase());
    let mut cursor = context.cursor();
    let serial = cursor.digits(6..=6)?;
    cursor.eat("-")?;
    let check = cursor.digits(1..=1)?;
    let mut code_parts = CodeParts::default();
    code_parts.digits(serial, 0);
    code_parts.push(CodePart::Symbol('-'), 6..7);
    code_parts.digits(check, 7);
    (is_owner && cursor.at_number_end()).then(|| alphanumeric(cursor.at(), code_parts))
}

/// The hours of a notice to airmen: `1300–1700Z`.
pub(super) fn find_zulu_range(context: &MatchContext<'_>) -> Found {
    let is_time = |digits: &&str| digits[..2] < *"25" && digits[2..] < *"60";
    let mut cursor = context.cursor();
    let from = cursor.digits(4..=4).filter(is_time)?;
    cursor.eat_char(|c| matches!(c, '-' | '–'))?;
    let high_start = cursor.at();
    let to = cursor.digits(4..=4).filter(is_time)?;
    cursor.eat("Z")?;
    let (mut low, mut high) = (CodeParts::default(), CodeParts::default());
    low.digits(from, 0);
    high.digits(to, 0);
    high.push(CodePart::Word("Zulu".into()), 4..5);
    let [low, high] =
        [low, high].map(|parts| SemioticClass::Alphanumeric(alphanumeric::Value(parts)));
    let range = Range { low, low_length: 4, connector: Connector::To, high, high_start };
    let stands = opens(context.before) && cursor.at_word_end();
    stands.then(|| (cursor.at(), SemioticClass::Range(Box::new(range))))
}

/// Half zones of plant hardiness: `zones 5b–9a`.
pub(super) fn find_zones(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let low = zone(&mut cursor)?;
    let low_length = cursor.at();
    cursor.eat_char(|c| matches!(c, '-' | '–'))?;
    let high_start = cursor.at();
    let high = zone(&mut cursor)?;
    let is_lettered = context.rest[..cursor.at()].contains(['a', 'b']);
    let [low, high] =
        [low, high].map(|parts| SemioticClass::Alphanumeric(alphanumeric::Value(parts)));
    let range = Range { low, low_length, connector: Connector::To, high, high_start };
    let follows = is_one_of(last_word(context.before), &["zone", "zones", "usda"]);
    (follows && is_lettered && cursor.at_word_end())
        .then(|| (cursor.at(), SemioticClass::Range(Box::new(range))))
}

fn zone(cursor: &mut Cursor<'_>) -> Option<CodeParts> {
    let mut code_parts = CodeParts::default();
    let number = cursor.digits(1..=2)?;
    code_parts.number(number, 0);
    if let Some(half) = cursor.eat_char(|c| matches!(c, 'a' | 'b')) {
        let letter = half.to_ascii_uppercase().to_string();
        code_parts.letters(&letter, number.len());
    }
    Some(code_parts)
}

/// The length of a tour: `3N/4D`.
pub(super) fn find_tour(context: &MatchContext<'_>) -> Found {
    measure::tour(context, ["night", "nights"], ["day", "days"])
}

/// A time signature in a text about music: `4/4 @ 92 bpm`.
pub(super) fn find_meter(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let beats = cursor.digits(1..=2)?;
    cursor.eat("/")?;
    let value = cursor.digits(1..=1).filter(|value| matches!(*value, "2" | "4" | "8"))?;
    let is_of = cursor.rest().starts_with(" of ");
    let is_music = || context.mentions(WordClass::Music);
    let stands = opens(context.before) && cursor.at_number_end() && !is_of;
    (stands && is_music()).then(|| {
        let numbers = [beats, value].map(Number::whole).to_vec();
        (cursor.at(), SemioticClass::Sequence(numbers))
    })
}

/// The time before a launch: `T-10 s and counting`, `T–2h`.
pub(super) fn find_countdown(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    cursor.eat("T")?;
    cursor.eat_char(|c| matches!(c, '-' | '–' | '−'))?;
    let length = cursor.at();
    cursor.digits(1..=3)?;
    cursor.spaces();
    let unit = cursor.letters().unwrap_or_default();
    let is_time = matches!(unit, "s" | "sec" | "seconds" | "m" | "min" | "minutes" | "h" | "hours")
        || words(context.text()).any(|word| is_one_of(word, &["counting", "launch", "liftoff"]));
    let phrase = SemioticClass::Phrase { words: "T minus", ends_sentence: false };
    (is_time && opens(context.before)).then_some((length, phrase))
}

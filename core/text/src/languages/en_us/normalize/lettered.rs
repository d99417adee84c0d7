//! Numbers and signs that only their surroundings explain: `8/7c` of a broadcast, `PATH=$HOME/bin:$PATH`, `A1:B10`.

use crate::normalize::alphanumeric;
use crate::normalize::measure;
use crate::normalize::prelude::*;

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

/// The colon between the paths of a variable: `PATH=$HOME/bin:$PATH`.
pub(super) fn find_path_separator(context: &MatchContext<'_>) -> Found {
    let after = context.rest.strip_prefix(':')?;
    let token = context.before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let phrase = SemioticClass::Phrase { words: "colon", ends_sentence: false };
    (token.contains(['=', '/']) && token.contains('$') && after.starts_with(['$', '/', '~'])
        || token.contains('=') && after.starts_with('$'))
    .then_some((1, phrase))
}

/// The colon between the cells of a spreadsheet: `A1:B10`.
pub(super) fn find_cells(context: &MatchContext<'_>) -> Found {
    let is_cell = |text: &str| {
        let letters = run(text, is_upper);
        let digits = run(&text[letters..], is_digit);
        (1..=2).contains(&letters) && digits > 0 && letters + digits == text.len()
    };
    let after = context.rest.strip_prefix(':')?;
    let is_of_cell = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    let start = context.before.trim_end_matches(is_of_cell).len();
    let fits = is_cell(&context.before[start..])
        && is_cell(&after[..run(after, |c| c.is_ascii_alphanumeric())]);
    let phrase = SemioticClass::Phrase { words: "to", ends_sentence: false };
    fits.then_some((1, phrase))
}

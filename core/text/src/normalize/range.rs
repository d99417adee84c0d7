//! Recognizes ranges, scores and ratios: two values with a dash or colon between.

use super::choice::{ContextClass, proposals};
use super::math;
use super::prelude::*;
use super::{
    alphanumeric, amount, fraction, length, measure, money, number, roman, time_of_day, year,
};

/// Maximum characters of the first value of a range.
const LONGEST_VALUE: usize = 30;

/// Two joined values: `2-10`, `$5-10`, `10-15 kg`, `9am-5pm`, `1960-80`, `16:9`.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let mut near = context.rest.chars().take(LONGEST_VALUE);
    if is_in_chain(context.before) || !near.any(is_joint) {
        return None;
    }
    if let Some(verses) = verses(context) {
        return Some(verses);
    }
    let (low_length, low) = value(context)?;
    // `Page 4 of 12 – 33%`
    let is_total = context.follows(WordClass::Of);
    if is_total && context.rest[low_length..].starts_with(" –") {
        return None;
    }
    let mut cursor = context.cursor();
    cursor.eat(&context.rest[..low_length]);
    let is_spaced = cursor.rest().starts_with(char::is_whitespace);
    if is_spaced && has_fields(context.text()) {
        return None;
    }
    let connector = connector(&mut cursor)?;
    if connector == ":" && !matches!(low, SemioticClass::Number(_)) {
        return None;
    }
    let high_start = cursor.at();
    let place = context.advanced(high_start);
    let (high_length, high) = high_value(&place, &low)?;
    let end = high_start + high_length;
    let rest = &context.rest[end..];
    if is_price_of(&low, &high, &context.rest[low_length..high_start], place.rest) {
        return None;
    }
    // A dash without spaces is a minus sign only in an equation.
    let is_difference = math::is_between_operands(context, low_length)
        && (is_spaced
            || connector == ":"
            || context.text().contains(['=', '≠', '√', '^']) && is_hyphen(connector));
    // `0.5–1 mL/kg/day`: the rate continues.
    let is_rate = matches!(&high, SemioticClass::Measure(measure) if measure.per.is_some())
        && rest.strip_prefix('/').is_some_and(|after| after.starts_with(char::is_alphabetic));
    if goes_on(rest) && !is_rate || is_difference {
        return None;
    }
    let written = &context.rest[..low_length];
    if let (SemioticClass::Number(low), SemioticClass::Number(high)) = (&low, &high) {
        let is_name = context.is(&context.rest[..end], WordClass::SlashedNames);
        let is_code = is_radio_code(context, rest);
        if is_name || is_code || connector == ":" && is_book(context) {
            return Some((end, SemioticClass::Sequence(vec![low.clone(), high.clone()])));
        }
    }
    let (low, high) = match_up(context, low, high, connector == ":" || connector == "/", written)?;
    let is_of_shots = is_hyphen(connector)
        && context.topic_classes().contains(&SPORT)
        && (WordClass::Shots.strip_prefix(rest.trim_start()).is_some()
            || context
                .is(first_word(rest.strip_prefix(", ").unwrap_or_default()), WordClass::AtBat));
    let connector = match connector {
        ":" => Connector::Ratio,
        _ if is_of_shots => Connector::For,
        _ => Connector::To,
    };
    let range = Range { low, low_length, connector, high, high_start };
    Some((end, SemioticClass::Range(Box::new(range))))
}

/// The classes of words about sports and clothing sizes.
const SPORT: ContextClass = "sport";
const SIZE: ContextClass = "size";

fn is_hyphen(connector: &str) -> bool {
    matches!(connector, "-" | "−")
}

/// Whether spaced dashes separate the fields of a text: `Platform 2 – 5:16 PM – On time`.
fn has_fields(text: &str) -> bool {
    [" – ", " - ", " — "].iter().any(|dash| text.matches(dash).count() > 1)
}

/// The note of abbreviations for books of chapters and verses.
const VERSE: &str = "verse";

/// Whether the name of a book of chapters and verses precedes.
fn is_book(context: &MatchContext<'_>) -> bool {
    let before = context.before.trim_end();
    let book = last_word(before.trim_end_matches('.'));
    let is_short = || {
        let readings = context.lexicon().abbreviations.get(&book.to_lowercase());
        readings.iter().any(|one| one.is(VERSE))
    };
    context.is(book, WordClass::Scripture) || before.ends_with('.') && is_short()
}

/// A chapter and verses after the name of a book: `13:4–7`.
fn verses(context: &MatchContext<'_>) -> Found {
    if !is_book(context) {
        return None;
    }
    let mut cursor = context.cursor();
    let chapter = cursor.digits(1..=3)?;
    cursor.eat(":")?;
    let verse = cursor.digits(1..=3)?;
    let low_length = cursor.at();
    cursor.eat_char(|c| matches!(c, '-' | '–'))?;
    let high_start = cursor.at();
    let last = cursor.digits(1..=3)?;
    // `1:1-2:3`
    let last_verse = cursor.attempt(|cursor| {
        cursor.eat(":")?;
        cursor.digits(1..=3)
    });
    let high = match last_verse {
        Some(verse) => SemioticClass::Sequence([last, verse].map(Number::whole).to_vec()),
        None => SemioticClass::Number(Number::whole(last)),
    };
    let low = SemioticClass::Sequence([chapter, verse].map(Number::whole).to_vec());
    let range = Range { low, low_length, connector: Connector::To, high, high_start };
    cursor.at_number_end().then(|| (cursor.at(), SemioticClass::Range(Box::new(range))))
}

/// Whether a number with ten and a hyphen is a code of the radio: `a 10-33 at 5th`, `we are 10-8.`
fn is_radio_code(context: &MatchContext<'_>, rest: &str) -> bool {
    let word = last_word(context.before);
    let next = first_word(rest);
    let is_ten = context.rest.starts_with("10-");
    let follows = WordClass::BeforeRadioCode.has_any_case(word)
        || word
            .rsplit_once(['\'', '’'])
            .is_some_and(|(_, ending)| WordClass::Contracted.has(ending));
    let ends = next.is_empty()
        || rest.starts_with(['.', ',', '?', '!', ';'])
        || rest.starts_with(' ') && lists(context.locale.function_words.native, next);
    is_ten && follows && ends && !context.topic_classes().contains(&SPORT)
}

/// Whether a number belongs to a product name, and its price follows instead of a range:
/// `Airdopes 141 – ₹1,299`.
fn is_price_of(low: &SemioticClass, high: &SemioticClass, joint: &str, written: &str) -> bool {
    let is_named = matches!(low, SemioticClass::Number(_));
    let is_price = matches!(high, SemioticClass::Money(_));
    let leads = !written.starts_with(is_digit);
    is_named && is_price && leads && joint.starts_with(char::is_whitespace)
}

/// A dash between two sizes, grades or parts: `XS–XXL`, `K–5`, `3.2(b)–(d)`.
pub(crate) fn find_joint(context: &MatchContext<'_>) -> Found {
    let after = context.rest.strip_prefix(['–', '-', '~', '〜'])?;
    let letters =
        |text: &str| text.chars().take_while(|c| c.is_ascii_alphanumeric()).collect::<String>();
    let low: String =
        letters(&context.before.chars().rev().collect::<String>()).chars().rev().collect();
    let high = letters(after);
    // `sorted A–Z`
    let is_capital = |text: &str| text.len() == 1 && text.starts_with(is_upper);
    let are_letters =
        is_capital(&low) && is_capital(&high) && low < high && !context.text().contains('=');
    let is_size = |text: &str| WordClass::ClothesSize.has(text);
    let is_grade = WordClass::FirstGrade.has(&low)
        && high.len() <= 2
        && high.bytes().all(|b| b.is_ascii_digit());
    let is_item = context.before.ends_with(')') && after.starts_with('(');
    // `EWR–PEK`
    let is_airport = |text: &str| text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase());
    // `Price (low–high)`
    let is_scale = |text: &str| WordClass::EndOfScale.has(text);
    let is_part_of_day = |text: &str| WordClass::NamedHour.has(text);
    let is_hour = |text: &str| text.len() <= 4 && text.starts_with(is_digit);
    // `Mon 22:00–Wed 05:00`
    let is_weekday = |text: &str| WordClass::ShortWeekday.has(text);
    let ends_in_time = context.before.len() > 5
        && context.before.as_bytes()[context.before.len() - 3] == b':'
        || context.before.ends_with(['m', 'M']);
    let is_tilde = context.rest.starts_with(['~', '〜']);
    let is_span = is_weekday(&high) && ends_in_time
        || is_part_of_day(&low) && (is_hour(&high) || is_part_of_day(&high))
        || is_hour(&low) && is_part_of_day(&high);
    // `Q1–Q4 2023`
    let is_quarter = |text: &str| WordClass::PartOfYear.has(text);
    let is_dash = context.rest.starts_with('–');
    // `the 19th–20th c.`
    let is_ordinal = |text: &str| {
        let digits = text.trim_end_matches(is_latin_letter);
        !digits.is_empty()
            && digits.len() <= 2
            && WordClass::EnglishOrdinal.has(&text[digits.len()..])
    };
    // `'08–'09`
    let is_short_year = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
    let is_of_years = after.starts_with(['\'', '’'])
        && is_short_year(&low)
        && is_short_year(&letters(after.trim_start_matches(['\'', '’'])))
        && context.before[..context.before.len() - 2].ends_with(['\'', '’']);
    let fits = is_of_years
        || is_tilde && is_weekday(&low) && is_weekday(&high)
        || is_part_of_day(&low) && is_hour(&high)
        || is_ordinal(&low) && is_ordinal(&high)
        || is_quarter(&low) && is_quarter(&high)
        || is_item
        || is_dash
            && (is_span
                || are_letters
                || is_scale(&low) && is_scale(&high)
                || is_size(&low) && is_size(&high)
                || is_airport(&low) && is_airport(&high)
                || is_grade && !high.is_empty());
    let length = context.rest.len() - after.len();
    fits.then_some((length, SemioticClass::Operator(Operator::To)))
}

/// A range of Roman numerals after a counted word: `Vols. I–III`, `Chapters IV-VI`.
pub(crate) fn find_roman(context: &MatchContext<'_>) -> Found {
    let is_sign = |c: char| "IVXLC".contains(c);
    let numeral = |text: &str| {
        let number = roman::value(&text[..run(text, is_sign)])?;
        Some((run(text, is_sign), number))
    };
    let (low_length, low) = numeral(context.rest)?;
    let joined = context.rest[low_length..].strip_prefix(['–', '-'])?;
    let high_start = context.rest.len() - joined.len();
    let (high_length, high) = numeral(joined)?;
    let counted = last_word(context.before.trim_end().trim_end_matches('.')).to_lowercase();
    let is_counted = context.locales().lists(WordClass::ManyInRoman, &counted)
        || context.locales().lists(WordClass::CountedInRoman, &counted);
    let number = |value: u64| SemioticClass::Number(Number::whole(&value.to_string()));
    let range = Range {
        low: number(low),
        low_length,
        connector: Connector::To,
        high: number(high),
        high_start,
    };
    let fits =
        is_counted && low < high && context.before.ends_with(' ') && closes(&joined[high_length..]);
    fits.then(|| (high_start + high_length, SemioticClass::Range(Box::new(range))))
}

/// A range of numbers after a letter: `A1–30`.
pub(crate) fn find_lettered(context: &MatchContext<'_>) -> Found {
    let letter = context.rest.chars().next().filter(char::is_ascii_uppercase)?;
    let mut cursor = context.cursor();
    cursor.eat_char(|c| c == letter)?;
    let low = cursor.digits(1..=3)?;
    let low_length = cursor.at();
    cursor.eat("–")?;
    let high_start = cursor.at();
    let high = cursor.digits(1..=3)?;
    let rises = low.parse::<u32>().ok() < high.parse().ok();
    let mut code_parts = CodeParts::default();
    code_parts.letters(&context.rest[..1], 0);
    code_parts.number(low, 1);
    let range = Range {
        low: SemioticClass::Alphanumeric(alphanumeric::Value(code_parts)),
        low_length,
        connector: Connector::To,
        high: SemioticClass::Number(Number::whole(high)),
        high_start,
    };
    let fits = rises && boundaries::opens(context.before) && cursor.at_number_end();
    fits.then(|| (cursor.at(), SemioticClass::Range(Box::new(range))))
}

/// A quantity for a price: `2/$40`.
pub(crate) fn find_offer(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let low = SemioticClass::Number(Number::whole(cursor.digits(1..=2)?));
    let low_length = cursor.at();
    cursor.eat("/")?;
    let high_start = cursor.at();
    let (length, high) = money::find_leading(&context.advanced(high_start))?;
    let opens = boundaries::opens(context.before)
        && !context.before.ends_with(['/', '.', '$', '€', '£', '₹']);
    let is_price = matches!(&high, SemioticClass::Money(money) if money.amount.is_some());
    let range = Range { low, low_length, connector: Connector::For, high, high_start };
    (opens && is_price).then(|| (high_start + length, SemioticClass::Range(Box::new(range))))
}

/// Three or more numbers with colons between: `3:2:1`.
pub(crate) fn find_proportion(context: &MatchContext<'_>) -> Found {
    if let Some(contrast) = contrast(context) {
        return Some(contrast);
    }
    let mut cursor = context.cursor();
    let mut parts = vec![Number::whole(cursor.digits(1..=5)?)];
    while let Some(part) = cursor.attempt(|cursor| {
        cursor.eat(":")?;
        cursor.digits(1..=4)
    }) {
        parts.push(Number::whole(part));
    }
    // `NPK 12:32:16`
    let is_fertilizer =
        WordClass::FertilizerKind.has(last_word(context.before.trim_end_matches([' ', '('])));
    if is_fertilizer && parts.len() == 3 && cursor.at_number_end() {
        return Some((cursor.at(), SemioticClass::Sequence(parts)));
    }
    // `ISO 9001:2015`
    let body = last_word(context.before.trim_end());
    if let [number, year] = &parts[..]
        && context.is(body, WordClass::StandardsBody)
        && year.integer.len() == 4
    {
        let year = Year { digits: year.integer.clone(), ..Year::default() };
        let range = Range {
            low: SemioticClass::DigitPairs(number.integer.clone()),
            low_length: number.integer.len(),
            connector: Connector::Juxtaposed,
            high: SemioticClass::Year(year),
            high_start: number.integer.len() + 1,
        };
        return Some((cursor.at(), SemioticClass::Range(Box::new(range))));
    }
    // The chroma subsampling of a video.
    if ["4:4:4", "4:2:2", "4:2:0", "4:1:1"].contains(&&context.rest[..cursor.at()]) {
        return Some((cursor.at(), SemioticClass::Sequence(parts)));
    }
    let is_time = parts[1..].iter().all(|part| part.integer.len() == 2);
    (parts.len() > 2 && !is_time && cursor.at_number_end())
        .then_some((cursor.at(), SemioticClass::Ratio(parts)))
}

/// A large number to one, or the reverse: `1,000,000:1`, `1:24,000`.
fn contrast(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let low = Number::scan(&mut cursor).filter(Number::is_whole)?;
    let low_length = cursor.at();
    cursor.eat(":")?;
    let high = Number::scan(&mut cursor).filter(Number::is_whole)?;
    let is_many = |number: &Number| number.integer.len() > 3 || number.value() >= Some(100);
    let fits = is_many(&low) && high.integer == "1" || low.integer == "1" && is_many(&high);
    let range = Range {
        low: SemioticClass::Number(low),
        low_length,
        connector: Connector::Ratio,
        high: SemioticClass::Number(high),
        high_start: low_length + 1,
    };
    // `1:24 scale`
    let fits = fits
        || context.rest.starts_with("1:")
            && context.is(first_word(cursor.rest()), WordClass::Scale);
    let stands = boundaries::opens(context.before) && cursor.at_number_end();
    (fits && stands).then(|| (cursor.at(), SemioticClass::Range(Box::new(range))))
}

/// The second value. After a currency it may be an amount in the same currency.
fn high_value(context: &MatchContext<'_>, low: &SemioticClass) -> Found {
    let SemioticClass::Money(low) = low else { return value(context) };
    if let Some(money) = money::find_leading(context).or_else(|| money::find_trailing(context)) {
        return Some(money);
    }
    let mut cursor = context.cursor();
    let amount = Some(money::leading_amount(context, &mut cursor)?);
    // `$50 – 20% off`: a percentage and no amount.
    if cursor.rest().trim_start().starts_with('%') {
        return value(context);
    }
    let per = measure::per(context.lexicon(), &mut cursor);
    let money = SemioticClass::Money(Money { amount, per, ..low.clone() });
    Some((cursor.at(), money))
}

/// A value on either side of a range.
fn value(context: &MatchContext<'_>) -> Found {
    let finders = [
        time_of_day::find,
        proposals::short_time,
        year::find,
        money::find_leading,
        money::find_trailing,
        length::find,
        measure::find,
        amount::find,
        fraction::find,
    ];
    let unsigned = context.rest.starts_with(|c: char| !number::is_minus(c));
    unsigned
        .then(|| finders.iter().find_map(|find| find(context)))
        .flatten()
        .or_else(|| number(context))
}

fn number(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor)?;
    // `2-3x a day`
    let is_multiple = cursor
        .rest()
        .strip_prefix(['x', 'X'])
        .is_some_and(|after| !after.starts_with(char::is_alphanumeric));
    // `3–6M`: sizes by months
    let is_age = cursor.rest().starts_with(['M', 'T'])
        && !cursor.rest()[1..].starts_with(char::is_alphanumeric)
        && context.topic_classes().contains(&SIZE);
    let glued = cursor.rest().starts_with(|c: char| c.is_alphabetic()) && !is_multiple && !is_age;
    (!glued).then_some((cursor.at(), SemioticClass::Number(number)))
}

/// Consumes a connector: a colon, or a dash with white space on both sides or none.
fn connector<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    cursor.attempt(|cursor| {
        let spaced = cursor.gap().is_some();
        let start = cursor.rest();
        let connector = cursor.eat_char(is_joint)?;
        let spaced_after = cursor.gap().is_some();
        let is_joint = spaced == spaced_after && !(spaced && matches!(connector, ':' | '—'));
        is_joint.then(|| &start[..connector.len_utf8()])
    })
}

fn is_joint(c: char) -> bool {
    matches!(c, '-' | '–' | '—' | '−' | '~' | '∼' | '〜' | ':')
}

/// Whether a value and a connector precede.
fn is_in_chain(before: &str) -> bool {
    let value = before.strip_suffix(['-', '–', ':', '/']);
    value.is_some_and(|value| value.ends_with(is_digit))
}

/// Whether a third value follows: a chain is no range.
fn goes_on(rest: &str) -> bool {
    let mut chars = rest.chars();
    let (first, second) = (chars.next(), chars.next());
    match first {
        Some('-' | '–' | ':' | '/') => second.is_some_and(|c| c.is_ascii_alphanumeric()),
        // `2-3x/day`
        Some('x' | 'M' | 'T') => second.is_some_and(char::is_alphanumeric),
        Some(c) => c.is_alphanumeric(),
        None => false,
    }
}

/// The two values with shared parts completed; `None` if they do not form a pair.
fn match_up(
    context: &MatchContext<'_>,
    low: SemioticClass,
    high: SemioticClass,
    is_ratio: bool,
    written: &str,
) -> Option<(SemioticClass, SemioticClass)> {
    use SemioticClass::{Fraction, Length, Measure, Number, TimeOfDay, Year};
    match (low, high) {
        (Number(low), Number(high)) if is_ratio => ratio(low, high),
        _ if is_ratio => None,
        (Number(low), Number(high)) => numbers(context, low, high),
        (SemioticClass::Money(low), SemioticClass::Money(high)) => {
            Some(amounts(low, high, repeats_currency(context, written)))
        }
        (
            low @ Number(_),
            high @ (Measure(_) | SemioticClass::Money(_) | Length(_) | TimeOfDay(_)),
        ) => {
            let is_padded = written.strip_prefix('0').is_some_and(|it| it.starts_with(is_digit));
            (!is_padded).then_some((low, high))
        }
        (low @ (Fraction(_) | Measure(_) | Length(_)), high @ (Measure(_) | Length(_))) => {
            Some((low, high))
        }
        (low @ TimeOfDay(_), high @ TimeOfDay(_)) => Some((low, high)),
        // `7:30-4`
        (TimeOfDay(low), Number(high)) if high.is_plain() && (1..=12).contains(&high.value()?) => {
            let is_clock = low.minute.is_some() && low.second.is_none();
            is_clock.then_some((TimeOfDay(low), Number(high)))
        }
        (low @ Year(_), high @ Year(_)) => Some((low, high)),
        (Number(low), high @ Year(_)) if low.integer.len() == 4 => Some((plain_year(&low), high)),
        // `3-14/2023` is a file number.
        (Number(_), Fraction(high)) if high.denominator.integer.len() > 3 => None,
        (low @ (Fraction(_) | Number(_)), high @ (Fraction(_) | Number(_))) => Some((low, high)),
        _ => None,
    }
}

/// `$5-10`, `$1-2 million`: currency and magnitude are spoken once, at the end.
fn amounts(low: Money, high: Money, repeats: bool) -> (SemioticClass, SemioticClass) {
    let shares = !repeats || magnitudes(&high) > magnitudes(&low);
    let number = low.amount.as_ref().and_then(Amount::as_number);
    match number.filter(|_| shares && low.currency == high.currency) {
        Some(number) => (SemioticClass::Number(number.clone()), SemioticClass::Money(high)),
        None => (SemioticClass::Money(low), SemioticClass::Money(high)),
    }
}

fn magnitudes(money: &Money) -> usize {
    money.amount.as_ref().map_or(0, |amount| amount.magnitudes.len())
}

/// Whether the second of two amounts has its own currency before it.
fn repeats_currency(context: &MatchContext<'_>, low: &str) -> bool {
    let high =
        context.rest[low.len()..].trim_start_matches(|c: char| c.is_whitespace() || is_joint(c));
    !high.starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

/// A ratio: `16:9`. With two digits after the colon it would be a time.
fn ratio(low: Number, high: Number) -> Option<(SemioticClass, SemioticClass)> {
    // `3.9:1`
    let is_to_one = !low.negative && low.grouping == Grouping::None && high.is_one();
    let is_ratio = (low.is_plain() || is_to_one) && high.is_whole() && high.value()? > 0;
    is_ratio.then_some((SemioticClass::Number(low), SemioticClass::Number(high)))
}

fn numbers(
    context: &MatchContext<'_>,
    low: Number,
    high: Number,
) -> Option<(SemioticClass, SemioticClass)> {
    if is_year(&low) && low.integer.len() == 4 {
        let is_later = match high.integer.len() {
            4 => is_year(&high),
            2 => {
                high.is_plain() && high.integer.as_str() > &low.integer[2..] || high.integer == "00"
            }
            _ => false,
        };
        if is_later {
            return Some((plain_year(&low), plain_year(&high)));
        }
    }
    // `pp. 201-34`: the second page omits the digits that it shares with the first.
    let label = last_word(context.before.trim_end_matches(['.', ' ']));
    let is_of_pages = context.is(label, WordClass::PagesOrLines);
    let rises = match (low.value(), high.value()) {
        (Some(_), Some(_)) if is_of_pages && low.integer.len() > high.integer.len() => {
            high.integer.as_str() > &low.integer[low.integer.len() - high.integer.len()..]
        }
        (Some(a), Some(b)) => a < b || a == b && low.fraction <= high.fraction,
        _ => false,
    };
    let both_small = low.integer.len() <= 2 && high.integer.len() <= 2;
    let as_long = low.integer.len() == high.integer.len() && low.integer.len() <= 3;
    let padded = [&low, &high].iter().any(|n| n.value().is_none());
    // Grades of a range have similar lengths: 1-800 begins a telephone number.
    let is_alike = low.integer.len() + 2 > high.integer.len()
        || !high.is_plain()
        || context.rest.trim_start_matches(is_digit).starts_with('–');
    (!padded && (rises && is_alike || both_small || as_long || context.mentions(WordClass::Game)))
        .then_some((SemioticClass::Number(low), SemioticClass::Number(high)))
}

fn is_year(number: &Number) -> bool {
    number.is_plain() && ("1100".."2100").contains(&number.integer.as_str())
}

fn plain_year(number: &Number) -> SemioticClass {
    SemioticClass::Year(Year { digits: number.integer.clone(), ..Year::default() })
}

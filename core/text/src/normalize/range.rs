//! Recognizes ranges, scores and ratios: two values with a dash or colon between.

use super::choice::{ContextClass, proposals};
use super::math;
use super::prelude::*;
use super::{amount, fraction, length, measure, money, number, roman, time_of_day, year};

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
    let mut cursor = context.cursor_after(low_length);
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
    Some((end, SemioticClass::range(connector, [low, high], [low_length, high_start])))
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

/// A chapter and verses after the name of a book: `13:4–7`, `1:1-2:3`.
fn verses(context: &MatchContext<'_>) -> Found {
    let verse = |cursor: &mut Cursor<'_>| {
        let chapter = cursor.digits(1..=3)?;
        cursor.eat(":")?;
        let verse = cursor.digits(1..=3)?;
        Some(SemioticClass::Sequence([chapter, verse].map(Number::whole).to_vec()))
    };
    let mut cursor = context.cursor();
    let (verses, ends) = cursor.pair(is_dash, |cursor| {
        let whole = cursor.attempt(verse);
        whole.or_else(|| cursor.digits(1..=3).map(SemioticClass::number))
    })?;
    let leads = matches!(verses[0], SemioticClass::Sequence(_));
    (leads && is_book(context) && cursor.at_number_end())
        .then(|| (cursor.at(), SemioticClass::range(Connector::To, verses, ends)))
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
        || rest.starts_with(' ') && context.lexicon().words.of(next).has(WordClass::FunctionWord);
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

/// A range of Roman numerals after a counted word: `Vols. I–III`, `Chapters IV-VI`.
pub(crate) fn find_roman(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let numeral =
        |cursor: &mut Cursor<'_>| roman::value(cursor.take_while(|c| "IVXLC".contains(c))?);
    let ([low, high], ends) = cursor.pair(is_dash, numeral)?;
    let counted = last_word(context.before.trim_end().trim_end_matches('.')).to_lowercase();
    let is_counted = context.locales().lists(WordClass::ManyInRoman, &counted)
        || context.locales().lists(WordClass::CountedInRoman, &counted);
    let numbers = [low, high].map(|value| SemioticClass::number(&value.to_string()));
    let fits = is_counted && low < high && context.before.ends_with(' ') && closes(cursor.rest());
    fits.then(|| (cursor.at(), SemioticClass::range(Connector::To, numbers, ends)))
}

/// A quantity for a price: `2/$40`.
pub(crate) fn find_offer(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let low = SemioticClass::number(cursor.digits(1..=2)?);
    let ends = [cursor.at(), cursor.at() + 1];
    cursor.eat("/")?;
    let (length, high) = money::find_leading(&context.advanced(ends[1]))?;
    let opens = boundaries::opens(context.before)
        && !context.before.ends_with(['/', '.', '$', '€', '£', '₹']);
    let is_price = matches!(&high, SemioticClass::Money(money) if money.amount.is_some());
    (opens && is_price)
        .then(|| (ends[1] + length, SemioticClass::range(Connector::For, [low, high], ends)))
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
    let is_time = parts[1..].iter().all(|part| part.integer.len() == 2);
    (parts.len() > 2 && !is_time && cursor.at_number_end())
        .then_some((cursor.at(), SemioticClass::Ratio(parts)))
}

/// A large number to one, or the reverse: `1,000,000:1`, `1:24,000`; a scale, `1:24 scale`.
fn contrast(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let ([low, high], ends) =
        cursor.pair(|c| c == ':', |cursor| Number::scan(cursor).filter(Number::is_whole))?;
    let is_many = |number: &Number| number.integer.len() > 3 || number.value() >= Some(100);
    let is_of_one = is_many(&low) && high.integer == "1" || low.integer == "1" && is_many(&high);
    let is_scale =
        context.rest.starts_with("1:") && context.is(first_word(cursor.rest()), WordClass::Scale);
    let numbers = [low, high].map(SemioticClass::Number);
    let stands = boundaries::opens(context.before) && cursor.at_number_end();
    ((is_of_one || is_scale) && stands)
        .then(|| (cursor.at(), SemioticClass::range(Connector::Ratio, numbers, ends)))
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
    SemioticClass::Year(Year::of(number.integer.clone()))
}

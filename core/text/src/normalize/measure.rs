//! Recognizes measures: amounts with units, and rates.

use super::amount::{self, Kind};
use super::condition::Place;
use super::math;
use super::number;
use super::prelude::*;

/// A negative temperature with a space after its sign, where the sign cannot be a dash:
/// `between -1 °C and - 5 °C`.
fn below_zero(context: &MatchContext<'_>) -> Found {
    let start =
        spaced_minus(context).filter(|start| context.rest[*start..].starts_with(is_digit))?;
    let (length, mut value) = find(&context.advanced(start))?;
    let SemioticClass::Measure(Measure { amount: Some(amount), .. }) = &mut value else {
        return None;
    };
    let Quantity::Number(number) = &mut amount.quantity else { return None };
    number.negative = true;
    let is_temperature = context.rest[start..start + length].contains('°');
    is_temperature.then_some((start + length, value))
}

/// The bytes of a minus sign and its space, behind a word that no dash follows: `is - $40`.
pub(crate) fn spaced_minus(context: &MatchContext<'_>) -> Option<usize> {
    let number = context.rest.strip_prefix(number::is_minus)?.strip_prefix(' ')?;
    let before = context.before.trim_end();
    let follows = before.ends_with([',', '(', ':'])
        || context.lexicon().words.of(last_word(before)).has(WordClass::FunctionWord);
    follows.then_some(context.rest.len() - number.len())
}

/// An amount and its unit, a bare rate (`12/kg`), or an amount with a magnitude letter (`10k`).
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    if let Some(found) = below_zero(context) {
        return Some(found);
    }
    // The `L` of a lens: `f/2.8L`.
    if context.before.ends_with("f/") {
        return None;
    }
    let mut cursor = context.cursor();
    let amount = amount::scan(context, &mut cursor, Kind::Count).filter(is_measurable)?;
    let is_attributive = cursor.rest().starts_with('-');
    let start = cursor;
    // `123 1/2 W. Elm`, `38.8977 W`
    let is_compass = is_compass_point(start.rest(), &context.rest[..start.at()]);
    // `× 10 d`
    let after_days = start.rest().strip_prefix(" d ");
    let is_course = start.rest().starts_with(" d")
        && (after_days.is_some_and(|after| context.is(first_word(after), WordClass::Ago))
            || context.before.trim_end().ends_with(['×', 'x'])
            || context.follows(WordClass::BeforeSpan));
    if is_course && !start.rest()[2..].starts_with(is_inner) {
        cursor.eat(" d");
        let unit = context.lexicon().units.get("d");
        return Some((cursor.at(), SemioticClass::measure(Some(amount), unit)));
    }
    // `4s²` is an orbital.
    let is_orbital = start.rest().starts_with(['s', 'd']) && start.rest()[1..].starts_with('^');
    let is_decimal = context.rest[..start.at()].contains('.');
    let unit = unit(context.lexicon(), &mut cursor, context.text(), is_decimal)
        .filter(|_| !is_orbital && !is_compass)
        .filter(|unit| !is_name(context, unit, &cursor));
    if unit.is_none() {
        cursor = start;
    }
    let unit =
        unit.map(|unit| in_place(context, unit, &cursor)).or_else(|| degree(context, &mut cursor));
    let per = per(context.lexicon(), &mut cursor);
    let last = last_word(&context.rest[..cursor.at()]);
    let letters = last.trim_start_matches(|c: char| c.is_ascii_digit());
    let in_letters =
        !amount.magnitudes.is_empty() && context.lexicon().magnitude_letters.contains_key(letters);
    if unit.is_none() && per.is_none() && !in_letters {
        return None;
    }
    let is_attributive = unit.is_some() && (is_attributive || context.describes(&cursor));
    let measure = Measure { amount: Some(amount), unit, per, is_attributive };
    Some((cursor.at(), SemioticClass::Measure(measure)))
}

/// Whether a compass point follows a house number or a coordinate.
fn is_compass_point(rest: &str, number: &str) -> bool {
    let Some(after) = rest.strip_prefix(" W") else { return false };
    let is_of_street =
        after.strip_prefix(". ").is_some_and(|street| street.starts_with(char::is_uppercase));
    let decimals = number.rsplit_once('.').map_or(0, |(_, decimals)| decimals.len());
    is_of_street || decimals > 3
}

/// Whether an amount can have a unit. `26/34 mpg` are two numbers, no common fraction.
fn is_measurable(amount: &Amount) -> bool {
    let Quantity::Fraction(fraction) = &amount.quantity else { return true };
    matches!(fraction.denominator.value(), Some(2..=10 | 12 | 16 | 32 | 64 | 100))
        || fraction.numerator.value() == Some(1)
}

/// A part of an age: `4y 7m 12d`, `38w4d`.
pub(crate) fn find_age(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(1..=2)?;
    let letter = cursor.eat_char(|c| matches!(c, 'y' | 'm' | 'w' | 'd'))?;
    let length = cursor.at();
    let is_digit = |c: char| c.is_ascii_digit();
    let next = cursor.rest().strip_prefix(' ').unwrap_or(cursor.rest());
    let next_unit = next.trim_start_matches(is_digit);
    let leads = |units: &[char]| {
        (1..=2).contains(&(next.len() - next_unit.len()))
            && next_unit.starts_with(units)
            && !next_unit[1..].starts_with(char::is_alphanumeric)
    };
    let before = context.before.strip_suffix(' ').unwrap_or(context.before);
    let follows = |units: &[char]| {
        before.strip_suffix(units).is_some_and(|number| number.ends_with(is_digit))
            && !cursor.rest().starts_with(is_inner)
    };
    let (fits, unit) = match letter {
        'y' => (leads(&['m']), "yr"),
        'w' => (leads(&['d']), "wk"),
        'm' => (follows(&['y']), "mo"),
        _ => (follows(&['w', 'm']), "d"),
    };
    let (unit, _) = context.lexicon().unit(unit)?;
    let amount = Amount::of(Number::whole(digits));
    fits.then_some((length, SemioticClass::measure(Some(amount), Some(unit))))
}

/// A letter for degrees in a text of temperatures: `220C` beside `425F`, `4 K` beside `100 °C`.
fn degree(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<&'static Unit> {
    let text = context.text();
    let is_near = || text.contains('°') || context.mentions(WordClass::Temperature);
    cursor.attempt(|cursor| {
        let _ = cursor.eat(" ");
        let unit = match cursor.eat_char(|c| matches!(c, 'C' | 'K'))? {
            'C' => "°C",
            _ if !text.contains('°') => return None,
            _ => "°K",
        };
        (cursor.at_word_end() && !cursor.rest().starts_with(['-', '&']) && is_near())
            .then(|| context.lexicon().units.get(unit))
            .flatten()
    })
}

/// The unit of a symbol in this context: `5 pts` of a game or a drink, `12 nm S of` a place.
fn in_place(context: &MatchContext<'_>, unit: &'static Unit, cursor: &Cursor<'_>) -> &'static Unit {
    let place = Place { context, written: "", stopped: false, after: cursor.rest() };
    let other = unit.others.iter().find(|(condition, _)| place.holds(condition));
    other.and_then(|(_, symbol)| context.lexicon().units.get(symbol)).unwrap_or(unit)
}

/// Whether the letter after a number belongs to a name, `seat 12A`, or has an ending, `the 5 W's`.
fn is_name(context: &MatchContext<'_>, unit: &Unit, cursor: &Cursor<'_>) -> bool {
    let capitalized = last_word(context.before).starts_with(char::is_uppercase);
    let label = last_word(context.before.trim_end().trim_end_matches(['.', ':']));
    let is_labelled = context.is(label, WordClass::BeforeLabel)
        || context.is(label, WordClass::Joiners) && follows_label(context);
    let written = &context.rest[..cursor.at()];
    let is_letter = written.trim_end_matches(char::is_uppercase).len() + 1 == written.len();
    let is_apart = unit.usage == UnitUsage::Contact && written.ends_with(char::is_uppercase);
    let is_voltage = written.ends_with('V') && written.len() > 2;
    // `टीवी 4K है`
    let is_definition = written.ends_with('K') && context.is(label, WordClass::AfterCapital);
    // `FM 1960 W`
    let is_of_road = is_letter
        && context.lexicon().compass.contains_key(last_letter(written))
        && written.contains(' ')
        && capitalized
        && context.is(label, WordClass::Roads);
    // `Rte. 66 EB`
    let is_bound =
        WordClass::Bound.strip_suffix(written).is_some() && context.is(label, WordClass::Roads);
    // `p. 214 #s 3–21`, `Press 0#`
    let is_numbers = written.ends_with('#')
        && (cursor.rest().starts_with(is_inner) || math::is_about_keys(context));
    is_definition
        || is_of_road
        || is_numbers
        || is_bound
        || is_apart && !is_voltage && (capitalized || is_labelled)
        || is_letter && is_labelled
        || cursor.rest().starts_with("'s")
        || cursor.rest().starts_with("’s")
}

fn last_letter(written: &str) -> &str {
    &written[written.len().saturating_sub(1)..]
}

/// Whether a labeled number is joined to this one: `seats 12A and 12B`.
fn follows_label(context: &MatchContext<'_>) -> bool {
    let (mut label, mut is_number) = ("", false);
    let words = context.before.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','));
    for word in words.filter(|word| !word.is_empty()) {
        is_number |= word.starts_with(|c: char| c.is_ascii_digit())
            && context.is(label, WordClass::BeforeLabel);
        label = word;
    }
    is_number
}

/// Consumes a unit after a number: directly, after white space, or after a hyphen.
fn unit(
    lexicon: &'static Lexicon,
    cursor: &mut Cursor<'_>,
    text: &str,
    is_decimal: bool,
) -> Option<&'static Unit> {
    cursor.attempt(|cursor| {
        let is_apart = cursor.gap().is_some();
        let is_joined = !is_apart && cursor.eat("-").is_some();
        let in_contact = !is_apart && !is_joined;
        // `प्लॉट 112-A, 1200`: the letter of a house.
        let is_of_house = is_joined
            && run(cursor.rest(), is_upper) == 1
            && closes(&cursor.rest()[1..])
            && !cursor.rest()[1..].starts_with(' ');
        if is_of_house {
            return None;
        }
        if in_contact && cursor.rest().is_empty() {
            return None;
        }
        let is = |word, class| lexicon.words.of_any_case(word).has(class);
        let in_capitals = || in_capitals(lexicon, cursor.rest()).filter(|_| in_contact);
        let (unit, length) = lexicon.unit(cursor.rest()).or_else(in_capitals)?;
        let is_symbol = cursor.rest().starts_with(|c: char| !c.is_alphabetic());
        let fits = match unit.usage {
            UnitUsage::Any => true,
            UnitUsage::Contact => {
                in_contact
                    || is_symbol
                    || may_be_apart(lexicon, cursor.rest(), length, text, is_decimal)
            }
            UnitUsage::Rate => false,
            UnitUsage::Verb => {
                let after = &cursor.rest()[length..];
                !is(first_word(after), WordClass::Auxiliaries)
                    && !after.starts_with(['।', '!', '?'])
            }
        };
        take(cursor, length);
        // `5W-30` is an oil.
        let is_grade = in_contact
            && length == 1
            && !is_symbol
            && cursor
                .rest()
                .strip_prefix('-')
                .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        let is_row_of_stars = cursor.rest().starts_with(['★', '☆']);
        let next = cursor.rest().strip_prefix('-').map(first_word);
        let is_hyphenated =
            !in_contact && next.is_some_and(|next| !is(next, WordClass::Dimensions));
        (fits && !is_grade && !is_row_of_stars && !is_hyphenated).then_some(unit)
    })
}

/// Whether an ambiguous unit symbol is a unit even after white space.
fn may_be_apart(
    lexicon: &Lexicon,
    rest: &str,
    length: usize,
    text: &str,
    is_decimal: bool,
) -> bool {
    let (after, next) = (&rest[length..], first_word(&rest[length..]));
    let is = |class| lexicon.words.of_any_case(next).has(class);
    if length > 1 {
        return ends(after) || is(WordClass::Dimensions);
    }
    let is_electric = rest.starts_with(['V', 'A', 'W']);
    // `12 V DC, 1.5 A`, `at 1.35 V`
    let is_beside_others =
        !after.starts_with(is_inner) && (is_electrical(text) || is_decimal && ends(after));
    // `a 12 V battery`
    let is_of_noun = after.starts_with(' ') && is(WordClass::Measured);
    // `12 N = 3 kg`
    let is_in_formula = rest.starts_with(is_upper)
        && [" =", " ÷", " ×", " ≈"].iter().any(|sign| after.starts_with(sign));
    is_electric && (is_beside_others || is_of_noun) || is_in_formula
}

/// A unit in a text of capitals: `LISINOPRIL 10MG TAB`.
fn in_capitals(lexicon: &'static Lexicon, rest: &str) -> Option<(&'static Unit, usize)> {
    let written = first_word(rest);
    let length = written.len();
    let is_unit = rest.starts_with(written) && WordClass::UnitInCapitals.has(written);
    let unit = lexicon.units.get(written.to_ascii_lowercase().as_str()).filter(|_| is_unit)?;
    Some((unit, length))
}

/// Whether at least two numbers in a text have electrical units.
fn is_electrical(text: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !(is_inner(c) || c == '.')).collect();
    let pairs = words.windows(2).filter(|pair| {
        pair[0].starts_with(|c: char| c.is_ascii_digit()) && WordClass::ElectricalUnit.has(pair[1])
    });
    pairs.count() > 1
}

/// Whether no continuation of a word follows.
fn ends(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['.', ',', ';', ')']) || rest.starts_with(" =")
}

/// Consumes the unit after a slash: `/kg`.
pub(crate) fn per(lexicon: &'static Lexicon, cursor: &mut Cursor<'_>) -> Option<&'static Unit> {
    cursor.attempt(|cursor| {
        cursor.eat("/").or_else(|| cursor.eat(" / "))?;
        let (unit, length) = lexicon.unit(cursor.rest())?;
        take(cursor, length);
        Some(unit)
    })
}

fn take(cursor: &mut Cursor<'_>, length: usize) {
    let symbol = &cursor.rest()[..length];
    cursor.eat(symbol);
    // Do not consume a full stop that also ends the sentence.
    if !cursor.rest().contains(char::is_alphanumeric) {
        cursor.step_back('.');
    }
}

/// A unit without a number, after "per", in a power or in a rate: `per kg`, `in km²`, `in km/h`.
pub(crate) fn find_unit_alone(context: &MatchContext<'_>) -> Found {
    // `Sq. ft.: 1,450`
    let is_area = context.before.is_empty() || context.before.ends_with([' ', '(']);
    let area = is_area.then(|| square_unit(context)).flatten();
    if let Some(length) = area {
        let unit = context.lexicon().units.get("sq ft");
        return Some((length, SemioticClass::measure(None, unit)));
    }
    let is_symbol = || {
        let letters = first_word(context.rest);
        !letters.contains(['a', 'e', 'i', 'o', 'u']) || letters.contains(char::is_uppercase)
    };
    let is_many = follows_plus(context)
        || math::ends_in_power_of_ten(context.before)
        || ends_in_slashed(context.before) && is_symbol();
    // `1.6×10^-19 C`
    if math::ends_in_power_of_ten(context.before)
        && context.rest.starts_with('C')
        && closes(&context.rest[1..])
        && let Some(unit) = context.lexicon().units.get("coul")
    {
        return Some((1, SemioticClass::measure(None, Some(unit))));
    }
    let follows = is_many || is_counted_by(context);
    if !follows && !context.rest.chars().take(6).any(|c| matches!(c, '^' | '/')) {
        return None;
    }
    let mut cursor = context.cursor();
    let (unit, length) = context.lexicon().unit(context.rest)?;
    // A standalone `A⁻¹` is an inverse.
    if let Some(after) = context.rest[length..].strip_prefix("^-1")
        && follows_amount(context)
        && !after.starts_with(is_inner)
        && unit.usage != UnitUsage::Rate
    {
        let measure = Measure { amount: None, unit: None, per: Some(unit), is_attributive: false };
        return Some((length + 3, SemioticClass::Measure(measure)));
    }
    take(&mut cursor, length);
    let after = cursor.rest().strip_prefix('/').unwrap_or_default();
    let is_rate = unit.usage != UnitUsage::Rate && after.starts_with(char::is_alphabetic);
    let per = is_rate.then(|| per(context.lexicon(), &mut cursor)).flatten();
    let is_power = context.rest[..cursor.at()].contains('^');
    if per.is_none() {
        cursor = context.cursor();
        take(&mut cursor, length);
    }
    let measure =
        Measure { amount: None, unit: Some(unit), per, is_attributive: follows && !is_many };
    // `A/B test`, `K/W Ward`: letters and no units.
    let written = &context.rest[..cursor.at()];
    let is_pair =
        written.len() == 3 && written.bytes().all(|b| b == b'/' || b.is_ascii_uppercase());
    let is_quotient =
        cursor.at() < 4 && context.before.trim_end().ends_with('=') || is_pair && !follows;
    let is_unit = follows || is_power || per.is_some() && cursor.at() > 2 && !is_quotient;
    is_unit.then(|| (cursor.at(), SemioticClass::Measure(measure)))
}

/// Whether the unit here is the denominator of a rate: `km/h`, `75¢ a lb`, `per kg`.
fn is_counted_by(context: &MatchContext<'_>) -> bool {
    let price = WordClass::PerArticle.strip_suffix(context.before);
    context.before.ends_with('/') && math::is_per(context, 1)
        || price.is_some_and(|price| math::is_price(price.trim_end()))
        || context.before.ends_with(' ') && context.follows(WordClass::BeforeUnit)
}

/// Whether a number with a plus sign precedes: `60+ mph`, but not `40+ in town`.
fn follows_plus(context: &MatchContext<'_>) -> bool {
    let before = context.before.strip_suffix("+ ");
    let number = before.and_then(|text| text.rsplit(char::is_whitespace).next());
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
        && !context.lexicon().words.of(first_word(context.rest)).has(WordClass::FunctionWord)
}

/// Whether a number or a unit precedes.
fn follows_amount(context: &MatchContext<'_>) -> bool {
    let before = context.before.trim_end();
    before.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '·' | '/'))
        || context.lexicon().unit(last_word(before)).is_some()
}

/// Whether two or more numbers with slashes between and a space precede: `50/60 `, `10/100/1000 `.
fn ends_in_slashed(before: &str) -> bool {
    let Some(numbers) = before.strip_suffix(' ') else { return false };
    let token = numbers.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    token.contains('/')
        && token
            .split('/')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

/// The length of abbreviated square feet without a number before them.
fn square_unit(context: &MatchContext<'_>) -> Option<usize> {
    let written = WordClass::SquareFeet.names().find(|written| {
        context.rest.get(..written.len()).is_some_and(|start| start.eq_ignore_ascii_case(written))
    })?;
    let counted = context.before.trim_end().ends_with(|c: char| c.is_numeric());
    (!counted && !context.rest[written.len()..].starts_with(is_inner)).then_some(written.len())
}

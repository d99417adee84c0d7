//! Recognizes addresses: house numbers, street types, compass points, states and postal codes.

use super::postal;
use super::prelude::*;

/// A house number before a street name: `1428 Elm St`, `221B Baker St`.
pub(crate) fn find_house(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(1..=6)?;
    let letter = cursor
        .attempt(|cursor| cursor.letters().filter(|letter| letter.len() == 1 && letter.is_ascii()));
    let length = cursor.at();
    cursor.gap()?;
    let value = match letter {
        None => SemioticClass::DigitPairs(digits.into()),
        Some(letter) => {
            let mut code_parts = CodeParts::default();
            code_parts.pairs(digits, 0);
            code_parts.letters(letter, digits.len());
            SemioticClass::Alphanumeric(code_parts)
        }
    };
    street_follows(context, cursor).then_some((length, value))
}

/// A compass point: `708 N 1st St`, `1600 Pennsylvania Ave NW`, `I-405 S`, `head SW`.
pub(crate) fn find_compass(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let letters = cursor.letters()?;
    let words = *context.lexicon().compass.get(letters)?;
    let length = cursor.at();
    let stopped = cursor.eat(".").is_some();
    let opens = context.before.is_empty() || context.before.ends_with([' ', '\n', '(', '/']);
    let before_street = opens && cursor.gap().is_some() && street_follows(context, cursor);
    let streets = &context.lexicon().streets;
    let last = last_word(context.before.trim_end().trim_end_matches('.'));
    let is_street = streets.contains_key(last.to_ascii_lowercase().as_str())
        || streets.values().any(|street| *street == last);
    let place = context.before.trim_end_matches(char::is_alphabetic);
    let after_street = context.before.ends_with(' ')
        && is_street
        && (context.before.contains(is_digit) || place.trim_end().ends_with(char::is_alphanumeric));
    let is_heading = context.before.ends_with(' ') && context.is(last, WordClass::BeforeCompass);
    let is_alone = !cursor.rest().starts_with(['-', '&', '\'', '’']);
    let goes_on = cursor.rest().contains(char::is_alphanumeric);
    let length = length + usize::from(stopped && goes_on);
    let value = SemioticClass::phrase(words);
    // `E. 4th & St. Clair`
    let is_numbered = opens && ordinal_follows(context, cursor);
    // `N on Lake Shore Dr.`
    let is_leg = context.before.trim().is_empty()
        && context.is(super::cursor::first_word(cursor.rest()), WordClass::AfterCompass);
    // `5 mi. N. of town`, `32 km SSW of Hilo`
    let is_bearing = opens
        && context.is(super::cursor::first_word(cursor.rest()), WordClass::Of)
        && (letters.len() > 1 || context.is(last, WordClass::Distances));
    // `SW winds`, `W. Wing`, `2100 N. Hwy. 360`
    let next = super::cursor::first_word(cursor.rest()).to_lowercase();
    let is_bound = letters.len() == 2 && letters.ends_with('B');
    let is_of_road =
        is_bound && opens && (context.is(&next, WordClass::Roads) || WordClass::Lane.has(&next));
    let is_of_side = is_of_road
        || opens && cursor.rest().starts_with(' ') && WordClass::BesideCompass.has(&next);
    // `I-80 E/W`
    let follows_point = || {
        let road = context.before.strip_suffix('/')?;
        let point = last_word(road);
        let road =
            road.strip_suffix(point).filter(|_| context.lexicon().compass.contains_key(point))?;
        Some(ends_in_road(&context.at(road.len())))
    };
    let is_numbered =
        is_numbered || is_leg || is_bearing || is_of_side || follows_point() == Some(true);
    let fits = is_numbered
        || before_street
        || after_street
        || is_heading && is_alone
        || ends_in_road(context);
    fits.then_some((length, value))
}

/// Whether the ordinal of a street follows: `4th`, `42nd`.
fn ordinal_follows(context: &MatchContext<'_>, mut cursor: Cursor<'_>) -> bool {
    cursor.spaces();
    let is_number = cursor.digits(1..=3).is_some();
    is_number
        && cursor.letters().is_some_and(|letters| context.is(letters, WordClass::OrdinalEndings))
}

/// Whether a road number precedes: `I-405`, `US 1`, `Hwy 401`.
fn ends_in_road(context: &MatchContext<'_>) -> bool {
    let Some(before) = context.before.strip_suffix(' ') else { return false };
    let name = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let number = before[name.len()..].trim_end_matches(is_upper);
    let is_number = (1..=4).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    let Some(name) = name.strip_suffix(['-', ' ']).filter(|_| is_number) else { return false };
    let kind = last_word(name.trim_end_matches('.'));
    let is_state = context.lexicon().states.contains_key(kind) && before.contains('-');
    is_state || context.is(kind, WordClass::Roads)
}

/// A house number with a subdivision before a street name: `12/5 MG Road`.
pub(crate) fn find_divided_house(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let house = cursor.digits(1..=4)?;
    cursor.eat("/")?;
    let part = cursor.digits(1..=4)?;
    let length = cursor.at();
    let _ = cursor.eat(",");
    cursor.gap()?;
    let numbers = [house, part].map(|digits| SemioticClass::DigitPairs(digits.into()));
    let range = SemioticClass::range(Connector::By, numbers, [house.len(), house.len() + 1]);
    street_follows(context, cursor).then_some((length, range))
}

/// Whether one to four capitalized words and a street type follow.
fn street_follows(context: &MatchContext<'_>, mut cursor: Cursor<'_>) -> bool {
    for words in 0..5 {
        let Some(word) =
            cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-'))
        else {
            return false;
        };
        let is_street = context.lexicon().streets.contains_key(word.to_ascii_lowercase().as_str());
        let capital = word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        if is_street && words > 0 && capital {
            return true;
        }
        if !capital {
            return false;
        }
        cursor.eat(".");
        if cursor.gap().is_none() {
            return false;
        }
    }
    false
}

/// A street named only by its number: `at 96 St & Broadway`.
pub(crate) fn find_numbered_street(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(1..=3).filter(|digits| !digits.starts_with('0'))?;
    let length = cursor.at();
    cursor.eat(" ")?;
    cursor.letters().filter(|word| WordClass::NumberedStreet.has(word))?;
    cursor.eat(".");
    let after = cursor.rest();
    let goes_on = after.starts_with(|c: char| c.is_alphanumeric() || c == '-')
        || after.trim_start().starts_with(char::is_uppercase);
    let follows = context.before.is_empty()
        || context.before.ends_with(' ') && !context.before.trim_end().ends_with(',')
        || context.before.ends_with(['–', '—', '-', '/']);
    let ordinal = SemioticClass::Ordinal { number: Number::whole(digits), suffix: None };
    (follows && !goes_on).then_some((length, ordinal))
}

/// An abbreviated street type after the street name.
pub(crate) fn find_street(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let word = cursor.letters().filter(|word| word.starts_with(char::is_uppercase))?;
    let words = *context.lexicon().streets.get(word.to_ascii_lowercase().as_str())?;
    if words.len() == word.len() || !follows_name(context, cursor.rest()) {
        return None;
    }
    let stopped = cursor.rest().starts_with('.');
    let rest = cursor.rest().trim_start_matches('.');
    let next = super::cursor::first_word(rest);
    let continues = rest.starts_with(' ') && next.starts_with(char::is_uppercase);
    let opens = context.is(next, WordClass::Openers);
    // `Rue St.-Honoré`
    let is_saint = WordClass::Saint.has(word)
        && rest.strip_prefix('-').is_some_and(|name| name.starts_with(char::is_uppercase));
    // `East St. Louis`
    let follows_point = || {
        let point = last_word(context.before.trim_end());
        context.lexicon().compass.values().any(|known| *known == point)
    };
    let is_saint =
        is_saint || WordClass::Saint.has(word) && stopped && continues && !opens && follows_point();
    if is_saint {
        return None;
    }
    let in_address = context.before.contains(is_digit);
    let is_place = stopped
        || rest.starts_with(['-', '–'])
        || in_address
        || next.starts_with(char::is_lowercase)
        || rest.trim_start().is_empty()
        || rest.starts_with(',');
    // `Mount St. Helens`: the name continues, and no house number precedes.
    if !is_place || continues && !opens && !in_address {
        return None;
    }
    if stopped {
        cursor.eat(".");
    }
    let ends_sentence = context.ends_sentence(cursor.at());
    Some((cursor.at(), SemioticClass::Phrase { words, ends_sentence }))
}

/// Whether a street name ends here: with `5th`, or a capitalized word that is not the first.
fn follows_name(context: &MatchContext<'_>, rest: &str) -> bool {
    // `Hot Spgs. Rd.`, `Luther King Jr. Blvd.`
    let before = context.before.trim_end();
    let stopped = before
        .strip_suffix('.')
        .filter(|name| context.is(last_word(name), WordClass::EndOfStreetName));
    let before = stopped.unwrap_or(before);
    let word = last_word(before);
    let spaced = context.before.ends_with(' ') && before.ends_with(word);
    let is_joined = rest.trim_start_matches('.').starts_with(['-', '–']);
    // `96 St`, but `5 St. Mary's`
    let is_last = !rest.trim_start_matches('.').trim_start().starts_with(char::is_uppercase);
    let numbered = word.starts_with(is_digit)
        && (word.ends_with(char::is_alphabetic) || is_joined || word.len() < 4 && is_last);
    let named = word.starts_with(char::is_uppercase) && !context.is(word, WordClass::Openers);
    spaced && (named || numbered)
}

/// The letters of a state after a city, with an optional postal code.
pub(crate) fn find_state(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let letters = cursor.letters().filter(|letters| letters.len() == 2)?;
    let name = *context.lexicon().states.get(letters)?;
    let code = cursor.attempt(postal_code);
    // `LA 90071` is a city.
    if WordClass::CityOrState.has(letters)
        && code.as_ref().is_some_and(|(_, digits)| !digits.starts_with('7'))
    {
        return None;
    }
    let city = context.before.strip_suffix(", ").map(last_word);
    let in_city = city.is_some_and(|city| city.starts_with(char::is_uppercase));
    let rest = cursor.rest();
    // `Monday, OK?`
    if WordClass::StateOrCall.has(letters) && rest.starts_with('?') {
        return None;
    }
    // `Toronto, ON M5V 2T6`
    let ends = rest.is_empty()
        || rest.starts_with(['.', ',', ')', ';', '!', '?', '"'])
        || rest.strip_prefix(' ').is_some_and(|code| postal::canadian(code).is_some())
        || goes_on_after_place(context, city.unwrap_or_default(), letters, rest);
    if code.is_none() && !(in_city && ends) || !in_city && !context.before.ends_with(' ') {
        return None;
    }
    let (gap, digits) = code.unwrap_or_default();
    Some((cursor.at(), SemioticClass::State { name, digits, gap: letters.len() + gap }))
}

/// Whether a sentence continues after a city and its state: `Omaha, NE to Boise`.
fn goes_on_after_place(context: &MatchContext<'_>, city: &str, letters: &str, rest: &str) -> bool {
    let words = &context.lexicon().words;
    let is_function_word = |word: &str| words.of(word).has(WordClass::FunctionWord);
    let is_titled = city.len() > 2 && city.ends_with(|c: char| c.is_lowercase());
    let next = rest.strip_prefix(' ').map(first_word).unwrap_or_default();
    // `to Gary, IN last May`
    let lead = || context.before.strip_suffix(", ")?.strip_suffix(city).map(last_word);
    let is_led = || {
        let lead = lead().unwrap_or_default();
        WordClass::BeforeCity.has(lead) && next.starts_with(char::is_lowercase)
    };
    is_titled
        && !is_function_word(&city.to_lowercase())
        && !WordClass::StateOrCall.has(letters)
        && (is_function_word(next) || is_led())
}

/// White space and `95051` or `95051-1234`: the length of the white space, and the code.
fn postal_code(cursor: &mut Cursor<'_>) -> Option<(usize, String)> {
    let start = cursor.at();
    cursor.gap()?;
    let gap = cursor.at() - start;
    let mut digits = cursor.digits(5..=5)?.to_owned();
    let more = cursor.attempt(|cursor| {
        cursor.eat("-")?;
        cursor.digits(4..=4)
    });
    digits.push_str(more.unwrap_or_default());
    cursor.at_word_end().then_some((gap, digits))
}

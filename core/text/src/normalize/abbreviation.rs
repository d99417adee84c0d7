//! Abbreviations and titles, by what stands around them.

use super::boundaries;
use super::choice::ContextClass;
use super::cursor::{Cursor, first_word, is_inner, last_word};
use super::locale::AbbreviationPosition;
use super::math;
use super::recognizer::{MatchContext, is_one_of};
use super::roman;
use super::semiotic::SemioticClass;
use crate::words::WordClass;

/// The words of an abbreviation that has a reading in this place.
pub(crate) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let written = abbreviation(&mut cursor)?;
    if is_symbol(written) || is_plural_of_capitals(written) || is_quotient(context, written) {
        return None;
    }
    let readings = context.lexicon().abbreviations.get(written.to_ascii_lowercase().as_str())?;
    let stopped = cursor.rest().starts_with('.');
    let after = &cursor.rest()[usize::from(stopped)..];
    let fits = |place: AbbreviationPosition| fits(context, place, written, stopped, after);
    let reading = readings.iter().find(|reading| fits(reading.place))?;
    let goes_on = after.contains(char::is_alphanumeric);
    if stopped {
        cursor.eat(".");
    }
    let value = SemioticClass::Phrase { words: reading.words, ends_sentence: stopped && !goes_on };
    Some((cursor.at(), value))
}

/// A number after the letters of a country: `VAT no. GB 123 4567 89`.
fn is_number_with_country(next: &str) -> bool {
    let letters = boundaries::run(next, |c| c.is_ascii_uppercase());
    let number = next[letters..].strip_prefix(' ').unwrap_or_default();
    letters == 2 && number.starts_with(|c: char| c.is_ascii_digit())
}

/// The number of an equation in brackets: `Eq. (12)`.
fn is_in_brackets(written: &str, next: &str) -> bool {
    is_one_of(written, &["eq", "eqs", "eqn", "fig"])
        && next
            .strip_prefix('(')
            .is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// The number of a page in small Roman letters: `p. vii`, `pp. iii–ix`.
fn is_small_numeral(written: &str, next: &str) -> bool {
    let letters = boundaries::run(next, |c| "ivxlc".contains(c));
    is_one_of(written, &["p", "pp", "sc"])
        && roman::value(&next[..letters]).is_some()
        && !next[letters..].starts_with(is_inner)
}

/// Whether a capital follows small letters: `pH`.
fn is_symbol(written: &str) -> bool {
    let mut letters = written.chars();
    written.len() < 4
        && letters.next().is_some_and(char::is_lowercase)
        && letters.any(char::is_uppercase)
}

/// `HRs`, home runs.
fn is_plural_of_capitals(written: &str) -> bool {
    let letters = written.strip_suffix('s').unwrap_or_default();
    letters.len() > 1 && letters.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether it is one variable over another in a formula: `v = d/t`.
fn is_quotient(context: &MatchContext<'_>, written: &str) -> bool {
    written.len() == 3
        && written.as_bytes()[1] == b'/'
        && context.before.trim_end().ends_with('=')
        && math::is_between_operands(&context.advanced(1), 0)
}

/// Consumes letters, with full stops, apostrophes and slashes between them but not after: `e.g`, `w/o`.
fn abbreviation<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let start = cursor.rest();
    if let Some(rebus) = cursor.attempt(rebus) {
        return Some(rebus);
    }
    cursor.letters()?;
    while let Some(()) = cursor.attempt(|cursor| {
        cursor.eat_char(|c| matches!(c, '.' | '\'' | '/'))?;
        cursor.letters().map(|_| ())
    }) {}
    let mut length = start.len() - cursor.rest().len();
    // `w/` ends with its slash.
    if start[..length].eq_ignore_ascii_case("w") && cursor.eat("/").is_some() {
        length += 1;
    }
    (length <= 8 && !cursor.rest().starts_with(|c: char| c.is_ascii_digit()))
        .then(|| &start[..length])
}

/// Small letters with a digit for a sound among them: `gr8`, `2nite`.
fn rebus<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let token = cursor.take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit())?;
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    (digits == 1 && token.len() > 1 && cursor.at_word_end()).then_some(token)
}

#[expect(clippy::too_many_lines, reason = "one arm for each kind of place")]
fn fits(
    context: &MatchContext<'_>,
    place: AbbreviationPosition,
    written: &str,
    stopped: bool,
    after: &str,
) -> bool {
    let spaced = after.starts_with(' ') || after.starts_with('\u{a0}');
    let next = after.trim_start();
    let is_capital = written.starts_with(char::is_uppercase);
    let fits_alone = || is_on_its_own(context, written, stopped, after);
    let fits_unless_capitals = || fits_alone() && written.chars().any(char::is_lowercase);
    // `R lane`, `N. Korea`
    let fits_or_is_letter = || fits_alone() && written.len() == 1 || fits_unless_capitals();
    match place {
        AbbreviationPosition::BeforeName | AbbreviationPosition::StoppedName => {
            // `Rue St.-Honoré`
            let is_saint = stopped && is_one_of(written, &["st", "ste"]);
            let next = next.strip_prefix('-').filter(|_| is_saint).unwrap_or(next);
            is_capital
                && next.starts_with(char::is_uppercase)
                && (stopped || spaced && place == AbbreviationPosition::BeforeName)
                && !context.is(first_word(next), WordClass::Openers)
        }
        AbbreviationPosition::AfterName => {
            let is_capitals = |word: &str| word.len() > 1 && !word.contains(char::is_lowercase);
            let name = last_word(context.before.trim_end_matches([' ', ',', '.']));
            is_capital && follows_name(context) && (!is_capitals(written) || is_capitals(name))
        }
        AbbreviationPosition::BeforeNumber => {
            let joined = stopped || written.len() > 1 && spaced;
            let is_word = is_one_of(written, &["no", "op", "art", "in", "per"]);
            // `f/u w/ PT 2x/wk`
            let is_therapist = written == "PT";
            // `Air Max 270`
            let is_name = !stopped
                && is_capital
                && is_one_of(written, &["max", "fig", "art"])
                && context.before.ends_with(' ')
                && last_word(context.before).starts_with(char::is_uppercase);
            joined
                && !is_name
                && (starts_number(next)
                    || is_small_numeral(written, next)
                    || stopped && is_one_of(written, &["no"]) && is_number_with_country(next)
                    || is_in_brackets(written, next))
                && (stopped || !is_therapist && (is_capital || written.len() > 1 && !is_word))
        }
        AbbreviationPosition::BeforePair => {
            let mut words = next.split(' ');
            let is_name = |word: Option<&str>| {
                word.is_some_and(|word| {
                    word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
                })
            };
            let joint = |word: Option<&str>| word.is_some_and(|word| matches!(word, "&" | "and"));
            is_name(words.next()) && (joint(words.next()) || joint(words.next()))
        }
        AbbreviationPosition::BeforeYear => {
            let year = first_word(next);
            (stopped || spaced)
                && year.len() == 4
                && year.bytes().all(|b| b.is_ascii_digit())
                && ("1500".."2100").contains(&year)
        }
        AbbreviationPosition::BeforeLetter => {
            let mut letters = next.chars();
            let is_one = letters.next().is_some_and(|c| c.is_ascii_uppercase())
                && !letters.next().is_some_and(|c| {
                    // `See App. C.`
                    is_inner(c) || c == '.' && letters.as_str().contains(char::is_alphanumeric)
                });
            (stopped || is_capital && spaced) && is_one
        }
        AbbreviationPosition::BeforeVerse => {
            let mut cursor = Cursor::new(next);
            let is_verse = cursor.digits(1..=3).is_some()
                && cursor.eat(":").is_some()
                && cursor.digits(1..=3).is_some();
            is_capital && (spaced || stopped) && is_verse
        }
        AbbreviationPosition::BeforeCode => {
            let is_number =
                is_one_of(first_word(next), &["no", "nos", "number", "num", "code", "id"]);
            (spaced || stopped || next.starts_with('#')) && (next.starts_with('#') || is_number)
        }
        AbbreviationPosition::BeforeColon => {
            after.starts_with(':') && !after[1..].starts_with(is_inner)
        }
        AbbreviationPosition::BeforeOperand => {
            let next = next.trim_start_matches(['(', '^', '2', '-', '1']).trim_start();
            let word = first_word(next);
            let is_greek = next.starts_with(|c: char| matches!(c, 'α'..='ω' | 'Α'..='Ω'));
            let is_angle =
                word.starts_with(|c: char| c.is_ascii_digit()) && !after.starts_with('.');
            let is_variable = word.len() == 1
                && word != "a"
                && word.starts_with(|c: char| c.is_ascii_lowercase());
            let is_formula =
                || context.text().contains(['=', '^', '√', 'θ', '+', '°', '(', '∫', '→']);
            written.bytes().all(|b| b.is_ascii_lowercase())
                && !stopped
                && (is_greek || (is_angle || is_variable) && is_formula())
        }
        AbbreviationPosition::BeforeEnd => {
            let next = after.trim_start();
            next.is_empty() || next.starts_with([',', ')', ';', '.', '!', '|'])
        }
        AbbreviationPosition::BeforeRoad => {
            let road = first_word(next).to_lowercase();
            let is_road =
                matches!(road.as_str(), "rd" | "road" | "hwy" | "highway" | "rte" | "route");
            is_capital && (spaced || stopped) && is_road
        }
        AbbreviationPosition::AfterTurn => {
            // `Turn L on Elm St., R on Main St.`
            let is_next_turn = || {
                context.before.ends_with(", ")
                    && context.is(first_word(next), WordClass::AfterCompass)
                    && context.before.split(' ').any(|word| context.is(word, WordClass::BeforeTurn))
            };
            is_capital
                && (!stopped || !after.contains(char::is_alphanumeric))
                && context.before.ends_with(' ')
                && (context.follows(WordClass::BeforeTurn) || is_next_turn())
        }
        AbbreviationPosition::Small | AbbreviationPosition::SmallInside
            if written.chars().any(char::is_uppercase)
                && !(place == AbbreviationPosition::Small
                    && is_first_of_chat(context, written)) =>
        {
            false
        }
        AbbreviationPosition::Small => {
            (!stopped || !after.contains(char::is_alphanumeric))
                && boundaries::opens(context.before)
                && !is_term(context, written, after)
                && !context.before.ends_with(['-', '.', '/', '\'', '@', '#'])
                && !after.starts_with(['-', '/', '@', '_', '^'])
        }
        AbbreviationPosition::AfterOrdinal => follows_ordinal(context),
        AbbreviationPosition::AfterRoad => is_capital && follows_road(context),
        AbbreviationPosition::BetweenNames => {
            stopped
                && spaced
                && !is_capital
                && next.starts_with(char::is_uppercase)
                && (last_word(context.before).starts_with(char::is_uppercase)
                    || context.before.ends_with(", "))
                && context.before.ends_with(' ')
        }
        AbbreviationPosition::BetweenWords => {
            let is_word = |word: &str| word.len() > 1 && word.chars().all(char::is_alphanumeric);
            !is_capital
                && !stopped
                && spaced
                && context.before.ends_with(' ')
                && is_word(last_word(context.before))
                && is_word(first_word(next))
                && !context.text().contains(['=', '<', '>', '+', '≤', '≥'])
                && !last_word(context.before).bytes().all(|b| b.is_ascii_digit())
        }
        AbbreviationPosition::SmallAfterOrdinal => !is_capital && follows_ordinal(context),
        AbbreviationPosition::Place => is_capital && stopped && follows_city(context.before),
        AbbreviationPosition::WithStop => stopped,
        AbbreviationPosition::BeforeOf => stopped && context.is(first_word(next), WordClass::Of),
        AbbreviationPosition::Inside | AbbreviationPosition::SmallInside => {
            stopped
                && spaced
                && next.starts_with(|c: char| c.is_alphanumeric() && !c.is_uppercase())
        }
        AbbreviationPosition::BeforeWord(words) => {
            let word = first_word(next).to_lowercase();
            words.split(',').any(|one| one == word) && fits_or_is_letter()
        }
        AbbreviationPosition::AfterWord(words) => {
            let before = context.before.trim_end().trim_end_matches(['.', '+']);
            let word = last_word(before).to_lowercase();
            let word = if before.ends_with('%') { "%" } else { word.as_str() };
            words.split(',').any(|one| one == word) && fits_unless_capitals()
        }
        AbbreviationPosition::About(classes) => {
            let is_of = |class: &str| classes.split(',').any(|one| one == class);
            let is_about_money = || is_of("money") && context.text().contains(['$', '€', '£', '₹']);
            fits_unless_capitals()
                && (context.topic_classes().iter().any(|class| is_of(class)) || is_about_money())
        }
        AbbreviationPosition::AfterMoney => {
            let mut words = context.before.split_whitespace().rev();
            let amount = words.next().unwrap_or_default();
            let before = words.next().unwrap_or_default();
            // `CHF 120 p.p.`
            let is_after_code = before.len() == 3
                && before.bytes().all(|b| b.is_ascii_uppercase())
                && amount.starts_with(|c: char| c.is_ascii_digit());
            (amount.starts_with(['$', '€', '£', '₹']) || is_after_code) && fits_unless_capitals()
        }
        AbbreviationPosition::AfterNumber => {
            let before = context.before.trim_end_matches([' ', '-']);
            let number = before.rsplit(char::is_whitespace).next().unwrap_or_default();
            number.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '(' | '~' | '.'))
                && number.ends_with(|c: char| c.is_ascii_digit())
                && fits_unless_capitals()
        }
        AbbreviationPosition::AfterMany => {
            let number = context.before.strip_suffix(' ').unwrap_or_default();
            let digits = last_word(number);
            number.ends_with(|c: char| c.is_ascii_digit())
                && digits != "1"
                && fits_unless_capitals()
        }
        AbbreviationPosition::UnlessCapitals => fits_unless_capitals(),
        AbbreviationPosition::Anywhere => !context.before.ends_with(['.', '/', '@']),
    }
}

/// Whether a keyboard made the first letter of a text a capital: `Idk what he said`.
fn is_first_of_chat(context: &MatchContext<'_>, written: &str) -> bool {
    let is_small = |c: char| c.is_ascii_lowercase();
    // `Ty` and `Jk` may be names.
    written.len() > 2
        && context.before.trim().is_empty()
        && written.starts_with(|c: char| c.is_ascii_uppercase())
        && written.chars().skip(1).all(is_small)
}

/// Whether an abbreviation stands on its own.
fn is_on_its_own(context: &MatchContext<'_>, written: &str, stopped: bool, after: &str) -> bool {
    // `type "cmd"`
    let is_quote = |c: char| matches!(c, '"' | '“' | '”' | '`');
    if !stopped && context.before.ends_with(is_quote) && after.starts_with(is_quote) {
        return false;
    }
    let joins = |c: char| "-_./@\\#$=".contains(c);
    // `dbl-sided`
    let is_unsaid = written.len() > 2 && !written.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    let goes_on = after.starts_with(joins)
        && after[1..].starts_with(is_inner)
        && !(is_unsaid && after.starts_with('-') && after[1..].starts_with(char::is_lowercase));
    let is_rate = context.before.ends_with('/') && math::is_per(context, 1);
    // `4th-fl walkup`, `2-Pk`
    let is_counted = written.len() > 1
        && context.before.strip_suffix('-').is_some_and(|number| {
            number.ends_with(|c: char| c.is_ascii_digit())
                || ["st", "nd", "rd", "th"].iter().any(|ending| {
                    number
                        .strip_suffix(ending)
                        .is_some_and(|number| number.ends_with(|c: char| c.is_ascii_digit()))
                })
        });
    // `Ctrl-C`
    let is_key = is_one_of(written, &["ctrl", "cmd"]);
    let goes_on = goes_on && !(is_key && after.starts_with('-'));
    let is_part = !is_rate && !is_counted && context.before.ends_with(joins)
        || goes_on
        || stopped && after.starts_with(is_inner);
    let is_term = !stopped && is_term(context, written, after);
    // `arr[0]`
    let is_code = after.starts_with("::") || !stopped && after.starts_with('[');
    (!is_part || is_of_pair(context, written)) && !is_code && !is_term
}

/// Whether it is a variable or a product of two in a formula: `(ad + bc)`.
fn is_term(context: &MatchContext<'_>, written: &str, after: &str) -> bool {
    let is_sign = |c: char| matches!(c, '+' | '=' | '×' | '÷' | '√' | '^' | '−');
    let before = context.before.trim_end();
    written.len() < 3
        && !before.ends_with(|c: char| c.is_ascii_digit())
        && context.text().contains('=')
        && (before.ends_with(is_sign) || after.trim_start().starts_with(is_sign))
}

/// Whether it is one of two words with a slash between that are no path: `blk/wht`, `min/max`.
fn is_of_pair(context: &MatchContext<'_>, written: &str) -> bool {
    let is_space = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',');
    let start = context.before.rfind(is_space).map_or(0, |at| at + 1);
    let end = context.rest.find(is_space).unwrap_or(context.rest.len());
    let token = context.text().get(start..context.before.len() + end).unwrap_or_default();
    let token = token.trim_end_matches(['.', ':', ';', '!', '?']);
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_alphabetic());
    written.len() > 1
        && token.split_once('/').is_some_and(|(one, other)| is_word(one) && is_word(other))
}

/// Whether a number follows, with its sign, in Roman numerals, or after the letters of a code: `Vol. III`, `No. D482`.
fn starts_number(next: &str) -> bool {
    let number = next.trim_start_matches(['#', '-', '−', '+']);
    let token = &next[..boundaries::run(next, char::is_alphanumeric)];
    let letters = boundaries::run(token, |c| c.is_ascii_uppercase());
    let is_numeral = token.len() > 1 && letters == token.len() && roman::value(token).is_some();
    let is_masked = token.starts_with("XX") || next.starts_with("**");
    let is_code = is_masked
        || (1..=3).contains(&letters) && token[letters..].starts_with(|c: char| c.is_ascii_digit());
    number.starts_with(|c: char| c.is_ascii_digit()) || is_numeral || is_code
}

/// Whether an ordinal number stands before: `5th`.
fn follows_ordinal(context: &MatchContext<'_>) -> bool {
    let word = last_word(context.before);
    let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_ordinal = context.is(letters, WordClass::OrdinalEndings) && letters.len() < word.len();
    is_ordinal && context.before.ends_with(char::is_whitespace)
}

/// Whether a city and a comma, the letter of a party and a hyphen, or the word before a place stands before.
fn follows_city(before: &str) -> bool {
    let city = before.strip_suffix(", ").map(last_word).unwrap_or_default();
    let party = before.strip_suffix('-').map(last_word).unwrap_or_default();
    let is_party = party.len() == 1 && party.starts_with(|c: char| c.is_ascii_uppercase());
    city.starts_with(char::is_uppercase) || is_party || before.ends_with(" of ")
}

/// The class of the words for roads.
const ROAD: ContextClass = "road";

/// Whether the number of a road stands before: `I-95`, `Hwy 12`, `Loop 410`.
fn follows_road(context: &MatchContext<'_>) -> bool {
    let Some(before) = context.before.strip_suffix(' ') else { return false };
    let name = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let kind = last_word(name.trim_end_matches(['-', ' ', '.']));
    let classes = (context.locale.context_classes)();
    let is_road = classes.get(kind.to_lowercase().as_str()).is_some_and(|all| all.contains(&ROAD));
    name.len() < before.len() && (is_road || kind == "I" || name.is_empty())
        || name.len() == before.len() && before.ends_with(char::is_alphabetic) && {
            let road = last_word(before).to_lowercase();
            classes.get(road.as_str()).is_some_and(|all| all.contains(&ROAD))
        }
}

fn follows_name(context: &MatchContext<'_>) -> bool {
    let before = context.before.trim_end().trim_end_matches(',').trim_end_matches('.');
    let spaced = context.before.ends_with(' ');
    spaced && last_word(before).starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
}

//! Finds the end of a sentence that no space follows: "Hello world.Today is Tuesday."

use super::prelude::*;
use super::view::is_word_character;
use crate::words::WordClass;

/// Whether the sentence ends with `run`, which has no white space after it.
pub(super) fn ends_sentence(view: &View, run: &Run) -> bool {
    let rules = view.rules();
    let before = view.before(run.from).rsplit(char::is_whitespace).next().unwrap_or_default();
    let rest = view.run(run.end, |c| !c.is_whitespace());
    if run.dots > 1 || is_address(before) || is_address(rest) || is_abbreviation(before, rules) {
        return false;
    }
    let word = before.rsplit(|c: char| !is_word_character(c)).next().unwrap_or_default();
    let next = view.word(run.end);
    let mut caseless = rules.caseless(next.chars().next()).peekable();
    if caseless.peek().is_some() {
        return if run.dots == 0 || run.is_detached(view) {
            run.dots < 2 && (run.is_detached(view) || !word.is_empty())
        } else {
            !rules.is_short(word)
                && !rules.has(Class::NameEnding, next)
                && caseless.any(|table| (table.rules.ends_unspaced)(table, word, next))
        };
    }
    let Some(last) = word.chars().next_back().filter(|_| !next.is_empty()) else {
        return word.is_empty() && !next.is_empty() && !run.closing.is_empty();
    };
    if !is_capitalized(next, rules) || !ends_plainly(rest, next, rules) || is_name_ending(next) {
        return false;
    }
    let is_inner = before.contains('.') && !before.contains(',') && last.is_alphabetic();
    let is_known = |word: &str| word.len() > 2 && rules.is_word(word);
    let is_plain = last.is_numeric()
        || word.chars().all(char::is_lowercase)
        // "Lane. Shop.Park road"
        || is_capitalized(word, rules) && is_known(word) && is_known(next);
    rules.is_opener(next) || rules.has(Class::More, next) || is_plain && !is_inner
}

/// Whether a part of a token indicates a path, an address or code.
fn is_address(part: &str) -> bool {
    part.contains(['@', '/', '\\', '_', '=', '#', '&', '<', '>']) || part.starts_with("www.")
}

/// Whether the token before a full stop is an abbreviation or a letter: "e.g", "M" of "M.I.T".
fn is_abbreviation(token: &str, rules: &Rules) -> bool {
    let token = token.trim_start_matches(|c: char| !c.is_alphanumeric());
    let last = token.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    rules.is_short(token) || last.len() == 1 && last.starts_with(char::is_alphabetic)
}

fn is_capitalized(word: &str, rules: &Rules) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase)
        && (word.len() > 1 || rules.has(Class::OneLetterWord, word))
        && chars.all(|c| c.is_lowercase() || !c.is_alphanumeric())
}

/// Whether the token `rest`, which begins with `word`, is like prose: not "Log(" or "Forms.Text".
fn ends_plainly(rest: &str, word: &str, rules: &Rules) -> bool {
    let after = &rest[word.len()..];
    after
        .chars()
        .all(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '…' | '-') || is_closing(c))
        || after.starts_with(['.', '!', '?', ',', '—', '-'])
            && after.chars().nth(1).is_none_or(|c| c.is_uppercase() && rules.is_opener(word))
}

fn is_name_ending(word: &str) -> bool {
    WordClass::EndOfName.has(&word.to_lowercase())
}

//! Detects the language of a sentence, in which its numbers and symbols are read.
//!
//! The request sets the speaker, but people mix languages in one text. Only a sentence that is
//! clearly in another language overrides the request. Codes, units and addresses do not count.

use speech_base::language::Language;

use super::locale::{Locale, Locales};
use crate::scripts::{Script, is_alphabetic, is_alphanumeric};
use crate::words::WordClass;

/// Minimum Latin-script words of a sentence that is clearly in a language of that script.
const CLEARLY_LATIN: usize = 3;

/// The language of a sentence; `request` is the default.
pub(crate) fn language(sentence: &str, request: Language, locales: Locales) -> &'static Locale {
    let request = locales.of(request);
    let others = locales.0.iter().filter(|locale| locale.language != request.language);
    others.copied().find(|other| is_clearly_in(other, sentence, request)).unwrap_or(request)
}

/// Whether a sentence is clearly in `other` instead of the language of the request.
fn is_clearly_in(other: &Locale, sentence: &str, request: &Locale) -> bool {
    if !other.script.is_latin() && !sentence.contains(other.script.contains) {
        return false;
    }
    let theirs = words(sentence, other);
    let has_one_script = other.script.name == request.script.name;
    if !has_one_script && other.script.is_latin() && theirs.len() < CLEARLY_LATIN {
        return false;
    }
    let their_function_words = count_of(&theirs, other, WordClass::FunctionWord);
    let ours = words(sentence, request);
    let our_function_words = || count_of(&ours, request, WordClass::FunctionWord);
    if has_one_script {
        return their_function_words > 2 * our_function_words() + 1;
    }
    if other.script.is_latin() {
        // Latin-script words occur in texts of all languages, so only many of them decide.
        let is_framed = ours.is_empty()
            || their_function_words > 1
                && their_function_words > 2 * our_function_words()
                && theirs.len() > 3 * ours.len();
        let romanized = || count_of(&theirs, request, WordClass::RomanizedFunctionWord);
        return is_framed && romanized() <= their_function_words / 2;
    }
    let our_function_words = our_function_words();
    let is_framed = our_function_words == 0 && their_function_words > 0;
    let ours = ours.len() + our_function_words;
    theirs.len() > ours || is_framed && theirs.len() == ours
}

/// The words of a sentence in the script of a language.
fn words<'a>(sentence: &'a str, locale: &Locale) -> Vec<&'a str> {
    let tokens = sentence.split_whitespace();
    if locale.script.is_latin() {
        tokens.filter_map(|token| latin_word(token, locale)).collect()
    } else {
        tokens.filter_map(|token| part_in(token, locale.script)).collect()
    }
}

/// The part of a token in a script, if it contains a letter: `का` of `GSTका`.
fn part_in<'a>(token: &'a str, script: &Script) -> Option<&'a str> {
    let part = token.trim_matches(|c| !script.is_word_character(c));
    part.contains(is_alphabetic).then_some(part)
}

/// A word of only Latin letters that is no acronym or unit, without surrounding marks.
fn latin_word<'a>(token: &'a str, locale: &Locale) -> Option<&'a str> {
    let word = token.trim_matches(|c: char| !is_alphanumeric(c) && !"@/#_\\".contains(c));
    let is_letter = |c: char| c.is_ascii_alphabetic() || matches!(c, '\'' | '’' | '-');
    let is_word = word.chars().all(is_letter)
        && word.contains(|c: char| "aeiouyAEIOUY".contains(c))
        && (word.len() > 1 && word.contains(|c: char| c.is_ascii_lowercase())
            || is(word, locale, WordClass::FunctionWord));
    is_word.then_some(word)
}

fn count_of(words: &[&str], locale: &Locale, class: WordClass) -> usize {
    words.iter().filter(|word| is(word, locale, class)).count()
}

fn is(word: &str, locale: &Locale, class: WordClass) -> bool {
    locale.lexicon().words.of_any_case(word).has(class)
}

#[cfg(test)]
crate::row_tests::rows! {
    languages_of_sentences: |[request, text]| {
        language(text, crate::row_tests::language(request), crate::languages::locales()).language
    };
}

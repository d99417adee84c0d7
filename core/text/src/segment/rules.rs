//! The sentence rules of each language, and all of them combined.

use std::fmt;

use super::prelude::*;
use super::table::{Place, Row, Table};
use crate::scripts::Script;

/// The rules of one language for the ends of sentences. A text may mix languages, so the segmenter
/// uses the rules of all of them. The script of a word, or the table that lists it, selects the
/// rule.
#[derive(Clone, Copy)]
pub(crate) struct SentenceRules {
    /// The script of the language; its stops end sentences.
    pub(crate) script: &'static Script,
    /// The table of full stops (`table.rs`).
    pub(crate) table: &'static str,
    /// Evaluates a named property of a word; `None` if the name is unknown.
    pub(crate) property: fn(table: &Table, name: &str, word: &str) -> Option<bool>,
    /// Whether a full stop without a space after it ends a sentence. Applies between two words of a
    /// caseless script, the first of them not short.
    pub(crate) ends_unspaced: fn(table: &Table, word: &str, next: &str) -> bool,
    /// Whether a word in lower case belongs to the language.
    pub(crate) is_word: fn(word: &str) -> bool,
    /// The letters that number list items, in one or more orders.
    pub(crate) item_letters: &'static [&'static str],
}

impl SentenceRules {
    /// The rules of a language that supplies only its script.
    pub(crate) const fn of(script: &'static Script) -> Self {
        Self {
            script,
            table: "",
            property: |_, _, _| None,
            ends_unspaced: |_, _, _| true,
            is_word: |_| false,
            item_letters: &[],
        }
    }

    fn holds(&self, c: char) -> bool {
        (self.script.contains)(c)
    }
}

/// The combined rules of all languages.
pub(crate) struct Rules {
    tables: Vec<Table>,
    /// The rows for full stops, the most specific first.
    pub(super) rows: Vec<Row>,
    stops: Vec<char>,
    /// Characters that people type instead of a script's stops.
    stop_look_alikes: Vec<char>,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("languages", &self.tables.len()).finish()
    }
}

impl Rules {
    pub(crate) fn new(languages: impl IntoIterator<Item = &'static SentenceRules>) -> Self {
        let mut rows = Vec::new();
        let languages = languages.into_iter().enumerate();
        let tables: Vec<_> =
            languages.map(|(number, rules)| Table::read(rules, number, &mut rows)).collect();
        rows.sort_by_key(Row::precedence);
        let scripts = || tables.iter().map(|table| table.rules.script);
        let stops = scripts().flat_map(|script| script.stops).copied().collect();
        let stop_look_alikes =
            scripts().flat_map(|script| script.stop_look_alikes).copied().collect();
        Self { tables, rows, stops, stop_look_alikes }
    }

    pub(super) fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Marks that may end a sentence.
    pub(super) fn is_terminator(&self, c: char) -> bool {
        matches!(c, '.' | '!' | '?' | '…' | '‥' | '‽' | '⁇' | '⁈' | '⁉' | '؟') || self.is_stop(c)
    }

    /// Marks that end a sentence in every position: script stops, ideographic and full-width ones.
    pub(super) fn is_stop(&self, c: char) -> bool {
        !c.is_ascii() && (matches!(c, '。' | '｡' | '！' | '？' | '．') || self.stops.contains(&c))
    }

    /// Marks that people type instead of a script's stop, such as a vertical bar for the danda.
    pub(super) fn is_stop_look_alike(&self, c: char) -> bool {
        self.stop_look_alikes.contains(&c)
    }

    /// Whether the mark or letter `c` after `before` was typed instead of a stop.
    pub(super) fn is_typed_stop(&self, before: &str, c: char) -> bool {
        self.scripts().any(|script| (script.is_typed_stop)(before, c, None))
    }

    pub(super) fn scripts(&self) -> impl Iterator<Item = &'static Script> {
        self.tables.iter().map(|table| table.rules.script)
    }

    /// Whether a character belongs to a caseless script of a registered language.
    pub(super) fn is_caseless(&self, c: char) -> bool {
        self.caseless(Some(c)).next().is_some()
    }

    /// The tables of the languages whose caseless script contains `c`.
    pub(super) fn caseless(&self, c: Option<char>) -> impl Iterator<Item = &Table> {
        self.tables.iter().filter(move |table| {
            !table.rules.script.has_case && c.is_some_and(|c| table.rules.holds(c))
        })
    }

    /// Whether the full stop of `run` ends the sentence. `next` must not begin with a small letter.
    pub(super) fn ends_sentence(&self, view: &View, run: &Run, next: &Next) -> bool {
        let place = Place::new(view, run, next);
        self.rows.iter().find(|row| row.holds(&place)).is_none_or(|row| row.ends)
    }

    /// Whether a word is an abbreviation in every position.
    pub(super) fn is_short(&self, word: &str) -> bool {
        self.tables.iter().any(|table| table.is_short(word))
    }

    /// Whether a word has this class in any language.
    pub(super) fn has(&self, class: Class, word: &str) -> bool {
        self.tables.iter().any(|table| table.has(class, word))
    }

    /// Whether a word belongs to any language and is no acronym.
    pub(super) fn is_word(&self, word: &str) -> bool {
        let small = word.to_lowercase().replace('’', "'");
        let is_acronym = word.chars().count() > 1 && !word.contains(char::is_lowercase);
        !is_acronym && self.tables.iter().any(|table| (table.rules.is_word)(&small))
    }

    /// Whether a word often begins a sentence.
    pub(super) fn is_opener(&self, word: &str) -> bool {
        self.has(Class::Opener, &word.replace('’', "'"))
    }

    /// Whether a word in small letters would often begin a sentence if it had a capital.
    pub(super) fn is_small_opener(&self, word: &str) -> bool {
        self.is_opener(&capitalized(word))
    }

    /// Whether the text before a mark ends in a name that includes the mark: "Yahoo!".
    pub(super) fn is_name_with_mark(&self, before: &str) -> bool {
        let words = before.rmatch_indices(' ').map(|(at, _)| at + 1).chain([0]).take(2);
        words
            .map(|at| before[at..].trim_start_matches(|c: char| !c.is_alphanumeric()))
            .any(|name| name.starts_with(char::is_uppercase) && self.has(Class::NameWithMark, name))
    }

    /// The positions of a letter in the first and second order of item letters.
    pub(super) fn item_places(&self, letter: char) -> Option<[Option<u32>; 2]> {
        let place = |order: &str| {
            order.chars().position(|c| c == letter).map(|at| u32::try_from(at).unwrap_or(0) + 1)
        };
        self.caseless(Some(letter)).find_map(|table| {
            let mut orders = table.rules.item_letters.iter().map(|order| place(order));
            let places = [orders.next().flatten(), orders.next().flatten()];
            places.iter().any(Option::is_some).then_some(places)
        })
    }

    /// The value of a digit of any script.
    pub(super) fn digit(&self, c: char) -> Option<u32> {
        c.to_digit(10).or_else(|| self.scripts().find_map(|script| script.digit(c)))
    }
}

/// The word with a capital first letter.
pub(super) fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

//! What the segmenter must know of a language.

use std::fmt;

use super::next::Next;
use super::runs::Run;
use super::view::View;
use crate::scripts::Script;

/// What tells, in one language, where a sentence ends. A text may hold several languages, so the rules of all of them
/// are asked: by the script of a word, or whether any list holds it.
pub(crate) struct SentenceRules {
    /// The script that the language is written in; its stops end sentences.
    pub(crate) script: &'static Script,
    /// What a word says about the full stop after it; `None` for a word that is no abbreviation.
    pub(crate) abbreviation: fn(word: &str) -> Option<AbbreviationClass>,
    /// Whether the word before a full stop is an abbreviation by what stands around it: an initial, a unit after its
    /// number.
    pub(crate) is_abbreviation_here: fn(view: &View, run: &Run, next: &Next) -> bool,
    /// Whether a full stop without a space after it ends a sentence between two words of a script without case.
    pub(crate) ends_unspaced: fn(word: &str, next: &str) -> bool,
    /// Whether a word is one that a sentence ends with, such as a verb that comes last.
    pub(crate) is_final_word: fn(word: &str) -> bool,
    /// Whether a word, in small letters, is one of the language.
    pub(crate) is_word: fn(word: &str) -> bool,
    /// The letters that number the items of a list, in one or more orders.
    pub(crate) item_letters: &'static [&'static str],
    /// Abbreviated units of time, after whose number a capital letter begins a sentence: `saves 6 min. ETA 5:42`.
    pub(crate) time_units: &'static [&'static str],
    /// Words that often begin a sentence and seldom follow an abbreviation, as they are written there.
    pub(crate) openers: &'static [&'static str],
    /// Words that no sentence begins with, such as postpositions.
    pub(crate) never_first: &'static [&'static str],
    /// Words that a phrase does not end with, in small letters.
    pub(crate) never_last: &'static [&'static str],
    /// Conjunctions before the last of several things.
    pub(crate) conjunctions: &'static [&'static str],
    /// Words of one letter.
    pub(crate) one_letter_words: &'static [&'static str],
    /// The pronoun of the speaker, if it is a capital letter wherever it stands.
    pub(crate) capital_pronoun: &'static str,
    /// Abbreviations before a number that are also words, as they are written at the start of a sentence.
    pub(crate) number_words: &'static [&'static str],
    /// Words that a letter by itself completes, in small letters: `vitamin C`.
    pub(crate) before_letter: &'static [&'static str],
    /// Words that go on with a time of day: `5 p.m. Monday`.
    pub(crate) after_time: &'static [&'static str],
    /// Verbs that name the speaker of a quotation before them.
    pub(crate) speech_verbs: &'static [&'static str],
    /// Openers that may also be the speaker of a quotation, or stand before the name.
    pub(crate) before_speaker: &'static [&'static str],
    /// Words that go on with a sentence after a quotation of whole sentences in it.
    pub(crate) after_quotation: &'static [&'static str],
    /// Names that end in an exclamation or question mark, in small letters and without it.
    pub(crate) names_with_mark: &'static [&'static str],
}

/// What an abbreviation says about the full stop after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AbbreviationClass {
    /// The sentence goes on.
    BeforeMore,
    /// The sentence goes on, unless the word ends the name of a street.
    TitleOrStreet,
    /// The sentence goes on before a number; before anything else the word is a plain one.
    BeforeNumber,
    /// A time of day.
    Time,
    /// The sentence ends only before an opener.
    Anywhere,
}

impl SentenceRules {
    /// The rules of a language of which nothing is known but its script.
    pub(crate) const fn of(script: &'static Script) -> Self {
        Self {
            script,
            abbreviation: |_| None,
            is_abbreviation_here: |_, _, _| false,
            ends_unspaced: |_, _| true,
            is_final_word: |_| false,
            is_word: |_| false,
            item_letters: &[],
            time_units: &[],
            openers: &[],
            never_first: &[],
            never_last: &[],
            conjunctions: &[],
            one_letter_words: &[],
            capital_pronoun: "",
            number_words: &[],
            before_letter: &[],
            after_time: &[],
            speech_verbs: &[],
            before_speaker: &[],
            after_quotation: &[],
            names_with_mark: &[],
        }
    }

    fn holds(&self, c: char) -> bool {
        (self.script.contains)(c)
    }
}

/// The rules of all languages.
pub(crate) struct Rules {
    languages: Vec<&'static SentenceRules>,
    /// The stops of their scripts.
    stops: Vec<char>,
    /// What is typed for those stops.
    stop_look_alikes: Vec<char>,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("languages", &self.languages.len()).finish()
    }
}

impl Rules {
    pub(crate) fn new(languages: impl IntoIterator<Item = &'static SentenceRules>) -> Self {
        let languages: Vec<_> = languages.into_iter().collect();
        let scripts = || languages.iter().map(|rules| rules.script);
        let stops = scripts().flat_map(|script| script.stops).copied().collect();
        let stop_look_alikes =
            scripts().flat_map(|script| script.stop_look_alikes).copied().collect();
        Self { languages, stops, stop_look_alikes }
    }

    /// Marks that may end a sentence.
    pub(super) fn is_terminator(&self, c: char) -> bool {
        matches!(c, '.' | '!' | '?' | '…' | '‥' | '‽' | '⁇' | '⁈' | '⁉' | '؟') || self.is_stop(c)
    }

    /// Marks that end a sentence wherever they stand: stops of the scripts, ideographic and full-width ones.
    pub(super) fn is_stop(&self, c: char) -> bool {
        !c.is_ascii() && (matches!(c, '。' | '｡' | '！' | '？' | '．') || self.stops.contains(&c))
    }

    /// Marks that may be typed for such a stop: a vertical bar for the danda.
    pub(super) fn is_stop_look_alike(&self, c: char) -> bool {
        self.stop_look_alikes.contains(&c)
    }

    /// Whether `c` after `before`, a mark or a letter, was typed for a stop.
    pub(super) fn is_typed_stop(&self, before: &str, c: char) -> bool {
        self.scripts().any(|script| (script.is_typed_stop)(before, c, None))
    }

    pub(super) fn scripts(&self) -> impl Iterator<Item = &'static Script> {
        self.languages.iter().map(|rules| rules.script)
    }

    /// Whether a character is of a script without case, of a language that is registered.
    pub(super) fn is_caseless(&self, c: char) -> bool {
        self.caseless(Some(c)).next().is_some()
    }

    /// The rules of the languages whose script is without case and holds `c`.
    pub(super) fn caseless(&self, c: Option<char>) -> impl Iterator<Item = &'static SentenceRules> {
        let languages = self.languages.iter().copied();
        languages.filter(move |rules| !rules.script.has_case && c.is_some_and(|c| rules.holds(c)))
    }

    /// What `word` says about the full stop after it; `None` for a plain word.
    pub(super) fn abbreviation(&self, word: &str) -> Option<AbbreviationClass> {
        let last = word.chars().next_back();
        let mut caseless = self.caseless(last).peekable();
        if caseless.peek().is_some() {
            return caseless.find_map(|rules| (rules.abbreviation)(word));
        }
        let cased = self.languages.iter().filter(|rules| rules.script.has_case);
        cased.into_iter().find_map(|rules| (rules.abbreviation)(word))
    }

    pub(super) fn is_abbreviation_here(&self, view: &View, run: &Run, next: &Next) -> bool {
        self.languages.iter().any(|rules| (rules.is_abbreviation_here)(view, run, next))
    }

    pub(super) fn is_final_word(&self, word: &str) -> bool {
        self.languages.iter().any(|rules| (rules.is_final_word)(word))
    }

    /// Whether a word is one of any language, and no acronym.
    pub(super) fn is_word(&self, word: &str) -> bool {
        let small = word.to_lowercase().replace('’', "'");
        let is_acronym = word.chars().count() > 1 && !word.contains(char::is_lowercase);
        !is_acronym && self.languages.iter().any(|rules| (rules.is_word)(&small))
    }

    /// Whether a word often begins a sentence.
    pub(super) fn is_opener(&self, word: &str) -> bool {
        self.lists(|rules| rules.openers, &word.replace('’', "'"))
    }

    /// Whether a word written small would often begin a sentence.
    pub(super) fn is_small_opener(&self, word: &str) -> bool {
        let mut chars = word.chars();
        chars
            .next()
            .is_some_and(|c| self.is_opener(&c.to_uppercase().chain(chars).collect::<String>()))
    }

    /// Whether a word is the pronoun of the speaker, which is a capital wherever it stands.
    pub(super) fn is_capital_pronoun(&self, word: &str) -> bool {
        !word.is_empty() && self.languages.iter().any(|rules| rules.capital_pronoun == word)
    }

    /// Whether the text before a mark ends in a name that has that mark: "Yahoo!".
    pub(super) fn is_name_with_mark(&self, before: &str) -> bool {
        let ends_in = |name: &&str| {
            let at = before.len().checked_sub(name.len());
            at.and_then(|at| before.split_at_checked(at)).is_some_and(|(_, end)| {
                end.eq_ignore_ascii_case(name) && end.starts_with(char::is_uppercase)
            })
        };
        self.languages.iter().any(|rules| rules.names_with_mark.iter().any(ends_in))
    }

    /// Whether the list that `of` takes of a language holds a word, in any language.
    pub(super) fn lists(
        &self,
        of: impl Fn(&SentenceRules) -> &'static [&'static str],
        word: &str,
    ) -> bool {
        self.languages.iter().any(|rules| of(rules).contains(&word))
    }

    /// The place of a letter among those that number the items of a list, in the first order and in the second.
    pub(super) fn item_places(&self, letter: char) -> Option<[Option<u32>; 2]> {
        let place = |order: &str| {
            order.chars().position(|c| c == letter).map(|at| u32::try_from(at).unwrap_or(0) + 1)
        };
        self.caseless(Some(letter)).find_map(|rules| {
            let mut orders = rules.item_letters.iter().map(|order| place(order));
            let places = [orders.next().flatten(), orders.next().flatten()];
            places.iter().any(Option::is_some).then_some(places)
        })
    }

    /// The value of a digit of any of the scripts.
    pub(super) fn digit(&self, c: char) -> Option<u32> {
        c.to_digit(10).or_else(|| self.scripts().find_map(|script| script.digit(c)))
    }
}

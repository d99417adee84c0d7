//! Conditions: where a row of a table holds.
//!
//! A condition is tests with spaces between, which must all hold: `0:stop +1:Cap !+1:Openers`. A test is the name of a
//! condition of `positions.tsv`, or says where it looks, and which of several properties, classes or words it wants there:
//!
//! | looks at | |
//! |---|---|
//! | `0` | what the row is of, as it is written |
//! | `-1`, `+1`, `+2` | the word there, only white space between |
//! | `-1.`, `-1,`, `+1-`, `+1~` | the same past full stops, commas too, a colon and dashes, all light marks |
//! | `+1..4` | one of the next words of the clause |
//! | `<`, `*` | the sentence before, the whole sentence |
//! | `prev`, `next` | the characters right before and behind; `_` is a space |
//!
//! Behind a colon stand properties (`Cap`), classes of words (`Openers`, `medical`), behind an equals sign words or
//! characters, each with bars between. An exclamation mark before a test turns it round.

use super::boundaries;
use super::cursor::{first_word, is_inner, last_word};
use super::properties::{self, Look};
use super::recognizer::MatchContext;

/// What a condition is asked of: something in a sentence, and what stands around it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) context: &'a MatchContext<'a>,
    /// As it is written, without its stop.
    pub(crate) written: &'a str,
    /// Whether a stop stands behind it.
    pub(crate) stopped: bool,
    /// The sentence behind it and its stop.
    pub(crate) after: &'a str,
}

/// Light marks, which a test may look past.
const LIGHT: &[char] = &[' ', ':', '#', '-', '–', '—', '−', '+', '(', '"', '*', '_', ',', '.'];

/// What a test counts for that wants a word of a table, or a word of a class; a property; what a sentence is about; and one that
/// only keeps something out.
const WORD: u32 = 50;
const CLASS: u32 = 20;
const PROPERTY: u32 = 5;
const SENTENCE: u32 = 6;
const GUARD: u32 = 1;

impl<'a> Place<'a> {
    /// How specific a condition is that holds here; `None` if it does not.
    pub(crate) fn specificity(&self, condition: &str) -> Option<u32> {
        let tests = condition.split(' ').filter(|test| !test.is_empty());
        tests.map(|test| self.test(test)).sum()
    }

    /// Whether a condition holds here.
    pub(crate) fn holds(&self, condition: &str) -> bool {
        self.specificity(condition).is_some()
    }

    fn test(&self, test: &str) -> Option<u32> {
        let (is_not, test) = test.strip_prefix('!').map_or((false, test), |test| (true, test));
        let Some(mark) = test.find([':', '=']) else { return self.position(test) };
        let (at, values) = (&test[..mark], test[mark + 1..].split('|'));
        let is_of_words = test[mark..].starts_with('=');
        let mut values = values.filter(|value| !value.is_empty());
        let is_guard = |value| properties::GUARDS.contains(&value);
        let weight = match at {
            _ if is_not => GUARD,
            "<" | "*" => SENTENCE,
            "prev" | "next" => PROPERTY,
            _ if is_of_words => WORD,
            _ if values.clone().any(|value| properties::find(value).is_none()) => CLASS,
            _ if values.clone().all(is_guard) => GUARD,
            _ => PROPERTY,
        };
        let holds = values.any(|value| match is_of_words {
            true => self.has_word(at, value),
            false => self.has_property(at, value),
        });
        (holds != is_not).then_some(weight)
    }

    /// What a condition of the table of positions says, of several the most specific.
    fn position(&self, name: &str) -> Option<u32> {
        let positions = &self.context.lexicon().positions;
        let conditions = &positions.get(name)?.conditions;
        conditions.iter().filter_map(|condition| self.specificity(condition)).max()
    }

    fn has_word(&self, at: &str, value: &str) -> bool {
        let before = self.context.before;
        match at {
            "prev" => before.ends_with(value.replace('_', " ").as_str()),
            "next" => self.after.starts_with(value.replace('_', " ").as_str()),
            "<" => before.contains(value.replace('_', " ").as_str()),
            "*" => self.context.text().contains(value.replace('_', " ").as_str()),
            _ => self.looks(at).any(|look| look.word.to_lowercase() == value),
        }
    }

    fn has_property(&self, at: &str, value: &str) -> bool {
        let classes = |word: &str| self.context.is_of_class(word, value);
        match at {
            "<" => boundaries::words_back(self.context.before).any(classes),
            "*" => self.context.is_about(value),
            _ => self.looks(at).any(|look| match properties::find(value) {
                Some(property) => property(&look),
                None => {
                    let own = self.context.lexicon().property;
                    own.and_then(|own| own(value, &look)).unwrap_or_else(|| classes(look.word))
                }
            }),
        }
    }

    /// The words that a test looks at.
    fn looks(&self, at: &str) -> impl Iterator<Item = Look<'a>> {
        let (at, trimmed): (_, &[char]) = match at.as_bytes().last() {
            Some(b'.') => (&at[..at.len() - 1], &['.', '+', ' ']),
            Some(b',') => (&at[..at.len() - 1], &[',', '.', ' ']),
            Some(b'-') => (&at[..at.len() - 1], &[' ', ':', '-', '–', '—']),
            Some(b'~') => (&at[..at.len() - 1], LIGHT),
            _ => (at, &[]),
        };
        let back = at.starts_with('-');
        let at = at.trim_start_matches(['+', '-']);
        let (first, last) = at.split_once("..").unwrap_or((at, at));
        let number = |text: &str| text.parse::<usize>().unwrap_or_default();
        let (first, last) = (number(first), number(last));
        let place = *self;
        (first..=last).filter_map(move |i| match i {
            0 => Some(Look { word: place.written, text: place.written, place }),
            _ if back => {
                let text = place.context.before.trim_end().trim_end_matches(trimmed).trim_end();
                Some(Look { word: last_word(text), text, place })
            }
            1 => {
                let text = place.after.trim_start().trim_start_matches(trimmed);
                Some(Look { word: first_word(text), text, place })
            }
            _ => place.nth(i - 1),
        })
    }

    /// A later word of the clause.
    fn nth(&self, n: usize) -> Option<Look<'a>> {
        let end = self.after.find([',', '।', '(', ';']).unwrap_or(self.after.len());
        let mut words = self.after[..end].split_whitespace().skip(n);
        let text = words.next()?;
        let word = text.trim_matches(|c: char| !is_inner(c));
        Some(Look { word: if word.is_empty() { text } else { word }, text, place: *self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::locales;
    use crate::normalize::recognizer::SentenceContext;
    use speech_base::language::Language;

    /// Whether a test of a condition says where it looks, and names what a language has.
    fn is_known(place: &Place<'_>, test: &str) -> bool {
        let test = test.trim_start_matches('!');
        let lexicon = place.context.lexicon();
        let Some(mark) = test.find([':', '=']) else { return lexicon.positions.contains_key(test) };
        let at = &test[..mark];
        let is_of_characters = matches!(at, "prev" | "next" | "<" | "*");
        let is_place = is_of_characters
            || at == "0"
            || at.starts_with(['-', '+']) && at[1..].starts_with(|c: char| c.is_ascii_digit());
        let is_name = |name: &str| {
            let look = Look { word: "", text: "", place: *place };
            let mut classes = (place.context.locale.context_classes)().values().flatten();
            properties::find(name).is_some()
                || lexicon.property.and_then(|own| own(name, &look)).is_some()
                || crate::words::WordClass::named(name).is_some()
                || classes.any(|class| *class == name)
        };
        is_place && (test[mark..].starts_with('=') || test[mark + 1..].split('|').all(is_name))
    }

    fn with_place<T>(
        language: Language,
        text: &str,
        at: &str,
        ask: impl FnOnce(&Place<'_>) -> T,
    ) -> T {
        let sentence = SentenceContext::new(text, locales().of(language), locales());
        let start = text.find(at).expect("it is in the text");
        let context = MatchContext::new(&sentence, start);
        let after = &text[start + at.len()..];
        let stopped = after.starts_with('.');
        ask(&Place {
            context: &context,
            written: at,
            stopped,
            after: after.trim_start_matches('.'),
        })
    }

    #[test]
    fn every_condition_of_the_tables_is_known() {
        for locale in locales().0 {
            let lexicon = (locale.lexicon)();
            let rows = lexicon.abbreviations.values().flatten().map(|one| one.when);
            let positions =
                lexicon.positions.values().flat_map(|one| one.conditions.iter().copied());
            for condition in rows.chain(positions) {
                with_place(locale.language, "x", "x", |place| {
                    let unknown = condition.split(' ').find(|test| !is_known(place, test));
                    assert_eq!(unknown, None, "{:?}: {condition}", locale.language);
                });
            }
        }
    }

    #[test]
    fn the_most_specific_condition_counts() {
        let text = "the Rev. Mr. Collins, no. 5, took $400 over 3 lanes";
        let ask = |at: &str, condition: &str| {
            with_place(Language::EnUs, text, at, |place| place.specificity(condition))
        };
        assert!(ask("Rev", "0:Cap 0:stop +1:Cap") > ask("Rev", "0:stop"));
        assert!(ask("Rev", "+1=mr") > ask("Rev", "+1:Cap"));
        assert!(ask("took", "-1~=collins").is_none() && ask("took", "-1~=5").is_some());
        assert!(ask("took", "+1:money").is_none() && ask("over", "-1:money").is_some());
        assert!(ask("lanes", "-1:num").is_some() && ask("lanes", "!-1:num").is_none());
        assert!(ask("no", "next=.").is_none() && ask("no", "next=_5 prev=,_ <=Mr").is_some());
        assert!(ask("Rev", "+1..4=collins").is_some() && ask("Rev", "+1..4=took").is_none());
        assert_eq!(ask("lanes", "before-number"), None);
        assert!(ask("no", "before-number").is_some() && ask("no", "no-such-position").is_none());
    }
}

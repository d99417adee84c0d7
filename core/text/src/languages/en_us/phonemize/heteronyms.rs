//! Disambiguates heteronyms: words with one spelling and several pronunciations (lead, bass,
//! record, live).
//!
//! A linear model scores each reading by features of the context: adjacent words, endings and
//! part-of-speech tags, capitals, and the words of the sentence. The score of a reading is the sum
//! of its feature weights in two groups: the class of the reading (such as all verbs) and the
//! reading of the lemma.
//!
//! `heteronyms.tsv` specifies its format. `research/heteronyms` makes `heteronym_weights.tsv`: each
//! line has the name of a group, a tab, and features with their weights after a colon.

use std::collections::{BTreeMap, HashMap, HashSet};

use speech_base::fork::LazyLock;

use super::tagger::{Tag, TaggerToken};
use crate::normalize::locale;

/// Readings by lower-case word.
static TABLE: LazyLock<HashMap<&str, Heteronym>> = LazyLock::new(|| {
    let mut table: HashMap<&str, Heteronym> = HashMap::new();
    for (word, reading) in rows() {
        table.entry(word).or_default().readings.push(reading);
    }
    table
});

/// Feature weights by group.
static WEIGHTS: LazyLock<HashMap<&str, HashMap<&str, f32>>> = LazyLock::new(|| {
    let lines = include_str!("../data/heteronym_weights.tsv").lines();
    let groups = lines.filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (group, features) = line.split_once('\t')?;
        let weight = |pair: &'static str| {
            let (feature, weight) = pair.rsplit_once(':')?;
            Some((feature, weight.parse::<f32>().ok()? / 100.0))
        };
        Some((group, features.split(' ').filter_map(weight).collect()))
    });
    groups.collect()
});

/// The rows of the table, with their words.
fn rows() -> impl Iterator<Item = (&'static str, Reading)> {
    let lines = include_str!("../data/heteronyms.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut columns = line.split('\t');
        let word = columns.next()?;
        let lemma = columns.next()?;
        let name = columns.next()?;
        let class = columns.next()?;
        let _use = columns.next()?;
        let phonemes = columns.next()?;
        Some((word, Reading { lemma, name, class, phonemes }))
    })
}

/// Maximum letters of a word in the table.
const MAX_LETTERS: usize = 16;

/// Classes that part-of-speech tags distinguish.
const TAGGED_CLASSES: [&str; 4] = ["noun", "verb", "past", "adj"];

/// Tagger tokens on each side of a word whose tags are features.
pub(super) const TAG_WINDOW: usize = 2;

/// A word with several readings.
#[derive(Debug, Default)]
pub(super) struct Heteronym {
    /// The most common reading first.
    readings: Vec<Reading>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reading {
    lemma: &'static str,
    /// Its name in explanations.
    name: &'static str,
    class: &'static str,
    phonemes: &'static str,
}

impl Reading {
    /// The weight group of this reading of the lemma.
    fn own(&self) -> String {
        format!("{}.{}", self.lemma, self.name)
    }
}

/// The entry of a word in lower case, capitalized or in capitals.
pub(super) fn look_up(word: &str) -> Option<&'static Heteronym> {
    let rest = word.get(1..)?;
    let is_mixed = rest.bytes().any(|c| c.is_ascii_uppercase());
    if is_mixed && word.bytes().any(|c| c.is_ascii_lowercase()) {
        return None;
    }
    let mut buffer = [0; MAX_LETTERS];
    let lower = buffer.get_mut(..word.len())?;
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    TABLE.get(std::str::from_utf8(lower).ok()?)
}

impl Heteronym {
    /// Whether the tags of the word and its neighbors are features.
    pub(super) fn uses_tags(&self) -> bool {
        let classes = || self.readings.iter().map(|reading| reading.class);
        let mut tagged = classes().filter(|class| TAGGED_CLASSES.contains(class));
        let first = tagged.next();
        tagged.any(|class| Some(class) != first)
    }

    /// The phonemes of the most common reading.
    pub(super) fn common(&self) -> &'static str {
        self.readings.first().map_or("", |reading| reading.phonemes)
    }

    /// The phonemes of the best reading of the token at `at`. The earlier of equal readings wins,
    /// and an isolated word has its common one.
    pub(super) fn choose(&self, place: Place<'_>) -> &'static str {
        let is_alone = place.sentence.words.iter().filter(|word| is_word(word)).nth(1).is_none();
        if is_alone {
            return self.common();
        }
        let scores = self.scores(place);
        let best = scores.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or("", |(reading, _)| reading.phonemes)
    }

    fn scores(&self, place: Place<'_>) -> Vec<(&Reading, f32)> {
        let features = self.features(place);
        let score = |reading: &Reading| {
            let own = reading.own();
            let groups = [reading.class, &own].into_iter().filter_map(|group| WEIGHTS.get(group));
            let weights = groups.flat_map(|group| {
                features.iter().filter_map(|feature| group.get(feature.as_str()))
            });
            weights.sum()
        };
        self.readings.iter().map(|reading| (reading, score(reading))).collect()
    }

    /// The features for the scores; without those of tags if readings do not differ in them.
    pub(super) fn features(&self, place: Place<'_>) -> Vec<String> {
        features(Place { tags: if self.uses_tags() { place.tags } else { &[] }, ..place })
    }
}

/// A token of a sentence.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) at: usize,
    pub(super) tokens: &'a [TaggerToken<'a>],
    pub(super) sentence: &'a Sentence,
    /// The part-of-speech tags of the tokens.
    pub(super) tags: &'a [Tag],
}

/// Features that all heteronyms of a sentence share.
pub(super) struct Sentence {
    /// The tagger tokens in lower case.
    words: Vec<String>,
    /// The number of words that indicate the past.
    past: usize,
    /// The stems of topic words, with the number of words for each.
    topics: BTreeMap<String, usize>,
}

impl Sentence {
    pub(super) fn new(tokens: &[TaggerToken<'_>]) -> Self {
        let words: Vec<String> = tokens.iter().map(|token| token.text.to_lowercase()).collect();
        let past = words.iter().filter(|word| is_past(word)).count();
        let mut topics = BTreeMap::new();
        for topic in words.iter().filter_map(|word| topic(word)) {
            *topics.entry(topic.to_owned()).or_default() += 1;
        }
        Self { words, past, topics }
    }
}

/// The stem of a topic word.
fn topic(word: &str) -> Option<&str> {
    let is_topic =
        word.len() > 1 && word.starts_with(char::is_alphanumeric) && !is_function_word(word);
    is_topic.then(|| stem(word))
}

/// Function words, which have little topical information; auxiliaries before an infinitive (`do`),
/// before a participle (`have`) and of the passive (`be`); words that indicate the past.
static WORDS: LazyLock<HashSet<(&str, &str)>> =
    LazyLock::new(|| locale::lists(include_str!("../data/heteronym_words.tsv")));

/// The kind of the last auxiliary in `before`, in the same clause.
fn auxiliary(before: &[String]) -> &'static str {
    let kind = |word: &String| ["do", "have", "be"].into_iter().find(|kind| is(kind, word));
    before.iter().rev().take(5).take_while(|word| is_word(word)).find_map(kind).unwrap_or("none")
}

fn is_word(token: &str) -> bool {
    token.contains(char::is_alphanumeric)
}

fn is_past(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed") || is("past", word)
}

fn is_function_word(word: &str) -> bool {
    is("function", word)
}

fn is(kind: &str, word: &str) -> bool {
    WORDS.contains(&(kind, word))
}

/// The features of the context of a token; without those of tags if `tags` is empty.
fn features(Place { at, tokens, sentence, tags }: Place<'_>) -> Vec<String> {
    let Sentence { words, past, topics } = sentence;
    let place = |offset: isize| at.checked_add_signed(offset).filter(|at| *at < words.len());
    let edge = |offset: isize| if offset < 0 { "^" } else { "$" };
    let word = |offset: isize| place(offset).map_or(edge(offset), |at| words[at].as_str());

    let mut features = vec!["1".to_owned()];
    let mut add =
        |name: &str, values: &[&str]| features.push(format!("{name}={}", values.join("_")));
    add("w0", &[word(0)]);
    add("a1", &[word(-1)]);
    add("a2", &[word(-2)]);
    add("c1", &[word(1)]);
    add("c2", &[word(2)]);
    add("aa", &[word(-2), word(-1)]);
    add("cc", &[word(1), word(2)]);
    add("ac", &[word(-1), word(1)]);
    for (name, offset) in [("as", -1), ("cs", 1)] {
        if let Some((start, _)) =
            word(offset).char_indices().nth_back(2).filter(|(start, _)| *start > 1)
        {
            add(name, &[&word(offset)[start..]]);
        }
    }
    if !tags.is_empty() {
        let tag = |offset: isize| {
            place(offset).and_then(|at| tags.get(at)).map_or(edge(offset), |tag| tag.name())
        };
        for (name, first, second) in TAG_FEATURES {
            let tags = [Some(*first), *second].into_iter().flatten().map(tag);
            add(name, &tags.collect::<Vec<_>>());
        }
        add("tw", &[tag(0), word(-1)]);
        add("tx", &[tag(0), word(1)]);
    }
    let opens = |at: usize| at.checked_sub(1).is_none_or(|before| !is_word(&words[before]));
    let case = |offset: isize| {
        place(offset).map_or(edge(offset), |at| case_of(tokens[at].text, opens(at)))
    };
    add("k0", &[case(0)]);
    add("ka", &[case(-1), case(0)]);
    add("kc", &[case(0), case(1)]);
    for word in words.iter().skip(at.saturating_sub(4)).take(at.min(4)) {
        if is_function_word(word) {
            add("l", &[word]);
        }
    }
    for word in words.iter().skip(at + 1).take(3).filter(|word| is_function_word(word)) {
        add("r", &[word]);
    }
    add("h", &[auxiliary(&words[..at])]);
    add("hw", &[auxiliary(&words[..at]), word(0)]);
    add("p", &[if *past > usize::from(is_past(&words[at])) { "past" } else { "none" }]);
    if words.last().is_some_and(|last| last == "?") {
        add("q", &[]);
    }
    for (name, topic) in topics_beside(at, words, topics) {
        add(name, &[topic]);
    }
    features.sort_unstable();
    features.dedup();
    features
}

/// Tag features of one or two tokens, with their positions.
const TAG_FEATURES: &[(&str, isize, Option<isize>)] = &[
    ("t0", 0, None),
    ("ta", -1, None),
    ("tc", 1, None),
    ("tb", -2, Some(-1)),
    ("td", 1, Some(2)),
    ("t-", -1, Some(0)),
    ("t+", 0, Some(1)),
];

/// Topic features of the sentence without the word at `at`, and of the words near it.
fn topics_beside<'s>(
    at: usize,
    words: &'s [String],
    topics: &'s BTreeMap<String, usize>,
) -> impl Iterator<Item = (&'static str, &'s str)> {
    let own = topic(&words[at]);
    let others = topics
        .iter()
        .filter(move |(topic, count)| **count > usize::from(own == Some(topic.as_str())));
    let near = (at.saturating_sub(3)..words.len().min(at + 4)).filter(move |near| *near != at);
    let near = near.filter_map(|near| Some(("n", topic(&words[near])?)));
    others.map(|(topic, _)| ("b", topic.as_str())).chain(near)
}

/// The case of a token: `l` lower, `F` first in the sentence, `C` capitalized, `A` all capitals.
fn case_of(text: &str, is_first: bool) -> &'static str {
    let mut letters = text.chars();
    if !letters.next().is_some_and(char::is_uppercase) {
        "l"
    } else if text.len() > 1 && !letters.any(char::is_lowercase) {
        "A"
    } else if is_first {
        "F"
    } else {
        "C"
    }
}

/// An approximate stem of a word.
fn stem(word: &str) -> &str {
    let stem = match word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")) {
        Some(stem) if stem.len() > 2 => stem,
        _ => match word.strip_suffix("es").or_else(|| word.strip_suffix('s')) {
            Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem,
            _ => word,
        },
    };
    stem.strip_suffix('e').filter(|stem| stem.len() > 2).unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::vocabulary;

    #[test]
    fn the_table_is_well_formed() {
        let is_sound = |symbol| vocabulary::id(symbol).is_some();
        let fault = |word: &str, reading: &Reading| {
            if !reading.phonemes.chars().all(is_sound) {
                Some("a symbol that the vocabulary lacks")
            } else if reading.phonemes.matches('ˈ').count() != 1 {
                Some("not one main stress")
            } else if word.len() > MAX_LETTERS || !word.bytes().all(|c| c.is_ascii_lowercase()) {
                Some("a word that is not found")
            } else {
                None
            }
        };
        let faults: Vec<_> = rows()
            .filter_map(|(word, reading)| fault(word, &reading).map(|what| (word, reading, what)))
            .collect();
        assert!(faults.is_empty(), "{faults:#?}");
        assert!(TABLE.len() > 350, "{}", TABLE.len());

        let twice: Vec<_> = TABLE
            .iter()
            .filter(|(_, word)| {
                let sounds: BTreeSet<_> = word.readings.iter().map(|r| r.phonemes).collect();
                sounds.len() < word.readings.len()
            })
            .collect();
        assert!(twice.is_empty(), "readings that sound alike: {twice:#?}");
    }

    #[test]
    fn every_group_of_weights_is_in_the_table() {
        let groups: BTreeSet<String> =
            rows().flat_map(|(_, reading)| [reading.class.to_owned(), reading.own()]).collect();
        let unknown: Vec<_> = WEIGHTS.keys().filter(|group| !groups.contains(**group)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert!(WEIGHTS.values().map(HashMap::len).sum::<usize>() > 5_000);
    }

    crate::row_tests::rows! {
        heteronyms_by_case: |[word]| look_up(word).is_some();
        stems_of_context_words: |[word]| stem(word).to_owned();
        auxiliaries: |[words]| {
            let words: Vec<_> = words.split_whitespace().map(str::to_owned).collect();
            auxiliary(&words).to_owned()
        };
    }

    #[test]
    fn without_evidence_the_common_reading_wins() {
        let heteronym = look_up("does").unwrap();
        let tokens = [TaggerToken { text: "does", norm: None, spaced: false }];
        let sentence = Sentence::new(&tokens);
        let place = Place { at: 0, tokens: &tokens, sentence: &sentence, tags: &[] };
        let scores = heteronym.scores(place);
        assert_eq!(
            scores.iter().map(|(reading, _)| reading.name).collect::<Vec<_>>(),
            ["verb", "deer"]
        );
        assert!(scores[0].1 > scores[1].1, "{scores:?}");
        assert_eq!(heteronym.choose(place), heteronym.common());
    }
}

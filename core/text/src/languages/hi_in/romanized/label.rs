//! Labels each word as Hindi or English with a linear-chain conditional random field.

use std::fmt::Write as _;

use super::candidates::{self, Candidate};
use super::channel::UNIT;
use super::tables::TABLES;
use super::tokens::{Gap, Token};
use crate::languages::en_us;

/// The score of an impossible label.
const NEVER: f32 = -99.0;
/// The cost class of a spelling without a Hindi candidate.
const NO_HINDI: u8 = 9;

/// The context-free features of a word.
pub(super) struct Facts {
    /// The class of its cost as a Hindi word; `NO_HINDI` without one.
    cost: u8,
    /// 2 for an English word, 1 for a name or a rare word, else 0.
    grade: u8,
    /// The frequency class of the English word, from 0 to 3.
    common: u8,
    /// The class of the log odds of its letters, Hindi against English.
    odds: i8,
    is_name: bool,
}

impl Facts {
    pub(super) fn new(word: &str, candidates: &[Candidate]) -> Self {
        let cost = candidates.first().map_or(NO_HINDI, |best| {
            let above = f32::from(best.cost) / f32::from(UNIT) - 5.0;
            (above / 2.0).clamp(0.0, 8.0) as u8
        });
        let odds = (TABLES.odds(word) / 1.5).round().clamp(-4.0, 4.0) as i8;
        let is_name = candidates::name(word).is_some();
        Self {
            cost,
            grade: en_us::phonemize::grade(word),
            common: TABLES.common(word),
            odds,
            is_name,
        }
    }

    /// A coarse class, as a feature of adjacent words.
    fn kind(&self) -> &'static str {
        match (self.cost <= 4, self.grade, self.common) {
            (_, 0 | 1, _) if self.is_name => "n",
            (true, 0 | 1, _) => {
                if self.cost <= 2 {
                    "H"
                } else {
                    "h"
                }
            }
            (true, _, 0) => "b",
            (true, _, _) => "B",
            (false, 2, 2..) => "E",
            (false, 2, _) => "e",
            (false, 0, _) => "u",
            (false, _, _) => "s",
        }
    }
}

/// The log odds of Hindi against English for each word of a sentence.
pub(super) fn scores(tokens: &[Token<'_>], facts: &[Facts]) -> Vec<f32> {
    Scorer::new(tokens, facts).scores()
}

/// Whether each word is Hindi, by the likeliest label sequence.
pub(super) fn is_hindi(tokens: &[Token<'_>], scores: &[f32]) -> Vec<bool> {
    // Viterbi: the best score so far for each label, and back pointers for each word.
    let mut best = [scores.first().copied().unwrap_or_default(), 0.0];
    let mut steps = Vec::with_capacity(tokens.len());
    for (token, score) in tokens.iter().zip(scores).skip(1) {
        let step = [0, 1].map(|label| {
            let way = |before: usize| best[before] + TABLES.link(token.gap as usize, before, label);
            if way(1) >= way(0) { (way(1), 1) } else { (way(0), 0) }
        });
        best = [step[0].0 + score, step[1].0];
        steps.push([step[0].1, step[1].1]);
    }
    let mut label = usize::from(best[0] <= best[1]);
    let mut labels = vec![label == 0];
    for step in steps.iter().rev() {
        label = step[label];
        labels.push(label == 0);
    }
    labels.reverse();
    labels.truncate(tokens.len());
    labels
}

/// The features of the words in a sentence, named as in `research/romanized/label.py`.
struct Scorer<'a> {
    tokens: &'a [Token<'a>],
    facts: &'a [Facts],
    kinds: Vec<&'static str>,
    sentence: String,
    is_capitals: bool,
    feature: String,
    score: f32,
}

impl<'a> Scorer<'a> {
    fn new(tokens: &'a [Token<'a>], facts: &'a [Facts]) -> Self {
        let kinds: Vec<_> = facts.iter().map(Facts::kind).collect();
        let count = |kind: &str| kinds.iter().filter(|one| **one == kind).count().min(4);
        let sentence = format!("{}/{}", count("H"), count("E"));
        let capitals = tokens.iter().filter(|token| is_upper(token.text)).count();
        let is_capitals = 2 * capitals > tokens.len();
        Self { tokens, facts, kinds, sentence, is_capitals, feature: String::new(), score: 0.0 }
    }

    /// The score of Hindi against English for each word.
    fn scores(mut self) -> Vec<f32> {
        (0..self.tokens.len()).map(|at| self.score(at)).collect()
    }

    fn add(&mut self, feature: std::fmt::Arguments<'_>) {
        self.feature.clear();
        let _ = self.feature.write_fmt(feature);
        self.score += TABLES.labels.get(&self.feature);
    }

    fn score(&mut self, at: usize) -> f32 {
        let (token, facts) = (&self.tokens[at], &self.facts[at]);
        let Facts { cost, grade, common, odds, .. } = *facts;
        if cost >= 7 && grade == 2 {
            return NEVER;
        }
        self.score = 0.0;
        let kind = self.kinds[at];
        let sentence = std::mem::take(&mut self.sentence);
        self.add(format_args!("1"));
        self.add(format_args!("w{cost}.{grade}.{common}"));
        self.add(format_args!("l{cost}.{}.{}", grade.min(1), token.text.len().min(5) / 2));
        self.add(format_args!("o{odds}.{grade}"));
        self.add(format_args!("s{sentence}"));
        self.add(format_args!("sw{kind}.{sentence}"));
        self.sentence = sentence;
        if is_upper(token.text) && !self.is_capitals && token.text.len() > 1 {
            self.add(format_args!("AA"));
        } else if token.text.starts_with(|c: char| c.is_ascii_uppercase())
            && !self.is_capitals
            && token.gap < Gap::Strong
        {
            self.add(format_args!("Aa"));
            self.add(format_args!("Aa{kind}"));
        }
        let near = [-2, -1, 1, 2].map(|step| self.near(at, step));
        for (name, (near, cut)) in ['a', '-', '+', 'b'].into_iter().zip(near) {
            self.add(format_args!("{name}{near}{cut}"));
            self.add(format_args!("{name}{near}{cut}{kind}"));
        }
        let [_, (before, cut_before), (after, cut_after), _] = near;
        self.add(format_args!("-+{before}{cut_before}{kind}{after}{cut_after}"));
        let word = &token.word;
        self.add(format_args!("i{word}"));
        self.add(format_args!("i-{word}.{before}{cut_before}"));
        self.add(format_args!("i+{word}.{after}{cut_after}"));
        if let Some(other) = at.checked_sub(1).map(|before| &self.tokens[before]) {
            self.add(format_args!("<{word}.{}", other.word));
            self.add(format_args!("p{}.{kind}", other.word));
        }
        if let Some(other) = self.tokens.get(at + 1) {
            self.add(format_args!(">{word}.{}", other.word));
            self.add(format_args!("n{}.{kind}", other.word));
        }
        self.score
    }

    /// The kind of a nearby word, and a bar if a clause ends between.
    fn near(&self, at: usize, step: isize) -> (&'static str, &'static str) {
        let Some(there) = at.checked_add_signed(step).filter(|there| *there < self.tokens.len())
        else {
            return ("^", "");
        };
        let between = at.min(there) + 1..=at.max(there);
        let is_cut = self.tokens[between].iter().any(|token| token.gap == Gap::Strong);
        (self.kinds[there], if is_cut { "|" } else { "" })
    }
}

fn is_upper(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_uppercase())
}

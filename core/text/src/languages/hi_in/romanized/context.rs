//! Chooses the candidate of each spelling: a linear model of word pairs, by dynamic programming.

use std::fmt::Write as _;

use super::candidates::Candidate;
use super::channel::UNIT;
use super::tables::TABLES;

const VOWELS: &str = "ािीुूेैोौंँआइईउऊएऐओऔ";
/// Words that inform about all others in their sentence.
const CUES: [&str; 10] = ["कृपया", "आप", "हम", "लोग", "अगर", "सभी", "मैं", "तू", "तुम", "हूँ"];
/// Placeholders for the start and end of a sentence, an English word, and a number.
const START: &str = "^";
const END: &str = "$";
const ENGLISH: &str = "E";
const NUMBER: &str = "#";

/// A position in a sentence.
pub(super) enum Place<'a> {
    /// A Hindi word, with its candidates from the likeliest on.
    Hindi(&'a [Candidate]),
    English,
    Number,
}

/// The index of the chosen candidate at each position; 0 without candidates.
pub(super) fn choose(places: &[Place<'_>]) -> Vec<usize> {
    let cues: Vec<&str> =
        CUES.into_iter().filter(|cue| places.iter().any(|place| place.first() == *cue)).collect();
    let mut scorer = Scorer { cues, feature: String::new() };
    let mut before = vec![Shape::new(START)];
    let mut best = vec![0.0];
    let mut steps: Vec<Vec<usize>> = Vec::with_capacity(places.len());
    for place in places.iter().chain([&Place::Hindi(&[])]) {
        let shapes = place.shapes();
        let own: Vec<f32> = shapes.iter().map(|(shape, cost)| scorer.own(shape) - cost).collect();
        let mut scores = Vec::with_capacity(shapes.len());
        let mut step = Vec::with_capacity(shapes.len());
        for ((shape, _), own) in shapes.iter().zip(own) {
            let ways =
                before.iter().zip(&best).map(|(last, score)| score + scorer.pair(last, shape));
            let (from, score) = ways
                .enumerate()
                .fold((0, f32::NEG_INFINITY), |most, way| if way.1 > most.1 { way } else { most });
            scores.push(score + own);
            step.push(from);
        }
        before = shapes.into_iter().map(|(shape, _)| shape).collect();
        best = scores;
        steps.push(step);
    }
    let mut at = 0;
    let mut chosen: Vec<usize> = steps
        .iter()
        .rev()
        .map(|step| {
            at = step[at];
            at
        })
        .collect();
    chosen.pop();
    chosen.reverse();
    chosen
}

impl Place<'_> {
    fn first(&self) -> &str {
        match self {
            Self::Hindi(candidates) => candidates.first().map_or(END, |candidate| &candidate.word),
            Self::English => ENGLISH,
            Self::Number => NUMBER,
        }
    }

    /// The candidates with their costs above the likeliest.
    fn shapes(&self) -> Vec<(Shape<'_>, f32)> {
        match self {
            Self::Hindi([]) | Self::English | Self::Number => vec![(Shape::new(self.first()), 0.0)],
            Self::Hindi(candidates) => {
                let above =
                    |one: &Candidate| f32::from(one.cost - candidates[0].cost) / f32::from(UNIT);
                candidates.iter().map(|one| (Shape::new(&one.word), above(one))).collect()
            }
        }
    }
}

/// The features of a word.
struct Shape<'a> {
    word: &'a str,
    is_frequent: bool,
    ending: String,
}

impl<'a> Shape<'a> {
    fn new(word: &'a str) -> Self {
        Self { word, is_frequent: TABLES.is_frequent(word), ending: ending(word) }
    }
}

/// The last vowel sign of a word and a following nasal, or `-`.
fn ending(word: &str) -> String {
    let is_nasal = |c: char| matches!(c, 'ं' | 'ँ');
    let mut letters = word.chars().rev();
    match letters.next() {
        Some(last) if is_nasal(last) => {
            let vowel = letters.next().filter(|c| VOWELS.contains(*c));
            vowel.into_iter().map(|c| if c == 'ँ' { 'ं' } else { c }).chain(['ं']).collect()
        }
        Some(last) if VOWELS.contains(last) => last.to_string(),
        _ => "-".to_owned(),
    }
}

struct Scorer<'a> {
    cues: Vec<&'a str>,
    feature: String,
}

impl Scorer<'_> {
    fn get(&mut self, feature: std::fmt::Arguments<'_>) -> f32 {
        self.feature.clear();
        let _ = self.feature.write_fmt(feature);
        TABLES.context.get(&self.feature)
    }

    fn own(&mut self, shape: &Shape<'_>) -> f32 {
        let Shape { word, is_frequent, ending } = shape;
        let mut score = if *is_frequent { self.get(format_args!("={word}")) } else { 0.0 };
        for cue in self.cues.clone() {
            score += match is_frequent {
                true => self.get(format_args!("{cue}~{word}")),
                false => self.get(format_args!("{cue}~.{ending}")),
            };
        }
        score
    }

    fn pair(&mut self, before: &Shape<'_>, after: &Shape<'_>) -> f32 {
        let mut score = self.get(format_args!("{}_{}", before.ending, after.ending));
        if before.is_frequent {
            score += self.get(format_args!("{}_{}.", before.word, after.ending));
        }
        if after.is_frequent {
            score += self.get(format_args!(".{}_{}", before.ending, after.word));
            if before.is_frequent {
                score += self.get(format_args!("{}_{}", before.word, after.word));
            }
        }
        score
    }
}

//! From the scores of the labels to the phonemes of a word.

use ndarray::{Array2, ArrayView1};

const VOWELS: &str = "AIOWYiuɑæɔəɛɜɪʊʌᵊᵻ";
const PRIMARY_STRESS: char = 'ˈ';

/// The likeliest labels of which one, and only one, has the primary stress; without a vowel none has.
pub(super) fn phonemes(scores: &Array2<f32>, labels: &[&str]) -> String {
    let best: Vec<usize> = scores.rows().into_iter().map(|row| largest(row, |_| true).0).collect();
    let free: String = best.iter().map(|label| labels[*label]).collect();
    let stresses = free.matches(PRIMARY_STRESS).count();
    if stresses == 1 || !free.is_empty() && !free.contains(|c| VOWELS.contains(c)) {
        return free;
    }
    let stressed = |label: usize| labels[label].contains(PRIMARY_STRESS);
    let options: Vec<_> = scores
        .rows()
        .into_iter()
        .map(|row| {
            let (plain, low) = largest(row, |label| !stressed(label));
            let (marked, high) = largest(row, stressed);
            (plain, marked, high - low)
        })
        .collect();
    let gains = options.iter().enumerate().map(|(at, (_, _, gain))| (at, *gain));
    let place = gains.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at);
    options
        .iter()
        .enumerate()
        .map(|(at, (plain, marked, _))| labels[if Some(at) == place { *marked } else { *plain }])
        .collect()
}

/// The label of the largest score among those allowed, and the score.
fn largest(row: ArrayView1<f32>, allowed: impl Fn(usize) -> bool) -> (usize, f32) {
    let scores = row.iter().copied().enumerate().filter(|(label, _)| allowed(*label));
    scores.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are labels with and without stress")
}

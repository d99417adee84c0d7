//! Durations in whole frames, as predicted by the model or as set by the caller.

use crate::TokenControl;

/// The largest stretch, as a power of e, for a token of elasticity 1.
const MAX_STRETCH: f32 = 4.0;

/// The bisection steps for the stretch of a run of tokens; the error is below 0.001.
const BISECTION_STEPS: usize = 16;

/// The frames of each token, 1 or more, from the model's expected values.
///
/// Without controls each value is rounded to the nearest, as in the published model. With controls,
/// adjacent tokens of the same rate form a run, which takes its predicted total divided by the
/// rate. The tokens share the change by elasticity: a token of elasticity e is stretched by exp(e
/// s), with one s per run. Rounding errors are carried to the next token.
pub(crate) fn frames(expected: &[f32], controls: Option<&[TokenControl]>) -> Vec<usize> {
    let Some(controls) = controls else {
        return expected.iter().map(|value| nearest(*value)).collect();
    };
    debug_assert_eq!(expected.len(), controls.len() + 2, "padding tokens are at both ends");
    let mut frames = vec![nearest(expected[0])];
    let mut at = 0;
    while at < controls.len() {
        let rate = controls[at].rate;
        let run = controls[at..].iter().take_while(|control| control.rate == rate).count();
        let (expected, controls) = (&expected[1 + at..][..run], &controls[at..][..run]);
        let stretched = stretched(expected, controls, rate);
        let mut owed = 0.0;
        for ((value, control), predicted) in stretched.into_iter().zip(controls).zip(expected) {
            let count = match control.frames {
                Some(fixed) => fixed.max(1),
                None if rate == 1.0 => nearest(*predicted),
                None => {
                    let count = nearest(value + owed);
                    owed += value - count as f32;
                    count
                }
            };
            frames.push(count);
        }
        at += run;
    }
    frames.push(nearest(expected[expected.len() - 1]));
    frames
}

fn nearest(frames: f32) -> usize {
    frames.round_ties_even().max(1.0) as usize
}

/// The expected values of a run of tokens at a rate.
fn stretched(expected: &[f32], controls: &[TokenControl], rate: f32) -> Vec<f32> {
    let at = |stretch: f32| {
        let tokens = expected.iter().zip(controls);
        tokens.map(move |(value, control)| value * (control.elasticity * stretch).exp())
    };
    let target = expected.iter().sum::<f32>() / rate;
    let (mut least, mut most) = (-MAX_STRETCH, MAX_STRETCH);
    for _ in 0..BISECTION_STEPS {
        let middle = f32::midpoint(least, most);
        if at(middle).sum::<f32>() < target { least = middle } else { most = middle }
    }
    at(f32::midpoint(least, most)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn control(rate: f32, elasticity: f32) -> TokenControl {
        TokenControl { rate, elasticity, ..TokenControl::default() }
    }

    #[test]
    fn without_controls_values_are_rounded() {
        assert_eq!(frames(&[0.2, 2.5, 3.5, 7.4, 1.6], None), [1, 2, 4, 7, 2]);
        let plain = vec![TokenControl::default(); 3];
        assert_eq!(frames(&[0.2, 2.5, 3.5, 7.4, 1.6], Some(&plain)), [1, 2, 4, 7, 2]);
    }

    #[test]
    fn vowels_bear_more_than_stops() {
        let controls = [control(2.0, 1.3), control(2.0, 0.5), control(2.0, 1.3)];
        let found = frames(&[5.0, 12.0, 12.0, 12.0, 5.0], Some(&controls));
        assert_eq!((found[0], found[4]), (5, 5), "padding stays");
        assert_eq!(found[1..4].iter().sum::<usize>(), 18);
        assert!(found[1] < found[2] && found[3] < found[2], "{found:?}");
    }

    #[test]
    fn a_fixed_token_takes_its_frames_and_a_rate_ends_with_its_run() {
        let fixed = TokenControl { frames: Some(9), ..TokenControl::default() };
        let controls = [control(0.5, 1.0), fixed, control(1.0, 1.0)];
        assert_eq!(frames(&[1.0, 4.0, 2.0, 4.0, 1.0], Some(&controls)), [1, 8, 9, 4, 1]);
    }

    proptest! {
        #[test]
        fn a_run_takes_its_time(
            tokens in prop::collection::vec((1.0..12.0_f32, 0.5..1.4_f32), 8..80),
            rate in 0.5..2.0_f32,
        ) {
            let controls: Vec<_> = tokens.iter().map(|(_, elasticity)| control(rate, *elasticity)).collect();
            let mut expected: Vec<f32> = tokens.iter().map(|(value, _)| value * 2.0).collect();
            let wanted = expected.iter().sum::<f32>() / rate;
            expected.insert(0, 3.0);
            expected.push(3.0);
            let found = frames(&expected, Some(&controls));
            prop_assert_eq!(found.len(), expected.len());
            let total = found[1..=tokens.len()].iter().sum::<usize>() as f32;
            // No token is shorter than one frame; later tokens give back the excess if they can.
            prop_assert!((total - wanted).abs() <= 0.05 * wanted + 1.0, "{total} frames, not {wanted}");
        }
    }
}

//! The acoustic model: what is spoken in which order, and by how many at once.

use std::ops::Range;
use std::time::Instant;

use super::network::norms::Averages;
use super::network::signal::Signal;
use super::select::{self, Choice, Metrics};
use super::synthesizer::{Synthesize, Work};
use super::turns::Turns;
use super::{AcousticModel, Beginning, FRAME_SAMPLES, Features, Manner, Utterance};
use crate::bundle::Bundle;
use crate::threads::Threads;
use crate::{Error, Result};

/// What [`Model::load`] needs to know.
#[derive(Clone, Debug)]
pub(crate) struct ModelOptions {
    /// The threads that one utterance is computed with.
    pub(crate) threads: usize,
    /// How many utterances may be computed at once.
    pub(crate) sessions: usize,
    /// What it is to compute with.
    pub(crate) choice: Choice,
}

/// The acoustic model of a bundle.
pub(crate) struct Model {
    synthesizer: Box<dyn Synthesize>,
    threads: Threads,
    turns: Turns,
}

impl Model {
    /// Loads the model of a bundle.
    ///
    /// # Errors
    ///
    /// `model_error` if a file of the bundle is unusable.
    pub(crate) fn load(bundle: &Bundle, options: &ModelOptions) -> Result<Self> {
        Ok(Self {
            synthesizer: select::load(bundle.prosody(), bundle.vocoder(), options.choice)?,
            threads: Threads::new(options.threads)?,
            turns: Turns::new(options.sessions),
        })
    }

    /// For how many channels a voice must have average statistics.
    pub(crate) fn statistics(&self) -> usize {
        self.synthesizer.statistics()
    }

    /// Some rows with average statistics, and without what is cut off of them.
    fn begin(
        &self,
        work: &Work<'_>,
        features: &Features,
        hidden: &Signal,
        early: &Range<usize>,
        averages: &Averages,
    ) -> Result<Beginning> {
        let start = early.start.saturating_sub(CONTEXT);
        let rows = start..early.end + CONTEXT;
        let samples = self.synthesizer.generate(work, features, hidden, rows, Some(averages))?;
        let kept = (early.start - start) * ROW_SAMPLES..(early.end - start) * ROW_SAMPLES;
        Ok(Beginning {
            offset: early.start * ROW_SAMPLES,
            samples: samples[kept].to_vec(),
            tokens: features.tokens(),
        })
    }
}

impl AcousticModel for Model {
    fn speak(
        &self,
        tokens: &[i64],
        manner: Manner<'_>,
        begin: Option<&mut dyn FnMut(Beginning)>,
    ) -> Result<Utterance> {
        let started = Instant::now();
        let Manner { style, cancel, .. } = manner;
        let _turn = self.turns.take(cancel)?;
        let work = Work { style, threads: &self.threads, cancel };
        let features = self.synthesizer.predict(&work, tokens)?;
        let predicted = started.elapsed();
        if !features.fits(tokens.len()) {
            return Err(Error::internal("the acoustic model gave no numbers"));
        }
        let hidden = self.synthesizer.decode(&work, &features)?;
        let beginning = match (begin, early(&features)) {
            (Some(begin), Some(early)) => {
                let beginning = self.begin(&work, &features, &hidden, &early, manner.averages)?;
                begin(beginning.clone());
                Some(beginning)
            }
            _ => None,
        };
        let rows = 0..hidden.rows();
        let mut samples = self.synthesizer.generate(&work, &features, &hidden, rows, None)?;
        self.synthesizer.free(hidden);
        let tokens_heard = features.tokens();
        self.synthesizer.free_features(features);
        log::debug!(
            "{} tokens: prosody {} ms, {} ms in all",
            tokens.len(),
            predicted.as_millis(),
            started.elapsed().as_millis(),
        );
        if let Some(beginning) = beginning {
            crossfade(&beginning, &mut samples);
        }
        if samples.iter().all(|sample| sample.is_finite()) {
            Ok(Utterance { samples, tokens: tokens_heard })
        } else {
            Err(Error::internal("the acoustic model gave no numbers"))
        }
    }

    fn metrics(&self) -> Metrics {
        self.synthesizer.metrics()
    }
}

/// The hidden rows of the first half second that sounds, with the margin before it; none if the utterance is not
/// much longer.
fn early(features: &Features) -> Option<Range<usize>> {
    // The pad before the first token is silence, but a sound may begin a little early.
    let first = 2 * features.durations.first()?;
    let start = first.saturating_sub(MARGIN);
    let end = first + EARLY;
    (end + CONTEXT + EARLY <= features.pitch.len()).then_some(start..end)
}

/// Makes the beginning what it was, and fades from it into the rest.
fn crossfade(beginning: &Beginning, samples: &mut [f32]) {
    let count = beginning.samples.len();
    let (silence, rest) = samples.split_at_mut(beginning.offset);
    silence.fill(0.0);
    for (n, (sample, early)) in rest.iter_mut().zip(&beginning.samples).enumerate() {
        let share = (count - n) as f32 / FADE as f32;
        *sample += (early - *sample) * share.min(1.0);
    }
}

/// Samples of a hidden row.
const ROW_SAMPLES: usize = FRAME_SAMPLES / 2;

/// Hidden rows that reach the sound of a row from before and after it: with as many, a part of an utterance has
/// the sound that it has in the whole, to 50 dB.
const CONTEXT: usize = 6;

/// Hidden rows of the first half second.
const EARLY: usize = 40;

/// Hidden rows before the first token: the margin before the sound, and as much again.
const MARGIN: usize = 10;

/// Samples over which the beginning becomes the rest: 20 ms.
pub(crate) const FADE: usize = 480;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_fades_into_the_rest() {
        let tokens = Vec::new();
        let beginning = Beginning { offset: 100, samples: vec![1.0; 1000], tokens };
        let mut samples = vec![0.0; 2000];
        samples[..100].fill(0.5);
        crossfade(&beginning, &mut samples);
        assert!(samples[..100].iter().all(|sample| *sample == 0.0));
        assert!(samples[100..1100 - FADE].iter().all(|sample| *sample == 1.0));
        assert!(samples[1100 - FADE..1100].is_sorted_by(|a, b| a > b));
        assert!(samples[1100..].iter().all(|sample| *sample == 0.0));
    }
}

//! The acoustic model: prosody in ONNX Runtime, and our own vocoder.

use std::ops::Range;
use std::time::Instant;

use super::prosody::{Prosody, ProsodyOptions};
use super::vocoder::{self, Averages, Choice, Metrics, Signal, Vocode, Work};
use super::{AcousticModel, Beginning, FRAME_SAMPLES, Features, Manner, Utterance};
use crate::bundle::Bundle;
use crate::threads::{self, Threads};
use crate::{Error, Result};

/// What [`Model::load`] needs to know.
#[derive(Clone, Debug)]
pub(crate) struct ModelOptions {
    /// The threads that one utterance is computed with.
    pub(crate) threads: usize,
    /// How many utterances may be computed at once.
    pub(crate) sessions: usize,
    /// What the vocoder is to compute with.
    pub(crate) choice: Choice,
}

/// The acoustic model of a bundle.
pub(crate) struct Model {
    prosody: Prosody,
    vocoder: Box<dyn Vocode>,
    threads: Threads,
}

impl Model {
    /// Loads the model of a bundle.
    ///
    /// # Errors
    ///
    /// `model_error` if ONNX Runtime or a file of the bundle is unusable.
    pub(crate) fn load(bundle: &Bundle, options: &ModelOptions) -> Result<Self> {
        let ModelOptions { threads, sessions, choice } = options;
        let prosody = ProsodyOptions { threads: *threads, sessions: *sessions };
        let (vocoder, prosody) = threads::beside(
            || vocoder::load(bundle.vocoder(), *choice),
            || Prosody::load(bundle, &prosody),
        )?;
        Ok(Self { prosody: prosody?, vocoder: vocoder?, threads: Threads::new(*threads)? })
    }

    /// For how many channels a voice must have average statistics.
    pub(crate) fn statistics(&self) -> usize {
        self.vocoder.statistics()
    }

    /// Some rows with average statistics, and without what is cut off of them.
    fn begin(
        &self,
        work: &Work<'_>,
        hidden: &Signal,
        early: &Range<usize>,
        averages: &Averages,
    ) -> Result<Beginning> {
        let start = early.start.saturating_sub(CONTEXT);
        let rows = start..early.end + CONTEXT;
        let samples = self.vocoder.generate(work, hidden, rows, Some(averages))?;
        let kept = (early.start - start) * ROW_SAMPLES..(early.end - start) * ROW_SAMPLES;
        Ok(Beginning {
            offset: early.start * ROW_SAMPLES,
            samples: samples[kept].to_vec(),
            tokens: work.features.tokens(),
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
        // Held to the end: no more utterances are computed at once than there are sessions.
        let mut turn = self.prosody.turn(cancel)?;
        let features = turn.predict(tokens, style, cancel)?;
        let predicted = started.elapsed();
        let work = Work { features: &features, style, threads: &self.threads, cancel };
        let hidden = self.vocoder.decode(&work)?;
        let beginning = match (begin, early(&features)) {
            (Some(begin), Some(early)) => {
                let beginning = self.begin(&work, &hidden, &early, manner.averages)?;
                begin(beginning.clone());
                Some(beginning)
            }
            _ => None,
        };
        let mut samples = self.vocoder.generate(&work, &hidden, 0..hidden.rows(), None)?;
        self.vocoder.free(hidden);
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
            Ok(Utterance { samples, tokens: features.tokens() })
        } else {
            Err(Error::internal("the acoustic model gave no numbers"))
        }
    }

    fn metrics(&self) -> Metrics {
        self.vocoder.metrics()
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

//! The acoustic model: what is spoken in which order, and by how many at once.

use std::ops::Range;
use std::time::Instant;

use super::fair_semaphore::FairSemaphore;
use super::network::norms::Averages;
use super::select::{self, Backend, BackendOptions};
use super::synthesizer::{ExecutionContext, Synthesize};
use super::vocoder::Hidden;
use super::{AcousticModel, EarlyChunk, FRAME_SAMPLES, Features, SynthesisParameters, Utterance};
use crate::bundle::Bundle;
use crate::threads::Threads;
use crate::{Error, Result};

/// What [`Model::load`] needs to know.
#[derive(Clone, Debug)]
pub(crate) struct ModelOptions {
    /// The threads that one utterance is computed with.
    pub(crate) threads: usize,
    /// How many utterances may be computed at once.
    pub(crate) max_concurrency: usize,
    /// What it is to compute with.
    pub(crate) choice: BackendOptions,
}

/// The acoustic model of a bundle.
pub(crate) struct Model {
    synthesizer: Box<dyn Synthesize>,
    threads: Threads,
    permits: FairSemaphore,
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
            permits: FairSemaphore::new(options.max_concurrency),
        })
    }

    /// For how many channels a voice must have average statistics.
    pub(crate) fn statistics(&self) -> usize {
        self.synthesizer.statistics()
    }

    /// Makes the beginning of an utterance with average statistics, and gives it in pieces.
    fn begin(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        pieces: &[Range<usize>; EARLY_PIECES],
        averages: &Averages,
        give: &mut dyn FnMut(EarlyChunk),
    ) -> Result<Opening> {
        let model = &self.synthesizer;
        let start = pieces[0].start * ROW_SAMPLES;
        let lead = start.min(LEAD);
        let mut opening = Opening { offset: start - lead, samples: vec![0.0; lead] };
        let mut given = 0;
        for piece in pieces {
            let context = if given == 0 { SILENT_CONTEXT } else { CONTEXT };
            let first = piece.start.saturating_sub(context);
            let rows = first..piece.end + CONTEXT;
            let frames = first / 2..rows.end.div_ceil(2);
            let frames = frames.start.saturating_sub(DECODER_CONTEXT)
                ..features.text.rows().min(frames.end + DECODER_CONTEXT);
            let hidden = model.decode(execution, features, frames, Some(averages))?;
            let samples = self.generate(execution, features, hidden, rows, Some(averages))?;
            let kept = (piece.start - first) * ROW_SAMPLES..(piece.end - first) * ROW_SAMPLES;
            opening.samples.extend_from_slice(&samples[kept]);
            // The last samples are still to fade into the rest.
            let held = if piece.end == pieces[1].end { FADE } else { 0 };
            let samples = opening.samples[given..opening.samples.len() - held].to_vec();
            give(EarlyChunk { offset: opening.offset + given, samples, tokens: features.tokens() });
            given = opening.samples.len();
        }
        Ok(opening)
    }

    /// The samples of some of the hidden rows, with the statistics of these or with averages.
    fn generate(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        hidden: Hidden,
        rows: Range<usize>,
        averages: Option<&Averages>,
    ) -> Result<Vec<f32>> {
        let source = self.synthesizer.source(execution, features, rows.clone())?;
        let samples = self.synthesizer.generate(execution, &source, &hidden, rows, averages);
        [source, hidden.rows].into_iter().for_each(|signal| self.synthesizer.free(signal));
        samples
    }
}

impl AcousticModel for Model {
    fn speak(
        &self,
        tokens: &[i64],
        parameters: SynthesisParameters<'_>,
        begin: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Utterance> {
        let started = Instant::now();
        let SynthesisParameters { style, cancel, .. } = parameters;
        let _turn = self.permits.take(cancel)?;
        let execution = ExecutionContext { style, threads: &self.threads, cancel };
        let features = self.synthesizer.predict(&execution, tokens)?;
        let predicted = started.elapsed();
        if !features.fits(tokens.len()) {
            return Err(Error::internal("the acoustic model gave no numbers"));
        }
        let opening = match (begin, early_pieces(&features)) {
            (Some(give), Some(pieces)) => {
                Some(self.begin(&execution, &features, &pieces, parameters.averages, give)?)
            }
            _ => None,
        };
        let model = &self.synthesizer;
        let hidden = model.decode(&execution, &features, 0..features.text.rows(), None)?;
        let rows = 0..hidden.rows.rows();
        let mut samples = self.generate(&execution, &features, hidden, rows, None)?;
        let heard = features.tokens();
        model.free(features.text);
        log::debug!(
            "{} tokens: prosody {} ms, {} ms in all",
            tokens.len(),
            predicted.as_millis(),
            started.elapsed().as_millis(),
        );
        if let Some(opening) = opening {
            opening.fade_into(&mut samples);
        }
        if samples.iter().all(|sample| sample.is_finite()) {
            Ok(Utterance { samples, tokens: heard })
        } else {
            Err(Error::internal("the acoustic model gave no numbers"))
        }
    }

    fn backend(&self) -> Backend {
        self.synthesizer.backend()
    }
}

/// The hidden rows of the first half second that sounds, in pieces that follow each other; none if the utterance is not
/// much longer.
fn early_pieces(features: &Features) -> Option<[Range<usize>; EARLY_PIECES]> {
    // The pad before the first token is silence, but a sound may begin a little early.
    let first = 2 * features.durations.first()?;
    let start = first.saturating_sub(MARGIN);
    let (middle, end) = (first + FIRST, first + EARLY);
    let is_longer = end + CONTEXT + EARLY <= features.pitch.len();
    is_longer.then_some([start..middle, middle..end])
}

/// The beginning of an utterance as it was given, and a little more.
struct Opening {
    /// Samples before it.
    offset: usize,
    samples: Vec<f32>,
}

impl Opening {
    /// Makes the samples of the utterance those of the beginning, which fade into what they were.
    fn fade_into(&self, samples: &mut [f32]) {
        let count = self.samples.len();
        let (silence, rest) = samples.split_at_mut(self.offset);
        silence.fill(0.0);
        for (n, (sample, early)) in rest.iter_mut().zip(&self.samples).enumerate() {
            let share = (count - n) as f32 / FADE as f32;
            *sample += (early - *sample) * share.min(1.0);
        }
    }
}

/// Samples of a hidden row.
const ROW_SAMPLES: usize = FRAME_SAMPLES / 2;

/// Hidden rows that reach the sound of a row from before and after it: with as many, a part of an utterance has
/// the sound that it has in the whole, to 50 dB.
const CONTEXT: usize = 6;

/// The same before the first of all, where there is silence.
const SILENT_CONTEXT: usize = 3;

/// Frames that reach a hidden row from before and after it, in the same way.
const DECODER_CONTEXT: usize = 5;

/// The pieces in which the beginning of an utterance is given.
pub(crate) const EARLY_PIECES: usize = 2;

/// Hidden rows of the first half second, and of the piece of it that is given first.
const EARLY: usize = 40;
const FIRST: usize = 6;

/// Hidden rows before the first token: where its sound may begin early.
const MARGIN: usize = 4;

/// Samples of silence before them: as many as may stand before the sound.
const LEAD: usize = 5 * ROW_SAMPLES;

/// Samples over which the beginning becomes the rest: 20 ms.
const FADE: usize = 480;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_fades_into_the_rest() {
        let mut samples = vec![0.0; 2000];
        samples[..100].fill(0.5);
        Opening { offset: 100, samples: vec![1.0; 1000] }.fade_into(&mut samples);
        assert!(samples[..100].iter().all(|sample| *sample == 0.0));
        assert!(samples[100..1100 - FADE].iter().all(|sample| *sample == 1.0));
        assert!(samples[1100 - FADE..1100].is_sorted_by(|a, b| a > b));
        assert!(samples[1100..].iter().all(|sample| *sample == 0.0));
    }
}

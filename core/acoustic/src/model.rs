//! Runs the networks of a bundle in order, with early chunks and a limit on concurrency.

use std::ops::Range;
use std::time::Instant;

use speech_base::error::{Error, Result};
use speech_base::fair_semaphore::FairSemaphore;
use speech_base::quality::Quality;
use speech_base::threads::Threads;
use speech_kernels::Kernels;

use super::backend::{Backend, BackendOptions};
use super::network::norms::AverageStatistics;
use super::select;
use super::synthesizer::{ExecutionContext, Synthesize, Synthesizer};
use super::vocoder::Hidden;
use super::{
    AcousticModel, EarlyChunk, FRAME_SAMPLES, Features, Spoken, SynthesisParameters, Trace,
    Utterance,
};
use crate::bundle::{Part, Parts};

/// The options of [`Model::load`].
#[derive(Clone, Debug)]
pub struct ModelOptions {
    /// The number of threads that compute one utterance.
    pub threads: usize,
    /// The most utterances computed at once.
    pub max_concurrency: usize,
    /// The requested kernels and precision.
    pub backend: BackendOptions,
}

/// The acoustic model of a bundle.
pub struct Model {
    synthesizer: Box<dyn Synthesize>,
    threads: Threads,
    permits: FairSemaphore,
}

impl Model {
    /// Loads the networks of a bundle.
    ///
    /// # Errors
    ///
    /// `model_error` if a file is unusable; `invalid_request` for a backend that the processor does
    /// not support; `internal` if the named kernels fail the self-check.
    pub fn load(parts: Parts, options: &ModelOptions) -> Result<Self> {
        Self::new(select::load(parts, options.backend)?, options)
    }

    /// Loads the model with one set of kernels, without a self-check.
    ///
    /// # Errors
    ///
    /// `model_error` if a file is unusable.
    pub fn load_with<K: Kernels>(kernels: K, parts: Parts, options: &ModelOptions) -> Result<Self> {
        let precision = kernels.precision().into();
        let backend = Backend { kernels: options.backend.kernels, precision };
        Self::new(Box::new(Synthesizer::read(backend, kernels, parts)?), options)
    }

    fn new(synthesizer: Box<dyn Synthesize>, options: &ModelOptions) -> Result<Self> {
        let permits = FairSemaphore::new(options.max_concurrency);
        Ok(Self { synthesizer, threads: Threads::new(options.threads)?, permits })
    }

    /// The number of channels in a voice's average statistics; none without a vocoder.
    pub fn statistics_channels(&self) -> Option<usize> {
        self.synthesizer.statistics_channels()
    }

    /// Speaks tokens as [`speak`](AcousticModel::speak) does without early chunks, and returns the
    /// intermediate results, on which smaller models are trained. None if the tokens need more
    /// frames than the parameters allow; no samples unless they are requested. Takes no permit.
    ///
    /// # Errors
    ///
    /// As [`speak`](AcousticModel::speak).
    pub fn trace(
        &self,
        tokens: &[i64],
        parameters: SynthesisParameters<'_>,
        with_samples: bool,
    ) -> Result<Option<Trace>> {
        let SynthesisParameters { style, cancel, .. } = parameters;
        let execution = ExecutionContext::new(style, &self.threads, cancel);
        let Ok(features) = self.predict(&execution, tokens, &parameters)? else { return Ok(None) };
        let samples = match parts(parameters.quality)? {
            _ if !with_samples => Vec::new(),
            [_, Part::SmallDecoder] => {
                self.speak_small(&execution, tokens, &features, None)?.samples
            }
            _ => self.whole(&execution, &features)?,
        };
        let Features { durations, text, pitch, energy } = features;
        text.into_iter().for_each(|text| self.synthesizer.release(text));
        Ok(Some(Trace { durations, pitch, energy, samples }))
    }

    /// The features of some tokens, or the number of frames if it is over the limit.
    fn predict(
        &self,
        execution: &ExecutionContext<'_>,
        tokens: &[i64],
        parameters: &SynthesisParameters<'_>,
    ) -> Result<Result<Features, usize>> {
        let SynthesisParameters { quality, controls, max_frames, .. } = *parameters;
        self.synthesizer.predict(execution, parts(quality)?, tokens, controls, max_frames)
    }

    /// The samples of a whole utterance.
    fn whole(&self, execution: &ExecutionContext<'_>, features: &Features) -> Result<Vec<f32>> {
        let frames = 0..features.frames();
        let hidden = self.synthesizer.decode(execution, features, frames, None)?;
        let range = 0..hidden.signal.time_steps();
        self.generate(execution, features, hidden, range, None)
    }

    /// Computes the beginning of an utterance with average statistics, and passes it on in chunks.
    fn speak_early(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        chunks: &[Range<usize>; EARLY_CHUNKS],
        averages: &AverageStatistics,
        on_early_chunk: &mut dyn FnMut(EarlyChunk),
    ) -> Result<EarlyAudio> {
        let model = &self.synthesizer;
        let start = chunks[0].start * HIDDEN_SAMPLES;
        let lead = start.min(LEAD_SAMPLES);
        let mut early = EarlyAudio { offset: start - lead, samples: vec![0.0; lead] };
        let mut passed_on = 0;
        for chunk in chunks {
            let context = if passed_on == 0 { SILENT_CONTEXT } else { CONTEXT };
            let first = chunk.start.saturating_sub(context);
            let hidden_steps = first..chunk.end + CONTEXT;
            let frames = first / 2..hidden_steps.end.div_ceil(2);
            let frames = frames.start.saturating_sub(DECODER_CONTEXT)
                ..features.frames().min(frames.end + DECODER_CONTEXT);
            let hidden = model.decode(execution, features, frames, Some(averages))?;
            let samples =
                self.generate(execution, features, hidden, hidden_steps, Some(averages))?;
            let kept = (chunk.start - first) * HIDDEN_SAMPLES..(chunk.end - first) * HIDDEN_SAMPLES;
            early.samples.extend_from_slice(&samples[kept]);
            // The last samples of the last chunk are held back, to be cross-faded into the rest.
            let held_back = if chunk.end == chunks[1].end { FADE_SAMPLES } else { 0 };
            let samples = early.samples[passed_on..early.samples.len() - held_back].to_vec();
            let tokens = features.token_ranges();
            on_early_chunk(EarlyChunk { offset: early.offset + passed_on, samples, tokens });
            passed_on = early.samples.len();
        }
        Ok(early)
    }

    /// The samples of a range of hidden time steps, normalized with the utterance's own statistics
    /// or with averages.
    fn generate(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        hidden: Hidden,
        range: Range<usize>,
        averages: Option<&AverageStatistics>,
    ) -> Result<Vec<f32>> {
        let source = self.synthesizer.source(execution, features, range.clone())?;
        let samples = self.synthesizer.generate(execution, &source, &hidden, range, averages);
        [source, hidden.signal].into_iter().for_each(|signal| self.synthesizer.release(signal));
        samples
    }
}

impl AcousticModel for Model {
    fn speak(
        &self,
        tokens: &[i64],
        parameters: SynthesisParameters<'_>,
        on_early_chunk: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Spoken> {
        let _permit = self.permits.acquire(parameters.tenant, parameters.cancel)?;
        let spoken = self.compute(tokens, parameters, on_early_chunk);
        self.synthesizer.trim();
        spoken
    }

    fn backend(&self) -> Backend {
        self.synthesizer.backend()
    }

    fn trim(&self) {
        self.synthesizer.clear();
    }
}

impl Model {
    fn compute(
        &self,
        tokens: &[i64],
        parameters: SynthesisParameters<'_>,
        on_early_chunk: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Spoken> {
        let started = Instant::now();
        let SynthesisParameters { style, cancel, .. } = parameters;
        let execution = ExecutionContext::new(style, &self.threads, cancel);
        let features = match self.predict(&execution, tokens, &parameters)? {
            Ok(features) => features,
            Err(frames) => return Ok(Spoken::TooLong(frames)),
        };
        let predicted = started.elapsed();
        if !features.fits(tokens.len()) {
            return Err(Error::internal("the acoustic model computed values that are not finite"));
        }
        let spoken = if let [_, Part::SmallDecoder] = parts(parameters.quality)? {
            self.speak_small(&execution, tokens, &features, on_early_chunk)?
        } else {
            self.speak_large(execution, features, parameters.averages, on_early_chunk)?
        };
        log::debug!(
            "{} tokens: prosody {} ms, {} ms in all",
            tokens.len(),
            predicted.as_millis(),
            started.elapsed().as_millis(),
        );
        if spoken.samples.iter().all(|sample| sample.is_finite()) {
            Ok(Spoken::Utterance(spoken))
        } else {
            Err(Error::internal("the acoustic model computed values that are not finite"))
        }
    }

    /// Computes the audio of features with the small decoder.
    fn speak_small(
        &self,
        execution: &ExecutionContext<'_>,
        tokens: &[i64],
        features: &Features,
        on_early_chunk: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Utterance> {
        let model = &self.synthesizer;
        let text = model.encode_small(execution, tokens)?;
        let tokens = features.token_ranges();
        let steps = features.pitch.len();
        let chunks = early_chunks(features);
        let early = chunks.map(|[first, second]| {
            let start = first.start.saturating_sub(LEAD_SAMPLES / HIDDEN_SAMPLES);
            [start..first.end, second]
        });
        // The samples before the early chunks are silence.
        let silent = early.as_ref().map_or(0, |[first, _]| first.start);
        let mut samples = vec![0.0; silent * HIDDEN_SAMPLES];
        if let (Some(give), Some(early)) = (on_early_chunk, &early) {
            for range in early {
                let chunk = model.decode_small(execution, &text, features, range.clone())?;
                let offset = samples.len();
                samples.extend_from_slice(&chunk);
                give(EarlyChunk { offset, samples: chunk, tokens: tokens.clone() });
            }
        }
        let rest = samples.len() / HIDDEN_SAMPLES..steps;
        samples.extend(model.decode_small(execution, &text, features, rest)?);
        model.release(text);
        let early = early.into_iter().flatten();
        let early = early.map(|range| range.start * HIDDEN_SAMPLES..range.end * HIDDEN_SAMPLES);
        Ok(Utterance { samples, tokens, early: early.collect() })
    }

    /// Computes the audio of features with the vocoder.
    fn speak_large(
        &self,
        execution: ExecutionContext<'_>,
        mut features: Features,
        averages: &AverageStatistics,
        on_early_chunk: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Utterance> {
        let (early, frame_weights) = match (on_early_chunk, early_chunks(&features)) {
            (Some(on_early_chunk), Some(chunks)) => {
                let early =
                    self.speak_early(&execution, &features, &chunks, averages, on_early_chunk)?;
                (Some(early), None)
            }
            (Some(_), None) => (None, features.shorten_silence()),
            (None, _) => (None, None),
        };
        let execution = ExecutionContext { frame_weights: frame_weights.as_ref(), ..execution };
        let mut samples = self.whole(&execution, &features)?;
        let tokens = features.token_ranges();
        features.text.into_iter().for_each(|text| self.synthesizer.release(text));
        if let Some(early) = early {
            early.fade_into(&mut samples);
        }
        Ok(Utterance { samples, tokens, early: Vec::new() })
    }
}

/// The networks of a quality.
fn parts(quality: Quality) -> Result<[Part; 2]> {
    Part::of(quality).ok_or_else(|| Error::internal("the quality does not name networks"))
}

/// The hidden time steps of the first half second of audio, in consecutive chunks. None if the
/// utterance is not much longer: computing all of it is then faster than computing that half second
/// and the rest.
fn early_chunks(features: &Features) -> Option<[Range<usize>; EARLY_CHUNKS]> {
    let start = features.audible().start.saturating_sub(MARGIN);
    let (middle, end) = (start + FIRST_CHUNK, start + EARLY);
    let is_longer = end + CONTEXT + EARLY <= features.pitch.len();
    is_longer.then_some([start..middle, middle..end])
}

/// The early audio that was passed on, and the samples held back for the cross-fade.
struct EarlyAudio {
    /// The position in the utterance, in samples.
    offset: usize,
    samples: Vec<f32>,
}

impl EarlyAudio {
    /// Replaces the beginning of the utterance, with a cross-fade at the end.
    fn fade_into(&self, samples: &mut [f32]) {
        let count = self.samples.len();
        let (silence, rest) = samples.split_at_mut(self.offset);
        silence.fill(0.0);
        for (n, (sample, early)) in rest.iter_mut().zip(&self.samples).enumerate() {
            let weight = (count - n) as f32 / FADE_SAMPLES as f32;
            *sample += (early - *sample) * weight.min(1.0);
        }
    }
}

/// The samples of one hidden time step.
const HIDDEN_SAMPLES: usize = FRAME_SAMPLES / 2;

/// The hidden time steps of context that the generator needs before and after a range. With them,
/// the difference between a part of an utterance and the same part of the whole is 50 dB below the
/// level of the speech.
const CONTEXT: usize = 6;

/// The context before the first chunk, where there is silence.
const SILENT_CONTEXT: usize = 3;

/// The frames of context that the decoder needs on each side.
const DECODER_CONTEXT: usize = 5;

/// The number of early chunks.
const EARLY_CHUNKS: usize = 2;

/// The hidden time steps of the first half second, and of its first chunk.
const EARLY: usize = 44;
const FIRST_CHUNK: usize = 10;

/// The hidden time steps of silence before the audio.
const MARGIN: usize = 2;

/// The samples of silence before those, as many as are kept before the first sound.
const LEAD_SAMPLES: usize = 5 * HIDDEN_SAMPLES;

/// The samples of the cross-fade from the early audio to the rest: 20 ms.
const FADE_SAMPLES: usize = 480;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_fades_into_the_rest() {
        let mut samples = vec![0.0; 2000];
        samples[..100].fill(0.5);
        EarlyAudio { offset: 100, samples: vec![1.0; 1000] }.fade_into(&mut samples);
        assert!(samples[..100].iter().all(|sample| *sample == 0.0));
        assert!(samples[100..1100 - FADE_SAMPLES].iter().all(|sample| *sample == 1.0));
        assert!(samples[1100 - FADE_SAMPLES..1100].is_sorted_by(|a, b| a > b));
        assert!(samples[1100..].iter().all(|sample| *sample == 0.0));
    }
}

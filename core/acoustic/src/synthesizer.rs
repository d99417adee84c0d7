//! Both halves of the acoustic model, computed with one set of kernels.

use std::ops::Range;

use speech_base::cancel::CancelToken;
use speech_base::error::{Error, Result};
use speech_base::threads::Threads;
use speech_kernels::Kernels;

use super::backend::Backend;
use super::network::convolve::{Convolver, Workspace};
use super::network::layers::damaged;
use super::network::norms::{AdainContext, AverageStatistics, FrameWeights};
use super::network::signal::Signal;
use super::prosody::{Prosody, padded};
use super::small::{SmallDecoder, SmallProsody};
use super::vocoder::{Hidden, Vocoder};
use super::{Features, Style, TokenControl};
use crate::bundle::Blob;

/// The halves, the files that hold their weights, and their working memory.
pub(super) struct Synthesizer<K: Kernels> {
    backend: Backend,
    kernels: K,
    prosody_file: Blob,
    /// On the heap, as any thread may load an engine: some have little stack.
    prosody: Box<Prosody>,
    vocoder_file: Blob,
    vocoder: Box<Vocoder>,
    small_prosody: Option<(Blob, Box<SmallProsody>)>,
    small_decoder: Option<(Blob, Box<SmallDecoder>)>,
    workspace: Workspace,
}

/// What the computation of one utterance needs besides its input.
#[derive(Clone, Copy)]
pub(crate) struct ExecutionContext<'a> {
    pub(crate) style: Style<'a>,
    pub(crate) threads: &'a Threads,
    pub(crate) cancel: &'a CancelToken,
    /// How much the frames of the vocoder's input count in its statistics; all alike if there is none.
    pub(crate) frame_weights: Option<&'a FrameWeights>,
}

impl<'a> ExecutionContext<'a> {
    /// The context of an utterance whose frames all count alike.
    pub(crate) fn new(style: Style<'a>, threads: &'a Threads, cancel: &'a CancelToken) -> Self {
        Self { style, threads, cancel, frame_weights: None }
    }
}

/// The acoustic model, whatever its set of kernels. Every operation ends with `cancelled` soon after the token of its
/// context is cancelled.
pub(crate) trait Synthesize: Send + Sync {
    /// What it computes with.
    fn backend(&self) -> Backend;

    /// How many channels the average statistics of a voice must have.
    fn statistics_channels(&self) -> usize;

    /// The features of 1 to 510 tokens, or the frames that they take if those are over `max_frames`. `controls` has one for
    /// each token.
    fn predict(
        &self,
        execution: &ExecutionContext<'_>,
        tokens: &[i64],
        controls: Option<&[TokenControl]>,
        max_frames: usize,
    ) -> Result<Result<Features, usize>>;

    /// The hidden time steps of a range of frames, normalized with their own statistics or with averages.
    fn decode(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        frames: Range<usize>,
        averages: Option<&AverageStatistics>,
    ) -> Result<Hidden>;

    /// The harmonic source of a range of hidden time steps: 60 STFT frames for each, and one more.
    fn source(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        range: Range<usize>,
    ) -> Result<Signal>;

    /// The samples of a range of hidden time steps, 300 each, normalized with their own statistics or with averages.
    fn generate(
        &self,
        execution: &ExecutionContext<'_>,
        source: &Signal,
        hidden: &Hidden,
        range: Range<usize>,
        averages: Option<&AverageStatistics>,
    ) -> Result<Vec<f32>>;

    /// Reads a prosody that can take the place of the large one, for the small decoder.
    fn read_small_prosody(&mut self, file: Blob) -> Result<()>;

    /// As [`predict`](Self::predict), by the small prosody and without the features of the text.
    fn predict_small(
        &self,
        execution: &ExecutionContext<'_>,
        tokens: &[i64],
        controls: Option<&[TokenControl]>,
        max_frames: usize,
    ) -> Result<Result<Features, usize>>;

    /// Reads a decoder that can take the place of the vocoder.
    fn read_small_decoder(&mut self, file: Blob) -> Result<()>;

    /// The samples of a whole utterance by the small decoder.
    fn decode_small(
        &self,
        execution: &ExecutionContext<'_>,
        tokens: &[i64],
        features: &Features,
    ) -> Result<Vec<f32>>;

    /// Returns the memory of a signal to the pool.
    fn release(&self, signal: Signal);

    /// Returns memory to the system that is not kept from utterance to utterance.
    fn trim(&self);

    /// Returns all memory to the system that no utterance uses at the moment.
    fn clear(&self);
}

impl<K: Kernels> Synthesizer<K> {
    /// Reads the layers from both files.
    ///
    /// # Errors
    ///
    /// `model_error`, with the name of the tensor that is missing or damaged.
    pub(crate) fn read(
        backend: Backend,
        kernels: K,
        prosody_file: Blob,
        vocoder_file: Blob,
    ) -> Result<Self> {
        let prosody = Prosody::read(&prosody_file).map(Box::new)?;
        let vocoder = Vocoder::read(&vocoder_file).map(Box::new)?;
        if prosody.text_channels() != vocoder.inputs() {
            return Err(damaged("decoder.text"));
        }
        Ok(Self {
            backend,
            kernels,
            prosody,
            prosody_file,
            vocoder,
            vocoder_file,
            small_prosody: None,
            small_decoder: None,
            workspace: Workspace::default(),
        })
    }

    fn convolver<'a>(
        &'a self,
        execution: &ExecutionContext<'a>,
        file: &'a [u8],
    ) -> Convolver<'a, K> {
        Convolver {
            kernels: self.kernels,
            threads: execution.threads,
            cancel: execution.cancel,
            workspace: &self.workspace,
            file,
            frame_weights: execution.frame_weights,
        }
    }

    fn norms<'a>(
        &'a self,
        style: &'a [f32],
        averages: Option<&'a AverageStatistics>,
    ) -> AdainContext<'a> {
        AdainContext { file: &self.vocoder_file, style, averages }
    }
}

impl<K: Kernels> Synthesize for Synthesizer<K> {
    fn backend(&self) -> Backend {
        self.backend
    }

    fn statistics_channels(&self) -> usize {
        self.vocoder.statistics_channels()
    }

    fn predict(
        &self,
        execution: &ExecutionContext<'_>,
        tokens: &[i64],
        controls: Option<&[TokenControl]>,
        max_frames: usize,
    ) -> Result<Result<Features, usize>> {
        let convolver = self.convolver(execution, &self.prosody_file).fp32();
        let style = execution.style.prosody;
        execution.threads.run(|| self.prosody.run(&convolver, tokens, style, controls, max_frames))
    }

    fn decode(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        frames: Range<usize>,
        averages: Option<&AverageStatistics>,
    ) -> Result<Hidden> {
        let convolver = self.convolver(execution, &self.vocoder_file);
        let norms = self.norms(execution.style.decoder, averages);
        execution.threads.run(|| self.vocoder.decode(&convolver, &norms, features, frames))
    }

    fn source(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        range: Range<usize>,
    ) -> Result<Signal> {
        let convolver = self.convolver(execution, &self.prosody_file);
        execution.threads.run(|| self.prosody.source(&convolver.fp32(), &features.pitch, range))
    }

    fn generate(
        &self,
        execution: &ExecutionContext<'_>,
        source: &Signal,
        hidden: &Hidden,
        range: Range<usize>,
        averages: Option<&AverageStatistics>,
    ) -> Result<Vec<f32>> {
        let convolver = self.convolver(execution, &self.vocoder_file);
        let norms = self.norms(execution.style.generator, averages);
        execution.threads.run(|| self.vocoder.generate(&convolver, &norms, source, hidden, range))
    }

    fn read_small_prosody(&mut self, file: Blob) -> Result<()> {
        let prosody = Box::new(SmallProsody::read(&file)?);
        self.small_prosody = Some((file, prosody));
        Ok(())
    }

    fn predict_small(
        &self,
        execution: &ExecutionContext<'_>,
        tokens: &[i64],
        controls: Option<&[TokenControl]>,
        max_frames: usize,
    ) -> Result<Result<Features, usize>> {
        let missing = || Error::internal("no small prosody was read");
        let (file, prosody) = self.small_prosody.as_ref().ok_or_else(missing)?;
        let convolver = self.convolver(execution, file).fp32();
        let style = execution.style.prosody;
        execution.threads.run(|| prosody.run(&convolver, tokens, style, controls, max_frames))
    }

    fn read_small_decoder(&mut self, file: Blob) -> Result<()> {
        let decoder = Box::new(SmallDecoder::read(&file)?);
        self.small_decoder = Some((file, decoder));
        Ok(())
    }

    fn decode_small(
        &self,
        execution: &ExecutionContext<'_>,
        tokens: &[i64],
        features: &Features,
    ) -> Result<Vec<f32>> {
        let missing = || Error::internal("no small decoder was read");
        let (file, decoder) = self.small_decoder.as_ref().ok_or_else(missing)?;
        let convolver = self.convolver(execution, file).fp32();
        let tokens = padded(tokens);
        execution.threads.run(|| decoder.run(&convolver, &tokens, features, execution.style))
    }

    fn release(&self, signal: Signal) {
        self.workspace.buffers.recycle(signal.values);
    }

    fn trim(&self) {
        self.workspace.buffers.trim();
    }

    fn clear(&self) {
        self.workspace.clear();
    }
}

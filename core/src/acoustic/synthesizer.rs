//! Both halves of the acoustic model in one set of kernels.

use std::ops::Range;

use super::Features;
use super::kernels::Kernels;
use super::network::convolve::{Convolver, Memory};
use super::network::layers::{STYLE_HALF, damaged};
use super::network::norms::{Averages, Norms};
use super::network::signal::Signal;
use super::prosody::Prosody;
use super::select::{Backend, KernelSet};
use super::vocoder::{Hidden, Vocoder};
use crate::Result;
use crate::bundle::Blob;
use crate::cancel::CancelToken;
use crate::threads::Threads;

/// The halves, their files and the memory they compute in.
pub(super) struct Synthesizer<K: Kernels> {
    kernels: K,
    prosody_file: Blob,
    prosody: Prosody,
    vocoder_file: Blob,
    vocoder: Vocoder,
    memory: Memory,
}

/// One utterance, and what it is computed with.
#[derive(Clone, Copy)]
pub(crate) struct ExecutionContext<'a> {
    /// 256 numbers.
    pub(crate) style: &'a [f32],
    pub(crate) threads: &'a Threads,
    pub(crate) cancel: &'a CancelToken,
}

/// The acoustic model in whatever set of kernels. All it does ends with `cancelled` soon after the token is.
pub(crate) trait Synthesize: Send + Sync {
    /// What it computes with.
    fn backend(&self) -> Backend;

    /// For how many channels a voice must have average statistics.
    fn statistics(&self) -> usize;

    /// The features of 1 to 510 tokens.
    fn predict(&self, execution: &ExecutionContext<'_>, tokens: &[i64]) -> Result<Features>;

    /// The hidden rows of some frames: with the statistics of these frames, or with averages.
    fn decode(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        frames: Range<usize>,
        averages: Option<&Averages>,
    ) -> Result<Hidden>;

    /// The harmonic source of some hidden rows: 60 rows for each, and one more.
    fn source(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        rows: Range<usize>,
    ) -> Result<Signal>;

    /// The samples of some of the hidden rows, 300 each: with the statistics of these rows, or with averages.
    fn generate(
        &self,
        execution: &ExecutionContext<'_>,
        source: &Signal,
        hidden: &Hidden,
        rows: Range<usize>,
        averages: Option<&Averages>,
    ) -> Result<Vec<f32>>;

    /// Takes the memory of a signal back.
    fn free(&self, signal: Signal);
}

impl<K: Kernels> Synthesizer<K> {
    /// Reads the layers from both files.
    ///
    /// # Errors
    ///
    /// `model_error`, with the name of the tensor that is missing or damaged.
    pub(super) fn read(kernels: K, prosody_file: Blob, vocoder_file: Blob) -> Result<Self> {
        let (prosody, vocoder) = (Prosody::read(&prosody_file)?, Vocoder::read(&vocoder_file)?);
        if prosody.text_channels() != vocoder.inputs() {
            return Err(damaged("decoder.text"));
        }
        Ok(Self {
            kernels,
            prosody,
            prosody_file,
            vocoder,
            vocoder_file,
            memory: Memory::default(),
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
            memory: &self.memory,
            file,
        }
    }

    fn norms<'a>(
        &'a self,
        execution: &ExecutionContext<'a>,
        averages: Option<&'a Averages>,
    ) -> Norms<'a> {
        Norms { file: &self.vocoder_file, style: &execution.style[..STYLE_HALF], averages }
    }
}

impl<K: Kernels> Synthesize for Synthesizer<K> {
    fn backend(&self) -> Backend {
        let kernels = KernelSet::from_name(self.kernels.name()).unwrap_or_default();
        Backend { kernels, precision: self.kernels.precision() }
    }

    fn statistics(&self) -> usize {
        self.vocoder.statistics()
    }

    fn predict(&self, execution: &ExecutionContext<'_>, tokens: &[i64]) -> Result<Features> {
        let convolver = self.convolver(execution, &self.prosody_file);
        execution.threads.run(|| self.prosody.run(&convolver.exact(), tokens, execution.style))
    }

    fn decode(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        frames: Range<usize>,
        averages: Option<&Averages>,
    ) -> Result<Hidden> {
        let convolver = self.convolver(execution, &self.vocoder_file);
        let norms = self.norms(execution, averages);
        execution.threads.run(|| self.vocoder.decode(&convolver, &norms, features, frames))
    }

    fn source(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        rows: Range<usize>,
    ) -> Result<Signal> {
        let convolver = self.convolver(execution, &self.prosody_file);
        execution.threads.run(|| self.prosody.source(&convolver.exact(), &features.pitch, rows))
    }

    fn generate(
        &self,
        execution: &ExecutionContext<'_>,
        source: &Signal,
        hidden: &Hidden,
        rows: Range<usize>,
        averages: Option<&Averages>,
    ) -> Result<Vec<f32>> {
        let convolver = self.convolver(execution, &self.vocoder_file);
        let norms = self.norms(execution, averages);
        execution.threads.run(|| self.vocoder.generate(&convolver, &norms, source, hidden, rows))
    }

    fn free(&self, signal: Signal) {
        self.memory.buffers.give(signal.values);
    }
}

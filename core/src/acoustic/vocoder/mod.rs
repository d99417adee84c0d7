//! Features to sound: the decoder and the iSTFTNet generator (Kaneko et al. 2022) of the acoustic model, in our own kernels.

mod convolve;
mod decoder;
mod filter;
mod generator;
mod istft;
mod kernels;
mod layers;
mod norms;
mod select;
mod signal;

use std::ops::Range;

use convolve::{Convolver, Memory};
use decoder::Decoder;
use generator::Generator;
pub(crate) use generator::SOURCE;
use istft::InverseStft;
use kernels::Kernels;
use layers::{TIMBRE_SIZE, WeightFile};
pub(crate) use norms::Averages;
use norms::Norms;
pub(crate) use select::{Choice, load};
pub use select::{KernelSet, Metrics, Precision};
pub(crate) use signal::Signal;

use super::Features;
use crate::Result;
use crate::bundle::Blob;
use crate::cancel::CancelToken;
use crate::threads::Threads;

/// Channels of the text features.
pub(crate) const TEXT: usize = 512;

/// Rows of the harmonic source for each hidden row.
const SOURCE_ROWS: usize = 60;

/// The decoder and the generator, in one set of kernels.
struct Vocoder<K: Kernels> {
    kernels: K,
    file: Blob,
    decoder: Decoder,
    generator: Generator,
    inverse: InverseStft,
    /// For how many channels the normalizations need statistics.
    statistics: usize,
    memory: Memory<K::Element>,
    exact: Memory<f32>,
}

/// One utterance, and what it is computed with.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    pub(crate) features: &'a Features,
    /// Of the style the first half is read.
    pub(crate) style: &'a [f32],
    pub(crate) threads: &'a Threads,
    pub(crate) cancel: &'a CancelToken,
}

/// A vocoder in whatever set of kernels. All it does ends with `cancelled` soon after the token is.
pub(crate) trait Vocode: Send + Sync {
    /// What it computes with.
    fn metrics(&self) -> Metrics;

    /// For how many channels a voice must have average statistics.
    fn statistics(&self) -> usize;

    /// The hidden rows of an utterance, 80 a second.
    fn decode(&self, work: &Work<'_>) -> Result<Signal>;

    /// The samples of some of the hidden rows, 300 each: with the statistics of these rows, or with averages. The
    /// hidden rows are those of the whole utterance.
    fn generate(
        &self,
        work: &Work<'_>,
        hidden: &Signal,
        rows: Range<usize>,
        averages: Option<&Averages>,
    ) -> Result<Vec<f32>>;

    /// Takes the memory of hidden rows back.
    fn free(&self, hidden: Signal);
}

impl<K: Kernels> Vocoder<K> {
    fn read(kernels: K, file: Blob) -> Result<Self> {
        let weights = WeightFile::open(&file)?;
        let mut statistics = 0;
        let decoder = Decoder::read(&weights, &mut statistics)?;
        let generator = Generator::read(&weights, &file, &mut statistics)?;
        let inverse = InverseStft::new();
        Ok(Self {
            kernels,
            decoder,
            generator,
            inverse,
            statistics,
            memory: Memory::default(),
            exact: Memory::default(),
            file,
        })
    }

    fn convolver<'a>(&'a self, work: &Work<'a>) -> Convolver<'a, K> {
        Convolver {
            kernels: self.kernels,
            threads: work.threads,
            cancel: work.cancel,
            memory: &self.memory,
            exact: &self.exact,
            file: &self.file,
        }
    }

    fn norms<'a>(&'a self, work: &Work<'a>, averages: Option<&'a Averages>) -> Norms<'a> {
        Norms { file: &self.file, timbre: &work.style[..TIMBRE_SIZE], averages }
    }
}

impl<K: Kernels> Vocode for Vocoder<K> {
    fn metrics(&self) -> Metrics {
        let kernels = KernelSet::from_name(self.kernels.name()).unwrap_or_default();
        Metrics { kernels, precision: self.kernels.precision() }
    }

    fn statistics(&self) -> usize {
        self.statistics
    }

    fn decode(&self, work: &Work<'_>) -> Result<Signal> {
        self.decoder.run(&self.convolver(work), &self.norms(work, None), work.features)
    }

    fn generate(
        &self,
        work: &Work<'_>,
        hidden: &Signal,
        rows: Range<usize>,
        averages: Option<&Averages>,
    ) -> Result<Vec<f32>> {
        let convolver = self.convolver(work);
        let Range { start, end } = rows;
        let part = convolver.part_of(hidden, rows);
        let source =
            convolver.part_of(&work.features.source, start * SOURCE_ROWS..end * SOURCE_ROWS + 1);
        let norms = self.norms(work, averages);
        let spectrum = self.generator.run(&convolver, &norms, part, &source)?;
        convolver.free(source);
        self.inverse.run(&convolver.exact(), spectrum)
    }

    fn free(&self, hidden: Signal) {
        self.memory.floats.give(hidden.values);
    }
}

#[cfg(test)]
mod tests;

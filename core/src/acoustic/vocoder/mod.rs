//! Features to sound: the decoder and the iSTFTNet generator (Kaneko et al. 2022) of the acoustic model.

mod decoder;
mod generator;
mod istft;

use std::ops::Range;

use decoder::Decoder;
use generator::Generator;
use istft::InverseStft;

use super::Features;
use super::kernels::Kernels;
use super::network::convolve::Convolver;
use super::network::layers::WeightFile;
use super::network::norms::Norms;
use super::network::signal::Signal;
use crate::Result;

/// The hidden rows of a part of an utterance, two a frame.
#[derive(Debug)]
pub(crate) struct Hidden {
    /// Those of the utterance before them.
    pub(crate) before: usize,
    pub(crate) rows: Signal,
}

/// The decoder and the generator.
#[derive(Debug)]
pub(crate) struct Vocoder {
    decoder: Decoder,
    generator: Generator,
    inverse: InverseStft,
    /// For how many channels the normalizations need statistics.
    statistics: usize,
}

impl Vocoder {
    /// Reads the layers of vocoder.safetensors.
    ///
    /// # Errors
    ///
    /// `model_error`, with the name of the tensor that is missing or damaged.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let file = WeightFile::open("vocoder.safetensors", bytes)?;
        let mut statistics = 0;
        let decoder = Decoder::read(&file, &mut statistics)?;
        Ok(Self {
            generator: Generator::read(&file, bytes, decoder.outputs(), &mut statistics)?,
            decoder,
            inverse: InverseStft::new(),
            statistics,
        })
    }

    /// Channels of the text that it reads.
    pub(crate) fn inputs(&self) -> usize {
        self.decoder.inputs()
    }

    /// For how many channels the normalizations need statistics.
    pub(crate) fn statistics(&self) -> usize {
        self.statistics
    }

    /// The hidden rows of some frames of an utterance. With the statistics of these frames alone, those at the ends have
    /// the sound of an utterance that ends there.
    pub(crate) fn decode<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        features: &Features,
        frames: Range<usize>,
    ) -> Result<Hidden> {
        let before = 2 * frames.start;
        Ok(Hidden { before, rows: self.decoder.run(convolver, norms, features, frames)? })
    }

    /// The samples of some hidden rows of the utterance, 300 each, from the harmonic source of these.
    pub(crate) fn generate<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        source: &Signal,
        hidden: &Hidden,
        rows: Range<usize>,
    ) -> Result<Vec<f32>> {
        let Range { start, end } = rows;
        let part = convolver.part_of(&hidden.rows, start - hidden.before..end - hidden.before);
        let spectrum = self.generator.run(convolver, norms, part, source)?;
        self.inverse.run(&convolver.exact(), spectrum)
    }
}

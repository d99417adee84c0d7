//! Features to audio: the decoder and the iSTFTNet generator (Kaneko et al. 2022) of the acoustic
//! model.

mod decoder;
mod generator;
mod istft;

use std::ops::Range;

use speech_base::error::Result;
use speech_kernels::Kernels;

use super::Features;
use super::network::convolve::Convolver;
use super::network::layers::WeightFile;
use super::network::norms::AdainContext;
use super::network::signal::Signal;
use decoder::Decoder;
use generator::Generator;
use istft::InverseStft;

/// The hidden signal of a part of an utterance, two time steps per duration frame.
#[derive(Debug)]
pub(crate) struct Hidden {
    /// The time step of the utterance at which the signal begins.
    pub(crate) start: usize,
    pub(crate) signal: Signal,
}

/// The decoder and the generator.
#[derive(Debug)]
pub(crate) struct Vocoder {
    decoder: Decoder,
    generator: Generator,
    inverse: InverseStft,
    /// The number of channels in a voice's average statistics.
    statistics_channels: usize,
}

impl Vocoder {
    /// Reads the layers of vocoder.safetensors.
    ///
    /// # Errors
    ///
    /// `model_error`, which names the missing or damaged tensor.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let file = WeightFile::open("vocoder.safetensors", bytes)?;
        let mut statistics_channels = 0;
        let decoder = Decoder::read(&file, &mut statistics_channels)?;
        Ok(Self {
            generator: Generator::read(&file, bytes, decoder.outputs(), &mut statistics_channels)?,
            decoder,
            inverse: InverseStft::new(),
            statistics_channels,
        })
    }

    /// Channels of the text features.
    pub(crate) fn inputs(&self) -> usize {
        self.decoder.inputs()
    }

    /// The number of channels in a voice's average statistics.
    pub(crate) fn statistics_channels(&self) -> usize {
        self.statistics_channels
    }

    /// The hidden signal of a range of frames of an utterance. Without context around the range,
    /// its ends sound like the ends of an utterance.
    pub(crate) fn decode<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        features: &Features,
        frames: Range<usize>,
    ) -> Result<Hidden> {
        let start = 2 * frames.start;
        Ok(Hidden { start, signal: self.decoder.run(convolver, norms, features, frames)? })
    }

    /// The samples of a range of hidden time steps, 300 each, from the harmonic source of that
    /// range.
    pub(crate) fn generate<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        source: &Signal,
        hidden: &Hidden,
        range: Range<usize>,
    ) -> Result<Vec<f32>> {
        let Range { start, end } = range;
        let part =
            convolver.copy_time_steps(&hidden.signal, start - hidden.start..end - hidden.start)?;
        let spectrum = self.generator.run(convolver, norms, part, source)?;
        self.inverse.run(&convolver.fp32(), spectrum)
    }
}

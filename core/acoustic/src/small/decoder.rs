//! Features to sound, in place of the vocoder: ConvNeXt blocks on frames of 12.5 ms, which predict the filters of pulses and noise.

use speech_base::error::Result;
use speech_kernels::Kernels;

use super::EPSILON;
use super::block::Block;
use super::synthesis::{PART, PARTS, Synthesis};
use super::text::TextEncoder;
use crate::network::convolve::{Convolver, Input};
use crate::network::layer_norm::LayerNorm;
use crate::network::layers::{Convolution, STYLE_PART, WeightFile, damaged};
use crate::network::signal::Signal;
use crate::{Features, Style};

/// Passes of the transformer layer of the text.
const PASSES: usize = 4;

/// The decoder.
#[derive(Debug)]
pub(crate) struct SmallDecoder {
    text: TextEncoder,
    input: Convolution,
    blocks: Vec<Block>,
    norm: LayerNorm,
    head: Convolution,
    synthesis: Synthesis,
}

impl SmallDecoder {
    /// Reads the layers of small_decoder.safetensors.
    ///
    /// # Errors
    ///
    /// `model_error`, with the name of the tensor that is missing or damaged.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let file = WeightFile::open("small_decoder.safetensors", bytes)?;
        let (text, input) = (TextEncoder::read(&file, PASSES)?, file.convolution("input", 1)?);
        let (norm, head) = (LayerNorm::read(&file, "norm", EPSILON)?, file.convolution("head", 1)?);
        let width = input.shape.outputs;
        let count = (0..).take_while(|n| file.has(&format!("blocks.{n}."))).count();
        let blocks = (0..count)
            .map(|n| Block::read(&file, &format!("blocks.{n}"), width, 1, 2 * STYLE_PART));
        // Two channels are the pitch and the energy.
        if input.shape.inputs != (text.outputs() + 2).next_multiple_of(32) {
            return Err(damaged("input.weight"));
        }
        if norm.channels() != width
            || (head.shape.inputs, head.shape.outputs) != (width, PARTS * PART)
        {
            return Err(damaged("head.weight"));
        }
        let (blocks, synthesis) = (blocks.collect::<Result<_>>()?, Synthesis::new());
        Ok(Self { text, input, blocks, norm, head, synthesis })
    }

    /// The samples of an utterance, without those of the text features: 300 for each frame of 12.5 ms.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` for a token without an embedding, or if the system has no memory for it.
    pub(crate) fn run<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        tokens: &[usize],
        features: &Features,
        style: Style<'_>,
    ) -> Result<Vec<f32>> {
        let spectra = self.spectra(convolver, tokens, features, style)?;
        let (kernels, threads) = (convolver.kernels.fp32(), convolver.threads);
        let samples = self.synthesis.run(kernels, threads, &spectra, &features.pitch);
        convolver.release(spectra);
        Ok(samples)
    }

    /// The [`PARTS`] spectra of each frame.
    pub(super) fn spectra<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        tokens: &[usize],
        features: &Features,
        style: Style<'_>,
    ) -> Result<Signal> {
        let text = self.text.run(convolver, tokens)?;
        let input = self.frames(convolver, &text, features)?;
        convolver.release(text);
        let mut hidden = convolver.apply(&self.input, &Input::plain(&input))?;
        convolver.release(input);
        let style = [style.decoder, style.generator].concat();
        for block in &self.blocks {
            block.run(convolver, &mut hidden, &style)?;
        }
        self.norm.apply_to(convolver, &mut hidden);
        let spectra = convolver.apply(&self.head, &Input::plain(&hidden))?;
        convolver.release(hidden);
        Ok(spectra)
    }

    /// The input: each token for as many frames as it lasts, with their pitch and energy.
    fn frames<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        text: &Signal,
        features: &Features,
    ) -> Result<Signal> {
        let mut input = convolver.signal(features.pitch.len(), self.input.shape.inputs)?;
        let token = features.durations.iter().enumerate();
        let token = token.flat_map(|(n, frames)| std::iter::repeat_n(n, 2 * frames));
        let curves = features.pitch.iter().zip(&features.energy);
        let rows = input.values.chunks_exact_mut(input.channels);
        for ((row, n), (pitch, energy)) in rows.zip(token).zip(curves) {
            let (encoded, rest) = row.split_at_mut(text.channels);
            encoded.copy_from_slice(text.frame(n));
            rest.fill(0.0);
            rest[0] = pitch.max(0.0).ln_1p() / 5.0;
            rest[1] = energy / 5.0;
        }
        Ok(input)
    }
}

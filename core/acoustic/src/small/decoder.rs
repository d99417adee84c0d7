//! Features to audio, in place of the vocoder: ConvNeXt blocks on frames of 12.5 ms predict filters
//! for pulses and noise.

use std::ops::Range;
use std::slice;

use speech_base::error::Result;
use speech_kernels::{Activation, Kernels};

use super::EPSILON;
use super::block::Block;
use super::product::Product;
use super::synthesis::{PART, PARTS, Synthesis};
use super::text::TextEncoder;
use crate::network::convolve::Convolver;
use crate::network::layer_norm::LayerNorm;
use crate::network::layers::{STYLE_PART, WeightFile, damaged};
use crate::network::signal::Signal;
use crate::{Features, Style};

/// How often the text's transformer layer is applied.
const PASSES: usize = 4;

/// The taps of the convolutions over frames.
const TAPS: usize = 7;

/// The decoder.
pub(crate) struct SmallDecoder<K: Kernels> {
    text: TextEncoder<K::Fp32>,
    input: Product<K>,
    /// Quantized to bytes, in which the spectra lose less than in bfloat16 and the weights take
    /// half the memory.
    blocks: Vec<Block<K::Fp32>>,
    norm: LayerNorm,
    head: Product<K::Fp32>,
    synthesis: Synthesis,
}

impl<K: Kernels> SmallDecoder<K> {
    /// Reads the layers of small_decoder.safetensors.
    ///
    /// # Errors
    ///
    /// `model_error`, which names the missing or damaged tensor.
    pub(crate) fn read(bytes: &[u8], kernels: K) -> Result<Self> {
        let file = WeightFile::open("small_decoder.safetensors", bytes)?;
        let fp32 = kernels.fp32();
        let text = TextEncoder::read(&file, fp32, PASSES)?;
        let norm = LayerNorm::read(&file, "norm", EPSILON)?;
        let width = norm.channels();
        // Two channels are the pitch and the energy.
        let inputs = (text.outputs() + 2).next_multiple_of(32);
        let input = Product::read(&file, kernels, "input", inputs, width)?;
        let head = Product::read(&file, fp32, "head", width, PARTS * PART)?;
        let count = (0..).take_while(|n| file.has(&format!("blocks.{n}."))).count();
        let block = |n| {
            let name = format!("blocks.{n}");
            let block = Block::read(&file, fp32, &name, width, 1, 2 * STYLE_PART)?;
            if block.taps() <= TAPS { Ok(block.in_bytes(fp32)) } else { Err(damaged(&name)) }
        };
        let blocks = (0..count).map(block).collect::<Result<_>>()?;
        if input.taps() > TAPS {
            return Err(damaged("input.weight"));
        }
        Ok(Self { text, input, blocks, norm, head, synthesis: Synthesis::new() })
    }

    /// The encoded tokens, one time step each.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` for a token without an embedding, or if the system has no memory for
    /// it.
    pub(crate) fn encode(&self, convolver: &Convolver<'_, K>, tokens: &[usize]) -> Result<Signal> {
        self.text.run(&convolver.fp32(), tokens)
    }

    /// The samples of a range of 12.5 ms frames, 300 each, from an utterance's encoded tokens and
    /// features. The samples do not depend on the range.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` if the system has no memory for it.
    pub(crate) fn run(
        &self,
        convolver: &Convolver<'_, K>,
        text: &Signal,
        features: &Features,
        style: Style<'_>,
        frames: Range<usize>,
    ) -> Result<Vec<f32>> {
        let windows = Synthesis::windows(&frames, features.pitch.len());
        let spectra = self.spectra(convolver, text, features, style, windows.clone())?;
        let (kernels, threads) = (convolver.kernels.fp32(), convolver.threads);
        let spectra_of = (&spectra, windows);
        let samples = self.synthesis.run(kernels, threads, spectra_of, &features.pitch, frames);
        convolver.release(spectra);
        Ok(samples)
    }

    /// The [`PARTS`] spectra of each frame of a range.
    pub(super) fn spectra(
        &self,
        convolver: &Convolver<'_, K>,
        text: &Signal,
        features: &Features,
        style: Style<'_>,
        frames: Range<usize>,
    ) -> Result<Signal> {
        // A frame depends on this many frames on both sides, through all convolutions.
        let context = (self.blocks.len() + 1) * (TAPS / 2);
        let start = frames.start.saturating_sub(context);
        let around = start..features.pitch.len().min(frames.end + context);
        let input = self.frames(convolver, text, features, around)?;
        let mut hidden = self.input.apply(convolver, &input, Activation::None)?;
        convolver.release(input);
        let convolver = &convolver.fp32();
        let style = [style.decoder, style.generator].concat();
        for block in &self.blocks {
            hidden = block.run(convolver, hidden, &style)?;
        }
        hidden.keep(slice::from_ref(&(frames.start - start..frames.end - start)));
        self.norm.apply_to(convolver, &mut hidden);
        let spectra = self.head.apply(convolver, &hidden, Activation::None)?;
        convolver.release(hidden);
        Ok(spectra)
    }

    /// The input: each token repeated for its duration, with pitch and energy.
    fn frames(
        &self,
        convolver: &Convolver<'_, K>,
        text: &Signal,
        features: &Features,
        frames: Range<usize>,
    ) -> Result<Signal> {
        let mut input = convolver.signal(frames.len(), self.input.inputs())?;
        let token = features.durations.iter().enumerate();
        let token = token.flat_map(|(n, frames)| std::iter::repeat_n(n, 2 * frames));
        let curves = features.pitch[frames.clone()].iter().zip(&features.energy[frames.clone()]);
        let rows = input.values.chunks_exact_mut(input.channels);
        for ((row, n), (pitch, energy)) in rows.zip(token.skip(frames.start)).zip(curves) {
            let (encoded, rest) = row.split_at_mut(text.channels);
            encoded.copy_from_slice(text.frame(n));
            rest.fill(0.0);
            rest[0] = pitch.max(0.0).ln_1p() / 5.0;
            rest[1] = energy / 5.0;
        }
        Ok(input)
    }
}

//! Tokens to durations, pitch and energy, by the small network.

use speech_base::error::Result;
use speech_kernels::{Activation, Kernels};

use super::block::{Block, linear};
use super::product::Product;
use super::text::TextEncoder;
use crate::network::convolve::Convolver;
use crate::network::layers::{STYLE_PART, WeightFile};
use crate::network::signal::Signal;
use crate::prosody::{curves, duration, padded, regulate_length};
use crate::{Features, TokenControl};

/// How often the text's transformer layer is applied.
const PASSES: usize = 6;

/// The time steps between the taps of each block.
const DILATIONS: [usize; 6] = [1, 2, 4, 8, 1, 2];

/// The factors of the outputs: to a pitch in hertz, and to an energy.
const PITCH: f32 = 100.0;
const ENERGY: f32 = 5.0;

/// The most frames a token is expected to take, whatever the weights give.
const LONGEST: f32 = 1_000.0;

/// The channels of an output; few are used.
const OUTPUTS: usize = 32;

/// The predictor of durations, pitch and energy.
pub(crate) struct SmallProsody<K: Kernels> {
    text: TextEncoder<K>,
    /// Projects a style, which is added to the text; none with a single voice.
    style: Option<Product<K>>,
    /// Two layers, whose output is the logarithm of the duration plus one.
    duration: [Product<K>; 2],
    input: Product<K>,
    blocks: [Block<K>; DILATIONS.len()],
    /// The first four channels are for two steps of 12.5 ms: both pitches, then both energies.
    output: Product<K>,
}

impl<K: Kernels<Element = f32>> SmallProsody<K> {
    /// Reads the layers of `small_prosody.safetensors`.
    ///
    /// # Errors
    ///
    /// `model_error`, which names the missing or damaged tensor.
    pub(crate) fn read(bytes: &[u8], kernels: K) -> Result<Self> {
        let file = WeightFile::open("small_prosody.safetensors", bytes)?;
        let text = TextEncoder::read(&file, kernels, PASSES)?;
        let width = text.outputs();
        let product =
            |name: &str, inputs, outputs| Product::read(&file, kernels, name, inputs, outputs);
        let block = |n: usize| {
            let name = format!("blocks.{n}");
            Block::read(&file, kernels, &name, width, DILATIONS[n], STYLE_PART)
        };
        let style = file.has("style.").then(|| product("style", STYLE_PART, width));
        Ok(Self {
            style: style.transpose()?,
            duration: [
                product("duration.0", width, width)?,
                product("duration.1", width, OUTPUTS)?,
            ],
            input: product("input", width, width)?,
            blocks: [block(0)?, block(1)?, block(2)?, block(3)?, block(4)?, block(5)?],
            output: product("output", width, OUTPUTS)?,
            text,
        })
    }

    /// The features of some tokens in the prosody part of a style, without the encoded text, or the
    /// number of frames if it is over `max_frames`; nothing more is then computed. Adds the padding
    /// tokens. `controls` has one element per token.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` for a token without an embedding, or if the system has no memory for
    /// it.
    pub(crate) fn run(
        &self,
        convolver: &Convolver<'_, K>,
        tokens: &[i64],
        style: &[f32],
        controls: Option<&[TokenControl]>,
        max_frames: usize,
    ) -> Result<Result<Features, usize>> {
        let mut text = self.text.run(convolver, &padded(tokens))?;
        if let Some(layer) = &self.style {
            let styled = linear(convolver, layer, style)?;
            for row in text.values.chunks_exact_mut(styled.channels) {
                row.iter_mut().zip(&*styled.values).for_each(|(x, styled)| *x += styled);
            }
            convolver.release(styled);
        }
        let durations = duration::frames(&self.expected(convolver, &text)?, controls);
        let frames = durations.iter().sum();
        if frames > max_frames {
            convolver.release(text);
            return Ok(Err(frames));
        }
        let curves = self.curves(convolver, &text, &durations, style)?;
        let [mut pitch, energy] = [(0, PITCH), (2, ENERGY)].map(|(first, factor)| {
            let rows = curves.values.chunks_exact(curves.channels);
            rows.flat_map(|row| &row[first..first + 2]).map(|x| x * factor).collect::<Vec<_>>()
        });
        [curves, text].into_iter().for_each(|signal| convolver.release(signal));
        if let Some(controls) = controls {
            curves::scale(&mut pitch, &durations, controls);
        }
        Ok(Ok(Features { durations, text: None, pitch, energy }))
    }

    /// The expected frames of each token.
    fn expected(&self, convolver: &Convolver<'_, K>, text: &Signal) -> Result<Vec<f32>> {
        let [first, second] = &self.duration;
        let hidden = first.apply(convolver, text, Activation::None)?;
        let output = second.apply(convolver, &hidden, Activation::Gelu)?;
        let rows = output.values.chunks_exact(output.channels);
        let expected = rows.map(|row| row[0].exp_m1().min(LONGEST)).collect();
        [output, hidden].into_iter().for_each(|signal| convolver.release(signal));
        Ok(expected)
    }

    /// The output for each frame of 25 ms.
    fn curves(
        &self,
        convolver: &Convolver<'_, K>,
        text: &Signal,
        durations: &[usize],
        style: &[f32],
    ) -> Result<Signal> {
        // A linear layer gives the same result before tokens are repeated, and there are fewer of
        // them.
        let tokens = self.input.apply(convolver, text, Activation::None)?;
        let mut hidden = regulate_length(convolver, &tokens, durations)?;
        convolver.release(tokens);
        for block in &self.blocks {
            hidden = block.run(convolver, hidden, style)?;
        }
        let output = self.output.apply(convolver, &hidden, Activation::None)?;
        convolver.release(hidden);
        Ok(output)
    }
}

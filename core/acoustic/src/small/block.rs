//! A ConvNeXt block: a depthwise convolution, layer normalization and two linear layers, added to the input.

use speech_base::error::Result;
use speech_kernels::{Activation, Kernels};

use super::EPSILON;
use crate::network::convolve::{Convolver, Input, Sink};
use crate::network::layer_norm::LayerNorm;
use crate::network::layers::{Convolution, WeightFile, damaged};
use crate::network::signal::Signal;

/// Time steps that a thread computes at a time.
const CHUNK: usize = 32;

#[derive(Debug)]
pub(super) struct Block {
    depthwise: Depthwise,
    norm: LayerNorm,
    /// From a style to a scale and a shift; none for a block that has no style.
    style: Option<Convolution>,
    inner: Convolution,
    outer: Convolution,
}

/// A convolution of each channel by itself, with zero padding.
#[derive(Debug)]
struct Depthwise {
    /// A row for each tap.
    weight: Vec<f32>,
    bias: Vec<f32>,
    /// Time steps from one tap to the next.
    dilation: usize,
}

impl Block {
    /// A block that may have a style of so many values.
    pub(super) fn read(
        file: &WeightFile<'_>,
        name: &str,
        width: usize,
        dilation: usize,
        style: usize,
    ) -> Result<Self> {
        let part = |part: &str| format!("{name}.{part}");
        let is_styled = file.has(&part("style."));
        let inner = file.convolution(&part("inner"), 1)?;
        let wide = inner.shape.outputs;
        let norm = LayerNorm::read(file, &part("norm"), EPSILON)?;
        if norm.channels() != width || (inner.shape.taps, inner.shape.inputs) != (1, width) {
            return Err(damaged(name));
        }
        let style = is_styled.then(|| file.linear(&part("style"), style, 2 * width));
        Ok(Self {
            depthwise: Depthwise::read(file, &part("depthwise"), width, dilation)?,
            norm,
            style: style.transpose()?,
            inner,
            outer: file.linear(&part("outer"), wide, width)?,
        })
    }

    /// Runs in place. A block without a style needs none.
    pub(super) fn run<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        signal: &mut Signal,
        style: &[f32],
    ) -> Result<()> {
        let channels = signal.channels;
        let styled =
            self.style.as_ref().map(|layer| linear(convolver, layer, style)).transpose()?;
        let styled_by = styled.as_ref().map(|styled| styled.values.split_at(channels));
        let mut hidden = convolver.signal(signal.time_steps(), channels)?;
        convolver.threads.for_each_chunk(&mut hidden.values, CHUNK * channels, |chunk, rows| {
            for (t, row) in rows.chunks_exact_mut(channels).enumerate() {
                self.depthwise.apply(signal, chunk * CHUNK + t, row);
                self.norm.apply(row);
                if let Some((scale, shift)) = styled_by {
                    for ((x, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                        *x = *x * scale + shift;
                    }
                }
            }
        });
        let inner = convolver.apply(&self.inner, &Input::plain(&hidden))?;
        let input = Input { signal: &inner, activation: Activation::Gelu };
        convolver.convolve(
            &self.outer,
            &input,
            signal,
            Sink { accumulate: true, ..Sink::default() },
        )?;
        [Some(inner), Some(hidden), styled]
            .into_iter()
            .flatten()
            .for_each(|signal| convolver.release(signal));
        Ok(())
    }
}

/// A linear function of some values: one time step.
pub(super) fn linear<K: Kernels<Element = f32>>(
    convolver: &Convolver<'_, K>,
    layer: &Convolution,
    values: &[f32],
) -> Result<Signal> {
    let mut input = convolver.signal(1, values.len())?;
    input.values.copy_from_slice(values);
    let output = convolver.apply(layer, &Input::plain(&input))?;
    convolver.release(input);
    Ok(output)
}

impl Depthwise {
    fn read(file: &WeightFile<'_>, name: &str, width: usize, dilation: usize) -> Result<Self> {
        let (weight, bias) = (file.any_floats(&format!("{name}.weight"))?, file.bias(name)?);
        let taps = weight.len() / width.max(1);
        if bias.len() != width || weight.len() != taps * width || taps.is_multiple_of(2) {
            return Err(damaged(name));
        }
        Ok(Self { weight, bias, dilation })
    }

    /// A time step of the output.
    fn apply(&self, signal: &Signal, t: usize, output: &mut [f32]) {
        output.copy_from_slice(&self.bias);
        let taps = self.weight.chunks_exact(output.len());
        let before = self.dilation * (taps.len() / 2);
        for (tap, weights) in taps.enumerate() {
            let Some(step) =
                (t + self.dilation * tap).checked_sub(before).filter(|t| *t < signal.time_steps())
            else {
                continue;
            };
            for ((sum, weight), x) in output.iter_mut().zip(weights).zip(signal.frame(step)) {
                *sum += weight * x;
            }
        }
    }
}

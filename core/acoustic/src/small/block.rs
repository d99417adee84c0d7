//! A ConvNeXt block: a depthwise convolution, layer normalization and two linear layers, added to
//! the input.

use speech_base::error::{Error, Result};
use speech_kernels::{Activation, Elementwise, Kernels};

use super::EPSILON;
use super::product::{CHUNK, Product};
use crate::network::convolve::Convolver;
use crate::network::layer_norm::LayerNorm;
use crate::network::layers::{WeightFile, damaged};
use crate::network::signal::Signal;

pub(super) struct Block<K: Kernels> {
    depthwise: Depthwise,
    norm: LayerNorm,
    /// Maps a style to a scale and a shift; none for a block without a style.
    style: Option<Product<K::Fp32>>,
    inner: Product<K>,
    outer: Product<K>,
}

/// A depthwise convolution with zero padding: each channel is convolved by itself.
#[derive(Debug)]
struct Depthwise {
    /// One row per tap.
    weight: Vec<f32>,
    bias: Vec<f32>,
    /// The time steps from one tap to the next.
    dilation: usize,
}

impl<K: Kernels> Block<K> {
    /// A block, with a style of this many values if given.
    pub(super) fn read(
        file: &WeightFile<'_>,
        kernels: K,
        name: &str,
        width: usize,
        dilation: usize,
        style: usize,
    ) -> Result<Self> {
        let part = |part: &str| format!("{name}.{part}");
        let product = |name: &str, inputs, outputs| {
            Product::read(file, kernels, &part(name), inputs, outputs)
        };
        let norm = LayerNorm::read(file, &part("norm"), EPSILON)?;
        if norm.channels() != width {
            return Err(damaged(name));
        }
        let style = file
            .has(&part("style."))
            .then(|| Product::read(file, kernels.fp32(), &part("style"), style, 2 * width));
        let wide = file.bias(&part("inner"))?.len();
        Ok(Self {
            depthwise: Depthwise::read(file, &part("depthwise"), width, dilation)?,
            norm,
            style: style.transpose()?,
            inner: product("inner", width, wide)?,
            outer: product("outer", wide, width)?,
        })
    }

    /// The same block with the inputs of its linear layers quantized to bytes, where the processor
    /// multiplies bytes.
    pub(super) fn in_bytes(self, kernels: K) -> Self {
        let [inner, outer] = [self.inner, self.outer].map(|product| product.in_bytes(kernels));
        Self { inner, outer, ..self }
    }

    /// The taps of the convolution.
    pub(super) fn taps(&self) -> usize {
        self.depthwise.weight.len() / self.depthwise.bias.len()
    }

    /// Applies the block to a signal. A block without a style needs none.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` if the system has no memory for it.
    pub(super) fn run(
        &self,
        convolver: &Convolver<'_, K>,
        signal: Signal,
        style: &[f32],
    ) -> Result<Signal> {
        convolver.cancel.check()?;
        let (channels, wide) = (signal.channels, self.inner.outputs());
        let fp32 = convolver.fp32();
        let styled = self.style.as_ref().map(|layer| linear(&fp32, layer, style)).transpose()?;
        let LayerNorm { weight, bias, epsilon } = &self.norm;
        let (mut weight, mut bias) = (weight.clone(), bias.clone());
        if let Some(styled) = &styled {
            let (scale, shift) = styled.values.split_at(channels);
            for (n, scale) in scale.iter().enumerate() {
                (weight[n], bias[n]) = (weight[n] * scale, bias[n] * scale + shift[n]);
            }
        }
        let norm = LayerNorm { weight, bias, epsilon: *epsilon };
        let mut output = convolver.signal(signal.time_steps(), channels)?;
        let chunk_of = |chunk: usize, output: &mut [f32]| {
            let first = chunk * CHUNK;
            let rows = output.len() / channels;
            let mut hidden = convolver.signal(rows, channels)?;
            for (t, row) in hidden.values.chunks_exact_mut(channels).enumerate() {
                self.depthwise.apply(convolver.kernels, &signal, first + t, row);
                norm.apply(convolver.kernels, row);
            }
            let activated = |product: &Product<K>, signal: &Signal, activation: Activation<'_>| {
                let mut activated = product.rows(convolver, rows)?;
                let values = &mut activated[..signal.values.len()];
                convolver.kernels.activate(&signal.values, signal.channels, &activation, values);
                Ok::<_, Error>(activated)
            };
            let normalized = activated(&self.inner, &hidden, Activation::None)?;
            let mut inner = convolver.signal(rows, wide)?;
            self.inner.multiply(convolver, &normalized, None, &mut inner.values);
            let activated = activated(&self.outer, &inner, Activation::Gelu)?;
            let residual = &signal.values[first * channels..][..output.len()];
            self.outer.multiply(convolver, &activated, Some(residual), output);
            [hidden, inner].into_iter().for_each(|signal| convolver.release(signal));
            [normalized, activated]
                .into_iter()
                .for_each(|rows| convolver.workspace.buffers.recycle(rows));
            Ok::<_, Error>(())
        };
        convolver.threads.try_for_each_chunk(&mut output.values, CHUNK * channels, chunk_of)?;
        [Some(signal), styled].into_iter().flatten().for_each(|signal| convolver.release(signal));
        Ok(output)
    }
}

/// A linear function of some values, as one time step.
pub(super) fn linear<K: Kernels<Element = f32>>(
    convolver: &Convolver<'_, K>,
    layer: &Product<K>,
    values: &[f32],
) -> Result<Signal> {
    let mut output = convolver.signal(1, layer.outputs())?;
    layer.multiply(convolver, values, None, &mut output.values);
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

    /// Computes one time step of the output.
    fn apply(&self, kernels: impl Kernels, signal: &Signal, t: usize, output: &mut [f32]) {
        output.copy_from_slice(&self.bias);
        let taps = self.weight.chunks_exact(output.len()).enumerate();
        let before = self.dilation * (taps.len() / 2);
        let inside = |step: &usize| *step < signal.time_steps();
        let pairs = taps.filter_map(|(tap, weights)| {
            let step = (t + self.dilation * tap).checked_sub(before).filter(inside)?;
            Some([weights, signal.frame(step)])
        });
        let pairs: Vec<_> = pairs.collect();
        kernels.fp32().add_products_of_rows(&pairs, output);
    }
}

//! Residual blocks with adaptive instance normalization, used by the decoder and the pitch and
//! energy predictors.

use speech_base::error::Result;
use speech_kernels::{Activation, Kernels};

use super::convolve::{Convolver, Input, Sink};
use super::layers::{Affine, Convolution, Normalization, WeightFile, damaged};
use super::norms::AdainContext;
use super::signal::Signal;

const SLOPE: f32 = 0.2;

/// Two convolutions, each after a normalization and leaky ReLU, and a shortcut around both.
#[derive(Debug)]
pub(crate) struct AdainBlock {
    norm1: Normalization,
    /// Doubles the time steps, if present.
    upsampling: Option<DepthwiseUpsampling>,
    conv1: Convolution,
    norm2: Normalization,
    conv2: Convolution,
    /// None if the input itself is the shortcut.
    shortcut: Option<Convolution>,
}

/// The shortcut of a block, and whether it upsamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// The shortcut is the input.
    Identity,
    /// The shortcut is a convolution.
    Projection,
    /// The shortcut is a convolution, and the output has twice as many time steps as the input.
    Upsampling,
}

/// A depthwise transposed convolution of stride 2.
#[derive(Debug)]
struct DepthwiseUpsampling {
    /// Three taps, with one element per channel each.
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl AdainBlock {
    /// Reads the layers. `statistics_offset` is advanced past the channels of the normalizations.
    pub(crate) fn read(
        file: &WeightFile<'_>,
        name: &str,
        kind: BlockKind,
        statistics_offset: &mut usize,
    ) -> Result<Self> {
        let norm1 = file.normalization(&format!("{name}.norm1"), statistics_offset)?;
        let upsampling = (kind == BlockKind::Upsampling)
            .then(|| DepthwiseUpsampling::read(file, &format!("{name}.pool"), norm1.channels));
        let shortcut =
            (kind != BlockKind::Identity).then(|| file.convolution(&format!("{name}.shortcut"), 1));
        Self {
            norm1,
            upsampling: upsampling.transpose()?,
            conv1: file.convolution(&format!("{name}.conv1"), 1)?,
            norm2: file.normalization(&format!("{name}.norm2"), statistics_offset)?,
            conv2: file.convolution(&format!("{name}.conv2"), 1)?,
            shortcut: shortcut.transpose()?,
        }
        .checked(name)
    }

    /// Rejects layers whose channel counts do not match.
    fn checked(self, name: &str) -> Result<Self> {
        let Self { norm1, conv1, norm2, conv2, shortcut, .. } = &self;
        let (inputs, outputs) = (norm1.channels, conv2.shape.outputs);
        let shortcut_channels = shortcut
            .as_ref()
            .map_or((inputs, inputs), |shortcut| (shortcut.shape.inputs, shortcut.shape.outputs));
        let fits = (conv1.shape.inputs, conv1.shape.outputs) == (inputs, norm2.channels)
            && conv2.shape.inputs == norm2.channels
            && shortcut_channels == (inputs, outputs)
            // The signal between the convolutions has as many channels as the output.
            && norm2.channels == outputs;
        if fits { Ok(self) } else { Err(damaged(name)) }
    }

    /// Channels of the input.
    pub(crate) fn inputs(&self) -> usize {
        self.norm1.channels
    }

    /// Channels of the output.
    pub(crate) fn outputs(&self) -> usize {
        self.conv2.shape.outputs
    }

    /// The sum of the shortcut and of the convolutions, each scaled to half its power.
    pub(crate) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        input: &Signal,
    ) -> Result<Signal> {
        let outputs = self.outputs();
        let first = norms.affine(&self.norm1, &convolver.channel_sums(input));
        let factor = if self.upsampling.is_some() { 2 } else { 1 };
        let time_steps = factor * input.time_steps();
        let mut inner = convolver.signal(time_steps, outputs)?;
        let channel_sums = match &self.upsampling {
            None => {
                let conv_input = Input { signal: input, activation: leaky(&first) };
                convolver.convolve(&self.conv1, &conv_input, &mut inner, Sink::WITH_SUMS)?
            }
            Some(upsampling) => {
                let upsampled = upsampling.run(convolver, input, &first)?;
                let conv_input = Input::plain(&upsampled);
                let channel_sums =
                    convolver.convolve(&self.conv1, &conv_input, &mut inner, Sink::WITH_SUMS)?;
                convolver.release(upsampled);
                channel_sums
            }
        };
        let second = norms.affine(&self.norm2, &channel_sums);
        let shortcut = self.shortcut(convolver, input)?;
        let mut output = convolver.signal(time_steps, outputs)?;
        let sink = Sink {
            residual: Some(shortcut.as_ref().unwrap_or(input)),
            scale: Some(std::f32::consts::FRAC_1_SQRT_2),
            ..Sink::default()
        };
        let conv_input = Input { signal: &inner, activation: leaky(&second) };
        convolver.convolve(&self.conv2, &conv_input, &mut output, sink)?;
        [Some(inner), shortcut].into_iter().flatten().for_each(|signal| convolver.release(signal));
        Ok(output)
    }

    /// The shortcut of an input; none if it is the input itself.
    fn shortcut<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        input: &Signal,
    ) -> Result<Option<Signal>> {
        let Some(shortcut) = &self.shortcut else { return Ok(None) };
        let signal = convolver.apply(shortcut, &Input::plain(input))?;
        Ok(Some(if self.upsampling.is_some() { repeat_each(convolver, signal)? } else { signal }))
    }
}

impl DepthwiseUpsampling {
    fn read(file: &WeightFile<'_>, name: &str, channels: usize) -> Result<Self> {
        Ok(Self {
            weight: file.floats(&format!("{name}.weight"), 3 * channels)?,
            bias: file.floats(&format!("{name}.bias"), channels)?,
        })
    }

    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        input: &Signal,
        affine: &Affine,
    ) -> Result<Signal> {
        let channels = input.channels;
        let activated = |t: usize, channel: usize| {
            let z = affine.scale[channel] * input.frame(t)[channel] + affine.shift[channel];
            z.max(SLOPE * z)
        };
        let [before, at, after] = [0, 1, 2].map(|tap| &self.weight[tap * channels..][..channels]);
        let mut output = convolver.signal(2 * input.time_steps(), channels)?;
        convolver.threads.for_each_chunk(&mut output.values, 2 * channels, |t, frames| {
            let (even, odd) = frames.split_at_mut(channels);
            for channel in 0..channels {
                let x = activated(t, channel);
                let next = if t + 1 < input.time_steps() { activated(t + 1, channel) } else { 0.0 };
                even[channel] = x * at[channel] + self.bias[channel];
                odd[channel] = x * after[channel] + next * before[channel] + self.bias[channel];
            }
        });
        Ok(output)
    }
}

fn leaky(affine: &Affine) -> Activation<'_> {
    Activation::AffineLeakyRelu { scale: &affine.scale, shift: &affine.shift, slope: SLOPE }
}

/// Repeats each time step (nearest-neighbor upsampling).
fn repeat_each<K: Kernels>(convolver: &Convolver<'_, K>, signal: Signal) -> Result<Signal> {
    let mut output = convolver.signal(2 * signal.time_steps(), signal.channels)?;
    for (t, frames) in output.values.chunks_exact_mut(2 * signal.channels).enumerate() {
        let (even, odd) = frames.split_at_mut(signal.channels);
        even.copy_from_slice(signal.frame(t));
        odd.copy_from_slice(signal.frame(t));
    }
    convolver.release(signal);
    Ok(output)
}

//! Residual blocks with adaptive instance normalization, of the decoder and of the predictor of pitch and energy.

use super::convolve::{Convolver, Sink, Source};
use super::layers::{Affine, Convolution, Normalization, WeightFile, damaged};
use super::norms::Norms;
use super::signal::Signal;
use crate::Result;
use crate::acoustic::kernels::{Activation, Kernels};

const SLOPE: f32 = 0.2;

/// Two convolutions, each after a normalization and a leaky rectifier, beside a shortcut.
#[derive(Debug)]
pub(crate) struct Block {
    norm1: Normalization,
    /// Doubles the rows, if there is one.
    pool: Option<Pool>,
    conv1: Convolution,
    norm2: Normalization,
    conv2: Convolution,
    /// None where the input itself is the shortcut.
    shortcut: Option<Convolution>,
}

/// Which parts a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As many channels come out as go in.
    Plain,
    /// With a convolution as its shortcut.
    Shortcut,
    /// With that, and with twice as many rows.
    Doubling,
}

/// A transposed convolution of each channel by itself: two rows for each.
#[derive(Debug)]
struct Pool {
    /// Three taps, one number a channel each.
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Block {
    /// Reads the layers; `place` is where the statistics of the next normalization stand, and moves on.
    pub(crate) fn read(
        file: &WeightFile<'_>,
        name: &str,
        form: Form,
        place: &mut usize,
    ) -> Result<Self> {
        let norm1 = file.normalization(&format!("{name}.norm1"), place)?;
        let pool = (form == Form::Doubling)
            .then(|| Pool::read(file, &format!("{name}.pool"), norm1.channels));
        let shortcut =
            (form != Form::Plain).then(|| file.convolution(&format!("{name}.shortcut"), 1));
        Self {
            norm1,
            pool: pool.transpose()?,
            conv1: file.convolution(&format!("{name}.conv1"), 1)?,
            norm2: file.normalization(&format!("{name}.norm2"), place)?,
            conv2: file.convolution(&format!("{name}.conv2"), 1)?,
            shortcut: shortcut.transpose()?,
        }
        .checked(name)
    }

    /// Refuses layers that do not fit each other.
    fn checked(self, name: &str) -> Result<Self> {
        let Self { norm1, conv1, norm2, conv2, shortcut, .. } = &self;
        let (inputs, outputs) = (norm1.channels, conv2.shape.outputs);
        let through = shortcut
            .as_ref()
            .map_or((inputs, inputs), |shortcut| (shortcut.shape.inputs, shortcut.shape.outputs));
        let fits = (conv1.shape.inputs, conv1.shape.outputs) == (inputs, norm2.channels)
            && conv2.shape.inputs == norm2.channels
            && through == (inputs, outputs)
            // The rows between the convolutions are as wide as those after them.
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

    /// Half the power of the shortcut and half of the convolutions.
    pub(crate) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        input: &Signal,
    ) -> Result<Signal> {
        let outputs = self.outputs();
        let first = norms.affine(&self.norm1, &convolver.moments(input));
        let rows = if self.pool.is_some() { 2 * input.rows() } else { input.rows() };
        let mut inner = convolver.signal(rows, outputs);
        let wanted = Sink { moments: true, ..Sink::default() };
        let moments = match &self.pool {
            None => {
                let source = Source { signal: input, activation: leaky(&first) };
                convolver.convolve(&self.conv1, &source, &mut inner, wanted)?
            }
            Some(pool) => {
                let pooled = pool.run(convolver, input, &first);
                let source = Source::plain(&pooled);
                let moments = convolver.convolve(&self.conv1, &source, &mut inner, wanted)?;
                convolver.free(pooled);
                moments
            }
        };
        let second = norms.affine(&self.norm2, &moments);
        let shortcut = self.shortcut(convolver, input)?;
        let mut output = convolver.signal(rows, outputs);
        let sink = Sink {
            residual: Some(shortcut.as_ref().unwrap_or(input)),
            scale: Some(std::f32::consts::FRAC_1_SQRT_2),
            ..Sink::default()
        };
        let source = Source { signal: &inner, activation: leaky(&second) };
        convolver.convolve(&self.conv2, &source, &mut output, sink)?;
        [Some(inner), shortcut].into_iter().flatten().for_each(|signal| convolver.free(signal));
        Ok(output)
    }

    /// What the shortcut makes of the input, unless that is the input.
    fn shortcut<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        input: &Signal,
    ) -> Result<Option<Signal>> {
        let Some(shortcut) = &self.shortcut else { return Ok(None) };
        let signal = convolver.apply(shortcut, &Source::plain(input))?;
        Ok(Some(if self.pool.is_some() { twice(convolver, signal) } else { signal }))
    }
}

impl Pool {
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
    ) -> Signal {
        let channels = input.channels;
        let activated = |row: usize, channel: usize| {
            let z = affine.scale[channel] * input.row(row)[channel] + affine.shift[channel];
            z.max(SLOPE * z)
        };
        let [before, at, after] = [0, 1, 2].map(|tap| &self.weight[tap * channels..][..channels]);
        let mut output = convolver.signal(2 * input.rows(), channels);
        convolver.threads.for_each_chunk(&mut output.values, 2 * channels, |t, rows| {
            let (even, odd) = rows.split_at_mut(channels);
            for channel in 0..channels {
                let x = activated(t, channel);
                let next = if t + 1 < input.rows() { activated(t + 1, channel) } else { 0.0 };
                even[channel] = x * at[channel] + self.bias[channel];
                odd[channel] = x * after[channel] + next * before[channel] + self.bias[channel];
            }
        });
        output
    }
}

fn leaky(affine: &Affine) -> Activation<'_> {
    Activation::AffineLeakyRelu { scale: &affine.scale, shift: &affine.shift, slope: SLOPE }
}

/// Each row twice.
fn twice<K: Kernels>(convolver: &Convolver<'_, K>, signal: Signal) -> Signal {
    let mut output = convolver.signal(2 * signal.rows(), signal.channels);
    for (t, rows) in output.values.chunks_exact_mut(2 * signal.channels).enumerate() {
        let (even, odd) = rows.split_at_mut(signal.channels);
        even.copy_from_slice(signal.row(t));
        odd.copy_from_slice(signal.row(t));
    }
    convolver.free(signal);
    output
}

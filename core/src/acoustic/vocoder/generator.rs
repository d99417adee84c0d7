//! The iSTFTNet generator: hidden rows at 80 frames a second and the harmonic source to a spectrum at 4,800.

use crate::Result;
use crate::acoustic::kernels::{Activation, Kernels};
use crate::acoustic::network::convolve::{Convolver, Sink, Source};
use crate::acoustic::network::layers::{
    Affine, Convolution, Normalization, Upsampling, WeightFile, damaged,
};
use crate::acoustic::network::norms::Norms;
use crate::acoustic::network::signal::{Moments, Signal};
use crate::acoustic::network::stft::{BINS, SECOND, WIDTH};

/// Slopes of the leaky rectifiers before the upsamplings, and before the last convolution.
const SLOPE: f32 = 0.1;
const LAST_SLOPE: f32 = 0.01;

/// Rows of the source for each hidden row.
const SOURCE_ROWS: usize = 60;

/// Residual blocks of a stage, whose outputs are averaged.
const BLOCKS: usize = 3;

#[derive(Debug)]
pub(super) struct Generator {
    stages: [Stage; 2],
    /// To rows of [`BINS`] log magnitudes and, from [`SECOND`] on, phases.
    last: Convolution,
}

#[derive(Debug)]
struct Stage {
    upsampling: Upsampling,
    noise: Convolution,
    noise_block: Block,
    blocks: [Block; BLOCKS],
}

/// Three pairs of convolutions, each of them added to what went in.
#[derive(Debug)]
struct Block {
    pairs: [[Layer; 2]; 3],
}

/// A normalization, Snake, and a convolution.
#[derive(Debug)]
struct Layer {
    norm: Normalization,
    alpha: Vec<f32>,
    reciprocal: Vec<f32>,
    convolution: Convolution,
}

impl Generator {
    /// Reads the layers; `bytes` are those of the file, `inputs` the channels of the hidden rows.
    pub(super) fn read(
        file: &WeightFile<'_>,
        bytes: &[u8],
        inputs: usize,
        place: &mut usize,
    ) -> Result<Self> {
        let noise = [0, 1].map(|i| Block::read(file, &format!("generator.noise.{i}.block"), place));
        let mut blocks = (0..2 * BLOCKS)
            .map(|i| Block::read(file, &format!("generator.blocks.{i}"), place))
            .collect::<Result<Vec<_>>>()?
            .into_iter();
        let [first, second] = noise;
        let mut stage = |i: usize, noise, noise_block| {
            let blocks = [(); BLOCKS].map(|()| blocks.next().expect("as many as were read"));
            let upsampling = file.upsampling(&format!("generator.upsample.{i}"))?;
            Ok::<_, crate::Error>(Stage { upsampling, noise, noise_block, blocks })
        };
        let stages = [
            stage(0, file.strided("generator.noise.0.conv")?, first?)?,
            stage(1, file.convolution("generator.noise.1.conv", 1)?, second?)?,
        ];
        let order: Vec<_> = (0..WIDTH)
            .map(|i| (i % SECOND < BINS).then(|| i / SECOND * BINS + i % SECOND))
            .collect();
        let last = file.convolution("generator.out", 1)?;
        if last.shape.outputs < 2 * BINS {
            return Err(damaged("generator.out"));
        }
        Self { stages, last: last.with_outputs(bytes, &order) }.checked(inputs)
    }

    /// Refuses layers that do not fit each other.
    fn checked(self, inputs: usize) -> Result<Self> {
        let mut channels = inputs;
        let mut rows = 1;
        for (i, stage) in self.stages.iter().enumerate() {
            rows *= stage.upsampling.stride;
            // The source has rows for each hidden row at the speed of the last stage.
            let fits = rows * stage.noise.step == SOURCE_ROWS
                && stage.noise.shape.inputs.is_multiple_of(2 * BINS)
                && stage.fits(channels);
            if !fits {
                return Err(damaged(&format!("generator.upsample.{i}")));
            }
            channels = stage.noise.shape.outputs;
        }
        if self.last.shape.inputs == channels { Ok(self) } else { Err(damaged("generator.out")) }
    }

    /// The spectrum of some hidden rows [T, 512], with the rows of the source [60 T + 1, 22] that belong to them.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        hidden: Signal,
        source: &Signal,
    ) -> Result<Signal> {
        let [first, second] = &self.stages;
        let rows = hidden.rows() * first.upsampling.stride;
        let hidden = first.run(convolver, norms, hidden, source, rows)?;
        let hidden = second.run(convolver, norms, hidden, source, source.rows())?;
        let mut spectrum = convolver.signal(hidden.rows(), self.last.shape.outputs);
        let input =
            Source { signal: &hidden, activation: Activation::LeakyRelu { slope: LAST_SLOPE } };
        convolver.convolve(&self.last, &input, &mut spectrum, Sink::default())?;
        convolver.free(hidden);
        Ok(spectrum)
    }
}

impl Stage {
    /// Whether the layers fit each other, and an input of so many channels.
    fn fits(&self, inputs: usize) -> bool {
        let channels = self.noise.shape.outputs;
        let Upsampling { stride, halves } = &self.upsampling;
        let width: usize = halves.iter().map(|half| half.shape.outputs).sum();
        width == stride * channels
            && halves.iter().all(|half| half.shape.inputs == 2 * inputs)
            && self.blocks.iter().chain([&self.noise_block]).all(|block| block.fits(channels))
    }

    /// `rows` is that of the upsampled input, or one more: then the first row is a reflection.
    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        hidden: Signal,
        source: &Signal,
        rows: usize,
    ) -> Result<Signal> {
        let channels = self.noise.shape.outputs;
        let mut noise = convolver.signal(rows, channels);
        let wanted = Sink { moments: true, ..Sink::default() };
        let plain = Source::plain(source);
        // The source is phases and magnitudes of a wide range: 32 bits for it.
        let moments = convolver.exact().convolve(&self.noise, &plain, &mut noise, wanted)?;
        let mut sum = convolver.signal(rows, channels);
        self.noise_block.run(convolver, norms, &noise, &moments, &mut sum, Sink::default())?;
        convolver.free(noise);
        self.upsample(convolver, hidden, &mut sum)?;
        let moments = convolver.moments(&sum);
        let mut output = convolver.signal(rows, channels);
        for (i, block) in self.blocks.iter().enumerate() {
            let sink =
                Sink { scale: Some(1.0 / BLOCKS as f32), accumulate: i > 0, ..Sink::default() };
            block.run(convolver, norms, &sum, &moments, &mut output, sink)?;
        }
        convolver.free(sum);
        Ok(output)
    }

    /// Adds the upsampled rows to the last rows of a signal; a first row that is over is the reflection of the third.
    fn upsample<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        hidden: Signal,
        sum: &mut Signal,
    ) -> Result<()> {
        let source = Source { signal: &hidden, activation: Activation::LeakyRelu { slope: SLOPE } };
        let mut upsampled = convolver.signal(hidden.rows() * self.upsampling.stride, sum.channels);
        convolver.upsample(&self.upsampling, &source, &mut upsampled, Sink::default())?;
        let over = sum.rows() - upsampled.rows();
        let (first, rest) = sum.values.split_at_mut(over * sum.channels);
        add(first, if over > 0 { upsampled.row(1) } else { &[] });
        add(rest, &upsampled.values);
        convolver.free(upsampled);
        convolver.free(hidden);
        Ok(())
    }
}

impl Block {
    fn read(file: &WeightFile<'_>, name: &str, place: &mut usize) -> Result<Self> {
        let mut layer = |number: usize, pair: usize, dilation: usize| {
            let norm = file.normalization(&format!("{name}.norm{number}.{pair}"), place)?;
            let alpha = file.floats(&format!("{name}.alpha{number}.{pair}"), norm.channels)?;
            let reciprocal = alpha.iter().map(|alpha| alpha.recip()).collect();
            let convolution = file.convolution(&format!("{name}.conv{number}.{pair}"), dilation)?;
            Ok::<_, crate::Error>(Layer { norm, alpha, reciprocal, convolution })
        };
        let mut pair = |i: usize| Ok::<_, crate::Error>([layer(1, i, 2 * i + 1)?, layer(2, i, 1)?]);
        Ok(Self { pairs: [pair(0)?, pair(1)?, pair(2)?] })
    }

    /// Whether all layers have so many channels.
    fn fits(&self, channels: usize) -> bool {
        self.pairs.as_flattened().iter().all(|Layer { norm, convolution, .. }| {
            let shape = convolution.shape;
            [norm.channels, shape.inputs, shape.outputs] == [channels; 3]
        })
    }

    /// Puts the block's output where the sink says; `moments` are those of the input.
    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        input: &Signal,
        moments: &Moments,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<()> {
        let mut inner = convolver.signal(input.rows(), input.channels);
        let mut sum = convolver.signal(input.rows(), input.channels);
        let mut moments = moments.clone();
        for (i, [first, second]) in self.pairs.iter().enumerate() {
            let wanted = Sink { moments: true, ..Sink::default() };
            let signal = if i == 0 { input } else { &sum };
            let affine = norms.affine(&first.norm, &moments);
            let source = Source { signal, activation: first.activation(&affine) };
            let inner_moments =
                convolver.convolve(&first.convolution, &source, &mut inner, wanted)?;
            let affine = norms.affine(&second.norm, &inner_moments);
            let source = Source { signal: &inner, activation: second.activation(&affine) };
            moments = match i {
                0 => {
                    let sink = Sink { residual: Some(input), ..wanted };
                    convolver.convolve(&second.convolution, &source, &mut sum, sink)?
                }
                1 => {
                    let sink = Sink { accumulate: true, ..wanted };
                    convolver.convolve(&second.convolution, &source, &mut sum, sink)?
                }
                _ => {
                    let sink = Sink { residual: Some(&sum), ..sink };
                    convolver.convolve(&second.convolution, &source, output, sink)?
                }
            };
        }
        convolver.free(inner);
        convolver.free(sum);
        Ok(())
    }
}

impl Layer {
    fn activation<'a>(&'a self, affine: &'a Affine) -> Activation<'a> {
        Activation::AffineSnake {
            scale: &affine.scale,
            shift: &affine.shift,
            alpha: &self.alpha,
            reciprocal: &self.reciprocal,
        }
    }
}

fn add(values: &mut [f32], more: &[f32]) {
    for (value, more) in values.iter_mut().zip(more) {
        *value += more;
    }
}

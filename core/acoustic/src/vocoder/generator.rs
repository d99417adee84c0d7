//! The iSTFTNet generator (Kaneko et al. 2022): turns the hidden signal at 80 time steps per second
//! and the harmonic source into an STFT at 4,800 frames per second.

use speech_base::error::Result;
use speech_kernels::{Activation, Kernels};

use crate::network::convolve::{Convolver, Input, Sink};
use crate::network::layers::{Affine, Convolution, Normalization, Upsampling, WeightFile, damaged};
use crate::network::norms::AdainContext;
use crate::network::signal::{ChannelSums, Signal};
use crate::network::stft::{BINS, FRAME_WIDTH, SECOND_HALF};

/// Slopes of the leaky ReLU before the upsamplings, and before the last convolution.
const SLOPE: f32 = 0.1;
const LAST_SLOPE: f32 = 0.01;

/// The source's STFT frames per hidden time step.
const SOURCE_FRAMES: usize = 60;

/// The residual blocks of a stage; their outputs are averaged.
const BLOCKS: usize = 3;

/// Adds to a signal, and computes the sums for the next normalization.
const ADDED: Sink<'_> = Sink { accumulate: true, ..Sink::WITH_SUMS };

#[derive(Debug)]
pub(super) struct Generator {
    stages: [Stage; 2],
    /// Outputs frames of [`BINS`] log magnitudes and, from [`SECOND_HALF`] on, [`BINS`] phases.
    last: Convolution,
}

#[derive(Debug)]
struct Stage {
    upsampling: Upsampling,
    noise: Convolution,
    noise_block: SnakeBlock,
    blocks: [SnakeBlock; BLOCKS],
}

/// A residual block: three pairs of convolutions, each with a shortcut around it.
#[derive(Debug)]
struct SnakeBlock {
    /// On the heap: any thread may load an engine, and some have small stacks.
    pairs: Box<[[Layer; 2]; 3]>,
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
    /// Reads the layers. `bytes` is the content of the file, and `inputs` the number of channels of
    /// the hidden signal. `statistics_offset` is advanced past the channels of the normalizations.
    pub(super) fn read(
        file: &WeightFile<'_>,
        bytes: &[u8],
        inputs: usize,
        statistics_offset: &mut usize,
    ) -> Result<Self> {
        let noise = [0, 1].map(|i| {
            SnakeBlock::read(file, &format!("generator.noise.{i}.block"), statistics_offset)
        });
        let mut blocks = (0..2 * BLOCKS)
            .map(|i| SnakeBlock::read(file, &format!("generator.blocks.{i}"), statistics_offset))
            .collect::<Result<Vec<_>>>()?
            .into_iter();
        let [first, second] = noise;
        let mut channels = inputs;
        let mut stage = |i: usize, noise: Convolution, noise_block| {
            let blocks = [(); BLOCKS].map(|()| blocks.next().expect("as many as were read"));
            let upsampling = file.upsampling(&format!("generator.upsample.{i}"), channels)?;
            channels = noise.shape.outputs;
            Ok::<_, speech_base::error::Error>(Stage { upsampling, noise, noise_block, blocks })
        };
        let stages = [
            stage(0, file.strided_convolution("generator.noise.0.conv")?, first?)?,
            stage(1, file.convolution("generator.noise.1.conv", 1)?, second?)?,
        ];
        let order: Vec<_> = (0..FRAME_WIDTH)
            .map(|i| (i % SECOND_HALF < BINS).then(|| i / SECOND_HALF * BINS + i % SECOND_HALF))
            .collect();
        let last = file.convolution("generator.out", 1)?;
        if last.shape.outputs < 2 * BINS {
            return Err(damaged("generator.out"));
        }
        Self { stages, last: last.reorder_outputs(bytes, &order) }.checked()
    }

    /// Rejects layers whose channel counts do not match.
    fn checked(self) -> Result<Self> {
        let mut channels = 0;
        let mut factor = 1;
        for (i, stage) in self.stages.iter().enumerate() {
            factor *= stage.upsampling.stride;
            // The source has the time resolution of the last stage.
            let fits = factor * stage.noise.stride == SOURCE_FRAMES
                && stage.noise.shape.inputs.is_multiple_of(2 * BINS)
                && stage.fits();
            if !fits {
                return Err(damaged(&format!("generator.upsample.{i}")));
            }
            channels = stage.noise.shape.outputs;
        }
        if self.last.shape.inputs == channels { Ok(self) } else { Err(damaged("generator.out")) }
    }

    /// The STFT [60 T + 1, 32] of a hidden signal [T, 512] and its harmonic source [60 T + 1, 22].
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        hidden: Signal,
        source: &Signal,
    ) -> Result<Signal> {
        let [first, second] = &self.stages;
        let time_steps = hidden.time_steps() * first.upsampling.stride;
        let hidden = first.run(convolver, norms, hidden, source, time_steps)?;
        let hidden = second.run(convolver, norms, hidden, source, source.time_steps())?;
        let mut spectrum = convolver.signal(hidden.time_steps(), self.last.shape.outputs)?;
        let input =
            Input { signal: &hidden, activation: Activation::LeakyRelu { slope: LAST_SLOPE } };
        convolver.convolve(&self.last, &input, &mut spectrum, Sink::default())?;
        convolver.release(hidden);
        Ok(spectrum)
    }
}

impl Stage {
    /// Whether the channel counts of the layers match each other.
    fn fits(&self) -> bool {
        let channels = self.noise.shape.outputs;
        let Upsampling { stride, halves } = &self.upsampling;
        let width: usize = halves.iter().map(|half| half.shape.outputs).sum();
        width == stride * channels
            && self.blocks.iter().chain([&self.noise_block]).all(|block| block.fits(channels))
    }

    /// Runs the stage. `time_steps` is the length of the upsampled input, or one more; the first is
    /// then a reflection.
    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        hidden: Signal,
        source: &Signal,
        time_steps: usize,
    ) -> Result<Signal> {
        let channels = self.noise.shape.outputs;
        let mut sum = convolver.signal(time_steps, channels)?;
        let plain = Input::plain(source);
        // The source has phases, and magnitudes of a wide range: bfloat16 is too coarse for it.
        let channel_sums =
            convolver.fp32().convolve(&self.noise, &plain, &mut sum, Sink::WITH_SUMS)?;
        self.noise_block.run_in_place(convolver, norms, &mut sum, channel_sums)?;
        self.upsample(convolver, hidden, &mut sum)?;
        let channel_sums = convolver.channel_sums(&sum);
        let mut output = convolver.signal(time_steps, channels)?;
        for (i, block) in self.blocks.iter().enumerate() {
            let sink =
                Sink { scale: Some(1.0 / BLOCKS as f32), accumulate: i > 0, ..Sink::default() };
            block.run(convolver, norms, &sum, &channel_sums, &mut output, sink)?;
        }
        convolver.release(sum);
        Ok(output)
    }

    /// Adds the upsampled input to a signal, aligned at the end. If the signal is one time step
    /// longer, its first takes the reflection of the third.
    fn upsample<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        hidden: Signal,
        sum: &mut Signal,
    ) -> Result<()> {
        let input = Input { signal: &hidden, activation: Activation::LeakyRelu { slope: SLOPE } };
        let mut upsampled =
            convolver.signal(hidden.time_steps() * self.upsampling.stride, sum.channels)?;
        convolver.upsample(&self.upsampling, &input, &mut upsampled, Sink::default())?;
        let extra = sum.time_steps() - upsampled.time_steps();
        let (first, rest) = sum.values.split_at_mut(extra * sum.channels);
        add(first, if extra > 0 { upsampled.frame(1) } else { &[] });
        add(rest, &upsampled.values);
        convolver.release(upsampled);
        convolver.release(hidden);
        Ok(())
    }
}

impl SnakeBlock {
    fn read(file: &WeightFile<'_>, name: &str, statistics_offset: &mut usize) -> Result<Self> {
        let mut layer = |number: usize, pair: usize, dilation: usize| {
            let norm =
                file.normalization(&format!("{name}.norm{number}.{pair}"), statistics_offset)?;
            let alpha = file.floats(&format!("{name}.alpha{number}.{pair}"), norm.channels)?;
            let reciprocal = alpha.iter().map(|alpha| alpha.recip()).collect();
            let convolution = file.convolution(&format!("{name}.conv{number}.{pair}"), dilation)?;
            Ok::<_, speech_base::error::Error>(Layer { norm, alpha, reciprocal, convolution })
        };
        let mut pair = |i: usize| {
            Ok::<_, speech_base::error::Error>([layer(1, i, 2 * i + 1)?, layer(2, i, 1)?])
        };
        Ok(Self { pairs: Box::new([pair(0)?, pair(1)?, pair(2)?]) })
    }

    /// Whether all layers have this many channels.
    fn fits(&self, channels: usize) -> bool {
        self.pairs.as_flattened().iter().all(|Layer { norm, convolution, .. }| {
            let shape = convolution.shape;
            [norm.channels, shape.inputs, shape.outputs] == [channels; 3]
        })
    }

    /// Runs the block. `channel_sums` are the sums of the input, and `sink` applies to the output.
    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        input: &Signal,
        channel_sums: &ChannelSums,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<()> {
        let mut inner = convolver.signal(input.time_steps(), input.channels)?;
        let mut sum = convolver.signal(input.time_steps(), input.channels)?;
        let [(first, second), (third, fourth), (fifth, sixth)] =
            self.pairs.each_ref().map(|[first, second]| (first, second));
        let inner_sums =
            first.run(convolver, norms, input, channel_sums, &mut inner, Sink::WITH_SUMS)?;
        let with_input = Sink { residual: Some(input), ..Sink::WITH_SUMS };
        let sums = second.run(convolver, norms, &inner, &inner_sums, &mut sum, with_input)?;
        let inner_sums = third.run(convolver, norms, &sum, &sums, &mut inner, Sink::WITH_SUMS)?;
        let sums = fourth.run(convolver, norms, &inner, &inner_sums, &mut sum, ADDED)?;
        let inner_sums = fifth.run(convolver, norms, &sum, &sums, &mut inner, Sink::WITH_SUMS)?;
        let with_sum = Sink { residual: Some(&sum), ..sink };
        sixth.run(convolver, norms, &inner, &inner_sums, output, with_sum)?;
        convolver.release(inner);
        convolver.release(sum);
        Ok(())
    }

    /// Replaces a signal by the output of the block. `channel_sums` are the sums of the signal.
    fn run_in_place<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        signal: &mut Signal,
        mut channel_sums: ChannelSums,
    ) -> Result<()> {
        let mut inner = convolver.signal(signal.time_steps(), signal.channels)?;
        for [first, second] in self.pairs.iter() {
            let inner_sums =
                first.run(convolver, norms, signal, &channel_sums, &mut inner, Sink::WITH_SUMS)?;
            channel_sums = second.run(convolver, norms, &inner, &inner_sums, signal, ADDED)?;
        }
        convolver.release(inner);
        Ok(())
    }
}

impl Layer {
    /// Runs the layer on an input with these sums; returns those of the output if the sink requests
    /// them.
    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        input: &Signal,
        channel_sums: &ChannelSums,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<ChannelSums> {
        let Affine { scale, shift } = &norms.affine(&self.norm, channel_sums);
        let (alpha, reciprocal) = (&self.alpha, &self.reciprocal);
        let activation = Activation::AffineSnake { scale, shift, alpha, reciprocal };
        convolver.convolve(&self.convolution, &Input { signal: input, activation }, output, sink)
    }
}

fn add(values: &mut [f32], more: &[f32]) {
    for (value, more) in values.iter_mut().zip(more) {
        *value += more;
    }
}

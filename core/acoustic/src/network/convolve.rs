//! Runs convolutions over whole signals, in blocks that fit the caches, on several threads.
//!
//! The division into blocks depends only on the lengths, and the result for a time step does not
//! depend on its block. So the results do not depend on the number of threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use bytemuck::Zeroable;
use speech_base::cancel::CancelToken;
use speech_base::error::{Error, Result};
use speech_base::threads::Threads;
use speech_kernels::filter::Filter;
use speech_kernels::{Activation, Elementwise, Epilogue, Kernels, Operands, Plan, Shape};

use super::layers::{Convolution, Upsampling};
use super::norms::FrameWeights;
use super::signal::{Buffer, BufferPool, ChannelSums, Signal};

/// The fewest blocks for which the work is split by time. With fewer, it is split by output
/// channels.
const MIN_BLOCKS: usize = 2;

/// The most time steps for which a three-tap convolution is one im2col product. For so few, the
/// transforms of fast convolution take longer than they save.
const MAX_IM2COL_STEPS: usize = 40;

/// The time steps summed by one kernel call.
const SUM_CHUNK_STEPS: usize = 1024;

/// The output channels of one part when the work is split by channels; a multiple of 32.
const PART_CHANNELS: usize = 128;

/// Runs convolutions, with the kernels, threads and memory they use.
pub(crate) struct Convolver<'a, K: Kernels> {
    pub(crate) kernels: K,
    pub(crate) threads: &'a Threads,
    pub(crate) cancel: &'a CancelToken,
    pub(crate) workspace: &'a Workspace,
    /// The content of the weight file.
    pub(crate) file: &'a [u8],
    /// The weight of each frame in the channel sums; none if all weigh the same.
    pub(crate) frame_weights: Option<&'a FrameWeights>,
}

/// Memory reused across layers and utterances.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) buffers: BufferPool,
    scratch: ScratchPool,
}

impl Workspace {
    /// Frees the memory not in use by an utterance.
    pub(crate) fn clear(&self) {
        self.buffers.clear();
        self.scratch.clear();
    }
}

/// Scratch vectors of the kernels, one per call in progress.
#[derive(Debug, Default)]
struct ScratchPool(Mutex<Vec<Vec<f32>>>);

impl ScratchPool {
    fn take(&self) -> Vec<f32> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn recycle(&self, scratch: Vec<f32>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }

    fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// The input of a convolution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    pub(crate) signal: &'a Signal,
    /// Applied to the signal first. The zero padding around the signal stays zero.
    pub(crate) activation: Activation<'a>,
}

/// How the sums of a convolution become its output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sink<'a> {
    /// A signal of the size of the output, added before the scale.
    pub(crate) residual: Option<&'a Signal>,
    /// The factor of the sums; none means 1.
    pub(crate) scale: Option<f32>,
    /// Whether the result is added to the output.
    pub(crate) accumulate: bool,
    /// Whether to compute the output's channel sums over time as well.
    pub(crate) channel_sums: bool,
}

impl Sink<'_> {
    /// Computes the sums for the next normalization.
    pub(crate) const WITH_SUMS: Self =
        Self { residual: None, scale: None, accumulate: false, channel_sums: true };
}

/// A convolution with packed weights, for repeated use within an utterance.
pub(crate) struct PackedConvolution<'a, E> {
    part: Part<'a>,
    weights: Buffer<E>,
}

/// A range of the output channels of a convolution.
struct Part<'a> {
    plan: Plan,
    /// Whether the input may be quantized to 16-bit integers.
    int16: bool,
    filter: Filter<'a>,
    bias: &'a [f32],
    /// The zero time steps before the input.
    padding: usize,
    /// The input time steps from one output time step to the next.
    stride: usize,
    /// The position of the part's first channel in the output.
    channel: usize,
}

impl<'a, K: Kernels> Convolver<'a, K> {
    /// The same convolver in single precision.
    pub(crate) fn fp32(&self) -> Convolver<'a, K::Fp32> {
        let Self { kernels, threads, cancel, workspace, file, frame_weights } = *self;
        Convolver { kernels: kernels.fp32(), threads, cancel, workspace, file, frame_weights }
    }

    /// A new signal with arbitrary content.
    pub(crate) fn signal(&self, time_steps: usize, channels: usize) -> Result<Signal> {
        Ok(Signal { values: self.workspace.buffers.take(time_steps * channels)?, channels })
    }

    /// A copy of a range of time steps.
    pub(crate) fn copy_time_steps(&self, signal: &Signal, range: Range<usize>) -> Result<Signal> {
        let channels = signal.channels;
        let mut copy = self.signal(range.len(), channels)?;
        copy.values.copy_from_slice(&signal.values[range.start * channels..range.end * channels]);
        Ok(copy)
    }

    /// Returns the memory of a signal to the pool.
    pub(crate) fn release(&self, signal: Signal) {
        self.workspace.buffers.recycle(signal.values);
    }

    /// Convolves a signal into `output`, whose length is the number of time steps to compute.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` if the system has no memory for it.
    pub(crate) fn convolve(
        &self,
        convolution: &Convolution,
        input: &Input<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<ChannelSums> {
        let mut part = self.part(convolution, 0);
        if part.plan.shape.taps == 3
            && part.plan.shape.dilation == 1
            && output.time_steps() <= MAX_IM2COL_STEPS
        {
            part.plan = self.plan(part.plan.shape.as_im2col(), part.int16);
        }
        self.run(&[part], input, output, sink)
    }

    /// Convolves a signal into a new one of the same length.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` if the system has no memory for it.
    pub(crate) fn apply(&self, convolution: &Convolution, input: &Input<'_>) -> Result<Signal> {
        let mut output = self.signal(input.signal.time_steps(), convolution.shape.outputs)?;
        self.convolve(convolution, input, &mut output, Sink::default())?;
        Ok(output)
    }

    /// A transposed convolution: `output` has `stride` time steps per time step of the input.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` if the system has no memory for it.
    pub(crate) fn upsample(
        &self,
        upsampling: &Upsampling,
        input: &Input<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<ChannelSums> {
        let [first, second] = &upsampling.halves;
        let parts = [self.part(first, 0), self.part(second, first.shape.outputs)];
        // The output time steps of one input time step are computed as the channels of a single
        // one.
        let channels =
            std::mem::replace(&mut output.channels, first.shape.outputs + second.shape.outputs);
        let channel_sums = self.run(&parts, input, output, sink);
        output.channels = channels;
        channel_sums
    }

    /// Packs the weights of a convolution, which the result borrows.
    pub(crate) fn packed<'b>(
        &'b self,
        convolution: &'b Convolution,
    ) -> Result<PackedConvolution<'b, K::Element>> {
        let part = self.part(convolution, 0);
        let weights = self.pack_parallel(&part)?;
        Ok(PackedConvolution { part, weights })
    }

    /// Convolves a signal as [`Self::convolve`] does, with weights that are already packed.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` if the system has no memory for it.
    pub(crate) fn convolve_packed(
        &self,
        packed: &PackedConvolution<'_, K::Element>,
        input: &Input<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<()> {
        self.cancel.check()?;
        let PackedConvolution { part, weights } = packed;
        let blocks = output.time_steps().div_ceil(part.plan.block).next_multiple_of(2);
        self.run_blocks(&[(part, weights)], input, output, sink, blocks)?;
        Ok(())
    }

    /// Returns the memory of packed weights to the pool.
    pub(crate) fn release_packed(&self, packed: PackedConvolution<'_, K::Element>) {
        self.workspace.buffers.recycle(packed.weights);
    }

    fn plan(&self, shape: Shape, int16: bool) -> Plan {
        if int16 { self.kernels.plan_int16(shape) } else { self.kernels.plan(shape) }
    }

    fn part<'b>(&'b self, convolution: &'b Convolution, channel: usize) -> Part<'b> {
        let filter = convolution.filter(self.file);
        let int16 = convolution.int16 && filter.is_quantized();
        Part {
            plan: self.plan(convolution.shape, int16),
            int16,
            filter,
            bias: &convolution.bias,
            padding: convolution.padding,
            stride: convolution.stride,
            channel,
        }
    }

    fn run(
        &self,
        parts: &[Part<'_>],
        input: &Input<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<ChannelSums> {
        self.cancel.check()?;
        let block = parts.iter().map(|part| part.plan.block).min().unwrap_or(1);
        let blocks = output.time_steps().div_ceil(block);
        if blocks >= MIN_BLOCKS {
            self.split_by_time(parts, input, output, sink, blocks)
        } else {
            self.split_by_channels(parts, input, output, sink)
        }
    }

    /// For many time steps: packs the weights once, and computes each block of time steps with all
    /// of them.
    fn split_by_time(
        &self,
        parts: &[Part<'_>],
        input: &Input<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
        blocks: usize,
    ) -> Result<ChannelSums> {
        let packed =
            parts.iter().map(|part| self.pack_parallel(part)).collect::<Result<Vec<_>>>()?;
        let with_weights: Vec<_> = parts.iter().zip(&packed).collect();
        let channel_sums =
            self.run_blocks(&with_weights, input, output, sink, blocks.next_multiple_of(2))?;
        packed.into_iter().for_each(|packed| self.workspace.buffers.recycle(packed));
        Ok(channel_sums)
    }

    /// Computes blocks of nearly equal length, each with all packed weights.
    fn run_blocks(
        &self,
        parts: &[(&Part<'_>, &Buffer<K::Element>)],
        input: &Input<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
        blocks: usize,
    ) -> Result<ChannelSums> {
        let group = parts.iter().map(|(part, _)| part.plan.group).max().unwrap_or(1);
        let rows = output.time_steps().div_ceil(blocks).next_multiple_of(group).max(1);
        let channels = output.channels;
        let mut channel_sums = vec![ChannelSums::new(channels); output.time_steps().div_ceil(rows)];
        self.threads.try_for_each_chunk_with(
            &mut output.values,
            rows * channels,
            &mut channel_sums,
            |index, chunk, channel_sums| {
                let first = index * rows;
                for (part, packed) in parts {
                    if part.plan.shape.outputs == channels {
                        let epilogue = sink
                            .epilogue(part.bias, first * channels..first * channels + chunk.len());
                        self.compute(part, packed, input, first, chunk, &epilogue)?;
                    } else {
                        let sums =
                            self.plain_sums(part, packed, input, first, chunk.len() / channels)?;
                        write_columns(part, sink, &sums, first, chunk, channels);
                        self.workspace.buffers.recycle(sums);
                    }
                }
                if sink.channel_sums {
                    self.accumulate_sums(chunk, channel_sums);
                }
                Ok::<_, Error>(())
            },
        )?;
        let channel_sums = ChannelSums::of_parts(channels, &channel_sums);
        Ok(if sink.channel_sums { self.weighted(output, channel_sums) } else { channel_sums })
    }

    /// For few time steps: packing is most of the work, so each thread packs and uses some of the
    /// channels.
    fn split_by_channels(
        &self,
        parts: &[Part<'_>],
        input: &Input<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<ChannelSums> {
        let parts: Vec<_> = parts.iter().flat_map(|part| self.divide_channels(part)).collect();
        let (rows, channels) = (output.time_steps(), output.channels);
        let mut sums: Vec<_> = parts.iter().map(|_| Buffer::default()).collect();
        self.threads.try_for_each_chunk(&mut sums, 1, |index, sum| {
            let packed = self.pack(&parts[index])?;
            sum[0] = self.plain_sums(&parts[index], &packed, input, 0, rows)?;
            self.workspace.buffers.recycle(packed);
            Ok::<_, Error>(())
        })?;
        for (part, sum) in parts.iter().zip(sums) {
            write_columns(part, sink, &sum, 0, &mut output.values, channels);
            self.workspace.buffers.recycle(sum);
        }
        Ok(if sink.channel_sums { self.channel_sums(output) } else { ChannelSums::new(channels) })
    }

    /// Divides a part into parts of [`PART_CHANNELS`] channels.
    fn divide_channels<'b>(&self, part: &Part<'b>) -> Vec<Part<'b>> {
        let Part { int16, bias, padding, stride, .. } = *part;
        let shape = part.plan.shape;
        (0..shape.outputs)
            .step_by(PART_CHANNELS)
            .map(|first| {
                let outputs = PART_CHANNELS.min(shape.outputs - first);
                Part {
                    plan: self.plan(Shape { outputs, ..shape }, int16),
                    int16,
                    filter: part.filter.columns_from(first),
                    bias: &bias[first..first + outputs],
                    padding,
                    stride,
                    channel: part.channel + first,
                }
            })
            .collect()
    }

    /// Packs the weights of a part on this thread.
    fn pack(&self, part: &Part<'_>) -> Result<Buffer<K::Element>> {
        let plan = &part.plan;
        let mut packed = self.workspace.buffers.take(plan.packed_len())?;
        for (panel, packed) in packed.chunks_exact_mut(plan.panel_len).enumerate() {
            self.kernels.pack(&part.filter, plan, panel, packed);
        }
        Ok(packed)
    }

    /// Packs the weights of a part on all threads.
    fn pack_parallel(&self, part: &Part<'_>) -> Result<Buffer<K::Element>> {
        let plan = &part.plan;
        let mut packed = self.workspace.buffers.take(plan.packed_len())?;
        self.threads.for_each_chunk(&mut packed, plan.panel_len, |panel, packed| {
            self.kernels.pack(&part.filter, plan, panel, packed);
        });
        Ok(packed)
    }

    /// The plain sums of a part for `rows` time steps from `first` on, without bias or epilogue.
    fn plain_sums(
        &self,
        part: &Part<'_>,
        packed: &[K::Element],
        input: &Input<'_>,
        first: usize,
        rows: usize,
    ) -> Result<Buffer<f32>> {
        let outputs = part.plan.shape.outputs;
        let mut sums = self.workspace.buffers.take(rows * outputs)?;
        let zeros = vec![0.0; outputs];
        self.compute(part, packed, input, first, &mut sums, &Epilogue::plain(&zeros))?;
        Ok(sums)
    }

    /// Computes the time steps of a part from `first` on; the length of `output` is their number.
    fn compute(
        &self,
        part: &Part<'_>,
        packed: &[K::Element],
        input: &Input<'_>,
        first: usize,
        output: &mut [f32],
        epilogue: &Epilogue<'_>,
    ) -> Result<()> {
        let Part { plan, padding, .. } = part;
        let Shape { inputs, outputs, .. } = plan.shape;
        let channels = input.signal.channels;
        let row_stride = part.stride * channels;
        let rows = plan.input_rows(output.len() / outputs);
        let needed = (rows.saturating_sub(1) * row_stride + inputs).div_ceil(channels);
        let mut activated = self.workspace.buffers.take(needed * channels)?;
        let start = (first * part.stride).cast_signed() - padding.cast_signed();
        input.activate(self.kernels, start, &mut activated);
        let operands =
            Operands { plan, packed, input: &activated, stride: row_stride, epilogue: *epilogue };
        self.convolve_rows(&operands, output);
        self.workspace.buffers.recycle(activated);
        Ok(())
    }

    /// Convolves activated rows on this thread.
    pub(crate) fn convolve_rows(&self, operands: &Operands<'_, K::Element>, output: &mut [f32]) {
        let mut scratch = self.workspace.scratch.take();
        self.kernels.convolve(operands, output, &mut scratch);
        self.workspace.scratch.recycle(scratch);
    }

    /// The sums of a whole signal over time.
    pub(crate) fn channel_sums(&self, signal: &Signal) -> ChannelSums {
        let chunk = SUM_CHUNK_STEPS * signal.channels;
        let mut parts =
            vec![ChannelSums::new(signal.channels); signal.values.len().div_ceil(chunk)];
        self.threads.for_each_chunk(&mut parts, 1, |index, part| {
            let start = index * chunk;
            let end = signal.values.len().min(start + chunk);
            self.accumulate_sums(&signal.values[start..end], &mut part[0]);
        });
        self.weighted(signal, ChannelSums::of_parts(signal.channels, &parts))
    }

    /// Extends the sums of a signal to all frames of the utterance, including those left out of it.
    fn weighted(&self, signal: &Signal, mut channel_sums: ChannelSums) -> ChannelSums {
        let Some(FrameWeights { frames, left_out }) = self.frame_weights else {
            return channel_sums;
        };
        let frame = signal.time_steps() / frames * signal.channels;
        for (range, count) in left_out {
            let mut part = ChannelSums::new(signal.channels);
            let rows = &signal.values[range.start * frame..range.end * frame];
            self.accumulate_sums(rows, &mut part);
            channel_sums.add(&part, *count as f64 / range.len() as f64);
        }
        channel_sums
    }

    fn accumulate_sums(&self, rows: &[f32], channel_sums: &mut ChannelSums) {
        let ChannelSums { sums, squares, .. } = channel_sums;
        self.kernels.fp32().accumulate_sums(rows, sums, squares);
        channel_sums.count(rows.len() / channel_sums.sums.len());
    }
}

impl<'a> Input<'a> {
    /// A signal without an activation.
    pub(crate) fn plain(signal: &'a Signal) -> Self {
        Self { signal, activation: Activation::None }
    }

    /// Fills `activated` with the activated signal from time step `start` on, and with zeros
    /// outside the signal.
    fn activate<K: Kernels>(&self, kernels: K, start: isize, activated: &mut [K::Element]) {
        let channels = self.signal.channels;
        let count = activated.len() / channels;
        let before = start.min(0).unsigned_abs().min(count);
        let first = start.max(0).unsigned_abs().min(self.signal.time_steps());
        let inside = (count - before).min(self.signal.time_steps() - first);
        let (zeros_before, rest) = activated.split_at_mut(before * channels);
        let (activated, zeros_after) = rest.split_at_mut(inside * channels);
        zeros_before.fill(K::Element::zeroed());
        zeros_after.fill(K::Element::zeroed());
        let values = &self.signal.values[first * channels..(first + inside) * channels];
        kernels.activate(values, channels, &self.activation, activated);
    }
}

impl<'a> Sink<'a> {
    fn epilogue<'b>(&'b self, bias: &'b [f32], values: Range<usize>) -> Epilogue<'b>
    where
        'a: 'b,
    {
        Epilogue {
            bias,
            residual: self.residual.map(|signal| &signal.values[values]),
            scale: self.scale.unwrap_or(1.0),
            accumulate: self.accumulate,
        }
    }
}

/// Applies the epilogue to the sums of a part, and writes them to the part's channels in a chunk of
/// the output that begins at time step `first`. The kernels write whole time steps only.
fn write_columns(
    part: &Part<'_>,
    sink: Sink<'_>,
    sums: &[f32],
    first: usize,
    chunk: &mut [f32],
    channels: usize,
) {
    let outputs = part.plan.shape.outputs;
    let epilogue = sink.epilogue(part.bias, first * channels..first * channels + chunk.len());
    for (t, (row, sums)) in
        chunk.chunks_exact_mut(channels).zip(sums.chunks_exact(outputs)).enumerate()
    {
        let columns = part.channel..part.channel + outputs;
        let residual =
            epilogue.residual.map(|values| &values[t * channels..][..channels][columns.clone()]);
        for (i, (y, sum)) in row[columns].iter_mut().zip(sums).enumerate() {
            *y = epilogue.apply(*y, *sum, part.bias[i], residual.map_or(0.0, |row| row[i]));
        }
    }
}

#[cfg(test)]
mod tests {
    use speech_kernels::Portable;

    use super::*;

    /// Calls `test` with a convolver whose frames have these weights.
    fn with_convolver(
        frame_weights: Option<&FrameWeights>,
        test: impl FnOnce(&Convolver<'_, Portable>),
    ) {
        test(&Convolver {
            kernels: Portable,
            threads: &Threads::new(2).unwrap(),
            cancel: &CancelToken::new(),
            workspace: &Workspace::default(),
            file: &[],
            frame_weights,
        });
    }

    #[test]
    fn few_time_steps_are_convolved_as_many_are() {
        with_convolver(None, |convolver| {
            let value = |i: usize| ((i * 7919) % 1009) as f32 / 1009.0 - 0.5;
            let shape = Shape { taps: 3, inputs: 32, outputs: 64, dilation: 1 };
            let weights = (0..3 * 32 * 64).flat_map(|i| value(i).to_le_bytes()).collect();
            let bias = (0..64).map(value).collect();
            let convolution = Convolution::in_memory(shape, weights, bias, 1);
            let convolved = |time_steps: usize| {
                let mut input = convolver.signal(time_steps, 32).unwrap();
                input.values.iter_mut().enumerate().for_each(|(i, x)| *x = value(3 * i));
                convolver.apply(&convolution, &Input::plain(&input)).unwrap()
            };
            let (few, many) = (convolved(MAX_IM2COL_STEPS), convolved(MAX_IM2COL_STEPS + 1));
            // After the last of the few time steps there is padding; after the same step of the
            // many there is signal.
            for (a, b) in few.values[..(MAX_IM2COL_STEPS - 1) * 64].iter().zip(&*many.values) {
                assert!((a - b).abs() < 1e-4, "{a} {b}");
            }
        });
    }

    #[test]
    fn memory_that_a_thread_does_not_get_is_an_error() {
        with_convolver(None, |convolver| {
            let shape = Shape { taps: 1, inputs: 32, outputs: 32, dilation: 1 };
            let bytes = vec![0; 4 * shape.products()];
            let mut convolution = Convolution::in_memory(shape, bytes, vec![0.0; 32], 0);
            for time_steps in [3, 1000] {
                let mut input = convolver.signal(time_steps, 32).unwrap();
                input.values.fill(1.0);
                convolution.stride = 1;
                assert!(convolver.apply(&convolution, &Input::plain(&input)).is_ok());
                // The activated input of each thread is longer than any address space.
                convolution.stride = usize::MAX >> 14;
                let error = convolver.apply(&convolution, &Input::plain(&input)).unwrap_err();
                assert!(error.message().contains("memory"), "{time_steps}: {error}");
            }
        });
    }

    #[test]
    fn sums_count_what_frames_stand_for() {
        // Two time steps per frame: the second frame stands for three others, and the last for one.
        let weights = FrameWeights { frames: 4, left_out: vec![(1..2, 3), (3..4, 1)] };
        let frames = [[1.0, 2.0], [3.0, 5.0], [7.0, 11.0], [13.0, 17.0]];
        let sums = |weights: Option<&FrameWeights>, frames: &[[f32; 2]]| {
            let mut sums = None;
            with_convolver(weights, |convolver| {
                let mut signal = convolver.signal(2 * frames.len(), 1).unwrap();
                signal.values.copy_from_slice(frames.as_flattened());
                sums = Some(convolver.channel_sums(&signal));
            });
            sums.unwrap()
        };
        let [a, b, c, d] = frames;
        assert_eq!(sums(Some(&weights), &frames), sums(None, &[a, b, b, b, b, c, d, d]));
    }
}

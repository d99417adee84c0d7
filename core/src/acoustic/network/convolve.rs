//! Whole signals through the convolutions: divided into blocks that fit the caches, and among the threads.
//!
//! The division depends on the lengths alone, never on the threads, and what a kernel gives for a row does not depend on
//! the block it is in: so neither do the results.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use bytemuck::Zeroable;

use super::layers::{Convolution, Upsampling};
use super::signal::{Buffer, Buffers, Moments, Signal};
use crate::Result;
use crate::acoustic::kernels::filter::Filter;
use crate::acoustic::kernels::{Activation, Epilogue, Kernels, Plan, Shape};
use crate::cancel::CancelToken;
use crate::threads::Threads;

/// Blocks from which on a signal is divided in time; below that the output channels are.
const MIN_BLOCKS: usize = 2;

/// Rows up to which a convolution of three taps is a product of windows: for fewer, transforming the weights takes longer
/// than it saves.
const WINDOWED: usize = 40;

/// Rows whose moments are one sum.
const MOMENT_ROWS: usize = 1024;

/// Output channels of one part when they are divided: a multiple of 32.
const PART: usize = 128;

/// Runs convolutions: the kernels, and what they need besides.
pub(crate) struct Convolver<'a, K: Kernels> {
    pub(crate) kernels: K,
    pub(crate) threads: &'a Threads,
    pub(crate) cancel: &'a CancelToken,
    pub(crate) memory: &'a Memory,
    /// The file that holds the weights.
    pub(crate) file: &'a [u8],
}

/// Memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) buffers: Buffers,
    scratch: Scratch,
}

/// What kernels grow as they need: one for each call that runs.
#[derive(Debug, Default)]
struct Scratch(Mutex<Vec<Vec<f32>>>);

impl Scratch {
    fn take(&self) -> Vec<f32> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give(&self, scratch: Vec<f32>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }
}

/// What a convolution reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) signal: &'a Signal,
    /// What is done to it first; the zeros around it stay zeros.
    pub(crate) activation: Activation<'a>,
}

/// Where the output of a convolution goes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sink<'a> {
    /// Added before the scale: a signal like the output.
    pub(crate) residual: Option<&'a Signal>,
    /// What the sum is multiplied by: 1 if there is none.
    pub(crate) scale: Option<f32>,
    /// Whether it is added to what is there.
    pub(crate) accumulate: bool,
    /// Whether the moments of what is there afterwards are wanted.
    pub(crate) moments: bool,
}

/// A convolution whose weights are packed: for those that are used many times in one utterance.
pub(crate) struct Packed<'a, E> {
    part: Part<'a>,
    weights: Buffer<E>,
}

/// Some of the output channels of a convolution.
struct Part<'a> {
    plan: Plan,
    /// Whether it may round what it reads.
    rounded: bool,
    filter: Filter<'a>,
    bias: &'a [f32],
    before: usize,
    step: usize,
    /// Its first channel in a row of the output.
    channel: usize,
}

impl<'a, K: Kernels> Convolver<'a, K> {
    /// The same in 32 bits.
    pub(crate) fn exact(&self) -> Convolver<'a, K::Fp32> {
        let Self { kernels, threads, cancel, memory, file } = *self;
        Convolver { kernels: kernels.fp32(), threads, cancel, memory, file }
    }

    /// A signal of any content.
    pub(crate) fn signal(&self, rows: usize, channels: usize) -> Signal {
        Signal { values: self.memory.buffers.take(rows * channels), channels }
    }

    /// A copy of some rows.
    pub(crate) fn part_of(&self, signal: &Signal, rows: Range<usize>) -> Signal {
        let channels = signal.channels;
        let mut part = self.signal(rows.len(), channels);
        part.values.copy_from_slice(&signal.values[rows.start * channels..rows.end * channels]);
        part
    }

    /// Gives the memory of a signal back.
    pub(crate) fn free(&self, signal: Signal) {
        self.memory.buffers.give(signal.values);
    }

    /// Convolves a signal; the rows of the output say how many are computed.
    ///
    /// # Errors
    ///
    /// `cancelled`.
    pub(crate) fn convolve(
        &self,
        convolution: &Convolution,
        input: &Source<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<Moments> {
        let mut part = self.part(convolution, 0);
        if part.plan.shape.taps == 3 && part.plan.shape.dilation == 1 && output.rows() <= WINDOWED {
            part.plan = self.plan(part.plan.shape.of_windows(), part.rounded);
        }
        self.run(&[part], input, output, sink)
    }

    /// A convolution and nothing else, of as many rows as there are.
    ///
    /// # Errors
    ///
    /// `cancelled`.
    pub(crate) fn apply(&self, convolution: &Convolution, input: &Source<'_>) -> Result<Signal> {
        let mut output = self.signal(input.signal.rows(), convolution.shape.outputs);
        self.convolve(convolution, input, &mut output, Sink::default())?;
        Ok(output)
    }

    /// A transposed convolution: `output` has `stride` rows for each row of the input.
    ///
    /// # Errors
    ///
    /// `cancelled`.
    pub(crate) fn upsample(
        &self,
        upsampling: &Upsampling,
        input: &Source<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<Moments> {
        let [first, second] = &upsampling.halves;
        let parts = [self.part(first, 0), self.part(second, first.shape.outputs)];
        // The rows that one input row gives, as one.
        let channels =
            std::mem::replace(&mut output.channels, first.shape.outputs + second.shape.outputs);
        let moments = self.run(&parts, input, output, sink);
        output.channels = channels;
        moments
    }

    /// Packs the weights of a convolution.
    pub(crate) fn packed<'b>(&'b self, convolution: &'b Convolution) -> Packed<'b, K::Element> {
        let part = self.part(convolution, 0);
        let weights = self.pack_together(&part);
        Packed { part, weights }
    }

    /// Convolves a signal as [`Self::convolve`] does, with weights that are packed.
    ///
    /// # Errors
    ///
    /// `cancelled`.
    pub(crate) fn convolve_packed(
        &self,
        packed: &Packed<'_, K::Element>,
        input: &Source<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<()> {
        self.cancel.check()?;
        let Packed { part, weights } = packed;
        let blocks = output.rows().div_ceil(part.plan.block).next_multiple_of(2);
        self.in_blocks(&[(part, weights)], input, output, sink, blocks);
        Ok(())
    }

    /// Takes the memory of packed weights back.
    pub(crate) fn free_packed(&self, packed: Packed<'_, K::Element>) {
        self.memory.buffers.give(packed.weights);
    }

    fn plan(&self, shape: Shape, rounded: bool) -> Plan {
        if rounded { self.kernels.plan_int16(shape) } else { self.kernels.plan(shape) }
    }

    fn part<'b>(&'b self, convolution: &'b Convolution, channel: usize) -> Part<'b> {
        let filter = convolution.filter(self.file);
        let rounded = convolution.rounded && filter.is_quantized();
        Part {
            plan: self.plan(convolution.shape, rounded),
            rounded,
            filter,
            bias: &convolution.bias,
            before: convolution.before,
            step: convolution.step,
            channel,
        }
    }

    fn run(
        &self,
        parts: &[Part<'_>],
        input: &Source<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Result<Moments> {
        self.cancel.check()?;
        let block = parts.iter().map(|part| part.plan.block).min().unwrap_or(1);
        let blocks = output.rows().div_ceil(block);
        if blocks >= MIN_BLOCKS {
            Ok(self.divided_in_time(parts, input, output, sink, blocks))
        } else {
            Ok(self.divided_by_channels(parts, input, output, sink))
        }
    }

    /// Many rows: the weights are packed once, and each block of rows is computed with all of them.
    fn divided_in_time(
        &self,
        parts: &[Part<'_>],
        input: &Source<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
        blocks: usize,
    ) -> Moments {
        let packed: Vec<_> = parts.iter().map(|part| self.pack_together(part)).collect();
        let both: Vec<_> = parts.iter().zip(&packed).collect();
        let moments = self.in_blocks(&both, input, output, sink, blocks.next_multiple_of(2));
        packed.into_iter().for_each(|packed| self.memory.buffers.give(packed));
        moments
    }

    /// Computes blocks of nearly one length, each with all of the packed weights.
    fn in_blocks(
        &self,
        parts: &[(&Part<'_>, &Buffer<K::Element>)],
        input: &Source<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
        blocks: usize,
    ) -> Moments {
        let group = parts.iter().map(|(part, _)| part.plan.group).max().unwrap_or(1);
        let rows = output.rows().div_ceil(blocks).next_multiple_of(group).max(1);
        let channels = output.channels;
        let mut moments = vec![Moments::new(channels); output.rows().div_ceil(rows)];
        self.threads.for_each_chunk_with(
            &mut output.values,
            rows * channels,
            &mut moments,
            |index, chunk, moments| {
                let first = index * rows;
                for (part, packed) in parts {
                    if part.plan.shape.outputs == channels {
                        let epilogue = sink
                            .epilogue(part.bias, first * channels..first * channels + chunk.len());
                        self.rows(part, packed, input, first, chunk, &epilogue);
                    } else {
                        let sum = self.sums(part, packed, input, first, chunk.len() / channels);
                        deliver(part, sink, &sum, first, chunk, channels);
                        self.memory.buffers.give(sum);
                    }
                }
                if sink.moments {
                    self.accumulate_sums(chunk, moments);
                }
            },
        );
        Moments::of_parts(channels, &moments)
    }

    /// Few rows: the weights are most of the work, so each thread packs and uses some columns of them.
    fn divided_by_channels(
        &self,
        parts: &[Part<'_>],
        input: &Source<'_>,
        output: &mut Signal,
        sink: Sink<'_>,
    ) -> Moments {
        let parts: Vec<_> = parts.iter().flat_map(|part| self.columns(part)).collect();
        let (rows, channels) = (output.rows(), output.channels);
        let mut sums: Vec<_> = parts.iter().map(|_| Buffer::default()).collect();
        self.threads.for_each_chunk(&mut sums, 1, |index, sum| {
            let packed = self.pack(&parts[index]);
            sum[0] = self.sums(&parts[index], &packed, input, 0, rows);
            self.memory.buffers.give(packed);
        });
        for (part, sum) in parts.iter().zip(sums) {
            deliver(part, sink, &sum, 0, &mut output.values, channels);
            self.memory.buffers.give(sum);
        }
        if sink.moments { self.moments(output) } else { Moments::new(channels) }
    }

    /// A part of the channels, again in parts.
    fn columns<'b>(&self, part: &Part<'b>) -> Vec<Part<'b>> {
        let Part { rounded, bias, before, step, .. } = *part;
        let shape = part.plan.shape;
        (0..shape.outputs)
            .step_by(PART)
            .map(|first| {
                let outputs = PART.min(shape.outputs - first);
                Part {
                    plan: self.plan(Shape { outputs, ..shape }, rounded),
                    rounded,
                    filter: part.filter.columns_from(first),
                    bias: &bias[first..first + outputs],
                    before,
                    step,
                    channel: part.channel + first,
                }
            })
            .collect()
    }

    fn pack(&self, part: &Part<'_>) -> Buffer<K::Element> {
        let plan = &part.plan;
        let mut packed = self.memory.buffers.take(plan.packed_len());
        for (panel, packed) in packed.chunks_exact_mut(plan.panel_len).enumerate() {
            self.kernels.pack(&part.filter, plan, panel, packed);
        }
        packed
    }

    fn pack_together(&self, part: &Part<'_>) -> Buffer<K::Element> {
        let plan = &part.plan;
        let mut packed = self.memory.buffers.take(plan.packed_len());
        self.threads.for_each_chunk(&mut packed, plan.panel_len, |panel, packed| {
            self.kernels.pack(&part.filter, plan, panel, packed);
        });
        packed
    }

    /// Some output rows of a part, without bias or anything else.
    fn sums(
        &self,
        part: &Part<'_>,
        packed: &[K::Element],
        input: &Source<'_>,
        first: usize,
        rows: usize,
    ) -> Buffer<f32> {
        let outputs = part.plan.shape.outputs;
        let mut sums = self.memory.buffers.take(rows * outputs);
        let zeros = vec![0.0; outputs];
        let plain = Epilogue { bias: &zeros, residual: None, scale: 1.0, accumulate: false };
        self.rows(part, packed, input, first, &mut sums, &plain);
        sums
    }

    /// Output rows from `first` on, as many as `output` has.
    fn rows(
        &self,
        part: &Part<'_>,
        packed: &[K::Element],
        input: &Source<'_>,
        first: usize,
        output: &mut [f32],
        epilogue: &Epilogue<'_>,
    ) {
        let Part { plan, before, step, .. } = part;
        let Shape { inputs, outputs, .. } = plan.shape;
        let channels = input.signal.channels;
        let stride = step * channels;
        let windows = plan.input_rows(output.len() / outputs);
        let needed = (windows.saturating_sub(1) * stride + inputs).div_ceil(channels);
        let mut rows = self.memory.buffers.take(needed * channels);
        let start = (first * step).cast_signed() - before.cast_signed();
        input.activated(self.kernels, start, &mut rows);
        let mut scratch = self.memory.scratch.take();
        self.kernels.convolve(plan, packed, &rows, stride, output, epilogue, &mut scratch);
        self.memory.scratch.give(scratch);
        self.memory.buffers.give(rows);
    }

    /// The moments of a whole signal.
    pub(crate) fn moments(&self, signal: &Signal) -> Moments {
        let rows = MOMENT_ROWS * signal.channels;
        let mut parts = vec![Moments::new(signal.channels); signal.values.len().div_ceil(rows)];
        self.threads.for_each_chunk(&mut parts, 1, |index, part| {
            let start = index * rows;
            let end = signal.values.len().min(start + rows);
            self.accumulate_sums(&signal.values[start..end], &mut part[0]);
        });
        Moments::of_parts(signal.channels, &parts)
    }

    fn accumulate_sums(&self, rows: &[f32], moments: &mut Moments) {
        self.kernels.accumulate_sums(rows, &mut moments.sums, &mut moments.squares);
        moments.count(rows.len() / moments.sums.len());
    }
}

impl<'a> Source<'a> {
    /// A signal as it is.
    pub(crate) fn plain(signal: &'a Signal) -> Self {
        Self { signal, activation: Activation::None }
    }

    /// Activated rows from row `start` on, as many as `rows` has; zeros where there are none.
    fn activated<K: Kernels>(&self, kernels: K, start: isize, rows: &mut [K::Element]) {
        let channels = self.signal.channels;
        let count = rows.len() / channels;
        let before = start.min(0).unsigned_abs().min(count);
        let first = start.max(0).unsigned_abs().min(self.signal.rows());
        let there = (count - before).min(self.signal.rows() - first);
        let (zeros, rest) = rows.split_at_mut(before * channels);
        let (rows, more) = rest.split_at_mut(there * channels);
        zeros.fill(K::Element::zeroed());
        more.fill(K::Element::zeroed());
        let values = &self.signal.values[first * channels..(first + there) * channels];
        kernels.activate(values, channels, &self.activation, rows);
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

/// Puts the sums of a part into its columns of a chunk of output rows, which begins at row `first` of the output.
fn deliver(
    part: &Part<'_>,
    sink: Sink<'_>,
    sums: &[f32],
    first: usize,
    chunk: &mut [f32],
    channels: usize,
) {
    let outputs = part.plan.shape.outputs;
    let scale = sink.scale.unwrap_or(1.0);
    for (t, (row, sums)) in
        chunk.chunks_exact_mut(channels).zip(sums.chunks_exact(outputs)).enumerate()
    {
        let columns = part.channel..part.channel + outputs;
        let residual = sink.residual.map(|signal| {
            let start = (first + t) * channels;
            &signal.values[start..start + channels][columns.clone()]
        });
        for (i, (y, sum)) in row[columns].iter_mut().zip(sums).enumerate() {
            let value = scale * (sum + part.bias[i] + residual.map_or(0.0, |row| row[i]));
            *y = if sink.accumulate { *y + value } else { value };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acoustic::kernels::Portable;

    #[test]
    fn few_rows_are_convolved_as_many_are() {
        let (threads, cancel) = (Threads::new(1).unwrap(), CancelToken::new());
        let memory = Memory::default();
        let convolver = Convolver {
            kernels: Portable,
            threads: &threads,
            cancel: &cancel,
            memory: &memory,
            file: &[],
        };
        let number = |i: usize| ((i * 7919) % 1009) as f32 / 1009.0 - 0.5;
        let shape = Shape { taps: 3, inputs: 32, outputs: 64, dilation: 1 };
        let weights = (0..3 * 32 * 64).flat_map(|i| number(i).to_le_bytes()).collect();
        let bias = (0..64).map(number).collect();
        let convolution = Convolution::in_memory(shape, weights, bias, 1);
        let convolved = |rows: usize| {
            let mut input = convolver.signal(rows, 32);
            input.values.iter_mut().enumerate().for_each(|(i, x)| *x = number(3 * i));
            convolver.apply(&convolution, &Source::plain(&input)).unwrap()
        };
        let (few, many) = (convolved(WINDOWED), convolved(WINDOWED + 1));
        // The last row of the few has nothing after it.
        for (a, b) in few.values[..(WINDOWED - 1) * 64].iter().zip(&*many.values) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }
}

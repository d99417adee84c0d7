//! Linear layers of small networks: their weights are packed once, when they are read.

use bytemuck::Zeroable;
use speech_base::error::Result;
use speech_kernels::{Activation, Epilogue, Kernels, Operands, Plan, Shape};

use crate::network::convolve::Convolver;
use crate::network::layers::{WeightFile, damaged};
use crate::network::signal::{Buffer, Signal};

/// Time steps that a thread computes at a time: their values stay in the L2 cache. They are whole groups of every set of kernels.
pub(super) const CHUNK: usize = 96;

/// A convolution whose output has as many time steps as its input, as one product with overlapping windows of it (im2col).
pub(super) struct Product<K: Kernels> {
    plan: Plan,
    weights: Vec<K::Element>,
    bias: Vec<f32>,
    /// Channels of the input.
    inputs: usize,
    /// Time steps of zeros at both ends of the input.
    padding: usize,
}

impl<K: Kernels> Product<K> {
    /// Reads a layer with so many channels.
    pub(super) fn read(
        file: &WeightFile<'_>,
        kernels: K,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self> {
        let layer = file.im2col_convolution(name)?;
        let (padding, taps) = (layer.padding, 2 * layer.padding + 1);
        let expected = Shape { taps: 1, inputs: taps * inputs, outputs, dilation: 1 };
        if layer.shape != expected {
            return Err(damaged(&format!("{name}.weight")));
        }
        let filter = layer.filter(file.bytes);
        let plan = if filter.is_quantized() {
            kernels.plan_int16(layer.shape)
        } else {
            kernels.plan(layer.shape)
        };
        debug_assert!(CHUNK.is_multiple_of(plan.group));
        let mut weights = vec![K::Element::zeroed(); plan.packed_len()];
        for (panel, packed) in weights.chunks_exact_mut(plan.panel_len).enumerate() {
            kernels.pack(&filter, &plan, panel, packed);
        }
        Ok(Self { plan, weights, bias: layer.bias, inputs, padding })
    }

    pub(super) fn taps(&self) -> usize {
        2 * self.padding + 1
    }

    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(super) fn outputs(&self) -> usize {
        self.plan.shape.outputs
    }

    /// Memory for so many activated rows, and for those that are read beyond.
    pub(super) fn rows(
        &self,
        convolver: &Convolver<'_, K>,
        rows: usize,
    ) -> Result<Buffer<K::Element>> {
        let rows = self.plan.input_rows(rows) + 2 * self.padding;
        convolver.workspace.buffers.take(rows * self.inputs)
    }

    /// The product of activated rows on this thread: as many as `output` has, with the padding around them, in memory of
    /// [`rows`](Self::rows). What is in `residual` is added.
    pub(super) fn multiply(
        &self,
        convolver: &Convolver<'_, K>,
        input: &[K::Element],
        residual: Option<&[f32]>,
        output: &mut [f32],
    ) {
        let epilogue = Epilogue { residual, ..Epilogue::plain(&self.bias) };
        let Self { plan, weights, inputs, .. } = self;
        let operands = Operands { plan, packed: weights, input, stride: *inputs, epilogue };
        convolver.convolve_rows(&operands, output);
    }

    /// The product of a signal, after an activation of it.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` if the system has no memory for it.
    pub(super) fn apply(
        &self,
        convolver: &Convolver<'_, K>,
        signal: &Signal,
        activation: Activation<'_>,
    ) -> Result<Signal> {
        convolver.cancel.check()?;
        let (inputs, outputs, padding) = (self.inputs, self.outputs(), self.padding);
        let steps = signal.time_steps();
        // A chunk may be rounded up to a group, and so may the last.
        let mut padded = self.rows(convolver, steps.next_multiple_of(CHUNK))?;
        let (before, rest) = padded.split_at_mut(padding * inputs);
        let (inside, after) = rest.split_at_mut(steps * inputs);
        before.fill(K::Element::zeroed());
        after.fill(K::Element::zeroed());
        convolver.kernels.activate(&signal.values, inputs, &activation, inside);
        let mut output = convolver.signal(steps, outputs)?;
        convolver.threads.for_each_chunk(&mut output.values, CHUNK * outputs, |chunk, output| {
            self.multiply(convolver, &padded[chunk * CHUNK * inputs..], None, output);
        });
        convolver.workspace.buffers.recycle(padded);
        Ok(output)
    }
}

//! Linear layers of small networks. Weights are packed once, at first use, so an engine that never
//! uses a network spends no memory on it.

use std::sync::OnceLock;

use bytemuck::Zeroable;
use speech_base::error::Result;
use speech_kernels::{Activation, Epilogue, Kernels, Operands, Plan, Quantization, Shape};

use crate::network::convolve::Convolver;
use crate::network::layers::{Convolution, WeightFile, damaged};
use crate::network::signal::{Buffer, Signal};

/// The time steps that a thread computes at a time. Their values stay in the L2 cache. A multiple
/// of the group size of every set of kernels.
pub(super) const CHUNK: usize = 96;

/// A convolution whose output has as many time steps as its input, as one product with overlapping
/// windows (im2col).
pub(super) struct Product<K: Kernels> {
    plan: Plan,
    layer: Convolution,
    packed: OnceLock<Vec<K::Element>>,
    /// Channels of the input.
    inputs: usize,
}

impl<K: Kernels> Product<K> {
    /// Reads a layer with these numbers of channels.
    pub(super) fn read(
        file: &WeightFile<'_>,
        kernels: K,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self> {
        let layer = file.im2col_convolution(name)?;
        let taps = 2 * layer.padding + 1;
        let expected = Shape { taps: 1, inputs: taps * inputs, outputs, dilation: 1 };
        if layer.shape != expected {
            return Err(damaged(&format!("{name}.weight")));
        }
        let plan = if layer.filter(file.bytes).is_quantized() {
            kernels.plan_int16(layer.shape)
        } else {
            kernels.plan(layer.shape)
        };
        debug_assert!(CHUNK.is_multiple_of(plan.group));
        Ok(Self { plan, layer, packed: OnceLock::new(), inputs })
    }

    /// The same layer with its input quantized to bytes, where the processor multiplies bytes and
    /// the weights are bytes.
    pub(super) fn in_bytes(self, kernels: K) -> Self {
        let is_quantized = self.plan.quantization == Quantization::Int16;
        let plan = if is_quantized { kernels.plan_int8(self.plan.shape) } else { self.plan };
        Self { plan, ..self }
    }

    /// The packed weights, from the file that the layer was read from.
    fn packed(&self, convolver: &Convolver<'_, K>) -> &[K::Element] {
        self.packed.get_or_init(|| {
            let filter = self.layer.filter(convolver.file);
            let mut packed = vec![K::Element::zeroed(); self.plan.packed_len()];
            for (panel, packed) in packed.chunks_exact_mut(self.plan.panel_len).enumerate() {
                convolver.kernels.pack(&filter, &self.plan, panel, packed);
            }
            packed
        })
    }

    pub(super) fn taps(&self) -> usize {
        2 * self.layer.padding + 1
    }

    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(super) fn outputs(&self) -> usize {
        self.plan.shape.outputs
    }

    /// Memory for this many activated rows, and for those read beyond them.
    pub(super) fn rows(
        &self,
        convolver: &Convolver<'_, K>,
        rows: usize,
    ) -> Result<Buffer<K::Element>> {
        let rows = self.plan.input_rows(rows) + 2 * self.layer.padding;
        convolver.workspace.buffers.take(rows * self.inputs)
    }

    /// The product of activated rows, on this thread. `output` determines their number. They
    /// include the padding around them, and are in memory from [`rows`](Self::rows). `residual` is
    /// added.
    pub(super) fn multiply(
        &self,
        convolver: &Convolver<'_, K>,
        input: &[K::Element],
        residual: Option<&[f32]>,
        output: &mut [f32],
    ) {
        let epilogue = Epilogue { residual, ..Epilogue::plain(&self.layer.bias) };
        let (packed, stride) = (self.packed(convolver), self.inputs);
        let operands = Operands { plan: &self.plan, packed, input, stride, epilogue };
        convolver.convolve_rows(&operands, output);
    }

    /// The product of a signal after an activation.
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
        let (inputs, outputs, padding) = (self.inputs, self.outputs(), self.layer.padding);
        let steps = signal.time_steps();
        // Any chunk, including the last, may be rounded up to a group.
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

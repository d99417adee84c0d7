//! Single-precision convolutions: how they are planned, packed and run. One tap is a matrix product; 3, 7 and 11 taps
//! go through [`fast_convolution`].

use super::filter::Filter;
use super::gemm::{Accumulators, Product, multiply};
use super::simd::{Simd, Vector};
use super::winograd::{Fourier, Winograd};
use super::{Epilogue, Plan, Shape, fast_convolution};

/// Output rows of one call for a plain matrix product: the input rows stay in the L2 cache.
const BLOCK_ROWS: usize = 240;

/// Columns (output channels) of a packed panel: two vectors.
pub(super) const fn panel_width<S: Simd>() -> usize {
    2 * S::WIDTH
}

/// [`Kernels::plan`](super::Kernels::plan).
pub(super) fn plan<S: Simd>(shape: Shape) -> Plan {
    assert!(shape.outputs.is_multiple_of(panel_width::<S>()), "{shape:?}");
    match shape.taps {
        1 => {
            let panel_len = shape.inputs * panel_width::<S>();
            Plan {
                shape,
                panels: shape.outputs / panel_width::<S>(),
                panel_len,
                block: BLOCK_ROWS,
                group: 1,
                products: shape.products(),
                int16: false,
            }
        }
        3 => fast_convolution::plan::<S, Winograd>(shape),
        7 => fast_convolution::plan::<S, Fourier<7>>(shape),
        11 => fast_convolution::plan::<S, Fourier<11>>(shape),
        taps => unreachable!("a convolution has 1, 3, 7 or 11 taps, not {taps}"),
    }
}

/// [`Kernels::plan_int16`](super::Kernels::plan_int16) for instruction sets without faster integer products.
pub(super) fn plan_int16<S: Simd>(_: S, shape: Shape) -> Plan {
    plan::<S>(shape)
}

/// [`Kernels::pack`](super::Kernels::pack).
#[inline(always)]
pub(super) fn pack<S: Simd>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    assert!(*plan == self::plan::<S>(plan.shape) && packed.len() == plan.panel_len);
    match plan.shape.taps {
        7 => fast_convolution::pack::<S, Fourier<7>>(simd, filter, plan, panel, packed),
        11 => fast_convolution::pack::<S, Fourier<11>>(simd, filter, plan, panel, packed),
        taps => {
            let (inputs, width) = (plan.shape.inputs, panel_width::<S>());
            for tap in 0..taps {
                // The taps of one input channel are contiguous.
                for (input, packed) in packed.chunks_exact_mut(taps * width).enumerate() {
                    let packed = &mut packed[tap * width..][..width];
                    filter.decode_simd(simd, tap * inputs + input, panel * width, packed);
                }
            }
        }
    }
}

/// [`Kernels::convolve`](super::Kernels::convolve).
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the arguments of the method")]
pub(super) fn convolve<S: Simd>(
    simd: S,
    plan: &Plan,
    packed: &[f32],
    input: &[f32],
    stride: usize,
    output: &mut [f32],
    epilogue: &Epilogue<'_>,
    scratch: &mut Vec<f32>,
) {
    let Shape { inputs, outputs, .. } = plan.shape;
    let rows = output.len() / outputs;
    if rows == 0 {
        return;
    }
    let last = (plan.input_rows(rows) - 1) * stride + inputs;
    assert!(input.len() >= last);
    assert!(*plan == self::plan::<S>(plan.shape) && (stride == inputs || plan.shape.taps == 1));
    check_lengths(plan, packed, output, epilogue);
    match plan.shape.taps {
        1 => multiply_rows(simd, plan, packed, input, stride, output, epilogue),
        3 => fast_convolution::convolve::<S, Winograd>(
            simd, plan, packed, input, output, epilogue, scratch,
        ),
        7 => fast_convolution::convolve::<S, Fourier<7>>(
            simd, plan, packed, input, output, epilogue, scratch,
        ),
        _ => fast_convolution::convolve::<S, Fourier<11>>(
            simd, plan, packed, input, output, epilogue, scratch,
        ),
    }
}

/// Asserts the lengths of everything that is accessed without bounds checks.
#[inline(always)]
pub(super) fn check_lengths(plan: &Plan, packed: &[f32], output: &[f32], epilogue: &Epilogue<'_>) {
    let outputs = plan.shape.outputs;
    assert!(output.len().is_multiple_of(outputs));
    assert!(packed.len() == plan.packed_len() && epilogue.bias.len() == outputs);
    assert!(epilogue.residual.is_none_or(|residual| residual.len() == output.len()));
}

/// A convolution with one tap: a matrix product.
#[inline(always)]
fn multiply_rows<S: Simd>(
    simd: S,
    plan: &Plan,
    packed: &[f32],
    input: &[f32],
    stride: usize,
    output: &mut [f32],
    epilogue: &Epilogue<'_>,
) {
    let Shape { inputs, outputs, .. } = plan.shape;
    let writer = EpilogueWriter::new(epilogue, output, outputs);
    for start in (0..output.len() / outputs).step_by(plan.block) {
        let count = plan.block.min(output.len() / outputs - start);
        for (panel, weights) in packed.chunks_exact(plan.panel_len).enumerate() {
            // SAFETY: `convolve` asserted that the input has all rows and that `packed` is whole panels of `inputs` rows;
            // `start + count` is at most the number of output rows.
            unsafe {
                let product = Product {
                    rows: input.as_ptr().add(start * stride),
                    stride,
                    depth: inputs,
                    panel: weights.as_ptr(),
                    next: weights.as_ptr().wrapping_add(plan.panel_len),
                    prefetch_len: plan.panel_len,
                };
                let writer = writer.offset_by(start, panel * panel_width::<S>());
                multiply(simd, product, count, |rows| {
                    OutputRows::new(writer.offset_by(rows.start, 0))
                });
            }
        }
    }
}

/// Applies an [`Epilogue`] to vectors of sums and writes them. Positions are relative to an output row and column.
#[derive(Clone, Copy)]
pub(super) struct EpilogueWriter {
    output: *mut f32,
    /// Null if there is no residual.
    residual: *const f32,
    bias: *const f32,
    outputs: usize,
    scale: f32,
    accumulate: bool,
}

impl EpilogueWriter {
    #[inline(always)]
    pub(super) fn new(epilogue: &Epilogue<'_>, output: &mut [f32], outputs: usize) -> Self {
        Self {
            output: output.as_mut_ptr(),
            residual: epilogue.residual.map_or(std::ptr::null(), <[f32]>::as_ptr),
            bias: epilogue.bias.as_ptr(),
            outputs,
            scale: epilogue.scale,
            accumulate: epilogue.accumulate,
        }
    }

    /// The same writer, relative to a later row and column.
    #[inline(always)]
    pub(super) fn offset_by(self, row: usize, column: usize) -> Self {
        let offset = row * self.outputs + column;
        Self {
            output: self.output.wrapping_add(offset),
            residual: if self.residual.is_null() {
                self.residual
            } else {
                self.residual.wrapping_add(offset)
            },
            bias: self.bias.wrapping_add(column),
            ..self
        }
    }

    /// Prefetches what [`Self::write`] reads and writes.
    #[inline(always)]
    pub(super) fn prefetch<S: Simd>(self, simd: S, row: usize, column: usize) {
        let offset = row * self.outputs + column;
        simd.prefetch(self.output.wrapping_add(offset));
        if !self.residual.is_null() {
            simd.prefetch(self.residual.wrapping_add(offset));
        }
    }

    /// Writes a vector of outputs.
    ///
    /// # Safety
    ///
    /// The output has the row, and a vector from the column on lies in it.
    #[inline(always)]
    pub(super) unsafe fn write<S: Simd>(self, simd: S, row: usize, column: usize, sum: S::Vector) {
        let offset = row * self.outputs + column;
        // SAFETY: the caller vouches for the position in the output. The bias has the columns of the output, and the
        // residual its size, as `check_lengths` asserted.
        unsafe {
            let mut value = sum + simd.load(self.bias.add(column));
            if !self.residual.is_null() {
                value = value + simd.load(self.residual.add(offset));
            }
            value = value * self.scale;
            let to = self.output.add(offset);
            if self.accumulate {
                value = simd.load(to) + value;
            }
            value.store(to);
        }
    }
}

/// Sums that start from zero and become output rows.
#[derive(Clone, Copy)]
pub(super) struct OutputRows {
    writer: EpilogueWriter,
}

impl OutputRows {
    /// The rows and columns of the writer.
    pub(super) fn new(writer: EpilogueWriter) -> Self {
        Self { writer }
    }
}

impl<S: Simd> Accumulators<S> for OutputRows {
    #[inline(always)]
    fn prefetch(self, simd: S, row: usize) {
        self.writer.prefetch(simd, row, 0);
        self.writer.prefetch(simd, row, 2 * S::WIDTH - 1);
    }

    #[inline(always)]
    unsafe fn load(self, simd: S, _row: usize, _column: usize) -> S::Vector {
        simd.splat(0.0)
    }

    #[inline(always)]
    unsafe fn store(self, simd: S, row: usize, column: usize, sum: S::Vector) {
        // SAFETY: the caller vouches for the position.
        unsafe { self.writer.write(simd, row, column, sum) }
    }
}

//! Convolutions: how they are planned, packed and run.

use super::filter::Filter;
use super::gemm::{Product, Sums, multiply};
use super::lanes::{Lanes, Vector};
use super::transform::{Fourier, Winograd};
use super::{Epilogue, Plan, Shape, transformed};

/// Output rows of one call where rows are not transformed.
const ROWS: usize = 240;

/// Columns of a panel.
pub(super) const fn width<L: Lanes>() -> usize {
    2 * L::WIDTH
}

/// [`Kernels::plan`](super::Kernels::plan).
pub(super) fn plan<L: Lanes>(shape: Shape) -> Plan {
    assert!(shape.outputs.is_multiple_of(width::<L>()), "{shape:?}");
    match shape.taps {
        1 => {
            let panel_len = shape.inputs * width::<L>();
            Plan {
                shape,
                panels: shape.outputs / width::<L>(),
                panel_len,
                block: ROWS,
                group: 1,
                rounded: false,
            }
        }
        3 => transformed::plan::<L, Winograd>(shape),
        7 => transformed::plan::<L, Fourier<7>>(shape),
        11 => transformed::plan::<L, Fourier<11>>(shape),
        taps => unreachable!("a convolution has 1, 3, 7 or 11 taps, not {taps}"),
    }
}

/// [`Kernels::plan_rounded`](super::Kernels::plan_rounded), which is no faster.
pub(super) fn plan_rounded<L: Lanes>(shape: Shape) -> Plan {
    plan::<L>(shape)
}

/// [`Kernels::pack`](super::Kernels::pack).
#[inline(always)]
pub(super) fn pack<L: Lanes>(
    lanes: L,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    assert!(*plan == self::plan::<L>(plan.shape) && packed.len() == plan.panel_len);
    match plan.shape.taps {
        7 => transformed::pack::<L, Fourier<7>>(lanes, filter, plan, panel, packed),
        11 => transformed::pack::<L, Fourier<11>>(lanes, filter, plan, panel, packed),
        taps => {
            let (inputs, width) = (plan.shape.inputs, width::<L>());
            for tap in 0..taps {
                // The taps of an input are neighbors.
                for (input, packed) in packed.chunks_exact_mut(taps * width).enumerate() {
                    let packed = &mut packed[tap * width..][..width];
                    filter.expand_vectors(lanes, tap * inputs + input, panel * width, packed);
                }
            }
        }
    }
}

/// [`Kernels::convolve`](super::Kernels::convolve).
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "those of the method")]
pub(super) fn convolve<L: Lanes>(
    lanes: L,
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
    assert!(*plan == self::plan::<L>(plan.shape) && (stride == inputs || plan.shape.taps == 1));
    check_lengths(plan, packed, output, epilogue);
    match plan.shape.taps {
        1 => multiply_rows(lanes, plan, packed, input, stride, output, epilogue),
        3 => transformed::convolve::<L, Winograd>(
            lanes, plan, packed, input, output, epilogue, scratch,
        ),
        7 => transformed::convolve::<L, Fourier<7>>(
            lanes, plan, packed, input, output, epilogue, scratch,
        ),
        _ => transformed::convolve::<L, Fourier<11>>(
            lanes, plan, packed, input, output, epilogue, scratch,
        ),
    }
}

/// What is read without a look at its length, and written, is as long as the plan says.
#[inline(always)]
pub(super) fn check_lengths(plan: &Plan, packed: &[f32], output: &[f32], epilogue: &Epilogue<'_>) {
    let outputs = plan.shape.outputs;
    assert!(output.len().is_multiple_of(outputs));
    assert!(packed.len() == plan.packed_len() && epilogue.bias.len() == outputs);
    assert!(epilogue.residual.is_none_or(|residual| residual.len() == output.len()));
}

/// A convolution with one tap.
#[inline(always)]
fn multiply_rows<L: Lanes>(
    lanes: L,
    plan: &Plan,
    packed: &[f32],
    input: &[f32],
    stride: usize,
    output: &mut [f32],
    epilogue: &Epilogue<'_>,
) {
    let Shape { inputs, outputs, .. } = plan.shape;
    let finish = Finish::new(epilogue, output, outputs);
    for start in (0..output.len() / outputs).step_by(plan.block) {
        let count = plan.block.min(output.len() / outputs - start);
        for (panel, weights) in packed.chunks_exact(plan.panel_len).enumerate() {
            // SAFETY: the input has `count` rows from `start` on, as was asserted, and a panel has `inputs` rows.
            unsafe {
                let product = Product {
                    rows: input.as_ptr().add(start * stride),
                    stride,
                    depth: inputs,
                    panel: weights.as_ptr(),
                    next: weights.as_ptr().wrapping_add(plan.panel_len),
                    ahead: plan.panel_len,
                };
                let finish = finish.from(start, panel * width::<L>());
                multiply(lanes, product, count, |rows| Finished {
                    finish: finish.from(rows.start, 0),
                });
            }
        }
    }
}

/// An epilogue, from an output row and a column on.
#[derive(Clone, Copy)]
pub(super) struct Finish {
    output: *mut f32,
    /// Null if there is none.
    residual: *const f32,
    bias: *const f32,
    outputs: usize,
    scale: f32,
    accumulate: bool,
}

impl Finish {
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

    /// The epilogue from a later row and column on.
    #[inline(always)]
    pub(super) fn from(self, row: usize, column: usize) -> Self {
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

    /// Brings near what [`Self::write`] reads and writes.
    #[inline(always)]
    pub(super) fn approach<L: Lanes>(self, lanes: L, row: usize, column: usize) {
        let offset = row * self.outputs + column;
        lanes.prefetch(self.output.wrapping_add(offset));
        if !self.residual.is_null() {
            lanes.prefetch(self.residual.wrapping_add(offset));
        }
    }

    /// Writes a vector of outputs.
    ///
    /// # Safety
    ///
    /// The output has such a row, and in it such a column and those of the vector after it.
    #[inline(always)]
    pub(super) unsafe fn write<L: Lanes>(
        self,
        lanes: L,
        row: usize,
        column: usize,
        sum: L::Vector,
    ) {
        let offset = row * self.outputs + column;
        // SAFETY: the caller's; the bias has the columns of the output, the residual its rows too.
        unsafe {
            let mut value = sum + lanes.load(self.bias.add(column));
            if !self.residual.is_null() {
                value = value + lanes.load(self.residual.add(offset));
            }
            value = value * self.scale;
            let to = self.output.add(offset);
            if self.accumulate {
                value = lanes.load(to) + value;
            }
            value.store(to);
        }
    }
}

/// Sums that are outputs.
#[derive(Clone, Copy)]
struct Finished {
    finish: Finish,
}

impl<L: Lanes> Sums<L> for Finished {
    #[inline(always)]
    fn approach(self, lanes: L, row: usize) {
        self.finish.approach(lanes, row, 0);
        self.finish.approach(lanes, row, 2 * L::WIDTH - 1);
    }

    #[inline(always)]
    unsafe fn begin(self, lanes: L, _row: usize, _column: usize) -> L::Vector {
        lanes.splat(0.0)
    }

    #[inline(always)]
    unsafe fn end(self, lanes: L, row: usize, column: usize, sum: L::Vector) {
        // SAFETY: the caller's.
        unsafe { self.finish.write(lanes, row, column, sum) }
    }
}

//! Byte products on aarch64: 8-bit weights, and an input quantized to 8 bits at run time, with one
//! scale and zero point per row.
//!
//! They use the loops of [`split_int16`](super::split_int16), which multiply two bytes per row;
//! here these are the bytes of two rows.

use std::arch::aarch64::vdupq_n_s32;
use std::ops::Range;

use super::byte_factors::ByteFactors;
use super::byte_products::{ByteProducts, COLUMNS, DEPTH, HALVES, MAX_ROWS};
use super::epilogue::{EpilogueWriter, OutputRows};
use super::fast_convolution::split_scratch;
use super::filter::Filter;
use super::gemm::Accumulators;
use super::kernels::Operands;
use super::plan::{Plan, Quantization, Shape};
use super::simd::Vector;
use super::split_int16::{self, ByteSimd, pack_codes};

/// The rows multiplied at a time.
const ROWS: usize = 2 * MAX_ROWS;

/// The values of a column before the codes of a panel: its scale, its zero point minus 128, and the
/// sum of its codes minus 128.
const HEADER: usize = 3;

pub(super) use split_int16::{plan, plan_int16};

/// [`Kernels::plan_int8`](crate::Kernels::plan_int8).
pub(super) fn plan_int8<S: ByteSimd>(simd: S, shape: Shape) -> Plan {
    let plan = plan_int16(simd, shape);
    if plan.quantization != Quantization::Int16 {
        return plan;
    }
    let panel_len = HEADER * COLUMNS + shape.inputs.div_ceil(DEPTH) * DEPTH * COLUMNS / 4;
    Plan { panel_len, quantization: Quantization::Int8, ..plan }
}

/// The byte products of a plan.
fn products<S: ByteSimd>(simd: S, plan: &Plan) -> Option<ByteProducts> {
    simd.byte_products().filter(|_| plan.quantization == Quantization::Int8)
}

/// [`Kernels::pack`](crate::Kernels::pack).
#[inline(always)]
pub(super) fn pack<S: ByteSimd>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    let Some(products) = products(simd, plan) else {
        return split_int16::pack(simd, filter, plan, panel, packed);
    };
    assert!(packed.len() == plan.panel_len);
    let (inputs, column) = (plan.shape.inputs, panel * COLUMNS);
    let (header, codes) = packed.split_at_mut(HEADER * COLUMNS);
    let (header, _) = header.as_chunks_mut::<COLUMNS>();
    let mut zeros = [0; COLUMNS];
    filter.scales(column, &mut header[0]);
    filter.zero_points(column, &mut zeros);
    header[1] = zeros.map(|zero| (128 - zero) as f32);
    header[2].fill(0.0);
    for input in 0..inputs {
        let codes = filter.codes(simd, input, column, COLUMNS);
        for (sum, code) in header[2].iter_mut().zip(codes) {
            *sum += f32::from(*code) - 128.0;
        }
    }
    pack_codes(simd, products, filter, inputs, column, codes);
}

/// [`Kernels::convolve`](crate::Kernels::convolve).
#[inline(always)]
pub(super) fn convolve<S: ByteSimd>(
    simd: S,
    operands: &Operands<'_, f32>,
    output: &mut [f32],
    scratch: &mut Vec<f32>,
) {
    let Operands { plan, packed, input, stride, ref epilogue } = *operands;
    let Some(products) = products(simd, plan) else {
        return split_int16::convolve(simd, operands, output, scratch);
    };
    let Shape { inputs, outputs, .. } = plan.shape;
    let rows = operands.check(&plan_int8(simd, plan.shape), output);
    let writer = EpilogueWriter::new(epilogue, output, outputs);
    for start in (0..rows).step_by(plan.block) {
        let count = plan.block.min(rows - start);
        let paired = PairedRows::new(scratch, count, inputs);
        for t in 0..count {
            // SAFETY: there is room for `count` rows.
            unsafe { paired.write(t, &input[(start + t) * stride..][..inputs]) }
        }
        for (panel, packed) in packed.chunks_exact(plan.panel_len).enumerate() {
            let writer = writer.offset_by(start, panel * COLUMNS);
            for first in (0..count).step_by(ROWS) {
                let sums = OutputRows::new(writer.offset_by(first, 0));
                let part = first..count.min(first + ROWS);
                // SAFETY: the rows were written, the output has that many from `start` on, with the
                // columns of the panel, and a panel is as planned by `plan_int8`.
                unsafe { multiply(simd, products, paired, part, packed, sums) }
            }
        }
    }
}

/// Quantized rows in pairs: for every [`DEPTH`] inputs, the bytes of both rows of all pairs.
#[derive(Clone, Copy)]
struct PairedRows {
    bytes: *mut i8,
    factors: *mut ByteFactors,
    /// Room for one row.
    row: *mut [i8; DEPTH],
    /// The number of pairs that fit.
    pairs: usize,
    steps: usize,
}

impl PairedRows {
    /// Makes room for rows.
    fn new(scratch: &mut Vec<f32>, rows: usize, inputs: usize) -> Self {
        let (steps, pairs) = (inputs.div_ceil(DEPTH), rows.next_multiple_of(ROWS) / 2);
        let row = steps * DEPTH / size_of::<f32>();
        let lengths = [2 * pairs * row, 2 * pairs * ByteFactors::LEN, row];
        let [bytes, factors, row] = split_scratch(scratch, lengths);
        Self { bytes: bytes.cast(), factors: factors.cast(), row: row.cast(), pairs, steps }
    }

    #[inline(always)]
    fn at(self, pair: usize, step: usize) -> *mut i8 {
        self.bytes.wrapping_add((step * self.pairs + pair) * HALVES)
    }

    /// Quantizes and writes a row.
    ///
    /// # Safety
    ///
    /// There is room for the row, and it has the expected number of inputs.
    #[inline(always)]
    unsafe fn write(self, row: usize, values: &[f32]) {
        // SAFETY: nothing else uses the bytes of the single row; there is room for this row (this
        // function's safety contract).
        unsafe {
            let bytes = std::slice::from_raw_parts_mut(self.row, self.steps);
            let factors = ByteFactors::quantize(values, bytes.as_flattened_mut());
            self.factors.add(row).write(factors);
            for (step, bytes) in bytes.iter().enumerate() {
                self.at(row / 2, step).add(row % 2 * DEPTH).cast::<[i8; DEPTH]>().write(*bytes);
            }
        }
    }
}

/// The product of some rows, starting at a pair, with a panel.
///
/// # Safety
///
/// The rows were written, `sums` has as many, and `packed` is a panel.
#[inline(always)]
unsafe fn multiply<S: ByteSimd, A: Accumulators<S>>(
    simd: S,
    products: ByteProducts,
    paired: PairedRows,
    rows: Range<usize>,
    packed: &[f32],
    sums: A,
) {
    // SAFETY: every processor with `ByteProducts` has NEON. A panel is a header and the codes of
    // all steps; the rows are valid (this function's safety contract).
    unsafe {
        let mut bytes = [[vdupq_n_s32(0); 4]; MAX_ROWS];
        let codes = packed.as_ptr().add(HEADER * COLUMNS).cast();
        let (pairs, first) = (rows.len().div_ceil(2), paired.at(rows.start / 2, 0));
        products.multiply(pairs, first, paired.pairs * HALVES, codes, paired.steps, &mut bytes);
        for half in 0..2 {
            let column = half * S::WIDTH;
            let header = |n| simd.load(packed.as_ptr().add(n * COLUMNS + column));
            let [scales, corrections, codes] = [header(0), header(1), header(2)];
            for (n, row) in rows.clone().enumerate() {
                let ByteFactors { scale, zero_point, sum } = *paired.factors.add(row);
                // The sum of (code - zero point of the column) times (byte - zero point of the
                // row).
                let products = simd.ints_to_floats(bytes[n / 2][n % 2 * 2 + half]);
                let products = corrections.mul_add(simd.splat(sum), products);
                let products = codes.mul_sub_from(simd.splat(zero_point), products);
                sums.store(simd, n, column, products * scale * scales);
            }
        }
    }
}

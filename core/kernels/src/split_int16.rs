//! Products of 16-bit integers with 8-bit weights, made of aarch64's byte products. The input is
//! quantized at run time, with one scale per block of a row.
//!
//! A 16-bit integer is 256 high + low, two signed bytes, and a weight code minus 128 is a signed
//! byte. The products of both bytes with it are summed separately, and the sum of the integers
//! times (128 - zero point) is added at the end. So the sums of a block are exact, at two byte
//! products for one: still twice as many per instruction as in single precision with `sdot`
//! (Armv8.2), and four times with `smmla` (Armv8.6).

use std::arch::aarch64::{
    int32x4_t, vaddlvq_s16, vaddq_s32, vcombine_s8, vdupq_n_s32, vld1q_s16, vld1q_s32, vmlaq_s32,
    vmovn_s16, vrshrn_n_s16, vshlq_n_s32, vst1q_s8,
};
use std::ops::Range;

use super::byte_products::{ByteProducts, COLUMNS, DEPTH, HALVES, MAX_ROWS};
use super::convolution;
use super::epilogue::{EpilogueWriter, OutputRows};
use super::fast_convolution::split_scratch;
use super::filter::Filter;
use super::gemm::{Accumulators, Gemm};
use super::kernels::Operands;
use super::plan::{Plan, Quantization, Shape};
use super::quantization::{self, BLOCK};
use super::simd::Vector;

/// An instruction set for processors that may have byte products.
pub(super) trait ByteSimd: Gemm {
    /// The byte products, if the processor has them.
    fn byte_products(self) -> Option<ByteProducts>;

    /// Converts 32-bit integers.
    fn ints_to_floats(self, ints: int32x4_t) -> Self::Vector;
}

/// The magnitude to which the largest element of a block is quantized: its high byte and its low
/// byte are 127.
///
/// With it, a sum of a block is at most 128 times 32,639 times 255, which is less than 2^31. The
/// sums of the bytes may wrap around when they are combined, but the result does not.
const LARGEST: f32 = 32_639.0;

/// The steps of a block.
const BLOCK_STEPS: usize = BLOCK / DEPTH;

pub(super) use convolution::plan;

/// [`Kernels::plan_int16`](crate::Kernels::plan_int16).
pub(super) fn plan_int16<S: ByteSimd>(simd: S, shape: Shape) -> Plan {
    let plan = plan(simd, shape);
    if shape.taps > 1 || simd.byte_products().is_none() {
        return plan;
    }
    // A panel is the scales of its columns, the differences of their zero points from 128, and the
    // codes, four per element.
    let panel_len = 2 * COLUMNS + shape.inputs.div_ceil(DEPTH) * DEPTH * COLUMNS / 4;
    Plan { panel_len, quantization: Quantization::Int16, ..plan }
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
    let Some(products) = simd.byte_products().filter(|_| plan.quantization == Quantization::Int16)
    else {
        return convolution::pack(simd, filter, plan, panel, packed);
    };
    assert!(packed.len() == plan.panel_len);
    let column = panel * COLUMNS;
    let (scales, packed) = packed.split_at_mut(COLUMNS);
    filter.scales(column, scales);
    let (corrections, codes) = packed.split_at_mut(COLUMNS);
    let corrections: &mut [i32] = bytemuck::cast_slice_mut(corrections);
    filter.zero_points(column, corrections);
    corrections.iter_mut().for_each(|zero| *zero = 128 - *zero);
    pack_codes(simd, products, filter, plan.shape.inputs, column, codes);
}

/// Packs the codes of a panel, starting at a column.
#[inline(always)]
pub(super) fn pack_codes<S: ByteSimd>(
    simd: S,
    products: ByteProducts,
    filter: &Filter<'_>,
    inputs: usize,
    column: usize,
    codes: &mut [f32],
) {
    let (steps, _) = bytemuck::cast_slice_mut::<_, u8>(codes).as_chunks_mut();
    for (step, out) in steps.iter_mut().enumerate() {
        // Bytes of missing rows are multiplied with zeros.
        let mut rows = [[0; COLUMNS]; DEPTH];
        for (input, row) in (step * DEPTH..inputs).zip(&mut rows) {
            row.copy_from_slice(filter.codes(simd, input, column, COLUMNS));
        }
        products.pack_step(&rows, out);
    }
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
    let Some(products) = simd.byte_products().filter(|_| plan.quantization == Quantization::Int16)
    else {
        return convolution::convolve(simd, operands, output, scratch);
    };
    let Shape { inputs, outputs, .. } = plan.shape;
    let rows = operands.check(&plan_int16(simd, plan.shape), output);
    let writer = EpilogueWriter::new(epilogue, output, outputs);
    for start in (0..rows).step_by(plan.block) {
        let count = plan.block.min(rows - start);
        let split = SplitRows::new(scratch, count, inputs);
        for t in 0..count {
            // SAFETY: there is room for `count` rows.
            unsafe { split.write(t, &input[(start + t) * stride..][..inputs]) }
        }
        for (panel, packed) in packed.chunks_exact(plan.panel_len).enumerate() {
            let writer = writer.offset_by(start, panel * COLUMNS);
            for first in (0..count).step_by(MAX_ROWS) {
                let sums = OutputRows::new(writer.offset_by(first, 0));
                let part = first..count.min(first + MAX_ROWS);
                // SAFETY: the rows were written, the output has that many from `start` on, with the
                // columns of the panel, and a panel is as planned by `plan_int16`.
                unsafe { multiply(simd, products, split, part, packed, sums) }
            }
        }
    }
}

/// Quantized rows: for every [`DEPTH`] inputs, the high bytes and the low bytes of all rows, row
/// after row. Each block of a row has a scale, and the sum of its integers.
#[derive(Clone, Copy)]
struct SplitRows {
    bytes: *mut i8,
    scales: *mut f32,
    sums: *mut i32,
    /// The number of rows that fit.
    rows: usize,
    steps: usize,
    blocks: usize,
}

impl SplitRows {
    /// Makes room for rows.
    fn new(scratch: &mut Vec<f32>, rows: usize, inputs: usize) -> Self {
        let (steps, blocks) = (inputs.div_ceil(DEPTH), inputs.div_ceil(BLOCK));
        let rows = rows.next_multiple_of(MAX_ROWS);
        let lengths = [rows * steps * HALVES / size_of::<f32>(), rows * blocks, rows * blocks];
        let [bytes, scales, sums] = split_scratch(scratch, lengths);
        Self { bytes: bytes.cast(), scales, sums: sums.cast(), rows, steps, blocks }
    }

    #[inline(always)]
    fn at(self, row: usize, step: usize) -> *mut i8 {
        self.bytes.wrapping_add((step * self.rows + row) * HALVES)
    }

    /// Quantizes and writes a row.
    ///
    /// # Safety
    ///
    /// There is room for the row, and it has the expected number of inputs.
    #[inline(always)]
    unsafe fn write(self, row: usize, values: &[f32]) {
        for (block, values) in values.chunks(BLOCK).enumerate() {
            let mut integers = [0; BLOCK];
            let scale = quantization::quantize(values, LARGEST, &mut integers[..values.len()]);
            let mut sum = 0;
            let steps = values.len().div_ceil(DEPTH);
            for (step, integers) in integers.as_chunks::<DEPTH>().0[..steps].iter().enumerate() {
                // SAFETY: a step is a vector of integers, and there is room for twice as many bytes
                // (this function's safety contract). The high byte is rounded, because the
                // remainder is a signed byte.
                unsafe {
                    let integers = vld1q_s16(integers.as_ptr());
                    sum += vaddlvq_s16(integers);
                    let halves = vcombine_s8(vrshrn_n_s16::<8>(integers), vmovn_s16(integers));
                    vst1q_s8(self.at(row, block * BLOCK_STEPS + step), halves);
                }
            }
            // SAFETY: there is room for the row (this function's safety contract), and the block is
            // one of the row's.
            unsafe {
                *self.scales.add(row * self.blocks + block) = scale;
                *self.sums.add(row * self.blocks + block) = sum;
            }
        }
    }
}

/// The product of a few rows with a panel.
///
/// # Safety
///
/// The rows were written, `sums` has as many, and `packed` is a panel.
#[inline(always)]
unsafe fn multiply<S: ByteSimd, A: Accumulators<S>>(
    simd: S,
    products: ByteProducts,
    split: SplitRows,
    rows: Range<usize>,
    packed: &[f32],
    sums: A,
) {
    let mut totals = [[simd.splat(0.0); 2]; MAX_ROWS];
    // SAFETY: a panel begins with two rows of columns, followed by the codes of all steps; the rows
    // are valid (this function's safety contract).
    unsafe {
        let scales = [0, S::WIDTH].map(|column| simd.load(packed.as_ptr().add(column)));
        let corrections: *const i32 = packed.as_ptr().add(COLUMNS).cast();
        let corrections = [vld1q_s32(corrections), vld1q_s32(corrections.add(S::WIDTH))];
        let codes: *const i8 = packed.as_ptr().add(2 * COLUMNS).cast();
        for block in 0..split.blocks {
            let first = block * BLOCK_STEPS;
            let steps = BLOCK_STEPS.min(split.steps - first);
            let mut bytes = [[vdupq_n_s32(0); 4]; MAX_ROWS];
            products.multiply(
                rows.len(),
                split.at(rows.start, first),
                split.rows * HALVES,
                codes.add(first * DEPTH * COLUMNS),
                steps,
                &mut bytes,
            );
            for (row, (totals, bytes)) in rows.clone().zip(totals.iter_mut().zip(&bytes)) {
                let scale = simd.splat(*split.scales.add(row * split.blocks + block));
                let sum = vdupq_n_s32(*split.sums.add(row * split.blocks + block));
                for half in 0..2 {
                    let whole = exact(bytes[half], bytes[2 + half], corrections[half], sum);
                    totals[half] = scale.mul_add(simd.ints_to_floats(whole), totals[half]);
                }
            }
        }
        for (row, totals) in totals[..rows.len()].iter().enumerate() {
            sums.store(simd, row, 0, totals[0] * scales[0]);
            sums.store(simd, row, S::WIDTH, totals[1] * scales[1]);
        }
    }
}

/// The sums of 16-bit products, from the sums of their byte products.
#[inline(always)]
fn exact(high: int32x4_t, low: int32x4_t, correction: int32x4_t, sum: int32x4_t) -> int32x4_t {
    // SAFETY: every processor with `ByteProducts` has NEON.
    unsafe { vmlaq_s32(vaddq_s32(vshlq_n_s32::<8>(high), low), correction, sum) }
}

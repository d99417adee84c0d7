//! 16-bit integer products, twice as fast as single-precision ones. The input is quantized at run
//! time, with one scale per block of a row. The sums of a block are exact.
//!
//! With one tap and 8-bit weights, a weight code minus its zero point is an integer below 256 in
//! magnitude, so the weights lose nothing, and the signal-to-noise ratio is about 90 dB. Other
//! weights are quantized. In the transformed domain of fast convolution
//! ([`fast_int16`](super::fast_int16)) all weights are quantized except the codes of three taps,
//! and the ratio is 60 dB or more.

use std::ops::Range;
use std::slice::ChunksExact;

use super::convolution;
use super::epilogue::{EpilogueWriter, OutputRows};
use super::filter::Filter;
use super::gemm::{Accumulators, Gemm, panel_width};
use super::kernels::Operands;
use super::plan::{Plan, Quantization, Shape};
use super::quantization::{self, BLOCK, larger};
use super::simd::{ROUNDING_BIAS, Simd, Vector};

/// The magnitude to which the largest element of a block is quantized.
const MAX_INT16: f32 = 32_767.0;

/// The largest norm of the quantized weights of a block and an output. With inputs of the largest
/// magnitude, a sum is less than 2^31 (Cauchy-Schwarz); rounding adds less than 6 to the norm.
const WEIGHT_NORM: f32 = 5_700.0;

/// The most columns in a panel.
pub(super) const MAX_PANEL_WIDTH: usize = 32;

/// An instruction set that multiplies pairs of 16-bit integers and adds both products to 32-bit
/// sums.
pub(super) trait Int16Simd: Gemm {
    /// [`Simd::WIDTH`] 32-bit integers.
    type Ints: Copy;

    fn zeros(self) -> Self::Ints;

    /// Converts 32-bit integers.
    fn ints_to_floats(self, sums: Self::Ints) -> Self::Vector;

    /// The sums of the products of `ROWS` rows, `stride` pairs apart, with the first `pairs` rows
    /// of a panel.
    ///
    /// # Safety
    ///
    /// The rows have `pairs` pairs, and `panel` is valid for reads of `pairs` rows of two vectors.
    unsafe fn multiply_pairs<const ROWS: usize>(
        self,
        rows: *const i32,
        stride: usize,
        pairs: usize,
        panel: *const i32,
        next: Prefetch,
    ) -> [[Self::Ints; 2]; ROWS];
}

/// The memory to prefetch during a product: an address, and the elements from one step to the next.
#[derive(Clone, Copy)]
pub(super) struct Prefetch {
    at: *const f32,
    step: usize,
}

impl Prefetch {
    #[inline(always)]
    pub(super) fn step<S: Simd>(&mut self, simd: S) {
        simd.prefetch(self.at);
        self.at = self.at.wrapping_add(self.step);
    }

    /// The same prefetch after `steps` steps.
    fn after(self, steps: usize) -> Self {
        Self { at: self.at.wrapping_add(steps * self.step), ..self }
    }
}

pub(super) use convolution::plan;

/// [`Kernels::plan_int16`](crate::Kernels::plan_int16).
pub(super) fn plan_int16<S: Int16Simd>(simd: S, shape: Shape) -> Plan {
    let plan = plan(simd, shape);
    if shape.taps > 1 {
        return plan;
    }
    // A panel is the scales of its columns, then pairs of interleaved rows.
    let panel_len = (1 + shape.inputs.div_ceil(2)) * panel_width::<S>();
    Plan { panel_len, quantization: Quantization::Int16, ..plan }
}

/// [`Kernels::plan_int8`](crate::Kernels::plan_int8) for instruction sets without byte products.
#[cfg(target_arch = "wasm32")]
pub(super) use plan_int16 as plan_int8;

/// [`Kernels::pack`](crate::Kernels::pack).
#[inline(always)]
pub(super) fn pack<S: Int16Simd>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    if plan.quantization != Quantization::Int16 {
        return convolution::pack(simd, filter, plan, panel, packed);
    }
    assert!(packed.len() == plan.panel_len);
    if filter.is_quantized() {
        pack_codes(simd, filter, plan.shape.inputs, panel, packed);
    } else {
        pack_quantized(simd, filter, plan.shape.inputs, panel, packed);
    }
}

/// Packs 8-bit codes unchanged.
#[inline(always)]
fn pack_codes<S: Int16Simd>(
    simd: S,
    filter: &Filter<'_>,
    inputs: usize,
    panel: usize,
    packed: &mut [f32],
) {
    let column = panel * panel_width::<S>();
    let (scales, pairs) = packed.split_at_mut(panel_width::<S>());
    filter.scales(column, scales);
    let mut zeros = [0; 32];
    let zeros = &mut zeros[..panel_width::<S>()];
    filter.zero_points(column, zeros);
    let pairs: &mut [i32] = bytemuck::cast_slice_mut(pairs);
    for (pair, out) in pairs.chunks_exact_mut(panel_width::<S>()).enumerate() {
        let first = filter.codes(simd, 2 * pair, column, out.len());
        for ((out, code), zero) in out.iter_mut().zip(first).zip(&*zeros) {
            *out = (i32::from(*code) - zero) & 0xFFFF;
        }
        if 2 * pair + 1 < inputs {
            let second = filter.codes(simd, 2 * pair + 1, column, out.len());
            for ((out, code), zero) in out.iter_mut().zip(second).zip(&*zeros) {
                *out |= (i32::from(*code) - zero) << 16;
            }
        }
    }
}

/// Quantizes unquantized weights, with one scale per column.
#[inline(always)]
fn pack_quantized<S: Int16Simd>(
    simd: S,
    filter: &Filter<'_>,
    inputs: usize,
    panel: usize,
    packed: &mut [f32],
) {
    let width = panel_width::<S>();
    let mut rows = [[0.0; MAX_PANEL_WIDTH]; 2];
    let mut norms = [0.0; MAX_PANEL_WIDTH];
    for first in (0..inputs).step_by(BLOCK) {
        let mut squares = [0.0; MAX_PANEL_WIDTH];
        for input in first..inputs.min(first + BLOCK) {
            filter.decode_simd(simd, input, panel * width, &mut rows[0][..width]);
            for (square, weight) in squares.iter_mut().zip(&rows[0]) {
                *square += weight * weight;
            }
        }
        for (norm, square) in norms.iter_mut().zip(squares) {
            *norm = larger(*norm, square.sqrt());
        }
    }
    let (scales, pairs) = packed.split_at_mut(width);
    for (scale, norm) in scales.iter_mut().zip(norms) {
        *scale = norm / WEIGHT_NORM;
    }
    let factors = norms.map(|norm| factor(WEIGHT_NORM, norm));
    let pairs: &mut [i32] = bytemuck::cast_slice_mut(pairs);
    for (pair, out) in pairs.chunks_exact_mut(width).enumerate() {
        for (half, row) in rows.iter_mut().enumerate() {
            let input = 2 * pair + half;
            if input < inputs {
                filter.decode_simd(simd, input, panel * width, &mut row[..width]);
            } else {
                row.fill(0.0);
            }
        }
        round_pairs(&rows[0], &rows[1], &factors, out);
    }
}

/// The factor that brings a norm to the limit; 0 for subnormal elements, for which it would
/// overflow.
#[inline(always)]
pub(super) fn factor(limit: f32, norm: f32) -> f32 {
    if norm > f32::MIN_POSITIVE * limit { limit / norm } else { 0.0 }
}

/// Multiplies two rows by the factors of their columns, rounds them and interleaves them.
#[inline(always)]
pub(super) fn round_pairs(first: &[f32], second: &[f32], factors: &[f32], out: &mut [i32]) {
    let width = out.len();
    let (first, second, factors) = (&first[..width], &second[..width], &factors[..width]);
    for (i, out) in out.iter_mut().enumerate() {
        // The low bits of the sums are the rounded integers.
        let low = (first[i] * factors[i] + ROUNDING_BIAS).to_bits() & 0xFFFF;
        let high = (second[i] * factors[i] + ROUNDING_BIAS).to_bits() << 16;
        *out = (low | high).cast_signed();
    }
}

/// [`Kernels::convolve`](crate::Kernels::convolve).
#[inline(always)]
pub(super) fn convolve<S: Int16Simd>(
    simd: S,
    operands: &Operands<'_, f32>,
    output: &mut [f32],
    scratch: &mut Vec<f32>,
) {
    let Operands { plan, packed, input, stride, ref epilogue } = *operands;
    if plan.quantization != Quantization::Int16 {
        return convolution::convolve(simd, operands, output, scratch);
    }
    let Shape { inputs, outputs, .. } = plan.shape;
    let (pairs, blocks) = (inputs.div_ceil(2), inputs.div_ceil(BLOCK));
    let rows = operands.check(&plan_int16(simd, plan.shape), output);
    let writer = EpilogueWriter::new(epilogue, output, outputs);
    for start in (0..rows).step_by(plan.block) {
        let count = plan.block.min(rows - start);
        scratch.resize(count * (pairs + blocks), 0.0);
        let (integers, scales) = scratch.split_at_mut(count * pairs);
        let integers: &mut [i32] = bytemuck::cast_slice_mut(integers);
        for (t, (integers, scales)) in
            integers.chunks_exact_mut(pairs).zip(scales.chunks_exact_mut(blocks)).enumerate()
        {
            quantize(&input[(start + t) * stride..][..inputs], integers, scales);
        }
        let quantized = QuantizedRows {
            rows: integers.as_ptr(),
            scales: scales.as_ptr(),
            pairs,
            block_pairs: BLOCK / 2,
        };
        let panels = packed.chunks_exact(plan.panel_len);
        // SAFETY: `count` rows were quantized, the output has that many from `start` on, and a
        // panel is a row of scales and `pairs` rows, as planned by `plan_int16`.
        unsafe { multiply_panels(simd, quantized, count, panels, writer.offset_by(start, 0)) }
    }
}

/// The products of `count` rows with all panels; each panel has its own columns of the output.
///
/// # Safety
///
/// As for [`multiply`], for each panel. The output has the rows, and the columns of all panels.
#[inline(always)]
pub(super) unsafe fn multiply_panels<S: Int16Simd>(
    simd: S,
    quantized: impl PanelProduct<S>,
    count: usize,
    panels: ChunksExact<'_, f32>,
    writer: EpilogueWriter<'_>,
) {
    for (panel, weights) in panels.enumerate() {
        let writer = writer.offset_by(0, panel * panel_width::<S>());
        let next = weights.as_ptr().wrapping_add(weights.len());
        let sums = |rows: Range<usize>| OutputRows::new(writer.offset_by(rows.start, 0));
        // SAFETY: the rows, the panel and the output are valid (this function's safety contract).
        unsafe { multiply(simd, quantized, count, weights.as_ptr(), next, sums) }
    }
}

/// Input rows as 16-bit integers.
#[derive(Clone, Copy)]
pub(super) struct QuantizedRows {
    /// Contiguous rows of pairs.
    pub(super) rows: *const i32,
    /// Contiguous rows of block scales.
    pub(super) scales: *const f32,
    /// The pairs of a row.
    pub(super) pairs: usize,
    /// The pairs of a block; the last block may have fewer.
    pub(super) block_pairs: usize,
}

impl QuantizedRows {
    /// The blocks of a row.
    fn blocks(self) -> usize {
        self.pairs.div_ceil(self.block_pairs)
    }
}

/// Quantized rows, to be multiplied with a panel.
pub(super) trait PanelProduct<S: Int16Simd>: Copy {
    /// The rows of a panel that the micro-kernel's loop processes one by one.
    fn steps(self) -> usize;

    /// The rows without the first `count`.
    fn skip_rows(self, count: usize) -> Self;

    /// The micro-kernel: the sums of the first rows.
    ///
    /// # Safety
    ///
    /// There are `ROWS` rows, quantized for the instruction set, and as many rows of sums. The
    /// panel was packed for them.
    unsafe fn multiply<A: Accumulators<S>, const ROWS: usize>(
        self,
        simd: S,
        panel: *const f32,
        next: Prefetch,
        accumulators: A,
    );
}

impl<S: Int16Simd> PanelProduct<S> for QuantizedRows {
    fn steps(self) -> usize {
        self.pairs
    }

    fn skip_rows(self, count: usize) -> Self {
        Self {
            rows: self.rows.wrapping_add(count * self.pairs),
            scales: self.scales.wrapping_add(count * self.blocks()),
            ..self
        }
    }

    #[inline(always)]
    unsafe fn multiply<A: Accumulators<S>, const ROWS: usize>(
        self,
        simd: S,
        panel: *const f32,
        next: Prefetch,
        accumulators: A,
    ) {
        let Self { rows, scales, pairs, block_pairs } = self;
        let blocks = self.blocks();
        // SAFETY: there are `ROWS` rows of `pairs` pairs and of `blocks` scales, `pairs` rows of
        // the panel after its row of scales, and `ROWS` rows of sums (this function's safety
        // contract). Any address may be prefetched.
        unsafe {
            let column_scales = [simd.load(panel), simd.load(panel.add(S::WIDTH))];
            let panel = panel.add(panel_width::<S>()).cast::<i32>();
            for row in 0..ROWS {
                accumulators.prefetch(simd, row);
            }
            let mut sums = [[simd.splat(0.0); 2]; ROWS];
            for block in 0..blocks {
                let first = block * block_pairs;
                let products = simd.multiply_pairs::<ROWS>(
                    rows.add(first),
                    pairs,
                    block_pairs.min(pairs - first),
                    panel.add(first * panel_width::<S>()),
                    next.after(first),
                );
                for (row, (sums, products)) in sums.iter_mut().zip(products).enumerate() {
                    let scale = simd.splat(*scales.add(row * blocks + block));
                    sums[0] = scale.mul_add(simd.ints_to_floats(products[0]), sums[0]);
                    sums[1] = scale.mul_add(simd.ints_to_floats(products[1]), sums[1]);
                }
            }
            for (row, sums) in sums.into_iter().enumerate() {
                accumulators.store(simd, row, 0, sums[0] * column_scales[0]);
                accumulators.store(simd, row, S::WIDTH, sums[1] * column_scales[1]);
            }
        }
    }
}

/// Quantizes a row.
#[inline(always)]
fn quantize(row: &[f32], pairs: &mut [i32], scales: &mut [f32]) {
    let out: &mut [[i16; 2]] = bytemuck::cast_slice_mut(pairs);
    let out = out.as_flattened_mut();
    // A row of odd length leaves half of the last pair unused.
    out[row.len()..].fill(0);
    for ((row, out), scale) in row.chunks(BLOCK).zip(out.chunks_mut(BLOCK)).zip(scales) {
        *scale = quantization::quantize(row, MAX_INT16, out);
    }
}

/// The product of `count` rows with a panel, in nearly equal parts that fit the micro-kernel.
///
/// # Safety
///
/// There are `count` rows, quantized for the instruction set, and `sums(range)` has the rows of
/// that range. The panel was packed for them. `next` may be any address: a panel there is
/// prefetched.
#[inline(always)]
pub(super) unsafe fn multiply<S: Int16Simd, Q: PanelProduct<S>, A: Accumulators<S>>(
    simd: S,
    quantized: Q,
    count: usize,
    panel: *const f32,
    next: *const f32,
    sums: impl Fn(Range<usize>) -> A,
) {
    let parts = count.div_ceil(S::MICROKERNEL_ROWS);
    // The prefetches are spread evenly over all steps of all parts.
    let step = panel_width::<S>().div_ceil(parts.max(1));
    let mut first = 0;
    for part in 0..parts {
        let end = count * (part + 1) / parts;
        let (quantized, sums) = (quantized.skip_rows(first), sums(first..end));
        let next = Prefetch { at: next.wrapping_add(part * quantized.steps() * step), step };
        macro_rules! by_count {
            ($($rows:literal)*) => {
                match end - first {
                    // SAFETY: `first..end` is a range of the `count` rows (this function's safety
                    // contract).
                    $($rows if $rows <= S::MICROKERNEL_ROWS => unsafe {
                        quantized.multiply::<A, $rows>(simd, panel, next, sums);
                    },)*
                    _ => unreachable!("more rows than a micro-kernel takes"),
                }
            };
        }
        by_count!(1 2 3 4 5 6 7 8 9 10 11 12);
        first = end;
    }
}

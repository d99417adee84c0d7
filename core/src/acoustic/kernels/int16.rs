//! Products of 16-bit integers, twice as fast as those of single precision: for 8-bit weights, in layers whose input may be
//! quantized.
//!
//! A weight code less its zero point is an integer below 256 in magnitude, so the weights lose nothing. The input is
//! quantized to 16 bits at run time, with one scale for each block of a row, to a signal-to-noise ratio of about 90 dB. The
//! sums of a block are exact.

use super::convolution::{self, EpilogueWriter, panel_width};
use super::filter::Filter;
use super::simd::{ROUNDING_BIAS, Simd, Vector};
use super::{Epilogue, Plan, Shape};

/// Elements of a row that share a scale: as many products of a 16-bit and a 9-bit integer cannot overflow 32 bits.
const BLOCK: usize = 128;

/// The magnitude that the largest element of a block is quantized to.
const MAX_INT16: f32 = 32_767.0;

/// An instruction set that multiplies pairs of 16-bit integers and adds both products to 32-bit sums.
pub(super) trait Int16Simd: Simd {
    /// [`Simd::WIDTH`] 32-bit integers, or as many pairs of 16-bit ones.
    type Ints: Copy;

    /// The same 32 bits in all elements.
    fn splat_ints(self, pair: i32) -> Self::Ints;

    /// # Safety
    ///
    /// `WIDTH` words can be read at `from`. They need not be aligned.
    unsafe fn load_ints(self, from: *const i32) -> Self::Ints;

    /// Adds to each 32-bit sum both products of a pair.
    fn add_pair_products(self, sums: Self::Ints, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// 32-bit integers, converted.
    fn ints_to_floats(self, sums: Self::Ints) -> Self::Vector;
}

/// [`Kernels::plan_int16`](super::Kernels::plan_int16).
pub(super) fn plan_int16<S: Int16Simd>(shape: Shape) -> Plan {
    let plan = convolution::plan::<S>(shape);
    if shape.taps > 1 {
        return plan;
    }
    // A panel is the scales of its columns, then pairs of rows interleaved.
    let panel_len = (1 + shape.inputs.div_ceil(2)) * panel_width::<S>();
    Plan { panel_len, int16: true, ..plan }
}

/// [`Kernels::pack`](super::Kernels::pack).
#[inline(always)]
pub(super) fn pack<S: Int16Simd>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    if !plan.int16 {
        return convolution::pack(simd, filter, plan, panel, packed);
    }
    assert!(packed.len() == plan.panel_len);
    let (column, inputs) = (panel * panel_width::<S>(), plan.shape.inputs);
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

/// [`Kernels::convolve`](super::Kernels::convolve).
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the arguments of the method")]
pub(super) fn convolve<S: Int16Simd>(
    simd: S,
    plan: &Plan,
    packed: &[f32],
    input: &[f32],
    stride: usize,
    output: &mut [f32],
    epilogue: &Epilogue<'_>,
    scratch: &mut Vec<f32>,
) {
    if !plan.int16 {
        return convolution::convolve(simd, plan, packed, input, stride, output, epilogue, scratch);
    }
    let Shape { inputs, outputs, .. } = plan.shape;
    let (pairs, blocks) = (inputs.div_ceil(2), inputs.div_ceil(BLOCK));
    let rows = output.len() / outputs;
    assert!(*plan == plan_int16::<S>(plan.shape));
    convolution::check_lengths(plan, packed, output, epilogue);
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
        let quantized =
            QuantizedRows { rows: integers.as_ptr(), scales: scales.as_ptr(), pairs, blocks };
        for (panel, weights) in packed.chunks_exact(plan.panel_len).enumerate() {
            let writer = writer.offset_by(start, panel * panel_width::<S>());
            // SAFETY: `count` rows were quantized, the output has as many from `start` on, with the columns of the panel,
            // and a panel is a row of scales and `pairs` rows, as `plan_int16` says.
            unsafe { multiply(simd, quantized, count, weights.as_ptr(), writer) }
        }
    }
}

/// Input rows in 16-bit integers.
#[derive(Clone, Copy)]
struct QuantizedRows {
    /// Rows of pairs, contiguous.
    rows: *const i32,
    /// Rows of block scales, contiguous.
    scales: *const f32,
    /// Pairs of a row.
    pairs: usize,
    /// Blocks of a row.
    blocks: usize,
}

impl QuantizedRows {
    /// The rows without the first ones.
    fn skip_rows(self, count: usize) -> Self {
        Self {
            rows: self.rows.wrapping_add(count * self.pairs),
            scales: self.scales.wrapping_add(count * self.blocks),
            ..self
        }
    }
}

/// Quantizes a row.
#[inline(always)]
fn quantize(row: &[f32], pairs: &mut [i32], scales: &mut [f32]) {
    let out: &mut [[i16; 2]] = bytemuck::cast_slice_mut(pairs);
    let out = out.as_flattened_mut();
    // A row of odd length leaves one half of the last pair over.
    out[row.len()..].fill(0);
    for ((row, out), scale) in row.chunks(BLOCK).zip(out.chunks_mut(BLOCK)).zip(scales) {
        let max = max_magnitude(row);
        // A block of subnormal elements becomes zeros: the factor would overflow.
        let factor = if max > f32::MIN_POSITIVE { MAX_INT16 / max } else { 0.0 };
        *scale = max / MAX_INT16;
        for (out, x) in out.iter_mut().zip(row) {
            // The low bits of the sum are those of the rounded integer.
            *out = (x * factor + ROUNDING_BIAS).to_bits() as i16;
        }
    }
}

/// The largest magnitude of a row. It is found in 16 lanes, which the compiler vectorizes.
#[inline(always)]
fn max_magnitude(row: &[f32]) -> f32 {
    let (chunks, rest) = row.as_chunks::<16>();
    let mut max = [0.0_f32; 16];
    for chunk in chunks {
        for (max, x) in max.iter_mut().zip(chunk) {
            *max = if x.abs() > *max { x.abs() } else { *max };
        }
    }
    max.iter().chain(rest).fold(0.0, |max, x| if x.abs() > max { x.abs() } else { max })
}

/// The product of `count` rows and a panel, in nearly equal parts that a micro-kernel takes.
///
/// # Safety
///
/// There are `count` quantized rows, and as many rows with the columns of the panel to write. The panel has a row of scales
/// and as many rows of pairs as a quantized row has pairs.
#[inline(always)]
unsafe fn multiply<S: Int16Simd>(
    simd: S,
    quantized: QuantizedRows,
    count: usize,
    panel: *const f32,
    writer: EpilogueWriter,
) {
    let parts = count.div_ceil(S::MICROKERNEL_ROWS);
    let mut first = 0;
    for part in 0..parts {
        let end = count * (part + 1) / parts;
        let (quantized, writer) = (quantized.skip_rows(first), writer.offset_by(first, 0));
        macro_rules! by_count {
            ($($rows:literal)*) => {
                match end - first {
                    // SAFETY: `first..end` is a range of the `count` rows that the caller vouches for.
                    $($rows if $rows <= S::MICROKERNEL_ROWS => unsafe {
                        microkernel::<S, $rows>(simd, quantized, panel, writer);
                    },)*
                    _ => unreachable!("more rows than a micro-kernel takes"),
                }
            };
        }
        by_count!(1 2 3 4 5 6 7 8 9 10 11 12);
        first = end;
    }
}

/// # Safety
///
/// As for [`multiply`], for `ROWS` rows.
#[inline(always)]
unsafe fn microkernel<S: Int16Simd, const ROWS: usize>(
    simd: S,
    quantized: QuantizedRows,
    panel: *const f32,
    writer: EpilogueWriter,
) {
    let QuantizedRows { rows, scales, pairs, blocks } = quantized;
    // SAFETY: the caller vouches for `ROWS` rows of `pairs` pairs and of `blocks` scales, for `pairs` rows of the panel
    // after its row of scales, and for `ROWS` rows to write.
    unsafe {
        let column_scales = [simd.load(panel), simd.load(panel.add(S::WIDTH))];
        let mut panel = panel.add(panel_width::<S>()).cast::<i32>();
        let mut sums = [[simd.splat(0.0); 2]; ROWS];
        for row in 0..ROWS {
            writer.prefetch(simd, row, 0);
            writer.prefetch(simd, row, panel_width::<S>() - 1);
        }
        for block in 0..blocks {
            let mut integers = [[simd.splat_ints(0); 2]; ROWS];
            let last = pairs.min((block + 1) * (BLOCK / 2));
            for pair in block * (BLOCK / 2)..last {
                let weights = [simd.load_ints(panel), simd.load_ints(panel.add(S::WIDTH))];
                for (row, integers) in integers.iter_mut().enumerate() {
                    let x = simd.splat_ints(*rows.add(row * pairs + pair));
                    integers[0] = simd.add_pair_products(integers[0], x, weights[0]);
                    integers[1] = simd.add_pair_products(integers[1], x, weights[1]);
                }
                panel = panel.add(panel_width::<S>());
            }
            for (row, (sums, integers)) in sums.iter_mut().zip(integers).enumerate() {
                let scale = simd.splat(*scales.add(row * blocks + block));
                sums[0] = scale.mul_add(simd.ints_to_floats(integers[0]), sums[0]);
                sums[1] = scale.mul_add(simd.ints_to_floats(integers[1]), sums[1]);
            }
        }
        for (row, sums) in sums.into_iter().enumerate() {
            writer.write(simd, row, 0, sums[0] * column_scales[0]);
            writer.write(simd, row, S::WIDTH, sums[1] * column_scales[1]);
        }
    }
}

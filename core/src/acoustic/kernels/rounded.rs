//! Products of whole numbers, at twice the speed of others: for weights that are stored as codes, and layers whose rows
//! may be rounded.
//!
//! A code less its zero point is a whole number below 256 in magnitude, and loses nothing. Rows are rounded to 16 bits,
//! each block of them with a scale of its own, which keeps them to about 90 dB. The sums of a block are exact.

use super::convolution::{self, Finish, width};
use super::filter::Filter;
use super::lanes::{Lanes, TO_WHOLE, Vector};
use super::{Epilogue, Plan, Shape};

/// Numbers of a row that share a scale. As many products of 16 bits and 9 fit a sum of 32.
const BLOCK: usize = 128;

/// The largest whole number that a row is rounded to.
const MOST: f32 = 32_767.0;

/// An instruction set that multiplies pairs of 16-bit whole numbers.
pub(super) trait Pairs: Lanes {
    /// As many sums of 32 bits as a vector has numbers, or as many pairs of 16 bits.
    type Whole: Copy;

    /// The same pair in all places, or the same sum.
    fn splat_whole(self, pair: i32) -> Self::Whole;

    /// # Safety
    ///
    /// `WIDTH` pairs can be read there. They need not be aligned.
    unsafe fn load_whole(self, from: *const i32) -> Self::Whole;

    /// Adds both products of each pair to its sum.
    fn add_products(self, sums: Self::Whole, a: Self::Whole, b: Self::Whole) -> Self::Whole;

    /// Sums as numbers.
    fn to_floats(self, sums: Self::Whole) -> Self::Vector;
}

/// [`Kernels::plan_rounded`](super::Kernels::plan_rounded).
pub(super) fn plan_rounded<L: Pairs>(shape: Shape) -> Plan {
    let plan = convolution::plan::<L>(shape);
    if shape.taps > 1 {
        return plan;
    }
    // A panel is the scales of its columns and then pairs of rows.
    let panel_len = (1 + shape.inputs.div_ceil(2)) * width::<L>();
    Plan { panel_len, rounded: true, ..plan }
}

/// [`Kernels::pack`](super::Kernels::pack).
#[inline(always)]
pub(super) fn pack<L: Pairs>(
    lanes: L,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    if !plan.rounded {
        return convolution::pack(lanes, filter, plan, panel, packed);
    }
    assert!(packed.len() == plan.panel_len);
    let (column, inputs) = (panel * width::<L>(), plan.shape.inputs);
    let (scales, pairs) = packed.split_at_mut(width::<L>());
    filter.scales(column, scales);
    let mut zeros = [0; 32];
    let zeros = &mut zeros[..width::<L>()];
    filter.zero_points(column, zeros);
    let pairs: &mut [i32] = bytemuck::cast_slice_mut(pairs);
    for (pair, out) in pairs.chunks_exact_mut(width::<L>()).enumerate() {
        let first = filter.codes(lanes, 2 * pair, column, out.len());
        for ((out, code), zero) in out.iter_mut().zip(first).zip(&*zeros) {
            *out = (i32::from(*code) - zero) & 0xFFFF;
        }
        if 2 * pair + 1 < inputs {
            let second = filter.codes(lanes, 2 * pair + 1, column, out.len());
            for ((out, code), zero) in out.iter_mut().zip(second).zip(&*zeros) {
                *out |= (i32::from(*code) - zero) << 16;
            }
        }
    }
}

/// [`Kernels::convolve`](super::Kernels::convolve).
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "those of the method")]
pub(super) fn convolve<L: Pairs>(
    lanes: L,
    plan: &Plan,
    packed: &[f32],
    input: &[f32],
    stride: usize,
    output: &mut [f32],
    epilogue: &Epilogue<'_>,
    scratch: &mut Vec<f32>,
) {
    if !plan.rounded {
        return convolution::convolve(
            lanes, plan, packed, input, stride, output, epilogue, scratch,
        );
    }
    let Shape { inputs, outputs, .. } = plan.shape;
    let (pairs, blocks) = (inputs.div_ceil(2), inputs.div_ceil(BLOCK));
    let rows = output.len() / outputs;
    assert!(*plan == plan_rounded::<L>(plan.shape));
    convolution::check_lengths(plan, packed, output, epilogue);
    let finish = Finish::new(epilogue, output, outputs);
    for start in (0..rows).step_by(plan.block) {
        let count = plan.block.min(rows - start);
        scratch.resize(count * (pairs + blocks), 0.0);
        let (whole, scales) = scratch.split_at_mut(count * pairs);
        let whole: &mut [i32] = bytemuck::cast_slice_mut(whole);
        for (t, (whole, scales)) in
            whole.chunks_exact_mut(pairs).zip(scales.chunks_exact_mut(blocks)).enumerate()
        {
            round(&input[(start + t) * stride..][..inputs], whole, scales);
        }
        let rounded = Rounded { rows: whole.as_ptr(), scales: scales.as_ptr(), pairs, blocks };
        for (panel, weights) in packed.chunks_exact(plan.panel_len).enumerate() {
            let finish = finish.from(start, panel * width::<L>());
            // SAFETY: there are `count` rounded rows and as many of the output from `start` on, which has the columns of
            // the panel; a panel is scales and pairs.
            unsafe { multiply(lanes, rounded, count, weights.as_ptr(), finish) }
        }
    }
}

/// Rows as whole numbers.
#[derive(Clone, Copy)]
struct Rounded {
    /// Rows of pairs, one after another.
    rows: *const i32,
    /// Rows of the scales of blocks, one after another.
    scales: *const f32,
    /// Of a row.
    pairs: usize,
    /// Of a row.
    blocks: usize,
}

impl Rounded {
    fn from(self, row: usize) -> Self {
        Self {
            rows: self.rows.wrapping_add(row * self.pairs),
            scales: self.scales.wrapping_add(row * self.blocks),
            ..self
        }
    }
}

/// Rounds a row.
#[inline(always)]
fn round(row: &[f32], pairs: &mut [i32], scales: &mut [f32]) {
    let out: &mut [[i16; 2]] = bytemuck::cast_slice_mut(pairs);
    let out = out.as_flattened_mut();
    // The second of the last pair, if the row has none.
    out[row.len()..].fill(0);
    for ((row, out), scale) in row.chunks(BLOCK).zip(out.chunks_mut(BLOCK)).zip(scales) {
        let most = largest(row);
        // What is smaller than this is nothing.
        let factor = if most > f32::MIN_POSITIVE { MOST / most } else { 0.0 };
        *scale = most / MOST;
        for (out, x) in out.iter_mut().zip(row) {
            // The lower bits are those of the whole number.
            *out = (x * factor + TO_WHOLE).to_bits() as i16;
        }
    }
}

/// The largest magnitude, sixteen numbers at a time.
#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    let (whole, rest) = row.as_chunks::<16>();
    let mut most = [0.0_f32; 16];
    for numbers in whole {
        for (most, x) in most.iter_mut().zip(numbers) {
            *most = if x.abs() > *most { x.abs() } else { *most };
        }
    }
    most.iter().chain(rest).fold(0.0, |most, x| if x.abs() > most { x.abs() } else { most })
}

/// The product of some rows and a panel, in parts of about the same number that a microkernel takes.
///
/// # Safety
///
/// There are so many rows and rows to finish, of as many columns as the panel, which has as many pairs as a row.
#[inline(always)]
unsafe fn multiply<L: Pairs>(
    lanes: L,
    rounded: Rounded,
    count: usize,
    panel: *const f32,
    finish: Finish,
) {
    let parts = count.div_ceil(L::ROWS);
    let mut first = 0;
    for part in 0..parts {
        let next = count * (part + 1) / parts;
        let (rounded, finish) = (rounded.from(first), finish.from(first, 0));
        macro_rules! by_count {
            ($($rows:literal)*) => {
                match next - first {
                    // SAFETY: the caller's.
                    $($rows if $rows <= L::ROWS => unsafe {
                        microkernel::<L, $rows>(lanes, rounded, panel, finish);
                    },)*
                    _ => unreachable!("more rows than a microkernel takes"),
                }
            };
        }
        by_count!(1 2 3 4 5 6 7 8 9 10 11 12);
        first = next;
    }
}

/// # Safety
///
/// As for [`multiply`], for `ROWS` rows.
#[inline(always)]
unsafe fn microkernel<L: Pairs, const ROWS: usize>(
    lanes: L,
    rounded: Rounded,
    panel: *const f32,
    finish: Finish,
) {
    let Rounded { rows, scales, pairs, blocks } = rounded;
    // SAFETY: the caller's: `ROWS` rows of pairs and of scales, as many rows of the panel after its scales, and `ROWS` rows
    // to finish.
    unsafe {
        let columns = [lanes.load(panel), lanes.load(panel.add(L::WIDTH))];
        let mut panel = panel.add(width::<L>()).cast::<i32>();
        let mut sums = [[lanes.splat(0.0); 2]; ROWS];
        for row in 0..ROWS {
            finish.approach(lanes, row, 0);
            finish.approach(lanes, row, width::<L>() - 1);
        }
        for block in 0..blocks {
            let mut whole = [[lanes.splat_whole(0); 2]; ROWS];
            let last = pairs.min((block + 1) * (BLOCK / 2));
            for pair in block * (BLOCK / 2)..last {
                let weights = [lanes.load_whole(panel), lanes.load_whole(panel.add(L::WIDTH))];
                for (row, whole) in whole.iter_mut().enumerate() {
                    let x = lanes.splat_whole(*rows.add(row * pairs + pair));
                    whole[0] = lanes.add_products(whole[0], x, weights[0]);
                    whole[1] = lanes.add_products(whole[1], x, weights[1]);
                }
                panel = panel.add(width::<L>());
            }
            for (row, (sums, whole)) in sums.iter_mut().zip(whole).enumerate() {
                let scale = lanes.splat(*scales.add(row * blocks + block));
                sums[0] = scale.mul_add(lanes.to_floats(whole[0]), sums[0]);
                sums[1] = scale.mul_add(lanes.to_floats(whole[1]), sums[1]);
            }
        }
        for (row, sums) in sums.into_iter().enumerate() {
            finish.write(lanes, row, 0, sums[0] * columns[0]);
            finish.write(lanes, row, L::WIDTH, sums[1] * columns[1]);
        }
    }
}

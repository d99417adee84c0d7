//! Byte products, twice as fast as 16-bit integer ones: 8-bit weights, and an input quantized to 8
//! bits at run time, with one scale and zero point per row.
//!
//! The sums are exact. Quantizing the input leaves a signal-to-noise ratio of 40 dB or more, so
//! only networks designed for it are computed like this. Processors without fused byte products
//! quantize the input to 16 bits.

use super::byte_factors::ByteFactors;
use super::epilogue::EpilogueWriter;
use super::filter::Filter;
use super::gemm::{Accumulators, panel_width};
use super::int16::{self, Int16Simd, MAX_PANEL_WIDTH, PanelProduct, Prefetch, multiply_panels};
use super::kernels::Operands;
use super::plan::{Plan, Quantization, Shape};
use super::simd::Vector;

/// The inputs multiplied in one step: as many bytes as a sum has.
const QUAD: usize = 4;

/// The values of a column before the codes of a panel: its scale, its zero point and the sum of its
/// codes.
const HEADER: usize = 3;

/// An instruction set that may multiply unsigned bytes by signed ones, four at a time, and add the
/// products to 32-bit sums.
pub(super) trait Int8Simd: Int16Simd {
    /// Whether the processor has the instruction.
    fn multiplies_bytes(self) -> bool;

    /// The sums of the products of `ROWS` rows of signed bytes, `stride` quads apart, with the
    /// unsigned bytes of the first `quads` rows of a panel.
    ///
    /// # Safety
    ///
    /// [`Self::multiplies_bytes`] is true. The rows have `quads` quads, and `panel` is valid for
    /// reads of `quads` rows of two vectors.
    unsafe fn multiply_quads<const ROWS: usize>(
        self,
        rows: *const i32,
        stride: usize,
        quads: usize,
        panel: *const i32,
        next: Prefetch,
    ) -> [[Self::Ints; 2]; ROWS];
}

pub(super) use int16::{plan, plan_int16};

/// [`Kernels::plan_int8`](crate::Kernels::plan_int8).
pub(super) fn plan_int8<S: Int8Simd>(simd: S, shape: Shape) -> Plan {
    let plan = plan_int16(simd, shape);
    if plan.quantization != Quantization::Int16 || !simd.multiplies_bytes() {
        return plan;
    }
    let panel_len = (HEADER + shape.inputs.div_ceil(QUAD)) * panel_width::<S>();
    Plan { panel_len, quantization: Quantization::Int8, ..plan }
}

/// [`Kernels::pack`](crate::Kernels::pack).
#[inline(always)]
pub(super) fn pack<S: Int8Simd>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    if plan.quantization != Quantization::Int8 {
        return int16::pack(simd, filter, plan, panel, packed);
    }
    assert!(packed.len() == plan.panel_len);
    let (width, column) = (panel_width::<S>(), panel * panel_width::<S>());
    let (header, quads) = packed.split_at_mut(HEADER * width);
    let [mut zeros, mut sums] = [[0; MAX_PANEL_WIDTH]; 2];
    filter.zero_points(column, &mut zeros[..width]);
    let (quads, _) = bytemuck::cast_slice_mut::<_, u8>(quads).as_chunks_mut::<QUAD>();
    for (quad, columns) in quads.chunks_exact_mut(width).enumerate() {
        // Missing inputs have the code 0, and are 0 in the rows.
        columns.fill([0; QUAD]);
        let inputs = QUAD * quad..plan.shape.inputs.min(QUAD * (quad + 1));
        for (n, input) in inputs.enumerate() {
            let codes = filter.codes(simd, input, column, width);
            for ((column, sum), code) in columns.iter_mut().zip(&mut sums).zip(codes) {
                column[n] = *code;
                *sum += i32::from(*code);
            }
        }
    }
    filter.scales(column, &mut header[..width]);
    for (out, x) in header[width..].iter_mut().zip(zeros[..width].iter().chain(&sums)) {
        *out = *x as f32;
    }
}

/// [`Kernels::convolve`](crate::Kernels::convolve).
#[inline(always)]
pub(super) fn convolve<S: Int8Simd>(
    simd: S,
    operands: &Operands<'_, f32>,
    output: &mut [f32],
    scratch: &mut Vec<f32>,
) {
    let Operands { plan, packed, input, stride, ref epilogue } = *operands;
    if plan.quantization != Quantization::Int8 {
        return int16::convolve(simd, operands, output, scratch);
    }
    let Shape { inputs, outputs, .. } = plan.shape;
    let quads = inputs.div_ceil(QUAD);
    let rows = operands.check(&plan_int8(simd, plan.shape), output);
    let writer = EpilogueWriter::new(epilogue, output, outputs);
    for start in (0..rows).step_by(plan.block) {
        let count = plan.block.min(rows - start);
        scratch.resize(count * (quads + ByteFactors::LEN), 0.0);
        let (bytes, factors) = scratch.split_at_mut(count * quads);
        let bytes: &mut [i8] = bytemuck::cast_slice_mut(bytes);
        let factors: *mut ByteFactors = factors.as_mut_ptr().cast();
        for (t, bytes) in bytes.chunks_exact_mut(QUAD * quads).enumerate() {
            let row = ByteFactors::quantize(&input[(start + t) * stride..][..inputs], bytes);
            // SAFETY: there is room for the factors of `count` rows.
            unsafe { factors.add(t).write(row) }
        }
        let quantized = ByteRows { rows: bytes.as_ptr().cast(), factors, quads };
        let panels = packed.chunks_exact(plan.panel_len);
        // SAFETY: `plan_int8` planned bytes, so the processor has the instruction. `count` rows
        // were quantized, the output has that many from `start` on, and a panel is a header and
        // `quads` rows.
        unsafe { multiply_panels(simd, quantized, count, panels, writer.offset_by(start, 0)) }
    }
}

/// Input rows as bytes.
#[derive(Clone, Copy)]
struct ByteRows {
    /// Contiguous rows of quads.
    rows: *const i32,
    /// The factors of each row.
    factors: *const ByteFactors,
    /// The quads of a row.
    quads: usize,
}

impl<S: Int8Simd> PanelProduct<S> for ByteRows {
    fn steps(self) -> usize {
        self.quads
    }

    fn skip_rows(self, count: usize) -> Self {
        Self {
            rows: self.rows.wrapping_add(count * self.quads),
            factors: self.factors.wrapping_add(count),
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
        let Self { rows, factors, quads } = self;
        // SAFETY: the processor has the instruction, and `ROWS` rows with their factors, a panel
        // and `ROWS` rows of sums are valid (this function's safety contract). Any address may be
        // prefetched.
        unsafe {
            for row in 0..ROWS {
                accumulators.prefetch(simd, row);
            }
            let codes = panel.add(HEADER * panel_width::<S>()).cast();
            let products = simd.multiply_quads::<ROWS>(rows, quads, quads, codes, next);
            for half in 0..2 {
                let column = half * S::WIDTH;
                let header = |n| simd.load(panel.add(n * panel_width::<S>() + column));
                let [scales, zeros, sums] = [header(0), header(1), header(2)];
                for (row, products) in products.iter().enumerate() {
                    let ByteFactors { scale, zero_point, sum } = *factors.add(row);
                    // The sum of (code - zero point of the column) times (byte - zero point of the
                    // row).
                    let products = simd.ints_to_floats(products[half]);
                    let products = zeros.mul_sub_from(simd.splat(sum), products);
                    let products = sums.mul_sub_from(simd.splat(zero_point), products);
                    accumulators.store(simd, row, column, products * scale * scales);
                }
            }
        }
    }
}

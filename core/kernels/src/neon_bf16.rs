//! Kernels for processors with NEON and bfloat16 matrix products: Armv8.6 (FEAT_BF16).
//!
//! Factors are rounded to bfloat16, to nearest even. Convolutions of one and of three taps are
//! computed directly: rounding in the domain of Winograd's transform has 13 dB more noise.
//! Quantized weights then lose nothing: a code minus its zero point is an integer below 256 in
//! magnitude, which bfloat16 represents exactly, and the scale is applied to the sum.
//!
//! With 7 and 11 taps, fast convolution has a quarter of the products or fewer, and rounding in its
//! domain ([`fast_bf16`]) costs 4 dB. Direct products would be no faster than those of [`Neon`],
//! each of whose instructions computes a quarter as many.

use std::arch::is_aarch64_feature_detected;

use half::bf16;

use super::bf16_tiles::{COLUMNS, DEPTH, RoundedRows, Taps, multiply, pack_step, round};
use super::elementwise::Activation;
use super::epilogue::{EpilogueWriter, OutputRows};
use super::fast_bf16::{self, RoundedTiles};
use super::fast_convolution::{self, split_scratch};
use super::filter::Filter;
use super::gemm::Accumulators;
use super::kernels::{Kernels, Operands};
use super::neon::{Floats, Neon};
use super::plan::{Plan, Precision, Quantization, Shape};
use super::simd::Simd;
use super::winograd::Fourier;

/// The output rows whose inputs are rounded in one pass; they stay in the L2 cache.
const BLOCK_ROWS: usize = 240;

/// The kernels for processors with NEON and `bfmmla`.
#[derive(Clone, Copy, Debug)]
pub struct NeonBf16 {
    /// Single-precision kernels for everything except convolutions.
    fp32: Neon,
}

impl NeonBf16 {
    /// The kernels, if the processor has the instructions.
    pub fn detect() -> Option<Self> {
        let fp32 = Neon::detect().filter(|_| is_aarch64_feature_detected!("bf16"))?;
        Some(Self { fp32 })
    }
}

impl Kernels for NeonBf16 {
    type Fp32 = Neon;
    type Element = f32;

    fn name(self) -> &'static str {
        "neon"
    }

    fn fp32(self) -> Neon {
        self.fp32
    }

    fn precision(self) -> Precision {
        Precision::Bf16
    }

    fn plan(self, shape: Shape) -> Plan {
        match shape.taps {
            7 => fast_bf16::plan::<Fourier<7>>(shape),
            11 => fast_bf16::plan::<Fourier<11>>(shape),
            taps => {
                let steps = taps * shape.inputs.div_ceil(DEPTH);
                Plan {
                    shape,
                    panels: shape.outputs / COLUMNS,
                    // The scales of the columns, then the weights, two in the space of one element.
                    panel_len: COLUMNS + steps * DEPTH * COLUMNS / 2,
                    block: BLOCK_ROWS,
                    group: 1,
                    products: shape.products(),
                    quantization: Quantization::None,
                }
            }
        }
    }

    fn pack(self, filter: &Filter<'_>, plan: &Plan, panel: usize, packed: &mut [f32]) {
        assert!(*plan == self.plan(plan.shape) && packed.len() == plan.panel_len);
        // SAFETY: `self` is the proof that the processor has NEON and bfloat16.
        unsafe {
            match plan.shape.taps {
                7 => fast_bf16::pack::<Fourier<7>>(self.fp32, filter, plan, panel, packed),
                11 => fast_bf16::pack::<Fourier<11>>(self.fp32, filter, plan, panel, packed),
                _ => pack_direct(filter, &plan.shape, panel, packed),
            }
        }
    }

    fn activate(
        self,
        rows: &[f32],
        channels: usize,
        activation: &Activation<'_>,
        activated: &mut [f32],
    ) {
        self.fp32.activate(rows, channels, activation, activated);
    }

    fn convolve(self, operands: &Operands<'_, f32>, output: &mut [f32], scratch: &mut Vec<f32>) {
        operands.check(&self.plan(operands.plan.shape), output);
        // SAFETY: `self` is the proof that the processor has NEON and bfloat16.
        unsafe { convolve(self.fp32, operands, output, scratch) }
    }
}

/// Convolves. The caller has checked the operands.
#[target_feature(enable = "neon,bf16")]
fn convolve(neon: Neon, operands: &Operands<'_, f32>, output: &mut [f32], scratch: &mut Vec<f32>) {
    use fast_convolution::convolve as fast;
    match operands.plan.shape.taps {
        7 => fast::<_, Fourier<7>, RoundedTiles>(neon, operands, output, scratch),
        11 => fast::<_, Fourier<11>, RoundedTiles>(neon, operands, output, scratch),
        _ => convolve_direct(neon, operands, output, scratch),
    }
}

/// Packs the scales of a panel, and its codes minus their zero points.
#[target_feature(enable = "neon,bf16")]
fn pack_direct(filter: &Filter<'_>, shape: &Shape, panel: usize, packed: &mut [f32]) {
    let Shape { taps, inputs, .. } = *shape;
    let column = panel * COLUMNS;
    let (scales, weights) = packed.split_at_mut(COLUMNS);
    filter.scales(column, scales);
    let weights: &mut [bf16] = bytemuck::cast_slice_mut(weights);
    for (step, packed) in weights.as_chunks_mut().0.iter_mut().enumerate() {
        let (first, tap) = (step / taps * DEPTH, step % taps);
        let mut rows = [[0.0; COLUMNS]; DEPTH];
        for (input, row) in (first..inputs).zip(&mut rows) {
            filter.decode_unscaled(tap * inputs + input, column, row);
        }
        pack_step(rows.each_ref(), packed);
    }
}

/// A convolution tap by tap.
#[target_feature(enable = "neon,bf16")]
fn convolve_direct(
    neon: Neon,
    operands: &Operands<'_, f32>,
    output: &mut [f32],
    scratch: &mut Vec<f32>,
) {
    let Operands { plan, packed, input, stride, ref epilogue } = *operands;
    let Shape { taps, inputs, outputs, dilation } = plan.shape;
    let (rows, halo) = (output.len() / outputs, plan.shape.halo());
    let taps = Taps { count: taps, dilation };
    let writer = EpilogueWriter::new(epilogue, output, outputs);
    for start in (0..rows).step_by(plan.block) {
        let count = plan.block.min(rows - start);
        let [x] = split_scratch(scratch, [RoundedRows::len(count, halo, inputs) / 2]);
        let x = RoundedRows::new(x.cast(), count, halo, inputs);
        for t in 0..count + halo {
            round_row(neon, &input[(start + t) * stride..][..inputs], t, x);
        }
        for (panel, packed) in packed.chunks_exact(plan.panel_len).enumerate() {
            let writer = writer.offset_by(start, panel * COLUMNS);
            let (scales, weights) = packed.split_at(COLUMNS);
            // SAFETY: `count` rows were rounded, the output has that many from `start` on, with the
            // columns of the panel, and a panel is a row of scales and as many steps as a row.
            unsafe {
                let scales =
                    [neon.load(scales.as_ptr()), neon.load(scales.as_ptr().add(Neon::WIDTH))];
                multiply(neon, x, taps, count, weights.as_ptr().cast(), |rows| ScaledSums {
                    scales,
                    sums: OutputRows::new(writer.offset_by(rows.start, 0)),
                });
            }
        }
    }
}

/// Rounds a row. The last step is zero-padded.
#[target_feature(enable = "neon,bf16")]
#[inline]
fn round_row(neon: Neon, row: &[f32], t: usize, x: RoundedRows) {
    let (steps, last) = row.as_chunks::<DEPTH>();
    let mut padded = [0.0; DEPTH];
    padded[..last.len()].copy_from_slice(last);
    for (step, values) in steps.iter().chain((!last.is_empty()).then_some(&padded)).enumerate() {
        // SAFETY: `values` is a vector, and `x` has room for that many elements in each step of a
        // row.
        unsafe { *x.at(t, step).cast() = round(neon.load(values.as_ptr()).register()) }
    }
}

/// Sums of products with unscaled weights, which are scaled when stored.
#[derive(Clone, Copy)]
struct ScaledSums<A> {
    scales: [Floats; 2],
    sums: A,
}

impl<A: Accumulators<Neon>> Accumulators<Neon> for ScaledSums<A> {
    #[inline(always)]
    fn prefetch(self, neon: Neon, row: usize) {
        self.sums.prefetch(neon, row);
    }

    #[inline(always)]
    unsafe fn load(self, neon: Neon, _row: usize, _column: usize) -> Floats {
        neon.splat(0.0)
    }

    #[inline(always)]
    unsafe fn store(self, neon: Neon, row: usize, column: usize, sum: Floats) {
        // SAFETY: the position is in the sums (this function's safety contract).
        unsafe { self.sums.store(neon, row, column, sum * self.scales[column / Neon::WIDTH]) }
    }
}

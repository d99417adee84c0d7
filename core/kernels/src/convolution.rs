//! Plans, packs and runs single-precision convolutions. One tap is a matrix product; 3, 7 and 11
//! taps use [`fast_convolution`].

use super::epilogue::{EpilogueWriter, OutputRows};
use super::fast_convolution::{self, FloatTiles};
use super::filter::Filter;
use super::gemm::{Gemm, Product, multiply, panel_width};
use super::kernels::Operands;
use super::plan::{Plan, Quantization, Shape};
use super::simd::Simd;
use super::winograd::{Fourier, for_taps};

/// The output rows of one call for a plain matrix product; the input rows stay in the L2 cache.
const BLOCK_ROWS: usize = 240;

/// [`Kernels::plan`](crate::Kernels::plan).
pub(super) fn plan<S: Simd>(_: S, shape: Shape) -> Plan {
    assert!(shape.outputs.is_multiple_of(panel_width::<S>()), "{shape:?}");
    for_taps!(shape.taps, T => fast_convolution::plan::<S, T>(shape), {
        Plan {
            shape,
            panels: shape.outputs / panel_width::<S>(),
            panel_len: shape.inputs * panel_width::<S>(),
            block: BLOCK_ROWS,
            group: 1,
            products: shape.products(),
            quantization: Quantization::None,
        }
    })
}

/// [`Kernels::plan_int16`](crate::Kernels::plan_int16) for instruction sets without faster integer
/// products.
pub(super) use plan as plan_int16;
/// [`Kernels::plan_int8`](crate::Kernels::plan_int8), likewise.
pub(super) use plan as plan_int8;

/// [`Kernels::pack`](crate::Kernels::pack).
#[inline(always)]
pub(super) fn pack<S: Simd>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    assert!(*plan == self::plan(simd, plan.shape) && packed.len() == plan.panel_len);
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

/// [`Kernels::convolve`](crate::Kernels::convolve).
#[inline(always)]
pub(super) fn convolve<S: Gemm>(
    simd: S,
    operands: &Operands<'_, f32>,
    output: &mut [f32],
    scratch: &mut Vec<f32>,
) {
    let shape = operands.plan.shape;
    let rows = operands.check(&plan(simd, shape), output);
    for_taps!(
        shape.taps,
        T => fast_convolution::convolve::<S, T, FloatTiles>(simd, operands, output, scratch),
        multiply_rows(simd, operands, rows, output)
    );
}

/// A convolution with one tap: a matrix product.
#[inline(always)]
fn multiply_rows<S: Gemm>(simd: S, operands: &Operands<'_, f32>, rows: usize, output: &mut [f32]) {
    let Operands { plan, packed, input, stride, ref epilogue } = *operands;
    let writer = EpilogueWriter::new(epilogue, output, plan.shape.outputs);
    for start in (0..rows).step_by(plan.block) {
        let count = plan.block.min(rows - start);
        for (panel, weights) in packed.chunks_exact(plan.panel_len).enumerate() {
            // SAFETY: `Operands::check` asserted that the input has all rows and that `packed` is
            // whole panels, of `inputs` rows each; `start + count` is at most the number of output
            // rows.
            unsafe {
                let product = Product {
                    rows: input.as_ptr().add(start * stride),
                    stride,
                    depth: plan.shape.inputs,
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

//! Kernel sets whose convolutions use 16-bit integer products instead of single precision.

use super::fast_convolution;
use super::fast_int16::{self, QuantizedTiles};
use super::filter::Filter;
use super::int16::{self, Int16Simd};
use super::kernels::Operands;
use super::plan::{Plan, Shape};
use super::winograd::for_taps;

/// The kernels of an instruction set with 16-bit integer convolutions.
#[derive(Clone, Copy, Debug)]
pub struct Int16<S>(pub(super) S);

/// Implements [`Kernels`](crate::Kernels) for [`Int16`] of an instruction set.
macro_rules! int16_kernels {
    ($set:ident, $features:tt) => {
        impl crate::kernels::Kernels for Int16<$set> {
            type Fp32 = $set;
            type Element = f32;

            fn name(self) -> &'static str {
                crate::kernels::Kernels::name(self.0)
            }

            fn fp32(self) -> $set {
                self.0
            }

            fn precision(self) -> crate::plan::Precision {
                crate::plan::Precision::Int16
            }

            crate::compiled::convolutions!(Int16<$set>, int16_set, $features);

            fn activate(
                self,
                rows: &[f32],
                channels: usize,
                activation: &crate::elementwise::Activation<'_>,
                activated: &mut [f32],
            ) {
                crate::kernels::Kernels::activate(self.0, rows, channels, activation, activated);
            }
        }
    };
}
pub(super) use int16_kernels;

/// [`Kernels::plan`](crate::Kernels::plan).
pub(super) fn plan<S: Int16Simd>(Int16(simd): Int16<S>, shape: Shape) -> Plan {
    for_taps!(shape.taps, T => fast_int16::plan::<S, T>(shape), int16::plan_int16(simd, shape))
}

pub(super) use plan as plan_int16;
pub(super) use plan as plan_int8;

/// [`Kernels::pack`](crate::Kernels::pack).
#[inline(always)]
pub(super) fn pack<S: Int16Simd>(
    Int16(simd): Int16<S>,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    if plan.shape.taps == 3 && filter.is_quantized() {
        return fast_int16::pack_integers(simd, filter, plan, panel, packed);
    }
    for_taps!(
        plan.shape.taps,
        T => fast_int16::pack::<S, T>(simd, filter, plan, panel, packed),
        int16::pack(simd, filter, plan, panel, packed)
    );
}

/// [`Kernels::convolve`](crate::Kernels::convolve).
#[inline(always)]
pub(super) fn convolve<S: Int16Simd>(
    set: Int16<S>,
    operands: &Operands<'_, f32>,
    output: &mut [f32],
    scratch: &mut Vec<f32>,
) {
    let (Int16(simd), shape) = (set, operands.plan.shape);
    if shape.taps > 1 {
        operands.check(&plan(set, shape), output);
    }
    for_taps!(
        shape.taps,
        T => fast_convolution::convolve::<S, T, QuantizedTiles>(simd, operands, output, scratch),
        int16::convolve(simd, operands, output, scratch)
    );
}

//! Sets whose convolutions are products of 16-bit integers, in place of single precision.

use super::convolution;
use super::fast_convolution::quantized;
use super::filter::Filter;
use super::int16::{self, Int16Simd};
use super::winograd::{Fourier, Winograd};
use super::{Activation, Epilogue, Kernels, Plan, Precision, RecurrentMatrix, Shape};

/// The kernels of an instruction set with convolutions of 16-bit integers. Everything but them is computed in single precision.
#[derive(Clone, Copy, Debug)]
pub struct Int16<S>(pub(super) S);

/// An instruction set with fast products of 16-bit integers, with the functions that are compiled for it.
pub(crate) trait Int16Set: Kernels<Element = f32> {
    /// [`Kernels::plan`].
    fn plan_quantized(self, shape: Shape) -> Plan;

    /// [`Kernels::pack`].
    fn pack_quantized(self, filter: &Filter<'_>, plan: &Plan, panel: usize, packed: &mut [f32]);

    /// [`Kernels::convolve`].
    #[expect(clippy::too_many_arguments, reason = "the arguments of the method")]
    fn convolve_quantized(
        self,
        plan: &Plan,
        packed: &[f32],
        input: &[f32],
        stride: usize,
        output: &mut [f32],
        epilogue: &Epilogue<'_>,
        scratch: &mut Vec<f32>,
    );
}

/// Implements [`Int16Set`] for an instruction set by compiling the generic functions for it.
macro_rules! int16_set {
    ($set:ident, [$(#[$features:meta])*]) => {
        impl super::int16_set::Int16Set for $set {
            fn plan_quantized(self, shape: super::Shape) -> super::Plan {
                super::int16_set::plan(self, shape)
            }

            super::simd::convolutions!(
                $set,
                int16_set,
                pack_quantized,
                convolve_quantized,
                [$(#[$features])*]
            );
        }
    };
}
pub(super) use int16_set;

pub(super) fn plan<S: Int16Simd>(simd: S, shape: Shape) -> Plan {
    match shape.taps {
        3 => quantized::plan::<S, Winograd>(shape),
        7 => quantized::plan::<S, Fourier<7>>(shape),
        11 => quantized::plan::<S, Fourier<11>>(shape),
        _ => int16::plan_int16(simd, shape),
    }
}

#[inline(always)]
pub(super) fn pack<S: Int16Simd>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    match plan.shape.taps {
        3 if filter.is_quantized() => {
            quantized::pack_integers(simd, filter, plan, panel, packed);
        }
        3 => quantized::pack::<S, Winograd>(simd, filter, plan, panel, packed),
        7 => quantized::pack::<S, Fourier<7>>(simd, filter, plan, panel, packed),
        11 => quantized::pack::<S, Fourier<11>>(simd, filter, plan, panel, packed),
        _ => int16::pack(simd, filter, plan, panel, packed),
    }
}

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
    let Shape { taps, inputs, outputs, .. } = plan.shape;
    let rows = output.len() / outputs;
    if taps == 1 {
        return int16::convolve(simd, plan, packed, input, stride, output, epilogue, scratch);
    }
    if rows == 0 {
        return;
    }
    assert!(*plan == self::plan(simd, plan.shape) && stride == inputs);
    assert!(input.len() >= plan.input_rows(rows) * inputs);
    convolution::check_lengths(plan, packed, output, epilogue);
    match taps {
        3 => {
            quantized::convolve::<S, Winograd>(simd, plan, packed, input, output, epilogue, scratch)
        }
        7 => quantized::convolve::<S, Fourier<7>>(
            simd, plan, packed, input, output, epilogue, scratch,
        ),
        _ => quantized::convolve::<S, Fourier<11>>(
            simd, plan, packed, input, output, epilogue, scratch,
        ),
    }
}

impl<S: Int16Set> Kernels for Int16<S> {
    type Fp32 = S;
    type Element = f32;

    fn name(self) -> &'static str {
        self.0.name()
    }

    fn fp32(self) -> S {
        self.0
    }

    fn precision(self) -> Precision {
        Precision::Int16
    }

    fn plan(self, shape: Shape) -> Plan {
        self.0.plan_quantized(shape)
    }

    fn pack(self, filter: &Filter<'_>, plan: &Plan, panel: usize, packed: &mut [f32]) {
        self.0.pack_quantized(filter, plan, panel, packed);
    }

    fn activate(
        self,
        rows: &[f32],
        channels: usize,
        activation: &Activation<'_>,
        activated: &mut [f32],
    ) {
        self.0.activate(rows, channels, activation, activated);
    }

    fn convolve(
        self,
        plan: &Plan,
        packed: &[f32],
        input: &[f32],
        stride: usize,
        output: &mut [f32],
        epilogue: &Epilogue<'_>,
        scratch: &mut Vec<f32>,
    ) {
        self.0.convolve_quantized(plan, packed, input, stride, output, epilogue, scratch);
    }

    fn accumulate_sums(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
        self.0.accumulate_sums(rows, sums, squares);
    }

    fn multiply_recurrent(self, matrix: &RecurrentMatrix, row: &[f32], products: &mut [f32]) {
        self.0.multiply_recurrent(matrix, row, products);
    }

    fn lstm_step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
        self.0.lstm_step(gates, cell, state);
    }

    fn softmax(self, rows: &mut [f32], width: usize) {
        self.0.softmax(rows, width);
    }

    fn polar_to_complex(self, rows: &mut [f32]) {
        self.0.polar_to_complex(rows);
    }
}

//! Compiles the generic kernels for one instruction set.

/// Defines methods that forward to functions of this crate. These are generic over instruction sets
/// and inlined, so they are compiled for the given features.
macro_rules! compiled {
    ($set:ty, $features:tt, $($module:ident::$name:ident $arguments:tt;)*) => {
        $(crate::compiled::compiled!(@ $set, $features, $module::$name $arguments);)*
    };
    (
        @ $set:ty, [$(#[$features:meta])*],
        $module:ident::$name:ident($($argument:ident: $type:ty),*)
    ) => {
        fn $name(self, $($argument: $type),*) {
            $(#[$features])*
            unsafe fn run(set: $set, $($argument: $type),*) {
                crate::$module::$name(set, $($argument),*);
            }
            // SAFETY: `self` is the proof that the processor has the features.
            unsafe { run(self, $($argument),*) }
        }
    };
}
pub(super) use compiled;

/// Defines the methods of [`Kernels`](crate::Kernels) that plan, pack and convolve, with the
/// functions of `$module`.
macro_rules! convolutions {
    ($set:ty, $module:ident, $features:tt) => {
        fn plan(self, shape: crate::plan::Shape) -> crate::plan::Plan {
            crate::$module::plan(self, shape)
        }

        fn plan_int16(self, shape: crate::plan::Shape) -> crate::plan::Plan {
            crate::$module::plan_int16(self, shape)
        }

        fn plan_int8(self, shape: crate::plan::Shape) -> crate::plan::Plan {
            crate::$module::plan_int8(self, shape)
        }

        crate::compiled::compiled!(
            $set, $features,
            $module::pack(
                filter: &crate::filter::Filter<'_>,
                plan: &crate::plan::Plan,
                panel: usize,
                packed: &mut [f32]
            );
            $module::convolve(
                operands: &crate::kernels::Operands<'_, f32>,
                output: &mut [f32],
                scratch: &mut Vec<f32>
            );
        );
    };
}
pub(super) use convolutions;

/// Implements [`Kernels`](crate::Kernels) and [`Elementwise`](crate::Elementwise) for an
/// instruction set, with the convolutions of `$module`.
macro_rules! kernels {
    ($set:ident, $name:literal, $module:ident, $features:tt) => {
        impl crate::kernels::Kernels for $set {
            type Fp32 = Self;
            type Element = f32;

            fn fp32(self) -> Self {
                self
            }

            fn name(self) -> &'static str {
                $name
            }

            crate::compiled::convolutions!($set, $module, $features);

            crate::compiled::compiled!(
                $set, $features,
                elementwise::activate(
                    rows: &[f32],
                    channels: usize,
                    activation: &crate::elementwise::Activation<'_>,
                    activated: &mut [f32]
                );
            );
        }

        impl crate::kernels::Elementwise for $set {
            crate::compiled::compiled!(
                $set, $features,
                elementwise::accumulate_sums(rows: &[f32], sums: &mut [f64], squares: &mut [f64]);
                recurrent::multiply_recurrent(
                    matrix: &crate::recurrent::RecurrentMatrix,
                    row: &[f32],
                    products: &mut [f32]
                );
                elementwise::lstm_step(gates: &[f32], cell: &mut [f32], state: &mut [f32]);
                elementwise::softmax(rows: &mut [f32], width: usize);
                elementwise::polar_to_complex(rows: &mut [f32]);
                elementwise::filter_source(
                    parts: &[f32],
                    noise: [&[f32]; 2],
                    real: &mut [f32],
                    imaginary: &mut [f32]
                );
                elementwise::add_products_of_rows(pairs: &[[&[f32]; 2]], sums: &mut [f32]);
                elementwise::normalize(
                    row: &mut [f32],
                    weight: &[f32],
                    bias: &[f32],
                    epsilon: f32
                );
                elementwise::pulses(turns: &[f32], harmonics: &[f32], pulses: &mut [f32]);
            );
        }
    };
}
pub(super) use kernels;

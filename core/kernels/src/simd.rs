//! The vector operations that an instruction set offers. The kernels are written once, generic over them.
//!
//! Everything here is inlined into functions that are compiled for one instruction set. A value of a [`Simd`] type, or a
//! vector that it made, is the proof that the processor has the instructions.

use std::ops::{Add, Div, Mul, Sub};

use super::gemm::{self, Product};

/// An instruction set.
pub(super) trait Simd: Copy + Send + Sync + 'static {
    type Vector: Vector;

    /// Elements of a vector: a power of two, at most 16.
    const WIDTH: usize;

    /// Rows of the GEMM micro-kernel: the most whose accumulators, two vectors a row, stay in registers. At most 12.
    const MICROKERNEL_ROWS: usize;

    fn splat(self, x: f32) -> Self::Vector;

    /// # Safety
    ///
    /// `WIDTH` elements can be read at `from`. They need not be aligned.
    unsafe fn load(self, from: *const f32) -> Self::Vector;

    /// Unpacks pairs of bfloat16: the elements in the upper halves of the words, and those in the lower halves.
    ///
    /// # Safety
    ///
    /// `WIDTH` words can be read at `from`. They need not be aligned.
    unsafe fn load_pairs(self, from: *const u32) -> [Self::Vector; 2];

    /// Unsigned bytes, converted.
    ///
    /// # Safety
    ///
    /// `WIDTH` bytes can be read at `from`.
    unsafe fn load_bytes(self, from: *const u8) -> Self::Vector;

    /// Prefetches a cache line. Any address is allowed.
    fn prefetch<T>(self, at: *const T);

    /// The loop of the GEMM micro-kernel: [`gemm::add_products`].
    ///
    /// # Safety
    ///
    /// As for that.
    #[inline(always)]
    unsafe fn add_products<const ROWS: usize>(
        self,
        product: Product,
        step: usize,
        sums: &mut [[Self::Vector; 2]; ROWS],
    ) {
        // SAFETY: the caller vouches for the operands.
        unsafe { gemm::add_products(self, product, step, sums) }
    }
}

/// A vector of single-precision elements.
pub(super) trait Vector:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f32, Output = Self>
    + Div<Output = Self>
{
    /// self factor + term, fused where the processor has such an instruction.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// term - self factor, fused where the processor has such an instruction.
    fn mul_sub_from(self, factor: Self, term: Self) -> Self;

    /// `x` in all elements: a [`Simd::splat`] for code that has only a vector at hand.
    fn splat_like(self, x: f32) -> Self;

    fn max(self, other: Self) -> Self;

    fn min(self, other: Self) -> Self;

    /// Changes the sign of the elements for which the lowest bit of `bits` is set.
    fn negate_where_odd(self, bits: Self) -> Self;

    /// Adds the low bits of each element of `bits` to the exponent of the element.
    fn add_to_exponent(self, bits: Self) -> Self;

    /// # Safety
    ///
    /// As many elements as the vector has can be written at `to`. They need not be aligned.
    unsafe fn store(self, to: *mut f32);
}

/// Added to an element of magnitude below 2^22, it leaves the nearest integer in the lowest bits of the sum.
pub(super) const ROUNDING_BIAS: f32 = 12_582_912.0;

/// Implements the arithmetic operators of a vector type.
macro_rules! operators {
    ($vector:ty, $add:expr, $sub:expr, $mul:expr, $div:expr) => {
        impl std::ops::Add for $vector {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                $add(self, other)
            }
        }

        impl std::ops::Sub for $vector {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                $sub(self, other)
            }
        }

        impl std::ops::Mul for $vector {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                $mul(self, other)
            }
        }

        impl std::ops::Div for $vector {
            type Output = Self;
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                $div(self, other)
            }
        }

        impl std::ops::Mul<f32> for $vector {
            type Output = Self;
            #[inline(always)]
            fn mul(self, factor: f32) -> Self {
                self * self.splat_like(factor)
            }
        }
    };
}
pub(super) use operators;

/// Repeats a block with a constant counter. The compiler might not unroll a loop, and would then keep its arrays in
/// memory.
macro_rules! unrolled {
    ($k:ident in [$($n:literal)*] $body:block) => {
        $({
            const $k: usize = $n;
            $body
        })*
    };
}
pub(super) use unrolled;

/// Implements the methods that pack weights and convolve, by these names, by compiling the functions of `$module` for an
/// instruction set.
macro_rules! convolutions {
    ($set:ident, $module:ident, $pack:ident, $convolve:ident, [$(#[$features:meta])*]) => {
    fn $pack(
        self,
        filter: &crate::filter::Filter<'_>,
        plan: &super::Plan,
        panel: usize,
        packed: &mut [f32],
    ) {
        $(#[$features])*
        unsafe fn run(
            set: $set,
            filter: &crate::filter::Filter<'_>,
            plan: &super::Plan,
            panel: usize,
            packed: &mut [f32],
        ) {
            super::$module::pack(set, filter, plan, panel, packed);
        }
        // SAFETY: `self` is the proof that the processor has the features.
        unsafe { run(self, filter, plan, panel, packed) }
    }

    fn $convolve(
        self,
        plan: &super::Plan,
        packed: &[f32],
        input: &[f32],
        stride: usize,
        output: &mut [f32],
        epilogue: &super::Epilogue<'_>,
        scratch: &mut Vec<f32>,
    ) {
        $(#[$features])*
        #[expect(clippy::too_many_arguments, reason = "the arguments of the method")]
        unsafe fn run(
            set: $set,
            plan: &super::Plan,
            packed: &[f32],
            input: &[f32],
            stride: usize,
            output: &mut [f32],
            epilogue: &super::Epilogue<'_>,
            scratch: &mut Vec<f32>,
        ) {
            super::$module::convolve(
                set, plan, packed, input, stride, output, epilogue, scratch,
            );
        }
        // SAFETY: `self` is the proof that the processor has the features.
        unsafe { run(self, plan, packed, input, stride, output, epilogue, scratch) }
    }
    };
}
pub(super) use convolutions;

/// Implements [`Kernels`](super::Kernels) for an instruction set by compiling the generic functions for it. `$module` is
/// the module that has its convolutions.
macro_rules! kernels {
    ($set:ident, $name:literal, $module:ident, [$(#[$features:meta])*]) => {
        impl super::Kernels for $set {
            type Fp32 = Self;
            type Element = f32;

            fn fp32(self) -> Self {
                self
            }

            fn name(self) -> &'static str {
                $name
            }

            fn plan(self, shape: super::Shape) -> super::Plan {
                super::convolution::plan::<Self>(shape)
            }

            fn plan_int16(self, shape: super::Shape) -> super::Plan {
                super::$module::plan_int16(self, shape)
            }

            super::simd::convolutions!($set, $module, pack, convolve, [$(#[$features])*]);

            fn activate(
                self,
                rows: &[f32],
                channels: usize,
                activation: &super::Activation<'_>,
                activated: &mut [f32],
            ) {
                $(#[$features])*
                unsafe fn run(
                    set: $set,
                    rows: &[f32],
                    channels: usize,
                    activation: &super::Activation<'_>,
                    activated: &mut [f32],
                ) {
                    super::elementwise::activate(set, rows, channels, activation, activated);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, rows, channels, activation, activated) }
            }

            fn accumulate_sums(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
                $(#[$features])*
                unsafe fn run(set: $set, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
                    super::elementwise::accumulate_sums(set, rows, sums, squares);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, rows, sums, squares) }
            }

            fn multiply_recurrent(
                self,
                matrix: &super::RecurrentMatrix,
                row: &[f32],
                products: &mut [f32],
            ) {
                $(#[$features])*
                unsafe fn run(
                    set: $set,
                    matrix: &super::RecurrentMatrix,
                    row: &[f32],
                    products: &mut [f32],
                ) {
                    super::recurrent::multiply(set, matrix, row, products);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, matrix, row, products) }
            }

            fn lstm_step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
                $(#[$features])*
                unsafe fn run(set: $set, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
                    super::elementwise::lstm_step(set, gates, cell, state);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, gates, cell, state) }
            }

            fn softmax(self, rows: &mut [f32], width: usize) {
                $(#[$features])*
                unsafe fn run(set: $set, rows: &mut [f32], width: usize) {
                    super::elementwise::softmax(set, rows, width);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, rows, width) }
            }

            fn polar_to_complex(self, rows: &mut [f32]) {
                $(#[$features])*
                unsafe fn run(set: $set, rows: &mut [f32]) {
                    super::elementwise::polar_to_complex(set, rows);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, rows) }
            }
        }
    };
}
pub(super) use kernels;

//! Vectors of numbers: what an instruction set must offer for the kernels that are written once for all of them.
//!
//! Everything here is inlined into functions that are compiled for one instruction set; a value of a [`Lanes`] type,
//! and a vector that it made, is the proof that the processor has it.

use std::ops::{Add, Div, Mul, Sub};

/// An instruction set.
pub(super) trait Lanes: Copy + Send + Sync + 'static {
    type Vector: Vector;

    /// Numbers of a vector: a power of two, at most 16.
    const WIDTH: usize;

    /// Rows of the largest product of matrices whose sums, two vectors wide, stay in registers: at most 12.
    const ROWS: usize;

    fn splat(self, x: f32) -> Self::Vector;

    /// # Safety
    ///
    /// `WIDTH` numbers can be read there. They need not be aligned.
    unsafe fn load(self, from: *const f32) -> Self::Vector;

    /// Numbers whose upper halves are the 32-bit ones of the bits there, and numbers whose upper halves are the lower ones:
    /// bfloat16 numbers in pairs.
    ///
    /// # Safety
    ///
    /// `WIDTH` pairs can be read there. They need not be aligned.
    unsafe fn load_pairs(self, from: *const u32) -> [Self::Vector; 2];

    /// Bytes as numbers.
    ///
    /// # Safety
    ///
    /// `WIDTH` bytes can be read there.
    unsafe fn load_bytes(self, from: *const u8) -> Self::Vector;

    /// Asks for a cache line that will be read soon. Any address is allowed.
    fn prefetch<T>(self, at: *const T);
}

/// A vector of single precision numbers.
pub(super) trait Vector:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f32, Output = Self>
    + Div<Output = Self>
{
    /// self factor + term, rounded once where the processor can.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// term - self factor, rounded once where the processor can.
    fn mul_sub_from(self, factor: Self, term: Self) -> Self;

    /// The same number in all places.
    fn same(self, x: f32) -> Self;

    fn max(self, other: Self) -> Self;

    fn min(self, other: Self) -> Self;

    /// Changes the sign where the lowest bit of a number is set.
    fn negate_where_odd(self, bits: Self) -> Self;

    /// Adds the lowest bits of a number to the exponent.
    fn add_to_exponent(self, bits: Self) -> Self;

    /// # Safety
    ///
    /// As many numbers as the vector has can be written there. They need not be aligned.
    unsafe fn store(self, to: *mut f32);
}

/// Added to a number, it leaves the nearest whole number in the lowest bits (of magnitudes below 2^22).
pub(super) const TO_WHOLE: f32 = 12_582_912.0;

/// Implements the operators of a vector by functions.
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
                self * self.same(factor)
            }
        }
    };
}
pub(super) use operators;

/// Repeats an expression with a constant counter. A loop might stay a loop, and its arrays in memory.
macro_rules! unrolled {
    ($k:ident in [$($n:literal)*] $body:block) => {
        $({
            const $k: usize = $n;
            $body
        })*
    };
}
pub(super) use unrolled;

/// Implements [`Kernels`](super::Kernels) for an instruction set: the generic functions, compiled for it. The module is
/// where its convolutions are.
macro_rules! kernels {
    ($set:ty, $name:literal, $module:ident, [$(#[$features:meta])*]) => {
        impl super::Kernels for $set {
            type Floats = Self;
            type Element = f32;

            fn floats(self) -> Self {
                self
            }

            fn name(self) -> &'static str {
                $name
            }

            fn plan(self, shape: super::Shape) -> super::Plan {
                super::convolution::plan::<Self>(shape)
            }

            fn plan_rounded(self, shape: super::Shape) -> super::Plan {
                super::$module::plan_rounded::<Self>(shape)
            }

            fn pack(
                self,
                filter: &crate::acoustic::kernels::filter::Filter<'_>,
                plan: &super::Plan,
                panel: usize,
                packed: &mut [f32],
            ) {
                $(#[$features])*
                unsafe fn run(
                    set: $set,
                    filter: &crate::acoustic::kernels::filter::Filter<'_>,
                    plan: &super::Plan,
                    panel: usize,
                    packed: &mut [f32],
                ) {
                    super::$module::pack(set, filter, plan, panel, packed);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, filter, plan, panel, packed) }
            }

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

            fn convolve(
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
                #[expect(clippy::too_many_arguments, reason = "those of the method")]
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

            fn add_moments(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
                $(#[$features])*
                unsafe fn run(set: $set, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
                    super::elementwise::add_moments(set, rows, sums, squares);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, rows, sums, squares) }
            }

            fn multiply_recurrent(
                self,
                matrix: &super::Recurrent,
                row: &[f32],
                products: &mut [f32],
            ) {
                $(#[$features])*
                unsafe fn run(
                    set: $set,
                    matrix: &super::Recurrent,
                    row: &[f32],
                    products: &mut [f32],
                ) {
                    super::recurrent::multiply(set, matrix, row, products);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, matrix, row, products) }
            }

            fn step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
                $(#[$features])*
                unsafe fn run(set: $set, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
                    super::elementwise::step(set, gates, cell, state);
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

            fn polar(self, rows: &mut [f32]) {
                $(#[$features])*
                unsafe fn run(set: $set, rows: &mut [f32]) {
                    super::elementwise::polar(set, rows);
                }
                // SAFETY: `self` is the proof that the processor has the features.
                unsafe { run(self, rows) }
            }
        }
    };
}
pub(super) use kernels;

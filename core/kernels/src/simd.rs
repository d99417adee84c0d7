//! The vector operations of an instruction set, over which the kernels are generic.
//!
//! Everything here is inlined into functions compiled for one instruction set. A value of a
//! [`Simd`] type, or a vector made by one, is the proof that the processor has the instructions.

use std::ops::{Add, Div, Mul, Sub};

/// An instruction set.
pub(super) trait Simd: Copy + Send + Sync + 'static {
    type Vector: Vector;

    /// The elements of a vector: a power of two, at most 16.
    const WIDTH: usize;

    fn splat(self, x: f32) -> Self::Vector;

    /// # Safety
    ///
    /// `from` is valid for reads of `WIDTH` elements, which need not be aligned.
    unsafe fn load(self, from: *const f32) -> Self::Vector;

    /// Unpacks pairs of bfloat16: the elements in the upper halves of the words, and those in the
    /// lower halves.
    ///
    /// # Safety
    ///
    /// `from` is valid for reads of `WIDTH` words, which need not be aligned.
    unsafe fn load_pairs(self, from: *const u32) -> [Self::Vector; 2];

    /// Loads unsigned bytes and converts them.
    ///
    /// # Safety
    ///
    /// `from` is valid for reads of `WIDTH` bytes.
    unsafe fn load_bytes(self, from: *const u8) -> Self::Vector;

    /// Prefetches a cache line. Any address is allowed.
    fn prefetch<T>(self, at: *const T);
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
    /// self factor + term, fused if the processor has such an instruction.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// term - self factor, fused if the processor has such an instruction.
    fn mul_sub_from(self, factor: Self, term: Self) -> Self;

    /// `x` in all elements: [`Simd::splat`] for code that has only a vector.
    fn splat_like(self, x: f32) -> Self;

    fn max(self, other: Self) -> Self;

    fn min(self, other: Self) -> Self;

    /// Changes the sign of the elements for which the lowest bit of `bits` is set.
    fn negate_where_odd(self, bits: Self) -> Self;

    /// Adds the low bits of each element of `bits` to the exponent of the element.
    fn add_to_exponent(self, bits: Self) -> Self;

    /// # Safety
    ///
    /// `to` is valid for writes of as many elements as the vector has, which need not be aligned.
    unsafe fn store(self, to: *mut f32);
}

/// Adding this to an element of magnitude below 2^22 leaves the nearest integer in the lowest bits
/// of the sum.
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
                self * crate::simd::Vector::splat_like(self, factor)
            }
        }
    };
}
pub(super) use operators;

/// Repeats a block with a constant counter. The compiler might not unroll a loop, and would then
/// keep its arrays in memory.
macro_rules! unrolled {
    ($k:ident in [$($n:literal)*] $body:block) => {
        $({
            const $k: usize = $n;
            $body
        })*
    };
}
pub(super) use unrolled;

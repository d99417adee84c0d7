//! Vectors of 4 single-precision elements: WebAssembly SIMD.
//!
//! A WebAssembly module is valid only if the engine knows all of its instructions, so they are
//! chosen at compile time. With relaxed SIMD, products are fused with sums where the processor does
//! that; without it, every result equals that of the portable kernels, bit for bit.

use std::arch::wasm32::{
    f32x4_add, f32x4_convert_i32x4, f32x4_convert_u32x4, f32x4_div, f32x4_mul, f32x4_pmax,
    f32x4_pmin, f32x4_splat, f32x4_sub, i32x4_add, i32x4_dot_i16x8, i32x4_shl, i32x4_splat,
    u16x8_extend_low_u8x16, u32x4_extend_low_u16x8, u32x4_splat, v128, v128_and, v128_load,
    v128_load32_zero, v128_store, v128_xor,
};
#[cfg(target_feature = "relaxed-simd")]
use std::arch::wasm32::{f32x4_relaxed_madd, f32x4_relaxed_nmadd};

use super::compiled::kernels;
use super::gemm::Gemm;
use super::int16::{Int16Simd, Prefetch};
use super::int16_set::{Int16, int16_kernels};
use super::simd::{Simd, Vector, operators};

/// Kernels for WebAssembly with SIMD.
#[derive(Clone, Copy, Debug)]
pub struct Simd128;

impl Int16<Simd128> {
    /// The set with 16-bit integer convolutions.
    pub fn new() -> Self {
        Self(Simd128)
    }
}

/// A vector of 4 elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floats(v128);

impl Simd for Simd128 {
    type Vector = Floats;

    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(self, x: f32) -> Floats {
        Floats(f32x4_splat(x))
    }

    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> Floats {
        // SAFETY: `from` is valid for reads of `WIDTH` elements (this function's safety contract),
        // which need not be aligned.
        Floats(unsafe { v128_load(from.cast()) })
    }

    #[inline(always)]
    unsafe fn load_pairs(self, from: *const u32) -> [Floats; 2] {
        // SAFETY: `from` is valid for reads of `WIDTH` words (this function's safety contract),
        // which need not be aligned.
        let pairs = unsafe { v128_load(from.cast()) };
        [Floats(v128_and(pairs, u32x4_splat(u32::MAX << 16))), Floats(i32x4_shl(pairs, 16))]
    }

    #[inline(always)]
    unsafe fn load_bytes(self, from: *const u8) -> Floats {
        // SAFETY: `from` is valid for reads of 4 bytes (this function's safety contract), which
        // need not be aligned.
        let bytes = unsafe { v128_load32_zero(from.cast()) };
        Floats(f32x4_convert_u32x4(u32x4_extend_low_u16x8(u16x8_extend_low_u8x16(bytes))))
    }

    // WebAssembly has no such instruction.
    #[inline(always)]
    fn prefetch<T>(self, _at: *const T) {}
}

impl Gemm for Simd128 {
    const MICROKERNEL_ROWS: usize = 6;
}

impl Int16Simd for Simd128 {
    type Ints = v128;

    #[inline(always)]
    fn zeros(self) -> v128 {
        i32x4_splat(0)
    }

    #[inline(always)]
    fn ints_to_floats(self, sums: v128) -> Floats {
        Floats(f32x4_convert_i32x4(sums))
    }

    #[inline(always)]
    unsafe fn multiply_pairs<const ROWS: usize>(
        self,
        rows: *const i32,
        stride: usize,
        pairs: usize,
        panel: *const i32,
        mut next: Prefetch,
    ) -> [[v128; 2]; ROWS] {
        let mut sums = [[self.zeros(); 2]; ROWS];
        for pair in 0..pairs {
            next.step(self);
            // SAFETY: the panel has `pairs` rows of two vectors (this function's safety contract).
            let weights = [0, Self::WIDTH].map(|column| unsafe {
                v128_load(panel.add(2 * Self::WIDTH * pair + column).cast())
            });
            for (row, sums) in sums.iter_mut().enumerate() {
                // SAFETY: each row has `pairs` pairs (this function's safety contract).
                let x = i32x4_splat(unsafe { *rows.add(row * stride + pair) });
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = i32x4_add(*sum, i32x4_dot_i16x8(x, weights));
                }
            }
        }
        sums
    }
}

operators!(
    Floats,
    |a: Floats, b: Floats| Floats(f32x4_add(a.0, b.0)),
    |a: Floats, b: Floats| Floats(f32x4_sub(a.0, b.0)),
    |a: Floats, b: Floats| Floats(f32x4_mul(a.0, b.0)),
    |a: Floats, b: Floats| Floats(f32x4_div(a.0, b.0))
);

impl Vector for Floats {
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        #[cfg(target_feature = "relaxed-simd")]
        return Self(f32x4_relaxed_madd(self.0, factor.0, term.0));
        #[cfg(not(target_feature = "relaxed-simd"))]
        return self * factor + term;
    }

    #[inline(always)]
    fn mul_sub_from(self, factor: Self, term: Self) -> Self {
        #[cfg(target_feature = "relaxed-simd")]
        return Self(f32x4_relaxed_nmadd(self.0, factor.0, term.0));
        #[cfg(not(target_feature = "relaxed-simd"))]
        return term - self * factor;
    }

    #[inline(always)]
    fn splat_like(self, x: f32) -> Self {
        Self(f32x4_splat(x))
    }

    // Minimum and maximum as comparisons, which are one instruction on most processors; versions
    // that respect signed zeros and NaN take several.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(f32x4_pmax(other.0, self.0))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(f32x4_pmin(other.0, self.0))
    }

    #[inline(always)]
    fn negate_where_odd(self, bits: Self) -> Self {
        Self(v128_xor(self.0, i32x4_shl(bits.0, 31)))
    }

    #[inline(always)]
    fn add_to_exponent(self, bits: Self) -> Self {
        Self(i32x4_add(self.0, i32x4_shl(bits.0, 23)))
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: `to` is valid for writes of `WIDTH` elements (this function's safety contract),
        // which need not be aligned.
        unsafe { v128_store(to.cast(), self.0) }
    }
}

kernels!(Simd128, "simd128", int16, []);
int16_kernels!(Simd128, []);

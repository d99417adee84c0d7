//! Vectors for any processor: arrays, which the compiler vectorizes as far as the target allows.

use super::compiled::kernels;
use super::gemm::Gemm;
use super::simd::{Simd, Vector, operators};

/// Kernels for any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

const WIDTH: usize = 4;

/// A vector of 4 elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floats([f32; WIDTH]);

impl Floats {
    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([operation(a, e), operation(b, f), operation(c, g), operation(d, h)])
    }
}

impl Simd for Portable {
    type Vector = Floats;

    const WIDTH: usize = WIDTH;

    #[inline(always)]
    fn splat(self, x: f32) -> Floats {
        Floats([x; WIDTH])
    }

    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> Floats {
        // SAFETY: `from` is valid for reads of `WIDTH` elements (this function's safety contract);
        // an array is aligned as its elements are.
        Floats(unsafe { *from.cast() })
    }

    #[inline(always)]
    unsafe fn load_pairs(self, from: *const u32) -> [Floats; 2] {
        // SAFETY: `from` is valid for reads of `WIDTH` words (this function's safety contract); an
        // array is aligned as its elements are.
        let pairs: [u32; WIDTH] = unsafe { *from.cast() };
        let upper = pairs.map(|pair| f32::from_bits(pair & (u32::MAX << 16)));
        [Floats(upper), Floats(pairs.map(|pair| f32::from_bits(pair << 16)))]
    }

    #[inline(always)]
    unsafe fn load_bytes(self, from: *const u8) -> Floats {
        // SAFETY: `from` is valid for reads of `WIDTH` bytes (this function's safety contract);
        // bytes need no alignment.
        Floats(unsafe { *from.cast::<[u8; WIDTH]>() }.map(f32::from))
    }

    #[inline(always)]
    fn prefetch<T>(self, _at: *const T) {}
}

impl Gemm for Portable {
    const MICROKERNEL_ROWS: usize = 6;
}

operators!(
    Floats,
    |a: Floats, b: Floats| a.zip(b, |a, b| a + b),
    |a: Floats, b: Floats| a.zip(b, |a, b| a - b),
    |a: Floats, b: Floats| a.zip(b, |a, b| a * b),
    |a: Floats, b: Floats| a.zip(b, |a, b| a / b)
);

impl Vector for Floats {
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }

    #[inline(always)]
    fn mul_sub_from(self, factor: Self, term: Self) -> Self {
        term - self * factor
    }

    #[inline(always)]
    fn splat_like(self, x: f32) -> Self {
        Self([x; WIDTH])
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn negate_where_odd(self, bits: Self) -> Self {
        self.zip(bits, |x, bits| f32::from_bits(x.to_bits() ^ (bits.to_bits() << 31)))
    }

    #[inline(always)]
    fn add_to_exponent(self, bits: Self) -> Self {
        self.zip(bits, |x, bits| f32::from_bits(x.to_bits().wrapping_add(bits.to_bits() << 23)))
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: `to` is valid for writes of `WIDTH` elements (this function's safety contract);
        // an array is aligned as its elements are.
        unsafe { *to.cast() = self.0 }
    }
}

kernels!(Portable, "portable", convolution, []);

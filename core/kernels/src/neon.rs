//! Vectors of 4 single-precision elements: NEON.

use std::arch::aarch64::{
    float32x4_t, int32x4_t, vaddq_f32, vaddq_u32, vandq_u32, vcreate_u8, vcvtq_f32_s32,
    vcvtq_f32_u32, vdivq_f32, vdupq_n_f32, vdupq_n_u32, veorq_u32, vfmaq_f32, vfmsq_f32,
    vget_low_u16, vld1q_f32, vld1q_u32, vmaxq_f32, vminq_f32, vmovl_u8, vmovl_u16, vmulq_f32,
    vreinterpretq_f32_u32, vreinterpretq_u32_f32, vshlq_n_u32, vst1q_f32, vsubq_f32,
};

use super::byte_products::ByteProducts;
use super::compiled::kernels;
use super::gemm::{self, Gemm, Product};
use super::neon_rows;
use super::simd::{Simd, Vector, operators};
use super::split_int16::ByteSimd;

/// Kernels for processors with NEON.
#[derive(Clone, Copy, Debug)]
pub struct Neon {
    /// Byte products, if the processor has an instruction for them.
    byte_products: Option<ByteProducts>,
}

impl Neon {
    /// The kernels, if the processor has the instructions.
    pub fn detect() -> Option<Self> {
        Self::with(ByteProducts::detect())
    }

    /// The kernels with other byte products.
    pub(super) fn with(byte_products: Option<ByteProducts>) -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self { byte_products })
    }
}

/// A vector of 4 elements. Can be created only through [`Neon`], the proof that the processor has
/// NEON.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Floats(float32x4_t);

impl Neon {
    /// The vector in a register.
    #[inline(always)]
    pub(super) fn floats(self, register: float32x4_t) -> Floats {
        Floats(register)
    }
}

impl Floats {
    /// The register of the vector.
    #[inline(always)]
    pub(super) fn register(self) -> float32x4_t {
        self.0
    }
}

impl Simd for Neon {
    type Vector = Floats;

    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(self, x: f32) -> Floats {
        // SAFETY: `self` is the proof that the processor has NEON.
        Floats(unsafe { vdupq_n_f32(x) })
    }

    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> Floats {
        // SAFETY: `self` is the proof that the processor has NEON; `from` is valid for reads of
        // `WIDTH` elements (this function's safety contract).
        Floats(unsafe { vld1q_f32(from) })
    }

    #[inline(always)]
    unsafe fn load_pairs(self, from: *const u32) -> [Floats; 2] {
        // SAFETY: `self` is the proof that the processor has NEON; `from` is valid for reads of
        // `WIDTH` words (this function's safety contract).
        unsafe {
            let pairs = vld1q_u32(from);
            let upper = vandq_u32(pairs, vdupq_n_u32(u32::MAX << 16));
            let lower = vshlq_n_u32::<16>(pairs);
            [Floats(vreinterpretq_f32_u32(upper)), Floats(vreinterpretq_f32_u32(lower))]
        }
    }

    #[inline(always)]
    unsafe fn load_bytes(self, from: *const u8) -> Floats {
        // SAFETY: `self` is the proof that the processor has NEON; `from` is valid for reads of
        // `WIDTH` bytes (this function's safety contract).
        unsafe {
            let bytes = vcreate_u8(u64::from(u32::from_le_bytes(*from.cast::<[u8; 4]>())));
            Floats(vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(bytes)))))
        }
    }

    // There is no stable intrinsic, and the hardware prefetchers do well.
    #[inline(always)]
    fn prefetch<T>(self, _at: *const T) {}
}

impl Gemm for Neon {
    const MICROKERNEL_ROWS: usize = neon_rows::MAX_ROWS;

    #[inline(always)]
    unsafe fn add_products<const ROWS: usize>(
        self,
        product: Product,
        step: usize,
        sums: &mut [[Floats; 2]; ROWS],
    ) {
        let Product { rows, stride, depth, panel, .. } = product;
        let rest = depth % neon_rows::DEPTH;
        let done = depth - rest;
        // SAFETY: the rows have `depth` elements, and the panel as many rows (this function's
        // safety contract). A vector is a transparent wrapper of its register.
        unsafe {
            let registers = &mut *(&raw mut *sums).cast::<[[float32x4_t; 2]; ROWS]>();
            neon_rows::add_products(rows, stride, done / neon_rows::DEPTH, panel, registers);
            let (rows, panel) = (rows.add(done), panel.add(done * 2 * Self::WIDTH));
            gemm::add_products(self, Product { rows, panel, depth: rest, ..product }, step, sums);
        }
    }
}

impl ByteSimd for Neon {
    fn byte_products(self) -> Option<ByteProducts> {
        self.byte_products
    }

    #[inline(always)]
    fn ints_to_floats(self, ints: int32x4_t) -> Floats {
        // SAFETY: `self` is the proof that the processor has NEON.
        Floats(unsafe { vcvtq_f32_s32(ints) })
    }
}

operators!(
    Floats,
    // SAFETY: a vector is the proof that the processor has NEON.
    |a: Floats, b: Floats| Floats(unsafe { vaddq_f32(a.0, b.0) }),
    // SAFETY: a vector is the proof that the processor has NEON.
    |a: Floats, b: Floats| Floats(unsafe { vsubq_f32(a.0, b.0) }),
    // SAFETY: a vector is the proof that the processor has NEON.
    |a: Floats, b: Floats| Floats(unsafe { vmulq_f32(a.0, b.0) }),
    // SAFETY: a vector is the proof that the processor has NEON.
    |a: Floats, b: Floats| Floats(unsafe { vdivq_f32(a.0, b.0) })
);

impl Vector for Floats {
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: a vector is the proof that the processor has NEON.
        Self(unsafe { vfmaq_f32(term.0, self.0, factor.0) })
    }

    #[inline(always)]
    fn mul_sub_from(self, factor: Self, term: Self) -> Self {
        // SAFETY: a vector is the proof that the processor has NEON.
        Self(unsafe { vfmsq_f32(term.0, self.0, factor.0) })
    }

    #[inline(always)]
    fn splat_like(self, x: f32) -> Self {
        // SAFETY: a vector is the proof that the processor has NEON.
        Self(unsafe { vdupq_n_f32(x) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: a vector is the proof that the processor has NEON.
        Self(unsafe { vmaxq_f32(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: a vector is the proof that the processor has NEON.
        Self(unsafe { vminq_f32(self.0, other.0) })
    }

    #[inline(always)]
    fn negate_where_odd(self, bits: Self) -> Self {
        // SAFETY: a vector is the proof that the processor has NEON.
        Self(unsafe {
            let sign = vshlq_n_u32::<31>(vreinterpretq_u32_f32(bits.0));
            vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(self.0), sign))
        })
    }

    #[inline(always)]
    fn add_to_exponent(self, bits: Self) -> Self {
        // SAFETY: a vector is the proof that the processor has NEON.
        Self(unsafe {
            let exponent = vshlq_n_u32::<23>(vreinterpretq_u32_f32(bits.0));
            vreinterpretq_f32_u32(vaddq_u32(vreinterpretq_u32_f32(self.0), exponent))
        })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: a vector is the proof that the processor has NEON; `to` is valid for writes of
        // `WIDTH` elements (this function's safety contract).
        unsafe { vst1q_f32(to, self.0) }
    }
}

kernels!(Neon, "neon", neon_int8, [#[target_feature(enable = "neon")]]);

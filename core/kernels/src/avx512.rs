//! Vectors of 16 single-precision elements: AVX-512F and AVX-512BW.

use std::arch::x86_64::{
    __m512, __m512i, _MM_HINT_T1, _mm_loadu_si128, _mm_prefetch, _mm512_add_epi32, _mm512_add_ps,
    _mm512_and_si512, _mm512_castps_si512, _mm512_castsi512_ps, _mm512_cvtepi32_ps,
    _mm512_cvtepu8_epi32, _mm512_div_ps, _mm512_fmadd_ps, _mm512_fnmadd_ps, _mm512_loadu_ps,
    _mm512_loadu_si512, _mm512_max_ps, _mm512_min_ps, _mm512_mul_ps, _mm512_set1_epi32,
    _mm512_set1_ps, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_storeu_ps, _mm512_sub_ps,
    _mm512_xor_si512,
};

use super::int16::{Int16Simd, Prefetch};
use super::int16_set::{Int16, int16_set};
use super::pair_products::{multiply_pairs_512, multiply_pairs_vnni_512};
use super::simd::{Simd, Vector, kernels, operators};

/// Kernels for processors with AVX-512F and AVX-512BW.
#[derive(Clone, Copy, Debug)]
pub struct Avx512 {
    /// Whether the processor has AVX512-VNNI, too: fused products of 16-bit integers.
    vnni: bool,
}

impl Avx512 {
    /// The kernels, if the processor has the instructions.
    pub fn detect() -> Option<Self> {
        let vectors = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        vectors.then(|| Self { vnni: is_x86_feature_detected!("avx512vnni") })
    }

    /// The kernels without AVX512-VNNI.
    #[cfg(test)]
    pub(super) fn without_vnni() -> Option<Self> {
        Self::detect().map(|_| Self { vnni: false })
    }
}

/// 16 elements. Only an [`Avx512`] makes one from nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floats(__m512);

impl Int16<Avx512> {
    /// The kernels, if the processor has the instructions, and the fused ones, without which nothing is gained.
    pub fn detect() -> Option<Self> {
        Avx512::detect().filter(|set| set.vnni).map(Self)
    }
}

impl Simd for Avx512 {
    type Vector = Floats;

    const WIDTH: usize = 16;
    const MICROKERNEL_ROWS: usize = 12;

    #[inline(always)]
    fn splat(self, x: f32) -> Floats {
        // SAFETY: `self` is the proof that the processor has AVX-512F and AVX-512BW.
        Floats(unsafe { _mm512_set1_ps(x) })
    }

    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> Floats {
        // SAFETY: `self` is the proof that the processor has AVX-512F and AVX-512BW; the caller vouches for the address.
        Floats(unsafe { _mm512_loadu_ps(from) })
    }

    #[inline(always)]
    unsafe fn load_pairs(self, from: *const u32) -> [Floats; 2] {
        // SAFETY: `self` is the proof that the processor has AVX-512F and AVX-512BW; the caller vouches for the address.
        unsafe {
            let pairs = _mm512_loadu_si512(from.cast());
            let upper = _mm512_and_si512(pairs, _mm512_set1_epi32(-1 << 16));
            let lower = _mm512_slli_epi32::<16>(pairs);
            [Floats(_mm512_castsi512_ps(upper)), Floats(_mm512_castsi512_ps(lower))]
        }
    }

    #[inline(always)]
    unsafe fn load_bytes(self, from: *const u8) -> Floats {
        // SAFETY: `self` is the proof that the processor has AVX-512F and AVX-512BW; the caller vouches for the address.
        Floats(unsafe { _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(from.cast()))) })
    }

    #[inline(always)]
    fn prefetch<T>(self, at: *const T) {
        // SAFETY: a prefetch may name any address, and every x86-64 processor has it.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
    }
}

/// 16 32-bit integers. Only an [`Avx512`] makes one from nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ints(pub(super) __m512i);

impl Int16Simd for Avx512 {
    type Ints = Ints;

    #[inline(always)]
    fn zeros(self) -> Ints {
        // SAFETY: `self` is the proof that the processor has AVX-512F and AVX-512BW.
        Ints(unsafe { _mm512_setzero_si512() })
    }

    #[inline(always)]
    fn ints_to_floats(self, sums: Ints) -> Floats {
        // SAFETY: `self` is the proof that the processor has AVX-512F and AVX-512BW.
        Floats(unsafe { _mm512_cvtepi32_ps(sums.0) })
    }

    #[inline(always)]
    unsafe fn multiply_pairs<const ROWS: usize>(
        self,
        rows: *const i32,
        stride: usize,
        pairs: usize,
        panel: *const i32,
        next: Prefetch,
    ) -> [[Ints; 2]; ROWS] {
        if self.vnni {
            // SAFETY: the caller vouches for rows and panel, and `self` says that the processor has the instruction.
            unsafe { multiply_pairs_vnni_512(self, rows, stride, pairs, panel, next) }
        } else {
            // SAFETY: the caller vouches for rows and panel, and `self` is the proof that the processor has the instructions.
            unsafe { multiply_pairs_512(self, rows, stride, pairs, panel, next) }
        }
    }
}

operators!(
    Floats,
    // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
    |a: Floats, b: Floats| Floats(unsafe { _mm512_add_ps(a.0, b.0) }),
    // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
    |a: Floats, b: Floats| Floats(unsafe { _mm512_sub_ps(a.0, b.0) }),
    // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
    |a: Floats, b: Floats| Floats(unsafe { _mm512_mul_ps(a.0, b.0) }),
    // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
    |a: Floats, b: Floats| Floats(unsafe { _mm512_div_ps(a.0, b.0) })
);

impl Vector for Floats {
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn mul_sub_from(self, factor: Self, term: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
        Self(unsafe { _mm512_fnmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn splat_like(self, x: f32) -> Self {
        // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
        Self(unsafe { _mm512_set1_ps(x) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
        Self(unsafe { _mm512_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn negate_where_odd(self, bits: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
        Self(unsafe {
            let sign = _mm512_slli_epi32::<31>(_mm512_castps_si512(bits.0));
            _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(self.0), sign))
        })
    }

    #[inline(always)]
    fn add_to_exponent(self, bits: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW.
        Self(unsafe {
            let exponent = _mm512_slli_epi32::<23>(_mm512_castps_si512(bits.0));
            _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(self.0), exponent))
        })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: a vector is made only from an `Avx512`, the proof that the processor has AVX-512F and AVX-512BW; the caller vouches for the address.
        unsafe { _mm512_storeu_ps(to, self.0) }
    }
}

kernels!(Avx512, "avx512", int16, [#[target_feature(enable = "avx512f,avx512bw")]]);
int16_set!(Avx512, [#[target_feature(enable = "avx512f,avx512bw")]]);

//! Vectors of 8 single-precision elements: AVX2 and FMA.

use std::arch::x86_64::{
    __m256, __m256i, _MM_HINT_T1, _mm_loadl_epi64, _mm_prefetch, _mm256_add_epi32, _mm256_add_ps,
    _mm256_and_si256, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_cvtepi32_ps,
    _mm256_cvtepu8_epi32, _mm256_div_ps, _mm256_fmadd_ps, _mm256_fnmadd_ps, _mm256_loadu_ps,
    _mm256_loadu_si256, _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps, _mm256_set1_epi32,
    _mm256_set1_ps, _mm256_setzero_si256, _mm256_slli_epi32, _mm256_storeu_ps, _mm256_sub_ps,
    _mm256_xor_si256,
};

use super::int16::{Int16Simd, Prefetch};
use super::int16_set::{Int16, int16_set};
use super::pair_products::{multiply_pairs_256, multiply_pairs_vnni_256};
use super::simd::{Simd, Vector, kernels, operators};

/// Kernels for processors with AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub struct Avx2 {
    /// Whether the processor has AVX-VNNI, too: fused products of 16-bit integers.
    vnni: bool,
}

impl Avx2 {
    /// The kernels, if the processor has the instructions.
    pub fn detect() -> Option<Self> {
        let vectors = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        vectors.then(|| Self { vnni: is_x86_feature_detected!("avxvnni") })
    }

    /// The kernels with the instruction of AVX-VNNI, on any processor that has AVX2.
    ///
    /// # Safety
    ///
    /// The processor executes that instruction, or a handler of SIGILL does in its place.
    pub unsafe fn assuming_vnni() -> Option<Self> {
        Self::detect().map(|_| Self { vnni: true })
    }
}

/// 8 elements. Only an [`Avx2`] makes one from nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floats(__m256);

impl Int16<Avx2> {
    /// The kernels, if the processor has the instructions.
    pub fn detect() -> Option<Self> {
        Avx2::detect().map(Self)
    }
}

impl Simd for Avx2 {
    type Vector = Floats;

    const WIDTH: usize = 8;
    const MICROKERNEL_ROWS: usize = 6;

    #[inline(always)]
    fn splat(self, x: f32) -> Floats {
        // SAFETY: `self` is the proof that the processor has AVX2 and FMA.
        Floats(unsafe { _mm256_set1_ps(x) })
    }

    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> Floats {
        // SAFETY: `self` is the proof that the processor has AVX2 and FMA; the caller vouches for the address.
        Floats(unsafe { _mm256_loadu_ps(from) })
    }

    #[inline(always)]
    unsafe fn load_pairs(self, from: *const u32) -> [Floats; 2] {
        // SAFETY: `self` is the proof that the processor has AVX2 and FMA; the caller vouches for the address.
        unsafe {
            let pairs = _mm256_loadu_si256(from.cast());
            let upper = _mm256_and_si256(pairs, _mm256_set1_epi32(-1 << 16));
            let lower = _mm256_slli_epi32::<16>(pairs);
            [Floats(_mm256_castsi256_ps(upper)), Floats(_mm256_castsi256_ps(lower))]
        }
    }

    #[inline(always)]
    unsafe fn load_bytes(self, from: *const u8) -> Floats {
        // SAFETY: `self` is the proof that the processor has AVX2 and FMA; the caller vouches for the address.
        Floats(unsafe { _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(from.cast()))) })
    }

    #[inline(always)]
    fn prefetch<T>(self, at: *const T) {
        // SAFETY: a prefetch may name any address, and every x86-64 processor has it.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
    }
}

/// 8 32-bit integers. Only an [`Avx2`] makes one from nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ints(pub(super) __m256i);

impl Int16Simd for Avx2 {
    type Ints = Ints;

    #[inline(always)]
    fn zeros(self) -> Ints {
        // SAFETY: `self` is the proof that the processor has AVX2 and FMA.
        Ints(unsafe { _mm256_setzero_si256() })
    }

    #[inline(always)]
    fn ints_to_floats(self, sums: Ints) -> Floats {
        // SAFETY: `self` is the proof that the processor has AVX2 and FMA.
        Floats(unsafe { _mm256_cvtepi32_ps(sums.0) })
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
            unsafe { multiply_pairs_vnni_256(self, rows, stride, pairs, panel, next) }
        } else {
            // SAFETY: the caller vouches for rows and panel, and `self` is the proof that the processor has the instructions.
            unsafe { multiply_pairs_256(self, rows, stride, pairs, panel, next) }
        }
    }
}

operators!(
    Floats,
    // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
    |a: Floats, b: Floats| Floats(unsafe { _mm256_add_ps(a.0, b.0) }),
    // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
    |a: Floats, b: Floats| Floats(unsafe { _mm256_sub_ps(a.0, b.0) }),
    // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
    |a: Floats, b: Floats| Floats(unsafe { _mm256_mul_ps(a.0, b.0) }),
    // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
    |a: Floats, b: Floats| Floats(unsafe { _mm256_div_ps(a.0, b.0) })
);

impl Vector for Floats {
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
        Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn mul_sub_from(self, factor: Self, term: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
        Self(unsafe { _mm256_fnmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn splat_like(self, x: f32) -> Self {
        // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
        Self(unsafe { _mm256_set1_ps(x) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn negate_where_odd(self, bits: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
        Self(unsafe {
            let sign = _mm256_slli_epi32::<31>(_mm256_castps_si256(bits.0));
            _mm256_castsi256_ps(_mm256_xor_si256(_mm256_castps_si256(self.0), sign))
        })
    }

    #[inline(always)]
    fn add_to_exponent(self, bits: Self) -> Self {
        // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA.
        Self(unsafe {
            let exponent = _mm256_slli_epi32::<23>(_mm256_castps_si256(bits.0));
            _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(self.0), exponent))
        })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: a vector is made only from an `Avx2`, the proof that the processor has AVX2 and FMA; the caller vouches for the address.
        unsafe { _mm256_storeu_ps(to, self.0) }
    }
}

kernels!(Avx2, "avx2", int16, [#[target_feature(enable = "avx2,fma")]]);
int16_set!(Avx2, [#[target_feature(enable = "avx2,fma")]]);

//! Vectors of 8 single-precision elements: AVX2 and FMA.

use std::arch::x86_64::{
    __m256, __m256i, _MM_HINT_T1, _mm_loadl_epi64 as load_bytes, _mm_prefetch,
    _mm256_add_epi32 as add_ints, _mm256_add_ps as add, _mm256_and_si256 as and_ints,
    _mm256_castps_si256 as floats_as_ints, _mm256_castsi256_ps as ints_as_floats,
    _mm256_cvtepi32_ps as convert, _mm256_cvtepu8_epi32 as bytes_to_ints, _mm256_div_ps as div,
    _mm256_fmadd_ps as mul_add, _mm256_fnmadd_ps as mul_sub_from, _mm256_loadu_ps as load,
    _mm256_loadu_si256 as load_ints, _mm256_max_ps as max, _mm256_min_ps as min,
    _mm256_mul_ps as mul, _mm256_set1_epi32 as splat_int, _mm256_set1_ps as splat,
    _mm256_setzero_si256 as zeros, _mm256_slli_epi32 as shift_left, _mm256_storeu_ps as store,
    _mm256_sub_ps as sub, _mm256_xor_si256 as xor_ints,
};

use super::compiled::kernels;
use super::int16_set::{Int16, int16_kernels};
use super::integer_products::{
    multiply_pairs_256, multiply_pairs_vnni_256, multiply_quads_vnni_256,
};
use super::x86::x86_set;

/// Kernels for processors with AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub struct Avx2 {
    /// Whether the processor also has AVX-VNNI: fused integer products.
    vnni: bool,
}

impl Avx2 {
    /// The kernels, if the processor has the instructions.
    pub fn detect() -> Option<Self> {
        let vectors = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        vectors.then(|| Self { vnni: is_x86_feature_detected!("avxvnni") })
    }

    /// The kernels with the AVX-VNNI instruction, on any processor with AVX2.
    ///
    /// # Safety
    ///
    /// The processor executes that instruction, or a SIGILL handler emulates it.
    pub unsafe fn assuming_vnni() -> Option<Self> {
        Self::detect().map(|_| Self { vnni: true })
    }
}

impl Int16<Avx2> {
    /// The kernels, if the processor has the instructions.
    pub fn detect() -> Option<Self> {
        Avx2::detect().map(Self)
    }
}

x86_set!(
    Avx2, __m256, __m256i, width: 8, rows: 6,
    pairs: multiply_pairs_256, fused_pairs: multiply_pairs_vnni_256, fused_quads: multiply_quads_vnni_256
);
kernels!(Avx2, "avx2", int8, [#[target_feature(enable = "avx2,fma")]]);
int16_kernels!(Avx2, [#[target_feature(enable = "avx2,fma")]]);

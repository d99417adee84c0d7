//! Vectors of 16 single-precision elements: AVX-512F and AVX-512BW.

use std::arch::x86_64::{
    __m512, __m512i, _MM_HINT_T1, _mm_loadu_si128 as load_bytes, _mm_prefetch,
    _mm512_add_epi32 as add_ints, _mm512_add_ps as add, _mm512_and_si512 as and_ints,
    _mm512_castps_si512 as floats_as_ints, _mm512_castsi512_ps as ints_as_floats,
    _mm512_cvtepi32_ps as convert, _mm512_cvtepu8_epi32 as bytes_to_ints, _mm512_div_ps as div,
    _mm512_fmadd_ps as mul_add, _mm512_fnmadd_ps as mul_sub_from, _mm512_loadu_ps as load,
    _mm512_loadu_si512 as load_ints, _mm512_max_ps as max, _mm512_min_ps as min,
    _mm512_mul_ps as mul, _mm512_set1_epi32 as splat_int, _mm512_set1_ps as splat,
    _mm512_setzero_si512 as zeros, _mm512_slli_epi32 as shift_left, _mm512_storeu_ps as store,
    _mm512_sub_ps as sub, _mm512_xor_si512 as xor_ints,
};

use super::compiled::kernels;
use super::int16_set::{Int16, int16_kernels};
use super::integer_products::{
    multiply_pairs_512, multiply_pairs_vnni_512, multiply_quads_vnni_512,
};
use super::x86::x86_set;

/// Kernels for processors with AVX-512F and AVX-512BW.
#[derive(Clone, Copy, Debug)]
pub struct Avx512 {
    /// Whether the processor also has AVX512-VNNI: fused integer products.
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

impl Int16<Avx512> {
    /// The kernels, if the processor has the instructions, including the fused ones, without which
    /// they gain nothing.
    pub fn detect() -> Option<Self> {
        Avx512::detect().filter(|set| set.vnni).map(Self)
    }
}

x86_set!(
    Avx512, __m512, __m512i, width: 16, rows: 12,
    pairs: multiply_pairs_512, fused_pairs: multiply_pairs_vnni_512, fused_quads: multiply_quads_vnni_512
);
kernels!(Avx512, "avx512", int8, [#[target_feature(enable = "avx512f,avx512bw")]]);
int16_kernels!(Avx512, [#[target_feature(enable = "avx512f,avx512bw")]]);

//! Rounds single precision to bfloat16, to nearest even; subnormal values become zero.

use std::arch::x86_64::*;

use half::bf16;

/// Rounds a slice into one of the same length.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
pub(super) fn round(values: &[f32], rounded: &mut [bf16]) {
    assert_eq!(values.len(), rounded.len());
    for (values, rounded) in values.chunks(16).zip(rounded.chunks_mut(16)) {
        let mask = !0 >> (16 - values.len());
        // SAFETY: the mask has one bit per element of the chunks, which have equal lengths, and
        // nothing else is accessed. Both vector types of the transmutation are 16 words of 16 bits.
        unsafe {
            let halves = _mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(mask, values.as_ptr()));
            let halves = std::mem::transmute::<__m256bh, __m256i>(halves);
            _mm256_mask_storeu_epi16(rounded.as_mut_ptr().cast(), mask, halves);
        }
    }
}

/// Rounds two rows and interleaves them: a pair holds one element of each.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
#[inline]
pub(super) fn round_pairs(rows: [&[f32; 16]; 2], pairs: &mut [[bf16; 2]; 16]) {
    const INTERLEAVED: [u16; 32] = {
        let mut order = [0; 32];
        let mut at = 0;
        while at < 32 {
            order[at as usize] = at % 2 * 16 + at / 2;
            at += 1;
        }
        order
    };
    // SAFETY: the arrays are as long as the vectors. Both vector types of the transmutation are 32
    // words of 16 bits.
    unsafe {
        let [first, second] = rows.map(|row| _mm512_loadu_ps(row.as_ptr()));
        let halves = _mm512_cvtne2ps_pbh(second, first);
        let halves = std::mem::transmute::<__m512bh, __m512i>(halves);
        let order = _mm512_loadu_epi16(INTERLEAVED.as_ptr().cast());
        let halves = _mm512_permutexvar_epi16(order, halves);
        _mm512_storeu_epi16(pairs.as_mut_ptr().cast(), halves);
    }
}

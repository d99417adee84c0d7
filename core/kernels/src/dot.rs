//! Dot products.

use std::array;

/// The number of independent partial sums.
const LANES: usize = 16;

/// The dot product of two slices. It has the same bits on every processor: the order of its
/// additions is fixed, and no addition is fused with a product.
///
/// # Panics
///
/// If the lengths differ or are not a multiple of 16.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    assert!(a.len() == b.len() && a.len().is_multiple_of(LANES));
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { dot_with_avx2(a, b) };
    }
    dot_in_lanes(a, b)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dot_with_avx2(a: &[f32], b: &[f32]) -> f32 {
    dot_in_lanes(a, b)
}

/// Inlined, so that it is compiled for the caller's instructions.
#[inline(always)]
fn dot_in_lanes(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let [a, b] = [a, b].map(|slice| slice.as_chunks::<LANES>().0);
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    total(&lanes)
}

/// Not inlined: the compiler would add pairs of lanes in the loop instead of vectors.
#[inline(never)]
fn total(lanes: &[f32; LANES]) -> f32 {
    let eight: [f32; 8] = array::from_fn(|n| lanes[n] + lanes[n + 8]);
    let four: [f32; 4] = array::from_fn(|n| eight[n] + eight[n + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_processors_give_the_same_bits() {
        let (a, b): (Vec<_>, Vec<_>) =
            (0..160_u8).map(|n| ((f32::from(n)).sin(), (f32::from(n) * 0.7).cos())).unzip();
        assert_eq!(dot(&a, &b).to_bits(), dot_in_lanes(&a, &b).to_bits());
        let exact: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        assert!((f64::from(dot(&a, &b)) - exact).abs() < 1e-4);
        assert_eq!(dot(&[], &[]), 0.0);
    }
}

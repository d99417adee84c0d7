//! The transforms of fast convolution: of an input tile, of the weights, and of the products back
//! to outputs.
//!
//! A tile has n outputs and n + taps - 1 inputs. Transformed inputs are multiplied point by point
//! with transformed weights; the products, summed over the input channels, are transformed back
//! (minimal filtering: Winograd, Arithmetic Complexity of Computations, 1980). Each vector element
//! is a channel, and all code is straight-line.

use super::simd::{Vector, unrolled};

/// Evaluates an expression with a convolution's transform as `$transform`, or another expression if
/// there is one tap.
macro_rules! for_taps {
    ($taps:expr, $transform:ident => $fast:expr, $one:expr) => {
        match $taps {
            1 => $one,
            3 => {
                type $transform = $crate::winograd::Winograd;
                $fast
            }
            7 => {
                type $transform = $crate::winograd::Fourier<7>;
                $fast
            }
            11 => {
                type $transform = $crate::winograd::Fourier<11>;
                $fast
            }
            taps => unreachable!("a convolution has 1, 3, 7 or 11 taps, not {taps}"),
        }
    };
}
pub(super) use for_taps;

/// The transforms for one number of taps. Arrays are as long as the largest tile needs; a transform
/// uses their first elements.
pub(super) trait Transform {
    const TAPS: usize;
    /// The products of a tile, per pair of channels.
    const POINTS: usize;
    /// The outputs of a tile.
    const OUTPUTS: usize;
    /// Whether weights are transformed during packing. Otherwise they are transformed anew for
    /// every block of rows: for three taps that is cheap, and untransformed packed weights take
    /// less memory.
    const PACKS_TRANSFORMED: bool;

    fn input<V: Vector>(x: &[V; MAX_INPUTS]) -> [V; MAX_POINTS];
    fn weights<V: Vector>(w: &[V; MAX_TAPS]) -> [V; MAX_POINTS];
    fn output<V: Vector>(products: &[V; MAX_POINTS]) -> [V; MAX_OUTPUTS];
}

pub(super) const MAX_INPUTS: usize = 34;
pub(super) const MAX_TAPS: usize = 11;
pub(super) const MAX_POINTS: usize = 49;
pub(super) const MAX_OUTPUTS: usize = 28;

/// Winograd's F(6, 3), derived by the Toom-Cook method: three taps, six outputs, eight products, at
/// the points 0, 1, -1, 2, -2, 1/2, -1/2 and infinity (Lavin and Gray, Fast Algorithms for
/// Convolutional Neural Networks, 2016).
pub(super) struct Winograd;

impl Transform for Winograd {
    const TAPS: usize = 3;
    const POINTS: usize = 8;
    const OUTPUTS: usize = 6;
    const PACKS_TRANSFORMED: bool = false;

    #[inline(always)]
    fn input<V: Vector>(x: &[V; MAX_INPUTS]) -> [V; MAX_POINTS] {
        let mut y = [x[0]; MAX_POINTS];
        y[0] = scale_add(x[4] - x[2], 5.25, x[0] - x[6]);
        (y[1], y[2]) =
            butterfly(scale_add(x[4], -4.25, x[2] + x[6]), scale_add(x[3], -4.25, x[1] + x[5]));
        (y[3], y[4]) = butterfly(
            scale_add(x[2], 0.25, scale_add(x[4], -1.25, x[6])),
            scale_add(x[5], 2.0, scale_add(x[3], -2.5, x[1] * 0.5)),
        );
        (y[5], y[6]) = butterfly(
            scale_add(x[2], 4.0, scale_add(x[4], -5.0, x[6])),
            scale_add(x[1], 2.0, scale_add(x[3], -2.5, x[5] * 0.5)),
        );
        y[7] = scale_add(x[3] - x[5], 5.25, x[7] - x[1]);
        y
    }

    #[inline(always)]
    fn weights<V: Vector>(w: &[V; MAX_TAPS]) -> [V; MAX_POINTS] {
        let mut y = [w[0]; MAX_POINTS];
        (y[1], y[2]) = butterfly((w[0] + w[2]) * (-2.0 / 9.0), w[1] * (-2.0 / 9.0));
        (y[3], y[4]) = butterfly(scale_add(w[2], 4.0, w[0]) * (1.0 / 90.0), w[1] * (1.0 / 45.0));
        (y[5], y[6]) = butterfly(scale_add(w[0], 4.0, w[2]) * (8.0 / 45.0), w[1] * (16.0 / 45.0));
        y[7] = w[2];
        y
    }

    #[inline(always)]
    fn output<V: Vector>(products: &[V; MAX_POINTS]) -> [V; MAX_OUTPUTS] {
        let p = products;
        let (even1, odd1) = butterfly(p[1], p[2]);
        let (even2, odd2) = butterfly(p[3], p[4]);
        let (even3, odd3) = butterfly(p[5], p[6]);
        let mut y = [p[0]; MAX_OUTPUTS];
        y[0] = (p[0] + even1) + (even2 + even3);
        y[1] = scale_add(odd3, 0.5, scale_add(odd2, 2.0, odd1));
        y[2] = scale_add(even3, 0.25, scale_add(even2, 4.0, even1));
        y[3] = scale_add(odd3, 0.125, scale_add(odd2, 8.0, odd1));
        y[4] = scale_add(even3, 0.0625, scale_add(even2, 16.0, even1));
        y[5] = scale_add(odd3, 0.03125, scale_add(odd2, 32.0, odd1)) + p[7];
        y
    }
}

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
impl Winograd {
    /// The factor that [`Self::integer_weights`] leaves out of [`Transform::weights`], per point.
    pub(super) const INTEGER_FACTORS: [f32; 8] =
        [1.0, -2.0 / 9.0, -2.0 / 9.0, 1.0 / 90.0, 1.0 / 90.0, 8.0 / 45.0, 8.0 / 45.0, 1.0];

    /// The transform of integers without fractions, for several channels: results are at most
    /// [`Self::INTEGER_GROWTH`] times as large.
    #[inline(always)]
    pub(super) fn integer_weights<const N: usize>(w: &[[i32; N]; 3]) -> [[i32; N]; 8] {
        let mut y = [[0; N]; 8];
        for i in 0..N {
            let (even1, odd1) = (w[0][i] + w[2][i], w[1][i]);
            let (even2, odd2) = (w[0][i] + 4 * w[2][i], 2 * w[1][i]);
            let even3 = 4 * w[0][i] + w[2][i];
            (y[0][i], y[7][i]) = (w[0][i], w[2][i]);
            (y[1][i], y[2][i]) = (even1 + odd1, even1 - odd1);
            (y[3][i], y[4][i]) = (even2 + odd2, even2 - odd2);
            (y[5][i], y[6][i]) = (even3 + odd2, even3 - odd2);
        }
        y
    }

    pub(super) const INTEGER_GROWTH: i32 = 7;
}

/// Up to 11 taps: a real Fourier transform of 32 inputs, whose complex products take three real
/// ones each (Karatsuba). The circular convolution also gives two more outputs, one before and one
/// after: one product each replaces the input that wraps around by the correct one.
pub(super) struct Fourier<const TAPS: usize>;

impl<const TAPS: usize> Transform for Fourier<TAPS> {
    const TAPS: usize = TAPS;
    const POINTS: usize = 49;
    const OUTPUTS: usize = 35 - TAPS;
    const PACKS_TRANSFORMED: bool = true;

    #[inline(always)]
    fn input<V: Vector>(x: &[V; MAX_INPUTS]) -> [V; MAX_POINTS] {
        let mut middle = [x[1]; 32];
        middle.copy_from_slice(&x[1..33]);
        let (re, im) = forward32(middle);
        let mut y = [re[0]; MAX_POINTS];
        y[1] = re[16];
        unrolled!(K in [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
            y[3 * K - 1] = re[K] + im[K - 1];
            y[3 * K] = re[K];
            y[3 * K + 1] = im[K - 1];
        });
        y[47] = x[0] - x[32];
        y[48] = x[33] - x[1];
        y
    }

    /// The conjugate of the Fourier transform, because a convolution layer is a correlation,
    /// divided by 32. A complex value is stored as re, im - re, re + im.
    #[inline(always)]
    fn weights<V: Vector>(w: &[V; MAX_TAPS]) -> [V; MAX_POINTS] {
        let mut y = [w[0]; MAX_POINTS];
        unrolled!(F in [0 1 2 3 4 5 6 7 8] {
            let (re, im) = conjugate_pair::<V, TAPS, F>(w);
            match F {
                0 => (y[0], y[1]) = (re[0], re[1]),
                8 => (y[23], y[24], y[25]) = (re[0], im[0] - re[0], re[0] + im[0]),
                _ => {
                    let (low, high) = (3 * F, 48 - 3 * F);
                    (y[low - 1], y[low], y[low + 1]) = (re[0], im[0] - re[0], re[0] + im[0]);
                    (y[high - 1], y[high], y[high + 1]) = (re[1], im[1] - re[1], re[1] + im[1]);
                }
            }
        });
        y[47] = w[0];
        y[48] = w[TAPS - 1];
        y
    }

    #[inline(always)]
    fn output<V: Vector>(products: &[V; MAX_POINTS]) -> [V; MAX_OUTPUTS] {
        let p = products;
        let (mut re, mut im) = ([p[0]; 17], [p[0]; 15]);
        re[16] = p[1];
        unrolled!(K in [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
            re[K] = p[3 * K - 1] - p[3 * K + 1];
            im[K - 1] = p[3 * K - 1] + p[3 * K];
        });
        let middle = inverse32(re, im);
        let mut y = [p[0]; MAX_OUTPUTS];
        y[0] = middle[31] + p[47];
        y[1..].copy_from_slice(&middle[..MAX_OUTPUTS - 1]);
        y[34 - TAPS] = middle[33 - TAPS] + p[48];
        y
    }
}

/// cos(2 pi n / 32).
const COSINE: [f32; 32] = {
    let quarter: [f32; 9] = [
        1.0,
        0.980_785_25,
        0.923_879_5,
        0.831_469_6,
        std::f32::consts::FRAC_1_SQRT_2,
        0.555_570_24,
        0.382_683_43,
        0.195_090_32,
        0.0,
    ];
    let mut table = [0.0; 32];
    let mut n = 0;
    while n < 32 {
        let half = if n <= 16 { n } else { 32 - n };
        table[n] = if half <= 8 { quarter[half] } else { -quarter[16 - half] };
        n += 1;
    }
    table
};

/// sin(2 pi n / 32).
const SINE: [f32; 32] = {
    let mut table = [0.0; 32];
    let mut n = 0;
    while n < 32 {
        table[n] = COSINE[(n + 24) % 32];
        n += 1;
    }
    table
};

/// Real and imaginary parts at the frequencies F and 16 - F, which share the sums of even and of
/// odd taps.
#[inline(always)]
fn conjugate_pair<V: Vector, const TAPS: usize, const F: usize>(
    w: &[V; MAX_TAPS],
) -> ([V; 2], [V; 2]) {
    let mut even = (w[0] * (1.0 / 32.0), w[0] * 0.0);
    let mut odd = (w[1] * (COSINE[F % 32] / 32.0), w[1] * (SINE[F % 32] / 32.0));
    unrolled!(K in [1 2 3 4 5] {
        if 2 * K < TAPS {
            let n = 2 * K * F % 32;
            even = (scale_add(w[2 * K], COSINE[n] / 32.0, even.0), scale_add(w[2 * K], SINE[n] / 32.0, even.1));
        }
        if 2 * K + 1 < TAPS {
            let n = (2 * K + 1) * F % 32;
            let x = w[(2 * K + 1) % MAX_TAPS];
            odd = (scale_add(x, COSINE[n] / 32.0, odd.0), scale_add(x, SINE[n] / 32.0, odd.1));
        }
    });
    ([even.0 + odd.0, even.0 - odd.0], [even.1 + odd.1, odd.1 - even.1])
}

/// factor x + term
#[inline(always)]
fn scale_add<V: Vector>(x: V, factor: f32, term: V) -> V {
    x.mul_add(x.splat_like(factor), term)
}

/// a + b and a - b
#[inline(always)]
fn butterfly<V: Vector>(a: V, b: V) -> (V, V) {
    (a + b, a - b)
}

/// (re + i im) (c + i s)
#[inline(always)]
fn rotate<V: Vector>(re: V, im: V, c: f32, s: f32) -> (V, V) {
    if c == s {
        ((re - im) * c, (re + im) * c)
    } else if c == -s {
        ((re + im) * c, (im - re) * c)
    } else {
        (scale_add(im, -s, re * c), scale_add(re, s, im * c))
    }
}

/// The Fourier transform of four real values: the real parts at frequencies 0 to 2, the imaginary
/// part at 1.
#[inline(always)]
fn forward4<V: Vector>(x: [V; 4]) -> ([V; 3], [V; 1]) {
    let (a, b) = (x[0] + x[2], x[1] + x[3]);
    ([a + b, x[0] - x[2], a - b], [x[3] - x[1]])
}

/// Four times the inverse of [`forward4`].
#[inline(always)]
fn inverse4<V: Vector>(re: [V; 3], im: [V; 1]) -> [V; 4] {
    let ((a, b), c, d) = (butterfly(re[0], re[2]), re[1] + re[1], im[0] + im[0]);
    [a + c, b - d, a - c, b + d]
}

/// A radix-2 step (Cooley and Tukey 1965): the Fourier transform of N real values from those of the
/// N / 2 at even and at odd positions, and N times the inverse.
macro_rules! radix2 {
    ($forward:ident, $inverse:ident, $n:literal, $half_forward:ident, $half_inverse:ident, [$($k:literal)*]) => {
        #[inline(always)]
        fn $forward<V: Vector>(x: [V; $n]) -> ([V; $n / 2 + 1], [V; $n / 2 - 1]) {
            const H: usize = $n / 2;
            const Q: usize = $n / 4;
            let (mut even, mut odd) = ([x[0]; H], [x[0]; H]);
            let mut n = 0;
            while n < H {
                (even[n], odd[n]) = (x[2 * n], x[2 * n + 1]);
                n += 1;
            }
            let ((even, even_im), (odd, odd_im)) = ($half_forward(even), $half_forward(odd));
            let (mut re, mut im) = ([x[0]; H + 1], [x[0]; H - 1]);
            (re[0], re[H]) = butterfly(even[0], odd[0]);
            unrolled!(K in [$($k)*] {
                const N: usize = 32 / $n * K;
                let (odd, odd_im) = rotate(odd[K], odd_im[K - 1], COSINE[N], -SINE[N]);
                (re[K], re[H - K]) = butterfly(even[K], odd);
                (im[K - 1], im[H - K - 1]) = (even_im[K - 1] + odd_im, odd_im - even_im[K - 1]);
            });
            (re[Q], im[Q - 1]) = (even[Q], odd[Q] * -1.0);
            (re, im)
        }

        #[inline(always)]
        fn $inverse<V: Vector>(re: [V; $n / 2 + 1], im: [V; $n / 2 - 1]) -> [V; $n] {
            const H: usize = $n / 2;
            const Q: usize = $n / 4;
            let (mut even, mut even_im) = ([re[0]; Q + 1], [re[0]; Q - 1]);
            let (mut odd, mut odd_im) = ([re[0]; Q + 1], [re[0]; Q - 1]);
            (even[0], odd[0]) = butterfly(re[0], re[H]);
            unrolled!(K in [$($k)*] {
                const N: usize = 32 / $n * K;
                even[K] = re[K] + re[H - K];
                even_im[K - 1] = im[K - 1] - im[H - K - 1];
                (odd[K], odd_im[K - 1]) = rotate(
                    re[K] - re[H - K],
                    im[K - 1] + im[H - K - 1],
                    COSINE[N],
                    SINE[N],
                );
            });
            (even[Q], odd[Q]) = (re[Q] + re[Q], im[Q - 1] * -2.0);
            let (even, odd) = ($half_inverse(even, even_im), $half_inverse(odd, odd_im));
            let mut x = [re[0]; $n];
            let mut n = 0;
            while n < H {
                (x[2 * n], x[2 * n + 1]) = (even[n], odd[n]);
                n += 1;
            }
            x
        }
    };
}

radix2!(forward8, inverse8, 8, forward4, inverse4, [1]);
radix2!(forward16, inverse16, 16, forward8, inverse8, [1 2 3]);
radix2!(forward32, inverse32, 32, forward16, inverse16, [1 2 3 4 5 6 7]);

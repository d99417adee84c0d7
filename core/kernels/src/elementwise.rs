//! Element-wise kernels: activations, column sums, the LSTM cell, softmax, and polar to complex.

use super::simd::{ROUNDING_BIAS, Simd, Vector};

/// The function applied to each element of a signal before a convolution. The slices hold one
/// parameter per channel.
#[expect(missing_docs, reason = "the formulas name the parameters")]
#[derive(Clone, Copy, Debug)]
pub enum Activation<'a> {
    /// x
    None,
    /// x where x > 0, else slope x.
    LeakyRelu { slope: f32 },
    /// x times the cumulative normal distribution of x, in the tanh approximation (Hendrycks and
    /// Gimpel 2016).
    Gelu,
    /// Leaky ReLU of z = scale x + shift.
    AffineLeakyRelu { scale: &'a [f32], shift: &'a [f32], slope: f32 },
    /// Snake (Ziyin et al. 2020): z + sin(alpha z)^2 / alpha of z = scale x + shift.
    AffineSnake { scale: &'a [f32], shift: &'a [f32], alpha: &'a [f32], reciprocal: &'a [f32] },
}

/// [`Kernels::activate`](crate::Kernels::activate).
#[inline(always)]
pub(super) fn activate<S: Simd>(
    simd: S,
    rows: &[f32],
    channels: usize,
    activation: &Activation<'_>,
    activated: &mut [f32],
) {
    assert_eq!(rows.len(), activated.len());
    match *activation {
        Activation::None => activated.copy_from_slice(rows),
        Activation::LeakyRelu { slope } => {
            map(simd, rows, channels, [], activated, LeakyRelu { slope });
        }
        Activation::Gelu => map(simd, rows, channels, [], activated, Gelu),
        Activation::AffineLeakyRelu { scale, shift, slope } => {
            map(simd, rows, channels, [scale, shift], activated, LeakyRelu { slope });
        }
        Activation::AffineSnake { scale, shift, alpha, reciprocal } => {
            map(simd, rows, channels, [scale, shift, alpha, reciprocal], activated, Snake);
        }
    }
}

/// A function of an element and of its channel's parameters.
trait Function<const N: usize>: Copy {
    fn apply<V: Vector>(self, x: V, parameters: [V; N]) -> V;
}

#[derive(Clone, Copy)]
struct LeakyRelu {
    slope: f32,
}

impl Function<0> for LeakyRelu {
    #[inline(always)]
    fn apply<V: Vector>(self, x: V, []: [V; 0]) -> V {
        let zero = x.splat_like(0.0);
        x.min(zero).mul_add(x.splat_like(self.slope), x.max(zero))
    }
}

impl Function<2> for LeakyRelu {
    #[inline(always)]
    fn apply<V: Vector>(self, x: V, [scale, shift]: [V; 2]) -> V {
        self.apply(x.mul_add(scale, shift), [])
    }
}

#[derive(Clone, Copy)]
struct Gelu;

impl Function<0> for Gelu {
    #[inline(always)]
    fn apply<V: Vector>(self, x: V, []: [V; 0]) -> V {
        // (1 + tanh z) / 2 is the logistic function of 2 z, and z = (2 / pi)^(1/2) (x + 0.044715
        // x^3).
        const FACTOR: f32 = 1.595_769;
        let cube = x * x * x;
        x * logistic(cube.mul_add(x.splat_like(0.044_715), x) * FACTOR)
    }
}

#[derive(Clone, Copy)]
struct Snake;

impl Function<4> for Snake {
    #[inline(always)]
    fn apply<V: Vector>(self, x: V, [scale, shift, alpha, reciprocal]: [V; 4]) -> V {
        let z = x.mul_add(scale, shift);
        let (sine, _) = sine_up_to_sign(alpha * z);
        (sine * sine).mul_add(reciprocal, z)
    }
}

/// Applies a function to whole rows.
#[inline(always)]
fn map<S: Simd, F: Function<N>, const N: usize>(
    simd: S,
    rows: &[f32],
    channels: usize,
    parameters: [&[f32]; N],
    mapped: &mut [f32],
    function: F,
) {
    assert!(parameters.iter().all(|parameter| parameter.len() == channels));
    let vectorized = channels - channels % S::WIDTH;
    let mut values = [simd.splat(0.0); N];
    // The last channels, fewer than a vector, are computed in a padded one.
    let mut rest = [[0.0; 16]; N];
    for (rest, parameter) in rest.iter_mut().zip(parameters) {
        rest[..channels - vectorized].copy_from_slice(&parameter[vectorized..]);
    }
    for (row, mapped) in rows.chunks_exact(channels).zip(mapped.chunks_exact_mut(channels)) {
        for channel in (0..vectorized).step_by(S::WIDTH) {
            // SAFETY: the rows and the parameters have `channels` elements, and `channel + WIDTH`
            // is at most that.
            unsafe {
                for (value, parameter) in values.iter_mut().zip(&parameters) {
                    *value = simd.load(parameter.as_ptr().add(channel));
                }
                let x = simd.load(row.as_ptr().add(channel));
                function.apply(x, values).store(mapped.as_mut_ptr().add(channel));
            }
        }
        if vectorized < channels {
            let mut last = [0.0; 16];
            last[..channels - vectorized].copy_from_slice(&row[vectorized..]);
            // SAFETY: a vector has at most 16 elements, the length of these arrays.
            unsafe {
                for (value, parameter) in values.iter_mut().zip(&rest) {
                    *value = simd.load(parameter.as_ptr());
                }
                let x = simd.load(last.as_ptr());
                function.apply(x, values).store(last.as_mut_ptr());
            }
            mapped[vectorized..].copy_from_slice(&last[..channels - vectorized]);
        }
    }
}

/// The rows summed in single precision before their sum is added to one in double precision.
const PARTIAL_ROWS: usize = 64;

/// The vectors of columns summed in one pass.
const VECTORS: usize = 4;

/// [`Elementwise::accumulate_sums`](crate::Elementwise::accumulate_sums).
#[inline(always)]
pub(super) fn accumulate_sums<S: Simd>(
    simd: S,
    rows: &[f32],
    sums: &mut [f64],
    squares: &mut [f64],
) {
    let channels = sums.len();
    assert!(squares.len() == channels && rows.len().is_multiple_of(channels));
    let vectorized = channels - channels % S::WIDTH;
    for rows in rows.chunks(PARTIAL_ROWS * channels) {
        // Each addition depends on the previous one; independent columns hide its latency.
        let many = vectorized - vectorized % (VECTORS * S::WIDTH);
        for channel in (0..many).step_by(VECTORS * S::WIDTH) {
            add_columns::<S, VECTORS>(simd, rows, channel, sums, squares);
        }
        for channel in (many..vectorized).step_by(S::WIDTH) {
            add_columns::<S, 1>(simd, rows, channel, sums, squares);
        }
        for row in rows.chunks_exact(channels) {
            for channel in vectorized..channels {
                let x = f64::from(row[channel]);
                sums[channel] += x;
                squares[channel] += x * x;
            }
        }
    }
}

/// Adds the sums and sums of squares of `N` neighboring vectors of columns.
#[inline(always)]
fn add_columns<S: Simd, const N: usize>(
    simd: S,
    rows: &[f32],
    channel: usize,
    sums: &mut [f64],
    squares: &mut [f64],
) {
    let mut partial = [[simd.splat(0.0); 2]; N];
    for row in rows.chunks_exact(sums.len()) {
        let row = &row[channel..][..N * S::WIDTH];
        for (vector, [sum, square]) in partial.iter_mut().enumerate() {
            // SAFETY: the slice has `N` vectors.
            let x = unsafe { simd.load(row.as_ptr().add(vector * S::WIDTH)) };
            *sum = *sum + x;
            *square = x.mul_add(x, *square);
        }
    }
    for (vector, [sum, square]) in partial.into_iter().enumerate() {
        let channels = channel + vector * S::WIDTH..channel + (vector + 1) * S::WIDTH;
        add_elements(sum, &mut sums[channels.clone()]);
        add_elements(square, &mut squares[channels]);
    }
}

/// Adds the elements of a vector to an array of sums.
#[inline(always)]
fn add_elements<V: Vector>(vector: V, sums: &mut [f64]) {
    for (sum, value) in sums.iter_mut().zip(to_array(vector)) {
        *sum += f64::from(value);
    }
}

/// [`Elementwise::lstm_step`](crate::Elementwise::lstm_step).
#[inline(always)]
pub(super) fn lstm_step<S: Simd>(simd: S, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
    let count = cell.len();
    assert!(gates.len() == 4 * count && state.len() == count && count.is_multiple_of(S::WIDTH));
    for at in (0..count).step_by(S::WIDTH) {
        // SAFETY: `at + WIDTH` is at most the count of each of the gates, of the cell and of the
        // state.
        unsafe {
            let gates = gates.as_ptr().add(at);
            let input = logistic(simd.load(gates));
            let output = logistic(simd.load(gates.add(count)));
            let forget = logistic(simd.load(gates.add(2 * count)));
            let kept = forget * simd.load(cell.as_ptr().add(at));
            let new = input.mul_add(tanh(simd.load(gates.add(3 * count))), kept);
            new.store(cell.as_mut_ptr().add(at));
            (output * tanh(new)).store(state.as_mut_ptr().add(at));
        }
    }
}

/// [`Elementwise::softmax`](crate::Elementwise::softmax).
#[inline(always)]
pub(super) fn softmax<S: Simd>(simd: S, rows: &mut [f32], width: usize) {
    assert!(width.is_multiple_of(16) && rows.len().is_multiple_of(width));
    for row in rows.chunks_exact_mut(width) {
        let row = row.as_mut_ptr();
        let vectors = || (0..width).step_by(S::WIDTH);
        // SAFETY: the row has `width` elements, a multiple of `WIDTH`.
        unsafe {
            let max = vectors()
                .fold(simd.splat(f32::NEG_INFINITY), |max, at| max.max(simd.load(row.add(at))));
            let max = simd
                .splat(to_array(max).into_iter().take(S::WIDTH).fold(f32::NEG_INFINITY, f32::max));
            let mut sum = simd.splat(0.0);
            for at in vectors() {
                let power = exp(simd.load(row.add(at)) - max);
                sum = sum + power;
                power.store(row.add(at));
            }
            let sum: f32 = to_array(sum).into_iter().take(S::WIDTH).sum();
            for at in vectors() {
                (simd.load(row.add(at)) * sum.recip()).store(row.add(at));
            }
        }
    }
}

/// The elements of a vector, at most 16, zero-padded.
#[inline(always)]
fn to_array<V: Vector>(vector: V) -> [f32; 16] {
    let mut elements = [0.0; 16];
    // SAFETY: a vector has at most 16 elements.
    unsafe { vector.store(elements.as_mut_ptr()) };
    elements
}

/// 1 / (1 + exp(-x))
#[inline(always)]
fn logistic<V: Vector>(x: V) -> V {
    let one = x.splat_like(1.0);
    one / (one + exp(x.splat_like(0.0) - x))
}

/// The hyperbolic tangent, to an absolute error of 2e-7.
#[inline(always)]
fn tanh<V: Vector>(x: V) -> V {
    let (one, two) = (x.splat_like(1.0), x.splat_like(2.0));
    two / (one + exp(x.splat_like(0.0) - (x + x))) - one
}

/// [`Elementwise::polar_to_complex`](crate::Elementwise::polar_to_complex).
#[inline(always)]
pub(super) fn polar_to_complex<S: Simd>(simd: S, rows: &mut [f32]) {
    for row in rows.as_chunks_mut::<32>().0 {
        let row = row.as_mut_ptr();
        for channel in (0..16).step_by(S::WIDTH) {
            // SAFETY: the row has 32 elements, and `channel + WIDTH` is at most 16.
            unsafe {
                let (real, imaginary) = (row.add(channel), row.add(16 + channel));
                let magnitude = exp(simd.load(real));
                let (sine, multiple) = sine_up_to_sign(simd.load(imaginary));
                let (sine, cosine) = small_sine_cosine(sine.negate_where_odd(multiple));
                (magnitude * cosine).store(real);
                (magnitude * sine).store(imaginary);
            }
        }
    }
}

/// The largest log gain in [`filter_source`].
const LOUDEST: f32 = 7.0;

/// [`Elementwise::filter_source`](crate::Elementwise::filter_source).
#[inline(always)]
pub(super) fn filter_source<S: Simd>(
    simd: S,
    parts: &[f32],
    noise: [&[f32]; 2],
    real: &mut [f32],
    imaginary: &mut [f32],
) {
    let count = real.len();
    assert!(count.is_multiple_of(16) && parts.len() == 5 * count);
    assert!([imaginary.len(), noise[0].len(), noise[1].len()] == [count; 3]);
    let gain = |logarithm: S::Vector| exp(logarithm.min(logarithm.splat_like(LOUDEST)));
    for at in (0..count).step_by(S::WIDTH) {
        // SAFETY: `at + WIDTH` is at most the count, and that is the length of each of the rows.
        unsafe {
            let part = |part: usize| simd.load(parts.as_ptr().add(part * count + at));
            let [noise_real, noise_imaginary] = noise.map(|row| simd.load(row.as_ptr().add(at)));
            let (to_real, to_imaginary) =
                (real.as_mut_ptr().add(at), imaginary.as_mut_ptr().add(at));
            let (x, y) = (simd.load(to_real), simd.load(to_imaginary));
            let (sine, cosine) = sine_cosine(tanh(part(1)) * std::f32::consts::PI);
            let harmonic = gain(part(0));
            let (sine, cosine) = (sine * harmonic, cosine * harmonic);
            let (own_sine, own_cosine) = sine_cosine(part(4));
            let (noisy, own) = (gain(part(2)), gain(part(3)));
            let rest = noisy.mul_add(noise_real, own * own_cosine);
            y.mul_sub_from(sine, x.mul_add(cosine, rest)).store(to_real);
            let rest = noisy.mul_add(noise_imaginary, own * own_sine);
            x.mul_add(sine, y.mul_add(cosine, rest)).store(to_imaginary);
        }
    }
}

/// [`Elementwise::add_products_of_rows`](crate::Elementwise::add_products_of_rows).
#[inline(always)]
pub(super) fn add_products_of_rows<S: Simd>(simd: S, pairs: &[[&[f32]; 2]], sums: &mut [f32]) {
    let count = sums.len();
    assert!(count.is_multiple_of(16) && pairs.as_flattened().iter().all(|row| row.len() == count));
    for at in (0..count).step_by(S::WIDTH) {
        // SAFETY: `at + WIDTH` is at most the count, and that is the length of each of the rows.
        unsafe {
            let mut sum = simd.load(sums.as_ptr().add(at));
            for [a, b] in pairs {
                sum = simd.load(a.as_ptr().add(at)).mul_add(simd.load(b.as_ptr().add(at)), sum);
            }
            sum.store(sums.as_mut_ptr().add(at));
        }
    }
}

/// [`Elementwise::normalize`](crate::Elementwise::normalize).
#[inline(always)]
pub(super) fn normalize<S: Simd>(
    simd: S,
    row: &mut [f32],
    weight: &[f32],
    bias: &[f32],
    epsilon: f32,
) {
    let count = row.len();
    assert!(count.is_multiple_of(16) && weight.len() == count && bias.len() == count);
    let mean = simd.splat(sum(simd, row, |x| x) / count as f32);
    let squares = sum(simd, row, |x| (x - mean) * (x - mean));
    let scale = (squares / count as f32 + epsilon).sqrt().recip();
    for at in (0..count).step_by(S::WIDTH) {
        // SAFETY: `at + WIDTH` is at most the count, and that is the length of each of the rows.
        unsafe {
            let weight = simd.load(weight.as_ptr().add(at)) * scale;
            let centered = simd.load(row.as_ptr().add(at)) - mean;
            centered
                .mul_add(weight, simd.load(bias.as_ptr().add(at)))
                .store(row.as_mut_ptr().add(at));
        }
    }
}

/// The sum of a function over the elements of a row, whose length is a multiple of 16. Every set
/// adds them in 16 lanes.
#[inline(always)]
fn sum<S: Simd>(simd: S, row: &[f32], function: impl Fn(S::Vector) -> S::Vector) -> f32 {
    let mut sums = [simd.splat(0.0); 16];
    let sums = &mut sums[..16 / S::WIDTH];
    for lanes in row.chunks_exact(16) {
        for (sum, vector) in sums.iter_mut().zip(lanes.chunks_exact(S::WIDTH)) {
            // SAFETY: the slice is as long as a vector.
            *sum = *sum + function(unsafe { simd.load(vector.as_ptr()) });
        }
    }
    sums.iter().flat_map(|sum| to_array(*sum).into_iter().take(S::WIDTH)).sum()
}

/// [`Elementwise::pulses`](crate::Elementwise::pulses).
#[inline(always)]
pub(super) fn pulses<S: Simd>(simd: S, turns: &[f32], harmonics: &[f32], pulses: &mut [f32]) {
    let count = pulses.len();
    assert!(count.is_multiple_of(16) && turns.len() == count && harmonics.len() == count);
    // Closer to a peak the quotient loses all precision; the quotient at this phase is its limit.
    let (nearest, rounding) = (simd.splat(1e-6), simd.splat(ROUNDING_BIAS));
    for at in (0..count).step_by(S::WIDTH) {
        // SAFETY: `at + WIDTH` is at most the count, and that is the length of each of the slices.
        unsafe {
            let turns = simd.load(turns.as_ptr().add(at));
            let harmonics = simd.load(harmonics.as_ptr().add(at));
            // The pulses are symmetric, with a peak at each whole turn.
            let turns = turns - ((turns + rounding) - rounding);
            let turns = turns.max(turns * -1.0).max(nearest);
            let whole = turns.mul_add(harmonics, rounding) - rounding;
            let part = turns.mul_add(harmonics, whole * -1.0);
            let (sine, multiple) = sine_up_to_sign(part * std::f32::consts::TAU);
            let below = self::sine(turns * std::f32::consts::PI);
            let kernel = sine.negate_where_odd(multiple) / (below + below);
            (kernel - simd.splat(0.5)).store(pulses.as_mut_ptr().add(at));
        }
    }
}

/// The sine and the cosine, to 4e-7 for magnitudes up to 1e4.
#[inline(always)]
fn sine_cosine<V: Vector>(x: V) -> (V, V) {
    let (sine, multiple) = sine_up_to_sign(x);
    let (cosine, shifted) = sine_up_to_sign(x + x.splat_like(std::f32::consts::FRAC_PI_2));
    (sine.negate_where_odd(multiple), cosine.negate_where_odd(shifted))
}

/// c\[0\] + c\[1\] x + c\[2\] x^2 + ...
#[inline(always)]
fn polynomial<V: Vector, const N: usize>(x: V, coefficients: [f32; N]) -> V {
    let mut sum = x.splat_like(coefficients[N - 1]);
    for coefficient in coefficients.iter().rev().skip(1) {
        sum = sum.mul_add(x, x.splat_like(*coefficient));
    }
    sum
}

/// The sine of x minus the nearest multiple of pi, to 2e-7 for magnitudes of x up to 1e4, and a
/// value whose lowest bit is set where the multiple is odd.
#[inline(always)]
fn sine_up_to_sign<V: Vector>(x: V) -> (V, V) {
    // Pi in three terms; the first two are so short that their products with n are exact (Cody and
    // Waite 1980).
    const PI: [f32; 3] = [3.140_625, 9.675_026e-4, 1.509_958e-7];
    let multiple =
        x.mul_add(x.splat_like(std::f32::consts::FRAC_1_PI), x.splat_like(ROUNDING_BIAS));
    let n = multiple - x.splat_like(ROUNDING_BIAS);
    let x = n.mul_sub_from(x.splat_like(PI[0]), x);
    let x = n.mul_sub_from(x.splat_like(PI[1]), x);
    let x = n.mul_sub_from(x.splat_like(PI[2]), x);
    (sine(x), multiple)
}

/// The sine, to 1e-7 for magnitudes up to pi / 2.
#[inline(always)]
fn sine<V: Vector>(x: V) -> V {
    let square = x * x;
    let rest = polynomial(square, [-0.166_666_6, 8.333_079e-3, -1.981_069e-4, 2.608_316e-6]);
    rest.mul_add(square * x, x)
}

/// The sine and the cosine, to 1e-7 for magnitudes up to 1.
#[inline(always)]
fn small_sine_cosine<V: Vector>(x: V) -> (V, V) {
    let cosine = polynomial(
        x * x,
        [1.0, -0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0],
    );
    (sine(x), cosine)
}

/// The exponential, to a relative error of 2e-7. Arguments are clamped to -87 and 88, so it neither
/// underflows nor overflows.
#[inline(always)]
fn exp<V: Vector>(x: V) -> V {
    let x = x.max(x.splat_like(-87.0)).min(x.splat_like(88.0));
    let exponent = x.mul_add(x.splat_like(std::f32::consts::LOG2_E), x.splat_like(ROUNDING_BIAS));
    let n = exponent - x.splat_like(ROUNDING_BIAS);
    // ln 2 in two terms; the first is so short that its product with n is exact (Cody and Waite
    // 1980).
    let x = n.mul_sub_from(x.splat_like(0.693_359_4), x);
    let x = n.mul_add(x.splat_like(2.121_944_4e-4), x);
    let rest = polynomial(
        x,
        [0.5, 0.166_666_65, 4.166_579_6e-2, 8.333_452e-3, 1.398_2e-3, 1.987_569_1e-4],
    );
    (rest.mul_add(x * x, x) + x.splat_like(1.0)).add_to_exponent(exponent)
}

//! What is done to single numbers: activations, sums, and the polar form.

use super::Activation;
use super::lanes::{Lanes, TO_WHOLE, Vector};

/// [`Kernels::activate`](super::Kernels::activate).
#[inline(always)]
pub(super) fn activate<L: Lanes>(
    lanes: L,
    rows: &[f32],
    channels: usize,
    activation: &Activation<'_>,
    activated: &mut [f32],
) {
    assert_eq!(rows.len(), activated.len());
    match *activation {
        Activation::None => activated.copy_from_slice(rows),
        Activation::LeakyRelu { slope } => {
            map(lanes, rows, channels, [], activated, LeakyRelu { slope });
        }
        Activation::Gelu => map(lanes, rows, channels, [], activated, Gelu),
        Activation::AffineLeakyRelu { scale, shift, slope } => {
            map(lanes, rows, channels, [scale, shift], activated, LeakyRelu { slope });
        }
        Activation::AffineSnake { scale, shift, alpha, reciprocal } => {
            map(lanes, rows, channels, [scale, shift, alpha, reciprocal], activated, Snake);
        }
    }
}

/// A function of a number and of parameters of its channel.
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
        let zero = x.same(0.0);
        x.min(zero).mul_add(x.same(self.slope), x.max(zero))
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
        // (1 + tanh z) / 2 is the logistic function of 2 z, and z = (2 / pi)^(1/2) (x + 0.044715 x^3).
        const FACTOR: f32 = 1.595_769;
        let cube = x * x * x;
        x * logistic(cube.mul_add(x.same(0.044_715), x) * FACTOR)
    }
}

#[derive(Clone, Copy)]
struct Snake;

impl Function<4> for Snake {
    #[inline(always)]
    fn apply<V: Vector>(self, x: V, [scale, shift, alpha, reciprocal]: [V; 4]) -> V {
        let z = x.mul_add(scale, shift);
        let (sine, _) = sine_but_for_sign(alpha * z);
        (sine * sine).mul_add(reciprocal, z)
    }
}

/// Applies a function to whole rows.
#[inline(always)]
fn map<L: Lanes, F: Function<N>, const N: usize>(
    lanes: L,
    rows: &[f32],
    channels: usize,
    parameters: [&[f32]; N],
    mapped: &mut [f32],
    function: F,
) {
    assert!(parameters.iter().all(|parameter| parameter.len() == channels));
    let whole = channels - channels % L::WIDTH;
    let mut values = [lanes.splat(0.0); N];
    // What is left of a row is computed in a vector of its own.
    let mut rest = [[0.0; 16]; N];
    for (rest, parameter) in rest.iter_mut().zip(parameters) {
        rest[..channels - whole].copy_from_slice(&parameter[whole..]);
    }
    for (row, mapped) in rows.chunks_exact(channels).zip(mapped.chunks_exact_mut(channels)) {
        for channel in (0..whole).step_by(L::WIDTH) {
            // SAFETY: the rows and the parameters have `channels` numbers, and `channel + WIDTH` is at most that.
            unsafe {
                for (value, parameter) in values.iter_mut().zip(&parameters) {
                    *value = lanes.load(parameter.as_ptr().add(channel));
                }
                let x = lanes.load(row.as_ptr().add(channel));
                function.apply(x, values).store(mapped.as_mut_ptr().add(channel));
            }
        }
        if whole < channels {
            let mut last = [0.0; 16];
            last[..channels - whole].copy_from_slice(&row[whole..]);
            // SAFETY: a vector has at most 16 numbers.
            unsafe {
                for (value, parameter) in values.iter_mut().zip(&rest) {
                    *value = lanes.load(parameter.as_ptr());
                }
                let x = lanes.load(last.as_ptr());
                function.apply(x, values).store(last.as_mut_ptr());
            }
            mapped[whole..].copy_from_slice(&last[..channels - whole]);
        }
    }
}

/// Rows whose sums are added up in single precision.
const PARTIAL: usize = 64;

/// Vectors of columns whose moments are added up together.
const VECTORS: usize = 4;

/// [`Kernels::add_moments`](super::Kernels::add_moments).
#[inline(always)]
pub(super) fn add_moments<L: Lanes>(lanes: L, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
    let channels = sums.len();
    assert!(squares.len() == channels && rows.len().is_multiple_of(channels));
    let whole = channels - channels % L::WIDTH;
    for rows in rows.chunks(PARTIAL * channels) {
        // A sum waits for the one before it: several channels' go on meanwhile.
        let many = whole - whole % (VECTORS * L::WIDTH);
        for channel in (0..many).step_by(VECTORS * L::WIDTH) {
            add_columns::<L, VECTORS>(lanes, rows, channel, sums, squares);
        }
        for channel in (many..whole).step_by(L::WIDTH) {
            add_columns::<L, 1>(lanes, rows, channel, sums, squares);
        }
        for row in rows.chunks_exact(channels) {
            for channel in whole..channels {
                let x = f64::from(row[channel]);
                sums[channel] += x;
                squares[channel] += x * x;
            }
        }
    }
}

/// Adds the moments of neighboring columns, in vectors.
#[inline(always)]
fn add_columns<L: Lanes, const N: usize>(
    lanes: L,
    rows: &[f32],
    channel: usize,
    sums: &mut [f64],
    squares: &mut [f64],
) {
    let mut moments = [[lanes.splat(0.0); 2]; N];
    for row in rows.chunks_exact(sums.len()) {
        let row = &row[channel..][..N * L::WIDTH];
        for (vector, [sum, square]) in moments.iter_mut().enumerate() {
            // SAFETY: the row has `N` vectors.
            let x = unsafe { lanes.load(row.as_ptr().add(vector * L::WIDTH)) };
            *sum = *sum + x;
            *square = x.mul_add(x, *square);
        }
    }
    for (vector, [sum, square]) in moments.into_iter().enumerate() {
        let channels = channel + vector * L::WIDTH..channel + (vector + 1) * L::WIDTH;
        add_lanes(sum, &mut sums[channels.clone()]);
        add_lanes(square, &mut squares[channels]);
    }
}

/// Adds the numbers of a vector to as many sums.
#[inline(always)]
fn add_lanes<V: Vector>(vector: V, sums: &mut [f64]) {
    for (sum, value) in sums.iter_mut().zip(numbers(vector)) {
        *sum += f64::from(value);
    }
}

/// [`Kernels::step`](super::Kernels::step).
#[inline(always)]
pub(super) fn step<L: Lanes>(lanes: L, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
    let count = cell.len();
    assert!(gates.len() == 4 * count && state.len() == count && count.is_multiple_of(L::WIDTH));
    for at in (0..count).step_by(L::WIDTH) {
        // SAFETY: `at + WIDTH` is at most the count of each of the gates, of the cell and of the state.
        unsafe {
            let gates = gates.as_ptr().add(at);
            let input = logistic(lanes.load(gates));
            let output = logistic(lanes.load(gates.add(count)));
            let forget = logistic(lanes.load(gates.add(2 * count)));
            let kept = forget * lanes.load(cell.as_ptr().add(at));
            let new = input.mul_add(tanh(lanes.load(gates.add(3 * count))), kept);
            new.store(cell.as_mut_ptr().add(at));
            (output * tanh(new)).store(state.as_mut_ptr().add(at));
        }
    }
}

/// [`Kernels::softmax`](super::Kernels::softmax).
#[inline(always)]
pub(super) fn softmax<L: Lanes>(lanes: L, rows: &mut [f32], width: usize) {
    assert!(width.is_multiple_of(16) && rows.len().is_multiple_of(width));
    for row in rows.chunks_exact_mut(width) {
        let row = row.as_mut_ptr();
        let vectors = || (0..width).step_by(L::WIDTH);
        // SAFETY: the row has `width` numbers, a multiple of a vector's.
        unsafe {
            let most = vectors()
                .fold(lanes.splat(f32::NEG_INFINITY), |most, at| most.max(lanes.load(row.add(at))));
            let most = lanes
                .splat(numbers(most).into_iter().take(L::WIDTH).fold(f32::NEG_INFINITY, f32::max));
            let mut sum = lanes.splat(0.0);
            for at in vectors() {
                let power = exp(lanes.load(row.add(at)) - most);
                sum = sum + power;
                power.store(row.add(at));
            }
            let sum: f32 = numbers(sum).into_iter().take(L::WIDTH).sum();
            for at in vectors() {
                (lanes.load(row.add(at)) * sum.recip()).store(row.add(at));
            }
        }
    }
}

/// The numbers of a vector; there are 16 or fewer.
#[inline(always)]
fn numbers<V: Vector>(vector: V) -> [f32; 16] {
    let mut numbers = [0.0; 16];
    // SAFETY: a vector has at most 16 numbers.
    unsafe { vector.store(numbers.as_mut_ptr()) };
    numbers
}

/// 1 / (1 + exp(-x))
#[inline(always)]
fn logistic<V: Vector>(x: V) -> V {
    let one = x.same(1.0);
    one / (one + exp(x.same(0.0) - x))
}

/// To 2e-7, absolutely.
#[inline(always)]
fn tanh<V: Vector>(x: V) -> V {
    let (one, two) = (x.same(1.0), x.same(2.0));
    two / (one + exp(x.same(0.0) - (x + x))) - one
}

/// [`Kernels::polar`](super::Kernels::polar).
#[inline(always)]
pub(super) fn polar<L: Lanes>(lanes: L, rows: &mut [f32]) {
    for row in rows.as_chunks_mut::<32>().0 {
        let row = row.as_mut_ptr();
        for channel in (0..16).step_by(L::WIDTH) {
            // SAFETY: the row has 32 numbers, and `channel + WIDTH` is at most 16.
            unsafe {
                let (real, imaginary) = (row.add(channel), row.add(16 + channel));
                let magnitude = exp(lanes.load(real));
                let (sine, whole) = sine_but_for_sign(lanes.load(imaginary));
                let (sine, cosine) = small_sine_cosine(sine.negate_where_odd(whole));
                (magnitude * cosine).store(real);
                (magnitude * sine).store(imaginary);
            }
        }
    }
}

/// c\[0\] + c\[1\] x + c\[2\] x^2 + ...
#[inline(always)]
fn polynomial<V: Vector, const N: usize>(x: V, coefficients: [f32; N]) -> V {
    let mut sum = x.same(coefficients[N - 1]);
    for coefficient in coefficients.iter().rev().skip(1) {
        sum = sum.mul_add(x, x.same(*coefficient));
    }
    sum
}

/// The sine of x less the nearest multiple of pi, to 2e-7 for magnitudes of x up to 1e4, and a number whose lowest bit
/// says that the multiple is odd.
#[inline(always)]
fn sine_but_for_sign<V: Vector>(x: V) -> (V, V) {
    // Pi in three parts, the first two with so few digits that their products with n are exact (Cody and Waite 1980).
    const PI: [f32; 3] = [3.140_625, 9.675_026e-4, 1.509_958e-7];
    let whole = x.mul_add(x.same(std::f32::consts::FRAC_1_PI), x.same(TO_WHOLE));
    let n = whole - x.same(TO_WHOLE);
    let x = n.mul_sub_from(x.same(PI[0]), x);
    let x = n.mul_sub_from(x.same(PI[1]), x);
    let x = n.mul_sub_from(x.same(PI[2]), x);
    (sine(x), whole)
}

/// For magnitudes up to pi / 2, to 1e-7.
#[inline(always)]
fn sine<V: Vector>(x: V) -> V {
    let square = x * x;
    let rest = polynomial(square, [-0.166_666_6, 8.333_079e-3, -1.981_069e-4, 2.608_316e-6]);
    rest.mul_add(square * x, x)
}

/// For magnitudes up to 1, to 1e-7.
#[inline(always)]
fn small_sine_cosine<V: Vector>(x: V) -> (V, V) {
    let cosine = polynomial(
        x * x,
        [1.0, -0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0],
    );
    (sine(x), cosine)
}

/// To 2e-7 of the value; 1e-38 and 2e38 beyond what single precision holds.
#[inline(always)]
fn exp<V: Vector>(x: V) -> V {
    let x = x.max(x.same(-87.0)).min(x.same(88.0));
    let whole = x.mul_add(x.same(std::f32::consts::LOG2_E), x.same(TO_WHOLE));
    let n = whole - x.same(TO_WHOLE);
    // ln 2 in two parts, the first with few digits.
    let x = n.mul_sub_from(x.same(0.693_359_4), x);
    let x = n.mul_add(x.same(2.121_944_4e-4), x);
    let rest = polynomial(
        x,
        [0.5, 0.166_666_65, 4.166_579_6e-2, 8.333_452e-3, 1.398_2e-3, 1.987_569_1e-4],
    );
    (rest.mul_add(x * x, x) + x.same(1.0)).add_to_exponent(whole)
}

//! Fast convolution with 16-bit integer products.
//!
//! The transformed elements are quantized. Those of a tile have one scale per point and block of
//! input channels; those of the weights have one per point and output channel. The scales bound the
//! Euclidean norms of both sides, so that no 32-bit sum can overflow: a sum of products, and each
//! partial sum, is at most the product of the norms (Cauchy-Schwarz). With 256 inputs, about 11
//! bits remain per element, which keeps the noise some 65 dB below the output.

use std::ops::Range;

use super::fast_convolution::{
    self, Block, CACHE_LINE, Factors, PAD, PREFETCH_DISTANCE, load_tile, store_points,
    transform_weights,
};
use super::filter::Filter;
use super::gemm::{Accumulators, panel_width};
use super::int16::{Int16Simd, MAX_PANEL_WIDTH, QuantizedRows, factor, multiply, round_pairs};
use super::plan::{Plan, Quantization, Shape};
use super::quantization::{larger, round};
use super::simd::{Simd, Vector};
use super::winograd::{MAX_POINTS, MAX_TAPS, Transform, Winograd};

/// The input channels that share a scale.
const BLOCK: usize = 256;

/// The largest norms of a block of inputs and of a block of an output's weights. Rounding adds less
/// than 9 to each, and the product stays below 2^31. No weight exceeds its norm; inputs have a
/// bound of their own.
const INPUT_NORM: f32 = 65_400.0;
const INPUT_MAX: f32 = 32_700.0;
const WEIGHT_NORM: f32 = 32_700.0;

/// The rounding error allowed in a transformed weight's sum of squares, as a share of a bound.
const ROUNDING_ERROR: f32 = 2e-5;

pub(super) fn plan<S: Simd, T: Transform>(shape: Shape) -> Plan {
    let plan = fast_convolution::plan::<S, T>(shape);
    Plan { panel_len: T::POINTS * point_len::<S>(shape), quantization: Quantization::Int16, ..plan }
}

/// The elements from one point of packed weights to the next: a row of scales, pairs of interleaved
/// rows, and padding.
fn point_len<S: Simd>(shape: Shape) -> usize {
    (1 + shape.inputs / 2) * panel_width::<S>() + 2 * PAD
}

/// Packs a panel's transformed and quantized weights: scales and a matrix of pairs per point.
#[inline(always)]
pub(super) fn pack<S: Int16Simd, T: Transform>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    let (inputs, width) = (plan.shape.inputs, panel_width::<S>());
    let point_len = point_len::<S>(plan.shape);
    assert!(packed.len() == T::POINTS * point_len && width <= MAX_PANEL_WIDTH);
    // On the heap: the calling thread may have a small stack.
    let mut factors = vec![[0.0; MAX_PANEL_WIDTH]; T::POINTS];
    scale_columns::<S, T>(simd, filter, plan, panel, packed, &mut factors);
    let mut rows = [[0.0; MAX_PANEL_WIDTH]; MAX_TAPS];
    let mut points = vec![[[0.0; MAX_PANEL_WIDTH]; MAX_POINTS]; 2];
    for pair in 0..inputs / 2 {
        for (half, points) in points.iter_mut().enumerate() {
            decode_taps::<S, T>(simd, filter, plan, panel, 2 * pair + half, &mut rows);
            transform_rows::<S, T>(simd, &rows, points);
        }
        let [first, second] = &points[..] else { unreachable!("there are two") };
        for point in 0..T::POINTS {
            let at = point * point_len + (1 + pair) * width;
            simd.prefetch(packed.as_ptr().wrapping_add(at + PREFETCH_DISTANCE * width));
            let out = bytemuck::cast_slice_mut(&mut packed[at..][..width]);
            round_pairs(&first[point], &second[point], &factors[point], out);
        }
    }
}

/// The columns that [`pack_integers`] processes at a time.
const LANES: usize = 8;

const _: () = {
    // The norm of a block of the largest weights possible with 8-bit codes is within the bound.
    let largest = (255 * Winograd::INTEGER_GROWTH) as f32;
    assert!(largest * 16.0 <= WEIGHT_NORM && BLOCK == 16 * 16);
};

/// Packs three-tap weights quantized to 8 bits. Up to one factor per point, the transform maps
/// integers to integers, so the weights lose nothing and need no norms.
#[inline(always)]
pub(super) fn pack_integers<S: Int16Simd>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    let (inputs, width) = (plan.shape.inputs, panel_width::<S>());
    let column = panel * width;
    assert!(plan.shape.taps == 3 && inputs.is_multiple_of(2) && width.is_multiple_of(LANES));
    let mut zeros = [0; MAX_PANEL_WIDTH];
    filter.zero_points(column, &mut zeros[..width]);
    let point_len = point_len::<S>(plan.shape);
    for (point, packed) in packed.chunks_exact_mut(point_len).enumerate() {
        packed[(1 + inputs / 2) * width..].fill(0.0);
        let scales = &mut packed[..width];
        filter.scales(column, scales);
        scales.iter_mut().for_each(|scale| *scale *= Winograd::INTEGER_FACTORS[point]);
    }
    for pair in 0..inputs / 2 {
        let mut codes = [[&[][..]; 3]; 2];
        for (half, codes) in codes.iter_mut().enumerate() {
            for (tap, codes) in codes.iter_mut().enumerate() {
                *codes = filter.codes(simd, tap * inputs + 2 * pair + half, column, width);
            }
        }
        let row = (1 + pair) * width;
        for point in 0..Winograd::POINTS {
            let next = row + point * point_len + PREFETCH_DISTANCE * width;
            simd.prefetch(packed.as_ptr().wrapping_add(next));
        }
        for first in (0..width).step_by(LANES) {
            let mut points = [[[0; LANES]; 8]; 2];
            for (codes, points) in codes.iter().zip(&mut points) {
                let mut weights = [[0; LANES]; 3];
                for (codes, weights) in codes.iter().zip(&mut weights) {
                    let zeros = &zeros[first..][..LANES];
                    let codes = &codes[first..][..LANES];
                    for ((weight, code), zero) in weights.iter_mut().zip(codes).zip(zeros) {
                        *weight = i32::from(*code) - zero;
                    }
                }
                *points = Winograd::integer_weights(&weights);
            }
            for (point, (even, odd)) in points[0].iter().zip(&points[1]).enumerate() {
                let out = &mut packed[point * point_len + row + first..][..LANES];
                let out: &mut [i32] = bytemuck::cast_slice_mut(out);
                for ((out, even), odd) in out.iter_mut().zip(even).zip(odd) {
                    *out = even & 0xFFFF | odd << 16;
                }
            }
        }
    }
}

/// One row of a panel per point or per tap.
type PanelRows<const ROWS: usize> = [[f32; MAX_PANEL_WIDTH]; ROWS];

/// Writes the scales of all points and columns, and their reciprocals, the factors, which must be
/// zero before.
///
/// The norm of transformed weights is found without transforming them: the transform is linear, so
/// the sum of squares is a quadratic form of the products of every two taps, summed over the
/// inputs.
#[inline(always)]
fn scale_columns<S: Simd, T: Transform>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
    factors: &mut [[f32; MAX_PANEL_WIDTH]],
) {
    let (inputs, width) = (plan.shape.inputs, panel_width::<S>());
    let matrix = transform_matrix::<S, T>(simd);
    let mut rows = [[0.0; MAX_PANEL_WIDTH]; MAX_TAPS];
    let mut products = vec![[[0.0_f32; MAX_PANEL_WIDTH]; MAX_TAPS]; T::TAPS];
    for first in (0..inputs).step_by(BLOCK) {
        products.as_flattened_mut().as_flattened_mut().fill(0.0);
        for input in first..inputs.min(first + BLOCK) {
            decode_taps::<S, T>(simd, filter, plan, panel, input, &mut rows);
            for column in [0, S::WIDTH] {
                let mut weights = [simd.splat(0.0); MAX_TAPS];
                for (weight, row) in weights.iter_mut().zip(&rows).take(T::TAPS) {
                    *weight = vector_at(simd, row, column);
                }
                for tap in 0..T::TAPS {
                    for other in 0..=tap {
                        let sums = &mut products[tap][other];
                        let sum = vector_at(simd, sums, column);
                        put(weights[tap].mul_add(weights[other], sum), sums, column);
                    }
                }
            }
        }
        for (row, largest) in matrix.iter().zip(&mut *factors) {
            for column in [0, S::WIDTH] {
                let (mut square, mut bound) = (simd.splat(0.0), simd.splat(0.0));
                for (tap, products) in products[..T::TAPS].iter().enumerate() {
                    let own = vector_at(simd, &products[tap], column);
                    bound = (own * (row[tap] * row[tap])) + bound;
                    for (other, products) in products[..=tap].iter().enumerate() {
                        let weight = if other < tap { 2.0 } else { 1.0 } * row[tap] * row[other];
                        square =
                            vector_at(simd, products, column).mul_add(simd.splat(weight), square);
                    }
                }
                // Where the taps cancel, only rounding errors remain: at most this share of the
                // bound.
                let square =
                    square.max(simd.splat(0.0)) + bound * (ROUNDING_ERROR * T::TAPS as f32);
                put(vector_at(simd, largest, column).max(square), largest, column);
            }
        }
    }
    for (point, packed) in packed.chunks_exact_mut(point_len::<S>(plan.shape)).enumerate() {
        packed[(1 + inputs / 2) * width..].fill(0.0);
        for (column, scale) in packed[..width].iter_mut().enumerate() {
            let norm = factors[point][column].sqrt();
            *scale = norm / WEIGHT_NORM;
            factors[point][column] = factor(WEIGHT_NORM, norm);
        }
    }
}

/// The vector of a row that starts at a column.
#[inline(always)]
fn vector_at<S: Simd>(simd: S, row: &[f32; MAX_PANEL_WIDTH], column: usize) -> S::Vector {
    assert!(column + S::WIDTH <= MAX_PANEL_WIDTH);
    // SAFETY: the row has a vector from the column on.
    unsafe { simd.load(row.as_ptr().add(column)) }
}

/// Writes a vector to a row, starting at a column.
#[inline(always)]
fn put<V: Vector>(vector: V, row: &mut [f32; MAX_PANEL_WIDTH], column: usize) {
    assert!(column + size_of::<V>() / size_of::<f32>() <= MAX_PANEL_WIDTH);
    // SAFETY: the row has room for a vector from the column on.
    unsafe { vector.store(row.as_mut_ptr().add(column)) }
}

/// Decodes the weights of an input in a panel, one row per tap.
#[inline(always)]
fn decode_taps<S: Simd, T: Transform>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    input: usize,
    rows: &mut PanelRows<MAX_TAPS>,
) {
    let (inputs, width) = (plan.shape.inputs, panel_width::<S>());
    for (tap, row) in rows[..T::TAPS].iter_mut().enumerate() {
        filter.decode_simd(simd, tap * inputs + input, panel * width, &mut row[..width]);
    }
}

#[inline(always)]
fn transform_rows<S: Simd, T: Transform>(
    simd: S,
    rows: &PanelRows<MAX_TAPS>,
    points: &mut PanelRows<MAX_POINTS>,
) {
    let (rows, points) = (rows.as_flattened().as_ptr(), points.as_flattened_mut().as_mut_ptr());
    // SAFETY: there is a row for each tap and each point, of at least two vectors.
    unsafe {
        transform_weights::<S, T>(simd, rows, MAX_PANEL_WIDTH, points, MAX_PANEL_WIDTH);
    }
}

/// The weight transform as a matrix: one row per point, one element per tap.
#[inline(always)]
fn transform_matrix<S: Simd, T: Transform>(simd: S) -> [[f32; MAX_TAPS]; MAX_POINTS] {
    let mut matrix = [[0.0; MAX_TAPS]; MAX_POINTS];
    for tap in 0..T::TAPS {
        let mut rows = [[0.0; MAX_PANEL_WIDTH]; MAX_TAPS];
        let mut points = [[0.0; MAX_PANEL_WIDTH]; MAX_POINTS];
        rows[tap][0] = 1.0;
        transform_rows::<S, T>(simd, &rows, &mut points);
        for (row, point) in matrix.iter_mut().zip(points) {
            row[tap] = point[0];
        }
    }
    matrix
}

/// The quantized elements of a block, by point, then tile, then pair of channels; and their scales,
/// by point, then tile, then block of channels.
#[derive(Clone, Copy)]
pub(super) struct QuantizedTiles {
    /// One row per point of one tile, before quantization.
    transformed: *mut f32,
    pairs: *mut i32,
    scales: *mut f32,
    tiles: usize,
    inputs: usize,
}

impl QuantizedTiles {
    fn pairs_len(points: usize, tiles: usize, inputs: usize) -> usize {
        points * (tiles * inputs / 2 + PAD)
    }

    fn scales_len(points: usize, tiles: usize, inputs: usize) -> usize {
        points * tiles * inputs.div_ceil(BLOCK)
    }

    /// The rows of a point.
    #[inline(always)]
    fn point(self, point: usize) -> QuantizedRows {
        let Self { pairs, scales, tiles, inputs, .. } = self;
        QuantizedRows {
            rows: pairs.wrapping_add(Self::pairs_len(point, tiles, inputs)),
            scales: scales.wrapping_add(Self::scales_len(point, tiles, inputs)),
            pairs: inputs / 2,
            block_pairs: BLOCK / 2,
        }
    }

    /// Quantizes one point of a tile.
    ///
    /// # Safety
    ///
    /// `x` has a row of inputs, and the tile and the point exist.
    #[inline(always)]
    unsafe fn quantize<S: Simd>(self, simd: S, point: usize, tile: usize, x: &[f32]) {
        let row = self.point(point);
        let blocks = self.inputs.div_ceil(BLOCK);
        // SAFETY: the tile and the point exist (this function's safety contract); each has as many
        // elements and scales as a row.
        let (out, scales) = unsafe {
            let first = row.rows.cast_mut().add(tile * self.inputs / 2).cast::<i16>();
            let scale = row.scales.cast_mut().add(tile * blocks);
            (
                std::slice::from_raw_parts_mut(first, self.inputs),
                std::slice::from_raw_parts_mut(scale, blocks),
            )
        };
        for ((x, out), scale) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)).zip(scales) {
            let (norm, max) = norm_and_max(simd, x);
            // The norm is the first argument: if it is NaN, so is the result, and the error shows
            // in the output.
            let largest = larger(norm * (INPUT_MAX / INPUT_NORM), max);
            *scale = largest / INPUT_MAX;
            round(x, factor(INPUT_MAX, largest), out);
        }
    }
}

/// The Euclidean norm of a row of whole vectors, and its largest magnitude.
#[inline(always)]
fn norm_and_max<S: Simd>(simd: S, row: &[f32]) -> (f32, f32) {
    let zero = simd.splat(0.0);
    let (mut squares, mut max) = (zero, zero);
    for x in row.chunks_exact(S::WIDTH) {
        // SAFETY: the chunk is as long as a vector.
        let x = unsafe { simd.load(x.as_ptr()) };
        squares = x.mul_add(x, squares);
        max = max.max(x).max(zero - x);
    }
    let mut lanes = [[0.0_f32; 16]; 2];
    // SAFETY: a vector has at most 16 elements.
    unsafe {
        squares.store(lanes[0].as_mut_ptr());
        max.store(lanes[1].as_mut_ptr());
    }
    let [squares, maxima] = lanes;
    (merge(squares, |a, b| a + b).sqrt(), merge(maxima, larger))
}

/// Merges 16 lanes pairwise, which the compiler vectorizes.
#[inline(always)]
fn merge(lanes: [f32; 16], merge: impl Fn(f32, f32) -> f32) -> f32 {
    let lanes: [f32; 8] = std::array::from_fn(|i| merge(lanes[i], lanes[i + 8]));
    let lanes: [f32; 4] = std::array::from_fn(|i| merge(lanes[i], lanes[i + 4]));
    merge(merge(lanes[0], lanes[2]), merge(lanes[1], lanes[3]))
}

impl<S: Int16Simd> Factors<S> for QuantizedTiles {
    fn point_len(shape: Shape) -> usize {
        point_len::<S>(shape)
    }

    fn lengths<T: Transform>(shape: Shape, tiles: usize) -> [usize; 3] {
        let inputs = shape.inputs;
        [
            T::POINTS * (inputs + CACHE_LINE),
            Self::pairs_len(T::POINTS, tiles, inputs),
            Self::scales_len(T::POINTS, tiles, inputs),
        ]
    }

    fn new([transformed, pairs, scales]: [*mut f32; 3], shape: Shape, tiles: usize) -> Self {
        Self { transformed, pairs: pairs.cast(), scales, tiles, inputs: shape.inputs }
    }

    #[inline(always)]
    unsafe fn transform<T: Transform>(self, simd: S, block: &Block<'_>, input: *const f32) {
        let Self { transformed, inputs, .. } = self;
        let (stride, point_stride) = (block.plan.shape.dilation * inputs, inputs + CACHE_LINE);
        for tile in 0..self.tiles {
            // SAFETY: the tile's input rows and the scratch parts are valid (this function's safety
            // contract).
            unsafe {
                let input = input.add(block.first_row(tile) * inputs);
                for channel in (0..inputs).step_by(S::WIDTH) {
                    let values = load_tile::<S, T>(simd, input.add(channel), stride);
                    store_points::<S, T>(T::input(&values), transformed.add(channel), point_stride);
                }
                for point in 0..T::POINTS {
                    let row =
                        std::slice::from_raw_parts(transformed.add(point * point_stride), inputs);
                    self.quantize(simd, point, tile, row);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn multiply<A: Accumulators<S>>(
        self,
        simd: S,
        point: usize,
        panel: *const f32,
        next: *const f32,
        sums: impl Fn(Range<usize>) -> A,
    ) {
        // SAFETY: tiles, panel and sums are valid (this function's safety contract).
        unsafe { multiply(simd, self.point(point), self.tiles, panel, next, sums) }
    }
}

//! Fast convolution (minimal filtering): transforms tiles of the input, multiplies them point by
//! point with transformed weights as matrix products over the channels, and transforms the products
//! back. [`winograd`](super::winograd) has the transforms.
//!
//! With a dilation of d, the rows are d interleaved sequences: a group is d neighboring tiles, one
//! of each sequence.

use std::ops::Range;

use super::epilogue::EpilogueWriter;
use super::filter::Filter;
use super::gemm::{Accumulators, Gemm, Product, multiply, panel_width};
use super::kernels::Operands;
use super::plan::{Plan, Quantization, Shape};
use super::simd::{Simd, Vector, unrolled};
use super::winograd::{MAX_INPUTS, MAX_POINTS, MAX_TAPS, Transform};

/// The elements of a cache line.
pub(super) const CACHE_LINE: usize = 16;

/// The input channels whose weights are transformed in one pass, where weights are transformed anew
/// for every block.
const DEPTH: usize = 128;

/// How many input channels ahead the destination is prefetched during packing.
pub(super) const PREFETCH_DISTANCE: usize = 4;

/// The padding between the elements of neighboring points. Without it the points would be a power
/// of two apart and compete for the same cache sets.
pub(super) const PAD: usize = 16;

pub(super) fn plan<S: Simd, T: Transform>(shape: Shape) -> Plan {
    let group = T::OUTPUTS * shape.dilation;
    Plan {
        shape,
        panels: shape.outputs / panel_width::<S>(),
        panel_len: if T::PACKS_TRANSFORMED {
            T::POINTS * point_len::<S>(shape)
        } else {
            T::TAPS * shape.inputs * panel_width::<S>()
        },
        block: group * (tiles::<T>(shape) / shape.dilation).max(1),
        group,
        products: T::POINTS * shape.dilation * shape.inputs * shape.outputs,
        quantization: Quantization::None,
    }
}

/// The elements from one point of packed weights to the next.
fn point_len<S: Simd>(shape: Shape) -> usize {
    shape.inputs * panel_width::<S>() + 2 * PAD
}

/// The tiles of a block: few enough that their points stay in the L2 cache, and enough to reuse the
/// weights, which do not fit the cache and are read for every block.
fn tiles<T: Transform>(shape: Shape) -> usize {
    match (T::PACKS_TRANSFORMED, shape.inputs) {
        (false, _) => 48,
        (true, ..=128) => 24,
        (true, _) => 36,
    }
}

/// The panels whose products are transformed back in one pass. With more panels, longer runs of an
/// output row are accessed at a time, but the products take more cache.
fn panels_per_pass<S: Simd, T: Transform>(shape: Shape) -> usize {
    if T::PACKS_TRANSFORMED {
        (shape.inputs / 2).div_ceil(panel_width::<S>())
    } else {
        256 / panel_width::<S>()
    }
}

/// Packs a panel's transformed weights: one matrix per point.
#[inline(always)]
pub(super) fn pack<S: Simd, T: Transform>(
    simd: S,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    let (inputs, columns) = (plan.shape.inputs, panel_width::<S>());
    let point_len = point_len::<S>(plan.shape);
    for pad in packed.chunks_exact_mut(point_len) {
        pad[inputs * columns..].fill(0.0);
    }
    let mut rows = [[0.0; 32]; MAX_TAPS];
    for input in 0..inputs {
        for (tap, row) in rows[..T::TAPS].iter_mut().enumerate() {
            let row = &mut row[..columns];
            filter.decode_simd(simd, tap * inputs + input, panel * columns, row);
        }
        // SAFETY: a panel has `columns` elements per input and point, and `rows` has `TAPS` rows of
        // `columns` elements.
        unsafe {
            let packed = packed.as_mut_ptr().add(input * columns);
            prefetch_points::<S, T>(
                simd,
                packed.wrapping_add(PREFETCH_DISTANCE * columns),
                point_len,
                columns,
            );
            transform_weights::<S, T>(simd, rows.as_ptr().cast(), 32, packed, point_len);
        }
    }
}

/// Prefetches the `count` elements of each point that are written next: there are more points than
/// a hardware prefetcher follows.
#[inline(always)]
fn prefetch_points<S: Simd, T: Transform>(
    simd: S,
    points: *const f32,
    point_stride: usize,
    count: usize,
) {
    for point in 0..T::POINTS {
        for at in (0..count).step_by(CACHE_LINE) {
            simd.prefetch(points.wrapping_add(point * point_stride + at));
        }
    }
}

/// Transforms the weights of one input in one panel.
///
/// # Safety
///
/// Each of the `T::TAPS` rows of `taps` is valid for reads of two vectors, and each of the
/// `T::POINTS` rows of `points` for writes of two vectors.
#[inline(always)]
pub(super) unsafe fn transform_weights<S: Simd, T: Transform>(
    simd: S,
    taps: *const f32,
    tap_stride: usize,
    points: *mut f32,
    point_stride: usize,
) {
    for half in 0..2 {
        let mut w = [simd.splat(0.0); MAX_TAPS];
        unrolled!(K in [0 1 2 3 4 5 6 7 8 9 10] {
            if K < T::TAPS {
                // SAFETY: `K` is a tap, and each tap has two vectors (this function's safety
                // contract).
                w[K] = unsafe { simd.load(taps.add(K * tap_stride + half * S::WIDTH)) };
            }
        });
        // SAFETY: each point has two vectors (this function's safety contract).
        unsafe { store_points::<S, T>(T::weights(&w), points.add(half * S::WIDTH), point_stride) };
    }
}

/// Loads the inputs of a tile.
///
/// # Safety
///
/// From `from` on, each of the tile's inputs, `stride` elements apart, is valid for reads of a
/// vector.
#[inline(always)]
pub(super) unsafe fn load_tile<S: Simd, T: Transform>(
    simd: S,
    from: *const f32,
    stride: usize,
) -> [S::Vector; MAX_INPUTS] {
    let mut values = [simd.splat(0.0); MAX_INPUTS];
    unrolled!(N in [
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
        20 21 22 23 24 25 26 27 28 29 30 31 32 33
    ] {
        if N < T::OUTPUTS + T::TAPS - 1 {
            // SAFETY: `N` is an input of the tile, and each input has a vector (this function's
            // safety contract).
            values[N] = unsafe { simd.load(from.add(N * stride)) };
        }
    });
    values
}

/// # Safety
///
/// From `to` on, each of `T::POINTS` addresses, `point_stride` elements apart, is valid for writes
/// of a vector.
#[inline(always)]
pub(super) unsafe fn store_points<S: Simd, T: Transform>(
    values: [S::Vector; MAX_POINTS],
    to: *mut f32,
    point_stride: usize,
) {
    // SAFETY: `P` is a point, and each point has a vector (this function's safety contract).
    unsafe {
        unrolled!(P in [
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
            25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
        ] {
            if P < T::POINTS {
                values[P].store(to.add(P * point_stride));
            }
        });
    }
}

/// The transformed elements of a block, by point, then tile, then channel.
#[derive(Clone, Copy)]
pub(super) struct TransformedTiles {
    first: *mut f32,
    point_stride: usize,
    tile_stride: usize,
}

impl TransformedTiles {
    /// The number of elements in `points` points of `tiles` tiles.
    fn len(points: usize, tiles: usize, channels: usize) -> usize {
        points * (tiles * channels + PAD)
    }

    fn new(first: *mut f32, tiles: usize, channels: usize) -> Self {
        Self { first, point_stride: tiles * channels + PAD, tile_stride: channels }
    }

    /// The same tiles without the first `count` channels.
    fn skip_channels(self, count: usize) -> Self {
        Self { first: self.first.wrapping_add(count), ..self }
    }

    #[inline(always)]
    fn at(self, point: usize, tile: usize, channel: usize) -> *mut f32 {
        self.first.wrapping_add(point * self.point_stride + tile * self.tile_stride + channel)
    }
}

/// Sums in the transformed domain: output tiles not yet transformed back.
#[derive(Clone, Copy)]
pub(super) struct TransformedSums {
    first: *mut f32,
    stride: usize,
    /// Whether products are added to the existing sums.
    accumulate: bool,
}

impl<S: Simd> Accumulators<S> for TransformedSums {
    #[inline(always)]
    fn prefetch(self, _simd: S, _row: usize) {}

    #[inline(always)]
    unsafe fn load(self, simd: S, row: usize, column: usize) -> S::Vector {
        if self.accumulate {
            // SAFETY: the row and the column are in the sums (this function's safety contract).
            unsafe { simd.load(self.first.add(row * self.stride + column)) }
        } else {
            simd.splat(0.0)
        }
    }

    #[inline(always)]
    unsafe fn store(self, _simd: S, row: usize, column: usize, sum: S::Vector) {
        // SAFETY: the row and the column are in the sums (this function's safety contract).
        unsafe { sum.store(self.first.add(row * self.stride + column)) }
    }
}

/// The transformed input of a block, in the number format of its products.
pub(super) trait Factors<S: Gemm>: Copy {
    /// The elements from one point of packed weights to the next, if packed weights are
    /// transformed.
    fn point_len(shape: Shape) -> usize;

    /// The lengths of the three scratch parts of a block, in elements.
    fn lengths<T: Transform>(shape: Shape, tiles: usize) -> [usize; 3];

    /// The parts, of these lengths.
    fn new(parts: [*mut f32; 3], shape: Shape, tiles: usize) -> Self;

    /// Transforms the input of all tiles.
    ///
    /// # Safety
    /// The parts are those of the block. `input` is valid for reads of the rows that its tiles
    /// need. The processor has the instructions of the products.
    unsafe fn transform<T: Transform>(self, simd: S, block: &Block<'_>, input: *const f32);

    /// Multiplies one point of all tiles with a panel. `next` points to the weights of the next
    /// product.
    ///
    /// # Safety
    ///
    /// The input has been transformed, `panel` is the packed weights of the point, and
    /// `sums(range)` has the tiles of that range. The processor has the instructions of the
    /// products.
    unsafe fn multiply<A: Accumulators<S>>(
        self,
        simd: S,
        point: usize,
        panel: *const f32,
        next: *const f32,
        sums: impl Fn(Range<usize>) -> A,
    );

    /// Multiplies all points of all tiles with neighboring panels.
    ///
    /// # Safety
    ///
    /// The input has been transformed, `packed` is valid for reads of the panels of `columns`, and
    /// `y` is valid for writes.
    #[inline(always)]
    unsafe fn multiply_panels<T: Transform>(
        self,
        simd: S,
        block: &Block<'_>,
        packed: *const f32,
        columns: &Range<usize>,
        y: TransformedTiles,
    ) {
        // SAFETY: this function has the same safety contract.
        unsafe { block.multiply::<S, T, Self>(simd, self, packed, columns, y) }
    }
}

/// Convolves block by block. The caller has checked the operands.
#[inline(always)]
pub(super) fn convolve<S: Gemm, T: Transform, F: Factors<S>>(
    simd: S,
    operands: &Operands<'_, f32>,
    output: &mut [f32],
    scratch: &mut Vec<f32>,
) {
    let Operands { plan, packed, input, ref epilogue, .. } = *operands;
    let Shape { inputs, outputs, .. } = plan.shape;
    assert!(inputs.is_multiple_of(S::WIDTH));
    let rows = output.len() / outputs;
    let writer = EpilogueWriter::new(epilogue, output, outputs);
    for start in (0..rows).step_by(plan.block) {
        let block = Block::new(plan, plan.block.min(rows - start), writer.offset_by(start, 0));
        // SAFETY: the caller checked that the input has the rows needed by the outputs from `start`
        // on, and that `packed` is all panels.
        unsafe {
            let input = input.as_ptr().add(start * inputs);
            block.run::<S, T, F>(simd, packed.as_ptr(), input, scratch);
        }
    }
}

/// A block of output rows.
pub(super) struct Block<'a> {
    pub(super) plan: &'a Plan,
    pub(super) tiles: usize,
    /// The number of output rows; the last group may be incomplete.
    rows: usize,
    /// The writer, relative to the first row of the block.
    writer: EpilogueWriter<'a>,
}

impl<'a> Block<'a> {
    /// A block of `rows` output rows.
    fn new(plan: &'a Plan, rows: usize, writer: EpilogueWriter<'a>) -> Self {
        let dilation = plan.shape.dilation;
        let groups = rows / plan.group;
        let tiles = groups * dilation + dilation.min(rows - groups * plan.group);
        Self { plan, tiles, rows, writer }
    }

    /// # Safety
    ///
    /// `packed` is valid for reads of all packed weights, and `input` of the rows that `self.tiles`
    /// tiles need. The output has `self.rows` rows.
    #[inline(always)]
    unsafe fn run<S: Gemm, T: Transform, F: Factors<S>>(
        &self,
        simd: S,
        packed: *const f32,
        input: *const f32,
        scratch: &mut Vec<f32>,
    ) {
        let Plan { shape, panels, panel_len, .. } = *self.plan;
        let panels_per_pass = panels_per_pass::<S, T>(shape).min(panels);
        let width = panels_per_pass * panel_width::<S>();
        let [first, second, third] = F::lengths::<T>(shape, self.tiles);
        let products = TransformedTiles::len(T::POINTS, self.tiles, width);
        let [first, y, second, third] = split_scratch(scratch, [first, products, second, third]);
        let x = F::new([first, second, third], shape, self.tiles);
        let y = TransformedTiles::new(y, self.tiles, width);
        // SAFETY: weights, input and output are valid (this function's safety contract);
        // `split_scratch` made room for `x` and `y`.
        unsafe {
            x.transform::<T>(simd, self, input);
            for first in (0..panels).step_by(panels_per_pass) {
                let end = panels.min(first + panels_per_pass);
                let columns = first * panel_width::<S>()..end * panel_width::<S>();
                let packed = packed.add(first * panel_len);
                x.multiply_panels::<T>(simd, self, packed, &columns, y);
                self.transform_output::<S, T>(simd, y, columns);
            }
        }
    }

    /// The first output row of a tile.
    #[inline(always)]
    pub(super) fn first_row(&self, tile: usize) -> usize {
        let dilation = self.plan.shape.dilation;
        tile / dilation * self.plan.group + tile % dilation
    }

    /// Multiplies with weights that were transformed during packing.
    ///
    /// # Safety
    ///
    /// As for [`Factors::multiply_panels`].
    #[inline(always)]
    unsafe fn multiply<S: Gemm, T: Transform, F: Factors<S>>(
        &self,
        simd: S,
        x: F,
        packed: *const f32,
        columns: &Range<usize>,
        y: TransformedTiles,
    ) {
        let panels = columns.len() / panel_width::<S>();
        let point_len = F::point_len(self.plan.shape);
        let at =
            |point, panel| packed.wrapping_add(panel * self.plan.panel_len + point * point_len);
        for point in 0..T::POINTS {
            for panel in 0..panels {
                let last = panel + 1 == panels;
                let next = if last { at(point + 1, 0) } else { at(point, panel + 1) };
                let sums = |tiles: Range<usize>| {
                    let done = (point * panels + panel) * self.tiles;
                    let share = done + tiles.start..done + tiles.end;
                    self.prefetch_output(simd, columns, share, T::POINTS * panels * self.tiles);
                    TransformedSums {
                        first: y.at(point, tiles.start, panel * panel_width::<S>()),
                        stride: y.tile_stride,
                        accumulate: false,
                    }
                };
                // SAFETY: the input, all tiles of `y` at every point, and the panels are valid
                // (this function's safety contract).
                unsafe { x.multiply(simd, point, at(point, panel), next, sums) }
            }
        }
    }

    /// Prefetches the output rows of these columns: share number `share` when all rows are divided
    /// into `shares`.
    #[inline(always)]
    fn prefetch_output<S: Simd>(
        &self,
        simd: S,
        columns: &Range<usize>,
        share: Range<usize>,
        shares: usize,
    ) {
        for row in self.rows * share.start / shares..self.rows * share.end / shares {
            for column in columns.clone().step_by(CACHE_LINE) {
                self.writer.prefetch(simd, row, column);
            }
        }
    }

    /// Transforms the products of neighboring panels back, and writes the outputs.
    ///
    /// # Safety
    ///
    /// `y` is valid for reads, and the output has the rows of the block and the columns.
    #[inline(always)]
    unsafe fn transform_output<S: Simd, T: Transform>(
        &self,
        simd: S,
        y: TransformedTiles,
        columns: Range<usize>,
    ) {
        let dilation = self.plan.shape.dilation;
        for tile in 0..self.tiles {
            let first = self.first_row(tile);
            let rows = (self.rows - first).div_ceil(dilation);
            for offset in (0..columns.len()).step_by(S::WIDTH) {
                // SAFETY: `y` and the rows of the block are valid (this function's safety
                // contract); `rows` is how many of them the tile has.
                unsafe {
                    let writer = self.writer.offset_by(first, columns.start + offset);
                    let mut products = [simd.splat(0.0); MAX_POINTS];
                    unrolled!(P in [
                        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
                        25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
                    ] {
                        if P < T::POINTS {
                            products[P] = simd.load(y.at(P, tile, offset));
                        }
                    });
                    let values = T::output(&products);
                    if rows >= T::OUTPUTS {
                        unrolled!(N in [
                            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27
                        ] {
                            if N < T::OUTPUTS {
                                writer.write(simd, N * dilation, 0, values[N]);
                            }
                        });
                    } else {
                        for (n, value) in values[..rows].iter().enumerate() {
                            writer.write(simd, n * dilation, 0, *value);
                        }
                    }
                }
            }
        }
    }
}

/// Products in single precision.
#[derive(Clone, Copy)]
pub(super) struct FloatTiles {
    x: TransformedTiles,
    tiles: usize,
    inputs: usize,
    /// Room for the transformed weights of [`DEPTH`] inputs, if packed weights are not transformed.
    weights: *mut f32,
}

impl<S: Gemm> Factors<S> for FloatTiles {
    fn point_len(shape: Shape) -> usize {
        point_len::<S>(shape)
    }

    fn lengths<T: Transform>(shape: Shape, tiles: usize) -> [usize; 3] {
        let weights = if T::PACKS_TRANSFORMED { 0 } else { T::POINTS * DEPTH * panel_width::<S>() };
        [TransformedTiles::len(T::POINTS, tiles, shape.inputs), weights, 0]
    }

    fn new([x, weights, _]: [*mut f32; 3], shape: Shape, tiles: usize) -> Self {
        let inputs = shape.inputs;
        Self { x: TransformedTiles::new(x, tiles, inputs), tiles, inputs, weights }
    }

    #[inline(always)]
    unsafe fn transform<T: Transform>(self, simd: S, block: &Block<'_>, input: *const f32) {
        let (x, inputs) = (self.x, self.inputs);
        for tile in 0..self.tiles {
            let first = block.first_row(tile) * inputs;
            let stride = block.plan.shape.dilation * inputs;
            for channel in (0..inputs).step_by(S::WIDTH) {
                // SAFETY: the tile's input rows and `x` are valid (this function's safety
                // contract); `channel + WIDTH` is at most the number of channels.
                unsafe {
                    let input = input.add(first + channel);
                    let values = load_tile::<S, T>(simd, input, stride);
                    store_points::<S, T>(T::input(&values), x.at(0, tile, channel), x.point_stride);
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
        let product = Product {
            rows: self.x.at(point, 0, 0),
            stride: self.x.tile_stride,
            depth: self.inputs,
            panel,
            next,
            prefetch_len: self.inputs * panel_width::<S>(),
        };
        // SAFETY: tiles, panel and sums are valid (this function's safety contract).
        unsafe { multiply(simd, product, self.tiles, sums) }
    }

    #[inline(always)]
    unsafe fn multiply_panels<T: Transform>(
        self,
        simd: S,
        block: &Block<'_>,
        packed: *const f32,
        columns: &Range<usize>,
        y: TransformedTiles,
    ) {
        if T::PACKS_TRANSFORMED {
            // SAFETY: this function has the same safety contract.
            return unsafe { block.multiply::<S, T, Self>(simd, self, packed, columns, y) };
        }
        let width = panel_width::<S>();
        for (panel, start) in columns.clone().step_by(width).enumerate() {
            // SAFETY: the input, each panel and its columns of `y` are valid (this function's
            // safety contract).
            unsafe {
                let packed = packed.add(panel * block.plan.panel_len);
                let (part, y) = (start..start + width, y.skip_channels(panel * width));
                self.transform_and_multiply::<S, T>(simd, block, packed, &part, y);
            }
        }
    }
}

impl FloatTiles {
    /// Transforms the weights of one panel, and multiplies with them.
    ///
    /// # Safety
    ///
    /// The input has been transformed, the panel is valid for reads, and `y` for writes.
    #[inline(always)]
    unsafe fn transform_and_multiply<S: Gemm, T: Transform>(
        self,
        simd: S,
        block: &Block<'_>,
        packed: *const f32,
        columns: &Range<usize>,
        y: TransformedTiles,
    ) {
        let Self { x, tiles, inputs, weights } = self;
        let width = panel_width::<S>();
        for first in (0..inputs).step_by(DEPTH) {
            let depth = DEPTH.min(inputs - first);
            // The weights to transform next are prefetched during these products.
            let next = (first + depth) * T::TAPS * width;
            let prefetch_len = DEPTH * T::TAPS * width / T::POINTS;
            // SAFETY: the panel, `x` and `y` are valid (this function's safety contract); `weights`
            // has room for `DEPTH` inputs, and `depth` is at most that.
            unsafe {
                for input in 0..depth {
                    let packed = packed.add((first + input) * T::TAPS * width);
                    let weights = weights.add(input * width);
                    transform_weights::<S, T>(simd, packed, width, weights, DEPTH * width);
                }
                for point in 0..T::POINTS {
                    let panel = weights.add(point * DEPTH * width);
                    let product = Product {
                        rows: x.at(point, 0, first),
                        stride: x.tile_stride,
                        depth,
                        panel,
                        next: packed.wrapping_add(next + point * prefetch_len),
                        prefetch_len,
                    };
                    multiply(simd, product, tiles, |part| {
                        if first == 0 {
                            let done = point * tiles;
                            let share = done + part.start..done + part.end;
                            block.prefetch_output(simd, columns, share, T::POINTS * tiles);
                        }
                        TransformedSums {
                            first: y.at(point, part.start, 0),
                            stride: y.tile_stride,
                            accumulate: first > 0,
                        }
                    });
                }
            }
        }
    }
}

/// Splits the scratch into disjoint parts of these lengths, aligned to cache lines.
pub(super) fn split_scratch<const N: usize>(
    scratch: &mut Vec<f32>,
    lengths: [usize; N],
) -> [*mut f32; N] {
    let lengths = lengths.map(|len| len.next_multiple_of(CACHE_LINE));
    let needed = lengths.iter().sum::<usize>() + CACHE_LINE;
    if scratch.len() < needed {
        scratch.resize(needed, 0.0);
    }
    let start = scratch.as_ptr().align_offset(4 * CACHE_LINE).min(CACHE_LINE);
    let first = scratch[start..].as_mut_ptr();
    let mut offset = 0;
    lengths.map(|length| {
        let part = first.wrapping_add(offset);
        offset += length;
        part
    })
}

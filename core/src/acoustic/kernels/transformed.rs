//! Convolutions of transformed tiles.
//!
//! With a dilation of d the rows are d sequences that interleave: d neighboring tiles make a group.

use std::ops::Range;

use super::convolution::{Finish, width};
use super::filter::Filter;
use super::gemm::{Product, Sums, multiply};
use super::lanes::{Lanes, Vector, unrolled};
use super::transform::{MOST_INPUTS, MOST_POINTS, MOST_TAPS, Transform};
use super::{Epilogue, Plan, Shape};

/// Numbers of a cache line.
const LINE: usize = 16;

/// Weights of this many inputs are transformed together where that is done for every block.
const DEPTH: usize = 128;

/// Inputs between one whose weights are transformed and one whose place is asked for.
const AHEAD: usize = 4;

/// Between the numbers of one point and the next: without it they would all fall on the same lines of a cache.
const PAD: usize = 16;

pub(super) fn plan<L: Lanes, T: Transform>(shape: Shape) -> Plan {
    let group = T::OUTPUTS * shape.dilation;
    let matrices = if T::PACKED { T::POINTS } else { T::TAPS };
    Plan {
        shape,
        panels: shape.outputs / width::<L>(),
        panel_len: matrices
            * if T::PACKED { point_len::<L>(shape) } else { shape.inputs * width::<L>() },
        block: group * (tiles::<T>(shape) / shape.dilation).max(1),
        group,
        rounded: false,
    }
}

/// Numbers from one point of packed weights to the next.
fn point_len<L: Lanes>(shape: Shape) -> usize {
    shape.inputs * width::<L>() + 2 * PAD
}

/// Tiles of a block: few enough that its points stay in the second level of cache, enough that the weights, which come
/// from beyond it for every block, are worth their way.
fn tiles<T: Transform>(shape: Shape) -> usize {
    match (T::PACKED, shape.inputs) {
        (false, _) => 48,
        (true, ..=128) => 24,
        (true, _) => 36,
    }
}

/// Panels whose products are transformed back together: whole rows are better read and written, but need more cache.
fn together<L: Lanes, T: Transform>(shape: Shape) -> usize {
    if T::PACKED { (shape.inputs / 2).div_ceil(width::<L>()) } else { 256 / width::<L>() }
}

/// Packs the transformed weights of a panel: for each point, a matrix.
#[inline(always)]
pub(super) fn pack<L: Lanes, T: Transform>(
    lanes: L,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    let (inputs, columns) = (plan.shape.inputs, width::<L>());
    let point_len = point_len::<L>(plan.shape);
    for pad in packed.chunks_exact_mut(point_len) {
        pad[inputs * columns..].fill(0.0);
    }
    let mut rows = [[0.0; 32]; MOST_TAPS];
    for input in 0..inputs {
        for (tap, row) in rows[..T::TAPS].iter_mut().enumerate() {
            let row = &mut row[..columns];
            filter.expand_vectors(lanes, tap * inputs + input, panel * columns, row);
        }
        // SAFETY: a panel has `columns` numbers for each input of each point.
        unsafe {
            let packed = packed.as_mut_ptr().add(input * columns);
            approach::<L, T>(lanes, packed.wrapping_add(AHEAD * columns), point_len, columns);
            transform_weights::<L, T>(lanes, rows.as_ptr().cast(), 32, packed, point_len);
        }
    }
}

/// Asks for what will be written next: there are more points than streams that the processor follows.
#[inline(always)]
fn approach<L: Lanes, T: Transform>(lanes: L, points: *const f32, from_point: usize, count: usize) {
    for point in 0..T::POINTS {
        for at in (0..count).step_by(LINE) {
            lanes.prefetch(points.wrapping_add(point * from_point + at));
        }
    }
}

/// Transforms the weights of one input and one panel.
///
/// # Safety
///
/// There are as many rows of two vectors as `T` has taps, and room for as many as it has points.
#[inline(always)]
unsafe fn transform_weights<L: Lanes, T: Transform>(
    lanes: L,
    taps: *const f32,
    from_tap: usize,
    points: *mut f32,
    from_point: usize,
) {
    for half in 0..2 {
        let mut w = [lanes.splat(0.0); MOST_TAPS];
        unrolled!(K in [0 1 2 3 4 5 6 7 8 9 10] {
            if K < T::TAPS {
                // SAFETY: the caller's.
                w[K] = unsafe { lanes.load(taps.add(K * from_tap + half * L::WIDTH)) };
            }
        });
        // SAFETY: the caller's.
        unsafe { store_points::<L, T>(T::weights(&w), points.add(half * L::WIDTH), from_point) };
    }
}

/// # Safety
///
/// Vectors can be written there, as many as `T` has points.
#[inline(always)]
unsafe fn store_points<L: Lanes, T: Transform>(
    values: [L::Vector; MOST_POINTS],
    to: *mut f32,
    from_point: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        unrolled!(P in [
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
            25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
        ] {
            if P < T::POINTS {
                values[P].store(to.add(P * from_point));
            }
        });
    }
}

/// The transformed numbers of a block, by point, then tile, then channel.
#[derive(Clone, Copy)]
struct Points {
    first: *mut f32,
    from_point: usize,
    from_tile: usize,
}

impl Points {
    /// Numbers that `points` points of `tiles` tiles take.
    fn room(points: usize, tiles: usize, channels: usize) -> usize {
        points * (tiles * channels + PAD)
    }

    fn new(first: *mut f32, tiles: usize, channels: usize) -> Self {
        Self { first, from_point: tiles * channels + PAD, from_tile: channels }
    }

    /// The points without the first channels.
    fn skip_channels(self, count: usize) -> Self {
        Self { first: self.first.wrapping_add(count), ..self }
    }

    #[inline(always)]
    fn at(self, point: usize, tile: usize, channel: usize) -> *mut f32 {
        self.first.wrapping_add(point * self.from_point + tile * self.from_tile + channel)
    }
}

/// Sums that are transformed outputs.
#[derive(Clone, Copy)]
struct Partial {
    first: *mut f32,
    stride: usize,
    /// Whether there is something to add to.
    begun: bool,
}

impl<L: Lanes> Sums<L> for Partial {
    #[inline(always)]
    fn approach(self, _lanes: L, _row: usize) {}

    #[inline(always)]
    unsafe fn begin(self, lanes: L, row: usize, column: usize) -> L::Vector {
        if self.begun {
            // SAFETY: the caller's.
            unsafe { lanes.load(self.first.add(row * self.stride + column)) }
        } else {
            lanes.splat(0.0)
        }
    }

    #[inline(always)]
    unsafe fn end(self, _lanes: L, row: usize, column: usize, sum: L::Vector) {
        // SAFETY: the caller's.
        unsafe { sum.store(self.first.add(row * self.stride + column)) }
    }
}

/// Convolves whole blocks and what is left of one. The lengths were checked.
#[inline(always)]
pub(super) fn convolve<L: Lanes, T: Transform>(
    lanes: L,
    plan: &Plan,
    packed: &[f32],
    input: &[f32],
    output: &mut [f32],
    epilogue: &Epilogue<'_>,
    scratch: &mut Vec<f32>,
) {
    let Shape { inputs, outputs, dilation, .. } = plan.shape;
    assert!(inputs.is_multiple_of(L::WIDTH));
    let rows = output.len() / outputs;
    let finish = Finish::new(epilogue, output, outputs);
    for start in (0..rows).step_by(plan.block) {
        let count = plan.block.min(rows - start);
        let groups = count / plan.group;
        let tiles = groups * dilation + dilation.min(count - groups * plan.group);
        let block = Block { plan, tiles, count, finish: finish.from(start, 0) };
        // SAFETY: the input has the rows that `count` outputs from `start` on need; `packed` is a whole filter.
        unsafe {
            let input = input.as_ptr().add(start * inputs);
            block.run::<L, T>(lanes, packed.as_ptr(), input, scratch);
        }
    }
}

/// A block of output rows.
struct Block<'a> {
    plan: &'a Plan,
    tiles: usize,
    /// Output rows.
    count: usize,
    finish: Finish,
}

impl Block<'_> {
    /// # Safety
    ///
    /// The weights and the input rows can be read, and the output rows written.
    #[inline(always)]
    unsafe fn run<L: Lanes, T: Transform>(
        &self,
        lanes: L,
        packed: *const f32,
        input: *const f32,
        scratch: &mut Vec<f32>,
    ) {
        let Shape { inputs, .. } = self.plan.shape;
        let together = together::<L, T>(self.plan.shape).min(self.plan.panels);
        let rooms = [
            Points::room(T::POINTS, self.tiles, inputs),
            Points::room(T::POINTS, self.tiles, together * width::<L>()),
            if T::PACKED { 0 } else { T::POINTS * DEPTH * width::<L>() },
        ];
        let [x, y, weights] = divide(scratch, rooms);
        let x = Points::new(x, self.tiles, inputs);
        let y = Points::new(y, self.tiles, together * width::<L>());
        // SAFETY: the caller's, and `divide` made room for all points.
        unsafe {
            self.transform_input::<L, T>(lanes, input, x);
            for first in (0..self.plan.panels).step_by(together) {
                let panels = first..self.plan.panels.min(first + together);
                let packed = packed.add(first * self.plan.panel_len);
                let columns = first * width::<L>()..panels.end * width::<L>();
                if T::PACKED {
                    self.multiply::<L, T>(lanes, x, packed, &columns, y);
                } else {
                    for panel in 0..panels.len() {
                        let packed = packed.add(panel * self.plan.panel_len);
                        let y = y.skip_channels(panel * width::<L>());
                        let start = columns.start + panel * width::<L>();
                        let part = start..start + width::<L>();
                        self.multiply_untransformed::<L, T>(lanes, x, packed, weights, &part, y);
                    }
                }
                self.transform_output::<L, T>(lanes, y, columns);
            }
        }
    }

    /// # Safety
    ///
    /// As for [`Self::run`]; `x` has room.
    #[inline(always)]
    unsafe fn transform_input<L: Lanes, T: Transform>(
        &self,
        lanes: L,
        input: *const f32,
        x: Points,
    ) {
        let Shape { inputs, .. } = self.plan.shape;
        for tile in 0..self.tiles {
            let first = self.first_row(tile) * inputs;
            let stride = self.plan.shape.dilation * inputs;
            for channel in (0..inputs).step_by(L::WIDTH) {
                // SAFETY: the caller's.
                unsafe {
                    let input = input.add(first + channel);
                    let mut values = [lanes.splat(0.0); MOST_INPUTS];
                    unrolled!(N in [
                        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
                        20 21 22 23 24 25 26 27 28 29 30 31 32 33
                    ] {
                        if N < T::OUTPUTS + T::TAPS - 1 {
                            values[N] = lanes.load(input.add(N * stride));
                        }
                    });
                    store_points::<L, T>(T::input(&values), x.at(0, tile, channel), x.from_point);
                }
            }
        }
    }

    /// The row of a tile's first output.
    #[inline(always)]
    fn first_row(&self, tile: usize) -> usize {
        let dilation = self.plan.shape.dilation;
        tile / dilation * self.plan.group + tile % dilation
    }

    /// Multiplies with transformed weights.
    ///
    /// # Safety
    ///
    /// `x` and the panels can be read, and `y` written.
    #[inline(always)]
    unsafe fn multiply<L: Lanes, T: Transform>(
        &self,
        lanes: L,
        x: Points,
        packed: *const f32,
        columns: &Range<usize>,
        y: Points,
    ) {
        let depth = self.plan.shape.inputs;
        let panels = columns.len() / width::<L>();
        for point in 0..T::POINTS {
            for panel in 0..panels {
                let at = |point, panel| {
                    packed.wrapping_add(
                        panel * self.plan.panel_len + point * point_len::<L>(self.plan.shape),
                    )
                };
                let last = panel + 1 == panels;
                // SAFETY: the caller's.
                unsafe {
                    let product = Product {
                        rows: x.at(point, 0, 0),
                        stride: x.from_tile,
                        depth,
                        panel: at(point, panel),
                        next: if last { at(point + 1, 0) } else { at(point, panel + 1) },
                        ahead: depth * width::<L>(),
                    };
                    multiply(lanes, product, self.tiles, |tiles| {
                        let done = (point * panels + panel) * self.tiles;
                        let part = done + tiles.start..done + tiles.end;
                        self.approach_output(lanes, columns, part, T::POINTS * panels * self.tiles);
                        Partial {
                            first: y.at(point, tiles.start, panel * width::<L>()),
                            stride: y.from_tile,
                            begun: false,
                        }
                    });
                }
            }
        }
    }

    /// Multiplies with a panel whose weights are yet to be transformed.
    ///
    /// # Safety
    ///
    /// As for [`Self::multiply`]; `weights` has room for the points of [`DEPTH`] inputs.
    #[inline(always)]
    unsafe fn multiply_untransformed<L: Lanes, T: Transform>(
        &self,
        lanes: L,
        x: Points,
        packed: *const f32,
        weights: *mut f32,
        columns: &Range<usize>,
        y: Points,
    ) {
        let (inputs, width) = (self.plan.shape.inputs, width::<L>());
        for first in (0..inputs).step_by(DEPTH) {
            let depth = DEPTH.min(inputs - first);
            // While these are multiplied, those that are transformed next come near.
            let next = (first + depth) * T::TAPS * width;
            let ahead = DEPTH * T::TAPS * width / T::POINTS;
            // SAFETY: the caller's.
            unsafe {
                for input in 0..depth {
                    let packed = packed.add((first + input) * T::TAPS * width);
                    let weights = weights.add(input * width);
                    transform_weights::<L, T>(lanes, packed, width, weights, DEPTH * width);
                }
                for point in 0..T::POINTS {
                    let panel = weights.add(point * DEPTH * width);
                    let product = Product {
                        rows: x.at(point, 0, first),
                        stride: x.from_tile,
                        depth,
                        panel,
                        next: packed.wrapping_add(next + point * ahead),
                        ahead,
                    };
                    multiply(lanes, product, self.tiles, |tiles| {
                        if first == 0 {
                            let done = point * self.tiles;
                            let part = done + tiles.start..done + tiles.end;
                            self.approach_output(lanes, columns, part, T::POINTS * self.tiles);
                        }
                        Partial {
                            first: y.at(point, tiles.start, 0),
                            stride: y.from_tile,
                            begun: first > 0,
                        }
                    });
                }
            }
        }
    }

    /// Brings near what will be read and written when these columns are finished: a part of so many.
    #[inline(always)]
    fn approach_output<L: Lanes>(
        &self,
        lanes: L,
        columns: &Range<usize>,
        part: Range<usize>,
        parts: usize,
    ) {
        for row in self.count * part.start / parts..self.count * part.end / parts {
            for column in columns.clone().step_by(LINE) {
                self.finish.approach(lanes, row, column);
            }
        }
    }

    /// Transforms the outputs of neighboring panels and finishes them.
    ///
    /// # Safety
    ///
    /// `y` can be read, and the output rows written.
    #[inline(always)]
    unsafe fn transform_output<L: Lanes, T: Transform>(
        &self,
        lanes: L,
        y: Points,
        columns: Range<usize>,
    ) {
        let dilation = self.plan.shape.dilation;
        for tile in 0..self.tiles {
            let first = self.first_row(tile);
            let rows = (self.count - first).div_ceil(dilation);
            for offset in (0..columns.len()).step_by(L::WIDTH) {
                // SAFETY: the caller's; only rows that there are are written.
                unsafe {
                    let finish = self.finish.from(first, columns.start + offset);
                    let mut products = [lanes.splat(0.0); MOST_POINTS];
                    unrolled!(P in [
                        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
                        25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
                    ] {
                        if P < T::POINTS {
                            products[P] = lanes.load(y.at(P, tile, offset));
                        }
                    });
                    let values = T::output(&products);
                    if rows >= T::OUTPUTS {
                        unrolled!(N in [
                            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27
                        ] {
                            if N < T::OUTPUTS {
                                finish.write(lanes, N * dilation, 0, values[N]);
                            }
                        });
                    } else {
                        for (n, value) in values[..rows].iter().enumerate() {
                            finish.write(lanes, n * dilation, 0, *value);
                        }
                    }
                }
            }
        }
    }
}

/// Three parts of the scratch, aligned to cache lines.
fn divide(scratch: &mut Vec<f32>, rooms: [usize; 3]) -> [*mut f32; 3] {
    let rooms = rooms.map(|room| room.next_multiple_of(LINE));
    let whole = rooms.iter().sum::<usize>() + LINE;
    if scratch.len() < whole {
        scratch.resize(whole, 0.0);
    }
    let start = scratch.as_ptr().align_offset(4 * LINE).min(LINE);
    let first = scratch[start..].as_mut_ptr();
    [0, rooms[0], rooms[0] + rooms[1]].map(|offset| first.wrapping_add(offset))
}

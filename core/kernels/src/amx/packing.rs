//! Packs weights in the order in which the tiles read them.

use half::bf16;

use super::super::filter::Filter;
use super::super::plan::Shape;
use super::rounding::round_pairs;
use super::tiles::{DEPTH, SIDE};

/// The elements that hold the scales of [`SIDE`] outputs, each as the two halves of a
/// single-precision value.
const SCALES: usize = SIDE * size_of::<f32>() / size_of::<bf16>();

/// The packed weights of [`SIDE`] outputs.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    /// The scale of each output's weights.
    pub(super) scales: [f32; SIDE],
    /// In the order of [`Tiles::multiply`](super::tiles::Tiles::multiply).
    pub(super) weights: &'a [bf16],
}

impl<'a> Panel<'a> {
    /// The number of elements in a panel.
    pub(super) fn len(shape: &Shape) -> usize {
        SCALES + shape.taps * depth(shape) * SIDE
    }

    /// Reads a panel written by [`pack`].
    pub(super) fn new(packed: &'a [bf16]) -> Self {
        let (scales, weights) = packed.split_at(SCALES);
        let (halves, _) = scales.as_chunks::<2>();
        let scales = std::array::from_fn(|column| {
            let [low, high] = halves[column].map(|half| u32::from(half.to_bits()));
            f32::from_bits(high << 16 | low)
        });
        Self { scales, weights }
    }
}

/// The elements of an input row that the tiles read: the channels, and padding with zero weights.
pub(super) fn depth(shape: &Shape) -> usize {
    shape.inputs.next_multiple_of(DEPTH)
}

/// Packs the weights of [`SIDE`] outputs, starting at a column.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(super) fn pack(filter: &Filter<'_>, shape: &Shape, column: usize, packed: &mut [bf16]) {
    let (scales, weights) = packed.split_at_mut(SCALES);
    pack_scales(filter, column, scales);
    let Shape { taps, inputs, .. } = *shape;
    let (rows, _) = weights.as_chunks_mut::<2>().0.as_chunks_mut::<{ SIDE / 2 }>();
    let (tiles, _) = rows.as_chunks_mut::<{ DEPTH / 2 }>();
    let (steps, _) = tiles.as_chunks_mut::<2>();
    for (step, [left, right]) in steps.iter_mut().enumerate() {
        let (first, tap) = (step / taps * DEPTH, step % taps);
        for (pair, (left, right)) in left.iter_mut().zip(right).enumerate() {
            let mut weights = [[0.0; SIDE]; 2];
            for (input, weights) in (first + 2 * pair..inputs).zip(&mut weights) {
                filter.decode_unscaled(tap * inputs + input, column, weights);
            }
            let [even, odd] = weights.each_ref().map(|row| row.as_chunks().0);
            round_pairs([&even[0], &odd[0]], left);
            round_pairs([&even[1], &odd[1]], right);
        }
    }
}

fn pack_scales(filter: &Filter<'_>, column: usize, packed: &mut [bf16]) {
    let mut scales = [0.0; SIDE];
    filter.scales(column, &mut scales);
    for (halves, scale) in packed.as_chunks_mut::<2>().0.iter_mut().zip(scales) {
        let bits = scale.to_bits();
        *halves = [bits as u16, (bits >> 16) as u16].map(bf16::from_bits);
    }
}

//! The network: computes label scores for each letter of a word.
//!
//! The embedding of a letter and hashed embeddings of its context go through blocks of
//! self-attention (Vaswani et al., "Attention Is All You Need", 2017) and a convolution over three
//! letters. It is not autoregressive. `research/g2p/model.py` is the same network for training.

use ndarray::{Array2, ArrayView1, ArrayViewMut1, Axis, Zip};

use super::decode::Labels;
use super::weights::{Matrix, Reader, Shape, Table};

/// The padding (id 0), `'`, and the letters.
const LETTERS: usize = 28;
const NORM_EPSILON: f32 = 1e-5;

/// The axes of a matrix.
const ROWS: Axis = Axis(0);
const COLUMNS: Axis = Axis(1);

/// The transcription style. The network learned three, one for each training lexicon; two are used.
#[derive(Clone, Copy)]
pub(super) enum Style {
    Word = 0,
    Name = 1,
}

const STYLES: usize = 3;

pub(super) struct Network {
    shape: Shape,
    pub(super) labels: Labels,
    letter: Array2<f32>,
    style: Array2<f32>,
    windows: Vec<(Table, Matrix)>,
    blocks: Vec<Block>,
    norm: Vec<f32>,
    out: Matrix,
    out_bias: Vec<f32>,
}

struct Block {
    attention: Attention,
    convolution: Convolution,
}

struct Attention {
    norm: Vec<f32>,
    input: Matrix,
    /// Relative position bias of each head, by distance from `-reach` to `reach`.
    distance: Vec<f32>,
    output: Matrix,
}

struct Convolution {
    norm: Vec<f32>,
    input: Matrix,
    bias: Vec<f32>,
    output: Matrix,
}

impl Network {
    pub(super) fn read(file: &'static [u8]) -> Self {
        let mut reader = Reader::new(file);
        let shape = reader.shape();
        let sounds = reader.labels(shape.labels);
        let network = Self {
            letter: reader.rows(LETTERS, shape.width),
            style: reader.rows(STYLES, shape.width),
            windows: shape
                .windows
                .iter()
                .map(|window| {
                    let table = reader.table(window.size, shape.window_width);
                    (table, reader.matrix(shape.window_width, shape.width))
                })
                .collect(),
            blocks: (0..shape.blocks).map(|_| Block::read(&mut reader, &shape)).collect(),
            norm: reader.vector(shape.width),
            out: reader.matrix(shape.width, shape.labels),
            out_bias: reader.vector(shape.labels),
            labels: Labels::new(sounds, reader.ngrams()),
            shape,
        };
        assert!(reader.is_at_end(), "the file has nothing after the n-grams");
        network
    }

    /// The phonemes of a word. `letters` are bytes of `'` and `a` to `z`.
    pub(super) fn phonemes(&self, letters: &[u8], style: Style) -> String {
        let ids: Vec<usize> = letters.iter().map(|letter| id(*letter)).collect();
        self.labels.phonemes(&ids, &self.scores(&ids, style))
    }

    /// The scores of the labels for each letter.
    fn scores(&self, ids: &[usize], style: Style) -> Array2<f32> {
        let mut x = self.letter.select(ROWS, ids);
        x += &self.style.row(style as usize);
        for (window, (table, input)) in self.shape.windows.iter().zip(&self.windows) {
            let mut found = Array2::zeros((ids.len(), self.shape.window_width));
            for (at, mut row) in found.rows_mut().into_iter().enumerate() {
                let place = hash(ids, at, window.before, window.after) & (window.size - 1);
                row.iter_mut().zip(table.row(place)).for_each(|(value, read)| *value = read);
            }
            x += &input.product(&found);
        }
        for block in &self.blocks {
            block.attention.add_to(&mut x, &self.shape);
            block.convolution.add_to(&mut x);
        }
        let mut scores = self.out.product(&normalized(&x, &self.norm));
        scores += &ArrayView1::from(&self.out_bias);
        scores
    }
}

impl Block {
    fn read(reader: &mut Reader, shape: &Shape) -> Self {
        let Shape { width, inner, .. } = *shape;
        Self {
            attention: Attention {
                norm: reader.vector(width),
                input: reader.matrix(width, 3 * width),
                distance: reader.vector(shape.heads * (2 * shape.reach + 1)),
                output: reader.matrix(width, width),
            },
            convolution: Convolution {
                norm: reader.vector(width),
                input: reader.matrix(3 * width, inner),
                bias: reader.vector(inner),
                output: reader.matrix(inner, width),
            },
        }
    }
}

impl Attention {
    fn add_to(&self, x: &mut Array2<f32>, shape: &Shape) {
        let (length, width) = x.dim();
        let projected = self.input.product(&normalized(x, &self.norm));
        let size = width / shape.heads;
        let mut mixed = Array2::zeros((length, width));
        for head in 0..shape.heads {
            let part = |which: usize| {
                let start = which * width + head * size;
                projected.slice_axis(COLUMNS, (start..start + size).into())
            };
            let (queries, keys, values) = (part(0), part(1), part(2));
            let mut weights = queries.dot(&keys.t()) / (size as f32).sqrt();
            let distances = &self.distance[head * (2 * shape.reach + 1)..];
            for ((from, to), weight) in weights.indexed_iter_mut() {
                *weight += distances[(to + shape.reach).saturating_sub(from).min(2 * shape.reach)];
            }
            weights.rows_mut().into_iter().for_each(softmax);
            let mut part = mixed.slice_axis_mut(COLUMNS, (head * size..(head + 1) * size).into());
            part.assign(&weights.dot(&values));
        }
        *x += &self.output.product(&mixed);
    }
}

impl Convolution {
    fn add_to(&self, x: &mut Array2<f32>) {
        let (length, width) = x.dim();
        let y = normalized(x, &self.norm);
        let mut near = Array2::zeros((length, 3 * width));
        let (mut before, rest) = near.view_mut().split_at(COLUMNS, width);
        let (mut here, mut after) = rest.split_at(COLUMNS, width);
        before
            .slice_axis_mut(ROWS, (1..).into())
            .assign(&y.slice_axis(ROWS, (..length - 1).into()));
        here.assign(&y);
        after.slice_axis_mut(ROWS, (..length - 1).into()).assign(&y.slice_axis(ROWS, (1..).into()));
        let mut inner = self.input.product(&near);
        Zip::from(inner.rows_mut()).for_each(|row| {
            row.into_iter()
                .zip(&self.bias)
                .for_each(|(value, bias)| *value = (*value + bias).max(0.0));
        });
        *x += &self.output.product(&inner);
    }
}

fn id(letter: u8) -> usize {
    if letter == b'\'' { 1 } else { usize::from(letter - b'a') + 2 }
}

/// The FNV-1a hash of the ids in a window around a letter.
fn hash(ids: &[usize], at: usize, before: usize, after: usize) -> usize {
    let hash = (at..=at + before + after).fold(2_166_136_261_u32, |hash, place| {
        let id = place.checked_sub(before).and_then(|place| ids.get(place)).copied().unwrap_or(0);
        (hash ^ id as u32).wrapping_mul(16_777_619)
    });
    // The low bits alone hardly depend on the first letters.
    (hash ^ (hash >> 15)) as usize
}

/// Root mean square normalization of each row.
fn normalized(x: &Array2<f32>, scale: &[f32]) -> Array2<f32> {
    let mut y = x.clone();
    for mut row in y.rows_mut() {
        let mean = row.iter().map(|value| value * value).sum::<f32>() / scale.len() as f32;
        let factor = (mean + NORM_EPSILON).sqrt().recip();
        row.iter_mut().zip(scale).for_each(|(value, scale)| *value *= factor * scale);
    }
    y
}

fn softmax(mut row: ArrayViewMut1<f32>) {
    let largest = row.fold(f32::NEG_INFINITY, |largest, value| largest.max(*value));
    row.mapv_inplace(|value| (value - largest).exp());
    let sum = row.sum();
    row /= sum;
}

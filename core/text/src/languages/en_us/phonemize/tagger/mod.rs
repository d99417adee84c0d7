//! The part-of-speech tagger: spaCy's `en_core_web_sm` with 8-bit weights.
//!
//! Four features of a token are hashed into embedding tables and joined by a maxout layer. Four
//! residual layers each add one token of context on both sides (Miranda et al., "Multi hash
//! embeddings in spaCy", 2022), so a tag depends on four tokens on each side. Only the inputs of
//! requested tags are computed.
//!
//! `tools/lexicon` makes `tagger.bin`. Integers are little-endian, and floats have 32 bits:
//!
//! - the tables of norm, prefix, suffix and shape: rows of 96 8-bit weights, then a scale per row;
//! - the first layer: 288 rows of 384 weights, scales, the biases without and with a following
//!   space; gain and bias of the normalization, 96 each;
//! - four similar layers with 288 weights per row and one set of biases;
//! - 50 rows of 96 weights for the tags, scales, biases;
//! - the tables of [`features`]: a length in 32 bits, then pairs of 64 bits.

mod features;
mod tag;
mod tokens;

use speech_base::fork::LazyLock;

use features::{Features, Ids, Table};
pub(super) use tag::Tag;
pub(super) use tokens::{TaggerToken, tokenize};

static BYTES: &[u8] = include_bytes!("../../data/tagger.bin");

const WIDTH: usize = 96;
/// Maxout: each output is the maximum of three linear pieces.
const PIECES: usize = 3;
const OUTPUTS: usize = WIDTH * PIECES;
const WINDOW: usize = 3 * WIDTH;
const EMBEDDED: usize = 4 * WIDTH;
const LAYERS: usize = 4;
const EMBEDDING_ROWS: [usize; 4] = [5000, 1000, 2500, 2500];
const SEEDS: [u32; 4] = [8, 9, 10, 11];
/// Zero rows that spaCy adds at both ends of a text before the residual layers.
const PAD: usize = LAYERS;
/// The largest 16-bit activation: the sum of 384 products with 8-bit weights fits 32 bits.
const LARGEST: f32 = 16_383.0;

const TAGS: [&str; 50] = [
    "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "ADD", "AFX", "CC", "CD", "DT", "EX", "FW", "HYPH",
    "IN", "JJ", "JJR", "JJS", "LS", "MD", "NFP", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP",
    "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ",
    "WDT", "WP", "WP$", "WRB", "XX", "_SP", "``",
];

/// A weight matrix in the data.
#[derive(Clone, Copy)]
struct Rows {
    weights: &'static [u8],
    scales: Floats,
    inputs: usize,
}

#[derive(Clone, Copy)]
struct Floats(&'static [[u8; 4]]);

impl Floats {
    fn get(self, at: usize) -> f32 {
        f32::from_le_bytes(self.0[at])
    }
}

impl Rows {
    fn row(&self, at: usize) -> &'static [u8] {
        &self.weights[at * self.inputs..][..self.inputs]
    }
}

struct Layer {
    rows: Rows,
    bias: Floats,
    gain: Floats,
    shift: Floats,
}

pub(super) struct Tagger {
    embeddings: [Rows; 4],
    first: Layer,
    /// The biases of the first layer for a token with a space after it.
    spaced: Floats,
    residual: [Layer; LAYERS],
    tags: Rows,
    tag_bias: Floats,
    ids: Ids,
}

pub(super) static TAGGER: LazyLock<Tagger> = LazyLock::new(Tagger::in_place);

/// Reads the data from its start.
struct Cursor(&'static [u8]);

impl Cursor {
    fn take(&mut self, length: usize) -> &'static [u8] {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    fn floats(&mut self, count: usize) -> Floats {
        Floats(self.take(4 * count).as_chunks().0)
    }

    fn rows(&mut self, count: usize, inputs: usize) -> Rows {
        Rows { weights: self.take(count * inputs), scales: self.floats(count), inputs }
    }

    fn layer(&mut self, inputs: usize) -> Layer {
        Layer {
            rows: self.rows(OUTPUTS, inputs),
            bias: self.floats(OUTPUTS),
            gain: self.floats(WIDTH),
            shift: self.floats(WIDTH),
        }
    }

    fn table(&mut self) -> Table {
        let length = u32::from_le_bytes(self.take(4).as_chunks().0[0]);
        Table(self.take(16 * length as usize).as_chunks().0)
    }
}

impl Tagger {
    fn in_place() -> Self {
        let mut data = Cursor(BYTES);
        let embeddings = EMBEDDING_ROWS.map(|rows| data.rows(rows, WIDTH));
        let rows = data.rows(OUTPUTS, EMBEDDED);
        let bias = data.floats(OUTPUTS);
        let spaced = data.floats(OUTPUTS);
        let first = Layer { rows, bias, gain: data.floats(WIDTH), shift: data.floats(WIDTH) };
        let residual = std::array::from_fn(|_| data.layer(WINDOW));
        let tags = data.rows(TAGS.len(), WIDTH);
        let tag_bias = data.floats(TAGS.len());
        let ids = Ids { symbols: data.table(), norms: data.table() };
        Self { embeddings, first, spaced, residual, tags, tag_bias, ids }
    }

    /// The tags of the wanted tokens; others stay unknown.
    pub(super) fn tag(&self, tokens: &[TaggerToken<'_>], wanted: &[bool]) -> Vec<Tag> {
        let needed = needed(wanted);
        let mut state = self.embed(tokens, &needed[0]);
        for (layer, needed) in self.residual.iter().zip(&needed[1..]) {
            let places: Vec<usize> = (0..needed.len()).filter(|at| needed[*at]).collect();
            let inputs = places.iter().map(|at| window(&state, *at)).collect();
            let outputs = layer.run(inputs, |_| layer.bias);
            for (at, output) in places.into_iter().zip(outputs) {
                for (value, change) in state[at].iter_mut().zip(output) {
                    *value += change;
                }
            }
        }
        let tag = |(at, wanted): (usize, &bool)| {
            if *wanted { self.best(&state[at + PAD]) } else { Tag::UNKNOWN }
        };
        wanted.iter().enumerate().map(tag).collect()
    }

    /// The first layer for the needed tokens; other rows are zero.
    fn embed(&self, tokens: &[TaggerToken<'_>], needed: &[bool]) -> Vec<[f32; WIDTH]> {
        let places: Vec<usize> = (0..tokens.len()).filter(|at| needed[at + PAD]).collect();
        let inputs = places
            .iter()
            .map(|at| Activation::of(&self.embeddings(&self.ids.features(&tokens[*at]))))
            .collect();
        let bias = |i: usize| if tokens[places[i]].spaced { self.spaced } else { self.first.bias };
        let outputs = self.first.run(inputs, bias);
        let mut state = vec![[0.0; WIDTH]; tokens.len() + 2 * PAD];
        for (at, output) in places.iter().zip(outputs) {
            state[at + PAD] = output;
        }
        state
    }

    /// The embeddings of the features, each the sum of four rows.
    fn embeddings(&self, features: &Features) -> [f32; EMBEDDED] {
        let mut sums = [0.0; EMBEDDED];
        for (i, sums) in sums.chunks_exact_mut(WIDTH).enumerate() {
            for key in keys(features[i], SEEDS[i]) {
                let row = key as usize % EMBEDDING_ROWS[i];
                let scale = self.embeddings[i].scales.get(row);
                for (sum, weight) in sums.iter_mut().zip(self.embeddings[i].row(row)) {
                    *sum += f32::from(weight.cast_signed()) * scale;
                }
            }
        }
        sums
    }

    fn best(&self, state: &[f32; WIDTH]) -> Tag {
        let score = |tag: usize| {
            let weights = self.tags.row(tag).iter().map(|weight| f32::from(weight.cast_signed()));
            let sum: f32 = weights.zip(state).map(|(weight, value)| weight * value).sum();
            sum * self.tags.scales.get(tag) + self.tag_bias.get(tag)
        };
        let scores = TAGS.iter().enumerate().map(|(i, tag)| (score(i), *tag));
        let best = scores.max_by(|(a, _), (b, _)| a.total_cmp(b));
        best.map_or(Tag::UNKNOWN, |(_, tag)| Tag::new(tag))
    }
}

/// The rows that each layer must compute, embeddings first, including the padding.
fn needed(wanted: &[bool]) -> [Vec<bool>; LAYERS + 1] {
    let mut needed: [Vec<bool>; LAYERS + 1] = Default::default();
    let padding = [false; PAD];
    needed[LAYERS] = [&padding, wanted, &padding].concat();
    for layer in (0..LAYERS).rev() {
        let after = &needed[layer + 1];
        let is_near =
            |at: usize| after[at.saturating_sub(1)..(at + 2).min(after.len())].contains(&true);
        needed[layer] = (0..after.len()).map(is_near).collect();
    }
    needed
}

/// The rows of a token and its neighbors.
fn window(state: &[[f32; WIDTH]], at: usize) -> Activation {
    let mut window = [0.0; WINDOW];
    for (i, part) in window.chunks_exact_mut(WIDTH).enumerate() {
        if let Some(neighbour) = (at + i).checked_sub(1).and_then(|at| state.get(at)) {
            part.copy_from_slice(neighbour);
        }
    }
    Activation::of(&window)
}

/// A layer input in 16 bits.
struct Activation {
    values: Vec<i16>,
    scale: f32,
}

impl Activation {
    fn of(values: &[f32]) -> Self {
        let largest = values.iter().fold(f32::MIN_POSITIVE, |largest, v| largest.max(v.abs()));
        let factor = LARGEST / largest;
        Self {
            values: values.iter().map(|value| (value * factor) as i16).collect(),
            scale: largest / LARGEST,
        }
    }
}

impl Layer {
    /// The outputs for each input. `bias` returns the biases of an input.
    fn run(&self, inputs: Vec<Activation>, bias: impl Fn(usize) -> Floats) -> Vec<[f32; WIDTH]> {
        let mut outputs = vec![[f32::NEG_INFINITY; WIDTH]; inputs.len()];
        let mut row = vec![0_i16; self.rows.inputs];
        for output in 0..OUTPUTS {
            for (wide, weight) in row.iter_mut().zip(self.rows.row(output)) {
                *wide = i16::from(weight.cast_signed());
            }
            let scale = self.rows.scales.get(output);
            for (i, input) in inputs.iter().enumerate() {
                let sum = dot(&row, &input.values) as f32 * (scale * input.scale);
                let value = sum + bias(i).get(output);
                let largest = &mut outputs[i][output / PIECES];
                *largest = largest.max(value);
            }
        }
        for output in &mut outputs {
            self.normalize(output);
        }
        outputs
    }

    fn normalize(&self, values: &mut [f32; WIDTH]) {
        const EPSILON: f32 = 1e-8;
        let mean = values.iter().sum::<f32>() / WIDTH as f32;
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / WIDTH as f32;
        let factor = 1.0 / (variance + EPSILON).sqrt();
        for (i, value) in values.iter_mut().enumerate() {
            *value = (*value - mean) * factor * self.gain.get(i) + self.shift.get(i);
        }
    }
}

/// Uses eight sums, so that the compiler can vectorize it.
fn dot(a: &[i16], b: &[i16]) -> i32 {
    let mut sums = [0_i32; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        let products: [i32; 8] = std::array::from_fn(|i| i32::from(a[i]) * i32::from(b[i]));
        for (sum, product) in sums.iter_mut().zip(products) {
            *sum += product;
        }
    }
    sums.iter().sum()
}

/// The four table rows of a value: MurmurHash3 of one 64-bit value.
fn keys(value: u64, seed: u32) -> [u32; 4] {
    let mix = |mut h: u64| {
        h ^= h >> 33;
        h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
        h ^= h >> 33;
        h = h.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        h ^ (h >> 33)
    };
    let seeded = u64::from(seed) ^ 8;
    let keyed = value
        .wrapping_mul(0x87c3_7b91_1142_53d5)
        .rotate_left(31)
        .wrapping_mul(0x4cf5_ad43_2745_937f);
    let first = (keyed ^ seeded).wrapping_add(seeded);
    let second = mix(first.wrapping_add(seeded));
    let first = mix(first).wrapping_add(second);
    let second = first.wrapping_add(second);
    [first as u32, (first >> 32) as u32, second as u32, (second >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str, wanted: impl Fn(usize) -> bool) -> Vec<&'static str> {
        let words: Vec<&str> = text.split(' ').collect();
        let tokens: Vec<TaggerToken<'_>> = words
            .iter()
            .enumerate()
            .map(|(i, word)| TaggerToken { text: word, norm: None, spaced: i + 2 < words.len() })
            .collect();
        let wanted: Vec<bool> = (0..tokens.len()).map(wanted).collect();
        TAGGER.tag(&tokens, &wanted).into_iter().map(Tag::name).collect()
    }

    crate::row_tests::rows! { tags_in_context: |[text]| tags(text, |_| true).join(" "); }

    #[test]
    fn a_tag_is_the_same_whatever_else_is_asked() {
        let text =
            "If you press the green button twice , the machine returns to its first screen .";
        let all = tags(text, |_| true);
        for (at, tag) in all.iter().enumerate() {
            assert_eq!(tags(text, |i| i == at)[at], *tag, "{at}");
        }
    }
}

//! Encodes the tagger in the layout documented in
//! `core/text/src/languages/en_us/phonemize/tagger/mod.rs`, which reads it.
//!
//! spaCy's network in eight bits: each row of weights has its own scale. The contribution of the
//! last two of the six features is constant except for one bit (whether a space follows), so it is
//! folded into the biases.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use misaki_rs::{norms, spacy_tagger, symbols};

const WIDTH: usize = 96;
const PIECES: usize = 3;
const OUTPUTS: usize = WIDTH * PIECES;
const TAGS: usize = 50;
const LAYERS: usize = 5;
/// The rows of the embedding tables: norm, prefix, suffix, shape, whether a space follows, whether
/// it is a space.
const ROWS: [usize; 6] = [5000, 1000, 2500, 2500, 50, 50];
/// The tables that are stored as tables.
const TABLES: usize = 4;
/// The rows that thinc's hash selects for the values 0 and 1 of the last two tables, with the
/// tables' seeds 12 and 13.
const SEEDS: [u32; 2] = [12, 13];

/// Quantizes the weights, and adds the tables that turn words into features.
pub(crate) fn encode(weights: &[u8], labels: &str) -> Result<Vec<u8>> {
    let mut weights = Weights(weights);
    let mut out = Vec::new();
    let mut tables = Vec::new();
    for rows in ROWS {
        tables.push(weights.take(rows * WIDTH)?);
    }
    for table in &tables[..TABLES] {
        push_rows(&mut out, table, WIDTH);
    }
    for layer in 0..LAYERS {
        let inputs = if layer == 0 { WIDTH * ROWS.len() } else { OUTPUTS };
        let (matrix, bias) = (weights.take(OUTPUTS * inputs)?, weights.take(OUTPUTS)?);
        if layer == 0 {
            push_first_layer(&mut out, &matrix, &bias, &tables);
        } else {
            push_rows(&mut out, &matrix, inputs);
            push_floats(&mut out, &bias);
        }
        push_floats(&mut out, &weights.take(WIDTH)?);
        push_floats(&mut out, &weights.take(WIDTH)?);
    }
    push_rows(&mut out, &weights.take(TAGS * WIDTH)?, WIDTH);
    push_floats(&mut out, &weights.take(TAGS)?);
    ensure!(weights.0.is_empty(), "weights are left over");
    ensure!(labels.lines().count() == TAGS, "a label for each tag");
    push_table(&mut out, &ids_of_symbols());
    push_table(&mut out, &norms_of_words());
    Ok(out)
}

/// The first layer without the two constant features, which give one bias if no space follows and
/// another if one does.
fn push_first_layer(out: &mut Vec<u8>, matrix: &[f32], bias: &[f32], tables: &[Vec<f32>]) {
    let inputs = WIDTH * ROWS.len();
    let kept: Vec<f32> =
        matrix.chunks(inputs).flat_map(|row| &row[..WIDTH * TABLES]).copied().collect();
    push_rows(out, &kept, WIDTH * TABLES);
    for space_follows in [0, 1] {
        let mut constant = vec![0.0; WIDTH * 2];
        for (i, value) in [space_follows, 0].into_iter().enumerate() {
            for key in hash(value, SEEDS[i]) {
                let row = key as usize % ROWS[TABLES + i] * WIDTH;
                let row = &tables[TABLES + i][row..row + WIDTH];
                for (sum, weight) in constant[i * WIDTH..].iter_mut().zip(row) {
                    *sum += weight;
                }
            }
        }
        let biases: Vec<f32> = matrix
            .chunks(inputs)
            .zip(bias)
            .map(|(row, bias)| {
                let constant = row[WIDTH * TABLES..].iter().zip(&constant);
                bias + constant.map(|(weight, value)| weight * value).sum::<f32>()
            })
            .collect();
        push_floats(out, &biases);
    }
}

/// thinc's MurmurHash3 of one 64-bit value.
fn hash(value: u64, seed: u32) -> [u32; 4] {
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

/// The weights not read yet.
struct Weights<'a>(&'a [u8]);

impl Weights<'_> {
    fn take(&mut self, count: usize) -> Result<Vec<f32>> {
        ensure!(self.0.len() >= count * 4, "the weights end early");
        let (taken, rest) = self.0.split_at(count * 4);
        self.0 = rest;
        Ok(taken.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }
}

/// The rows in eight bits, then their scales.
fn push_rows(out: &mut Vec<u8>, matrix: &[f32], inputs: usize) {
    let mut scales = Vec::new();
    for row in matrix.chunks(inputs) {
        let largest = row.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
        let scale = if largest == 0.0 { 1.0 } else { largest / 127.0 };
        out.extend(row.iter().map(|weight| (weight / scale).round() as i8 as u8));
        scales.push(scale);
    }
    push_floats(out, &scales);
}

fn push_floats(out: &mut Vec<u8>, floats: &[f32]) {
    out.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
}

/// The length, then key-value pairs sorted by key.
fn push_table(out: &mut Vec<u8>, table: &BTreeMap<u64, u64>) {
    out.extend((table.len() as u32).to_le_bytes());
    out.extend(
        table.iter().flat_map(|(key, value)| [key.to_le_bytes(), value.to_le_bytes()].concat()),
    );
}

/// The strings that spaCy numbers itself instead of hashing them.
fn ids_of_symbols() -> BTreeMap<u64, u64> {
    symbols::SYMBOLS.iter().map(|(text, id)| (spacy_tagger::hash_string(text), *id)).collect()
}

/// The words whose norm is not their lower-case form, with the id of the norm.
fn norms_of_words() -> BTreeMap<u64, u64> {
    let id = |norm: &str| symbols::string_id(norm, spacy_tagger::hash_string);
    let listed = [norms::EXCEPTION_NORMS, norms::BASE_NORMS].into_iter().flatten();
    let mut table: BTreeMap<u64, u64> =
        norms::LEXEME_NORMS.iter().map(|(word, norm)| (*word, id(norm))).collect();
    table.extend(listed.map(|(word, norm)| (spacy_tagger::hash_string(word), id(norm))));
    table
}

//! The text encoder: ConvNeXt blocks, and one transformer layer that is applied several times.

use speech_base::error::{Error, Result};
use speech_kernels::{Activation, Kernels};

use super::EPSILON;
use super::block::Block;
use super::product::Product;
use crate::network::attention::attention;
use crate::network::convolve::Convolver;
use crate::network::layer_norm::LayerNorm;
use crate::network::layers::{Embedding, WeightFile, damaged};
use crate::network::signal::Signal;

/// The attention heads.
const HEADS: usize = 2;

const BLOCKS: [&str; 2] = ["text.blocks.0", "text.blocks.1"];

pub(super) struct TextEncoder<K: Kernels> {
    embedding: Embedding,
    blocks: [Block<K>; 2],
    attention_norm: LayerNorm,
    /// Projects to queries, keys and values, concatenated.
    attention_input: Product<K>,
    attention_output: Product<K>,
    ffn_norm: LayerNorm,
    ffn_input: Product<K>,
    ffn_output: Product<K>,
    norm: LayerNorm,
    /// How often the transformer layer is applied.
    passes: usize,
}

impl<K: Kernels<Element = f32>> TextEncoder<K> {
    pub(super) fn read(file: &WeightFile<'_>, kernels: K, passes: usize) -> Result<Self> {
        let embedding = file.embedding("text.embedding.weight")?;
        let width = embedding.columns;
        let norm = |name: &str| {
            let norm = LayerNorm::read(file, name, EPSILON)?;
            if norm.channels() == width { Ok(norm) } else { Err(damaged(name)) }
        };
        if !width.is_multiple_of(16 * HEADS) {
            return Err(damaged("text.embedding.weight"));
        }
        let [first, second] = BLOCKS.map(|name| Block::read(file, kernels, name, width, 1, 0));
        let product =
            |name: &str, inputs, outputs| Product::read(file, kernels, name, inputs, outputs);
        let inner = file.bias("text.ffn.input")?.len();
        Ok(Self {
            embedding,
            blocks: [first?, second?],
            attention_norm: norm("text.attention.norm")?,
            attention_input: product("text.attention.input", width, 3 * width)?,
            attention_output: product("text.attention.output", width, width)?,
            ffn_norm: norm("text.ffn.norm")?,
            ffn_input: product("text.ffn.input", width, inner)?,
            ffn_output: product("text.ffn.output", inner, width)?,
            norm: norm("text.norm")?,
            passes,
        })
    }

    /// Channels of the output.
    pub(super) fn outputs(&self) -> usize {
        self.embedding.columns
    }

    /// The encoded tokens, one time step each.
    pub(super) fn run(&self, convolver: &Convolver<'_, K>, tokens: &[usize]) -> Result<Signal> {
        let Embedding { rows, columns, .. } = self.embedding;
        if tokens.iter().any(|token| *token >= rows) {
            return Err(Error::internal("the acoustic model does not know these tokens"));
        }
        let mut hidden = convolver.signal(tokens.len(), columns)?;
        hidden.values.fill(0.0);
        for (row, token) in hidden.values.chunks_exact_mut(columns).zip(tokens) {
            self.embedding.add(convolver.file, *token, row);
        }
        for block in &self.blocks {
            hidden = block.run(convolver, hidden, &[])?;
        }
        for _ in 0..self.passes {
            self.attend(convolver, &mut hidden)?;
        }
        self.norm.apply_to(convolver, &mut hidden);
        Ok(hidden)
    }

    /// Applies the transformer layer in place. It normalizes first (Xiong et al. 2020).
    fn attend(&self, convolver: &Convolver<'_, K>, hidden: &mut Signal) -> Result<()> {
        let (time_steps, width) = (hidden.time_steps(), hidden.channels);
        let mut normalized = convolver.copy_time_steps(hidden, 0..time_steps)?;
        self.attention_norm.apply_to(convolver, &mut normalized);
        let inputs = self.attention_input.apply(convolver, &normalized, Activation::None)?;
        let heads = attention(convolver, &inputs, width, width / HEADS)?;
        let attended = self.attention_output.apply(convolver, &heads, Activation::None)?;
        add(hidden, &attended);
        normalized.values.copy_from_slice(&hidden.values);
        self.ffn_norm.apply_to(convolver, &mut normalized);
        let inner = self.ffn_input.apply(convolver, &normalized, Activation::None)?;
        let output = self.ffn_output.apply(convolver, &inner, Activation::Gelu)?;
        add(hidden, &output);
        for signal in [normalized, inputs, heads, attended, inner, output] {
            convolver.release(signal);
        }
        Ok(())
    }
}

/// Adds a signal to another of the same size.
fn add(sum: &mut Signal, signal: &Signal) {
    sum.values.iter_mut().zip(&*signal.values).for_each(|(sum, x)| *sum += x);
}

//! The text encoder: ConvNeXt blocks, and one transformer layer that is passed several times.

use speech_base::error::{Error, Result};
use speech_kernels::{Activation, Kernels};

use super::EPSILON;
use super::block::Block;
use crate::network::attention::{HEAD, attention};
use crate::network::convolve::{Convolver, Input, Sink};
use crate::network::layer_norm::LayerNorm;
use crate::network::layers::{Convolution, Embedding, WeightFile, damaged};
use crate::network::signal::Signal;

/// How often the transformer layer is passed.
const PASSES: usize = 4;

const BLOCKS: [&str; 2] = ["text.blocks.0", "text.blocks.1"];

#[derive(Debug)]
pub(super) struct TextEncoder {
    embedding: Embedding,
    blocks: [Block; 2],
    attention_norm: LayerNorm,
    /// The projection to queries, keys and values, concatenated.
    attention_input: Convolution,
    attention_output: Convolution,
    ffn_norm: LayerNorm,
    ffn_input: Convolution,
    ffn_output: Convolution,
    norm: LayerNorm,
}

impl TextEncoder {
    pub(super) fn read(file: &WeightFile<'_>) -> Result<Self> {
        let embedding = file.embedding("text.embedding.weight")?;
        let width = embedding.columns;
        let norm = |name: &str| {
            let norm = LayerNorm::read(file, name, EPSILON)?;
            if norm.channels() == width { Ok(norm) } else { Err(damaged(name)) }
        };
        if !width.is_multiple_of(HEAD) {
            return Err(damaged("text.embedding.weight"));
        }
        let [first, second] = BLOCKS.map(|name| Block::read(file, name, width));
        Ok(Self {
            embedding,
            blocks: [first?, second?],
            attention_norm: norm("text.attention.norm")?,
            attention_input: file.linear("text.attention.input", width, 3 * width)?,
            attention_output: file.linear("text.attention.output", width, width)?,
            ffn_norm: norm("text.ffn.norm")?,
            ffn_input: file.linear("text.ffn.input", width, 2 * width)?,
            ffn_output: file.linear("text.ffn.output", 2 * width, width)?,
            norm: norm("text.norm")?,
        })
    }

    /// Channels of the output.
    pub(super) fn outputs(&self) -> usize {
        self.embedding.columns
    }

    /// The encoded tokens: a time step for each.
    pub(super) fn run<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        tokens: &[usize],
    ) -> Result<Signal> {
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
            block.run(convolver, &mut hidden, None)?;
        }
        for _ in 0..PASSES {
            self.attend(convolver, &mut hidden)?;
        }
        self.norm.apply_to(convolver, &mut hidden);
        Ok(hidden)
    }

    /// The transformer layer in place: it normalizes first (Xiong et al. 2020).
    fn attend<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        hidden: &mut Signal,
    ) -> Result<()> {
        let width = hidden.channels;
        let added = Sink { accumulate: true, ..Sink::default() };
        let mut normalized = convolver.copy_time_steps(hidden, 0..hidden.time_steps())?;
        self.attention_norm.apply_to(convolver, &mut normalized);
        let inputs = convolver.apply(&self.attention_input, &Input::plain(&normalized))?;
        let heads = attention(convolver, &inputs, width)?;
        convolver.convolve(&self.attention_output, &Input::plain(&heads), hidden, added)?;
        normalized.values.copy_from_slice(&hidden.values);
        self.ffn_norm.apply_to(convolver, &mut normalized);
        let inner = convolver.apply(&self.ffn_input, &Input::plain(&normalized))?;
        let input = Input { signal: &inner, activation: Activation::Gelu };
        convolver.convolve(&self.ffn_output, &input, hidden, added)?;
        for signal in [normalized, inputs, heads, inner] {
            convolver.release(signal);
        }
        Ok(())
    }
}

//! The text encoder: ConvNeXt blocks, and one transformer layer that is passed several times.

use speech_base::error::{Error, Result};
use speech_kernels::{Activation, Kernels};

use super::EPSILON;
use super::block::Block;
use crate::network::attention::attention;
use crate::network::convolve::{Convolver, Input, Sink};
use crate::network::layer_norm::LayerNorm;
use crate::network::layers::{Embedding, WeightFile, damaged};
use crate::network::signal::Signal;
use crate::network::transformer::{PackedProducts, Products};

/// Heads of the attention.
const HEADS: usize = 2;

const BLOCKS: [&str; 2] = ["text.blocks.0", "text.blocks.1"];

#[derive(Debug)]
pub(super) struct TextEncoder {
    embedding: Embedding,
    blocks: [Block; 2],
    products: Products,
    attention_norm: LayerNorm,
    ffn_norm: LayerNorm,
    norm: LayerNorm,
    /// How often the transformer layer is passed.
    passes: usize,
}

impl TextEncoder {
    pub(super) fn read(file: &WeightFile<'_>, passes: usize) -> Result<Self> {
        let embedding = file.embedding("text.embedding.weight")?;
        let width = embedding.columns;
        let norm = |name: &str| {
            let norm = LayerNorm::read(file, name, EPSILON)?;
            if norm.channels() == width { Ok(norm) } else { Err(damaged(name)) }
        };
        if !width.is_multiple_of(16 * HEADS) {
            return Err(damaged("text.embedding.weight"));
        }
        let [first, second] = BLOCKS.map(|name| Block::read(file, name, width, 1, 0));
        Ok(Self {
            embedding,
            blocks: [first?, second?],
            products: Products::read(file, "text", width)?,
            attention_norm: norm("text.attention.norm")?,
            ffn_norm: norm("text.ffn.norm")?,
            norm: norm("text.norm")?,
            passes,
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
            block.run(convolver, &mut hidden, &[])?;
        }
        let packed = self.products.packed(convolver)?;
        for _ in 0..self.passes {
            self.attend(convolver, &packed, &mut hidden)?;
        }
        packed.release(convolver);
        self.norm.apply_to(convolver, &mut hidden);
        Ok(hidden)
    }

    /// The transformer layer in place: it normalizes first (Xiong et al. 2020).
    fn attend<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        packed: &PackedProducts<'_>,
        hidden: &mut Signal,
    ) -> Result<()> {
        let (time_steps, width) = (hidden.time_steps(), hidden.channels);
        let added = Sink { accumulate: true, ..Sink::default() };
        let multiply = |packed, channels, input: &Signal| {
            let mut output = convolver.signal(time_steps, channels)?;
            convolver.convolve_packed(
                packed,
                &Input::plain(input),
                &mut output,
                Sink::default(),
            )?;
            Ok::<_, Error>(output)
        };
        let mut normalized = convolver.copy_time_steps(hidden, 0..time_steps)?;
        self.attention_norm.apply_to(convolver, &mut normalized);
        let inputs = multiply(&packed.attention_input, 3 * width, &normalized)?;
        let heads = attention(convolver, &inputs, width, width / HEADS)?;
        convolver.convolve_packed(
            &packed.attention_output,
            &Input::plain(&heads),
            hidden,
            added,
        )?;
        normalized.values.copy_from_slice(&hidden.values);
        self.ffn_norm.apply_to(convolver, &mut normalized);
        let inner =
            multiply(&packed.ffn_input, self.products.ffn_input.shape.outputs, &normalized)?;
        let input = Input { signal: &inner, activation: Activation::Gelu };
        convolver.convolve_packed(&packed.ffn_output, &input, hidden, added)?;
        for signal in [normalized, inputs, heads, inner] {
            convolver.release(signal);
        }
        Ok(())
    }
}

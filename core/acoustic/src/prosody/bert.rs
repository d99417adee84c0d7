//! The phoneme-level language model PL-BERT (Li et al. 2023): an ALBERT (Lan et al. 2020), whose
//! layers share their weights.

use speech_base::error::Result;
use speech_kernels::{Activation, Kernels};

use crate::network::attention::attention;
use crate::network::convolve::{Convolver, Input, Sink};
use crate::network::layer_norm::LayerNorm;
use crate::network::layers::{Convolution, Embedding, WeightFile, damaged};
use crate::network::signal::Signal;
use crate::network::transformer::{PackedProducts, Products};

const LAYERS: usize = 12;

/// The channels of an attention head.
const HEAD: usize = 64;

/// Added to a variance before the division by its square root.
const EPSILON: f32 = 1e-12;

#[derive(Debug)]
pub(super) struct Bert {
    tokens: Embedding,
    positions: Embedding,
    /// Added to every embedding.
    bias: Vec<f32>,
    norm: LayerNorm,
    input: Convolution,
    layer: Layer,
    output: Convolution,
}

/// The single transformer layer, applied [`LAYERS`] times.
#[derive(Debug)]
struct Layer {
    products: Products,
    attention_norm: LayerNorm,
    norm: LayerNorm,
}

impl Bert {
    pub(super) fn read(file: &WeightFile<'_>) -> Result<Self> {
        let tokens = file.embedding("bert.embedding.token.weight")?;
        let linear = |name: &str| file.convolution(&format!("bert.{name}"), 1);
        let norm = |name: &str| LayerNorm::read(file, &format!("bert.{name}"), EPSILON);
        let input = linear("input")?;
        Self {
            positions: file.embedding("bert.embedding.position.weight")?,
            bias: file.floats("bert.embedding.bias", tokens.columns)?,
            tokens,
            norm: norm("embedding.norm")?,
            layer: Layer {
                products: Products::read(file, "bert", input.shape.outputs)?,
                attention_norm: norm("attention.norm")?,
                norm: norm("norm")?,
            },
            input,
            output: linear("output")?,
        }
        .checked()
    }

    /// Rejects layers whose channel counts do not match.
    fn checked(self) -> Result<Self> {
        let Self { tokens, positions, norm, input, layer, output, .. } = &self;
        let narrow = input.shape.outputs;
        let linears = [(input, tokens.columns, narrow), (output, narrow, output.shape.outputs)];
        let fits = narrow.is_multiple_of(HEAD)
            && positions.columns == tokens.columns
            && norm.channels() == tokens.columns
            && layer.attention_norm.channels() == narrow
            && layer.norm.channels() == narrow
            && linears.iter().all(|(linear, inputs, outputs)| {
                (linear.shape.inputs, linear.shape.outputs) == (*inputs, *outputs)
            });
        if fits { Ok(self) } else { Err(damaged("bert")) }
    }

    /// Channels of the output.
    pub(super) fn outputs(&self) -> usize {
        self.output.shape.outputs
    }

    /// The number of symbols and the number of positions with an embedding.
    pub(super) fn limits(&self) -> (usize, usize) {
        (self.tokens.rows, self.positions.rows)
    }

    /// The encoded tokens, one time step each.
    pub(super) fn run<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        tokens: &[usize],
    ) -> Result<Signal> {
        let mut embedded = convolver.signal(tokens.len(), self.tokens.columns)?;
        let rows = embedded.values.chunks_exact_mut(self.tokens.columns);
        for (position, (row, token)) in rows.zip(tokens).enumerate() {
            row.copy_from_slice(&self.bias);
            self.tokens.add(convolver.file, *token, row);
            self.positions.add(convolver.file, position, row);
            self.norm.apply(convolver.kernels, row);
        }
        let mut hidden = convolver.apply(&self.input, &Input::plain(&embedded))?;
        convolver.release(embedded);
        let packed = self.layer.products.packed(convolver)?;
        for _ in 0..LAYERS {
            self.layer.run(convolver, &packed, &mut hidden)?;
        }
        packed.release(convolver);
        let output = convolver.apply(&self.output, &Input::plain(&hidden))?;
        convolver.release(hidden);
        Ok(output)
    }
}

impl Layer {
    /// Applies the layer in place.
    fn run<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        packed: &PackedProducts<'_>,
        hidden: &mut Signal,
    ) -> Result<()> {
        let time_steps = hidden.time_steps();
        let multiply = |packed, channels, input: &Signal, activation, residual| {
            let mut output = convolver.signal(time_steps, channels)?;
            let input = Input { signal: input, activation };
            let sink = Sink { residual, ..Sink::default() };
            convolver.convolve_packed(packed, &input, &mut output, sink)?;
            Ok::<_, speech_base::error::Error>(output)
        };
        let width = hidden.channels;
        let inputs = multiply(&packed.attention_input, 3 * width, hidden, Activation::None, None)?;
        let heads = attention(convolver, &inputs, width, HEAD)?;
        convolver.release(inputs);
        let mut attended =
            multiply(&packed.attention_output, width, &heads, Activation::None, Some(hidden))?;
        convolver.release(heads);
        self.attention_norm.apply_to(convolver, &mut attended);
        let wide = self.products.ffn_input.shape.outputs;
        let inner = multiply(&packed.ffn_input, wide, &attended, Activation::None, None)?;
        let mut output =
            multiply(&packed.ffn_output, width, &inner, Activation::Gelu, Some(&attended))?;
        self.norm.apply_to(convolver, &mut output);
        [inner, attended, std::mem::replace(hidden, output)]
            .into_iter()
            .for_each(|signal| convolver.release(signal));
        Ok(())
    }
}

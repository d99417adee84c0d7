//! The linear layers of a transformer layer (Vaswani et al. 2017) that is applied several times;
//! their weights are packed once.

use speech_base::error::Result;
use speech_kernels::Kernels;

use super::convolve::{Convolver, PackedConvolution};
use super::layers::{Convolution, WeightFile};

/// The linear layers.
#[derive(Debug)]
pub(crate) struct Products {
    /// The projection to queries, keys and values, concatenated.
    pub(crate) attention_input: Convolution,
    pub(crate) attention_output: Convolution,
    pub(crate) ffn_input: Convolution,
    pub(crate) ffn_output: Convolution,
}

/// The layers, packed for one utterance.
pub(crate) struct PackedProducts<'a> {
    pub(crate) attention_input: PackedConvolution<'a, f32>,
    pub(crate) attention_output: PackedConvolution<'a, f32>,
    pub(crate) ffn_input: PackedConvolution<'a, f32>,
    pub(crate) ffn_output: PackedConvolution<'a, f32>,
}

impl Products {
    /// Reads the layers for this number of channels.
    pub(crate) fn read(file: &WeightFile<'_>, prefix: &str, width: usize) -> Result<Self> {
        let linear =
            |name: &str, inputs, outputs| file.linear(&format!("{prefix}.{name}"), inputs, outputs);
        let inner = file.convolution(&format!("{prefix}.ffn.input"), 1)?.shape.outputs;
        Ok(Self {
            attention_input: linear("attention.input", width, 3 * width)?,
            attention_output: linear("attention.output", width, width)?,
            ffn_input: linear("ffn.input", width, inner)?,
            ffn_output: linear("ffn.output", inner, width)?,
        })
    }

    pub(crate) fn packed<'a, K: Kernels<Element = f32>>(
        &'a self,
        convolver: &'a Convolver<'_, K>,
    ) -> Result<PackedProducts<'a>> {
        Ok(PackedProducts {
            attention_input: convolver.packed(&self.attention_input)?,
            attention_output: convolver.packed(&self.attention_output)?,
            ffn_input: convolver.packed(&self.ffn_input)?,
            ffn_output: convolver.packed(&self.ffn_output)?,
        })
    }
}

impl PackedProducts<'_> {
    /// Returns the memory to the pool.
    pub(crate) fn release<K: Kernels<Element = f32>>(self, convolver: &Convolver<'_, K>) {
        let Self { attention_input, attention_output, ffn_input, ffn_output } = self;
        for packed in [attention_input, attention_output, ffn_input, ffn_output] {
            convolver.release_packed(packed);
        }
    }
}

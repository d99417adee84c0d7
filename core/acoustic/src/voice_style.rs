//! The style of a voice: style vectors, loudness, and normalization statistics.

use std::ops::Range;

use safetensors::{Dtype, SafeTensors};
use speech_base::error::{Error, Result};
use speech_base::language::Language;
use speech_base::quality::Quality;
use speech_base::voice::Voice;
use speech_kernels::filter::{Filter, Values};

use super::network::layers::{STYLE_PART, read_floats};
use super::network::norms::AverageStatistics;
use crate::MAX_TOKENS;
use crate::bundle::{Blob, Bundle, Part};

/// A style vector in parts of `STYLE_PART` elements, one for each group of networks.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    /// Sets the articulation.
    pub(crate) decoder: &'a [f32],
    /// Sets durations, pitch and energy.
    pub(crate) prosody: &'a [f32],
    /// Sets the timbre.
    pub(crate) generator: &'a [f32],
}

/// A style vector in memory.
pub struct StyleVector(Vec<f32>);

impl<'a> Style<'a> {
    /// Splits a vector into its parts: decoder, prosody and, if present, generator; otherwise the
    /// generator reads the decoder's part.
    pub(crate) fn of(vector: &'a [f32]) -> Self {
        let (decoder, rest) = vector.split_at(STYLE_PART);
        let (prosody, generator) = rest.split_at(STYLE_PART);
        Self { decoder, prosody, generator: if generator.is_empty() { decoder } else { generator } }
    }
}

/// [`MAX_TOKENS`] style vectors of two or three parts in a file; the n-th is for utterances of n
/// tokens.
#[derive(Clone, Debug)]
struct StyleTable {
    file: Blob,
    /// The byte range of the 16-bit integers.
    range: Range<usize>,
    /// The factor of each vector element.
    scale: Vec<f32>,
}

/// The style of a voice in a language.
#[derive(Clone, Debug)]
pub struct VoiceStyle {
    vectors: StyleTable,
    /// The factors that give the voice the loudness of the others, with the large decoder and with
    /// the small one.
    gains: [f32; 2],
    /// The average statistics of the vocoder's normalizations; empty if the vocoder lacks the
    /// voice.
    pub averages: AverageStatistics,
}

impl VoiceStyle {
    /// Reads the style of a voice in a language that some network of the bundle speaks.
    ///
    /// # Errors
    ///
    /// `model_error` if the bundle has no such style, or a damaged one.
    pub fn read(bundle: &Bundle, voice: Voice, language: Language) -> Result<Self> {
        let name = format!("{voice}/{language}");
        let unusable =
            || Error::damaged(format!("the voice bundle has no usable style for {name}"));
        let file = bundle.styles();
        let tensors = SafeTensors::deserialize(file).map_err(|e| unusable().with_source(e))?;
        let vectors = StyleTable::read(file, &tensors, &name).ok_or_else(unusable)?;
        let mut averages = Vec::new();
        if bundle.has(Part::Vocoder, voice, language) {
            averages = read_floats(&tensors, &format!("{name}/moments")).ok_or_else(unusable)?;
        }
        let gains = bundle.gains_db(voice, language)?.map(|gain| 10_f32.powf(gain / 20.0));
        Ok(Self { vectors, gains, averages: AverageStatistics::new(&averages) })
    }

    /// A style of zeros at the model's own loudness.
    pub fn flat() -> Self {
        let file = Blob::of(vec![0; 2 * MAX_TOKENS * 2 * STYLE_PART]);
        let vectors = StyleTable { range: 0..file.len(), file, scale: vec![0.0; 2 * STYLE_PART] };
        Self { vectors, gains: [1.0; 2], averages: AverageStatistics::new(&[]) }
    }

    /// The factor that gives speech of a quality the loudness of the others.
    pub fn gain(&self, quality: Quality) -> f32 {
        self.gains[usize::from(quality != Quality::Full)]
    }

    /// The style vector for an utterance of this many tokens, 1 to 510.
    pub fn for_tokens(&self, tokens: usize) -> StyleVector {
        StyleVector(self.vectors.row(tokens.clamp(1, MAX_TOKENS) - 1))
    }
}

impl StyleVector {
    /// The parts of 128 values in order: decoder, prosody and, if it differs from the decoder's,
    /// generator.
    pub fn values(&self) -> &[f32] {
        &self.0
    }

    /// The parts of the vector.
    pub fn style(&self) -> Style<'_> {
        Style::of(&self.0)
    }
}

impl StyleTable {
    fn read(file: &Blob, tensors: &SafeTensors<'_>, name: &str) -> Option<Self> {
        let tensor = tensors.tensor(name).ok()?;
        let scale = read_floats(tensors, &format!("{name}.scale"))?;
        let fits = tensor.dtype() == Dtype::I16
            && tensor.shape() == [MAX_TOKENS, scale.len()]
            && [2, 3].map(|parts| parts * STYLE_PART).contains(&scale.len());
        let start = tensor.data().as_ptr().addr() - file.as_ptr().addr();
        let range = start..start + tensor.data().len();
        fits.then(|| Self { file: file.clone(), range, scale })
    }

    fn row(&self, index: usize) -> Vec<f32> {
        let codes = self.file[self.range.clone()].as_chunks().0;
        let mut row = vec![0.0; self.scale.len()];
        let values = Values::I16 { codes, scale: &self.scale };
        Filter::new(row.len(), values).decode(index, 0, &mut row);
        row
    }
}

//! How a voice speaks: its style vectors, its loudness, and the statistics of its normalizations.

use safetensors::SafeTensors;

use super::network::layers::{STYLE_PART, read_floats};
use super::network::norms::AverageStatistics;
use crate::vocabulary::MAX_TOKENS;
use crate::{Error, Result};

/// A style vector: what the parts of the model read of a voice, [`STYLE_PART`] elements each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style<'a> {
    /// Sets how sounds are articulated.
    pub(crate) decoder: &'a [f32],
    /// Sets durations, pitch and energy.
    pub(crate) prosody: &'a [f32],
    /// Sets the timbre.
    pub(crate) generator: &'a [f32],
}

impl<'a> Style<'a> {
    /// From the parts one after the other: decoder, prosody, and generator, or none for it where it reads that of the decoder.
    pub(crate) fn of(vector: &'a [f32]) -> Self {
        let (decoder, rest) = vector.split_at(STYLE_PART);
        let (prosody, generator) = rest.split_at(STYLE_PART);
        Self { decoder, prosody, generator: if generator.is_empty() { decoder } else { generator } }
    }
}

/// How a voice speaks a language.
#[derive(Clone, Debug)]
pub(crate) struct VoiceStyle {
    /// [`MAX_TOKENS`] style vectors of two or three parts: the n-th is for utterances of n tokens.
    vectors: Vec<f32>,
    /// The factor that brings the voice to the loudness of the others.
    pub(crate) gain: f32,
    /// The average statistics of the vocoder's normalizations.
    pub(crate) averages: AverageStatistics,
}

impl VoiceStyle {
    /// Reads a style from the bytes of voices.safetensors. `name` is `voice/language`, and `gain_db` is in decibels.
    ///
    /// # Errors
    ///
    /// `model_error` if the file is damaged or has no such style.
    pub(crate) fn read(file: &[u8], name: &str, gain_db: f32) -> Result<Self> {
        let unusable =
            || Error::damaged(format!("the voice bundle has no usable style for {name}"));
        let file = SafeTensors::deserialize(file).map_err(|e| unusable().with_source(e))?;
        let vectors = read_floats(&file, name)
            .filter(|vectors| {
                [2, 3].map(|parts| parts * STYLE_PART * MAX_TOKENS).contains(&vectors.len())
            })
            .ok_or_else(unusable)?;
        let averages = read_floats(&file, &format!("{name}/moments"))
            .map(|values| AverageStatistics::new(&values))
            .ok_or_else(unusable)?;
        Ok(Self { vectors, gain: 10_f32.powf(gain_db / 20.0), averages })
    }

    /// A style of zeros at the model's own loudness.
    #[cfg(test)]
    pub(crate) fn flat() -> Self {
        let vectors = vec![0.0; MAX_TOKENS * 2 * STYLE_PART];
        Self { vectors, gain: 1.0, averages: AverageStatistics::new(&[]) }
    }

    /// The style vector for an utterance of this many tokens, 1 to 510.
    pub(crate) fn for_tokens(&self, tokens: usize) -> Style<'_> {
        let size = self.vectors.len() / MAX_TOKENS;
        let index = tokens.clamp(1, MAX_TOKENS) - 1;
        Style::of(&self.vectors[index * size..(index + 1) * size])
    }
}

//! Tokens to features: the text encoder and the duration, pitch and energy predictors of StyleTTS 2
//! (Li et al. 2023).
//!
//! Everything is computed in single precision, except products of quantized weights: their input is
//! quantized to 16-bit integers where that is faster.

mod bert;
pub(crate) mod curves;
pub(crate) mod duration;
mod source;

use std::ops::Range;

use speech_base::error::{Error, Result};
use speech_kernels::{Activation, Kernels};

use super::network::convolve::{Convolver, Input};
use super::network::layer_norm::LayerNorm;
use super::network::layers::{
    Convolution, Embedding, Normalization, STYLE_PART, WeightFile, damaged,
};
use super::network::lstm::Lstm;
use super::network::norms::AdainContext;
use super::network::signal::Signal;
use super::{Features, TokenControl};
use bert::Bert;
use curves::CurvePredictor;
use source::HarmonicSource;

/// Added to a variance before the division by its square root.
const EPSILON: f32 = 1e-5;

const SLOPE: f32 = 0.2;

/// The layers before the vocoder.
#[derive(Debug)]
pub(crate) struct Prosody {
    bert: Bert,
    text: TextEncoder,
    duration: DurationPredictor,
    shared: Lstm,
    pitch: CurvePredictor,
    energy: CurvePredictor,
    source: HarmonicSource,
}

/// The encoder of the text features for the vocoder.
#[derive(Debug)]
struct TextEncoder {
    embedding: Embedding,
    layers: [(Convolution, LayerNorm); 3],
    lstm: Lstm,
}

/// The predictor of durations.
#[derive(Debug)]
struct DurationPredictor {
    layers: [(Lstm, Normalization); 3],
    lstm: Lstm,
    /// One row per state and one column per bin. The logistic function of the n-th bin is the
    /// probability that the token lasts longer than n frames.
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Prosody {
    /// Reads the layers of prosody.safetensors.
    ///
    /// # Errors
    ///
    /// `model_error`, which names the missing or damaged tensor.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let file = WeightFile::open("prosody.safetensors", bytes)?.allowing_int16();
        let duration = |i| {
            let norm = file.normalization(&format!("duration.norms.{i}"), &mut 0)?;
            Ok::<_, Error>((Lstm::read(&file, &format!("duration.lstms.{i}"))?, norm))
        };
        let lstm = Lstm::read(&file, "duration.lstm")?;
        let bias = file.bias("duration.output")?;
        let weight = file.decoded("duration.output.weight", lstm.outputs() * bias.len())?;
        let text = |i| {
            let layer = file.im2col_convolution(&format!("text.convolutions.{i}"))?;
            Ok::<_, Error>((layer, LayerNorm::read(&file, &format!("text.norms.{i}"), EPSILON)?))
        };
        Self {
            bert: Bert::read(&file)?,
            text: TextEncoder {
                embedding: file.embedding("text.embedding.weight")?,
                layers: [text(0)?, text(1)?, text(2)?],
                lstm: Lstm::read(&file, "text.lstm")?,
            },
            duration: DurationPredictor {
                layers: [duration(0)?, duration(1)?, duration(2)?],
                lstm,
                weight,
                bias,
            },
            shared: Lstm::read(&file, "curves.lstm")?,
            pitch: CurvePredictor::read(&file, "pitch")?,
            energy: CurvePredictor::read(&file, "energy")?,
            source: HarmonicSource::read(&file)?,
        }
        .checked()
    }

    /// Rejects layers whose channel counts do not match.
    fn checked(self) -> Result<Self> {
        let DurationPredictor { layers, lstm, .. } = &self.duration;
        let mut channels = self.bert.outputs() + STYLE_PART;
        for (i, (lstm, norm)) in layers.iter().enumerate() {
            if lstm.inputs() != channels || norm.channels != lstm.outputs() {
                return Err(damaged(&format!("duration.lstms.{i}")));
            }
            channels = lstm.outputs() + STYLE_PART;
        }
        for (name, lstm) in [("duration.lstm", lstm), ("curves.lstm", &self.shared)] {
            if lstm.inputs() != channels {
                return Err(damaged(name));
            }
        }
        let mut channels = self.text.embedding.columns;
        for (i, (layer, norm)) in self.text.layers.iter().enumerate() {
            let outputs = layer.shape.outputs;
            // A window covers the middle time step and equally many before and after it.
            let taps = 2 * layer.padding + 1;
            if layer.shape.inputs != taps * channels || norm.channels() != outputs {
                return Err(damaged(&format!("text.convolutions.{i}")));
            }
            channels = outputs;
        }
        if self.text.lstm.inputs() != channels {
            return Err(damaged("text.lstm"));
        }
        for (name, curve) in [("pitch", &self.pitch), ("energy", &self.energy)] {
            if curve.inputs() != self.shared.outputs() {
                return Err(damaged(name));
            }
        }
        Ok(self)
    }

    /// Channels of the text features.
    pub(crate) fn text_channels(&self) -> usize {
        self.text.lstm.outputs()
    }

    /// The features of some tokens in the prosody part of a style, or the number of frames if it is
    /// over `max_frames`; nothing more is then computed. Adds the padding tokens. `controls` has
    /// one element per token. Only the vocoder needs the encoded text.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` for a token without an embedding, or for too many tokens.
    pub(crate) fn run<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        tokens: &[i64],
        style: &[f32],
        controls: Option<&[TokenControl]>,
        max_frames: usize,
        with_text: bool,
    ) -> Result<Result<Features, usize>> {
        let tokens = padded(tokens);
        let (symbols, positions) = self.bert.limits();
        if tokens.len() > positions
            || tokens.iter().any(|token| *token >= symbols.min(self.text.embedding.rows))
        {
            return Err(Error::internal("the acoustic model does not know these tokens"));
        }
        let norms = AdainContext { file: convolver.file, style, averages: None };
        let encoded = self.bert.run(convolver, &tokens)?;
        let (expected, features) = self.duration.run(convolver, style, encoded)?;
        let durations = duration::frames(&expected, controls);
        let frames = durations.iter().sum();
        if frames > max_frames {
            convolver.release(features);
            return Ok(Err(frames));
        }
        let aligned = regulate_length(convolver, &features, &durations)?;
        convolver.release(features);
        let shared = self.shared.run(convolver, &Input::plain(&aligned))?;
        convolver.release(aligned);
        let mut pitch = self.pitch.run(convolver, &norms, &shared)?;
        if let Some(controls) = controls {
            curves::scale(&mut pitch, &durations, controls);
        }
        let energy = self.energy.run(convolver, &norms, &shared)?;
        convolver.release(shared);
        let aligned = || {
            let text = self.text.run(convolver, &tokens)?;
            let aligned = regulate_length(convolver, &text, &durations)?;
            convolver.release(text);
            Ok::<_, Error>(aligned)
        };
        let text = with_text.then(aligned).transpose()?;
        Ok(Ok(Features { durations, text, pitch, energy }))
    }

    /// The harmonic source over a range of pitch values: 60 STFT frames per value and one more, of
    /// 11 magnitudes and 11 phases each.
    ///
    /// # Errors
    ///
    /// `cancelled`.
    pub(crate) fn source<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        pitch: &[f32],
        range: Range<usize>,
    ) -> Result<Signal> {
        self.source.run(convolver, pitch, range)
    }
}

/// Tokens with the padding tokens around them; a negative token becomes a number without an
/// embedding.
pub(crate) fn padded(tokens: &[i64]) -> Vec<usize> {
    let number = |token: &i64| usize::try_from(*token).unwrap_or(usize::MAX);
    [0].iter().chain(tokens).chain(&[0]).map(number).collect()
}

/// The length regulator: repeats each time step for its duration.
pub(crate) fn regulate_length<K: Kernels>(
    convolver: &Convolver<'_, K>,
    signal: &Signal,
    durations: &[usize],
) -> Result<Signal> {
    let mut output = convolver.signal(durations.iter().sum(), signal.channels)?;
    let steps = durations.iter().enumerate().flat_map(|(t, count)| std::iter::repeat_n(t, *count));
    for (frame, t) in output.values.chunks_exact_mut(signal.channels).zip(steps) {
        frame.copy_from_slice(signal.frame(t));
    }
    Ok(output)
}

impl TextEncoder {
    /// The encoded text, one time step per token.
    fn run<K: Kernels>(&self, convolver: &Convolver<'_, K>, tokens: &[usize]) -> Result<Signal> {
        let mut hidden = convolver.signal(tokens.len(), self.embedding.columns)?;
        hidden.values.fill(0.0);
        for (row, token) in hidden.values.chunks_exact_mut(self.embedding.columns).zip(tokens) {
            self.embedding.add(convolver.file, *token, row);
        }
        let mut activation = Activation::None;
        for (layer, norm) in &self.layers {
            let mut output = convolver.apply(layer, &Input { signal: &hidden, activation })?;
            norm.apply_to(convolver, &mut output);
            convolver.release(std::mem::replace(&mut hidden, output));
            activation = Activation::LeakyRelu { slope: SLOPE };
        }
        let output = self.lstm.run(convolver, &Input { signal: &hidden, activation })?;
        convolver.release(hidden);
        Ok(output)
    }
}

impl DurationPredictor {
    /// The expected frames of each token, and the features, whose last channels are the style.
    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        style: &[f32],
        encoded: Signal,
    ) -> Result<(Vec<f32>, Signal)> {
        let mut features = append_style(convolver, &encoded, style)?;
        convolver.release(encoded);
        for (lstm, norm) in &self.layers {
            let mut output = lstm.run(convolver, &Input::plain(&features))?;
            let affine = norm.style_affine(convolver.file, style);
            let norm = LayerNorm { weight: affine.scale, bias: affine.shift, epsilon: EPSILON };
            norm.apply_to(convolver, &mut output);
            let styled = append_style(convolver, &output, style)?;
            convolver.release(std::mem::replace(&mut features, styled));
            convolver.release(output);
        }
        let states = self.lstm.run(convolver, &Input::plain(&features))?;
        let durations =
            states.values.chunks_exact(states.channels).map(|row| self.frames(row)).collect();
        convolver.release(states);
        Ok((durations, features))
    }

    /// The duration of a token in frames: the expected value of the bins.
    fn frames(&self, states: &[f32]) -> f32 {
        let mut sums = self.bias.clone();
        for (x, weights) in states.iter().zip(self.weight.chunks_exact(sums.len())) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += x * weight;
            }
        }
        sums.into_iter().map(|sum| 1.0 / (1.0 + (-sum).exp())).sum()
    }
}

/// Appends the style to the channels of each time step.
fn append_style<K: Kernels>(
    convolver: &Convolver<'_, K>,
    signal: &Signal,
    style: &[f32],
) -> Result<Signal> {
    let mut output = convolver.signal(signal.time_steps(), signal.channels + style.len())?;
    for (t, row) in output.values.chunks_exact_mut(signal.channels + style.len()).enumerate() {
        let (features, style_channels) = row.split_at_mut(signal.channels);
        features.copy_from_slice(signal.frame(t));
        style_channels.copy_from_slice(style);
    }
    Ok(output)
}

//! Tokens to features: the text encoder and the predictor of durations, pitch and energy of StyleTTS 2 (Li et al. 2023),
//! in our own kernels and always in 32 bits, but for what products of weights that are stored as codes read: that is
//! rounded to 16 bits where it makes them faster.

mod bert;
mod curves;
mod source;

use std::ops::Range;

use bert::Bert;
use curves::Curve;
use source::HarmonicSource;

use super::Features;
use super::kernels::{Activation, Kernels};
use super::network::convolve::{Convolver, Source};
use super::network::layers::{Convolution, Normalization, STYLE_HALF, Table, WeightFile, damaged};
use super::network::lstm::Lstm;
use super::network::norms::Norms;
use super::network::signal::Signal;
use crate::{Error, Result};

/// Added to a variance before its root is divided by.
const EPSILON: f32 = 1e-5;

const SLOPE: f32 = 0.2;

/// The layers before the vocoder.
#[derive(Debug)]
pub(crate) struct Prosody {
    bert: Bert,
    text: TextEncoder,
    duration: Duration,
    shared: Lstm,
    pitch: Curve,
    energy: Curve,
    source: HarmonicSource,
}

/// The features of the text that are heard.
#[derive(Debug)]
struct TextEncoder {
    embedding: Table,
    layers: [(Convolution, LayerNorm); 3],
    lstm: Lstm,
}

/// The predictor of durations.
#[derive(Debug)]
struct Duration {
    layers: [(Lstm, Normalization); 3],
    lstm: Lstm,
    /// For each bin the weights of all states: how sure it is that the token lasts longer.
    weight: Vec<f32>,
    bias: Vec<f32>,
}

/// A normalization of each row over its channels (Ba, Kiros and Hinton 2016).
#[derive(Debug)]
struct LayerNorm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Prosody {
    /// Reads the layers of prosody.safetensors.
    ///
    /// # Errors
    ///
    /// `model_error`, with the name of the tensor that is missing or damaged.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let file = WeightFile::open("prosody.safetensors", bytes)?.rounded();
        let duration = |i| {
            let norm = file.normalization(&format!("duration.norms.{i}"), &mut 0)?;
            Ok::<_, Error>((Lstm::read(&file, &format!("duration.lstms.{i}"))?, norm))
        };
        let lstm = Lstm::read(&file, "duration.lstm")?;
        let bias = file.bias("duration.output")?;
        let weight = file.numbers("duration.output.weight", lstm.outputs() * bias.len())?;
        let text = |i| {
            let layer = file.windowed(&format!("text.convolutions.{i}"))?;
            Ok::<_, Error>((layer, LayerNorm::read(&file, &format!("text.norms.{i}"), EPSILON)?))
        };
        Self {
            bert: Bert::read(&file)?,
            text: TextEncoder {
                embedding: file.table("text.embedding.weight")?,
                layers: [text(0)?, text(1)?, text(2)?],
                lstm: Lstm::read(&file, "text.lstm")?,
            },
            duration: Duration {
                layers: [duration(0)?, duration(1)?, duration(2)?],
                lstm,
                weight,
                bias,
            },
            shared: Lstm::read(&file, "curves.lstm")?,
            pitch: Curve::read(&file, "pitch")?,
            energy: Curve::read(&file, "energy")?,
            source: HarmonicSource::read(&file)?,
        }
        .checked()
    }

    /// Refuses layers that do not fit each other.
    fn checked(self) -> Result<Self> {
        let Duration { layers, lstm, .. } = &self.duration;
        let mut channels = self.bert.outputs() + STYLE_HALF;
        for (i, (lstm, norm)) in layers.iter().enumerate() {
            if lstm.inputs() != channels || norm.channels != lstm.outputs() {
                return Err(damaged(&format!("duration.lstms.{i}")));
            }
            channels = lstm.outputs() + STYLE_HALF;
        }
        for (name, lstm) in [("duration.lstm", lstm), ("curves.lstm", &self.shared)] {
            if lstm.inputs() != channels {
                return Err(damaged(name));
            }
        }
        let mut channels = self.text.embedding.columns;
        for (i, (layer, norm)) in self.text.layers.iter().enumerate() {
            let outputs = layer.shape.outputs;
            // Whole rows, as many before the one in the middle as after it.
            let rows = 2 * layer.before + 1;
            if layer.shape.inputs != rows * channels || norm.channels() != outputs {
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

    /// The features of some tokens, in a style of 256 numbers. The pads around the tokens are added here.
    ///
    /// # Errors
    ///
    /// `cancelled`, and `internal` for a token that there is no embedding for, or for too many.
    pub(crate) fn run<K: Kernels<Element = f32>>(
        &self,
        convolver: &Convolver<'_, K>,
        tokens: &[i64],
        style: &[f32],
    ) -> Result<Features> {
        let pads = [0];
        let tokens: Vec<_> = pads
            .iter()
            .chain(tokens)
            .chain(&pads)
            .map(|token| usize::try_from(*token).unwrap_or(usize::MAX))
            .collect();
        let (symbols, places) = self.bert.limits();
        if tokens.len() > places
            || tokens.iter().any(|token| *token >= symbols.min(self.text.embedding.rows))
        {
            return Err(Error::internal("the acoustic model does not know these tokens"));
        }
        let style = &style[STYLE_HALF..];
        let norms = Norms { file: convolver.file, style, averages: None };
        let encoded = self.bert.run(convolver, &tokens)?;
        let (durations, features) = self.duration.run(convolver, style, encoded)?;
        let spread = spread(convolver, &features, &durations);
        convolver.free(features);
        let shared = self.shared.run(convolver, &Source::plain(&spread))?;
        convolver.free(spread);
        let pitch = self.pitch.run(convolver, &norms, &shared)?;
        let energy = self.energy.run(convolver, &norms, &shared)?;
        convolver.free(shared);
        let text = self.text.run(convolver, &tokens)?;
        let spread = self::spread(convolver, &text, &durations);
        convolver.free(text);
        Ok(Features { durations, text: spread, pitch, energy })
    }

    /// The harmonic source at some places of the pitch: 60 rows for each, and one more, of 11 magnitudes and 11 phases.
    ///
    /// # Errors
    ///
    /// `cancelled`.
    pub(crate) fn source<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        pitch: &[f32],
        places: Range<usize>,
    ) -> Result<Signal> {
        self.source.run(convolver, pitch, places)
    }
}

/// Each row as often as its duration says.
fn spread<K: Kernels>(
    convolver: &Convolver<'_, K>,
    signal: &Signal,
    durations: &[usize],
) -> Signal {
    let mut output = convolver.signal(durations.iter().sum(), signal.channels);
    let rows = durations.iter().enumerate().flat_map(|(t, count)| std::iter::repeat_n(t, *count));
    for (row, t) in output.values.chunks_exact_mut(signal.channels).zip(rows) {
        row.copy_from_slice(signal.row(t));
    }
    output
}

impl TextEncoder {
    /// A row for each token.
    fn run<K: Kernels>(&self, convolver: &Convolver<'_, K>, tokens: &[usize]) -> Result<Signal> {
        let mut hidden = convolver.signal(tokens.len(), self.embedding.columns);
        hidden.values.fill(0.0);
        for (row, token) in hidden.values.chunks_exact_mut(self.embedding.columns).zip(tokens) {
            self.embedding.add(convolver.file, *token, row);
        }
        let mut activation = Activation::None;
        for (layer, norm) in &self.layers {
            let mut output = convolver.apply(layer, &Source { signal: &hidden, activation })?;
            norm.apply_to(convolver, &mut output);
            convolver.free(std::mem::replace(&mut hidden, output));
            activation = Activation::LeakyRelu { slope: SLOPE };
        }
        let output = self.lstm.run(convolver, &Source { signal: &hidden, activation })?;
        convolver.free(hidden);
        Ok(output)
    }
}

impl Duration {
    /// The frames of each token, and rows of features with the style beside them.
    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        style: &[f32],
        encoded: Signal,
    ) -> Result<(Vec<usize>, Signal)> {
        let mut features = beside(convolver, &encoded, style);
        convolver.free(encoded);
        for (lstm, norm) in &self.layers {
            let mut output = lstm.run(convolver, &Source::plain(&features))?;
            let affine = norm.of_style(convolver.file, style);
            let norm = LayerNorm { weight: affine.scale, bias: affine.shift, epsilon: EPSILON };
            norm.apply_to(convolver, &mut output);
            convolver.free(std::mem::replace(&mut features, beside(convolver, &output, style)));
            convolver.free(output);
        }
        let states = self.lstm.run(convolver, &Source::plain(&features))?;
        let durations =
            states.values.chunks_exact(states.channels).map(|row| self.frames(row)).collect();
        convolver.free(states);
        Ok((durations, features))
    }

    /// How many frames a token lasts: 1 or more.
    fn frames(&self, states: &[f32]) -> usize {
        let mut sums = self.bias.clone();
        for (x, weights) in states.iter().zip(self.weight.chunks_exact(sums.len())) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += x * weight;
            }
        }
        let frames: f32 = sums.into_iter().map(|sum| 1.0 / (1.0 + (-sum).exp())).sum();
        frames.round_ties_even().max(1.0) as usize
    }
}

/// Rows with the style after them.
fn beside<K: Kernels>(convolver: &Convolver<'_, K>, signal: &Signal, style: &[f32]) -> Signal {
    let mut output = convolver.signal(signal.rows(), signal.channels + style.len());
    for (t, row) in output.values.chunks_exact_mut(signal.channels + style.len()).enumerate() {
        let (features, end) = row.split_at_mut(signal.channels);
        features.copy_from_slice(signal.row(t));
        end.copy_from_slice(style);
    }
    output
}

impl LayerNorm {
    fn read(file: &WeightFile<'_>, name: &str, epsilon: f32) -> Result<Self> {
        let bias = file.bias(name)?;
        let weight = file.floats(&format!("{name}.weight"), bias.len())?;
        Ok(Self { weight, bias, epsilon })
    }

    fn channels(&self) -> usize {
        self.bias.len()
    }

    /// Normalizes each row.
    fn apply_to<K: Kernels>(&self, convolver: &Convolver<'_, K>, signal: &mut Signal) {
        let channels = signal.channels;
        convolver.threads.for_each_chunk(&mut signal.values, 64 * channels, |_, rows| {
            rows.chunks_exact_mut(channels).for_each(|row| self.apply(row));
        });
    }

    fn apply(&self, row: &mut [f32]) {
        let count = row.len() as f32;
        let mean = sum(row, |x| x) / count;
        let variance = sum(row, |x| (x - mean) * (x - mean)) / count;
        let scale = (variance + self.epsilon).sqrt().recip();
        for ((x, weight), bias) in row.iter_mut().zip(&self.weight).zip(&self.bias) {
            *x = (*x - mean) * scale * weight + bias;
        }
    }
}

/// The sum of a function of numbers, sixteen of them at a time.
fn sum(numbers: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (whole, rest) = numbers.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for numbers in whole {
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += of(*number);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|number| of(*number)).sum::<f32>()
}

//! Runs the acoustic model on sentences: reads JSON lines, and writes a safetensors file with the
//! tokens, the features and the audio of each utterance, on which `research/student` trains.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, serialize_to_file};
use serde::{Deserialize, Serialize};
use speech_acoustic::bundle::{Blob, Bundle, BundleInput, ModelFormat, Parts};
use speech_acoustic::{
    BackendOptions, MAX_FRAMES, MAX_TOKENS, MODEL_RATE, Model, ModelOptions, SynthesisParameters,
    TokenControl, Trace, VoiceStyle,
};
use speech_base::cancel::CancelToken;
use speech_base::fair_semaphore::Tenant;
use speech_core::{Language, Quality};
use speech_text::front_end::FrontEnd;
use speech_text::normalize::Options;
use speech_text::phonemize::{PhonemeToken, elasticity};
use speech_text::vocabulary;

#[derive(Parser)]
#[command(name = "speech-teacher", about = "What the acoustic model makes of sentences")]
struct Args {
    /// The voice bundle
    #[arg(long, value_name = "PATH")]
    bundle: PathBuf,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Write only features, without audio
    #[arg(long, conflicts_with = "small_decoder")]
    features: bool,
    /// A small decoder's file, which replaces the vocoder
    #[arg(long, value_name = "FILE")]
    small_decoder: Option<PathBuf>,
    /// A small prosody's file, which replaces the large one before a small decoder
    #[arg(long, value_name = "FILE", requires = "small_decoder")]
    small_prosody: Option<PathBuf>,
}

/// A line of the input.
#[derive(Clone, Deserialize, Serialize)]
struct Line {
    text: String,
    /// Voice and language, as in a bundle: `aria/en-US`.
    pair: String,
    /// The rate requested of the model; 1 is as predicted.
    rate: f32,
    /// The pitch shift in semitones.
    pitch: f32,
    /// The position in the input.
    #[serde(default)]
    number: usize,
}

struct Teacher {
    front_end: FrontEnd,
    model: Model,
    bundle: Bundle,
}

/// The recorded data of an utterance.
struct Utterance {
    /// The tokens, including the padding tokens at both ends, as in the durations.
    tokens: Vec<u16>,
    style: Vec<f32>,
    trace: Trace,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let quality = match (&args.small_prosody, &args.small_decoder) {
        (Some(_), _) => Quality::Light,
        (None, Some(_)) => Quality::Fast,
        (None, None) => Quality::Full,
    };
    let (small_prosody, small_decoder) = (read(args.small_prosody)?, read(args.small_decoder)?);
    let small = Parts { small_prosody, small_decoder, ..Parts::default() };
    let teacher = Teacher::load(args.bundle, small)?;
    let (mut lines, mut utterances) = (Vec::new(), Vec::new());
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = serde_json::from_str(&line?).context("not a line of the input")?;
        let line = Line { number, ..line };
        for utterance in teacher.speak(&line, quality, !args.features)? {
            lines.push(line.clone());
            utterances.push(utterance);
        }
    }
    let about = HashMap::from([("utterances".to_owned(), serde_json::to_string(&lines)?)]);
    let tensors: Vec<_> = utterances.iter().enumerate().map(|(n, u)| u.tensors(n)).collect();
    let tensors = tensors.iter().flatten().map(|(name, dtype, bytes)| {
        let shape = vec![bytes.len() / (dtype.bitsize() / 8)];
        Ok((name, TensorView::new(*dtype, shape, bytes)?))
    });
    let tensors: Vec<_> = tensors.collect::<Result<_>>()?;
    serialize_to_file(tensors, Some(about), &args.out)
        .with_context(|| format!("cannot write {}", args.out.display()))
}

fn read(path: Option<PathBuf>) -> Result<Option<Blob>> {
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Blob::of(bytes))
    };
    path.map(read).transpose()
}

impl Teacher {
    /// Loads a bundle with other small networks.
    fn load(bundle: PathBuf, small: Parts) -> Result<Self> {
        let format = ModelFormat {
            sample_rate: MODEL_RATE,
            max_tokens: MAX_TOKENS,
            vocabulary: vocabulary::symbols(),
        };
        let bundle = Bundle::open(BundleInput::Path(bundle), true, &format)?.verify()?;
        let backend = BackendOptions::default();
        let options = ModelOptions { threads: 1, max_concurrency: 1, backend };
        let Parts { prosody, vocoder, .. } = bundle.parts().clone();
        let model = Model::load(Parts { prosody, vocoder, ..small }, &options)?;
        Ok(Self { front_end: FrontEnd::load(), model, bundle })
    }

    /// The utterances of a line, one per sentence, without those too long for one inference.
    fn speak(&self, line: &Line, quality: Quality, with_samples: bool) -> Result<Vec<Utterance>> {
        let (voice, language) = line.pair.split_once('/').context("not a voice and a language")?;
        let language: Language = language.parse()?;
        let style = VoiceStyle::read(&self.bundle, voice.parse()?, language)?;
        let sentences = self.front_end.normalize(&line.text, Options::plain(language));
        let mut utterances = Vec::new();
        for (_, sentence) in sentences {
            let tokens = self.front_end.phonemize(&sentence).tokens();
            if !(1..=MAX_TOKENS).contains(&tokens.len()) {
                continue;
            }
            let ids: Vec<_> = tokens.iter().map(|token| i64::from(token.id)).collect();
            let vector = style.for_tokens(tokens.len());
            let controls: Vec<_> = tokens.iter().map(|token| line.control(token)).collect();
            let parameters = SynthesisParameters {
                quality,
                style: vector.style(),
                controls: Some(&controls),
                averages: &style.averages,
                max_frames: MAX_FRAMES,
                tenant: Tenant::default(),
                cancel: &CancelToken::new(),
            };
            let Some(trace) = self.model.trace(&ids, parameters, with_samples)? else { continue };
            let padding = [0];
            let ids = tokens.iter().map(|token| token.id);
            let tokens = padding.into_iter().chain(ids).chain(padding).collect();
            utterances.push(Utterance { tokens, style: vector.values().to_vec(), trace });
        }
        Ok(utterances)
    }
}

impl Line {
    /// As in `core/api/src/synthesis/delivery.rs`.
    fn control(&self, token: &PhonemeToken) -> TokenControl {
        let pitch = (self.pitch / 12.0).exp2();
        TokenControl { rate: self.rate, elasticity: elasticity(token.symbol), pitch, frames: None }
    }
}

impl Utterance {
    /// The tensors, each with a name, a type and its bytes.
    fn tensors(&self, number: usize) -> Vec<(String, Dtype, Vec<u8>)> {
        let Trace { durations, pitch, energy, samples } = &self.trace;
        let durations: Vec<_> = durations.iter().map(|frames| *frames as u16).collect();
        let samples: Vec<_> =
            samples.iter().map(|x| (x.clamp(-1.0, 1.0) * 32767.0) as i16).collect();
        let bytes = |values: &[f32]| bytemuck::cast_slice(values).to_vec();
        [
            ("tokens", Dtype::U16, bytemuck::cast_slice(&self.tokens).to_vec()),
            ("durations", Dtype::U16, bytemuck::cast_slice(&durations).to_vec()),
            ("pitch", Dtype::F32, bytes(pitch)),
            ("energy", Dtype::F32, bytes(energy)),
            ("style", Dtype::F32, bytes(&self.style)),
            ("samples", Dtype::I16, bytemuck::cast_slice(&samples).to_vec()),
        ]
        .map(|(name, dtype, bytes)| (format!("{number}.{name}"), dtype, bytes))
        .into()
    }
}

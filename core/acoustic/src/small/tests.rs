//! Networks of random weights against PyTorch's results: `research/student/export.py` writes both.

use safetensors::SafeTensors;
use speech_base::cancel::CancelToken;
use speech_base::error::ErrorKind;
use speech_base::threads::Threads;
use speech_kernels::Portable;

use super::synthesis::{BINS, PART, PARTS};
use super::*;
use crate::network::convolve::{Convolver, Workspace};
use crate::network::layers::read_floats;
use crate::{Features, Style};

const DECODER: &[u8] = include_bytes!("decoder.safetensors");
const PROSODY: &[u8] = include_bytes!("prosody.safetensors");

fn floats(file: &[u8], name: &str) -> Vec<f32> {
    read_floats(&SafeTensors::deserialize(file).unwrap(), &format!("reference.{name}")).unwrap()
}

fn numbers(file: &[u8], name: &str) -> Vec<usize> {
    let file = SafeTensors::deserialize(file).unwrap();
    let tensor = file.tensor(&format!("reference.{name}")).unwrap();
    let words = tensor.data().as_chunks().0.iter();
    words.map(|word| u16::from_le_bytes(*word).into()).collect()
}

fn features() -> Features {
    let [pitch, energy] = ["pitch", "energy"].map(|name| floats(DECODER, name));
    Features { durations: numbers(DECODER, "durations"), text: None, pitch, energy }
}

/// What is called with a convolver on so many threads.
fn with_convolver<R>(
    file: &[u8],
    threads: usize,
    call: impl FnOnce(&Convolver<'_, Portable>) -> R,
) -> R {
    let (threads, workspace) = (Threads::new(threads).unwrap(), Workspace::default());
    let convolver = Convolver {
        kernels: Portable,
        threads: &threads,
        cancel: &CancelToken::new(),
        workspace: &workspace,
        file,
        frame_weights: None,
    };
    call(&convolver)
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn the_decoder_computes_what_pytorch_does() {
    let decoder = SmallDecoder::read(DECODER).unwrap();
    let (features, style) = (features(), floats(DECODER, "style"));
    let style = Style { decoder: &style[..128], prosody: &[], generator: &style[128..] };
    let tokens = numbers(DECODER, "tokens");
    let spectra =
        with_convolver(DECODER, 1, |c| decoder.spectra(c, &tokens, &features, style).unwrap());
    let frames = spectra.values.chunks_exact(PARTS * PART).step_by(4);
    let parts = frames.flat_map(|frame| frame.chunks_exact(PART));
    let spectra: Vec<_> = parts.flat_map(|part| part[..BINS].iter().copied()).collect();
    let difference = largest_difference(&spectra, &floats(DECODER, "spectra"));
    assert!(difference < 5e-3, "{difference}");
    let run = |threads| {
        with_convolver(DECODER, threads, |c| decoder.run(c, &tokens, &features, style).unwrap())
    };
    let samples = run(1);
    let expected = floats(DECODER, "samples");
    let loudest = expected.iter().fold(0.0, |loudest: f32, x| loudest.max(x.abs()));
    // PyTorch reflects the pulses at the ends, where there is no voice.
    let difference = largest_difference(&samples, &expected);
    assert!(difference < 1e-3 * loudest, "{difference} of {loudest}");
    assert_eq!(samples, run(3));
}

#[test]
fn the_prosody_computes_what_pytorch_does() {
    let prosody = SmallProsody::read(PROSODY).unwrap();
    let (tokens, style) = (numbers(PROSODY, "tokens"), floats(PROSODY, "style"));
    // Those at both ends are added.
    let tokens: Vec<_> = tokens[1..tokens.len() - 1].iter().map(|token| *token as i64).collect();
    let run = |threads, max_frames| {
        with_convolver(PROSODY, threads, |c| {
            prosody.run(c, &tokens, &style, None, max_frames).unwrap()
        })
    };
    let features = run(1, 1000).unwrap();
    assert_eq!(features.durations, numbers(PROSODY, "durations"));
    for (found, name) in [(&features.pitch, "pitch"), (&features.energy, "energy")] {
        let expected = floats(PROSODY, name);
        let largest = expected.iter().fold(0.0, |largest: f32, x| largest.max(x.abs()));
        let difference = largest_difference(found, &expected);
        assert!(difference < 1e-3 * largest, "{name}: {difference} of {largest}");
    }
    let threads = run(3, 1000).unwrap();
    assert_eq!((&features.pitch, &features.energy), (&threads.pitch, &threads.energy));
    let frames = features.durations.iter().sum::<usize>();
    assert_eq!(run(1, frames - 1).unwrap_err(), frames);
}

/// Reads a file without each of its tensors in turn.
fn without_one<N>(file: &[u8], read: impl Fn(&[u8]) -> speech_base::error::Result<N>) {
    let file = SafeTensors::deserialize(file).unwrap();
    let names: Vec<_> = file.names().into_iter().filter(|name| !name.starts_with("ref")).collect();
    for gone in &names {
        let rest = names.iter().filter(|name| *name != gone);
        let rest = rest.map(|name| ((*name).to_owned(), file.tensor(name).unwrap()));
        let bytes = safetensors::serialize(rest, None).unwrap();
        let error = read(&bytes).err().unwrap_or_else(|| panic!("it is read without {gone}"));
        assert_eq!(error.kind(), ErrorKind::ModelError, "{gone}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    without_one(DECODER, SmallDecoder::read);
    without_one(PROSODY, SmallProsody::read);
    let decoder = SmallDecoder::read(DECODER).unwrap();
    let style = floats(DECODER, "style");
    let style = Style { decoder: &style[..128], prosody: &[], generator: &style[128..] };
    let unknown = with_convolver(DECODER, 1, |c| decoder.run(c, &[0, 178, 0], &features(), style));
    assert_eq!(unknown.unwrap_err().kind(), ErrorKind::Internal);
    let prosody = SmallProsody::read(PROSODY).unwrap();
    let style = floats(PROSODY, "style");
    let unknown = with_convolver(PROSODY, 1, |c| prosody.run(c, &[178], &style, None, 99));
    assert_eq!(unknown.unwrap_err().kind(), ErrorKind::Internal);
}

//! A decoder of random weights against PyTorch's results: `research/student/export.py` writes both.

use safetensors::SafeTensors;
use speech_base::cancel::CancelToken;
use speech_base::error::ErrorKind;
use speech_base::threads::Threads;
use speech_kernels::Portable;

use super::synthesis::BINS;
use super::*;
use crate::network::convolve::Workspace;
use crate::network::layers::read_floats;
use crate::network::signal::BufferPool;

const FILE: &[u8] = include_bytes!("reference.safetensors");

fn floats(name: &str) -> Vec<f32> {
    read_floats(&SafeTensors::deserialize(FILE).unwrap(), &format!("reference.{name}")).unwrap()
}

fn numbers(name: &str) -> Vec<usize> {
    let file = SafeTensors::deserialize(FILE).unwrap();
    let tensor = file.tensor(&format!("reference.{name}")).unwrap();
    let words = tensor.data().as_chunks().0.iter();
    words.map(|word| u16::from_le_bytes(*word).into()).collect()
}

fn features() -> Features {
    let text = Signal { values: BufferPool::default().take(0).unwrap(), channels: 1 };
    let (pitch, energy) = (floats("pitch"), floats("energy"));
    Features { durations: numbers("durations"), text, pitch, energy }
}

/// What is called with a convolver on so many threads.
fn with_convolver<R>(threads: usize, call: impl FnOnce(&Convolver<'_, Portable>) -> R) -> R {
    let (threads, workspace) = (Threads::new(threads).unwrap(), Workspace::default());
    let convolver = Convolver {
        kernels: Portable,
        threads: &threads,
        cancel: &CancelToken::new(),
        workspace: &workspace,
        file: FILE,
        frame_weights: None,
    };
    call(&convolver)
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn it_computes_what_pytorch_does() {
    let decoder = SmallDecoder::read(FILE).unwrap();
    let (features, style) = (features(), floats("style"));
    let style = Style { decoder: &style[..128], prosody: &[], generator: &style[128..] };
    let tokens = numbers("tokens");
    let spectra = with_convolver(1, |c| decoder.spectra(c, &tokens, &features, style).unwrap());
    let frames = spectra.values.chunks_exact(PARTS * PART).step_by(4);
    let parts = frames.flat_map(|frame| frame.chunks_exact(PART));
    let spectra: Vec<_> = parts.flat_map(|part| part[..BINS].iter().copied()).collect();
    let difference = largest_difference(&spectra, &floats("spectra"));
    assert!(difference < 5e-3, "{difference}");
    let run =
        |threads| with_convolver(threads, |c| decoder.run(c, &tokens, &features, style).unwrap());
    let samples = run(1);
    let expected = floats("samples");
    let loudest = expected.iter().fold(0.0, |loudest: f32, x| loudest.max(x.abs()));
    // PyTorch reflects the pulses at the ends, where there is no voice.
    let difference = largest_difference(&samples, &expected);
    assert!(difference < 1e-3 * loudest, "{difference} of {loudest}");
    assert_eq!(samples, run(3));
}

#[test]
fn what_does_not_fit_is_refused() {
    let file = SafeTensors::deserialize(FILE).unwrap();
    let names: Vec<_> = file.names().into_iter().filter(|name| !name.starts_with("ref")).collect();
    for gone in &names {
        let rest = names.iter().filter(|name| *name != gone);
        let rest = rest.map(|name| ((*name).to_owned(), file.tensor(name).unwrap()));
        let bytes = safetensors::serialize(rest, None).unwrap();
        let error = SmallDecoder::read(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ModelError, "{gone}");
    }
    let decoder = SmallDecoder::read(FILE).unwrap();
    let style = floats("style");
    let style = Style { decoder: &style[..128], prosody: &[], generator: &style[128..] };
    let unknown = with_convolver(1, |c| decoder.run(c, &[0, 178, 0], &features(), style));
    assert_eq!(unknown.unwrap_err().kind(), ErrorKind::Internal);
}

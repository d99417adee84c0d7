//! Compares networks of random weights with PyTorch's results; `research/student/export.py` writes
//! both.

use safetensors::SafeTensors;
use speech_base::cancel::CancelToken;
use speech_base::error::ErrorKind;
use speech_base::threads::Threads;
#[cfg(target_arch = "x86_64")]
use speech_kernels::{Amx, Avx2, Avx512, Int16};
use speech_kernels::{Kernels, Portable};

use super::synthesis::{BINS, HOP, PART, PARTS};
use super::*;
use crate::network::convolve::{Convolver, Workspace};
use crate::network::layers::{STYLE_PART, read_floats};
use crate::tests::{decibels, file, recorded, recorded_integers};
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

/// Calls a function with a convolver on this many threads.
fn with_convolver<R>(
    file: &[u8],
    threads: usize,
    call: impl FnOnce(&Convolver<'_, Portable>) -> R,
) -> R {
    with_kernels(Portable, file, threads, call)
}

/// Calls a function with a convolver that uses these kernels.
fn with_kernels<K: Kernels, R>(
    kernels: K,
    file: &[u8],
    threads: usize,
    call: impl FnOnce(&Convolver<'_, K>) -> R,
) -> R {
    let (threads, workspace) = (Threads::new(threads).unwrap(), Workspace::default());
    let convolver = Convolver {
        kernels,
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
    let decoder = SmallDecoder::read(DECODER, Portable).unwrap();
    let (features, style) = (features(), floats(DECODER, "style"));
    let style = Style { decoder: &style[..128], prosody: &[], generator: &style[128..] };
    let tokens = numbers(DECODER, "tokens");
    let spectra = with_convolver(DECODER, 1, |c| {
        let text = decoder.encode(c, &tokens).unwrap();
        decoder.spectra(c, &text, &features, style, 0..features.pitch.len()).unwrap()
    });
    let frames = spectra.values.chunks_exact(PARTS * PART).step_by(4);
    let parts = frames.flat_map(|frame| frame.chunks_exact(PART));
    let spectra: Vec<_> = parts.flat_map(|part| part[..BINS].iter().copied()).collect();
    let difference = largest_difference(&spectra, &floats(DECODER, "spectra"));
    assert!(difference < 5e-3, "{difference}");
    let run = |threads, frames| {
        with_convolver(DECODER, threads, |c| {
            let text = decoder.encode(c, &tokens).unwrap();
            decoder.run(c, &text, &features, style, frames).unwrap()
        })
    };
    let samples = run(1, 0..features.pitch.len());
    let expected = floats(DECODER, "samples");
    let loudest = expected.iter().fold(0.0, |loudest: f32, x| loudest.max(x.abs()));
    // PyTorch reflects the pulses at the ends, where there is no voice.
    let difference = largest_difference(&samples, &expected);
    assert!(difference < 1e-3 * loudest, "{difference} of {loudest}");
    assert_eq!(samples, run(3, 0..features.pitch.len()));
    for frames in [0..5, 3..20, 19..36] {
        let part = &samples[HOP * frames.start..HOP * frames.end];
        assert_eq!(part, run(1, frames.clone()), "{frames:?}");
    }
}

#[test]
fn the_prosody_computes_what_pytorch_does() {
    let prosody = SmallProsody::read(PROSODY, Portable).unwrap();
    let (tokens, style) = (numbers(PROSODY, "tokens"), floats(PROSODY, "style"));
    // The padding tokens at both ends are added again.
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

/// The heads of the test networks have fewer channels than a vector of some sets.
#[test]
fn every_set_of_kernels_runs_them() {
    let expected = synthesized(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        let found = [
            Avx2::detect().map(synthesized),
            Avx512::detect().map(synthesized),
            Int16::<Avx512>::detect().map(synthesized),
            Amx::detect().map(synthesized),
        ];
        for found in found.into_iter().flatten() {
            let decibels = decibels(&expected, &found);
            assert!(decibels > 20.0, "{decibels:.1} dB");
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    assert!(expected.iter().any(|sample| *sample != 0.0));
}

/// The output of the test decoder for its reference input, with a set of kernels.
fn synthesized<K: Kernels>(kernels: K) -> Vec<f32> {
    let decoder = SmallDecoder::read(DECODER, kernels).unwrap();
    let (features, style) = (features(), floats(DECODER, "style"));
    let style = Style { decoder: &style[..128], prosody: &[], generator: &style[128..] };
    with_kernels(kernels, DECODER, 2, |c| {
        let text = decoder.encode(c, &numbers(DECODER, "tokens")).unwrap();
        decoder.run(c, &text, &features, style, 0..features.pitch.len()).unwrap()
    })
}

/// Compares the bundle's networks with the published graph, as run by the bundle tool in float
/// arithmetic.
#[test]
fn the_published_networks_are_the_published_graph() {
    let [prosody, decoder] =
        ["prosody", "decoder"].map(|name| file(&format!("small_{name}.safetensors")));
    let zeros = [0.0; 2 * STYLE_PART];
    let style = Style::of(&zeros);
    for utterance in [0, 1] {
        let tokens = recorded_integers(utterance, "tokens");
        let features = with_convolver(&prosody, 2, |c| {
            let network = SmallProsody::read(&prosody, Portable).unwrap();
            let tokens = &tokens[1..tokens.len() - 1];
            network.run(c, tokens, style.prosody, None, usize::MAX).unwrap().unwrap()
        });
        let pitch = decibels(&recorded(utterance, "small_pitch"), &features.pitch);
        assert!(pitch > 60.0, "{pitch:.1} dB");
        let agreements = [
            (60.0, Some(agreement(Portable, &decoder, utterance, &features))),
            #[cfg(target_arch = "x86_64")]
            (45.0, Avx2::detect().map(|set| agreement(set, &decoder, utterance, &features))),
            #[cfg(target_arch = "x86_64")]
            (45.0, Avx512::detect().map(|set| agreement(set, &decoder, utterance, &features))),
            #[cfg(target_arch = "x86_64")]
            (45.0, Amx::detect().map(|set| agreement(set, &decoder, utterance, &features))),
        ];
        // Each spectrum in float arithmetic, and all together in that of other sets.
        let (_, portable) = &agreements[0];
        let parts = portable.as_ref().map(|(_, parts)| parts);
        assert!(parts.is_some_and(|parts| parts.iter().all(|part| *part > 45.0)), "{parts:?} dB");
        for (least, agreement) in agreements {
            let all = agreement.map(|(all, _)| all);
            assert!(all.is_none_or(|all| all > least), "{utterance}: {all:?} dB");
        }
    }
}

/// The agreement of the decoder's spectra with the published graph, in decibels: all together, and
/// each.
fn agreement<K: Kernels>(
    kernels: K,
    decoder: &[u8],
    utterance: usize,
    features: &Features,
) -> (f64, [f64; PARTS]) {
    let zeros = [0.0; 2 * STYLE_PART];
    let tokens = recorded_integers(utterance, "tokens");
    let tokens: Vec<_> = tokens.iter().map(|token| *token as usize).collect();
    let spectra = with_kernels(kernels, decoder, 2, |c| {
        let network = SmallDecoder::read(decoder, kernels).unwrap();
        let text = network.encode(c, &tokens).unwrap();
        let frames = 0..features.pitch.len();
        network.spectra(c, &text, features, Style::of(&zeros), frames).unwrap()
    });
    let parts = spectra.values.chunks_exact(PART).flat_map(|part| &part[..BINS]);
    let found = parts.copied().collect::<Vec<_>>();
    let expected = recorded(utterance, "small_spectra");
    let of_part = |all: &[f32], part: usize| {
        let frames = all.chunks_exact(BINS).skip(part).step_by(PARTS);
        frames.flatten().copied().collect::<Vec<_>>()
    };
    let parts = std::array::from_fn(|n| decibels(&of_part(&expected, n), &of_part(&found, n)));
    (decibels(&expected, &found), parts)
}

/// Removes each tensor of a file in turn, and reads the rest.
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
    without_one(DECODER, |file| SmallDecoder::read(file, Portable));
    without_one(PROSODY, |file| SmallProsody::read(file, Portable));
    let decoder = SmallDecoder::read(DECODER, Portable).unwrap();
    let unknown = with_convolver(DECODER, 1, |c| decoder.encode(c, &[0, 178, 0]));
    assert_eq!(unknown.unwrap_err().kind(), ErrorKind::Internal);
    let prosody = SmallProsody::read(PROSODY, Portable).unwrap();
    let style = floats(PROSODY, "style");
    let unknown = with_convolver(PROSODY, 1, |c| prosody.run(c, &[178], &style, None, 99));
    assert_eq!(unknown.unwrap_err().kind(), ErrorKind::Internal);
}

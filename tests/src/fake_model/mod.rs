//! The voice bundle of a fake acoustic model. It passes every check of the library, and is many
//! times faster than the real one.
//!
//! It is for tests of other subjects: fuzzing, sanitizers, memory over many requests. The model has
//! all layers of the real one with the minimum number of channels. Nearly all weights are zeros:
//! `prosody.rs` and `vocoder.rs` describe the others. The token with id k is a 50 ms tone at half
//! of full scale, times the gain of the voice: constant samples that drop to zero 100 + 40 (k
//! modulo 16) times a second. The pads are silent. A word takes some milliseconds, and the longest
//! utterance about a hundred times as long; both can be cancelled. The small networks output noise.

mod prosody;
mod vocoder;
mod weights;

use std::fs;
use std::io;
use std::path::Path;

use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The manifest without the list of files. Each voice and language has its own gain, from 0 dB for
/// aria in English to -9 dB for sofia in Hindi.
const MANIFEST: &str = include_str!("../../fake_model/bundle.json");

/// Small networks with random weights for aria; the prosody network only in English.
const SMALL_PROSODY: &[u8] = include_bytes!("../../../core/acoustic/src/small/prosody.safetensors");
const SMALL_DECODER: &[u8] = include_bytes!("../../../core/acoustic/src/small/decoder.safetensors");

/// Every file of the bundle, the largest last.
pub const FILES: [&str; 6] = [
    "bundle.json",
    "prosody.safetensors",
    "small_decoder.safetensors",
    "small_prosody.safetensors",
    "vocoder.safetensors",
    "voices.safetensors",
];

/// A style vector for each number of tokens, and its size.
const STYLE_SHAPE: [usize; 2] = [510, 256];

/// Writes the bundle to an existing directory. It has about 5 MB, nearly all of them zeros.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(dir: &Path) -> io::Result<()> {
    let mut manifest: Value = serde_json::from_str(MANIFEST)?;
    let styles = styles(&manifest)?;
    let files = [
        ("prosody.safetensors", prosody::weights()?),
        ("vocoder.safetensors", vocoder::weights()?),
        ("small_prosody.safetensors", SMALL_PROSODY.to_vec()),
        ("small_decoder.safetensors", SMALL_DECODER.to_vec()),
        ("voices.safetensors", styles),
    ];
    for (name, data) in files {
        manifest["files"][name] = json!({ "size": data.len(), "sha256": sha256(&data) });
        fs::write(dir.join(name), data)?;
    }
    fs::write(dir.join("bundle.json"), sealed(manifest))
}

/// The JSON of a manifest with its own SHA-256, which is computed with zeros in place of the
/// digits.
pub fn sealed(mut manifest: Value) -> String {
    let zeros = "0".repeat(64);
    manifest["manifest_sha256"] = zeros.as_str().into();
    let json = manifest.to_string();
    json.replace(&zeros, &sha256(json.as_bytes()))
}

/// A bundle in a directory, such as one of [`write()`], as one tar file.
///
/// # Errors
///
/// If a file cannot be read.
pub fn archive(dir: &Path) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_dir_all(".", dir)?;
    archive.into_inner()
}

/// A table of zeros for each voice and language of the manifest, and average statistics.
fn styles(manifest: &Value) -> io::Result<Vec<u8>> {
    let zeros = vec![0; STYLE_SHAPE.iter().product::<usize>() * size_of::<i16>()];
    let scale = vec![0; STYLE_SHAPE[1] * size_of::<f32>()];
    let means_and_variances = [[0.0_f32; vocoder::STATISTICS], [1.0; vocoder::STATISTICS]];
    let moments: Vec<u8> =
        means_and_variances.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut tensors = Vec::new();
    for voice in manifest["voices"].as_array().into_iter().flatten() {
        let id = voice["id"].as_str().unwrap_or_default();
        for language in voice["recipes"].as_object().into_iter().flat_map(|map| map.keys()) {
            let table = TensorView::new(Dtype::I16, STYLE_SHAPE.to_vec(), &zeros);
            tensors.push((format!("{id}/{language}"), table.map_err(io::Error::other)?));
            let scale = TensorView::new(Dtype::F32, STYLE_SHAPE[1..].to_vec(), &scale);
            tensors.push((format!("{id}/{language}.scale"), scale.map_err(io::Error::other)?));
            let moments = TensorView::new(Dtype::F32, vec![2, vocoder::STATISTICS], &moments);
            tensors.push((format!("{id}/{language}/moments"), moments.map_err(io::Error::other)?));
        }
    }
    safetensors::serialize(tensors, None).map_err(io::Error::other)
}

fn sha256(data: &[u8]) -> String {
    Sha256::digest(data).iter().map(|byte| format!("{byte:02x}")).collect()
}

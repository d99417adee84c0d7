//! The voice bundle: files that the library reads and never writes.

pub(crate) mod discovery;
mod source;

use std::collections::BTreeMap;

use safetensors::SafeTensors;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::acoustic::{Averages, STYLE_SIZE};
use crate::error::{Error, ErrorDetail, Result};
use crate::language::Language;
use crate::phonemize::MAX_TOKENS;
use crate::threads;
use crate::voice::Voice;
use source::Source;
pub(crate) use source::{Blob, BundleInput};

/// The version of the bundle format that this library reads.
pub const BUNDLE_FORMAT_VERSION: u32 = 3;

const MANIFEST: &str = "bundle.json";
const PROSODY: &str = "prosody.safetensors";
const VOCODER: &str = "vocoder.safetensors";
const STYLES: &str = "voices.safetensors";

/// An open bundle, verified against its manifest. The files stay mapped while it lives.
#[derive(Debug)]
pub(crate) struct Bundle {
    manifest: Manifest,
    prosody: Blob,
    vocoder: Blob,
    styles: Blob,
}

/// How a voice speaks a language.
#[derive(Clone, Debug)]
pub(crate) struct VoiceStyle {
    /// [`MAX_TOKENS`] rows of [`STYLE_SIZE`] numbers; the row for n tokens is the n-th.
    rows: Vec<f32>,
    /// Brings the voice to the loudness of the others, as a factor.
    pub(crate) gain: f32,
    /// The statistics of the vocoder's normalizations, on average.
    pub(crate) averages: Averages,
}

impl VoiceStyle {
    /// A style of zeros at the model's own loudness.
    #[cfg(test)]
    pub(crate) fn flat() -> Self {
        Self { rows: vec![0.0; MAX_TOKENS * STYLE_SIZE], gain: 1.0, averages: Averages::new(&[]) }
    }

    /// The style vector for an utterance of this many tokens, 1 to 510.
    pub(crate) fn for_tokens(&self, tokens: usize) -> &[f32] {
        let row = tokens.clamp(1, MAX_TOKENS) - 1;
        &self.rows[row * STYLE_SIZE..(row + 1) * STYLE_SIZE]
    }
}

#[derive(Debug, Deserialize)]
struct Manifest {
    sample_rate: u32,
    max_tokens: usize,
    vocabulary: BTreeMap<char, u16>,
    files: BTreeMap<String, FileEntry>,
    voices: Vec<VoiceEntry>,
}

#[derive(Debug, Deserialize)]
struct FileEntry {
    size: u64,
    sha256: String,
}

#[derive(Debug, Deserialize)]
struct VoiceEntry {
    id: String,
    recipes: BTreeMap<String, Recipe>,
}

/// What the library needs of a recipe: the blend itself is made when the bundle is.
#[derive(Debug, Deserialize)]
struct Recipe {
    gain_db: f32,
}

/// What the acoustic model must be like for the engine to use it.
pub(crate) struct ModelProperties<'a> {
    /// Of its audio, in hertz.
    pub(crate) sample_rate: u32,
    /// Of one utterance.
    pub(crate) max_tokens: usize,
    /// The token of each phoneme symbol.
    pub(crate) vocabulary: &'a BTreeMap<char, u16>,
}

/// A bundle whose manifest is read, and nothing else.
#[derive(Debug)]
pub(crate) struct Unverified {
    source: Source,
    manifest: Manifest,
}

impl Bundle {
    /// Opens a bundle: of its files, only the manifest is read.
    ///
    /// # Errors
    ///
    /// `model_error` if its manifest is missing, damaged, of another format or for another acoustic model.
    pub(crate) fn open(input: BundleInput, model: &ModelProperties<'_>) -> Result<Unverified> {
        let source = Source::open(input)?;
        let manifest = Manifest::read(&source, model)?;
        Ok(Unverified { source, manifest })
    }
}

impl Unverified {
    /// Reads every file and compares it with the manifest.
    ///
    /// # Errors
    ///
    /// `model_error`, which names the file and says whether it is missing, truncated or altered.
    pub(crate) fn verify(self) -> Result<Bundle> {
        let open = |name| self.manifest.open(&self.source, name);
        // The large file decides the time: hash the others beside it.
        let (vocoder, rest) = threads::beside(
            || open(VOCODER),
            || open(PROSODY).and_then(|prosody| Ok((prosody, open(STYLES)?))),
        )?;
        let vocoder = vocoder?;
        let (prosody, styles) = rest?;
        Ok(Bundle { manifest: self.manifest, prosody, vocoder, styles })
    }
}

impl Bundle {
    /// The weights of the text side, as a safetensors file that stays mapped while the value or a copy of it lives.
    pub(crate) fn prosody(&self) -> Blob {
        self.prosody.clone()
    }

    /// The weights of the vocoder, in the same way.
    pub(crate) fn vocoder(&self) -> Blob {
        self.vocoder.clone()
    }

    /// How a voice speaks a language.
    pub(crate) fn style(&self, voice: Voice, language: Language) -> Result<VoiceStyle> {
        let name = format!("{voice}/{language}");
        let damaged = || Error::damaged(format!("the voice bundle has no usable style for {name}"));
        let recipe = self
            .manifest
            .voices
            .iter()
            .find(|entry| entry.id == voice.as_str())
            .and_then(|entry| entry.recipes.get(language.as_str()))
            .ok_or_else(damaged)?;
        let file = SafeTensors::deserialize(&self.styles).map_err(|e| damaged().with_source(e))?;
        let rows = crate::acoustic::floats(&file, &name)
            .filter(|rows| rows.len() == MAX_TOKENS * STYLE_SIZE)
            .ok_or_else(damaged)?;
        let averages = crate::acoustic::floats(&file, &format!("{name}/moments"))
            .map(|moments| Averages::new(&moments))
            .ok_or_else(damaged)?;
        Ok(VoiceStyle { rows, gain: 10_f32.powf(recipe.gain_db / 20.0), averages })
    }
}

impl Manifest {
    fn read(source: &Source, model: &ModelProperties<'_>) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            format_version: u32,
        }
        let json = source.read(MANIFEST)?;
        let (place, path) = (source.place(MANIFEST), source.path(MANIFEST));
        let damaged = |e: serde_json::Error| {
            Error::damaged(format!("{place} is damaged: it is not a voice bundle's manifest"))
                .with_path(path.clone())
                .with_source(e)
        };
        // The version first: another version may have other fields.
        let Version { format_version } = serde_json::from_slice(&json).map_err(damaged)?;
        if format_version != BUNDLE_FORMAT_VERSION {
            let (update, detail) = if format_version > BUNDLE_FORMAT_VERSION {
                ("library", ErrorDetail::BundleTooNew)
            } else {
                ("bundle", ErrorDetail::BundleTooOld)
            };
            let message = format!(
                "{place} is of bundle format {format_version}; this library reads format {BUNDLE_FORMAT_VERSION}: update the {update}"
            );
            return Err(Error::model(message).with_detail(detail).with_path(path));
        }
        let manifest: Self = serde_json::from_slice(&json).map_err(damaged)?;
        let fits = manifest.sample_rate == model.sample_rate
            && manifest.max_tokens == model.max_tokens
            && manifest.vocabulary == *model.vocabulary;
        if fits {
            Ok(manifest)
        } else {
            let message = format!(
                "{place} is for another acoustic model: its sample rate, token limit or vocabulary differs"
            );
            let detail = ErrorDetail::IncompatibleModel;
            Err(Error::model(message).with_detail(detail).with_path(path))
        }
    }

    /// Opens a file of the bundle and compares it with its entry.
    fn open(&self, source: &Source, name: &str) -> Result<Blob> {
        let entry = self.files.get(name).ok_or_else(|| {
            let place = source.place(MANIFEST);
            Error::damaged(format!("{place} is damaged: it does not list {name}"))
                .with_path(source.path(MANIFEST))
        })?;
        let blob = source.read(name)?;
        let size = blob.len() as u64;
        let damaged = |how: String| {
            Error::damaged(format!("{} is {how}", source.place(name))).with_path(source.path(name))
        };
        if size != entry.size {
            let how = if size < entry.size { "truncated" } else { "altered" };
            return Err(damaged(format!("{how}: it has {size} bytes, not {}", entry.size)));
        }
        if hex(&Sha256::digest(&*blob)) != entry.sha256.to_ascii_lowercase() {
            return Err(damaged("altered: its SHA-256 does not match".into()));
        }
        Ok(blob)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

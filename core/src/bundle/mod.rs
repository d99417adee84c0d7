//! The voice bundle: files that the library reads and never writes.

pub(crate) mod discovery;
mod source;

use std::collections::BTreeMap;

use safetensors::SafeTensors;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::acoustic::{Averages, MODEL_RATE, STYLE_SIZE};
use crate::request::Language;
use crate::threads;
use crate::vocabulary::{self, MAX_TOKENS};
use crate::voice::Voice;
use crate::{Error, Result};
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

/// A bundle whose manifest is read, and nothing else.
#[derive(Debug)]
pub(crate) struct Unverified {
    source: Source,
    manifest: Manifest,
}

impl Bundle {
    /// Opens a bundle, which takes no time to speak of.
    ///
    /// # Errors
    ///
    /// `model_error` if its manifest is missing, damaged or of another format.
    pub(crate) fn open(input: BundleInput) -> Result<Unverified> {
        let source = Source::open(input)?;
        let manifest = Manifest::read(&source)?;
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
        let name = format!("{}/{}", voice.id(), language.tag());
        let damaged = || Error::model(format!("the voice bundle has no usable style for {name}"));
        let recipe = self
            .manifest
            .voices
            .iter()
            .find(|entry| entry.id == voice.id())
            .and_then(|entry| entry.recipes.get(language.tag()))
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
    fn read(source: &Source) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            format_version: u32,
        }
        let json = source.read(MANIFEST)?;
        let place = source.place(MANIFEST);
        let damaged = |e: serde_json::Error| {
            Error::model(format!("{place} is damaged: it is not a voice bundle's manifest"))
                .with_source(e)
        };
        // The version first: another version may have other fields.
        let Version { format_version } = serde_json::from_slice(&json).map_err(damaged)?;
        if format_version != BUNDLE_FORMAT_VERSION {
            let update = if format_version > BUNDLE_FORMAT_VERSION { "library" } else { "bundle" };
            return Err(Error::model(format!(
                "{place} is of bundle format {format_version}; this library reads format {BUNDLE_FORMAT_VERSION}: update the {update}"
            )));
        }
        let manifest: Self = serde_json::from_slice(&json).map_err(damaged)?;
        let fits = manifest.sample_rate == MODEL_RATE
            && manifest.max_tokens == MAX_TOKENS
            && manifest.vocabulary == *vocabulary::symbols();
        if fits {
            Ok(manifest)
        } else {
            Err(Error::model(format!(
                "{place} is for another acoustic model: its sample rate, token limit or vocabulary differs"
            )))
        }
    }

    /// Opens a file of the bundle and compares it with its entry.
    fn open(&self, source: &Source, name: &str) -> Result<Blob> {
        let entry = self.files.get(name).ok_or_else(|| {
            Error::model(format!("{} is damaged: it does not list {name}", source.place(MANIFEST)))
        })?;
        let blob = source.read(name)?;
        let size = blob.len() as u64;
        let place = source.place(name);
        if size != entry.size {
            let how = if size < entry.size { "truncated" } else { "altered" };
            return Err(Error::model(format!(
                "{place} is {how}: it has {size} bytes, not {}",
                entry.size
            )));
        }
        if hex(&Sha256::digest(&*blob)) != entry.sha256.to_ascii_lowercase() {
            return Err(Error::model(format!("{place} is altered: its SHA-256 does not match")));
        }
        Ok(blob)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

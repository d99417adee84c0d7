//! The voice bundle: files that the library reads and never writes.

pub mod discovery;
mod source;
mod verified;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use speech_base::error::{Error, ErrorDetail, Result};
use speech_base::language::Language;
use speech_base::quality::Quality;
use speech_base::threads;
use speech_base::voice::Voice;

use source::Source;
pub use source::{Blob, BundleInput};

/// The version of the bundle format that this library reads.
pub const BUNDLE_FORMAT_VERSION: u32 = 7;

const MANIFEST: &str = "bundle.json";
/// The value of the manifest's `format` field.
const FORMAT: &str = "libspeech-voice-bundle";
const STYLES: &str = "voices.safetensors";

/// A network of a bundle. Its file has the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The large prosody.
    Prosody,
    /// The large decoder.
    Vocoder,
    /// The small prosody.
    SmallProsody,
    /// The small decoder.
    SmallDecoder,
}

impl Part {
    /// The key in the manifest.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Prosody => "prosody",
            Self::Vocoder => "vocoder",
            Self::SmallProsody => "small_prosody",
            Self::SmallDecoder => "small_decoder",
        }
    }

    /// The prosody and the decoder of a quality; none for `Auto`, which names no networks.
    pub(crate) const fn of(quality: Quality) -> Option<[Self; 2]> {
        match quality {
            Quality::Full => Some([Self::Prosody, Self::Vocoder]),
            Quality::Fast => Some([Self::Prosody, Self::SmallDecoder]),
            Quality::Light => Some([Self::SmallProsody, Self::SmallDecoder]),
            _ => None,
        }
    }
}

/// The network files that a bundle has.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The large prosody.
    pub prosody: Option<Blob>,
    /// The large decoder.
    pub vocoder: Option<Blob>,
    /// The small prosody.
    pub small_prosody: Option<Blob>,
    /// The small decoder.
    pub small_decoder: Option<Blob>,
}

impl Parts {
    /// The total size of the files, in bytes.
    pub fn size(&self) -> usize {
        let Self { prosody, vocoder, small_prosody, small_decoder } = self;
        [prosody, vocoder, small_prosody, small_decoder]
            .into_iter()
            .flatten()
            .map(|file| file.len())
            .sum()
    }
}

/// An open bundle, verified against its manifest.
#[derive(Debug)]
pub struct Bundle {
    manifest: Manifest,
    /// The manifest's name in messages, and its path if it has one.
    place: String,
    path: Option<PathBuf>,
    parts: Parts,
    styles: Blob,
}

/// The properties that a bundle must have for the library's acoustic model.
#[derive(Clone, Copy, Debug)]
pub struct ModelFormat<'a> {
    /// The sample rate of the model, in hertz.
    pub sample_rate: u32,
    /// The most tokens of an utterance.
    pub max_tokens: usize,
    /// The number of each phoneme symbol.
    pub vocabulary: &'a BTreeMap<char, u16>,
}

#[derive(Debug, Deserialize)]
struct Manifest {
    sample_rate: u32,
    max_tokens: usize,
    vocabulary: BTreeMap<char, u16>,
    files: BTreeMap<String, FileEntry>,
    /// The networks in the bundle, each with the languages of each voice that it can speak.
    parts: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    voices: Vec<VoiceEntry>,
    /// See [`is_sealed`].
    manifest_sha256: String,
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

/// The fields of a recipe that the library needs. The blend itself is computed when the bundle is
/// made.
#[derive(Debug, Deserialize)]
struct Recipe {
    gain_db: f32,
    /// The gain with the small decoder; that of the large one if absent.
    small_gain_db: Option<f32>,
}

/// A bundle of which only the manifest has been read.
#[derive(Debug)]
pub struct Unverified {
    source: Source,
    manifest: Manifest,
    may_map: bool,
}

impl Bundle {
    /// Opens a bundle and reads only its manifest. Its large files will be mapped if `may_map` is
    /// true, and read otherwise.
    ///
    /// # Errors
    ///
    /// `model_error` if the manifest is missing or damaged, or if the bundle has another format or
    /// is for another model.
    pub fn open(input: BundleInput, may_map: bool, model: &ModelFormat<'_>) -> Result<Unverified> {
        let source = Source::open(input)?;
        let manifest = Manifest::read(&source, model)?;
        Ok(Unverified { source, manifest, may_map })
    }
}

impl Unverified {
    /// Reads every file and checks it against the manifest, except files already in use by another
    /// engine of this process.
    ///
    /// # Errors
    ///
    /// `model_error`, with the name of a missing, truncated or altered file.
    pub fn verify(self) -> Result<Bundle> {
        let open = |name: &str| self.manifest.open(&self.source, name, self.may_map);
        let part = |part: Part| {
            let name = part.as_str();
            let listed = self.manifest.parts.contains_key(name);
            listed.then(|| open(&format!("{name}.safetensors"))).transpose()
        };
        // The vocoder is by far the largest file: hash the others in parallel with it.
        let (vocoder, rest) = threads::join(
            || part(Part::Vocoder),
            || {
                let (small_prosody, small_decoder) =
                    (part(Part::SmallProsody)?, part(Part::SmallDecoder)?);
                Ok::<_, Error>((part(Part::Prosody)?, small_prosody, small_decoder, open(STYLES)?))
            },
        )?;
        let vocoder = vocoder?;
        let (prosody, small_prosody, small_decoder, styles) = rest?;
        let parts = Parts { prosody, vocoder, small_prosody, small_decoder };
        let (place, path) = (self.source.place(MANIFEST), self.source.path(MANIFEST));
        let bundle = Bundle { manifest: self.manifest, place, path, parts, styles };
        let mut pairs = Voice::ALL
            .into_iter()
            .flat_map(|voice| Language::ALL.map(|language| (voice, language)));
        if pairs.any(|(voice, language)| !bundle.qualities(voice, language).is_empty()) {
            Ok(bundle)
        } else {
            Err(bundle.damaged("lists no voice that has a prosody and a decoder"))
        }
    }
}

impl Bundle {
    /// The SHA-256 of the manifest, which contains those of all files.
    pub fn manifest_sha256(&self) -> &str {
        &self.manifest.manifest_sha256
    }

    /// The weights of the bundle's networks: safetensors files that stay in memory while this value
    /// or a clone lives.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The style vectors and statistics of all voices, kept in memory in the same way.
    pub(crate) fn styles(&self) -> &Blob {
        &self.styles
    }

    /// Whether a network speaks a voice in a language.
    pub fn has(&self, part: Part, voice: Voice, language: Language) -> bool {
        let voices = self.manifest.parts.get(part.as_str());
        let languages = voices.and_then(|voices| voices.get(voice.as_str()));
        languages.is_some_and(|languages| languages.iter().any(|it| it == language.as_str()))
    }

    /// The qualities that the bundle has for a voice in a language.
    pub fn qualities(&self, voice: Voice, language: Language) -> Vec<Quality> {
        let has = |part| self.has(part, voice, language);
        let mut qualities = Quality::NAMED.to_vec();
        qualities
            .retain(|quality| Part::of(*quality).is_some_and(|parts| parts.into_iter().all(has)));
        qualities
    }

    /// The gains that give a voice in a language the loudness of the others, in decibels: with the
    /// large decoder, and with the small one.
    ///
    /// # Errors
    ///
    /// `model_error` if the manifest does not have the voice in this language.
    pub(crate) fn gains_db(&self, voice: Voice, language: Language) -> Result<[f32; 2]> {
        let entry = self.manifest.voices.iter().find(|entry| entry.id == voice.as_str());
        let recipe = entry.and_then(|entry| entry.recipes.get(language.as_str()));
        let gains =
            recipe.map(|recipe| [recipe.gain_db, recipe.small_gain_db.unwrap_or(recipe.gain_db)]);
        gains.ok_or_else(|| self.damaged(&format!("has no usable style for {voice}/{language}")))
    }

    fn damaged(&self, how: &str) -> Error {
        Error::damaged(format!("{} {how}", self.place)).with_path(self.path.clone())
    }
}

impl Manifest {
    fn read(source: &Source, model: &ModelFormat<'_>) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            format: String,
            format_version: u32,
        }
        let json = source.load(MANIFEST, &source.find(MANIFEST)?, false)?;
        let (place, path) = (source.place(MANIFEST), source.path(MANIFEST));
        let other = || {
            Error::damaged(format!("{place} is damaged: it is not a voice bundle's manifest"))
                .with_path(path.clone())
        };
        let damaged = |e: serde_json::Error| other().with_source(e);
        // Read the version first: another version may have other fields.
        let Version { format, format_version } = serde_json::from_slice(&json).map_err(damaged)?;
        if format != FORMAT {
            return Err(other());
        }
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
        if !is_sealed(&json, &manifest.manifest_sha256) {
            let message = format!("{place} is altered: its own SHA-256 does not match");
            return Err(Error::damaged(message).with_path(path));
        }
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

    /// Opens a file of the bundle and checks it against its entry.
    fn open(&self, source: &Source, name: &str, may_map: bool) -> Result<Blob> {
        let entry = self.files.get(name).ok_or_else(|| {
            let place = source.place(MANIFEST);
            Error::damaged(format!("{place} is damaged: it does not list {name}"))
                .with_path(source.path(MANIFEST))
        })?;
        let sha256 = entry.sha256.to_ascii_lowercase();
        let part = source.find(name)?;
        let size = part.len();
        let damaged = |how: String| {
            Error::damaged(format!("{} is {how}", source.place(name))).with_path(source.path(name))
        };
        if size != entry.size {
            let how = if size < entry.size { "truncated" } else { "altered" };
            return Err(damaged(format!("{how}: it has {size} bytes, not {}", entry.size)));
        }
        let identity = part.identity();
        let in_use = identity.and_then(|identity| verified::find(identity, &sha256, may_map));
        if let Some(blob) = in_use {
            return Ok(blob);
        }
        let blob = source.load(name, &part, may_map)?;
        if digest(&blob) != sha256 {
            return Err(damaged("altered: its SHA-256 does not match".into()));
        }
        if let Some(identity) = identity {
            verified::remember(identity, &sha256, &blob);
        }
        Ok(blob)
    }
}

/// Whether a manifest is unaltered: the SHA-256 in it must be that of its bytes with zeros in place
/// of the digits.
fn is_sealed(json: &[u8], sha256: &str) -> bool {
    let digits = json.windows(sha256.len().max(1)).position(|bytes| bytes == sha256.as_bytes());
    let Some(start) = digits.filter(|_| sha256.len() == 64) else { return false };
    let mut hash = Sha256::new();
    hash.update(&json[..start]);
    hash.update([b'0'; 64]);
    hash.update(&json[start + 64..]);
    hex(&hash.finalize()) == sha256
}

/// SHA-256 in hexadecimal digits, computed in parts: WebAssembly engines optimize a function only
/// for its later calls.
fn digest(bytes: &[u8]) -> String {
    let hash = bytes.chunks(1 << 16).fold(Sha256::new(), Sha256::chain_update);
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

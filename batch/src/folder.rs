//! The folder of a job: its manifest, for each spoken request an audio file and a `.json` with
//! timestamps, for each failed request its fault, and the index of each shard.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use speech_core::{Encoding, Engine, SAMPLE_RATES, SOUND_VERSION};
use tempfile::NamedTempFile;

use crate::error::{Error, Result};
use crate::sound::Container;

const MANIFEST: &str = "manifest.json";

/// All inputs of the audio other than the request. A folder has one manifest.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// The version of this layout.
    format: u32,
    /// [`SOUND_VERSION`].
    sound_version: u32,
    /// The SHA-256 of the voice bundle.
    bundle: String,
    /// The kernels in use, such as `avx2`.
    kernels: String,
    /// The precision of the vocoder's products, such as `int16`.
    precision: String,
    /// The SHA-256 of the lexicon; empty without a lexicon.
    lexicon: String,
    /// The sample rate in hertz.
    sample_rate: u32,
    /// The encoding of samples, such as `pcm16`.
    encoding: String,
    /// The file format. The default is not serialized, so that the digests of older folders stay
    /// valid.
    #[serde(default, skip_serializing_if = "Container::is_default")]
    container: Container,
}

impl Manifest {
    /// The manifest for an engine, a file format, a sample rate in hertz and an encoding. `lexicon`
    /// is the content of the engine's lexicon, empty if it has none.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for an unsupported sample rate, and for FLAC with an encoding other than
    /// [`Encoding::Pcm16`].
    pub fn new(
        engine: &Engine,
        lexicon: &[u8],
        sample_rate: u32,
        encoding: Encoding,
        container: Container,
    ) -> Result<Self> {
        if !SAMPLE_RATES.contains(&sample_rate) {
            let rates = SAMPLE_RATES.map(|rate| rate.to_string()).join(", ");
            return Err(Error::Refused(format!("the sample rate must be one of {rates}")));
        }
        if container == Container::Flac && encoding != Encoding::Pcm16 {
            return Err(Error::Refused("flac needs the encoding pcm16".to_owned()));
        }
        let backend = engine.backend();
        Ok(Self {
            format: 1,
            sound_version: SOUND_VERSION,
            bundle: engine.bundle_sha256().to_owned(),
            kernels: backend.kernels.as_str().to_owned(),
            precision: backend.precision.as_str().to_owned(),
            lexicon: if lexicon.is_empty() { String::new() } else { hex(&Sha256::digest(lexicon)) },
            sample_rate,
            encoding: encoding.as_str().to_owned(),
            container,
        })
    }

    /// The SHA-256 of this manifest.
    pub fn fingerprint(&self) -> String {
        hex(&Sha256::digest(self.json()))
    }

    /// The sample rate in hertz.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    pub(crate) fn encoding(&self) -> speech_core::Result<Encoding> {
        self.encoding.parse()
    }

    pub(crate) fn container(&self) -> Container {
        self.container
    }

    fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers") + "\n"
    }

    /// The fields that differ, one line each.
    fn differences(&self, other: &Self) -> Vec<String> {
        let [here, there] = [self, other].map(|it| serde_json::to_value(it).unwrap_or_default());
        let fields = here.as_object().into_iter().flatten();
        let differ = fields.filter(|(name, value)| there[name.as_str()] != **value);
        differ
            .map(|(name, value)| {
                format!("{name} is {value} now, but {} in the folder", there[name])
            })
            .collect()
    }
}

/// The recorded result of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The request was spoken.
    Done(Done),
    /// The request cannot be spoken: trying again gives the same fault.
    Failed(Fault),
}

/// A spoken request.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Done {
    /// The size of the audio file in bytes.
    pub bytes: u64,
    /// The SHA-256 of the audio file.
    pub sha256: String,
    /// The duration of the audio in seconds.
    pub seconds: f64,
    /// The timestamps of the words: start and end in seconds, then the byte range in the text.
    pub words: Vec<(f64, f64, usize, usize)>,
    /// The timestamps of the sentences, in the same form.
    pub sentences: Vec<(f64, f64, usize, usize)>,
    /// The byte ranges of skipped text, such as emoji.
    pub skipped: Vec<(usize, usize)>,
}

/// The reason why a request cannot be spoken.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Fault {
    /// The error kind of the library.
    pub kind: String,
    /// The violated rule and the position, without any of the text.
    pub message: String,
}

/// The folder of a job.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    container: Container,
}

impl Folder {
    /// Opens a folder for a job, or creates it.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the folder has another manifest; the message lists the differences.
    /// [`Error::Io`].
    pub fn create(path: impl Into<PathBuf>, manifest: &Manifest) -> Result<Self> {
        let folder = Self { path: path.into(), container: manifest.container };
        let path = folder.path.join(MANIFEST);
        fs::create_dir_all(&folder.path).map_err(Error::io(&folder.path))?;
        let mut draft = draft(&folder.path)?;
        draft.write_all(manifest.json().as_bytes()).map_err(Error::io(&path))?;
        let made = draft.as_file().sync_all().and_then(|()| Ok(draft.persist_noclobber(&path)?));
        match made.and_then(|_| sync_folder(&path)) {
            Ok(()) => Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let differences = manifest.differences(&read_manifest(&folder.path)?);
                if differences.is_empty() {
                    return Ok(folder);
                }
                let message = format!(
                    "{} belongs to a job with other settings: {}",
                    folder.path.display(),
                    differences.join("; ")
                );
                Err(Error::Refused(message))
            }
            Err(error) => Err(Error::io(&path)(error)),
        }
    }

    /// Opens the folder of an existing job.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if it is not such a folder. [`Error::Io`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let container = read_manifest(&path)?.container;
        Ok(Self { path, container })
    }

    /// The path of a shard's index.
    pub(crate) fn index(&self, name: &str) -> PathBuf {
        self.path.join("index").join(format!("{name}.jsonl"))
    }

    /// The existing indexes.
    pub(crate) fn indexes(&self) -> Result<Vec<PathBuf>> {
        let path = self.path.join("index");
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io(&path)(error)),
        };
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut paths: Vec<_> = paths.collect::<io::Result<_>>().map_err(Error::io(&path))?;
        paths.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
        paths.sort();
        Ok(paths)
    }

    /// The path of the audio file for a [key](crate::Row::key), which exists once it is spoken.
    pub fn sound(&self, key: &str) -> PathBuf {
        self.path.join(&key[..2]).join(format!("{key}.{}", self.container.extension()))
    }

    fn done(&self, key: &str) -> PathBuf {
        self.sound(key).with_extension("json")
    }

    fn failed(&self, key: &str) -> PathBuf {
        self.path.join("failed").join(format!("{key}.json"))
    }

    /// The result for a [key](crate::Row::key), or `None` if there is none yet. Audio whose
    /// size differs from that in its `.json` is not a result.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn outcome(&self, key: &str) -> Result<Option<Outcome>> {
        if let Some(done) = read_json::<Done>(&self.done(key))? {
            let path = self.sound(key);
            match fs::metadata(&path) {
                Ok(metadata) if metadata.len() == done.bytes => {
                    return Ok(Some(Outcome::Done(done)));
                }
                Ok(_) => (),
                Err(error) if error.kind() == io::ErrorKind::NotFound => (),
                Err(error) => return Err(Error::io(&path)(error)),
            }
        }
        Ok(read_json(&self.failed(key))?.map(Outcome::Failed))
    }

    /// Whether a request's audio has the SHA-256 of its `.json`.
    pub(crate) fn is_whole(&self, key: &str, done: &Done) -> Result<bool> {
        let path = self.sound(key);
        let mut file = File::open(&path).map_err(Error::io(&path))?;
        let (_, sha256) = measure(&mut file).map_err(Error::io(&path))?;
        Ok(sha256 == done.sha256)
    }

    /// A temporary file for the audio of a request in progress.
    pub(crate) fn begin(&self, key: &str) -> Result<NamedTempFile> {
        let path = self.sound(key);
        let folder = path.with_file_name("");
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        draft(&folder)
    }

    /// Stores the result of a spoken request.
    pub(crate) fn commit(&self, key: &str, sound: NamedTempFile, done: &Done) -> Result<()> {
        let path = self.sound(key);
        keep(sound, &path).map_err(Error::io(&path))?;
        write_json(&self.done(key), done)
    }

    /// Stores the fault of a request.
    pub(crate) fn fail(&self, key: &str, fault: &Fault) -> Result<()> {
        write_json(&self.failed(key), fault)
    }
}

/// Writes a file atomically: it gets its name when it is complete. Creates its folder.
///
/// # Errors
///
/// [`Error::Io`], also for errors of `write`.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut NamedTempFile) -> io::Result<()>,
) -> Result<()> {
    let folder = path.with_file_name("");
    fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    let mut draft = draft(&folder)?;
    write(&mut draft).map_err(Error::io(path))?;
    keep(draft, path).map_err(Error::io(path))
}

fn draft(folder: &Path) -> Result<NamedTempFile> {
    let mut draft = tempfile::Builder::new();
    draft.prefix(".speech-").suffix(".partial");
    // With the permissions of a new file; those of a temporary file differ.
    let draft = draft.make_in(folder, |path| File::create_new(path));
    let draft = draft.map_err(Error::io(folder))?;
    let (file, path) = draft.into_parts();
    Ok(NamedTempFile::from_parts(file, path))
}

fn read_manifest(folder: &Path) -> Result<Manifest> {
    read_json(&folder.join(MANIFEST))?.ok_or_else(|| {
        Error::Refused(format!("{} is not the output folder of a batch", folder.display()))
    })
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string(value).expect("strings and numbers") + "\n";
    write_whole(path, |file| file.write_all(json.as_bytes()))
}

/// Renames a file after flushing its content to the disk.
fn keep(draft: NamedTempFile, path: &Path) -> io::Result<()> {
    draft.as_file().sync_all()?;
    draft.persist(path)?;
    sync_folder(path)
}

/// Flushes the name of a file to the disk, so that the files of a folder appear in order after a
/// power failure. Windows cannot open a folder, and preserves the order itself.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path.with_file_name(""))?.sync_all() } else { Ok(()) }
}

/// The value in a file; `None` if the file is missing or damaged.
fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Option<T>> {
    match fs::read(path) {
        Ok(json) => Ok(serde_json::from_slice(&json).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(path)(error)),
    }
}

/// The size and the SHA-256 of the rest of a file.
///
/// # Errors
///
/// If reading fails.
pub fn measure(file: &mut impl Read) -> io::Result<(u64, String)> {
    let (mut hash, mut buffer, mut length) = (Sha256::new(), vec![0; 1 << 16], 0);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((length, hex(&hash.finalize()))),
            read => {
                hash.update(&buffer[..read]);
                length += read as u64;
            }
        }
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of values, one a line, in order.
pub(crate) fn digest_of(lines: impl Iterator<Item = Value>) -> String {
    let mut hash = Sha256::new();
    lines.for_each(|line| hash.update(format!("{line}\n")));
    hex(&hash.finalize())
}

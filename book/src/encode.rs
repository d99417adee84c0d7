//! Encodes the audio file of a book.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use speech_batch::{Error, Result};
use speech_core::Encoding;
use speech_encode::{FlacFile, OPUS_RATES};
use tempfile::{NamedTempFile, TempPath};

use crate::audiobook::{ChapterMark, Spoken};
use crate::book::Cover;
use crate::opus;

/// The output format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// AAC in MP4, the usual format of audiobooks. Encoded by ffmpeg.
    M4b,
    /// MP3. Encoded by ffmpeg.
    Mp3,
    /// Opus in Ogg.
    Opus,
    /// FLAC, a lossless format.
    Flac,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::M4b, Self::Mp3, Self::Opus, Self::Flac];

    /// The name, which is also the file extension.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::M4b => "m4b",
            Self::Mp3 => "mp3",
            Self::Opus => "opus",
            Self::Flac => "flac",
        }
    }

    /// ffmpeg's name of the encoder, if ffmpeg encodes the format.
    fn encoder(self) -> Option<&'static str> {
        match self {
            Self::M4b => Some("aac"),
            Self::Mp3 => Some("libmp3lame"),
            Self::Opus | Self::Flac => None,
        }
    }
}

impl FromStr for Format {
    type Err = speech_core::Error;

    fn from_str(name: &str) -> speech_core::Result<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name).ok_or_else(|| {
            let message = "the format of a book must be m4b, mp3, opus or flac";
            speech_core::Error::invalid_request(message)
        })
    }
}

/// The program that encodes MP3 and AAC.
#[derive(Clone, Debug)]
pub struct Ffmpeg {
    program: PathBuf,
    encoders: Vec<String>,
}

impl Ffmpeg {
    /// Reads the list of encoders from the program; `None` if it cannot be run.
    pub fn find(program: impl Into<PathBuf>) -> Option<Self> {
        let program = program.into();
        let mut list = Command::new(&program);
        list.args(["-hide_banner", "-loglevel", "error", "-encoders"]);
        let output = list.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        // Lines are flags, a name and a description.
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = lines.lines().filter_map(|line| line.split_whitespace().nth(1));
        let encoders = names.map(str::to_owned).collect();
        output.status.success().then_some(Self { program, encoders })
    }

    /// Whether the program can encode a format.
    pub fn encodes(&self, format: Format) -> bool {
        format.encoder().is_some_and(|name| self.encoders.iter().any(|own| own == name))
    }
}

/// The metadata of a file.
pub(crate) struct Tags<'a> {
    pub(crate) title: &'a str,
    pub(crate) authors: &'a [String],
    pub(crate) chapters: &'a [ChapterMark],
    pub(crate) cover: Option<&'a Cover>,
}

/// The audio of a book.
pub(crate) struct Sound<'a> {
    pub(crate) passages: &'a [Spoken<'a>],
    /// The sample rate in hertz.
    pub(crate) rate: u32,
    /// The number of threads.
    pub(crate) jobs: usize,
    /// Reads the samples of a passage and of the following pause.
    pub(crate) read: &'a (dyn Fn(&Spoken<'_>) -> io::Result<Vec<i16>> + Sync),
}

/// Rejects a format that cannot be encoded here.
pub(crate) fn check(format: Format, sample_rate: u32, ffmpeg: Option<&Ffmpeg>) -> Result<()> {
    let name = format.as_str();
    if format.encoder().is_some() && !ffmpeg.is_some_and(|it| it.encodes(format)) {
        let message =
            format!("{name} needs an ffmpeg that encodes it; opus and flac need no ffmpeg");
        return Err(Error::Refused(message));
    }
    if format == Format::Opus && !OPUS_RATES.contains(&sample_rate) {
        let rates = OPUS_RATES.map(|rate| rate.to_string()).join(", ");
        return Err(Error::Refused(format!("the sample rate of opus must be one of {rates}")));
    }
    Ok(())
}

/// Writes an empty file.
pub(crate) fn write(
    format: Format,
    file: &mut NamedTempFile,
    sound: &Sound<'_>,
    tags: &Tags<'_>,
    ffmpeg: Option<&Ffmpeg>,
) -> io::Result<()> {
    match format {
        Format::Opus => {
            let mut own = comments(tags);
            let picture = tags.cover.map(|cover| BASE64_STANDARD.encode(picture(cover)));
            own.extend(picture.map(|picture| ("METADATA_BLOCK_PICTURE".to_owned(), picture)));
            opus::write(file, sound, &own)
        }
        Format::Flac => {
            let mut metadata = vec![(VORBIS_COMMENT, vorbis_comment(&comments(tags)))];
            metadata.extend(tags.cover.map(|cover| (PICTURE, picture(cover))));
            let mut flac = FlacFile::new(BufWriter::new(file), sound.rate, &metadata)?;
            for passage in sound.passages {
                flac.write(&(sound.read)(passage)?)?;
            }
            flac.finish()?.flush()
        }
        Format::M4b | Format::Mp3 => {
            let ffmpeg = ffmpeg.ok_or_else(|| io::Error::other("ffmpeg is not installed"))?;
            let mut process = Process::start(ffmpeg, format, file, sound.rate, tags)?;
            for passage in sound.passages {
                process.write(&(sound.read)(passage)?)?;
            }
            process.finish()
        }
    }
}

/// Types of metadata in FLAC (RFC 9639, section 8).
const VORBIS_COMMENT: u8 = 4;
const PICTURE: u8 = 6;

/// Names and values of Ogg and FLAC metadata. Chapters follow
/// <https://wiki.xiph.org/Chapter_Extension>.
fn comments(tags: &Tags<'_>) -> Vec<(String, String)> {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut comments =
        vec![pair("TITLE", tags.title), pair("ALBUM", tags.title), pair("GENRE", "Audiobook")];
    comments.extend(tags.authors.iter().map(|author| pair("ARTIST", author)));
    for (number, chapter) in tags.chapters.iter().enumerate() {
        let start = crate::subtitles::clock(chapter.start, '.');
        comments.push((format!("CHAPTER{number:03}"), start));
        comments.push((format!("CHAPTER{number:03}NAME"), chapter.title.clone()));
    }
    comments
}

fn vorbis_comment(comments: &[(String, String)]) -> Vec<u8> {
    let string = |text: &str| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
    let mut block = string("libspeech");
    block.extend((comments.len() as u32).to_le_bytes());
    for (name, value) in comments {
        block.extend(string(&format!("{name}={value}")));
    }
    block
}

/// A picture block (RFC 9639, section 8.8), without the size in pixels.
fn picture(cover: &Cover) -> Vec<u8> {
    const FRONT_COVER: u32 = 3;
    let number = |number: usize| (number as u32).to_be_bytes();
    [
        &FRONT_COVER.to_be_bytes()[..],
        &number(cover.media_type.len()),
        cover.media_type.as_bytes(),
        // The description, width, height, depth and number of colors.
        &[0; 20],
        &number(cover.bytes.len()),
        &cover.bytes,
    ]
    .concat()
}

/// A running ffmpeg process. Dropping it kills the process.
struct Process {
    child: Child,
    input: Option<BufWriter<ChildStdin>>,
    /// Its input files.
    _inputs: Vec<TempPath>,
}

impl Process {
    fn start(
        ffmpeg: &Ffmpeg,
        format: Format,
        output: &NamedTempFile,
        rate: u32,
        tags: &Tags<'_>,
    ) -> io::Result<Self> {
        let mut inputs = vec![input(ffmetadata(tags).as_bytes())?];
        let mut command = Command::new(&ffmpeg.program);
        // These protocols prevent a cover from opening other files.
        command.args(["-nostdin", "-hide_banner", "-loglevel", "error", "-y"]);
        command.args(["-protocol_whitelist", "pipe"]);
        command.args(["-f", "s16le", "-ar", &rate.to_string(), "-ac", "1", "-i", "pipe:0"]);
        command.args(["-protocol_whitelist", "file", "-f", "ffmetadata", "-i"]).arg(&inputs[0]);
        if let Some(cover) = tags.cover {
            let demuxer = if cover.media_type == "image/png" { "png_pipe" } else { "jpeg_pipe" };
            let path = input(&cover.bytes)?;
            command.args(["-protocol_whitelist", "file", "-f", demuxer, "-i"]).arg(&path);
            command.args(["-map", "2:v", "-c:v", "copy", "-disposition:v", "attached_pic"]);
            inputs.push(path);
        }
        command.args(["-map", "0:a", "-map_metadata", "1", "-map_chapters", "1"]);
        command.args(["-c:a", format.encoder().unwrap_or_default(), "-b:a", "64k"]);
        // Omits date and version, so that the same book gives the same bytes.
        command.args(["-fflags", "+bitexact", "-flags:a", "+bitexact", "-threads", "1"]);
        match format {
            Format::Mp3 => command.args(["-id3v2_version", "3", "-f", "mp3"]),
            _ => command.args(["-movflags", "+faststart", "-f", "ipod"]),
        };
        // Without the prefix, ffmpeg would parse a path up to a colon as a protocol.
        let mut target = OsString::from("file:");
        target.push(output.path());
        command.arg(target);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let input = child.stdin.take().map(|pipe| BufWriter::with_capacity(1 << 16, pipe));
        Ok(Self { child, input, _inputs: inputs })
    }

    /// The error message of the process.
    fn failure(&mut self) -> io::Error {
        drop(self.input.take());
        let mut said = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            let _ = io::Read::read_to_string(&mut errors, &mut said);
        }
        let _ = self.child.wait();
        io::Error::other(format!("ffmpeg failed: {}", crate::subtitles::one_line(&said)))
    }

    fn write(&mut self, samples: &[i16]) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Err(self.failure()) };
        let written = input.write_all(&speech_core::encode(samples, Encoding::Pcm16));
        written.map_err(|_| self.failure())
    }

    fn finish(mut self) -> io::Result<()> {
        let flushed = self.input.take().map_or(Ok(()), |mut input| input.flush());
        if flushed.is_ok() && self.child.wait()?.success() {
            return Ok(());
        }
        Err(self.failure())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A temporary file with this content.
fn input(content: &[u8]) -> io::Result<TempPath> {
    let mut file = NamedTempFile::new()?;
    file.write_all(content)?;
    Ok(file.into_temp_path())
}

/// Metadata in ffmpeg's own format: <https://ffmpeg.org/ffmpeg-formats.html#Metadata-2>.
fn ffmetadata(tags: &Tags<'_>) -> String {
    let escaped = |text: &str| {
        let special = |c| matches!(c, '=' | ';' | '#' | '\\' | '\n');
        text.chars()
            .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]))
            .collect::<String>()
    };
    let (title, artist) = (escaped(tags.title), escaped(&tags.authors.join(", ")));
    let mut text = format!(
        ";FFMETADATA1\ntitle={title}\nalbum={title}\nartist={artist}\ngenre=Audiobook\nmedia_type=2\n"
    );
    for chapter in tags.chapters {
        let [start, end] =
            [chapter.start, chapter.end].map(|seconds| (seconds * 1000.0).round() as u64);
        let title = escaped(&chapter.title);
        text += &format!("[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={end}\ntitle={title}\n");
    }
    text
}

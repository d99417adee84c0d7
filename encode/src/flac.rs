//! FLAC (RFC 9639).

use std::io::{self, Seek, SeekFrom, Write};

use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr, Stream, StreamInfo};
use flacenc::config;
use flacenc::encode_fixed_size_frame;
use flacenc::error::{Verified, Verify};
use flacenc::source::{Fill, FrameBuf};
use md5::{Digest, Md5};

/// Encodes samples to frames of one length.
#[derive(Debug)]
pub struct FlacFrames {
    config: Verified<config::Encoder>,
    info: StreamInfo,
    length: usize,
    pending: Vec<i32>,
    frames: usize,
}

impl FlacFrames {
    /// An encoder with a sample rate in hertz and the number of samples per frame.
    ///
    /// # Errors
    ///
    /// For an unsupported rate or number.
    pub fn new(sample_rate: u32, length: usize) -> io::Result<Self> {
        let config = config::Encoder::default().into_verified();
        let config = config.map_err(|(_, error)| failed(error))?;
        let mut info = StreamInfo::new(sample_rate as usize, 1, 16).map_err(failed)?;
        info.set_block_sizes(length, length).map_err(failed)?;
        Ok(Self { config, info, length, pending: Vec::new(), frames: 0 })
    }

    /// The start of a stream: its header, without the number of samples and their MD5.
    ///
    /// # Errors
    ///
    /// If the encoder fails.
    pub fn header(&self) -> io::Result<Vec<u8>> {
        bytes(&Stream::with_stream_info(self.info.clone()))
    }

    /// Adds samples. Returns the frames that are complete.
    ///
    /// # Errors
    ///
    /// If the encoder fails.
    pub fn encode(&mut self, samples: &[i16]) -> io::Result<Vec<Vec<u8>>> {
        self.pending.extend(samples.iter().map(|sample| i32::from(*sample)));
        let pending = std::mem::take(&mut self.pending);
        let frames = pending.chunks_exact(self.length);
        self.pending = frames.remainder().to_vec();
        frames.map(|frame| self.frame(frame)).collect()
    }

    /// The number of samples after the last complete frame.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Returns the last frame with the remaining samples, if there are any.
    ///
    /// # Errors
    ///
    /// If the encoder fails.
    pub fn finish(&mut self) -> io::Result<Option<Vec<u8>>> {
        let rest = std::mem::take(&mut self.pending);
        (!rest.is_empty()).then(|| self.frame(&rest)).transpose()
    }

    fn frame(&mut self, samples: &[i32]) -> io::Result<Vec<u8>> {
        let mut block = FrameBuf::with_size(1, self.length).map_err(failed)?;
        block.fill_interleaved(samples).map_err(failed)?;
        let frame = encode_fixed_size_frame(&self.config, &block, self.frames, &self.info);
        self.frames += 1;
        bytes(&frame.map_err(failed)?)
    }
}

/// The number of samples per frame of a file.
const FILE_FRAME: usize = 4096;

/// Writes a file from its start.
#[derive(Debug)]
pub struct FlacFile<W: Write + Seek> {
    out: W,
    frames: FlacFrames,
    has_metadata: bool,
    md5: Md5,
    samples: usize,
    /// The sizes of the smallest and the largest frame in bytes.
    sizes: (usize, usize),
}

impl<W: Write + Seek> FlacFile<W> {
    /// Begins a file with a sample rate in hertz and metadata blocks. Each block has a type and a
    /// content of less than 2²⁴ bytes.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn new(out: W, sample_rate: u32, metadata: &[(u8, Vec<u8>)]) -> io::Result<Self> {
        let mut file = Self {
            out,
            frames: FlacFrames::new(sample_rate, FILE_FRAME)?,
            has_metadata: !metadata.is_empty(),
            md5: Md5::new(),
            samples: 0,
            sizes: (usize::MAX, 0),
        };
        file.write_header()?;
        for (at, (kind, content)) in metadata.iter().enumerate() {
            let is_last = u8::from(at + 1 == metadata.len()) << 7;
            let length = u32::try_from(content.len()).ok().filter(|length| *length < 1 << 24);
            let length = length.ok_or_else(|| io::Error::other("too much metadata"))?;
            file.out.write_all(&(u32::from(is_last | kind) << 24 | length).to_be_bytes())?;
            file.out.write_all(content)?;
        }
        Ok(file)
    }

    fn write_header(&mut self) -> io::Result<()> {
        let mut header = self.frames.header()?;
        if self.has_metadata {
            // More blocks follow.
            header[4] &= 0x7f;
        }
        self.out.write_all(&header)
    }

    /// Adds samples.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write(&mut self, samples: &[i16]) -> io::Result<()> {
        self.samples += samples.len();
        let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        self.md5.update(&bytes);
        self.frames.encode(samples)?.iter().try_for_each(|frame| self.write_frame(frame))
    }

    fn write_frame(&mut self, frame: &[u8]) -> io::Result<()> {
        self.sizes = (self.sizes.0.min(frame.len()), self.sizes.1.max(frame.len()));
        self.out.write_all(frame)
    }

    /// Writes remaining data and the lengths. Returns the underlying writer.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(frame) = self.frames.finish()? {
            self.write_frame(&frame)?;
        }
        let ((least, most), info) = (self.sizes, &mut self.frames.info);
        info.set_frame_sizes(least.min(most), most).map_err(failed)?;
        info.set_total_samples(self.samples);
        info.set_md5_digest(&self.md5.clone().finalize().into());
        self.out.seek(SeekFrom::Start(0))?;
        self.write_header()?;
        Ok(self.out)
    }
}

/// The error of an encoder. It cannot occur, because the input is always valid.
fn failed(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}

fn bytes(component: &impl BitRepr) -> io::Result<Vec<u8>> {
    let mut sink = ByteSink::new();
    component.write(&mut sink).map_err(failed)?;
    Ok(sink.into_inner())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Decoding returns the samples for any length. The header has their number and their MD5,
    /// which the decoder verifies.
    #[test]
    fn flac_loses_nothing() {
        for length in [0, 1, 15, 4095, 4096, 4097, 3 * 4096 + 20] {
            let samples: Vec<i16> =
                (0..length).map(|at| ((at * at * 31) % 60_000) as i16).collect();
            let metadata = [(4, b"\0\0\0\0\0\0\0\0".to_vec())];
            let mut flac = FlacFile::new(Cursor::new(Vec::new()), 24_000, &metadata).unwrap();
            samples.chunks(1000).for_each(|some| flac.write(some).unwrap());
            let file = flac.finish().unwrap().into_inner();
            let mut reader = claxon::FlacReader::new(Cursor::new(file)).unwrap();
            let info = reader.streaminfo();
            assert_eq!((info.sample_rate, info.channels), (24_000, 1));
            assert_eq!(info.samples.unwrap_or_default(), length as u64);
            let mut md5 = Md5::new();
            samples.iter().for_each(|sample| md5.update(sample.to_le_bytes()));
            assert_eq!(info.md5sum, <[u8; 16]>::from(md5.finalize()));
            let read: Vec<_> = reader.samples().map(|it| it.unwrap() as i16).collect();
            assert!(read == samples, "{length}");
        }
    }
}

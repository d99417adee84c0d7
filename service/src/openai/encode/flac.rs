//! FLAC (RFC 9639), streamed: its header has neither the number of samples nor their MD5.

use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr, Stream, StreamInfo};
use flacenc::config;
use flacenc::constant::MIN_BLOCK_SIZE;
use flacenc::encode_fixed_size_frame;
use flacenc::error::{Verified, Verify};
use flacenc::source::{Fill, FrameBuf};
use speech_core::Error;

use super::{Encoder, failed};

/// Samples of a frame: a twentieth of a second. A player that drops the last frame of a stream then drops silence.
const BLOCK: usize = 1152;

pub(crate) struct Flac {
    config: Verified<config::Encoder>,
    info: StreamInfo,
    pending: Vec<i32>,
    frames: usize,
}

impl Flac {
    pub(crate) fn new(rate: u32) -> Result<Self, Error> {
        let config =
            config::Encoder::default().into_verified().map_err(|(_, error)| failed(error))?;
        let mut info = StreamInfo::new(rate as usize, 1, 16).map_err(failed)?;
        info.set_block_sizes(BLOCK, BLOCK).map_err(failed)?;
        Ok(Self { config, info, pending: Vec::new(), frames: 0 })
    }

    fn header(&self) -> Result<Vec<u8>, Error> {
        bytes(&Stream::with_stream_info(self.info.clone()))
    }

    fn frame(&mut self, samples: &[i32]) -> Result<Vec<u8>, Error> {
        let mut block = FrameBuf::with_size(1, samples.len()).map_err(failed)?;
        block.fill_interleaved(samples).map_err(failed)?;
        let frame = encode_fixed_size_frame(&self.config, &block, self.frames, &self.info);
        self.frames += 1;
        bytes(&frame.map_err(failed)?)
    }
}

fn bytes(component: &impl BitRepr) -> Result<Vec<u8>, Error> {
    let mut sink = ByteSink::new();
    component.write(&mut sink).map_err(failed)?;
    Ok(sink.into_inner())
}

impl Encoder for Flac {
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error> {
        let is_first = self.frames == 0 && self.pending.is_empty();
        let mut encoded = if is_first { self.header()? } else { Vec::new() };
        self.pending.extend(samples.iter().map(|sample| i32::from(*sample)));
        let pending = std::mem::take(&mut self.pending);
        let blocks = pending.chunks_exact(BLOCK);
        self.pending = blocks.remainder().to_vec();
        for block in blocks {
            encoded.extend(self.frame(block)?);
        }
        Ok(encoded)
    }

    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        let mut rest = std::mem::take(&mut self.pending);
        if rest.is_empty() {
            return Ok(Vec::new());
        }
        // A frame is not shorter: at most a millisecond of silence more.
        rest.resize(rest.len().max(MIN_BLOCK_SIZE), 0);
        self.frame(&rest)
    }
}

//! Encodes the chapters of a book as Opus on several threads.
//!
//! Each chapter has an encoder of its own, so the bytes do not depend on the number of threads. The
//! encoder begins in the middle of the pause before the chapter. A decoder adapts to the encoder in
//! silence, so it plays the chapters as one stream.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use speech_encode::{OggOpus, OpusPackets};

use crate::audiobook::Spoken;
use crate::encode::Sound;

/// The bit rate, which is transparent for one voice.
const BITS_PER_SECOND: i32 = 32_000;

/// Encoded audio: 4 kB per second.
type Packets = Vec<Vec<u8>>;

/// A part of the audio, which its own encoder encodes.
struct Section<'a> {
    /// The passages of a chapter.
    passages: &'a [Spoken<'a>],
    /// The samples of silence before the first passage.
    lead: usize,
    /// The samples at the end of the last pause that are the lead of the next section.
    tail: usize,
}

/// Writes the audio to a file with these tags.
pub(crate) fn write(
    file: impl Write,
    sound: &Sound<'_>,
    tags: &[(String, String)],
) -> io::Result<()> {
    let packets = OpusPackets::new(sound.rate, BITS_PER_SECOND)?;
    let sections = sections(sound, packets.packet_samples());
    let mut ogg = OggOpus::new(BufWriter::new(file), &packets, tags)?;
    let encode = |at: usize| encode(sound, &sections[at], at + 1 == sections.len());
    let mut held = Packets::new();
    let write = |packets| {
        let before = std::mem::replace(&mut held, packets);
        ogg.write(&before)
    };
    in_order(sections.len(), sound.jobs, encode, write)?;
    let samples: usize = sound.passages.iter().map(|it| it.samples + it.pause).sum();
    ogg.finish(&held, samples as u64)?.flush()
}

/// A section for each chapter. All sections but the last have a whole number of packets.
fn sections<'a>(sound: &Sound<'a>, packet: usize) -> Vec<Section<'a>> {
    let mut sections: Vec<Section<'a>> = Vec::new();
    let (mut end, mut pause) = (0_usize, 0);
    for chapter in sound.passages.chunk_by(|a, b| a.passage.chapter == b.passage.chapter) {
        let lead = end - (end - pause / 2) / packet * packet;
        if let Some(last) = sections.last_mut() {
            last.tail = lead;
        }
        sections.push(Section { passages: chapter, lead, tail: 0 });
        end += chapter.iter().map(|it| it.samples + it.pause).sum::<usize>();
        pause = chapter.last().map_or(0, |it| it.pause);
    }
    sections
}

fn encode(sound: &Sound<'_>, section: &Section<'_>, is_last: bool) -> io::Result<Packets> {
    let mut packets = OpusPackets::new(sound.rate, BITS_PER_SECOND)?;
    let mut encoded = packets.encode(&vec![0; section.lead])?;
    for (at, passage) in section.passages.iter().enumerate() {
        let mut samples = (sound.read)(passage)?;
        if at + 1 == section.passages.len() {
            samples.truncate(samples.len() - section.tail);
        }
        encoded.extend(packets.encode(&samples)?);
    }
    if is_last {
        encoded.extend(packets.finish()?);
    }
    Ok(encoded)
}

/// Computes results on several threads, and passes them on in order.
fn in_order<T: Send>(
    count: usize,
    threads: usize,
    compute: impl Fn(usize) -> io::Result<T> + Sync,
    mut pass: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..threads.clamp(1, count.max(1)) {
            let (sender, next, compute) = (sender.clone(), &next, &compute);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    // The receiver is gone after an error.
                    if at >= count || sender.send((at, compute(at))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut wanted) = (BTreeMap::new(), 0);
        for (at, result) in results {
            early.insert(at, result?);
            while let Some(result) = early.remove(&wanted) {
                pass(result)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

//! Texts: their parts and their sentences.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use jni::EnvUnowned;
use jni::objects::{JByteArray, JObject};
use jni::sys::jlong;
use speech_core::{Error, ErrorKind, Segment, Utf16Segmenter, check_nul};

use crate::boundary::{answer, bytes, run};
use crate::handles::Table;
use crate::wire::{Reader, Writer};

/// The segmenters that Java has.
static SEGMENTERS: Table<Mutex<Utf16Segmenter>> = Table::new();

/// The parts of a text, each of at most so many characters.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_splitText<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    arguments: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let arguments = bytes(env, &arguments)?;
        let mut reader = Reader::new(&arguments);
        let (text, max_characters) = (reader.string(), reader.int());
        let too_small = |_| {
            let message = "maxCharacters must be a whole number from 1 on";
            Error::new(ErrorKind::InvalidRequest, message)
        };
        let max_characters = usize::try_from(max_characters).map_err(too_small)?;
        check_nul("text", text)?;
        let mut writer = Writer::new();
        let parts = speech_core::split_text(text, max_characters);
        writer.list(parts, |writer, part| writer.string(part));
        Ok(writer)
    })
}

/// A segmenter at the start of a text.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_newSegmenter<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
) -> JByteArray<'local> {
    answer(env, |_| {
        let mut writer = Writer::new();
        writer.long(SEGMENTERS.insert(Mutex::new(Utf16Segmenter::new())));
        Ok(writer)
    })
}

/// Takes a piece and gives the sentences that are now decided.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_segment<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    piece: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let piece = bytes(env, &piece)?;
        let piece = Reader::new(&piece).string();
        check_nul("piece", piece)?;
        with(handle, |segmenter| segmenter.push(piece))
    })
}

/// Ends the text and gives the sentences that are left.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_finishSegmenter<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
) -> JByteArray<'local> {
    answer(env, |_| with(handle, Utf16Segmenter::finish))
}

/// Forgets a segmenter.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_freeSegmenter<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    handle: jlong,
) {
    run(env, |_| drop(SEGMENTERS.remove(handle)));
}

/// The sentences that a segmenter gives.
fn with(
    handle: jlong,
    call: impl FnOnce(&mut Utf16Segmenter) -> Vec<(Segment, Range<usize>)>,
) -> speech_core::Result<Writer> {
    let segmenter = SEGMENTERS.get(handle).expect("Java frees what it can no longer reach");
    let sentences = call(&mut segmenter.lock().unwrap_or_else(PoisonError::into_inner));
    let mut writer = Writer::new();
    writer.list(sentences, |writer, (segment, units)| {
        writer.string(&segment.text);
        writer.long(units.start as i64);
        writer.long(units.end as i64);
        writer.flag(segment.ends_paragraph);
    });
    Ok(writer)
}

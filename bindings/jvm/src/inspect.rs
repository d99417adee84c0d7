//! The text front end on its own.

use jni::EnvUnowned;
use jni::objects::{JByteArray, JObject};
use jni::sys::jlong;
use speech_core::{
    ChoiceInspection, Inspection, Inspector, Language, Lexicon, ReadingInspection, Result,
    SentenceInspection, Utf16Offsets, WordInspection,
};

use crate::audio::span;
use crate::boundary::{answer, bytes, run};
use crate::handles::Table;
use crate::wire::{Reader, Writer};

/// The inspectors that Java has.
static INSPECTORS: Table<Inspector> = Table::new();

/// Loads an inspector.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_newInspector<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    options: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let options = bytes(env, &options)?;
        let inspector = inspector(&mut Reader::new(&options))?;
        let mut writer = Writer::new();
        writer.long(INSPECTORS.insert(inspector));
        Ok(writer)
    })
}

/// In the order of `Inspector.Builder.build`.
fn inspector(options: &mut Reader<'_>) -> Result<Inspector> {
    let mut lexicon = Lexicon::new();
    lexicon.insert_all(options.list(|options| (options.string(), options.string())))?;
    let inspector = Inspector::new().lexicon(lexicon);
    Ok(inspector.read_emoji(options.flag()).read_romanized_hindi(options.flag()))
}

/// How a text, or a document of SSML, is read in a language.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_inspect<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    arguments: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let arguments = bytes(env, &arguments)?;
        let mut reader = Reader::new(&arguments);
        let (text, language, ssml) = (reader.string(), reader.string(), reader.flag());
        let language: Language = language.parse()?;
        let inspector = INSPECTORS.get(handle).expect("Java frees what it can no longer reach");
        let inspection = match ssml {
            true => inspector.inspect_ssml(text, language)?,
            false => inspector.inspect(text, language),
        };
        Ok(describe(&Utf16Offsets::of(text), &inspection))
    })
}

/// Forgets an inspector.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_freeInspector<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    handle: jlong,
) {
    run(env, |_| drop(INSPECTORS.remove(handle)));
}

/// In the order in which `Inspection` reads it.
fn describe(offsets: &Utf16Offsets, inspection: &Inspection) -> Writer {
    let mut writer = Writer::new();
    writer.list(&inspection.sentences, |writer, of| sentence(writer, offsets, of));
    writer
}

fn sentence(writer: &mut Writer, offsets: &Utf16Offsets, sentence: &SentenceInspection) {
    span(writer, offsets, &(sentence.start..sentence.end));
    writer.string(&sentence.text);
    writer.string(&sentence.normalized);
    writer.string(&sentence.phonemes);
    writer.list(&sentence.words, |writer, of| word(writer, offsets, of));
    writer.list(&sentence.choices, |writer, of| choice(writer, offsets, of));
}

fn word(writer: &mut Writer, offsets: &Utf16Offsets, word: &WordInspection) {
    span(writer, offsets, &(word.start..word.end));
    writer.string(&word.source);
    writer.string(&word.normalized);
    writer.optional(word.in_own_script.as_deref());
    writer.string(&word.phonemes);
}

fn choice(writer: &mut Writer, offsets: &Utf16Offsets, choice: &ChoiceInspection) {
    span(writer, offsets, &(choice.start..choice.end));
    writer.string(&choice.source);
    reading(writer, &choice.taken);
    writer.list(&choice.refused, reading);
}

fn reading(writer: &mut Writer, reading: &ReadingInspection) {
    writer.string(reading.kind);
    writer.string(&reading.said);
    writer.double(reading.score.into());
}

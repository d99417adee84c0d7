//! Texts: splitting, segmenting and inspecting them; and their lexicons.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::json;
use speech_core::{
    Error, ErrorKind, Inspector, Language, Lexicon, Result, Segment, Utf16Offsets, Utf16Segmenter,
    check_nul,
};

use crate::handles::{self, Object};
use crate::wire::encode;

/// Splits a text into parts of at most `max_characters` each.
pub(crate) fn split(text: &str, max_characters: i64) -> Result<Vec<u8>> {
    let too_small = |_| {
        let message = "maxCharacters must be a whole number of at least 1";
        Error::new(ErrorKind::InvalidRequest, message)
    };
    let max_characters = usize::try_from(max_characters).map_err(too_small)?;
    check_nul("text", text)?;
    Ok(encode(&json!({ "parts": speech_core::split_text(text, max_characters) })))
}

/// A segmenter owned by a Java object.
struct Shared(Mutex<Utf16Segmenter>);

impl Object for Shared {}

/// Creates a segmenter at the start of a text.
pub(crate) fn new_segmenter() -> Vec<u8> {
    let segmenter = Shared(Mutex::new(Utf16Segmenter::new()));
    encode(&json!({ "handle": handles::insert(segmenter) }))
}

/// Takes a piece and returns the sentences that are now decided.
pub(crate) fn segment(handle: i64, piece: &str) -> Result<Vec<u8>> {
    check_nul("piece", piece)?;
    Ok(sentences(handle, |segmenter| segmenter.push(piece)))
}

/// Ends the text and returns the remaining sentences.
pub(crate) fn finish_segmenter(handle: i64) -> Vec<u8> {
    sentences(handle, Utf16Segmenter::finish)
}

fn sentences(
    handle: i64,
    call: impl FnOnce(&mut Utf16Segmenter) -> Vec<(Segment, Range<usize>)>,
) -> Vec<u8> {
    let segmenter =
        handles::find::<Shared>(handle).expect("Java frees what it can no longer reach");
    let sentences = call(&mut segmenter.0.lock().unwrap_or_else(PoisonError::into_inner));
    let sentence = |(segment, units): (Segment, Range<usize>)| {
        json!({
            "text": segment.text,
            "start": units.start,
            "end": units.end,
            "ends_paragraph": segment.ends_paragraph,
        })
    };
    encode(&json!({ "sentences": sentences.into_iter().map(sentence).collect::<Vec<_>>() }))
}

impl Object for Lexicon {}

/// Keeps a lexicon for Java.
pub(crate) fn lexicon(lexicon: Lexicon) -> Vec<u8> {
    let size = lexicon.len();
    encode(&json!({ "handle": handles::insert(lexicon), "size": size }))
}

impl Object for Inspector {}

/// The options of an inspector.
#[derive(Deserialize)]
pub(crate) struct Options {
    /// Words and their readings.
    pronunciations: Vec<(String, String)>,
    read_emoji: bool,
    read_romanized_hindi: bool,
}

/// Creates an inspector.
pub(crate) fn new_inspector(options: Options) -> Result<Vec<u8>> {
    let mut lexicon = Lexicon::new();
    lexicon.insert_all(options.pronunciations)?;
    let inspector = Inspector::new()
        .lexicon(lexicon)
        .read_emoji(options.read_emoji)
        .read_romanized_hindi(options.read_romanized_hindi);
    Ok(encode(&json!({ "handle": handles::insert(inspector) })))
}

/// The reading of a text, or of an SSML document: the core's fields, with offsets in UTF-16 code
/// units.
pub(crate) fn inspect(handle: i64, text: &str, language: &str, ssml: bool) -> Result<Vec<u8>> {
    let language: Language = language.parse()?;
    let inspector =
        handles::find::<Inspector>(handle).expect("Java frees what it can no longer reach");
    let mut inspection = match ssml {
        true => inspector.inspect_ssml(text, language)?,
        false => inspector.inspect(text, language),
    };
    let offsets = Utf16Offsets::of(text);
    let convert = |start: &mut usize, end: &mut usize| {
        (*start, *end) = (offsets.offset(*start) as usize, offsets.offset(*end) as usize);
    };
    for sentence in &mut inspection.sentences {
        convert(&mut sentence.start, &mut sentence.end);
        for word in &mut sentence.words {
            convert(&mut word.start, &mut word.end);
        }
        for choice in &mut sentence.choices {
            convert(&mut choice.start, &mut choice.end);
        }
    }
    Ok(encode(&inspection))
}

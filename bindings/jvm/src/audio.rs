//! Converts speech and chunks to answers.

use std::time::Duration;

use speech_bindings::{ChunkFields, SpeechFields};
use speech_core::{Chunk, Encoding, Speech, Utf16Offsets};

use crate::task::{Answer, Sound};
use crate::wire::encode;

/// The answer with the speech of a whole text.
pub(crate) fn speech(offsets: &Utf16Offsets, speech: Speech, elapsed: Duration) -> Answer {
    let fields = encode(&SpeechFields::new(offsets, &speech, elapsed));
    let encoding = speech.encoding();
    Answer { fields, sound: Some(sound(speech.into_samples(), encoding)) }
}

/// The answer with a chunk of a stream.
pub(crate) fn chunk(offsets: &Utf16Offsets, chunk: Chunk) -> Answer {
    let fields = encode(&ChunkFields::new(offsets, &chunk));
    let encoding = chunk.encoding();
    Answer { fields, sound: Some(sound(chunk.into_samples(), encoding)) }
}

fn sound(samples: Vec<i16>, encoding: Encoding) -> Sound {
    let encoded = match encoding {
        Encoding::Pcm16 => Vec::new(),
        _ => speech_core::encode(&samples, encoding),
    };
    Sound { samples, encoded }
}

//! Audio as server-sent events: `stream_format` `sse`.

use std::io;

use axum::body::Bytes;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use tokio_stream::{Stream, StreamExt};

pub(crate) const CONTENT_TYPE: &str = "text/event-stream";

#[derive(Serialize)]
#[serde(tag = "type")]
enum Event {
    /// The next part of the audio, in Base64.
    #[serde(rename = "speech.audio.delta")]
    Delta { audio: String },
    /// The last event.
    #[serde(rename = "speech.audio.done")]
    Done { usage: Usage },
}

/// There are no tokens here: only characters are counted.
#[derive(Serialize)]
struct Usage {
    input_tokens: usize,
    output_tokens: usize,
    total_tokens: usize,
}

impl Event {
    fn done(characters: usize) -> Self {
        let (input_tokens, output_tokens) = (characters, 0);
        let total_tokens = input_tokens + output_tokens;
        Self::Done { usage: Usage { input_tokens, output_tokens, total_tokens } }
    }

    fn to_bytes(&self) -> Bytes {
        let json = serde_json::to_string(self).expect("numbers and strings always serialize");
        format!("data: {json}\n\n").into()
    }
}

/// The events of a text of so many characters. Aborted audio has no last event.
pub(crate) fn events(
    sound: impl Stream<Item = io::Result<Bytes>>,
    characters: usize,
) -> impl Stream<Item = io::Result<Bytes>> {
    let delta = |part: Bytes| Event::Delta { audio: BASE64_STANDARD.encode(part) }.to_bytes();
    let done = tokio_stream::once(Ok(Event::done(characters).to_bytes()));
    sound.map(move |part| part.map(delta)).chain(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_part_is_an_event_and_so_is_the_end() {
        let parts = tokio_stream::iter([b"ab", b"cd"].map(|part| Ok(Bytes::from_static(part))));
        let events: Vec<_> = events(parts, 7).collect().await;
        let events: Vec<_> = events.into_iter().map(|event| event.unwrap()).collect();
        let expected = [
            "data: {\"type\":\"speech.audio.delta\",\"audio\":\"YWI=\"}\n\n",
            "data: {\"type\":\"speech.audio.delta\",\"audio\":\"Y2Q=\"}\n\n",
            "data: {\"type\":\"speech.audio.done\",\"usage\":{\"input_tokens\":7,\"output_tokens\":0,\
             \"total_tokens\":7}}\n\n",
        ];
        assert_eq!(events, expected);
    }
}

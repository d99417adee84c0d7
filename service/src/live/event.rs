//! The messages of the service on a live socket.

use axum::extract::ws::Message;
use serde::{Serialize, Serializer};
use speech_core::RequestId;

use crate::error_response::ErrorResponse;
use crate::lines::{self, Heard, MouthShape, Phoneme, Place};

/// A message of the service. Times are seconds of the turn's audio.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Event<'a> {
    Ready {
        session: String,
        encoding: &'a str,
        sample_rate: u32,
        frame_bytes: usize,
        library: &'a str,
        limits: Limits,
    },
    /// The following audio belongs to this turn.
    Turn {
        turn: &'a str,
        request_id: String,
    },
    Words(Piece<'a>),
    Audio {
        turn: &'a str,
        audio: String,
    },
    Flushed {
        turn: &'a str,
        seconds: f64,
    },
    Finished {
        turn: &'a str,
        seconds: f64,
        usage: TurnUsage,
        skipped: Vec<Place>,
        timing: Timing,
    },
    Interrupted {
        turn: &'a str,
        played: f64,
        by: By,
        heard: TextHeard<'a>,
        usage: TurnUsage,
    },
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        turn: Option<&'a str>,
        error: Failure<'a>,
    },
    Goodbye {
        reason: &'a str,
        /// The time until the socket is closed.
        seconds: u64,
        usage: SessionUsage,
    },
}

/// The limits of the session.
#[derive(Debug, Serialize)]
pub(super) struct Limits {
    pub(super) turns_waiting: usize,
    pub(super) waiting_characters: usize,
    /// The open sessions of the account, including this one.
    pub(super) sessions: usize,
    pub(super) sessions_of_account: usize,
    pub(super) idle_seconds: u64,
    pub(super) session_seconds: u64,
}

/// What is heard in the following audio.
#[derive(Serialize)]
pub(super) struct Piece<'a> {
    pub(super) turn: &'a str,
    pub(super) from: f64,
    pub(super) to: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) words: Option<Vec<Heard>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sentences: Option<Vec<Heard>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) phonemes: Option<Vec<Phoneme>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) visemes: Option<Vec<MouthShape>>,
}

/// The characters of a turn.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct TurnUsage {
    /// The metered quantity: the characters up to the end of the last piece whose audio was sent.
    pub(super) characters: usize,
    pub(super) pushed: usize,
}

/// The usage of a session so far.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct SessionUsage {
    pub(super) characters: usize,
    pub(super) pushed: usize,
    /// The seconds of audio that were sent.
    #[serde(serialize_with = "milliseconds")]
    pub(super) seconds: f64,
    /// The turns that have ended.
    pub(super) turns: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Timing {
    /// The time from the start of the turn to its first audio; none without audio.
    pub(super) first_audio_ms: Option<u64>,
}

/// Who reported the played time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum By {
    Client,
    Clock,
}

/// The text of a turn up to the end of the last word that was heard.
#[derive(Debug, Serialize)]
pub(super) struct TextHeard<'a> {
    pub(super) bytes: usize,
    pub(super) utf16: u32,
    pub(super) text: &'a str,
}

#[derive(Debug, Serialize)]
pub(super) struct Failure<'a> {
    r#type: &'static str,
    message: &'a str,
    request_id: String,
    /// The seconds after which to retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

impl<'a> Failure<'a> {
    fn of(id: RequestId, refusal: &'a ErrorResponse) -> Self {
        let error = &refusal.error;
        Self {
            r#type: error.kind().as_str(),
            message: error.message(),
            request_id: id.to_string(),
            retry_after: refusal.seconds_until_retry(),
        }
    }
}

/// Serializes seconds, rounded to milliseconds.
fn milliseconds<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(lines::milliseconds(*seconds))
}

impl Event<'_> {
    /// The WebSocket message of this event.
    pub(super) fn message(&self) -> Message {
        Message::Text(self.json().into())
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("numbers and strings always serialize")
    }
}

/// The error of a turn or of the session.
pub(super) fn error(turn: Option<&str>, id: RequestId, refusal: &ErrorResponse) -> Message {
    Event::Error { turn, error: Failure::of(id, refusal) }.message()
}

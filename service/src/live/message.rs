//! The messages of a client on a live socket.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use speech_core::{Error, ErrorKind};

use super::settings::Changes;

/// The longest message, in bytes.
pub(super) const MAX_MESSAGE: usize = 64 << 10;

/// The longest name of a turn, in characters.
pub(super) const MAX_NAME: usize = 64;

/// A message of a client. Unknown fields are ignored.
#[derive(Debug)]
pub(super) enum Message {
    Start(Box<Changes>),
    Text(Text),
    Flush(Named),
    Finish(Named),
    Played(Played),
    Interrupt(Interrupt),
    Settings(Box<Changes>),
    Close,
}

/// Text for a turn. Without a name it is for the newest turn whose text is not finished.
#[derive(Debug, Deserialize)]
pub(super) struct Text {
    pub(super) turn: Option<String>,
    pub(super) text: String,
    /// Speak the text so far; the turn continues.
    #[serde(default)]
    pub(super) flush: bool,
    /// The text of the turn ends.
    #[serde(default)]
    pub(super) finish: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub(super) turn: Option<String>,
}

/// How much of a turn's audio was played.
#[derive(Debug, Deserialize)]
pub(super) struct Played {
    pub(super) turn: Option<String>,
    pub(super) seconds: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Interrupt {
    pub(super) turn: Option<String>,
    /// Played seconds of the turn's audio. Without it the clock of the service counts.
    pub(super) played: Option<f64>,
}

/// The common field of all messages.
#[derive(Deserialize)]
struct Head {
    r#type: String,
}

impl Message {
    /// Parses a message.
    ///
    /// # Errors
    ///
    /// `invalid_request` with the position and the rule, and without the value, which may be text
    /// of the user.
    pub(super) fn read(json: &str) -> Result<Self, Error> {
        let Head { r#type } = parse(json)?;
        let message = match &*r#type {
            "start" => Self::Start(parse(json)?),
            "text" => Self::Text(parse(json)?),
            "flush" => Self::Flush(parse(json)?),
            "finish" => Self::Finish(parse(json)?),
            "played" => Self::Played(parse(json)?),
            "interrupt" => Self::Interrupt(parse(json)?),
            "settings" => Self::Settings(parse(json)?),
            "close" => Self::Close,
            _ => {
                let types = "start, text, flush, finish, played, interrupt, settings and close";
                return Err(invalid(format!("this type is not known; the types are {types}")));
            }
        };
        message.check().map(|()| message)
    }

    fn check(&self) -> Result<(), Error> {
        let (turn, seconds) = match self {
            Self::Text(Text { turn, .. })
            | Self::Flush(Named { turn })
            | Self::Finish(Named { turn }) => (turn, None),
            Self::Played(Played { turn, seconds }) => (turn, Some(*seconds)),
            Self::Interrupt(Interrupt { turn, played }) => (turn, *played),
            Self::Settings(changes) => (&changes.turn, None),
            Self::Start(_) | Self::Close => return Ok(()),
        };
        if turn.as_ref().is_some_and(|name| !is_name(name)) {
            let rule =
                format!("turn must have 1 to {MAX_NAME} characters, and no control characters");
            return Err(invalid(rule));
        }
        if seconds.is_some_and(|seconds| seconds < 0.0) {
            return Err(invalid("what was played must be 0 seconds or more"));
        }
        Ok(())
    }
}

pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= MAX_NAME && !name.contains(char::is_control)
}

/// Parses JSON. Error messages never contain values.
pub(super) fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let (path, error) = (error.path().to_string(), error.into_inner());
        match error.classify() {
            Category::Data if path == "." => {
                invalid("the message must be a JSON object with all its fields, each once")
            }
            Category::Data => invalid(format!("{path} is not of its type, or is there twice")),
            _ => not_json(&error),
        }
    })?;
    reader.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

fn not_json(error: &serde_json::Error) -> Error {
    let (line, column) = (error.line(), error.column());
    invalid(format!("the message is not valid JSON: see line {line}, column {column}"))
}

pub(super) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidRequest, message)
}

//! A request as a caller makes it: plain data, its text not yet checked.

use std::str::FromStr;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::format::Format;
use crate::language::Language;
use crate::latency::Latency;
use crate::limits::check_text;
use crate::voice::Voice;

/// A text to speak and how to speak it, as a caller wrote it.
///
/// The text is not checked until [`validate`](Request::validate), which every synthesis calls first.
///
/// ```
/// use speech_core::{Language, Request, Voice};
///
/// let request = Request::new("Good morning.").voice(Voice::John).language(Language::EnUs);
/// assert_eq!(request.validate()?.characters(), 13);
/// # Ok::<(), speech_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub(crate) text: String,
    pub(crate) language: Language,
    pub(crate) voice: Voice,
    pub(crate) format: Format,
    pub(crate) read_emoji: bool,
    pub(crate) latency: Latency,
}

impl Request {
    /// A request for this text in `en-US`, by `aria`, as `wav`.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            language: Language::default(),
            voice: Voice::default(),
            format: Format::default(),
            read_emoji: false,
            latency: Latency::default(),
        }
    }

    /// The language that the text is read in.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// Who reads it.
    #[must_use]
    pub fn voice(mut self, voice: Voice) -> Self {
        self.voice = voice;
        self
    }

    /// How a service or a program delivers the audio; the engine does not look at it.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Whether emoji are read by their names ("red heart", "लाल दिल"). By default they are skipped, and listed in the
    /// diagnostics: in chat they are seldom meant to be heard.
    #[must_use]
    pub fn read_emoji(mut self, read: bool) -> Self {
        self.read_emoji = read;
        self
    }

    /// When the first sound of a stream comes. [`Latency::Low`] is for streams:
    /// [`Engine::synthesize`](crate::Engine::synthesize) refuses it.
    #[must_use]
    pub fn latency(mut self, latency: Latency) -> Self {
        self.latency = latency;
        self
    }

    /// Reads a request from the contract's JSON.
    ///
    /// Fields that the contract does not know are ignored.
    ///
    /// # Errors
    ///
    /// `invalid_request` for malformed JSON, invalid UTF-8, a missing `text`, a field of the wrong type, and an unsupported
    /// `language`, `voice`, `format` or `latency`; `empty_text` or `text_too_long` if the text is so as well as one of
    /// these four unsupported.
    ///
    /// ```
    /// use speech_core::{Request, Voice};
    ///
    /// let request = Request::from_json(br#"{"text": "Hello.", "voice": "leo", "mood": "glad"}"#)?;
    /// assert_eq!(request, Request::new("Hello.").voice(Voice::Leo));
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    pub fn from_json(json: &[u8]) -> Result<Self> {
        let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(json)
            .map_err(|error| {
                let message = match error.classify() {
                    serde_json::error::Category::Data => "the body is not a JSON object",
                    _ => "the body is not valid JSON",
                };
                Error::invalid_request(message).with_source(error)
            })?;
        let field = |name: &str| match fields.get(name) {
            None => Ok(None),
            Some(value) => String::deserialize(value)
                .map(Some)
                .map_err(|_| Error::invalid_request(format!("{name} must be a string"))),
        };
        let text = field("text")?.ok_or_else(|| Error::invalid_request("text is missing"))?;
        let [language, voice, format, latency] =
            [field("language")?, field("voice")?, field("format")?, field("latency")?];
        let request = || {
            Ok(Self {
                language: choice(language)?,
                voice: choice(voice)?,
                format: choice(format)?,
                latency: choice(latency)?,
                ..Self::new(text.as_str())
            })
        };
        // A text that cannot be spoken is the first thing to say of a request.
        request().map_err(|unsupported| check_text(&text).err().unwrap_or(unsupported))
    }
}

/// The choice of this name, or the default one.
fn choice<T: FromStr<Err = Error> + Default>(name: Option<String>) -> Result<T> {
    name.map_or_else(|| Ok(T::default()), |name| name.parse())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ErrorKind;

    proptest! {
        #[test]
        fn any_bytes_are_a_request_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            text in ".*",
            voice in ".{0,9}",
            language in "en-US|hi-IN|.{0,9}",
        ) {
            if let Err(error) = Request::from_json(&bytes) {
                prop_assert_eq!(error.kind(), ErrorKind::InvalidRequest);
            }
            let json = serde_json::json!({ "text": text, "voice": voice, "language": language });
            let read = Request::from_json(json.to_string().as_bytes());
            let made = (|| {
                Ok::<_, Error>(Request::new(&text).voice(voice.parse()?).language(language.parse()?))
            })();
            prop_assert_eq!(read.as_ref().ok(), made.as_ref().ok());
            if let Err(error) = read.and_then(|request| request.validate()) {
                let kinds = [ErrorKind::EmptyText, ErrorKind::TextTooLong, ErrorKind::InvalidRequest];
                prop_assert!(kinds.contains(&error.kind()));
            }
        }
    }

    /// Unsupported choices, and what is said of them: the text comes first.
    #[test]
    fn choices_that_are_refused() {
        let long = "a".repeat(1001);
        let rows = [
            ("a", "language", "en-GB", ErrorKind::InvalidRequest),
            ("a", "language", "en-us", ErrorKind::InvalidRequest),
            ("a", "language", "", ErrorKind::InvalidRequest),
            ("a", "voice", "Aria", ErrorKind::InvalidRequest),
            ("a", "voice", "af_heart", ErrorKind::InvalidRequest),
            ("a", "format", "mp3", ErrorKind::InvalidRequest),
            ("a", "latency", "lowest", ErrorKind::InvalidRequest),
            ("", "voice", "nobody", ErrorKind::EmptyText),
            (&long, "voice", "nobody", ErrorKind::TextTooLong),
        ];
        for (text, field, value, kind) in rows {
            let json = serde_json::json!({ "text": text, field: value }).to_string();
            let error = Request::from_json(json.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), kind, "{field} {value:?}: {error}");
        }
    }

    #[test]
    fn json_that_is_refused() {
        for (json, message) in [
            (&b"{"[..], "the body is not valid JSON"),
            (b"", "the body is not valid JSON"),
            (b"\"text\"", "the body is not a JSON object"),
            (b"[]", "the body is not a JSON object"),
            (b"{\"text\": \"\xff\"}", "the body is not valid JSON"),
            (b"{}", "text is missing"),
            (b"{\"text\": 3}", "text must be a string"),
            (b"{\"text\": null}", "text must be a string"),
            (b"{\"text\": \"a\", \"voice\": [\"aria\"]}", "voice must be a string"),
            (b"{\"text\": \"a\", \"language\": null}", "language must be a string"),
            (b"{\"text\": \"a\", \"format\": false}", "format must be a string"),
            (b"{\"text\": \"a\"} {}", "the body is not valid JSON"),
        ] {
            let error = Request::from_json(json).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidRequest);
            assert_eq!(error.message(), message, "{}", String::from_utf8_lossy(json));
        }
    }
}

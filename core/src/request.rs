//! A request as a caller makes it: plain data, not yet checked.

use serde::Deserialize;

use crate::{Error, Result};

/// A language that can be spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// American English; the default.
    #[default]
    EnUs,
    /// Hindi.
    HiIn,
    /// An invented language, for tests of what a third one adds; not one of [`Language::ALL`].
    #[cfg(test)]
    Toy,
}

impl Language {
    /// Every language, in the order of the voices listing.
    pub const ALL: [Self; 2] = [Self::EnUs, Self::HiIn];

    /// The BCP 47 tag, such as `en-US`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::EnUs => "en-US",
            Self::HiIn => "hi-IN",
            #[cfg(test)]
            Self::Toy => "x-toy",
        }
    }

    /// The language with this tag, compared exactly.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag() == tag)
    }
}

/// How the audio is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One RIFF/WAVE file once the whole text is spoken; the default.
    #[default]
    Wav,
    /// Raw 16-bit little-endian samples, a sentence at a time.
    Pcm,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::Wav, Self::Pcm];

    /// The name that requests use: `wav` or `pcm`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wav => "wav",
            Self::Pcm => "pcm",
        }
    }

    /// The media type of the answer: `audio/wav` or `audio/L16` (RFC 2586).
    ///
    /// The contract's `audio/L16` is little-endian here, as stated there; RFC 2586 has it
    /// big-endian.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Wav => "audio/wav",
            Self::Pcm => "audio/L16",
        }
    }

    /// The format with this name, compared exactly.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }
}

/// What matters more: that all is exact, or that the first sound comes soon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Latency {
    /// A sentence is given when it is computed; the default. The same request gives the same samples in every
    /// format.
    #[default]
    Standard,
    /// With the format `pcm`, the first half second of a long first sentence is given before the rest is
    /// computed. It sounds a little different (some 25 dB of it are the same), and fades into the rest.
    Low,
}

impl Latency {
    /// Every value.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Low];

    /// The name that requests use: `standard` or `low`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Low => "low",
        }
    }

    /// The latency with this name, compared exactly.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|latency| latency.as_str() == name)
    }
}

/// A text to speak and how to speak it, as a caller wrote it.
///
/// Nothing is checked until [`validate`](Request::validate), which every synthesis calls first.
///
/// ```
/// use speech_core::Request;
///
/// let request = Request::new("Good morning.").voice("john").language("en-US");
/// assert_eq!(request.validate()?.characters(), 13);
/// # Ok::<(), speech_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub(crate) text: String,
    pub(crate) language: String,
    pub(crate) voice: String,
    pub(crate) format: String,
    pub(crate) read_emoji: bool,
    pub(crate) latency: String,
}

impl Request {
    /// A request for this text in `en-US`, by `aria`, as `wav`.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            language: Language::default().tag().into(),
            voice: crate::Voice::default().id().into(),
            format: Format::default().as_str().into(),
            read_emoji: false,
            latency: Latency::default().as_str().into(),
        }
    }

    /// The language, as a BCP 47 tag: `en-US` or `hi-IN`.
    #[must_use]
    pub fn language(mut self, tag: impl Into<String>) -> Self {
        self.language = tag.into();
        self
    }

    /// The voice, by its identifier: `aria`, `jason`, `john`, `leo` or `sofia`.
    #[must_use]
    pub fn voice(mut self, id: impl Into<String>) -> Self {
        self.voice = id.into();
        self
    }

    /// The format: `wav` or `pcm`.
    #[must_use]
    pub fn format(mut self, name: impl Into<String>) -> Self {
        self.format = name.into();
        self
    }

    /// Whether emoji are read by their names ("red heart", "लाल दिल"). By default they are skipped, and listed in the
    /// diagnostics: in chat they are seldom meant to be heard.
    #[must_use]
    pub fn read_emoji(mut self, read: bool) -> Self {
        self.read_emoji = read;
        self
    }

    /// When the first sound of a stream comes: `standard` or `low`. See [`Latency`]; with the format `wav` it makes no
    /// difference.
    #[must_use]
    pub fn latency(mut self, name: impl Into<String>) -> Self {
        self.latency = name.into();
        self
    }

    /// Reads a request from the contract's JSON.
    ///
    /// Fields that the contract does not know are ignored. Malformed JSON, invalid UTF-8, a missing
    /// `text` and a field of the wrong type are `invalid_request`.
    ///
    /// ```
    /// use speech_core::Request;
    ///
    /// let request = Request::from_json(br#"{"text": "Hello.", "voice": "leo", "mood": "glad"}"#)?;
    /// assert_eq!(request, Request::new("Hello.").voice("leo"));
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
        let mut request =
            Self::new(field("text")?.ok_or_else(|| Error::invalid_request("text is missing"))?);
        if let Some(language) = field("language")? {
            request.language = language;
        }
        if let Some(voice) = field("voice")? {
            request.voice = voice;
        }
        if let Some(format) = field("format")? {
            request.format = format;
        }
        if let Some(latency) = field("latency")? {
            request.latency = latency;
        }
        Ok(request)
    }
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
            let request = Request::from_json(json.to_string().as_bytes()).unwrap();
            prop_assert_eq!(&request, &Request::new(text).voice(voice).language(language));
            if let Err(error) = request.validate() {
                let kinds = [ErrorKind::EmptyText, ErrorKind::TextTooLong, ErrorKind::InvalidRequest];
                prop_assert!(kinds.contains(&error.kind()));
            }
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

//! The contract's rules: a [`Request`] becomes a [`ValidRequest`] or is refused.

use crate::languages::pack;
use crate::pronunciation::check_inline;
use crate::request::{Format, Language, Latency, Request};
use crate::request_id::{RequestId, count_characters};
use crate::voice::Voice;
use crate::{Error, ErrorKind, Result};

/// The longest text of one request, in characters (Unicode scalar values).
pub const MAX_CHARACTERS: usize = 1000;

/// A request that keeps every rule of the contract, under its identifier.
#[derive(Clone, Debug)]
pub struct ValidRequest {
    text: String,
    language: Language,
    voice: Voice,
    format: Format,
    read_emoji: bool,
    latency: Latency,
    characters: usize,
    request_id: RequestId,
}

impl ValidRequest {
    /// The text, as it was sent.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The language it is read in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Who reads it.
    pub fn voice(&self) -> Voice {
        self.voice
    }

    /// How the audio is delivered.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether emoji are read by their names.
    pub fn reads_emoji(&self) -> bool {
        self.read_emoji
    }

    /// When the first sound of a stream comes.
    pub fn latency(&self) -> Latency {
        self.latency
    }

    /// Whether the first sound comes before its sentence is computed.
    pub(crate) fn starts_early(&self) -> bool {
        self.latency == Latency::Low && self.format == Format::Pcm
    }

    /// The metered quantity: the characters of the text as it was sent.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// The identifier of this request, given when it was validated.
    pub fn request_id(&self) -> RequestId {
        self.request_id
    }
}

impl Request {
    /// Checks the request against the contract.
    ///
    /// # Errors
    ///
    /// `empty_text`, `text_too_long` (never truncated; the message says the limit and the length)
    /// or `invalid_request`, in this order. An inline pronunciation with a symbol that is none is an
    /// `invalid_request` that names it.
    ///
    /// ```
    /// use speech_core::{ErrorKind, Request};
    ///
    /// let error = Request::new("a".repeat(1001)).validate().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TextTooLong);
    /// assert_eq!(error.message(), "text has 1001 characters; the limit is 1000");
    /// ```
    pub fn validate(&self) -> Result<ValidRequest> {
        let request_id = RequestId::new();
        self.check(request_id).map_err(|error| error.with_request_id(request_id))
    }

    fn check(&self, request_id: RequestId) -> Result<ValidRequest> {
        if self.text.trim().is_empty() {
            let message =
                if self.text.is_empty() { "text is empty" } else { "text is only white space" };
            return Err(Error::new(ErrorKind::EmptyText, message));
        }
        let characters = count_characters(&self.text);
        if characters > MAX_CHARACTERS {
            return Err(Error::new(
                ErrorKind::TextTooLong,
                format!("text has {characters} characters; the limit is {MAX_CHARACTERS}"),
            ));
        }
        let language = Language::from_tag(&self.language).ok_or_else(|| {
            Error::unsupported("language", &self.language, &Language::ALL.map(Language::tag))
        })?;
        let voice = Voice::from_id(&self.voice)
            .ok_or_else(|| Error::unsupported("voice", &self.voice, &Voice::ALL.map(Voice::id)))?;
        let format = Format::from_name(&self.format).ok_or_else(|| {
            Error::unsupported("format", &self.format, &Format::ALL.map(Format::as_str))
        })?;
        let latency = Latency::from_name(&self.latency).ok_or_else(|| {
            Error::unsupported("latency", &self.latency, &Latency::ALL.map(Latency::as_str))
        })?;
        check_inline(&self.text, pack(language).locale.ipa)?;
        Ok(ValidRequest {
            text: self.text.clone(),
            language,
            voice,
            format,
            read_emoji: self.read_emoji,
            latency,
            characters,
            request_id,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contract's rules, a row each: the request, and its kind of refusal or its characters.
    #[test]
    fn the_rules() {
        let long = |n: usize| "क".repeat(n);
        let rows: Vec<(Request, Result<usize, ErrorKind>)> = vec![
            (Request::new("a"), Ok(1)),
            (Request::new("Hello, world."), Ok(13)),
            (Request::new("😀"), Ok(1)),
            (Request::new("👩\u{200d}🚀"), Ok(3)),
            (Request::new("e\u{301}"), Ok(2)),
            (Request::new("...!?"), Ok(5)),
            (Request::new("\u{0}"), Ok(1)),
            (Request::new(" a \n"), Ok(4)),
            (Request::new(long(1000)), Ok(1000)),
            (Request::new(long(1001)), Err(ErrorKind::TextTooLong)),
            (Request::new(" ".repeat(1001)), Err(ErrorKind::EmptyText)),
            (Request::new(format!("a{}", " ".repeat(1000))), Err(ErrorKind::TextTooLong)),
            (Request::new(""), Err(ErrorKind::EmptyText)),
            (Request::new(" \t\r\n\u{a0}\u{2003}\u{3000}"), Err(ErrorKind::EmptyText)),
            (Request::new("a").latency("low"), Ok(1)),
            (Request::new("a").latency("lowest"), Err(ErrorKind::InvalidRequest)),
            (Request::new("a").language("hi-IN"), Ok(1)),
            (Request::new("a").language("en-GB"), Err(ErrorKind::InvalidRequest)),
            (Request::new("a").language("en-us"), Err(ErrorKind::InvalidRequest)),
            (Request::new("a").language(""), Err(ErrorKind::InvalidRequest)),
            (Request::new("a").voice("sofia"), Ok(1)),
            (Request::new("a").voice("Aria"), Err(ErrorKind::InvalidRequest)),
            (Request::new("a").voice("af_heart"), Err(ErrorKind::InvalidRequest)),
            (Request::new("a").format("pcm"), Ok(1)),
            (Request::new("a").format("mp3"), Err(ErrorKind::InvalidRequest)),
            (Request::new("").voice("nobody"), Err(ErrorKind::EmptyText)),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter_map(|(request, expected)| {
                let got = request.validate().map(|r| r.characters()).map_err(|e| e.kind());
                (got != expected).then(|| format!("{request:?}: {got:?}, not {expected:?}"))
            })
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }

    #[test]
    fn every_voice_speaks_every_language() {
        for language in Language::ALL {
            for voice in Voice::ALL {
                let request = Request::new("a").language(language.tag()).voice(voice.id());
                let valid = request.validate().unwrap();
                assert_eq!((valid.language(), valid.voice()), (language, voice));
            }
        }
    }

    #[test]
    fn a_message_repeats_only_the_start_of_a_long_value() {
        let error = Request::new("a").voice("v".repeat(5000)).validate().unwrap_err();
        assert!(error.message().len() < 200, "{}", error.message());
    }
}

//! A request as the caller makes it: plain data with unchecked text.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use speech_base::RequestId;
use speech_base::cancel::CancelToken;
use speech_base::error::{Error, Result};
use speech_base::language::Language;
use speech_base::limits::check_text;
use speech_base::prosody_settings::ProsodySettings;
use speech_base::quality::Quality;
use speech_base::voice::Voice;
use speech_text::pronunciation::Lexicon;

use crate::format::{Encoding, Format, SAMPLE_RATE};
use crate::latency::Latency;
use crate::sample_rate::SampleRate;

/// A text to speak, and the settings.
///
/// The text is not checked until [`validate`](Request::validate), which every synthesis calls
/// first. A text alone is a request with default settings: `engine.synthesize("Hello.")`.
///
/// ```
/// use speech_core::{Language, Request, Voice};
///
/// let request = Request::new("Good morning.").voice(Voice::JOHN).language(Language::EnUs);
/// assert_eq!(request.validate()?.characters(), 13);
/// # Ok::<(), speech_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub(crate) text: String,
    pub(crate) language: Language,
    pub(crate) voice: Voice,
    pub(crate) read_emoji: bool,
    pub(crate) read_romanized_hindi: bool,
    pub(crate) latency: Latency,
    pub(crate) quality: Quality,
    pub(crate) sample_rate: u32,
    pub(crate) encoding: Encoding,
    pub(crate) prosody: ProsodySettings,
    pub(crate) ssml: bool,
    pub(crate) read_pauses: bool,
    pub(crate) pronunciations: Arc<Lexicon>,
    pub(crate) lexicons: Vec<Arc<Lexicon>>,
    pub(crate) cancel: Option<CancelToken>,
    pub(crate) request_id: Option<RequestId>,
}

impl From<&str> for Request {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Request {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&Request> for Request {
    fn from(request: &Request) -> Self {
        request.clone()
    }
}

impl Request {
    /// A request for this text in `en-US`, by `aria`.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            language: Language::default(),
            voice: Voice::default(),
            read_emoji: false,
            read_romanized_hindi: true,
            latency: Latency::default(),
            quality: Quality::default(),
            sample_rate: SAMPLE_RATE,
            encoding: Encoding::default(),
            prosody: ProsodySettings::default(),
            ssml: false,
            read_pauses: true,
            pronunciations: Arc::default(),
            lexicons: Vec::new(),
            cancel: None,
            request_id: None,
        }
    }

    /// The language in which the text is read.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The voice.
    #[must_use]
    pub fn voice(mut self, voice: Voice) -> Self {
        self.voice = voice;
        self
    }

    /// Whether emoji are read by name ("red heart", "लाल दिल"). By default they are skipped,
    /// because in chat they are seldom meant to be heard; the diagnostics list them.
    #[must_use]
    pub fn read_emoji(mut self, read: bool) -> Self {
        self.read_emoji = read;
        self
    }

    /// Whether romanized Hindi ("kal milte hain") is read as Hindi: in Hindi requests, and in
    /// English requests where a passage is clearly Hindi. On by default; if off, its words are read
    /// as English.
    #[must_use]
    pub fn read_romanized_hindi(mut self, read: bool) -> Self {
        self.read_romanized_hindi = read;
        self
    }

    /// The speaking rate, 0.5 to 2; 1, the default, is the voice's natural rate. Vowels and pauses
    /// are stretched more than consonants.
    #[must_use]
    pub fn rate(mut self, factor: f64) -> Self {
        self.prosody.rate = factor;
        self
    }

    /// The pitch in semitones relative to the voice's own, -6 to 6; 0 by default. Formants are not
    /// shifted.
    #[must_use]
    pub fn pitch(mut self, semitones: f64) -> Self {
        self.prosody.pitch = semitones;
        self
    }

    /// The volume in decibels relative to the voice's own, -40 to 12; 0 by default. Every sentence
    /// gets the same gain. A limiter keeps peaks at or below -0.3 dBFS, so nothing is clipped; from
    /// about 6 dB on, it reduces the effective gain.
    #[must_use]
    pub fn volume(mut self, decibels: f64) -> Self {
        self.prosody.volume = decibels;
        self
    }

    /// The text as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text is an SSML 1.1 document; by default it is plain text.
    /// [`language`](Self::language) and [`voice`](Self::voice) are then the defaults for elements
    /// that set none. Rate, pitch and volume combine with those of the document.
    ///
    /// The elements `speak`, `p`, `s`, `break`, `say-as`, `phoneme`, `sub`, `prosody`, `emphasis`,
    /// `lang`, `voice` and `mark` are supported; `docs/ssml.md` lists their attributes and values.
    /// [`validate`](Self::validate) rejects everything else, and gives the line and column. Limits
    /// and spans count the document as sent.
    ///
    /// ```
    /// use speech_core::Request;
    ///
    /// let request = Request::new("<speak>Wait <break time=\"1s\"/> here.</speak>").ssml(true);
    /// assert!(request.validate().is_ok());
    /// let refused = Request::new("<speak>\n<blink>Wait</blink></speak>").ssml(true).validate();
    /// let message = "SSML line 2, column 1: the element is not supported";
    /// assert!(refused.unwrap_err().message().starts_with(message));
    /// ```
    #[must_use]
    pub fn ssml(mut self, is_ssml: bool) -> Self {
        self.ssml = is_ssml;
        self
    }

    /// Whether `[pause 500ms]` and `[pause 1.5s]` in the text are pauses. On by default.
    #[must_use]
    pub fn read_pauses(mut self, read: bool) -> Self {
        self.read_pauses = read;
        self
    }

    /// Adds a pronunciation of one or more words to this request: see [`Lexicon::insert`]. The
    /// request's pronunciations are searched before its [lexicons](Self::lexicon), and those before
    /// the engine's lexicon.
    ///
    /// # Errors
    ///
    /// As [`Lexicon::insert`], and `invalid_request` for more than
    /// [`MAX_PRONUNCIATIONS`](crate::MAX_PRONUNCIATIONS), or more than
    /// [`MAX_PRONUNCIATION_BYTES`](crate::MAX_PRONUNCIATION_BYTES) of words and readings.
    pub fn pronunciation(mut self, words: &str, reading: &str) -> Result<Self> {
        let lexicon = Arc::make_mut(&mut self.pronunciations);
        lexicon.insert(words, reading)?;
        lexicon.check_request()?;
        Ok(self)
    }

    /// Adds pronunciations, as [`pronunciation`](Self::pronunciation) does.
    ///
    /// ```
    /// use speech_core::Request;
    ///
    /// let entries = [("Siobhan", "/ʃɪˈvɔːn/"), ("kubectl", "cube control")];
    /// let request = Request::new("Siobhan runs kubectl.").pronunciations(entries)?;
    /// # drop(request);
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`pronunciation`](Self::pronunciation); the message begins with the number of the entry,
    /// from 1.
    pub fn pronunciations<W: AsRef<str>, R: AsRef<str>>(
        mut self,
        entries: impl IntoIterator<Item = (W, R)>,
    ) -> Result<Self> {
        Arc::make_mut(&mut self.pronunciations).insert_of_request(entries)?;
        Ok(self)
    }

    /// Adds a lexicon to this request, searched after those added earlier. It is shared, and may
    /// have any number of entries.
    ///
    /// ```no_run
    /// use std::sync::Arc;
    ///
    /// use speech_core::{Engine, Lexicon, Request};
    ///
    /// let drugs = Arc::new(Lexicon::from_pls(&std::fs::read_to_string("drugs.pls").unwrap())?);
    /// let engine = Engine::load()?;
    /// for text in ["Take ibuprofen.", "And paracetamol."] {
    ///     engine.synthesize(Request::new(text).lexicon(Arc::clone(&drugs)))?;
    /// }
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    #[must_use]
    pub fn lexicon(mut self, lexicon: impl Into<Arc<Lexicon>>) -> Self {
        self.lexicons.push(lexicon.into());
        self
    }

    /// The latency of a stream's first audio. [`Latency::Low`] is for streams:
    /// [`Engine::synthesize`](crate::Engine::synthesize) rejects it.
    #[must_use]
    pub fn latency(mut self, latency: Latency) -> Self {
        self.latency = latency;
        self
    }

    /// The networks that compute the speech; by default the best that the bundle has for the voice
    /// and the language. [`Engine::qualities`](crate::Engine::qualities) lists the available ones;
    /// an engine rejects others.
    #[must_use]
    pub fn quality(mut self, quality: Quality) -> Self {
        self.quality = quality;
        self
    }

    /// The sample rate in hertz: one of [`SAMPLE_RATES`](crate::SAMPLE_RATES), 22,050 by default.
    ///
    /// Speech is computed at 24,000 Hz with frequencies up to 12,000 Hz, and resampled once to
    /// other rates. Frequencies reach 3,400 Hz at a rate of 8,000 Hz, 7,200 Hz at 16,000 Hz, and
    /// 10,000 Hz at other rates. [`validate`](Self::validate) rejects rates not in the list.
    ///
    /// ```
    /// use speech_core::{Encoding, Request};
    ///
    /// let telephone = Request::new("Hello.").sample_rate(8_000).encoding(Encoding::Mulaw);
    /// assert!(telephone.validate().is_ok());
    /// let refused = Request::new("Hello.").sample_rate(11_025).validate().unwrap_err();
    /// let message = "sample_rate is 11025; it must be 8000, 16000, 22050, 24000, 44100 or 48000";
    /// assert_eq!(refused.message(), message);
    /// ```
    #[must_use]
    pub fn sample_rate(mut self, hertz: u32) -> Self {
        self.sample_rate = hertz;
        self
    }

    /// The encoding of [`Speech::to_bytes`](crate::Speech::to_bytes),
    /// [`Speech::to_wav`](crate::Speech::to_wav) and [`Chunk::to_bytes`](crate::Chunk::to_bytes).
    /// The samples have 16 bits in every encoding.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// The sample rate, if it is valid.
    pub(crate) fn check_sample_rate(&self) -> Result<SampleRate> {
        SampleRate::new(self.sample_rate)
    }

    /// A token that stops the request from any thread. Once it is cancelled,
    /// [`Engine::synthesize`](crate::Engine::synthesize) returns `cancelled` shortly after, and
    /// `cancelled` is a stream's last item. One token may stop several requests. Two requests are
    /// equal only if they have the same token, or none.
    ///
    /// ```no_run
    /// use speech_core::{CancelToken, Engine, ErrorKind, Request};
    ///
    /// let engine = Engine::load()?;
    /// let cancel = CancelToken::new();
    /// let request = Request::new("A long text.").cancel_token(&cancel);
    /// std::thread::spawn(move || cancel.cancel());
    /// match engine.synthesize(request) {
    ///     Err(error) if error.kind() == ErrorKind::Cancelled => {}
    ///     other => drop(other?),
    /// }
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    #[must_use]
    pub fn cancel_token(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// The request's identifier, which the speech and all errors carry; by default a new one for
    /// each synthesis or validation.
    #[must_use]
    pub fn request_id(mut self, id: RequestId) -> Self {
        self.request_id = Some(id);
        self
    }

    /// Adds the field `pronunciations` of a JSON object, for services whose requests have other
    /// fields as well.
    ///
    /// # Errors
    ///
    /// As [`from_json`](Self::from_json).
    #[doc(hidden)]
    pub fn with_pronunciations_of(self, json: &[u8]) -> Result<Self> {
        self.pronunciations_of(&Fields::read(json)?, json)
    }

    fn pronunciations_of(self, fields: &Fields<'_>, json: &[u8]) -> Result<Self> {
        let entries = fields.strings("pronunciations", json)?;
        self.pronunciations(entries)
            .map_err(|error| Error::invalid_request(format!("pronunciations: {}", error.message())))
    }

    /// Assigns an identifier if there is none.
    pub(crate) fn identify(&mut self) -> RequestId {
        *self.request_id.get_or_insert_with(RequestId::new)
    }

    /// A token for this request alone, cancelled with the caller's.
    pub(crate) fn child_token(&self) -> CancelToken {
        self.cancel.as_ref().map_or_else(CancelToken::new, CancelToken::child)
    }

    /// Parses a service's request in JSON, with the format of the response. Further fields
    /// are `latency`, `quality` and `encoding`; the numbers `sample_rate`, `rate`, `pitch` and
    /// `volume`; the booleans `ssml`, `read_pauses`, `read_emoji` and `read_romanized_hindi`; and
    /// `pronunciations`, an object from words to readings.
    ///
    /// Unknown fields are ignored.
    ///
    /// # Errors
    ///
    /// `invalid_request` for malformed JSON, invalid UTF-8, a missing `text`, a field of the wrong
    /// type or given twice, pronunciations that [`pronunciations`](Self::pronunciations) rejects,
    /// and an unsupported `language`, `voice`, `format`, `latency`, `quality` or `encoding`. If
    /// pronunciations or one of these choices is rejected and the text is also empty or too long,
    /// the error is `empty_text` or `text_too_long`. `null` is a wrong type for every field.
    ///
    /// ```
    /// use speech_core::{Format, Request, Voice};
    ///
    /// let json = br#"{"text": "Hello.", "voice": "leo", "format": "pcm", "mood": "glad"}"#;
    /// let (request, format) = Request::from_json(json)?;
    /// assert_eq!(request, Request::new("Hello.").voice(Voice::LEO));
    /// assert_eq!(format, Format::Pcm);
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    pub fn from_json(json: &[u8]) -> Result<(Self, Format)> {
        let fields = Fields::read(json)?;
        let string = |name| fields.string(name, json);
        let text = string("text")?.ok_or_else(|| Error::invalid_request("text is missing"))?;
        let [language, voice, format] = [string("language")?, string("voice")?, string("format")?];
        let [latency, quality, encoding] =
            [string("latency")?, string("quality")?, string("encoding")?];
        let sample_rate = fields.parsed("sample_rate", "a positive whole number")?;
        let flag = |name| fields.parsed::<bool>(name, "true or false");
        let number = |name| fields.parsed::<f64>(name, "a number");
        let (read_emoji, ssml) = (flag("read_emoji")?, flag("ssml")?);
        let (read_romanized_hindi, read_pauses) =
            (flag("read_romanized_hindi")?, flag("read_pauses")?);
        let default = ProsodySettings::default();
        let prosody = ProsodySettings {
            rate: number("rate")?.unwrap_or(default.rate),
            pitch: number("pitch")?.unwrap_or(default.pitch),
            volume: number("volume")?.unwrap_or(default.volume),
        };
        let request = || {
            let (language, voice, format) = (choice(language)?, choice(voice)?, choice(format)?);
            let request = Self {
                language,
                voice,
                latency: choice(latency)?,
                quality: choice(quality)?,
                sample_rate: sample_rate.unwrap_or(SAMPLE_RATE),
                encoding: choice(encoding)?,
                read_emoji: read_emoji.unwrap_or(false),
                read_romanized_hindi: read_romanized_hindi.unwrap_or(true),
                read_pauses: read_pauses.unwrap_or(true),
                ssml: ssml.unwrap_or(false),
                prosody,
                ..Self::new(text.as_str())
            };
            Ok((request, format))
        };
        // An error of the text takes precedence over errors of other fields.
        let request = || {
            let (request, format) = request()?;
            Ok((request.pronunciations_of(&fields, json)?, format))
        };
        request().map_err(|unsupported| check_text(&text).err().unwrap_or(unsupported))
    }
}

/// The fields of a JSON object in order, including repeated ones. Their values are unparsed JSON,
/// so unknown fields may have any value.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// Parses a body.
    fn read(json: &'a [u8]) -> Result<Self> {
        serde_json::from_slice(json).map_err(|error| {
            let message = match error.classify() {
                serde_json::error::Category::Data => "the body is not a JSON object".to_owned(),
                _ if json.is_empty() => "the body is empty: it must be a JSON object".to_owned(),
                _ => not_json(error.line(), error.column()),
            };
            let refused = Error::invalid_request(message);
            // Do not keep such an error as the cause: its message quotes the body.
            if error.is_data() { refused } else { refused.with_source(error) }
        })
    }

    /// The JSON of the only field with this name, if there is one.
    fn get(&self, name: &str) -> Result<Option<&str>> {
        let mut values = self.0.iter().filter(|(field, _)| field == name).map(|(_, value)| value);
        match (values.next(), values.next()) {
            (Some(_), Some(_)) => Err(Error::invalid_request(format!("{name} is given twice"))),
            (value, _) => Ok(value.map(|value| value.get())),
        }
    }

    /// A string field.
    fn string(&self, name: &str, body: &[u8]) -> Result<Option<String>> {
        self.get(name)?.map(|value| string(name, value, body)).transpose()
    }

    /// The members of a field that is an object of strings, in order.
    fn strings(&self, name: &str, body: &[u8]) -> Result<Vec<(String, String)>> {
        let Some(value) = self.get(name)? else { return Ok(Vec::new()) };
        let fields: Fields = serde_json::from_str(value).map_err(|error| {
            if !value.starts_with('{') {
                return Error::invalid_request(format!("{name} must be an object of strings"));
            }
            half_a_pair(value, &error, body)
        })?;
        let strings = (1..).zip(fields.0).map(|(number, (field, value)): (usize, _)| {
            Ok((field, string(&format!("{name}: entry {number}"), value.get(), body)?))
        });
        strings.collect()
    }

    /// A boolean or a number. A JSON value that parses as the Rust type is one; a number may have
    /// any size.
    fn parsed<T: FromStr>(&self, name: &str, kind: &str) -> Result<Option<T>> {
        let wrong = |_| Error::invalid_request(format!("{name} must be {kind}"));
        self.get(name)?.map(|value| value.parse().map_err(wrong)).transpose()
    }
}

/// A JSON string of the body.
fn string(name: &str, value: &str, body: &[u8]) -> Result<String> {
    serde_json::from_str(value).map_err(|error| {
        if !value.starts_with('"') {
            return Error::invalid_request(format!("{name} must be a string"));
        }
        half_a_pair(value, &error, body)
    })
}

/// The error for an unpaired surrogate in a value of the body; everything else in a string has been
/// checked.
fn half_a_pair(value: &str, error: &serde_json::Error, body: &[u8]) -> Error {
    let before = &body[..value.as_ptr().addr() - body.as_ptr().addr()];
    let lines = before.split(|byte| *byte == b'\n');
    let first = lines.clone().next_back().map_or(0, <[u8]>::len);
    let column = error.column() + if error.line() == 1 { first } else { 0 };
    Error::invalid_request(not_json(lines.count() + error.line() - 1, column))
}

fn not_json(line: usize, column: usize) -> String {
    format!("the body is not valid JSON: see line {line}, column {column}")
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(
                self,
                mut map: M,
            ) -> std::result::Result<Fields<'de>, M::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// The choice with this name, or the default.
fn choice<T: FromStr<Err = Error> + Default>(name: Option<String>) -> Result<T> {
    name.map_or_else(|| Ok(T::default()), |name| name.parse())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use speech_base::error::ErrorKind;

    use super::*;

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
            prop_assert_eq!(read.as_ref().ok().map(|(request, _)| request), made.as_ref().ok());
            if let Err(error) = read.and_then(|(request, _)| request.validate()) {
                let kinds = [ErrorKind::EmptyText, ErrorKind::TextTooLong, ErrorKind::InvalidRequest];
                prop_assert!(kinds.contains(&error.kind()));
            }
        }
    }

    /// Unsupported choices and their messages; an error of the text takes precedence.
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
            ("a", "quality", "Light", ErrorKind::InvalidRequest),
            ("a", "encoding", "ulaw", ErrorKind::InvalidRequest),
            ("", "voice", "nobody", ErrorKind::EmptyText),
            ("a\0", "voice", "nobody", ErrorKind::InvalidRequest),
            (&long, "voice", "nobody", ErrorKind::TextTooLong),
        ];
        for (text, field, value, kind) in rows {
            let json = serde_json::json!({ "text": text, field: value }).to_string();
            let error = Request::from_json(json.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), kind, "{field} {value:?}: {error}");
        }
    }

    /// Unknown fields are ignored, whatever JSON they contain.
    #[test]
    fn unknown_fields_may_be_anything() {
        for value in
            ["1e400", "-1e400", "[1e999, {\"a\": 1e400}]", "\"\\ud800\"", "null", "1, \"x\": 2"]
        {
            let json = format!("{{\"x\": {value}, \"text\": \"a\"}}");
            let read = Request::from_json(json.as_bytes()).ok();
            assert_eq!(read, Some((Request::new("a"), Format::Wav)), "{value}");
        }
        // A known field that is out of range is rejected.
        let (request, _) = Request::from_json(b"{\"text\": \"a\", \"rate\": 1e400}").unwrap();
        assert!(request.validate().unwrap_err().message().contains("a number from 0.5 to 2"));
    }

    #[test]
    fn requests_are_equal_if_they_have_the_same_token() {
        let (one, other) = (CancelToken::new(), CancelToken::new());
        let request = |token: &CancelToken| Request::from("a").cancel_token(token);
        assert_eq!(request(&one), request(&one.clone()));
        assert_ne!(request(&one), request(&other));
        assert_ne!(request(&one), Request::new("a"));
    }

    #[test]
    fn pronunciations_are_those_of_the_request() {
        let json = br#"{"text": "a", "pronunciations": {"b": "c", "d": "/e/", "b": "f"}}"#;
        let (read, _) = Request::from_json(json).unwrap();
        let made = Request::new("a").pronunciations([("b", "c"), ("d", "/e/"), ("b", "f")]);
        assert_eq!(read, made.unwrap());
        assert_ne!(read, Request::new("a"));
        // An error of the text takes precedence.
        let error = Request::from_json(br#"{"text": "", "pronunciations": 1}"#).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::EmptyText);
    }

    /// As other programs parse them: the nearest number, for any digits.
    #[test]
    fn numbers_are_exact() {
        let read = Request::from_json(b"{\"text\": \"a\", \"volume\": 33333333333333333333333.4}");
        assert_eq!(read.unwrap().0, Request::new("a").volume(33_333_333_333_333_333_333_333.4));
    }

    #[test]
    fn json_that_is_refused() {
        for (json, message) in [
            (&b"{"[..], "the body is not valid JSON: see line 1, column 1"),
            (b"", "the body is empty: it must be a JSON object"),
            (b"\"text\"", "the body is not a JSON object"),
            (b"[]", "the body is not a JSON object"),
            (b"{\"text\": \"\xff\"}", "the body is not valid JSON: see line 1, column 11"),
            (b"{}", "text is missing"),
            (b"{\"text\": 3}", "text must be a string"),
            (b"{\"text\": null}", "text must be a string"),
            (b"{\"text\": \"a\", \"voice\": [\"aria\"]}", "voice must be a string"),
            (b"{\"text\": \"a\", \"language\": null}", "language must be a string"),
            (b"{\"text\": \"a\", \"format\": false}", "format must be a string"),
            (b"{\"text\": \"a\"} {}", "the body is not valid JSON: see line 1, column 15"),
            (b"{\"text\": 5, \"text\": \"a\"}", "text is given twice"),
            (b"{\"text\": \"a\", \"read_emoji\": 1}", "read_emoji must be true or false"),
            (b"{\"text\": \"a\", \"rate\": \"1\"}", "rate must be a number"),
            (b"{\"text\": \"a\", \"pitch\": null}", "pitch must be a number"),
            (
                b"{\"text\": \"a\", \"sample_rate\": 8000.5}",
                "sample_rate must be a positive whole number",
            ),
            (
                b"{\"text\": \"a\", \"sample_rate\": \"8000\"}",
                "sample_rate must be a positive whole number",
            ),
            (b"{\"text\": \"a\", \"ssml\": \"yes\"}", "ssml must be true or false"),
            (b"{\"text\": 1e400}", "text must be a string"),
            (
                b"{\"text\": \"a\", \"pronunciations\": null}",
                "pronunciations must be an object of strings",
            ),
            (
                b"{\"text\": \"a\", \"pronunciations\": [\"a\"]}",
                "pronunciations must be an object of strings",
            ),
            (
                b"{\"text\": \"a\", \"pronunciations\": {\"a\": \"b\", \"c\": 1}}",
                "pronunciations: entry 2 must be a string",
            ),
            (
                b"{\"text\": \"a\", \"pronunciations\": {\"a\": \"b\", \"c\": \"/9/\"}}",
                "pronunciations: entry 2: the pronunciation: character 1 of it is not a phoneme symbol",
            ),
            (
                b"{\"text\": \"a\", \"pronunciations\":\n {\"a\": \"b\",\n\"\\ud800\": \"c\"}}",
                "the body is not valid JSON: see line 3, column 8",
            ),
            (
                b"{\"text\": \"a\", \"pronunciations\":\n {\"a\":\n \"\\ud83d\"}}",
                "the body is not valid JSON: see line 3, column 9",
            ),
            (b"{\n\"text\":\n  \"\\ud83d\"}", "the body is not valid JSON: see line 3, column 10"),
            (b"{\"text\": \"a\", \"x\": 01}", "the body is not valid JSON: see line 1, column 21"),
            (
                b"{\"text\": \"a\", \"x\": \"\xff\"}",
                "the body is not valid JSON: see line 1, column 21",
            ),
        ] {
            let error = Request::from_json(json).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidRequest);
            assert_eq!(error.message(), message, "{}", String::from_utf8_lossy(json));
        }
    }
}

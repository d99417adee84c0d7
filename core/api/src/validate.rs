//! Validation: turns a [`Request`] into a [`ValidRequest`] or rejects it.

use std::ops::Range;
use std::sync::Arc;

use speech_base::RequestId;
use speech_base::cancel::CancelToken;
use speech_base::error::{Error, ErrorDetail, Result};
use speech_base::language::Language;
use speech_base::limits::{
    MAX_CHARACTERS, MAX_PAUSE_SECONDS, check_not_empty, check_text, count_characters,
    expected_seconds,
};
use speech_base::quality::Quality;
use speech_base::voice::Voice;
use speech_text::languages::pack;
use speech_text::markup::{self, Passage};
use speech_text::normalize::Options;
use speech_text::pronunciation::{Lexicon, Lexicons, check_inline};
use speech_text::segment::Boundary;

use crate::format::{Encoding, Format};
use crate::latency::Latency;
use crate::loaded_engine::LoadedEngine;
use crate::request::Request;
use crate::sample_rate::SampleRate;
use crate::synthesis::{self, Prepared};

/// A valid request, with its identifier.
#[derive(Clone, Debug)]
pub struct ValidRequest {
    request: Request,
    passages: Vec<Arc<Passage>>,
    characters: usize,
    sample_rate: SampleRate,
    request_id: RequestId,
}

impl ValidRequest {
    /// The text as sent.
    pub fn text(&self) -> &str {
        &self.request.text
    }

    /// The language in which the text is read.
    pub fn language(&self) -> Language {
        self.request.language
    }

    /// The voice.
    pub fn voice(&self) -> Voice {
        self.request.voice
    }

    /// Whether emoji are read by name.
    pub fn reads_emoji(&self) -> bool {
        self.request.read_emoji
    }

    /// Whether romanized Hindi is read as Hindi.
    pub fn reads_romanized_hindi(&self) -> bool {
        self.request.read_romanized_hindi
    }

    /// The latency of a stream's first audio.
    pub fn latency(&self) -> Latency {
        self.request.latency
    }

    /// The networks that compute the speech.
    pub fn quality(&self) -> Quality {
        self.request.quality
    }

    /// The sample rate of the speech, in hertz.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate.hertz()
    }

    /// The rate to which the speech is resampled.
    pub(crate) fn output_rate(&self) -> SampleRate {
        self.sample_rate
    }

    /// The encoding of the speech.
    pub fn encoding(&self) -> Encoding {
        self.request.encoding
    }

    /// The approximate duration of the speech in seconds, without explicit pauses. Text read as
    /// digits or spelled takes several times as long. For capacity planning in services.
    #[doc(hidden)]
    pub fn expected_seconds(&self) -> f64 {
        let seconds = |text: &str, rate: f64| expected_seconds(count_characters(text), rate);
        let of_passage = |Passage { text, base, settings, .. }: &Passage| {
            let parts =
                settings.iter().map(|(range, settings)| (&text[range.clone()], settings.rate));
            let other = parts.map(|(part, rate)| seconds(part, rate) - seconds(part, base.rate));
            seconds(text, base.rate) + other.sum::<f64>()
        };
        self.passages.iter().map(|passage| of_passage(passage)).sum()
    }

    /// The total of the explicit pauses, in seconds.
    #[doc(hidden)]
    pub fn pause_seconds(&self) -> f64 {
        let inline = self.passages.iter().flat_map(|passage| &passage.inline);
        let pauses = inline.filter_map(|(_, inline)| inline.pause());
        pauses.map(|milliseconds| f64::from(milliseconds) / 1000.0).sum()
    }

    /// The passages to read, without markup.
    pub(crate) fn passages(&self) -> &[Arc<Passage>] {
        &self.passages
    }

    /// A token for this request alone, cancelled with the caller's.
    pub(crate) fn child_token(&self) -> CancelToken {
        self.request.child_token()
    }

    /// Finds the sentences, and normalizes them.
    pub(crate) fn prepare(&self, engine: &LoadedEngine) -> Prepared {
        let options = self.request.options(&engine.lexicon);
        synthesis::prepare(&engine.front_end, &self.passages, options)
    }

    /// The metered quantity: the number of characters of the text as sent.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// The request's identifier, assigned at validation if the request had none.
    pub fn request_id(&self) -> RequestId {
        self.request_id
    }

    /// Rejects low latency with the format `wav`. Services and programs that deliver audio in a
    /// format call it before synthesis.
    ///
    /// # Errors
    ///
    /// `invalid_request`.
    pub fn check_format(&self, format: Format) -> Result<()> {
        if format == Format::Wav { self.check_whole() } else { Ok(()) }
    }

    /// Rejects low latency for speech that is not streamed.
    pub(crate) fn check_whole(&self) -> Result<()> {
        if self.latency() != Latency::Low {
            return Ok(());
        }
        let message =
            "latency low is for streams: stream the speech as pcm, or use latency standard";
        Err(Error::invalid_request(message)
            .with_detail(ErrorDetail::LatencyNeedsStream)
            .with_request_id(self.request_id))
    }
}

/// The same request with its identifier.
impl From<ValidRequest> for Request {
    fn from(valid: ValidRequest) -> Self {
        valid.request
    }
}

impl Request {
    /// Checks every field of the request.
    ///
    /// # Errors
    ///
    /// - `empty_text`.
    /// - `text_too_long`: never truncated; the message gives the limit and the length.
    /// - `invalid_request` for a NUL character (the message gives its byte), an inline
    ///   pronunciation with an unknown symbol (the message gives the character), a pause that is
    ///   too long, pauses whose total exceeds
    ///   [`MAX_PAUSE_SECONDS`](speech_base::limits::MAX_PAUSE_SECONDS), SSML that is malformed or
    ///   unsupported (the message gives line and column), a rate, a pitch or a volume out of range,
    ///   and a sample rate not in [`SAMPLE_RATES`](crate::SAMPLE_RATES).
    ///
    /// ```
    /// use speech_core::{ErrorKind, Request};
    ///
    /// let error = Request::new("a".repeat(1001)).validate().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TextTooLong);
    /// assert_eq!(error.message(), "text has 1001 characters; the limit is 1000");
    /// ```
    pub fn validate(&self) -> Result<ValidRequest> {
        self.clone().into_valid()
    }

    /// As [`validate`](Self::validate), without a copy.
    pub(crate) fn into_valid(mut self) -> Result<ValidRequest> {
        let request_id = self.identify();
        let checked = self.check().map_err(|error| error.with_request_id(request_id));
        let (characters, sample_rate, passages) = checked?;
        Ok(ValidRequest { request: self, passages, characters, sample_rate, request_id })
    }

    /// The number of characters, the sample rate, and the passages to read.
    fn check(&self) -> Result<(usize, SampleRate, Vec<Arc<Passage>>)> {
        let characters = check_text(&self.text)?;
        self.prosody.check()?;
        let sample_rate = self.check_sample_rate()?;
        Ok((characters, sample_rate, self.passages()?.into_iter().map(Arc::new).collect()))
    }

    /// The options of text normalization.
    pub(crate) fn options<'a>(&'a self, engine: &'a Lexicon) -> Options<'a> {
        let Self { language, read_emoji, read_romanized_hindi, .. } = *self;
        let lexicons = Lexicons { request: &self.pronunciations, named: &self.lexicons, engine };
        Options { read_emoji, read_romanized_hindi, lexicons, ..Options::plain(language) }
    }

    /// The text of a span for subtitles: SSML without markup, and with references resolved.
    #[doc(hidden)]
    pub fn shown(&self, span: &Range<usize>) -> String {
        if self.ssml {
            return markup::ssml::shown(&self.text, span);
        }
        self.text.get(span.clone()).unwrap_or_default().to_owned()
    }

    /// Checks everything except the text, for text that arrives later.
    pub(crate) fn check_live(&self) -> Result<()> {
        if self.ssml {
            let message = "SSML cannot be live: a document is read as a whole";
            return Err(Error::invalid_request(message));
        }
        self.prosody.check()
    }

    /// Checks a text of any length: each started 1,000 characters may have as many pauses as one
    /// request.
    pub(crate) fn check_long(&self) -> Result<()> {
        check_not_empty(&self.text)?;
        if !self.read_pauses {
            return Ok(());
        }
        let requests = count_characters(&self.text).div_ceil(MAX_CHARACTERS) as u64;
        markup::check_pauses(&self.text, u64::from(MAX_PAUSE_SECONDS) * requests)
    }

    /// The passage of a sentence of a live text that begins at a byte of the text. A bracket that
    /// is not a valid pronunciation is read as ordinary text, because a language model may write
    /// anything.
    pub(crate) fn live_passage(&self, text: &str, start: usize, boundary: Boundary) -> Passage {
        let Self { voice, language, prosody, read_pauses, .. } = self;
        let read = |pauses| markup::plain_passage(text, pauses, *voice, *language, *prosody);
        let passage = read(*read_pauses).or_else(|_| read(false));
        let passage = passage.unwrap_or_else(|_| Passage::plain(text, *voice, *language, *prosody));
        passage.sentence_at(start, boundary)
    }

    /// The passages to read, without markup.
    fn passages(&self) -> Result<Vec<Passage>> {
        let Self { text, voice, language, prosody, read_pauses, .. } = self;
        if self.ssml {
            return markup::ssml::passages(text, *voice, *language, *prosody);
        }
        check_inline(text, pack(*language).locale.ipa)?;
        if *read_pauses {
            markup::check_pauses(text, MAX_PAUSE_SECONDS.into())?;
        }
        markup::plain_passage(text, *read_pauses, *voice, *language, *prosody)
            .map(|passage| vec![passage])
    }
}

#[cfg(test)]
mod tests {
    use speech_base::error::ErrorKind;

    use super::*;

    /// The contract's rules: a request, and its expected error or its number of characters.
    #[test]
    fn the_rules() {
        let long = |n: usize| "क".repeat(n);
        let ssml = |breaks| format!("<speak>{}</speak>", "<break time='10s'/>".repeat(breaks));
        let rows: Vec<(Request, Result<usize, ErrorKind>)> = vec![
            (Request::new("a"), Ok(1)),
            (Request::new("Hello, world."), Ok(13)),
            (Request::new("😀"), Ok(1)),
            (Request::new("👩\u{200d}🚀"), Ok(3)),
            (Request::new("e\u{301}"), Ok(2)),
            (Request::new("...!?"), Ok(5)),
            (Request::new("\u{0}"), Err(ErrorKind::InvalidRequest)),
            (Request::new("a\u{0}".repeat(501)), Err(ErrorKind::InvalidRequest)),
            (Request::new(" \u{0} "), Err(ErrorKind::InvalidRequest)),
            (Request::new("\u{1}"), Ok(1)),
            (Request::new(" a \n"), Ok(4)),
            (Request::new(long(1000)), Ok(1000)),
            (Request::new(long(1001)), Err(ErrorKind::TextTooLong)),
            (Request::new(" ".repeat(1001)), Err(ErrorKind::EmptyText)),
            (Request::new(format!("a{}", " ".repeat(1000))), Err(ErrorKind::TextTooLong)),
            (Request::new(""), Err(ErrorKind::EmptyText)),
            (Request::new(" \t\r\n\u{a0}\u{2003}\u{3000}"), Err(ErrorKind::EmptyText)),
            (Request::new("[pause 10s]".repeat(30)), Ok(330)),
            (
                Request::new("[pause 10s]".repeat(30) + "[pause 1ms]"),
                Err(ErrorKind::InvalidRequest),
            ),
            (Request::new("[pause 10s]".repeat(90)), Err(ErrorKind::InvalidRequest)),
            (Request::new("[pause 10s]".repeat(90)).read_pauses(false), Ok(990)),
            (Request::new(ssml(30)).ssml(true), Ok(585)),
            (Request::new(ssml(31)).ssml(true), Err(ErrorKind::InvalidRequest)),
            (Request::new("a").latency(Latency::Low), Ok(1)),
            (Request::new("a").language(Language::HiIn), Ok(1)),
            (Request::new("a").voice(Voice::SOFIA), Ok(1)),
            (Request::new("a").sample_rate(48_000).encoding(Encoding::Alaw), Ok(1)),
            (Request::new("a").sample_rate(11_025), Err(ErrorKind::InvalidRequest)),
            (Request::new("").sample_rate(11_025), Err(ErrorKind::EmptyText)),
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
    fn how_long_a_text_takes_is_known_roughly() {
        let expected = |request: Request| {
            let request = request.validate().unwrap();
            (request.expected_seconds().round(), request.pause_seconds())
        };
        let text = "a".repeat(140);
        assert_eq!(expected(Request::new(&text)), (10.0, 0.0));
        assert_eq!(expected(Request::new(&text).rate(0.5)), (20.0, 0.0));
        assert_eq!(expected(Request::new(format!("{text}[pause 1.5s]"))), (10.0, 1.5));
        let text =
            format!("<speak>{text}<break time='2s'/><prosody rate='50%'>{text}</prosody></speak>");
        assert_eq!(expected(Request::new(text).ssml(true)), (30.0, 2.0));
    }

    #[test]
    fn pauses_that_are_together_too_long_have_a_place() {
        let message = |request: Request| request.validate().unwrap_err().message().to_owned();
        let text = "हाँ [pause 10s]".repeat(31);
        let expected = "the pauses up to character 455 are together longer than 300 s";
        assert_eq!(message(Request::new(text)), expected);
        let breaks = "<break time='10s'/>\n".repeat(31);
        let expected =
            "SSML line 31, column 1: the pauses up to here are together longer than 300 s";
        assert_eq!(message(Request::new(format!("<speak>{breaks}</speak>")).ssml(true)), expected);
    }

    #[test]
    fn a_long_text_may_pause_as_often_as_its_parts() {
        let check = |text: String| Request::new(text).check_long().map_err(|e| e.kind());
        assert_eq!(check("[pause 10s]".repeat(30)), Ok(()));
        assert_eq!(check("[pause 10s]".repeat(31)), Err(ErrorKind::InvalidRequest));
        assert_eq!(check("[pause 10s]".repeat(31) + &"a".repeat(660)), Ok(()));
        assert_eq!(check("[pause 10s]".repeat(372)), Err(ErrorKind::InvalidRequest));
        assert!(Request::new("[pause 10s]".repeat(31)).read_pauses(false).check_long().is_ok());
    }

    #[test]
    fn every_voice_speaks_every_language() {
        for language in Language::ALL {
            for voice in Voice::ALL {
                let request = Request::new("a").language(language).voice(voice);
                let valid = request.validate().unwrap();
                assert_eq!((valid.language(), valid.voice()), (language, voice));
            }
        }
    }

    #[test]
    fn low_latency_is_for_streams() {
        for format in Format::ALL {
            for latency in Latency::ALL {
                let valid = Request::new("a").latency(latency).validate().unwrap();
                let refused = valid.check_format(format).err();
                assert_eq!(refused.is_some(), format == Format::Wav && latency == Latency::Low);
                if let Some(error) = refused {
                    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
                    assert_eq!(error.detail(), Some(ErrorDetail::LatencyNeedsStream));
                    assert_eq!(error.request_id(), valid.request_id());
                }
            }
        }
    }
}

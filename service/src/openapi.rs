//! The OpenAPI 3.1 document, made from the types here and the paths they belong to.

use std::collections::HashMap;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use speech_core::SAMPLE_RATES;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{Modify, OpenApi, PartialSchema, ToSchema};

/// The OpenAPI document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "libspeech",
        description = "Text to speech in English and Hindi. Every response has the header `X-Request-Id`; the body of an error \
                       has it too. `GET /v1/speech/live` is a WebSocket for text that is still being written, which OpenAPI \
                       cannot describe: see docs/live-service.md.",
    ),
    paths(crate::speech::speak, crate::listings::voices, crate::listings::tiers),
    modifiers(&Keys),
)]
struct Document;

struct Keys;

impl Modify for Keys {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let key = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        document.components.get_or_insert_default().add_security_scheme("key", key);
    }
}

/// The document as `openapi.json` has it.
pub(crate) fn document() -> String {
    let mut json = Document::openapi().to_pretty_json().expect("a document always serializes");
    json.push('\n');
    json
}

/// `/openapi.json`.
pub(crate) async fn serve() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], document()).into_response()
}

/// The text and its settings. Unknown fields are ignored.
#[derive(ToSchema)]
#[schema(example = json!({"text": "Hello, world.", "voice": "aria"}))]
#[expect(dead_code, reason = "the core reads requests; this describes what it takes")]
pub(crate) struct SpeechRequest {
    /// 1 to 1,000 characters (Unicode scalar values), not all of them white space. Punctuation paces the reading; each
    /// sentence is spoken as a unit.
    #[schema(
        min_length = 1,
        max_length = 1000,
        pattern = r"[^\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
    )]
    text: String,
    /// The language of the text.
    #[schema(default = "en-US", required = false)]
    language: Language,
    /// The voice.
    #[schema(default = "aria", required = false)]
    voice: Voice,
    /// `wav`: one file once the whole text is spoken. `pcm`: a stream, a sentence at a time.
    #[schema(default = "wav", required = false)]
    format: Format,
    /// `low`: the first half second of audio comes before the first sentence is computed. It
    /// requires `pcm`; with `wav` it is an error.
    #[schema(default = "standard", required = false)]
    latency: Latency,
    /// The networks that compute the speech. `auto`: the first of `full`, `fast` and `light` that
    /// the voice bundle has for the voice and the language. A quality that the listing of voices
    /// lacks is an error.
    #[schema(default = "auto", required = false)]
    quality: Quality,
    /// Samples per second. Speech is computed at 24,000 Hz, and converted to another rate once.
    #[schema(default = 22050, required = false)]
    sample_rate: SampleRate,
    /// The encoding of a sample, in `wav` and in `pcm`.
    #[schema(default = "pcm16", required = false)]
    encoding: Encoding,
    /// The rate of speech, as a factor of the voice's natural rate.
    #[schema(default = 1.0, minimum = 0.5, maximum = 2.0, required = false)]
    rate: f64,
    /// The change of pitch in semitones.
    #[schema(default = 0.0, minimum = -6.0, maximum = 6.0, required = false)]
    pitch: f64,
    /// The change of loudness in decibels. Every sentence gets the same gain; a limiter prevents
    /// clipping.
    #[schema(default = 0.0, minimum = -40.0, maximum = 12.0, required = false)]
    volume: f64,
    /// Whether the text is an SSML document, of which a subset of SSML 1.1 is supported. The limit
    /// of the text is for the document.
    #[schema(default = false, required = false)]
    ssml: bool,
    /// Whether `[pause 500ms]` in the text is a pause.
    #[schema(default = true, required = false)]
    read_pauses: bool,
    /// Whether emoji are read by their names. By default they are skipped.
    #[schema(default = false, required = false)]
    read_emoji: bool,
    /// Pronunciations by words: IPA between slashes, or other words. At most 200, together at most
    /// 16,384 bytes.
    #[schema(required = false, example = json!({"Siobhan": "/ʃɪˈvɔːn/", "kubectl": "cube control"}))]
    pronunciations: HashMap<String, String>,
    /// Names of the account's lexicons, which are searched after the pronunciations. `@` and digits
    /// of the SHA-256 pin a version.
    #[schema(required = false, max_items = 8)]
    lexicons: Vec<String>,
    /// Whether Hindi in Latin letters is read as Hindi, which is the default, or as English.
    #[schema(default = true, required = false)]
    read_romanized_hindi: bool,
}

/// An enumeration of names that the core knows.
macro_rules! names {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $text:tt),* }) => {
        $(#[$about])*
        #[derive(Serialize, ToSchema)]
        #[expect(dead_code, reason = "it describes what the core takes")]
        enum $name {
            $(#[serde(rename = $text)] $variant,)*
        }
    };
}

names!(/// A BCP 47 tag.
    Language { EnUs = "en-US", HiIn = "hi-IN" });
names!(/// A voice of the listing.
    Voice { Aria = "aria", Jason = "jason", John = "john", Leo = "leo", Sofia = "sofia" });
names!(/// How the audio is delivered.
    Format { Wav = "wav", Pcm = "pcm" });
names!(/// How early a stream begins.
    Latency { Standard = "standard", Low = "low" });
names!(/// `full` is the reference, `fast` takes less computation, `light` the least.
    Quality { Auto = "auto", Full = "full", Fast = "fast", Light = "light" });

names!(/// A 16-bit integer, a 32-bit float from -1 to 1, both little-endian, or an 8-bit code of G.711.
    Encoding { Pcm16 = "pcm16", Float32 = "float32", Mulaw = "mulaw", Alaw = "alaw" });

/// In hertz.
struct SampleRate;

impl PartialSchema for SampleRate {
    fn schema() -> RefOr<Schema> {
        let rates = ObjectBuilder::new().schema_type(Type::Integer);
        rates.description(Some("In hertz.")).enum_values(Some(SAMPLE_RATES)).into()
    }
}

impl ToSchema for SampleRate {}

/// Mono audio, by default raw 16-bit samples at 22,050 Hz, little-endian; with `wav`, a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "the core writes sound; this describes it")]
pub(crate) struct Audio(Vec<u8>);

/// The voices and the languages.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the core writes the listing; this describes it")]
pub(crate) struct VoiceListing {
    languages: Vec<Language>,
    voices: Vec<VoiceEntry>,
    default_voice: Voice,
    /// Samples per second.
    #[schema(example = 22050)]
    sample_rate: u32,
    #[schema(example = 1000)]
    max_characters: u32,
    /// The qualities that the voice bundle has for each voice and language, the best first.
    #[schema(example = json!({"aria": {"en-US": ["full", "light"], "hi-IN": ["full"]}}))]
    qualities: HashMap<String, HashMap<String, Vec<Quality>>>,
}

/// A voice.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the core writes the listing; this describes it")]
struct VoiceEntry {
    id: Voice,
    name: String,
}

/// The latency tiers for speech to text, in the order ultra, turbo, standard, economy.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the core writes the catalogue; this describes it")]
pub(crate) struct TierCatalogue {
    tiers: Vec<TierEntry>,
    default: String,
}

/// A tier.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the core writes the catalogue; this describes it")]
struct TierEntry {
    tier: String,
    /// Millionths of a US dollar per second of audio.
    rate_micros: u32,
    rate_usd_per_second: f64,
    /// The lookahead alone, in milliseconds.
    latency_ms: u32,
    /// Whether this deployment can run it.
    available: bool,
}

/// An error response.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the core writes the envelope; this describes it")]
pub(crate) struct ErrorEnvelope {
    error: ErrorBody,
}

/// The error.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the core writes the envelope; this describes it")]
struct ErrorBody {
    /// The machine-readable type.
    #[schema(example = "text_too_long")]
    r#type: String,
    /// The message for people.
    message: String,
    /// The identifier of the request, as in `X-Request-Id`.
    request_id: String,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_names_are_those_of_the_core() {
        let document: Value = serde_json::from_str(&document()).unwrap();
        let names = |name: &str| &document["components"]["schemas"][name]["enum"];
        assert_eq!(*names("Language"), json!(speech_core::Language::ALL.map(|it| it.as_str())));
        assert_eq!(*names("Voice"), json!(speech_core::Voice::ALL.map(|it| it.as_str())));
        assert_eq!(*names("Encoding"), json!(speech_core::Encoding::ALL.map(|it| it.as_str())));
        assert_eq!(*names("SampleRate"), json!(speech_core::SAMPLE_RATES));
        assert_eq!(*names("Format"), json!(speech_core::Format::ALL.map(|it| it.as_str())));
        assert_eq!(*names("Latency"), json!(speech_core::Latency::ALL.map(|it| it.as_str())));
        assert_eq!(*names("Quality"), json!(speech_core::Quality::ALL.map(|it| it.as_str())));
    }

    #[test]
    fn the_document_that_is_checked_in_is_this() {
        assert!(
            document() == include_str!("../openapi.json"),
            "openapi.json is not up to date: `cargo run -p speech-http -- openapi > service/openapi.json`"
        );
    }
}

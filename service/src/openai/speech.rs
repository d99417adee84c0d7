//! `POST /v1/audio/speech`.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request as HttpRequest, State};
use axum::response::Response;
use speech_core::{
    CancelToken, Engine, Error, ErrorKind, MAX_PAUSE_SECONDS, RequestId, check_pauses,
    count_characters, expected_seconds,
};

use super::MAX_BODY;
use super::encode::Encoded;
use super::events;
use super::ffmpeg::{Codec, Encoding, Ffmpeg};
use super::format::Format;
use super::refusal::Refusal;
use super::request::SpeechRequest;
use crate::admission::{Demand, Place};
use crate::delivery::Delivery;
use crate::error_response::ErrorResponse;
use crate::idempotency::{Claim, Keyed};
use crate::job::{Job, Parts};
use crate::keys::Account;
use crate::lexicons::Chosen;
use crate::script::{Script, Source};
use crate::service::Service;
use crate::sound::{OF_A_STREAM, weight};
use crate::speech::{parse, read_json, record_refusal};

/// An admitted request, with everything for its response.
struct Accepted {
    request: SpeechRequest,
    script: Script,
    source: Source,
    demand: Demand,
    cancel: CancelToken,
    delivery: Box<dyn Delivery>,
    /// The ffmpeg process, if the format needs one.
    encoding: Option<Encoding>,
    place: Place,
    claim: Option<Claim>,
}

/// Speaks a text.
pub(crate) async fn speak(
    State(service): State<Arc<Service>>,
    request: HttpRequest,
) -> Result<Response, Refusal> {
    let asked = Instant::now();
    let account =
        service.keys.authenticate(request.headers()).map_err(ErrorResponse::with_body_unread)?;
    match accept(&service, &account, request).await {
        Ok(accepted) => answer(service, account, accepted, asked).await,
        Err(refusal) => {
            record_refusal(&service, account, &refusal.response).await?;
            Err(refusal)
        }
    }
}

/// Reads and validates a request, and admits it.
async fn accept(
    service: &Service,
    account: &Account,
    request: HttpRequest,
) -> Result<Accepted, Refusal> {
    let headers = request.headers().clone();
    let body = read_json(service, request, MAX_BODY).await?;
    let (body, parsed) = parse(&service.checks, account, body, SpeechRequest::from_json).await;
    let request = parsed?;
    let cancel = CancelToken::new();
    // The limit is for the whole input, as for a text of `/v1/speech`.
    check_pauses(&request.input, MAX_PAUSE_SECONDS.into())?;
    let delivery =
        Box::new(Encoded(request.format.encoder(request.sample_rate, request.encoding)?));
    let ffmpeg = ffmpeg(service, request.format)?;
    let chosen = service.lexicons.choose(account, &request.lexicons)?;
    let keyed = Keyed::of(&headers, "/v1/audio/speech", "", &body)?;
    let id = RequestId::new();
    let demand = demand(&request, count_characters(&request.input));
    let (place, claim) = service.admit(account, keyed, id, demand).await?;
    let id = claim.as_ref().map_or(id, |claim| claim.id);
    // A rejected request must cost neither the reading of its text nor a process.
    let prepare = || {
        let (script, source) = script(&service.engine_of(account), &request, id, &chosen, &cancel)?;
        let encoding =
            ffmpeg.map(|(ffmpeg, codec)| ffmpeg.start(codec, request.sample_rate)).transpose();
        let encoding = encoding.map_err(|error| {
            Error::new(ErrorKind::Internal, format!("ffmpeg cannot be run: {error}"))
        })?;
        Ok::<_, Error>((script, source, encoding))
    };
    let (script, source, encoding) = prepare().inspect_err(|_| place.take_back())?;
    Ok(Accepted { request, script, source, demand, cancel, delivery, encoding, place, claim })
}

/// The program for a format, if the format needs it.
fn ffmpeg(service: &Service, format: Format) -> Result<Option<(&Ffmpeg, Codec)>, Refusal> {
    let Some(codec) = format.codec() else { return Ok(None) };
    let ffmpeg = service.openai.as_ref().and_then(|openai| openai.ffmpeg.as_ref());
    let ffmpeg = ffmpeg.filter(|ffmpeg| ffmpeg.encodes(codec)).ok_or_else(|| {
        let message = format!(
            "The format '{}' needs ffmpeg, which this service does not have. Ask for 'wav', 'flac', 'opus' or 'pcm' by \
             response_format (the default is 'mp3'), or install ffmpeg where the service runs.",
            format.as_str()
        );
        Refusal::of_field("response_format", "unsupported_format", message)
    })?;
    Ok(Some((ffmpeg, codec)))
}

async fn answer(
    service: Arc<Service>,
    account: Account,
    accepted: Accepted,
    asked: Instant,
) -> Result<Response, Refusal> {
    let Accepted { request, script, source, demand, cancel, delivery, encoding, place, claim } =
        accepted;
    let characters = script.characters;
    let job = Job::new(service, account, script, claim, demand, cancel, asked);
    let answer = job.answer(place, source, delivery).await?;
    let content_type = if request.as_events {
        events::CONTENT_TYPE
    } else {
        request.format.content_type(request.encoding)
    };
    Ok(answer.respond(content_type, request.sample_rate, |parts| {
        body(parts, encoding, request.as_events.then_some(characters))
    }))
}

/// The resources of a request. All formats are streamed.
fn demand(request: &SpeechRequest, characters: usize) -> Demand {
    let seconds = expected_seconds(characters, request.rate);
    let held = OF_A_STREAM * weight(request.sample_rate, request.encoding);
    Demand { characters, seconds, held, held_at_least: held }
}

/// The text, and the stream of its speech. It may be longer than a text of `/v1/speech`.
fn script(
    engine: &Engine,
    request: &SpeechRequest,
    id: RequestId,
    chosen: &Chosen,
    cancel: &CancelToken,
) -> Result<(Script, Source), Error> {
    let SpeechRequest {
        input, voice, language, rate, latency, quality, sample_rate, encoding, ..
    } = request;
    let text = chosen.add_to(request.text.clone()).voice(*voice).language(*language);
    let text = text.request_id(id).rate(*rate).latency(*latency).quality(*quality);
    let text = text.sample_rate(*sample_rate).encoding(*encoding).cancel_token(cancel);
    let stream = engine.stream_long(text)?;
    let script = Script {
        id: stream.request_id(),
        text: input.clone(),
        voice: *voice,
        language: *language,
        characters: stream.characters(),
        lexicons: chosen.recorded(),
    };
    Ok((script, Source::Long(Box::new(stream))))
}

/// The body: the audio, or events for so many characters.
fn body(parts: Parts, encoding: Option<Encoding>, characters: Option<usize>) -> Body {
    match (encoding, characters) {
        (None, None) => Body::from_stream(parts),
        (None, Some(characters)) => Body::from_stream(events::events(parts, characters)),
        (Some(encoding), None) => Body::from_stream(encoding.encode(parts)),
        (Some(encoding), Some(characters)) => {
            Body::from_stream(events::events(encoding.encode(parts), characters))
        }
    }
}

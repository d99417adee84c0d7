//! The synthesis of an admitted request, and its response.
//!
//! A blocking thread synthesizes each request. It sends a part of the body after the client has
//! taken the previous one. The response begins with the first audio, so an earlier failure has an
//! error response; a later failure aborts the body.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use http_body::{Frame, SizeHint};
use speech_core::{CancelToken, Error, ErrorKind, MAX_CHARACTERS, MAX_SECONDS, RequestId};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_stream::Stream;

use crate::admission::{Demand, Place};
use crate::delivery::Delivery;
use crate::error_response::ErrorResponse;
use crate::idempotency::{Claim, REPLAYED};
use crate::keys::Account;
use crate::script::{Chunks, Script, Source};
use crate::service::Service;
use crate::sound::{OF_A_STREAM, weight};
use crate::telemetry::REQUEST_ID;
use crate::usage::{Entry, Outcome, Recorded};

pub(crate) const SAMPLE_RATE_HEADER: HeaderName = HeaderName::from_static("x-sample-rate");
pub(crate) const CHARACTERS: HeaderName = HeaderName::from_static("x-characters");
pub(crate) const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The largest part of a body, in bytes.
const MAX_PART: usize = 64 << 10;

/// A request that was admitted.
pub(crate) struct Job {
    pub(crate) service: Arc<Service>,
    pub(crate) account: Account,
    pub(crate) script: Script,
    /// The use of its `Idempotency-Key`, if it has one.
    pub(crate) claim: Option<Claim>,
    pub(crate) demand: Demand,
    pub(crate) cancel: CancelToken,
    pub(crate) asked: Instant,
    /// Whether the request was cancelled because the engine did not begin with it in time.
    waited_too_long: Arc<AtomicBool>,
}

/// The head of the response, which is known with the first audio.
struct Head {
    id: RequestId,
    characters: usize,
    /// The length of the body, if it is known.
    bytes: Option<u64>,
}

/// A response that has begun.
pub(crate) struct Answer {
    head: Head,
    parts: Parts,
    place: Arc<Place>,
    /// Milliseconds from the request to its first audio.
    first_audio: f64,
    is_repeat: bool,
}

impl Answer {
    /// The response whose body consists of the parts. The request keeps its place until the
    /// connection has taken the whole body.
    pub(crate) fn respond(
        self,
        content_type: &str,
        sample_rate: u32,
        body: impl FnOnce(Parts) -> Body,
    ) -> Response {
        let Self { head, parts, place, first_audio, is_repeat } = self;
        let headers = [
            (header::CONTENT_TYPE, content_type.to_owned()),
            (header::CACHE_CONTROL, "no-store".to_owned()),
            (REQUEST_ID, head.id.to_string()),
            (SAMPLE_RATE_HEADER, sample_rate.to_string()),
            (CHARACTERS, head.characters.to_string()),
            (SERVER_TIMING, format!("first-audio;dur={first_audio:.1}")),
        ];
        let replayed = is_repeat.then_some([(REPLAYED, "true")]);
        let body = Body::new(Placed { body: body(parts), place: Some(place) });
        let mut response = (headers, body).into_response();
        response.headers_mut().extend(
            replayed
                .into_iter()
                .flatten()
                .map(|(name, value)| (name, HeaderValue::from_static(value))),
        );
        response
    }
}

/// A part of a body.
enum Part {
    Bytes(Bytes),
    /// The end of a complete body. A body without it was aborted.
    End,
}

/// Why a synthesis ended early.
enum Stop {
    /// A repetition that could not be charged.
    Refused(ErrorResponse),
    /// The beginning could not be recorded, so no outcome is recorded either.
    Unrecorded(ErrorResponse),
    Failed(Error),
    WaitedTooLong,
    /// The speech exceeds the limit for the length of its text.
    TooMuchSpeech(Error),
    /// The account has reached its limit of unread audio.
    TooMuchSound(ErrorResponse),
    Disconnected,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        if error.kind() == ErrorKind::Cancelled { Self::Disconnected } else { Self::Failed(error) }
    }
}

/// The response while it is sent: its head, then its body.
struct Sink {
    head: Option<oneshot::Sender<Result<Head, ErrorResponse>>>,
    parts: mpsc::Sender<Part>,
}

impl Job {
    pub(crate) fn new(
        service: Arc<Service>,
        account: Account,
        script: Script,
        claim: Option<Claim>,
        demand: Demand,
        cancel: CancelToken,
        asked: Instant,
    ) -> Self {
        let waited_too_long = Arc::default();
        Self { service, account, script, claim, demand, cancel, asked, waited_too_long }
    }

    /// Whether the request is a repetition, which was charged before.
    fn is_repeat(&self) -> bool {
        self.claim.as_ref().is_some_and(|claim| claim.is_repeat)
    }

    /// Synthesizes, and returns the response once there is audio.
    ///
    /// # Errors
    ///
    /// Any failure before the first audio.
    pub(crate) async fn answer(
        self,
        place: Place,
        source: Source,
        delivery: Box<dyn Delivery>,
    ) -> Result<Answer, ErrorResponse> {
        let (asked, is_repeat) = (self.asked, self.is_repeat());
        let (deadline, give_up) = (self.service.admission.longest_wait(), self.give_up(&place));
        let cancel = CancelOnDrop(self.cancel.clone());
        let (head, mut head_ready) = oneshot::channel();
        let (parts, received) = mpsc::channel(1);
        let sink = Sink { head: Some(head), parts };
        let place = Arc::new(place);
        let placed = Arc::clone(&place);
        tokio::task::spawn_blocking(move || self.run(placed, source, delivery, sink));
        let head = match timeout(deadline, &mut head_ready).await {
            Ok(head) => head,
            Err(_) => {
                give_up();
                head_ready.await
            }
        };
        let head = head.map_err(|_| failed())??;
        let first_audio = asked.elapsed().as_secs_f64() * 1e3;
        let parts = Parts { received, left: head.bytes, ended: false, _cancel: cancel };
        Ok(Answer { head, parts, place, first_audio, is_repeat })
    }

    /// Cancels the request, if the engine has not begun with it.
    fn give_up(&self, place: &Place) -> impl FnOnce() + use<> {
        let (admission, id) = (Arc::clone(&self.service.admission), place.id());
        let (cancel, waited_too_long) = (self.cancel.clone(), Arc::clone(&self.waited_too_long));
        move || {
            if admission.is_waiting(id) {
                waited_too_long.store(true, Ordering::Release);
                cancel.cancel();
            }
        }
    }

    /// Synthesizes, on a blocking thread.
    fn run(
        mut self,
        place: Arc<Place>,
        source: Source,
        delivery: Box<dyn Delivery>,
        mut sink: Sink,
    ) {
        self.service.metrics.in_progress.inc();
        let result = self.synthesize(place, source, delivery, &mut sink);
        self.service.metrics.in_progress.dec();
        match result {
            Ok(()) | Err(Stop::Disconnected) => {}
            Err(Stop::Failed(error) | Stop::TooMuchSpeech(error)) => sink.fail(error.into()),
            Err(Stop::Unrecorded(refusal)) => sink.fail(refusal),
            Err(Stop::WaitedTooLong) => {
                let refusal = self.service.admission.waited_too_long(&self.account);
                sink.fail(refusal.with_request_id(self.script.id));
            }
            Err(Stop::Refused(refusal)) => {
                self.service.metrics.ended(Outcome::Failed(refusal.error.kind()), 0);
                sink.fail(refusal.with_request_id(self.script.id));
            }
            Err(Stop::TooMuchSound(refusal)) => {
                sink.fail(refusal.with_request_id(self.script.id));
            }
        }
    }

    fn synthesize(
        &mut self,
        place: Arc<Place>,
        source: Source,
        delivery: Box<dyn Delivery>,
        sink: &mut Sink,
    ) -> Result<(), Stop> {
        let Script { id, characters, .. } = self.script;
        self.claim.as_ref().map_or(Ok(()), Claim::begin).map_err(Stop::Refused)?;
        // The request is recorded while the first sentence is computed.
        let mut recorded = (!self.is_repeat()).then(|| self.record());
        let sentences = AssertUnwindSafe(|| {
            let chunks =
                source.begin(&self.script, &self.service.engine_of(&self.account), &self.cancel)?;
            place.read(self.demand.seconds, chunks.sentences_left());
            self.sentences(chunks, &mut recorded, delivery, &place, sink)
        });
        let mut result = catch_unwind(sentences)
            .unwrap_or_else(|_| Err(Stop::Failed(failed().with_request_id(id))));
        place.finish();
        if let Err(Stop::Disconnected) = result
            && self.waited_too_long.load(Ordering::Acquire)
        {
            result = Err(Stop::WaitedTooLong);
        }
        if let Some(recorded) = recorded
            && let Err(unrecorded) = Handle::current().block_on(recorded.wait())
        {
            result = Err(Stop::Unrecorded(place.unrecorded(unrecorded)));
        }
        let mut outcome = result.as_ref().map_or_else(Stop::outcome, |_| Outcome::Complete);
        // This comes before the client learns of the end, because it may repeat the request at
        // once.
        let charged = if let Err(Stop::Unrecorded(_)) = result {
            self.claim = None;
            place.take_back();
            0
        } else {
            self.settle(outcome, &place).unwrap_or_else(|refusal| {
                outcome = Outcome::Failed(refusal.error.kind());
                result = Err(Stop::Unrecorded(refusal));
                0
            })
        };
        self.service.metrics.ended(outcome, charged);
        tracing::info!(
            request_id = %id,
            outcome = outcome.as_str(),
            characters,
            ms = self.asked.elapsed().as_millis() as u64,
            "ended"
        );
        // The end of the body is sent after the outcome is recorded, so every complete response is
        // recorded.
        let rest = place.bytes(result?);
        if !rest.is_empty() {
            sink.begin(Head { id, characters, bytes: Some(rest.len() as u64) })?;
        }
        // From here on only the body holds the place.
        drop(place);
        sink.send(rest)?;
        // A client that knows the length may disconnect after the last byte.
        let _ = sink.give(Part::End);
        Ok(())
    }

    /// Records how the request ended, once for all requests with its key. Returns the characters to
    /// charge now.
    fn settle(&self, outcome: Outcome, place: &Place) -> Result<usize, ErrorResponse> {
        let Script { id, characters, .. } = self.script;
        let end = self.claim.as_ref().map_or(Some(outcome), |claim| claim.end(outcome));
        let Some(end) = end else { return Ok(0) };
        let recorded = self.service.usage.end(&self.account, id, end, characters);
        let recorded = Handle::current().block_on(recorded);
        if recorded.is_ok() && end.is_metered() {
            return Ok(characters);
        }
        self.claim.iter().for_each(Claim::forget);
        if self.is_repeat() {
            // They were counted for the first request.
            place.give_back(characters);
        } else {
            place.take_back();
        }
        recorded.map(|()| 0).map_err(|unrecorded| place.unrecorded(unrecorded))
    }

    /// Synthesizes all sentences, and sends them as they come. Returns the bytes that must not be
    /// sent before the outcome is recorded: a file, or the end of a stream.
    fn sentences(
        &self,
        mut chunks: Chunks,
        recorded: &mut Option<Recorded>,
        mut delivery: Box<dyn Delivery>,
        place: &Place,
        sink: &mut Sink,
    ) -> Result<Vec<u8>, Stop> {
        let Script { id, characters, .. } = self.script;
        let longest = MAX_SECONDS as usize * characters.div_ceil(MAX_CHARACTERS);
        let mut seconds = 0.0;
        let of_a_stream = OF_A_STREAM * weight(chunks.sample_rate(), chunks.encoding());
        while !chunks.ended() {
            let left = chunks.sentences_left();
            if left > 0 {
                place.ask();
            }
            let Some(chunk) = chunks.next().transpose().map_err(Stop::while_speaking)? else {
                break;
            };
            // A chunk of silence was not computed, but the chunk after it may have been.
            let computed = (!chunk.words().is_empty()).then(|| chunk.seconds());
            place.give(computed, chunks.sentences_left() < left);
            seconds += chunk.seconds();
            if seconds > longest as f64 {
                let message = format!("the speech is longer than {longest} s");
                let error = Error::new(ErrorKind::InvalidRequest, message);
                return Err(Stop::TooMuchSpeech(error.with_request_id(id)));
            }
            place.hold(of_a_stream + delivery.held_with(&chunk)).map_err(Stop::TooMuchSound)?;
            if let Some(recorded) = recorded.take() {
                let recorded = Handle::current().block_on(recorded.wait());
                recorded.map_err(|unrecorded| Stop::Unrecorded(place.unrecorded(unrecorded)))?;
                self.claim.iter().for_each(Claim::record);
                self.service.metrics.first_audio(self.asked);
            }
            self.service.metrics.heard(chunk.seconds());
            let part = delivery.add(&chunk)?;
            drop(chunk);
            if let Some(part) = part {
                sink.begin(Head { id, characters, bytes: None })?;
                sink.send(place.bytes(part))?;
            }
        }
        if self.cancel.is_cancelled() {
            return Err(Stop::Disconnected);
        }
        Ok(delivery.end(&chunks.diagnostics())?.unwrap_or_default())
    }

    fn record(&self) -> Recorded {
        self.service.usage.begin(Entry {
            request_id: self.script.id,
            account: self.account.clone(),
            voice: Some(self.script.voice.as_str()),
            language: Some(self.script.language.as_str()),
            characters: self.script.characters,
            lexicons: self.script.lexicons.clone(),
            keyed: self.claim.as_ref().map(|claim| claim.keyed),
            session: None,
        })
    }
}

/// An internal error; the log has its cause.
fn failed() -> Error {
    Error::new(ErrorKind::Internal, "the synthesis failed")
}

impl Stop {
    /// Classifies an error of a request that was found valid.
    fn while_speaking(error: Error) -> Self {
        if error.kind() == ErrorKind::InvalidRequest {
            Self::TooMuchSpeech(error)
        } else {
            error.into()
        }
    }

    fn outcome(&self) -> Outcome {
        match self {
            Self::Disconnected => Outcome::Disconnected,
            Self::WaitedTooLong => Outcome::Failed(ErrorKind::Overloaded),
            Self::TooMuchSpeech(_) => Outcome::TooMuchSpeech,
            Self::TooMuchSound(refusal) if refusal.is_for_the_account() => Outcome::TooMuchSpeech,
            Self::TooMuchSound(refusal) | Self::Refused(refusal) | Self::Unrecorded(refusal) => {
                Outcome::Failed(refusal.error.kind())
            }
            Self::Failed(error) => Outcome::Failed(error.kind()),
        }
    }
}

impl Sink {
    fn begin(&mut self, head: Head) -> Result<(), Stop> {
        let Some(waiting) = self.head.take() else { return Ok(()) };
        waiting.send(Ok(head)).map_err(|_| Stop::Disconnected)
    }

    /// Sends an error response, or aborts the body that has begun.
    fn fail(self, response: ErrorResponse) {
        match self.head {
            // A client that has disconnected gets no response.
            Some(waiting) => drop(waiting.send(Err(response))),
            None => {
                let error = response.error;
                tracing::error!(request_id = %error.request_id(), kind = %error.kind(), %error, "broke off");
            }
        }
    }

    fn send(&self, mut bytes: Bytes) -> Result<(), Stop> {
        while !bytes.is_empty() {
            let part = bytes.split_to(MAX_PART.min(bytes.len()));
            self.give(Part::Bytes(part))?;
        }
        Ok(())
    }

    /// Waits until the connection takes the part.
    fn give(&self, part: Part) -> Result<(), Stop> {
        self.parts.blocking_send(part).map_err(|_| Stop::Disconnected)
    }
}

/// Cancels the synthesis when the response is dropped.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The audio of a response, as it comes.
pub(crate) struct Parts {
    received: mpsc::Receiver<Part>,
    /// The remaining bytes, if their number is known.
    left: Option<u64>,
    ended: bool,
    _cancel: CancelOnDrop,
}

impl Stream for Parts {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let part = ready!(self.received.poll_recv(context));
        self.ended = !matches!(part, Some(Part::Bytes(_)));
        Poll::Ready(match part {
            Some(Part::Bytes(bytes)) => {
                self.left = self.left.map(|left| left.saturating_sub(bytes.len() as u64));
                Some(Ok(bytes))
            }
            Some(Part::End) => None,
            // The client must see that the body is incomplete.
            None => Some(Err(io::Error::other("the synthesis failed"))),
        })
    }
}

/// A body whose length the head has, if it is known.
impl HttpBody for Parts {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.poll_next(context).map_ok(Frame::data)
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.left == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map_or_else(SizeHint::new, SizeHint::with_exact)
    }
}

/// A body that keeps the place of its request until all of it was taken.
struct Placed {
    body: Body,
    place: Option<Arc<Place>>,
}

impl HttpBody for Placed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) || self.body.is_end_stream() {
            // A client with the last byte may send the next request at once.
            self.place = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc as channels;
    use std::time::Duration;

    use speech_core::{Chunk, Diagnostic, Engine, Request, TierCatalogue};
    use tokio_stream::StreamExt;

    use super::*;
    use crate::admission::{Admission, Limits};
    use crate::allowance::Allowance;
    use crate::idempotency::Keyed;
    use crate::keys::{Keys, NewKey};
    use crate::live;
    use crate::queue::Queue;
    use crate::usage::{Record, Usage};

    const TEXT: &str = "One. Two.";
    const CHARACTERS: usize = TEXT.len();

    fn service(dir: &Path) -> Arc<Service> {
        speech_tests::fake_model::write(dir).unwrap();
        let (record, wait) = (dir.join("usage.db"), Duration::from_secs(60));
        let usage = Usage::open(&Record::File(record.clone()), None).unwrap();
        let limits = Limits { requests: 9, requests_per_account: Some(9), wait, sound: 1e6 };
        let allowance = Allowance::open(&record, 100, jiff::Timestamp::now()).unwrap();
        Arc::new(Service::new(
            Engine::builder().bundle(dir).load().unwrap(),
            Arc::new(Keys::read(None, &NewKey::generate("a").unwrap().line).unwrap()),
            usage,
            TierCatalogue::new([]),
            Admission::new(limits, Queue::new(9, 1.0), Some(allowance)),
            wait,
            live::no_sessions(),
        ))
    }

    /// Returns the first chunk, then waits for the test to decide whether it fails.
    struct Told(channels::Receiver<bool>, bool);

    impl Delivery for Told {
        fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error> {
            if std::mem::replace(&mut self.1, true) && self.0.recv().unwrap_or_default() {
                return Err(failed());
            }
            Ok(Some(chunk.to_bytes()))
        }

        fn end(&mut self, _: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error> {
            Ok(None)
        }
    }

    /// A request with a key, after its first chunk.
    struct Begun {
        answer: Answer,
        fails: channels::Sender<bool>,
    }

    impl Begun {
        async fn new(service: &Arc<Service>) -> Self {
            let account = Account("a".into());
            let request = service.engine.validate(Request::new(TEXT)).unwrap();
            let keyed = Some(Keyed { key: [1; 32], fingerprint: [2; 32] });
            let demand =
                Demand { characters: CHARACTERS, seconds: 2.0, held: 0.0, held_at_least: 0.0 };
            let (place, claim) =
                service.admit(&account, keyed, request.request_id(), demand).await.unwrap();
            let id = claim.as_ref().unwrap().id;
            let script = Script { id, ..Script::new(&request, None) };
            let (cancel, asked) = (CancelToken::new(), Instant::now());
            let job = Job::new(Arc::clone(service), account, script, claim, demand, cancel, asked);
            let (fails, told) = channels::channel();
            let source = Source::Request(Box::new(request));
            let answer = job.answer(place, source, Box::new(Told(told, false))).await.unwrap();
            Self { answer, fails }
        }

        /// Whether the whole body came.
        async fn ends(self, fails: bool) -> bool {
            // The test decides more often than there are chunks; after the last one nobody listens.
            for _ in 0..9 {
                let _ = self.fails.send(fails);
            }
            self.answer.parts.collect::<io::Result<Vec<_>>>().await.is_ok()
        }
    }

    /// A request fails after its first chunk while it is repeated. A request that gets audio is
    /// charged, once.
    #[tokio::test]
    async fn sound_that_was_given_is_charged_once() {
        for (first_fails, repeat_fails, repeat_ends_first, charged) in [
            (false, false, false, true),
            (false, true, false, true),
            (true, false, false, true),
            (true, true, false, false),
            (false, true, true, true),
            (true, false, true, true),
            (true, true, true, false),
        ] {
            let about = format!("{first_fails} {repeat_fails} {repeat_ends_first}");
            let dir = tempfile::tempdir().unwrap();
            let service = service(dir.path());
            let (first, again) = (Begun::new(&service).await, Begun::new(&service).await);
            assert_eq!((first.answer.is_repeat, again.answer.is_repeat), (false, true));
            let mut uses = [(first, first_fails), (again, repeat_fails)];
            if repeat_ends_first {
                uses.reverse();
            }
            for (begun, fails) in uses {
                assert_eq!(begun.ends(fails).await, !fails, "{about}");
            }
            let (record, time) =
                (dir.path().join("usage.db"), jiff::Timestamp::MIN..jiff::Timestamp::MAX);
            let totals = Record::File(record).totals("a", time).unwrap();
            let totals: Vec<_> =
                totals.iter().map(|it| (&*it.outcome, it.requests, it.characters)).collect();
            let outcome = if charged { "complete" } else { "internal" };
            let characters = if charged { CHARACTERS } else { 0 };
            assert_eq!(totals, [(outcome, 1, characters as i64)], "{about}");
            // The characters that are left of the day.
            let ask = |characters| {
                let demand = Demand { characters, seconds: 1.0, held: 0.0, held_at_least: 0.0 };
                service.admission.admit(&Account("a".into()), demand)
            };
            assert!(ask(101 - characters).is_err(), "{about}");
            ask(100 - characters).unwrap().take_back();
            let again = Begun::new(&service).await;
            assert_eq!(again.answer.is_repeat, charged, "{about}");
            assert!(again.ends(false).await, "{about}");
        }
    }
}

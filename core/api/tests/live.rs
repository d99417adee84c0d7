//! Live text, with a bundle that computes fast and with the real voices.
#![allow(clippy::disallowed_types, reason = "nothing here forks")]

use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use speech_core::{
    CancelToken, Chunk, Engine, ErrorKind, Latency, LiveText, Request, SAMPLE_RATE, Step, Stream,
};
use speech_tests::checkpoint::Checkpoint;
use speech_tests::properties::cases;
use speech_tests::{fake_model, inferences};

/// Gives equally long audio in a hundredth of the time.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let bundle = tempfile::tempdir().unwrap();
    fake_model::write(bundle.path()).unwrap();
    Engine::builder().bundle(bundle.path()).threads(1).load().unwrap()
});

static VOICES: LazyLock<Engine> = LazyLock::new(|| {
    Engine::builder()
        .threads(2)
        .load()
        .expect("these tests need the voice bundle: run `cargo xtask test`, or set SPEECH_BUNDLE")
});

const TEXT: &str =
    "Well, it is 10:30. Dr. Smith paid $3.50 for it!\n\nThen he left 😀 [pause 300ms] at once. हाँ।";

fn live(request: impl Into<Request>) -> (LiveText, Stream) {
    ENGINE.live(request).unwrap()
}

fn all(stream: Stream) -> Vec<Chunk> {
    stream.map(|chunk| chunk.unwrap()).collect()
}

fn samples(chunks: &[Chunk]) -> Vec<i16> {
    chunks.iter().flat_map(|chunk| chunk.samples().to_vec()).collect()
}

/// Pushes a text in pieces of at most this many characters.
fn in_pieces(text: &str, length: usize) -> Vec<Chunk> {
    let (push, stream) = live("");
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(length) {
        push.push(&piece.iter().collect::<String>()).unwrap();
    }
    push.finish();
    let counts = [push.characters(), stream.characters()];
    assert_eq!(counts, [characters.len(); 2]);
    all(stream)
}

#[test]
fn it_sounds_as_the_whole_text_does() {
    let whole = ENGINE.synthesize(Request::new(TEXT)).unwrap();
    for length in [1, 3, 1000] {
        let chunks = in_pieces(TEXT, length);
        assert!(samples(&chunks) == whole.samples(), "pieces of {length}");
        let words: Vec<_> = chunks.iter().flat_map(Chunk::words).collect();
        assert_eq!(words.len(), whole.words().len());
        for (live, word) in words.into_iter().zip(whole.words()) {
            assert_eq!(live.span, word.span);
            assert!((live.start - word.start).abs() < 1e-6, "{live:?} {word:?}");
        }
        let sentences: Vec<_> = chunks.iter().flat_map(Chunk::sentences).collect();
        let spans: Vec<_> = sentences.iter().map(|sentence| sentence.span.clone()).collect();
        let expected: Vec<_> = whole.sentences().iter().map(|one| one.span.clone()).collect();
        assert_eq!(spans, expected);
    }
}

#[test]
fn a_text_of_any_length_is_spoken() {
    let text = "It is a sentence of several words. ".repeat(100);
    assert_eq!(ENGINE.stream(Request::new(&text)).unwrap_err().kind(), ErrorKind::TextTooLong);
    let stream = ENGINE.stream_long(Request::new(&text)).unwrap();
    let mut ends = Vec::new();
    for chunk in stream {
        ends.push(chunk.unwrap().span().end);
    }
    assert_eq!(ends.len(), 100);
    assert!(ends.is_sorted());
    assert_eq!(*ends.last().unwrap(), text.trim_end().len());
    let empty = ENGINE.stream_long(Request::new(" \n")).unwrap_err();
    assert_eq!(empty.kind(), ErrorKind::EmptyText);
}

#[test]
fn notes_on_a_text_of_any_length_are_bounded() {
    let mut stream = ENGINE.stream_long("😀 ".repeat(20_000)).unwrap();
    assert_eq!(stream.by_ref().map(Result::unwrap).count(), 1, "a short silence");
    let diagnostics = stream.diagnostics();
    assert_eq!(diagnostics.len(), 10_000);
    assert_eq!((&diagnostics[0].span, &diagnostics[9_999].span), (&(0..4), &(49_995..49_999)));
}

#[test]
fn nothing_is_spoken_that_may_be_read_otherwise() {
    // The sentences spoken before the stream waits for more text.
    let said = |text: &str| {
        let (_text, mut stream) = live(Request::new(text).latency(Latency::Low));
        let mut spans = Vec::new();
        while stream.step(|chunk| spans.push(chunk.span())).unwrap() != Step::Waiting {}
        spans.dedup();
        spans
    };
    for (text, expected) in [
        ("It costs $3", None),
        ("I met Dr.", None),
        ("It is 3.", None),
        ("It costs $3. Then", Some(0..12)),
    ] {
        assert_eq!(said(text), Vec::from_iter(expected), "{text}");
    }
}

#[test]
fn a_flush_ends_a_sentence_and_the_text_goes_on() {
    let (text, mut stream) = live("It costs $3");
    text.flush();
    let first = stream.next().unwrap().unwrap();
    assert_eq!(first.span(), 0..11);
    text.push(" more or less. ").unwrap();
    text.finish();
    let second = stream.next().unwrap().unwrap();
    assert_eq!(second.span(), 12..25);
    assert!(stream.next().is_none());
    let late = text.push("more").unwrap_err();
    assert_eq!(late.kind(), ErrorKind::InvalidRequest);
    assert_eq!(late.message(), "the text is finished: nothing can be added to it");
    assert_eq!(late.request_id(), stream.request_id());
    text.finish();
    text.flush();
    assert!(stream.next().is_none());
}

#[test]
fn what_is_no_text_is_refused_and_the_stream_goes_on() {
    let (text, stream) = live("");
    let error = text.push("a\0").unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::InvalidRequest, "text has a NUL character at byte 1")
    );
    text.push("Hello.").unwrap();
    text.finish();
    assert_eq!(all(stream).len(), 1);
    for (request, message) in [
        (Request::new("a").rate(3.0), "rate is 3; it must be a number from 0.5 to 2"),
        (Request::new("a").ssml(true), "SSML cannot be live: a document is read as a whole"),
        (Request::new("\0"), "text has a NUL character at byte 0"),
    ] {
        let error = ENGINE.live(request).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::InvalidRequest, message));
    }
}

#[test]
fn nothing_pushed_is_nothing_said() {
    let (text, stream) = live("");
    text.finish();
    assert_eq!(all(stream).len(), 0);
    let (text, stream) = live("😀 …");
    text.finish();
    let chunks = all(stream);
    assert_eq!(chunks.len(), 1);
    assert!(chunks[0].samples().iter().all(|sample| *sample == 0));
}

#[test]
fn the_last_clone_of_a_text_finishes_it() {
    let (text, mut stream) = live("One. Two");
    let clone = text.clone();
    drop(text);
    clone.push(". Three").unwrap();
    assert_eq!(stream.next().unwrap().unwrap().span(), 0..4);
    let pusher = thread::spawn(move || clone.push(" is the last").unwrap());
    pusher.join().unwrap();
    assert_eq!(all(stream).last().unwrap().span(), 10..27);
}

#[test]
fn cancelling_ends_a_stream_that_waits_for_text() {
    let checkpoint = Checkpoint::on_other_threads();
    let cancel = CancelToken::polling(checkpoint.counter());
    let (_text, mut stream) = ENGINE.live(Request::new("And then").cancel_token(&cancel)).unwrap();
    // The second check is made under the text's lock; the cancellation wakes the thread once it
    // waits.
    checkpoint.hold(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            checkpoint.wait();
            checkpoint.release();
            cancel.cancel();
        });
        assert_eq!(stream.next().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
    });
    assert!(stream.next().is_none());
}

#[test]
fn a_stream_that_is_gone_or_cancelled_takes_no_text() {
    let (text, mut stream) = live("It is so. And then");
    assert!(stream.next().unwrap().is_ok());
    let token = stream.cancel_token();
    let (cancelled, _stream) = live(Request::new("").cancel_token(&token));
    text.push(&"what is it? ".repeat(5_000)).unwrap();
    assert!(text.is_full());
    drop(stream);
    assert!(!text.is_full());
    for text in [&text, &cancelled] {
        assert_eq!(text.push(" what?").unwrap_err().kind(), ErrorKind::Cancelled);
    }
    text.finish();
    assert_eq!(text.push(" what?").unwrap_err().kind(), ErrorKind::InvalidRequest);
}

#[test]
fn pauses_by_themselves_sound_as_in_the_whole_text() {
    for pieces in [
        ["Hello.", "[pause 2s]", "Go."],
        ["[pause 1s]", "[pause 2s]", "Go."],
        ["Hello.", "[pause 2s]", "[pause 1s]"],
        ["[pause 1s]", " ", "[pause 2s]"],
    ] {
        let (text, stream) = live("");
        for piece in pieces {
            text.push(piece).unwrap();
            text.push("\n\n").unwrap();
            text.flush();
        }
        drop(text);
        let whole = ENGINE.synthesize(pieces.join("\n\n")).unwrap();
        assert_eq!(samples(&all(stream)).len(), whole.samples().len(), "{pieces:?}");
    }
}

#[test]
fn pauses_between_sentences_sound_as_in_the_whole_text() {
    for text in [
        "Hello there. [pause 2s] Go on.",
        "Hello there [pause 2s]. Go on.",
        "[pause 1s] Hello there. [pause 2s] [pause 300ms] Go on. [pause 1s]",
        "Hello there. [pause 100ms]\n\nGo on [pause 1s].",
    ] {
        let whole = ENGINE.synthesize(text).unwrap();
        assert!(samples(&all(ENGINE.stream_long(text).unwrap())) == whole.samples(), "{text:?}");
        for length in [1, 3] {
            assert!(samples(&in_pieces(text, length)) == whole.samples(), "{text:?} by {length}");
        }
    }
}

#[test]
fn one_chunk_is_computed_ahead_and_no_more() {
    inferences::count();
    let bundle = tempfile::tempdir().unwrap();
    fake_model::write(bundle.path()).unwrap();
    let builder = Engine::builder().bundle(bundle.path()).threads(1).max_concurrency(1);
    let engine = builder.load().unwrap();
    let checkpoint = Checkpoint::on_other_threads();
    let cancel = CancelToken::polling(checkpoint.counter());
    let text = "It is a sentence of several words. ".repeat(50);
    checkpoint.hold(1);
    let mut stream = engine.stream_long(Request::new(&text).cancel_token(&cancel)).unwrap();
    let producer = thread::scope(|scope| {
        let held = scope.spawn(|| {
            let thread = checkpoint.wait();
            checkpoint.release();
            thread
        });
        assert!(stream.next().unwrap().is_ok());
        held.join().unwrap()
    });
    for taken in 1..4 {
        while inferences::finished_on(producer) <= taken {
            thread::yield_now();
        }
        // The only permit is granted in the order of requests: another inference of the stream
        // would run among these.
        (0..8).for_each(|_| drop(engine.synthesize(Request::new("Yes.")).unwrap()));
        assert_eq!(inferences::finished_on(producer), taken + 1);
        assert!(stream.next().unwrap().is_ok());
    }
}

#[test]
fn what_was_heard_is_a_byte_of_the_text() {
    let (text, mut stream) = live(TEXT);
    text.finish();
    let mut words = Vec::new();
    for chunk in stream.by_ref() {
        words.extend_from_slice(chunk.unwrap().words());
    }
    assert_eq!(text.heard_at(0.0), 0);
    assert_eq!(text.heard_at(-1.0), 0);
    for pair in words.windows(2) {
        assert_eq!(text.heard_at(pair[0].end + 1e-9), pair[0].span.end);
        assert_eq!(text.heard_at(f64::midpoint(pair[1].start, pair[1].end)), pair[0].span.end);
    }
    assert_eq!(text.heard_at(1e9), words.last().unwrap().span.end);
}

#[test]
fn with_low_latency_the_beginning_is_spoken_before_the_end_is_known() {
    let request = Request::new("Of course, I can certainly help").latency(Latency::Low);
    let (text, mut stream) = VOICES.live(request).unwrap();
    let first = stream.next().unwrap().unwrap();
    assert_eq!(first.span(), 0.."Of course,".len());
    text.push(" you with that today.").unwrap();
    text.finish();
    let rest = all(stream);
    let words: Vec<_> =
        [first].iter().chain(&rest).flat_map(|chunk| chunk.words().to_vec()).collect();
    let whole = "Of course, I can certainly help you with that today.";
    let spoken: Vec<_> = words.iter().map(|word| &whole[word.span.clone()]).collect();
    assert_eq!(spoken.join(" "), "Of course I can certainly help you with that today");
    // The end of a word in an early chunk is not known exactly.
    assert!(words.is_sorted_by(|a, b| a.end <= b.start + 0.03), "{words:?}");
    let sentences: Vec<_> = rest.iter().flat_map(|chunk| chunk.sentences().to_vec()).collect();
    assert_eq!(sentences.len(), 1);
    assert_eq!(sentences[0].span, 0..whole.len());
    assert!((sentences[0].start - words[0].start).abs() < 1e-6);
    assert!((sentences[0].end - words.last().unwrap().end).abs() < 1e-6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(24)))]
    #[test]
    fn every_word_is_said_once_however_the_text_arrives(
        words in prop::collection::vec("[a-z]{1,8}[,.;!?]?|[0-9]{1,3}|\\$[0-9]{1,2}\\.50|Dr\\.|\"[a-z]{2,5}\"|हाँ|और", 1..30),
        length in 1..12_usize,
    ) {
        let text = words.join(" ");
        let expected = ENGINE.stream_long(Request::new(&text)).unwrap();
        let expected: Vec<_> = all(expected).iter().flat_map(|chunk| chunk.words().to_vec()).map(|word| word.span.start).collect();
        let (push, stream) = live(Request::new("").latency(Latency::Low));
        let pusher = thread::spawn(move || {
            let characters: Vec<char> = text.chars().collect();
            for piece in characters.chunks(length) {
                push.push(&piece.iter().collect::<String>()).unwrap();
                thread::sleep(Duration::from_micros(300));
            }
            push.finish();
        });
        let chunks = all(stream);
        pusher.join().unwrap();
        let spoken: Vec<_> = chunks.iter().flat_map(|chunk| chunk.words().to_vec()).map(|word| word.span.start).collect();
        prop_assert_eq!(&spoken, &expected);
        let seconds = samples(&chunks).len() as f64 / f64::from(SAMPLE_RATE);
        let last = chunks.iter().flat_map(Chunk::words).last().map_or(0.0, |word| word.end);
        prop_assert!(last <= seconds + 1e-6);
    }
}

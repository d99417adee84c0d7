//! Sample rates and encodings: whole speech and every kind of stream have the same bytes and
//! timestamps.

use speech_core::{
    Chunk, Encoding, Engine, ErrorKind, Latency, Quality, Request, SAMPLE_RATES, Speech, Stream,
    encode, wav,
};
use speech_tests::fake_model;

const TEXT: &str = "First this, of 25 words. Then that! And it ends here. Or not.";

/// A silence of over a second is a chunk of its own.
const PAUSED: &str = "First this, [pause 2500ms] of 25 words. Then that! And it ends here.";

fn engine() -> Engine {
    let dir = tempfile::tempdir().unwrap();
    fake_model::write(dir.path()).unwrap();
    Engine::builder().bundle(dir.path()).threads(1).load().unwrap()
}

/// The stream of a live text; half of the text is there at the start.
fn live(engine: &Engine, request: &Request) -> Stream {
    let (text, stream) = engine.live(request).unwrap();
    text.push(&TEXT[TEXT.len() / 2..]).unwrap();
    text.finish();
    stream
}

/// Compares a stream with whole speech.
fn check(kind: &str, speech: &Speech, stream: Stream) {
    let output = (speech.sample_rate(), speech.encoding());
    assert_eq!((stream.sample_rate(), stream.encoding()), output);
    let chunks: Vec<_> = stream.map(Result::unwrap).collect();
    assert!(chunks.len() > 3, "{} chunks", chunks.len());
    assert!(chunks.iter().all(|chunk| (chunk.sample_rate(), chunk.encoding()) == output));
    let bytes: Vec<_> = chunks.iter().flat_map(Chunk::to_bytes).collect();
    assert!(
        bytes == speech.to_bytes(),
        "{kind}, {output:?}: {} bytes, not {}",
        bytes.len(),
        speech.to_bytes().len()
    );
    let words: Vec<_> = chunks.iter().flat_map(Chunk::words).collect();
    assert_eq!(words.len(), speech.words().len());
    for (found, expected) in words.iter().zip(speech.words()) {
        assert!((found.start - expected.start).abs() < 1e-6, "{found:?}, not {expected:?}");
    }
}

#[test]
fn every_stream_has_the_bytes_of_the_whole_at_every_rate() {
    let engine = engine();
    let (usual, paused) = (engine.synthesize(TEXT).unwrap(), engine.synthesize(PAUSED).unwrap());
    for (rate, encoding) in SAMPLE_RATES.into_iter().zip(Encoding::ALL.into_iter().cycle()) {
        let request = |text| Request::new(text).sample_rate(rate).encoding(encoding);
        let speech = engine.synthesize(request(TEXT)).unwrap();
        assert_eq!((speech.sample_rate(), speech.encoding()), (rate, encoding));
        check_times(&speech, &usual);
        check("stream", &speech, engine.stream(request(TEXT)).unwrap());
        check("long", &speech, engine.stream_long(request(TEXT)).unwrap());
        check("live", &speech, live(&engine, &request(&TEXT[..TEXT.len() / 2])));
        let speech = engine.synthesize(request(PAUSED)).unwrap();
        check_times(&speech, &paused);
        check("pause", &speech, engine.stream(request(PAUSED)).unwrap());
        let light = request(TEXT).quality(Quality::Light);
        let speech = engine.synthesize(&light).unwrap();
        check("low latency", &speech, engine.stream(light.latency(Latency::Low)).unwrap());
    }
}

/// Compares the timestamps with those at another rate: silences, and the samples of each utterance,
/// are whole numbers.
fn check_times(speech: &Speech, other: &Speech) {
    assert!((speech.seconds() - other.seconds()).abs() < 0.001, "{} Hz", speech.sample_rate());
    for (found, expected) in speech.words().iter().zip(other.words()) {
        assert_eq!(found.span, expected.span);
        assert!((found.start - expected.start).abs() < 0.001, "{found:?}, not {expected:?}");
    }
}

#[test]
fn every_encoding_is_made_of_the_samples() {
    let engine = engine();
    for encoding in Encoding::ALL {
        let request = Request::new(TEXT).sample_rate(8_000).encoding(encoding);
        let speech = engine.synthesize(request).unwrap();
        assert_eq!(speech.to_bytes(), encode(speech.samples(), encoding), "{encoding}");
        assert_eq!(speech.to_wav(), wav(speech.samples(), 8_000, encoding), "{encoding}");
        assert_eq!(speech.to_pcm(), encode(speech.samples(), Encoding::Pcm16), "{encoding}");
        let floats: Vec<_> = speech.to_floats().into_iter().flat_map(f32::to_le_bytes).collect();
        assert_eq!(floats, encode(speech.samples(), Encoding::Float32), "{encoding}");
    }
    let samples = [0, -1, i16::MAX, i16::MIN];
    let bytes: [&[u8]; 4] = [
        &[0, 0, 0xff, 0xff, 0xff, 0x7f, 0, 0x80],
        &[0, 0, 0, 0, 0, 0, 0, 0xb8, 0, 0xfe, 0x7f, 0x3f, 0, 0, 0x80, 0xbf],
        &[0xff, 0x7f, 0x80, 0],
        &[0xd5, 0x55, 0xaa, 0x2a],
    ];
    for (encoding, bytes) in Encoding::ALL.into_iter().zip(bytes) {
        assert_eq!(encode(&samples, encoding), bytes, "{encoding}");
    }
}

#[test]
fn nothing_is_louder_than_the_ceiling_at_any_rate() {
    let engine = engine();
    for rate in SAMPLE_RATES {
        let loud = engine.synthesize(Request::new(TEXT).sample_rate(rate).volume(12.0)).unwrap();
        let peak = loud.samples().iter().map(|sample| sample.unsigned_abs()).max().unwrap();
        // -0.3 dBFS, and at most one step below.
        assert!((31_500..=31_653).contains(&peak), "{rate} Hz: {peak}");
    }
}

#[test]
fn another_rate_is_refused_everywhere() {
    let engine = engine();
    let request = Request::new(TEXT).sample_rate(11_025);
    let errors = [
        engine.synthesize(&request).err(),
        engine.stream(&request).err(),
        engine.stream_long(&request).err(),
        engine.live(&request).err(),
    ];
    for error in errors {
        let error = error.unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidRequest);
        let message = "sample_rate is 11025; it must be 8000, 16000, 22050, 24000, 44100 or 48000";
        assert_eq!(error.message(), message);
    }
}

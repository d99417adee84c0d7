//! Arbitrary sequences of calls with live, freed, mistyped and NULL handles, invalid text and
//! missing outputs: each call returns a status of the header, and nothing else happens.
//!
//! An input contains as many calls as its bytes encode, at most [`MOST_STEPS`]: only the first
//! call that loads the engine or starts the process pays for that.
#![no_main]

use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use speech::*;
use speech_fuzz::calls;

/// The maximum number of steps of one input. Most steps are one call; those that read an object are
/// many.
const MOST_STEPS: usize = 500;

/// One of the existing handles, or none.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Handle(u8);

/// Text as passed from C.
#[derive(Arbitrary, Debug)]
enum Text {
    Null { length: u16 },
    Bytes(Bytes),
    Terminated(Bytes),
    Utf8(Bytes),
    Speakable(u8),
}

/// A few bytes, so that enough remain for the calls that follow.
#[derive(Debug)]
struct Bytes(Vec<u8>);

impl<'a> Arbitrary<'a> for Bytes {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let length = match u.arbitrary::<u8>()? {
            few @ 0..240 => usize::from(few % 24),
            many => usize::from(many - 239) * 128,
        };
        u.bytes(length.min(u.len())).map(|bytes| Self(bytes.to_vec()))
    }
}

/// The available outputs.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Places(u8);

#[derive(Arbitrary, Debug)]
enum Call {
    NewRequest(Text, Places),
    RequestFromJson(Text, Places),
    SetLanguage(Handle, Text),
    SetVoice(Handle, Text),
    SetReading(Handle),
    SetLatency(Handle, i32),
    SetQuality(Handle, i32),
    SetOutput(Handle, u8, i32),
    SetProsody(Handle, [u8; 3], bool),
    NewLexicon(Text, bool, Places),
    AddLexicon(Handle, Handle),
    Validate(Handle, Places),
    ReadEngine(Handle),
    HasQuality(Handle, u8, Text, i32, Places),
    Synthesize {
        engine: Handle,
        request: Handle,
        token: Option<Handle>,
        places: Places,
    },
    Stream {
        engine: Handle,
        request: Handle,
        token: Option<Handle>,
        places: Places,
    },
    /// A finished live text: nothing waits for more of it.
    Live {
        engine: Handle,
        request: Handle,
        token: Option<Handle>,
        text: Text,
        places: Places,
    },
    StreamLong {
        engine: Handle,
        request: Handle,
        token: Option<Handle>,
        places: Places,
    },
    PushLive(Handle, Text, u8),
    CancelStream(Handle),
    Next(Handle, Places),
    ReadStream(Handle, Places),
    ReadAudio(Handle, Places),
    NewToken,
    Cancel(Handle),
    IsCancelled(Handle),
    CharactersOf(Text, Places),
    Split(Text, u16, Places),
    ReadParts(Handle, Places),
    NewSegmenter,
    Push(Handle, Text, Places),
    Finish(Handle, Places),
    ReadVoices(Places),
    NewTiers(Vec<u32>, Places),
    ReadTiers(Handle, Text, i32, Places),
    Tier(i32, u64, u32, Places),
    NewOptions,
    Options(Handle, Text, u32, i32),
    LoadWith(Handle, Places),
    ReadError(Handle),
    Free(Handle, u8),
    Versions(u32, u32, i32),
}

/// The only engine that is never freed, as loading is slow.
static ENGINE: LazyLock<usize> = LazyLock::new(|| {
    let dir = tempfile::tempdir().expect("a temporary directory");
    speech_tests::fake_model::write(dir.path()).expect("a writable directory");
    let path = CString::new(dir.path().to_str().expect("UTF-8")).expect("no NUL");
    let (options, mut engine) = (speech_engine_options_new(), ptr::null_mut());
    let path = path.as_c_str().into();
    assert_eq!(speech_engine_options_set_bundle_path(options, path, Output::NULL), 0);
    assert_eq!(speech_engine_options_set_threads(options, 1, Output::NULL), 0);
    let mut error = ptr::null_mut();
    let loaded = speech_engine_load(options, Output::from(&mut engine), Output::from(&mut error));
    // SAFETY: messages end with a NUL byte and live as long as the error.
    assert_eq!(loaded, 0, "{:?}", unsafe { CStr::from_ptr(speech_error_message(error)) });
    speech_engine_options_free(options);
    engine.addr()
});

/// The objects of every type that a sequence has made, freed or not.
struct Session {
    handles: Vec<usize>,
    error: *mut speech_error,
    /// The functions that were called.
    calls: u64,
}

impl Session {
    fn handle<T>(&self, handle: Handle) -> *mut T {
        let known = match handle.0 {
            255 => 0,
            254 => usize::MAX,
            253 => 0x1000,
            n => self.handles[n as usize % self.handles.len()],
        };
        ptr::without_provenance_mut(known)
    }

    fn optional<T>(&self, handle: Option<Handle>) -> *mut T {
        handle.map_or(ptr::null_mut(), |handle| self.handle(handle))
    }

    /// Checks the status of a call, and keeps the object that it made.
    fn finish<T>(&mut self, status: i32, made: *mut T) {
        self.calls += 1;
        assert!(!speech_status_type(status).is_null(), "status {status}");
        if status == speech_status::SPEECH_OK as i32 {
            assert!(self.error.is_null(), "an error object on success");
            self.made(made);
        } else if status == speech_status::SPEECH_END as i32 {
            assert!(self.error.is_null() && made.is_null(), "something at the end");
        } else {
            assert_ne!(status, speech_status::SPEECH_INTERNAL as i32, "{:?}", self.message());
            assert!(made.is_null(), "a result on failure");
            assert_eq!(speech_error_status(self.error), status);
            assert!(!self.message().is_empty());
            // Errors are handles too; some are kept.
            self.handles.push(self.error.addr());
            if self.handles.len() % 2 == 0 {
                speech_error_free(self.error);
            }
        }
        self.error = ptr::null_mut();
    }

    /// Keeps the object that a call made.
    fn made<T>(&mut self, made: *mut T) {
        if !made.is_null() {
            self.handles.push(made.addr());
        }
    }

    /// Reads the whole array from a getter, unless its length was not requested.
    ///
    /// # Safety
    ///
    /// The array has `count` elements, or is not read.
    unsafe fn read<T: Copy>(&mut self, array: *const T, count: usize) -> Vec<T> {
        self.calls += 1;
        if array.is_null() {
            return Vec::new();
        }
        // SAFETY: the contract of this function.
        unsafe { std::slice::from_raw_parts(array, count) }.to_vec()
    }

    /// Reads the string from a getter.
    ///
    /// # Safety
    ///
    /// It ends with a NUL byte.
    unsafe fn read_string(&mut self, string: *const c_char) {
        self.calls += 1;
        // SAFETY: the contract of this function.
        assert!(unsafe { CStr::from_ptr(string) }.to_str().is_ok());
    }

    fn message(&self) -> &CStr {
        // SAFETY: messages end with a NUL byte and live as long as the error.
        unsafe { CStr::from_ptr(speech_error_message(self.error)) }
    }

    fn done(&mut self, status: i32) {
        self.finish(status, ptr::null_mut::<u8>());
    }
}

impl Places {
    /// The output, unless it is missing.
    fn at<T>(self, number: u8, place: &mut T) -> Output<'_, T> {
        if self.lacks(number) { Output::NULL } else { place.into() }
    }

    /// Whether an output is missing. In 15 of 16 values none is; in the others the low bits decide.
    fn lacks(self, number: u8) -> bool {
        self.0 & 0xf0 == 0 && self.0 & 1 << (number % 4) != 0
    }
}

/// A text, kept alive during a call.
struct Held {
    bytes: Vec<u8>,
    length: usize,
    null: bool,
}

impl Held {
    fn new(text: Text) -> Self {
        const SPEAKABLE: [&str; 6] =
            ["Hi.", "One. Two.", "नमस्ते।", "It is 10:30!", "😀", "a b, c; d"];
        const NUL_TERMINATED: usize = usize::MAX;
        let (bytes, length, null) = match text {
            Text::Null { length } => (Vec::new(), length.into(), true),
            Text::Bytes(Bytes(bytes)) => (bytes.clone(), bytes.len(), false),
            Text::Terminated(Bytes(bytes)) => (bytes, NUL_TERMINATED, false),
            Text::Utf8(Bytes(bytes)) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                (text.clone().into_bytes(), text.len(), false)
            }
            Text::Speakable(n) => {
                let text = SPEAKABLE[n as usize % SPEAKABLE.len()];
                (text.into(), text.len(), false)
            }
        };
        Self { bytes: [bytes, vec![0]].concat(), length, null }
    }

    fn data(&self) -> *const c_char {
        if self.null { ptr::null() } else { self.bytes.as_ptr().cast() }
    }

    fn array(&self) -> Array<'_, c_char> {
        // SAFETY: there are `length` bytes, or the bytes end with a NUL byte.
        unsafe { Array::new(self.data()) }
    }

    fn text(&self) -> speech::Text<'_> {
        // SAFETY: the bytes end with a NUL byte.
        unsafe { speech::Text::new(self.data()) }
    }
}

fuzz_target!(|input: &[u8]| {
    let before = LazyLock::force(&ENGINE);
    let mut session = Session { handles: vec![*before], error: ptr::null_mut(), calls: 0 };
    let mut input = Unstructured::new(input);
    for _ in 0..MOST_STEPS {
        let Some(call) = (!input.is_empty()).then(|| Call::arbitrary(&mut input)) else { break };
        let Ok(call) = call else { break };
        run(&mut session, call);
    }
    calls::made(session.calls);
    for handle in session.handles.into_iter().filter(|handle| handle != before) {
        (0..FREES.len()).for_each(|kind| FREES[kind](handle));
    }
    // Only the engine is left.
    assert_eq!(speech_object_count(), 1);
});

/// Every `_free` function, called with a handle of any type.
const FREES: [fn(usize); 11] = [
    |handle| speech_engine_free(ptr::without_provenance_mut(handle)),
    |handle| speech_engine_options_free(ptr::without_provenance_mut(handle)),
    |handle| speech_request_free(ptr::without_provenance_mut(handle)),
    |handle| speech_audio_free(ptr::without_provenance_mut(handle)),
    |handle| speech_stream_free(ptr::without_provenance_mut(handle)),
    |handle| speech_cancel_token_free(ptr::without_provenance_mut(handle)),
    |handle| speech_text_parts_free(ptr::without_provenance_mut(handle)),
    |handle| speech_segmenter_free(ptr::without_provenance_mut(handle)),
    |handle| speech_tiers_free(ptr::without_provenance_mut(handle)),
    |handle| speech_lexicon_free(ptr::without_provenance_mut(handle)),
    |handle| speech_error_free(ptr::without_provenance_mut(handle)),
];

#[allow(clippy::too_many_lines, reason = "a table of calls")]
fn run(session: &mut Session, call: Call) {
    // SAFETY: the session outlives the calls.
    let error = unsafe { Output::new(&raw mut session.error) };
    let mut size = 0_usize;
    let mut kind = 0_i32;
    let mut micros = 0_u64;
    let mut flag = false;
    // SAFETY: the conventions of the header are kept: outputs are valid or NULL, and texts have
    // their stated length. Handles may be invalid.
    unsafe {
        match call {
            Call::NewRequest(text, places) => {
                let mut made = ptr::null_mut();
                let text = Held::new(text);
                let status =
                    speech_request_new(text.array(), text.length, places.at(0, &mut made), error);
                session.finish(status, made);
            }
            Call::RequestFromJson(text, places) => {
                let mut made = ptr::null_mut();
                let text = Held::new(text);
                let status = speech_request_from_json(
                    text.array(),
                    text.length,
                    places.at(0, &mut made),
                    error,
                );
                session.finish(status, made);
            }
            Call::SetLanguage(request, text) => {
                let text = Held::new(text);
                let request = session.handle(request);
                session.done(speech_request_set_language(request, text.text(), error));
            }
            Call::SetVoice(request, text) => {
                let text = Held::new(text);
                let request = session.handle(request);
                session.done(speech_request_set_voice(request, text.text(), error));
            }
            Call::SetReading(request) => {
                let request = session.handle(request);
                session.done(speech_request_set_read_emoji(request, true, error));
                session.done(speech_request_set_read_romanized_hindi(request, false, error));
            }
            Call::SetLatency(request, latency) => {
                let request = session.handle(request);
                session.done(speech_request_set_latency(request, latency, error));
                session.done(speech_request_set_latency(request, latency & 1, error));
            }
            Call::SetQuality(request, quality) => {
                let request = session.handle(request);
                session.done(speech_request_set_quality(request, quality, error));
                session.done(speech_request_set_quality(request, quality & 3, error));
            }
            Call::SetOutput(request, rate, encoding) => {
                let request = session.handle(request);
                let hertz = [8_000, 16_000, 22_050, 24_000, 44_100, 48_000, 0, u32::MAX];
                let hertz = hertz[usize::from(rate & 7)];
                session.done(speech_request_set_sample_rate(request, hertz, error));
                session.done(speech_request_set_encoding(request, encoding, error));
                session.done(speech_request_set_encoding(request, encoding & 3, error));
            }
            Call::SetProsody(request, settings, markup) => {
                let request = session.handle(request);
                // In range, out of range, and NaN.
                let [rate, pitch, volume] = settings.map(|byte| f64::from(byte) / 32.0 - 3.0);
                let volume = if settings[2] == 255 { f64::NAN } else { volume };
                session.done(speech_request_set_rate(request, rate, error));
                session.done(speech_request_set_pitch(request, pitch, error));
                session.done(speech_request_set_volume(request, volume, error));
                session.done(speech_request_set_ssml(request, markup, error));
                session.done(speech_request_set_read_pauses(request, !markup, error));
            }
            Call::NewLexicon(text, is_pls, places) => {
                let (text, mut made) = (Held::new(text), ptr::null_mut());
                let read = if is_pls { speech_lexicon_from_pls } else { speech_lexicon_parse };
                let status = read(text.array(), text.length, places.at(0, &mut made), error);
                session.finish(status, made);
            }
            Call::AddLexicon(request, lexicon) => {
                let lexicon = session.handle(lexicon);
                speech_lexicon_entries(lexicon);
                let status = speech_request_add_lexicon(session.handle(request), lexicon, error);
                session.done(status);
            }
            Call::ReadEngine(engine) => {
                let engine = session.handle(engine);
                speech_engine_threads(engine);
                session.read_string(speech_engine_kernels(engine));
                session.read_string(speech_engine_precision(engine));
                session.done(speech_engine_warm_up(engine, error));
                session.done(speech_engine_trim(engine, error));
            }
            Call::HasQuality(engine, replaced, text, quality, places) => {
                let text = Held::new(text);
                let mut names = [c"aria", c"hi-IN"].map(speech::Text::from);
                if let Some(name) = names.get_mut(usize::from(replaced % 3)) {
                    *name = text.text();
                }
                let [voice, language] = names;
                session.done(speech_engine_has_quality(
                    session.handle(engine),
                    voice,
                    language,
                    if replaced < 128 { quality & 3 } else { quality },
                    places.at(0, &mut flag),
                    error,
                ));
            }
            Call::Validate(request, places) => {
                let request = session.handle(request);
                session.done(speech_request_validate(request, places.at(0, &mut size), error));
            }
            Call::Synthesize { engine, request, token, places } => {
                let mut made = ptr::null_mut();
                let status = speech_engine_synthesize(
                    session.handle(engine),
                    session.handle(request),
                    session.optional(token),
                    places.at(0, &mut made),
                    error,
                );
                session.finish(status, made);
            }
            Call::Stream { engine, request, token, places } => {
                let mut made = ptr::null_mut();
                let status = speech_engine_stream(
                    session.handle(engine),
                    session.handle(request),
                    session.optional(token),
                    places.at(0, &mut made),
                    error,
                );
                session.finish(status, made);
            }
            Call::Live { engine, request, token, text, places } => {
                let mut made = ptr::null_mut();
                let text = Held::new(text);
                let status = speech_engine_live(
                    session.handle(engine),
                    session.handle(request),
                    session.optional(token),
                    places.at(0, &mut made),
                    error,
                );
                session.finish(status, made);
                session.done(speech_stream_push(made, text.array(), text.length, error));
                session.done(speech_stream_finish(made, error));
            }
            Call::StreamLong { engine, request, token, places } => {
                let mut made = ptr::null_mut();
                let status = speech_engine_stream_long(
                    session.handle(engine),
                    session.handle(request),
                    session.optional(token),
                    places.at(0, &mut made),
                    error,
                );
                session.finish(status, made);
            }
            Call::PushLive(stream, text, seconds) => {
                let text = Held::new(text);
                let stream = session.handle(stream);
                session.done(speech_stream_push(stream, text.array(), text.length, error));
                session.done(speech_stream_flush(stream, error));
                speech_stream_heard_at(stream, seconds.into());
                speech_stream_is_full(stream);
            }
            Call::CancelStream(stream) => {
                let stream = session.handle(stream);
                session.done(speech_stream_cancel(stream, error));
            }
            Call::Next(stream, places) => {
                let mut made = ptr::null_mut();
                let stream = session.handle(stream);
                let status = speech_stream_next(stream, places.at(0, &mut made), error);
                session.finish(status, made);
            }
            Call::ReadStream(stream, places) => {
                let stream = session.handle(stream);
                session.read_string(speech_stream_request_id(stream));
                speech_stream_characters(stream);
                speech_stream_sample_rate(stream);
                speech_stream_encoding(stream);
                let place = places.at(0, &mut size);
                let diagnostics = speech_stream_diagnostics(stream, place);
                session.read(diagnostics, size);
            }
            Call::ReadAudio(audio, places) => {
                let audio = session.handle(audio);
                read_audio(session, audio, places);
            }
            Call::NewToken => session.made(speech_cancel_token_new()),
            Call::Cancel(token) => {
                let token = session.handle(token);
                session.done(speech_cancel_token_cancel(token, error));
            }
            Call::IsCancelled(token) => {
                speech_cancel_token_is_cancelled(session.handle(token));
            }
            Call::CharactersOf(text, places) => {
                let text = Held::new(text);
                let place = places.at(0, &mut size);
                session.done(speech_text_characters(text.array(), text.length, place, error));
            }
            Call::Split(text, max_characters, places) => {
                let mut made = ptr::null_mut();
                let text = Held::new(text);
                let status = speech_text_split(
                    text.array(),
                    text.length,
                    max_characters.into(),
                    places.at(0, &mut made),
                    error,
                );
                session.finish(status, made);
            }
            Call::ReadParts(parts, places) => {
                let parts = session.handle(parts);
                let strings = speech_text_parts_strings(parts, places.at(0, &mut size));
                for string in session.read(strings, size) {
                    session.read_string(string.as_ptr());
                }
            }
            Call::NewSegmenter => session.made(speech_segmenter_new()),
            Call::Push(segmenter, text, places) => {
                let mut made = ptr::null_mut();
                let text = Held::new(text);
                let segmenter = session.handle(segmenter);
                let place = places.at(0, &mut made);
                let status =
                    speech_segmenter_push(segmenter, text.array(), text.length, place, error);
                session.finish(status, made);
            }
            Call::Finish(segmenter, places) => {
                let mut made = ptr::null_mut();
                let segmenter = session.handle(segmenter);
                let status = speech_segmenter_finish(segmenter, places.at(0, &mut made), error);
                session.finish(status, made);
            }
            Call::ReadVoices(places) => {
                let languages = speech_voices_languages(places.at(0, &mut size));
                for language in session.read(languages, size) {
                    session.read_string(language.as_ptr());
                }
                size = 0;
                let voices = speech_voices_list(places.at(1, &mut size));
                for voice in session.read(voices, size) {
                    session.read_string(voice.id.as_ptr());
                    session.read_string(voice.name.as_ptr());
                }
                session.read_string(speech_voices_default());
                session.read_string(speech_voices_json());
            }
            Call::NewTiers(contexts, places) => {
                let mut made = ptr::null_mut();
                let (data, count) = (Array::new(contexts.as_ptr()), contexts.len() / 2);
                let status = speech_tiers_new(data, count, places.at(0, &mut made), error);
                session.finish(status, made);
            }
            Call::ReadTiers(tiers, text, use_case, places) => {
                let text = Held::new(text);
                let tiers = session.handle(tiers);
                let entries = speech_tiers_entries(tiers, places.at(0, &mut size));
                session.read(entries, size);
                for use_case in [use_case, use_case & 3] {
                    size = 0;
                    let ranked = speech_tiers_ranked(tiers, use_case, places.at(1, &mut size));
                    session.read(ranked, size);
                }
                session.read_string(speech_tiers_json(tiers));
                let place = places.at(1, &mut kind);
                session.done(speech_tiers_resolve(tiers, text.text(), place, error));
            }
            Call::Tier(tier, amount, rate, places) => {
                assert_eq!(speech_tier_name(tier).is_null(), !(1..=4).contains(&tier));
                assert!(!speech_tier_name(speech_tier_default()).is_null());
                session.done(speech_tier_charge(tier, amount, places.at(0, &mut micros), error));
                let place = places.at(1, &mut micros);
                session.done(speech_tier_charge_samples(tier, amount, rate, place, error));
            }
            Call::NewOptions => session.made(speech_engine_options_new()),
            Call::Options(options, text, value, level) => {
                let text = Held::new(text);
                let options = session.handle(options);
                session.done(speech_engine_options_add_pronunciation(
                    options,
                    text.text(),
                    text.text(),
                    error,
                ));
                session.done(speech_engine_options_set_kernels(options, text.text(), error));
                session.done(speech_engine_options_set_precision(options, text.text(), error));
                session.done(speech_engine_options_set_cache(options, value as usize, error));
                session.done(speech_engine_options_set_map_bundle(options, value % 2 == 0, error));
                session.done(speech_engine_options_set_threads(options, value as usize, error));
                session.done(speech_engine_options_set_max_concurrency(
                    options,
                    value as usize,
                    error,
                ));
                session.done(speech_engine_options_set_bundle_fd(
                    options,
                    level,
                    value.into(),
                    value.into(),
                    error,
                ));
                session.done(speech_engine_options_set_log_callback(
                    options,
                    None,
                    ptr::null_mut(),
                    level,
                    error,
                ));
                // Last, so that loading finds no bundle and is quick.
                session.done(speech_engine_options_set_bundle_path(options, text.text(), error));
            }
            Call::LoadWith(options, places) => {
                let options = session.handle::<speech_engine_options>(options);
                if !options.is_null() {
                    let mut made = ptr::null_mut();
                    let status = speech_engine_load(options, places.at(0, &mut made), error);
                    session.finish(status, made);
                }
            }
            Call::ReadError(handle) => {
                let handle = session.handle(handle);
                let strings = [
                    speech_error_type(handle),
                    speech_error_message(handle),
                    speech_error_detail(handle),
                    speech_error_path(handle),
                    speech_error_advice(handle),
                    speech_error_request_id(handle),
                    speech_error_json(handle),
                ];
                session.calls += strings.len() as u64 + 2;
                for string in strings {
                    assert!(CStr::from_ptr(string).to_str().is_ok());
                }
                speech_error_is_retryable(handle);
                speech_error_status(handle);
            }
            Call::Free(handle, kind) => {
                let handle = session.handle::<u8>(handle).addr();
                if handle != *ENGINE {
                    session.calls += 1;
                    FREES[kind as usize % FREES.len()](handle);
                }
            }
            Call::Versions(major, minor, status) => {
                session.done(speech_abi_check(major, minor, error));
                session.calls += 1;
                speech_status_type(status);
            }
        }
    }
}

/// Reads everything from an audio object.
///
/// # Safety
///
/// No other thread frees it meanwhile.
unsafe fn read_audio(session: &mut Session, audio: *const speech_audio, places: Places) {
    // SAFETY: each array has the length from its getter, or is not read if there was no output for
    // the length.
    unsafe {
        macro_rules! all {
            ($getter:ident) => {{
                let mut size = 0;
                let array = $getter(audio, places.at(0, &mut size));
                session.read(array, size)
            }};
        }
        all!(speech_audio_samples);
        all!(speech_audio_samples_f32);
        all!(speech_audio_bytes);
        all!(speech_audio_wav);
        all!(speech_audio_words);
        all!(speech_audio_sentences);
        all!(speech_audio_diagnostics);
        for phoneme in all!(speech_audio_phonemes) {
            session.read_string(phoneme.ipa.as_ptr());
        }
        for viseme in all!(speech_audio_visemes) {
            session.read_string(viseme.name.as_ptr());
        }
        for mark in all!(speech_audio_marks) {
            session.read_string(mark.name.as_ptr());
        }
        session.read_string(speech_audio_request_id(audio));
        session.read_string(speech_audio_kernels(audio));
        session.read_string(speech_audio_precision(audio));
    }
    let span = speech_audio_span(audio);
    assert!(span.begin <= span.end && speech_audio_duration(audio) >= 0.0);
    speech_audio_characters(audio);
    speech_audio_sample_rate(audio);
    speech_audio_encoding(audio);
}

//! Voice bundles in memory with arbitrary damage: each is an error or an engine that speaks, and
//! the memory is released once.
#![no_main]

use std::ffi::{CStr, c_void};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ptr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use speech::*;
use speech_tests::fake_model::{self, FILES};

/// The damage to a valid bundle.
#[derive(Arbitrary, Debug, Hash)]
struct Damage {
    /// Bytes that replace everything.
    replaced: Option<Vec<u8>>,
    /// A modified manifest, in a valid archive.
    manifest: Vec<Edit>,
    /// Bytes in the headers of files: file, position and value. The checksum is updated.
    headers: Vec<(u8, u16, u8)>,
    /// Bytes of the archive: position and value.
    changed: Vec<(u16, u8)>,
    /// The remaining length.
    length: Option<u16>,
}

#[derive(Arbitrary, Debug, Hash)]
struct Edit {
    at: u16,
    removed: u8,
    inserted: Vec<u8>,
}

const HEADER: usize = 512;

static FAKE_BUNDLE: LazyLock<[Vec<u8>; 6]> = LazyLock::new(|| {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fake_model::write(dir.path()).expect("a writable directory");
    FILES.map(|name| std::fs::read(dir.path().join(name)).expect("a file of the bundle"))
});

/// The manifest of a bundle for another model, which is rejected before other files are read.
static OTHER: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let manifest = String::from_utf8(FAKE_BUNDLE[0].clone()).expect("UTF-8");
    let other = manifest.replace(r#""sample_rate":24000"#, r#""sample_rate":24001"#);
    assert_ne!(manifest, other);
    other.into_bytes()
});

impl Damage {
    /// The damaged bundle.
    fn bytes(self) -> Vec<u8> {
        // Loading up to the model takes much longer, so only one input in 64 may get that far.
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        let (manifest, count) =
            if hasher.finish() % 64 == 0 { (&FAKE_BUNDLE[0], 6) } else { (&*OTHER, 4) };
        if let Some(bytes) = self.replaced {
            return bytes;
        }
        let mut bytes = archive(&edited(manifest, &self.manifest), count, &self.headers);
        for (at, byte) in self.changed {
            // Later bytes are zeros, which matter little.
            let reach = bytes.len().min(8192);
            bytes[usize::from(at) % reach] = byte;
        }
        bytes.truncate(self.length.map_or(usize::MAX, usize::from));
        bytes
    }
}

fn edited(manifest: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut manifest = manifest.to_vec();
    for edit in edits {
        let start = usize::from(edit.at) % (manifest.len() + 1);
        let end = manifest.len().min(start + usize::from(edit.removed));
        manifest.splice(start..end, edit.inserted.iter().copied());
    }
    manifest
}

/// The first files of the fake model's bundle as tar.
fn archive(manifest: &[u8], count: usize, damages: &[(u8, u16, u8)]) -> Vec<u8> {
    let files = [manifest].into_iter().chain(FAKE_BUNDLE[1..].iter().map(Vec::as_slice));
    let mut archive = tar::Builder::new(Vec::new());
    for (number, (name, file)) in FILES.iter().zip(files).take(count).enumerate() {
        let mut header = tar::Header::new_gnu();
        header.set_path(name).expect("a short name");
        header.set_size(file.len() as u64);
        header.set_mode(0o644);
        for (_, at, byte) in damages.iter().filter(|(of, ..)| usize::from(of % 6) == number) {
            header.as_mut_bytes()[usize::from(*at) % HEADER] = *byte;
        }
        header.set_cksum();
        archive.append(&header, file).expect("memory");
    }
    archive.into_inner().expect("memory")
}

unsafe extern "C" fn release(released: *mut c_void, _data: *const u8, _length: usize) {
    // SAFETY: it points to the counter below, which outlives the options.
    unsafe { &*released.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
}

/// A bundle may contain wrong values; the only effect is wrong speech.
fn speak(engine: *mut speech_engine) {
    let (mut request, mut audio) = (ptr::null_mut(), ptr::null_mut());
    let mut count = 0;
    let none = Output::NULL;
    // SAFETY: the text has three bytes, and the samples exist until the audio is freed.
    unsafe {
        let text = Array::new(c"Hi.".as_ptr());
        assert_eq!(speech_request_new(text, 3, Output::from(&mut request), none), 0);
        let out = Output::from(&mut audio);
        assert_eq!(speech_engine_synthesize(engine, request, ptr::null(), out, none), 0);
        let samples = speech_audio_samples_f32(audio, Output::from(&mut count));
        assert!(!samples.is_null());
        let samples = std::slice::from_raw_parts(samples, count);
        assert!(samples.iter().all(|sample| (-1.0..=1.0).contains(sample)));
    }
    speech_audio_free(audio);
    speech_request_free(request);
}

fuzz_target!(|damage: Damage| {
    let bytes = damage.bytes();
    let released = AtomicUsize::new(0);
    let options = speech_engine_options_new();
    let mut engine = ptr::null_mut();
    let mut error = ptr::null_mut();
    // SAFETY: the conventions of the header are kept: the bytes outlive the options and the engine.
    unsafe {
        let (data, counter) =
            (Array::new(bytes.as_ptr()), ptr::from_ref(&released).cast_mut().cast());
        let set = speech_engine_options_set_bundle_memory(
            options,
            data,
            bytes.len(),
            Some(release),
            counter,
            Output::NULL,
        );
        assert_eq!(set == 0, !bytes.is_empty());
        if set == 0 {
            let status =
                speech_engine_load(options, Output::from(&mut engine), Output::from(&mut error));
            let model_error = speech_status::SPEECH_MODEL_ERROR as i32;
            assert!(status == 0 || status == model_error, "status {status}");
            let message = CStr::from_ptr(speech_error_message(error));
            assert_eq!(message.is_empty(), status == 0);
            if status == 0 {
                speak(engine);
            }
        }
    }
    speech_engine_options_free(options);
    speech_engine_free(engine);
    speech_error_free(error);
    assert_eq!(released.load(Ordering::SeqCst), usize::from(!bytes.is_empty()));
    assert_eq!(speech_object_count(), 0);
});

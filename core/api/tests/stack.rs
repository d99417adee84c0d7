//! The stack size that a calling thread needs.

use std::thread;

use speech_core::{Engine, ErrorDetail, KernelSet, Language, Request};

/// README and speech.h guarantee that 128 KiB are enough, musl's default. The caller needs some of
/// it.
const STACK: usize = 96 * 1024;

/// Loads an engine and speaks texts, whole and as a stream, in a thread with a small stack. An
/// overflow ends the process.
fn speak(kernels: KernelSet, texts: &'static [(Language, &str)]) {
    let work = move || {
        let engine = match Engine::builder().threads(1).kernels(kernels).load() {
            Err(error) if error.detail() == Some(ErrorDetail::UnsupportedBackend) => return,
            loaded => loaded.unwrap(),
        };
        for (language, text) in texts {
            let request = Request::new(*text).language(*language);
            assert!(engine.synthesize(&request).unwrap().samples().len() > 2_000);
            assert!(engine.stream(&request).unwrap().all(|chunk| chunk.is_ok()));
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_thread_with_little_stack_loads_and_speaks() {
    speak(
        KernelSet::Auto,
        &[
            (Language::EnUs, "Dr. Xyzzyqua owes $1,234.50 at 5:30 p.m."),
            (Language::HiIn, "डॉ. वर्मा को ₹1,23,456 मिले, OK?"),
        ],
    );
}

#[test]
fn other_kernels_need_no_more() {
    for kernels in [KernelSet::Avx2, KernelSet::Avx512, KernelSet::Neon, KernelSet::Portable] {
        speak(kernels, &[(Language::EnUs, "No.")]);
    }
}

//! ONNX Runtime missing or wrong: an error, and the next try may succeed. In a process of its own, because a
//! process has one runtime.

use speech_core::{Engine, ErrorKind, Request};

#[test]
fn a_library_that_does_not_load_is_an_error_that_can_be_mended() {
    let not_a_library = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(not_a_library.path(), "no library").unwrap();
    for library in ["/nowhere/libonnxruntime.so".as_ref(), not_a_library.path()] {
        let error = Engine::builder().onnxruntime(library).load().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ModelError);
        assert!(error.message().contains(library.to_str().unwrap()), "{error}");
        assert!(error.message().contains("SPEECH_ONNXRUNTIME"), "{error}");
    }
    let engine = Engine::load().expect("these tests need the voice bundle: run `cargo xtask test`");
    assert!(engine.synthesize(&Request::new("Back again.")).is_ok());
}

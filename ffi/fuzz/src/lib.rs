//! What the targets share.

use std::env;
use std::ffi::{CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStringExt;

unsafe extern "C" {
    fn dlopen(path: *const c_char, mode: c_int) -> *mut c_void;
    fn __lsan_disable();
    fn __lsan_enable();
}

const RTLD_NOW: c_int = 2;

/// Loads ONNX Runtime before the first input: its initialisers leave 80 bytes behind, once, which the
/// leak detection would report. All that is allocated later is looked at.
///
/// # Panics
///
/// If `SPEECH_ONNXRUNTIME` is not the path of a library.
pub fn load_runtime() {
    let path = env::var_os("SPEECH_ONNXRUNTIME").expect("run this with `cargo xtask fuzz`");
    let path = CString::new(path.into_vec()).expect("no NUL in a path");
    // SAFETY: the path ends with a NUL byte; the leak detection is off for this thread and on again.
    let library = unsafe {
        __lsan_disable();
        let library = dlopen(path.as_ptr(), RTLD_NOW);
        __lsan_enable();
        library
    };
    assert!(!library.is_null(), "{path:?} is no library");
}

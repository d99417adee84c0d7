//! Helpers for the header's functions: making an object, using it, and reading it.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use speech_core::Result;

use crate::boundary::{ErrorOutput, boundary, catch_panic_or};
use crate::handle::{self, Handle};
use crate::pointers::Output;
use crate::status::Status;

/// A C string. It ends before the first NUL character; the library's strings contain none.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Runs the body of a function with the object behind a handle.
pub(crate) fn with<H: Handle>(
    handle: *const H,
    error: ErrorOutput<'_>,
    body: impl FnOnce(&H::Object) -> Result<()>,
) -> Status {
    boundary(error, || body(&*handle::lookup(handle)?))
}

/// Makes an object, and writes its handle to `output`.
pub(crate) fn create<H: Handle>(
    output: Output<'_, *mut H>,
    name: &str,
    error: ErrorOutput<'_>,
    make: impl FnOnce() -> Result<H::Object>,
) -> Status {
    boundary(error, || {
        let output = output.required(name)?;
        output.write(handle::insert(make()?));
        Ok(())
    })
}

/// Makes an object infallibly.
pub(crate) fn new<H: Handle>(make: impl FnOnce() -> H::Object) -> *mut H {
    catch_panic_or(ptr::null_mut(), || handle::insert(make()))
}

/// Reads a value of an object; returns `none` for a handle that is not live.
pub(crate) fn value<H: Handle, T: Copy>(
    handle: *const H,
    none: T,
    read: impl FnOnce(&H::Object) -> T,
) -> T {
    catch_panic_or(none, || handle::lookup(handle).map_or(none, |object| read(&object)))
}

/// Reads a string owned by an object or by the library; returns "" for a handle that is not live.
pub(crate) fn string<H: Handle>(
    handle: *const H,
    read: impl for<'a> FnOnce(&'a H::Object) -> &'a CStr,
) -> *const c_char {
    value(handle, c"".as_ptr(), |object| read(object).as_ptr())
}

/// Reads an array owned by an object; returns an empty one for a handle that is not live.
pub(crate) fn array<H: Handle, T>(
    handle: *const H,
    count: Output<'_, usize>,
    read: impl for<'a> FnOnce(&'a H::Object) -> &'a [T],
) -> *const T {
    let (data, length) = value(handle, (ptr::null(), 0), |object| parts(read(object)));
    count.write(length);
    data
}

/// The address and the length of an array; NULL and 0 for an empty one.
pub(crate) fn parts<T>(items: &[T]) -> (*const T, usize) {
    if items.is_empty() { (ptr::null(), 0) } else { (items.as_ptr(), items.len()) }
}

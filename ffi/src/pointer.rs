//! What is really a pointer: places for results, and text and bytes that come in.

use std::ffi::{CStr, c_char};
use std::slice;

use speech_core::{Error, ErrorKind, Result};

/// The length of a text that ends at its first NUL byte: `SPEECH_NUL_TERMINATED` in C.
pub(crate) const NUL_TERMINATED: usize = usize::MAX;

/// The C code that made a call, and its word that the pointers keep the header's conventions.
#[derive(Clone, Copy)]
pub(crate) struct Caller(());

/// A place for a result.
pub(crate) struct Out<T>(*mut T);

impl Caller {
    /// # Safety
    ///
    /// Every pointer that is handed to the methods is NULL, or keeps the header's conventions: a place for
    /// a result is valid for one write, text and bytes are valid for reads of their length, a name ends
    /// with a NUL byte, and all stay so and unchanged until the call returns.
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }

    /// A place for a result, which must be there.
    pub(crate) fn out<T>(self, place: *mut T, name: &str) -> Result<Out<T>> {
        if place.is_null() { Err(null(name)) } else { Ok(Out(place)) }
    }

    /// A place for a result that the caller may leave out with NULL.
    pub(crate) fn out_or_null<T>(self, place: *mut T) -> Option<Out<T>> {
        (!place.is_null()).then_some(Out(place))
    }

    /// Bytes; `(NULL, 0)` are none.
    pub(crate) fn bytes<'a>(self, data: *const u8, length: usize, name: &str) -> Result<&'a [u8]> {
        self.slice(data, length, name)
    }

    /// An array; `(NULL, 0)` is empty.
    pub(crate) fn slice<'a, T>(self, data: *const T, count: usize, name: &str) -> Result<&'a [T]> {
        if count == 0 {
            return Ok(&[]);
        }
        if data.is_null() {
            return Err(null(name));
        }
        let size = count.checked_mul(size_of::<T>()).filter(|size| *size <= isize::MAX as usize);
        if size.is_none() {
            return Err(invalid(format!("the length of {name} is out of range")));
        }
        if !data.is_aligned() {
            return Err(invalid(format!("{name} is not aligned")));
        }
        // SAFETY: the caller's word: `data` is valid for `count` elements, which is in range.
        Ok(unsafe { slice::from_raw_parts(data, count) })
    }

    /// Text in UTF-8 of a length in bytes, or up to its NUL byte.
    pub(crate) fn text<'a>(
        self,
        data: *const c_char,
        length: usize,
        name: &str,
    ) -> Result<&'a str> {
        let bytes = if length == NUL_TERMINATED {
            self.c_str(data, name)?.to_bytes()
        } else {
            self.bytes(data.cast(), length, name)?
        };
        utf8(bytes, name)
    }

    /// A name that ends with a NUL byte, in UTF-8.
    pub(crate) fn name<'a>(self, data: *const c_char, name: &str) -> Result<&'a str> {
        utf8(self.c_str(data, name)?.to_bytes(), name)
    }

    /// A string that ends with a NUL byte.
    pub(crate) fn c_str<'a>(self, data: *const c_char, name: &str) -> Result<&'a CStr> {
        if data.is_null() {
            return Err(null(name));
        }
        // SAFETY: the caller's word: `data` ends with a NUL byte.
        Ok(unsafe { CStr::from_ptr(data) })
    }
}

impl<T> Out<T> {
    /// Puts a result there.
    pub(crate) fn write(self, value: T) {
        // SAFETY: the caller's word: the place is valid for one write. It may hold nothing yet, so
        // nothing is dropped.
        unsafe { self.0.write(value) }
    }
}

/// Puts a result in a place that may have been left out.
pub(crate) fn write<T>(place: Option<Out<T>>, value: T) {
    if let Some(place) = place {
        place.write(value);
    }
}

fn utf8<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| invalid(format!("{name} is not UTF-8 at byte {}", e.valid_up_to())))?;
    match text.find('\0') {
        Some(at) => Err(invalid(format!("{name} has a NUL character at byte {at}"))),
        None => Ok(text),
    }
}

pub(crate) fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidRequest, message)
}

fn null(name: &str) -> Error {
    invalid(format!("{name} is NULL"))
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    fn caller() -> Caller {
        // SAFETY: the tests keep the conventions.
        unsafe { Caller::new() }
    }

    #[test]
    fn text_of_every_kind() {
        let text = |bytes: &[u8], length: usize| {
            caller().text(bytes.as_ptr().cast(), length, "text").map(str::to_owned)
        };
        assert_eq!(text(b"hello\0more", 5).unwrap(), "hello");
        assert_eq!(text(b"hello\0more", NUL_TERMINATED).unwrap(), "hello");
        assert_eq!(text(b"", 0).unwrap(), "");
        assert_eq!(caller().text(ptr::null(), 0, "text").unwrap(), "");
        for (bytes, length, message) in [
            (&b"a\0b"[..], 3, "text has a NUL character at byte 1"),
            (b"ab\xff", 3, "text is not UTF-8 at byte 2"),
            (b"\xe0\xa4", 2, "text is not UTF-8 at byte 0"),
            (b"\xed\xa0\x80", 3, "text is not UTF-8 at byte 0"),
            (b"a", usize::MAX - 1, "the length of text is out of range"),
            (b"a", isize::MAX as usize + 1, "the length of text is out of range"),
        ] {
            assert_eq!(text(bytes, length).unwrap_err().message(), message);
        }
        for length in [1, NUL_TERMINATED] {
            let error = caller().text(ptr::null(), length, "text").unwrap_err();
            assert_eq!(error.message(), "text is NULL");
        }
    }

    #[test]
    fn arrays_are_checked() {
        let numbers = [1_u32, 2, 3];
        assert_eq!(caller().slice(numbers.as_ptr(), 3, "numbers").unwrap(), [1, 2, 3]);
        assert!(caller().slice(ptr::null::<u32>(), 0, "numbers").unwrap().is_empty());
        let inside = numbers.as_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
        for (data, count, message) in [
            (ptr::null(), 1, "numbers is NULL"),
            (numbers.as_ptr(), usize::MAX / 2, "the length of numbers is out of range"),
            (inside, 2, "numbers is not aligned"),
        ] {
            assert_eq!(caller().slice(data, count, "numbers").unwrap_err().message(), message);
        }
    }

    #[test]
    fn results_are_written_where_there_is_a_place() {
        let mut place = 1;
        caller().out(&raw mut place, "place").unwrap().write(2);
        write(caller().out_or_null(ptr::null_mut::<i32>()), 4);
        write(caller().out_or_null(&raw mut place), place + 1);
        assert_eq!(place, 3);
        let error = caller().out(ptr::null_mut::<i32>(), "place").err().unwrap();
        assert_eq!(error.message(), "place is NULL");
    }
}

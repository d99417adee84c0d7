//! Conversion of the pointers that C passes: outputs, texts and arrays. Handles are no pointers: see `handle.rs`.

use std::ffi::{CStr, c_char};
use std::slice;

use speech_core::{Error, ErrorKind, Result, check_nul};

/// The length of a text that ends at its first NUL byte: `SPEECH_NUL_TERMINATED` in C.
pub(crate) const NUL_TERMINATED: usize = usize::MAX;

/// The right to follow the pointers that C passed to one call.
#[derive(Clone, Copy)]
pub(crate) struct Pointers(());

/// An output: a pointer to where C wants a result.
pub(crate) struct Output<T>(*mut T);

impl Pointers {
    /// # Safety
    ///
    /// Every pointer that is handed to the methods keeps the contract of
    /// [`boundary`](crate::boundary::boundary).
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }

    /// An output that must not be NULL.
    pub(crate) fn output<T>(self, pointer: *mut T, name: &str) -> Result<Output<T>> {
        if pointer.is_null() { Err(null(name)) } else { Ok(Output(pointer)) }
    }

    /// An output that may be NULL.
    pub(crate) fn optional_output<T>(self, pointer: *mut T) -> Option<Output<T>> {
        (!pointer.is_null()).then_some(Output(pointer))
    }

    /// Bytes; `(NULL, 0)` is empty.
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
        // SAFETY: `data` is valid for reads of `count` elements by the contract of `new`. It is not NULL, it is
        // aligned, and its size is at most `isize::MAX`, as checked above.
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

    /// Text in UTF-8 up to its NUL byte.
    pub(crate) fn terminated_text<'a>(self, data: *const c_char, name: &str) -> Result<&'a str> {
        utf8(self.c_str(data, name)?.to_bytes(), name)
    }

    fn c_str<'a>(self, data: *const c_char, name: &str) -> Result<&'a CStr> {
        if data.is_null() {
            return Err(null(name));
        }
        // SAFETY: `data` is valid for reads up to a NUL byte by the contract of `new`, and is not NULL.
        Ok(unsafe { CStr::from_ptr(data) })
    }
}

impl<T> Output<T> {
    /// Writes the result.
    pub(crate) fn write(self, value: T) {
        // SAFETY: the pointer is valid for one write by the contract of `Pointers::new`, and `self` is used up.
        // What it points at may be uninitialized, so it is not dropped.
        unsafe { self.0.write(value) }
    }
}

/// Writes a result to an output that may have been NULL.
pub(crate) fn write<T>(output: Option<Output<T>>, value: T) {
    if let Some(output) = output {
        output.write(value);
    }
}

fn utf8<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| invalid(format!("{name} is not UTF-8 at byte {}", e.valid_up_to())))?;
    check_nul(name, text)?;
    Ok(text)
}

/// An error of the kind `invalid_request`.
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

    fn pointers() -> Pointers {
        // SAFETY: the tests pass pointers to their own variables.
        unsafe { Pointers::new() }
    }

    #[test]
    fn text_of_every_kind() {
        let text = |bytes: &[u8], length: usize| {
            pointers().text(bytes.as_ptr().cast(), length, "text").map(str::to_owned)
        };
        assert_eq!(text(b"hello\0more", 5).unwrap(), "hello");
        assert_eq!(text(b"hello\0more", NUL_TERMINATED).unwrap(), "hello");
        assert_eq!(text(b"", 0).unwrap(), "");
        assert_eq!(pointers().text(ptr::null(), 0, "text").unwrap(), "");
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
            let error = pointers().text(ptr::null(), length, "text").unwrap_err();
            assert_eq!(error.message(), "text is NULL");
        }
    }

    #[test]
    fn arrays_are_checked() {
        let numbers = [1_u32, 2, 3];
        assert_eq!(pointers().slice(numbers.as_ptr(), 3, "numbers").unwrap(), [1, 2, 3]);
        assert!(pointers().slice(ptr::null::<u32>(), 0, "numbers").unwrap().is_empty());
        let inside = numbers.as_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
        for (data, count, message) in [
            (ptr::null(), 1, "numbers is NULL"),
            (numbers.as_ptr(), usize::MAX / 2, "the length of numbers is out of range"),
            (inside, 2, "numbers is not aligned"),
        ] {
            assert_eq!(pointers().slice(data, count, "numbers").unwrap_err().message(), message);
        }
    }

    #[test]
    fn results_are_written_to_outputs() {
        let mut result = 1;
        pointers().output(&raw mut result, "result").unwrap().write(2);
        write(pointers().optional_output(ptr::null_mut::<i32>()), 4);
        write(pointers().optional_output(&raw mut result), result + 1);
        assert_eq!(result, 3);
        let error = pointers().output(ptr::null_mut::<i32>(), "result").err().unwrap();
        assert_eq!(error.message(), "result is NULL");
    }
}

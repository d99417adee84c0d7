//! The pointers that C passes, with what the header says of them: outputs, arrays and texts. Handles are no pointers:
//! see `handle.rs`.
//!
//! Each type is a pointer in the binary interface. Its lifetime is that of the call, which a function of the header
//! cannot choose, so nothing that is read through it is kept:
//!
//! ```
//! fn length(text: speech::Text<'_>) -> usize {
//!     text.read("text").unwrap().len()
//! }
//! assert_eq!(length(c"hello".into()), 5);
//! ```
//!
//! ```compile_fail
//! fn kept(text: speech::Text<'_>) -> &'static str {
//!     text.read("text").unwrap()
//! }
//! ```
//!
//! An array is one of numbers, which have no invalid values:
//!
//! ```compile_fail,E0277
//! fn flags(array: speech::Array<'_, bool>) -> &[bool] {
//!     unsafe { array.read(1, "flags") }.unwrap()
//! }
//! ```

use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::ptr;

use bytemuck::AnyBitPattern;
use speech_core::{Error, ErrorKind, Result, check_nul};

/// The length of a text that ends at its first NUL byte: `SPEECH_NUL_TERMINATED` in C.
pub(crate) const NUL_TERMINATED: usize = usize::MAX;

/// Where C wants a result: NULL, or a pointer that is valid for writes until the call returns.
#[derive(Debug)]
#[repr(transparent)]
pub struct Output<'call, T>(*mut T, PhantomData<&'call mut T>);

/// An array whose length C passes beside it: NULL, or a pointer that is valid for reads of that length until the call
/// returns, while no thread changes it.
#[derive(Debug)]
#[repr(transparent)]
pub struct Array<'call, T>(*const T, PhantomData<&'call T>);

/// A text that ends at its first NUL byte: NULL, or a pointer that is valid for reads up to that byte until the call
/// returns, while no thread changes it.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Text<'call>(*const c_char, PhantomData<&'call CStr>);

impl<T> Output<'_, T> {
    /// No output.
    pub const NULL: Self = Self(ptr::null_mut(), PhantomData);

    /// # Safety
    ///
    /// The pointer is what the type says, for as long as the lifetime that the caller chooses.
    pub unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer, PhantomData)
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The output, or `invalid_request` if it is NULL.
    pub(crate) fn required(self, name: &str) -> Result<Self> {
        if self.is_null() { Err(null(name)) } else { Ok(self) }
    }

    /// Writes the result, unless the output is NULL.
    pub(crate) fn write(self, value: T) {
        if !self.is_null() {
            // SAFETY: the pointer is valid for a write, as the type says. What it points at may be uninitialized, so
            // that is not dropped.
            unsafe { self.0.write(value) }
        }
    }
}

impl<T> Clone for Output<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Output<'_, T> {}

impl<'call, T> From<&'call mut T> for Output<'call, T> {
    fn from(place: &'call mut T) -> Self {
        Self(place, PhantomData)
    }
}

impl<'call, T: AnyBitPattern> Array<'call, T> {
    /// # Safety
    ///
    /// The pointer is what the type says, for as long as the lifetime that the caller chooses.
    pub unsafe fn new(pointer: *const T) -> Self {
        Self(pointer, PhantomData)
    }

    /// The array; `(NULL, 0)` is empty.
    ///
    /// # Errors
    ///
    /// `invalid_request` if it is NULL, is not aligned, or cannot be so long.
    ///
    /// # Safety
    ///
    /// `count` is the length that the header has beside the array, in items.
    pub unsafe fn read(self, count: usize, name: &str) -> Result<&'call [T]> {
        if count == 0 {
            return Ok(&[]);
        }
        if self.0.is_null() {
            return Err(null(name));
        }
        let size = count.checked_mul(size_of::<T>()).filter(|size| *size <= isize::MAX as usize);
        if size.is_none() {
            return Err(invalid(format!("the length of {name} is out of range")));
        }
        if !self.0.is_aligned() {
            return Err(invalid(format!("{name} is not aligned")));
        }
        // SAFETY: the pointer is valid for reads of the length beside it, as the type says, and that is `count`. It is
        // not NULL, it is aligned, and the size is at most `isize::MAX`, as checked above. Any bytes are a `T`.
        Ok(unsafe { &*self.slice(count) })
    }

    /// The array as a pointer.
    pub(crate) fn slice(self, count: usize) -> *const [T] {
        ptr::slice_from_raw_parts(self.0, count)
    }
}

impl<'call> Array<'call, c_char> {
    /// Text in UTF-8 of a length in bytes, or up to its NUL byte.
    ///
    /// # Errors
    ///
    /// `invalid_request` if it is NULL, is not UTF-8, or has a NUL character in it.
    ///
    /// # Safety
    ///
    /// `length` is the length that the header has beside the text.
    pub unsafe fn text(self, length: usize, name: &str) -> Result<&'call str> {
        if length == NUL_TERMINATED {
            // A text that the header says ends with a NUL byte.
            return Text(self.0, PhantomData).read(name);
        }
        let bytes = Array(self.0.cast::<u8>(), PhantomData);
        // SAFETY: the contract of this function, for the same bytes.
        utf8(unsafe { bytes.read(length, name) }?, name)
    }
}

impl<T: AnyBitPattern> Clone for Array<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: AnyBitPattern> Copy for Array<'_, T> {}

impl<'call> Text<'call> {
    /// # Safety
    ///
    /// The pointer is what the type says, for as long as the lifetime that the caller chooses.
    pub unsafe fn new(pointer: *const c_char) -> Self {
        Self(pointer, PhantomData)
    }

    /// The text, in UTF-8.
    ///
    /// # Errors
    ///
    /// `invalid_request` if it is NULL or is not UTF-8.
    pub fn read(self, name: &str) -> Result<&'call str> {
        if self.0.is_null() {
            return Err(null(name));
        }
        // SAFETY: the pointer is not NULL, and valid for reads up to a NUL byte, as the type says.
        utf8(unsafe { CStr::from_ptr(self.0) }.to_bytes(), name)
    }
}

impl<'call> From<&'call CStr> for Text<'call> {
    fn from(text: &'call CStr) -> Self {
        Self(text.as_ptr(), PhantomData)
    }
}

/// A string in a structure or an array that C reads: static, or kept by the object that has the structure.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct StringPointer(*const c_char);

// SAFETY: the library never follows the pointer. C does, and what it points at is never changed.
unsafe impl Send for StringPointer {}
// SAFETY: as above: shared access only copies the pointer.
unsafe impl Sync for StringPointer {}

impl StringPointer {
    /// A static string.
    pub(crate) fn to(text: &'static CStr) -> Self {
        Self(text.as_ptr())
    }

    /// A string that is kept beside what points at it; moving it does not move its bytes.
    pub(crate) fn kept(text: CString, strings: &mut Vec<CString>) -> Self {
        let pointer = Self(text.as_ptr());
        strings.push(text);
        pointer
    }

    /// The pointer.
    pub fn as_ptr(self) -> *const c_char {
        self.0
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
    use super::*;

    #[test]
    fn text_of_every_kind() {
        let text = |bytes: *const u8, length: usize| {
            // SAFETY: the bytes below are as long as the tests say, or end with a NUL byte; lengths that no memory
            // has are refused before anything is read.
            unsafe { Array::new(bytes.cast::<c_char>()).text(length, "text") }
        };
        assert_eq!(text(b"hello\0more".as_ptr(), 5).unwrap(), "hello");
        assert_eq!(text(b"hello\0more".as_ptr(), NUL_TERMINATED).unwrap(), "hello");
        assert_eq!(text(b"".as_ptr(), 0).unwrap(), "");
        assert_eq!(text(ptr::null(), 0).unwrap(), "");
        for (bytes, length, message) in [
            (&b"a\0b"[..], 3, "text has a NUL character at byte 1"),
            (b"ab\xff", 3, "text is not UTF-8 at byte 2"),
            (b"\xe0\xa4", 2, "text is not UTF-8 at byte 0"),
            (b"\xed\xa0\x80", 3, "text is not UTF-8 at byte 0"),
            (b"a", usize::MAX - 1, "the length of text is out of range"),
            (b"a", isize::MAX as usize + 1, "the length of text is out of range"),
        ] {
            assert_eq!(text(bytes.as_ptr(), length).unwrap_err().message(), message);
        }
        for length in [1, NUL_TERMINATED] {
            assert_eq!(text(ptr::null(), length).unwrap_err().message(), "text is NULL");
        }
    }

    #[test]
    fn arrays_are_checked() {
        let read = |data: *const u32, count: usize| {
            // SAFETY: as above.
            unsafe { Array::new(data).read(count, "numbers") }
        };
        let numbers = [1_u32, 2, 3];
        assert_eq!(read(numbers.as_ptr(), 3).unwrap(), [1, 2, 3]);
        assert!(read(ptr::null(), 0).unwrap().is_empty());
        let inside = numbers.as_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
        for (data, count, message) in [
            (ptr::null(), 1, "numbers is NULL"),
            (numbers.as_ptr(), usize::MAX / 2, "the length of numbers is out of range"),
            (inside, 2, "numbers is not aligned"),
        ] {
            assert_eq!(read(data, count).unwrap_err().message(), message);
        }
    }

    #[test]
    fn results_are_written_to_outputs() {
        let mut result = 1;
        Output::from(&mut result).required("result").unwrap().write(2);
        Output::NULL.write(4);
        assert_eq!(result, 2);
        let error = Output::<i32>::NULL.required("result").unwrap_err();
        assert_eq!(error.message(), "result is NULL");
    }

    #[test]
    fn two_outputs_may_be_one_place() {
        let mut place = 0;
        // SAFETY: the place outlives both.
        let [first, second] = [&raw mut place; 2].map(|place| unsafe { Output::new(place) });
        first.write(1);
        second.write(2);
        assert_eq!(place, 2);
    }
}

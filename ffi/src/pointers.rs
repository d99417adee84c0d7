//! The pointers that C passes, with their contracts: outputs, arrays and texts. Handles are not
//! pointers: see `handle.rs`.
//!
//! Each type is a pointer in the binary interface. Its lifetime is that of the call, which a
//! function of the header cannot choose, so nothing read through it can be kept:
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
//! Arrays contain numbers, which have no invalid values:
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

/// The length that marks a text ending at its first NUL byte: `SPEECH_NUL_TERMINATED` in C.
pub(crate) const NUL_TERMINATED: usize = usize::MAX;

/// An output: NULL, or a pointer that is valid for writes until the call returns.
#[derive(Debug)]
#[repr(transparent)]
pub struct Output<'call, T>(*mut T, PhantomData<&'call mut T>);

/// An array with a separate length: NULL, or a pointer that is valid for reads of that length until
/// the call returns, while no thread changes it.
#[derive(Debug)]
#[repr(transparent)]
pub struct Array<'call, T>(*const T, PhantomData<&'call T>);

/// A text that ends at its first NUL byte: NULL, or a pointer that is valid for reads up to that
/// byte until the call returns, while no thread changes it.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Text<'call>(*const c_char, PhantomData<&'call CStr>);

impl<T> Output<'_, T> {
    /// No output.
    pub const NULL: Self = Self(ptr::null_mut(), PhantomData);

    /// # Safety
    ///
    /// The pointer satisfies the type's contract for the chosen lifetime.
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
            // SAFETY: the pointer is valid for writes (the type's contract). Its target may be
            // uninitialized, so it is not dropped.
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
    /// The pointer satisfies the type's contract for the chosen lifetime.
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
    /// `count` is the array's length in the header's call, in items.
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
        // SAFETY: the pointer is valid for reads of `count` items (the type's contract). It is not
        // NULL, it is aligned, and the size is at most `isize::MAX`, as checked above. Any bytes
        // are a valid `T`.
        Ok(unsafe { &*self.slice(count) })
    }

    /// The array as a slice pointer.
    pub(crate) fn slice(self, count: usize) -> *const [T] {
        ptr::slice_from_raw_parts(self.0, count)
    }
}

impl<'call> Array<'call, c_char> {
    /// UTF-8 text of a length in bytes, or up to its NUL byte.
    ///
    /// # Errors
    ///
    /// `invalid_request` if it is NULL, is not UTF-8, or contains a NUL character.
    ///
    /// # Safety
    ///
    /// `length` is the text's length in the header's call.
    pub unsafe fn text(self, length: usize, name: &str) -> Result<&'call str> {
        if length == NUL_TERMINATED {
            // The header's call passes a NUL-terminated text.
            return Text(self.0, PhantomData).read(name);
        }
        let bytes = Array(self.0.cast::<u8>(), PhantomData);
        // SAFETY: this function's safety contract, for the same bytes.
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
    /// The pointer satisfies the type's contract for the chosen lifetime.
    pub unsafe fn new(pointer: *const c_char) -> Self {
        Self(pointer, PhantomData)
    }

    /// The text as UTF-8.
    ///
    /// # Errors
    ///
    /// `invalid_request` if it is NULL or is not UTF-8.
    pub fn read(self, name: &str) -> Result<&'call str> {
        if self.0.is_null() {
            return Err(null(name));
        }
        // SAFETY: the pointer is not NULL, and is valid for reads up to a NUL byte (the type's
        // contract).
        utf8(unsafe { CStr::from_ptr(self.0) }.to_bytes(), name)
    }
}

impl<'call> From<&'call CStr> for Text<'call> {
    fn from(text: &'call CStr) -> Self {
        Self(text.as_ptr(), PhantomData)
    }
}

/// A string in a structure or an array that C reads: static, or owned by the object that owns the
/// structure.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct StringPointer(*const c_char);

// SAFETY: the library never dereferences the pointer. C does, and its target never changes.
unsafe impl Send for StringPointer {}
// SAFETY: the library never dereferences the pointer; shared access only copies it.
unsafe impl Sync for StringPointer {}

impl StringPointer {
    /// A static string.
    pub(crate) fn to(text: &'static CStr) -> Self {
        Self(text.as_ptr())
    }

    /// A string stored in `strings`, next to its user; moving it does not move its bytes.
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
            // SAFETY: the bytes below have the given length, or end with a NUL byte; impossible
            // lengths are rejected before anything is read.
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
            // SAFETY: the numbers below have the given length; impossible lengths are rejected
            // before anything is read.
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
        // SAFETY: the variable outlives both outputs.
        let [first, second] = [&raw mut place; 2].map(|place| unsafe { Output::new(place) });
        first.write(1);
        second.write(2);
        assert_eq!(place, 2);
    }
}

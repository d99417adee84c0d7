//! The format of answers, whose fields Java finds by name: the structure of JSON, with numbers
//! and strings encoded for fast reading.
//!
//! A number is `i` or `d` and eight bytes, little-endian. A string is `s`, its UTF-8, and the
//! byte 255, which never occurs in UTF-8. `t`, `f` and `n` are true, false and null. The items of a
//! list or object follow each other without separators. `Fields.java` reads the format.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CharEscape, Formatter};

const END_OF_STRING: u8 = 0xff;

/// Encodes a value as the bytes of an answer.
pub(crate) fn encode(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Binary);
    value.serialize(&mut serializer).expect("strings, numbers and lists always serialize");
    bytes
}

/// A JSON formatter that writes the binary encodings instead of text.
struct Binary;

macro_rules! numbers {
    ($($write:ident $number:ty, $tag:literal $wide:ty;)*) => {$(
        fn $write<W: ?Sized + Write>(&mut self, writer: &mut W, value: $number) -> Result<()> {
            writer.write_all($tag)?;
            writer.write_all(&<$wide>::from(value).to_le_bytes())
        }
    )*};
}

impl Formatter for Binary {
    numbers! {
        write_u8 u8, b"i" i64;
        write_u16 u16, b"i" i64;
        write_u32 u32, b"i" i64;
        write_i32 i32, b"i" i64;
        write_i64 i64, b"i" i64;
        write_f32 f32, b"d" f64;
        write_f64 f64, b"d" f64;
    }

    fn write_u64<W: ?Sized + Write>(&mut self, writer: &mut W, value: u64) -> Result<()> {
        // The counts here are at most those of a text or its audio, far below the limit.
        self.write_i64(writer, value as i64)
    }

    fn write_null<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        writer.write_all(b"n")
    }

    fn write_bool<W: ?Sized + Write>(&mut self, writer: &mut W, value: bool) -> Result<()> {
        writer.write_all(if value { b"t" } else { b"f" })
    }

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        writer.write_all(b"s")
    }

    fn end_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        writer.write_all(&[END_OF_STRING])
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        escaped: CharEscape,
    ) -> Result<()> {
        writer.write_all(&[match escaped {
            CharEscape::Quote => b'"',
            CharEscape::ReverseSolidus => b'\\',
            CharEscape::Solidus => b'/',
            CharEscape::Backspace => 8,
            CharEscape::Tab => b'\t',
            CharEscape::LineFeed => b'\n',
            CharEscape::FormFeed => 12,
            CharEscape::CarriageReturn => b'\r',
            CharEscape::AsciiControl(byte) => byte,
        }])
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, _: &mut W, _first: bool) -> Result<()> {
        Ok(())
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, _: &mut W, _first: bool) -> Result<()> {
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> Result<()> {
        Ok(())
    }
}

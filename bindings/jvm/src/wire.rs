//! The form of answers, whose fields Java finds by their names: JSON, with numbers and strings in a form that is quick to read.
//!
//! Numbers are `i` or `d` before eight bytes, little-endian; a string is `s`, its UTF-8 and the byte 255, which no UTF-8 has; `t`,
//! `f` and `n` are true, false and null. Nothing is between the items of a list, or of an object. `Fields.java` reads it.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CharEscape, Formatter};

const END_OF_STRING: u8 = 0xff;

/// A value as the bytes of an answer.
pub(crate) fn encode(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Binary);
    value.serialize(&mut serializer).expect("strings, numbers and lists always serialize");
    bytes
}

/// What is written in the place of the text of JSON.
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
        // What is counted here is at most a text or its sound, far below the limit.
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

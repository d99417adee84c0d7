//! Converts a book to one audio file with chapter marks, and resumes after an interruption.
//!
//! [`Book::open`] reads EPUB, HTML, Markdown and plain text. [`Audiobook::make`] speaks the book as
//! a batch of `speech-batch`, in rows of some paragraphs, and then writes the file. An interrupted
//! run loses only the rows in progress. The rows, the file and the tables do not depend on the
//! number of interruptions.
//!
//! The input is untrusted. Reading it takes bounded time and memory; the limits are constants of
//! the modules. Names in an archive are never used as paths on the disk.

mod archive;
mod audiobook;
mod book;
mod encode;
mod epub;
mod html;
mod markup;
mod opus;
mod passages;
pub mod subtitles;
mod text;
mod unsure;

pub use audiobook::{Audiobook, ChapterMark, Report, Stage, unsure};
pub use book::{Block, Book, Chapter, Cover};
pub use encode::{Ffmpeg, Format};
pub use unsure::{Reason, Unsure, table};

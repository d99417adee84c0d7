//! Speaks a book into one file with chapter marks, and resumes where it stopped.
//!
//! [`Book::open`] reads EPUB, HTML, Markdown and plain text. [`Audiobook::make`] speaks the book as
//! a batch of
//! `speech-batch`, in rows of some paragraphs, and then writes the file. A run that was interrupted loses the rows that it
//! was speaking. The rows, the file and the tables do not depend on how often it was interrupted.
//!
//! A book may come from anywhere. Reading it takes bounded time and memory, whatever is in it: the
//! limits are constants of the modules. No file that an archive names is written or looked up on
//! the disk.

mod archive;
mod audiobook;
mod book;
mod encode;
mod epub;
mod html;
mod markup;
mod passages;
pub mod subtitles;
mod text;
mod unsure;

pub use audiobook::{Audiobook, ChapterMark, Report, Stage, unsure};
pub use book::{Block, Book, Chapter, Cover};
pub use encode::{Ffmpeg, Format};
pub use unsure::{Reason, Unsure, table};

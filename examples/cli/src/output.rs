//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;

/// The exit status of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The files that are not whole yet.
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn drafts() -> MutexGuard<'static, Vec<PathBuf>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has Ctrl-C, and what else asks the program to end, remove the files that are not whole.
pub(crate) fn remove_drafts_when_interrupted() -> anyhow::Result<()> {
    let end = || {
        // Locked to the end: nothing is renamed or begun any more.
        let drafts = drafts();
        for draft in drafts.iter() {
            let _ = fs::remove_file(draft);
        }
        process::exit(INTERRUPTED)
    };
    ctrlc::set_handler(end).context("cannot handle signals")
}

/// What is written to: a file, which has its name once [`finish`](Self::finish) was called, or something that is no file.
pub(crate) enum Output {
    Stdout(StdoutLock<'static>),
    /// A pipe, a terminal or another device: it has what is written at once.
    Device(File),
    Draft(Draft),
}

/// A file beside the one that it becomes.
pub(crate) struct Draft {
    file: Option<File>,
    path: PathBuf,
    target: PathBuf,
}

impl Output {
    /// Begins to write to a file, or to standard output if there is none.
    pub(crate) fn create(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Stdout(io::stdout().lock())) };
        Self::open(path).with_context(|| format!("cannot write {}", path.display()))
    }

    fn open(path: &Path) -> io::Result<Self> {
        // What a link leads to is written, and not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let permissions = match fs::metadata(&target) {
            Ok(metadata) => {
                // It must be one that may be written, as if it were written in place.
                let file = File::options().write(true).open(&target)?;
                if !metadata.is_file() {
                    return Ok(Self::Device(file));
                }
                Some(metadata.permissions())
            }
            Err(_) => None,
        };
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let path = target.with_file_name(format!(".{name}.{}.partial", process::id()));
        let mut drafts = drafts();
        let file = File::create(&path)?;
        drafts.push(path.clone());
        drop(drafts);
        let draft = Draft { file: Some(file), path, target };
        if let (Some(file), Some(permissions)) = (&draft.file, permissions) {
            file.set_permissions(permissions)?;
        }
        Ok(Self::Draft(draft))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(stdout) => stdout,
            Self::Device(file) => file,
            Self::Draft(draft) => draft.file.as_mut().expect("it is taken at the end only"),
        }
    }

    /// The file, if its start can be written at the end.
    pub(crate) fn seekable(&mut self) -> Option<&mut File> {
        match self {
            Self::Draft(draft) => draft.file.as_mut(),
            Self::Stdout(_) | Self::Device(_) => None,
        }
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.writer().flush()?;
        if let Self::Draft(mut draft) = self {
            draft.file = None;
            let mut drafts = drafts();
            fs::rename(&draft.path, &draft.target)?;
            drafts.retain(|path| *path != draft.path);
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        self.file = None;
        let mut drafts = drafts();
        if let Some(at) = drafts.iter().position(|path| *path == self.path) {
            drafts.remove(at);
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes over the start of a file.
pub(crate) fn rewrite_start(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(bytes)?;
    file.seek(SeekFrom::End(0)).map(drop)
}

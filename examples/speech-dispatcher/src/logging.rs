//! The log, on standard error and, on the server's request, in a file. It never contains the text
//! of a message.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use log::{LevelFilter, Log, Metadata, Record};

struct Logger {
    file: Mutex<Option<File>>,
}

static LOGGER: Logger = Logger { file: Mutex::new(None) };

/// Starts logging. Further calls do nothing.
pub fn start() {
    if log::set_logger(&LOGGER).is_ok() {
        set_level(3);
    }
}

/// Sets the log level in the server's scale: 0 logs nothing, 5 everything.
pub fn set_level(level: u8) {
    log::set_max_level(match level {
        0 => LevelFilter::Off,
        1 => LevelFilter::Error,
        2 | 3 => LevelFilter::Warn,
        4 => LevelFilter::Info,
        _ => LevelFilter::Debug,
    });
}

/// Logs everything to a file as well, or stops doing so.
///
/// # Errors
///
/// The file cannot be created.
pub fn debug_to(path: Option<&Path>) -> io::Result<()> {
    let file = path.map(File::create).transpose()?;
    set_level(if file.is_some() { 5 } else { 3 });
    *LOGGER.file.lock().unwrap_or_else(PoisonError::into_inner) = file;
    Ok(())
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let line = format!("sd_libspeech: {}: {}\n", record.level(), record.args());
        // If nobody reads standard error, that is no reason to stop speaking.
        let _ = io::stderr().write_all(line.as_bytes());
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = file.as_mut() {
            let _ = file.write_all(line.as_bytes());
        }
    }

    fn flush(&self) {}
}

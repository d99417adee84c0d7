//! Output files that are written completely or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, Seek, SeekFrom, StdoutLock, Write};
#[cfg(unix)]
use std::mem::MaybeUninit;
#[cfg(unix)]
use std::os::fd::{BorrowedFd, RawFd};
use std::path::{Path, PathBuf};
use std::process;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(unix)]
use std::{ptr, thread};

use anyhow::{Context, bail};
use same_file::Handle;

/// The name of standard output in errors.
const STDOUT: &str = "standard output";

/// The exit status after Ctrl-C or another termination signal.
const INTERRUPTED: i32 = 130;

/// The files to remove on a termination signal: incomplete outputs, each with its final path, and
/// others with an empty path.
static DRAFTS: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());

fn drafts() -> MutexGuard<'static, Vec<(PathBuf, PathBuf)>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The files read and written so far. No file may be both, or be written twice.
static USED: Mutex<Vec<Handle>> = Mutex::new(Vec::new());

/// The number of outputs created. [`named`] must know whether standard output is the only one.
static OUTPUTS: AtomicUsize = AtomicUsize::new(0);

fn used() -> MutexGuard<'static, Vec<Handle>> {
    USED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Protects an input, if it is a file, from being replaced by an output.
pub(crate) fn keep(input: Handle) -> io::Result<()> {
    if input.as_file().metadata()?.is_file() {
        used().push(input);
    }
    Ok(())
}

/// Registers an output, and rejects a file that is already in use. A terminal and `/dev/null` may
/// be written twice.
fn claim(output: Handle) -> io::Result<()> {
    if is_shared(output.as_file())? {
        return Ok(());
    }
    let mut used = used();
    if used.contains(&output) {
        return Err(in_use());
    }
    used.push(output);
    Ok(())
}

#[cfg(unix)]
fn is_shared(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::FileTypeExt::is_char_device(&file.metadata()?.file_type()))
}

#[cfg(not(unix))]
fn is_shared(file: &File) -> io::Result<bool> {
    Ok(!file.metadata()?.is_file())
}

fn in_use() -> io::Error {
    io::Error::other("it is also an input or another output")
}

/// Removes incomplete files on Ctrl-C and other termination signals.
pub(crate) fn remove_drafts_when_interrupted() -> anyhow::Result<()> {
    let end = || {
        // Keep the lock to the end, so that no file is renamed or created any more.
        let drafts = drafts();
        for (draft, _) in drafts.iter() {
            let _ = fs::remove_file(draft);
        }
        process::exit(INTERRUPTED)
    };
    when_asked_to_end(end).context("cannot handle signals")
}

/// Adds a file to those that [`remove_drafts_when_interrupted`] removes.
pub(crate) fn remove_when_interrupted(file: &Path) {
    drafts().push((file.to_owned(), PathBuf::new()));
}

/// Calls a function when the program receives Ctrl-C or another termination signal.
#[cfg(unix)]
pub(crate) fn when_asked_to_end(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
        SIGXFSZ,
    };
    // With the signal ignored, a file over the limit of `ulimit -f` is a write error.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    let ending =
        [SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU];
    let caught = ending.iter().filter(|signal| !is_ignored(**signal));
    let mut signals = signal_hook::iterator::Signals::new(caught)?;
    thread::spawn(move || signals.forever().next().map(|_| end()));
    Ok(())
}

/// Whether a signal is ignored, as for programs started by `nohup`, and for background jobs of
/// shells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is set, and `action` has room for the result; all zeros are a valid value.
    let action = unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

#[cfg(not(unix))]
pub(crate) fn when_asked_to_end(end: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(end)
}

/// An output. Its errors name it.
pub(crate) struct Output {
    name: String,
    place: Place,
}

/// A file, which gets its name in [`finish`](Output::finish), or a device.
enum Place {
    Stdout(StdoutLock<'static>),
    /// A pipe, a terminal or another device: written directly.
    Device(Box<dyn Write + Send>),
    Draft(Draft),
}

/// A temporary file next to its final path.
struct Draft {
    file: Option<File>,
    path: PathBuf,
    target: PathBuf,
}

impl Output {
    /// Starts writing to a file, or to standard output if there is no path.
    pub(crate) fn create(path: Option<&Path>) -> anyhow::Result<Self> {
        OUTPUTS.fetch_add(1, Ordering::Relaxed);
        let descriptor = path.and_then(descriptor);
        let Some(path) = path.filter(|_| descriptor != Some(1)) else {
            // Without a standard output, everything written to it is lost.
            if let Ok(stdout) = Handle::stdout() {
                let claimed = check_writable(stdout.as_file()).and_then(|()| claim(stdout));
                claimed.with_context(|| format!("cannot write {STDOUT}"))?;
            }
            let place = Place::Stdout(io::stdout().lock());
            return Ok(Self { name: STDOUT.to_owned(), place });
        };
        let name = path.display().to_string();
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            bail!("cannot write {name}: it names a folder");
        }
        if name == "-" {
            bail!("only -o accepts - for standard output; write ./- for a file of this name");
        }
        let place = match descriptor {
            Some(descriptor) => Place::of_descriptor(descriptor),
            None => Place::open(path),
        };
        let place = place.with_context(|| format!("cannot write {name}"))?;
        Ok(Self { name, place })
    }

    /// An output to an open writer.
    pub(crate) fn to(name: &str, writer: Box<dyn Write + Send>) -> Self {
        OUTPUTS.fetch_add(1, Ordering::Relaxed);
        Self { name: name.to_owned(), place: Place::Device(writer) }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.place {
            Place::Stdout(stdout) => stdout,
            Place::Device(writer) => writer,
            Place::Draft(draft) => draft.file.as_mut().expect("it is taken at the end only"),
        }
    }

    /// The file, if its start can be rewritten at the end.
    pub(crate) fn seekable(&mut self) -> Option<&mut File> {
        match &mut self.place {
            Place::Draft(draft) => draft.file.as_mut(),
            Place::Stdout(_) | Place::Device(_) => None,
        }
    }

    /// Gives the file its final name.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let Self { name, place } = self;
        if let Place::Draft(mut draft) = place {
            draft.file = None;
            draft.become_target().map_err(|error| named(&name, &error))?;
        }
        Ok(())
    }
}

impl Draft {
    fn become_target(&self) -> io::Result<()> {
        let mut drafts = drafts();
        let Err(refused) = fs::rename(&self.path, &self.target) else {
            drafts.retain(|(path, _)| *path != self.path);
            return Ok(());
        };
        // A file that is a mount point, or another user's file in a folder like /tmp, can be
        // written but not replaced.
        let target = File::options().write(true).open(&self.target);
        let (mut target, mut draft) = (target.map_err(|_| refused)?, File::open(&self.path)?);
        let length = draft.metadata()?.len();
        reserve(&target, length)?;
        // From here on the draft may be the only complete file.
        drafts.retain(|(path, _)| *path != self.path);
        let written = io::copy(&mut draft, &mut target).and_then(|_| target.set_len(length));
        written.map_err(|error| {
            let message = format!("{error}; a complete copy is in {}", self.path.display());
            io::Error::new(error.kind(), message)
        })?;
        fs::remove_file(&self.path)
    }
}

/// Reserves disk space before any of the file is overwritten.
#[cfg(target_os = "linux")]
fn reserve(file: &File, length: u64) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let length = length.try_into().map_err(io::Error::other)?;
    // SAFETY: the descriptor belongs to a file that is open during the call.
    let code = unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, length) };
    match code {
        libc::ENOSPC | libc::EFBIG | libc::EDQUOT => Err(io::Error::from_raw_os_error(code)),
        // Other errors mean that the file system cannot reserve space.
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

/// Rejects a read-only file: std reports writes to such a standard output as successful.
#[cfg(unix)]
fn check_writable(file: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor belongs to a file that is open during the call.
    let flags = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETFL) };
    let is_read = flags >= 0 && flags & libc::O_ACCMODE == libc::O_RDONLY;
    if is_read { Err(io::Error::from_raw_os_error(libc::EBADF)) } else { Ok(()) }
}

#[cfg(not(unix))]
fn check_writable(_: &File) -> io::Result<()> {
    Ok(())
}

fn named(name: &str, error: &io::Error) -> io::Error {
    // If standard output is the only output, a closed reader has read all it wanted; otherwise
    // something is missing.
    let is_all = name == STDOUT && OUTPUTS.load(Ordering::Relaxed) == 1;
    let kind = match error.kind() {
        io::ErrorKind::BrokenPipe if !is_all => io::ErrorKind::Other,
        kind => kind,
    };
    io::Error::new(kind, format!("cannot write {name}: {error}"))
}

impl Place {
    /// An output to a descriptor that the program inherited. Other programs may write to its file
    /// too, so that is written in place.
    #[cfg(unix)]
    fn of_descriptor(descriptor: RawFd) -> io::Result<Self> {
        // SAFETY: this only checks a number, whether or not it is open.
        let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFD) };
        if flags < 0 {
            return Err(io::Error::last_os_error());
        }
        // Inherited descriptors lack the close-on-exec flag; those opened by this program have it.
        if flags & libc::FD_CLOEXEC != 0 {
            return Err(io::Error::other("this program did not inherit the file descriptor"));
        }
        // SAFETY: the descriptor is open, and is borrowed for one system call.
        let file = unsafe { BorrowedFd::borrow_raw(descriptor) };
        let file = File::from(file.try_clone_to_owned()?);
        claim(Handle::from_file(file.try_clone()?)?)?;
        Ok(Self::Device(Box::new(file)))
    }

    #[cfg(not(unix))]
    fn of_descriptor(_: i32) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open(path: &Path) -> io::Result<Self> {
        let target = followed(path);
        let permissions = match fs::metadata(&target) {
            Ok(metadata) => {
                // The target must be writable, as if it were written in place.
                let file = File::options().write(true).open(&target)?;
                claim(Handle::from_file(file.try_clone()?)?)?;
                // If the path is still a link, it leads to an open file that no longer has a name.
                if !metadata.is_file() || fs::symlink_metadata(&target)?.is_symlink() {
                    return Ok(Self::Device(Box::new(file)));
                }
                Some(plain(metadata.permissions()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut drafts = drafts();
        if drafts.iter().any(|(_, other)| *other == target) {
            return Err(in_use());
        }
        let mut draft = tempfile::Builder::new();
        draft.prefix(".speech-").suffix(".partial");
        // With the permissions of a new file; a temporary file has others.
        let draft = draft.make_in(target.with_file_name(""), |path| File::create_new(path))?;
        let (file, path) = draft.keep()?;
        drafts.push((path.clone(), target.clone()));
        drop(drafts);
        let draft = Draft { file: Some(file), path, target };
        if let (Some(file), Some(permissions)) = (&draft.file, permissions) {
            file.set_permissions(permissions)?;
        }
        Ok(Self::Draft(draft))
    }
}

/// The descriptor that a path such as `/dev/stderr` or `/dev/fd/3` leads to. Opening the path would
/// start at the beginning of the file, and replacing the file would take it away from its other
/// writers.
fn descriptor(path: &Path) -> Option<i32> {
    let own = ["/proc/self/fd", "/proc/thread-self/fd", "/dev/fd"].map(fs::canonicalize);
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        let name = path.file_name()?;
        if own.iter().flatten().any(|own| *own == folder) {
            let descriptor =
                name.to_str()?.parse().ok().filter(|descriptor: &i32| *descriptor >= 0)?;
            return (name == descriptor.to_string().as_str()).then_some(descriptor);
        }
        let link = fs::read_link(folder.join(name)).ok()?;
        path = folder.join(link);
    }
    None
}

/// Permissions without the setuid and setgid bits.
#[cfg(unix)]
fn plain(permissions: Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    PermissionsExt::from_mode(permissions.mode() & 0o777)
}

#[cfg(not(unix))]
fn plain(permissions: Permissions) -> Permissions {
    permissions
}

/// The number of links that Linux follows.
const LINKS: usize = 40;

/// The target of links, which is written instead of the link. It need not exist.
fn followed(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(target) = fs::canonicalize(&target) {
            return target;
        }
        match fs::read_link(&target) {
            Ok(link) if fs::metadata(&target).is_err() => {
                target = target.with_file_name("").join(link);
            }
            // Nothing yet, or a pipe that is identified by a number.
            _ => break,
        }
    }
    // Resolve the folder, so that two names of one file are equal.
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (fs::canonicalize(folder.unwrap_or(Path::new("."))), target.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => target,
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes).map_err(|error| named(&self.name, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush().map_err(|error| named(&self.name, &error))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        self.file = None;
        let mut drafts = drafts();
        if let Some(at) = drafts.iter().position(|(path, _)| *path == self.path) {
            drafts.remove(at);
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Overwrites the start of a file.
pub(crate) fn rewrite_start(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(bytes)?;
    file.seek(SeekFrom::End(0)).map(drop)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Renaming between file systems is not possible.
    #[test]
    fn a_file_that_cannot_be_replaced_is_overwritten_if_there_is_room_for_all_of_it() {
        let (here, there) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir_in("/dev/shm").unwrap());
        let (path, target) = (here.path().join("draft"), there.path().join("target"));
        let draft = Draft { file: None, path, target };
        fs::write(&draft.path, "new").unwrap();
        fs::write(&draft.target, "what is replaced").unwrap();
        draft.become_target().unwrap();
        assert_eq!(fs::read_to_string(&draft.target).unwrap(), "new");
        assert!(!draft.path.exists());
        File::create(&draft.path).unwrap().set_len(1 << 40).unwrap();
        let error = draft.become_target().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_to_string(&draft.target).unwrap(), "new");
    }
}

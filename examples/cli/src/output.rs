//! Files that are written whole or not at all.

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

/// How standard output is called in errors.
const STDOUT: &str = "standard output";

/// The exit status of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The files that are not whole yet, each with the one that it becomes.
static DRAFTS: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());

fn drafts() -> MutexGuard<'static, Vec<(PathBuf, PathBuf)>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is read and written, as long as the program runs. Nothing is both, and nothing is written twice.
static USED: Mutex<Vec<Handle>> = Mutex::new(Vec::new());

/// How many outputs were begun.
static OUTPUTS: AtomicUsize = AtomicUsize::new(0);

fn used() -> MutexGuard<'static, Vec<Handle>> {
    USED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps outputs from replacing an input, if that is a file.
pub(crate) fn keep(input: Handle) -> io::Result<()> {
    if input.as_file().metadata()?.is_file() {
        used().push(input);
    }
    Ok(())
}

/// Takes something to be written. A terminal and `/dev/null` may be written twice.
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
    io::Error::other("it is an input or another output too")
}

/// Has Ctrl-C, and the other signals by which a program is asked to end, remove the files that are not whole.
pub(crate) fn remove_drafts_when_interrupted() -> anyhow::Result<()> {
    let end = || {
        // Locked to the end: nothing is renamed or begun any more.
        let drafts = drafts();
        for (draft, _) in drafts.iter() {
            let _ = fs::remove_file(draft);
        }
        process::exit(INTERRUPTED)
    };
    when_asked_to_end(end).context("cannot handle signals")
}

/// Runs something once the program is asked to end, by Ctrl-C or another signal.
#[cfg(unix)]
pub(crate) fn when_asked_to_end(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
        SIGXFSZ,
    };
    // A file over the limit of `ulimit -f` is an error of the write then.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    let ending =
        [SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU];
    let caught = ending.iter().filter(|signal| !is_ignored(**signal));
    let mut signals = signal_hook::iterator::Signals::new(caught)?;
    thread::spawn(move || signals.forever().next().map(|_| end()));
    Ok(())
}

/// Whether a signal does nothing here: `nohup` starts programs so, and a shell those in the background.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is set, and `action` has room for what is told; zeros are one too.
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

/// What is written to. Its errors name it.
pub(crate) struct Output {
    name: String,
    place: Place,
}

/// A file, which has its name once [`finish`](Output::finish) was called, or something that is no file.
enum Place {
    Stdout(StdoutLock<'static>),
    /// A pipe, a terminal or another device: it has what is written at once.
    Device(File),
    Draft(Draft),
}

/// A file beside the one that it becomes.
struct Draft {
    file: Option<File>,
    path: PathBuf,
    target: PathBuf,
}

impl Output {
    /// Begins to write to a file, or to standard output if there is none.
    pub(crate) fn create(path: Option<&Path>) -> anyhow::Result<Self> {
        OUTPUTS.fetch_add(1, Ordering::Relaxed);
        let descriptor = path.and_then(descriptor);
        let Some(path) = path.filter(|_| descriptor != Some(1)) else {
            // Where there is none, what is written to it is lost.
            if let Ok(stdout) = Handle::stdout() {
                let claimed = check_writable(stdout.as_file()).and_then(|()| claim(stdout));
                claimed.with_context(|| format!("cannot write {STDOUT}"))?;
            }
            let place = Place::Stdout(io::stdout().lock());
            return Ok(Self { name: STDOUT.to_owned(), place });
        };
        let name = path.display().to_string();
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            bail!("cannot write {name}: it is the name of a folder");
        }
        if name == "-" {
            bail!("only -o can be standard output; a file of the name - is ./-");
        }
        let place = match descriptor {
            Some(descriptor) => Place::of_descriptor(descriptor),
            None => Place::open(path),
        };
        let place = place.with_context(|| format!("cannot write {name}"))?;
        Ok(Self { name, place })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.place {
            Place::Stdout(stdout) => stdout,
            Place::Device(file) => file,
            Place::Draft(draft) => draft.file.as_mut().expect("it is taken at the end only"),
        }
    }

    /// The file, if its start can be written at the end.
    pub(crate) fn seekable(&mut self) -> Option<&mut File> {
        match &mut self.place {
            Place::Draft(draft) => draft.file.as_mut(),
            Place::Stdout(_) | Place::Device(_) => None,
        }
    }

    /// Gives the file its name.
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
        // A file that is mounted by itself, or another user's in a folder like /tmp, may be written but not replaced.
        let target = File::options().write(true).open(&self.target);
        let (mut target, mut draft) = (target.map_err(|_| refused)?, File::open(&self.path)?);
        let length = draft.metadata()?.len();
        reserve(&target, length)?;
        // From here on the draft may be the only whole file.
        drafts.retain(|(path, _)| *path != self.path);
        let written = io::copy(&mut draft, &mut target).and_then(|_| target.set_len(length));
        written.map_err(|error| {
            let message = format!("{error}; the whole of it is in {}", self.path.display());
            io::Error::new(error.kind(), message)
        })?;
        fs::remove_file(&self.path)
    }
}

/// Takes room for a file before any of it is overwritten.
#[cfg(target_os = "linux")]
fn reserve(file: &File, length: u64) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let length = length.try_into().map_err(io::Error::other)?;
    // SAFETY: the descriptor is that of a file that lives for the call.
    let code = unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, length) };
    match code {
        libc::ENOSPC | libc::EFBIG | libc::EDQUOT => Err(io::Error::from_raw_os_error(code)),
        // Others say that the file system cannot tell.
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

/// Refuses what was opened to be read: the standard library takes what is written to such a standard output for written.
#[cfg(unix)]
fn check_writable(file: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is that of a file that lives for the call.
    let flags = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETFL) };
    let is_read = flags >= 0 && flags & libc::O_ACCMODE == libc::O_RDONLY;
    if is_read { Err(io::Error::from_raw_os_error(libc::EBADF)) } else { Ok(()) }
}

#[cfg(not(unix))]
fn check_writable(_: &File) -> io::Result<()> {
    Ok(())
}

fn named(name: &str, error: &io::Error) -> io::Error {
    // Who has read enough of standard output has all that was wanted: of another output, something is missing.
    let is_all = name == STDOUT && OUTPUTS.load(Ordering::Relaxed) == 1;
    let kind = match error.kind() {
        io::ErrorKind::BrokenPipe if !is_all => io::ErrorKind::Other,
        kind => kind,
    };
    io::Error::new(kind, format!("cannot write {name}: {error}"))
}

impl Place {
    /// A file that the program was started with, which others may write to as well: it is written where it stands.
    #[cfg(unix)]
    fn of_descriptor(descriptor: RawFd) -> io::Result<Self> {
        // SAFETY: this looks at a number, whether or not it is open.
        let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFD) };
        if flags < 0 {
            return Err(io::Error::last_os_error());
        }
        // What a program was started with stays open for those that it starts; what this one has opened does not.
        if flags & libc::FD_CLOEXEC != 0 {
            return Err(io::Error::other("the program was not started with it"));
        }
        // SAFETY: it is open, and borrowed for a system call.
        let file = unsafe { BorrowedFd::borrow_raw(descriptor) };
        let file = File::from(file.try_clone_to_owned()?);
        claim(Handle::from_file(file.try_clone()?)?)?;
        Ok(Self::Device(file))
    }

    #[cfg(not(unix))]
    fn of_descriptor(_: i32) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open(path: &Path) -> io::Result<Self> {
        let target = followed(path);
        let permissions = match fs::metadata(&target) {
            Ok(metadata) => {
                // It must be one that may be written, as if it were written in place.
                let file = File::options().write(true).open(&target)?;
                claim(Handle::from_file(file.try_clone()?)?)?;
                // A link that is still one leads to an open file that has no name any more.
                if !metadata.is_file() || fs::symlink_metadata(&target)?.is_symlink() {
                    return Ok(Self::Device(file));
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
        // With the permissions of any new file, which a temporary one has not.
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

/// The descriptor that a path leads to, such as `/dev/stderr` or `/dev/fd/3`. To open that once more would begin at the start of a
/// file, and to replace the file would take it from whoever writes to it.
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

/// Permissions without those that give whoever runs a file those of its owner.
#[cfg(unix)]
fn plain(permissions: Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    PermissionsExt::from_mode(permissions.mode() & 0o777)
}

#[cfg(not(unix))]
fn plain(permissions: Permissions) -> Permissions {
    permissions
}

/// So many links Linux follows.
const LINKS: usize = 40;

/// What links lead to, which is written and not the link. It need not exist.
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
            // Nothing yet, or a pipe that is known by a number.
            _ => break,
        }
    }
    // By the name of the folder that is its own, so that two names of one file are the same.
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

/// Writes over the start of a file.
pub(crate) fn rewrite_start(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(bytes)?;
    file.seek(SeekFrom::End(0)).map(drop)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Between two file systems nothing is renamed.
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

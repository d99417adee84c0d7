//! Lexicons of accounts: files that the operator keeps, and that requests name.
//!
//! The files of one account are `DIR/<account>/<name>.pls` and `.tsv`; those in `DIR/_all/` are for
//! all accounts. The service reads a file again when it changes. If a file cannot be read, the log
//! has the error with its line, and the earlier content stays. Replicas with the same files behave
//! the same.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use speech_core::{Error, ErrorKind, Lexicon, MAX_LEXICON_ENTRIES, Request, Result};

use crate::keys::Account;
use crate::text_file;

/// The interval between two checks of the files.
const POLL: Duration = Duration::from_secs(1);

/// The folder of the lexicons for every request.
const ALL: &str = "_all";

/// The most lexicons that a request may name.
const MAX_NAMED: usize = 8;

/// The longest name of a lexicon, in bytes.
const MAX_NAME: usize = 64;

/// The fewest digits of a digest that pin a version, and the digits in the record.
const DIGITS: usize = 6;
const RECORDED_DIGITS: usize = 12;

/// The current lexicons.
#[derive(Debug, Default)]
pub(crate) struct Lexicons {
    /// None if the service has no lexicons.
    folder: Option<PathBuf>,
    known: RwLock<Arc<Folders>>,
    /// The files that were read.
    files: Mutex<BTreeMap<PathBuf, ReadFile>>,
    /// The folders of accounts that could not be listed.
    unreadable: Mutex<Vec<PathBuf>>,
}

/// The lexicons of each account, in the order of their names.
type Folders = HashMap<String, BTreeMap<String, Stored>>;

#[derive(Clone, Debug)]
struct Stored {
    lexicon: Arc<Lexicon>,
    /// The SHA-256 of the file in hexadecimal.
    digest: Arc<str>,
}

#[derive(Clone, Debug)]
struct ReadFile {
    account: String,
    name: String,
    version: Version,
    /// None for a file that could never be read.
    stored: Option<Stored>,
}

/// The version of a file: its length, its times and its inode. A changed file has another version.
#[derive(Clone, Debug, PartialEq)]
struct Version(u64, Option<SystemTime>, [i64; 3]);

/// The lexicons of a request, in the order in which they are searched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    lexicons: Vec<Arc<Lexicon>>,
    /// Their names and versions, such as `drugs@3f2a91c04d7e`.
    names: Vec<String>,
}

impl Chosen {
    /// Adds the lexicons to a request.
    pub(crate) fn add_to(&self, request: Request) -> Request {
        self.lexicons.iter().fold(request, |request, lexicon| request.lexicon(Arc::clone(lexicon)))
    }

    /// The names and versions for the record; none if there are no lexicons.
    pub(crate) fn recorded(&self) -> Option<String> {
        (!self.names.is_empty()).then(|| self.names.join(" "))
    }

    fn push(&mut self, name: &str, Stored { lexicon, digest }: &Stored) {
        self.lexicons.push(Arc::clone(lexicon));
        self.names.push(format!("{name}@{}", &digest[..RECORDED_DIGITS]));
    }
}

/// The field `lexicons` of a body, which is JSON.
///
/// # Errors
///
/// `invalid_request` if it is not a list of strings.
pub(crate) fn names(json: &[u8]) -> Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Body {
        #[serde(default)]
        lexicons: Vec<String>,
    }
    // The body is valid JSON, so only this field can be wrong. The parser's message would quote it.
    let body = serde_json::from_slice::<Body>(json);
    body.map(|body| body.lexicons).map_err(|_| refused("lexicons must be a list of names"))
}

impl Lexicons {
    /// Reads the files of a folder, if there is one.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed. A file that cannot be read is logged.
    pub(crate) fn read(folder: Option<PathBuf>) -> anyhow::Result<Self> {
        let lexicons = Self { folder, ..Self::default() };
        lexicons.reload()?;
        Ok(lexicons)
    }

    /// The lexicons of a request: those that it names, then those for all accounts. A name is that
    /// of a lexicon of the account, or else of one for all. `@` and at least six digits of the
    /// SHA-256 after a name pin the version.
    ///
    /// # Errors
    ///
    /// `not_found` for an unknown lexicon or version; `invalid_request` for more than eight.
    pub(crate) fn choose(&self, account: &Account, names: &[String]) -> Result<Chosen> {
        if names.len() > MAX_NAMED {
            return Err(refused(format!("a request may name at most {MAX_NAMED} lexicons")));
        }
        let known = Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner));
        let (own, all) = (known.get(&*account.0), known.get(ALL));
        let mut chosen = Chosen::default();
        for (number, name) in (1..).zip(names) {
            let (name, digits) = name.split_once('@').unwrap_or((name, ""));
            let found = own.and_then(|own| own.get(name)).or_else(|| all?.get(name));
            let is_pinned = !digits.is_empty();
            let missing = |what| {
                let message = format!("lexicons: entry {number} names an unknown {what}");
                Error::new(ErrorKind::NotFound, message)
            };
            let found = found.ok_or_else(|| missing("lexicon"))?;
            if is_pinned && (digits.len() < DIGITS || !found.digest.starts_with(digits)) {
                return Err(missing("version"));
            }
            chosen.push(name, found);
        }
        for (name, stored) in all.into_iter().flatten() {
            chosen.push(name, stored);
        }
        Ok(chosen)
    }

    /// Reads the files again whenever they change.
    pub(crate) async fn follow(self: Arc<Self>) {
        if self.folder.is_none() {
            return;
        }
        let mut failed = false;
        loop {
            tokio::time::sleep(POLL).await;
            let lexicons = Arc::clone(&self);
            let reloaded = tokio::task::spawn_blocking(move || lexicons.reload()).await;
            match reloaded {
                Ok(Ok(0)) => failed = false,
                Ok(Ok(changed)) => tracing::info!(changed, "reloaded the lexicons"),
                Ok(Err(error)) if !failed => {
                    failed = true;
                    tracing::error!(
                        "cannot reload the lexicons, so the previous ones stay: {error:#}"
                    );
                }
                _ => {}
            }
        }
    }

    /// Reads the files that have changed, and returns their number.
    fn reload(&self) -> anyhow::Result<usize> {
        let Some(folder) = &self.folder else { return Ok(0) };
        let context = || folder.display().to_string();
        let found = files(folder).with_context(context)?;
        Ok(self.take(found))
    }

    /// Reads those of the given files that have changed. Lexicons in folders that could not be
    /// listed stay.
    fn take(&self, Found { files: found, unreadable }: Found) -> usize {
        let mut known_unreadable = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        for (path, error) in &unreadable {
            if !known_unreadable.contains(path) {
                tracing::error!("cannot list {}, so its lexicons stay: {error}", path.display());
            }
        }
        *known_unreadable = unreadable.into_iter().map(|(path, _)| path).collect();
        let is_unreadable = |path: &Path| known_unreadable.iter().any(|it| path.starts_with(it));
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let before = files.len();
        files.retain(|path, _| is_unreadable(path) || found.iter().any(|it| it.path == *path));
        let mut changed = before - files.len();
        let mut known = Folders::new();
        for (_, ReadFile { account, name, stored, .. }) in
            files.iter().filter(|(path, _)| is_unreadable(path))
        {
            if let Some(stored) = stored {
                known.entry(account.clone()).or_default().insert(name.clone(), stored.clone());
            }
        }
        for File { account, name, path, version } in found {
            let old = files.get(&path);
            let stored = match old {
                Some(old) if old.version == version => old.stored.clone(),
                _ => {
                    changed += 1;
                    let read = read(&path).inspect_err(|error| {
                        tracing::error!(
                            "cannot read {}, so its old version stays: {error:#}",
                            path.display()
                        );
                    });
                    read.ok().or_else(|| old?.stored.clone())
                }
            };
            if let Some(stored) = &stored {
                known.entry(account.clone()).or_default().insert(name.clone(), stored.clone());
            }
            files.insert(path, ReadFile { account, name, version, stored });
        }
        if changed > 0 {
            *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
        }
        changed
    }
}

/// A file of a lexicon.
struct File {
    account: String,
    name: String,
    path: PathBuf,
    version: Version,
}

/// The files of all accounts, in order.
struct Found {
    files: Vec<File>,
    /// The folders of accounts that cannot be listed, and why.
    unreadable: Vec<(PathBuf, io::Error)>,
}

/// The files of all accounts. Skips other files, and those whose names no request can have.
fn files(folder: &Path) -> io::Result<Found> {
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    for of_account in fs::read_dir(folder)? {
        let of_account = of_account?;
        let (Ok(account), true) =
            (of_account.file_name().into_string(), of_account.path().is_dir())
        else {
            continue;
        };
        let listed = fs::read_dir(of_account.path()).and_then(Iterator::collect);
        let listed: Vec<fs::DirEntry> = match listed {
            Ok(listed) => listed,
            Err(error) => {
                unreadable.push((of_account.path(), error));
                continue;
            }
        };
        for file in listed {
            let path = file.path();
            let of = |part: Option<&OsStr>| Some(part?.to_str()?.to_owned());
            let (Some(name), Some(extension)) = (of(path.file_stem()), of(path.extension())) else {
                continue;
            };
            // A file that was removed meanwhile is skipped.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if matches!(&*extension, "pls" | "tsv") && is_name(&name) && metadata.is_file() {
                let (account, version) = (account.clone(), Version::of(&metadata));
                files.push(File { account, name, path, version });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Found { files, unreadable })
}

fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    name.len() <= MAX_NAME && !name.starts_with('.') && name.chars().all(allowed)
}

fn read(path: &Path) -> anyhow::Result<Stored> {
    let text = text_file::read(path)?;
    let is_pls = path.extension().is_some_and(|extension| extension == "pls");
    let lexicon = if is_pls { Lexicon::from_pls(&text)? } else { Lexicon::parse(&text)? };
    if lexicon.len() > MAX_LEXICON_ENTRIES {
        bail!("it has more than {MAX_LEXICON_ENTRIES} entries");
    }
    let digest: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Stored { lexicon: Arc::new(lexicon), digest: digest.into() })
}

impl Version {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            [metadata.ino().cast_signed(), metadata.ctime(), metadata.ctime_nsec()]
        };
        #[cfg(not(unix))]
        let identity = [0; 3];
        Self(metadata.len(), metadata.modified().ok(), identity)
    }
}

fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidRequest, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLS: &str = "<lexicon version='1.0' xml:lang='en'>\
                       <lexeme><grapheme>a</grapheme><alias>b</alias></lexeme></lexicon>";

    fn write(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn account(name: &str) -> Account {
        Account(name.into())
    }

    /// The names of the lexicons of a request without their versions, or the kind of the error.
    fn chosen(lexicons: &Lexicons, of: &str, names: &[&str]) -> Result<String, ErrorKind> {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let chosen = lexicons.choose(&account(of), &names).map_err(|error| error.kind())?;
        assert_eq!(chosen.lexicons.len(), chosen.names.len());
        let names = chosen.names.iter().map(|name| name.split('@').next().unwrap());
        Ok(names.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn accounts_have_their_own_and_those_of_all() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("one/drugs.pls", PLS),
            ("one/names.tsv", "a\tb\n"),
            ("one/notes.txt", "none"),
            ("one/.hidden.tsv", "a\tb"),
            ("two/drugs.tsv", "c\td\n"),
            ("_all/brands.tsv", "e\tf\n"),
            ("_all/another.tsv", ""),
            ("loose.tsv", "a\tb"),
        ] {
            write(dir.path(), name, text);
        }
        let lexicons = Lexicons::read(Some(dir.path().into())).unwrap();
        let chosen = |of, names: &[&str]| chosen(&lexicons, of, names);
        assert_eq!(chosen("one", &[]).unwrap(), "another brands");
        assert_eq!(chosen("one", &["names", "drugs"]).unwrap(), "names drugs another brands");
        assert_eq!(chosen("three", &["brands"]).unwrap(), "brands another brands");
        for (of, name) in [
            ("two", "names"),
            ("three", "drugs"),
            ("one", "notes"),
            ("one", ".hidden"),
            ("one", "../two/drugs"),
            ("one", ""),
        ] {
            assert_eq!(chosen(of, &[name]), Err(ErrorKind::NotFound), "{of}: {name}");
        }
        assert_eq!(chosen("one", &["names"; 9]), Err(ErrorKind::InvalidRequest));

        let digest: String = Sha256::digest(PLS).iter().map(|byte| format!("{byte:02x}")).collect();
        let of = |name: String| lexicons.choose(&account("one"), &[name]);
        for digits in [6, 20, 64] {
            let chosen = of(format!("drugs@{}", &digest[..digits])).unwrap();
            let recorded = chosen.recorded().unwrap();
            assert!(recorded.starts_with(&format!("drugs@{} ", &digest[..12])), "{recorded}");
        }
        for digits in ["3f2a91", &digest[..5], &format!("{digest}0"), &digest[1..9]] {
            let missing = of(format!("drugs@{digits}")).unwrap_err();
            assert_eq!(missing.kind(), ErrorKind::NotFound);
            assert_eq!(missing.message(), "lexicons: entry 1 names an unknown version");
        }
        assert_eq!(
            Lexicons::read(None).unwrap().choose(&account("a"), &[]).unwrap().recorded(),
            None
        );
        assert!(Lexicons::read(Some(dir.path().join("none"))).is_err());
    }

    #[test]
    fn files_are_read_again_and_broken_ones_change_nothing() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "one/names.tsv", "a\tb\n");
        write(dir.path(), "one/broken.tsv", "none");
        let lexicons = Lexicons::read(Some(dir.path().into())).unwrap();
        let entries = |name: &str| {
            let chosen = lexicons.choose(&account("one"), &[name.to_owned()]);
            chosen.map(|chosen| chosen.lexicons[0].len()).map_err(|error| error.kind())
        };
        assert_eq!((entries("names"), entries("broken")), (Ok(1), Err(ErrorKind::NotFound)));
        assert_eq!(lexicons.reload().unwrap(), 0);
        write(dir.path(), "one/names.tsv", "a\tb\nc\td\n");
        assert_eq!((lexicons.reload().unwrap(), entries("names")), (1, Ok(2)));
        write(dir.path(), "one/names.tsv", "a\tb\nc\td\ne\n");
        assert_eq!((lexicons.reload().unwrap(), entries("names")), (1, Ok(2)));
        assert_eq!(lexicons.reload().unwrap(), 0, "it is reported once");
        write(dir.path(), "one/broken.tsv", "a\tb\n");
        assert_eq!((lexicons.reload().unwrap(), entries("broken")), (1, Ok(1)));
        fs::remove_file(dir.path().join("one/names.tsv")).unwrap();
        assert_eq!((lexicons.reload().unwrap(), entries("names")), (1, Err(ErrorKind::NotFound)));
        fs::remove_dir_all(dir.path()).unwrap();
        assert!(lexicons.reload().is_err());
        assert_eq!(entries("broken"), Ok(1));
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_as_before_and_stops_no_other() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "one/names.tsv", "a\tb\n");
        write(dir.path(), "two/names.tsv", "a\tb\n");
        let lexicons = Lexicons::read(Some(dir.path().into())).unwrap();
        write(dir.path(), "two/names.tsv", "a\tb\nc\td\n");
        let mut found = files(dir.path()).unwrap();
        found.files.retain(|file| file.account != "one");
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        found.unreadable.push((dir.path().join("one"), denied));
        assert_eq!(lexicons.take(found), 1);
        for (of, entries) in [("one", 1), ("two", 2)] {
            let chosen = lexicons.choose(&account(of), &["names".into()]).unwrap();
            assert_eq!(chosen.lexicons[0].len(), entries, "{of}");
        }
    }

    /// In Kubernetes, volumes are links to folders that are replaced.
    #[cfg(unix)]
    #[test]
    fn a_replacement_of_the_same_length_and_time_is_seen() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        for (version, text) in [("v1", "a\tb\n"), ("v2", "a\tc\n")] {
            write(dir.path(), &format!("..{version}/names.tsv"), text);
            let path = dir.path().join(format!("..{version}/names.tsv"));
            let file = fs::File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        symlink("..v1", dir.path().join("one")).unwrap();
        let lexicons = Lexicons::read(Some(dir.path().into())).unwrap();
        let version = || lexicons.choose(&account("one"), &["names".into()]).unwrap().recorded();
        let before = version();
        symlink("..v2", dir.path().join("new")).unwrap();
        fs::rename(dir.path().join("new"), dir.path().join("one")).unwrap();
        assert!(lexicons.reload().unwrap() > 0);
        assert_ne!(version(), before);
    }

    #[test]
    fn names_are_a_list_of_strings() {
        assert_eq!(names(b"{\"text\": \"a\"}").unwrap(), [""; 0]);
        assert_eq!(names(b"{\"lexicons\": [\"a\", \"b@c\"]}").unwrap(), ["a", "b@c"]);
        for json in ["null", "\"a\"", "[1]", "{}", "[\"\\ud800\"]"] {
            let error = names(format!("{{\"lexicons\": {json}}}").as_bytes()).unwrap_err();
            assert_eq!(error.message(), "lexicons must be a list of names", "{json}");
        }
        let twice = names(b"{\"lexicons\": [], \"lexicons\": []}").unwrap_err();
        assert_eq!(twice.kind(), ErrorKind::InvalidRequest);
    }
}

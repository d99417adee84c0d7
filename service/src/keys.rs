//! API keys, which identify the account of a caller.
//!
//! A key is 32 random bytes. Only its SHA-256 is stored, which is sufficient for a secret that
//! cannot be guessed. The key file and `SPEECH_HTTP_KEYS` have lines of `account hash`; `#` begins
//! a comment.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use speech_core::ErrorKind;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use tokio::sync::watch;

use crate::error_response::ErrorResponse;
use crate::text_file;

/// The prefix of every key.
const PREFIX: &str = "sk_live_";

/// The interval in which the file is read again.
const POLL: Duration = Duration::from_secs(1);

const LONGEST_ACCOUNT: usize = 64;

type Hash = [u8; 32];

/// Whether a text may contain a key, which must not be logged.
pub(crate) fn looks_like_a_key(text: &str) -> bool {
    text.contains(PREFIX)
}

/// The name of the account that is charged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Account(pub(crate) Arc<str>);

/// A key that was valid when a caller sent it.
#[derive(Clone, Debug)]
pub(crate) struct ShownKey {
    pub(crate) account: Account,
    hash: Hash,
}

/// The current keys.
#[derive(Debug)]
pub(crate) struct Keys {
    file: Option<PathBuf>,
    /// The content of the file when it was last read, or the error.
    seen: Mutex<Option<Result<String, String>>>,
    /// The keys that are not in the file, and so never change.
    fixed: Vec<(Account, Hash)>,
    known: RwLock<Arc<Vec<(Account, Hash)>>>,
    /// Notifies its receivers when the keys change.
    changed: watch::Sender<()>,
}

/// A new key, which is shown once.
pub(crate) struct NewKey {
    pub(crate) secret: String,
    /// Its line in the file.
    pub(crate) line: String,
}

impl Keys {
    /// Reads the file, if any, and the given lines.
    pub(crate) fn read(file: Option<PathBuf>, lines: &str) -> anyhow::Result<Self> {
        let fixed = parse(lines)?;
        let known = RwLock::new(Arc::new(fixed.clone()));
        let (seen, changed) = (Mutex::default(), watch::Sender::new(()));
        let keys = Self { file, seen, fixed, known, changed };
        keys.reload()?;
        Ok(keys)
    }

    pub(crate) fn len(&self) -> usize {
        self.known().len()
    }

    /// The keys as lines of a file.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.known().iter().map(|(account, hash)| format!("{} {}", account.0, hex(hash))).collect()
    }

    /// The account of a request.
    ///
    /// # Errors
    ///
    /// `unauthorized`, without the reason.
    pub(crate) fn authenticate(&self, headers: &HeaderMap) -> Result<Account, ErrorResponse> {
        Ok(self.show(key_of(headers)?)?.account)
    }

    /// Looks up a key.
    ///
    /// # Errors
    ///
    /// `unauthorized`.
    pub(crate) fn show(&self, key: &str) -> Result<ShownKey, ErrorResponse> {
        let hash = hash(key);
        let account = self.find(&hash).ok_or_else(|| refused("unknown API key"))?;
        Ok(ShownKey { account, hash })
    }

    /// Whether a key is still valid for its account.
    pub(crate) fn has(&self, key: &ShownKey) -> bool {
        self.find(&key.hash).as_ref() == Some(&key.account)
    }

    /// Notifications of changed keys.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// The account of a hash. The time depends only on the number of keys.
    fn find(&self, hash: &Hash) -> Option<Account> {
        let known = self.known();
        let (mut found, mut place) = (Choice::from(0), 0_u32);
        for (index, (_, candidate)) in (0..).zip(known.iter()) {
            let same = candidate.ct_eq(hash);
            place.conditional_assign(&index, same);
            found |= same;
        }
        bool::from(found).then(|| known[place as usize].0.clone())
    }

    fn known(&self) -> Arc<Vec<(Account, Hash)>> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the file again, and returns whether it has changed. If reading fails, the keys stay as
    /// they were.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, once for each change.
    pub(crate) fn reload(&self) -> anyhow::Result<bool> {
        let Some(path) = &self.file else { return Ok(false) };
        let read = text_file::read(path).map_err(|error| error.to_string());
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.as_ref() == Some(&read) {
            return Ok(false);
        }
        let text = seen.insert(read).as_ref().map_err(|error| anyhow!(error.clone()));
        let added = text.and_then(|text| parse(text));
        let keys = [self.fixed.clone(), added.with_context(|| path.display().to_string())?];
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys.concat());
        self.changed.send_replace(());
        Ok(true)
    }

    /// Reloads the file when it changes. Compares the whole content, because a changed file may
    /// keep its modification time and its length.
    pub(crate) async fn follow(self: Arc<Self>) {
        if self.file.is_none() {
            return;
        }
        loop {
            tokio::time::sleep(POLL).await;
            match self.reload() {
                Ok(false) => {}
                Ok(true) => tracing::info!(keys = self.len(), "reloaded the keys"),
                Err(error) => tracing::error!(
                    "cannot reload the keys, so the previous ones stay valid: {error:#}"
                ),
            }
        }
    }
}

/// The key in the header of a request.
///
/// # Errors
///
/// `unauthorized`.
pub(crate) fn key_of(headers: &HeaderMap) -> Result<&str, ErrorResponse> {
    bearer(headers).ok_or_else(|| {
        refused("an API key is needed: send one header, Authorization: Bearer followed by the key")
    })
}

fn refused(message: &str) -> ErrorResponse {
    ErrorResponse::new(ErrorKind::Unauthorized, message)
}

impl NewKey {
    /// Generates a key for an account.
    pub(crate) fn generate(account: &str) -> anyhow::Result<Self> {
        let account = checked(account)?;
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).context("the operating system returned no random numbers")?;
        let secret = format!("{PREFIX}{}", hex(&bytes));
        let line = format!("{} {}", account.0, hex(&hash(&secret)));
        Ok(Self { secret, line })
    }

    /// Adds the line to a file of keys, after `show` has shown the key.
    ///
    /// # Errors
    ///
    /// A file that is not valid stays unchanged, as does the file if the key cannot be shown.
    pub(crate) fn add_to(
        &self,
        path: &Path,
        show: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let added = text_file::add_line(path, &self.line, |text| parse(text).map(drop), show);
        added.with_context(|| path.display().to_string())
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).into_iter();
    // If there are two, a proxy and this service could choose different ones.
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, key) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

fn hash(key: &str) -> Hash {
    Sha256::digest(key).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Hash> {
    let digit =
        |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let digits: Option<Vec<_>> = text.as_bytes().iter().map(digit).collect();
    let (pairs, []) = digits.as_deref()?.as_chunks::<2>() else { return None };
    let bytes: Vec<_> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    bytes.try_into().ok()
}

fn parse(text: &str) -> anyhow::Result<Vec<(Account, Hash)>> {
    let mut hashes = HashSet::new();
    let mut keys = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let key = parse_line(line).with_context(|| format!("line {number}"))?;
        if !hashes.insert(key.1) {
            bail!("line {number}: this key is already in the file");
        }
        keys.push(key);
    }
    Ok(keys)
}

fn parse_line(line: &str) -> anyhow::Result<(Account, Hash)> {
    let mut words = line.split_whitespace();
    let (Some(account), Some(hash), None) = (words.next(), words.next(), words.next()) else {
        bail!("a line must have an account and the hash of a key");
    };
    let hash = from_hex(hash);
    Ok((checked(account)?, hash.context("the hash of a key must have 64 hexadecimal digits")?))
}

fn checked(account: &str) -> anyhow::Result<Account> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
    if account.is_empty() || account.len() > LONGEST_ACCOUNT || !account.chars().all(allowed) {
        bail!("the name of an account must have 1 to {LONGEST_ACCOUNT} letters, digits and -_.@");
    }
    Ok(Account(account.into()))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::SystemTime;

    use super::*;

    fn headers(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())])
    }

    #[test]
    fn a_key_names_its_account() {
        let (one, two) = (NewKey::generate("one").unwrap(), NewKey::generate("two").unwrap());
        assert!(one.secret.starts_with("sk_live_") && one.secret.len() == 72);
        assert!(!one.line.contains(&one.secret[PREFIX.len()..]));
        let keys =
            Keys::read(None, &format!("# mine\n{}\n\n{} # theirs", one.line, two.line)).unwrap();
        for (key, account) in [(&one, "one"), (&two, "two")] {
            for scheme in ["Bearer", "bearer"] {
                let found =
                    keys.authenticate(&headers(&format!("{scheme} {}", key.secret))).unwrap();
                assert_eq!(&*found.0, account);
            }
        }
        let other = NewKey::generate("one").unwrap().secret;
        for value in [
            &other,
            "Bearer",
            "Bearer ",
            "Basic abc",
            &one.secret,
            &format!("Bearer {}x", one.secret),
        ] {
            let error = keys.authenticate(&headers(value)).unwrap_err().error;
            assert_eq!(error.kind(), ErrorKind::Unauthorized, "{value}");
        }
        assert!(keys.authenticate(&HeaderMap::new()).is_err());
    }

    #[test]
    fn lines_that_are_refused() {
        let line = NewKey::generate("a").unwrap().line;
        let long = "x".repeat(65);
        for text in [
            "a",
            "a b",
            &format!("{line} more"),
            &line[..line.len() - 1],
            &format!("{line}\n{line}"),
            &format!("{long} {}", &line[2..]),
            &format!("é {}", &line[2..]),
        ] {
            assert!(Keys::read(None, text).is_err(), "{text}");
        }
        assert!(NewKey::generate("a b").is_err());
    }

    #[test]
    fn a_change_before_the_file_is_followed_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("keys");
        NewKey::generate("one").unwrap().add_to(&path, || Ok(())).unwrap();
        let keys = Arc::new(Keys::read(Some(path.clone()), "").unwrap());
        NewKey::generate("two").unwrap().add_to(&path, || Ok(())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.spawn(Arc::clone(&keys).follow());
        let read = async {
            while keys.len() < 2 {
                tokio::time::sleep(POLL).await;
            }
        };
        runtime.block_on(async { tokio::time::timeout(20 * POLL, read).await }).unwrap();
    }

    #[test]
    fn a_file_is_read_again_and_a_bad_one_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("keys");
        let (one, two) = (NewKey::generate("one").unwrap(), NewKey::generate("two").unwrap());
        one.add_to(&path, || Ok(())).unwrap();
        let keys = Keys::read(Some(path.clone()), "").unwrap();
        assert_eq!(keys.len(), 1);
        two.add_to(&path, || Ok(())).unwrap();
        assert!(keys.reload().unwrap());
        assert_eq!(keys.len(), 2);
        fs::write(&path, "nonsense").unwrap();
        assert!(keys.reload().unwrap_err().to_string().contains("keys"));
        assert!(!keys.reload().unwrap(), "it is reported once");
        assert_eq!(keys.len(), 2);
        fs::remove_file(&path).unwrap();
        assert!(keys.reload().is_err());
        assert!(!keys.reload().unwrap());
        assert_eq!(keys.len(), 2);
        fs::write(&path, "").unwrap();
        assert!(keys.reload().unwrap());
        assert_eq!(keys.len(), 0);
    }

    /// Whatever the system says of the file: another content is another set of keys.
    #[test]
    fn a_replacement_of_the_same_length_and_time_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let (path, beside) = (dir.path().join("keys"), dir.path().join("beside"));
        let lines = || NewKey::generate("one").unwrap().line;
        let write = |path: &Path, text: &str| {
            fs::write(path, text).unwrap();
            File::options().write(true).open(path).unwrap().set_modified(SystemTime::UNIX_EPOCH)
        };
        write(&path, &lines()).unwrap();
        let keys = Keys::read(Some(path.clone()), "").unwrap();
        for is_renamed in [false, true] {
            let (old, new) = (keys.lines(), lines());
            write(if is_renamed { &beside } else { &path }, &new).unwrap();
            if is_renamed {
                fs::rename(&beside, &path).unwrap();
            }
            assert!(keys.reload().unwrap(), "renamed: {is_renamed}");
            assert_ne!(keys.lines(), old);
            assert_eq!(keys.lines(), [new]);
            assert!(!keys.reload().unwrap());
        }
    }

    #[test]
    fn a_key_is_added_to_whatever_is_there() {
        let old = NewKey::generate("old").unwrap().line;
        for text in [
            "",
            "\n",
            "# no key",
            &old,
            &format!("{old}\n"),
            &format!("{old} # mine"),
            &format!("# mine\r\n{old}\r\n"),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("keys");
            fs::write(&path, text).unwrap();
            let new = NewKey::generate("new").unwrap();
            new.add_to(&path, || Ok(())).unwrap();
            let written = fs::read_to_string(&path).unwrap();
            assert!(written.starts_with(text) && written.ends_with(&format!("{}\n", new.line)));
            let mut lines = Keys::read(Some(path), "").unwrap().lines();
            assert_eq!(lines.pop(), Some(new.line), "{text:?}");
            assert_eq!(lines.pop().is_some(), text.contains("old"), "{text:?}");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing else is left");
        }
    }

    #[test]
    fn a_key_that_is_not_shown_is_not_added() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("keys");
        let old = NewKey::generate("old").unwrap().line;
        for text in ["", &old] {
            fs::write(&path, text).unwrap();
            let unseen = NewKey::generate("new").unwrap();
            let error = unseen.add_to(&path, || bail!("nobody looks")).unwrap_err();
            assert!(format!("{error:#}").contains("nobody looks"), "{error:#}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing else is left");
            // The file is as before when the key is shown.
            let seen = NewKey::generate("new").unwrap();
            let show = || {
                assert_eq!(fs::read_to_string(&path).unwrap(), text);
                Ok(())
            };
            seen.add_to(&path, show).unwrap();
            assert!(fs::read_to_string(&path).unwrap().contains(&seen.line));
        }
    }

    #[test]
    fn a_file_that_is_none_of_keys_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("keys");
        let line = NewKey::generate("a").unwrap().line;
        for (text, place) in [
            (format!("{line}\nsecret words").into_bytes(), "line 2: "),
            (format!("{line}\n# more\n{line}").into_bytes(), "line 3: "),
            (b"\n\xff".to_vec(), "UTF-8"),
        ] {
            fs::write(&path, &text).unwrap();
            let error = format!(
                "{:#}",
                NewKey::generate("b").unwrap().add_to(&path, || Ok(())).unwrap_err()
            );
            assert!(error.contains(place) && error.contains("keys"), "{error}");
            assert!(!error.contains("secret") && !error.contains(&line[2..]), "{error}");
            assert!(fs::read(&path).unwrap() == text);
        }
        assert!(NewKey::generate("b").unwrap().add_to(dir.path(), || Ok(())).is_err());
    }

    /// A replacement has one name.
    #[cfg(unix)]
    #[test]
    fn a_file_with_two_names_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        NewKey::generate("a").unwrap().add_to(&path("keys"), || Ok(())).unwrap();
        fs::hard_link(path("keys"), path("other")).unwrap();
        let text = fs::read_to_string(path("keys")).unwrap();
        for name in ["keys", "other"] {
            let refused =
                NewKey::generate("b").unwrap().add_to(&path(name), || Ok(())).unwrap_err();
            assert!(format!("{refused:#}").contains("hard link"), "{refused:#}");
            assert_eq!(fs::read_to_string(path(name)).unwrap(), text);
        }
        fs::remove_file(path("other")).unwrap();
        NewKey::generate("b").unwrap().add_to(&path("keys"), || Ok(())).unwrap();
    }

    #[test]
    fn what_a_killed_run_has_left_goes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("keys");
        fs::write(dir.path().join(".keys.new"), "half a li").unwrap();
        NewKey::generate("a").unwrap().add_to(&path, || Ok(())).unwrap();
        assert_eq!(Keys::read(Some(path), "").unwrap().len(), 1);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_has_a_limit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("keys");
        let limit = 8 << 20;
        for (length, is_read) in [(limit, true), (limit + 1, false)] {
            fs::write(&path, format!("#{}", " ".repeat(length - 1))).unwrap();
            let read = Keys::read(Some(path.clone()), "");
            assert_eq!(read.is_ok(), is_read, "{length}");
            let added = NewKey::generate("a").unwrap().add_to(&path, || Ok(())).unwrap_err();
            assert!(format!("{added:#}").contains("8 MiB"), "{added:#}");
            assert_eq!(fs::metadata(&path).unwrap().len(), length as u64);
        }
    }

    #[test]
    fn keys_that_are_added_at_once_are_all_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("keys");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..8 {
                        NewKey::generate("a").unwrap().add_to(&path, || Ok(())).unwrap();
                    }
                });
            }
        });
        assert_eq!(Keys::read(Some(path), "").unwrap().len(), 64);
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_owners_stay() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let add =
            |name: &str| NewKey::generate("a").unwrap().add_to(&path(name), || Ok(())).unwrap();
        let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
        fs::create_dir(path("elsewhere")).unwrap();
        for (name, target) in [("link", "elsewhere/keys"), ("dangling", "elsewhere/later")] {
            if name == "link" {
                add(target);
                assert_eq!(mode(target), 0o600);
                fs::set_permissions(path(target), PermissionsExt::from_mode(0o640)).unwrap();
            }
            symlink(target, path(name)).unwrap();
            let keys = Keys::read(Some(path(name)), "").map_or(0, |keys| keys.len());
            add(name);
            assert!(path(name).is_symlink());
            assert_eq!(mode(target), if name == "link" { 0o640 } else { 0o600 });
            assert_eq!(Keys::read(Some(path(target)), "").unwrap().len(), keys + 1);
        }
        let owner = |name: &str| fs::metadata(path(name)).map(|it| (it.uid(), it.gid())).unwrap();
        if owner("elsewhere").0 == 0 {
            // Only the superuser gives a file away.
            std::os::unix::fs::chown(path("link"), Some(65534), Some(65533)).unwrap();
            add("link");
            assert_eq!(owner("link"), (65534, 65533));
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_neither_read_nor_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("keys");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        for path in [&path, Path::new("/dev/zero"), dir.path()] {
            let added = NewKey::generate("a").unwrap().add_to(path, || Ok(())).unwrap_err();
            let read = Keys::read(Some(path.to_owned()), "").unwrap_err();
            for error in [added, read] {
                assert!(format!("{error:#}").contains("not a regular file"), "{error:#}");
            }
        }
    }
}

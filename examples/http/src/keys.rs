//! API keys: which account a caller is.
//!
//! A key is 32 random bytes. It is never stored: what is kept is its SHA-256, which is enough for a secret that nobody
//! can guess. Sources are lines of `account hash`; `#` begins a comment.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail};
use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use speech_core::ErrorKind;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::error_response::ErrorResponse;

/// What every key begins with.
const PREFIX: &str = "sk_live_";

/// How often the file is looked at.
const POLL: Duration = Duration::from_secs(1);

const LONGEST_ACCOUNT: usize = 64;

type Hash = [u8; 32];

/// The name of who is charged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Account(pub(crate) Arc<str>);

/// The keys that are known now.
#[derive(Debug)]
pub(crate) struct Keys {
    file: Option<PathBuf>,
    /// The version of the file that was read first, or one before it.
    first: Option<Version>,
    /// Those that no file gives, and so never change.
    fixed: Vec<(Account, Hash)>,
    known: RwLock<Arc<Vec<(Account, Hash)>>>,
}

/// A key that was just made: shown once.
pub(crate) struct NewKey {
    pub(crate) secret: String,
    /// The line of the file.
    pub(crate) line: String,
}

impl Keys {
    /// Reads the file, if there is one, and the given lines.
    pub(crate) fn read(file: Option<PathBuf>, lines: &str) -> anyhow::Result<Self> {
        let fixed = parse(lines)?;
        // Before it is read: a change in between is then seen as one.
        let first = file.as_deref().and_then(version);
        let keys = Self { file, first, fixed, known: RwLock::default() };
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

    /// Who sent this request.
    ///
    /// # Errors
    ///
    /// `unauthorized`, without a word about what is wrong with the key.
    pub(crate) fn authenticate(&self, headers: &HeaderMap) -> Result<Account, ErrorResponse> {
        let refused = |message| ErrorResponse::new(ErrorKind::Unauthorized, message);
        let key = bearer(headers).ok_or_else(|| {
            refused(
                "an API key is needed: send one header, Authorization: Bearer followed by the key",
            )
        })?;
        self.find(&hash(key)).ok_or_else(|| refused("this API key is not known"))
    }

    /// The account of a hash, in a time that depends on how many keys there are and on nothing else.
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

    /// Reads the file again. If it cannot be read, what was known stays.
    pub(crate) fn reload(&self) -> anyhow::Result<()> {
        let mut keys = self.fixed.clone();
        if let Some(path) = &self.file {
            let context = || path.display().to_string();
            let text = fs::read_to_string(path).with_context(context)?;
            keys.extend(parse(&text).with_context(context)?);
        }
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
        Ok(())
    }

    /// Reads the file again whenever it changes.
    pub(crate) async fn follow(self: Arc<Self>) {
        let Some(path) = self.file.clone() else { return };
        let mut seen = self.first;
        loop {
            tokio::time::sleep(POLL).await;
            let now = version(&path);
            if now == seen {
                continue;
            }
            seen = now;
            match self.reload() {
                Ok(()) => tracing::info!(keys = self.len(), "keys read again"),
                Err(error) => tracing::error!("keys are as before: {error:#}"),
            }
        }
    }
}

/// What changes with a file's content: its time and its length.
type Version = (SystemTime, u64);

fn version(path: &Path) -> Option<Version> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

impl NewKey {
    /// Makes a key for an account.
    pub(crate) fn generate(account: &str) -> anyhow::Result<Self> {
        let account = checked(account)?;
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).context("the system gives no random numbers")?;
        let secret = format!("{PREFIX}{}", hex(&bytes));
        let line = format!("{} {}", account.0, hex(&hash(&secret)));
        Ok(Self { secret, line })
    }

    /// Adds the line to a file that only its owner may read.
    pub(crate) fn append_to(&self, path: &Path) -> anyhow::Result<()> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).with_context(|| path.display().to_string())?;
        file.write_all(format!("{}\n", self.line).as_bytes())?;
        Ok(file.sync_all()?)
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).into_iter();
    // Of two, a proxy and this service might each take another one.
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
            bail!("line {number}: a key is there twice");
        }
        keys.push(key);
    }
    Ok(keys)
}

fn parse_line(line: &str) -> anyhow::Result<(Account, Hash)> {
    let mut words = line.split_whitespace();
    let (Some(account), Some(hash), None) = (words.next(), words.next(), words.next()) else {
        bail!("a line is an account and the hash of a key");
    };
    let hash = from_hex(hash);
    Ok((checked(account)?, hash.context("the hash of a key is 64 hexadecimal digits")?))
}

fn checked(account: &str) -> anyhow::Result<Account> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
    if account.is_empty() || account.len() > LONGEST_ACCOUNT || !account.chars().all(allowed) {
        bail!("an account is 1 to {LONGEST_ACCOUNT} letters, digits and -_.@");
    }
    Ok(Account(account.into()))
}

#[cfg(test)]
mod tests {
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
        NewKey::generate("one").unwrap().append_to(&path).unwrap();
        let keys = Arc::new(Keys::read(Some(path.clone()), "").unwrap());
        NewKey::generate("two").unwrap().append_to(&path).unwrap();
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
        one.append_to(&path).unwrap();
        let keys = Keys::read(Some(path.clone()), "").unwrap();
        assert_eq!(keys.len(), 1);
        two.append_to(&path).unwrap();
        keys.reload().unwrap();
        assert_eq!(keys.len(), 2);
        fs::write(&path, "nonsense").unwrap();
        assert!(keys.reload().unwrap_err().to_string().contains("keys"));
        assert_eq!(keys.len(), 2);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}

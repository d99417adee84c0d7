//! File names and paths.

use super::{host, is_stop_word, trimmed};
use crate::normalize::boundaries::{self};
use crate::scripts::is_alphanumeric;
use crate::words::WordClass;

/// The length of a file name: "report_v2.pdf", ".NET", ".gitignore".
pub(crate) fn name(before: &str, rest: &str) -> Option<usize> {
    if before.ends_with(['.', '@', '$', '-', '/', '\\']) {
        return None;
    }
    if let Some(name) = rest.strip_prefix('.') {
        let length = boundaries::run(name, |c| c.is_ascii_alphanumeric() || c == '_');
        let name = &name[..length];
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let is_capitals = length > 1 && name.bytes().all(|b| b.is_ascii_uppercase());
        let is_known = WordClass::DotFile.has(name)
            || WordClass::FileEnding.has(name)
            || is_capitals
            || host::stands_alone(&format!("host.{name}"));
        return (is_known && boundaries::closes(&rest[1 + length..])).then_some(1 + length);
    }
    let length =
        boundaries::run(rest, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '+'));
    let name = trimmed(&rest[..length]);
    (is_file(name) && boundaries::closes(&rest[name.len()..])).then_some(name.len())
}

/// The lengths of a file name or path, and of the line and column after it: "app.js:42:17".
pub(crate) fn place(before: &str, rest: &str) -> Option<(usize, usize)> {
    let end = boundaries::run(rest, |c| {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '+' | '/' | '~')
    });
    let is_file = is_file(&rest[..end]) && !before.ends_with(['.', '@', '$', '-', '/', '\\']);
    let part = |rest: &str| {
        let digits = boundaries::run(rest.strip_prefix(':')?, |c| c.is_ascii_digit());
        (1..=5).contains(&digits).then_some(1 + digits)
    };
    let line = end + part(&rest[end..]).filter(|_| is_file)?;
    let length = line + part(&rest[line..]).unwrap_or_default();
    boundaries::closes(&rest[length..]).then_some((end, length))
}

fn is_file(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let first = stem.split('.').next().unwrap_or_default();
    let is_number = stem.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let is_short = extension.len() < 3;
    let lower = extension.to_ascii_lowercase();
    let is_capitals = extension.len() > 1 && extension.bytes().all(|b| b.is_ascii_uppercase());
    stem.bytes().any(|b| b.is_ascii_alphanumeric())
        && !stem.contains("..")
        && !is_stop_word(first)
        && (extension == lower || is_capitals && !is_short)
        && !(is_number && is_short)
        // "e.g", "a.m" and similar abbreviations.
        && (stem.len() > 1 || !is_short)
        && WordClass::FileEnding.has(&lower)
}

/// The length of a path: from a drive, the root, the home or a dot, or one ending in a file name.
pub(crate) fn path(before: &str, rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let is_drive = matches!(bytes, [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic());
    let is_share = rest.starts_with("\\\\") && bytes.get(2).is_some_and(u8::is_ascii_alphanumeric);
    if is_drive || is_share {
        return Some(windows(rest));
    }
    let apart =
        before.chars().next_back().is_none_or(|c| c.is_whitespace() || "([{\"'“‘=:`".contains(c));
    if !apart {
        return None;
    }
    let length = boundaries::run(rest, |c| {
        is_alphanumeric(c) || matches!(c, '/' | '_' | '-' | '.' | '~' | '+' | '@' | '%' | '*' | ':')
    });
    let path = trimmed(&rest[..length]);
    let (start, is_rooted) = match () {
        () if path.starts_with("~/") => (2, true),
        () if path.starts_with("./") => (2, true),
        () if path.starts_with("../") => (3, true),
        () if path.starts_with('/') => (1, true),
        () => (0, false),
    };
    let first = path[start..].chars().next()?;
    let begins = first.is_ascii_alphabetic() || matches!(first, '.' | '_' | '~');
    let is_path =
        if is_rooted { begins && !path[start..].contains("//") } else { is_relative(path) };
    is_path.then_some(path.len())
}

/// Whether a path has folders and then a file name: "src/main.rs".
fn is_relative(path: &str) -> bool {
    let Some((folders, name)) = path.rsplit_once('/') else { return false };
    let is_folder = |folder: &str| {
        !folder.is_empty()
            && folder.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.@".contains(&b))
    };
    is_file(name)
        && folders.split('/').all(is_folder)
        && !folders.bytes().all(|b| b.is_ascii_digit() || b == b'/')
        && host::length(folders.split('/').next().unwrap_or_default()).is_none()
}

/// The length of a Windows path: up to white space, or across a space if a backslash follows later.
fn windows(rest: &str) -> usize {
    let is_of_path = |c: char| !c.is_whitespace() && !"<>\"|?*`“”।".contains(c);
    let mut length = boundaries::run(rest, is_of_path);
    while let Some(next) = rest[length..].strip_prefix(' ') {
        let word = &next[..boundaries::run(next, is_of_path)];
        if !word.contains('\\') || word.contains(':') || word.starts_with('\\') {
            break;
        }
        length += 1 + word.len();
    }
    trimmed(&rest[..length]).len()
}

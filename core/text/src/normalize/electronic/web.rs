//! URLs and e-mail addresses.

use super::{host, trimmed};
use crate::normalize::boundaries;

/// The length of a URL with a scheme.
pub(crate) fn url(rest: &str) -> Option<usize> {
    let scheme =
        boundaries::run(rest, |c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let after = rest[scheme..].strip_prefix(':')?;
    let after = match rest[..scheme].to_ascii_lowercase().as_str() {
        "mailto" => after,
        _ => after.strip_prefix("//")?,
    };
    let start = rest.len() - after.len();
    let length = start + trimmed(&after[..tail(after)]).len();
    (length > start).then_some(length)
}

/// The length of an e-mail address and an optional path.
pub(crate) fn email(rest: &str) -> Option<usize> {
    let is_local = |c: char| c.is_ascii_alphanumeric() || "!#$%&*+-/=?^_`{|}~.'".contains(c);
    let local = boundaries::run(rest, is_local);
    if !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let after = rest[local..].strip_prefix('@')?;
    let host = host::length(after)?;
    let start = local + 1 + host;
    Some(start + path(&rest[start..])).filter(|end| boundaries::closes(&rest[*end..]))
}

/// The length of a standalone host, with an optional port and path.
pub(crate) fn bare(before: &str, rest: &str) -> Option<usize> {
    if before.ends_with(['.', '@', '-', '/', '\\', '$']) {
        return None;
    }
    let local = "localhost";
    let host = match rest.strip_prefix(local) {
        Some(after) if after.starts_with(':') || after.starts_with('/') => local.len(),
        _ => host::length(rest)?,
    };
    let behind = path(&rest[host..]);
    let is_host = behind > 1 && !rest[..host].contains("..") && known_before_path(&rest[..host])
        || host::stands_alone(&rest[..host]);
    let end = host + behind;
    let after = &rest[end..];
    (is_host && boundaries::closes(after) && !after.starts_with(['@', '\\'])).then_some(end)
}

/// Whether a host is known only because a path follows: "goo.gl/maps", "t.me/x".
fn known_before_path(host: &str) -> bool {
    let lower = host.to_ascii_lowercase();
    host == "localhost" || host::stands_alone(&format!("www.{lower}")) && host == lower
}

/// The length of a port, path, query and fragment.
fn path(rest: &str) -> usize {
    let port = match rest.strip_prefix(':') {
        Some(after) => match boundaries::run(after, |c| c.is_ascii_digit()) {
            0 => 0,
            digits => 1 + digits,
        },
        None => 0,
    };
    let after = &rest[port..];
    if !after.starts_with(['/', '?', '#']) {
        return port;
    }
    port + trimmed(&after[..tail(after)]).len()
}

/// The length up to white space or a character that no address contains.
fn tail(rest: &str) -> usize {
    boundaries::run(rest, |c| !c.is_whitespace() && !c.is_control() && !"<>\"“”«»`|।".contains(c))
}

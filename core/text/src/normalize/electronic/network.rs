//! Network and machine addresses: IP and MAC addresses, UUIDs, hashes.

use super::{Kind, Value};
use crate::normalize::alphanumeric::characters;
use crate::normalize::prelude::*;
use crate::normalize::shapes::{Pattern, patterns};

/// Characters between two pauses of a hash.
const HASH_GROUP: usize = 4;

/// A network address, identifier or hash at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    if before.ends_with(['.', '-', '/', '+', '#', '$'])
        || before.ends_with(':') && !before.ends_with(": ")
    {
        return None;
    }
    let (length, code_parts) =
        ip_v4(rest).or_else(|| parted(rest)).or_else(|| ip_v6(rest)).or_else(|| hash(rest))?;
    Some((length, Value { kind: Kind::Network, code_parts }))
}

/// Four groups of digits, then an optional port or prefix length.
fn ip_v4(rest: &str) -> Option<(usize, CodeParts)> {
    let shapes = patterns![
        "d1-3 .! d1-3 .! d1-3 .! d1-3 /! n1-99",
        "d1-3 .! d1-3 .! d1-3 .! d1-3 :! d1-99",
        "d1-3 .! d1-3 .! d1-3 .! d1-3",
    ];
    Pattern::first(shapes, rest).filter(|(length, _)| closes_number(&rest[*length..]))
}

/// MAC addresses and UUIDs: groups of hexadecimal digits, with a pause for each separator.
fn parted(rest: &str) -> Option<(usize, CodeParts)> {
    let shapes = patterns![
        "x2 :~ x2 :~ x2 :~ x2 :~ x2 :~ x2",
        "x2 -~ x2 -~ x2 -~ x2 -~ x2 -~ x2",
        "x8 -~ x4 -~ x4 -~ x4 -~ x12",
    ];
    let (length, code_parts) = Pattern::first(shapes, rest)?;
    let after = &rest[length..];
    let goes_on = after.starts_with(if rest[..length].contains(':') { ':' } else { '-' });
    (closes(after) && !goes_on).then_some((length, code_parts))
}

/// Eight groups, or fewer with two colons for the omitted groups.
fn ip_v6(rest: &str) -> Option<(usize, CodeParts)> {
    let length = run(rest, |c| c.is_ascii_hexdigit() || c == ':');
    let address = rest[..length]
        .strip_suffix("::")
        .map_or_else(|| rest[..length].trim_end_matches(':'), |_| &rest[..length]);
    let groups: Vec<&str> = address.split(':').collect();
    let is_short =
        address.contains("::") && groups.len() <= 8 && groups.iter().any(|g| !g.is_empty());
    let fits = groups.iter().all(|group| group.len() <= 4);
    if !(fits && (groups.len() == 8 && !address.contains("::") || is_short) && groups.len() > 2) {
        return None;
    }
    let mut code_parts = CodeParts::default();
    let mut at = 0;
    for (i, group) in groups.into_iter().enumerate() {
        if i > 0 {
            code_parts.push(CodePart::Symbol(':'), at..at + 1);
            at += 1;
        }
        characters(&mut code_parts, group, at);
        at += group.len();
    }
    closes(&rest[at..]).then_some((at, code_parts))
}

/// At least seven hexadecimal digits in small letters that mix letters and digits.
fn hash(rest: &str) -> Option<(usize, CodeParts)> {
    let length = run(rest, |c| matches!(c, '0'..='9' | 'a'..='f'));
    let text = &rest[..length];
    let changes =
        text.as_bytes().windows(2).filter(|w| w[0].is_ascii_digit() != w[1].is_ascii_digit());
    if length < 7 || changes.count() < 2 || !closes(&rest[length..]) {
        return None;
    }
    let mut code_parts = CodeParts::default();
    for at in (0..length).step_by(HASH_GROUP) {
        let end = length.min(at + HASH_GROUP);
        if at > 0 {
            code_parts.push(CodePart::Pause, at - 1..at);
        }
        characters(&mut code_parts, &text[at..end], at);
    }
    Some((length, code_parts))
}

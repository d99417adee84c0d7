//! Host names: after a scheme or at sign, and standalone.

use super::is_stop_word;
use crate::normalize::label;
use crate::normalize::prelude::*;

/// The length of a host with at least one full stop and a last label of letters.
pub(crate) fn length(rest: &str) -> Option<usize> {
    let length = run(rest, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
    let host = rest[..length].trim_end_matches(['.', '-']);
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| !label.is_empty() && !label.starts_with('-');
    let last = labels.last()?;
    let ends = last.len() > 1 && last.bytes().all(|b| b.is_ascii_alphabetic());
    (labels.len() > 1 && labels.iter().all(is_label) && ends).then_some(host.len())
}

/// Whether a host is valid without a scheme before it or a path after it.
pub(crate) fn stands_alone(host: &str) -> bool {
    let labels: Vec<&str> = host.split('.').collect();
    let [first, .., last] = labels[..] else { return false };
    if !last.bytes().all(|b| b.is_ascii_alphabetic()) {
        return false;
    }
    let lower = last.to_ascii_lowercase();
    let is_listed = WordClass::Domain.has(&lower);
    if first.eq_ignore_ascii_case("www") {
        return labels.len() > 2;
    }
    if last != lower {
        return is_capital_domain(first, last);
    }
    if labels.len() > 2 {
        return is_listed || WordClass::WordDomain.has(last);
    }
    let is_count = first.bytes().all(|b| b.is_ascii_digit());
    if is_stop_word(first) || is_count && !WordClass::NumberedDomain.has(last) {
        return false;
    }
    let is_unread = last.len() == 3 && matches!(label::reading(last), CodePart::Letters(_));
    let is_word_free = first.len() > 1 && (is_listed || WordClass::WordDomainAfterName.has(last));
    is_word_free || first.len() > 3 && is_unread && first == first.to_ascii_lowercase()
}

/// Whether the host is written in capitals: "ASP.NET", "Socket.IO", "EXAMPLE.COM".
fn is_capital_domain(first: &str, last: &str) -> bool {
    WordClass::CapitalDomain.has(last) && first.len() > 1 && first.starts_with(is_upper)
}

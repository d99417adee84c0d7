//! Access of pages of other origins (CORS).

use std::str::FromStr;

use axum::http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowOrigin, CorsLayer};
use url::{Position, Url};

use crate::idempotency;
use crate::job;
use crate::telemetry::REQUEST_ID;

/// The headers of responses that a page may read: all those in the OpenAPI document.
const EXPOSED: [HeaderName; 7] = [
    REQUEST_ID,
    job::SAMPLE_RATE_HEADER,
    job::CHARACTERS,
    job::SERVER_TIMING,
    idempotency::REPLAYED,
    header::RETRY_AFTER,
    header::WWW_AUTHENTICATE,
];

/// Schemes that pages do not have, or whose origin is always `null`. The list cannot be complete:
/// applications invent schemes for their pages, such as `capacitor` and those of Electron.
const NEVER_PAGES: [&str; 13] = [
    "about",
    "blob",
    "data",
    "file",
    "filesystem",
    "ftp",
    "javascript",
    "mailto",
    "tel",
    "urn",
    "view-source",
    "ws",
    "wss",
];

/// An origin, which is a scheme, a host and perhaps a port; or all origins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Any,
    Of(HeaderValue),
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let origin = text.to_ascii_lowercase().parse().ok().and_then(|url| serialized(&url));
        // Browsers never send an origin that is written otherwise.
        let origin = origin.filter(|origin| text.eq_ignore_ascii_case(origin));
        let origin = origin.and_then(|origin| origin.parse().ok()).map(Self::Of);
        origin.ok_or_else(|| {
            format!(
                "{text:?} is not an origin. Write it as browsers send it, such as https://example.com, without a path or the \
                 default port of its scheme; or write *"
            )
        })
    }
}

/// The origin of an address as browsers send it (the HTML standard, "serialization of an origin").
/// `Url::origin` supports the schemes of the URL standard only.
fn serialized(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    let is_of_page =
        !NEVER_PAGES.contains(&url.scheme()) && (host.starts_with('[') || is_name(host));
    let host_and_port = &url[Position::BeforeHost..Position::AfterPort];
    is_of_page.then(|| format!("{}://{host_and_port}", url.scheme()))
}

/// Whether a host can have this name (RFC 1035, section 2.3.4): each part has 1 to 63 characters,
/// and only the last may be empty.
fn is_name(host: &str) -> bool {
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let is_label = |label: &str| (1..=63).contains(&label.len()) && label.chars().all(is_in_name);
    let name = host.strip_suffix('.').unwrap_or(host);
    name.len() <= 253 && name.split('.').all(is_label)
}

/// The layer that answers browsers for pages of these origins.
pub(crate) fn layer(origins: &[Origin]) -> CorsLayer {
    let listed = origins.iter().filter_map(|origin| match origin {
        Origin::Any => None,
        Origin::Of(value) => Some(value.clone()),
    });
    let allowed = match origins.contains(&Origin::Any) {
        true => AllowOrigin::any(),
        false => AllowOrigin::list(listed),
    };
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE, idempotency::KEY])
        .expose_headers(EXPOSED)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::openapi;

    #[test]
    fn an_origin_is_a_scheme_a_host_and_a_port() {
        assert_eq!("*".parse(), Ok(Origin::Any));
        for (text, origin) in [
            ("https://example.com", "https://example.com"),
            ("HTTP://Localhost:3000", "http://localhost:3000"),
            ("https://a.example:8443", "https://a.example:8443"),
            ("http://a.example:443", "http://a.example:443"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("chrome-extension://abcdefgh", "chrome-extension://abcdefgh"),
            ("capacitor://localhost", "capacitor://localhost"),
            ("http://3d-printer:5000", "http://3d-printer:5000"),
            ("moz-extension://0f1a-7", "moz-extension://0f1a-7"),
            ("https://a_b.example.", "https://a_b.example."),
            ("http://[::ffff:102:304]", "http://[::ffff:102:304]"),
            ("app://local:81", "app://local:81"),
        ] {
            assert_eq!(text.parse(), Ok(Origin::Of(HeaderValue::from_static(origin))), "{text}");
        }
        for text in [
            "",
            "notaurl",
            "example.com",
            "https://",
            "https://a/",
            "https://a/b",
            "https://u@a",
            "https://a b",
            "**",
            "null",
            "https://a?b",
            // Browsers never send the default port of a scheme, and write numbers in one form.
            "https://a:443",
            "http://a:80",
            "http://a:",
            "http://a:080",
            "http://a:99999",
            "http://127.1",
            "http://0x7f.0.0.1",
            "http://1.2.3.4.5",
            "http://[0:0:0:0:0:0:0:1]",
            "http://[::ffff:1.2.3.4]",
            "http://1.2.3.4.",
            "http://[::1",
            // No host has such a name.
            "https://*.example.com",
            "https://a%62",
            "https://bücher.example",
            "https://xn--",
            "http://xn--a",
            "https://a..b",
            "https://.a",
            "https://a..",
            "https://.",
            &format!("https://{}.example", "a".repeat(64)),
            &format!("https://{}example", "a.".repeat(130)),
            // No page has such an origin.
            "ftp://a",
            "WSS://a",
            "file://a",
            "data://a",
            "mailto://a",
            "view-source://a",
        ] {
            let error = text.parse::<Origin>().err();
            assert!(error.is_some_and(|it| it.contains("https://example.com")), "{text}");
        }
    }

    /// Pages can read all headers in the document.
    #[test]
    fn described_headers_are_exposed() {
        let document: Value = serde_json::from_str(&openapi::document()).unwrap();
        let operations = document["paths"].as_object().unwrap().values();
        let operations = operations.flat_map(|path| path.as_object().unwrap().values());
        let answers = operations.flat_map(|one| one["responses"].as_object().unwrap().values());
        let headers = answers.filter_map(|answer| answer["headers"].as_object());
        let names: BTreeSet<_> = headers.flat_map(|headers| headers.keys()).collect();
        assert!(!names.is_empty());
        let missing: Vec<_> = names
            .iter()
            .filter(|name| !EXPOSED.iter().any(|it| name.eq_ignore_ascii_case(it.as_str())))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

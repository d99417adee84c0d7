//! Pages of other origins that may call the service (CORS).

use std::str::FromStr;

use axum::http::uri::{Parts, Uri};
use axum::http::{HeaderValue, Method, header};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::job;
use crate::telemetry::REQUEST_ID;

/// An origin: a scheme, a host and perhaps a port; or all of them.
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
        let wrong = || format!("{text:?} is no origin: write it like https://example.com, or *");
        let Parts { scheme, authority, .. } =
            text.parse::<Uri>().map_err(|_| wrong())?.into_parts();
        let (Some(scheme), Some(authority)) = (scheme, authority) else { return Err(wrong()) };
        // Browsers send it so: in lower case, and with nothing after it.
        let origin = format!("{scheme}://{authority}").to_ascii_lowercase();
        if text.to_ascii_lowercase() != origin || authority.as_str().contains('@') {
            return Err(wrong());
        }
        origin.parse().map(Self::Of).map_err(|_| wrong())
    }
}

/// Answers to browsers for pages of these origins.
pub(crate) fn layer(origins: &[Origin]) -> CorsLayer {
    let exposed = [REQUEST_ID, job::SAMPLE_RATE_HEADER, job::CHARACTERS, job::SERVER_TIMING];
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
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers(exposed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_a_host_and_a_port() {
        assert_eq!("*".parse(), Ok(Origin::Any));
        for (text, origin) in [
            ("https://example.com", "https://example.com"),
            ("HTTP://Localhost:3000", "http://localhost:3000"),
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
        ] {
            assert!(text.parse::<Origin>().unwrap_err().contains("https://example.com"), "{text}");
        }
    }
}

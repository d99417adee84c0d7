//! Arbitrary bytes as a request in JSON: an accepted request stays the same when another program
//! rewrites it, and is valid or rejected in the same way.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use speech_core::{Error, ErrorKind, Format, Request, ValidRequest};

fuzz_target!(|bytes: &[u8]| {
    let (request, format) = match Request::from_json(bytes) {
        Ok(read) => read,
        Err(error) => return check(&error),
    };
    // An ignored field may be a number that another program cannot represent.
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let written = Request::from_json(value.to_string().as_bytes()).expect("it was taken before");
    assert_eq!(written, (request.clone(), format));
    match request.validate() {
        Ok(valid) => {
            assert_eq!(valid.characters(), valid.text().chars().count());
            let again = to_json(value, &valid, format);
            let again = Request::from_json(again.as_bytes()).expect("it is a request");
            assert_eq!(again, (request, format));
            assert!(again.0.validate().is_ok());
        }
        Err(error) => {
            check(&error);
            let again = written.0.validate().expect_err("it was refused before");
            assert_eq!((again.kind(), again.message()), (error.kind(), error.message()));
        }
    }
});

/// The request with its valid fields, and the settings as sent.
fn to_json(mut sent: Value, request: &ValidRequest, format: Format) -> String {
    let valid = json!({
        "text": request.text(),
        "language": request.language().as_str(),
        "voice": request.voice().as_str(),
        "format": format.as_str(),
        "latency": request.latency().as_str(),
        "quality": request.quality().as_str(),
        "sample_rate": request.sample_rate(),
        "encoding": request.encoding().as_str(),
        "read_emoji": request.reads_emoji(),
        "read_romanized_hindi": request.reads_romanized_hindi(),
    });
    if let (Value::Object(sent), Value::Object(valid)) = (&mut sent, valid) {
        sent.extend(valid);
    }
    sent.to_string()
}

/// Checks that the error is one of those specified for a request.
fn check(error: &Error) {
    let kinds = [ErrorKind::InvalidRequest, ErrorKind::EmptyText, ErrorKind::TextTooLong];
    assert!(kinds.contains(&error.kind()), "{error:?}");
    assert!(!error.message().is_empty());
}

//! Arbitrary text as a message to a live session: it is rejected, or its audio has only whole
//! frames.
#![no_main]

use libfuzzer_sys::fuzz_target;
use speech_http::fuzzing::read_live_message;

fuzz_target!(|text: &str| {
    let read = read_live_message(text);
    if let Some((frame, message)) = read {
        assert!(frame > 0 && message >= frame && message % frame == 0, "{frame} {message}");
    }
    // An unknown field changes nothing, wherever it is.
    if let Some(rest) = text.trim_start().strip_prefix('{').filter(|_| read.is_some()) {
        assert_eq!(read_live_message(&format!("{{\"mood\": [1, {{}}], {rest}")), read);
    }
});

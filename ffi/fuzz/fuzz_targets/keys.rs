//! Arbitrary text as a file of API keys: it is rejected, or the same keys result when they are
//! written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use speech_http::fuzzing::read_keys;

fuzz_target!(|text: &str| {
    let Ok(keys) = read_keys(text) else { return };
    let written = keys.join("\n");
    assert_eq!(read_keys(&written).expect("they were taken before"), keys);
    // With other line endings, and comments.
    let remarked = keys.join(" # a remark\r\n");
    assert_eq!(read_keys(&remarked).expect("they were taken before"), keys);
});

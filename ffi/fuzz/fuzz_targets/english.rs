//! Arbitrary text in the English text front end: see `speech_fuzz::front_end`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use speech_core::Language;
use speech_fuzz::allocations::Counting;
use speech_fuzz::front_end;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fuzz_target!(|text: &[u8]| front_end::check(&String::from_utf8_lossy(text), Language::EnUs));

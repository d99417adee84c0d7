//! How long property tests run.

/// How many cases a property test tries: so many, or as many as `PROPTEST_CASES` says if that is more. proptest itself
/// reads the variable only where a test does not say how many.
pub fn cases(usual: u32) -> u32 {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    wanted.unwrap_or(0).max(usual)
}

//! The number of cases in property tests.

/// The number of cases for a property test: `usual`, or the value of `PROPTEST_CASES` if that is
/// larger. proptest itself reads the variable only if a test sets no number.
pub fn cases(usual: u32) -> u32 {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    wanted.unwrap_or(0).max(usual)
}

//! Suggestions for misspelled names.

use napi_derive::napi;

/// The least similarity, 0 to 1, of two names that count as misspellings of each other.
const ALIKE: f64 = 0.8;

/// The known name nearest to `name`; none if no name is near.
#[napi]
pub fn nearest_name(name: String, known: Vec<String>) -> Option<String> {
    let plain = plain(&name);
    let alike = |known: &String| strsim::jaro_winkler(&plain, &self::plain(known));
    let rated = known.into_iter().map(|known| (alike(&known), known));
    let nearest = rated.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (nearest.0 >= ALIKE).then_some(nearest.1)
}

/// A name in the form used for comparison: `read_emoji` and `readEmoji` are alike.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

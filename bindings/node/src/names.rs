//! Names that are written wrong.

use napi_derive::napi;

/// How alike two names must be, of 1, to be taken for the same one written wrong.
const ALIKE: f64 = 0.8;

/// The known name that one is nearest to; none if it is near to none.
#[napi]
pub fn nearest_name(name: String, known: Vec<String>) -> Option<String> {
    let plain = plain(&name);
    let alike = |known: &String| strsim::jaro_winkler(&plain, &self::plain(known));
    let rated = known.into_iter().map(|known| (alike(&known), known));
    let nearest = rated.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (nearest.0 >= ALIKE).then_some(nearest.1)
}

/// A name as it is compared: `read_emoji` and `readEmoji` are alike.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

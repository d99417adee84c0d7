//! The links of the site.

use std::process::Command;

use anyhow::{Result, ensure};

use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

use super::Site;

/// Ranges of lines in sources, which rustdoc's script shows.
const RANGES: &str = r"/reference/rust/src/.*\.rs\.html#\d+-\d+$";

/// Checks that every link and picture of the site, references included, leads to a file of it, and to a place in that. Links to
/// the web are only read, as this works offline.
pub(super) fn check(workspace: &Workspace, site: &Site) -> Result<()> {
    let venv = super::venv(workspace);
    venv.ensure()?;
    let item = Item::start("links of the site");
    let mut lychee = Command::new(venv.program("lychee"));
    lychee.args(["--offline", "--include-fragments", "--no-progress"]);
    lychee.args(["--index-files", "index.html", "--exclude", RANGES]);
    lychee.arg("--root-dir").arg(&site.out).current_dir(&site.out).arg("**/*.html");
    let printed = process::captured(&mut lychee, &item)?;
    let found = count(&printed);
    ensure!(found > 1_000, "only {found} links of the site lead to it:\n{printed}");
    item.finish(&format!("{found} lead somewhere"));
    Ok(())
}

/// How many links are right, by the last line of lychee.
fn count(printed: &str) -> u64 {
    let words: Vec<_> = printed.split_whitespace().collect();
    let place = words.iter().rposition(|word| *word == "OK");
    let number = place.and_then(|place| words.get(place.checked_sub(1)?));
    number.and_then(|number| number.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_links_are_counted() {
        assert_eq!(
            count("x\n\u{1f50d} 30637 Total (in 1s) \u{2705} 21446 OK \u{1f6ab} 284 Errors\n"),
            21_446
        );
        assert_eq!(count("nothing"), 0);
    }
}

//! Builds the site's book with mdBook.

use super::Site;
use crate::prelude::*;

/// The version of mdBook. Only its output is published.
const VERSION: &str = "0.5.4";

/// Builds the book.
pub(super) fn make(site: &Site) -> Result<()> {
    let options = ["--no-default-features", "--features=search"];
    let program = workspace::installed("mdbook", VERSION, &options)?;
    let item = Item::start("the book");
    let mut mdbook = Command::new(program);
    mdbook.arg("build").arg(&site.pages).arg("--dest-dir").arg(&site.out);
    let printed = process::captured(&mut mdbook, &item)?;
    if printed.contains("WARN") || printed.contains("ERROR") {
        bail!("mdBook printed warnings:\n{printed}");
    }
    // mdBook copies every file beside the pages.
    let _ = fs::remove_file(site.out.join("book.toml"));
    let pages = change(&site.out)?;
    item.finish(&format!("{pages} pages"));
    Ok(())
}

/// Changes every page of a folder, and returns the number of pages.
fn change(folder: &Path) -> Result<usize> {
    let mut changed = 0;
    for path in files::within(folder, |path| path.ends_with('/') || path.ends_with(".html"))? {
        let file = folder.join(&path);
        let page = fs::read_to_string(&file).with_context(|| path.clone())?;
        // `toc.html` is a contents frame for browsers without scripts.
        if path == "toc.html" || path.starts_with("source/") {
            continue;
        }
        fs::write(&file, changed_page(&page).with_context(|| path.clone())?)
            .with_context(|| path)?;
        changed += 1;
    }
    Ok(changed)
}

/// Makes a page accessible. A button that the keyboard reaches opens the contents, the bar is a
/// landmark, a page has one first heading, and the two color schemes have enough contrast.
fn changed_page(page: &str) -> Result<String> {
    let changes: Vec<(String, String)> = serde_json::from_str(CHANGES)?;
    let mut page = page.to_owned();
    for (from, to) in changes {
        ensure!(page.contains(&from), "a page of mdBook does not contain {from}");
        page = page.replacen(&from, &to, 1);
    }
    // Empty header cells of a table must not be headings.
    for style in ["", " style=\"text-align: right\"", " style=\"text-align: left\""] {
        page = page.replace(&format!("<th{style}></th>"), "<td></td>");
    }
    Ok(page)
}

const CHANGES: &str = include_str!("../../site/changes.json");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_another_mdbook_is_refused() {
        let changes: Vec<(String, String)> = serde_json::from_str(CHANGES).unwrap();
        let whole: String = changes.iter().map(|(from, _)| from.as_str()).collect();
        let page = changed_page(&(whole.clone() + "<table><th></th><th>a</th>")).unwrap();
        assert!(page.contains("<button type=\"button\"") && page.contains("role=\"banner\""));
        assert!(page.ends_with("<table><td></td><th>a</th>"), "{page}");
        let error = changed_page(&whole.replace("</label>", "")).unwrap_err();
        assert!(error.to_string().contains("</label>"), "{error}");
    }
}

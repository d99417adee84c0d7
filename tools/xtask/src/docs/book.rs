//! The book that mdBook makes of the pages.

use super::Site;
use crate::prelude::*;

/// The version of mdBook. It is run as a program, and nothing of it is shipped but what it writes.
const VERSION: &str = "0.5.4";

/// Makes it.
pub(super) fn make(site: &Site) -> Result<()> {
    let options = ["--no-default-features", "--features=search"];
    let program = workspace::installed("mdbook", VERSION, &options)?;
    let item = Item::start("the book");
    let mut mdbook = Command::new(program);
    mdbook.arg("build").arg(&site.pages).arg("--dest-dir").arg(&site.out);
    let printed = process::captured(&mut mdbook, &item)?;
    if printed.contains("WARN") || printed.contains("ERROR") {
        bail!("mdBook complains:\n{printed}");
    }
    // mdBook copies whatever is beside the pages.
    let _ = fs::remove_file(site.out.join("book.toml"));
    let pages = change(&site.out)?;
    item.finish(&format!("{pages} pages"));
    Ok(())
}

/// Changes every page in a folder, and returns their number.
fn change(folder: &Path) -> Result<usize> {
    let mut changed = 0;
    for path in files::within(folder, |path| path.ends_with('/') || path.ends_with(".html"))? {
        let file = folder.join(&path);
        let page = fs::read_to_string(&file).with_context(|| path.clone())?;
        // The contents alone, for browsers without scripts.
        if path == "toc.html" || path.starts_with("source/") {
            continue;
        }
        fs::write(&file, changed_page(&page).with_context(|| path.clone())?)
            .with_context(|| path)?;
        changed += 1;
    }
    Ok(changed)
}

/// Changes a page so that everybody can use it: the contents are opened by a button that a keyboard reaches, the bar is a landmark, a
/// page has one first heading, and there are two sets of colours, whose contrasts are enough.
fn changed_page(page: &str) -> Result<String> {
    let changes: Vec<(String, String)> = serde_json::from_str(CHANGES)?;
    let mut page = page.to_owned();
    for (from, to) in changes {
        ensure!(page.contains(&from), "mdBook writes something else than {from}");
        page = page.replacen(&from, &to, 1);
    }
    // Empty cells at the head of a table are no headings.
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

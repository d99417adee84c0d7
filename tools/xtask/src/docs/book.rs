//! The book that mdBook makes of the pages.

use super::Site;
use crate::prelude::*;

/// The version of mdBook. It is run as a program, and nothing of it is shipped but what it writes.
const VERSION: &str = "0.5.4";

/// What is changed on every page, so that everybody can use it: the contents are opened by a button that a keyboard reaches, the bar
/// is a landmark, a page has one first heading, and there are two sets of colours, whose contrasts are enough.
const CHANGES: [(&str, &str); 7] = [
    (
        "<label id=\"mdbook-sidebar-toggle\" class=\"icon-button\" for=\"mdbook-sidebar-toggle-anchor\"",
        "<button type=\"button\" id=\"mdbook-sidebar-toggle\" class=\"icon-button\"",
    ),
    ("</label>", "</button>"),
    ("<div id=\"mdbook-menu-bar\"", "<div role=\"banner\" id=\"mdbook-menu-bar\""),
    ("<h1 class=\"menu-title\">libspeech</h1>", "<div class=\"menu-title\">libspeech</div>"),
    (
        "<li role=\"none\"><button role=\"menuitem\" class=\"theme\" id=\"mdbook-theme-rust\">Rust</button></li>\n",
        "",
    ),
    (
        "<li role=\"none\"><button role=\"menuitem\" class=\"theme\" id=\"mdbook-theme-coal\">Coal</button></li>\n",
        "",
    ),
    (
        "id=\"mdbook-theme-navy\">Navy</button></li>\n                            <li role=\"none\"><button role=\"menuitem\" \
         class=\"theme\" id=\"mdbook-theme-ayu\">Ayu</button></li>\n",
        "id=\"mdbook-theme-navy\">Dark</button></li>\n",
    ),
];

/// Cells at the head of a table that say nothing are no headings.
const EMPTY_HEADINGS: [(&str, &str); 3] = [
    ("<th></th>", "<td></td>"),
    ("<th style=\"text-align: right\"></th>", "<td></td>"),
    ("<th style=\"text-align: left\"></th>", "<td></td>"),
];

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

/// Changes every page in a folder, and gives their number.
fn change(folder: &Path) -> Result<usize> {
    let mut changed = 0;
    for (path, _) in
        digest::of_folder(folder, |path| path.ends_with('/') || path.ends_with(".html"))?
    {
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

fn changed_page(page: &str) -> Result<String> {
    let mut page = page.to_owned();
    for (from, to) in CHANGES {
        ensure!(page.contains(from), "mdBook writes something else than {from}");
        page = page.replacen(from, to, 1);
    }
    for (from, to) in EMPTY_HEADINGS {
        page = page.replace(from, to);
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_another_mdbook_is_refused() {
        let whole: String = CHANGES.iter().map(|(from, _)| *from).collect();
        let page = changed_page(&(whole.clone() + "<table><th></th><th>a</th>")).unwrap();
        assert!(
            page.contains("<button type=\"button\"") && page.contains("role=\"banner\""),
            "{page}"
        );
        assert!(page.ends_with("<table><td></td><th>a</th>"), "{page}");
        let error = changed_page(&whole.replace("</label>", "")).unwrap_err();
        assert!(error.to_string().contains("</label>"), "{error}");
    }
}

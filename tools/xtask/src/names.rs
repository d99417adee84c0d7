//! Checks that the operations in `docs/names.md` exist in the built packages. The tests of Python,
//! Java and Go check their own columns.

use std::fmt::Write as _;

use crate::prelude::*;

/// The names in the column of a language. Fails if a name occurs twice.
pub(crate) fn of(language: &str) -> Result<Vec<String>> {
    let page = root().join("docs/names.md");
    let text = fs::read_to_string(&page)?;
    let names = column(&text, language);
    ensure!(names.len() > 30, "{} has only {} names for {language}", page.display(), names.len());
    Ok(names)
}

fn column(text: &str, language: &str) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let rows: Vec<Vec<_>> = rows.map(|line| line.split('|').map(str::trim).collect()).collect();
    let heads = rows.iter().filter_map(|row| row.iter().position(|cell| *cell == language));
    let place = heads.min().unwrap_or_default();
    let cells = rows.iter().filter_map(|row| row.get(place)?.strip_prefix('`')?.strip_suffix('`'));
    let mut names: Vec<_> = cells.map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// The folder of rustdoc's pages for the core.
pub(crate) fn documentation() -> PathBuf {
    target().join("doc/speech_core")
}

/// Checks that the Rust names are in rustdoc's pages, and the C names in the header.
pub(crate) fn check() -> Result<()> {
    let documentation = documentation();
    let in_rust = |name: &String| is_documented(&documentation, name);
    let missing: Vec<_> = of("Rust")?.into_iter().filter(|name| !in_rust(name)).collect();
    ensure!(missing.is_empty(), "docs/names.md has Rust names that rustdoc lacks: {missing:?}");
    let header = fs::read_to_string(root().join("include/speech.h"))?;
    let in_c = |name: &String| is_declared(&header, name);
    let missing: Vec<_> = of("C")?.into_iter().filter(|name| !in_c(name)).collect();
    ensure!(missing.is_empty(), "docs/names.md has C names that speech.h lacks: {missing:?}");
    Ok(())
}

/// Whether a header declares a function. A mention in a comment does not count.
fn is_declared(header: &str, name: &str) -> bool {
    let mut code = header.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
    code.any(|line| line.contains(&format!("{name}(")))
}

fn is_documented(documentation: &Path, name: &str) -> bool {
    let Some((of, method)) = name.split_once("::") else {
        return documentation.join(format!("fn.{name}.html")).exists();
    };
    let pages = ["struct", "enum"].map(|kind| documentation.join(format!("{kind}.{of}.html")));
    let id = format!("id=\"method.{method}\"");
    pages.iter().any(|page| fs::read_to_string(page).is_ok_and(|page| page.contains(&id)))
}

/// A module that fails to compile if the TypeScript package lacks a name.
pub(crate) fn typescript(language: &str, package: &str) -> Result<String> {
    let mut module = format!(
        "import * as libspeech from \"{package}\";\n\
         type Static<Name> = Name extends keyof typeof libspeech ? keyof (typeof libspeech)[Name] : never;\n"
    );
    for name in of(language)? {
        match name.split_once('.') {
            Some((of, member)) => {
                writeln!(
                    module,
                    "\"{member}\" satisfies keyof libspeech.{of} | Static<\"{of}\">;"
                )?;
            }
            None => writeln!(module, "libspeech.{name};")?,
        }
    }
    Ok(module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_declares_nothing() {
        let header = "/*\n * old(x)\n */\n// See older().\nAPI\nint now(void);\n";
        let declared = ["old", "older", "now"].map(|name| is_declared(header, name));
        assert_eq!(declared, [false, false, true]);
    }

    #[test]
    fn a_column_is_read_from_all_tables() {
        let text = "# Names\n\n| | C | Go |\n|---|---|---|\n| load | `load` | `Load` |\n\n\
                    | | C | Go |\n|---|---|---|\n| `rate` | `set_rate` | – |\n| again | `load` | `Load` |\n";
        assert_eq!(column(text, "C"), ["load", "set_rate"]);
        assert_eq!(column(text, "Go"), ["Load"]);
    }
}

//! Collects the license texts of all Rust packages in the library. The file has each text once,
//! under the packages that use it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::packages::{Package, Packages};
use super::platform::Platform;
use super::sbom::Part;
use super::toolchain;
use super::tree::Tree;
use crate::prelude::*;

const HEADING: &str = "\
The library contains code of the Rust packages below. Each is named with its licence as an SPDX
expression and with the licence texts that its sources have. Where an expression has \"OR\" in it,
any of the licences will do.
";

/// The file names of license texts, in capitals and without suffixes.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "UNLICENSE", "COPYING", "COPYRIGHT", "NOTICE"];

/// License texts that are missing from the sources of packages. The text of napi-rs is in its npm
/// package `@napi-rs/cli`, and that of jni-rs in versions of `jni` before 0.22. The manifest of
/// `crc-catalog` names the Apache License.
const MISSING: [(&str, &str); 6] = [
    ("crc-catalog", include_str!("../../../../LICENSE-APACHE")),
    ("jni", include_str!("../../licences/jni-rs.txt")),
    ("jni-macros", include_str!("../../licences/jni-rs.txt")),
    ("jni-sys-macros", include_str!("../../licences/jni-rs.txt")),
    ("napi", include_str!("../../licences/napi-rs.txt")),
    ("napi-sys", include_str!("../../licences/napi-rs.txt")),
];

const RULE: &str =
    "================================================================================";

/// Writes the license texts of this repository and of all compiled packages to a folder of a
/// package.
pub(crate) fn write(
    tree: &Tree,
    folder: &str,
    platform: &Platform,
    packages: &Packages,
) -> Result<()> {
    write_with(tree, folder, &toolchain::parts(platform)?, packages)
}

/// Writes the license texts of this repository, of all compiled packages and of other compiled
/// parts.
pub(crate) fn write_with(
    tree: &Tree,
    folder: &str,
    parts: &[Part],
    packages: &Packages,
) -> Result<()> {
    write_own(tree, folder)?;
    tree.write(&format!("{folder}/rust-packages.txt"), &collect(packages)?)?;
    for part in parts {
        let (text, name) = &part.text;
        tree.copy(text, &format!("{folder}/{name}"))?;
    }
    Ok(())
}

/// Writes only the license texts of this repository.
pub(crate) fn write_own(tree: &Tree, folder: &str) -> Result<()> {
    for text in ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"] {
        tree.copy(&root().join(text), &format!("{folder}/{text}"))?;
    }
    Ok(())
}

/// Collects the texts. Fails if a package has none, so that somebody adds it.
fn collect(packages: &Packages) -> Result<String> {
    let mut list = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for ((name, version), package) in &packages.all {
        // Packages of this repository have their own license files beside this one.
        if package.checksum.is_none() {
            continue;
        }
        writeln!(list, "{name} {version}: {}", package.licence)?;
        for text in texts_of(name, package)? {
            texts.entry(text).or_default().push(format!("{name} {version}"));
        }
    }
    // Sorts by the first package, not by the text.
    let mut texts: Vec<_> = texts.into_iter().map(|(text, users)| (users, text)).collect();
    texts.sort();
    let mut document = format!("{HEADING}\n{list}");
    for (users, text) in texts {
        write!(document, "\n{RULE}\n{}\n{RULE}\n\n{text}\n", users.join(", "))?;
    }
    Ok(document)
}

fn texts_of(name: &str, package: &Package) -> Result<Vec<String>> {
    let files = licence_files(&package.directory)?;
    let known = MISSING.iter().find(|(missing, _)| *missing == name);
    match (files.is_empty(), known) {
        (true, Some((_, text))) => Ok(vec![tidy(text)]),
        (true, None) => bail!("{} has no license file", package.directory.display()),
        (false, _) => files.iter().map(|path| read(path)).collect(),
    }
}

fn licence_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = listed(directory)?;
    files.retain(|path| {
        let name = name_of(path).to_uppercase();
        let is_named = NAMES.iter().any(|prefix| name.starts_with(prefix));
        path.is_file() && is_named && !name.ends_with(".RS")
    });
    Ok(files)
}

fn read(path: &Path) -> Result<String> {
    let bytes = fs::read(path)?;
    Ok(tidy(&String::from_utf8_lossy(&bytes)))
}

/// Normalizes a text, so that copies with other line endings are equal.
fn tidy(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(root: &Path, name: &str, files: &[(&str, &str)]) -> (Packages, PathBuf) {
        let directory = root.join(name);
        fs::create_dir_all(&directory).unwrap();
        for (file, text) in files {
            fs::write(directory.join(file), text).unwrap();
        }
        let package = Package {
            licence: "MIT".to_owned(),
            directory: directory.clone(),
            checksum: Some("ab".to_owned()),
            dependencies: Default::default(),
        };
        let all = [((name.to_owned(), "1.0.0".to_owned()), package)].into();
        (Packages { all, roots: Default::default() }, directory)
    }

    #[test]
    fn a_text_is_there_once() {
        let scratch = tempfile::tempdir().unwrap();
        let (mut packages, _) = package(
            scratch.path(),
            "b",
            &[("LICENSE-MIT", "Permission\n"), ("src.rs", "x"), ("license.rs", "fn")],
        );
        let (other, _) = package(
            scratch.path(),
            "a",
            &[("license.md", "Permission  \r\n\r\n"), ("COPYING", "Copies"), ("README", "y")],
        );
        packages.all.extend(other.all);
        let text = collect(&packages).unwrap();
        assert!(text.contains("a 1.0.0: MIT\nb 1.0.0: MIT\n"), "{text}");
        assert_eq!(text.matches("Permission").count(), 1, "{text}");
        assert!(text.contains("a 1.0.0, b 1.0.0"), "{text}");
        assert!(text.contains("Copies") && !text.contains("fn"), "{text}");
    }

    #[test]
    fn a_package_without_a_text_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let (packages, directory) = package(scratch.path(), "bare", &[("README.md", "")]);
        let error = collect(&packages).unwrap_err().to_string();
        assert!(error.contains(&directory.display().to_string()), "{error}");
    }
}

//! Writes the Swift packages: one that contains the libraries and the voices, and one for which
//! Xcode downloads the libraries.

use super::privacy::MANIFEST;
use crate::dist::VERSION;
use crate::prelude::*;

/// The placeholder for the public repository, which is unknown before a release.
/// `cargo xtask release` replaces it.
pub(crate) const REPOSITORY: &str = "OWNER/NAME";

/// The file that Xcode downloads.
pub(crate) const FRAMEWORK_ZIP: &str = "LibSpeech.xcframework.zip";

/// The folder of the package without libraries, and its files.
pub(crate) const DOWNLOADING: &str = "swift";
pub(crate) const DOWNLOADING_FILES: [&str; 3] =
    ["Package.swift", "Sources/LibSpeechPrivacy/LibSpeechPrivacy.swift", MANIFEST];

const TEMPLATE: &str = include_str!("../../templates/swift/Package.swift");

/// Writes the package without the libraries and the voices. If `checksum` is `None`, the package
/// refers to libraries in its own folder.
pub(super) fn write(tree: &Tree, checksum: Option<&str>, with_voices: bool) -> Result<()> {
    let sources = root().join("bindings/swift");
    for target in ["LibSpeechPrivacy", "LibSpeechVoices"].iter().take(1 + usize::from(with_voices))
    {
        let file = format!("Sources/{target}/{target}.swift");
        tree.copy(&sources.join(&file), &file)?;
    }
    tree.copy(&sources.join(MANIFEST), MANIFEST)?;
    tree.write("Package.swift", &description(checksum, with_voices))
}

/// The text of `Package.swift`. A comment at the end of a template line names the condition for
/// that line.
fn description(checksum: Option<&str>, with_voices: bool) -> String {
    let mut text = String::new();
    for line in TEMPLATE.lines() {
        let (line, condition) = line.split_once(" // if ").unwrap_or((line, ""));
        let has_line = match condition {
            "voices" => with_voices,
            "local" => checksum.is_none(),
            "downloaded" => checksum.is_some(),
            _ => true,
        };
        text.extend([line, "\n"].into_iter().filter(|_| has_line));
    }
    text.replace("@VERSION@", VERSION).replace("@CHECKSUM@", checksum.unwrap_or_default())
}

/// Writes the name of the public repository to the package that downloads its libraries.
pub(crate) fn name_repository(package: &Path, repository: &str) -> Result<()> {
    let path = package.join("Package.swift");
    let text = fs::read_to_string(&path)?;
    // The file may be a hard link to the original.
    fs::remove_file(&path)?;
    Ok(fs::write(&path, text.replace(REPOSITORY, repository))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_name_what_they_have() {
        let whole = description(None, true);
        for part in [
            "// swift-tools-version:5.9\n",
            "        .binaryTarget(name: \"LibSpeech\", path: \"LibSpeech.xcframework\"),\n",
            "        .target(name: \"LibSpeechVoices\", resources: [.copy(\"voices\")]),\n    ]\n",
        ] {
            assert!(whole.contains(part), "{whole}");
        }
        let downloading = description(Some("ab"), false);
        let url = format!("/releases/download/v{VERSION}/LibSpeech.xcframework.zip\",\n");
        assert!(downloading.contains(&url) && downloading.contains("checksum: \"ab\"\n"));
        for text in [&whole, &downloading] {
            assert!(!text.contains('@') && !text.contains("// if"), "{text}");
        }
        assert!(!downloading.contains("Voices"));
    }

    #[test]
    fn the_repository_is_filled_in() {
        let scratch = tempfile::tempdir().unwrap();
        let text = description(Some("ab"), false);
        let [gathered, made] = ["gathered", "made"].map(|name| scratch.path().join(name));
        for folder in [&gathered, &made] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(made.join("Package.swift"), &text).unwrap();
        fs::hard_link(made.join("Package.swift"), gathered.join("Package.swift")).unwrap();
        name_repository(&gathered, "o/libspeech").unwrap();
        let named = fs::read_to_string(gathered.join("Package.swift")).unwrap();
        assert!(named.contains("https://github.com/o/libspeech/releases/"), "{named}");
        assert_eq!(fs::read_to_string(made.join("Package.swift")).unwrap(), text);
    }
}

//! The Swift package around the libraries: one that is whole, with the voices, and one that Xcode downloads the libraries for.

use super::privacy::MANIFEST;
use crate::dist::VERSION;
use crate::prelude::*;

/// What stands for the public repository, which is not known before a release: `cargo xtask release` fills it in.
pub(crate) const REPOSITORY: &str = "OWNER/NAME";

/// The file that Xcode downloads.
pub(crate) const FRAMEWORK_ZIP: &str = "LibSpeech.xcframework.zip";

/// The folder of the package that has Xcode download it, and its files.
pub(crate) const DOWNLOADING: &str = "swift";
pub(crate) const DOWNLOADING_FILES: [&str; 3] =
    ["Package.swift", "Sources/LibSpeechPrivacy/LibSpeechPrivacy.swift", MANIFEST];

const TEMPLATE: &str = include_str!("../../templates/swift/Package.swift");

/// Writes the package, but for the libraries and the voices. Without a checksum of the zip file, its libraries are beside it.
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

/// `Package.swift`. A comment at the end of a line of the template names the condition for that line.
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

/// Names the public repository in the package that downloads.
pub(crate) fn name_repository(package: &Path, repository: &str) -> Result<()> {
    let path = package.join("Package.swift");
    let text = fs::read_to_string(&path)?;
    // The file may be another name of the one that it was gathered from.
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

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

/// Where a package has its libraries from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binary<'a> {
    /// Beside it.
    Path,
    /// Downloaded from the release, with the SHA-256 of the zip file.
    Checksum(&'a str),
}

/// Writes the package, but for the libraries and the voices.
pub(super) fn write(tree: &Tree, binary: Binary<'_>, with_voices: bool) -> Result<()> {
    let sources = root().join("bindings/swift");
    let mut targets = vec!["LibSpeechPrivacy"];
    targets.extend(with_voices.then_some("LibSpeechVoices"));
    for target in targets {
        let file = format!("Sources/{target}/{target}.swift");
        tree.copy(&sources.join(&file), &file)?;
    }
    tree.copy(&sources.join(MANIFEST), MANIFEST)?;
    tree.write("Package.swift", &description(binary, with_voices))
}

/// `Package.swift`.
fn description(binary: Binary<'_>, with_voices: bool) -> String {
    let mut products =
        vec![r#".library(name: "LibSpeech", targets: ["LibSpeech", "LibSpeechPrivacy"]),"#];
    let mut targets = match binary {
        Binary::Path => {
            vec![r#".binaryTarget(name: "LibSpeech", path: "LibSpeech.xcframework"),"#.to_owned()]
        }
        Binary::Checksum(checksum) => vec![
            ".binaryTarget(".to_owned(),
            r#"    name: "LibSpeech","#.to_owned(),
            format!(
                r#"    url: "https://github.com/{REPOSITORY}/releases/download/v{VERSION}/{FRAMEWORK_ZIP}","#
            ),
            format!(r#"    checksum: "{checksum}""#),
            "),".to_owned(),
        ],
    };
    targets.push(
        r#".target(name: "LibSpeechPrivacy", resources: [.process("PrivacyInfo.xcprivacy")]),"#
            .to_owned(),
    );
    if with_voices {
        products.push(r#".library(name: "LibSpeechVoices", targets: ["LibSpeechVoices"]),"#);
        let target = r#".target(name: "LibSpeechVoices", resources: [.copy("voices")]),"#;
        targets.push(target.to_owned());
    }
    let separator = format!("\n{}", " ".repeat(8));
    TEMPLATE
        .replace("@PRODUCTS@", &products.join(&separator))
        .replace("@TARGETS@", &targets.join(&separator))
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
        let whole = description(Binary::Path, true);
        for part in [
            "// swift-tools-version:5.9\n",
            "        .binaryTarget(name: \"LibSpeech\", path: \"LibSpeech.xcframework\"),\n",
            "        .target(name: \"LibSpeechVoices\", resources: [.copy(\"voices\")]),\n    ]\n",
        ] {
            assert!(whole.contains(part), "{whole}");
        }
        let downloading = description(Binary::Checksum("ab"), false);
        let url = format!("/releases/download/v{VERSION}/LibSpeech.xcframework.zip\",\n");
        assert!(downloading.contains(&url) && downloading.contains("checksum: \"ab\"\n"));
        for text in [&whole, &downloading] {
            assert!(!text.contains('@'), "{text}");
            for pair in [['(', ')'], ['[', ']']] {
                let [open, close] = pair.map(|c| text.matches(c).count());
                assert_eq!(open, close, "{text}");
            }
        }
        assert!(!downloading.contains("Voices"));
    }

    #[test]
    fn the_repository_is_filled_in() {
        let scratch = tempfile::tempdir().unwrap();
        let text = description(Binary::Checksum("ab"), false);
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

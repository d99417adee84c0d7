//! The files that tell build systems about the package, from `tools/xtask/templates`.

use std::fmt::Write as _;

use anyhow::{Result, ensure};

use super::gates::GLIBC;
use super::header::Abi;
use super::platform::Platform;
use super::tree::Tree;

/// Each template, and its place in the package.
const FILES: [(&str, &str); 5] = [
    ("lib/pkgconfig/libspeech.pc", include_str!("../../templates/libspeech.pc")),
    ("lib/pkgconfig/libspeech-static.pc", include_str!("../../templates/libspeech-static.pc")),
    (
        "lib/cmake/libspeech/libspeechConfig.cmake",
        include_str!("../../templates/libspeechConfig.cmake"),
    ),
    (
        "lib/cmake/libspeech/libspeechConfigVersion.cmake",
        include_str!("../../templates/libspeechConfigVersion.cmake"),
    ),
    ("share/doc/libspeech/README.txt", include_str!("../../templates/README.txt")),
];

/// What the templates leave open.
#[derive(Debug)]
pub(crate) struct Values {
    values: Vec<(&'static str, String)>,
}

impl Values {
    pub(crate) fn new(
        version: &str,
        platform: &Platform,
        abi: Abi,
        native_libraries: &str,
    ) -> Self {
        let mut numbers = version.split('.').map(str::to_owned);
        let mut number = || numbers.next().unwrap_or_default();
        let values = vec![
            ("VERSION", version.to_owned()),
            ("MAJOR", number()),
            ("MINOR", number()),
            ("TRIPLE", platform.triple().to_owned()),
            ("LIBRARY", platform.library(abi)),
            ("LIBRARY_AT_RUN_TIME", platform.library_at_run_time(abi)),
            ("NATIVE_LIBRARIES", native_libraries.to_owned()),
            ("REQUIREMENTS", requirements(platform)),
        ];
        Values { values }
    }

    /// Writes the files.
    pub(crate) fn write(&self, tree: &Tree) -> Result<()> {
        FILES.iter().try_for_each(|(name, template)| tree.write(name, &self.fill(name, template)?))
    }

    fn fill(&self, name: &str, template: &str) -> Result<String> {
        let mut text = template.to_owned();
        for (key, value) in &self.values {
            text = text.replace(&format!("@{key}@"), value);
        }
        let open = text.split('@').nth(1).filter(|word| !word.is_empty() && is_key(word));
        ensure!(open.is_none(), "{name} has no value for {open:?}");
        Ok(text)
    }
}

fn is_key(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

fn requirements(platform: &Platform) -> String {
    let mut text = String::new();
    if platform.has_glibc() {
        let _ = write!(text, "\nglibc {GLIBC} or newer is needed.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        let platform = Platform::of_host().unwrap();
        Values::new("0.1.0", &platform, Abi { major: 1, minor: 0 }, "-lm -lc")
    }

    #[test]
    fn every_template_is_filled() {
        for (name, template) in FILES {
            let text = values().fill(name, template).unwrap();
            let keys = text.split('@').skip(1).step_by(2).filter(|word| is_key(word));
            assert_eq!(keys.collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
            assert!(text.contains("0.1") || name.ends_with("libspeechConfig.cmake"), "{name}");
        }
    }

    #[test]
    fn a_value_that_is_missing_is_an_error() {
        assert_eq!(values().fill("a", "v@VERSION@, @loader_path").unwrap(), "v0.1.0, @loader_path");
        assert!(values().fill("a", "@UNHEARD_OF@").is_err());
    }
}
